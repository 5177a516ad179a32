mod v2;

pub(crate) use v2::{app_acknowledgement, data_of};

use std::borrow::Cow;

use super::{EventClass, EventRecord, keys};
use crate::domain::{LocalPacket, PacketSide, Timestamp};

/// Identity of a packet on the chain that sent it. A packet of IBC v2 has the ids of clients as channels.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PacketId {
    pub(crate) source_port: String,
    pub(crate) source_channel: String,
    pub(crate) destination_port: String,
    pub(crate) destination_channel: String,
    pub(crate) sequence: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PacketEvent<'e> {
    pub(crate) step: PacketStep,
    /// `None` if an attribute is missing or unreadable.
    pub(crate) id: Option<PacketId>,
    /// In hex, which all nodes write, and in plain text.
    pub(crate) data: [Option<Cow<'e, str>>; 2],
    /// In plain text, else in hex.
    pub(crate) acknowledgement: Option<Cow<'e, str>>,
    /// Whether the packet's two ends are on one chain.
    pub(crate) is_local: bool,
    /// Time from which the packet cannot arrive any more; `None` without one.
    pub(crate) expiry: Option<Timestamp>,
}

/// Connection of a chain with itself.
const LOCALHOST: &str = "connection-localhost";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PacketStep {
    Sent,
    Received,
    /// This chain wrote the acknowledgement.
    Answered,
    /// The counterparty's acknowledgement arrived.
    Acknowledged,
    TimedOut,
}

impl PacketStep {
    /// Returns the side of the channel on which the chain of the event has the packet.
    pub(crate) fn side(self) -> PacketSide {
        match self {
            Self::Sent | Self::Acknowledged | Self::TimedOut => PacketSide::Sent,
            Self::Received | Self::Answered => PacketSide::Received,
        }
    }
}

impl PacketId {
    /// Whether the packet is of IBC v2. No client has an id such as a channel's.
    pub(crate) fn is_between_clients(&self) -> bool {
        !self.source_channel.starts_with("channel-")
    }

    /// Returns the packet's identity on one of its chains.
    pub(crate) fn end(&self, side: PacketSide) -> LocalPacket {
        let (port, channel) = match side {
            PacketSide::Sent => (&self.source_port, &self.source_channel),
            PacketSide::Received => (&self.destination_port, &self.destination_channel),
        };
        LocalPacket { side, port: port.clone(), channel: channel.clone(), sequence: self.sequence }
    }
}

impl<'e> PacketEvent<'e> {
    pub(crate) fn of(event: &'e impl EventRecord) -> Option<Self> {
        let EventClass::Packet(step) = *event.class() else { return None };
        if event.text(keys::PACKET_SRC_CLIENT).is_some() {
            return Some(Self::between_clients(event, step));
        }
        let id = || {
            Some(PacketId {
                source_port: event.get(keys::PACKET_SRC_PORT)?,
                source_channel: event.get(keys::PACKET_SRC_CHANNEL)?,
                destination_port: event.get(keys::PACKET_DST_PORT)?,
                destination_channel: event.get(keys::PACKET_DST_CHANNEL)?,
                sequence: event.get(keys::PACKET_SEQUENCE)?,
            })
        };
        Some(Self {
            step,
            id: id(),
            data: [event.text(keys::PACKET_DATA_HEX), event.text(keys::PACKET_DATA)].map(|data| data.map(Cow::from)),
            acknowledgement: event.text(keys::PACKET_ACK).or_else(|| event.text(keys::PACKET_ACK_HEX)).map(Cow::from),
            is_local: [keys::PACKET_CONNECTION, keys::CONNECTION_ID]
                .iter()
                .any(|key| event.text(*key) == Some(LOCALHOST)),
            expiry: event
                .get(keys::PACKET_TIMEOUT)
                .filter(|nanos| *nanos > 0)
                .map(|nanos| Timestamp::from_nanos(i128::from(nanos))),
        })
    }

    /// Reads an event of IBC v2.
    fn between_clients(event: &'e impl EventRecord, step: PacketStep) -> Self {
        let v2::PacketContent { ports: [source_port, destination_port], data } =
            v2::PacketContent::of(event.text(keys::ENCODED_PACKET));
        let id = || {
            Some(PacketId {
                source_port,
                source_channel: event.get(keys::PACKET_SRC_CLIENT)?,
                destination_port,
                destination_channel: event.get(keys::PACKET_DST_CLIENT)?,
                sequence: event.get(keys::PACKET_SEQUENCE)?,
            })
        };
        // In seconds, unlike in v1.
        let expiry = event.get(keys::PACKET_TIMEOUT).filter(|seconds| *seconds > 0);
        Self {
            step,
            id: id(),
            data: [None, data.map(Cow::from)],
            acknowledgement: v2::acknowledgement(event.text(keys::ENCODED_ACK)).map(Cow::from),
            is_local: false,
            expiry: expiry.map(|seconds| Timestamp::from_nanos(i128::from(seconds) * 1_000_000_000)),
        }
    }

    /// Returns the bytes of the packet's data; `None` if the event lacks them, as on acknowledgement and timeout.
    pub(crate) fn bytes(&self) -> Option<Vec<u8>> {
        let [hex, text] = self.data.each_ref().map(|data| data.as_deref().filter(|data| !data.is_empty()));
        hex.and_then(|hex| alloy_primitives::hex::decode(hex).ok()).or_else(|| Some(text?.as_bytes().to_vec()))
    }

    /// Returns the packet's identity on the chain of the event.
    pub(crate) fn end(&self) -> Option<LocalPacket> {
        Some(self.id.as_ref()?.end(self.step.side()))
    }
}
