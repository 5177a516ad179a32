use std::fmt;

use crate::domain::Height;

/// Invalid response of a node about a block.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place} of block {height}: {problem}")]
pub struct RecordError {
    pub height: Height,
    pub place: RecordPlace,
    pub problem: RecordProblem,
}

/// Part of the responses about a block; indices start at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordPlace {
    Header,
    Results,
    Txs,
    Tx(usize),
    Receipt(usize),
    Trace(usize),
}

impl fmt::Display for RecordPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => formatter.write_str("the header"),
            Self::Results => formatter.write_str("the results"),
            Self::Txs => formatter.write_str("the transactions"),
            Self::Tx(place) => write!(formatter, "transaction {place}"),
            Self::Receipt(place) => write!(formatter, "receipt {place}"),
            Self::Trace(place) => write!(formatter, "trace {place}"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordProblem {
    #[error("found block {0}")]
    OtherBlock(Height),
    /// The number of transactions differs between two responses.
    #[error("found {found}, expected {expected}")]
    Count { expected: usize, found: usize },
    /// The bytes of a transaction are no encoded transaction.
    #[error("the bytes are not a transaction")]
    Bytes,
    /// The two interfaces return different transactions, or a different order.
    #[error("the signatures differ from those in the block")]
    OtherSignatures,
    /// Malformed field.
    #[error("{field} is not {expected}")]
    Form {
        /// Name of the field in the JSON.
        field: &'static str,
        expected: &'static str,
    },
    #[error("{0}")]
    Json(String),
    /// The block has no receipt for the transaction.
    #[error("no matching receipt")]
    NoReceipt,
}
