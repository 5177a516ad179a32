//! Board of all transfers: sorted in a chosen order and filtered by a text.

mod draw;
mod rows;

pub(super) use draw::{draw, draw_first};

use std::cmp::Reverse;

use tui_input::Input;
use unicode_width::UnicodeWidthStr as _;

use self::rows::{RowClaim, RowKey, TransferRow};
use crate::{
    app::{
        Context,
        page::{Destination, Export, PageCx, PageEffect},
        prompt::{CopyChoice, Prompt},
        transfers::{
            MOST, OpenClaim, record,
            signs::{sign_of_claim, urgency},
        },
    },
    domain::{Address, LocalZone, Target, TransferId},
    msg::{ListPage, Total},
    panes::transfers::choices,
    transfers::Urgency,
    widgets::list::ListWindow,
};

/// Minimum columns of a screen with full chain names.
const WIDE_FROM: u16 = 140;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display)]
enum BoardOrder {
    /// Transfers that wait for the user first; then failed, late or unknown, moving and finished ones.
    #[default]
    #[strum(serialize = "state")]
    State,
    /// Live transfers first, each group newest first.
    #[strum(serialize = "time")]
    Time,
    /// Next expected arrival first, finished transfers last.
    #[strum(serialize = "arrival")]
    Arrival,
}

#[derive(Debug)]
pub(super) struct Board {
    /// Rows, sorted and filtered.
    pub(crate) list: ListWindow<TransferRow>,
    order: BoardOrder,
    /// Text that a row must contain.
    filter: String,
    /// Whether the last update left the board on screen.
    is_shown: bool,
    /// Inputs of the current rows.
    made: Option<(u64, usize, bool, Vec<Urgency>)>,
}

impl Default for Board {
    fn default() -> Self {
        Self {
            list: ListWindow::new(MOST),
            order: BoardOrder::default(),
            filter: String::new(),
            is_shown: false,
            made: None,
        }
    }
}

impl Board {
    pub(crate) fn filter(&self) -> &str {
        &self.filter
    }

    pub(crate) fn set_filter(&mut self, text: &str) {
        text.trim().clone_into(&mut self.filter);
        self.made = None;
    }

    pub(crate) fn turn_order(&mut self, cx: &mut PageCx<'_>) {
        self.order = match self.order {
            BoardOrder::State => BoardOrder::Time,
            BoardOrder::Time => BoardOrder::Arrival,
            BoardOrder::Arrival => BoardOrder::State,
        };
        self.made = None;
        cx.done(format!("ordered by {}", self.order));
    }

    /// Opens the page of the selected transfer, or the transaction that began the selected withdrawal, on Enter.
    pub(crate) fn open(&self, cx: &mut PageCx<'_>) {
        let Some(row) = self.list.selected() else { return };
        match (row.transfer(), &row.claim) {
            (Some(id), _) => cx.open(Destination::Transfer(id.clone())),
            (None, Some(RowClaim { tx: Some(tx), .. })) => cx.emit(PageEffect::OpenTarget(Target::Tx(*tx))),
            (None, _) => cx.refuse("the executor does not name the transaction"),
        }
    }

    /// Returns the recipient of the selected withdrawal, if it is not kept as a transfer.
    pub(crate) fn recipient(&self) -> Option<Address> {
        self.list.selected()?.claim.as_ref()?.recipient
    }

    pub(crate) fn ask_filter(&self, cx: &mut PageCx<'_>) {
        cx.ask(Prompt::Find(Input::new(self.filter.clone())));
    }

    /// Returns the transfers in the order of the rows.
    pub(crate) fn ids(&self) -> Vec<TransferId> {
        self.list.rows().iter().filter_map(|row| row.transfer().cloned()).collect()
    }

    pub(crate) fn select(&mut self, id: &TransferId) {
        self.list.select(&RowKey::Transfer(id.clone()));
    }

    pub(crate) fn selected(&self) -> Option<TransferId> {
        self.list.selected().and_then(|row| row.transfer().cloned())
    }

