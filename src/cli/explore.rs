use std::{
    fs::OpenOptions,
    io::{self, Write as _},
    mem,
    net::SocketAddr,
    num::NonZeroU8,
    path::PathBuf,
    process::ExitCode,
    sync::{Arc, OnceLock},
    time::Duration,
};

use tokio::signal::unix::{SignalKind, signal};

use super::{
    CommandError, abi,
    arguments::{HistoryArguments, RollupArguments},
    node::{self, Reached, Serving},
    rollup::{self, Files},
};
use crate::{
    app::{AppOptions, NetworkSwitch},
    client::{ClientOptions, path_of},
    columns::Columns,
    config::{
        DEMO, EndCommand, Keymap, KeymapError, Network, NetworkChoice, OfferedNetwork, Paths, Settings, SettingsError,
        Styles, display_path, read_user_file,
    },
    demo::Rollup,
    domain::{LocalZone, TransferId, text},
    files,
    indexer::node::NodeService,
    msg::Instruction,
    pages::PAGES,
    store::Store,
    tui::{
        self, BackgroundQuery, KeptLimits, NetworkOpening, NetworkSessions, RunOptions, SessionEnd, ShownNetwork,
        Start, WorkerLink,
    },
    worker::{OutcomeProgram, OutcomeRest, OutcomeTurn, UnkeptTransfers, Worker, WorkerHandle, WorkerOptions},
};

/// How long a network stays after the user chose another.
const KEPT_TIME: Duration = Duration::from_secs(5 * 60);

/// Time limit for the delivery of pending outcomes when the explorer ends.
const REST: Duration = Duration::from_secs(60);

/// Starts the explorer: on the embedded rollup with `demo` or without a chosen network, else on the network. When the
/// user chooses another network, a new session shows it, or the former network where that fails. The exit status is 0
/// if the user quits, 1 if the server serves another chain, and 128 plus the signal's number after a signal.
pub(super) fn run(
    settings: &Settings,
    demo: Option<&RollupArguments>,
    history: &HistoryArguments,
    tour: Option<NonZeroU8>,
) -> Result<ExitCode, CommandError> {
    if !tui::has_terminal() {
        let advice = "the explorer needs a terminal; scripts use the commands in rollscope --help";
        return Err(CommandError::Usage(advice.to_owned()));
    }
    let sessions = NetworkSessions::new(limits()).map_err(|report| CommandError::Failed(format!("{report:#}")))?;
    let first = settings.destination.clone().filter(|_| demo.is_none()).unwrap_or(NetworkChoice::Embedded);
    let (turn, warnings) = (OutcomeTurn::default(), settings.warnings.clone());
    let mut explorer =
        ExplorerRun { settings, demo, history, tour, first, sessions, unkept: Vec::new(), turn, warnings };
    let end = explorer.run();
    let ExplorerRun { sessions, unkept, turn, .. } = explorer;
    // The terminal is restored; then the workers end.
    sessions.close();
    let unkept: Vec<_> = unkept.iter().filter_map(|unkept| unkept.get()).flat_map(UnkeptTransfers::ids).collect();
    report_unkept(&unkept);
    if let Ok(SessionEnd::Quit) = &end {
        tell_rest(settings, turn);
    }
    merge_state(settings);
    match end? {
        SessionEnd::Signal(signal) => Ok(signal.exit_code()),
        SessionEnd::Refused(reason) => Err(CommandError::Failed(reason)),
        SessionEnd::Quit | SessionEnd::Switch(_) => Ok(ExitCode::SUCCESS),
    }
}

/// Returns how long networks are kept. In debug builds, a variable sets the seconds: a test does not wait for minutes.
fn limits() -> KeptLimits {
    #[cfg(debug_assertions)]
    let time = std::env::var("ROLLSCOPE_TEST_KEPT_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    #[cfg(not(debug_assertions))]
    let time = None;
    KeptLimits { count: 2, time: time.map_or(KEPT_TIME, Duration::from_secs) }
}

/// The explorer with the networks that it shows one after another.
struct ExplorerRun<'a> {
    settings: &'a Settings,
    demo: Option<&'a RollupArguments>,
    history: &'a HistoryArguments,
    tour: Option<NonZeroU8>,
    /// Network of the command line and the settings.
    first: NetworkChoice,
    sessions: NetworkSessions,
    /// Transfers that the state file lacks, of each worker that started.
    unkept: Vec<Arc<OnceLock<UnkeptTransfers>>>,
    turn: OutcomeTurn,
    warnings: Vec<String>,
}

