//! The events that every contract has.

use crate::demo::ledger::common::{
    render::scribe::{Attributes, Scribe},
    world::Party,
};

/// A contract is called.
pub(crate) fn execute(scribe: &mut Scribe, contract: &Party) {
    scribe.emit("execute", vec![("_contract_address", contract.bech32.to_string())]);
}

/// What a contract says, beginning with its address.
pub(crate) fn says(scribe: &mut Scribe, contract: &Party, said: Attributes) {
    named(scribe, "wasm", contract, said);
}

/// What a contract says in an event of its own name.
pub(crate) fn named(scribe: &mut Scribe, kind: &'static str, contract: &Party, said: Attributes) {
    let mut attributes = Vec::with_capacity(said.len() + 2);
    attributes.push(("_contract_address", contract.bech32.to_string()));
    attributes.extend(said);
    scribe.emit(kind, attributes);
}

/// A contract is called and says what it did.
pub(crate) fn run(scribe: &mut Scribe, contract: &Party, action: &str, said: Attributes) {
    execute(scribe, contract);
    let mut attributes = vec![("action", action.to_owned())];
    attributes.extend(said);
    says(scribe, contract, attributes);
}
