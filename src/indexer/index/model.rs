//! Identity, range and errors of an index, and conversions of its numbers for the database.

use crate::{
    domain::{Height, Vm},
    files::LockError,
};

#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error("the index's database failed: {0}")]
    Database(#[from] rusqlite::Error),
    #[error(
        "the file belongs to another rollup: its {name} is {kept}, not {wanted}; give it the same options or another --data"
    )]
    Belongs { name: &'static str, kept: String, wanted: String },
    /// Another program has locked the file, or the system denies access.
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

/// Kind of an index's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexFeed {
    /// Simulation, which knows the global number of each record.
    Simulation,
    /// Node, which does not: the index assigns numbers upwards and downwards from its first block.
    Node,
}

impl IndexFeed {
    /// Returns the name stored in files.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Simulation => "simulation",
            Self::Node => "node",
        }
    }
}

/// Identity that a file's index must match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexIdentity {
    /// VM, which determines how blocks are parsed.
    pub vm: Vm,
    pub feed: IndexFeed,
    /// Further facts by name: for a simulation the options that determine every byte.
    pub facts: Vec<(&'static str, String)>,
}

/// Range of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Oldest block.
    pub from: Height,
    /// Newest block.
    pub tip: Height,
    pub first_sequence: u64,
    /// Sequence of the next new transaction.
    pub next_sequence: u64,
}

impl Bounds {
    pub fn blocks(&self) -> u64 {
        self.tip.get() - self.from.get() + 1
    }

    pub fn txs(&self) -> u64 {
        self.next_sequence - self.first_sequence
    }
}

/// First sequence of an index that assigns its own. Older records get lower numbers, newer ones higher; neither end is
/// ever reached.
pub(super) const ORIGIN: i64 = 1 << 40;

/// Converts a number for the database; heights and sequences stay far below the limit.
pub(super) fn integer(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Converts a database number that is never negative.
pub(super) fn unsigned(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}
