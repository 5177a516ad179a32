//! Tokens whose contracts report a movement of them. Any contract may report one.

use super::{DecodedEvent, EventClass, EventRecord, TxEvent, evm::LoggedMove, wasm};
use crate::domain::Denom;

/// Returns the denoms, `evm/…`, of the ERC-20 contracts that logged a transfer.
pub(crate) fn erc20_tokens(event: &impl EventRecord) -> impl Iterator<Item = Denom> {
    let moves = event.logs().filter_map(LoggedMove::of).filter(|moved| moved.amount().is_some());
    moves.map(|moved| Denom::of_erc20(moved.contract))
}

/// Returns the denoms, `cw20:…`, of the CW-20 contracts that reported a transfer, mint or burn.
pub(crate) fn cw20_tokens(event: &DecodedEvent) -> impl Iterator<Item = Denom> {
    let moves = wasm::actions(event).filter(wasm::ContractAction::moves);
    moves.filter_map(|action| Some(action.coin()?.denom))
}

/// Returns the denoms of both kinds.
pub(crate) fn contract_tokens(events: &[TxEvent]) -> impl Iterator<Item = Denom> {
    let of_wasm = events.iter().filter(|event| matches!(event.class(), EventClass::Wasm));
    let of_wasm = of_wasm.flat_map(|event| cw20_tokens(&event.decoded()).collect::<Vec<_>>());
    events.iter().flat_map(erc20_tokens).chain(of_wasm)
}
