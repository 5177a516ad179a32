//! Mutable state: balances, sequences, NFT owners, grants and open packets.

use crate::{demo::ledger::PacketOutcome, domain::Timestamp};
use std::collections::{BTreeMap, BTreeSet};

use super::{
    record::{NftPacket, Packet, PartyId, Right, TokenId},
    world::World,
};

/// Owner of an NFT that was burned or has left the chain.
const NOBODY: PartyId = PartyId(u32::MAX);

/// Number of a transaction that never happened.
const NEVER: u64 = u64::MAX;

/// Packet that waits for its acknowledgement or timeout.
#[derive(Clone, Debug)]
pub(crate) enum Pending {
    Tokens { due: u64, packet: Packet, packet_outcome: PacketOutcome },
    Nft { due: u64, packet: NftPacket },
}

impl Pending {
    /// Returns the height from which the relayer delivers the acknowledgement or timeout.
    pub(crate) fn due(&self) -> u64 {
        match self {
            Self::Tokens { due, .. } | Self::Nft { due, .. } => *due,
        }
    }
}

/// Owner of an NFT, and when it last moved.
#[derive(Clone, Copy, Debug)]
struct NftHolding {
    owner: PartyId,
    /// Height of the last transfer.
    moved: u64,
}

/// Number of the transaction in which each party first had each token. Rendering a past block needs no other state.
#[derive(Clone, Debug)]
pub(crate) struct Firsts(Vec<Vec<u64>>);

impl Firsts {
    /// Returns the number of the transaction in which a party first had a token; 0 for genesis, `None` if it never had
    /// the token.
    pub(crate) fn of(&self, token: TokenId, party: PartyId) -> Option<u64> {
        let first = self.0.get(usize::from(token.0))?.get(party.0 as usize)?;
        Some(*first).filter(|first| *first != NEVER)
    }

