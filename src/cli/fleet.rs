use std::{
    ops::ControlFlow,
    path::Path,
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

use tokio::runtime::Runtime;

use super::{
    CommandError,
    arguments::{DataPlace, HistoryArguments, ServeArguments},
    node::{self, FoundNode, PreparedNode, Serving},
    serve::lost,
};
use crate::{
    client::HostLimits,
    config::{FleetMember, Network, Settings, read_fleet},
    domain::text,
    indexer::node::{ClientFeed, FIRST_RUN, FleetChain, NodeFleet},
};

/// First and longest pause before a chain without an index is tried again; each failure doubles the pause.
const PAUSE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

/// Fleet with a thread for each chain. Dropping it completes all files.
pub(super) struct RunningFleet {
    pub(super) fleet: NodeFleet,
    threads: Vec<JoinHandle<()>>,
}

impl Drop for RunningFleet {
    fn drop(&mut self) {
        self.fleet.stop();
        for thread in self.threads.drain(..) {
            // The panic hook has reported a panic.
            drop(thread.join());
        }
    }
}

/// Reads the networks of a file with the places of their data.
pub(super) fn members(file: &Path) -> Result<Vec<(Network, DataPlace)>, CommandError> {
    let members = read_fleet(file).map_err(|error| CommandError::Usage(error.to_string()))?;
    let placed = members.into_iter().map(|FleetMember { network, data }| {
        let data = DataPlace::parse(&data);
        let data =
            data.map_err(|why| CommandError::Usage(format!("the data of the network {}: {why}", network.name)))?;
        Ok((network, data))
    });
    placed.collect()
}

/// Starts serving the networks of a file. On return the address is bound; a chain that cannot be followed is tried
/// again until it can, and does not affect the others.
pub(super) fn start(
    file: &Path,
    arguments: &ServeArguments,
    serving: &Serving,
    settings: &Settings,
) -> Result<RunningFleet, CommandError> {
    let members = members(file)?;
    let names = members.iter().map(|(network, _)| network.name.clone());
    let fleet = NodeFleet::start(names, &serving.listen, serving.options()).map_err(CommandError::failed)?;
    let limits = HostLimits::from(node::AT_ONCE);
    let mut running = RunningFleet { fleet, threads: Vec::new() };
    for (chain, (network, data)) in running.fleet.chains().to_vec().into_iter().zip(members) {
        let history = HistoryArguments { data: Some(data), ..arguments.history.clone() };
        let follower = ChainFollower {
            network,
            history,
            serving: serving.clone(),
            timeout: settings.timeout,
            limits: limits.clone(),
        };
        let name = format!("follow-{}", chain.name());
        let thread = thread::Builder::new().name(name).spawn(move || follower.run(&chain));
        running.threads.push(thread.map_err(CommandError::failed)?);
    }
    Ok(running)
}

/// Waits on the calling thread; returns whether the fleet still runs.
fn wait(chain: &FleetChain, span: Duration) -> bool {
    if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_time().build() {
        runtime.block_on(async { chain.until_end(tokio::time::sleep(span)).await }).is_some()
    } else {
        thread::sleep(span);
        true
    }
}

/// Chain of a fleet that is looked for and followed on a thread of its own.
struct ChainFollower {
    network: Network,
    history: HistoryArguments,
    serving: Serving,
    timeout: Duration,
    limits: HostLimits,
}

impl ChainFollower {
    /// Follows the chain until the fleet ends or its index fails.
    fn run(self, chain: &Arc<FleetChain>) {
        // Of the highest level, so that lines of every level name the chain.
        let _span = tracing::error_span!("chain", message = chain.name()).entered();
        let (mut pause, longest) = PAUSE;
        loop {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let prepared = runtime.map_err(CommandError::failed).and_then(|runtime| self.prepare(chain, runtime));
            match prepared {
                Ok(Some(node)) => {
                    for note in &node.notes {
                        tracing::warn!("{note}");
                    }
                    tracing::info!("following the node");
                    let file = self.history.data.as_ref().and_then(DataPlace::file);
                    let (lost, watched) = (lost(file.map(Path::to_owned)), Arc::clone(chain));
                    node.runtime.spawn(async move { watched.fail(lost.await) });
                    let feed = ClientFeed::with_fallback(&node.client, chain.metrics(), node.fallback);
                    return chain.follow(node.runtime, feed, node.index, node.follow);
                }
                Ok(None) => return,
                Err(error) => {
                    let sentence = text::clean(&error.to_string()).into_owned();
                    if chain.set_trouble(sentence.clone()) {
                        tracing::warn!("{sentence}; retrying");
                    }
                    if !wait(chain, pause) {
                        return;
                    }
                }
            }
            pause = (pause * 2).min(longest);
        }
    }

    /// Finds the node and opens its index; `None` if the fleet ends first.
    fn prepare(&self, chain: &FleetChain, runtime: Runtime) -> Result<Option<PreparedNode>, CommandError> {
        // Lock first, so that a file of another process stays unchanged.
        let lock = self.history.lock()?;
        let (location, options) = (self.network.node.clone().unwrap_or_default(), self.history.options(self.timeout));
        let find = FoundNode::find(location, options, self.limits.clone(), FIRST_RUN);
        let mut wait = |holder: &str| {
            let reason = node::wait_reason(holder);
            if chain.set_trouble(reason.clone()) {
                tracing::info!("{reason}");
            }
            if chain.is_ending() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        match runtime.block_on(chain.until_end(find)) {
            Some(found) => {
                node::prepare(&self.network, runtime, found, &self.history, lock, &self.serving, &mut wait).map(Some)
            }
            None => Ok(None),
        }
    }
}
