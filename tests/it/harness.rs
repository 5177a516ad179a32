//! The explorer as tests drive it: the real loop on a screen in memory, with typed keys, its own time, and a worker
//! that is real or scripted. Nothing here sleeps: every wait ends when the loop says that something happened.

pub(crate) mod gate;
mod host;
pub(crate) mod index;
mod input;
pub(crate) mod lies;
pub(crate) mod made;
pub(crate) mod player;
#[cfg(feature = "postgres")]
pub(crate) mod postgres;
pub(crate) mod qr;
pub(crate) mod recording;
pub(crate) mod replay;
mod requirement;
mod rollup;
pub(crate) mod settlement;
mod shared;
mod time;
mod worker;

use std::{num::NonZeroU8, path::PathBuf, sync::Arc, thread, time::Duration};

use futures_util::stream;
use ratatui::buffer::Buffer;
use rollscope::{
    app::{App, AppOptions, Effect, Event, KeptName},
    columns::Columns,
    config::{Announcements, EndCommand, Keymap, Network, NodeLocation, Styles, ThemeName},
    demo::{Rollup, RollupOptions},
    domain::{LocalZone, Timestamp},
    msg::{Answer, Instruction, Request},
    story::AbiRegistry,
    tui::{BackgroundQuery, Clock, Program, Screen, Session, SessionEnd, SessionError, Sources, Start, Tour},
    widgets::PlacedPicture,
    wire::ApiError,
    worker::OutcomeProgram,
};

use self::{
    host::RecordingHost,
    input::Input,
    shared::{Shared, State, TestScreen},
    time::TestClock,
};
pub(crate) use self::{
    requirement::{Requirement, more_records, recorded_folder},
    rollup::{BLOCK_TIME, StartedRollup, chain_of, chain_with, due as rollup_due, start as rollup_of},
    time::wait_until,
};

/// How often what is killed in a test is killed: as often as `.ci/long` says, once otherwise.
pub(crate) fn rounds() -> u64 {
    std::env::var("ROLLSCOPE_ROUNDS").map_or(1, |rounds| rounds.parse().expect("ROLLSCOPE_ROUNDS is a number"))
}

/// One GET, by a client of its own.
pub(crate) async fn get(url: String) -> Result<reqwest::Response, reqwest::Error> {
    rollscope::client::http_client().no_proxy().build()?.get(url).send().await
}

/// How an explorer under test is started.
pub(crate) struct Builder {
    size: (u16, u16),
    network: Network,
    styles: Styles,
    now: Timestamp,
    keymap: Keymap,
    abi: AbiRegistry,
    columns: Columns,
    worker: Start,
    state_file: Option<PathBuf>,
    timeout: Option<Duration>,
    on_end: Option<EndCommand>,
    zone: LocalZone,
    rollup: Option<StartedRollup>,
    is_node: bool,
    is_own_index: bool,
    tour: Option<NonZeroU8>,
    has_router: bool,
    patience: Duration,
    kept: Option<KeptName>,
    absence: Duration,
}

impl Builder {
    /// Columns and rows.
    pub(crate) fn size(self, columns: u16, rows: u16) -> Self {
        Self { size: (columns, rows), ..self }
    }

    /// Both APIs at one address, as the embedded rollup has them, asked by the real worker.
    pub(crate) fn server(self, url: &str) -> Self {
        let router = self.has_router.then(|| url.to_owned());
        let network = Network { indexer: url.to_owned(), router, ..self.network };
        let of_rollup = self.rollup.as_ref().filter(|_| self.is_node).map(|rollup| rollup.node_url());
        let node = of_rollup.map(|node| NodeLocation { node, ..NodeLocation::default() });
        let network = Network { node: node.or(network.node), ..network };
        let on_end = self.on_end.clone().map(|EndCommand { program, arguments, limit }| OutcomeProgram {
            program,
            arguments,
            limit,
        });
        let worker = worker::real(&network, self.state_file.clone(), self.timeout, on_end);
        Self { network, worker, ..self }
    }

    /// The file in which the real worker keeps what is remembered, instead of none. Named before the server.
    pub(crate) fn state_file(self, path: PathBuf) -> Self {
        Self { state_file: Some(path), ..self }
    }

    /// The time zone of who looks, instead of UTC.
    pub(crate) fn zone(self, zone: LocalZone) -> Self {
        Self { zone, ..self }
    }

    /// What the real worker gives the outcomes of transfers. Named before the server.
    pub(crate) fn on_end(self, command: EndCommand) -> Self {
        Self { on_end: Some(command), ..self }
    }

    /// The embedded rollup is asked as a node too. Named before the rollup.
    pub(crate) fn with_node(self) -> Self {
        Self { is_node: true, ..self }
    }

