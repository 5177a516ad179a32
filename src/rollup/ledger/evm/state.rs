//! What changes: balances, sequences, NFT owners, rights and the packets under way.

use std::collections::BTreeSet;

use alloy_primitives::U256;

use super::{
    catalogue::{COLLECTIONS, FEE_TOKEN, POOLS, REWARD_TOKEN, TOKENS, WRAP_FACTOR, WRAPS},
    record::{NftPacket, Packet, PartyId, Right, TokenId},
    world::{Role, World},
};
use crate::rollup::ledger::rng::Rng;

/// Owner of a token that was burned or left the chain.
const NOBODY: PartyId = PartyId(u32::MAX);

/// What the admin pays fees from.
const ADMIN_FUNDS: u128 = 100_000_000_000_000_000_000_000;

/// A packet that waits for its answer.
#[derive(Debug)]
pub(crate) enum Pending {
    /// Tokens.
    Tokens { due: u64, packet: Packet, fate: Fate },
    /// An NFT.
    Nft { due: u64, packet: NftPacket },
}

impl Pending {
    /// The height from which the relayer brings the answer.
    pub(crate) fn due(&self) -> u64 {
        match self {
            Self::Tokens { due, .. } | Self::Nft { due, .. } => *due,
        }
    }
}

/// How a packet ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Taken in.
    Accepted,
    /// Refused: the tokens come back.
    Refused,
    /// Not taken in before its timeout: the tokens come back.
    Expired,
}

/// What changes.
#[derive(Debug)]
pub(crate) struct State {
    balances: Vec<Vec<u128>>,
    supply: Vec<u128>,
    sequences: Vec<u32>,
    owners: Vec<Vec<PartyId>>,
    staked: Vec<u128>,
    /// Unlimited allowances given: token, owner, spender.
    pub(crate) approvals: BTreeSet<(TokenId, PartyId, PartyId)>,
    /// Rights given: granter, grantee, right.
    pub(crate) grants: Vec<(PartyId, PartyId, Right)>,
    /// Fee allowances given: granter, grantee.
    pub(crate) allowances: Vec<(PartyId, PartyId)>,
    /// Packets that wait for their answer, in the order they left.
    pub(crate) pending: Vec<Pending>,
    /// The next deposit's number.
    pub(crate) deposit: u64,
    /// The next withdrawal's number.
    pub(crate) withdrawal: u64,
    /// The next outgoing packet's number per channel.
    pub(crate) outgoing: [u64; 4],
    /// The next incoming packet's number per channel.
    pub(crate) incoming: [u64; 4],
    /// Who proposes: place in the catalogue.
    pub(crate) sequencer: u8,
    /// Turns of the things that are done one after another.
    pub(crate) turns: [u32; 4],
}

impl State {
    /// The state before the first block.
    pub(crate) fn genesis(seed: u64, world: &World) -> Self {
        let mut rng = Rng::new(seed, 1);
        let mut state = Self {
            balances: vec![vec![0; world.len()]; TOKENS.len()],
            supply: vec![0; TOKENS.len()],
            sequences: vec![0; world.len()],
            owners: Vec::new(),
            staked: vec![0; world.users() as usize],
            approvals: BTreeSet::new(),
            grants: Vec::new(),
            allowances: Vec::new(),
            pending: Vec::new(),
            deposit: 1,
            withdrawal: 1,
            outgoing: [1; 4],
            incoming: [1; 4],
            sequencer: 0,
            turns: [0; 4],
        };
        state.fund_users(world, &mut rng);
        state.fund_contracts(world);
        state.owners = COLLECTIONS
            .iter()
            .map(|spec| (0..spec.minted).map(|_| PartyId(rng.skewed(world.users()))).collect())
            .collect();
        state
    }

    /// Gives every user the fee token and some of them the others; the first ones are rich.
    fn fund_users(&mut self, world: &World, rng: &mut Rng) {
        for user in 0..world.users() {
            for (place, spec) in (0..).zip(&TOKENS) {
                if place != FEE_TOKEN && !rng.chance(if user < 64 { 9 } else { 3 }, 10) {
                    continue;
                }
                let unit = 10u128.pow(u32::from(spec.decimals)) / 1000;
                let richness = u128::from(1 + 40_000 / (u64::from(user) + 1));
                let amount = unit * (20_000 + u128::from(rng.below(180_000))) * richness;
                self.mint(TokenId(place), PartyId(user), amount + u128::from(rng.below(1000)) * (unit / 1000).max(1));
            }
        }
    }

    /// Fills pools, the wrapper, the escrow, the reward contract and the admin's purse.
    fn fund_contracts(&mut self, world: &World) {
        for (pool, (first, second)) in (0..).zip(POOLS) {
            for token in [first, second] {
                let whole = self.supply(TokenId(token)) / 8;
                self.mint(TokenId(token), world.pool(pool), whole);
            }
        }
        for (remote, local) in WRAPS {
            let locked = self.supply(TokenId(local)) / WRAP_FACTOR + 1;
            self.mint(TokenId(remote), world.role(Role::Wrapper), locked);
        }
        self.mint(TokenId(FEE_TOKEN), world.role(Role::Admin), ADMIN_FUNDS);
        let reward = self.supply(TokenId(REWARD_TOKEN)) / 5;
        self.mint(TokenId(REWARD_TOKEN), world.role(Role::Airdrop), reward);
        for token in [2, 3, 9] {
            let left = self.supply(TokenId(token)) / 50;
            self.mint(TokenId(token), world.role(Role::Escrow), left);
        }
    }

