//! Comparison of an indexer with its chain's own node. The records of `indexer::node` are the truth; each difference is
//! a fact with both values.
//!
//! ```text
//! difference findings of a check
//! known      known deviations of the real indexer
//! json       comparison of two JSON values
//! records    comparison of blocks, transactions, receipts and call frames
//! inner      message types under which an indexer lists a transaction
//! selection  choice of blocks
//! metrics    metrics of a check that goes on, and their server
//! unproven   claims that neither side proves
//! session    requests to both sides, part by part
//! ```

mod difference;
mod inner;
mod json;
mod known;
mod metrics;
mod records;
mod selection;
mod session;
mod unproven;

pub use difference::{
    CheckedPart, CheckedRecord, DifferenceCause, Finding, Findings, NotAsked, PartCounts, SideDifference,
};
pub use inner::types_of;
pub use known::KnownWay;
pub use metrics::{CheckMetrics, MetricsServer};
pub use records::{IndexerSide, ListedRows, NodeSide, RecordRules, compare_records};
pub use selection::{BlockSelection, SelectionError};
pub use session::{CheckError, CheckSession, CheckStep, SkippedPart};
pub use unproven::UnprovenClaim;
