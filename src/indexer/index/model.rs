//! Identity, block range and errors of an index, and conversion of its numbers for the database.

use std::{
    io,
    path::PathBuf,
    sync::{Mutex, atomic::AtomicBool},
};

use tokio::sync::watch;

use crate::{
    domain::{Height, Vm},
    files::LockError,
    indexer::progress::NodeProgress,
};

/// Version of the format; increased when the index can no longer read older files, which [`super::migrate`] converts.
pub(super) const FORMAT: u32 = 9;

/// Oldest format whose packets are all listed.
pub(super) const WITH_PACKETS: u32 = 8;

/// Oldest format that can be converted.
const OLDEST: u32 = 7;

#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error("the index's database failed: {0}")]
    Database(#[from] rusqlite::Error),
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Postgres(#[from] super::postgres::PostgresError),
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Lease(#[from] super::postgres::LeaseError),
    #[error(
        "the index belongs to another rollup: its {name} is {kept}, not {wanted}; use the options of that rollup or another --data"
    )]
    Belongs { name: &'static str, kept: String, wanted: String },
    #[error(
        "a newer rollscope wrote the index: its format is {0}, and this version reads up to {FORMAT}; use the newer one"
    )]
    Newer(u32),
    #[error(
        "the index has format {0}, which this version no longer converts (it does from {OLDEST} on); use another --data"
    )]
    Older(u32),
    #[error("the index has format {0}: start the program that writes it, which converts it to {FORMAT}")]
    Unconverted(u32),
    #[error("this is no index of a node, as serve --node writes it")]
    NoIndex,
    #[error("{} is no index of rollscope, as serve --data writes it", .0.display())]
    NoFile(PathBuf),
    #[error("there is no file {}; serve --data writes one", .0.display())]
    Missing(PathBuf),
    #[error("a copy of the file needs {} MiB, and {} MiB are free there; make room first", needed.div_ceil(1 << 20), free >> 20)]
    Space { needed: u64, free: u64 },
    #[error("cannot replace the file by its converted copy: {0}")]
    Replace(io::Error),
    #[error("the copy has other rows than its source in table {0}; check the disk")]
    Differs(String),
    #[error("the store has a table {0}, which this version does not know; use the version that writes it")]
    UnknownTable(String),
    #[error("the database has blocks already; name a schema of its own with ?schema=NAME in the URL, or drop that one")]
    NotEmpty,
    #[error("the file is being written without a log; try again")]
    Busy,
    /// Another program locked the file, or the system denies access.
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error("the index is closed")]
    Closed,
    #[error("a record of the index is damaged")]
    Body,
    /// The source announced a block but cannot return it.
    #[error("the chain has lost block {0}")]
    NoBlock(Height),
    #[error("block {0} does not link to the block below it")]
    OtherParent(Height),
    #[error("the index holds blocks {0} to {1}; block {2} leaves a gap")]
    Gap(Height, Height, Height),
}

impl IndexError {
    /// Whether the same may succeed later: the disk is full, or the database is away.
    pub(crate) fn may_pass(&self) -> bool {
        use rusqlite::ErrorCode::{DiskFull, SystemIoFailure};
        match self {
            Self::Database(error) => matches!(error.sqlite_error_code(), Some(DiskFull | SystemIoFailure)),
            #[cfg(feature = "postgres")]
            Self::Postgres(error) if error.is_disk_full() => true,
            #[cfg(feature = "postgres")]
            Self::Lease(super::postgres::LeaseError::Lapsed) => true,
            _ => self.is_interrupted(),
        }
    }

    /// Whether another process follows the rollup into the store from now on.
    pub(crate) fn is_lease_lost(&self) -> bool {
        match self {
            #[cfg(feature = "postgres")]
            Self::Lease(super::postgres::LeaseError::Lost(_)) => true,
            _ => false,
        }
    }

    /// Whether a server is away, or ended the query: the same may succeed at once.
    pub(crate) fn is_interrupted(&self) -> bool {
        match self {
            #[cfg(feature = "postgres")]
            Self::Postgres(error) => error.is_connection_lost() || error.is_conflict_with_recovery(),
            _ => false,
        }
    }
}

pub(super) fn refuse_newer(found: u32) -> Result<(), IndexError> {
    if found > FORMAT { Err(IndexError::Newer(found)) } else { Ok(()) }
}

pub(super) fn refuse_older(found: u32) -> Result<(), IndexError> {
    if found < OLDEST { Err(IndexError::Older(found)) } else { Ok(()) }
}

/// State of an index that only reads its file.
#[derive(Debug)]
pub(super) struct FileReader {
    /// The file's state that was read last; `None` before.
    pub(super) seen: Mutex<Option<i64>>,
    pub(super) progress: watch::Sender<NodeProgress>,
    /// Whether the last look at what the other process wrote succeeded.
    pub(super) is_current: AtomicBool,
}

/// Kind of source that feeds an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexFeed {
    /// Simulation, which knows the global sequence number of each record.
    Simulation,
    /// Node, which does not know sequence numbers: the index assigns numbers in both directions from its first block.
    Node,
}

impl IndexFeed {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Simulation => "simulation",
            Self::Node => "node",
        }
    }
}

/// Identity with which a file's index must agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexIdentity {
    /// Virtual machine, which determines how blocks are parsed.
    pub vm: Vm,
    pub feed: IndexFeed,
    /// Further facts by name; for a simulation, the options that determine every byte.
    pub facts: Vec<(&'static str, String)>,
}

/// Branch of the chain that an index holds: it changes whenever stored blocks are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainBranch(pub(super) u64);

/// Range of blocks and sequence numbers in an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Oldest block.
    pub from: Height,
    /// Newest block.
    pub tip: Height,
    pub first_sequence: u64,
    pub next_sequence: u64,
    /// Blocks between them that the index lacks.
    pub missing: u64,
}

impl Bounds {
    pub fn blocks(&self) -> u64 {
        self.tip.get() - self.from.get() + 1 - self.missing
    }

    pub fn txs(&self) -> u64 {
        self.next_sequence - self.first_sequence
    }
}

/// First sequence number of an index that assigns its own numbers. Older records get lower numbers, newer records
/// higher; neither end of the range is ever reached.
pub(super) const ORIGIN: i64 = 1 << 40;

/// Converts a number for the database; heights and sequence numbers stay far below the limit.
pub(super) fn integer(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Converts a number from the database that is never negative.
pub(super) fn unsigned(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}
