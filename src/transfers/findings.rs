//! Findings of an indexer about a transfer: departure, credit and refund.

use std::sync::Arc;

use serde_json::Value;

use super::{
    CrossingNumber, Evidence, OutcomeDifference, SourceEvidence,
    evidence::{credited, credits},
    hook_problem,
};
use crate::{
    domain::{AccountAt, Address, Amount, Coin, Denom, Timestamp, TxHash, text},
    events::{
        EventClass, EventRecord,
        ibc::PacketStep,
        keys,
        names::{FUNGIBLE_TOKEN_PACKET, IBC_TRANSFER},
        opinit::{BridgeStep, BridgeTransfer},
    },
    story::{Decoded, DecodedEvent, EventPhase, decode, packet::PacketTokens},
    wire::{Tx, opinit::SettlementAnswers},
};

/// Maximum columns of a failure reason.
const REASON: usize = 160;

/// Credit to the recipient, from a transaction's events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedCredit {
    /// Denom that the transaction credited. After a failed hook it is the unconverted denom.
    pub denom: Denom,
    /// Amount in the smallest unit.
    pub amount: Amount,
    pub at: Timestamp,
    pub tx: TxHash,
    /// Why the deposit's hook failed, without control characters.
    pub hook_problem: Option<String>,
    /// Sequence number that proves the credit belongs to the transfer; `None` if only account, denom, amount and time
    /// match.
    pub number: Option<CrossingNumber>,
}

/// Why a packet was refunded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReturnCause {
    TimedOut,
    /// The destination rejected the packet for this reason, without control characters; empty if unknown.
    Refused(String),
}

