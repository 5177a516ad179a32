//! Wasm flavour: simulates a rollup with `CosmWasm` contracts and the token factory.

mod address;
mod calls;
mod catalogue;
mod codes;
mod genesis;
mod nft_transfers;
mod packets;
mod plan;
mod record;
mod render;
mod state;
mod steps;
#[cfg(test)]
mod tests;
mod world;

use self::{
    catalogue::CATALOGUE,
    record::{ContractCall, VmFailure, VmMessage},
    state::{LedgerState, Own},
};
use super::common::{
    Flavour,
    catalogue::LedgerCatalogue,
    plan::PlanAction,
    record::{DepositRecord, FeePayment, Packet, PartyId, TokenId},
    world::{ContractLayout, World},
};
use crate::domain::{self, Address};

pub(crate) use self::{catalogue::COLLECTION_CODE, record::Wasm};

/// Returns the port of the ICS-721 contract.
pub(crate) fn nft_port() -> String {
    world::nft_port(&world::bridge())
}

impl Flavour for Wasm {
    const VM: domain::Vm = domain::Vm::Wasm;
    const CATALOGUE: &'static LedgerCatalogue = &CATALOGUE;
    const ACTIONS: &'static [(u32, PlanAction<Self>)] = plan::ACTIONS;
    const EXECUTE: &'static str = "/cosmwasm.wasm.v1.MsgExecuteContract";
    const UPDATE_PARAMS: &'static str = "/cosmwasm.wasm.v1.MsgUpdateParams";
    const ARRIVAL_HOOK: (u8, TokenId) = (0, TokenId(3));
    const DEPOSIT_FEE: FeePayment = FeePayment::Signer;

    type Message = VmMessage;
    type VmFailure = VmFailure;
    type Own = Own;

    fn layout(seed: u64) -> ContractLayout {
        world::layout(seed)
    }

    fn genesis(seed: u64, world: &World) -> LedgerState {
        genesis::state(seed, world)
    }

    fn transfer(sender: PartyId, token: TokenId, to: PartyId, amount: u128) -> VmMessage {
        VmMessage::Execute { sender, call: ContractCall::HandOn { token, to, amount } }
    }

    /// Returns the whole deposit, since the hook saves all of it.
    fn hook_amount(_: u128, deposited: u128) -> u128 {
        deposited
    }

    fn apply(state: &mut LedgerState, world: &World, message: &VmMessage) {
        codes::message(world, message).steps.apply(state);
    }

    fn apply_deposit_hook(state: &mut LedgerState, world: &World, deposit: &DepositRecord, used: u128) {
        calls::call(world, deposit.to, &ContractCall::Save { amount: used }).steps.apply(state);
        state.advance_sequence(deposit.to, 1);
    }

    /// Applies a packet's hook: the postbox forwards the tokens to the receiver.
    fn apply_arrival_hook(state: &mut LedgerState, world: &World, packet: &Packet, _: u8) {
        super::common::apply::refund(state, world, packet);
    }

    fn opening(planner: &mut plan::Planner<'_>) -> Option<plan::PlannedTx> {
        plan::opening(planner)
    }

    fn creator(world: &World, collection: u8) -> Option<Address> {
        Some(world::creator(world, collection))
    }

    fn collection_name(world: &World, collection: u8) -> String {
        world.catalogue.collections.get(usize::from(collection)).map_or("", |spec| spec.name).to_owned()
    }
}
