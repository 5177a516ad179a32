//! Events common to all contracts.

use crate::demo::ledger::common::{
    render::event_writer::{Attributes, EventWriter},
    world::Party,
};

/// Writes the event of a call.
pub(crate) fn execute(events: &mut EventWriter, contract: &Party) {
    events.emit("execute", vec![("_contract_address", contract.bech32.to_string())]);
}

/// Writes a contract's event, which begins with its address.
pub(crate) fn says(events: &mut EventWriter, contract: &Party, said: Attributes) {
    named(events, "wasm", contract, said);
}

/// Writes a contract's event with a custom name.
pub(crate) fn named(events: &mut EventWriter, kind: &'static str, contract: &Party, said: Attributes) {
    let mut attributes = Vec::with_capacity(said.len() + 2);
    attributes.push(("_contract_address", contract.bech32.to_string()));
    attributes.extend(said);
    events.emit(kind, attributes);
}

/// Writes the event of a call and the contract's report.
pub(crate) fn run(events: &mut EventWriter, contract: &Party, action: &str, said: Attributes) {
    execute(events, contract);
    let mut attributes = vec![("action", action.to_owned())];
    attributes.extend(said);
    says(events, contract, attributes);
}
