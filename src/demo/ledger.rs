//! A seeded, deterministic simulation of one rollup.
//!
//! Each virtual machine's flavour is one module below and shares with the others all that is not its machine's. A
//! flavour keeps compact records of what happened and writes messages and events out when a block is asked for.
//! Transactions from outside, such as a tracked transfer's, enter the next block before the flavour's planner draws its
//! own.

mod clock;
mod common;
pub(super) mod derive;
mod evm;
mod external;
mod facts;
mod json;
mod keys;
mod movevm;
mod rng;
mod wasm;

pub(super) use evm::render::{abi, chain_id as ethereum_chain_id};
pub use external::{External, ExternalError, ExternalHook, MessageFailure, PacketKey, PacketOutcome, Submitted};
pub use facts::{RollupChannel, RollupFacts, RollupToken, TokenOrigin, facts, user};
pub use keys::KeyKind;
pub(super) use wasm::{COLLECTION_CODE, TOKEN_CODE};

use std::time::Duration;

use self::{
    clock::BlockClock,
    common::chain::{self, SimulatedChain, Simulation},
    evm::Evm,
    movevm::Move,
    wasm::Wasm,
};
use super::posted::PostedTx;
pub use crate::indexer::source::{
    BlockProposer, CommittedBlock, CommittedTx, EvmFrame, EvmReceipt, EvmReceipts, EvmTrace, EvmTraces, FrameKind,
    FungibleToken, NftCollection, OwnedNft, ReceiptLog, TxEvent,
};
use crate::{
    domain::{Address, Amount, Denom, Height, Timestamp, Vm},
    indexer::index::{IndexFeed, IndexIdentity},
};

/// The fewest accounts that a ledger can be made with.
const FEWEST_ACCOUNTS: u32 = 50;

/// What fixes every byte of a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerOptions {
    /// The virtual machine.
    pub vm: Vm,
    /// The seed of every choice.
    pub seed: u64,
    /// The time of block 0; block `h` comes `h` block times later.
    pub genesis_time: Timestamp,
    /// Between blocks.
    pub block_time: Duration,
    /// How many accounts there are, 2,000 at least for the full demo.
    pub accounts: u32,
}

/// What an index calls the genesis time among the facts of a ledger.
pub(super) const GENESIS_TIME: &str = "genesis time";

impl LedgerOptions {
    /// What an index of this chain must agree with.
    pub fn identity(&self) -> IndexIdentity {
        let facts = vec![
            ("seed", self.seed.to_string()),
            (GENESIS_TIME, self.genesis_time.to_string()),
            ("block time", format!("{:?}", self.block_time)),
            ("number of accounts", self.accounts.to_string()),
        ];
        IndexIdentity { vm: self.vm, feed: IndexFeed::Simulation, facts }
    }

    /// A number that two chains share only if they are the same: what hashes are mixed with, so that a new chain never
    /// repeats those of an old one.
    pub(super) fn identity_number(&self) -> u64 {
        let IndexIdentity { vm, facts, .. } = self.identity();
        let hash = derive::sha256(format!("{vm} {facts:?}"));
        hash.first_chunk().map_or(0, |start| u64::from_be_bytes(*start))
    }
}

/// Why a ledger cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// Not enough accounts for everybody to have somebody to deal with.
    #[error("a rollup of {0} accounts is too small: 50 are needed at least")]
    TooSmall(u32),
}

/// How a token is called, for whoever shows amounts of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerTokenName {
    /// Its denom.
    pub denom: Denom,
    /// Ticker; two tokens may share one.
    pub symbol: &'static str,
    /// Digits after the point in display units.
    pub decimals: u8,
}

/// The names of all tokens of the rollup with this virtual machine and seed; cheap, nothing is simulated.
///
/// None for a virtual machine that has no flavour yet.
pub fn token_names(vm: Vm, seed: u64) -> Vec<LedgerTokenName> {
    match vm {
        Vm::Evm => chain::token_names::<Evm>(seed),
        Vm::Move => chain::token_names::<Move>(seed),
        Vm::Wasm => chain::token_names::<Wasm>(seed),
    }
}

/// The simulated chain. It never asks the time: whoever owns it says when the next block is made.
#[derive(Debug)]
pub struct Ledger {
    options: LedgerOptions,
    clock: BlockClock,
    chain: Box<dyn Simulation>,
}