impl ExplorerRun<'_> {
    /// Shows networks until the user quits.
    fn run(&mut self) -> Result<SessionEnd, CommandError> {
        let mut shown = ShownNetwork { name: name_of(&self.first), choice: self.first.clone() };
        let mut former = None;
        loop {
            match (self.show(&shown), former.take()) {
                (Ok(SessionEnd::Switch(NetworkSwitch { network, is_kept })), _) => match self.choice_of(&network) {
                    Ok(choice) => {
                        if is_kept {
                            self.warnings.push(keep(self.settings, &network));
                        }
                        former = Some(mem::replace(&mut shown, ShownNetwork { name: network, choice }));
                    }
                    Err(error) => self.warnings.push(error.to_string()),
                },
                (Err(error), Some(network)) => {
                    self.warnings.push(error.to_string());
                    shown = network;
                }
                (end, _) => return end,
            }
        }
    }

    /// Returns the network that a text names, of the kept networks first: flags may have described it further.
    fn choice_of(&self, network: &str) -> Result<NetworkChoice, SettingsError> {
        self.sessions.kept_choice(network).map_or_else(|| self.settings.choice_named(network), Ok)
    }

    /// Shows one network until the user quits or chooses another.
    fn show(&mut self, shown: &ShownNetwork) -> Result<SessionEnd, CommandError> {
        let mut warnings = mem::take(&mut self.warnings);
        let styles = read_styles(self.settings, &mut warnings);
        let opening = match self.sessions.take(&shown.choice) {
            Some(kept) => NetworkOpening::Kept(kept, warnings),
            None => self.open(shown, warnings)?,
        };
        let options = RunOptions {
            network: shown.clone(),
            opening,
            folder: working_folder(),
            background: self.settings.styles_by_background().map(|[dark, light]| BackgroundQuery::new(dark, light)),
            styles,
            mouse: true,
        };
        let ended = self.sessions.run(options);
        ended.map_err(|report| CommandError::Failed(format!("the explorer failed: {report:#}; see the log")))
    }

    /// Starts what a network needs: the follower of its node, or the embedded rollup.
    fn open(&mut self, shown: &ShownNetwork, mut warnings: Vec<String>) -> Result<NetworkOpening, CommandError> {
        let settings = self.settings;
        let is_first = shown.choice == self.first;
        if !self.unkept.is_empty() {
            warnings.extend(settings.rival_of(&shown.choice));
            // A slow node leaves the terminal without the explorer, where Ctrl-C ends the program.
            if let Err(error) = tui::end_without_session() {
                tracing::warn!(%error, "Ctrl-C does not end the program while a network is opened");
            }
            let _ = writeln!(io::stderr(), "rollscope: opening {}", text::clean(&shown.name));
        }
        // The options of a node's index belong to the network that the command line names.
        let history = if is_first { self.history.clone() } else { HistoryArguments::default() };
        let (network, chain) = match &shown.choice {
            NetworkChoice::Network(network) => (network.as_ref().clone(), OwnChain::None),
            NetworkChoice::Node(network) => match node::start(network, settings, &history, &Serving::own())? {
                Reached::Node(network, service, notes, _) => {
                    warnings.extend(notes);
                    (*network, OwnChain::Node(service))
                }
                Reached::Indexer(network, note) => {
                    warnings.push(format!("{note}: rollscope uses its indexer API"));
                    (*network, OwnChain::None)
                }
            },
            NetworkChoice::Embedded => {
                let (network, rollup) = start_embedded(self.demo, settings)?;
                warnings.extend(rollup.notes().iter().cloned());
                (network, OwnChain::Rollup(rollup))
            }
        };
        let (columns, problems) = Columns::from_settings(settings);
        warnings.extend(problems);
        // The address of an index of this process is of no use after its end.
        let path_of = if matches!(chain, OwnChain::Node(_)) { |_: &_| None } else { path_of };
        let unkept = Arc::default();
        self.unkept.push(Arc::clone(&unkept));
        let start = start(&network, settings, chain, self.turn.clone(), unkept);
        let app = AppOptions {
            network,
            networks: settings.networks().clone(),
            kept: Vec::new(),
            abi: abi::read_abi(settings.abi.as_deref(), &mut warnings),
            // The tour types the built-in keys.
            keymap: if self.tour.is_some() { Keymap::built_in() } else { read_keymap(settings, &mut warnings) },
            warnings,
            log_file: settings.paths.as_ref().map(|paths| display_path(&paths.log_file())),
            folder: working_folder(),
            announcements: settings.announcements.clone(),
            columns,
            zone: LocalZone::of_machine(),
            pages: PAGES,
            path_of,
        };
        Ok(NetworkOpening::New { app: Box::new(app), tour: self.tour, start })
    }
}

