//! Questions about a transfer, and the answers to them.

use std::sync::Arc;

use crate::{
    domain::{AccountAt, Address, ChainId, TxHash, TxTerms},
    wire::{
        ApiError, Tx, Verbatim,
        opinit::SettlementAnswers,
        router::{Route, RouteRequest, TrackRequest, TransferStatus},
    },
};

/// Question about a transfer. At most one of each kind is pending at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Asks the router to track the transaction.
    Track(TrackRequest),
    /// Like [`Track`](Self::Track), for a transaction that the router abandoned.
    TrackAgain(TrackRequest),
    Status(TrackRequest),
    /// Asks the router for its present route of the same funds, for its duration.
    Estimate(RouteRequest),
    /// Asks the chain's indexer for the transfer's newest transaction.
    Source(TxHash),
    /// Asks the L1 for the transaction that enters the bridge to the destination.
    Crossing {
        rest: String,
        tx: TxHash,
    },
    /// Asks the destination's indexer for the arrival transaction.
    Arrival(SoughtTxs),
    /// Asks the source's indexer whether the funds came back.
    Return(SoughtTxs),
    /// Asks the executor, and the L1, about an optimistic withdrawal.
    Settlement {
        sequence: u64,
        executor: String,
        l1_rest: Option<String>,
    },
    /// Asks a node that no router named whether a block can still include the transaction.
    Expiry(ChainId, TxTerms),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    Track,
    Status,
    Estimate,
    Source,
    Crossing,
    Arrival,
    Return,
    Settlement,
    Expiry,
}

impl QuestionKind {
    pub const ALL: [Self; 9] = [
        Self::Track,
        Self::Status,
        Self::Estimate,
        Self::Source,
        Self::Crossing,
        Self::Arrival,
        Self::Return,
        Self::Settlement,
        Self::Expiry,
    ];

    /// Whether the question goes to the router instead of a chain.
    pub fn is_for_router(self) -> bool {
        matches!(self, Self::Track | Self::Status | Self::Estimate)
    }
}

impl Question {
    pub fn kind(&self) -> QuestionKind {
        match self {
            Self::Track(_) | Self::TrackAgain(_) => QuestionKind::Track,
            Self::Status(_) => QuestionKind::Status,
            Self::Estimate(_) => QuestionKind::Estimate,
            Self::Source(_) => QuestionKind::Source,
            Self::Crossing { .. } => QuestionKind::Crossing,
            Self::Arrival(_) => QuestionKind::Arrival,
            Self::Return(_) => QuestionKind::Return,
            Self::Settlement { .. } => QuestionKind::Settlement,
            Self::Expiry(..) => QuestionKind::Expiry,
        }
    }
}

/// Transactions to request from an indexer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoughtTxs {
    One(TxHash),
    /// Newest [`LOOKED_THROUGH`](Self::LOOKED_THROUGH) transactions of an account, without their total.
    NewestOf(Address),
}

impl SoughtTxs {
    pub const LOOKED_THROUGH: u16 = 50;
}

/// Transactions that an indexer returned.
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

/// Answer to a [`Question`] of the same name.
#[derive(Clone, Debug)]
pub enum FollowerAnswer {
    Track(Result<(), ApiError>),
    Status(Result<Arc<Verbatim<TransferStatus>>, ApiError>),
    Estimate(Result<Arc<Verbatim<Route>>, ApiError>),
    Source(Result<Arc<Tx>, ApiError>),
    Crossing(Result<Arc<Tx>, ApiError>),
    Arrival(Result<WitnessTxs, ApiError>),
    Return(Result<WitnessTxs, ApiError>),
    Settlement(Result<Arc<SettlementAnswers>, ApiError>),
    Expiry(Result<AccountAt, ApiError>),
}

impl FollowerAnswer {
    pub fn kind(&self) -> QuestionKind {
        match self {
            Self::Track(_) => QuestionKind::Track,
            Self::Status(_) => QuestionKind::Status,
            Self::Estimate(_) => QuestionKind::Estimate,
            Self::Source(_) => QuestionKind::Source,
            Self::Crossing(_) => QuestionKind::Crossing,
            Self::Arrival(_) => QuestionKind::Arrival,
            Self::Return(_) => QuestionKind::Return,
            Self::Settlement(_) => QuestionKind::Settlement,
            Self::Expiry(_) => QuestionKind::Expiry,
        }
    }
}

/// Action that the caller must take after an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakenAnswer {
    /// Nothing: the answer changed nothing.
    Nothing,
    News,
    /// The router now tracks the transaction.
    Tracked {
        /// Whether to ignore the answer to a pending status request, since it predates the registration.
        outdates_status: bool,
        /// Whether the user requested the registration.
        is_wanted: bool,
    },
    /// The attempt to register failed.
    NotTracked {
        why: String,
        is_wanted: bool,
    },
}
