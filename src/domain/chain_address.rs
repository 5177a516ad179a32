use alloy_primitives::{U256, hex};
use bech32::{Bech32, primitives::decode::CheckedHrpstring};

use super::{Address, text};

/// Bech32 prefix of accounts on all Initia chains.
const INITIA: &str = "init";
/// Maximum bytes of an address whose format is unknown.
const LONGEST: usize = 128;
const BASE58: &str = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/// Number of bytes of a Solana address.
const SOLANA: usize = 32;

/// Address format of a chain, used to check addresses. Chains with different rules never share an account: their keys
/// derive different addresses (`docs/apis/router.md` §13, trap 23).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressRule {
    /// Initia chain: `init1…` and `0x…` encode equal bytes. The routing API takes `init1…`, also on EVM rollups.
    Initia,
    /// Other Cosmos chain: bech32 with this prefix.
    Bech32(String),
    /// EVM chain: `0x` and 40 hex digits; digits of mixed case must match the EIP-55 checksum.
    Evm,
    /// Solana: base58 of 32 bytes.
    Solana,
    /// Unknown format: any word is accepted as typed.
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainAddress {
    text: String,
    account: Option<Address>,
    is_checked: bool,
}

/// Reason why a text is not an address of the chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainAddressError {
    /// Bech32 with a wrong checksum or alphabet.
    #[error("the checksum is wrong: check for a mistyped character")]
    Checksum,
    /// The bech32 prefix belongs to another chain.
    #[error("the address is for another chain: found {found}1…, expected {wanted}1…")]
    Prefix { wanted: String, found: String },
    /// Hex digits whose mixed case violates EIP-55.
    #[error("wrong letter case (EIP-55): check for a mistyped character")]
    Case,
    #[error("expected {0}")]
    Form(String),
}

impl AddressRule {
    /// Returns the rule of a Cosmos chain with this prefix.
    pub fn of_prefix(prefix: &str) -> Self {
        match prefix {
            "" => Self::Unknown,
            INITIA => Self::Initia,
            other => Self::Bech32(other.to_owned()),
        }
    }

    /// Parses the user's input.
    pub fn read(&self, typed: &str) -> Result<ChainAddress, ChainAddressError> {
        let typed = typed.trim();
        let checked = |text: String, account| ChainAddress { text, account, is_checked: true };
        match self {
            Self::Initia if starts_with_0x(typed) => {
                let account = read_hex(typed, "init1… or 0x with 40 digits")?;
                Ok(checked(account.bech32(), Some(account)))
            }
            Self::Initia => {
                let account = read_bech32(typed, INITIA, "init1… or 0x with 40 digits")?;
                Ok(checked(account.bech32(), Some(account)))
            }
            Self::Bech32(prefix) => {
                let account = read_bech32(typed, prefix, &format!("{}1…", text::clip(prefix, 24)))?;
                Ok(checked(account.bech32_as(prefix), None))
            }
            Self::Evm => {
                let account = read_hex(typed, "0x with 40 digits")?;
                Ok(checked(account.checksummed(), None))
            }
            Self::Solana if base58_length(typed) == Some(SOLANA) => Ok(checked(typed.to_owned(), None)),
            Self::Solana => Err(ChainAddressError::Form("base58 of 32 bytes".to_owned())),
            Self::Unknown => {
                let is_fit = !typed.is_empty() && typed.len() <= LONGEST && !typed.contains(char::is_whitespace);
                if !is_fit || text::clean(typed) != typed {
                    return Err(ChainAddressError::Form(format!("one word of at most {LONGEST} characters")));
                }
                Ok(ChainAddress { text: typed.to_owned(), account: None, is_checked: false })
            }
        }
    }
}

impl ChainAddress {
    /// Returns the address in the routing API's format.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the account; `None` unless the chain is an Initia chain.
    pub fn account(&self) -> Option<Address> {
        self.account
    }

    /// Whether the format was checked; an address of unknown format is accepted as typed.
    pub fn is_checked(&self) -> bool {
        self.is_checked
    }
}

/// Returns the number of bytes that a base58 text encodes; `None` for another alphabet, or more than 32 bytes.
fn base58_length(text: &str) -> Option<usize> {
    let value = text.chars().try_fold(U256::ZERO, |value, character| {
        let digit = BASE58.find(character)?;
        value.checked_mul(U256::from(BASE58.len()))?.checked_add(U256::from(digit))
    })?;
    let zeros = text.chars().take_while(|character| *character == '1').count();
    Some(zeros + value.byte_len())
}

fn starts_with_0x(text: &str) -> bool {
    text.starts_with("0x") || text.starts_with("0X")
}

