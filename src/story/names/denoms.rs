use alloy_primitives::hex;
use sha2::{Digest, Sha256};

use crate::domain::Denom;

/// Denom or class with its channel path: `transfer/channel-0/uinit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DenomTrace<'a> {
    /// Full path.
    whole: &'a str,
    pub(crate) base: &'a str,
}

impl<'a> DenomTrace<'a> {
    /// Splits a path. Base denoms may contain slashes, so only pairs of port and channel count as hops.
    pub(crate) fn of(path: &'a str) -> Self {
        let mut base = path;
        while let Some(rest) = after_hop(base) {
            base = rest;
        }
        Self { whole: path, base }
    }

    /// Whether the trace has any hop.
    pub(crate) fn is_voucher(&self) -> bool {
        self.base.len() < self.whole.len()
    }

    /// Returns the local denom: `ibc/` and the hash of the path, or the base denom without hops.
    pub(crate) fn denom(&self) -> Denom {
        if !self.is_voucher() {
            return Denom::new(self.whole);
        }
        Denom::new(format!("ibc/{}", hex::encode_upper(Sha256::digest(self.whole))))
    }
}

/// Returns the path after its first port and channel.
fn after_hop(path: &str) -> Option<&str> {
    let (_, rest) = path.split_once('/')?;
    let (channel, rest) = rest.split_once('/')?;
    let number = channel.strip_prefix("channel-")?;
    let is_channel = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_channel && !rest.is_empty()).then_some(rest)
}

/// Returns the denom of a packet's token or class on the source chain.
pub(crate) fn left_denom(path: &str) -> Denom {
    DenomTrace::of(path).denom()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::packet::{PacketId, arrived_denom};

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
