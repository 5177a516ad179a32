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
        EndCommand, Keymap, KeymapError, Network, NetworkChoice, OfferedNetwork, Paths, Settings, Styles, display_path,
        read_user_file,
    },
    demo::Rollup,
    domain::{LocalZone, TransferId, text},
    files,
    indexer::node::NodeService,
    msg::Instruction,
    pages::PAGES,
    store::Store,
    tui::{self, BackgroundQuery, RunOptions, SessionEnd, Start, WorkerLink},
    worker::{OutcomeProgram, OutcomeRest, OutcomeTurn, UnkeptTransfers, Worker, WorkerHandle, WorkerOptions},
};

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
    let first = settings.destination.clone().filter(|_| demo.is_none()).unwrap_or(NetworkChoice::Embedded);
    let (mut shown, mut former) = (first.clone(), None);
    let mut warnings = settings.warnings.clone();
    loop {
        // The options of a node's index belong to the network that the command line names.
        let history = if shown == first { history.clone() } else { HistoryArguments::default() };
        match (explore(settings, &shown, (demo, &history, tour), mem::take(&mut warnings)), former.take()) {
            (Ok(SessionEnd::Switch(NetworkSwitch { network, is_kept })), _) => match settings.choice_named(&network) {
                Ok(choice) => {
                    if is_kept {
                        warnings.push(keep(settings, &network));
                    }
                    warnings.extend(settings.rival_of(&choice));
                    // A slow node leaves the terminal without the explorer, where Ctrl-C ends the program.
                    if let Err(error) = tui::end_without_session() {
                        tracing::warn!(%error, "Ctrl-C does not end the program while a network is opened");
                    }
                    let _ = writeln!(io::stderr(), "rollscope: opening {}", text::clean(&network));
                    former = Some(mem::replace(&mut shown, choice));
                }
                Err(error) => warnings.push(error.to_string()),
            },
            (Err(error), Some(network)) => {
                warnings.push(error.to_string());
                shown = network;
            }
            (Ok(SessionEnd::Quit), _) => return Ok(ExitCode::SUCCESS),
            (Ok(SessionEnd::Refused(reason)), _) => return Err(CommandError::Failed(reason)),
            (Ok(SessionEnd::Signal(signal)), _) => return Ok(signal.exit_code()),
            (Err(error), None) => return Err(error),
        }
    }
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

/// Shows one network until the user quits or chooses another.
fn explore(
    settings: &Settings,
    choice: &NetworkChoice,
    (demo, history, tour): (Option<&RollupArguments>, &HistoryArguments, Option<NonZeroU8>),
    mut warnings: Vec<String>,
) -> Result<SessionEnd, CommandError> {
    let (network, chain) = match choice {
        NetworkChoice::Network(network) => (network.as_ref().clone(), OwnChain::None),
        NetworkChoice::Node(network) => match node::start(network, settings, history, &Serving::own())? {
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
            let (network, rollup) = start_embedded(demo, settings)?;
            warnings.extend(rollup.notes().iter().cloned());
            (network, OwnChain::Rollup(rollup))
        }
    };
    let (columns, problems) = Columns::from_settings(settings);
    warnings.extend(problems);
    let left = Arc::new(OnceLock::new());
    let styles = read_styles(settings, &mut warnings);
    // The address of an index of this process is of no use after its end.
    let path_of = if matches!(chain, OwnChain::Node(_)) { |_: &_| None } else { path_of };
    let options = RunOptions {
        start: start(&network, settings, chain, Arc::clone(&left)),
        app: AppOptions {
            network,
            networks: settings.networks().clone(),
            abi: abi::read_abi(settings.abi.as_deref(), &mut warnings),
            // The tour types the built-in keys.
            keymap: if tour.is_some() { Keymap::built_in() } else { read_keymap(settings, &mut warnings) },
            warnings,
            log_file: settings.paths.as_ref().map(|paths| display_path(&paths.log_file())),
            folder: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
            announcements: settings.announcements.clone(),
            columns,
            zone: LocalZone::of_machine(),
            pages: PAGES,
            path_of,
        },
        background: settings.styles_by_background().map(|[dark, light]| BackgroundQuery::new(dark, light)),
        styles,
        mouse: true,
        tour,
    };
    let ended = tui::run(options);
    // The worker has ended, and the terminal is restored.
    if let Some((unkept, _)) = left.get() {
        report_unkept(&unkept.ids());
    }
    if let Ok(SessionEnd::Quit) = &ended {
        tell_rest(settings, left.get().map(|(_, turn)| turn.clone()).unwrap_or_default());
    }
    merge_state(settings);
    ended.map_err(|report| CommandError::Failed(format!("the explorer failed: {report:#}; see the log")))
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
    left: Arc<OnceLock<(UnkeptTransfers, OutcomeTurn)>>,
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
    };
    Box::pin(async move {
        let (worker, reports) = Worker::spawn(options, &tokio::runtime::Handle::current())?;
        let _ = left.set((worker.unkept_transfers(), worker.outcome_turn()));
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
