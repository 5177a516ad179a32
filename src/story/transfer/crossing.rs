//! The number under which something crosses a bridge: both chains have it, so that an arrival is told from its equals.

use std::fmt;

use super::{
    IndexedCredit,
    evidence::credits_by,
    findings::{failed_hook, unconverted},
};
use crate::{
    domain::{Address, Amount, Denom},
    story::{
        DecodedEvent, EventPhase, decode,
        packet::{Acknowledgement, PacketData, PacketId},
    },
    wire::Tx,
};

/// What began to cross a bridge towards a chain, as the chain that it left numbers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CrossingNumber {
    /// A deposit over the optimistic bridge.
    Deposit {
        /// The bridge on its L1.
        bridge_id: u64,
        /// Its number on that bridge; there are no gaps.
        l1_sequence: u64,
        /// As what it arrives, which is of this bridge alone.
        denom: Denom,
    },
    /// A packet of IBC with tokens.
    Packet {
        /// The channel that it left over, on the sending side.
        source_channel: String,
        /// The channel that it comes in over.
        destination_channel: String,
        /// Its number on the former.
        sequence: u64,
    },
}

impl fmt::Display for CrossingNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deposit { bridge_id, l1_sequence, .. } => {
                write!(formatter, "deposit #{l1_sequence} of bridge {bridge_id}")
            }
            Self::Packet { source_channel, sequence, .. } => {
                write!(formatter, "packet #{sequence} of {source_channel}")
            }
        }
    }
}

/// What became of something numbered where it arrives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CrossingEnd {
    /// The recipient has it.
    Credited(IndexedCredit),
    /// It came and was not credited: it goes back.
    Refused,
}

impl CrossingNumber {
    /// What a transaction sent to this recipient over bridges; an address may have either form. Of somebody else's
    /// nothing is said, whoever named the transaction.
    pub fn all_of(tx: &Tx, recipient: &str) -> Vec<Self> {
        let Some(recipient) = recipient.parse::<Address>().ok().filter(|_| tx.is_success()) else { return Vec::new() };
        let is_his = |text: &str| text.parse::<Address>() == Ok(recipient);
        let number = |event: &DecodedEvent| match event.kind.as_str() {
            "initiate_token_deposit" if event.value("to").is_some_and(is_his) => Some(Self::Deposit {
                bridge_id: event.value("bridge_id")?.parse().ok()?,
                l1_sequence: event.value("l1_sequence")?.parse().ok()?,
                denom: Denom::new(event.value("l2_denom")?),
            }),
            "send_packet" => {
                let PacketData::Tokens(tokens) = PacketData::of_event(event) else { return None };
                let PacketId { source_channel, destination_channel, sequence, .. } =
                    PacketId::of_event(event).filter(|_| is_his(&tokens.receiver))?;
                Some(Self::Packet { source_channel, destination_channel, sequence })
            }
            _ => None,
        };
        decode(tx).events.iter().filter_map(number).collect()
    }

    /// What a transaction of the chain where it arrives says of its end; `None` where it says nothing of it. `is_fit`
    /// chooses between several credits of one message.
    pub fn end_in(
        &self,
        tx: &Tx,
        recipient: &str,
        denom: &Denom,
        is_fit: impl Fn(Amount) -> bool,
    ) -> Option<CrossingEnd> {
        let recipient = recipient.parse::<Address>().ok().filter(|_| tx.is_success())?;
        let decoded = decode(tx);
        let event = decoded.events.iter().find(|event| self.is_end(event))?;
        let EventPhase::Message(message) = event.phase else { return None };
        let credit = |denom: Denom, amount: Amount, hook_problem: Option<String>| {
            let number = Some(self.clone());
            CrossingEnd::Credited(IndexedCredit {
                denom,
                amount,
                at: tx.timestamp,
                tx: tx.txhash,
                hook_problem,
                number,
            })
        };
        // First what goes back: some nodes credit for a moment what a failed hook then takes away again.
        let has_beside = |is_it: &dyn Fn(&DecodedEvent) -> bool| {
            decoded.events.iter().any(|other| other.phase == event.phase && is_it(other))
        };
        let is_refused = match self {
            Self::Deposit { .. } => {
                event.value("success") == Some("false")
                    && has_beside(&|other| other.kind == "initiate_token_withdrawal")
            }
            Self::Packet { .. } => {
                has_beside(&|other| other.kind == "write_acknowledgement" && self.is_of(other) && is_refusal(other))
            }
        };
        if is_refused {
            return Some(CrossingEnd::Refused);
        }
        let credits = credits_by(&decoded, Some(message), recipient, denom);
        let fitting = || credits.iter().copied().find(|amount| is_fit(*amount));
        // A hook may convert what was there before as well: then the whole credit is told.
        if let Some(amount) = fitting().or_else(|| credits.iter().copied().max()).filter(|amount| !amount.is_zero()) {
            return Some(credit(denom.clone(), amount, None));
        }
        let (denom, amount) = unconverted(&decoded, event, recipient)?;
        Some(credit(denom, amount, failed_hook(tx)))
    }

    /// Whether an event is that of its arrival.
    fn is_end(&self, event: &DecodedEvent) -> bool {
        match self {
            Self::Deposit { l1_sequence, denom, .. } => {
                event.kind == "finalize_token_deposit"
                    && event.value("l1_sequence").and_then(|text| text.parse().ok()) == Some(*l1_sequence)
                    && event.value("denom") == Some(denom.as_str())
            }
            Self::Packet { .. } => event.kind == "recv_packet" && self.is_of(event),
        }
    }

    /// Whether an event is about this packet.
    fn is_of(&self, event: &DecodedEvent) -> bool {
        let Self::Packet { source_channel, destination_channel, sequence } = self else { return false };
        PacketId::of_event(event).is_some_and(|id| {
            (id.source_channel, id.destination_channel, id.sequence)
                == (source_channel.clone(), destination_channel.clone(), *sequence)
        })
    }
}

fn is_refusal(event: &DecodedEvent) -> bool {
    let answer = event.value("packet_ack").or_else(|| event.value("packet_ack_hex")).map(Acknowledgement::of);
    matches!(answer, Some(Acknowledgement::Refused(_)))
}
