//! State machine of the explorer. It uses no tokio, no terminal, and no clock except the `now` argument.
//!
//! Only [`App::update`] changes the state; it returns [`Effect`]s for the shell. Pages implement `Page`. Pages and
//! transfers emit `PageEffect`s, which `page_effects.rs` applies. Every request has a ticket, so that a late reply
//! changes nothing.

mod actions;
mod authority;
pub(crate) mod chain;
pub(crate) mod commands;
mod context;
mod copying;
pub(crate) mod denom_questions;
mod denoms;
pub(crate) mod directory;
mod effect;
mod event;
mod exporting;
mod facts;
mod faults;
mod fitting;
pub(crate) mod format;
mod glossary;
pub(crate) mod go_to;
pub(crate) mod hint;
mod kept_entries;
mod kept_name;
mod kept_view;
mod keys;
pub(crate) mod known_denom;
pub(crate) mod latency;
mod list_columns;
mod lists;
mod looked_up;
mod lookups;
pub(crate) mod modal;
mod modal_keys;
mod mouse;
mod names;
pub(crate) mod navigation;
mod needs;
mod node_curl;
mod offered;
mod opening;
pub(crate) mod page;
mod page_effects;
pub(crate) mod personal;
pub(crate) mod prompt;
mod replies;
mod requests;
mod returning;
pub(crate) mod server_state;
mod toast;
mod transfer_needs;
pub(crate) mod transfers;
mod views;

pub use authority::{Authority, OwnNetwork, fee_units, is_own_simulation};
pub use context::Context;
pub use effect::{Effect, NetworkSwitch};
pub use event::Event;
pub use glossary::{add_router_names, glossary_of};
pub use kept_name::KeptName;
pub use page::Pages;

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    path::PathBuf,
    sync::Arc,
};

use self::denom_questions::DenomQuestions;
use self::page::{Drawing, OpenPage};
use self::{
    chain::Chain,
    format::TimeForm,
    kept_view::LastView,
    modal::Modal,
    navigation::Navigation,
    requests::{Requests, SlotRequest, TakeReply},
    server_state::ServerStates,
    toast::Toasts,
    transfers::Transfers,
};
use crate::widgets::layout::Regions;
use crate::{
    app::directory::Directory,
    columns::Columns,
    config::{Announcements, Key, Keymap, Network, Networks},
    domain::{AddressStyle, LocalZone, Timestamp, text},
    msg::Request,
    story::AbiRegistry,
};

/// Maximum exchanges that the inspector keeps.
const EXCHANGES: usize = 500;

#[derive(Debug)]
pub struct AppOptions {
    pub network: Network,
    /// All named networks, with the user's settings.
    pub networks: Networks,
    /// Networks that the user left before, the last first.
    pub kept: Vec<KeptName>,
    /// ABIs of contracts: functions, events and errors; embedded and from the user.
    pub abi: AbiRegistry,
    pub keymap: Keymap,
    /// Warnings for the first frame, for example about invalid lines in files.
    pub warnings: Vec<String>,
    /// Path of the log file, for the help screen.
    pub log_file: Option<String>,
    /// Folder to which the explorer writes files.
    pub folder: PathBuf,
    /// How to announce a finished transfer.
    pub announcements: Announcements,
    /// Columns of lists, as configured.
    pub columns: Columns,
    pub zone: LocalZone,
    /// Constructor of pages; [`crate::pages::PAGES`] in the program.
    pub pages: Pages,
    /// Returns the path and query of a request to the indexer; `None` for a request to another server, and for all
    /// requests to an index of this process.
    pub path_of: fn(&Request) -> Option<String>,
}

type SessionRequest = SlotRequest<TakeReply<App>>;

/// State of the explorer.
#[derive(Debug)]
pub struct App {
    pub(crate) context: Context,
    pub(crate) navigation: Navigation,
    open_with: OpenPage,
    pub(crate) modal: Option<Modal>,
    pub(crate) toasts: Toasts,
    pub(crate) pending_keys: Vec<Key>,
    recents: Vec<String>,
    /// Whether a visible row still needs its summary.
    has_rows_without_summary: bool,
    /// Number of rows that the last denom search covered, and whether rows were still pending then.
    searched_for_denoms: Option<(usize, bool)>,
    /// Note to show beside the name of the exported file.
    export_note: Option<String>,
    /// View with which the previous session ended.
    pub(crate) last_view: LastView,
    requests: Requests<Self>,
    /// Effects for the shell. Instructions for the worker are in the requests.
    effects: Vec<Effect>,
    needs_redraw: bool,
}

