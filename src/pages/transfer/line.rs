use std::collections::HashMap;

use crate::{domain::Timestamp, widgets::document, wire::router::HopSlot};

pub(super) type Line = document::Line<TransferLine>;

/// Web page of each line's transaction, if it has one.
pub(super) type Urls = HashMap<TransferLine, Option<String>>;

/// Identity of a line. Numbers are indices of hops, transactions and addresses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::pages) enum TransferLine {
    /// Sentence about the status.
    Note(String),
    /// Blank line that keeps room for the first note.
    NoteRoom,
    Problem,
    /// Request to the browser wallet.
    Signing,
    Hops,
    Hop(usize),
    HopTx(usize, HopSlot),
    HopState(usize),
    HopProblem(usize),
    HopPlanned(usize),
    HopElapsed(usize),
    HopStage(usize, Stage),
    Questions,
    Status,
    NoAnswer,
    Registration,
    Facts,
    /// Heading of a transaction's withdrawals.
    Withdrawals,
    /// Withdrawal by its L2 sequence number.
    Withdrawal(u64),
    Label,
    Tx(usize),
    Claim,
    Route,
    Address(usize),
    History,
    /// History entry by time and text: the transfer drops old entries, which would shift an index.
    Change(Timestamp, String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub(in crate::pages) enum Stage {
    Initiated,
    Finalized,
    Claimable,
    Claimed,
}
