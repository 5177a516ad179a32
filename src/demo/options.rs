//! Options of the embedded rollup, and why it fails.

use std::{io, net::SocketAddr, path::PathBuf, time::Duration};

use super::{
    faults::Fault,
    ledger::{LedgerError, LedgerOptions},
    router::tracker::report::RouterStates,
};
use crate::{domain::Height, files::LockError, indexer::index::IndexError};

/// Default speed-up of waits for finality: seven days become one minute.
pub const TIME_SCALE: u32 = 10_080;

/// Clock of block production.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockMode {
    /// Wall clock; blocks missed during a suspension are made up.
    #[default]
    Wall,
    /// Blocks only by [`Rollup::step`](super::Rollup::step).
    Stepped,
}

/// Genesis time of the chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Genesis {
    /// The ledger options' genesis time; a file with another time is refused.
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
    /// Index file; without one the index is in memory with the newest [`KEPT_TXS`](super::KEPT_TXS) transactions.
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
    /// The file's options produce a block that differs from the stored one.
    #[error("another rollscope version wrote the file: its block {0} differs; use another --data")]
    OtherBlock(Height),
    #[error("only a rollup with a stepped clock makes blocks on command")]
    NotStepped,
    /// Failure at run time, with the reason.
    #[error("{0}")]
    Failed(String),
}
