//! A rollup's own node as the source of the index: how its answers become the records of the indexer API
//! (`docs/apis/node.md`).

mod facts;
mod frames;
mod receipts;
mod record;
mod record_error;
mod signer;

pub use facts::{
    CollectionFact, StateQuery, TokenFact, collection_fact, collection_query, creator_fact, creator_query, token_fact, token_query,
};
pub use frames::traces;
pub use receipts::receipts;
pub use record::{MonikerTable, committed_block};
pub use record_error::{RecordError, RecordPlace, RecordProblem};