/// Returns the text that chooses a network: its name, or for one without a name the URL of its server.
fn name_of(choice: &NetworkChoice) -> String {
    match choice {
        NetworkChoice::Embedded => DEMO.to_owned(),
        NetworkChoice::Network(network) => network.key().to_owned(),
        NetworkChoice::Node(network) => match &network.node {
            Some(node) if *network.name == *Network::of_node(node.clone()).name => node.node.clone(),
            _ => network.name.clone(),
        },
    }
}

fn working_folder() -> PathBuf {
    std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
}

/// Adds the network that a link or a file describes to the settings file; returns a sentence on the result.
fn keep(settings: &Settings, described: &str) -> String {
    let kept = match OfferedNetwork::named(described) {
        Some(Ok(offered)) => settings.added(&offered).and_then(|(path, entry)| {
            let written = files::make_folder_of(&path).and_then(|()| {
                let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
                file.write_all(entry.as_bytes())
            });
            written.map_err(|error| error.to_string())?;
            Ok(format!("kept {} in {}", offered.chain_id, display_path(&path)))
        }),
        Some(Err(error)) => Err(error.to_string()),
        None => Err("it is no link and no file".to_owned()),
    };
    kept.unwrap_or_else(|reason| format!("cannot keep the network: {reason}"))
}

/// Merges the log of the state into its file: a task of the worker may still hold it open.
fn merge_state(settings: &Settings) {
    let state = settings.paths.as_ref().map(Paths::state_file).filter(|file| file.exists());
    if let Some(Err(error)) = state.map(|file| Store::merge_log(&file)) {
        tracing::warn!(%error, "the state's log stays beside its file");
    }
}

/// Delivers pending outcomes to the user's program. The next start of the explorer delivers the rest.
fn tell_rest(settings: &Settings, turn: OutcomeTurn) {
    let file = settings.paths.as_ref().map(Paths::state_file).filter(|file| file.exists());
    let Some((program, file)) = outcome_program(settings).zip(file) else { return };
    let Some(rest) = OutcomeRest::find(program, file) else { return };
    // Standard error may be closed: ignore errors.
    let say = |text: String| drop(writeln!(io::stderr(), "rollscope: {text}"));
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return tracing::error!("on_end is off: {error}"),
    };
    let (failures, left) = runtime.block_on(async {
        // Listen for Ctrl-C before announcing it.
        let mut interrupt = signal(SignalKind::interrupt());
        let count = text::count(rest.count(), "outcome");
        say(format!("on_end has {count} pending; Ctrl-C leaves the rest for the next start"));
        let interrupted = async {
            match &mut interrupt {
                Ok(interrupt) => drop(interrupt.recv().await),
                Err(_) => std::future::pending().await,
            }
        };
        rest.tell(turn, REST, interrupted).await
    });
    failures.into_iter().for_each(say);
    if left > 0 {
        say(format!("{} left for the next start", text::count(left, "outcome")));
    }
}

/// Prints which transfers could not be stored, with the command that finds each transfer again.
fn report_unkept(ids: &[TransferId]) {
    if ids.is_empty() {
        return;
    }
    let transfers = text::count(ids.len(), "transfer");
    let lines =
        ids.iter().map(|id| format!("\n  rollscope transfer {} {}", text::clean(id.chain_id.as_str()), id.hash));
    let lines: String = lines.collect();
    // Standard error may be closed: ignore errors.
    let _ = writeln!(io::stderr(), "rollscope: cannot save {transfers}; find them again with:{lines}");
}

