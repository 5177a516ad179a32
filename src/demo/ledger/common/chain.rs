//! Simulated rollup of any flavour.

mod consensus;
mod next_block;
mod queries;
mod withdrawals;

use std::{
    collections::{HashMap, VecDeque},
    fmt::Debug,
    hash::{Hash, Hasher},
    sync::{Mutex, PoisonError},
};

use sha2::{Digest as _, Sha256};

pub(crate) use self::consensus::block_id;
use self::{consensus::Consensus, next_block::NextBlock};
use super::{
    funding,
    plan::Planner,
    record::{BlockRecord, PartyId, TokenId, TxRecord},
    render::{self, Render, RenderView},
    state::LedgerState,
    world::World,
};
use crate::{
    demo::chain::{
        AuthzGrant, BridgeWithdrawal, ChainAccount, EthereumTx, FeeGrant, NftClass, OpenPacket, Sequencer,
        UnlistedToken, WasmContract,
    },
    demo::ledger::{
        CommittedBlock, EvmReceipts, EvmTraces, External, ExternalError, FungibleToken, LedgerTokenName,
        MessageFailure, NftCollection, OwnedNft, Submitted, TrialRun, clock::BlockClock, derive::sha256, rng::Rng,
    },
    demo::posted::PostedTx,
    domain::{Address, Amount, BlockHash, Denom, Height, Vm},
    wire::node::{BlockCommit, ConsensusHeader},
};

/// Computes SHA-256 over derived [`Hash`] implementations.
struct StepHasher(Sha256);

impl Hasher for StepHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns zero, since callers read the digest instead.
    fn finish(&self) -> u64 {
        0
    }
}

/// Simulated rollup, whatever its flavour.
pub(crate) trait Simulation: Debug + Send + Sync {
    fn chain_id(&self) -> &'static str;
    /// Returns the newest height; 0 before the first block.
    fn tip(&self) -> u64;
    /// Returns the newest transaction's global number; 0 before the first transaction.
    fn transactions(&self) -> u64;
    /// Makes the next block and returns its height.
    fn advance(&mut self) -> u64;
    /// Adds an external transaction to the next block.
    fn submit(&mut self, external: &External) -> Result<Submitted, ExternalError>;
    /// Returns the gas that a posted transaction would use, or its failure.
    fn simulate(&self, posted: &PostedTx) -> Result<Result<TrialRun, MessageFailure>, ExternalError>;
    /// Returns a block; `None` above the tip or if pruned.
    fn block(&self, height: Height) -> Option<CommittedBlock>;
    /// Returns a block's receipts; `None` if pruned, or if the VM is not the EVM.
    fn receipts(&self, block: &CommittedBlock) -> Option<EvmReceipts>;
    /// Returns a block's call frames; `None` above the tip, if pruned, or if the VM is not the EVM.
    fn traces(&self, height: Height) -> Option<EvmTraces>;
    /// Returns a block's header; `None` if the block or its predecessor is pruned.
    fn header(&self, height: Height) -> Option<ConsensusHeader>;
    /// Returns a block's commit; `None` if pruned.
    fn commit(&self, height: Height) -> Option<BlockCommit>;
    /// Returns the state hash after a block; `None` if pruned.
    fn app_hash(&self, height: Height) -> Option<[u8; 32]>;
    /// Provides hashes of its blocks from a stored index.
    fn trust(&self, hashes: &[(Height, BlockHash)]);
    fn prune_below(&mut self, height: u64);
    fn user(&self, index: u32) -> Option<Address>;
    fn tokens(&self) -> Vec<FungibleToken>;
    fn balance(&self, account: &Address, denom: &Denom) -> Amount;
    fn holders(&self, denom: &Denom) -> Vec<(Address, Amount)>;
    fn collections(&self) -> Vec<NftCollection>;
    fn collection(&self, address: &Address) -> Option<NftCollection>;
    fn nfts(&self) -> Vec<OwnedNft>;
    fn nfts_of(&self, collection: &Address) -> Vec<OwnedNft>;
    fn nft_of_object(&self, object: &Address) -> Option<OwnedNft>;
    fn nft(&self, collection: &Address, token_id: &str) -> Option<OwnedNft>;
    /// Returns the oldest available block.
    fn oldest(&self) -> Height;
    /// Returns an account's balance after a block; `None` if pruned.
    fn balance_at(&self, account: &Address, denom: &Denom, height: Height) -> Option<Amount>;
    fn accounts(&self) -> Vec<ChainAccount>;
    fn account(&self, address: &Address) -> Option<ChainAccount>;
    /// Returns an account's next sequence number, after all pending transactions.
    fn next_sequence(&self, address: &Address) -> Option<u64>;
    fn allowance(&self, token: &Address, owner: &Address, spender: &Address) -> Amount;
    fn grants(&self) -> Vec<AuthzGrant>;
    fn fee_grants(&self) -> Vec<FeeGrant>;
    fn nft_class(&self) -> Option<NftClass>;
    fn origin_token(&self, class: &NftClass, token_id: &str) -> Option<u32>;
    fn is_undeployed(&self, address: &Address) -> bool;
    /// Returns a block's Ethereum transactions; `None` if pruned, or if the VM is not the EVM.
    fn ethereum_txs(&self, block: &CommittedBlock) -> Option<Vec<EthereumTx>>;
    fn sequencers(&self) -> Vec<Sequencer>;
    fn next_l1_sequence(&self) -> u64;
    fn withdrawals(&self) -> &[BridgeWithdrawal];
    fn open_packets(&self) -> Vec<OpenPacket>;
    fn unlisted_token(&self, contract: &Address) -> Option<UnlistedToken>;
    fn unlisted_balance(&self, contract: &Address, account: &Address) -> Amount;
    fn wasm_contract(&self, address: &Address) -> Option<WasmContract>;
}

