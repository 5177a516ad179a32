use std::{borrow::Cow, cell::OnceCell, collections::HashMap, sync::Arc};

use serde_json::{Map, Value};

use super::{
    Changes, Decoded, DecodedEvent, Glossary, Phrase, TokenUnit, Word, Work,
    evm_logs::EvmLogs,
    named_accounts::NamedAccounts,
    places::EventPlaces,
    proof::{Claims, Proof},
};
use crate::{
    domain::{Address, Coin, ContractRole, Denom, MsgType, parse_coins},
    wire::Tx,
};

/// All that a sentence may be made of.
pub(super) struct TxContext<'a> {
    pub(super) tx: &'a Tx,
    pub(super) decoded: &'a Decoded,
    /// What it did; empty where only a summary is wanted.
    pub(super) changes: &'a Changes,
    pub(super) glossary: &'a Glossary,
    pub(super) work: &'a Work,
    /// Tokens that the transaction itself tells the base denom of, so that their decimals are known.
    pub(super) tokens: HashMap<Denom, Arc<TokenUnit>>,
    /// The EVM's logs, read when a sentence first asks for them.
    pub(super) evm: OnceCell<EvmLogs>,
    /// The traces that a sentence rests on already.
    pub(super) claims: Claims,
    /// Which events are of which message.
    pub(super) places: EventPlaces<'a>,
    /// The accounts that events name, read when a sentence first asks for one.
    pub(super) named: OnceCell<NamedAccounts>,
}

/// A message that is told of: one of the transaction's own, or one within another.
#[derive(Clone, Copy)]
pub(super) struct MessageRef<'a> {
    /// The transaction's own message that it is, or is in.
    pub(super) place: usize,
    /// Its number in an authz message.
    pub(super) authz: Option<usize>,
    /// How many messages it is within.
    pub(super) depth: usize,
    pub(super) kind: &'a MsgType,
    pub(super) fields: &'a Map<String, Value>,
}

/// What is said of a message, before it is known whether it worked: "{subject} {past} {rest}".
///
/// Where the transaction failed it becomes "{subject} tried to {base} {rest}; it failed", within another message "{past}
/// {rest}". A message whose subject only exists on success (coins that arrived) must say itself what was tried, when
/// [`TxContext::is_failed`].
pub(super) struct Clause {
    /// Who did it, or what arrived.
    pub(super) subject: Vec<Phrase>,
    pub(super) verb: VerbForms,
    /// What follows the verb, without a blank before it and without a full stop.
    pub(super) rest: Vec<Phrase>,
    /// What bears it out, should the message have run; its words follow this.
    pub(super) proof: Proof,
    /// The weakest of what is told within it, each in words that follow its own proof.
    pub(super) within: Proof,
    /// Whether the record lacks the events that such a message always leaves; that is said behind the rest.
    pub(super) is_lacking: bool,
    /// Whether it is noise ([`super::Sentence::is_noise`]).
    pub(super) is_noise: bool,
}

/// A verb in the two forms that clauses need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VerbForms {
    /// As it is said of what happened: "sent".
    pub(super) past: &'static str,
    /// After "tried to": "send".
    pub(super) base: &'static str,
}

impl VerbForms {
    /// As it is said in a list of what a transaction did, or would have done.
    pub(super) fn of(self, context: &TxContext<'_>) -> &'static str {
        if context.is_failed() { self.base } else { self.past }
    }
}

impl Clause {
    /// One that is no noise.
    pub(super) fn new(subject: Vec<Phrase>, verb: VerbForms, rest: Vec<Phrase>, proof: Proof) -> Self {
        Self { subject, verb, rest, proof, within: Proof::Shown, is_lacking: false, is_noise: false }
    }

    /// What stands behind all of it.
    pub(super) fn weakest(&self) -> Proof {
        self.proof.min(self.within)
    }
}

impl TxContext<'_> {
    /// Whether the transaction failed, so that nothing of its messages happened.
    pub(super) fn is_failed(&self) -> bool {
        !self.tx.is_success()
    }

