//! The state machine: no tokio, no terminal, no clock but the `now` it is given.
//!
//! [`App::update`] is the only place where state changes; it returns what is to be done. Remote data goes through
//! `remote::Remote`, lists are windows over pages (`list::ListWindow`), pages are documents (`document::Document`), and every request carries a ticket, so that a late answer changes nothing.

mod account_labels;
mod actions;
pub(crate) mod chain;
pub(crate) mod commands;
mod context;
mod contract_units;
mod contracts;
mod copying;
pub(crate) mod denoms;
pub(crate) mod directory;
mod effect;
mod event;
mod facts;
mod fitting;
pub(crate) mod format;
mod glossary;
pub(crate) mod go_to;
pub(crate) mod hint;
mod kept_view;
mod keys;
pub(crate) mod known_denom;
pub(crate) mod latency;
mod lists;
pub(crate) mod modal;
mod modal_keys;
mod mouse;
pub(crate) mod navigation;
mod needs;
pub(crate) mod page;
pub(crate) mod prompt;
mod replies;
mod requests;
mod toast;
mod transfer_effects;
pub(crate) mod transfers;
mod wishes;

pub use context::Context;
pub use contracts::known_contracts;
pub use effect::{Effects, HostEffect};
pub use event::Event;
pub use glossary::{add_router_names, glossary_of};
pub use page::Pages;

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    ops::{Deref, DerefMut},
    sync::Arc,
};

use self::contract_units::ContractQuestions;
use self::page::{Drawing, OpenPage};
use self::{
    chain::Chain, format::TimeForm, kept_view::LastView, modal::Modal, navigation::Navigation, requests::Requests,
    toast::Toasts, transfers::Transfers,
};
use crate::widgets::layout::Regions;
use crate::{
    app::directory::Directory,
    columns::Columns,
    config::{Announcements, Key, Keymap, Network},
    domain::{AddressStyle, LocalZone, Timestamp},
    msg::{Request, Slot},
    story::AbiRegistry,
    wire::Exchange,
};

/// Exchanges kept for the inspector.
const EXCHANGES: usize = 500;

/// What the explorer starts with.
#[derive(Debug)]
pub struct AppOptions {
    /// What it is pointed at.
    pub network: Network,
    /// The functions, events and errors of contracts: the embedded ones with the user's own.
    pub abi: AbiRegistry,
    /// The user's keys.
    pub keymap: Keymap,
    /// Things to tell the user at once: bad lines of files and so on.
    pub warnings: Vec<String>,
    /// Where the log goes, for the help screen.
    pub log_file: Option<String>,
    /// How the end of a transfer is told.
    pub announcements: Announcements,
    /// The columns of lists, where somebody chose them.
    pub columns: Columns,
    /// The time zone of who looks.
    pub zone: LocalZone,
    /// The screens: [`crate::pages::PAGES`].
    pub pages: Pages,
    /// Path and query of what a request asks the indexer, which only the client knows; `None` for other requests.
    pub path_of: fn(&Request) -> Option<String>,
}

/// The whole state of the explorer.
#[derive(Debug)]
pub struct App {
    pub(crate) context: Context,
    pub(crate) navigation: Navigation,
    open_with: OpenPage,
    pub(crate) modal: Option<Modal>,
    pub(crate) toasts: Toasts,
    pub(crate) exchanges: VecDeque<Arc<Exchange>>,
    pub(crate) pending_keys: Vec<Key>,
    recents: Vec<String>,
    /// Whether rows on screen wait to be put into words.
    has_rows_without_summary: bool,
    /// How many rows were looked through for denoms the last time, and whether more were still awaited then.
    searched_for_denoms: Option<(usize, bool)>,
    /// What to say beside the name of the file that is being written.
    export_note: Option<String>,
    /// What is known of the view that the session before ended with.
    pub(crate) last_view: LastView,
    requests: Requests,
    effects: Effects,
}

impl Deref for App {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.context
    }
}

