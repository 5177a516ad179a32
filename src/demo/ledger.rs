//! Seeded, deterministic simulation of a rollup.
//!
//! Each VM has a module for its flavour; the rest is shared. A flavour stores compact records, and renders messages and
//! events when a client requests a block. External transactions, such as those of tracked transfers, enter the next
//! block before the simulated ones.

mod clock;
mod common;
pub(super) mod derive;
mod evm;
mod external;
mod facts;
mod json;
mod keys;
mod movevm;
mod options;
mod rng;
mod wasm;

pub(super) use common::chain::block_id;
pub(super) use evm::render::{abi, chain_id as ethereum_chain_id};
pub use external::{
    External, ExternalError, ExternalHook, MessageFailure, PacketKey, PacketOutcome, Submitted, TrialRun,
};
pub use facts::{RollupChannel, RollupFacts, RollupToken, TokenOrigin, facts, user};
pub use keys::KeyKind;
pub(super) use options::GENESIS_TIME;
pub use options::{LedgerOptions, LedgerTokenName};
pub(super) use wasm::COLLECTION_CODE;

use self::{
    clock::BlockClock,
    common::chain::{self, SimulatedChain, Simulation},
    evm::Evm,
    movevm::Move,
    wasm::Wasm,
};
use super::posted::PostedTx;
use crate::domain::{Address, Amount, Denom, Height, Timestamp, Vm};
pub use crate::indexer::source::{
    BlockProposer, CommittedBlock, CommittedTx, EvmFrame, EvmReceipt, EvmReceipts, EvmTrace, EvmTraces, FrameKind,
    FungibleToken, NftCollection, OwnedNft, ProposingValidator, ReceiptLog, TxEvent,
};

/// Minimum number of accounts.
const FEWEST_ACCOUNTS: u32 = 50;

/// Why a ledger cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    #[error("a rollup of {0} accounts is too small: use at least 50")]
    TooSmall(u32),
}

/// Returns the names of all tokens for a VM and seed, without a simulation; empty for a VM without a flavour.
pub fn token_names(vm: Vm, seed: u64) -> Vec<LedgerTokenName> {
    match vm {
        Vm::Evm => chain::token_names::<Evm>(seed),
        Vm::Move => chain::token_names::<Move>(seed),
        Vm::Wasm => chain::token_names::<Wasm>(seed),
    }
}

/// Simulated chain. It has no clock: its owner decides when it makes the next block.
#[derive(Debug)]
pub struct Ledger {
    options: LedgerOptions,
    clock: BlockClock,
    chain: Box<dyn Simulation>,
}

impl Ledger {
    /// Creates the chain before its first block; fails for a VM without a flavour.
    pub fn genesis(options: LedgerOptions) -> Result<Self, LedgerError> {
        if options.accounts < FEWEST_ACCOUNTS {
            return Err(LedgerError::TooSmall(options.accounts));
        }
        let (clock, accounts) = (BlockClock::new(&options), options.accounts);
        let chain: Box<dyn Simulation> = match options.vm {
            Vm::Evm => Box::new(SimulatedChain::<Evm>::genesis(clock, accounts)),
            Vm::Move => Box::new(SimulatedChain::<Move>::genesis(clock, accounts)),
            Vm::Wasm => Box::new(SimulatedChain::<Wasm>::genesis(clock, accounts)),
        };
        Ok(Self { options, clock, chain })
    }

    /// Returns the chain id, such as `rollscope-evm-1`.
    pub fn chain_id(&self) -> &'static str {
        self.chain.chain_id()
    }

    pub(super) fn simulation(&self) -> &dyn Simulation {
        &*self.chain
    }

    pub fn options(&self) -> &LedgerOptions {
        &self.options
    }

    pub fn tip(&self) -> Option<Height> {
        Height::new(self.chain.tip())
    }

    /// Returns the number of transactions in all blocks. The newest transaction has this global number.
    pub fn transactions(&self) -> u64 {
        self.chain.transactions()
    }

    /// Returns when the block at this height is due. The header's time is earlier by up to a quarter of the block time.
    pub fn due(&self, height: Height) -> Timestamp {
        self.clock.due(height.get())
    }

    /// Returns the time in a block's header.
    pub fn time(&self, height: Height) -> Timestamp {
        self.clock.time(height.get())
    }

    /// Makes the next block. It only stores compact records; [`Ledger::block`] renders the JSON.
    pub fn advance(&mut self) -> Height {
        Height::new(self.chain.advance()).unwrap_or(Height::FIRST)
    }

    /// Adds an external transaction to the next block, before the simulated ones, or returns why not. An accepted
    /// transaction is never dropped.
    ///
    /// Equal transactions between equal blocks produce equal bytes.
    pub fn submit(&mut self, external: &External) -> Result<Submitted, ExternalError> {
        self.chain.submit(external)
    }

    /// Returns the gas that a posted transaction would use in the next block, or its failure. Changes no state and
    /// checks neither fee nor signature.
    pub(super) fn simulate(&self, posted: &PostedTx) -> Result<Result<TrialRun, MessageFailure>, ExternalError> {
        self.chain.simulate(posted)
    }

    /// Renders a block as a node would serve it; `None` if the block is above the tip or pruned.
    pub fn block(&self, height: Height) -> Option<CommittedBlock> {
        self.chain.block(height)
    }

    /// Returns the receipts of a block from [`Ledger::block`] without rendering it again; `None` if the block is pruned
    /// or the VM is not the EVM.
    pub fn receipts(&self, block: &CommittedBlock) -> Option<EvmReceipts> {
        self.chain.receipts(block)
    }

    /// Traces a block and returns its call frames; `None` if the block is above the tip or pruned, or the VM is not the
    /// EVM.
    pub fn traces(&self, height: Height) -> Option<EvmTraces> {
        self.chain.traces(height)
    }

    /// Drops the records of blocks below this height; the state stays.
    pub fn prune_below(&mut self, height: Height) {
        self.chain.prune_below(height.get());
    }

    /// Returns a user's address by index, below `options().accounts`. Users with low indices are the busiest.
    pub fn account(&self, index: u32) -> Option<Address> {
        self.chain.user(index)
    }

    /// Returns all tokens with their current supply, the fee token first.
    pub fn tokens(&self) -> Vec<FungibleToken> {
        self.chain.tokens()
    }

    /// Returns the current balance of an account or contract; zero if account or denom is unknown.
    pub fn balance(&self, account: &Address, denom: &Denom) -> Amount {
        self.chain.balance(account, denom)
    }

    /// Returns all holders of a token, including modules and contracts, unordered.
    pub fn holders(&self, denom: &Denom) -> Vec<(Address, Amount)> {
        self.chain.holders(denom)
    }

    pub fn collections(&self) -> Vec<NftCollection> {
        self.chain.collections()
    }

    pub fn collection(&self, address: &Address) -> Option<NftCollection> {
        self.chain.collection(address)
    }

    pub fn nfts(&self) -> Vec<OwnedNft> {
        self.chain.nfts()
    }

    /// Returns an NFT by collection and ID; `None` if it was never minted, was burned, or left for another chain.
    pub fn nft(&self, collection: &Address, token_id: &str) -> Option<OwnedNft> {
        self.chain.nft(collection, token_id)
    }
}
