use std::{fmt, str::FromStr, sync::Arc};

use super::{EvmTxHash, TxHash};

/// Number of characters of a 64-byte base58 signature.
const BASE58: std::ops::RangeInclusive<usize> = 80..=90;

/// Transaction hash of any chain, in the routing API's format (`docs/apis/router.md` §4): upper-case hex for Cosmos,
/// `0x` and lower-case hex for EVM, base58 for Solana.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BroadcastHash(Arc<str>);

/// Error for a text that is not a transaction hash of any chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not a transaction hash: write 64 hex digits (after 0x on an EVM chain) or base58")]
pub struct BroadcastHashError(String);

impl BroadcastHash {
    /// Returns the hash in the routing API's format.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the hash in its chain's format: `0x…` on EVM chains, whose chain ids have digits only; upper case on
    /// other chains.
    #[must_use]
    pub fn for_chain(&self, chain: &super::ChainId) -> Self {
        let is_evm = !chain.as_str().is_empty() && chain.as_str().bytes().all(|byte| byte.is_ascii_digit());
        match self.0.parse::<TxHash>() {
            Ok(hash) if is_evm => Self(EvmTxHash::new(*hash.bytes()).to_string().into()),
            Ok(hash) => Self(hash.to_string().into()),
            Err(_) => self.clone(),
        }
    }

    /// Returns the indexer's transaction hash; `None` if the hash does not have 32 bytes.
    pub fn tx_hash(&self) -> Option<TxHash> {
        self.0.parse().ok()
    }

    /// Returns the first and last characters of the hash.
    pub fn short(&self) -> String {
        let text = self.as_str();
        let cut = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
        let start = if text.starts_with("0x") { 6 } else { 4 };
        format!("{}…{}", cut(0, start), cut(text.len().saturating_sub(4), text.len()))
    }
}

impl fmt::Display for BroadcastHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<TxHash> for BroadcastHash {
    fn from(hash: TxHash) -> Self {
        Self(hash.to_string().into())
    }
}

impl From<EvmTxHash> for BroadcastHash {
    fn from(hash: EvmTxHash) -> Self {
        Self(hash.to_string().into())
    }
}

impl FromStr for BroadcastHash {
    type Err = BroadcastHashError;

    /// Parses a hash of any chain in any case; a hash with `0x` stays an EVM hash.
    fn from_str(text: &str) -> Result<Self, BroadcastHashError> {
        let trimmed = text.trim();
        let is_evm = trimmed.starts_with("0x") || trimmed.starts_with("0X");
        if let Ok(hash) = trimmed.parse::<TxHash>() {
            return Ok(if is_evm { EvmTxHash::new(*hash.bytes()).into() } else { hash.into() });
        }
        let is_base58 = |byte: u8| byte.is_ascii_alphanumeric() && !matches!(byte, b'0' | b'O' | b'I' | b'l');
        if BASE58.contains(&trimmed.len()) && trimmed.bytes().all(is_base58) {
            return Ok(Self(trimmed.into()));
        }
        Err(BroadcastHashError(super::text::clip(text, 70)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ChainId;

    #[test]
    fn each_chain_gets_its_own_form() {
        let digits = "6ac37246bf2f7038e20d47104615acaaa6a15936fb3bd9e5abb92a823e26ee5b";
        let hash: BroadcastHash = digits.parse().unwrap();
        assert_eq!(hash.as_str(), digits.to_uppercase());
        assert_eq!(hash.for_chain(&ChainId::new("42161")).as_str(), format!("0x{digits}"));
        assert_eq!(format!("0X{digits}").parse::<BroadcastHash>().unwrap().as_str(), format!("0x{digits}"));
        let evm: BroadcastHash = format!("0x{digits}").parse().unwrap();
        assert_eq!(evm.for_chain(&ChainId::new("interwoven-1")), hash);
        assert_eq!(evm.short(), "0x6ac3…ee5b");
    }

    #[test]
    fn what_is_no_hash_is_refused() {
        for text in ["", "0x12", "hello", &"g".repeat(64), &"0".repeat(88)] {
            assert!(text.parse::<BroadcastHash>().is_err(), "{text}");
        }
    }
}
