//! Renders events of calls, logs and bank transfers. A bank transfer calls the token's contract.

use alloy_primitives::hex;

use super::abi::{AbiLog, ZERO};
use crate::{
    demo::ledger::{
        common::{
            record::TokenId,
            render::{BankEvents, RenderView, event_writer::EventWriter},
            world::Party,
        },
        evm::Evm,
    },
    events::names::COINBASE,
};

/// Writes the event of a contract call, with its return data.
pub(crate) fn call(events: &mut EventWriter, contract: &Party, returned: &[u8]) {
    events.emit("call", vec![("contract", contract.hex.to_string()), ("ret", hex::encode_prefixed(returned))]);
}

/// Writes the event with the logs of one EVM call.
pub(crate) fn logs(events: &mut EventWriter, logs: &[AbiLog]) {
    events.emit("evm", logs.iter().map(|log| ("log", log.json())).collect());
}

impl BankEvents for Evm {
    /// Writes the events of a bank transfer, which calls the token's contract.
    fn bank_transfer(
        view: &RenderView<'_>,
        events: &mut EventWriter,
        token: TokenId,
        [from, to]: [&Party; 2],
        amount: u128,
    ) {
        let contract = view.contract(token);
        call(events, contract, &[]);
        logs(events, &[AbiLog::transfer(contract, from.word(), to.word(), amount)]);
        events.moved(from, to, view.coin(token, amount));
    }

    fn bank_mint(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, module: &Party, amount: u128) {
        let contract = view.contract(token);
        call(events, contract, &[]);
        logs(events, &[AbiLog::transfer(contract, ZERO, module.word(), amount)]);
        let (minter, coin) = (module.bech32.to_string(), view.coin(token, amount));
        events.emit(COINBASE, vec![("minter", minter), ("amount", coin)]);
    }

    fn bank_burn(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, module: &Party, amount: u128) {
        let contract = view.contract(token);
        call(events, contract, &[]);
        logs(events, &[AbiLog::transfer(contract, module.word(), ZERO, amount)]);
        let (burner, coin) = (module.bech32.to_string(), view.coin(token, amount));
        events.emit("burn", vec![("burner", burner), ("amount", coin)]);
    }
}
