//! Transfers over bridges in a transaction: OPinit or IBC (`docs/apis/story.md` §3 and §4).

mod optimistic;
mod packets;

pub use self::packets::packet_queries;

use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    domain::{LocalPacket, NumberedTransfer, PacketSide, Timestamp},
    events::{ChainEvent, ibc::PacketId},
    story::{
        context::TxContext,
        decode::EventPhase,
        names::bridge_number::BridgeNumber,
        words::phrase::{Phrase, Style, text_of},
    },
};

/// Transfer over a bridge, seen from this chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeMove {
    /// Index of the transfer's message, from 0.
    pub message: usize,
    pub identity: BridgeIdentity,
    /// Line that describes the transfer and its state.
    pub phrases: Vec<Phrase>,
    /// Chain id of the counterparty, or `L1`, if known.
    pub counterparty: Option<String>,
    /// Query that finds the counterpart in the other chain's transactions.
    pub search: Option<String>,
    pub events: Vec<usize>,
    /// What relates the records of one packet; `None` for transfers over OPinit.
    pub packet: Option<MovedPacket>,
}

/// Packet as one record tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedPacket {
    pub end: LocalPacket,
    /// What the record says became of the packet, as in "refused there and refunded here".
    pub state: &'static str,
    id: PacketId,
    /// Data of the packet, if the record has it.
    data: Option<Vec<u8>>,
    /// Whether the packet's two ends are on this chain.
    is_local: bool,
    /// Time from which the packet cannot arrive any more; `None` without one.
    pub expiry: Option<Timestamp>,
    /// Packet that carries the content on, or from which this packet carries it on, within the same message.
    pub relay: Option<LocalPacket>,
}

impl MovedPacket {
    /// Returns the ends under which this chain has the packet: over the localhost connection, both.
    pub fn ends(&self) -> Vec<LocalPacket> {
        if self.is_local {
            vec![self.id.end(PacketSide::Sent), self.id.end(PacketSide::Received)]
        } else {
            vec![self.end.clone()]
        }
    }

    /// Whether another record of this chain is of this packet. Packets sent and received over a channel may have one
    /// number, and one set of ports and channels; they differ in their side.
    pub(in crate::story) fn is_of(&self, other: &Self) -> bool {
        let has_other_data = matches!((&self.data, &other.data), (Some(one), Some(other)) if one != other);
        self.id == other.id && !has_other_data && (self.end == other.end || (self.is_local && other.is_local))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BridgeIdentity {
    /// Deposit that arrived from the L1.
    Deposit {
        /// Number on the L1's side of the bridge.
        l1_sequence: u64,
        /// L1 block of the deposit.
        l1_height: Option<u64>,
        bridge_id: Option<u64>,
    },
    /// Withdrawal that started on this rollup.
    Withdrawal {
        /// Number on this side of the bridge.
        l2_sequence: u64,
        bridge_id: Option<u64>,
    },
    DepositStarted {
        l1_sequence: u64,
        bridge_id: Option<u64>,
    },
    WithdrawalClaimed {
        /// Number on the rollup.
        l2_sequence: u64,
        bridge_id: Option<u64>,
    },
    /// IBC packet. The sequence alone is not unique: both directions have their own.
    Packet {
        way: PacketWay,
        source_port: String,
        source_channel: String,
        destination_port: String,
        destination_channel: String,
        sequence: u64,
    },
}

/// Effect of a transaction on a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PacketWay {
    Sent,
    Received,
    /// Acknowledged later than received: the content was passed on first.
    Answered,
    Refused,
    /// Acknowledged by the counterparty.
    Acknowledged,
    /// Rejected by the counterparty.
    Rejected,
    TimedOut,
}

impl PacketWay {
    /// Whether the packet came to this chain in this step; a refusal is told with the arrival.
    pub fn is_first(self) -> bool {
        matches!(self, Self::Sent | Self::Received | Self::Refused)
    }

    /// Whether nothing follows on this chain.
    pub fn is_last(self) -> bool {
        !matches!(self, Self::Sent | Self::Received)
    }
}

impl BridgeMove {
    /// Returns the effect on a packet; `None` for transfers over OPinit.
    pub fn way(&self) -> Option<PacketWay> {
        match self.identity {
            BridgeIdentity::Packet { way, .. } => Some(way),
            _ => None,
        }
    }

    /// Returns the transfer as JSON: the message, the identity under its `kind`, the full description, and the query
    /// for the counterpart.
    pub fn record(&self) -> Value {
        let mut record = serde_json::Map::new();
        record.insert("message".to_owned(), json!(self.message));
        if let Ok(Value::Object(identity)) = serde_json::to_value(&self.identity) {
            record.extend(identity);
        }
        record.insert("counterparty".to_owned(), json!(self.counterparty));
        record.insert("text".to_owned(), json!(text_of(&self.phrases, Style::Exact)));
        record.insert("search".to_owned(), json!(self.search));
        record.insert("events".to_owned(), json!(self.events));
        Value::Object(record)
    }
}

/// Place of an event about a bridge, and its message.
#[derive(Clone, Copy)]
struct BridgeEvent {
    message: usize,
    place: usize,
}

/// Returns the transfers over bridges in event order; a failed transaction has none.
pub(crate) fn bridge_moves(context: &TxContext<'_>) -> Vec<BridgeMove> {
    if context.is_failed() {
        return Vec::new();
    }
    let mut bridge = BridgeNumber::of(context.glossary);
    let mut moves = Vec::new();
    for (place, event) in context.decoded.events.iter().enumerate() {
        let EventPhase::Message(message) = event.phase else { continue };
        let crossing = BridgeEvent { message, place };
        let found = match ChainEvent::of(event) {
            ChainEvent::Bridge(transfer) => optimistic::moved(context, crossing, &transfer, &mut bridge),
            ChainEvent::Packet(packet) => packets::packet(context, crossing, packet),
            _ => None,
        };
        if found.is_some() && !context.work.takes_event() {
            break;
        }
        moves.extend(found);
    }
    packets::relate_passed_on(context, &mut moves);
    moves
}

/// Returns queries that find the transactions in which a transfer over a bridge began or arrived on this chain.
pub fn numbered_queries(transfer: NumberedTransfer) -> Vec<String> {
    match transfer {
        NumberedTransfer::Withdrawal(number) => optimistic::withdrawal_query(number).into_iter().collect(),
        NumberedTransfer::Deposit(number) => optimistic::deposit_query(number).into_iter().collect(),
        NumberedTransfer::Packet(number) => packets::numbered_queries(number),
    }
}

/// Builds a query for one event with all these attributes. `None` if a value is not allowed in a query.
fn query(kind: &str, attributes: &[(&str, &str)]) -> Option<String> {
    let is_plain = |text: &str| {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./+#[]<>".contains(&byte);
        !text.is_empty() && text.bytes().all(allowed)
    };
    let parts: Option<Vec<String>> =
        attributes.iter().map(|(name, value)| is_plain(value).then(|| format!("{kind}.{name}='{value}'"))).collect();
    parts.map(|parts| parts.join(" AND "))
}
