//! The tokens that contracts of a transaction moved, by the denoms that are made of the contracts.

use std::collections::BTreeSet;

use super::{ContractLog, decode, evm_logs::erc20_denom, log::TRANSFER, wasm_actions};
use crate::{
    domain::{Denom, Vm},
    wire::Tx,
};

/// The denoms, `evm/…` or `cw20:…`, of contracts that say that they moved amounts of a token in this transaction. Where the VM is not
/// known both kinds are looked for.
pub fn contract_tokens(tx: &Tx, vm: Option<Vm>) -> BTreeSet<Denom> {
    let kinds: &[&str] = match vm {
        Some(Vm::Evm) => &["\"evm\""],
        Some(Vm::Wasm) => &["\"wasm\""],
        Some(Vm::Move) => &[],
        None => &["\"evm\"", "\"wasm\""],
    };
    // Most of what has none shows it without being taken apart.
    if !kinds.iter().any(|kind| tx.events.get().contains(kind)) {
        return BTreeSet::new();
    }
    let decoded = decode(tx);
    let is_amount =
        |log: &ContractLog| log.topics.len() == 3 && log.topics.first().is_some_and(|first| first == TRANSFER);
    let logs = decoded.events.iter().flat_map(ContractLog::of_event).filter(is_amount);
    let of_logs = logs.filter_map(|log| Some(erc20_denom(log.address.parse().ok()?)));
    let actions = decoded.events.iter().flat_map(wasm_actions::actions);
    let of_actions =
        actions.filter(wasm_actions::ContractAction::moves).filter_map(|action| Some(action.coin("amount")?.denom));
    of_logs.chain(of_actions).collect()
}
