//! State of the rich list: the holders of a denom, and the denoms to choose from.

use super::{concentration::Concentration, marked::MarkedList};
use crate::{
    app::{format::AddressForm, known_denom::KnownDenom, prompt::CopyChoice},
    domain::{Denom, Timestamp, text},
    msg::{PageRequest, Request, Total},
    panes::rows::HolderRow,
    widgets::{
        layout::{Pane, Regions},
        list::{ListWindow, PAGE, Prefetch},
    },
    wire::{ApiError, ErrorKind},
};

/// Maximum holders in memory.
const HOLDER_CAPACITY: usize = 2000;
/// Maximum holders of a denom that the page loads without a key press.
const WHOLE: usize = 5000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DenomSearch {
    Keep,
    /// To open the picker.
    Choose,
    /// To select the denom this many places away.
    Step(isize),
}

#[derive(Debug)]
pub(crate) struct HoldersPage {
    /// Denom of the list; `None` until the page knows a denom.
    pub(crate) denom: Option<Denom>,
    pub(super) symbol: Option<String>,
    /// Holders, largest first.
    pub(crate) list: ListWindow<HolderRow>,
    /// Visible pane on a screen without room for both.
    pub(crate) focus: Pane,
    /// Figures over all rows received so far, including rows that the list dropped.
    pub(crate) concentration: Box<Concentration>,
    /// Height of the rich list when its first page arrived.
    pub(crate) height: Option<u64>,
    /// Time of the first page.
    pub(crate) read: Option<Timestamp>,
    /// Denoms that the last search found, most frequent first.
    pub(super) known: Vec<KnownDenom>,
    /// Typed denoms, newest first.
    pub(super) typed: Vec<Denom>,
    pub(super) search: Option<DenomSearch>,
    /// Whether the quick search found a denom before, and after, the current denom.
    pub(super) glanced: [bool; 2],
    last_counted: Option<String>,
    /// List that the user marked, of any denom.
    pub(super) marked: Option<Box<MarkedList>>,
}

impl HoldersPage {
    pub(crate) fn new() -> Self {
        Self {
            denom: None,
            symbol: None,
            list: ListWindow::new(HOLDER_CAPACITY),
            focus: Pane::First,
            concentration: Box::default(),
            height: None,
            read: None,
            known: Vec::new(),
            typed: Vec::new(),
            search: None,
            glanced: [false; 2],
            last_counted: None,
            marked: None,
        }
    }

    /// Whether the figures cover every holder that the server counts.
    pub(crate) fn is_whole(&self) -> bool {
        match self.list.total {
            Total::Exact(total) => total == self.concentration.counted(),
            Total::About(_) | Total::Unknown => self.list.has_ended() && !self.list.has_rows_above(),
        }
    }

    /// Fits the holders to the screen and sets how many to load ahead.
    pub(super) fn make_room(&mut self, regions: &Regions) {
        // A short list loads completely, so that the figures cover all holders.
        let is_moderate = matches!(self.list.total, Total::Exact(total) if total <= WHOLE as u64);
        self.list.prefetch =
            if is_moderate && self.list.rows().len() <= WHOLE { Prefetch::All } else { Prefetch::Near };
        let (holders, _) = regions.rich_list(self.focus);
        self.list.fit(regions.list_rows(holders));
    }

    /// Shows the holders of a denom; `symbol` is from the network file.
    pub(super) fn show(&mut self, denom: Denom, symbol: Option<String>) {
        if self.denom.as_ref() == Some(&denom) {
            return;
        }
        (self.denom, self.symbol) = (Some(denom), symbol);
        self.list.clear();
        self.count_anew();
    }

    /// Adds new rows to the figures. A row's rank shows whether it was counted before it was dropped. If ranks moved,
    /// counting continues after the last counted account.
    pub(super) fn count(&mut self) {
        let counted = self.concentration.counted();
        let is_last = |row: &HolderRow| {
            Some(&row.holder.account) == self.last_counted.as_ref()
                && row.rank.get().abs_diff(counted) <= u64::from(PAGE)
        };
        let rows: Vec<&HolderRow> = self.list.rows().iter().collect();
        let start = match rows.iter().rposition(|row| is_last(row)) {
            Some(place) => place + 1,
            None => rows.iter().position(|row| row.rank.get() > counted).unwrap_or(rows.len()),
        };
        for row in rows.iter().skip(start) {
            self.concentration.add(row.holder.amount);
        }
        if start < rows.len() {
            self.last_counted = rows.last().map(|row| row.holder.account.clone());
        }
    }

    /// Restarts the figures.
    pub(super) fn count_anew(&mut self) {
        *self.concentration = Concentration::default();
        self.last_counted = None;
        (self.height, self.read) = (None, None);
    }

    /// Whether only a key press may repeat a failed first page: an unknown denom keeps the server of an EVM rollup busy
    /// for most of a minute (`docs/apis/indexer.md` §1.4, §7).
    pub(super) fn is_refused(&self) -> bool {
        let refused = |error: &ApiError| {
            !error.is_transient() || matches!(error.kind, ErrorKind::Timeout(_) | ErrorKind::Server { .. })
        };
        self.list.state.error().is_some_and(refused)
    }

    /// Returns the copyable values of the selected holder.
    pub(super) fn copied(&self, form: AddressForm) -> Vec<CopyChoice> {
        let choice = CopyChoice::value;
        let mut choices = Vec::new();
        if let Some(row) = self.list.selected() {
            let holder = &row.holder;
            if let Some(address) = holder.address() {
                choices.push(choice('v', "account", form.write(address)));
                choices.push(choice('x', "account in the other format", form.flipped().write(address)));
            } else {
                choices.push(choice('v', "account, as the server sends it", text::clean(&holder.account).into_owned()));
            }
            choices.push(choice('m', "amount, smallest unit", holder.amount.to_string()));
            choices.push(CopyChoice::document(
                'j',
                "row as JSON",
                serde_json::to_string(&**holder).unwrap_or_default(),
            ));
        }
        choices.extend(self.denom.as_ref().map(|denom| choice('d', "denom", denom.to_string())));
        choices
    }

    /// Returns the request for the list's first page.
    pub(super) fn request(&self) -> Option<Request> {
        Some(Request::Holders(self.denom.clone()?, PageRequest::newest(PAGE)))
    }
}