impl DerefMut for App {
    fn deref_mut(&mut self) -> &mut Context {
        &mut self.context
    }
}

impl App {
    /// The first state, and what is to be done at once. `size` is columns and rows.
    pub fn new(options: AppOptions, size: (u16, u16), now: Timestamp) -> (Self, Effects) {
        let context = Context {
            directory: Directory::new(&options.network),
            learned_names: None,
            node_names: crate::msg::Remote::Idle,
            node_names_due: Timestamp::EPOCH,
            contract_questions: ContractQuestions::default(),
            opened_names: HashMap::new(),
            transfers: Transfers::new(options.announcements),
            glossary: Arc::new(glossary_of(&options.network, options.abi)),
            network: options.network,
            keymap: options.keymap,
            log_file: options.log_file,
            size,
            now,
            chain: Chain::new(now),
            marked: None,
            frozen: false,
            address_style: AddressStyle::default(),
            time_form: TimeForm::default(),
            columns: options.columns,
            zone: options.zone,
            path_of: options.path_of,
            seen_types: BTreeSet::new(),
            awaits_first_rows: false,
        };
        let mut app = Self {
            navigation: Navigation::new(|destination| (options.pages.open)(destination, &context)),
            open_with: options.pages.open,
            context,
            modal: None,
            toasts: Toasts::new(options.warnings, now),
            exchanges: VecDeque::new(),
            pending_keys: Vec::new(),
            recents: Vec::new(),
            has_rows_without_summary: false,
            searched_for_denoms: None,
            export_note: None,
            last_view: LastView::default(),
            requests: Requests::default(),
            effects: Effects { redraw: true, ..Effects::default() },
        };
        app.requests.fetch(Slot::Recents, Request::Recents);
        app.requests.fetch(Slot::Labels, Request::Labels);
        app.requests.fetch(Slot::View, Request::View);
        app.requests.fetch(Slot::Transfers, Request::Transfers);
        let effects = app.settle();
        (app, effects)
    }

    /// The only place where state changes. Does no IO; returns what is to be done.
    pub fn update(&mut self, event: Event, now: Timestamp) -> Effects {
        self.now = now;
        self.toasts.pass(now);
        match event {
            Event::Key(key) => {
                self.last_view.is_overtaken = true;
                self.take_title_back();
                self.press(key);
            }
            Event::Paste(text) => {
                self.last_view.is_overtaken = true;
                self.paste(&text);
            }
            Event::Click(hit) => {
                self.last_view.is_overtaken = true;
                self.click(hit);
            }
            Event::Scroll(rows, hit) => self.scroll(rows, hit),
            Event::Resize(width, height) => {
                self.size = (width, height);
                self.effects.redraw = true;
            }
            Event::Focus(_) => {}
            Event::Tick => self.tick(),
            Event::Report(report) => self.take_report(report),
            Event::Done(Ok(text)) => match self.export_note.take() {
                Some(note) => self.toasts.done(format!("{note} · {text}")),
                None => self.toasts.done(text),
            },
            Event::Done(Err(text)) => self.toasts.complain(text),
        }
        self.settle()
    }

    /// What follows from whatever happened.
    fn settle(&mut self) -> Effects {
        self.meet_needs();
        if let Some(kept) = self.last_view.keep(&self.navigation) {
            self.requests.instruct(kept);
        }
        self.effects.redraw |= self.toasts.settle();
        self.effects.instructions = self.requests.take_instructions();
        std::mem::take(&mut self.effects)
    }

    fn tick(&mut self) {
        self.toasts.expire();
        self.effects.redraw |= self.context.shows_ages() || self.is_loading_visibly();
    }

    /// What the page on screen is drawn with.
    pub(crate) fn drawing<'a>(&'a self, regions: &'a Regions) -> Drawing<'a> {
        Drawing { context: &self.context, regions, layers: self.layers(), next_try: self.requests.next_try(self.now) }
    }
}
