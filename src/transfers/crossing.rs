//! Sequence numbers of bridge transfers. Both chains report them, so they tell an arrival from similar ones.

use std::fmt;

use super::{
    IndexedCredit,
    evidence::credits,
    findings::{failed_hook, unconverted},
};
use crate::{
    domain::{Address, Amount, Denom},
    events::{
        ibc::{PacketEvent, PacketId, PacketStep},
        opinit::{BridgeStep, BridgeTransfer},
    },
    story::{
        DecodedEvent, EventPhase, decode,
        packet::{Acknowledgement, PacketData},
    },
    wire::Tx,
};

/// Sequence number of a bridge transfer on its source chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CrossingNumber {
    /// Deposit over the OPinit bridge.
    Deposit {
        bridge_id: u64,
        /// Sequence number of the deposit on that bridge, without gaps.
        l1_sequence: u64,
        /// Denom that arrives; only this bridge mints it.
        denom: Denom,
    },
    /// IBC packet with tokens.
    Packet {
        /// Channel on the sending chain.
        source_channel: String,
        /// Channel on the receiving chain.
        destination_channel: String,
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

/// Outcome, on the destination, of a transfer with a sequence number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CrossingEnd {
    Credited(IndexedCredit),
    /// The destination rejected the transfer, so the funds return.
    Refused,
}

impl CrossingNumber {
    /// Returns the bridge transfers of a transaction to this recipient, in either address format.
    pub fn all_of(tx: &Tx, recipient: &str) -> Vec<Self> {
        let Some(recipient) = recipient.parse::<Address>().ok().filter(|_| tx.is_success()) else { return Vec::new() };
        let is_his = |text: &str| text.parse::<Address>() == Ok(recipient);
        let number = |event: &DecodedEvent| {
            if let Some(deposit) = BridgeTransfer::of(event) {
                let is_ours = deposit.step == BridgeStep::DepositInitiated && deposit.recipient() == Some(recipient);
                let denom = Denom::new(deposit.other_denom.filter(|_| is_ours)?);
                return Some(Self::Deposit { bridge_id: deposit.bridge_id?, l1_sequence: deposit.sequence?, denom });
            }
            let sent = PacketEvent::of(event).filter(|packet| packet.step == PacketStep::Sent)?;
            let PacketData::Tokens(tokens) = PacketData::of_packet(&sent) else { return None };
            let PacketId { source_channel, destination_channel, sequence, .. } =
                sent.id.filter(|_| is_his(&tokens.receiver))?;
            Some(Self::Packet { source_channel, destination_channel, sequence })
        };
        decode(tx).events.iter().filter_map(number).collect()
    }

    /// Returns the outcome that a transaction of the destination reports for this number; `None` if it reports none.
    /// `is_fit` chooses among several credits of one message.
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
        // The refund comes first: some nodes briefly credit funds, which a failed hook then removes.
        let has_beside = |is_it: &dyn Fn(&DecodedEvent) -> bool| {
            decoded.events.iter().any(|other| other.phase == event.phase && is_it(other))
        };
        let is_refused = match self {
            Self::Deposit { .. } => {
                BridgeTransfer::deposit(event).is_some_and(|deposit| deposit.is_failed)
                    && has_beside(&|other| BridgeTransfer::withdrawal(other).is_some())
            }
            Self::Packet { .. } => {
                has_beside(&|other| self.packet(other, PacketStep::Answered).is_some_and(|packet| is_refusal(&packet)))
            }
        };
        if is_refused {
            return Some(CrossingEnd::Refused);
        }
        let credits = credits(&decoded, Some(message), recipient, denom);
        let fitting = || credits.iter().copied().find(|amount| is_fit(*amount));
        // The hook may also have converted earlier funds. Then the largest credit counts.
        if let Some(amount) = fitting().or_else(|| credits.iter().copied().max()).filter(|amount| !amount.is_zero()) {
            return Some(credit(denom.clone(), amount, None));
        }
        let (denom, amount) = unconverted(&decoded, event, recipient)?;
        Some(credit(denom, amount, failed_hook(&decoded)))
    }

    fn is_end(&self, event: &DecodedEvent) -> bool {
        match self {
            Self::Deposit { l1_sequence, denom, .. } => BridgeTransfer::deposit(event)
                .is_some_and(|deposit| deposit.sequence == Some(*l1_sequence) && deposit.denom == Some(denom.as_str())),
            Self::Packet { .. } => self.packet(event, PacketStep::Received).is_some(),
        }
    }

    /// Reads an event about a step of this packet.
    fn packet<'e>(&self, event: &'e DecodedEvent, step: PacketStep) -> Option<PacketEvent<'e>> {
        let Self::Packet { source_channel, destination_channel, sequence } = self else { return None };
        let is_ours = |id: &PacketId| {
            (&id.source_channel, &id.destination_channel, &id.sequence)
                == (source_channel, destination_channel, sequence)
        };
        PacketEvent::of(event).filter(|packet| packet.step == step && packet.id.as_ref().is_some_and(is_ours))
    }
}

fn is_refusal(packet: &PacketEvent<'_>) -> bool {
    matches!(packet.acknowledgement.as_deref().map(Acknowledgement::of), Some(Acknowledgement::Refused(_)))
}
