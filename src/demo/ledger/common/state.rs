//! What changes: balances, sequences, NFT owners, rights and the packets under way.

use crate::demo::ledger::PacketOutcome;
use std::collections::{BTreeMap, BTreeSet};

use super::{
    record::{NftPacket, Packet, PartyId, Right, TokenId},
    world::World,
};

/// Owner of a token that was burned or left the chain.
const NOBODY: PartyId = PartyId(u32::MAX);

/// Stands for a transaction that has not come.
const NEVER: u64 = u64::MAX;

/// A packet that waits for its answer.
#[derive(Clone, Debug)]
pub(crate) enum Pending {
    /// Tokens.
    Tokens {
        due: u64,
        packet: Packet,
        packet_outcome: PacketOutcome,
    },
    Nft {
        due: u64,
        packet: NftPacket,
    },
}

impl Pending {
    /// The height from which the relayer brings the answer.
    pub(crate) fn due(&self) -> u64 {
        match self {
            Self::Tokens { due, .. } | Self::Nft { due, .. } => *due,
        }
    }
}

/// An NFT's last move.
#[derive(Clone, Copy, Debug)]
struct NftHolding {
    owner: PartyId,
    /// The height at which it came to its owner.
    moved: u64,
}

/// The transaction in which each party first got each token: all that writing down a past block needs of the state.
#[derive(Clone, Debug)]
pub(crate) struct Firsts(Vec<Vec<u64>>);