/// Simulated rollup: constants, state, and the records of its newest blocks.
#[derive(Debug)]
pub(crate) struct SimulatedChain<F: Render> {
    world: World,
    state: LedgerState<F::Own>,
    /// Block that collects external transactions.
    next_block: Option<NextBlock<F>>,
    clock: BlockClock,
    blocks: VecDeque<BlockRecord<F>>,
    /// Height of the first record in `blocks`.
    first: u64,
    /// Global number of the next transaction.
    next_sequence: u64,
    /// Global numbers of the next receipt and of the next call frame.
    next_receipt: u64,
    next_frame: u64,
    /// State hash after the newest block.
    app_hash: [u8; 32],
    consensus: Consensus,
    /// Previous values of the balances that the newest blocks changed, one list per block, the newest last.
    changes: VecDeque<Vec<(TokenId, PartyId, u128)>>,
    withdrawals: Vec<BridgeWithdrawal>,
    objects: Mutex<NftObjects>,
}

/// Move objects of the NFTs minted so far: an object's address is a hash of its name.
#[derive(Debug, Default)]
struct NftObjects {
    /// Collection and number by address.
    numbers: HashMap<[u8; 32], (u8, u32)>,
    /// Last number in `numbers`, by collection.
    minted: HashMap<u8, u32>,
}

/// Number of blocks whose balance changes are kept; real nodes keep this many states.
const KEPT_CHANGES: usize = 100;

/// Returns the token names for a seed. They do not depend on the number of users.
pub(crate) fn token_names<F: Render>(seed: u64) -> Vec<LedgerTokenName> {
    let tokens = F::layout(seed).tokens;
    let name = |((denom, _), spec): ((String, Address), &super::catalogue::TokenSpec)| LedgerTokenName {
        denom: Denom::new(denom),
        symbol: spec.symbol,
        decimals: spec.decimals,
    };
    tokens.into_iter().zip(F::CATALOGUE.tokens).map(name).collect()
}

