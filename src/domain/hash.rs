use std::{fmt, str::FromStr};

use alloy_primitives::hex;

/// Error for a text that is not a 32-byte hash.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not a hash: write 64 hex digits, with or without 0x")]
pub struct HashError(String);

macro_rules! hash {
    ($(#[$doc:meta])* $name:ident, $encode:path) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 32]);

        impl $name {
            pub const fn new(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            pub const fn bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// Returns the first and last hex digits for lists: `8E1C…04F2`.
            pub fn short(&self) -> String {
                let text = self.to_string();
                format!("{}…{}", &text[..text.len() - 60], &text[text.len() - 4..])
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&$encode(self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, formatter)
            }
        }

        impl FromStr for $name {
            type Err = HashError;

            /// Parses 64 hex digits in any case, with or without `0x` or `0X`.
            fn from_str(text: &str) -> Result<Self, HashError> {
                let trimmed = text.trim();
                let digits = trimmed.strip_prefix("0x").or_else(|| trimmed.strip_prefix("0X")).unwrap_or(trimmed);
                let mut bytes = [0; 32];
                hex::decode_to_slice(digits, &mut bytes).map_err(|_| HashError(super::text::clip(text, 70)))?;
                Ok(Self(bytes))
            }
        }
    };
}

hash! {
    /// Cosmos hash of a transaction. Displays as in the indexer: upper-case hex without `0x`.
    TxHash, hex::encode_upper
}

hash! {
    /// EVM hash of a transaction, which differs from its Cosmos hash. Displays as in EVM tools: lower-case hex with
    /// `0x`.
    EvmTxHash, hex::encode_prefixed
}

hash! {
    /// Hash of a block. Displays as in the indexer: upper-case hex without `0x`.
    BlockHash, hex::encode_upper
}
