//! Interface between a page and the session. A page holds its state, requests data, handles commands and draws itself.
//! Pages never see each other: they read the [`Context`] and emit [`PageEffect`]s.

mod destination;
mod drawing;
mod effect;
mod event;
mod offer;
mod place;

pub(crate) use destination::{Destination, FoundTarget, KnownTx, TxLine, TxName, TxPosition, TxTab};
pub(crate) use drawing::Drawing;
pub(crate) use effect::{PageCx, PageEffect};
pub(crate) use event::{PageEvent, WalletUpdate};
pub(crate) use offer::{Focus, FocusMut, Held, Neighbour, Selection, TakeAway};
pub(crate) use place::{Place, Shows};

pub(crate) use super::transfers::ShownTransfers;

use std::{any::Any, fmt, ops::Range, time::Duration};

use super::{context::Context, hint::Hint, prompt::PickPurpose};
use crate::{
    config::Command,
    domain::{Address, Denom, MsgType, Target, Timestamp, TransferId, text::count_of},
    msg::PageId,
    widgets::{canvas::Canvas, cursor::Cursor, document::Lines, list::RemoteList},
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumIter, strum::Display)]
pub(crate) enum Tab {
    #[default]
    Overview,
    Blocks,
    Txs,
    #[strum(serialize = "NFTs")]
    Nfts,
    #[strum(serialize = "Rich list")]
    RichList,
    Bridge,
}

impl Tab {
    pub(crate) const COUNT: usize = 6;
    /// All tabs, in the order of their keys.
    pub(crate) const ALL: [Self; Self::COUNT] =
        [Self::Overview, Self::Blocks, Self::Txs, Self::Nfts, Self::RichList, Self::Bridge];
}

/// Whether the page ran a command or passes it to the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handled {
    Done,
    Pass,
}

pub(crate) type OpenPage = fn(Destination, &Context) -> Box<dyn Page>;

/// Constructor of pages, passed in because pages depend on the session.
#[derive(Clone, Copy, Debug)]
pub struct Pages {
    pub(crate) open: OpenPage,
}

/// Choice in a picker over the page.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    /// Message types of the filter; empty shows all.
    Types(Vec<MsgType>),
    Denom(Denom),
    /// Chain id or denom.
    Pick(PickPurpose, String),
}

/// Progress of a search prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchStep {
    Typing,
    Submitted,
    Abandoned,
}

/// Result of a transaction that the page handed to a wallet.
pub(crate) type BroadcastOutcome = Result<TransferId, String>;

/// File to write, with a note for the toast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Export {
    /// Name without a directory.
    pub(crate) name: String,
    pub(crate) contents: String,
    pub(crate) note: Option<String>,
}

impl Export {
    pub(crate) fn new(name: impl Into<String>, contents: String) -> Self {
        Self { name: name.into(), contents, note: None }
    }

    /// Returns records as JSON lines.
    pub(crate) fn lines<T: serde::Serialize>(name: impl Into<String>, records: impl Iterator<Item = T>) -> Self {
        let lines = records.filter_map(|record| serde_json::to_string(&record).ok());
        Self::new(name, lines.fold(String::new(), |all, line| all + &line + "\n"))
    }

    /// Notes the number of unreadable rows of the list.
    pub(crate) fn lacking(mut self, rows: usize) -> Self {
        if rows > 0 {
            let rows = count_of(rows, "row", "rows");
            self.note = Some(format!("skipped {rows}: unreadable"));
        }
        self
    }

    /// Returns one record as JSON.
    pub(crate) fn record(name: impl Into<String>, record: &impl serde::Serialize) -> Self {
        Self::new(name, serde_json::to_string_pretty(record).unwrap_or_default())
    }
}

/// Subject that a web explorer may show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WebSubject {
    Account(Address),
    Url(String),
}

/// Rows that arrived above a list that does not scroll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unseen {
    pub(crate) rows: usize,
    /// Whether `rows` is a lower bound.
    pub(crate) is_least: bool,
    /// Whether there are too many rows to scroll through.
    pub(crate) is_far: bool,
}

/// Budget for summarising rows in this update.
#[derive(Debug, Default)]
pub(crate) struct WordWork {
    pub(crate) rows: usize,
    pub(crate) bytes: usize,
    /// Whether rows remain for the next update.
    pub(crate) is_left: bool,
    /// Whether any summary changed.
    pub(crate) has_changed: bool,
}

/// A screen. The smallest page implements the seven methods without a default body. A page of one list adds `update`,
/// `take`, `lists`, `focus`, `focus_mut`, `act` and `selection`. The rest is for pages whose records other pages use.
pub(crate) trait Page: Any + fmt::Debug {
    // Identity.

    /// Returns the name for history and titles.
    fn title(&self) -> String;

    fn place(&self) -> Place;

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>);

    // Events.

    fn on(&mut self, event: PageEvent<'_>, cx: &mut PageCx<'_>);

    /// Builds missing content, requests missing data, lays out lists and documents, and summarises visible rows. Runs
    /// after every update of the session while the page is on screen.
    fn update(&mut self, _cx: &mut PageCx<'_>) {}

    /// Returns the time until the page changes by itself.
    fn wake_in(&self, _cx: &Context, _now: Timestamp) -> Option<Duration> {
        None
    }

    // Commands.

    /// Returns the commands for footer, help and palette, most useful first.
    fn commands(&self, cx: &Context) -> Vec<Command>;

    /// Adds its own label and refusal to the hint of a command, which document, selection and siblings have decided.
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

    /// Returns the record `step` rows away in the list that such pages open from; `id` is the page with the list.
    fn neighbour(&self, of: &Target, step: isize, id: PageId) -> Neighbour {
        Neighbour::among_txs(&self.held().txs, of, step, id)
    }
}

impl dyn Page {
    pub(crate) fn cursor(&self) -> Option<&dyn Cursor> {
        self.focus().map(Focus::cursor)
    }

    /// Returns the visible lists: those of other tabs send no requests.
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

    /// Returns the open account, or the account in the line under the cursor.
    pub(crate) fn account(&self) -> Option<Address> {
        let linked = || if let Target::Account(address) = self.document()?.link()? { Some(*address) } else { None };
        self.selection().account.or_else(linked)
    }

    #[cfg(test)]
    pub(crate) fn as_page<P: Page>(&self) -> Option<&P> {
        (self as &dyn Any).downcast_ref()
    }
}
