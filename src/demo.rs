//! Embedded rollup: ledger, index, HTTP server and faults. Its server could also serve a real chain.
//!
//! [`Rollup::start`] runs it on its own threads; dropping the handle stops them.

mod art;
pub mod chain;
pub mod differences;
pub mod faults;
mod http;
pub mod ledger;
mod node;
mod options;
pub mod posted;
mod restart;
mod rlp;
pub mod router;
mod runner;
mod settlement;
mod shared;

pub use options::{ClockMode, Genesis, RollupError, RollupOptions, TIME_SCALE};
pub use router::tracker::report::RouterStates;

use std::{
    net::SocketAddr,
    sync::{Arc, mpsc},
    thread::{self, JoinHandle},
};

use self::{
    chain::BlockProducer,
    faults::Fault,
    ledger::{External, ExternalError, Ledger, LedgerError, LedgerOptions, Submitted},
    router::service::{RouterOptions, RouterService},
    runner::Runner,
    shared::{RollupShared, RunnerCommand},
};
use crate::{
    domain::{Height, Timestamp},
    files::FileLock,
    indexer::{http::BoundListener, index::Index},
};

/// Maximum transactions in an in-memory index.
pub const KEPT_TXS: u64 = 20_000;

/// Lag of the rich list, in blocks.
const RICH_LIST_LAG: u64 = 1;

/// Lag of the real server's rich list, in blocks (`docs/apis/indexer.md` §7).
const REAL_RICH_LIST_LAG: u64 = 5;

/// Running rollup. Dropping it stops its threads and closes its connections.
#[derive(Debug)]
pub struct Rollup {
    shared: Arc<RollupShared>,
    address: SocketAddr,
    threads: Vec<JoinHandle<()>>,
    notes: Vec<String>,
}

impl Rollup {
    /// Starts the simulated rollup. When it returns, the address is bound. Requests wait until the newest blocks are
    /// indexed or, with quirks, the whole history.
    pub fn start(options: RollupOptions, listen: SocketAddr) -> Result<Self, RollupError> {
        Self::start_with(options, listen, |ledger| Ok(Box::new(Ledger::genesis(ledger)?)))
    }

    /// Starts a rollup on another chain; calls `make` once, on the rollup's own thread.
    pub fn start_with(
        mut options: RollupOptions,
        listen: SocketAddr,
        make: impl FnOnce(LedgerOptions) -> Result<Box<dyn BlockProducer>, LedgerError> + Send + 'static,
    ) -> Result<Self, RollupError> {
        // The lock comes first, so that the rollup never touches a file in use by another program.
        let lock = options.data.as_deref().map(FileLock::take).transpose()?;
        let bound = BoundListener::tcp(listen);
        let (address, listener) = bound.map_err(|error| RollupError::Listen(listen, error))?;
        let mut notes = Vec::new();
        let journal = restart::take_up(&mut options, &mut notes)?;
        let identity = options.ledger.identity();
        let index = match options.data.as_deref().zip(lock) {
            Some((path, lock)) => Index::in_locked_file(path, lock, &identity)?,
            None => Index::in_memory(&identity, KEPT_TXS)?,
        };
        let lag = if options.quirks { REAL_RICH_LIST_LAG } else { RICH_LIST_LAG };
        let index = index.with_rich_list_lag(lag);
        let journal = journal.map(|found| found.settle(&mut notes));
        if let (None, Some((_, Some(record)))) = (&options.data, &journal) {
            restart::replay(record, &index)?;
        }
        let router = RouterService::new(
            &options.ledger,
            RouterOptions {
                time_scale: options.time_scale,
                states: options.router_states,
                url: format!("http://{address}"),
                journal,
                has_file: options.data.is_some(),
            },
        );
        let ledger = options.ledger.clone();
        let (sender, commands) = mpsc::channel();
        let shared = Arc::new(RollupShared::new(options, index, router, sender));
        let mut rollup = Self { shared, address, threads: Vec::new(), notes };
        rollup.spawn("rollup-index", move |shared| Runner::run(Arc::clone(shared), make(ledger)?, commands))?;
        rollup.spawn("rollup-http", move |shared| http::serve(listener, shared).map_err(RollupError::Start))?;
        Ok(rollup)
    }

    fn spawn(
        &mut self,
        name: &str,
        job: impl FnOnce(&Arc<RollupShared>) -> Result<(), RollupError> + Send + 'static,
    ) -> Result<(), RollupError> {
        let shared = Arc::clone(&self.shared);
        let work = move || {
            if let Err(error) = job(&shared) {
                shared.fail(&error);
            }
        };
        self.threads.push(thread::Builder::new().name(name.to_owned()).spawn(work).map_err(RollupError::Start)?);
        Ok(())
    }

    /// Returns messages for the user about the start.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the listening URL without a trailing slash.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the RPC URL of the rollup's node. The node's other interfaces have paths beside it.
    pub fn node_url(&self) -> String {
        node::rpc_url(&self.url())
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Makes blocks and waits until they are indexed, unless the index is stalled. Advances transfers after each block.
    /// Returns the newest height.
    pub fn step(&self, blocks: u64) -> Result<Height, RollupError> {
        let mut left = blocks;
        loop {
            let at_once = if self.shared.router().is_idle() { left } else { left.min(1) };
            let newest = self.make(at_once)?;
            self.shared.move_transfers();
            left -= at_once;
            if left == 0 {
                return Ok(newest);
            }
        }
    }

    fn make(&self, blocks: u64) -> Result<Height, RollupError> {
        if self.shared.settings().clock != ClockMode::Stepped {
            return Err(RollupError::NotStepped);
        }
        let (done, indexed) = mpsc::sync_channel(1);
        self.shared.tell(RunnerCommand::Step { blocks, done });
        indexed.recv().map_err(|_| {
            RollupError::Failed(self.failure().unwrap_or_else(|| "the embedded rollup has stopped".to_owned()))
        })
    }

    /// Adds an external transaction to the next block; see [`Ledger::submit`]. Blocks until it is accepted.
    pub fn submit(&self, external: External) -> Result<Submitted, ExternalError> {
        self.shared.submit(external)
    }

    /// Returns the time on the chain: the wall clock, or with a stepped clock the time of the newest block.
    pub fn chain_now(&self) -> Timestamp {
        self.shared.chain_now()
    }

    /// Blocks until the server answers requests, or returns the rollup's failure.
    pub fn wait_until_ready(&self) -> Result<(), RollupError> {
        self.shared.wait_until_ready()
    }

    /// Waits until the history is indexed down to the oldest kept block, or the index is stalled. Returns the rollup's
    /// failure, if any.
    pub async fn indexed(&self) -> Result<(), RollupError> {
        self.shared.settled().await;
        self.failure().map_or(Ok(()), |sentence| Err(RollupError::Failed(sentence)))
    }

    /// Blocks until the history is indexed down to the oldest kept block, or the index is stalled.
    pub fn wait_until_indexed(&self) -> Result<(), RollupError> {
        self.shared.wait_until_complete()
    }

    pub fn set_faults(&self, faults: Vec<Fault>) {
        self.shared.set_faults(faults);
    }

    /// Returns why the rollup failed; `None` while it runs.
    pub fn failure(&self) -> Option<String> {
        self.shared.failure()
    }
}

impl Drop for Rollup {
    fn drop(&mut self) {
        self.shared.stop().cancel();
        self.shared.tell(RunnerCommand::Wake);
        for thread in self.threads.drain(..) {
            // The panic handler has reported a panic already.
            drop(thread.join());
        }
        self.shared.index().close();
    }
}