impl App {
    /// Creates the state and its first effects. `size` is columns and rows.
    pub fn new(options: AppOptions, size: (u16, u16), now: Timestamp) -> (Self, Vec<Effect>) {
        let context = Context {
            directory: Directory::new(&options.network, options.networks),
            learned_names: None,
            node_names: crate::msg::Remote::Idle,
            node_names_due: Timestamp::EPOCH,
            denom_questions: DenomQuestions::default(),
            reverted: lookups::Lookups::default(),
            nameless: lookups::Lookups::default(),
            personal: kept_entries::KeptEntries::default(),
            opened_names: HashMap::new(),
            transfers: Transfers::new(options.announcements),
            glossary: Arc::new(glossary_of(&options.network, options.abi)),
            network: options.network,
            kept_networks: options.kept,
            keymap: options.keymap,
            log_file: options.log_file,
            folder: text::clean(&options.folder.display().to_string()).into_owned(),
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
            servers: ServerStates::default(),
            answering_node: None,
            exchanges: VecDeque::new(),
        };
        let mut app = Self {
            navigation: Navigation::new(|destination| (options.pages.open)(destination, &context)),
            open_with: options.pages.open,
            context,
            modal: None,
            toasts: Toasts::new(options.warnings, now),
            pending_keys: Vec::new(),
            recents: Vec::new(),
            has_rows_without_summary: false,
            searched_for_denoms: None,
            export_note: None,
            last_view: LastView::default(),
            requests: Requests::default(),
            effects: Vec::new(),
            needs_redraw: true,
        };
        app.fetch_kept();
        app.fetch_last_session();
        let effects = app.settle();
        (app, effects)
    }

    /// Applies an event and returns its effects. No other function changes the state; this one performs no I/O.
    pub fn update(&mut self, event: Event, now: Timestamp) -> Vec<Effect> {
        self.context.now = now;
        self.toasts.pass(now);
        match event {
            Event::Key(key) => {
                self.last_view.is_overtaken = true;
                self.with_transfers(Transfers::take_title_back);
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
                self.context.size = (width, height);
                self.needs_redraw = true;
            }
            Event::Focus(_) => {}
            Event::Tick => {
                self.toasts.expire();
                self.needs_redraw |= self.context.shows_ages() || self.is_loading_visibly();
            }
            Event::ClockShifted(shift) => {
                self.context.chain.clock_shift = shift;
                self.needs_redraw = true;
                self.toasts.tell_clock(shift);
            }
            Event::Return { size, kept, warnings } => {
                self.context.size = size;
                returning::come_back(self, kept, warnings);
            }
            Event::Report(report) => self.take_report(report),
            Event::Done(Ok(text)) => match self.export_note.take() {
                Some(note) => self.toasts.done(format!("{note} · {text}")),
                None => self.toasts.done(text),
            },
            Event::Done(Err(text)) => self.toasts.complain(text),
        }
        self.settle()
    }

    /// Runs after every event, for example to request missing data.
    fn settle(&mut self) -> Vec<Effect> {
        self.meet_needs();
        if let Some(kept) = self.last_view.keep(&self.navigation) {
            self.requests.instruct(kept);
        }
        self.needs_redraw |= self.toasts.settle();
        let mut effects: Vec<Effect> = self.requests.take_instructions().into_iter().map(Effect::Worker).collect();
        effects.append(&mut self.effects);
        if std::mem::take(&mut self.needs_redraw) {
            effects.push(Effect::Redraw);
        }
        effects
    }

    /// Returns the context in which the current page draws.
    pub(crate) fn drawing<'a>(&'a self, regions: &'a Regions) -> Drawing<'a> {
        Drawing {
            context: &self.context,
            regions,
            layers: self.screen().layers(),
            next_try: self.requests.next_try(self.context.now),
        }
    }
}