    /// Sets whether the board is on screen. Returns true when it appears. The session then reads the store again, since
    /// other instances keep transfers too.
    pub(crate) fn show(&mut self, is_shown: bool) -> bool {
        let was_shown = std::mem::replace(&mut self.is_shown, is_shown);
        is_shown && !was_shown
    }

    /// Rebuilds outdated rows; cursor and view stay on their transfers. Returns whether it did.
    pub(crate) fn make_rows(&mut self, cx: &Context) -> bool {
        let (transfers, directory) = (&cx.transfers, &cx.directory);
        // Chain names and tickers may arrive after the transfers.
        let named = directory.assets.values().filter(|assets| assets.value().is_some()).count();
        let is_wide = cx.size.0 >= WIDE_FROM;
        // A transfer can become late, or long finished, without a new answer.
        let of_claims = transfers.open.iter().map(|claim| sign_of_claim(claim, cx.now).1);
        let urgencies = transfers.all().iter().map(|transfer| urgency(transfer, cx.now)).chain(of_claims).collect();
        let made = (transfers.version(), named + usize::from(directory.chains.value().is_some()), is_wide, urgencies);
        if self.made.as_ref() == Some(&made) || !transfers.loaded_or_failed() {
            return false;
        }
        self.made = Some(made);
        let needle = self.filter.to_lowercase();
        let rows = transfers.all().iter().map(|transfer| TransferRow::new(transfer, is_wide, cx));
        let rows = unkept(cx).map(|claim| TransferRow::of_claim(claim, is_wide, cx)).chain(rows);
        let mut items: Vec<TransferRow> = rows.filter(|row| needle.is_empty() || row.contains(&needle)).collect();
        // A stable sort keeps the newest of equal transfers first.
        match self.order {
            BoardOrder::State => items.sort_by_key(|row| row.urgency),
            BoardOrder::Time => items.sort_by_key(|row| (!row.is_live, row.begun.is_some(), Reverse(row.begun))),
            BoardOrder::Arrival => {
                items.sort_by_key(|row| (!row.is_live, row.expected.is_none(), row.expected));
            }
        }
        let total = Total::Exact(u64::try_from(items.len()).unwrap_or(u64::MAX));
        self.list.refill(ListPage { items, next: None, total, notes: Vec::new() }, cx.now);
        true
    }

    /// Whether any row shows a name, or a hash instead.
    fn has_names(&self) -> bool {
        self.list.rows().iter().any(|row| !row.name.is_empty())
    }

    /// Whether the amount of any transfer is known.
    fn has_amounts(&self) -> bool {
        self.list.rows().iter().any(|row| !row.amount.is_empty())
    }

    /// Whether any time in the rows has a UTC offset in this zone.
    fn is_elsewhere(&self, zone: &LocalZone) -> bool {
        self.list.rows().iter().filter_map(TransferRow::shown_time).any(|at| zone.differs(at))
    }

    /// Returns the columns of the longest direction.
    fn way_width(&self) -> usize {
        self.list.rows().iter().map(|row| row.way.width()).max().unwrap_or_default()
    }

    /// Returns the copyable values of the selected transfer.
    pub(crate) fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        let transfer = self.selected().and_then(|id| cx.transfers.get(&id));
        transfer.map_or_else(Vec::new, |transfer| choices(transfer, cx))
    }
}

/// Iterates over the unclaimed withdrawals that are not kept as transfers.
fn unkept(cx: &Context) -> impl Iterator<Item = &OpenClaim> {
    let own = cx.own_chain();
    let is_kept = move |claim: &&OpenClaim| {
        let hash = claim.answers.withdrawal.tx_hash.as_deref().and_then(|hash| hash.parse().ok());
        own.as_ref().zip(hash).is_some_and(|(own, hash)| cx.transfers.is_kept(own, &hash))
    };
    cx.transfers.open.iter().filter(move |claim| !is_kept(claim))
}

/// Exports all transfers; the filter does not apply.
pub(super) fn export(cx: &Context) -> Option<Export> {
    let transfers = cx.transfers.all();
    let records = transfers.iter().map(|transfer| record::exported(&transfer.follower.record));
    (!transfers.is_empty()).then(|| Export::lines("transfers.jsonl", records))
}