    /// The server is the index that this process keeps of a node. Named after the server.
    pub(crate) fn own_index(self, node: NodeLocation) -> Self {
        Self { is_own_index: true, network: Network { node: Some(node), ..self.network }, ..self }
    }

    /// Nobody is asked as a router. Named before the server.
    pub(crate) fn without_router(self) -> Self {
        Self { has_router: false, ..self }
    }

    /// How long the real worker waits for one answer. Named before the server.
    pub(crate) fn timeout(self, timeout: Duration) -> Self {
        Self { timeout: Some(timeout), ..self }
    }

    /// An embedded rollup on a port of its own, such as [`chain_of`] describes, all indexed. The time is when its last
    /// block was due, and goes on with [`Explorer::step`].
    pub(crate) fn rollup(self, options: RollupOptions) -> Self {
        let now = rollup::due(&options);
        self.joining(rollup::start(options), now)
    }

    /// An embedded rollup that runs already, and the time that it is there: what [`Explorer::leave`] gives.
    pub(crate) fn joining(self, rollup: StartedRollup, now: Timestamp) -> Self {
        Self { rollup: Some(rollup), ..self }.at(now).server_of_rollup()
    }

    fn server_of_rollup(self) -> Self {
        let url = self.rollup.as_ref().map(|rollup| rollup.url()).expect("it was just started");
        self.server(&url)
    }

    /// Other keys.
    pub(crate) fn keymap(self, keymap: Keymap) -> Self {
        Self { keymap, ..self }
    }

    /// What contracts' calls and logs are read by.
    pub(crate) fn abi(self, abi: AbiRegistry) -> Self {
        Self { abi, ..self }
    }

    /// Other columns than lists have by themselves.
    pub(crate) fn columns(self, columns: Columns) -> Self {
        Self { columns, ..self }
    }

    /// Another network.
    pub(crate) fn network(self, network: Network) -> Self {
        Self { network, ..self }
    }

    /// Other looks.
    pub(crate) fn styles(self, styles: &Styles) -> Self {
        Self { styles: *styles, ..self }
    }

    pub(crate) fn theme(self, theme: ThemeName) -> Self {
        self.styles(&Styles::new(theme))
    }

    /// The time at the start; it stands still but for [`Explorer::advance`].
    pub(crate) fn at(self, now: Timestamp) -> Self {
        Self { now, ..self }
    }

    /// How long every wait of the test may take, instead of a minute.
    pub(crate) fn patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// A guided tour that is played, at this speed.
    pub(crate) fn tour(self, speed: NonZeroU8) -> Self {
        Self { tour: Some(speed), ..self }
    }

    /// The worker that answers; without one nothing is ever answered.
    pub(crate) fn worker(self, worker: Start) -> Self {
        Self { worker, ..self }
    }

    /// A worker that answers every request at once with what the script says.
    pub(crate) fn scripted(self, script: impl FnMut(&Request) -> Result<Answer, ApiError> + Send + 'static) -> Self {
        self.worker(worker::scripted(script))
    }

    /// When another network is chosen, this one is shown again after this time, and that one is kept for a minute.
    pub(crate) fn returning_after(self, absence: Duration) -> Self {
        let until = self.now.after(absence + Duration::from_secs(60));
        let (label, name) = ("far-1".to_owned(), "https://far.example".to_owned());
        Self { kept: Some(KeptName { label, name, until, transfers: 2 }), absence, ..self }
    }

    /// Starts the explorer and waits for its first frame.
    pub(crate) fn start(self) -> Explorer {
        let options = AppOptions {
            network: self.network.clone(),
            networks: rollscope::config::Networks::default(),
            kept: Vec::new(),
            abi: self.abi.clone(),
            keymap: self.keymap.clone(),
            warnings: Vec::new(),
            log_file: None,
            folder: "/exports".into(),
            announcements: Announcements { on_end: self.on_end.clone(), ..Announcements::default() },
            columns: self.columns.clone(),
            zone: self.zone.clone(),
            pages: rollscope::pages::PAGES,
            path_of: if self.is_own_index { |_| None } else { rollscope::client::path_of },
        };
        let tour = self.tour;
        self.start_program(move |size, now| {
            let (app, effects) = App::new(options, size, now);
            (Tour::new(app, tour, now), effects)
        })
    }