impl Firsts {
    /// The transaction in which a party first got a token, 0 for genesis; `None` when it never had any.
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

/// What changes; `O` is what only one flavour has.
#[derive(Clone, Debug)]
pub(crate) struct LedgerState<O = ()> {
    /// The height of the block being made; 1 before the first one.
    pub(crate) height: u64,
    /// The global number of the transaction being made; 0 before the first one.
    pub(crate) number: u64,
    /// The transaction in which each party first got each token.
    pub(crate) firsts: Firsts,
    balances: Vec<Vec<u128>>,
    /// Balances that the block being made changes, each with what it was before.
    pub(crate) changed: Vec<(TokenId, PartyId, u128)>,
    supply: Vec<u128>,
    sequences: Vec<u32>,
    nfts: Vec<Vec<NftHolding>>,
    staked: Vec<u128>,
    /// Unlimited allowances given: token, owner, spender.
    pub(crate) approvals: BTreeSet<(TokenId, PartyId, PartyId)>,
    /// What somebody of outside lets spend besides: token, owner, spender, amount.
    pub(crate) limited: BTreeMap<(TokenId, PartyId, PartyId), u128>,
    /// Things of which there are several alike: holder, kind, count.
    pub(crate) items: BTreeMap<(PartyId, u8), u64>,
    /// Rights given: granter, grantee, right.
    pub(crate) grants: Vec<(PartyId, PartyId, Right)>,
    /// Fee allowances given: granter, grantee.
    pub(crate) allowances: Vec<(PartyId, PartyId)>,
    /// Packets that wait for their answer, in the order they left.
    pub(crate) pending: Vec<Pending>,
    /// Packets from outside of the simulation that wait for an answer from there.
    pub(crate) open: Vec<Packet>,
    /// Whether anything came from outside of the simulation.
    pub(crate) is_entered: bool,
    /// The next deposit's number.
    pub(crate) deposit: u64,
    /// The next withdrawal's number.
    pub(crate) withdrawal: u64,
    /// The next outgoing packet's number per channel.
    pub(crate) outgoing: [u64; 4],
    /// The next incoming packet's number per channel.
    pub(crate) incoming: [u64; 4],
    /// Heights at which the collections came to be.
    since: Vec<Option<u64>>,
    /// Who proposes: place in the catalogue.
    pub(crate) sequencer: u8,
    /// Turns of the things that are done one after another.
    pub(crate) turns: [u32; 4],
    /// What only this flavour has.
    pub(crate) own: O,
}

impl LedgerState {
    /// The state before the first block of a flavour with nothing of its own, with nothing in it: the flavour fills it.
    pub(crate) fn empty(world: &World) -> Self {
        Self::with(world, ())
    }
}

impl<O> LedgerState<O> {
    /// The state before the first block with nothing in it but what only this flavour has: the flavour fills it.
    pub(crate) fn with(world: &World, own: O) -> Self {
        let tokens = world.catalogue.tokens.len();
        Self {
            height: 1,
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

    /// Makes room for so many parties.
    pub(crate) fn grow(&mut self, parties: usize) {
        self.balances.iter_mut().for_each(|list| list.resize(parties.max(list.len()), 0));
        self.firsts.0.iter_mut().for_each(|list| list.resize(parties.max(list.len()), NEVER));
        self.sequences.resize(parties.max(self.sequences.len()), 0);
    }

    /// What may have to come back of a token, because packets with it wait for their answer.
    pub(crate) fn promised(&self, token: TokenId) -> u128 {
        let pending = self.pending.iter().filter_map(|pending| match pending {
            Pending::Tokens { packet, .. } => Some(packet),
            Pending::Nft { .. } => None,
        });
        pending.chain(&self.open).filter(|packet| packet.token == token).map(|packet| packet.amount).sum()
    }

    /// A balance that is about to change.
    fn slot(&mut self, token: TokenId, party: PartyId) -> Option<&mut u128> {
        let slot = self.balances.get_mut(usize::from(token.0))?.get_mut(party.0 as usize)?;
        self.changed.push((token, party, *slot));
        Some(slot)
    }

    /// What a party holds.
    pub(crate) fn balance(&self, token: TokenId, party: PartyId) -> u128 {
        self.balances.get(usize::from(token.0)).and_then(|list| list.get(party.0 as usize)).copied().unwrap_or(0)
    }

    /// What all parties hold together.
    pub(crate) fn supply(&self, token: TokenId) -> u128 {
        self.supply.get(usize::from(token.0)).copied().unwrap_or(0)
    }

    fn credit(&mut self, token: TokenId, to: PartyId, amount: u128) {
        if let Some(slot) = self.slot(token, to) {
            *slot += amount;
        }
        self.firsts.note(token, to, self.number);
    }

    /// The height at which a collection came to be.
    pub(crate) fn since(&self, collection: u8) -> Option<u64> {
        self.since.get(usize::from(collection)).copied().flatten()
    }

    /// Lets a collection come to be, if it had not; `None` takes away what a flavour creates later.
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
            self.credit(token, to, amount);
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

    /// How many tokens a collection has ever had; their numbers run from 1 to this.
    pub(crate) fn minted(&self, collection: u8) -> u32 {
        self.nfts.get(usize::from(collection)).map_or(0, |list| u32::try_from(list.len()).unwrap_or(u32::MAX))
    }

    /// Who owns an NFT; `None` when it never was or is gone.
    pub(crate) fn owner(&self, collection: u8, number: u32) -> Option<PartyId> {
        self.holding(collection, number).map(|(owner, _)| owner)
    }

    /// Who owns an NFT, and the height since when; `None` when it never was or is gone.
    pub(crate) fn holding(&self, collection: u8, number: u32) -> Option<(PartyId, u64)> {
        let list = self.nfts.get(usize::from(collection))?;
        let holding = list.get((number as usize).checked_sub(1)?)?;
        (holding.owner != NOBODY).then_some((holding.owner, holding.moved))
    }

    /// Gives an NFT to a party, or takes it off the chain; the number after the last one mints.
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

    /// The next turn of a thing done one after another, below `count`.
    pub(crate) fn turn(&mut self, thing: usize, count: u32) -> u32 {
        let Some(turn) = self.turns.get_mut(thing) else { return 0 };
        let now = *turn % count.max(1);
        *turn = turn.wrapping_add(1);
        now
    }
}
