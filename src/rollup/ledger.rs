//! A seeded, deterministic simulation of one rollup.
//!
//! Each virtual machine's flavour is one module below; so far there is the EVM's. A flavour keeps compact records of
//! what happened and writes messages and events out when a block is asked for. Transactions from outside, such as a
//! tracked transfer's, will enter as drafts of the flavour's planner before it draws its own.

mod clock;
mod committed;
mod derive;
mod evm;
mod json;
mod proto;
mod rng;

pub use committed::{CommittedBlock, CommittedTx, Event, Proposer};

use std::time::Duration;

use self::clock::Clock;
use crate::domain::{Address, Amount, Denom, Height, Timestamp, Vm};

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

/// Why a ledger cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// No flavour for this virtual machine.
    #[error("only the EVM flavour is built so far, not {0}")]
    Flavour(Vm),
    /// Not enough accounts for everybody to have somebody to deal with.
    #[error("a rollup of {0} accounts is too small: 50 are needed at least")]
    TooSmall(u32),
}

/// A token of the rollup, for whoever starts from the ledger's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its denom.
    pub denom: Denom,
    /// Its ERC-20 contract.
    pub contract: Address,
    /// Ticker; two tokens may share one.
    pub symbol: &'static str,
    /// Digits after the point in display units.
    pub decimals: u8,
    /// What all accounts hold together now, in the smallest unit.
    pub supply: Amount,
}

/// How a token is called, for whoever shows amounts of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenName {
    /// Its denom.
    pub denom: Denom,
    /// Ticker; two tokens may share one.
    pub symbol: &'static str,
    /// Digits after the point in display units.
    pub decimals: u8,
}

/// The names of all tokens of the rollup with this seed; cheap, nothing is simulated.
pub fn token_names(seed: u64) -> Vec<TokenName> {
    evm::token_names(seed)
}

/// An NFT collection of the rollup, for whoever starts from the ledger's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NftCollection {
    /// Its ERC-721 contract.
    pub contract: Address,
    /// Name.
    pub name: &'static str,
    /// Ticker.
    pub symbol: &'static str,
    /// Where metadata lies: this, the id, `.json`.
    pub uri: &'static str,
    /// `ibc/…` when it came over IBC; its ERC-721 ids are then SHA-256 of the id's text.
    pub class: Option<String>,
    /// Ids run from 1 to this number, burned ones included.
    pub minted: u32,
}

/// The simulated chain. It never asks the time: whoever owns it says when the next block is made.
#[derive(Debug)]
pub struct Ledger {
    options: LedgerOptions,
    chain: evm::Chain,
}

impl Ledger {
    /// The chain before its first block. Fails for a virtual machine that has no flavour yet.
    pub fn genesis(options: LedgerOptions) -> Result<Self, LedgerError> {
        if options.vm != Vm::Evm {
            return Err(LedgerError::Flavour(options.vm));
        }
        if options.accounts < FEWEST_ACCOUNTS {
            return Err(LedgerError::TooSmall(options.accounts));
        }
        let LedgerOptions { seed, genesis_time: genesis, block_time, accounts, .. } = options;
        let chain = evm::Chain::genesis(Clock { genesis, block_time, seed }, accounts);
        Ok(Self { options, chain })
    }

    /// `rollscope-evm-1` and the like.
    pub fn chain_id(&self) -> &'static str {
        evm::CHAIN_ID
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
        let LedgerOptions { seed, genesis_time: genesis, block_time, .. } = self.options;
        Clock { genesis, block_time, seed }.due(height.get())
    }

    /// Makes the next block. Cheap: only compact records are kept, JSON is written by [`Ledger::block`].
    pub fn advance(&mut self) -> Height {
        Height::new(self.chain.advance()).unwrap_or(Height::FIRST)
    }

    /// A block as the node would give it, written out from the ledger's records; `None` above the tip or when pruned.
    pub fn block(&self, height: Height) -> Option<CommittedBlock> {
        self.chain.block(height)
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
    pub fn tokens(&self) -> Vec<Token> {
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

    /// All NFT collections.
    pub fn collections(&self) -> Vec<NftCollection> {
        self.chain.collections()
    }

    /// Who owns an NFT now; `None` when it never was, was burned, or left the chain.
    pub fn nft_owner(&self, contract: &Address, id: u32) -> Option<Address> {
        self.chain.nft_owner(contract, id)
    }
}
