use std::{borrow::Cow, sync::Arc};

use crate::{
    domain::{Address, AddressStyle, Amount, Coin, Denom, Height},
    story::names::glossary::TokenUnit,
};

/// Maximum characters of an address that needs no shortening: `0x1`.
const SHORT_PLACE: usize = 10;

/// Part of a sentence, with the events that prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    pub word: Word,
    /// Indices of [`crate::story::Decoded::events`]; empty if the part comes from the message.
    pub events: Vec<usize>,
}

/// Content of a phrase. Values stay typed until formatting, so that a screen can link and shorten them and switch
/// address formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    Text(Cow<'static, str>),
    /// Account of this chain or of a sister chain with the same address format.
    Account {
        address: Address,
        label: Option<Arc<str>>,
        place: AccountPlace,
    },
    /// Foreign address, or other text in an address's place.
    Foreign(String),
    Coin {
        /// Amount in the smallest unit.
        coin: Coin,
        /// Symbol and decimals if known; without them the amount is exact.
        token: Option<Arc<TokenUnit>>,
        /// Whether the text includes the decimals, to distinguish a token from its wrapper.
        says_decimals: bool,
    },
    /// Token without an amount.
    Token {
        denom: Denom,
        /// Symbol and decimals, if known.
        token: Option<Arc<TokenUnit>>,
    },
    /// Amount of a token without a known unit, in the smallest unit.
    Amount(Amount),
    Block(Height),
    /// Identifier: function, type, class, token id. Copied in full.
    Code(String),
    /// External text: a memo, a label, an error. Its quotes cannot be closed from within.
    Quoted(String),
}

/// Place of an account, which decides its written format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountPlace {
    /// Account of this chain, in the screen's format.
    Here,
    /// EVM contract of this chain, which people know by its hex address.
    Contract,
    /// Account of another chain, which may have no hex address: always bech32.
    Elsewhere,
}

/// Level of detail in formatted values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style<'a> {
    /// Full addresses and denoms, for scripts and tests.
    #[default]
    Exact,
    /// Labels, or else the first and last characters, for a text without context.
    Short,
    /// [`Short`](Self::Short) with accounts in the screen's style.
    Screen(&'a AddressStyle),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SentenceKind {
    /// Only the request is certain: the record shows no effect.
    Asked,
    /// Only the contract's own events report the effect.
    Reported,
    /// Events of the chain, or of contracts with known addresses, prove the effect.
    Proven,
}

impl SentenceKind {
    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Reported => "reported",
            Self::Proven => "proven",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Index of the message, from 0.
    pub message: usize,
    /// Words in order, including the final full stop.
    pub phrases: Vec<Phrase>,
    pub kind: SentenceKind,
    /// Whether the record lacks the events that such a message always emits.
    pub lacks_events: bool,
    /// Whether the message is maintenance, such as a relayer's update of a client.
    pub is_noise: bool,
}

impl Word {
    /// Creates a word for text in an address's place: verbatim if it looks like an address, else quoted.
    pub(crate) fn foreign(text: &str) -> Self {
        if is_plain(text, &['_', '-', '.', '/', ':']) {
            Self::Foreign(text.to_owned())
        } else {
            Self::Quoted(text.to_owned())
        }
    }

    /// Creates an identifier: verbatim if it looks like an identifier, else quoted.
    pub(crate) fn code(text: impl Into<String>) -> Self {
        const SIGNS: &[char] = &['_', '-', '.', '/', ':', '<', '>', ',', '(', ')', '[', ']', '#', '$', '&', '*', '…'];
        // Longer than any identifier of a chain; a longer text is arbitrary.
        const MOST: usize = 192;
        let text = text.into();
        if text.len() <= MOST && is_plain(&text, SIGNS) { Self::Code(text) } else { Self::Quoted(text) }
    }

    /// Creates an external number or identifier: verbatim if it looks like a number or identifier, else quoted.
    pub(crate) fn plain(text: &str) -> Self {
        const MOST: usize = 128;
        if text.len() <= MOST && is_plain(text, &['_', '-', '.', '/', ':', '#', '+']) {
            Self::Text(Cow::Owned(text.to_owned()))
        } else {
            Self::Quoted(text.to_owned())
        }
    }

