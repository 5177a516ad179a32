//! Parts that all flavours share: a Cosmos rollup without its VM.
//!
//! A flavour implements [`Flavour`] (content and behaviour) and [`render::Render`] (output); [`chain::SimulatedChain`]
//! turns it into a rollup.

pub(crate) mod apply;
pub(crate) mod catalogue;
pub(crate) mod chain;
pub(crate) mod external;
mod funding;
pub(crate) mod plan;
pub(crate) mod pool;
pub(crate) mod record;
pub(crate) mod render;
pub(crate) mod state;
pub(crate) mod world;

use std::{fmt::Debug, hash::Hash};

use self::{
    catalogue::LedgerCatalogue,
    external::{CallEnd, CalledFunction},
    plan::{PlanAction, PlannedTx, Planner},
    record::{DepositRecord, FeePayment, Packet, PartyId, TokenId, TxRecord},
    state::LedgerState,
    world::{ContractLayout, World},
};
use super::rng::Rng;
use crate::domain::{Address, Vm};

/// Content and behaviour of a rollup with one VM.
pub(crate) trait Flavour: Copy + Debug + Eq + Hash + Send + Sync + 'static {
    const VM: Vm;
    /// Tokens, channels and collections.
    const CATALOGUE: &'static LedgerCatalogue;
    /// Actions that the planner chooses from, with their weights.
    const ACTIONS: &'static [(u32, PlanAction<Self>)];
    /// Message type that [`record::Right::Call`] allows.
    const EXECUTE: &'static str;
    /// Message type that updates the VM's parameters.
    const UPDATE_PARAMS: &'static str;
    /// Hook of packets, and the token of packets with a hook.
    const ARRIVAL_HOOK: (u8, TokenId);
    /// How the bridge executor pays for a deposit's transaction.
    const DEPOSIT_FEE: FeePayment = FeePayment::Empty;
    /// Tokens with their wrappers, which have 12 more decimals.
    const WRAPS: &'static [(u8, u8)] = &[];

    type Message: Debug + Hash + Send + Sync;
    type VmFailure: Copy + Debug + Eq + Hash + Send + Sync;
    /// State that only this flavour has; `()` if it has none.
    type Own: Clone + Debug + Send + Sync;

    fn layout(seed: u64) -> ContractLayout;

    /// Returns the state before the first block.
    fn genesis(seed: u64, world: &World) -> LedgerState<Self::Own>;

    fn transfer(sender: PartyId, token: TokenId, to: PartyId, amount: u128) -> Self::Message;

    /// Returns the amount that a deposit's hook uses, from the receiver's balance before it and the deposit.
    fn hook_amount(held: u128, deposited: u128) -> u128;

    /// Returns the messages that convert the second token of a wrapped pair to the first; `amount` is in the second
    /// token.
    fn unwrap(_world: &World, _sender: PartyId, _wrap: u8, _amount: u128) -> Vec<Self::Message> {
        Vec::new()
    }

    /// Returns the message for a signed call, and its usual gas; `None` if this VM's contracts lack the function.
    fn call(_sender: PartyId, _function: CalledFunction) -> Option<(Self::Message, u32)> {
        None
    }

    /// Returns the VM's failure for a call that fails.
    fn call_failure(_end: CallEnd) -> Option<Self::VmFailure> {
        None
    }

    fn apply(state: &mut LedgerState<Self::Own>, world: &World, message: &Self::Message);

    fn apply_deposit_hook(state: &mut LedgerState<Self::Own>, world: &World, deposit: &DepositRecord, used: u128);

    fn apply_arrival_hook(state: &mut LedgerState<Self::Own>, world: &World, packet: &Packet, hook: u8);

    /// Runs after the messages of a successful transaction.
    fn finish(_state: &mut LedgerState<Self::Own>, _world: &World, _tx: &TxRecord<Self>) {}

    /// Returns gas limit and gas used of a failure that comes early; `None` for other failures.
    fn failure_gas(_rng: &mut Rng, _failure: Self::VmFailure) -> Option<(u32, u32)> {
        None
    }

    /// Whether this failure uses up the whole gas limit.
    fn uses_up(_failure: Self::VmFailure) -> bool {
        false
    }

    /// Returns the next transaction of the first block, which mints the collections' initial tokens; `None` after the
    /// last.
    fn opening(planner: &mut Planner<'_, Self>) -> Option<PlannedTx<Self>>;

    /// Returns the creator of a collection; `None` if the chain itself created it.
    fn creator(world: &World, collection: u8) -> Option<Address>;

    fn collection_name(world: &World, collection: u8) -> String;

    fn token_id(_collection: u8, number: u32) -> String {
        number.to_string()
    }

    /// Returns the number of a token with this ID, at most `minted`.
    fn token_number(_collection: u8, token_id: &str, minted: u32) -> Option<u32> {
        let number: u32 = token_id.parse().ok()?;
        (number.to_string() == token_id && (1..=minted).contains(&number)).then_some(number)
    }

    /// Returns the token's object address, on chains where tokens are objects.
    fn token_object(_world: &World, _collection: u8, _number: u32) -> Option<Address> {
        None
    }
}
