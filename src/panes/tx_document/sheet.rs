use std::collections::{HashMap, HashSet};

use crate::{
    app::page::TxLine,
    config::Meaning,
    domain::{Address, AddressStyle, Amount, LocalPacket, LocalZone, Target, TimedText},
    story::{FactDispute, Glossary, MovedPacket, PacketTrail, Story},
    widgets::document,
    wire::{Tx, opinit::RollupBridge},
};

pub(crate) type Line = document::Line<TxLine>;

pub(crate) struct TxSheet<'a> {
    pub(crate) tx: &'a Tx,
    pub(crate) story: &'a Story,
    pub(crate) style: AddressStyle,
    pub(crate) glossary: &'a Glossary,
    /// Line with the EVM hash, below the Cosmos hash.
    pub(crate) beside: Option<Line>,
    /// Index in the block, from 0, and the block's number of transactions, if known.
    pub(crate) place: Option<(usize, usize)>,
    /// Age of the transaction; `None` if times are absolute.
    pub(crate) age: Option<String>,
    /// Size, in terminal columns and rows.
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Gas price of the receipt that is proven to match, in an unnamed smallest unit.
    pub(crate) charged: Option<Amount>,
    /// Other steps of the transaction's packets; `None` where they are not looked up.
    pub(crate) packets: Option<&'a PacketsShown<'a>>,
    /// Facts that the node tells differently than the indexer.
    pub(crate) disputes: &'a [FactDispute],
    /// Terms of the rollup's bridge, for withdrawals; `None` where no node tells them.
    pub(crate) claims: Option<&'a ClaimsShown<'a>>,
}

/// How the transaction's withdrawals are claimed.
pub(crate) struct ClaimsShown<'a> {
    pub(crate) bridge: &'a RollupBridge,
    pub(crate) zone: &'a LocalZone,
    /// Start and end of the command that claims a withdrawal, which stand around its number; `None` on a simulation.
    pub(crate) command: Option<(String, String)>,
}

/// Steps of packets in other transactions.
pub(crate) struct PacketsShown<'a> {
    pub(crate) trail: &'a PacketTrail,
    /// Packets whose steps are all in the trail.
    pub(crate) complete: &'a HashSet<LocalPacket>,
    /// Whether the chain still waits for the end of a sent packet; `None` if the node does not say.
    pub(crate) pending: &'a HashMap<LocalPacket, Option<bool>>,
    pub(crate) zone: &'a LocalZone,
    /// What is said of a missing step of such a packet: "not seen up to block 9".
    pub(crate) unseen: &'a str,
    /// What is said of a missing step of another packet: "not looked up: …".
    pub(crate) unknown: String,
}

impl PacketsShown<'_> {
    /// Returns what is said of a missing step, which `missing` names.
    pub(crate) fn note(&self, missing: &str, packet: &MovedPacket) -> String {
        let is_complete = packet.ends().iter().all(|end| self.complete.contains(end));
        let unseen = format!("{missing} {}", if is_complete { self.unseen } else { &self.unknown });
        match (self.pending.get(&packet.end).copied().flatten(), packet.expiry) {
            (Some(true), Some(expiry)) => {
                TimedText::default().words("pending, by the node; expires at ").minute(expiry).in_zone(self.zone)
            }
            (Some(true), None) => "pending, by the node".to_owned(),
            (Some(false), _) => format!("settled, by the node; {unseen}"),
            (None, _) => unseen,
        }
    }
}

pub(crate) fn field(depth: u16, name: &str) -> Line {
    Line::at(depth).with(Meaning::Key, format!("{name:<11} "))
}

pub(crate) fn address_line(line: Line, address: Address, style: &AddressStyle) -> Line {
    let text = style.write(address);
    line.with(Meaning::Link, &text).copying(text).leading_to(Some(Target::Account(address)))
}
