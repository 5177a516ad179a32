//! A row of the board: how a transfer stands.

use crate::{
    app::{
        directory::Directory,
        transfers::{
            WatchedTransfer,
            signs::{ends, meaning, sign},
        },
    },
    config::Meaning,
    domain::{ChainId, Timestamp, TransferId, text},
    story::transfer::{Names, NextStep, Phase, TransferStatusView},
    widgets::list::ListRow,
};

/// Columns of a chain's name at the most.
const NAME: usize = 12;
/// The same where there is room.
const WIDE_NAME: usize = 20;

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
    /// A person's name for it.
    pub(crate) label: String,
    /// Whether something is still awaited.
    pub(crate) is_live: bool,
    /// Where it stands among the live ones, by who or what it waits for.
    pub(crate) rank: u8,
}

impl ListRow for TransferRow {
    type Key = TransferId;

    fn key(&self) -> TransferId {
        self.id.clone()
    }
}

impl TransferRow {
    /// With whole names of chains where there is room for them.
    pub(crate) fn new(transfer: &WatchedTransfer, directory: &Directory, is_wide: bool) -> Self {
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
        // What waits for a person is not late.
        let is_with_person = matches!(transfer.status_view.next, NextStep::SendNext(_) | NextStep::Claim);
        Self {
            id: transfer.record.id.clone(),
            sign: (meaning(transfer, &transfer.status_view), mark, word),
            way: format!("{} → {to}", name(&from)),
            amount: amount.unwrap_or_default(),
            headline: headline(&transfer.status_view),
            begun: transfer.record.created,
            expected: transfer.status_view.expected.filter(|_| transfer.is_live() && !is_with_person),
            label: transfer.record.label.clone(),
            is_live: transfer.is_live(),
            rank: rank(transfer),
        }
    }

    pub(crate) fn contains(&self, needle: &str) -> bool {
        let id = self.id.to_string();
        [&self.label, &self.way, &self.amount, &self.headline, &id, self.sign.2]
            .iter()
            .any(|text: &&str| text.to_lowercase().contains(needle))
    }
}

/// Where the funds are; what nobody confirms any more with the time of the last word.
fn headline(status_view: &TransferStatusView) -> String {
    let text = &status_view.headline.text;
    match status_view.as_of.filter(|_| status_view.phase != Phase::Forgotten) {
        Some(at) => format!("as of {}: {text}", at.clock()),
        None => text.clone(),
    }
}

fn rank(transfer: &WatchedTransfer) -> u8 {
    match (&transfer.status_view.next, &transfer.status_view.phase) {
        (NextStep::SendNext(_) | NextStep::Claim, _) => 0,
        (_, Phase::Failing | Phase::FailedHeld | Phase::FailedAtSource | Phase::Forgotten) => 1,
        (_, Phase::Moving) => 2,
        (_, Phase::Waiting | Phase::NotKnown | Phase::Strange) => 3,
        (_, Phase::Finalizing) => 4,
        (_, Phase::Abandoned | Phase::EndedUnstated) => 5,
        (_, Phase::FailedReleased) => 6,
        (_, Phase::Arrived) => 7,
    }
}
