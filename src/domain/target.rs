//! Parser for pasted names, used by `/`, `:` and links in documents.

mod several;
mod url;
mod words;

use std::sync::Arc;

use super::{Address, AddressError, Denom, EvmTxHash, Height, NumberedTransfer, TxHash, text};

pub use several::{PastedItem, Several, several};

/// Maximum characters of a pasted text; longer text is an error.
const LONGEST: usize = 16_000;

/// Start of the denom in which rollscope writes the tokens of a CW-20 contract.
const CW20: &str = "cw20:";

/// Maximum recents per network.
pub const RECENTS: u32 = 200;

/// Record that a pasted text may name. A text may have several targets: 64 digits are a Cosmos hash, an EVM hash, or a
/// 32-byte address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    Block(Height),
    Tx(TxHash),
    EvmTx(EvmTxHash),
    Account(Address),
    Collection(Address),
    Token {
        collection: Address,
        /// Token id from the server; hostile.
        token_id: Arc<str>,
    },
    /// Denom; its page is its rich list.
    Denom(Denom),
    /// Another chain, given by chain id or by its name for `-n`.
    Chain(String),
    /// Transfers over a bridge with this number; each transaction of them has a page.
    Transfer(NumberedTransfer),
}

/// Kind of a target. Its name starts the target's tagged text.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::Display, strum::EnumString, strum::EnumIter,
)]
#[strum(serialize_all = "kebab-case")]
pub enum TargetKind {
    Block,
    /// Transaction by its Cosmos hash; the word `tx` also stands for an EVM transaction.
    #[strum(serialize = "cosmos-tx")]
    Tx,
    EvmTx,
    Account,
    Collection,
    Token,
    Denom,
    Chain,
    Withdrawal,
    Deposit,
    Packet,
}

impl TargetKind {
    pub fn word(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Tx => "tx",
            Self::EvmTx => "evm tx",
            Self::Account => "account",
            Self::Collection => "collection",
            Self::Token => "token",
            Self::Denom => "denom",
            Self::Chain => "chain",
            Self::Withdrawal => "withdrawal",
            Self::Deposit => "deposit",
            Self::Packet => "packet",
        }
    }
}

impl Target {
    pub fn kind(&self) -> TargetKind {
        match self {
            Self::Block(_) => TargetKind::Block,
            Self::Tx(_) => TargetKind::Tx,
            Self::EvmTx(_) => TargetKind::EvmTx,
            Self::Account(_) => TargetKind::Account,
            Self::Collection(_) => TargetKind::Collection,
            Self::Token { .. } => TargetKind::Token,
            Self::Denom(_) => TargetKind::Denom,
            Self::Chain(_) => TargetKind::Chain,
            Self::Transfer(NumberedTransfer::Withdrawal(_)) => TargetKind::Withdrawal,
            Self::Transfer(NumberedTransfer::Deposit(_)) => TargetKind::Deposit,
            Self::Transfer(NumberedTransfer::Packet(_)) => TargetKind::Packet,
        }
    }

    /// Returns the full name for copying. [`interpret`] may find several targets for it.
    pub fn text(&self) -> String {
        match self {
            Self::Block(height) => height.to_string(),
            Self::Tx(hash) => hash.to_string(),
            Self::EvmTx(hash) => hash.to_string(),
            Self::Account(address) => address.bech32(),
            Self::Collection(address) => address.hex(),
            Self::Token { collection, token_id } => format!("{}/{token_id}", collection.hex()),
            Self::Denom(denom) => denom.to_string(),
            Self::Chain(name) => name.clone(),
            Self::Transfer(transfer) => transfer.number().to_string(),
        }
    }

    /// Returns what a user can name: an account, a denom or a transaction. A collection is the account of its contract.
    pub fn nameable(&self) -> Option<Self> {
        match self {
            Self::Account(address) | Self::Collection(address) => Some(Self::Account(*address)),
            Self::Denom(_) | Self::Tx(_) | Self::EvmTx(_) => Some(self.clone()),
            Self::Block(_) | Self::Token { .. } | Self::Chain(_) | Self::Transfer(_) => None,
        }
    }

    /// Formats kind and name; [`interpret`] parses the text back to exactly this target. The store keeps recents in
    /// this format.
    pub fn tagged(&self) -> String {
        format!("{} {}", self.kind(), self.text())
    }

    /// Describes the target in a few words, cleaned and truncated.
    pub fn describe(&self) -> String {
        match self {
            Self::Block(height) => format!("block {}", text::group(height.get())),
            Self::Tx(hash) => format!("transaction {}", hash.short()),
            Self::EvmTx(hash) => format!("EVM transaction {}", hash.short()),
            Self::Account(address) => format!("account {}", address.short()),
            Self::Collection(address) => format!("collection {}", address.short()),
            Self::Token { collection, token_id } => {
                format!("token {} of {}", text::clip(token_id, 24), collection.short())
            }
            Self::Denom(denom) => format!("holders of {}", denom.short()),
            Self::Chain(name) => format!("chain {}", text::clip(name, 40)),
            Self::Transfer(transfer) => format!("{} #{}", self.kind().word(), transfer.number()),
        }
    }
}

