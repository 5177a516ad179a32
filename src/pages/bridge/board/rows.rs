//! Row of the board, with the state of one transfer.

use crate::{
    app::{
        Context,
        transfers::{
            OpenClaim, WatchedTransfer,
            signs::{ends, sign, sign_of_claim, urgency},
        },
    },
    config::Meaning,
    domain::{Address, ChainId, Denom, LocalZone, Timestamp, TransferId, TxHash, text},
    story::Names,
    transfers::{Phase, TransferStatusView, Urgency},
    widgets::list::ListRow,
};

/// Maximum columns of a chain name.
const NAME: usize = 12;
/// Maximum columns of a chain name on a wide screen.
const WIDE_NAME: usize = 20;

/// Subject of a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RowKey {
    Transfer(TransferId),
    /// Withdrawal that is not kept as a transfer: bridge and number.
    Withdrawal(u64, u64),
}

/// Unclaimed withdrawal of a row.
#[derive(Clone, Debug)]
pub(crate) struct RowClaim {
    pub(crate) recipient: Option<Address>,
    pub(crate) tx: Option<TxHash>,
}

#[derive(Clone, Debug)]
pub(crate) struct TransferRow {
    pub(crate) key: RowKey,
    /// Withdrawal that is not kept as a transfer.
    pub(crate) claim: Option<RowClaim>,
    /// Colour, sign and word of the state.
    pub(crate) sign: (Meaning, &'static str, &'static str),
    /// Source and destination, as in `Initia → Noble`.
    pub(crate) way: String,
    pub(crate) amount: String,
    /// Where the funds are, without the elapsed time.
    pub(crate) headline: String,
    pub(crate) begun: Option<Timestamp>,
    /// Expected arrival; `None` if the transfer is finished, waits for the user, or has no estimate.
    pub(crate) expected: Option<Timestamp>,
    /// Name that the user gave; a hash if nothing else identifies the transfer.
    pub(crate) name: String,
    /// Whether the user gave the name.
    pub(crate) is_named: bool,
    /// Whether the transfer is in progress.
    pub(crate) is_live: bool,
    pub(crate) urgency: Urgency,
}

impl ListRow for TransferRow {
    type Key = RowKey;

    fn key(&self) -> RowKey {
        self.key.clone()
    }
}

impl TransferRow {
    /// Builds a row; with `is_wide`, chain names are not shortened.
    pub(crate) fn new(transfer: &WatchedTransfer, is_wide: bool, cx: &Context) -> Self {
        let directory = &cx.directory;
        let (from, to) = ends(transfer);
        let most = if is_wide { WIDE_NAME } else { NAME };
        let name = |chain: &ChainId| text::clip(&Names::chain(directory, chain), most);
        let to = to.as_ref().map_or_else(|| "?".to_owned(), name);
        let amount = transfer.follower.route().map(|route| {
            let (chain, denom) = (&route.source_asset_chain_id, &route.source_asset_denom);
            // Amounts in smallest units cannot be compared between rows.
            let is_readable = directory.decimals(chain, denom).is_some();
            if is_readable {
                directory.amount(chain, denom, route.amount_in)
            } else {
                Names::denom(directory, chain, denom)
            }
        });
        let label = &transfer.follower.record.label;
        let is_named = !label.is_empty();
        let shown_name = match (is_named, transfer.follower.route()) {
            (true, _) => label.clone(),
            (false, Some(_)) => String::new(),
            (false, None) => transfer.follower.record.id.hash.short(),
        };
        Self {
            key: RowKey::Transfer(transfer.follower.record.id.clone()),
            claim: None,
            sign: sign(transfer, &transfer.follower.view),
            way: format!("{} → {to}", name(&from)),
            amount: amount.unwrap_or_default(),
            headline: headline(&transfer.follower.view, &cx.zone),
            begun: Some(transfer.follower.record.created),
            expected: transfer.follower.view.awaited().filter(|_| transfer.is_live()),
            name: shown_name,
            is_named,
            is_live: transfer.is_live(),
            urgency: urgency(transfer, cx.now),
        }
    }

    /// Builds the row of a withdrawal that is not kept as a transfer.
    pub(crate) fn of_claim(claim: &OpenClaim, is_wide: bool, cx: &Context) -> Self {
        let (directory, withdrawal) = (&cx.directory, &claim.answers.withdrawal);
        let most = if is_wide { WIDE_NAME } else { NAME };
        let name = |chain: Option<ChainId>| {
            chain.map_or_else(|| "?".to_owned(), |chain| text::clip(&Names::chain(directory, &chain), most))
        };
        let l1 = directory.settlement().map(|info| info.chain_id.clone());
        let denom = Denom::new(withdrawal.amount.denom.as_str());
        let amount = l1.as_ref().map(|l1| match directory.decimals(l1, &denom) {
            Some(_) => directory.amount(l1, &denom, withdrawal.amount.amount),
            None => Names::denom(directory, l1, &denom),
        });
        let recipient: Option<Address> = withdrawal.to.parse().ok();
        let (sign, urgency) = sign_of_claim(claim, cx.now);
        Self {
            key: RowKey::Withdrawal(withdrawal.bridge_id, withdrawal.sequence),
            claim: Some(RowClaim { recipient, tx: withdrawal.tx_hash.as_deref().and_then(|hash| hash.parse().ok()) }),
            sign,
            way: format!("{} → {}", name(cx.own_chain()), name(l1)),
            amount: amount.unwrap_or_default(),
            headline: format!("#{}: {}", withdrawal.sequence, claim.stage.sentence(cx.now)),
            begun: None,
            expected: claim.stage.claimable().filter(|at| *at > cx.now),
            name: recipient.map(|account| account.short()).unwrap_or_default(),
            is_named: false,
            is_live: true,
            urgency,
        }
    }

    /// Returns the kept transfer.
    pub(crate) fn transfer(&self) -> Option<&TransferId> {
        match &self.key {
            RowKey::Transfer(id) => Some(id),
            RowKey::Withdrawal(..) => None,
        }
    }

    pub(crate) fn shown_time(&self) -> Option<Timestamp> {
        self.expected.or(self.begun)
    }

    pub(crate) fn contains(&self, needle: &str) -> bool {
        let id = self.transfer().map(ToString::to_string).unwrap_or_default();
        [&self.name, &self.way, &self.amount, &self.headline, &id, self.sign.2]
            .iter()
            .any(|text: &&str| text.to_lowercase().contains(needle))
    }
}

/// Returns where the funds are. An outdated status states its time.
fn headline(status_view: &TransferStatusView, zone: &LocalZone) -> String {
    let text = status_view.headline.text.in_zone(zone);
    match status_view.as_of.filter(|_| status_view.phase != Phase::Forgotten) {
        Some(at) => format!("as of {}: {text}", zone.clock(at)),
        None => text,
    }
}
