#[cfg(target_os = "linux")]
use std::os::unix::net::UnixDatagram;
use std::{
    io::{self, IsTerminal as _},
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
    sync::Once,
    time::Duration,
};

use sd_notify::NotifyState;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    time::interval,
};

use super::{
    CommandError,
    arguments::{DataPlace, ServeArguments},
    clock::CommandClock,
    fleet, generated_docs,
    node::{self, Reached, Serving},
    open_files,
    rollup::{self, Files},
};
use crate::{
    config::{Network, NetworkChoice, Settings, display_path},
    demo::RollupOptions,
    domain::{Height, text},
    files::FileIdentity,
    indexer::{
        ListenAddress, ListenOptions,
        index::Index,
        node::NodeService,
        progress::{NodeProgress, ReadyLimits},
    },
};

/// Interval between checks that the served rollup still runs.
const WATCH: Duration = Duration::from_secs(1);

/// Interval between log lines about the pace.
const PACE: Duration = Duration::from_secs(60);

/// Open files that are no connections of readers: the index, the node, and connections that are being refused.
const OWN_FILES: u64 = 160;

/// Maximum connections without `--max-connections`: each may hold some 16 KiB that its reader does not read.
const MOST_CONNECTIONS: u64 = 16_384;

/// Serves the chosen node's rollup, else the embedded rollup, until SIGINT or SIGTERM. Prints the address first.
pub(super) fn run(arguments: ServeArguments, settings: &Settings) -> Result<(), CommandError> {
    if arguments.check_config {
        return check_config(&arguments, settings);
    }
    open_files::check_limit(arguments.history.data.is_some())?;
    let ended = match &settings.destination {
        _ if arguments.read_only => read_file(&arguments),
        _ if arguments.fleet.is_some() => serve_fleet(&arguments, settings),
        Some(NetworkChoice::Node(network)) => serve_node(network, &arguments, settings),
        _ => serve_rollup(arguments),
    };
    if ended.is_ok() {
        tracing::info!("stopped");
    }
    ended
}

/// Ends with what settings or fleet have that cannot be used; asks no node and opens no index.
fn check_config(arguments: &ServeArguments, settings: &Settings) -> Result<(), CommandError> {
    let chains = arguments.fleet.as_deref().map(fleet::members).transpose()?.map(|members| members.len());
    // Each was logged.
    match settings.warnings.len() {
        0 => {
            let fleet = chains.map(|count| format!(", with {}", text::count(count, "chain"))).unwrap_or_default();
            generated_docs::print(&format!("the settings can be used{fleet}\n"))
        }
        count => Err(CommandError::Usage(format!("{} cannot be used", text::count(count, "setting")))),
    }
}

/// Tells systemd, or whatever started the server with `NOTIFY_SOCKET`, of a change.
fn notify(state: NotifyState<'_>) {
    let socket = std::env::var_os("NOTIFY_SOCKET").unwrap_or_default();
    let told = match socket.as_bytes().strip_prefix(b"@") {
        Some(name) => notify_abstract(name, &format!("{state}\n")),
        None => sd_notify::notify(&[state]),
    };
    if let Err(failure) = told {
        tracing::warn!("the service manager was not told: {failure}");
    }
}

/// Sends to a socket that has a name but no file, as in containers.
#[cfg(target_os = "linux")]
fn notify_abstract(name: &[u8], state: &str) -> io::Result<()> {
    use std::os::{linux::net::SocketAddrExt as _, unix::net::SocketAddr};

    let socket = UnixDatagram::unbound()?;
    socket.connect_addr(&SocketAddr::from_abstract_name(name)?)?;
    socket.send(state.as_bytes()).map(drop)
}

#[cfg(not(target_os = "linux"))]
fn notify_abstract(_: &[u8], _: &str) -> io::Result<()> {
    Err(io::Error::other("only Linux has sockets without a file"))
}