    /// The events of a message, with their places; those of a message within authz only where they say so.
    pub(super) fn events_of(&self, message: MessageRef<'_>) -> impl Iterator<Item = (usize, &DecodedEvent)> {
        self.places.of(message.place, message.authz).take_while(|_| self.work.takes_event())
    }

    /// Whether anything but the message itself names an account: who signed, or an event.
    pub(super) fn is_named(&self, message: MessageRef<'_>, account: Address) -> bool {
        let is_signer = self.decoded.signer.is_some_and(|signer| signer.is_same_in_logs(&account));
        let named = || self.named.get_or_init(|| NamedAccounts::of(&self.decoded.events, self.work));
        is_signer || named().has(message.place, account)
    }

    /// The first event of this type that a message emitted, with its place.
    pub(super) fn event_of(&self, message: MessageRef<'_>, kind: &str) -> Option<(usize, &DecodedEvent)> {
        self.events_of(message).find(|(_, event)| event.kind == kind)
    }

    /// The EVM's logs.
    pub(super) fn evm_logs(&self) -> &EvmLogs {
        self.evm.get_or_init(|| {
            let wrappers = self.glossary.contracts(ContractRole::Wrapper).collect();
            EvmLogs::of(self.decoded, wrappers, self.work)
        })
    }

    /// Symbol and decimals of a denom, by the glossary or by what the transaction tells of its base.
    pub(super) fn token(&self, denom: &Denom) -> Option<Arc<TokenUnit>> {
        self.glossary.token(denom).or_else(|| self.tokens.get(denom)).cloned()
    }

    pub(super) fn account(&self, address: Address) -> Word {
        Word::Account { address, label: self.glossary.label(address).cloned(), is_contract: false }
    }

    /// A contract of the EVM.
    pub(super) fn contract(&self, address: Address) -> Word {
        Word::Account { address, label: self.glossary.label(address).cloned(), is_contract: true }
    }

    pub(super) fn coin(&self, coin: &Coin) -> Word {
        Word::Coin { coin: coin.clone(), token: self.token(&coin.denom), says_decimals: false }
    }
}

impl<'a> MessageRef<'a> {
    /// A field that is text, or a number written as one.
    pub(super) fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        match self.fields.get(name)? {
            Value::String(text) => Some(Cow::Borrowed(text.as_str())),
            Value::Number(number) => Some(Cow::Owned(number.to_string())),
            _ => None,
        }
    }

    /// A field that is one coin.
    pub(super) fn coin(&self, name: &str) -> Option<Coin> {
        coin_of(self.fields.get(name)?)
    }

    /// A field that is a list of coins; what is none is left out.
    pub(super) fn coins(&self, name: &str) -> Vec<Coin> {
        let items = self.fields.get(name).and_then(Value::as_array);
        items.into_iter().flatten().filter_map(coin_of).collect()
    }
}

/// `{denom, amount}`.
pub(super) fn coin_of(value: &Value) -> Option<Coin> {
    let amount = value.get("amount")?.as_str()?.parse().ok()?;
    Some(Coin { denom: Denom::new(value.get("denom")?.as_str()?), amount })
}

/// A coin that cannot be read, as it is written.
fn unread(value: &Value) -> String {
    let part = |name: &str| match value.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    if value.is_object() { format!("{}{}", part("amount"), part("denom")) } else { value.to_string() }
}

/// Words in the making: each call adds one, [`PhraseBuilder::by`] names the events behind the last.
pub(super) struct PhraseBuilder<'s, 'a> {
    context: &'s TxContext<'a>,
    phrases: Vec<Phrase>,
}

impl<'a> TxContext<'a> {
    pub(super) fn words(&self) -> PhraseBuilder<'_, 'a> {
        PhraseBuilder { context: self, phrases: Vec::new() }
    }
}

