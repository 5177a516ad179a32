use std::{
    fs,
    io::{self, Write as _},
    net::SocketAddr,
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
    app::AppOptions,
    client::{ClientOptions, path_of},
    columns::Columns,
    config::{EndCommand, Keymap, KeymapError, Network, NetworkChoice, Paths, Settings, Styles, display_path},
    demo::Rollup,
    domain::{LocalZone, TransferId, text},
    indexer::node::NodeService,
    msg::Instruction,
    pages::PAGES,
    tui::{self, RunOptions, SessionEnd, Start, WorkerLink},
    worker::{OutcomeProgram, OutcomeRest, OutcomeTurn, UnkeptTransfers, Worker, WorkerHandle, WorkerOptions},
};

/// How long the outcomes that still wait are told when the explorer ends.
const REST: Duration = Duration::from_secs(60);

/// Starts the explorer: on the embedded rollup where `demo` is given or no network is chosen, else on the network. It
/// ends with 0 when the user quits, with 1 where the server is of another chain, after a signal with 128 and its number.
pub(super) fn run(
    settings: &Settings,
    demo: Option<&RollupArguments>,
    history: &HistoryArguments,
) -> Result<ExitCode, CommandError> {
    if !tui::has_terminal() {
        let advice = "the explorer needs a terminal; for scripts there are commands, see rollscope --help";
        return Err(CommandError::Usage(advice.to_owned()));
    }
    let mut warnings = settings.warnings.clone();
    let (network, chain) = match (&settings.destination, demo) {
        (Some(NetworkChoice::Network(network)), None) => (network.as_ref().clone(), OwnChain::None),
        (Some(NetworkChoice::Node(network)), None) => match node::start(network, settings, history, Serving::own())? {
            Reached::Node(network, service, notes) => {
                warnings.extend(notes);
                (*network, OwnChain::Node(service))
            }
            Reached::Indexer(network, note) => {
                warnings.push(format!("{note}: it is used as one"));
                (*network, OwnChain::None)
            }
        },
        (_, demo) => {
            let (network, rollup) = start_embedded(demo, settings)?;
            warnings.extend(rollup.notes().iter().cloned());
            (network, OwnChain::Rollup(rollup))
        }
    };
    let (columns, problems) = Columns::of(settings);
    warnings.extend(problems);
    let left = Arc::new(OnceLock::new());
    let styles = read_styles(settings, &mut warnings);
    let options = RunOptions {
        start: start(&network, settings, chain, Arc::clone(&left)),
        app: AppOptions {
            network,
            abi: abi::read_abi(settings.abi.as_deref(), &mut warnings),
            keymap: read_keymap(settings, &mut warnings),
            warnings,
            log_file: settings.paths.as_ref().map(|paths| display_path(&paths.log_file())),
            announcements: settings.announcements.clone(),
            columns,
            zone: LocalZone::of_machine(),
            pages: PAGES,
            path_of,
        },
        styles,
        mouse: true,
    };
    let ended = tui::run(options);
    // The worker has ended, and the terminal is as before.
    if let Some((unkept, _)) = left.get() {
        report_unkept(&unkept.ids());
    }
    let end =
        ended.map_err(|report| CommandError::Failed(format!("the explorer ended: {report:#}; the log says more")))?;
    match end {
        SessionEnd::Quit => {
            tell_rest(settings, left.get().map(|(_, turn)| turn.clone()).unwrap_or_default());
            Ok(ExitCode::SUCCESS)
        }
        SessionEnd::Refused(reason) => Err(CommandError::Failed(reason)),
        SessionEnd::Signal(signal) => Ok(signal.exit_code()),
    }
}

