//! The EVM flavour: a simulated rollup with Initia's EVM.

mod apply;
mod catalogue;
mod plan;
mod record;
mod render;
mod state;
mod world;

use std::collections::VecDeque;

use self::{
    catalogue::{COLLECTIONS, TOKENS},
    plan::Planner,
    record::{BlockRecord, PartyId, TokenId, TxRecord},
    render::View,
    state::State,
    world::World,
};
use super::{
    CommittedBlock, NftCollection, Token, TokenName,
    clock::Clock,
    rng::{Rng, mix},
};
use crate::domain::{Address, Amount, Denom, Height};

pub(super) use catalogue::CHAIN_ID;

/// A simulated EVM rollup: what never changes, what changes, and the records of its newest blocks.
#[derive(Debug)]
pub(super) struct Chain {
    world: World,
    state: State,
    clock: Clock,
    blocks: VecDeque<BlockRecord>,
    /// The height of the first block in `blocks`.
    first: u64,
    /// The next transaction's global number.
    next_sequence: u64,
    digest: u64,
}

impl Chain {
    /// The chain before its first block.
    pub(super) fn genesis(clock: Clock, users: u32) -> Self {
        let world = World::new(clock.seed, users);
        let state = State::genesis(clock.seed, &world);
        let digest = mix(clock.seed);
        Self { world, state, clock, blocks: VecDeque::new(), first: 1, next_sequence: 1, digest }
    }

    /// The newest height; 0 before the first block.
    pub(super) fn tip(&self) -> u64 {
        self.first + self.blocks.len() as u64 - 1
    }

    /// The newest transaction's global number; 0 before the first one.
    pub(super) fn transactions(&self) -> u64 {
        self.next_sequence - 1
    }

    /// Makes the next block.
    pub(super) fn advance(&mut self) -> u64 {
        let height = self.tip() + 1;
        let rng = Rng::new(self.clock.seed, height ^ 0x626c_0000_0000_0000);
        let sequencer = self.state.sequencer;
        let txs = Planner::new(&self.world, &mut self.state, rng, height).plan();
        self.digest = txs.iter().fold(mix(self.digest ^ height), stir);
        let first_sequence = self.next_sequence;
        self.next_sequence += txs.len() as u64;
        self.blocks.push_back(BlockRecord { first_sequence, digest: self.digest, sequencer, txs });
        height
    }

    /// A block, unless it is above the tip or forgotten.
    pub(super) fn block(&self, height: Height) -> Option<CommittedBlock> {
        let place = usize::try_from(height.get().checked_sub(self.first)?).ok()?;
        let record = self.blocks.get(place)?;
        let view = View { world: &self.world, clock: self.clock, height: height.get() };
        Some(render::block(view, height, record))
    }

    /// Forgets records below this height.
    pub(super) fn prune_below(&mut self, height: u64) {
        while self.first < height && self.blocks.pop_front().is_some() {
            self.first += 1;
        }
    }

    /// A user's address.
    pub(super) fn user(&self, index: u32) -> Option<Address> {
        (index < self.world.users()).then(|| Address::Short(self.world.party(PartyId(index)).bytes))
    }

    /// The tokens.
    pub(super) fn tokens(&self) -> Vec<Token> {
        (0..)
            .map(TokenId)
            .zip(&TOKENS)
            .map(|(id, spec)| {
                let facts = self.world.token(id);
                Token {
                    denom: facts.denom.clone(),
                    contract: Address::Short(self.world.party(facts.contract).bytes),
                    symbol: spec.symbol,
                    decimals: spec.decimals,
                    supply: Amount::from(self.state.supply(id)),
                }
            })
            .collect()
    }

    /// What an account holds.
    pub(super) fn balance(&self, account: &Address, denom: &Denom) -> Amount {
        let found = self.world.find(account.bytes()).zip(self.world.token_by_denom(denom));
        Amount::from(found.map_or(0, |(party, token)| self.state.balance(token, party)))
    }

    /// Everybody who holds a token.
    pub(super) fn holders(&self, denom: &Denom) -> Vec<(Address, Amount)> {
        let Some(token) = self.world.token_by_denom(denom) else { return Vec::new() };
        self.world
            .parties()
            .map(|(id, party)| (Address::Short(party.bytes), self.state.balance(token, id)))
            .filter(|(_, amount)| *amount > 0)
            .map(|(address, amount)| (address, Amount::from(amount)))
            .collect()
    }

    /// The collections.
    pub(super) fn collections(&self) -> Vec<NftCollection> {
        (0..)
            .zip(&COLLECTIONS)
            .map(|(place, spec)| NftCollection {
                contract: Address::Short(self.world.party(self.world.collection(place)).bytes),
                name: spec.name,
                symbol: spec.symbol,
                uri: spec.uri,
                class: spec.origin.map(|_| self.world.bridged_class.clone()),
                minted: self.state.minted(place),
            })
            .collect()
    }

    /// Who owns an NFT.
    pub(super) fn nft_owner(&self, contract: &Address, id: u32) -> Option<Address> {
        let party = self.world.find(contract.bytes())?;
        let place = (0..).take(COLLECTIONS.len()).find(|place| self.world.collection(*place) == party)?;
        self.state.owner(place, id).map(|owner| Address::Short(self.world.party(owner).bytes))
    }
}

/// Adds a transaction to the running digest.
fn stir(digest: u64, tx: &TxRecord) -> u64 {
    let words = [u64::from(tx.signer.0), u64::from(tx.sequence), u64::from(tx.gas_used), tx.messages.len() as u64];
    words.into_iter().fold(digest, |digest, word| mix(digest ^ word))
}

/// The names of the tokens of a seed: they lie with the contracts, whatever users there are.
pub(super) fn token_names(seed: u64) -> Vec<TokenName> {
    let world = World::new(seed, 0);
    let name = |(id, spec): (TokenId, &catalogue::TokenSpec)| TokenName {
        denom: world.token(id).denom.clone(),
        symbol: spec.symbol,
        decimals: spec.decimals,
    };
    (0..).map(TokenId).zip(&TOKENS).map(name).collect()
}
