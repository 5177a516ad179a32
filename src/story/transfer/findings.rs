//! What an index's own records show of a transfer: when it left, what came in, and what came back.

use std::sync::Arc;

use serde_json::Value;

use super::{CrossingNumber, Evidence, SourceEvidence, evidence::credits, hook_problem};
use crate::{
    domain::{Address, Amount, Denom, Timestamp, TxHash, parse_coins, text},
    story::{Decoded, DecodedEvent, EventPhase, decode},
    wire::{Tx, opinit::SettlementAnswers},
};

/// Columns of a reason at the most.
const REASON: usize = 160;

/// What came to the recipient, by the events of a transaction there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedCredit {
    /// As what; what a failed hook left unconverted is named as it lies there.
    pub denom: Denom,
    /// How much, in the smallest unit.
    pub amount: Amount,
    /// The time of its block.
    pub at: Timestamp,
    /// The transaction that brought it.
    pub tx: TxHash,
    /// Why what was to follow the deposit did not happen, cleaned.
    pub hook_problem: Option<String>,
    /// The number by which it is this transfer's; `None` where account, denom, amount and time had to do.
    pub number: Option<CrossingNumber>,
}

/// Why a packet's asset came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReturnCause {
    /// Nobody took it in time.
    TimedOut,
    /// The other side answered with an error, in its words, cleaned; empty where there are none.
    Refused(String),
}

/// What a packet that failed gave back to its sender, by the events of the transaction that did so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedReturn {
    /// As what; not always what was sent.
    pub denom: Denom,
    /// How much, in the smallest unit.
    pub amount: Amount,
    /// The time of its block.
    pub at: Timestamp,
    /// Why.
    pub cause: ReturnCause,
}

/// A packet as its sending chain knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentPacket {
    /// The channel on the sending side.
    pub channel: String,
    /// Its number there.
    pub sequence: String,
    /// Who sent it, and gets back what is not taken.
    pub sender: Address,
}

/// What became of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PacketEnd {
    /// The other side took it.
    Acknowledged,
    /// It came back.
    Returned(IndexedReturn),
}

/// What indexers have found of a transfer, when they said so, and what their records show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexFindings {
    /// The verdicts.
    pub evidence: Evidence,
    /// When the source's indexer was heard last.
    pub source_at: Option<Timestamp>,
    /// When the destination's indexer was heard last.
    pub arrival_at: Option<Timestamp>,
    /// The time of the block that the newest source transaction is in.
    pub included_at: Option<Timestamp>,
    /// Why the newest source transaction failed, in the chain's words, cleaned.
    pub failure: Option<String>,
    /// What came to the recipient.
    pub credit: Option<IndexedCredit>,
    /// How many equal credits came, and how many equal transfers wait for one, where these are more: which is whose is not
    /// known.
    pub rivals: Option<(usize, usize)>,
    /// Under which numbers it crosses a bridge to its destination, as the chain before that says; empty where nobody said.
    pub numbers: Vec<CrossingNumber>,
    /// Whether what has such a number came and was not credited.
    pub is_refused_there: bool,
    /// What came back to the sender of the newest source transaction.
    pub returned: Option<IndexedReturn>,
    /// What the executor and the L1 say of the withdrawal that the newest source transaction began.
    pub settlement: Option<Arc<SettlementAnswers>>,
}

impl From<Evidence> for IndexFindings {
    fn from(evidence: Evidence) -> Self {
        Self { evidence, ..Self::default() }
    }
}

impl From<SourceEvidence> for IndexFindings {
    fn from(evidence: SourceEvidence) -> Self {
        Evidence::from(evidence).into()
    }
}

/// What a transaction brings to the recipient (an address in either form): the denom that was wanted or, where what was to
/// convert it failed, the deposit as it lies there. `is_fit` tells which amounts of the former may be the transfer's: one
/// transaction may bring several.
pub fn credit_of_arrival(
    tx: &Tx,
    recipient: &str,
    denom: &Denom,
    is_fit: impl Fn(Amount) -> bool,
) -> Option<IndexedCredit> {
    let recipient = recipient.parse::<Address>().ok().filter(|_| tx.is_success())?;
    let wanted = credits(tx, recipient, denom).into_iter().find(|amount| !amount.is_zero() && is_fit(*amount));
    if let Some(amount) = wanted {
        return Some(IndexedCredit {
            denom: denom.clone(),
            amount,
            at: tx.timestamp,
            tx: tx.txhash,
            hook_problem: None,
            number: None,
        });
    }
    let hook_problem = Some(failed_hook(tx)?);
    let decoded = decode(tx);
    let deposits = decoded.events.iter().filter(|event| event.kind == "finalize_token_deposit");
    let (denom, amount) = deposits.into_iter().find_map(|event| unconverted(&decoded, event, recipient))?;
    Some(IndexedCredit { denom, amount, at: tx.timestamp, tx: tx.txhash, hook_problem, number: None })
}