/// Has the person's program told of the outcomes that still wait. What is left, the next start tells.
fn tell_rest(settings: &Settings, turn: OutcomeTurn) {
    let file = settings.paths.as_ref().map(Paths::state_file).filter(|file| file.exists());
    let Some((program, file)) = outcome_program(settings).zip(file) else { return };
    let Some(rest) = OutcomeRest::find(program, file) else { return };
    // Nobody may be reading standard error any more.
    let say = |text: String| drop(writeln!(io::stderr(), "rollscope: {text}"));
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return tracing::error!("on_end is told of nothing now: {error}"),
    };
    let (failures, left) = runtime.block_on(async {
        // It is listened for Ctrl-C before that is said.
        let mut interrupt = signal(SignalKind::interrupt());
        let count = text::count(rest.count(), "outcome");
        say(format!("{count} still to be told to on_end; Ctrl-C leaves the rest to the next start"));
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
        say(format!("{} left to the next start", text::count(left, "outcome")));
    }
}

/// Tells of the transfers that will not be found again, with the command that finds each.
fn report_unkept(ids: &[TransferId]) {
    if ids.is_empty() {
        return;
    }
    let transfers = text::count(ids.len(), "transfer");
    let lines =
        ids.iter().map(|id| format!("\n  rollscope transfer {} {}", text::clean(id.chain_id.as_str()), id.hash));
    let lines: String = lines.collect();
    // Nobody may be reading standard error any more.
    let _ = writeln!(io::stderr(), "rollscope: {transfers} could not be kept; to find them again:{lines}");
}

/// The embedded rollup on a port of its own. It is built in the background; its address is known at once. Metadata is
/// fetched unless the settings say no: it lies in the rollup itself.
fn start_embedded(demo: Option<&RollupArguments>, settings: &Settings) -> Result<(Network, Rollup), CommandError> {
    let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
    let arguments = demo.cloned().unwrap_or_default();
    let journal = settings.paths.as_ref().map(|paths| paths.demo_journal(arguments.vm, arguments.seed));
    let rollup = rollup::start(&arguments, Files { data: None, journal }, any_port)?;
    let network = rollup::network(&arguments, &rollup);
    let network = Network { fetches_metadata: settings.fetch_metadata.unwrap_or_default(), ..network };
    Ok((network, rollup))
}

/// Starts the worker when the explorer asks for it. The rollup lives as long as the way to the worker.
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

/// What is given the outcomes of transfers, as the settings say.
pub(super) fn outcome_program(settings: &Settings) -> Option<OutcomeProgram> {
    let EndCommand { program, arguments, limit } = settings.announcements.on_end.clone()?;
    Some(OutcomeProgram { program, arguments, limit })
}

/// The worker, and the rollup it may be asking. They end in this order.
struct WorkerSession {
    worker: WorkerHandle,
    _chain: OwnChain,
}

/// What this program runs itself to be asked.
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

/// The built-in keys with the user's file laid over them; each line of it that cannot be used is a warning.
fn read_keymap(settings: &Settings, warnings: &mut Vec<String>) -> Keymap {
    let Some(path) = settings.paths.as_ref().map(Paths::keymap_file) else {
        return Keymap::built_in();
    };
    let file = display_path(&path);
    match fs::read_to_string(&path) {
        Ok(text) => {
            let (keymap, found) = Keymap::with_user_file(&text);
            warnings.extend(found.iter().map(|warning| match &warning.error {
                KeymapError::Syntax(_) => format!("{file} {warning}; the built-in keys are used"),
                _ => format!("{file} {warning}; this line is left out"),
            }));
            keymap
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Keymap::built_in(),
        Err(error) => {
            warnings.push(format!("{file} cannot be read: {error}; the built-in keys are used"));
            Keymap::built_in()
        }
    }
}

/// The looks: those of a theme that is built in, or of the user's own file; a bad file is a warning.
fn read_styles(settings: &Settings, warnings: &mut Vec<String>) -> Styles {
    let Some(path) = settings.theme_file() else { return settings.styles() };
    let file = display_path(&path);
    match fs::read_to_string(&path) {
        Ok(text) => {
            let (styles, found) = Styles::of_theme_file(&file, &text);
            warnings.extend(found);
            styles.with_true_color(settings.has_true_color())
        }
        Err(error) => {
            warnings.push(format!("the theme {file} cannot be read: {error}; ansi is used"));
            settings.styles()
        }
    }
}
