//! Actions that users take on the Wasm rollup.

mod actions;
mod contracts;
mod factory;
mod failures;
mod nft_transfers;
mod nfts;
mod tokens;

pub(super) use self::nfts::opening;
use super::{
    Wasm,
    record::{ContractCall, VmMessage},
};
use crate::demo::ledger::common::{
    plan,
    record::{Msg, PartyId},
};
pub(crate) use actions::ACTIONS;

pub(super) type PlannedTx = plan::PlannedTx<Wasm>;
pub(super) type Planner<'a> = plan::Planner<'a, Wasm>;

fn vm(planner: &mut Planner<'_>, sender: PartyId, gas: u32, message: VmMessage) -> PlannedTx {
    let style = planner.cosmos_style();
    PlannedTx::new(sender, style, gas, Msg::Vm(message))
}

fn call(planner: &mut Planner<'_>, sender: PartyId, gas: u32, call: ContractCall) -> PlannedTx {
    vm(planner, sender, gas, VmMessage::Execute { sender, call })
}
