use std::collections::HashMap;

use crate::{domain::Timestamp, widgets::document, wire::router::HopSlot};

pub(super) type Line = document::Line<TransferLine>;

/// Web pages of transactions; `None` without one.
pub(super) type Urls = HashMap<TransferLine, Option<String>>;

/// Identity of a line: hops, transactions and addresses by index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::pages) enum TransferLine {
    /// Sentence of the status.
    Note(String),
    /// Space reserved for the first note.
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
    /// Withdrawals of the transaction, if there are several.
    Withdrawals,
    /// Withdrawal by its sequence number on the bridge.
    Withdrawal(u64),
    Label,
    Tx(usize),
    /// Claim broadcast by rollscope.
    Claim,
    Route,
    Address(usize),
    History,
    /// History entry, by time and text: old ones are dropped, so an index would change.
    Change(Timestamp, String),
}

/// Stage of an OPinit withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub(in crate::pages) enum Stage {
    Initiated,
    Finalized,
    Claimable,
    Claimed,
}
