//! Tokens moved by contracts of a transaction, by the denoms derived from the contracts.

use std::collections::BTreeSet;

use crate::{
    domain::{Denom, Vm},
    events::{evm::LoggedMove, wasm},
    story::{DecodedEvent, decode, names::denoms::erc20_denom},
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
    let moves = decoded.events.iter().flat_map(DecodedEvent::logs).filter_map(LoggedMove::of);
    let of_logs = moves.filter(|moved| moved.amount().is_some()).map(|moved| erc20_denom(moved.contract));
    let actions = decoded.events.iter().flat_map(wasm::actions);
    let of_actions = actions.filter(wasm::ContractAction::moves).filter_map(|action| Some(action.coin()?.denom));
    of_logs.chain(of_actions).collect()
}