/// Serves the embedded rollup; prints its address after the history is indexed.
fn serve_rollup(arguments: ServeArguments) -> Result<(), CommandError> {
    if arguments.history.from.is_some() {
        return Err(CommandError::Usage("--from needs a node: give --node URL".to_owned()));
    }
    let ListenAddress::Tcp(listen) = arguments.listen else {
        return Err(CommandError::Usage("--listen unix:PATH needs a node: give --node URL".to_owned()));
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CommandError::failed)?;
    runtime.block_on(async {
        // Listen for signals before printing the address: a script that reads it may stop the server immediately.
        let mut ending = Ending::listen()?;
        let (ready, limits) = (ready_limits(&arguments), listen_options(&arguments));
        let data = arguments.history.file_without_node()?;
        let files = Files { data: data.clone(), journal: None };
        let options = RollupOptions { ready, listen: limits, ..rollup::options(&arguments.rollup, files) };
        let rollup = rollup::start_with(options, listen)?;
        for note in rollup.notes() {
            tracing::warn!("{note}");
        }
        if io::stderr().is_terminal() {
            tracing::info!("indexing the history; the address follows");
        }
        // The printed address promises a complete history.
        tokio::select! {
            settled = rollup.indexed() => settled.map_err(CommandError::failed)?,
            () = ending.wait() => return Ok(()),
        }
        let lost = lost(data);
        say_address(&rollup.url())?;
        tokio::select! {
            () = ending.wait() => Ok(()),
            lost = lost => Err(CommandError::Failed(lost)),
            failure = failed(|| rollup.failure()) => Err(CommandError::Failed(failure)),
        }
    })
}

/// Opens what another process writes, for reading; returns it with its name.
pub(super) fn open_written(place: &DataPlace) -> Result<(Index, String), CommandError> {
    let opened = match place {
        DataPlace::File(path) => Index::read_only(path).map(|index| (index, place.to_string())),
        #[cfg(feature = "postgres")]
        DataPlace::Postgres(url) => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let found = runtime.map_err(CommandError::failed)?.block_on(url.find_schema());
            let schema = found.map_err(CommandError::failed)?;
            Index::read_only_postgres(url, &schema).map(|index| (index, format!("the schema {schema} of {url}")))
        }
    };
    opened.map_err(CommandError::failed)
}

/// Serves a file that another process writes.
fn read_file(arguments: &ServeArguments) -> Result<(), CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CommandError::failed)?;
    let data = arguments.history.data.as_ref();
    let data = data.ok_or_else(|| CommandError::Usage("--read-only needs an index: give --data FILE".to_owned()))?;
    let (index, place) = open_written(data)?;
    let service =
        NodeService::read(index, &arguments.listen, serving(arguments).options()).map_err(CommandError::failed)?;
    tracing::info!(url = service.url(), "reading {place}");
    runtime.block_on(async {
        let mut ending = Ending::listen()?;
        let lost = lost(data.file().map(Path::to_owned));
        say_address(&service.url())?;
        tokio::select! {
            () = ending.wait() => Ok(()),
            failure = failed(|| service.failure()) => Err(CommandError::Failed(failure)),
            lost = lost => Err(CommandError::Failed(lost)),
        }
    })
}

