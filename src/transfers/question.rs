//! Questions about a transfer, and their answers.

use std::sync::Arc;

use crate::{
    domain::{Address, TxHash},
    wire::{
        ApiError, Tx, Verbatim,
        opinit::SettlementAnswers,
        router::{TrackRequest, TransferStatus},
    },
};

/// Question about a transfer. At most one of each kind is pending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Registers the transaction with the router.
    Track(TrackRequest),
    /// Like [`Track`](Self::Track), for a transaction that the router abandoned.
    TrackAgain(TrackRequest),
    Status(TrackRequest),
    /// The newest transaction of the transfer, by the indexer of its chain.
    Source(TxHash),
    /// The transaction that enters the bridge to the destination, by the L1's REST.
    Crossing {
        rest: String,
        tx: TxHash,
    },
    /// Requests the arrival from the destination's indexer.
    Arrival(SoughtTxs),
    /// Requests a refund from the source's indexer.
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

    /// Whether the question is for the router, not for a chain.
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

/// Transactions requested from an indexer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoughtTxs {
    One(TxHash),
    /// Newest [`LOOKED_THROUGH`](Self::LOOKED_THROUGH) transactions of an account, without a count.
    NewestOf(Address),
}

impl SoughtTxs {
    pub const LOOKED_THROUGH: u16 = 50;
}

/// Transactions returned by an indexer.
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

/// Answer to the question of the same kind.
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

/// Remaining work of the caller after an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakenAnswer {
    /// No change.
    Nothing,
    News,
    /// The router tracks the transaction.
    Tracked {
        /// Whether the answer to a pending status request is obsolete.
        outdates_status: bool,
        /// Whether the user requested the registration.
        is_wanted: bool,
    },
    /// This registration attempt failed.
    NotTracked {
        why: String,
        is_wanted: bool,
    },
}
