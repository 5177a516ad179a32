//! A rollup's own node as the source of the index: how its answers become the records of the indexer API
//! (`docs/apis/node.md`).

mod frames;
mod receipts;
mod record;
mod record_error;
mod signer;

pub use frames::traces;
pub use receipts::receipts;
pub use record::{MonikerTable, committed_block};
pub use record_error::{RecordError, RecordPlace, RecordProblem};
