use std::{borrow::Cow, sync::Arc};

use super::TokenUnit;
use crate::domain::{Address, AddressStyle, Coin, Denom, Height};

/// Characters of an account that is short as it is: `0x1`.
const SHORT_PLACE: usize = 10;

/// A piece of a sentence, with the events that prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    /// What it says.
    pub word: Word,
    /// Places in [`super::Decoded::events`]; none where it comes from the message itself.
    pub events: Vec<usize>,
}

/// What a phrase says. Values stay values until they are written, so that a screen can link, shorten and flip them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Plain words.
    Text(Cow<'static, str>),
    /// An account of this chain or, in the same form, of a sister chain.
    Account {
        /// Its address.
        address: Address,
        /// How it is known.
        label: Option<Arc<str>>,
        /// Whether it is a contract of the EVM, which people know by its hex form.
        is_contract: bool,
    },
    /// An address of another form, or anything else in an address's place.
    Foreign(String),
    /// An amount.
    Coin {
        /// In the smallest unit.
        coin: Coin,
        /// Symbol and decimals, where they are known; else it is written exactly.
        token: Option<Arc<TokenUnit>>,
        /// Whether the decimals are said too, to tell two forms of one token apart.
        says_decimals: bool,
    },
    /// A token without an amount.
    Token {
        /// Its denom.
        denom: Denom,
        /// Symbol and decimals, where they are known.
        token: Option<Arc<TokenUnit>>,
    },
    /// A block of this chain.
    Block(Height),
    /// A name of code or of a thing: function, type, class, token id. Copied whole.
    Code(String),
    /// Words of somebody else: a memo, a label, the text of an error. They stand in quotes that they cannot close.
    Quoted(String),
}

/// How much of a value is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style<'a> {
    /// Whole addresses and denoms: for scripts and tests.
    #[default]
    Exact,
    /// Labels where there are some, else first and last characters: for a text that stands alone.
    Short,
    /// The same on a screen, which writes accounts in one way.
    Screen(&'a AddressStyle),
}

/// What stands behind a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SentenceKind {
    /// Only that it was asked for is certain: nothing in the record shows that it came to pass.
    Asked,
    /// A contract says so in its own events, and nothing else bears it out.
    Reported,
    /// Events of the chain, or of contracts known by their address, show it.
    Proven,
}

impl SentenceKind {
    /// As scripts read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Reported => "reported",
            Self::Proven => "proven",
        }
    }
}

/// What is said of one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The message, from 0.
    pub message: usize,
    /// Its words in order; the sentence ends with a full stop that is among them.
    pub phrases: Vec<Phrase>,
    /// What stands behind it.
    pub kind: SentenceKind,
    /// Whether the record lacks the events that such a message always leaves.
    pub lacks_events: bool,
    /// Whether it says nothing of what the transaction is about, such as a relayer's update of its client.
    pub is_noise: bool,
}

impl Word {
    /// What stands in an address's place and is none of ours: as it is where it has the shape of one, else quoted.
    pub(super) fn foreign(text: &str) -> Self {
        if is_plain(text, &['_', '-', '.', '/', ':']) {
            Self::Foreign(text.to_owned())
        } else {
            Self::Quoted(text.to_owned())
        }
    }

    /// A name of code or of a thing: as it is where it has the shape of one, else quoted.
    pub(super) fn code(text: impl Into<String>) -> Self {
        const SIGNS: &[char] = &['_', '-', '.', '/', ':', '<', '>', ',', '(', ')', '[', ']', '#', '$', '&', '*', '…'];
        // No name of the chain's own is longer; what is, is somebody's text.
        const MOST: usize = 192;
        let text = text.into();
        if text.len() <= MOST && is_plain(&text, SIGNS) { Self::Code(text) } else { Self::Quoted(text) }
    }

    /// A number or an identifier from outside in the midst of our words: as it is where it has the shape of one, else
    /// quoted.
    pub(super) fn plain(text: &str) -> Self {
        const MOST: usize = 128;
        if text.len() <= MOST && is_plain(text, &['_', '-', '.', '/', ':', '#', '+']) {
            Self::Text(Cow::Owned(text.to_owned()))
        } else {
            Self::Quoted(text.to_owned())
        }
    }

    /// Writes it. Text from the wire is cleaned by whoever draws it.
    pub fn write(&self, style: Style<'_>) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Account { address, label, is_contract } => {
                account_text(*address, label.as_deref(), *is_contract, style)
            }
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
            Self::Block(height) => match style {
                Style::Exact => Cow::Owned(height.to_string()),
                _ => Cow::Owned(crate::domain::text::group(height.get())),
            },
        }
    }
}

/// Writes phrases one after another.
pub fn text_of(phrases: &[Phrase], style: Style<'_>) -> String {
    phrases.iter().map(|phrase| phrase.word.write(style)).collect()
}

fn account_text<'a>(address: Address, label: Option<&'a str>, is_contract: bool, style: Style<'_>) -> Cow<'a, str> {
    match (style, label) {
        (Style::Exact, _) if is_contract => Cow::Owned(address.checksummed()),
        (Style::Exact, _) => Cow::Owned(address.bech32()),
        (_, Some(label)) => Cow::Borrowed(label),
        (Style::Short, None) => Cow::Owned(AddressStyle::default().short_of(address, is_contract)),
        (Style::Screen(addresses), None) => Cow::Owned(addresses.short_of(address, is_contract)),
    }
}

/// A name of code for reading: of what stands in a long account first what it is called there, so that this survives a
/// cut: `vault::unstake (0xefcc60…2c176a)`.
fn code_text<'a>(text: &'a str, style: Style<'_>) -> Cow<'a, str> {
    let place = text.split_once("::").and_then(|(place, name)| Some((place.parse::<Address>().ok()?, place, name)));
    match place {
        Some((address, written, name)) if written.len() > SHORT_PLACE && !name.contains(char::is_whitespace) => {
            // Modules are known by the form in which code names them.
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

/// Whether a text is letters, digits and these signs, so that it cannot be taken for words of ours.
fn is_plain(text: &str, signs: &[char]) -> bool {
    !text.is_empty() && text.chars().all(|sign| sign.is_ascii_alphanumeric() || signs.contains(&sign))
}

/// First and last characters of what is one long word.
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
