//! Steps of IBC packets in the transactions of one chain.

use std::collections::{BTreeMap, HashSet};

use super::Story;
use crate::{
    domain::{Height, LocalPacket, TxHash},
    story::{
        movement::bridge::{BridgeMove, MovedPacket, PacketWay},
        names::glossary::Glossary,
    },
    wire::Tx,
};

/// Transfers over bridges by transaction, in block order.
#[derive(Debug, Default)]
pub struct PacketTrail {
    moves: BTreeMap<(Height, TxHash), Vec<BridgeMove>>,
}

/// Step of a packet in a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacketStepFound {
    pub way: PacketWay,
    pub txhash: TxHash,
    pub height: Height,
    pub state: &'static str,
}

impl PacketTrail {
    /// Maximum transactions of one packet that are read: a chain has at most five steps of a packet.
    pub const MOST_STEPS: u16 = 20;

    /// Maximum packets of a transaction that are looked up.
    pub const MOST_PACKETS: usize = 24;

    /// Adds a transaction; one that is known already changes nothing.
    pub fn add(&mut self, tx: &Tx, glossary: &Glossary) {
        self.moves.entry((tx.height, tx.txhash)).or_insert_with(|| Story::of(tx, glossary).bridge);
    }

    /// Returns the packets' ends in a transaction, by which a chain's index finds further transactions.
    pub fn ends(story: &Story) -> Vec<LocalPacket> {
        let mut ends: Vec<LocalPacket> = packets(&story.bridge).flat_map(|(_, packet)| packet.ends()).collect();
        let mut seen = HashSet::new();
        ends.retain(|end| seen.insert(end.clone()));
        ends
    }

    /// Returns the steps of a packet, oldest first; the record's own step is one of them once its transaction was
    /// added.
    pub fn steps(&self, of: &MovedPacket) -> Vec<PacketStepFound> {
        let found = |(&(height, txhash), moves): (&(Height, TxHash), &Vec<BridgeMove>)| {
            let own = packets(moves).filter(|(_, packet)| packet.is_of(of));
            own.map(|(way, packet)| PacketStepFound { way, txhash, height, state: packet.state }).collect::<Vec<_>>()
        };
        self.moves.iter().flat_map(found).collect()
    }

    /// Whether this chain has the packet's last step, in the transfer's own transaction or in another.
    pub fn is_settled(&self, moved: &BridgeMove, packet: &MovedPacket) -> bool {
        let steps = self.steps(packet);
        steps.iter().map(|step| step.way).chain(moved.way()).any(PacketWay::is_last)
    }

    /// Returns what became of a packet: its last step, or the arrival; `None` if it was only sent.
    pub fn outcome(&self, of: &MovedPacket) -> Option<PacketStepFound> {
        let steps = self.steps(of).into_iter().filter(|step| step.way != PacketWay::Sent);
        steps.max_by_key(|step| (step.way.is_last(), step.height))
    }
}

fn packets(moves: &[BridgeMove]) -> impl Iterator<Item = (PacketWay, &MovedPacket)> {
    moves.iter().filter_map(|moved| moved.way().zip(moved.packet.as_ref()))
}
