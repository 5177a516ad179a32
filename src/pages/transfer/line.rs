use std::collections::HashMap;

use crate::{domain::Timestamp, widgets::document, wire::router::HopSlot};

pub(super) type Line = document::Line<TransferLine>;

/// The web pages of transactions; `None` where one has none.
pub(super) type Urls = HashMap<TransferLine, Option<String>>;

/// What a line of a transfer's page is: hops, transactions and addresses by their places.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::pages) enum TransferLine {
    /// A sentence of the status.
    Note(String),
    /// Kept for the first note.
    NoteRoom,
    Problem,
    /// What the wallet in the browser is asked for.
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
    /// Those that the transaction began, where they are several.
    Withdrawals,
    /// One of them, by its number on the bridge.
    Withdrawal(u64),
    Label,
    Tx(usize),
    /// The claim that was sent from here.
    Claim,
    Route,
    Address(usize),
    History,
    /// What was noted then; the oldest are forgotten, so that a place would not do.
    Change(Timestamp, String),
}

/// The stages of an optimistic withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub(in crate::pages) enum Stage {
    Initiated,
    Finalized,
    Claimable,
    Claimed,
}
