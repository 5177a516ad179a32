//! The embedded rollup: ledger, index, HTTP and faults. Not a mock: the same program would serve a real chain.
//!
//! [`Rollup::start`] runs all of it on threads of its own; the handle stops them when it is dropped.

mod art;
pub mod chain;
pub mod differences;
pub mod faults;
mod http;
pub mod ledger;
mod node;
pub mod posted;
mod restart;
mod rlp;
pub mod router;
mod runner;
mod settlement;
mod shared;

pub use router::tracker::report::RouterStates;

use std::{
    io,
    net::{SocketAddr, TcpListener},
    path::PathBuf,
    sync::{Arc, mpsc},
    thread::{self, JoinHandle},
    time::Duration,
};

use self::{
    chain::BlockProducer,
    faults::Fault,
    ledger::{External, ExternalError, GENESIS_TIME, Ledger, LedgerError, LedgerOptions, Submitted},
    router::service::{RouterOptions, RouterService},
    runner::Runner,
    shared::{RollupShared, RunnerCommand},
};
use crate::{
    domain::{Height, Timestamp},
    files::{FileLock, LockError},
    indexer::index::{Index, IndexError},
};

/// Transactions that an index in memory keeps.
pub const KEPT_TXS: u64 = 20_000;

/// Blocks that the rich list stays behind.
const RICH_LIST_LAG: u64 = 1;

/// Blocks that the real server's rich list stays behind (`docs/apis/indexer.md` §7).
const REAL_RICH_LIST_LAG: u64 = 5;

/// How many times faster waits for finality pass unless told otherwise: seven days are a minute.
pub const TIME_SCALE: u32 = 10_080;

/// When blocks are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockMode {
    /// When they are due by the wall clock; what was missed in a sleep is made up for.
    #[default]
    Wall,
    /// By [`Rollup::step`] only.
    Stepped,
}

/// When the chain began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Genesis {
    /// At the ledger options' genesis time; a file with another one is refused.
    #[default]
    Fixed,
    /// As the file has it; in memory or a new file so that the history's last block is due now.
    HistoryAgo,
}

/// What a rollup is made of.
#[derive(Clone, Debug)]
pub struct RollupOptions {
    /// What fixes the chain's bytes.
    pub ledger: LedgerOptions,
    /// Whether the ledger's genesis time counts.
    pub genesis: Genesis,
    /// Blocks at the start; with the wall clock only those that are due.
    pub history: u64,
    /// How much later than the chain the index has a block; not used with the stepped clock.
    pub index_delay: Duration,
    /// Do what the real server does where it differs from the specification.
    pub quirks: bool,
    /// Keep no rich list.
    pub no_rich_list: bool,
    /// The index's file; without one it is in memory and keeps the newest [`KEPT_TXS`] transactions.
    pub data: Option<PathBuf>,
    /// The file that keeps the router's transfers; without one they are kept beside the index's file, or not at all.
    pub journal: Option<PathBuf>,
    /// How many times faster than on real chains the router's waits for finality pass.
    pub time_scale: u32,
    /// The words that the router's status has for the end of a transfer.
    pub router_states: RouterStates,
    /// What goes wrong from the start.
    pub faults: Vec<Fault>,
    /// When blocks are made.
    pub clock: ClockMode,
}

impl RollupOptions {
    /// The defaults: 5,000 blocks, by the wall clock, in memory, by the specification.
    pub fn new(ledger: LedgerOptions) -> Self {
        Self {
            ledger,
            genesis: Genesis::default(),
            history: 5_000,
            index_delay: Duration::ZERO,
            quirks: false,
            no_rich_list: false,
            data: None,
            journal: None,
            time_scale: TIME_SCALE,
            router_states: RouterStates::default(),
            faults: Vec::new(),
            clock: ClockMode::default(),
        }
    }
}

/// Why there is no rollup.
#[derive(Debug, thiserror::Error)]
pub enum RollupError {
    /// The address cannot be listened on.
    #[error("cannot listen on {0}: {1}; choose another --listen, port 0 takes any")]
    Listen(SocketAddr, io::Error),
    /// A thread or its runtime cannot be started.
    #[error("cannot start the embedded rollup: {0}")]
    Start(io::Error),
    /// The index cannot be used.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// Another program has the file, or the system refuses it.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The ledger cannot be made.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The same options made another block than the file has.
    #[error("the file was made by another version: its block {0} differs; give another --data")]
    OtherBlock(Height),
    /// A rollup by the wall clock cannot be stepped.
    #[error("only a rollup with a stepped clock makes blocks on command")]
    NotStepped,
    /// It failed while it ran; the sentence says why.
    #[error("{0}")]
    Failed(String),
}