    fn note(&mut self, token: TokenId, party: PartyId, number: u64) {
        let first = self.0.get_mut(usize::from(token.0)).and_then(|list| list.get_mut(party.0 as usize));
        if let Some(first) = first.filter(|first| **first == NEVER) {
            *first = number;
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Grant {
    pub(crate) granter: PartyId,
    pub(crate) grantee: PartyId,
    pub(crate) right: Right,
    /// End of the grant; `None` for a grant without an end.
    pub(crate) expires: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct FeeAllowance {
    pub(crate) granter: PartyId,
    pub(crate) grantee: PartyId,
    /// Rest of the limit, in the fee token.
    pub(crate) left: u128,
    pub(crate) expires: Timestamp,
}

/// Mutable state; `O` is the part that only one flavour has.
#[derive(Clone, Debug)]
pub(crate) struct LedgerState<O = ()> {
    /// Height of the current block; 1 before the first.
    pub(crate) height: u64,
    /// Time of the current block.
    pub(crate) time: Timestamp,
    /// Global number of the current transaction; 0 before the first.
    pub(crate) number: u64,
    /// When each party first had each token.
    pub(crate) firsts: Firsts,
    balances: Vec<Vec<u128>>,
    /// Previous values of the balances that the current block changed.
    pub(crate) changed: Vec<(TokenId, PartyId, u128)>,
    supply: Vec<u128>,
    sequences: Vec<u32>,
    nfts: Vec<Vec<NftHolding>>,
    staked: Vec<u128>,
    /// Unlimited ERC-20 allowances: token, owner, spender.
    pub(crate) approvals: BTreeSet<(TokenId, PartyId, PartyId)>,
    /// Limited ERC-20 allowances of external signers: token, owner, spender, amount.
    pub(crate) limited: BTreeMap<(TokenId, PartyId, PartyId), u128>,
    /// Number of ERC-1155 items by holder and kind.
    pub(crate) items: BTreeMap<(PartyId, u8), u64>,
    pub(crate) grants: Vec<Grant>,
    pub(crate) allowances: Vec<FeeAllowance>,
    /// Simulated packets that wait for their acknowledgement or timeout, in the order of sending.
    pub(crate) pending: Vec<Pending>,
    /// External packets that wait for their acknowledgement or timeout.
    pub(crate) open: Vec<Packet>,
    /// Whether the chain ever accepted an external transaction.
    pub(crate) is_entered: bool,
    pub(crate) deposit: u64,
    pub(crate) withdrawal: u64,
    /// Next outgoing sequence number by channel.
    pub(crate) outgoing: [u64; 4],
    /// Next incoming sequence number by channel.
    pub(crate) incoming: [u64; 4],
    /// Height at which each collection was created.
    since: Vec<Option<u64>>,
    /// Index of the proposer in the catalogue.
    pub(crate) sequencer: u8,
    /// Counters of actions that the planner takes in turn.
    pub(crate) turns: [u32; 4],
    /// State that only this flavour has.
    pub(crate) own: O,
}

impl LedgerState {
    /// Creates an empty state for a flavour without its own state.
    pub(crate) fn empty(world: &World) -> Self {
        Self::with(world, ())
    }
}

impl<O> LedgerState<O> {
    /// Creates an empty state that contains the flavour's own.
    pub(crate) fn with(world: &World, own: O) -> Self {
        let tokens = world.token_ids().count();
        Self {
            height: 1,
            time: Timestamp::EPOCH,
            number: 0,
            firsts: Firsts(vec![vec![NEVER; world.len()]; tokens]),
            balances: vec![vec![0; world.len()]; tokens],
            changed: Vec::new(),
            supply: vec![0; tokens],
            sequences: vec![0; world.len()],
            nfts: vec![Vec::new(); world.catalogue.collections.len()],
            staked: vec![0; world.users() as usize],
            approvals: BTreeSet::new(),
            limited: BTreeMap::new(),
            items: BTreeMap::new(),
            grants: Vec::new(),
            allowances: Vec::new(),
            pending: Vec::new(),
            open: Vec::new(),
            is_entered: false,
            deposit: 1,
            withdrawal: 1,
            outgoing: [1; 4],
            incoming: [1; 4],
            since: world.catalogue.collections.iter().map(|spec| spec.origin.is_none().then_some(1)).collect(),
            sequencer: 0,
            turns: [0; 4],
            own,
        }
    }

    /// Begins a block: ends the grants and allowances that expire with it.
    pub(crate) fn enter(&mut self, height: u64, time: Timestamp) {
        (self.height, self.time) = (height, time);
        self.grants.retain(|grant| grant.expires.is_none_or(|end| end > time));
        self.allowances.retain(|allowance| allowance.expires > time);
    }

    /// Takes a fee from the grantee's allowance; false, without an effect, if the rest is too small. A used-up
    /// allowance ends.
    pub(crate) fn spend_allowance(&mut self, pair: (PartyId, PartyId), fee: u128) -> bool {
        let mut all = self.allowances.iter_mut();
        let Some(allowance) = all.find(|one| (one.granter, one.grantee) == pair && one.left >= fee) else {
            return false;
        };
        allowance.left -= fee;
        self.allowances.retain(|one| one.left > 0);
        true
    }

    /// Extends the tables to this number of parties.
    pub(crate) fn grow(&mut self, parties: usize) {
        self.balances.iter_mut().for_each(|list| list.resize(parties.max(list.len()), 0));
        self.firsts.0.iter_mut().for_each(|list| list.resize(parties.max(list.len()), NEVER));
        self.sequences.resize(parties.max(self.sequences.len()), 0);
    }

    /// Returns how much of a token the open packets may refund.
    pub(crate) fn promised(&self, token: TokenId) -> u128 {
        let pending = self.pending.iter().filter_map(|pending| match pending {
            Pending::Tokens { packet, .. } => Some(packet),
            Pending::Nft { .. } => None,
        });
        pending.chain(&self.open).filter(|packet| packet.token == token).map(|packet| packet.amount).sum()
    }

    /// Returns a balance for changing it; records its previous value.
    fn slot(&mut self, token: TokenId, party: PartyId) -> Option<&mut u128> {
        let slot = self.balances.get_mut(usize::from(token.0))?.get_mut(party.0 as usize)?;
        self.changed.push((token, party, *slot));
        Some(slot)
    }

    pub(crate) fn balance(&self, token: TokenId, party: PartyId) -> u128 {
        self.balances.get(usize::from(token.0)).and_then(|list| list.get(party.0 as usize)).copied().unwrap_or(0)
    }

    pub(crate) fn supply(&self, token: TokenId) -> u128 {
        self.supply.get(usize::from(token.0)).copied().unwrap_or(0)
    }

    fn credit(&mut self, token: TokenId, to: PartyId, amount: u128) {
        if let Some(slot) = self.slot(token, to) {
            *slot += amount;
        }
        self.firsts.note(token, to, self.number);
    }

    /// Returns the height at which a collection was created.
    pub(crate) fn since(&self, collection: u8) -> Option<u64> {
        self.since.get(usize::from(collection)).copied().flatten()
    }

    /// Sets the creation height of a collection, unless it is set. `None` clears it, for a collection created later.
    pub(crate) fn set_since(&mut self, collection: u8, height: Option<u64>) {
        if let Some(since) = self.since.get_mut(usize::from(collection)) {
            *since = height.map(|height| since.unwrap_or(height));
        }
    }

    pub(crate) fn mint(&mut self, token: TokenId, to: PartyId, amount: u128) {
        self.credit(token, to, amount);
        if let Some(supply) = self.supply.get_mut(usize::from(token.0)) {
            *supply += amount;
        }
    }

    /// Burns tokens. The planner never exceeds the balance; a larger amount burns nothing.
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

    /// Transfers tokens. The planner never exceeds the balance; a larger amount transfers nothing.
    pub(crate) fn transfer(&mut self, token: TokenId, from: PartyId, to: PartyId, amount: u128) {
        let left = self.balance(token, from).checked_sub(amount);
        debug_assert!(left.is_some(), "moving {amount} of {token:?} from {from:?}");
        if let (Some(left), Some(slot)) = (left, self.slot(token, from)) {
            *slot = left;
            self.credit(token, to, amount);
        }
    }

    /// Returns an account's next sequence number.
    pub(crate) fn sequence(&self, party: PartyId) -> u32 {
        self.sequences.get(party.0 as usize).copied().unwrap_or(0)
    }

    pub(crate) fn advance_sequence(&mut self, party: PartyId, by: u32) {
        if let Some(sequence) = self.sequences.get_mut(party.0 as usize) {
            *sequence += by;
        }
    }

    pub(crate) fn staked(&self, user: PartyId) -> u128 {
        self.staked.get(user.0 as usize).copied().unwrap_or(0)
    }

    pub(crate) fn set_staked(&mut self, user: PartyId, amount: u128) {
        if let Some(slot) = self.staked.get_mut(user.0 as usize) {
            *slot = amount;
        }
    }

    /// Returns how many tokens of a collection were ever minted; they are numbered from 1.
    pub(crate) fn minted(&self, collection: u8) -> u32 {
        self.nfts.get(usize::from(collection)).map_or(0, |list| u32::try_from(list.len()).unwrap_or(u32::MAX))
    }

    /// Returns the owner of an NFT; `None` if it was never minted or has left.
    pub(crate) fn owner(&self, collection: u8, number: u32) -> Option<PartyId> {
        self.holding(collection, number).map(|(owner, _)| owner)
    }

    /// Returns the owner of an NFT, and the height of its last transfer; `None` if it was never minted or has left.
    pub(crate) fn holding(&self, collection: u8, number: u32) -> Option<(PartyId, u64)> {
        let list = self.nfts.get(usize::from(collection))?;
        let holding = list.get((number as usize).checked_sub(1)?)?;
        (holding.owner != NOBODY).then_some((holding.owner, holding.moved))
    }

    /// Sets or removes the owner of an NFT. The number after the last token mints a new one.
    pub(crate) fn set_owner(&mut self, collection: u8, number: u32, owner: Option<PartyId>) {
        let holding = NftHolding { owner: owner.unwrap_or(NOBODY), moved: self.height };
        let Some(list) = self.nfts.get_mut(usize::from(collection)) else { return };
        let Some(place) = (number as usize).checked_sub(1) else { return };
        if place == list.len() {
            list.push(holding);
        } else if let Some(slot) = list.get_mut(place) {
            *slot = holding;
        }
    }

    /// Advances a counter and returns its value, below `count`.
    pub(crate) fn turn(&mut self, thing: usize, count: u32) -> u32 {
        let Some(turn) = self.turns.get_mut(thing) else { return 0 };
        let now = *turn % count.max(1);
        *turn = turn.wrapping_add(1);
        now
    }
}