    /// Starts the loop with another state machine.
    pub(crate) fn start_program<P: Program>(
        self,
        begin: impl FnOnce((u16, u16), Timestamp) -> (P, Vec<Effect>) + Send + 'static,
    ) -> Explorer {
        let shared = Arc::new(Shared::new(self.size, self.patience));
        let clock = TestClock::new(self.now);
        let (input, mut events) = input::channel(Arc::clone(&shared));
        let parts = (Arc::clone(&shared), clock.clone());
        let rollup = self.rollup;
        let (kept, absence) = (self.kept, self.absence);
        thread::spawn(move || {
            let (shared, clock) = parts;
            // Also when the loop panics, so that nobody waits for it in vain.
            let end = shared::EndReport::new(Arc::clone(&shared));
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
            let runtime = runtime.expect("a runtime for the explorer under test");
            let outcome = runtime.block_on(async {
                let screen = TestScreen::new(Arc::clone(&shared));
                let size = screen.size().expect("a screen in memory has a size");
                let (program, effects) = begin(size, clock.now());
                let host = RecordingHost::new(Arc::clone(&shared));
                let [dark, light] = [ThemeName::Dark, ThemeName::Light].map(Styles::new);
                let session = Session::new(program, self.styles, screen, host, clock.clone())
                    .with_background(Some(BackgroundQuery::new(dark, light)));
                let worker = worker::observed(self.worker, Arc::clone(&shared));
                let mut ended = session.run(effects, Sources::new(&mut events, stream::pending(), worker)).await?;
                while let (Some(left), Some(kept)) = (ended.left.take(), &kept) {
                    clock.advance(absence);
                    let returned =
                        Event::Return { size, kept: vec![kept.clone()], warnings: vec!["it was away".into()] };
                    let started = left.resume(returned, &clock).await.expect("nothing panicked");
                    let (screen, host) =
                        (TestScreen::new(Arc::clone(&shared)), RecordingHost::new(Arc::clone(&shared)));
                    let session = Session::new(started.program, self.styles, screen, host, clock.clone())
                        .with_clock(started.steady);
                    let sources = Sources::new(&mut events, stream::pending(), started.start);
                    ended = session.run(started.effects, sources).await?;
                }
                Ok::<_, SessionError>(ended.end)
            });
            end.set(outcome.map_err(|error| error.to_string()));
            runtime.shutdown_background();
        });
        let explorer = Explorer { shared, input, clock, rollup };
        explorer.shared.wait("the first frame", |state| state.frames > 0);
        explorer
    }
}

/// A running explorer. All of its waits panic when they take too long, with the last screen.
pub(crate) struct Explorer {
    shared: Arc<Shared>,
    input: Input,
    clock: TestClock,
    /// Dropped last: the explorer leaves first.
    rollup: Option<StartedRollup>,
}

impl Explorer {
    pub(crate) fn builder() -> Builder {
        Builder {
            size: (120, 36),
            network: Network { name: "custom".to_owned(), ..Network::default() },
            styles: Styles::new(ThemeName::default()),
            now: "2026-01-31T12:00:00Z".parse().expect("a fixed time"),
            keymap: Keymap::built_in(),
            abi: AbiRegistry::default(),
            columns: Columns::default(),
            worker: worker::silent(),
            state_file: None,
            timeout: None,
            on_end: None,
            zone: LocalZone::default(),
            rollup: None,
            is_node: false,
            is_own_index: false,
            tour: None,
            has_router: true,
            patience: Duration::from_secs(60),
            kept: None,
            absence: Duration::ZERO,
        }
    }

    /// Presses keys: their names as keymap files write them, with spaces between.
    pub(crate) fn keys(&self, names: &str) -> &Self {
        names.split_whitespace().for_each(|name| self.input.press(name.parse().expect("the name of a key")));
        self
    }

    /// Types each key only when the explorer is at rest.
    pub(crate) fn press(&self, names: &str) -> &Self {
        self.settle();
        names.split_whitespace().for_each(|name| {
            self.keys(name).settle();
        });
        self
    }

    /// Types a text, key by key.
    pub(crate) fn type_text(&self, text: &str) -> &Self {
        text.chars().for_each(|character| self.input.press(rollscope::config::Key::char(character)));
        self
    }

    /// Pastes a text in one piece.
    pub(crate) fn paste(&self, text: &str) -> &Self {
        self.input.send(crossterm::event::Event::Paste(text.to_owned()));
        self
    }

    /// Clicks on the first place where the screen shows this text.
    pub(crate) fn click(&self, text: &str) -> &Self {
        let place = self.shared.read(|state| shared::find(&state.buffer, text));
        let (column, row) = place.unwrap_or_else(|| panic!("“{text}” is not on the screen:\n{}", self.screen()));
        self.input.click(column, row);
        self
    }

    /// Gives the terminal another size.
    pub(crate) fn resize(&self, columns: u16, rows: u16) -> &Self {
        self.shared.change(|state| state.size = (columns, rows));
        self.input.send(crossterm::event::Event::Resize(columns, rows));
        self
    }

    /// Lets time pass, and waits until the explorer has taken note.
    pub(crate) fn advance(&self, span: Duration) -> &Self {
        self.clock.advance(span);
        self.settle()
    }

