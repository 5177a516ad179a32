//! Writes events in the order, and with the attributes, of real nodes.

use crate::{
    demo::ledger::{TxEvent, common::world::Party},
    events::names::{COIN_RECEIVED, COIN_SPENT},
};

pub(crate) type Attributes = Vec<(&'static str, String)>;

pub(crate) struct EventWriter {
    events: Vec<TxEvent>,
    message: Option<usize>,
    inner: Option<usize>,
    repeats_data: bool,
}

impl EventWriter {
    /// Creates a writer before the first message, where events have no `msg_index`. `repeats_data` is as in
    /// [`EventWriter::repeats_data`].
    pub(crate) fn new(repeats_data: bool) -> Self {
        Self { events: Vec::with_capacity(24), message: None, inner: None, repeats_data }
    }

    /// Whether an event's JSON fields also appear as attributes, as on newer nodes.
    pub(crate) fn repeats_data(&self) -> bool {
        self.repeats_data
    }

    pub(crate) fn finish(self) -> Vec<TxEvent> {
        self.events
    }

    /// Assigns the events that follow to this message; `None` for no message.
    pub(crate) fn enter(&mut self, message: Option<usize>) {
        self.message = message;
    }

    /// Assigns the events that follow to this message of an authz exec; `None` for no inner message.
    pub(crate) fn enter_inner(&mut self, inner: Option<usize>) {
        self.inner = inner;
    }

    pub(crate) fn emit(&mut self, kind: &'static str, mut attributes: Attributes) {
        attributes.extend(self.inner.map(|inner| ("authz_msg_index", inner.to_string())));
        attributes.extend(self.message.map(|message| ("msg_index", message.to_string())));
        self.events.push(TxEvent::new(kind, attributes));
    }

    /// Whether an event of this type already has an attribute with this value.
    pub(crate) fn has_said(&self, kind: &str, text: &str) -> bool {
        let mut values = self.events.iter().filter(|event| event.kind == kind).flat_map(TxEvent::pairs);
        values.any(|(_, value)| value.contains(text))
    }

    /// Writes the `message` event of a module.
    pub(crate) fn module(&mut self, module: &str) {
        self.emit("message", vec![("module", module.to_owned())]);
    }

    /// Writes the four events of a bank transfer. The VM's events come before them.
    pub(crate) fn moved(&mut self, from: &Party, to: &Party, coin: String) {
        let (sender, recipient) = (from.bech32.to_string(), to.bech32.to_string());
        self.emit(COIN_SPENT, vec![("spender", sender.clone()), ("amount", coin.clone())]);
        self.emit(COIN_RECEIVED, vec![("receiver", recipient.clone()), ("amount", coin.clone())]);
        self.emit("transfer", vec![("recipient", recipient), ("sender", sender.clone()), ("amount", coin)]);
        self.emit("message", vec![("sender", sender)]);
    }
}
