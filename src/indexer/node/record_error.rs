use std::fmt;

use crate::domain::Height;

/// Why a node's answers make no record, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place} of block {height}: {problem}")]
pub struct RecordError {
    /// The block that was asked for.
    pub height: Height,
    /// Where in the answers.
    pub place: RecordPlace,
    /// What is wrong there.
    pub problem: RecordProblem,
}

/// Where in the answers about a block; places count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordPlace {
    /// The header.
    Header,
    /// The results as a whole.
    Results,
    /// The transactions as a whole.
    Txs,
    /// One transaction or its result.
    Tx(usize),
    /// One receipt.
    Receipt(usize),
    /// The trace of one transaction.
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

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordProblem {
    /// It is about another block.
    #[error("it is of block {0}")]
    OtherBlock(Height),
    /// Two answers about one block do not have as many transactions.
    #[error("{found} came where the block has {expected}")]
    Count {
        /// As many as the block has.
        expected: usize,
        /// As many as came.
        found: usize,
    },
    /// The interfaces do not give the same transactions in the same order.
    #[error("its signatures are others in the block itself")]
    OtherSignatures,
    /// A field is not what it must be.
    #[error("{field} is not {expected}")]
    Form {
        /// As the wire names it.
        field: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// JSON of another form.
    #[error("{0}")]
    Json(String),
    /// It belongs to no receipt of the block.
    #[error("no receipt has its hash")]
    NoReceipt,
}