/// Serves the networks of a file; prints its address at once, since a chain may be away for long.
fn serve_fleet(arguments: &ServeArguments, settings: &Settings) -> Result<(), CommandError> {
    let Some(file) = &arguments.fleet else { return Ok(()) };
    let running = fleet::start(file, arguments, &serving(arguments), settings)?;
    tracing::info!(url = running.fleet.url(), "serving {}", text::count(running.fleet.chains().len(), "chain"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CommandError::failed)?;
    runtime.block_on(async {
        let mut ending = Ending::listen()?;
        say_address(&running.fleet.url())?;
        tokio::select! {
            () = ending.wait() => Ok(()),
            failure = failed(|| running.fleet.failure()) => Err(CommandError::Failed(failure)),
        }
    })
}

fn serving(arguments: &ServeArguments) -> Serving {
    Serving {
        listen: arguments.listen.clone(),
        limits: listen_options(arguments),
        is_public: true,
        quirks: arguments.rollup.quirks,
        has_rich_list: !arguments.rollup.no_rich_list,
        ready: ready_limits(arguments),
        sought: None,
    }
}

/// Serves a node's rollup; prints its address after the newest blocks are indexed.
fn serve_node(network: &Network, arguments: &ServeArguments, settings: &Settings) -> Result<(), CommandError> {
    let serving = serving(arguments);
    let service = match node::start(network, settings, &arguments.history, &serving)? {
        Reached::Node(_, service, notes, _) => {
            for note in &notes {
                tracing::warn!("{note}");
            }
            tracing::info!(url = service.url(), "following the node at {}", text::clean(&location(network)));
            service
        }
        Reached::Indexer(_, note) => {
            return Err(CommandError::Failed(format!("{note}: serve needs the node; give --node URL")));
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CommandError::failed)?;
    runtime.block_on(async {
        let mut ending = Ending::listen()?;
        let lost = lost(arguments.history.data.as_ref().and_then(DataPlace::file).map(Path::to_owned));
        let serve = async {
            // A problem of the node does not hide the address: /ready tells it.
            drop(service.first_blocks().await);
            say_address(&service.url())?;
            std::future::pending().await
        };
        tokio::select! {
            () = ending.wait() => Ok(()),
            failure = failed(|| service.failure()) => Err(CommandError::Failed(failure)),
            lost = lost => Err(CommandError::Failed(lost)),
            ended = serve => ended,
            () = log_news(&service) => Ok(()),
        }
    })
}

fn ready_limits(arguments: &ServeArguments) -> ReadyLimits {
    ReadyLimits { lag: arguments.ready_lag, trouble: arguments.ready_trouble }
}

fn listen_options(arguments: &ServeArguments) -> ListenOptions {
    let files = open_files::raise_limit();
    let fitting = files.saturating_sub(OWN_FILES).clamp(1, MOST_CONNECTIONS);
    let connections = arguments.max_connections.map_or(fitting, u64::from);
    if connections.saturating_add(OWN_FILES) > files {
        tracing::warn!("{connections} connections need more open files than the limit of {files}; raise it");
    }
    ListenOptions {
        connections: usize::try_from(connections).unwrap_or(usize::MAX),
        drain: arguments.drain,
        socket_mode: arguments.listen_mode,
    }
}

fn location(network: &Network) -> String {
    network.node.as_ref().map(|location| location.node.clone()).unwrap_or_default()
}

/// Logs each new problem of the node, its end, and the pace each minute; never ends. The follower logs what happens to
/// stored blocks.
async fn log_news(service: &NodeService) {
    let mut progress = service.progress();
    let mut trouble: Option<String> = None;
    let mut minutes = interval(PACE);
    minutes.tick().await;
    loop {
        {
            let now = progress.borrow_and_update();
            match &now.trouble {
                Some(sentence) if now.trouble != trouble => tracing::warn!("{sentence}; retrying"),
                Some(_) => {}
                None => {
                    if let Some(over) = &trouble {
                        tracing::info!("no longer: {over}");
                    }
                }
            }
            trouble.clone_from(&now.trouble);
        }
        tokio::select! {
            changed = progress.changed() => {
                if changed.is_err() {
                    return std::future::pending().await;
                }
            }
            _ = minutes.tick() => log_pace(&progress.borrow()),
        }
    }
}

fn log_pace(progress: &NodeProgress) {
    let node_height = progress.tip.map_or(0, Height::get);
    let (missing_blocks, blocks_per_minute) = (progress.missing, progress.blocks_per_minute);
    tracing::info!(node_height, missing_blocks, blocks_per_minute, is_at_tip = progress.is_at_tip, "pace");
}

/// Prints the address, once: a server may wait before it serves.
pub(super) fn say_address(url: &str) -> Result<(), CommandError> {
    static SAID: Once = Once::new();
    if SAID.is_completed() {
        return Ok(());
    }
    SAID.call_once(|| notify(NotifyState::Ready));
    match generated_docs::print(&format!("{url}\n")) {
        // The server is useful even if no process reads its address.
        Ok(()) | Err(CommandError::BrokenPipe) => Ok(()),
        Err(failure) => Err(failure),
    }
}

/// Waits until the index's file is removed, renamed or replaced, and returns what to do; never ends without a file. The
/// system keeps a removed file until it is closed, so that nothing else would notice.
pub(super) fn lost(data: Option<PathBuf>) -> impl Future<Output = String> {
    let opened = data.as_deref().and_then(FileIdentity::of);
    async move {
        let Some(path) = data else { return std::future::pending().await };
        let mut watch = interval(WATCH);
        loop {
            watch.tick().await;
            if FileIdentity::of(&path) != opened {
                let name = display_path(&path);
                return format!(
                    "{name} was removed, renamed or replaced while in use: put it back, or start again without it"
                );
            }
        }
    }
}

/// Waits for a fatal error of the served rollup, and returns it.
async fn failed(failure: impl Fn() -> Option<String>) -> String {
    let mut watch = interval(WATCH);
    loop {
        watch.tick().await;
        if let Some(failure) = failure() {
            return failure;
        }
    }
}

/// Signals that end a program which otherwise never ends.
pub(super) struct Ending {
    interrupt: Signal,
    terminate: Signal,
}

impl Ending {
    pub(super) fn listen() -> Result<Self, CommandError> {
        let listen = |kind| signal(kind).map_err(CommandError::failed);
        Ok(Self { interrupt: listen(SignalKind::interrupt())?, terminate: listen(SignalKind::terminate())? })
    }

    /// Waits for a signal; logs a system clock that is set meanwhile.
    pub(super) async fn wait(&mut self) {
        let clock = CommandClock::default();
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            never = clock.watch(|sentence| tracing::warn!("{sentence}")) => match never {},
        }
        notify(NotifyState::Stopping);
    }
}