impl Ledger {
    /// The chain before its first block. Fails for a virtual machine that has no flavour yet.
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

    /// `rollscope-evm-1` and the like.
    pub fn chain_id(&self) -> &'static str {
        self.chain.chain_id()
    }

    /// The chain behind it.
    pub(super) fn simulation(&self) -> &dyn Simulation {
        &*self.chain
    }

    /// The options it was made with.
    pub fn options(&self) -> &LedgerOptions {
        &self.options
    }

    /// The newest block, if there is one.
    pub fn tip(&self) -> Option<Height> {
        Height::new(self.chain.tip())
    }

    /// How many transactions all blocks so far hold: the newest one's global number.
    pub fn transactions(&self) -> u64 {
        self.chain.transactions()
    }

    /// When the block at this height is due. The time in its header is up to a quarter of the block time earlier.
    pub fn due(&self, height: Height) -> Timestamp {
        self.clock.due(height.get())
    }

    /// The time in the header of the block at this height.
    pub fn time(&self, height: Height) -> Timestamp {
        self.clock.time(height.get())
    }

    /// Makes the next block. Cheap: only compact records are kept, JSON is written by [`Ledger::block`].
    pub fn advance(&mut self) -> Height {
        Height::new(self.chain.advance()).unwrap_or(Height::FIRST)
    }

    /// Takes a transaction from outside into the next block, or says why it cannot be in it. It is never dropped later,
    /// and comes before everything that the simulation itself puts into the block.
    ///
    /// The same transactions between the same blocks always give the same bytes.
    pub fn submit(&mut self, external: &External) -> Result<Submitted, ExternalError> {
        self.chain.submit(external)
    }

    /// What a posted transaction would use of gas in the next block; nothing is changed, and neither fee nor signature
    /// need be right. Its messages' failure where it would fail.
    pub(super) fn simulate(&self, posted: &PostedTx) -> Result<Result<u64, MessageFailure>, ExternalError> {
        self.chain.simulate(posted)
    }

    /// A block as the node would give it, written out from the ledger's records; `None` above the tip or when pruned.
    pub fn block(&self, height: Height) -> Option<CommittedBlock> {
        self.chain.block(height)
    }

    /// The receipts of a block that [`Ledger::block`] gave, cheaper than writing it out again; `None` where it is pruned
    /// and on rollups without an Ethereum side.
    pub fn receipts(&self, block: &CommittedBlock) -> Option<EvmReceipts> {
        self.chain.receipts(block)
    }

    /// The call frames of a block, found when they are asked for; `None` above the tip, when pruned, and on rollups
    /// without an Ethereum side.
    pub fn traces(&self, height: Height) -> Option<EvmTraces> {
        self.chain.traces(height)
    }

    /// Forgets the records of blocks below this height (never the state).
    pub fn prune_below(&mut self, height: Height) {
        self.chain.prune_below(height.get());
    }

    /// The address of a user's account by its number, below `options().accounts`; the first ones are the busiest.
    pub fn account(&self, index: u32) -> Option<Address> {
        self.chain.user(index)
    }

    /// All tokens with their supply now; the fee token first.
    pub fn tokens(&self) -> Vec<FungibleToken> {
        self.chain.tokens()
    }

    /// What an account or contract holds now; nothing when the account or denom is unknown.
    pub fn balance(&self, account: &Address, denom: &Denom) -> Amount {
        self.chain.balance(account, denom)
    }

    /// Everybody who holds a token now, users, modules and contracts, in no order of size.
    pub fn holders(&self, denom: &Denom) -> Vec<(Address, Amount)> {
        self.chain.holders(denom)
    }

    /// The NFT collections that exist now.
    pub fn collections(&self) -> Vec<NftCollection> {
        self.chain.collections()
    }

    /// The collection at this address; `None` when there is none, or not yet.
    pub fn collection(&self, address: &Address) -> Option<NftCollection> {
        self.chain.collection(address)
    }

    /// The NFTs that exist now, collection after collection.
    pub fn nfts(&self) -> Vec<OwnedNft> {
        self.chain.nfts()
    }

    /// An NFT by its collection and id; `None` when it never was, was burned, or left the chain.
    pub fn nft(&self, collection: &Address, token_id: &str) -> Option<OwnedNft> {
        self.chain.nft(collection, token_id)
    }
}
