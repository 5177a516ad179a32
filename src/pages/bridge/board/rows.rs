//! A row of the board: how a transfer stands.

use std::time::Duration;

use crate::{
    app::{
        Context,
        transfers::{
            WatchedTransfer,
            signs::{ends, meaning, sign},
        },
    },
    config::Meaning,
    domain::{ChainId, LocalZone, Timestamp, TransferId, text},
    story::transfer::{Names, Phase, TransferStatusView, Urgency},
    widgets::list::ListRow,
};

/// Columns of a chain's name at the most.
const NAME: usize = 12;
/// The same where there is room.
const WIDE_NAME: usize = 20;
/// What is over for so long needs nobody any more.
const STALE: Duration = Duration::from_secs(24 * 3600);

#[derive(Clone, Debug)]
pub(crate) struct TransferRow {
    pub(crate) id: TransferId,
    /// How it stands: what its sign means, the sign, and the word.
    pub(crate) sign: (Meaning, &'static str, &'static str),
    /// `Initia → Noble`.
    pub(crate) way: String,
    /// What was sent.
    pub(crate) amount: String,
    /// Where the funds are, without the time that passes.
    pub(crate) headline: String,
    pub(crate) begun: Timestamp,
    /// When it should be there; `None` once it is over, while it waits for a person, or where nobody knows.
    pub(crate) expected: Option<Timestamp>,
    /// A person's name for it; the hash where nothing else tells it from others.
    pub(crate) name: String,
    /// Whether that is a person's.
    pub(crate) is_named: bool,
    /// Whether something is still awaited.
    pub(crate) is_live: bool,
    /// Where it stands among all, by how much it needs somebody.
    pub(crate) urgency: Urgency,
}

impl ListRow for TransferRow {
    type Key = TransferId;

    fn key(&self) -> TransferId {
        self.id.clone()
    }
}

impl TransferRow {
    /// With whole names of chains where there is room for them.
    pub(crate) fn new(transfer: &WatchedTransfer, is_wide: bool, cx: &Context) -> Self {
        let directory = &cx.directory;
        let (from, to) = ends(transfer);
        let most = if is_wide { WIDE_NAME } else { NAME };
        let name = |chain: &ChainId| text::clip(&Names::chain(directory, chain), most);
        let to = to.as_ref().map_or_else(|| "?".to_owned(), name);
        let amount = transfer.route().map(|route| {
            let (chain, denom) = (&route.source_asset_chain_id, &route.source_asset_denom);
            // An amount in the smallest unit says nothing beside others.
            let is_readable = directory.decimals(chain, denom).is_some();
            if is_readable {
                directory.amount(chain, denom, route.amount_in)
            } else {
                Names::denom(directory, chain, denom)
            }
        });
        let (mark, word) = sign(transfer, &transfer.status_view);
        let label = &transfer.record.label;
        let is_named = !label.is_empty();
        let shown_name = match (is_named, transfer.route()) {
            (true, _) => label.clone(),
            (false, Some(_)) => String::new(),
            (false, None) => transfer.record.id.hash.short(),
        };
        Self {
            id: transfer.record.id.clone(),
            sign: (meaning(transfer, &transfer.status_view), mark, word),
            way: format!("{} → {to}", name(&from)),
            amount: amount.unwrap_or_default(),
            headline: headline(&transfer.status_view, &cx.zone),
            begun: transfer.record.created,
            expected: transfer.status_view.awaited().filter(|_| transfer.is_live()),
            name: shown_name,
            is_named,
            is_live: transfer.is_live(),
            urgency: urgency(transfer, cx.now),
        }
    }

    /// The moment that stands in its column.
    pub(crate) fn shown_time(&self) -> Timestamp {
        self.expected.unwrap_or(self.begun)
    }

    pub(crate) fn contains(&self, needle: &str) -> bool {
        let id = self.id.to_string();
        [&self.name, &self.way, &self.amount, &self.headline, &id, self.sign.2]
            .iter()
            .any(|text: &&str| text.to_lowercase().contains(needle))
    }
}

/// Where the funds are; what nobody confirms any more with the time of the last word.
fn headline(status_view: &TransferStatusView, zone: &LocalZone) -> String {
    let text = zone.in_words(&status_view.headline.text);
    match status_view.as_of.filter(|_| status_view.phase != Phase::Forgotten) {
        Some(at) => format!("as of {}: {text}", zone.clock(at)),
        None => text,
    }
}

/// Where a transfer stands on the board. What is over for long, and what nobody can be asked about, needs nobody.
pub(super) fn urgency(transfer: &WatchedTransfer, now: Timestamp) -> Urgency {
    let newest = transfer.record.changes.last().map_or(transfer.record.created, |change| change.at);
    let is_stale = !transfer.is_live() && now.since(newest) >= STALE;
    if is_stale || transfer.is_lost() { Urgency::Done } else { Urgency::of(&transfer.status_view, now) }
}