    /// Formats the word. The caller cleans external text before drawing it.
    pub fn write(&self, style: Style<'_>) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Account { address, label, place } => account_text(*address, label.as_deref(), *place, style),
            Self::Foreign(text) if style != Style::Exact => shortened(text),
            Self::Code(text) if style != Style::Exact => code_text(text, style),
            Self::Foreign(text) | Self::Code(text) => Cow::Borrowed(text),
            Self::Quoted(text) => Cow::Owned(crate::domain::text::quoted(text)),
            Self::Coin { coin, token, says_decimals } => {
                Cow::Owned(coin_text(coin, token.as_deref(), *says_decimals, style))
            }
            Self::Token { denom, token } => match (token, style) {
                (Some(token), _) => Cow::Borrowed(token.symbol.as_str()),
                (None, Style::Exact) => denom.marked(),
                (None, _) => Cow::Owned(denom.short()),
            },
            Self::Amount(amount) => match style {
                Style::Exact => Cow::Owned(amount.to_string()),
                _ => Cow::Owned(crate::domain::text::group_digits(&amount.to_string())),
            },
            Self::Block(height) => match style {
                Style::Exact => Cow::Owned(height.to_string()),
                _ => Cow::Owned(crate::domain::text::group(height.get())),
            },
        }
    }
}

pub fn text_of(phrases: &[Phrase], style: Style<'_>) -> String {
    phrases.iter().map(|phrase| phrase.word.write(style)).collect()
}

fn account_text<'a>(address: Address, label: Option<&'a str>, place: AccountPlace, style: Style<'_>) -> Cow<'a, str> {
    let is_contract = place == AccountPlace::Contract;
    match (style, label) {
        (Style::Exact, _) if is_contract => Cow::Owned(address.checksummed()),
        (Style::Exact, _) => Cow::Owned(address.bech32()),
        (_, Some(label)) => Cow::Borrowed(label),
        (Style::Screen(addresses), None) if place == AccountPlace::Elsewhere => {
            Cow::Owned(addresses.short_elsewhere(address))
        }
        (Style::Short, None) => Cow::Owned(AddressStyle::default().short_of(address, is_contract)),
        (Style::Screen(addresses), None) => Cow::Owned(addresses.short_of(address, is_contract)),
    }
}

/// Formats an identifier for reading: the name first, then a shortened account, so that a cut keeps the name:
/// `vault::unstake (0xefcc60…2c176a)`.
fn code_text<'a>(text: &'a str, style: Style<'_>) -> Cow<'a, str> {
    let place = text.split_once("::").and_then(|(place, name)| Some((place.parse::<Address>().ok()?, place, name)));
    match place {
        Some((address, written, name)) if written.len() > SHORT_PLACE && !name.contains(char::is_whitespace) => {
            // Code names modules in this form.
            let is_hex = written.starts_with("0x");
            let place = match style {
                Style::Screen(addresses) => addresses.short_of(address, is_hex),
                Style::Exact | Style::Short => AddressStyle::default().short_of(address, is_hex),
            };
            Cow::Owned(format!("{} ({})", shortened(name), place.to_ascii_lowercase()))
        }
        _ => shortened(text),
    }
}

fn coin_text(coin: &Coin, token: Option<&TokenUnit>, says_decimals: bool, style: Style<'_>) -> String {
    match token {
        Some(token) => {
            let amount = match style {
                Style::Exact => coin.amount.display(token.decimals).replace(',', ""),
                Style::Short => coin.amount.display(token.decimals),
                Style::Screen(_) => coin.amount.shown(token.decimals),
            };
            let decimals = if says_decimals { format!(" ({} decimals)", token.decimals) } else { String::new() };
            format!("{amount} {}{decimals}", token.symbol)
        }
        None if style == Style::Exact => format!("{} {}", coin.amount, coin.denom.marked()),
        None => format!("{} {}", crate::domain::text::group_digits(&coin.amount.to_string()), coin.denom.short()),
    }
}

/// Whether a text consists of letters, digits and these signs, so that it cannot pass for our own words.
fn is_plain(text: &str, signs: &[char]) -> bool {
    !text.is_empty() && text.chars().all(|sign| sign.is_ascii_alphanumeric() || signs.contains(&sign))
}

/// Shortens one long word to its first and last characters.
fn shortened(text: &str) -> Cow<'_, str> {
    const MOST: usize = 42;
    if text.chars().count() <= MOST || text.contains(char::is_whitespace) {
        return Cow::Borrowed(text);
    }
    let head: String = text.chars().take(20).collect();
    let mut tail: Vec<char> = text.chars().rev().take(12).collect();
    tail.reverse();
    Cow::Owned(format!("{head}…{}", tail.into_iter().collect::<String>()))
}

/// Returns the account of a word, and whether it is a contract.
pub(crate) fn account(phrase: &Phrase) -> Option<(Address, bool)> {
    match phrase.word {
        Word::Account { address, place, .. } => Some((address, place == AccountPlace::Contract)),
        _ => None,
    }
}