    /// Lets time pass while answers are still awaited.
    pub(crate) fn let_pass(&self, span: Duration) -> &Self {
        self.clock.advance(span);
        self
    }

    /// Sets the wall clock, as a person or a time service does; no time passes.
    pub(crate) fn set_clock(&self, change: impl FnOnce(Timestamp) -> Timestamp) -> &Self {
        self.clock.set(change);
        self
    }

    /// The embedded rollup that it was started with.
    pub(crate) fn rollup(&self) -> &Rollup {
        self.rollup.as_ref().expect("it was started with an embedded rollup")
    }

    /// The embedded rollup makes blocks, the time that they take passes, and the explorer has taken note. It asks at
    /// the average block time, which is not quite what the chain was made with: hence a moment more.
    pub(crate) fn step(&self, blocks: u32) -> &Self {
        self.rollup().step(u64::from(blocks)).expect("the rollup makes blocks");
        self.advance(BLOCK_TIME * blocks + Duration::from_millis(100))
    }

    /// Waits until the screen shows the text.
    pub(crate) fn wait_for(&self, text: &str) -> &Self {
        self.shared.wait(&format!("“{text}”"), |state| state.screen().contains(text));
        self
    }

    /// Waits until the screen no longer shows the text.
    pub(crate) fn wait_gone(&self, text: &str) -> &Self {
        self.shared.wait(&format!("“{text}” to go"), |state| !state.screen().contains(text));
        self
    }

    /// Waits until the loop has dealt with everything: all input before this call, all answers to what was requested,
    /// the last frame. The proof: with no request open a mark is put behind all input, the loop takes it and goes to
    /// wait, and nothing was requested meanwhile. An answer lies in the loop's queue before its request counts as
    /// closed.
    pub(crate) fn settle(&self) -> &Self {
        let is_answered = |state: &State| state.outstanding.is_empty();
        loop {
            self.shared.wait("all requests to be answered", is_answered);
            let commands = self.sent();
            let mark = self.input.mark();
            self.shared.wait("the loop to become idle", |state| state.idle_since_mark >= mark);
            if self.shared.read(|state| is_answered(state) && state.commands.len() == commands) {
                return self;
            }
        }
    }

    /// The screen as text, without spaces at the ends of lines.
    pub(crate) fn screen(&self) -> String {
        self.shared.read(State::screen)
    }

    /// The screen with its styles.
    pub(crate) fn buffer(&self) -> Buffer {
        self.shared.read(|state| state.buffer.clone())
    }

    /// The pictures on the screen.
    pub(crate) fn pictures(&self) -> Vec<PlacedPicture> {
        self.shared.read(|state| state.pictures.clone())
    }

    /// How many frames were drawn.
    pub(crate) fn frames(&self) -> u64 {
        self.shared.read(|state| state.frames)
    }

    /// Whether the explorer, left alone, would be woken when time passes.
    pub(crate) fn is_ticking(&self) -> bool {
        self.settle();
        self.shared.read(|state| state.next_tick.is_some())
    }

    /// What was put into the clipboard.
    pub(crate) fn copied(&self) -> Vec<String> {
        self.shared.read(|state| state.copied.clone())
    }

    /// What was opened in the browser.
    pub(crate) fn opened(&self) -> Vec<String> {
        self.shared.read(|state| state.opened.clone())
    }

    /// Names and contents of the files that were written.
    pub(crate) fn written(&self) -> Vec<(String, String)> {
        self.shared.read(|state| state.written.clone())
    }

    /// How often it rang.
    pub(crate) fn bells(&self) -> usize {
        self.shared.read(|state| state.bells)
    }

    /// The titles that the terminal was given; an empty one gave back its own.
    pub(crate) fn titles(&self) -> Vec<String> {
        self.shared.read(|state| state.titles.clone())
    }

    /// What the worker was sent, in order.
    pub(crate) fn commands(&self) -> Vec<Instruction> {
        self.shared.read(|state| state.commands.clone())
    }

    /// How much the worker was sent.
    pub(crate) fn sent(&self) -> usize {
        self.shared.read(|state| state.commands.len())
    }

    /// Ends it with Ctrl-C, and makes sure that it ends.
    pub(crate) fn quit(self) {
        self.keys("ctrl-c");
        assert_eq!(self.end(), Ok(SessionEnd::Quit));
    }

    /// Ends it likewise, with its worker; the embedded rollup runs on for another one.
    pub(crate) fn leave(self) -> (StartedRollup, Timestamp) {
        self.keys("ctrl-c");
        assert_eq!(self.end(), Ok(SessionEnd::Quit));
        let now = self.clock.now();
        (self.rollup.expect("it was started with an embedded rollup"), now)
    }

    /// Waits for the end, and how it came.
    pub(crate) fn end(&self) -> Result<SessionEnd, String> {
        self.shared.wait_end()
    }
}
