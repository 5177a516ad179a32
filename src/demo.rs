//! Embedded rollup: ledger, index, HTTP and faults. Not a mock: the server code would serve a real chain too.
//!
//! [`Rollup::start`] runs it on its own threads; dropping the handle stops them.

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

/// Maximum transactions in an in-memory index.
pub const KEPT_TXS: u64 = 20_000;

/// Lag of the rich list in blocks.
const RICH_LIST_LAG: u64 = 1;

/// Lag of the real server's rich list in blocks (`docs/apis/indexer.md` §7).
const REAL_RICH_LIST_LAG: u64 = 5;

/// Default speed-up of waits for finality: seven days become one minute.
pub const TIME_SCALE: u32 = 10_080;

/// Clock of block production.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockMode {
    /// Wall clock; blocks missed during a suspension are made up.
    #[default]
    Wall,
    /// Only by [`Rollup::step`].
    Stepped,
}

/// Genesis time of the chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Genesis {
    /// The ledger options' genesis time; a file with another one is refused.
    #[default]
    Fixed,
    /// Genesis time of the file; a new or in-memory chain starts early enough that the history ends now.
    HistoryAgo,
}

#[derive(Clone, Debug)]
pub struct RollupOptions {
    /// Options that determine the chain's bytes.
    pub ledger: LedgerOptions,
    /// Whether the ledger's genesis time counts.
    pub genesis: Genesis,
    /// Initial blocks; with the wall clock only the due ones.
    pub history: u64,
    /// Delay between chain and index; ignored with the stepped clock.
    pub index_delay: Duration,
    /// Imitates the real server where it differs from the specification.
    pub quirks: bool,
    /// Disables the rich list.
    pub no_rich_list: bool,
    /// Index file; without one the index is in memory with the newest [`KEPT_TXS`] transactions.
    pub data: Option<PathBuf>,
    /// Journal of the router's transfers; by default beside the index file, or none.
    pub journal: Option<PathBuf>,
    /// Speed-up of the router's waits for finality.
    pub time_scale: u32,
    /// State names of finished transfers.
    pub router_states: RouterStates,
    /// Initial faults.
    pub faults: Vec<Fault>,
    pub clock: ClockMode,
}

impl RollupOptions {
    /// Returns the defaults: 5,000 blocks, wall clock, in memory, as specified.
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

/// Why a rollup cannot start or continue.
#[derive(Debug, thiserror::Error)]
pub enum RollupError {
    #[error("cannot listen on {0}: {1}; choose another --listen; port 0 picks a free one")]
    Listen(SocketAddr, io::Error),
    #[error("cannot start the embedded rollup: {0}")]
    Start(io::Error),
    #[error(transparent)]
    Index(#[from] IndexError),
    /// Another program has locked the file, or the system denies access.
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The file's options produce another block than the one it contains.
    #[error("another version made the file: its block {0} differs; use another --data")]
    OtherBlock(Height),
    #[error("only a rollup with a stepped clock makes blocks on command")]
    NotStepped,
    /// Failure at run time, with the reason.
    #[error("{0}")]
    Failed(String),
}

/// Running rollup. Dropping it stops its threads and closes its connections.
#[derive(Debug)]
pub struct Rollup {
    shared: Arc<RollupShared>,
    address: SocketAddr,
    threads: Vec<JoinHandle<()>>,
    notes: Vec<String>,
}

impl Rollup {
    /// Starts the simulated rollup. On return the address is bound; requests wait until the newest blocks are indexed,
    /// with quirks until the whole history is.
    pub fn start(options: RollupOptions, listen: SocketAddr) -> Result<Self, RollupError> {
        Self::start_with(options, listen, |ledger| Ok(Box::new(Ledger::genesis(ledger)?)))
    }

    /// Starts a rollup on another chain; calls `make` once, on the rollup's own thread.
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
        // The lock comes first, so that another program's file stays untouched.
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

    /// Returns messages about the start for the user.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the listening URL without a trailing slash.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the RPC URL of its node; the other interfaces are beside it.
    pub fn node_url(&self) -> String {
        node::rpc_url(&self.url())
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Makes blocks and waits until they are indexed, unless the index is stalled; returns the newest height. Advances
    /// transfers after each block.
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

    /// Adds an external transaction to the next block; see [`Ledger::submit`]. Blocks until it is accepted.
    pub fn submit(&self, external: External) -> Result<Submitted, ExternalError> {
        self.shared.submit(external)
    }

    /// Returns the time on the chain: the wall clock, or with a stepped clock the time of the newest block.
    pub fn chain_now(&self) -> Timestamp {
        self.shared.chain_now()
    }

    /// Blocks until requests are answered, or returns the failure.
    pub fn wait_until_ready(&self) -> Result<(), RollupError> {
        self.shared.wait_until_ready()
    }

    /// Waits until the history is indexed up to the kept blocks, or stalled; returns the failure if there is one.
    pub async fn indexed(&self) -> Result<(), RollupError> {
        self.shared.settled().await;
        self.failure().map_or(Ok(()), |sentence| Err(RollupError::Failed(sentence)))
    }

    /// Blocks until the history is indexed up to the kept blocks, or stalled.
    pub fn wait_until_indexed(&self) -> Result<(), RollupError> {
        self.shared.wait_until_complete()
    }

    pub fn set_faults(&self, faults: Vec<Fault>) {
        self.shared.set_faults(faults);
    }

    /// Returns the cause of the failure; `None` while the rollup runs.
    pub fn failure(&self) -> Option<String> {
        self.shared.failure()
    }
}

impl Drop for Rollup {
    fn drop(&mut self) {
        self.shared.stop().cancel();
        self.shared.tell(RunnerCommand::Wake);
        for thread in self.threads.drain(..) {
            // A panic has been reported.
            drop(thread.join());
        }
        self.shared.index().close();
    }
}

/// Returns the file's genesis time, or one that makes the history's last block due now.
fn genesis_time(options: &RollupOptions) -> Result<Timestamp, RollupError> {
    if let Some(path) = &options.data
        && let Some(kept) = Index::fact_of(path, GENESIS_TIME)?.and_then(|text| text.parse().ok())
    {
        return Ok(kept);
    }
    let blocks = u32::try_from(options.history).unwrap_or(u32::MAX);
    Ok(Timestamp::now().before(options.ledger.block_time.saturating_mul(blocks)))
}