/// Starts the embedded rollup on a free port. The rollup is built in the background, but its address is known
/// immediately. The explorer fetches NFT metadata unless the settings forbid it, because the rollup itself serves the
/// metadata.
fn start_embedded(demo: Option<&RollupArguments>, settings: &Settings) -> Result<(Network, Rollup), CommandError> {
    let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
    let arguments = demo.cloned().unwrap_or_default();
    let journal = settings.paths.as_ref().map(|paths| paths.demo_journal(arguments.vm, arguments.seed));
    let rollup = rollup::start(&arguments, Files { data: None, journal }, any_port)?;
    let network = rollup::network(&arguments, &rollup);
    let network = Network { fetches_metadata: settings.fetch_metadata.unwrap_or_default(), ..network };
    Ok((network, rollup))
}

/// Starts the worker on the explorer's request. The rollup lives as long as the channel to the worker.
fn start(
    network: &Network,
    settings: &Settings,
    chain: OwnChain,
    turn: OutcomeTurn,
    unkept: Arc<OnceLock<UnkeptTransfers>>,
) -> Start {
    let options = WorkerOptions {
        indexer_url: network.indexer.clone(),
        router_url: network.router.clone(),
        node: network.node.clone().map(node::addresses),
        other_nodes: network.node.as_ref().map(|node| node.others.clone()).unwrap_or_default(),
        client: ClientOptions {
            timeout: settings.timeout,
            ipfs_gateway: network.ipfs_gateway.clone().or_else(|| settings.ipfs_gateway.clone()),
            ..ClientOptions::default()
        },
        store: settings.paths.as_ref().map(Paths::state_file),
        network: network.key().to_owned(),
        on_end: outcome_program(settings),
        turn,
    };
    Box::pin(async move {
        let (worker, reports) = Worker::spawn(options, &tokio::runtime::Handle::current())?;
        let _ = unkept.set(worker.unkept_transfers());
        let session = WorkerSession { worker, _chain: chain };
        Ok(WorkerLink { send: Box::new(move |command| session.send(command)), reports })
    })
}

/// Returns the program that receives outcomes; `None` if the settings name no program.
pub(super) fn outcome_program(settings: &Settings) -> Option<OutcomeProgram> {
    let EndCommand { program, arguments, limit } = settings.announcements.on_end.clone()?;
    Some(OutcomeProgram { program, arguments, limit })
}

/// Worker and the embedded chain that it may query; dropped in this order.
struct WorkerSession {
    worker: WorkerHandle,
    _chain: OwnChain,
}

/// Chain that this process serves.
#[expect(dead_code, reason = "held so that it ends with the session")]
enum OwnChain {
    None,
    Rollup(Rollup),
    Node(NodeService),
}

impl WorkerSession {
    fn send(&self, command: Instruction) {
        self.worker.send(command);
    }
}

/// Reads the built-in keys, overridden by the user's file; rejected lines become warnings.
pub(super) fn read_keymap(settings: &Settings, warnings: &mut Vec<String>) -> Keymap {
    let Some(path) = settings.paths.as_ref().map(Paths::keymap_file) else {
        return Keymap::built_in();
    };
    let file = display_path(&path);
    match read_user_file(&path) {
        Ok(text) => {
            let (keymap, found) = Keymap::with_user_file(&text);
            warnings.extend(found.iter().map(|warning| match &warning.error {
                KeymapError::Syntax(_) => format!("{file} {warning}; rollscope uses the built-in keys"),
                _ => format!("{file} {warning}; rollscope skips this line"),
            }));
            keymap
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Keymap::built_in(),
        Err(error) => {
            warnings.push(format!("cannot read {file}: {error}; rollscope uses the built-in keys"));
            Keymap::built_in()
        }
    }
}

/// Returns the styles of the chosen theme; an invalid theme file becomes a warning.
pub(super) fn read_styles(settings: &Settings, warnings: &mut Vec<String>) -> Styles {
    let Some(path) = settings.theme_file() else { return settings.styles() };
    let file = display_path(&path);
    match read_user_file(&path) {
        Ok(text) => {
            let (styles, found) = Styles::of_theme_file(&file, &text);
            warnings.extend(found);
            settings.adapted(styles)
        }
        Err(error) => {
            warnings.push(format!("cannot read the theme {file}: {error}; rollscope uses ansi"));
            settings.styles()
        }
    }
}
