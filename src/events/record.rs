use std::borrow::Cow;

use super::keys::{self, AttributeKey, AttributeValue};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedEvent {
    /// `transfer`, `evm`, …
    pub kind: String,
    /// Keys and values in order; keys may repeat. Excludes `msg_index`, which determines `phase`.
    pub attributes: Vec<(String, String)>,
    pub phase: EventPhase,
}

/// Time of an event within the transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventPhase {
    /// Before the messages: fee and signature.
    Before,
    /// In the message with this index, from 0.
    Message(usize),
    /// After the messages: the gas refund.
    After,
}

/// Event in the results of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TxEvent {
    /// `transfer`, `evm`, …
    pub kind: Cow<'static, str>,
    /// In order; keys may repeat.
    pub attributes: Vec<EventAttribute>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventAttribute {
    pub key: Cow<'static, str>,
    pub value: String,
    /// Whether the node's own search indexes it: `index` on the wire.
    pub is_indexed: bool,
}

/// Event of any source.
pub(crate) trait EventRecord {
    fn kind(&self) -> &str;

    /// Returns the first value of this key.
    fn attribute(&self, key: &str) -> Option<&str>;

    /// Returns the text of an attribute; of several with this key, the first.
    fn text<T>(&self, key: AttributeKey<T>) -> Option<&str> {
        self.attribute(key.name())
    }

    /// Returns the value of an attribute; `None` if it is absent or unreadable.
    fn get<T: AttributeValue>(&self, key: AttributeKey<T>) -> Option<T> {
        self.text(key).and_then(T::read)
    }
}

impl EventRecord for DecodedEvent {
    fn kind(&self) -> &str {
        &self.kind
    }

    fn attribute(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

impl EventRecord for TxEvent {
    fn kind(&self) -> &str {
        &self.kind
    }

    fn attribute(&self, key: &str) -> Option<&str> {
        self.value(key)
    }
}

impl DecodedEvent {
    /// Returns the index of the message within an authz message. Only the last attribute counts, which the chain
    /// writes: a contract could write an earlier one.
    pub(crate) fn authz_index(&self) -> Option<usize> {
        let (_, value) = self.attributes.iter().rev().find(|(key, _)| keys::AUTHZ_INDEX.is(key))?;
        value.parse().ok()
    }

    /// [`EventRecord::text`], without the trait.
    pub(crate) fn text<T>(&self, key: AttributeKey<T>) -> Option<&str> {
        EventRecord::text(self, key)
    }

    /// [`EventRecord::get`], without the trait.
    pub(crate) fn get<T: AttributeValue>(&self, key: AttributeKey<T>) -> Option<T> {
        EventRecord::get(self, key)
    }
}

impl TxEvent {
    /// Creates an event whose attributes are all indexed, as is the default of nodes.
    pub fn new<K: Into<Cow<'static, str>>>(
        kind: impl Into<Cow<'static, str>>,
        attributes: impl IntoIterator<Item = (K, String)>,
    ) -> Self {
        let attribute = |(key, value): (K, String)| EventAttribute { key: key.into(), value, is_indexed: true };
        Self { kind: kind.into(), attributes: attributes.into_iter().map(attribute).collect() }
    }

    /// Iterates over the texts of this key, in order.
    pub(crate) fn texts<T>(&self, key: AttributeKey<T>) -> impl Iterator<Item = &str> {
        self.values(key.name())
    }

    /// Returns the first value of this key.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.pairs().find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// Iterates over the values of this key, in order.
    pub fn values<'a>(&'a self, key: &str) -> impl Iterator<Item = &'a str> {
        self.pairs().filter(move |(name, _)| *name == key).map(|(_, value)| value)
    }

    /// Iterates over keys and values, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().map(|attribute| (&*attribute.key, attribute.value.as_str()))
    }
}