/// Result of parsing a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Possible targets, the likeliest first; never empty.
    pub targets: Vec<Target>,
    /// Chain that a URL names, by chain id or name.
    pub chain: Option<String>,
}

impl Reading {
    fn new(targets: Vec<Target>) -> Option<Self> {
        (!targets.is_empty()).then_some(Self { targets, chain: None })
    }
}

/// Reason why a text names no target, with the valid formats.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    #[error(
        "type a height, a transaction hash or an address; a denom or symbol, collection/token, \
     channel, validator, withdrawal 9, deposit 9, packet 4 or web address"
    )]
    Empty,
    #[error("input too long")]
    TooLong,
    #[error(transparent)]
    Address(AddressError),
    /// The text has a wrong number of hex digits.
    #[error("“{shown}” has {count} hex digits: a hash has 64, an address 40 or 64")]
    Digits {
        /// Text, cleaned and truncated.
        shown: String,
        /// Number of hex digits.
        count: usize,
    },
    /// Start of an address, cleaned and truncated, with which no known address begins.
    #[error("“{0}” is too short for an address, and no address seen here begins with it")]
    Short(String),
    /// Other text, cleaned and truncated.
    #[error("“{0}” is not a height, hash or address: a hash has 64 hex digits, an address starts with init1 or 0x")]
    Other(String),
}

/// Parses one pasted item; tolerates case, spaces, quotes, `0x`, separators, a word that names its kind, and
/// surrounding prose.
///
/// The caller handles known tickers and prefixes of known hashes.
pub fn interpret(pasted: &str) -> Result<Reading, TargetError> {
    if pasted.len() > LONGEST {
        return Err(TargetError::TooLong);
    }
    let clean = text::clean(pasted);
    let clean = clean.trim();
    if clean.is_empty() {
        return Err(TargetError::Empty);
    }
    strictly(clean)
        .or_else(|| Reading::new(joined(clean)))
        .or_else(|| several::only_strong(clean))
        .ok_or_else(|| complaint(words::strip(clean)))
}

/// Returns the targets that [`interpret`] finds.
pub fn classify(pasted: &str) -> Result<Vec<Target>, TargetError> {
    interpret(pasted).map(|reading| reading.targets)
}

/// Parses one item and ignores decoration: a word that names its kind, quotes, brackets, punctuation.
fn strictly(clean: &str) -> Option<Reading> {
    let stripped = words::strip(clean);
    Reading::new(words::named(clean))
        .or_else(|| url::read(stripped))
        .or_else(|| Reading::new(bare(stripped)))
        .or_else(|| Reading::new(words::named(stripped)))
}

/// Parses a value of any kind, without decoration.
fn bare(value: &str) -> Vec<Target> {
    let mut targets = Vec::new();
    targets.extend(words::height(value).map(Target::Block));
    targets.extend(hashes(value));
    targets.extend(addresses(value));
    if targets.is_empty() {
        targets.extend(slashed_denom(value).map(Target::Denom));
    }
    if targets.is_empty() && !value.contains(char::is_whitespace) {
        targets.extend(token(value));
    }
    if targets.is_empty() {
        targets.extend(module_address(value).map(Target::Account));
        targets.extend(bank_denom(value).map(Target::Denom));
        targets.extend(is_chain_id(value).then(|| Target::Chain(value.to_ascii_lowercase())));
    }
    targets
}

/// Returns the transactions that 64 hex digits may name; with `0x`, an EVM hash is likelier.
fn hashes(value: &str) -> Vec<Target> {
    let (Ok(cosmos), Ok(evm)) = (value.parse::<TxHash>(), value.parse::<EvmTxHash>()) else { return Vec::new() };
    let mut both = vec![Target::Tx(cosmos), Target::EvmTx(evm)];
    if words::is_prefixed(value) {
        both.reverse();
    }
    both
}

/// Returns the targets of an address; a system address is never a collection. A validator is its operator's account.
fn addresses(value: &str) -> Vec<Target> {
    if let Some(operator) = Address::of_operator(value) {
        return vec![Target::Account(operator)];
    }
    let Ok(address) = value.parse::<Address>() else { return Vec::new() };
    if value.len() < 40 {
        vec![Target::Account(address)]
    } else {
        vec![Target::Account(address), Target::Collection(address)]
    }
}

/// Returns the module's address from Move's `0x1::coin`.
fn module_address(value: &str) -> Option<Address> {
    value.split_once("::").and_then(|(address, _)| address.parse().ok())
}

