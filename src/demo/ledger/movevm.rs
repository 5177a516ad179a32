//! Move flavour: simulates a rollup with MiniMove.

mod apply;
mod catalogue;
mod genesis;
mod plan;
mod record;
mod render;
mod world;

use self::{
    catalogue::{BRIDGED_COLLECTION, CATALOGUE},
    record::{ContractCall, VmFailure, VmMessage},
};
use super::common::{
    Flavour,
    catalogue::LedgerCatalogue,
    plan::PlanAction,
    record::{DepositRecord, Packet, PartyId, TokenId},
    state::LedgerState,
    world::{ContractLayout, World},
};
use crate::domain::{self, Address};

pub(crate) use self::record::{Move, Msg};

impl Flavour for Move {
    const VM: domain::Vm = domain::Vm::Move;
    const CATALOGUE: &'static LedgerCatalogue = &CATALOGUE;
    const ACTIONS: &'static [(u32, PlanAction<Self>)] = &plan::ACTIONS;
    const EXECUTE: &'static str = "/initia.move.v1.MsgExecute";
    const UPDATE_PARAMS: &'static str = "/initia.move.v1.MsgUpdateParams";
    const ARRIVAL_HOOK: (u8, TokenId) = (0, TokenId(3));

    type Message = VmMessage;
    type VmFailure = VmFailure;
    type Own = ();

    fn layout(seed: u64) -> ContractLayout {
        world::layout(seed)
    }

    fn genesis(seed: u64, world: &World) -> LedgerState {
        genesis::state(seed, world)
    }

    fn transfer(sender: PartyId, token: TokenId, to: PartyId, amount: u128) -> VmMessage {
        VmMessage::Execute { sender, json: false, call: ContractCall::Transfer { token, to, amount } }
    }

    /// Returns the whole deposit, which goes to the lending market.
    fn hook_amount(_held: u128, deposited: u128) -> u128 {
        deposited
    }

    fn apply(state: &mut LedgerState, world: &World, message: &VmMessage) {
        apply::apply(state, world, message);
    }

    fn apply_deposit_hook(state: &mut LedgerState, world: &World, deposit: &DepositRecord, used: u128) {
        apply::apply_deposit_hook(state, world, deposit, used);
    }

    fn apply_arrival_hook(state: &mut LedgerState, world: &World, packet: &Packet, _hook: u8) {
        apply::apply_arrival_hook(state, world, packet);
    }

    fn opening(planner: &mut plan::Planner<'_>) -> Option<plan::PlannedTx> {
        plan::opening(planner)
    }

    /// Returns the creator of a collection: the user with the collection's number.
    fn creator(world: &World, collection: u8) -> Option<Address> {
        (collection != BRIDGED_COLLECTION).then(|| world.party(PartyId(u32::from(collection))).address)
    }

    fn collection_name(world: &World, collection: u8) -> String {
        world::collection_name(world, collection).to_owned()
    }

    fn token_object(world: &World, collection: u8, number: u32) -> Option<Address> {
        Some(Address::Long(world::nft_object(world, collection, number)))
    }
}
