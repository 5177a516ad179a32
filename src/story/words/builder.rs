use std::{borrow::Cow, sync::Arc};

use serde_json::Value;

use super::phrase::{AccountPlace, Phrase, Word};
use crate::{
    domain::{Address, Coin, parse_coins},
    events::opinit::BridgeTransfer,
    story::context::{TxContext, coin_of},
};

impl TxContext<'_> {
    fn account_at(&self, address: Address, place: AccountPlace) -> Word {
        Word::Account { address, label: self.glossary.label(address).cloned(), place }
    }

    pub(crate) fn account(&self, address: Address) -> Word {
        self.account_at(address, AccountPlace::Here)
    }

    pub(crate) fn contract(&self, address: Address) -> Word {
        self.account_at(address, AccountPlace::Contract)
    }

    pub(crate) fn token_word(&self, metadata: &[u8; 32]) -> Word {
        let denom = self.denom_of(metadata);
        let token = self.token(&denom);
        Word::Token { denom, token }
    }

    pub(crate) fn coin(&self, coin: &Coin) -> Word {
        Word::Coin { coin: coin.clone(), token: self.token(&coin.denom), says_decimals: false }
    }
}

/// Builder of phrases: each call adds a phrase, and [`PhraseBuilder::by`] attaches events to the last.
pub(crate) struct PhraseBuilder<'s, 'a> {
    context: &'s TxContext<'a>,
    phrases: Vec<Phrase>,
}

impl<'a> TxContext<'a> {
    pub(crate) fn words(&self) -> PhraseBuilder<'_, 'a> {
        PhraseBuilder { context: self, phrases: Vec::new() }
    }
}

impl PhraseBuilder<'_, '_> {
    pub(crate) fn done(self) -> Vec<Phrase> {
        self.phrases
    }

    pub(crate) fn word(mut self, word: Word) -> Self {
        self.phrases.push(Phrase { word, events: Vec::new() });
        self
    }

    pub(crate) fn text(self, text: impl Into<Cow<'static, str>>) -> Self {
        self.word(Word::Text(text.into()))
    }

    /// Adds an identifier, such as a function, a type or a token id.
    pub(crate) fn code(self, text: impl Into<String>) -> Self {
        self.word(Word::code(text))
    }

    /// Adds an account from a message or event; any other text stays as it is.
    pub(crate) fn party(self, text: &str) -> Self {
        self.party_at(text, AccountPlace::Here)
    }

    /// Adds an account of another chain from a message or event.
    pub(crate) fn party_elsewhere(self, text: &str) -> Self {
        self.party_at(text, AccountPlace::Elsewhere)
    }

    /// Adds an EVM contract from a message or event.
    pub(crate) fn contract(self, text: &str) -> Self {
        self.party_at(text, AccountPlace::Contract)
    }

    fn party_at(self, text: &str, place: AccountPlace) -> Self {
        // A packet's receiver may have hex for an account of any chain: only the text is known.
        let is_foreign_hex = place == AccountPlace::Elsewhere && text.starts_with("0x");
        let word = match text.parse::<Address>() {
            Ok(_) if is_foreign_hex => Word::foreign(text),
            Ok(address) => self.context.account_at(address, place),
            Err(_) if !text.is_empty() => Word::foreign(text),
            Err(_) if place == AccountPlace::Contract => Word::Text("an unnamed contract".into()),
            Err(_) => Word::Text("an unknown account".into()),
        };
        self.word(word)
    }

    pub(crate) fn coin(self, coin: &Coin) -> Self {
        let word = self.context.coin(coin);
        self.word(word)
    }

    /// Adds amounts: "1 INIT, 2 USDC and 3 ETH", or "nothing".
    pub(crate) fn coins(mut self, coins: &[Coin]) -> Self {
        if coins.is_empty() {
            return self.text("nothing");
        }
        for (place, coin) in coins.iter().enumerate() {
            if place > 0 {
                self = self.text(if place + 1 == coins.len() { " and " } else { ", " });
            }
            self = self.coin(coin);
        }
        self
    }

    /// Adds an event's list of coins; calls an invalid list unreadable.
    pub(crate) fn coin_list(self, text: &str) -> Self {
        match parse_coins(text) {
            Ok(coins) => self.coins(&coins),
            Err(_) => self.text("an unreadable amount, ").quote(text),
        }
    }

    /// Adds the tokens of a bridge's event.
    pub(crate) fn bridged(self, transfer: &BridgeTransfer<'_>) -> Self {
        match transfer.coin() {
            Some(coin) => self.coin(&coin),
            None => self.text("an unreadable amount, ").quote(transfer.amount.unwrap_or_default()),
        }
    }

    /// Adds a list of identifiers: "`a`, `b` and `c`".
    pub(crate) fn listed(mut self, names: &[String]) -> Self {
        for (place, name) in names.iter().enumerate() {
            if place > 0 {
                self = self.text(if place + 1 == names.len() { " and " } else { ", " });
            }
            self = self.code(name.as_str());
        }
        self
    }

    /// Adds the amounts of a message: a coin or a list of coins. An invalid one is called unreadable.
    pub(crate) fn amounts(mut self, value: Option<&Value>) -> Self {
        let items = match value {
            Some(Value::Array(items)) if items.is_empty() => return self.text("nothing"),
            Some(Value::Array(items)) => items.as_slice(),
            Some(item) => std::slice::from_ref(item),
            None => return self.text("an unreadable amount"),
        };
        for (place, item) in items.iter().enumerate() {
            if place > 0 {
                self = self.text(if place + 1 == items.len() { " and " } else { ", " });
            }
            self = match coin_of(item) {
                Some(coin) => self.coin(&coin),
                None => self.text("an unreadable amount, ").quote(&unread(item)),
            };
        }
        self
    }

    /// Returns the chain behind a channel, if known.
    pub(crate) fn chain_behind(&self, port: &str, channel: &str) -> Option<Arc<str>> {
        self.context.glossary.chain_behind(port, channel).cloned()
    }

    /// Adds an external number or identifier without quotes.
    pub(crate) fn plain(self, text: &str) -> Self {
        self.word(Word::plain(text))
    }

    /// Adds external text in quotes.
    pub(crate) fn quote(self, text: &str) -> Self {
        self.word(Word::Quoted(text.to_owned()))
    }

    pub(crate) fn then(mut self, phrases: impl IntoIterator<Item = Phrase>) -> Self {
        self.phrases.extend(phrases);
        self
    }

    pub(crate) fn by(mut self, events: impl IntoIterator<Item = usize>) -> Self {
        if let Some(last) = self.phrases.last_mut() {
            last.events.extend(events);
        }
        self
    }
}

/// Formats an unreadable coin as received.
fn unread(value: &Value) -> String {
    let part = |name: &str| match value.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    if value.is_object() { format!("{}{}", part("amount"), part("denom")) } else { value.to_string() }
}
