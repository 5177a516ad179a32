//! Tokens moved by contracts of a transaction, by the denoms derived from the contracts.

use std::collections::BTreeSet;

use crate::{
    domain::{Denom, Vm},
    events::tokens::{cw20_tokens, erc20_tokens},
    story::decode,
    wire::Tx,
};

/// Returns the denoms, `evm/…` or `cw20:…`, of contracts that reported a movement of their token. Searches both kinds
/// if the VM is unknown.
pub fn contract_tokens(tx: &Tx, vm: Option<Vm>) -> BTreeSet<Denom> {
    let kinds: &[&str] = match vm {
        Some(Vm::Evm) => &["\"evm\""],
        Some(Vm::Wasm) => &["\"wasm\""],
        Some(Vm::Move) => &[],
        None => &["\"evm\"", "\"wasm\""],
    };
    // Quick check that spares most transactions the parsing.
    if !kinds.iter().any(|kind| tx.events.get().contains(kind)) {
        return BTreeSet::new();
    }
    let decoded = decode(tx);
    decoded.events.iter().flat_map(|event| erc20_tokens(event).chain(cw20_tokens(event))).collect()
}
