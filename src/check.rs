//! Holds what an indexer answers against the chain's own node. The records of `indexer::node` are the truth; what
//! differs is a fact with both values.
//!
//! ```text
//! difference what a check finds
//! known      the ways in which the real indexer is known to differ
//! json       two pieces of JSON, field by field
//! records    blocks, transactions, receipts and call frames compared
//! inner      by which types a transaction is found
//! selection  which blocks are checked
//! unproven   what neither side proves
//! session    asks both sides, part by part
//! ```

mod difference;
mod inner;
mod json;
mod known;
mod records;
mod selection;
mod session;
mod unproven;

pub use difference::{CheckedPart, CheckedRecord, Finding, Findings, NotAsked, PartCounts, SideDifference};
pub use inner::types_of;
pub use known::KnownWay;
pub use records::{IndexerSide, ListedRows, NodeSide, compare_records};
pub use selection::{BlockSelection, SelectionError};
pub use session::{CheckError, CheckSession, CheckStep, SkippedPart};
pub use unproven::UnprovenClaim;
