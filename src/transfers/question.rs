//! What is asked about a transfer, and what came of it.

use std::sync::Arc;

use crate::{
    domain::{Address, TxHash},
    wire::{
        ApiError, Tx, Verbatim,
        opinit::SettlementAnswers,
        router::{TrackRequest, TransferStatus},
    },
};

/// A question about a transfer. At most one of each kind is under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// The router is to watch the transaction.
    Track(TrackRequest),
    /// As [`Track`](Self::Track), after the router gave it up.
    TrackAgain(TrackRequest),
    Status(TrackRequest),
    /// The newest transaction of the transfer, by the indexer of its chain.
    Source(TxHash),
    /// The transaction that enters the bridge to the destination, by the L1's REST.
    Crossing {
        rest: String,
        tx: TxHash,
    },
    /// What the destination's indexer has of the arrival.
    Arrival(SoughtTxs),
    /// What the indexer of the source has of a refund.
    Return(SoughtTxs),
    /// An optimistic withdrawal, by its executor and the L1.
    Settlement {
        sequence: u64,
        executor: String,
        l1_rest: Option<String>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    Track,
    Status,
    Source,
    Crossing,
    Arrival,
    Return,
    Settlement,
}

impl QuestionKind {
    pub const ALL: [Self; 7] =
        [Self::Track, Self::Status, Self::Source, Self::Crossing, Self::Arrival, Self::Return, Self::Settlement];

    /// Whether the router is asked, not a chain.
    pub fn is_for_router(self) -> bool {
        matches!(self, Self::Track | Self::Status)
    }
}

impl Question {
    pub fn kind(&self) -> QuestionKind {
        match self {
            Self::Track(_) | Self::TrackAgain(_) => QuestionKind::Track,
            Self::Status(_) => QuestionKind::Status,
            Self::Source(_) => QuestionKind::Source,
            Self::Crossing { .. } => QuestionKind::Crossing,
            Self::Arrival(_) => QuestionKind::Arrival,
            Self::Return(_) => QuestionKind::Return,
            Self::Settlement { .. } => QuestionKind::Settlement,
        }
    }
}

/// Which transactions an indexer is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoughtTxs {
    One(TxHash),
    /// The newest [`LOOKED_THROUGH`](Self::LOOKED_THROUGH) of an account, without a count.
    NewestOf(Address),
}

impl SoughtTxs {
    pub const LOOKED_THROUGH: u16 = 50;
}

/// The transactions that an indexer gave.
#[derive(Clone, Debug)]
pub enum WitnessTxs {
    One(Arc<Tx>),
    Newest(Vec<Arc<Tx>>),
}

impl WitnessTxs {
    pub(super) fn all(&self) -> &[Arc<Tx>] {
        match self {
            Self::One(tx) => std::slice::from_ref(tx),
            Self::Newest(txs) => txs,
        }
    }
}

/// What came of the question of the same kind.
#[derive(Clone, Debug)]
pub enum FollowerAnswer {
    Track(Result<(), ApiError>),
    Status(Result<Arc<Verbatim<TransferStatus>>, ApiError>),
    Source(Result<Arc<Tx>, ApiError>),
    Crossing(Result<Arc<Tx>, ApiError>),
    Arrival(Result<WitnessTxs, ApiError>),
    Return(Result<WitnessTxs, ApiError>),
    Settlement(Result<Arc<SettlementAnswers>, ApiError>),
}

impl FollowerAnswer {
    pub fn kind(&self) -> QuestionKind {
        match self {
            Self::Track(_) => QuestionKind::Track,
            Self::Status(_) => QuestionKind::Status,
            Self::Source(_) => QuestionKind::Source,
            Self::Crossing(_) => QuestionKind::Crossing,
            Self::Arrival(_) => QuestionKind::Arrival,
            Self::Return(_) => QuestionKind::Return,
            Self::Settlement(_) => QuestionKind::Settlement,
        }
    }
}

/// What the carrier of an answer still has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakenAnswer {
    /// Nothing is known that was not known before.
    Nothing,
    News,
    /// The router watches the transaction.
    Tracked {
        /// Whether the answer to a status question that is under way says nothing any more.
        outdates_status: bool,
        /// Whether a person asked for it.
        is_wanted: bool,
    },
    /// The router did not take the transaction this time.
    NotTracked {
        why: String,
        is_wanted: bool,
    },
}
