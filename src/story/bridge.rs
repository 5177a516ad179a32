//! What a transaction moved over a bridge: the optimistic one, or IBC (`wire/story.md` §3 and §4).

use serde::Serialize;

use super::{Phrase, scene::Scene};

/// One move over a bridge, seen from this chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeMove {
    /// In which message, from 0.
    pub message: usize,
    /// What tells it apart from every other.
    pub identity: BridgeIdentity,
    /// The move in one line: what goes where, and how it stands.
    pub phrases: Vec<Phrase>,
    /// The chain of the other half, where it is known: a chain id, or `L1`.
    pub counterparty: Option<String>,
    /// The query that finds the other half in a search of the other chain's transactions.
    pub search: Option<String>,
    /// The events that say so.
    pub events: Vec<usize>,
}

/// What identifies a move over a bridge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BridgeIdentity {
    /// A deposit that arrived from the L1.
    Deposit {
        /// Its number on the L1's side of the bridge.
        l1_sequence: u64,
        /// The block of the L1 that holds it.
        l1_height: Option<u64>,
        /// The bridge, where it is known.
        bridge_id: Option<u64>,
    },
    /// A withdrawal that started here.
    Withdrawal {
        /// Its number on this side of the bridge.
        l2_sequence: u64,
        /// The bridge, where it is known.
        bridge_id: Option<u64>,
    },
    /// A deposit that started on this L1.
    DepositStarted {
        /// Its number.
        l1_sequence: u64,
        /// The bridge.
        bridge_id: Option<u64>,
    },
    /// A withdrawal that was claimed on this L1.
    WithdrawalClaimed {
        /// Its number on the rollup.
        l2_sequence: u64,
        /// The bridge.
        bridge_id: Option<u64>,
    },
    /// A packet of IBC. The sequence alone identifies nothing: both directions count for themselves.
    Packet {
        /// What became of it in this transaction.
        way: PacketWay,
        /// The port it was sent from.
        source_port: String,
        /// The channel it was sent from.
        source_channel: String,
        /// The port it goes to.
        destination_port: String,
        /// The channel it goes to.
        destination_channel: String,
        /// Its number on that channel.
        sequence: u64,
    },
}

/// What a transaction did with a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PacketWay {
    /// It left here.
    Sent,
    /// It arrived here.
    Received,
    /// It was refused here.
    Refused,
    /// It reached the other side.
    Acknowledged,
    /// The other side refused it.
    Rejected,
    /// It expired.
    TimedOut,
}

/// The moves over bridges, in the order of their messages.
pub(super) fn bridge_moves(scene: &Scene<'_>) -> Vec<BridgeMove> {
    let _ = scene;
    Vec::new()
}