    fn slot(&mut self, token: TokenId, party: PartyId) -> Option<&mut u128> {
        self.balances.get_mut(usize::from(token.0))?.get_mut(party.0 as usize)
    }

    /// What a party holds.
    pub(crate) fn balance(&self, token: TokenId, party: PartyId) -> u128 {
        self.balances.get(usize::from(token.0)).and_then(|list| list.get(party.0 as usize)).copied().unwrap_or(0)
    }

    /// What all parties hold together.
    pub(crate) fn supply(&self, token: TokenId) -> u128 {
        self.supply.get(usize::from(token.0)).copied().unwrap_or(0)
    }

    /// Makes tokens.
    pub(crate) fn mint(&mut self, token: TokenId, to: PartyId, amount: u128) {
        if let Some(slot) = self.slot(token, to) {
            *slot += amount;
        }
        if let Some(supply) = self.supply.get_mut(usize::from(token.0)) {
            *supply += amount;
        }
    }

    /// Unmakes tokens. The planner never asks for more than there is; that would move nothing.
    pub(crate) fn burn(&mut self, token: TokenId, from: PartyId, amount: u128) {
        let left = self.balance(token, from).checked_sub(amount);
        debug_assert!(left.is_some(), "burning {amount} of {token:?} from {from:?}");
        if let (Some(left), Some(slot)) = (left, self.slot(token, from)) {
            *slot = left;
            if let Some(supply) = self.supply.get_mut(usize::from(token.0)) {
                *supply -= amount;
            }
        }
    }

    /// Moves tokens. The planner never asks for more than there is; that would move nothing.
    pub(crate) fn transfer(&mut self, token: TokenId, from: PartyId, to: PartyId, amount: u128) {
        let left = self.balance(token, from).checked_sub(amount);
        debug_assert!(left.is_some(), "moving {amount} of {token:?} from {from:?}");
        if let (Some(left), Some(slot)) = (left, self.slot(token, from)) {
            *slot = left;
            if let Some(slot) = self.slot(token, to) {
                *slot += amount;
            }
        }
    }

    /// The next number of an account's signatures.
    pub(crate) fn sequence(&self, party: PartyId) -> u32 {
        self.sequences.get(party.0 as usize).copied().unwrap_or(0)
    }

    /// Counts signatures.
    pub(crate) fn advance_sequence(&mut self, party: PartyId, by: u32) {
        if let Some(sequence) = self.sequences.get_mut(party.0 as usize) {
            *sequence += by;
        }
    }

    /// What a user has staked.
    pub(crate) fn staked(&self, user: PartyId) -> u128 {
        self.staked.get(user.0 as usize).copied().unwrap_or(0)
    }

    /// Notes a stake.
    pub(crate) fn set_staked(&mut self, user: PartyId, amount: u128) {
        if let Some(slot) = self.staked.get_mut(user.0 as usize) {
            *slot = amount;
        }
    }

    /// How many tokens a collection has ever had; ids are 1 to this number.
    pub(crate) fn minted(&self, collection: u8) -> u32 {
        self.owners.get(usize::from(collection)).map_or(0, |list| u32::try_from(list.len()).unwrap_or(u32::MAX))
    }

    /// Who owns an NFT; `None` when it never was or is gone.
    pub(crate) fn owner(&self, collection: u8, id: u32) -> Option<PartyId> {
        let list = self.owners.get(usize::from(collection))?;
        list.get((id as usize).checked_sub(1)?).copied().filter(|owner| *owner != NOBODY)
    }

    /// Gives an NFT to a party, or takes it off the chain; the id after the last one mints.
    pub(crate) fn set_owner(&mut self, collection: u8, id: u32, owner: Option<PartyId>) {
        let owner = owner.unwrap_or(NOBODY);
        let Some(list) = self.owners.get_mut(usize::from(collection)) else { return };
        let Some(place) = (id as usize).checked_sub(1) else { return };
        if place == list.len() {
            list.push(owner);
        } else if let Some(slot) = list.get_mut(place) {
            *slot = owner;
        }
    }

    /// A pool's reserves in its order.
    pub(crate) fn reserves(&self, world: &World, pool: u8) -> [u128; 2] {
        let (first, second) = POOLS.get(usize::from(pool)).copied().unwrap_or_default();
        [first, second].map(|token| self.balance(TokenId(token), world.pool(pool)))
    }

    /// The next turn of a thing done one after another, below `count`.
    pub(crate) fn turn(&mut self, thing: usize, count: u32) -> u32 {
        let Some(turn) = self.turns.get_mut(thing) else { return 0 };
        let now = *turn % count.max(1);
        *turn = turn.wrapping_add(1);
        now
    }
}

/// What a constant-product pool gives for a sale, after its fee of 0.3 %.
pub(crate) fn bought(sold: u128, reserve_in: u128, reserve_out: u128) -> u128 {
    let with_fee = U256::from(sold) * U256::from(997);
    let denominator = U256::from(reserve_in) * U256::from(1000) + with_fee;
    if denominator.is_zero() {
        return 0;
    }
    u128::try_from(with_fee * U256::from(reserve_out) / denominator).unwrap_or(0)
}
