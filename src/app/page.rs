//! What a screen is to the session: an object that holds its state, asks for what it lacks, does what its keys mean and
//! draws itself. Pages never see each other: they read the [`Context`] and [`Wish`] for the rest.

mod destination;
mod drawing;
mod wish;

pub(crate) use destination::{Destination, KnownTx, TxLine, TxName, TxPosition, TxTab};
pub(crate) use drawing::Drawing;
pub(crate) use wish::{Cx, Siblings, Surroundings, Wish};

pub(crate) use super::transfers::ShownTransfers;

use std::{any::Any, fmt, sync::Arc, time::Duration};

use super::{
    context::Context,
    hint::Hint,
    known_denom::{DenomSearchDepth, KnownDenom},
    prompt::{CopyChoice, EntryPurpose, PickPurpose},
};
use crate::{
    columns::List,
    config::{Command, KeyScope},
    domain::{Address, Denom, Height, MsgType, Target, Timestamp, TransferId, TxHash, text::count_of},
    msg::{Answer, PageId, PageNeed},
    widgets::{
        canvas::Canvas,
        cursor::Cursor,
        document::Lines,
        layout::{Pane, Regions},
        list::RemoteList,
    },
    wire::{self, ApiError, router::SignedOpHook},
};

/// The six tabs, behind the keys 1 to 6.
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
    /// In the order of their keys.
    pub(crate) const ALL: [Self; Self::COUNT] =
        [Self::Overview, Self::Blocks, Self::Txs, Self::Nfts, Self::RichList, Self::Bridge];
}

/// Whether a page did what a command means, or leaves it to the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handled {
    Done,
    Pass,
}

pub(crate) type OpenPage = fn(Destination, &Context) -> Box<dyn Page>;

/// The list of pages; given to the session when it is made, as pages lie above it.
#[derive(Clone, Copy, Debug)]
pub struct Pages {
    pub(crate) open: OpenPage,
}

/// What was chosen in something that lay over the page.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    /// These message types are shown; none of them: all.
    Types(Vec<MsgType>),
    Denom(Denom),
    /// A chain or an asset, by its id or denom.
    Pick(PickPurpose, String),
}

/// How far the search for a text has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchStep {
    Typing,
    /// Enter was pressed.
    Submitted,
    /// Esc was pressed.
    Abandoned,
}

/// What became of a transaction that the page gave to the demo wallet.
pub(crate) type DepartureOutcome = Result<TransferId, String>;

/// A file to be written, and what is said beside its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Export {
    /// Without a folder.
    pub(crate) name: String,
    pub(crate) contents: String,
    pub(crate) note: Option<String>,
}

impl Export {
    pub(crate) fn new(name: impl Into<String>, contents: String) -> Self {
        Self { name: name.into(), contents, note: None }
    }

    /// Records as JSON lines.
    pub(crate) fn lines<T: serde::Serialize>(name: impl Into<String>, records: impl Iterator<Item = T>) -> Self {
        let lines = records.filter_map(|record| serde_json::to_string(&record).ok());
        Self::new(name, lines.fold(String::new(), |all, line| all + &line + "\n"))
    }

    /// The same, of a list that holds so many rows besides that cannot be read.
    pub(crate) fn lacking(mut self, rows: usize) -> Self {
        if rows > 0 {
            let rows = count_of(rows, "row", "rows");
            self.note = Some(format!("{rows} left out that cannot be read"));
        }
        self
    }

    /// One record as JSON.
    pub(crate) fn record(name: impl Into<String>, record: &impl serde::Serialize) -> Self {
        Self::new(name, serde_json::to_string_pretty(record).unwrap_or_default())
    }
}

/// What the web explorer may have a page of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WebSubject {
    Account(Address),
    /// A page whose address is known.
    Url(String),
}

/// How much arrived above a list that stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unseen {
    pub(crate) rows: usize,
    /// Whether there are more than were counted.
    pub(crate) is_least: bool,
    /// Whether there are too many to scroll through.
    pub(crate) is_far: bool,
}

/// How much of what is on screen is still put into words in this update.
#[derive(Debug)]
pub(crate) struct WordWork {
    pub(crate) rows: usize,
    pub(crate) bytes: usize,
    /// Whether rows are left for the next update.
    pub(crate) is_left: bool,
    /// Whether any row says something else now.
    pub(crate) has_changed: bool,
}