/// Parses `collection/id` or `collection#id`.
fn token(value: &str) -> Option<Target> {
    let (collection, token_id) = value.split_once(['/', '#'])?;
    let collection: Address = collection.trim().parse().ok()?;
    let token_id = token_id.trim();
    (!token_id.is_empty()).then(|| Target::Token { collection, token_id: token_id.into() })
}

/// Parses `ibc/…`, `l2/…`, `move/…`, `evm/…`, `factory/…` and `cw20:init1…`; changes hex digits to the chain's case.
fn slashed_denom(value: &str) -> Option<Denom> {
    if let Some(contract) = value.strip_prefix(CW20) {
        return contract.parse::<Address>().ok().map(|contract| Denom::new(format!("{CW20}{}", contract.bech32())));
    }
    let (kind, rest) = value.split_once('/')?;
    let kind = kind.to_ascii_lowercase();
    if rest.is_empty() || rest.contains(char::is_whitespace) || rest.len() > 128 {
        return None;
    }
    let is_hex = rest.bytes().all(|byte| byte.is_ascii_hexdigit());
    let rest = match kind.as_str() {
        "ibc" if is_hex => rest.to_ascii_uppercase(),
        "l2" | "move" if is_hex => rest.to_ascii_lowercase(),
        "evm" if is_hex => rest.to_owned(),
        "factory" if rest.contains('/') => rest.to_owned(),
        _ => return None,
    };
    Some(Denom::new(format!("{kind}/{rest}")))
}

/// Parses denoms such as `uinit`: `u` and a few letters. The format alone does not prove that the denom exists.
fn bank_denom(value: &str) -> Option<Denom> {
    let letters = value.strip_prefix('u')?;
    let fits = (2..=12).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_lowercase());
    fits.then(|| Denom::new(value))
}

/// Whether the text looks like `interwoven-1`: letters, digits and hyphens with a number at the end.
fn is_chain_id(value: &str) -> bool {
    let Some((name, number)) = value.rsplit_once('-') else { return false };
    let is_word =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_word(name)
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && (1..=10).contains(&number.len())
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && value.len() <= 60
}

/// Joins a hash or address that a line break or space splits.
fn joined(clean: &str) -> Vec<Target> {
    let whole: String = words::strip(clean).chars().filter(|c| !c.is_whitespace() && *c != ';').collect();
    if whole.len() < 40 { Vec::new() } else { [hashes(&whole), addresses(&whole)].concat() }
}

/// Returns the error for text that is not a target.
fn complaint(stripped: &str) -> TargetError {
    if let Err(error @ AddressError::Checksum(_)) = stripped.parse::<Address>() {
        return TargetError::Address(error);
    }
    let shown = text::clip(stripped, 48);
    let digits = words::without_prefix(stripped);
    let is_number = digits.len() <= 24 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if digits.len() >= 20 && !is_number && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return TargetError::Digits { shown, count: digits.len() };
    }
    TargetError::Other(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_several_things_is_all_of_them() {
        let hash = "00".repeat(31) + "01";
        let targets = classify(&hash).unwrap();
        assert!(
            matches!(
                targets.as_slice(),
                [Target::Tx(_), Target::EvmTx(_), Target::Account(Address::Long(_)), Target::Collection(_)]
            ),
            "{targets:?}"
        );
        assert!(matches!(classify(&format!("0x{hash}")).unwrap()[0], Target::EvmTx(_)));
        assert!(matches!(classify(" 5,000 ").unwrap().as_slice(), [Target::Block(_)]));
        assert!(matches!(classify("0x1").unwrap().as_slice(), [Target::Account(_)]));
    }

    #[test]
    fn what_is_nothing_says_what_would_be_something() {
        for text in ["", "hello", "0", "12345678901234567890123", "ibc/", "-1", "a/b", "/", "::", "0x/1", "tx:"] {
            assert!(classify(text).is_err(), "{text}: {:?}", classify(text));
        }
        assert!(matches!(classify(&"ab".repeat(31)), Err(TargetError::Digits { count: 62, .. })));
        assert!(classify(&"1".repeat(LONGEST + 1)).is_err());
    }

    #[test]
    fn a_hash_cut_by_a_line_break_is_whole_again() {
        let hash = "8E1CFF04".repeat(8);
        let expected = classify(&hash).unwrap();
        for cut in [8, 32, 40, 63] {
            let (start, end) = hash.split_at(cut);
            for between in ["\n", " ", "\r\n   ", "; "] {
                assert_eq!(classify(&format!("{start}{between}{end}")).as_ref(), Ok(&expected), "{cut} {between:?}");
            }
        }
    }

    #[test]
    fn the_one_thing_in_a_sentence_is_meant() {
        let hash = "8E1CFF04".repeat(8);
        let sentence = format!("Transaction ({hash}) failed at height 5,000, why?");
        assert!(matches!(classify(&sentence).unwrap()[0], Target::Tx(_)));
    }
}
