//! What a transaction moved over a bridge: the optimistic one, or IBC (`docs/apis/story.md` §3 and §4).

mod optimistic;
mod packets;

use serde::Serialize;
use serde_json::{Value, json};

use super::{
    DecodedEvent, EventPhase, Phrase, Style,
    bridge_number::BridgeNumber,
    context::{PhraseBuilder, TxContext},
    text_of,
};

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

impl BridgeMove {
    /// The move as JSON: the message, the identity's own fields under its `kind`, what it says in full, and how the
    /// other half is found.
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

/// What an event of a message says of a bridge.
struct BridgeEvent<'e> {
    message: usize,
    place: usize,
    event: &'e DecodedEvent,
}

impl BridgeEvent<'_> {
    /// An attribute; empty where there is none.
    fn text(&self, name: &str) -> &str {
        self.event.value(name).unwrap_or_default()
    }

    /// An attribute that is a number.
    fn number(&self, name: &str) -> Option<u64> {
        self.event.value(name)?.parse().ok()
    }
}

/// The moves over bridges, in the order of their events. A transaction that failed moved nothing.
pub(super) fn bridge_moves(context: &TxContext<'_>) -> Vec<BridgeMove> {
    if context.is_failed() {
        return Vec::new();
    }
    let mut bridge = BridgeNumber::of(context.glossary);
    let mut moves = Vec::new();
    for (place, event) in context.decoded.events.iter().enumerate() {
        let EventPhase::Message(message) = event.phase else { continue };
        let crossing = BridgeEvent { message, place, event };
        let found = match event.kind.as_str() {
            "finalize_token_deposit" => optimistic::deposit(context, &crossing, &mut bridge),
            "initiate_token_withdrawal" => optimistic::withdrawal(context, &crossing, &mut bridge),
            "initiate_token_deposit" => optimistic::deposit_started(context, &crossing),
            "finalize_token_withdrawal" => optimistic::withdrawal_claimed(context, &crossing),
            "send_packet" | "recv_packet" | "acknowledge_packet" | "timeout_packet" => {
                packets::packet(context, &crossing)
            }
            _ => None,
        };
        if found.is_some() && !context.work.takes_event() {
            break;
        }
        moves.extend(found);
    }
    moves
}

/// A query of events: all of these attributes of one event. `None` where a value cannot stand in a query.
fn query(kind: &str, attributes: &[(&str, &str)]) -> Option<String> {
    let is_plain = |text: &str| {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./+#[]<>".contains(&byte);
        !text.is_empty() && text.bytes().all(allowed)
    };
    let parts: Option<Vec<String>> =
        attributes.iter().map(|(name, value)| is_plain(value).then(|| format!("{kind}.{name}='{value}'"))).collect();
    parts.map(|parts| parts.join(" AND "))
}

/// An amount as two attributes of an event tell it.
fn amount<'s, 'a>(context: &'s TxContext<'a>, crossing: &BridgeEvent<'_>, denom: &str) -> PhraseBuilder<'s, 'a> {
    let coin = crossing
        .text("amount")
        .parse()
        .ok()
        .map(|amount| crate::domain::Coin { denom: crate::domain::Denom::new(crossing.text(denom)), amount });
    if let Some(coin) = coin {
        return context.words().coin(&coin).by([crossing.place]);
    }
    let words = context.words().text("an amount that cannot be read, ").by([crossing.place]);
    words.quote(crossing.text("amount"))
}
