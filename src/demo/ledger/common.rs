//! What all flavours share: everything that a Cosmos-based rollup has besides its virtual machine.
//!
//! A flavour is a type that implements [`Flavour`] (what there is and what happens) and [`render::Render`] (how it is
//! written out); [`chain::SimulatedChain`] makes a rollup of it.

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

use std::fmt::Debug;

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

/// What a rollup of one virtual machine is made of, and what happens on it.
pub(crate) trait Flavour: Copy + Debug + Eq + Send + Sync + 'static {
    const VM: Vm;
    /// Tokens, channels and collections.
    const CATALOGUE: &'static LedgerCatalogue;
    /// Everything that may happen, with its weight.
    const ACTIONS: &'static [(u32, PlanAction<Self>)];
    /// The type of message that [`record::Right::ContractCall`] allows.
    const EXECUTE: &'static str;
    /// The type of message that changes the virtual machine's parameters.
    const UPDATE_PARAMS: &'static str;
    /// The hook of packets that carry one, and the token of such packets.
    const ARRIVAL_HOOK: (u8, TokenId);
    /// What the bridge executor pays for a deposit.
    const DEPOSIT_FEE: FeePayment = FeePayment::Empty;
    /// Pairs of tokens of which the second is the first one with 12 more decimals.
    const WRAPS: &'static [(u8, u8)] = &[];

    /// A message to the virtual machine.
    type Message: Debug + Send + Sync;
    /// How the virtual machine or its module refuses.
    type VmFailure: Copy + Debug + Eq + Send + Sync;
    /// What changes only on rollups of this flavour; `()` is nothing.
    type Own: Clone + Debug + Send + Sync;

    /// Where tokens and contracts lie.
    fn layout(seed: u64) -> ContractLayout;

    /// The state before the first block.
    fn genesis(seed: u64, world: &World) -> LedgerState<Self::Own>;

    /// A message to the virtual machine that sends a token.
    fn transfer(sender: PartyId, token: TokenId, to: PartyId, amount: u128) -> Self::Message;

    /// What a deposit's hook uses of its token, given what the receiver held before and what is deposited.
    fn hook_amount(held: u128, deposited: u128) -> u128;

    /// The messages that turn the second token of a wrapped pair into the first one; `amount` counts the second.
    fn unwrap(_world: &World, _sender: PartyId, _wrap: u8, _amount: u128) -> Vec<Self::Message> {
        Vec::new()
    }

    /// The message of a call that somebody signed, with the gas that it usually uses; `None` where contracts have no such
    /// functions.
    fn call(_sender: PartyId, _function: CalledFunction) -> Option<(Self::Message, u32)> {
        None
    }

    /// How the virtual machine says that such a call did nothing.
    fn call_failure(_end: CallEnd) -> Option<Self::VmFailure> {
        None
    }

    /// Does what a successful message to the virtual machine does.
    fn apply(state: &mut LedgerState<Self::Own>, world: &World, message: &Self::Message);

    /// Does what a deposit's hook does, after the tokens were credited.
    fn apply_deposit_hook(state: &mut LedgerState<Self::Own>, world: &World, deposit: &DepositRecord, used: u128);

    /// Lets a packet's tokens arrive and does what its hook does.
    fn apply_arrival_hook(state: &mut LedgerState<Self::Own>, world: &World, packet: &Packet, hook: u8);

    /// What happens after the messages of a transaction that succeeded.
    fn finish(_state: &mut LedgerState<Self::Own>, _world: &World, _tx: &TxRecord<Self>) {}

    /// Gas asked for and used by what fails so early that it hardly uses any; else `None`.
    fn failure_gas(_rng: &mut Rng, _failure: Self::VmFailure) -> Option<(u32, u32)> {
        None
    }

    /// Whether this failure takes all gas that was asked for, whatever the messages usually use.
    fn uses_up(_failure: Self::VmFailure) -> bool {
        false
    }

    /// The next transaction with which the rollup opens, in its first block: it mints first tokens of a collection.
    /// `None` when all of them are.
    fn opening(planner: &mut Planner<'_, Self>) -> Option<PlannedTx<Self>>;

    /// Who made a collection; `None` for the chain itself.
    fn creator(world: &World, collection: u8) -> Option<Address>;

    /// A collection's name as the chain has it.
    fn collection_name(world: &World, collection: u8) -> String;

    /// A token's id as the chain has it.
    fn token_id(_collection: u8, number: u32) -> String {
        number.to_string()
    }

    /// The number of a token below or at `minted`, by its id.
    fn token_number(_collection: u8, token_id: &str, minted: u32) -> Option<u32> {
        let number: u32 = token_id.parse().ok()?;
        (number.to_string() == token_id && (1..=minted).contains(&number)).then_some(number)
    }

    /// A token's own address, where tokens are objects.
    fn token_object(_world: &World, _collection: u8, _number: u32) -> Option<Address> {
        None
    }
}
