use std::{borrow::Cow, sync::OnceLock};

use super::{
    ContractLog, EventClass,
    keys::{self, AttributeKey, AttributeValue},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedEvent {
    /// `transfer`, `evm`, …
    pub kind: String,
    /// Keys and values in order; keys may repeat. Excludes `msg_index`, which determines `phase`.
    pub attributes: Vec<(String, String)>,
    pub phase: EventPhase,
    class: ClassOnce,
}

/// Class of an event, determined on first use. Equal events have equal classes.
#[derive(Clone, Debug, Default)]
struct ClassOnce(OnceLock<EventClass>);

impl PartialEq for ClassOnce {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for ClassOnce {}

/// Phase of the transaction in which an event occurred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventPhase {
    /// Before the messages: fee and signature.
    Before,
    /// In the message with this index, from 0.
    Message(usize),
    /// After the messages: the gas refund.
    After,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TxEvent {
    /// `transfer`, `evm`, …
    pub kind: Cow<'static, str>,
    /// In order; keys may repeat.
    pub attributes: Vec<EventAttribute>,
    class: ClassOnce,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventAttribute {
    pub key: Cow<'static, str>,
    pub value: String,
    /// Whether the node's own search indexes the attribute: `index` on the wire.
    pub is_indexed: bool,
}

pub(crate) trait EventRecord {
    fn class(&self) -> &EventClass;

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

    /// Iterates over the readable logs of an `evm` event, in order; other events have none.
    fn logs(&self) -> impl Iterator<Item = &ContractLog> {
        let run = if let EventClass::Evm(run) = self.class() { Some(run) } else { None };
        run.into_iter().flat_map(|run| run.logs.iter().flatten())
    }
}

impl EventRecord for DecodedEvent {
    fn class(&self) -> &EventClass {
        let pairs = || self.attributes.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        self.class.0.get_or_init(|| EventClass::of(&self.kind, pairs()))
    }

    fn attribute(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

impl EventRecord for TxEvent {
    fn class(&self) -> &EventClass {
        self.class.0.get_or_init(|| EventClass::of(&self.kind, self.pairs()))
    }

    fn attribute(&self, key: &str) -> Option<&str> {
        self.value(key)
    }
}

impl DecodedEvent {
    pub fn new(kind: String, attributes: Vec<(String, String)>, phase: EventPhase) -> Self {
        Self { kind, attributes, phase, class: ClassOnce::default() }
    }

    /// `EventRecord::logs`, without the trait.
    pub fn logs(&self) -> impl Iterator<Item = &ContractLog> {
        EventRecord::logs(self)
    }

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
        Self::of_attributes(kind, attributes.into_iter().map(attribute).collect())
    }

    pub fn of_attributes(kind: impl Into<Cow<'static, str>>, attributes: Vec<EventAttribute>) -> Self {
        Self { kind: kind.into(), attributes, class: ClassOnce::default() }
    }

    /// Returns the event in the form that stories read, of no phase.
    pub(crate) fn decoded(&self) -> DecodedEvent {
        let attributes = self.pairs().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        DecodedEvent::new(self.kind.to_string(), attributes, EventPhase::Before)
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