/// Refund of a packet to its sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedReturn {
    /// Denom of the refund, which may differ from the denom that left.
    pub denom: Denom,
    /// Amount in the smallest unit.
    pub amount: Amount,
    pub at: Timestamp,
    pub cause: ReturnCause,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentPacket {
    /// Channel on the sending chain.
    pub channel: String,
    pub sequence: String,
    pub sender: Address,
    /// What leaves, and what arrives on the other chain; `None` if the packet carries no tokens, or asks by a memo for
    /// more than to pay them out.
    pub coins: Option<[Coin; 2]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PacketEnd {
    Acknowledged,
    Returned(IndexedReturn),
}

/// Findings of the indexers, with their times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexFindings {
    pub evidence: Evidence,
    /// When the source's indexer last answered.
    pub source_at: Option<Timestamp>,
    /// When the destination's indexer last answered.
    pub arrival_at: Option<Timestamp>,
    /// Block time of the newest source transaction.
    pub included_at: Option<Timestamp>,
    /// Error that the chain reports for the newest source transaction, without control characters.
    pub failure: Option<String>,
    pub credit: Option<IndexedCredit>,
    /// Number of equal credits, and of equal transfers that await one; set if the credit is ambiguous.
    pub rivals: Option<(usize, usize)>,
    /// Sequence numbers that the last bridge's source chain reports; empty if unknown.
    pub numbers: Vec<CrossingNumber>,
    /// Whether the destination rejected a transfer with one of these `numbers`.
    pub is_refused_there: bool,
    /// Account of the newest source transaction whose sequence number moved, by a node that no router named.
    pub moved_account: Option<AccountAt>,
    /// How the newest source transaction differs from what a node simulated before its signature.
    pub outcome: Option<OutcomeDifference>,
    /// Refund to the sender of the newest source transaction.
    pub returned: Option<IndexedReturn>,
    /// Answers of executor and L1 about the withdrawal in the newest source transaction.
    pub settlement: Option<Arc<SettlementAnswers>>,
    /// What the newest source transaction withdraws, by its events; `None` unless it is one withdrawal.
    pub begun: Option<Coin>,
    /// Whether a server of the user's can show the arrival.
    pub is_arrival_askable: bool,
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

/// Returns the credit of a transaction to the recipient, who is in either address format: the wanted denom or, after a
/// failed hook, the unconverted deposit. `is_fit` chooses among several credits by amount.
pub fn credit_of_arrival(
    tx: &Tx,
    recipient: &str,
    denom: &Denom,
    is_fit: impl Fn(Amount) -> bool,
) -> Option<IndexedCredit> {
    let recipient = recipient.parse::<Address>().ok().filter(|_| tx.is_success())?;
    let decoded = decode(tx);
    let wanted =
        credits(&decoded, None, recipient, denom).into_iter().find(|amount| !amount.is_zero() && is_fit(*amount));
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
    let hook_problem = Some(failed_hook(&decoded)?);
    let (denom, amount) = decoded.events.iter().find_map(|event| unconverted(&decoded, event, recipient))?;
    Some(IndexedCredit { denom, amount, at: tx.timestamp, tx: tx.txhash, hook_problem, number: None })
}

/// Returns why a deposit's hook failed, without the standard prefix.
pub(super) fn failed_hook(decoded: &Decoded) -> Option<String> {
    let reason = hook_problem(decoded)?;
    Some(reason.strip_prefix("hook failed;").unwrap_or(&reason).trim().to_owned())
}

/// Whether a transaction delivers funds over a bridge: by a deposit from the L1, or by a packet.
pub fn is_bridge_arrival(tx: &Tx) -> bool {
    let is_one = |event: &DecodedEvent| {
        use EventClass::{Bridge, Packet};
        matches!(event.class(), Bridge(BridgeStep::DepositFinalized) | Packet(PacketStep::Received))
    };
    tx.is_success() && decode(tx).events.iter().any(is_one)
}

/// Returns the credit of a deposit that stays unconverted, because its hook failed.
pub(super) fn unconverted(decoded: &Decoded, event: &DecodedEvent, recipient: Address) -> Option<(Denom, Amount)> {
    let deposit = BridgeTransfer::deposit(event).filter(|deposit| deposit.is_failed || deposit.is_hook_failed)?;
    let wanted = deposit.coin().filter(|_| deposit.recipient() == Some(recipient))?;
    let is_credit =
        |other: &DecodedEvent| other.phase == event.phase && credited(other, recipient).any(|coin| coin == wanted);
    decoded.events.iter().any(is_credit).then_some((wanted.denom, wanted.amount))
}

pub fn packets_sent(tx: &Tx) -> Vec<SentPacket> {
    if !tx.is_success() {
        return Vec::new();
    }
    let decoded = decode(tx);
    let sent = decoded.events.iter().filter(|event| *event.class() == EventClass::Packet(PacketStep::Sent));
    let coins = |event: &DecodedEvent| {
        let (id, tokens) = PacketTokens::sent(event).filter(|(_, tokens)| tokens.memo.is_empty())?;
        Some([tokens.left(), tokens.arrived(&id)])
    };
    let packet = |event: &DecodedEvent| {
        let of_transfer = |other: &&DecodedEvent| other.kind == IBC_TRANSFER && other.phase == event.phase;
        let transfer = decoded.events.iter().find(of_transfer)?;
        Some(SentPacket {
            channel: event.text(keys::PACKET_SRC_CHANNEL)?.to_owned(),
            sequence: event.text(keys::PACKET_SEQUENCE)?.to_owned(),
            sender: transfer.get(keys::SENDER)?,
            coins: coins(event),
        })
    };
    sent.filter_map(packet).collect()
}

/// Returns the outcome of a packet that a transaction reports; `None` if it reports none.
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
    // A repeated acknowledgement emits no other event, so it does not show the outcome.
    let is_settled = events()
        .any(|event| matches!(event.class(), EventClass::Packet(PacketStep::Acknowledged | PacketStep::TimedOut)));
    let is_refused = |event: &&DecodedEvent| event.kind == FUNGIBLE_TOKEN_PACKET && event.text(keys::ERROR).is_some();
    let refused = events().find(is_refused);
    let returned = events().flat_map(|event| credited(event, packet.sender));
    let cause = match message.kind.short() {
        "MsgAcknowledgement" => {
            let Some(refused) = refused else { return is_settled.then_some(PacketEnd::Acknowledged) };
            ReturnCause::Refused(text::clip(refused.text(keys::ERROR).unwrap_or_default(), REASON))
        }
        _ => ReturnCause::TimedOut,
    };
    let coin = returned.last()?;
    Some(PacketEnd::Returned(IndexedReturn { denom: coin.denom, amount: coin.amount, at: tx.timestamp, cause }))
}