/// A running rollup. Dropping it stops its threads and closes its connections.
#[derive(Debug)]
pub struct Rollup {
    shared: Arc<RollupShared>,
    address: SocketAddr,
    threads: Vec<JoinHandle<()>>,
    notes: Vec<String>,
}

impl Rollup {
    /// Starts the simulated rollup. The address is bound on return; requests wait until the newest blocks are indexed, with
    /// the real server's quirks until the whole history is.
    pub fn start(options: RollupOptions, listen: SocketAddr) -> Result<Self, RollupError> {
        Self::start_with(options, listen, |ledger| Ok(Box::new(Ledger::genesis(ledger)?)))
    }

    /// Starts a rollup on another chain; `make` is called once, on the rollup's own thread.
    pub fn start_with(
        mut options: RollupOptions,
        listen: SocketAddr,
        make: impl FnOnce(LedgerOptions) -> Result<Box<dyn BlockProducer>, LedgerError> + Send + 'static,
    ) -> Result<Self, RollupError> {
        let bind = || {
            let listener = TcpListener::bind(listen)?;
            listener.set_nonblocking(true)?;
            Ok((listener.local_addr()?, listener))
        };
        // Before anything else is read or bound: what another program writes is not touched.
        let lock = options.data.as_deref().map(FileLock::take).transpose()?;
        let (address, listener) = bind().map_err(|error| RollupError::Listen(listen, error))?;
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

    /// What a person should know of how it started, as sentences.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Where it listens, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where its node's RPC is; the other interfaces lie beside it.
    pub fn node_url(&self) -> String {
        node::rpc_url(&self.url())
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Makes blocks and returns when they are indexed (at once while the index is stalled), with the newest height.
    /// Transfers under way are taken on after each of them.
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
        indexed.recv().map_err(|_| RollupError::Failed(self.failure().unwrap_or_else(|| "it has stopped".to_owned())))
    }

    /// Brings a transaction from outside into the next block; see [`Ledger::submit`]. Blocks until that is certain.
    pub fn submit(&self, external: External) -> Result<Submitted, ExternalError> {
        self.shared.submit(external)
    }

    /// The time on the chain: the wall clock, or with a stepped clock the time of the newest block.
    pub fn chain_now(&self) -> Timestamp {
        self.shared.chain_now()
    }

    /// Blocks until requests are answered, or fails with the reason why they never will be.
    pub fn wait_until_ready(&self) -> Result<(), RollupError> {
        self.shared.wait_until_ready()
    }

    /// Waits until the whole history is indexed, or as much of it as is kept; fails with the reason why it never will be.
    /// A history that stands still on purpose is not waited for.
    pub async fn indexed(&self) -> Result<(), RollupError> {
        self.shared.settled().await;
        self.failure().map_or(Ok(()), |sentence| Err(RollupError::Failed(sentence)))
    }

    /// Blocks until the whole history is indexed, or as much of it as is kept, or stands still on purpose.
    pub fn wait_until_indexed(&self) -> Result<(), RollupError> {
        self.shared.wait_until_complete()
    }

    /// Replaces the faults.
    pub fn set_faults(&self, faults: Vec<Fault>) {
        self.shared.set_faults(faults);
    }

    /// Why it cannot go on, as a sentence; `None` while it runs.
    pub fn failure(&self) -> Option<String> {
        self.shared.failure()
    }
}

impl Drop for Rollup {
    fn drop(&mut self) {
        self.shared.stop().cancel();
        self.shared.tell(RunnerCommand::Wake);
        for thread in self.threads.drain(..) {
            // A panic was reported when it happened.
            drop(thread.join());
        }
        self.shared.index().close();
    }
}

/// The genesis time of the file, or the one that makes the history's last block due now.
fn genesis_time(options: &RollupOptions) -> Result<Timestamp, RollupError> {
    if let Some(path) = &options.data
        && let Some(kept) = Index::fact_of(path, GENESIS_TIME)?.and_then(|text| text.parse().ok())
    {
        return Ok(kept);
    }
    let blocks = u32::try_from(options.history).unwrap_or(u32::MAX);
    Ok(Timestamp::now().before(options.ledger.block_time.saturating_mul(blocks)))
}
