//! All transfers that are kept: registered, polled and judged here, whichever screen is shown; the board that lists them
//! and the page of one.

use crate::{
    app::{
        App,
        document::Document,
        layout::Regions,
        list::{ListWindow, Row},
        view::{View, ViewId},
    },
    domain::{Timestamp, TransferId, TransferRecord},
    msg::{Answer, Slot},
    wire::ApiError,
};

/// All transfers that are kept, live or over.
#[derive(Debug, Default)]
pub(crate) struct Transfers {
    /// Newest first.
    pub(crate) all: Vec<TransferRecord>,
}

/// A row of the board.
#[derive(Clone, Debug)]
pub(crate) struct TransferRow {
    /// Which transfer.
    pub(crate) id: TransferId,
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
}

impl Board {
    /// Before the kept transfers came.
    pub(crate) fn new(id: ViewId) -> Self {
        Self { list: ListWindow::new(id.list(0), 500) }
    }

    /// Gives it its room.
    pub(crate) fn fit(&mut self, _regions: &Regions) {}
}

/// The page of one transfer.
#[derive(Debug)]
pub(crate) struct TransferPage {
    /// Which one.
    pub(crate) id: TransferId,
    /// All of it in lines.
    pub(crate) document: Document,
}

impl TransferPage {
    /// The page before its lines are made.
    pub(crate) fn new(id: TransferId) -> Self {
        Self { id, document: Document::new(Vec::new()) }
    }

    /// What it shows.
    pub(crate) fn title(&self) -> String {
        format!("Transfer {}", self.id.hash.short())
    }

    /// Gives it its room.
    pub(crate) fn fit(&mut self, regions: &Regions) {
        let inner = regions.inner(regions.body);
        self.document.set_room(usize::from(inner.width), usize::from(inner.height));
    }
}

impl App {
    /// Registers what is not registered, polls what is due, saves what changed. Runs after every update.
    pub(in crate::app) fn meet_transfer_needs(&mut self) {}

    /// An answer about a transfer came.
    pub(in crate::app) fn take_transfer_answer(&mut self, _slot: Slot, _result: Result<Answer, ApiError>) {}

    /// Until a transfer is to be asked about again.
    pub(in crate::app) fn next_transfer_poll(&self, _now: Timestamp) -> Option<std::time::Duration> {
        None
    }

    /// Keeps a transfer whose first transaction was just broadcast, or a further one of a kept transfer, and opens its
    /// page.
    pub(in crate::app) fn begin_transfer(&mut self, _record: TransferRecord) {}

    /// Opens the page of a kept transfer.
    pub(in crate::app) fn open_transfer(&mut self, id: TransferId) {
        self.navigation.open(|_| View::Transfer(TransferPage::new(id)));
        self.effects.redraw = true;
    }

    /// Enter on the board or on a transfer's page.
    pub(in crate::app) fn open_in_transfers(&mut self) {}

    /// A hash to track was typed.
    pub(in crate::app) fn enter_track_hash(&mut self, _text: &str) -> Result<(), String> {
        Ok(())
    }

    /// A name for a transfer was typed.
    pub(in crate::app) fn enter_label(&mut self, _id: &TransferId, _text: &str) -> Result<(), String> {
        Ok(())
    }

    /// Asks for a hash to track.
    pub(in crate::app) fn track(&mut self) {}

    /// Registers the transfer on screen with the router again.
    pub(in crate::app) fn track_again(&mut self) {}

    /// Does what the transfer page suggests as the next step.
    pub(in crate::app) fn take_next_step(&mut self) {}

    /// Asks for a name for the selected transfer.
    pub(in crate::app) fn edit_label(&mut self) {}

    /// Keeps the selected transfer no longer, after asking.
    pub(in crate::app) fn forget_transfer(&mut self) {}

    /// The next order of the board.
    pub(in crate::app) fn turn_board_order(&mut self) {}
}