impl PhraseBuilder<'_, '_> {
    pub(super) fn done(self) -> Vec<Phrase> {
        self.phrases
    }

    pub(super) fn word(mut self, word: Word) -> Self {
        self.phrases.push(Phrase { word, events: Vec::new() });
        self
    }

    pub(super) fn text(self, text: impl Into<Cow<'static, str>>) -> Self {
        self.word(Word::Text(text.into()))
    }

    /// A name of code or of a thing.
    pub(super) fn code(self, text: impl Into<String>) -> Self {
        self.word(Word::code(text))
    }

    /// An account as a message or event writes it; what is no address of ours is said as it is.
    pub(super) fn party(self, text: &str) -> Self {
        let word = match text.parse::<Address>() {
            Ok(address) => self.context.account(address),
            Err(_) if text.is_empty() => Word::Text("somebody unnamed".into()),
            Err(_) => Word::foreign(text),
        };
        self.word(word)
    }

    /// A contract of the EVM as a message or event writes it.
    pub(super) fn contract(self, text: &str) -> Self {
        let word = match text.parse::<Address>() {
            Ok(address) => self.context.contract(address),
            Err(_) if text.is_empty() => Word::Text("an unnamed contract".into()),
            Err(_) => Word::foreign(text),
        };
        self.word(word)
    }

    pub(super) fn coin(self, coin: &Coin) -> Self {
        let word = self.context.coin(coin);
        self.word(word)
    }

    /// Amounts: "1 INIT, 2 USDC and 3 ETH"; "nothing" where there are none.
    pub(super) fn coins(mut self, coins: &[Coin]) -> Self {
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

    /// The coins of an event's list; what is none is said to be unreadable.
    pub(super) fn coin_list(self, text: &str) -> Self {
        match parse_coins(text) {
            Ok(coins) => self.coins(&coins),
            Err(_) => self.text("an amount that cannot be read, ").quote(text),
        }
    }

    /// Names of code in a row: "`a`, `b` and `c`".
    pub(super) fn listed(mut self, names: &[String]) -> Self {
        for (place, name) in names.iter().enumerate() {
            if place > 0 {
                self = self.text(if place + 1 == names.len() { " and " } else { ", " });
            }
            self = self.code(name.as_str());
        }
        self
    }

    /// Amounts as a message writes them: a coin, or a list of coins. What cannot be read is said to be unreadable.
    pub(super) fn amounts(mut self, value: Option<&Value>) -> Self {
        let items = match value {
            Some(Value::Array(items)) if items.is_empty() => return self.text("nothing"),
            Some(Value::Array(items)) => items.as_slice(),
            Some(item) => std::slice::from_ref(item),
            None => return self.text("an amount that cannot be read"),
        };
        for (place, item) in items.iter().enumerate() {
            if place > 0 {
                self = self.text(if place + 1 == items.len() { " and " } else { ", " });
            }
            self = match coin_of(item) {
                Some(coin) => self.coin(&coin),
                None => self.text("an amount that cannot be read, ").quote(&unread(item)),
            };
        }
        self
    }

    /// The chain behind a channel of this chain, where it is known.
    pub(super) fn chain_behind(&self, port: &str, channel: &str) -> Option<Arc<str>> {
        self.context.glossary.chain_behind(port, channel).cloned()
    }

    /// A number or an identifier from outside, in the midst of our words.
    pub(super) fn plain(self, text: &str) -> Self {
        self.word(Word::plain(text))
    }

    /// Words of somebody else.
    pub(super) fn quote(self, text: &str) -> Self {
        self.word(Word::Quoted(text.to_owned()))
    }

    pub(super) fn then(mut self, phrases: impl IntoIterator<Item = Phrase>) -> Self {
        self.phrases.extend(phrases);
        self
    }

    /// Names events behind the last word.
    pub(super) fn by(mut self, events: impl IntoIterator<Item = usize>) -> Self {
        if let Some(last) = self.phrases.last_mut() {
            last.events.extend(events);
        }
        self
    }
}
