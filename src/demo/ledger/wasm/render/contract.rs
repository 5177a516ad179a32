//! The events that every contract has.

use crate::demo::ledger::common::{
    render::event_writer::{Attributes, EventWriter},
    world::Party,
};

/// A contract is called.
pub(crate) fn execute(events: &mut EventWriter, contract: &Party) {
    events.emit("execute", vec![("_contract_address", contract.bech32.to_string())]);
}

/// What a contract says, beginning with its address.
pub(crate) fn says(events: &mut EventWriter, contract: &Party, said: Attributes) {
    named(events, "wasm", contract, said);
}

/// What a contract says in an event of its own name.
pub(crate) fn named(events: &mut EventWriter, kind: &'static str, contract: &Party, said: Attributes) {
    let mut attributes = Vec::with_capacity(said.len() + 2);
    attributes.push(("_contract_address", contract.bech32.to_string()));
    attributes.extend(said);
    events.emit(kind, attributes);
}

/// A contract is called and says what it did.
pub(crate) fn run(events: &mut EventWriter, contract: &Party, action: &str, said: Attributes) {
    execute(events, contract);
    let mut attributes = vec![("action", action.to_owned())];
    attributes.extend(said);
    says(events, contract, attributes);
}
