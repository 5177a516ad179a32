//! The list of all transfers: live ones first, in an order of one's choice, narrowed by a text.

use std::cmp::Reverse;

use super::{WatchedTransfer, gone::GONE};
use crate::{
    app::directory::Directory,
    config::Meaning,
    domain::{ChainId, Timestamp, TransferId, text},
    msg::{Page, Total},
    story::transfer::{Names, NextStep, Phase, TransferStatusView},
    widgets::{
        layout::Regions,
        list::{ListWindow, Row},
    },
};

/// Columns of a chain's name at the most.
const NAME: usize = 12;
/// The same where there is room.
const WIDE_NAME: usize = 20;
/// From this many columns on there is room for whole names of chains.
pub(crate) const WIDE_FROM: u16 = 140;

/// By what the board is ordered; what is live always comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display)]
pub(crate) enum BoardOrder {
    /// What needs somebody first, then what moves, then what is over.
    #[default]
    #[strum(serialize = "state")]
    State,
    /// The newest first.
    #[strum(serialize = "time")]
    Time,
    /// What arrives next first.
    #[strum(serialize = "arrival")]
    Arrival,
}

/// A row of the board.
#[derive(Clone, Debug)]
pub(crate) struct TransferRow {
    /// Which transfer.
    pub(crate) id: TransferId,
    /// How it stands: what its sign means, the sign, and the word.
    pub(crate) sign: (Meaning, &'static str, &'static str),
    /// `Initia → Noble`.
    pub(crate) way: String,
    /// What was sent.
    pub(crate) amount: String,
    /// Where the funds are, without the time that passes.
    pub(crate) headline: String,
    /// When it was begun.
    pub(crate) begun: Timestamp,
    /// When it should be there; `None` once it is over, while it waits for a person, or where nobody knows.
    pub(crate) expected: Option<Timestamp>,
    /// A person's name for it.
    pub(crate) label: String,
    /// Whether something is still awaited.
    pub(crate) is_live: bool,
    rank: u8,
}

impl Row for TransferRow {
    type Key = TransferId;

    fn key(&self) -> TransferId {
        self.id.clone()
    }
}

/// The list of transfers.
#[derive(Debug)]
pub(crate) struct Board {
    /// The rows, as sorted and filtered.
    pub(crate) list: ListWindow<TransferRow>,
    /// By what they are ordered.
    pub(crate) order: BoardOrder,
    /// Only rows with this text.
    filter: String,
    /// Whether it was on screen after the last update.
    pub(super) is_shown: bool,
    /// What the rows were made of.
    made: Option<(u64, usize, bool)>,
}

impl Board {
    /// Before the kept transfers came.
    pub(crate) fn new() -> Self {
        Self {
            list: ListWindow::new(super::MOST),
            order: BoardOrder::default(),
            filter: String::new(),
            is_shown: false,
            made: None,
        }
    }

    /// Gives it its room.
    pub(crate) fn fit(&mut self, regions: &Regions) {
        self.list.set_viewport(usize::from(regions.list_rows(regions.body).height));
    }

    /// The text that narrows it.
    pub(crate) fn filter(&self) -> &str {
        &self.filter
    }

    /// Shows only rows with this text.
    pub(crate) fn set_filter(&mut self, text: &str) {
        text.trim().clone_into(&mut self.filter);
        self.made = None;
    }

    pub(super) fn turn_order(&mut self) {
        self.order = match self.order {
            BoardOrder::State => BoardOrder::Time,
            BoardOrder::Time => BoardOrder::Arrival,
            BoardOrder::Arrival => BoardOrder::State,
        };
        self.made = None;
    }
}

fn rank(transfer: &WatchedTransfer) -> u8 {
    match (&transfer.status_view.next, &transfer.status_view.phase) {
        (NextStep::SendNext(_) | NextStep::Claim, _) => 0,
        (_, Phase::Failing | Phase::FailedHeld) => 1,
        (_, Phase::Moving) => 2,
        (_, Phase::Waiting | Phase::NotKnown | Phase::Strange) => 3,
        (_, Phase::Finalizing) => 4,
        (_, Phase::Abandoned | Phase::EndedUnstated) => 5,
        (_, Phase::FailedReleased) => 6,
        (_, Phase::Arrived) => 7,
    }
}

fn row(transfer: &WatchedTransfer, directory: &Directory, is_wide: bool) -> TransferRow {
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
    TransferRow {
        id: transfer.record.id.clone(),
        sign: (meaning(transfer, &transfer.status_view), mark, word),
        way: format!("{} → {to}", name(&from)),
        amount: amount.unwrap_or_default(),
        headline: transfer.status_view.headline.text.clone(),
        begun: transfer.record.created,
        expected: transfer.status_view.expected.filter(|_| transfer.is_live() && !is_with_person),
        label: transfer.record.label.clone(),
        is_live: transfer.is_live(),
        rank: rank(transfer),
    }
}

impl TransferRow {
    fn contains(&self, needle: &str) -> bool {
        let id = self.id.to_string();
        [&self.label, &self.way, &self.amount, &self.headline, &id, self.sign.2]
            .iter()
            .any(|text: &&str| text.to_lowercase().contains(needle))
    }
}

#[cfg(any())]
impl App {
    /// Makes the board's rows anew where something of them changed; cursor and view stay on their rows.
    pub(super) fn make_board(&mut self) {
        // Names of chains and tickers come later than the transfers.
        let named = self.directory.assets.values().filter(|assets| assets.value().is_some()).count();
        let is_wide = self.size.0 >= WIDE_FROM;
        let made = (self.transfers.version, named + usize::from(self.directory.chains.value().is_some()), is_wide);
        let now = self.now;
        let Some(View::Bridge(view)) = self.navigation.view_mut(Navigation::root(Tab::Bridge)) else { return };
        let board = &mut view.board;
        if !board.is_shown || board.made == Some(made) || !self.context.transfers.loaded_or_failed() {
            return;
        }
        board.made = Some(made);
        let needle = board.filter.to_lowercase();
        let mut items: Vec<TransferRow> =
            self.context.transfers.all.iter().map(|transfer| row(transfer, &self.context.directory, is_wide)).collect();
        items.retain(|row| needle.is_empty() || row.contains(&needle));
        // The sort is stable: the newest comes first among equals.
        match board.order {
            BoardOrder::State => items.sort_by_key(|row| (!row.is_live, if row.is_live { row.rank } else { 0 })),
            BoardOrder::Time => items.sort_by_key(|row| (!row.is_live, Reverse(row.begun))),
            BoardOrder::Arrival => {
                items.sort_by_key(|row| (!row.is_live, row.expected.is_none(), row.expected));
            }
        }
        let total = Total::Exact(u64::try_from(items.len()).unwrap_or(u64::MAX));
        board.list.refill(Page { items, next: None, total, notes: Vec::new() }, now);
        self.effects.redraw = true;
    }
}