fn read_hex(typed: &str, wanted: &str) -> Result<Address, ChainAddressError> {
    let form = || ChainAddressError::Form(wanted.to_owned());
    let digits = typed.get(2..).filter(|digits| starts_with_0x(typed) && digits.len() == 40).ok_or_else(form)?;
    let bytes = hex::decode(digits).map_err(|_| form())?;
    let account = Address::from_bytes(&bytes).ok_or_else(form)?;
    let is_mixed =
        digits.contains(|c: char| c.is_ascii_uppercase()) && digits.contains(|c: char| c.is_ascii_lowercase());
    if is_mixed && account.checksummed().get(2..) != Some(digits) {
        return Err(ChainAddressError::Case);
    }
    Ok(account)
}

fn read_bech32(typed: &str, prefix: &str, wanted: &str) -> Result<Address, ChainAddressError> {
    let form = || ChainAddressError::Form(wanted.to_owned());
    let found = typed.rsplit_once('1').map(|(found, _)| found.to_ascii_lowercase());
    let found = found.filter(|found| !found.is_empty() && found.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let found = found.filter(|_| !starts_with_0x(typed)).ok_or_else(form)?;
    let decoded = CheckedHrpstring::new::<Bech32>(typed).map_err(|_| ChainAddressError::Checksum)?;
    if found != prefix {
        return Err(ChainAddressError::Prefix { wanted: prefix.to_owned(), found: text::clip(&found, 24) });
    }
    let bytes: Vec<u8> = decoded.byte_iter().collect();
    Address::from_bytes(&bytes).ok_or_else(form)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BECH32: &str = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";
    /// One letter has the wrong case for EIP-55.
    const WRONG: &str = "0x294FaC7D33AC5250dba7f3f233766637Ac18ff69";
    const HEX: &str = "0x294faC7D33AC5250dba7f3f233766637Ac18ff69";

    #[test]
    fn both_forms_of_an_initia_address_become_the_one_that_the_router_takes() {
        for typed in
            [BECH32, &BECH32.to_uppercase(), HEX, &HEX.to_lowercase(), " init19986clfn43f9pka870erxanxx7kp3lmfcrz898 "]
        {
            let read = AddressRule::Initia.read(typed).unwrap();
            assert_eq!((read.as_str(), read.is_checked()), (BECH32, true), "{typed}");
            assert_eq!(read.account().unwrap().checksummed(), HEX);
        }
        // Shorthands such as 0x1 name system accounts, which no user can control.
        for typed in ["", "0x1", "1", "init1", &HEX[2..], &HEX[..41]] {
            assert!(AddressRule::Initia.read(typed).is_err(), "{typed}");
        }
    }

    #[test]
    fn a_mistyped_or_foreign_address_is_refused() {
        let mistyped = BECH32.replace("98", "89");
        assert_eq!(AddressRule::Initia.read(&mistyped), Err(ChainAddressError::Checksum));
        let noble = "noble10jr5un2e6jnpyaqqhzsq9j4luu0l4rg5s3qutv";
        let prefix = ChainAddressError::Prefix { wanted: "init".to_owned(), found: "noble".to_owned() };
        assert_eq!(AddressRule::Initia.read(noble), Err(prefix));
        let read = AddressRule::of_prefix("noble").read(noble).unwrap();
        assert_eq!((read.as_str(), read.account()), (noble, None), "no form of another chain is made of it");
        assert!(matches!(AddressRule::of_prefix("noble").read(BECH32), Err(ChainAddressError::Prefix { .. })));
        assert!(matches!(AddressRule::of_prefix("noble").read(HEX), Err(ChainAddressError::Form(_))));
    }

    #[test]
    fn mixed_case_of_an_evm_address_must_be_that_of_eip_55() {
        for typed in [HEX.to_owned(), HEX.to_lowercase(), format!("0x{}", HEX[2..].to_uppercase())] {
            assert_eq!(AddressRule::Evm.read(&typed).unwrap().as_str(), HEX);
        }
        assert_eq!(AddressRule::Evm.read(WRONG), Err(ChainAddressError::Case));
        assert_eq!(AddressRule::Initia.read(WRONG), Err(ChainAddressError::Case));
        assert!(matches!(AddressRule::Evm.read(BECH32), Err(ChainAddressError::Form(_))));
    }

    #[test]
    fn an_unknown_chain_takes_one_clean_word_and_says_that_it_was_not_checked() {
        let read = AddressRule::of_prefix("").read("whatever").unwrap();
        assert_eq!((read.as_str(), read.is_checked()), ("whatever", false));
        for typed in ["", "two words", "esc\u{1b}[31m", &"x".repeat(129)] {
            assert!(AddressRule::Unknown.read(typed).is_err(), "{typed:?}");
        }
        assert!(AddressRule::Solana.read("So11111111111111111111111111111111111111112").is_ok());
        assert!(AddressRule::Solana.read("So1111111111111111111111111111111111111111l").is_err());
    }
}