impl<F: Render> SimulatedChain<F> {
    /// Creates the chain before its first block.
    pub(crate) fn genesis(clock: BlockClock, users: u32) -> Self {
        let world = World::new(F::CATALOGUE, clock.seed, users, F::layout(clock.seed));
        let mut state = F::genesis(clock.seed, &world);
        funding::fund_wallet::<F>(&mut state, &world);
        let app_hash = sha256(clock.identity.to_be_bytes());
        let blocks = VecDeque::new();
        let (first, next_sequence, next_receipt, next_frame) = (1, 1, 1, 1);
        let (next_block, changes) = (None, VecDeque::new());
        state.changed.clear();
        Self {
            world,
            state,
            next_block,
            clock,
            blocks,
            first,
            next_sequence,
            next_receipt,
            next_frame,
            app_hash,
            consensus: Consensus::new(clock.seed),
            changes,
            withdrawals: Vec::new(),
            objects: Mutex::default(),
        }
    }

    /// Returns a block's record and the context for rendering it; `None` above the tip or if pruned.
    fn record(&self, height: Height) -> Option<(RenderView<'_>, &BlockRecord<F>)> {
        let place = usize::try_from(height.get().checked_sub(self.first)?).ok()?;
        let view = RenderView {
            world: &self.world,
            firsts: &self.state.firsts,
            clock: self.clock,
            height: height.get(),
            number: 0,
        };
        Some((view, self.blocks.get(place)?))
    }

    /// Returns the state hash after a block. It covers the previous hash, each transaction, and each changed balance.
    fn next_app_hash(&self, height: u64, txs: &[TxRecord<F>]) -> [u8; 32] {
        let mut steps = StepHasher(Sha256::new().chain_update(self.app_hash).chain_update(height.to_be_bytes()));
        txs.hash(&mut steps);
        for (token, party, _) in &self.state.changed {
            (token, party, self.state.balance(*token, *party)).hash(&mut steps);
        }
        steps.0.finalize().into()
    }

    fn address(&self, id: PartyId) -> Address {
        self.world.party(id).address
    }

    fn places(&self) -> impl Iterator<Item = u8> {
        (0..).take(self.world.catalogue.collections.len())
    }

    fn place_of(&self, address: &Address) -> Option<u8> {
        self.places().find(|place| self.address(self.world.collection(*place)) == *address)
    }

    fn collection_at(&self, place: u8) -> Option<NftCollection> {
        let spec = self.world.catalogue.collections.get(usize::from(place))?;
        let chain = Address::Short(crate::demo::ledger::derive::system_account(1));
        Some(NftCollection {
            address: self.address(self.world.collection(place)),
            creator: F::creator(&self.world, place).unwrap_or(chain),
            name: F::collection_name(&self.world, place),
            origin_name: spec.origin.map_or_else(String::new, |_| spec.name.to_owned()),
            created: Height::new(self.state.since(place)?)?,
        })
    }

    fn nft_at(&self, place: u8, number: u32) -> Option<OwnedNft> {
        let spec = self.world.catalogue.collections.get(usize::from(place))?;
        let (owner, moved) = self.state.holding(place, number)?;
        Some(OwnedNft {
            collection: self.address(self.world.collection(place)),
            token_id: F::token_id(place, number),
            object: F::token_object(&self.world, place, number),
            owner: self.address(owner),
            uri: spec.token_uri(number),
            moved: Height::new(moved)?,
        })
    }

    fn nfts_at(&self, place: u8) -> impl Iterator<Item = OwnedNft> {
        (1..=self.state.minted(place)).filter_map(move |number| self.nft_at(place, number))
    }

    fn token(&self, id: TokenId, spec: &super::catalogue::TokenSpec) -> FungibleToken {
        let facts = self.world.token(id);
        let address = Some(self.address(facts.contract));
        FungibleToken {
            denom: facts.denom.clone(),
            contract: address.filter(|_| F::VM == Vm::Evm),
            metadata: address.filter(|_| F::VM == Vm::Move),
            symbol: spec.symbol.into(),
            decimals: spec.decimals,
            supply: Amount::from(self.state.supply(id)),
        }
    }
}

