//! Findings in an index's records: departure, credit and refund of a transfer.

use std::sync::Arc;

use serde_json::Value;

use super::{
    CrossingNumber, Evidence, SourceEvidence,
    evidence::{credited, credits},
    hook_problem,
};
use crate::{
    domain::{Address, Amount, Denom, Timestamp, TxHash, text},
    events::{
        EventClass, EventRecord,
        ibc::PacketStep,
        keys,
        names::{FUNGIBLE_TOKEN_PACKET, IBC_TRANSFER},
        opinit::{BridgeStep, BridgeTransfer},
    },
    story::{Decoded, DecodedEvent, EventPhase, decode},
    wire::{Tx, opinit::SettlementAnswers},
};

/// Maximum columns of a reason.
const REASON: usize = 160;

/// Credit to the recipient in the events of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedCredit {
    /// Denom as credited, including one left unconverted by a failed hook.
    pub denom: Denom,
    /// Amount in the smallest unit.
    pub amount: Amount,
    pub at: Timestamp,
    /// Transaction with the credit.
    pub tx: TxHash,
    /// Why the deposit's hook failed, cleaned.
    pub hook_problem: Option<String>,
    /// Sequence number that identifies the transfer; `None` if only account, denom, amount and time match.
    pub number: Option<CrossingNumber>,
}

/// Reason for a packet's refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReturnCause {
    /// Timeout.
    TimedOut,
    /// Error acknowledgement with its reason, cleaned; empty without one.
    Refused(String),
}

/// Refund of a failed packet to its sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedReturn {
    /// Denom as refunded, which may differ from the sent one.
    pub denom: Denom,
    /// Amount in the smallest unit.
    pub amount: Amount,
    pub at: Timestamp,
    pub cause: ReturnCause,
}

/// Packet on its source chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentPacket {
    /// Channel on the sending side.
    pub channel: String,
    pub sequence: String,
    /// Sender, who gets any refund.
    pub sender: Address,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PacketEnd {
    Acknowledged,
    Returned(IndexedReturn),
}

/// Findings of indexers with their times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexFindings {
    pub evidence: Evidence,
    /// Time of the source indexer's last answer.
    pub source_at: Option<Timestamp>,
    /// Time of the destination indexer's last answer.
    pub arrival_at: Option<Timestamp>,
    /// Block time of the newest source transaction.
    pub included_at: Option<Timestamp>,
    /// Chain's error for the newest source transaction, cleaned.
    pub failure: Option<String>,
    pub credit: Option<IndexedCredit>,
    /// Numbers of equal credits and of equal transfers waiting for one, if ambiguous.
    pub rivals: Option<(usize, usize)>,
    /// Sequence numbers over the last bridge, from its source chain; empty if unknown.
    pub numbers: Vec<CrossingNumber>,
    /// Whether the destination rejected a transfer with one of `numbers`.
    pub is_refused_there: bool,
    /// Refund to the sender of the newest source transaction.
    pub returned: Option<IndexedReturn>,
    /// Answers of executor and L1 about the withdrawal in the newest source transaction.
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

/// Returns a transaction's credit to the recipient, in either address form: the wanted denom, or the unconverted
/// deposit after a failed hook. `is_fit` selects the transfer's amounts among several credits.
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
    let (denom, amount) = decoded.events.iter().find_map(|event| unconverted(&decoded, event, recipient))?;
    Some(IndexedCredit { denom, amount, at: tx.timestamp, tx: tx.txhash, hook_problem, number: None })
}

/// Returns the reason why a deposit's hook failed, without the standard prefix.
pub(super) fn failed_hook(tx: &Tx) -> Option<String> {
    let reason = hook_problem(tx)?;
    Some(reason.strip_prefix("hook failed;").unwrap_or(&reason).trim().to_owned())
}

/// Whether a transaction delivers funds over a bridge: a deposit from the L1, or a packet.
pub fn is_bridge_arrival(tx: &Tx) -> bool {
    let is_one = |event: &DecodedEvent| {
        use EventClass::{Bridge, Packet};
        matches!(event.class(), Bridge(BridgeStep::DepositFinalized) | Packet(PacketStep::Received))
    };
    tx.is_success() && decode(tx).events.iter().any(is_one)
}

/// Returns a deposit credited unconverted because its hook failed.
pub(super) fn unconverted(decoded: &Decoded, event: &DecodedEvent, recipient: Address) -> Option<(Denom, Amount)> {
    let deposit = BridgeTransfer::deposit(event).filter(|deposit| deposit.is_failed || deposit.is_hook_failed)?;
    let wanted = deposit.coin().filter(|_| deposit.recipient() == Some(recipient))?;
    let is_credit =
        |other: &DecodedEvent| other.phase == event.phase && credited(other, recipient).any(|coin| coin == wanted);
    decoded.events.iter().any(is_credit).then_some((wanted.denom, wanted.amount))
}

/// Returns the packets of tokens that a transaction sent.
pub fn packets_sent(tx: &Tx) -> Vec<SentPacket> {
    if !tx.is_success() {
        return Vec::new();
    }
    let decoded = decode(tx);
    let sent = decoded.events.iter().filter(|event| *event.class() == EventClass::Packet(PacketStep::Sent));
    let packet = |event: &DecodedEvent| {
        let of_transfer = |other: &&DecodedEvent| other.kind == IBC_TRANSFER && other.phase == event.phase;
        let transfer = decoded.events.iter().find(of_transfer)?;
        Some(SentPacket {
            channel: event.text(keys::PACKET_SRC_CHANNEL)?.to_owned(),
            sequence: event.text(keys::PACKET_SEQUENCE)?.to_owned(),
            sender: transfer.get(keys::SENDER)?,
        })
    };
    sent.filter_map(packet).collect()
}

/// Returns a packet's outcome in a transaction; `None` if it has none.
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
    // A repeated acknowledgement emits only this event, so it says nothing about the outcome.
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
