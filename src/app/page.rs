//! Interface between pages and session. A page holds its state, requests data, handles commands and draws itself. Pages
//! never use each other: they read the [`Context`] and emit [`PageEffect`]s.

mod destination;
mod drawing;
mod effect;
mod event;
mod offer;
mod place;

pub(crate) use destination::{Destination, FoundTarget, KnownTx, TxLine, TxName, TxPosition, TxTab};
pub(crate) use drawing::Drawing;
pub(crate) use effect::{PageCx, PageEffect, WordWork};
pub(crate) use event::{BroadcastOutcome, Choice, PageEvent, SearchStep, WalletUpdate};
pub(crate) use offer::{
    Export, Focus, FocusMut, Held, ListFacts, Neighbour, Selection, TakeAway, WebSubject, WholeList,
};
pub(crate) use place::{Place, Shows, Tab, Unseen};

pub(crate) use super::transfers::ShownTransfers;

use std::{any::Any, fmt, ops::Range, time::Duration};

use super::{context::Context, hint::Hint};
use crate::{
    config::Command,
    domain::{Target, Timestamp},
    msg::PageId,
    widgets::{canvas::Canvas, cursor::Cursor, document::Lines, list::RemoteList},
};

/// Whether a page handled a command, or the session should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handled {
    Done,
    Pass,
}

pub(crate) type OpenPage = fn(Destination, &Context) -> Box<dyn Page>;

/// Constructor of pages. The program passes it in, since pages depend on the session.
#[derive(Clone, Copy, Debug)]
pub struct Pages {
    pub(crate) open: OpenPage,
}

/// A screen. The smallest page implements the seven methods without a default body. A page with one list adds `update`,
/// `take`, `lists`, `focus`, `focus_mut`, `act` and `selection`. The rest is for pages whose records other pages use.
pub(crate) trait Page: Any + fmt::Debug {
    // Identity.

    /// Returns the name for history and window title.
    fn title(&self) -> String;

    fn place(&self) -> Place;

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>);

    // Events.

    fn on(&mut self, event: PageEvent<'_>, cx: &mut PageCx<'_>);

    /// Builds missing content, requests missing data, lays out lists and documents, and summarises visible rows. Runs
    /// after every update of the session, while the page is on screen.
    fn update(&mut self, _cx: &mut PageCx<'_>) {}

    /// Returns the time until the page changes by itself.
    fn wake_in(&self, _cx: &Context, _now: Timestamp) -> Option<Duration> {
        None
    }

    // Commands.

    /// Returns the commands for footer, help and palette, most useful first.
    fn commands(&self, cx: &Context) -> Vec<Command>;

    /// Adapts label and refusal of a command. Document, selection and siblings have already decided `hint`.
    fn hint(&self, hint: Hint, _cx: &Context) -> Hint {
        hint
    }

    fn act(&mut self, _command: Command, _cx: &mut PageCx<'_>) -> Handled {
        Handled::Pass
    }

    fn focus(&self) -> Option<Focus<'_>>;

    fn focus_mut(&mut self) -> Option<FocusMut<'_>>;

    // Contents.

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        Vec::new()
    }

    fn selection(&self) -> Selection {
        Selection::default()
    }

    fn take_away<'a>(&'a self, _cx: &'a Context) -> TakeAway<'a> {
        TakeAway::new()
    }

    fn held(&self) -> Held<'_> {
        Held::default()
    }

    /// Returns the record `step` rows away from `of`, in a list of this page. `id` is this page.
    fn neighbour(&self, of: &Target, step: isize, id: PageId) -> Neighbour {
        Neighbour::among_txs(&self.held().txs, of, step, id)
    }
}

impl dyn Page {
    pub(crate) fn cursor(&self) -> Option<&dyn Cursor> {
        self.focus().map(Focus::cursor)
    }

    /// Returns the lists that are visible. Lists of other tabs send no requests.
    pub(crate) fn visible_lists(&mut self) -> impl Iterator<Item = Box<dyn RemoteList + '_>> {
        let Range { start, end } = self.place().visible_lists;
        self.lists().into_iter().take(end).skip(start)
    }

    pub(crate) fn document(&self) -> Option<&dyn Lines> {
        self.focus().and_then(Focus::lines)
    }

    pub(crate) fn document_mut(&mut self) -> Option<&mut dyn Lines> {
        self.focus_mut().and_then(FocusMut::lines)
    }

    pub(crate) fn is_filtered(&self) -> bool {
        self.document().is_some_and(|document| !document.filter().is_empty())
    }

    #[cfg(test)]
    pub(crate) fn as_page<P: Page>(&self) -> Option<&P> {
        (self as &dyn Any).downcast_ref()
    }
}
