use super::{EventClass, EventRecord, keys};

/// Identity of a packet on the chain that sent it.
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
    pub(crate) data: [Option<&'e str>; 2],
    /// In plain text, else in hex.
    pub(crate) acknowledgement: Option<&'e str>,
}

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

impl<'e> PacketEvent<'e> {
    pub(crate) fn of(event: &'e impl EventRecord) -> Option<Self> {
        let EventClass::Packet(step) = *event.class() else { return None };
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
            data: [event.text(keys::PACKET_DATA_HEX), event.text(keys::PACKET_DATA)],
            acknowledgement: event.text(keys::PACKET_ACK).or_else(|| event.text(keys::PACKET_ACK_HEX)),
        })
    }
}
