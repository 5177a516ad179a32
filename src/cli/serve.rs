use std::{
    io::{self, IsTerminal as _},
    time::Duration,
};

use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    time::interval,
};

use super::{
    CommandError,
    arguments::ServeArguments,
    generated_docs,
    node::{self, Reached, Serving},
    rollup::{self, Files},
};
use crate::{
    config::{Network, NetworkChoice, Settings},
    indexer::node::NodeService,
};

/// Interval between checks that the served rollup still runs.
const WATCH: Duration = Duration::from_secs(1);

/// Serves the chosen node's rollup, else the embedded rollup, until SIGINT or SIGTERM. Prints the address first.
pub(super) fn run(arguments: ServeArguments, settings: &Settings) -> Result<(), CommandError> {
    match &settings.destination {
        Some(NetworkChoice::Node(network)) => serve_node(network, &arguments, settings),
        _ => serve_rollup(arguments),
    }
}

/// Serves the embedded rollup; prints its address after the history is indexed.
fn serve_rollup(arguments: ServeArguments) -> Result<(), CommandError> {
    if arguments.history.from.is_some() {
        return Err(CommandError::Usage("--from needs a node: give --node URL".to_owned()));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CommandError::failed)?;
    runtime.block_on(async {
        // Listen for signals before printing the address: a script that reads it may stop the server immediately.
        let mut ending = Ending::listen()?;
        let files = Files { data: arguments.history.data, journal: None };
        let rollup = rollup::start(&arguments.rollup, files, arguments.listen)?;
        for note in rollup.notes() {
            eprintln!("{note}");
        }
        if io::stderr().is_terminal() {
            eprintln!("indexing the history; the address follows");
        }
        // The printed address promises a complete history.
        tokio::select! {
            settled = rollup.indexed() => settled.map_err(CommandError::failed)?,
            () = ending.wait() => return Ok(()),
        }
        say_address(&rollup.url())?;
        tokio::select! {
            () = ending.wait() => Ok(()),
            failure = failed(|| rollup.failure()) => Err(CommandError::Failed(failure)),
        }
    })
}

/// Serves a node's rollup; prints its address after the newest blocks are indexed.
fn serve_node(network: &Network, arguments: &ServeArguments, settings: &Settings) -> Result<(), CommandError> {
    let serving = Serving {
        listen: arguments.listen,
        is_public: true,
        quirks: arguments.rollup.quirks,
        has_rich_list: !arguments.rollup.no_rich_list,
    };
    let service = match node::start(network, settings, &arguments.history, serving)? {
        Reached::Node(_, service, notes) => {
            for note in &notes {
                eprintln!("{note}");
            }
            service
        }
        Reached::Indexer(_, note) => {
            return Err(CommandError::Failed(format!("{note}: serve needs the node; give --node URL")));
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CommandError::failed)?;
    runtime.block_on(async {
        let mut ending = Ending::listen()?;
        let serve = async {
            first_blocks(&service).await;
            say_address(&service.url())?;
            std::future::pending().await
        };
        tokio::select! {
            () = ending.wait() => Ok(()),
            failure = failed(|| service.failure()) => Err(CommandError::Failed(failure)),
            ended = serve => ended,
            () = say_news(&service) => Ok(()),
        }
    })
}

/// Waits until the node's newest blocks are indexed.
async fn first_blocks(service: &NodeService) {
    // Another task reports a closed channel.
    let _ = service.progress().wait_for(|progress| progress.is_at_tip).await;
}

/// Prints each new problem of the node and of the stored blocks once; never ends.
async fn say_news(service: &NodeService) {
    let mut progress = service.progress();
    let (mut trouble, mut notes) = (None, Vec::new());
    loop {
        {
            let now = progress.borrow_and_update();
            for note in now.notes.iter().filter(|note| !notes.contains(*note)) {
                eprintln!("{note}");
            }
            notes.clone_from(&now.notes);
            match &now.trouble {
                Some(sentence) if now.trouble != trouble => eprintln!("{sentence}; retrying"),
                None if trouble.is_some() => eprintln!("the node answers again"),
                Some(_) | None => {}
            }
            trouble.clone_from(&now.trouble);
        }
        if progress.changed().await.is_err() {
            return std::future::pending().await;
        }
    }
}

fn say_address(url: &str) -> Result<(), CommandError> {
    match generated_docs::print(&format!("{url}\n")) {
        // The server is useful even if no process reads its address.
        Ok(()) | Err(CommandError::BrokenPipe) => Ok(()),
        Err(failure) => Err(failure),
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

struct Ending {
    interrupt: Signal,
    terminate: Signal,
}

impl Ending {
    fn listen() -> Result<Self, CommandError> {
        let listen = |kind| signal(kind).map_err(CommandError::failed);
        Ok(Self { interrupt: listen(SignalKind::interrupt())?, terminate: listen(SignalKind::terminate())? })
    }

    async fn wait(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
