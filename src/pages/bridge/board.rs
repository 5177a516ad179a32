//! The list of all transfers, in an order of one's choice, narrowed by a text.

mod draw;
mod rows;

pub(super) use draw::{draw, draw_first};

use std::cmp::Reverse;

use tui_input::Input;
use unicode_width::UnicodeWidthStr as _;

use self::rows::{TransferRow, urgency};
use crate::{
    app::{
        Context,
        page::{Cx, Destination, Export},
        prompt::{CopyChoice, Prompt},
        transfers::{MOST, record},
    },
    domain::{LocalZone, TransferId},
    msg::{ListPage, Total},
    panes::transfers::choices,
    story::transfer::Urgency,
    widgets::{layout::Regions, list::ListWindow},
};

/// From this many columns on there is room for whole names of chains.
const WIDE_FROM: u16 = 140;

/// By what the board is ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display)]
enum BoardOrder {
    /// What needs somebody first, then what failed, is late or unknown, what moves, and what is over.
    #[default]
    #[strum(serialize = "state")]
    State,
    /// The newest of the live ones first, then what is over.
    #[strum(serialize = "time")]
    Time,
    /// What arrives next first, then what is over.
    #[strum(serialize = "arrival")]
    Arrival,
}

#[derive(Debug)]
pub(super) struct Board {
    /// The rows, as sorted and filtered.
    pub(crate) list: ListWindow<TransferRow>,
    order: BoardOrder,
    /// Only rows with this text.
    filter: String,
    /// Whether it was on screen after the last update.
    is_shown: bool,
    /// What the rows were made of.
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
    pub(crate) fn fit(&mut self, regions: &Regions) {
        self.list.set_viewport(usize::from(regions.list_rows(regions.body).height));
    }

    pub(crate) fn filter(&self) -> &str {
        &self.filter
    }

    pub(crate) fn set_filter(&mut self, text: &str) {
        text.trim().clone_into(&mut self.filter);
        self.made = None;
    }

    pub(crate) fn turn_order(&mut self, cx: &mut Cx<'_>) {
        self.order = match self.order {
            BoardOrder::State => BoardOrder::Time,
            BoardOrder::Time => BoardOrder::Arrival,
            BoardOrder::Arrival => BoardOrder::State,
        };
        self.made = None;
        cx.done(format!("ordered by {}", self.order));
    }

    /// Enter: the page of the transfer under the cursor.
    pub(crate) fn open(&self, cx: &mut Cx<'_>) {
        if let Some(id) = self.selected() {
            cx.open(Destination::Transfer(id));
        }
    }

    pub(crate) fn ask_filter(&self, cx: &mut Cx<'_>) {
        cx.ask(Prompt::Find(Input::new(self.filter.clone())));
    }

    /// The transfers in the order of the rows.
    pub(crate) fn ids(&self) -> Vec<TransferId> {
        self.list.rows().iter().map(|row| row.id.clone()).collect()
    }

    pub(crate) fn selected(&self) -> Option<TransferId> {
        self.list.selected().map(|row| row.id.clone())
    }

    /// Whether it is on screen from now on. True where it just came there: other instances keep transfers too, and what
    /// they keep is to be read again.
    pub(crate) fn show(&mut self, is_shown: bool) -> bool {
        let was_shown = std::mem::replace(&mut self.is_shown, is_shown);
        is_shown && !was_shown
    }

    /// Makes the rows anew where something of them changed; cursor and view stay on their rows. Says whether it did.
    pub(crate) fn make_rows(&mut self, cx: &Context) -> bool {
        let (transfers, directory) = (&cx.transfers, &cx.directory);
        // Names of chains and tickers come later than the transfers.
        let named = directory.assets.values().filter(|assets| assets.value().is_some()).count();
        let is_wide = cx.size.0 >= WIDE_FROM;
        // What becomes late, or long over, moves without an answer of anybody.
        let urgencies = transfers.all().iter().map(|transfer| urgency(transfer, cx.now)).collect();
        let made = (transfers.version(), named + usize::from(directory.chains.value().is_some()), is_wide, urgencies);
        if self.made.as_ref() == Some(&made) || !transfers.loaded_or_failed() {
            return false;
        }
        self.made = Some(made);
        let needle = self.filter.to_lowercase();
        let rows = transfers.all().iter().map(|transfer| TransferRow::new(transfer, is_wide, cx));
        let mut items: Vec<TransferRow> = rows.filter(|row| needle.is_empty() || row.contains(&needle)).collect();
        // The sort is stable: the newest comes first among equals.
        match self.order {
            BoardOrder::State => items.sort_by_key(|row| row.urgency),
            BoardOrder::Time => items.sort_by_key(|row| (!row.is_live, Reverse(row.begun))),
            BoardOrder::Arrival => {
                items.sort_by_key(|row| (!row.is_live, row.expected.is_none(), row.expected));
            }
        }
        let total = Total::Exact(u64::try_from(items.len()).unwrap_or(u64::MAX));
        self.list.refill(ListPage { items, next: None, total, notes: Vec::new() }, cx.now);
        true
    }

    /// Whether any of its transfers has a name, or nothing but its hash to tell it by.
    fn has_names(&self) -> bool {
        self.list.rows().iter().any(|row| !row.name.is_empty())
    }

    /// Whether it is known of any of them what was sent.
    fn has_amounts(&self) -> bool {
        self.list.rows().iter().any(|row| !row.amount.is_empty())
    }

    /// Whether any of its times is another on the clocks of this zone than in UTC.
    fn is_elsewhere(&self, zone: &LocalZone) -> bool {
        self.list.rows().iter().any(|row| zone.differs(row.shown_time()))
    }

    /// Columns of the longest direction.
    fn way_width(&self) -> usize {
        self.list.rows().iter().map(|row| row.way.width()).max().unwrap_or_default()
    }

    /// What can be copied of the transfer under the cursor.
    pub(crate) fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        let transfer = self.list.selected().and_then(|row| cx.transfers.get(&row.id));
        transfer.map_or_else(Vec::new, |transfer| choices(transfer, cx))
    }
}

/// All of them as a file, whatever narrows the board.
pub(super) fn export(cx: &Context) -> Option<Export> {
    let transfers = cx.transfers.all();
    let records = transfers.iter().map(|transfer| record::exported(&transfer.record));
    (!transfers.is_empty()).then(|| Export::lines("transfers.jsonl", records))
}
