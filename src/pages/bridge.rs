//! The Bridge tab: quotes on its first side, all transfers on its second. What the router says of chains and assets is in
//! the directory, which the session keeps for all pages.

mod board;
mod commands;
pub(super) mod quote;

use std::time::Duration;

use self::{
    board::Board,
    quote::{QuoteLayout, QuoteSide},
};
use crate::{
    app::{
        Context,
        hint::Hint,
        page::{Choice, Cx, Destination, Drawing, Export, Handled, Page, ShownTransfers, Surroundings, Tab, Wish},
        prompt::{CopyChoice, EntryPurpose},
        transfers::TransferWish,
    },
    config::{Command, KeyScope},
    domain::{Timestamp, TransferId},
    msg::{Answer, PageNeed},
    widgets::{
        canvas::Canvas,
        cursor::Cursor,
        layout::{Pane, Regions},
    },
    wire::ApiError,
};

/// The sides of the Bridge tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display)]
pub(super) enum BridgeSide {
    /// A form and the routes for it.
    #[default]
    Quote,
    /// All transfers, live ones first.
    Transfers,
}

impl BridgeSide {
    fn other(self) -> Self {
        match self {
            Self::Quote => Self::Transfers,
            Self::Transfers => Self::Quote,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct BridgePage {
    pub(super) side: BridgeSide,
    pub(super) quote: QuoteSide,
    board: Board,
}

impl BridgePage {
    /// The transfers in the order of the board.
    #[cfg(test)]
    pub(super) fn listed(&self) -> impl Iterator<Item = &TransferId> {
        self.board.list.rows().iter().map(|row| &row.id)
    }

    /// Whether the side is on screen, and there is somebody to ask.
    fn is_quoting(&self, cx: &Context) -> bool {
        self.side == BridgeSide::Quote && cx.has_router()
    }

    fn act_in_quote(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        match command {
            Command::Open => self.quote.open(cx),
            Command::NextTab => self.quote.step_column(1),
            Command::PreviousTab => self.quote.step_column(-1),
            Command::PreviousSibling => self.quote.step_route(-1),
            Command::NextSibling => self.quote.step_route(1),
            Command::SwapEnds => self.quote.swap_ends(cx),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    /// From the form to the routes to the transfers and around; back the other way.
    fn turn_pane(&mut self, is_back: bool, has_router: bool) {
        let is_form = self.quote.focus == Pane::First;
        (self.side, self.quote.focus) = match (self.side, is_form, is_back) {
            _ if !has_router => (self.side.other(), Pane::First),
            (BridgeSide::Quote, true, false) | (BridgeSide::Transfers, _, true) => (BridgeSide::Quote, Pane::Second),
            (BridgeSide::Quote, false, true) | (BridgeSide::Transfers, _, false) => (BridgeSide::Quote, Pane::First),
            (BridgeSide::Quote, true, true) | (BridgeSide::Quote, false, false) => {
                (BridgeSide::Transfers, self.quote.focus)
            }
        };
    }

    fn act_in_board(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        match command {
            Command::Open => self.board.open(cx),
            Command::NextTab | Command::PreviousTab => self.side = self.side.other(),
            Command::Filter => self.board.ask_filter(cx),
            Command::TransferOrder => self.board.turn_order(cx),
            _ => return Handled::Pass,
        }
        Handled::Done
    }
}

impl Page for BridgePage {
    fn title(&self) -> String {
        format!("Bridge · {}", self.side)
    }

    fn tab(&self) -> Tab {
        Tab::Bridge
    }

    fn scope(&self) -> KeyScope {
        KeyScope::Bridge
    }

    fn fit(&mut self, regions: &Regions, cx: &Context) {
        self.quote.fit(regions, cx.transfers.all().len());
        self.board.fit(regions);
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        match self.side {
            BridgeSide::Quote => {
                quote::draw(canvas, cx, &self.quote);
                if cx.has_router() {
                    let layout = QuoteLayout::of(cx.regions, self.quote.measures().len(), cx.transfers.all().len());
                    let is_form = self.quote.focus == Pane::First;
                    let leads = if is_form { Command::PreviousPane } else { Command::NextPane };
                    board::draw_first(canvas, cx, &self.board, layout.transfers, leads);
                }
            }
            BridgeSide::Transfers => board::draw(canvas, cx, &self.board),
        }
    }

    fn commands(&self, cx: &Context, _surroundings: &Surroundings) -> Vec<Hint> {
        match self.side {
            BridgeSide::Quote => commands::of_quote(&self.quote, cx),
            BridgeSide::Transfers => commands::of_board(&self.board, cx),
        }
    }

    fn restart(&mut self) -> Option<Destination> {
        self.quote.restart();
        None
    }

    fn update(&mut self, cx: &mut Cx<'_>) {
        if self.is_quoting(cx) {
            self.quote.update(cx);
        }
        let is_board = self.side == BridgeSide::Transfers;
        let is_new = self.board.show(is_board);
        if is_new {
            cx.wish(Wish::Transfer(TransferWish::ReadAgain));
        }
        let has_changed = self.board.make_rows(cx);
        if is_board {
            if is_new && let Some(id) = cx.transfers.last_opened() {
                self.board.list.select(id);
            }
            if has_changed || is_new {
                cx.wish(Wish::Transfer(TransferWish::Listed(self.board.ids())));
            }
        }
        cx.redraw_if(has_changed);
    }

    fn take(&mut self, need: PageNeed, result: Result<Answer, ApiError>, cx: &mut Cx<'_>) {
        self.quote.take(need, result, cx);
    }

    fn refresh(&mut self, cx: &mut Cx<'_>) {
        if self.is_quoting(cx) {
            self.quote.refresh(cx);
        }
    }

    fn is_loading(&self) -> bool {
        self.side == BridgeSide::Quote && self.quote.is_loading()
    }

    fn wake_in(&self, cx: &Context, now: Timestamp) -> Option<Duration> {
        if self.is_quoting(cx) { self.quote.wake_in(cx, now) } else { None }
    }

    fn shows_wallet(&self) -> bool {
        self.side == BridgeSide::Quote
    }

    fn shown_transfers(&self) -> ShownTransfers {
        match self.side {
            BridgeSide::Quote => ShownTransfers::None,
            BridgeSide::Transfers => ShownTransfers::All,
        }
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        Some(match self.side {
            BridgeSide::Quote => &self.quote,
            BridgeSide::Transfers => &self.board.list,
        })
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        Some(match self.side {
            BridgeSide::Quote => &mut self.quote,
            BridgeSide::Transfers => &mut self.board.list,
        })
    }

    fn focus(&mut self, pane: Pane) {
        if self.side == BridgeSide::Quote {
            self.quote.focus = pane;
        }
    }

    fn act(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        match (command, self.side) {
            (Command::NextPane | Command::PreviousPane, _) => {
                self.turn_pane(command == Command::PreviousPane, cx.has_router());
                Handled::Done
            }
            (Command::NextTab | Command::PreviousTab, BridgeSide::Quote) if !cx.has_router() => {
                self.side = self.side.other();
                Handled::Done
            }
            (_, BridgeSide::Quote) => self.act_in_quote(command, cx),
            (_, BridgeSide::Transfers) => self.act_in_board(command, cx),
        }
    }

    fn find(&mut self, needle: &str) {
        self.board.set_filter(needle);
    }

    fn chosen(&mut self, choice: Choice, cx: &mut Cx<'_>) {
        if let Choice::Pick(purpose, value) = choice {
            self.quote.take_choice(purpose, &value, cx);
        }
    }

    fn enter(&mut self, purpose: &EntryPurpose, text: &str, cx: &mut Cx<'_>) -> Result<(), String> {
        match purpose {
            EntryPurpose::Amount => self.quote.enter_amount(text, cx),
            _ => Ok(()),
        }
    }

    fn turn_to(&mut self, destination: Destination, cx: &mut Cx<'_>) {
        match destination {
            Destination::QuoteFrom(release, to) => {
                self.side = BridgeSide::Quote;
                self.quote.begin_from(release, to, cx);
            }
            Destination::Transfers => self.side = BridgeSide::Transfers,
            _ => {}
        }
    }

    fn selected_transfer(&self) -> Option<TransferId> {
        match self.side {
            BridgeSide::Quote => None,
            BridgeSide::Transfers => self.board.selected(),
        }
    }

    fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        match self.side {
            BridgeSide::Quote if cx.has_router() => self.quote.copies(cx),
            BridgeSide::Quote => Vec::new(),
            BridgeSide::Transfers => self.board.copies(cx),
        }
    }

    fn has_copies(&self, cx: &Context) -> bool {
        match self.side {
            BridgeSide::Quote => cx.has_router() && self.quote.has_copies(),
            BridgeSide::Transfers => self.board.selected().is_some(),
        }
    }

    fn export(&self, cx: &Context) -> Vec<Export> {
        match self.side {
            BridgeSide::Quote if cx.has_router() => self.quote.export().into_iter().collect(),
            BridgeSide::Quote => Vec::new(),
            BridgeSide::Transfers => board::export(cx).into_iter().collect(),
        }
    }

    fn has_export(&self, cx: &Context) -> bool {
        match self.side {
            BridgeSide::Quote => self.quote.offer().route().is_some(),
            BridgeSide::Transfers => !cx.transfers.all().is_empty(),
        }
    }

    fn shrink(&mut self) {
        self.board.show(false);
    }
}
