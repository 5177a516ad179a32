//! EVM flavour: simulates a rollup with MiniEVM.

mod apply;
mod catalogue;
mod genesis;
mod plan;
mod record;
pub(crate) mod render;
mod world;

use self::{
    catalogue::{BRIDGED_COLLECTION, CATALOGUE},
    record::{ContractCall, RevertReason, VmFailure, VmMessage, VmStop},
};
use super::{
    common::{
        Flavour,
        catalogue::{FEE_TOKEN, LedgerCatalogue},
        external::{CallEnd, CalledFunction},
        plan::PlanAction,
        record::{DepositRecord, Packet, PartyId, SignMode, TokenId, TxRecord},
        state::LedgerState,
        world::{ContractLayout, PartyRole, World},
    },
    rng::Rng,
};
use crate::domain::{self, Address};

pub(crate) use self::record::{Evm, Msg};

impl Flavour for Evm {
    const VM: domain::Vm = domain::Vm::Evm;
    const CATALOGUE: &'static LedgerCatalogue = &CATALOGUE;
    const ACTIONS: &'static [(u32, PlanAction<Self>)] = &plan::ACTIONS;
    const EXECUTE: &'static str = "/minievm.evm.v1.MsgCall";
    const UPDATE_PARAMS: &'static str = "/minievm.evm.v1.MsgUpdateParams";
    const ARRIVAL_HOOK: (u8, TokenId) = (1, TokenId(catalogue::WRAPS[1].0));
    const WRAPS: &'static [(u8, u8)] = &catalogue::WRAPS;

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
        VmMessage::Call { sender, call: ContractCall::Transfer { token, to, amount } }
    }

    fn unwrap(world: &World, sender: PartyId, wrap: u8, amount: u128) -> Vec<VmMessage> {
        let (_, token) = apply::wrap_tokens(wrap);
        let approve = ContractCall::Approve { token, spender: world.role(PartyRole::Wrapper), amount: Some(amount) };
        [approve, ContractCall::ToRemote { wrap, amount }].map(|call| VmMessage::Call { sender, call }).into()
    }

    fn call(sender: PartyId, function: CalledFunction) -> Option<(VmMessage, u32)> {
        let (call, gas) = match function {
            CalledFunction::Pay { to, amount } => (ContractCall::Pay { to, amount }, 61_000),
            CalledFunction::Transfer { token, to, amount } => (ContractCall::Transfer { token, to, amount }, 92_000),
            CalledFunction::Approve { token, spender, amount } => {
                (ContractCall::Approve { token, spender, amount }, 74_000)
            }
            CalledFunction::Burn { token, amount } => (ContractCall::Burn { token, amount }, 64_000),
        };
        Some((VmMessage::Call { sender, call }, gas))
    }

    fn call_failure(end: CallEnd) -> Option<VmFailure> {
        Some(match end {
            CallEnd::Reverted(reason) => VmFailure::Reverted(RevertReason::Reason(reason)),
            CallEnd::OutOfGas => VmFailure::CallFailed(VmStop::OutOfGas),
        })
    }

    /// Returns the receiver's whole balance, since the hook converts all of it.
    fn hook_amount(held: u128, deposited: u128) -> u128 {
        held + deposited
    }

    fn apply(state: &mut LedgerState, world: &World, message: &VmMessage) {
        apply::apply(state, world, message);
    }

    fn apply_deposit_hook(state: &mut LedgerState, world: &World, deposit: &DepositRecord, used: u128) {
        apply::apply_deposit_hook(state, world, deposit, used);
    }

    fn apply_arrival_hook(state: &mut LedgerState, world: &World, packet: &Packet, hook: u8) {
        apply::apply_arrival_hook(state, world, packet, hook);
    }

    /// Increments the sequence number for every call after the first, and refunds gas to Ethereum transactions.
    fn finish(state: &mut LedgerState, world: &World, tx: &TxRecord<Self>) {
        let calls = tx.messages.iter().filter(|msg| matches!(msg, Msg::Vm(VmMessage::Call { .. }))).count();
        state.advance_sequence(tx.signer, u32::try_from(calls.saturating_sub(1)).unwrap_or(0));
        if let (
            Some(_),
            [Msg::Vm(VmMessage::Call { sender, call: ContractCall::Approve { token, spender, amount } })],
        ) = (&tx.posted, &*tx.messages)
        {
            let given = (*token, *sender, *spender);
            if let Some(amount) = amount {
                state.approvals.remove(&given);
                state.limited.insert(given, *amount);
            } else {
                state.limited.remove(&given);
            }
        }
        if tx.style == SignMode::Ethereum {
            let refund = u128::from(refunded_gas(tx)) * gas_price(tx);
            state.transfer(TokenId(FEE_TOKEN), world.role(PartyRole::FeeCollector), tx.signer, refund);
        }
    }

    fn failure_gas(rng: &mut Rng, failure: VmFailure) -> Option<(u32, u32)> {
        (failure == VmFailure::IntrinsicGas).then(|| (20_000 + rng.index(900), 18_000 + rng.index(1_500)))
    }

    fn uses_up(failure: VmFailure) -> bool {
        matches!(failure, VmFailure::CallFailed(stop) | VmFailure::CreateFailed(stop) if stop.uses_up())
    }

    fn opening(planner: &mut plan::Planner<'_>) -> Option<plan::PlannedTx> {
        plan::opening(planner)
    }

    fn creator(world: &World, collection: u8) -> Option<Address> {
        (collection != BRIDGED_COLLECTION).then(|| world::deployer(world.seed))
    }

    fn collection_name(world: &World, collection: u8) -> String {
        world.catalogue.collections.get(usize::from(collection)).map_or("", |spec| spec.name).to_owned()
    }

    fn token_id(collection: u8, number: u32) -> String {
        render::decimal_id(render::nft_word(collection, number))
    }

    /// Tries all tokens of the bridged class, since their IDs are hashes.
    fn token_number(collection: u8, token_id: &str, minted: u32) -> Option<u32> {
        let known = |number: &u32| Self::token_id(collection, *number) == token_id;
        if collection == BRIDGED_COLLECTION {
            return (1..=minted).find(known);
        }
        token_id.parse().ok().filter(|number| (1..=minted).contains(number)).filter(known)
    }
}

fn gas_price(tx: &TxRecord<Evm>) -> u128 {
    let declared = tx.posted.as_ref().and_then(|posted| posted.fee.checked_div(u128::from(tx.gas_wanted)));
    declared.unwrap_or(catalogue::GAS_PRICE)
}

/// Returns the gas refunded to an Ethereum transaction: half of the unused gas.
fn refunded_gas(tx: &TxRecord<Evm>) -> u32 {
    tx.gas_wanted.saturating_sub(tx.gas_used) / 2
}
