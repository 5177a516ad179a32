//! What failed within a successful transaction: packets, hooks and deposits.

use std::collections::BTreeSet;

use crate::{
    events::{
        ChainEvent,
        ibc::{PacketEvent, PacketStep},
        keys,
        names::{FUNGIBLE_TOKEN_PACKET, HOOK_FAILED, NON_FUNGIBLE_TOKEN_PACKET},
        opinit::BridgeStep,
    },
    story::{
        decode::{Decoded, DecodedEvent, EventPhase, decode},
        deposit_outcome::DepositStage,
        packet::Acknowledgement,
    },
    wire::Tx,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::Display)]
pub enum PartialFailure {
    /// This chain or the counterparty rejected a packet.
    #[strum(serialize = "refused")]
    Refused,
    #[strum(serialize = "timed out")]
    TimedOut,
    /// The call after a packet or a deposit failed.
    #[strum(serialize = "hook failed")]
    HookFailed,
    #[strum(serialize = "deposit failed")]
    DepositFailed,
}

/// Texts of the records that may report partial failures: attributes of packets and deposits, and the type of a failed
/// hook's event. Other records are not decoded.
const MARKS: [&str; 3] = [keys::PACKET_SEQUENCE.name(), keys::L1_SEQUENCE.name(), HOOK_FAILED];

impl PartialFailure {
    /// Returns the kinds of partial failures by the transaction's events; none for a failed transaction.
    pub fn all_of(tx: &Tx) -> BTreeSet<Self> {
        let events = tx.events.get();
        if !tx.is_success() || !MARKS.iter().any(|mark| events.contains(mark)) {
            return BTreeSet::new();
        }
        Self::in_record(&decode(tx))
    }

    /// Returns the kinds of partial failures that the events of a successful transaction show.
    pub(super) fn in_record(decoded: &Decoded) -> BTreeSet<Self> {
        decoded.events.iter().filter_map(|event| Self::of_event(decoded, event)).collect()
    }

    /// Describes the failure after "success, but".
    fn sentence(self) -> &'static str {
        match self {
            Self::Refused => "a packet was refused",
            Self::TimedOut => "a packet timed out",
            Self::HookFailed => "a hook failed",
            Self::DepositFailed => "a deposit failed",
        }
    }

    /// Returns "! success, but a packet was refused"; `None` without partial failures.
    pub fn verdict(failures: &BTreeSet<Self>) -> Option<String> {
        let failures: Vec<&str> = failures.iter().map(|failure| failure.sentence()).collect();
        (!failures.is_empty()).then(|| format!("! success, but {}", failures.join(" and ")))
    }

    fn of_event(decoded: &Decoded, event: &DecodedEvent) -> Option<Self> {
        let EventPhase::Message(message) = event.phase else { return None };
        match ChainEvent::of(event) {
            ChainEvent::Packet(packet) => Self::of_packet(decoded, message, &packet),
            ChainEvent::Bridge(transfer) if transfer.step == BridgeStep::DepositFinalized => {
                let (stage, _) = DepositStage::of_failure(&transfer)?;
                Some(if stage == DepositStage::Hook { Self::HookFailed } else { Self::DepositFailed })
            }
            _ if event.kind == HOOK_FAILED => Some(Self::HookFailed),
            _ => is_refusal(event).then_some(Self::Refused),
        }
    }

    fn of_packet(decoded: &Decoded, message: usize, packet: &PacketEvent<'_>) -> Option<Self> {
        let answer = match packet.step {
            PacketStep::TimedOut => return Some(Self::TimedOut),
            PacketStep::Answered => packet.acknowledgement.as_deref().map(Acknowledgement::of),
            PacketStep::Acknowledged => Acknowledgement::of_message(&decoded.messages.get(message)?.fields),
            PacketStep::Sent | PacketStep::Received => None,
        };
        matches!(answer?, Acknowledgement::Refused(_)).then_some(Self::Refused)
    }
}

/// Whether the application's own event, at arrival or acknowledgement of a packet, reports a refusal.
pub(super) fn is_refusal(event: &DecodedEvent) -> bool {
    matches!(event.kind.as_str(), FUNGIBLE_TOKEN_PACKET | NON_FUNGIBLE_TOKEN_PACKET)
        && (event.text(keys::ERROR).is_some()
            || event.text(keys::ACKNOWLEDGEMENT).is_some_and(|text| text.starts_with("error")))
}
