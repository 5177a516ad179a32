//! Options and errors of the embedded rollup.

use std::{io, net::SocketAddr, path::PathBuf, time::Duration};

use super::{
    faults::Fault,
    ledger::{LedgerError, LedgerOptions},
    router::tracker::report::RouterStates,
};
use crate::{
    domain::Height,
    files::LockError,
    indexer::{http::ListenOptions, index::IndexError, progress::ReadyLimits},
};

/// Default speed-up of waits for finality: seven days take one minute.
pub const TIME_SCALE: u32 = 10_080;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockMode {
    /// Wall clock. After a suspension the rollup makes the missed blocks.
    #[default]
    Wall,
    /// Blocks come only from [`Rollup::step`](super::Rollup::step).
    Stepped,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Genesis {
    /// Genesis time in the ledger options. The rollup refuses a file with another genesis time.
    #[default]
    Fixed,
    /// Genesis time in the file. A new or in-memory chain starts early enough that its history ends now.
    HistoryAgo,
}

#[derive(Clone, Debug)]
pub struct RollupOptions {
    /// Options that determine every byte of the chain.
    pub ledger: LedgerOptions,
    pub genesis: Genesis,
    /// Number of blocks made at the start. With the wall clock, these are the blocks that are due.
    pub history: u64,
    /// Lag of the index behind the chain. The stepped clock ignores it.
    pub index_delay: Duration,
    /// Whether to behave like the real server where it differs from the specification.
    pub quirks: bool,
    /// Whether to serve no rich list.
    pub no_rich_list: bool,
    /// Index file. Without a file, memory holds the newest [`KEPT_TXS`](super::KEPT_TXS) transactions.
    pub data: Option<PathBuf>,
    /// Journal of the router's transfers. By default it is beside the index file; without an index file there is none.
    pub journal: Option<PathBuf>,
    /// Speed-up of the router's waits for finality.
    pub time_scale: u32,
    /// Names that the router gives the final states of transfers.
    pub router_states: RouterStates,
    pub faults: Vec<Fault>,
    pub clock: ClockMode,
    /// Limits of `/ready`.
    pub ready: ReadyLimits,
    pub listen: ListenOptions,
}

impl RollupOptions {
    /// Returns the defaults: 5,000 blocks, wall clock, in memory, no quirks.
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
            ready: ReadyLimits::default(),
            listen: ListenOptions::default(),
        }
    }
}

/// Why a rollup cannot start or stopped.
#[derive(Debug, thiserror::Error)]
pub enum RollupError {
    #[error("cannot listen on {0}: {1}; choose another --listen; port 0 picks a free one")]
    Listen(SocketAddr, io::Error),
    #[error("cannot start the embedded rollup: {0}")]
    Start(io::Error),
    #[error(transparent)]
    Index(#[from] IndexError),
    /// Another program locked the file, or the system denies access.
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// These options produce another block than the file has at this height.
    #[error("another rollscope version wrote the file: its block {0} differs; use another --data")]
    OtherBlock(Height),
    #[error("only a rollup with a stepped clock makes blocks on command")]
    NotStepped,
    /// The rollup stopped, for this reason.
    #[error("{0}")]
    Failed(String),
}
