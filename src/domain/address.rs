use std::{fmt, str::FromStr};

use alloy_primitives::hex;
use bech32::{Bech32, Hrp};

/// Bech32 prefix of accounts on all Initia chains.
const PREFIX: &str = "init";
/// Bech32 prefix of validators on all Initia chains.
const OPERATOR: &str = "initvaloper";
/// Maximum digits of a system address such as `0x1` or `0xf1`; longer digits may be a mistyped address.
const SHORTHAND: usize = 8;

/// Account, contract or object: 20 bytes (users, EVM contracts, modules) or 32 (Wasm contracts, Move objects).
///
/// Both text formats, `init1…` and `0x…`, encode equal bytes; the parser accepts both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Address {
    Short([u8; 20]),
    Long([u8; 32]),
}

/// Reason why a text is not an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Bech32 with a wrong checksum or alphabet, probably mistyped.
    #[error("“{0}” looks like an address but its checksum is wrong: check for a mistyped character")]
    Checksum(String),
    #[error("“{0}” is not an address: write init1… or 0x with 40 or 64 digits")]
    Form(String),
}

impl Address {
    /// Creates an address from 20 or 32 bytes; `None` for another length.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes.len() {
            20 => bytes.try_into().ok().map(Self::Short),
            32 => bytes.try_into().ok().map(Self::Long),
            _ => None,
        }
    }

    /// Returns the address as 32 bytes, left-padded with zeros, as in Move and EVM logs.
    pub fn word(&self) -> [u8; 32] {
        match self {
            Self::Short(bytes) => {
                let mut word = [0; 32];
                word[12..].copy_from_slice(bytes);
                word
            }
            Self::Long(bytes) => *bytes,
        }
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Short(bytes) => bytes,
            Self::Long(bytes) => bytes,
        }
    }

    /// Returns the last 20 bytes: EVM logs contain no more of an account (`docs/apis/story.md` §2.2).
    pub fn tail(&self) -> [u8; 20] {
        match self {
            Self::Short(bytes) => *bytes,
            Self::Long([_, _, _, _, _, _, _, _, _, _, _, _, tail @ ..]) => *tail,
        }
    }

    /// Whether both addresses have equal [`Self::tail`]s, so that the EVM cannot distinguish them.
    pub fn is_same_in_logs(&self, other: &Self) -> bool {
        self.tail() == other.tail()
    }

    /// Formats the address as `init1…`, as in Cosmos messages.
    pub fn bech32(&self) -> String {
        self.bech32_as(PREFIX)
    }

    /// Parses a validator's `initvaloper1…`, which has the bytes of its operator's account.
    pub fn of_operator(text: &str) -> Option<Self> {
        let (hrp, bytes) = bech32::decode(text.trim()).ok()?;
        hrp.as_str().eq_ignore_ascii_case(OPERATOR).then(|| Self::from_bytes(&bytes)).flatten()
    }

    /// Formats the address in bech32 with another prefix, such as `initvaloper`.
    pub fn bech32_as(&self, prefix: &str) -> String {
        Hrp::parse(prefix)
            .ok()
            .and_then(|hrp| bech32::encode::<Bech32>(hrp, self.bytes()).ok())
            .unwrap_or_else(|| self.hex())
    }

    /// Formats the address as `0x…` in lower case.
    pub fn hex(&self) -> String {
        hex::encode_prefixed(self.bytes())
    }

    /// Formats the address as `0x…`; 20 bytes get the EIP-55 checksum.
    pub fn checksummed(&self) -> String {
        match self {
            Self::Short(bytes) => alloy_primitives::Address::from(*bytes).to_checksum(None),
            Self::Long(_) => self.hex(),
        }
    }

    /// Returns both ends of the bech32 format, such as `init1k4l2zz…9qe0ab`.
    pub fn short(&self) -> String {
        super::AddressForm::Bech32.short(*self)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.bech32())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for Address {
    type Err = AddressError;

    /// Parses `init1…` in one case, 40 or 64 hex digits with or without `0x`, or a system address such as `0x1`.
    fn from_str(text: &str) -> Result<Self, AddressError> {
        let trimmed = text.trim();
        let clipped = || super::text::clip(text, 70);
        let lower = trimmed.to_ascii_lowercase();
        if lower.starts_with("init1") {
            let (hrp, bytes) = bech32::decode(trimmed).map_err(|_| AddressError::Checksum(clipped()))?;
            if !hrp.as_str().eq_ignore_ascii_case(PREFIX) {
                return Err(AddressError::Form(clipped()));
            }
            return Self::from_bytes(&bytes).ok_or_else(|| AddressError::Form(clipped()));
        }
        if let Some(digits) = lower.strip_prefix("0x").filter(|digits| (1..=SHORTHAND).contains(&digits.len())) {
            let low = u32::from_str_radix(digits, 16).map_err(|_| AddressError::Form(clipped()))?;
            let mut bytes = [0; 20];
            bytes[16..].copy_from_slice(&low.to_be_bytes());
            return Ok(Self::Short(bytes));
        }
        let digits = lower.strip_prefix("0x").unwrap_or(&lower);
        hex::decode(digits).ok().and_then(|bytes| Self::from_bytes(&bytes)).ok_or_else(|| AddressError::Form(clipped()))
    }
}

/// Whether two texts name one account, in either format. Texts that are not addresses must be equal.
pub fn same_account(one: &str, other: &str) -> bool {
    one == other || one.parse::<Address>().is_ok_and(|one| other.parse() == Ok(one))
}

/// Adds the hex address to an Initia account, because Ethereum wallets show only hex.
pub fn both_forms(account: &str) -> String {
    let hex = account.starts_with("init1").then(|| account.parse::<Address>().ok()).flatten();
    hex.map_or_else(|| account.to_owned(), |address| format!("{account} = {}", address.checksummed()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_name_the_same_bytes() {
        let address: Address = "init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne".parse().unwrap();
        assert_eq!(address.hex(), "0x408b33ca7c2a50077999d978dd790095a80aed4e");
        assert_eq!(address.hex().parse(), Ok(address));
        assert_eq!(address.bech32().to_uppercase().parse(), Ok(address));
    }

    #[test]
    fn system_addresses_may_be_written_short_and_nothing_else_may() {
        let one: Address = "0x1".parse().unwrap();
        assert_eq!(one.bech32(), "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d");
        for text in ["0x", "1", "0x408b33ca7c2a50077999d978dd790095a80aed4", "0xzz"] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_mistyped_character_is_told_from_another_form() {
        let mistyped = "init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejnf".parse::<Address>();
        assert!(matches!(mistyped, Err(AddressError::Checksum(_))));
        assert!(matches!("cosmos1abc".parse::<Address>(), Err(AddressError::Form(_))));
    }
}
