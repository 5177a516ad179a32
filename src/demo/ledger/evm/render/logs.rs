//! Calls and logs as events, and what the bank does by calling the tokens' contracts.

use alloy_primitives::hex;

use super::abi::{Log, ZERO};
use crate::demo::ledger::common::{
    record::TokenId,
    render::{View, scribe::Scribe},
    world::Party,
};

/// A call of a contract with what it returned.
pub(crate) fn call(scribe: &mut Scribe, contract: &Party, returned: &[u8]) {
    scribe.emit("call", vec![("contract", contract.hex.to_string()), ("ret", hex::encode_prefixed(returned))]);
}

/// The logs of one run of the EVM.
pub(crate) fn logs(scribe: &mut Scribe, logs: &[Log]) {
    scribe.emit("evm", logs.iter().map(|log| ("log", log.json())).collect());
}

/// A movement by the bank, which calls the token's contract.
pub(crate) fn bank_transfer(
    view: &View<'_>,
    scribe: &mut Scribe,
    token: TokenId,
    [from, to]: [&Party; 2],
    amount: u128,
) {
    let contract = view.contract(token);
    call(scribe, contract, &[]);
    logs(scribe, &[Log::transfer(contract, from.word(), to.word(), amount)]);
    scribe.moved(from, to, view.coin(token, amount));
}

/// Tokens made by a module.
pub(crate) fn bank_mint(view: &View<'_>, scribe: &mut Scribe, token: TokenId, module: &Party, amount: u128) {
    let contract = view.contract(token);
    call(scribe, contract, &[]);
    logs(scribe, &[Log::transfer(contract, ZERO, module.word(), amount)]);
    let (minter, coin) = (module.bech32.to_string(), view.coin(token, amount));
    scribe.emit("coinbase", vec![("minter", minter), ("amount", coin)]);
}

/// Tokens unmade by a module.
pub(crate) fn bank_burn(view: &View<'_>, scribe: &mut Scribe, token: TokenId, module: &Party, amount: u128) {
    let contract = view.contract(token);
    call(scribe, contract, &[]);
    logs(scribe, &[Log::transfer(contract, module.word(), ZERO, amount)]);
    let (burner, coin) = (module.bech32.to_string(), view.coin(token, amount));
    scribe.emit("burn", vec![("burner", burner), ("amount", coin)]);
}