/// Why what came with a deposit did not work, without the words that say that it was the hook.
pub(super) fn failed_hook(tx: &Tx) -> Option<String> {
    let reason = hook_problem(tx)?;
    Some(reason.strip_prefix("hook failed;").unwrap_or(&reason).trim().to_owned())
}

/// Whether a transaction brings something over a bridge: a deposit from the L1, or a packet.
pub fn is_bridge_arrival(tx: &Tx) -> bool {
    let is_one = |event: &DecodedEvent| matches!(event.kind.as_str(), "finalize_token_deposit" | "recv_packet");
    tx.is_success() && decode(tx).events.iter().any(is_one)
}

/// A deposit that was credited to the recipient as it came, though what was attached to it failed.
pub(super) fn unconverted(decoded: &Decoded, event: &DecodedEvent, recipient: Address) -> Option<(Denom, Amount)> {
    let is_his = event.value("recipient")?.parse::<Address>() == Ok(recipient);
    let is_failed = event.value("success") == Some("false") || event.value("hook_success") == Some("false");
    let (denom, amount) = (Denom::new(event.value("denom")?), event.value("amount")?.parse::<Amount>().ok()?);
    let is_credit = |other: &DecodedEvent| {
        other.kind == "coin_received" && other.phase == event.phase && has_coin(other, recipient, &denom, amount)
    };
    let is_there = is_his && is_failed && decoded.events.iter().any(is_credit);
    is_there.then_some((denom, amount))
}

fn has_coin(event: &DecodedEvent, receiver: Address, denom: &Denom, amount: Amount) -> bool {
    coins(event, receiver).any(|coin| coin.denom == *denom && coin.amount == amount)
}

/// The coins that an event gives to an account.
fn coins(event: &DecodedEvent, receiver: Address) -> impl Iterator<Item = crate::domain::Coin> {
    let is_his = event.value("receiver").and_then(|text| text.parse::<Address>().ok()) == Some(receiver);
    let text = event.value("amount").filter(|_| is_his);
    text.and_then(|text| parse_coins(text).ok()).unwrap_or_default().into_iter()
}

/// The packets of tokens that a transaction sent.
pub fn packets_sent(tx: &Tx) -> Vec<SentPacket> {
    if !tx.is_success() {
        return Vec::new();
    }
    let decoded = decode(tx);
    let sent = decoded.events.iter().filter(|event| event.kind == "send_packet");
    let packet = |event: &DecodedEvent| {
        let of_transfer = |other: &&DecodedEvent| other.kind == "ibc_transfer" && other.phase == event.phase;
        let transfer = decoded.events.iter().find(of_transfer)?;
        Some(SentPacket {
            channel: event.value("packet_src_channel")?.to_owned(),
            sequence: event.value("packet_sequence")?.to_owned(),
            sender: transfer.value("sender")?.parse().ok()?,
        })
    };
    sent.filter_map(packet).collect()
}

/// What a transaction says of the end of this packet; `None` where it says nothing of it.
pub fn packet_end(tx: &Tx, packet: &SentPacket) -> Option<PacketEnd> {
    if !tx.is_success() {
        return None;
    }
    let decoded = decode(tx);
    let is_it = |fields: &serde_json::Map<String, Value>| {
        let of = |name: &str| match fields.get("packet")?.get(name)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        of("source_channel").as_ref() == Some(&packet.channel) && of("sequence").as_ref() == Some(&packet.sequence)
    };
    let ends = |kind: &str| matches!(kind, "MsgAcknowledgement" | "MsgTimeout" | "MsgTimeoutOnClose");
    let (index, message) = decoded
        .messages
        .iter()
        .enumerate()
        .find(|(_, message)| ends(message.kind.short()) && is_it(&message.fields))?;
    let events = || decoded.events.iter().filter(move |event| event.phase == EventPhase::Message(index));
    // What was settled before emits nothing but that: such a message says nothing of the packet's end.
    let is_settled = events().any(|event| matches!(event.kind.as_str(), "acknowledge_packet" | "timeout_packet"));
    let is_refused = |event: &&DecodedEvent| event.kind == "fungible_token_packet" && event.value("error").is_some();
    let refused = events().find(is_refused);
    let returned = events().filter(|event| event.kind == "coin_received").flat_map(|event| coins(event, packet.sender));
    let cause = match message.kind.short() {
        "MsgAcknowledgement" => {
            let Some(refused) = refused else { return is_settled.then_some(PacketEnd::Acknowledged) };
            ReturnCause::Refused(text::clip(refused.value("error").unwrap_or_default(), REASON))
        }
        _ => ReturnCause::TimedOut,
    };
    let coin = returned.last()?;
    Some(PacketEnd::Returned(IndexedReturn { denom: coin.denom, amount: coin.amount, at: tx.timestamp, cause }))
}
