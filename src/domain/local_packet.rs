use std::fmt;

/// Side of a channel. Packets that a chain sends over a channel and packets that it receives there are numbered apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum PacketSide {
    Sent,
    Received,
}

/// Identity of an IBC packet on one of its two chains.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LocalPacket {
    pub side: PacketSide,
    /// Port on this chain.
    pub port: String,
    /// Channel on this chain.
    pub channel: String,
    pub sequence: u64,
}

impl fmt::Display for LocalPacket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { side, port, channel, sequence } = self;
        write!(formatter, "packet #{sequence} {side} at {port}/{channel}")
    }
}