impl<F: Render> Simulation for SimulatedChain<F> {
    fn chain_id(&self) -> &'static str {
        F::CATALOGUE.chain_id
    }

    fn tip(&self) -> u64 {
        self.first + self.blocks.len() as u64 - 1
    }

    fn transactions(&self) -> u64 {
        self.next_sequence - 1
    }

    fn advance(&mut self) -> u64 {
        let height = self.tip() + 1;
        let rng = Rng::new(self.clock.seed, height ^ 0x626c_0000_0000_0000);
        let begun = self.begin();
        let sequencer = self.state.sequencer;
        let txs = Planner::new(&self.world, &mut self.state, rng, height, begun).plan();
        let next = self.next_app_hash(height, &txs);
        let app_hash = std::mem::replace(&mut self.app_hash, next);
        self.changes.push_back(std::mem::take(&mut self.state.changed));
        if self.changes.len() > KEPT_CHANGES {
            self.changes.pop_front();
        }
        let view = RenderView { world: &self.world, firsts: &self.state.firsts, clock: self.clock, height, number: 0 };
        let (receipts, frames) = F::ethereum_counts(&view, &txs);
        self.withdrawals.extend(withdrawals::begun(view, self.next_sequence, &txs));
        self.blocks.push_back(BlockRecord {
            first_sequence: self.next_sequence,
            first_receipt: self.next_receipt,
            first_frame: self.next_frame,
            app_hash,
            sequencer,
            next_sequencer: self.state.sequencer,
            txs,
        });
        self.next_sequence += self.blocks.back().map_or(0, |block| block.txs.len() as u64);
        self.next_receipt += receipts;
        self.next_frame += frames;
        height
    }

    fn submit(&mut self, external: &External) -> Result<Submitted, ExternalError> {
        self.take_in(external)
    }

    fn simulate(&self, posted: &PostedTx) -> Result<Result<TrialRun, MessageFailure>, ExternalError> {
        self.try_out(posted)
    }

    fn block(&self, height: Height) -> Option<CommittedBlock> {
        let (view, record) = self.record(height)?;
        let txs = render::transactions(view, record);
        let hashes = self.hashes(height.get(), &txs);
        Some(render::block(view, height, record, txs, hashes))
    }

    fn header(&self, height: Height) -> Option<ConsensusHeader> {
        self.consensus_header(height)
    }

    fn commit(&self, height: Height) -> Option<BlockCommit> {
        self.votes(height)
    }

    fn app_hash(&self, height: Height) -> Option<[u8; 32]> {
        if height.get() == self.tip() { Some(self.app_hash) } else { Some(self.record(height.next())?.1.app_hash) }
    }

    fn trust(&self, hashes: &[(Height, BlockHash)]) {
        self.consensus.trust(hashes);
    }

    fn receipts(&self, block: &CommittedBlock) -> Option<EvmReceipts> {
        let (view, record) = self.record(block.height)?;
        F::receipts(&view, block, record)
    }

    fn traces(&self, height: Height) -> Option<EvmTraces> {
        let (view, record) = self.record(height)?;
        F::traces(&view, record)
    }

    fn prune_below(&mut self, height: u64) {
        while self.first < height && self.blocks.pop_front().is_some() {
            self.first += 1;
        }
        // The oldest header contains the hash of the block before it.
        self.consensus.forget_below(self.first.saturating_sub(1));
    }

    fn user(&self, index: u32) -> Option<Address> {
        (index < self.world.users()).then(|| self.address(PartyId(index)))
    }

    fn tokens(&self) -> Vec<FungibleToken> {
        (0..).map(TokenId).zip(self.world.catalogue.tokens).map(|(id, spec)| self.token(id, spec)).collect()
    }

    fn balance(&self, account: &Address, denom: &Denom) -> Amount {
        let found = self.world.find(account.bytes()).zip(self.world.token_by_denom(denom));
        Amount::from(found.map_or(0, |(party, token)| self.state.balance(token, party)))
    }

    fn holders(&self, denom: &Denom) -> Vec<(Address, Amount)> {
        let Some(token) = self.world.token_by_denom(denom) else { return Vec::new() };
        self.world
            .parties()
            .map(|(id, party)| (party.address, self.state.balance(token, id)))
            .filter(|(_, amount)| *amount > 0)
            .map(|(address, amount)| (address, Amount::from(amount)))
            .collect()
    }

    fn collections(&self) -> Vec<NftCollection> {
        self.places().filter_map(|place| self.collection_at(place)).collect()
    }

    fn collection(&self, address: &Address) -> Option<NftCollection> {
        self.collection_at(self.place_of(address)?)
    }

    fn nfts(&self) -> Vec<OwnedNft> {
        self.places().flat_map(|place| self.nfts_at(place)).collect()
    }

    fn nfts_of(&self, collection: &Address) -> Vec<OwnedNft> {
        self.place_of(collection).into_iter().flat_map(|place| self.nfts_at(place)).collect()
    }

    fn nft_of_object(&self, object: &Address) -> Option<OwnedNft> {
        let mut objects = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
        let NftObjects { numbers, minted } = &mut *objects;
        for place in self.places() {
            let newest = self.state.minted(place);
            let known = minted.insert(place, newest).unwrap_or(0);
            let added = (known + 1..=newest)
                .filter_map(|number| Some((F::token_object(&self.world, place, number)?.word(), (place, number))));
            numbers.extend(added);
        }
        let (place, number) = *numbers.get(&object.word())?;
        self.nft_at(place, number)
    }

    fn nft(&self, collection: &Address, token_id: &str) -> Option<OwnedNft> {
        let place = self.place_of(collection)?;
        self.nft_at(place, F::token_number(place, token_id, self.state.minted(place))?)
    }

    fn oldest(&self) -> Height {
        Height::new(self.first).unwrap_or(Height::FIRST)
    }

    fn balance_at(&self, account: &Address, denom: &Denom, height: Height) -> Option<Amount> {
        self.past_balance(account, denom, height)
    }

    fn accounts(&self) -> Vec<ChainAccount> {
        self.all_accounts()
    }

    fn account(&self, address: &Address) -> Option<ChainAccount> {
        Some(self.account_at(self.world.find(address.bytes())?))
    }

    fn next_sequence(&self, address: &Address) -> Option<u64> {
        self.sequence_after_waiting(address)
    }

    fn allowance(&self, token: &Address, owner: &Address, spender: &Address) -> Amount {
        self.allowance_of(token, owner, spender)
    }

    fn grants(&self) -> Vec<AuthzGrant> {
        self.all_grants()
    }

    fn fee_grants(&self) -> Vec<FeeGrant> {
        self.all_fee_grants()
    }

    fn nft_class(&self) -> Option<NftClass> {
        self.bridged_nft_class()
    }

    fn origin_token(&self, class: &NftClass, token_id: &str) -> Option<u32> {
        let place = self.place_of(&class.collection)?;
        let number = F::token_number(place, token_id, self.state.minted(place))?;
        self.state.owner(place, number).map(|_| number)
    }

    fn is_undeployed(&self, address: &Address) -> bool {
        self.place_of(address).is_some_and(|place| self.state.since(place).is_none())
    }

    fn ethereum_txs(&self, block: &CommittedBlock) -> Option<Vec<EthereumTx>> {
        let (view, record) = self.record(block.height)?;
        F::ethereum_txs(&view, block, record)
    }

    fn sequencers(&self) -> Vec<Sequencer> {
        self.all_sequencers()
    }

    fn next_l1_sequence(&self) -> u64 {
        self.state.deposit
    }

    fn withdrawals(&self) -> &[BridgeWithdrawal] {
        &self.withdrawals
    }

    fn open_packets(&self) -> Vec<OpenPacket> {
        self.unsettled()
    }

    fn unlisted_token(&self, contract: &Address) -> Option<UnlistedToken> {
        F::unlisted_token(&self.world, &self.state, contract)
    }

    fn unlisted_balance(&self, contract: &Address, account: &Address) -> Amount {
        let held =
            self.world.find(account.bytes()).map(|id| F::unlisted_balance(&self.world, &self.state, contract, id));
        Amount::from(held.unwrap_or(0))
    }

    fn wasm_contract(&self, address: &Address) -> Option<WasmContract> {
        F::wasm_contract(&self.world, &self.state, address)
    }
}