/// A screen.
pub(crate) trait Page: Any + fmt::Debug {
    /// What history and titles call it.
    fn title(&self) -> String;

    /// The tab whose name is marked while it is shown.
    fn tab(&self) -> Tab;

    /// Which keys are in force on it.
    fn scope(&self) -> KeyScope;

    /// Gives lists and documents their room.
    fn fit(&mut self, regions: &Regions, cx: &Context);

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>);

    /// What can be done here now and what not, most useful first: footer, help and palette show it.
    fn commands(&self, cx: &Context, surroundings: &Surroundings) -> Vec<Hint>;

    /// Another chain answers: drops all that is known of the one before. A destination that it gives takes its place.
    fn restart(&mut self) -> Option<Destination>;

    /// Makes what it shows, and asks for what it lacks. Runs after every update while it is on screen.
    fn update(&mut self, _cx: &mut Cx<'_>) {}

    /// An answer came to what it asked for. It may be covered.
    fn take(&mut self, need: PageNeed, _result: Result<Answer, ApiError>, _cx: &mut Cx<'_>) {
        tracing::warn!(?need, "a page was given what it never asks for");
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        Vec::new()
    }

    /// The lists that are on screen: what lies under another tab of a page is not asked for.
    fn visible_lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        self.lists()
    }

    /// Rows came into one of its lists; a refresh brought the newest ones anew.
    fn list_changed(&mut self, _is_refresh: bool, _cx: &Context) {}

    /// The server answers again: what it kept back is to be asked once more.
    fn retry(&mut self) {}

    /// The index grew to this height.
    fn grow(&mut self, _reached: Option<Height>) {}

    /// `r`: what is shown is to be asked for again; lists are asked by the session.
    fn refresh(&mut self, _cx: &mut Cx<'_>) {}

    /// Whether something on screen is awaited for the first time.
    fn is_loading(&self) -> bool {
        false
    }

    /// Until it says something else by itself.
    fn wake_in(&self, _cx: &Context, _now: Timestamp) -> Option<Duration> {
        None
    }

    /// Whether it shows blocks as they come, so that the newest one need not be asked for.
    fn brings_blocks(&self) -> bool {
        false
    }

    /// Whether it shows what the demo wallet has.
    fn shows_wallet(&self) -> bool {
        false
    }

    fn shown_transfers(&self) -> ShownTransfers {
        ShownTransfers::None
    }

    /// The list whose columns can be chosen here.
    fn column_list(&self) -> Option<List> {
        None
    }

    /// What has the cursor.
    fn cursor(&self) -> Option<&dyn Cursor>;

    /// The same, to move it.
    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor>;

    /// The document that has the cursor.
    fn document(&self) -> Option<&dyn Lines> {
        None
    }

    /// The same, to move in it.
    fn document_mut(&mut self) -> Option<&mut dyn Lines> {
        None
    }

    /// The mouse is in this pane.
    fn focus(&mut self, _pane: Pane) {}

    /// Does what a command means here.
    fn act(&mut self, _command: Command, _cx: &mut Cx<'_>) -> Handled {
        Handled::Pass
    }

    /// A tab of the page was clicked.
    fn click_tab(&mut self, _place: usize, _cx: &Context) {}

    /// Whether a filter, a search, a pane lies over what it shows at first: Esc takes them back one by one.
    fn is_narrowed(&self) -> bool {
        self.document().is_some_and(|document| !document.filter().is_empty())
    }

    /// Shows only what contains a text.
    fn find(&mut self, needle: &str) {
        if let Some(document) = self.document_mut() {
            document.set_filter(needle);
        }
    }

    /// A name or an id is searched.
    fn search(&mut self, _text: &str, _step: SearchStep) {}

    fn chosen(&mut self, _choice: Choice, _cx: &mut Cx<'_>) {}

    /// A line was typed that the page asked for; an error is shown below it, and it stays.
    fn enter(&mut self, _purpose: &EntryPurpose, _text: &str, _cx: &mut Cx<'_>) -> Result<(), String> {
        Ok(())
    }

    /// Shows something else of its kind in its own place.
    fn turn_to(&mut self, _destination: Destination, _cx: &mut Cx<'_>) {}

    /// What became of what a wallet was given by this page.
    fn departed(&mut self, _outcome: &DepartureOutcome) {}

    /// The wallet in the browser signed the hook that this page asked for.
    fn hook_signed(&mut self, _signed: SignedOpHook, _cx: &mut Cx<'_>) {}

    /// What pages like it are of, in a word.
    fn kind(&self) -> &'static str {
        "page"
    }

    /// The page it was opened from, and what it is of in that page's list.
    fn origin(&self) -> Option<(PageId, Target)> {
        None
    }

    /// What lies `step` rows from this in the list that such pages are opened from; an error says why one cannot go there.
    fn neighbour(&self, _of: &Target, _step: isize, _id: PageId) -> Option<Result<Destination, &'static str>> {
        None
    }

    /// Whether it has a list that holds such things.
    fn has_list_of(&self, _of: &Target) -> bool {
        false
    }

    /// Puts the cursor of the list on this.
    fn select(&mut self, _target: &Target) {}

    /// The place of a transaction among its block's from 0, and their number, where the page tells it.
    fn place_in_block(&self, _hash: &TxHash) -> Option<(usize, usize)> {
        None
    }

    /// The transaction under the cursor or on the page.
    fn selected_tx(&self) -> Option<Arc<wire::Tx>> {
        None
    }

    fn selected_block(&self) -> Option<Arc<wire::Block>> {
        None
    }

    fn selected_transfer(&self) -> Option<TransferId> {
        None
    }

    /// The account that is open, or under the cursor.
    fn selected_account(&self) -> Option<Address> {
        match self.document()?.link()? {
            Target::Account(address) => Some(*address),
            _ => None,
        }
    }

    /// What of it can be copied, beside the line, the transaction or the block under the cursor.
    fn copies(&self, _cx: &Context) -> Vec<CopyChoice> {
        Vec::new()
    }

    /// Whether [`Page::copies`] or what is under the cursor gives anything.
    fn has_copies(&self, _cx: &Context) -> bool {
        true
    }

    /// What is loaded here, as files.
    fn export(&self, _cx: &Context) -> Vec<Export> {
        Vec::new()
    }

    /// Whether [`Page::export`] has anything to write.
    fn has_export(&self, _cx: &Context) -> bool {
        false
    }

    /// What is open or selected that a web explorer may have a page of; transactions and blocks are known anyway.
    fn web_subject(&self) -> Option<WebSubject> {
        None
    }

    /// The blocks that it holds.
    fn blocks(&self) -> Vec<&Arc<wire::Block>> {
        Vec::new()
    }

    /// The transactions that it holds.
    fn txs(&self) -> Vec<&Arc<wire::Tx>> {
        Vec::new()
    }

    /// What go-to suggests of it, with its name where it has one; hostile text.
    fn known(&self) -> Vec<(Target, Option<String>)> {
        Vec::new()
    }

    /// How closely denoms are to be looked for, now, for [`Page::know_denoms`].
    fn wanted_denoms(&self, _cx: &Context) -> Option<DenomSearchDepth> {
        None
    }

    /// Denoms that a person typed here.
    fn typed_denoms(&self) -> Vec<Denom> {
        Vec::new()
    }

    /// The denom that a person looks at here.
    fn shown_denom(&self) -> Option<Denom> {
        None
    }

    /// The denoms that were asked for.
    fn know_denoms(&mut self, _known: Vec<KnownDenom>, _cx: &mut Cx<'_>) {}

    /// Puts rows on screen into words that are not yet.
    fn put_into_words(&mut self, _cx: &Context, _work: &mut WordWork) {}

    /// The accounts that it may name beside the rows of its lists.
    fn accounts(&self) -> Vec<Address> {
        Vec::new()
    }

    /// How much arrived above the list that has the cursor.
    fn unseen(&self) -> Option<Unseen> {
        None
    }

    /// Whether the marked transaction is shown here, so that it need not be named beside.
    fn shows_marked(&self) -> bool {
        false
    }

    /// Gives back what can be fetched or made again while it is covered.
    fn shrink(&mut self) {}
}

impl dyn Page {
    /// This page as what it is.
    #[cfg(test)]
    pub(crate) fn as_page<P: Page>(&self) -> Option<&P> {
        (self as &dyn Any).downcast_ref()
    }
}
