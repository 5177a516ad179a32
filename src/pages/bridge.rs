//! Bridge tab: quotes on the first side, all transfers on the second. The session keeps chains and assets in the
//! directory, because other pages need them too.

mod board;
mod commands;
pub(super) mod quote;
#[cfg(test)]
mod tests;

use std::time::Duration;

use self::{
    board::Board,
    quote::{QuoteLayout, QuoteSide},
};
use crate::{
    app::{
        Context,
        hint::Hint,
        page::{
            Choice, Destination, Drawing, Focus, FocusMut, Handled, Page, PageCx, PageEffect, PageEvent, Place,
            Selection, ShownTransfers, Shows, Tab, TakeAway,
        },
        prompt::EntryPurpose,
    },
    config::{Command, KeyScope},
    domain::Timestamp,
    widgets::{canvas::Canvas, layout::Pane},
};

const QUOTE_SHOWS: &[Shows] = &[Shows::RouterNames, Shows::Wallet, Shows::Claims];
const BOARD_SHOWS: &[Shows] = &[Shows::RouterNames, Shows::Claims];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display)]
pub(super) enum BridgeSide {
    /// Quote form with its routes.
    #[default]
    Quote,
    /// Transfers, live ones first.
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
    /// Returns the transfers in the order of the board.
    #[cfg(test)]
    pub(super) fn listed(&self) -> impl Iterator<Item = &crate::domain::TransferId> {
        self.board.list.rows().iter().filter_map(|row| row.transfer())
    }

    /// Whether the quote side is shown and the network has a router.
    fn is_quoting(&self, cx: &Context) -> bool {
        self.side == BridgeSide::Quote && cx.has_router()
    }

