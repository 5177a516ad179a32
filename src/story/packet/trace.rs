use alloy_primitives::hex;
use sha2::{Digest, Sha256};

use super::PacketId;
use crate::domain::Denom;

/// A denom or class with the channels it came over: `transfer/channel-0/uinit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::story) struct DenomTrace<'a> {
    /// The whole path.
    whole: &'a str,
    /// What it is called where it was made.
    pub(in crate::story) base: &'a str,
}

impl<'a> DenomTrace<'a> {
    /// Takes a path apart. Names may hold slashes themselves, so only pairs of a port and a channel count.
    pub(in crate::story) fn of(path: &'a str) -> Self {
        let mut base = path;
        while let Some(rest) = after_hop(base) {
            base = rest;
        }
        Self { whole: path, base }
    }

    /// Whether it came over a channel at all.
    pub(in crate::story) fn is_voucher(&self) -> bool {
        self.base.len() < self.whole.len()
    }

    /// The denom that a chain calls it by: `ibc/` and the hash of the path, or the name itself where it was made.
    pub(in crate::story) fn denom(&self) -> Denom {
        if !self.is_voucher() {
            return Denom::new(self.whole);
        }
        Denom::new(format!("ibc/{}", hex::encode_upper(Sha256::digest(self.whole))))
    }
}

/// What follows the first port and channel of a path.
fn after_hop(path: &str) -> Option<&str> {
    let (_, rest) = path.split_once('/')?;
    let (channel, rest) = rest.split_once('/')?;
    let number = channel.strip_prefix("channel-")?;
    let is_channel = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_channel && !rest.is_empty()).then_some(rest)
}

/// What a token or class of a packet is called where the packet arrives: what comes home loses its last hop, everything
/// else gets one more.
pub(in crate::story) fn arrived_denom(path: &str, name: &PacketId) -> Denom {
    let source = format!("{}/{}/", name.source_port, name.source_channel);
    if let Some(home) = path.strip_prefix(&source) {
        return DenomTrace::of(home).denom();
    }
    DenomTrace::of(&format!("{}/{}/{path}", name.destination_port, name.destination_channel)).denom()
}

/// What a token or class of a packet is called where the packet was sent.
pub(in crate::story) fn left_denom(path: &str) -> Denom {
    DenomTrace::of(path).denom()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(source: &str, destination: &str) -> PacketId {
        PacketId {
            source_port: "transfer".to_owned(),
            source_channel: source.to_owned(),
            destination_port: "transfer".to_owned(),
            destination_channel: destination.to_owned(),
            sequence: 1,
        }
    }

    #[test]
    fn what_arrives_is_a_voucher_and_what_comes_home_is_itself() {
        let arrived = arrived_denom("uinit", &name("channel-29", "channel-0"));
        assert_eq!(arrived.as_str(), "ibc/37A3FB4FED4CA04ED6D9E5DA36C6D27248645F0E22F585576A1488B8A89C5A50");
        let base = "move/edfcddacac79ab86737a1e9e65805066d8be286a37cb94f4884b892b0e39f954";
        let arrived = arrived_denom(base, &name("channel-25", "channel-0"));
        assert_eq!(arrived.as_str(), "ibc/39026A3BC5B3135CAC7FA5551C286A05E215FDA2C3C79195EB73F6699696F4FF");
        let home = arrived_denom("transfer/channel-0/uinit", &name("channel-0", "channel-29"));
        assert_eq!(home.as_str(), "uinit");
    }

    #[test]
    fn names_with_slashes_are_no_path() {
        for name in ["uinit", "factory/init1abc/sub", "l2/00ff", "transfer/channel-x/u", "transfer/channel-1/", "a/b"] {
            assert_eq!(left_denom(name).as_str(), name);
        }
        let far = DenomTrace::of("transfer/channel-0/transfer/channel-1/factory/init1abc/sub");
        assert_eq!((far.base, far.is_voucher()), ("factory/init1abc/sub", true));
    }
}