    fn act_in_quote(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        match command {
            Command::Open => self.quote.open(cx),
            Command::NextTab => self.quote.step_column(1),
            Command::PreviousTab => self.quote.step_column(-1),
            Command::PreviousSibling => self.quote.step_route(-1),
            Command::NextSibling => self.quote.step_route(1),
            Command::SwapEnds => self.quote.swap_ends(cx.context),
            Command::ConnectWallet => cx.emit(PageEffect::ConnectWallet(cx.id, self.quote.form.chains())),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    /// Moves the focus from form to routes to transfers, wrapping around; `is_back` reverses the direction.
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

    fn act_in_board(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        match command {
            Command::Open => self.board.open(cx),
            Command::NextTab | Command::PreviousTab => self.side = self.side.other(),
            Command::SignInBrowser if let Some(account) = self.board.recipient() => {
                cx.emit(PageEffect::ClaimOpen(account));
            }
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

    fn place(&self) -> Place {
        let is_quote = self.side == BridgeSide::Quote;
        Place {
            shows: if is_quote { QUOTE_SHOWS } else { BOARD_SHOWS },
            transfers: if is_quote { ShownTransfers::None } else { ShownTransfers::All },
            is_loading: is_quote && self.quote.is_loading(),
            ..Place::new(Tab::Bridge, KeyScope::Bridge)
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        match self.side {
            BridgeSide::Quote => {
                quote::draw(canvas, cx, &self.quote);
                if cx.context.has_router() {
                    let layout =
                        QuoteLayout::of(cx.regions, self.quote.measures().len(), cx.context.transfers.all().len());
                    let is_form = self.quote.focus == Pane::First;
                    let leads = if is_form { Command::PreviousPane } else { Command::NextPane };
                    board::draw_first(canvas, cx, &self.board, layout.transfers, leads);
                }
            }
            BridgeSide::Transfers => board::draw(canvas, cx, &self.board),
        }
    }

    fn commands(&self, _cx: &Context) -> Vec<Command> {
        if self.side == BridgeSide::Quote { commands::OF_QUOTE.concat() } else { commands::OF_BOARD.concat() }
    }

    fn hint(&self, hint: Hint, cx: &Context) -> Hint {
        match self.side {
            BridgeSide::Quote => commands::in_quote(&self.quote, hint, cx),
            BridgeSide::Transfers => commands::in_board(&self.board, hint, cx),
        }
    }

    fn on(&mut self, event: PageEvent<'_>, cx: &mut PageCx<'_>) {
        match event {
            PageEvent::ChainChanged => self.quote.restart(),
            PageEvent::Refresh if self.is_quoting(cx.context) => self.quote.refresh(cx),
            PageEvent::Focus(pane) if self.side == BridgeSide::Quote => self.quote.focus = pane,
            PageEvent::Find(needle) => self.board.set_filter(needle),
            PageEvent::Chosen(Choice::Pick(purpose, value)) => self.quote.take_choice(purpose, &value, cx),
            PageEvent::Entered(EntryPurpose::Amount, text) => {
                cx.refuse_entry(self.quote.enter_amount(text, cx.context));
            }
            PageEvent::TurnTo(Destination::QuoteFrom(release, to)) => {
                self.side = BridgeSide::Quote;
                self.quote.begin_from(release, to, cx.context);
            }
            PageEvent::TurnTo(Destination::Tab(_)) => self.side = BridgeSide::Quote,
            PageEvent::TurnTo(Destination::Transfers) => self.side = BridgeSide::Transfers,
            PageEvent::Shrink => {
                self.board.show(false);
            }
            _ => {}
        }
    }

    fn update(&mut self, cx: &mut PageCx<'_>) {
        if self.is_quoting(cx.context) {
            self.quote.update(cx);
        }
        let is_board = self.side == BridgeSide::Transfers;
        let is_new = self.board.show(is_board);
        if is_new {
            cx.emit(PageEffect::ReadTransfers);
        }
        let has_changed = self.board.make_rows(cx.context);
        if is_board {
            if is_new && let Some(id) = cx.context.transfers.last_opened() {
                self.board.select(id);
            }
            if has_changed || is_new {
                cx.emit(PageEffect::ListTransfers(self.board.ids()));
            }
        }
        cx.redraw_if(has_changed);
        self.quote.fit(&cx.regions, cx.context.transfers.all().len());
        self.board.list.fit(cx.regions.list_rows(cx.regions.body));
    }

    fn wake_in(&self, cx: &Context, now: Timestamp) -> Option<Duration> {
        if self.is_quoting(cx) { self.quote.wake_in(cx, now) } else { None }
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(match self.side {
            BridgeSide::Quote => Focus::Cursor(&self.quote),
            BridgeSide::Transfers => Focus::Cursor(&self.board.list),
        })
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(match self.side {
            BridgeSide::Quote => FocusMut::Cursor(&mut self.quote),
            BridgeSide::Transfers => FocusMut::Cursor(&mut self.board.list),
        })
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        match (command, self.side) {
            (Command::NextPane | Command::PreviousPane, _) => {
                self.turn_pane(command == Command::PreviousPane, cx.context.has_router());
                Handled::Done
            }
            (Command::NextTab | Command::PreviousTab, BridgeSide::Quote) if !cx.context.has_router() => {
                self.side = self.side.other();
                Handled::Done
            }
            (_, BridgeSide::Quote) => self.act_in_quote(command, cx),
            (_, BridgeSide::Transfers) => self.act_in_board(command, cx),
        }
    }

    fn selection(&self) -> Selection {
        let transfer = if self.side == BridgeSide::Quote { None } else { self.board.selected() };
        Selection { transfer, ..Selection::default() }
    }

    fn take_away<'a>(&'a self, cx: &'a Context) -> TakeAway<'a> {
        match self.side {
            BridgeSide::Quote => TakeAway::new()
                .copies_if(cx.has_router() && self.quote.has_copies(), move || self.quote.copies(cx))
                .exports_if(cx.has_router() && self.quote.offer().route().is_some(), move || {
                    self.quote.export().into_iter().collect()
                }),
            BridgeSide::Transfers => TakeAway::new()
                .copies_if(self.board.selected().is_some(), move || self.board.copies(cx))
                .exports_if(!cx.transfers.all().is_empty(), move || board::export(cx).into_iter().collect()),
        }
    }
}
