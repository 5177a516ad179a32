//! A chain that makes a block when it is told to.

use super::{
    ledger::{External, ExternalError, KeyKind, Ledger, LedgerOptions, MessageFailure, Submitted},
    posted::{EthereumPayload, PostedTx},
};
use crate::{
    domain::{Address, Amount, Denom, Height, Timestamp, TxHash, Vm},
    indexer::source::{CommittedBlock, EvmReceipts, EvmTraces, FungibleToken, NftCollection, OwnedNft, Source},
};

/// A chain as its runner drives it; the index reads it as a [`Source`].
pub trait BlockProducer: Source {
    /// When the block at this height is due.
    fn due(&self, height: Height) -> Timestamp;

    /// Makes the next block.
    fn advance(&mut self) -> Height;

    /// Takes a transaction from outside into the next block; the same ones between the same blocks must always give the
    /// same blocks. A chain need not take any.
    fn submit(&mut self, _external: &External) -> Result<Submitted, ExternalError> {
        Err(ExternalError::Closed)
    }

    /// Blocks below this height will not be asked for again.
    fn prune_below(&mut self, height: Height);

    /// What a node answers about the chain besides blocks; `None` for a chain that only makes blocks.
    fn state(&self) -> Option<&dyn ChainState> {
        None
    }
}

/// What a node knows of its chain besides blocks. All but balances is of the newest height.
pub trait ChainState {
    /// What the chain was made of.
    fn options(&self) -> &LedgerOptions;

    /// The lowest block that can still be asked for; the first one before there is any.
    fn oldest(&self) -> Height;

    /// Every account, in the order of their numbers.
    fn accounts(&self) -> Vec<ChainAccount>;

    /// The account at this address.
    fn account(&self, address: &Address) -> Option<ChainAccount>;

    /// The number of an account's next signature once all is in a block that waits for one.
    fn next_sequence(&self, address: &Address) -> Option<u64>;

    /// What an account held of a token after this block; `None` where that is forgotten, or not known yet.
    fn balance_at(&self, account: &Address, denom: &Denom, height: Height) -> Option<Amount>;

    /// What an owner lets a spender take of the token with this contract, on the EVM.
    fn allowance(&self, token: &Address, owner: &Address, spender: &Address) -> Amount;

    /// Whether this is where the contract of a collection will lie that does not exist yet.
    fn is_undeployed(&self, address: &Address) -> bool;

    /// The Ethereum transactions of a block that it gave, in the order of its receipts; `None` where there is no
    /// Ethereum side.
    fn ethereum_txs(&self, block: &CommittedBlock) -> Option<Vec<EthereumTx>>;

    /// Who may propose or might once, in the order in which they came.
    fn sequencers(&self) -> Vec<Sequencer>;

    /// The number of the next deposit from the L1.
    fn next_l1_sequence(&self) -> u64;

    /// Every withdrawal to the L1 that was begun, in the order of their numbers, which have no gaps.
    fn withdrawals(&self) -> &[BridgeWithdrawal];

    /// What a posted transaction would use of gas in the next block, or how its messages would fail. Neither its fee nor
    /// its signature need be right.
    fn simulate(&self, posted: &PostedTx) -> Result<Result<u64, MessageFailure>, ExternalError>;

    /// A CW-20 token by its contract, on Wasm.
    fn cw20(&self, contract: &Address) -> Option<Cw20Token>;

    /// What an account holds of a CW-20 token.
    fn cw20_balance(&self, contract: &Address, account: &Address) -> Amount;
}

/// A withdrawal over the optimistic bridge, as the event of its block has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeWithdrawal {
    /// Its number, from 1.
    pub sequence: u64,
    /// Its block.
    pub height: Height,
    /// Its transaction.
    pub tx_hash: TxHash,
    /// Who withdraws, `init1…`.
    pub from: String,
    /// Who gets it on the L1.
    pub to: String,
    /// The token's denom on the L1.
    pub l1_denom: &'static str,
    /// How much, in the smallest unit.
    pub amount: u64,
}

/// An account as the auth module knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainAccount {
    /// Where it is.
    pub address: Address,
    /// Its number, from 0.
    pub number: u64,
    /// The number of its next signature.
    pub sequence: u64,
    /// What it signs with, compressed; none for what never signed.
    pub key: Option<(KeyKind, [u8; 33])>,
    /// What it is.
    pub kind: AccountKind,
}

/// What an account is to the auth module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountKind {
    /// Somebody's.
    Base,
    /// A module's, with its name and what it may do.
    Module(&'static str, &'static [&'static str]),
    /// A contract's of the EVM.
    Contract,
    /// A Move object's.
    Object,
}

/// What an Ethereum transaction asked for; its receipt says what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EthereumTx {
    /// The hash of the Cosmos transaction that it is of.
    pub cosmos: TxHash,
    /// What an Ethereum wallet signed; none where it only stands for the Cosmos transaction.
    pub signed: Option<Box<EthereumPayload>>,
}

/// Who may propose blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequencer {
    /// Its name.
    pub moniker: &'static str,
    /// Its operator account, whose bytes its blocks name.
    pub operator: Address,
    /// Its key of 32 bytes.
    pub key: Vec<u8>,
    /// Whether it is the one that proposes now.
    pub is_current: bool,
}

/// A CW-20 token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cw20Token {
    /// Its name.
    pub name: &'static str,
    /// Ticker.
    pub symbol: &'static str,
    /// Digits after the point in display units.
    pub decimals: u8,
    /// What all accounts hold together.
    pub supply: Amount,
}

impl BlockProducer for Ledger {
    fn due(&self, height: Height) -> Timestamp {
        Ledger::due(self, height)
    }

    fn advance(&mut self) -> Height {
        Ledger::advance(self)
    }

    fn submit(&mut self, external: &External) -> Result<Submitted, ExternalError> {
        Ledger::submit(self, external)
    }

    fn prune_below(&mut self, height: Height) {
        Ledger::prune_below(self, height);
    }

    fn state(&self) -> Option<&dyn ChainState> {
        Some(self)
    }
}

impl ChainState for Ledger {
    fn options(&self) -> &LedgerOptions {
        Ledger::options(self)
    }

    fn oldest(&self) -> Height {
        self.simulation().oldest()
    }

    fn accounts(&self) -> Vec<ChainAccount> {
        self.simulation().accounts()
    }

    fn account(&self, address: &Address) -> Option<ChainAccount> {
        self.simulation().account(address)
    }

    fn next_sequence(&self, address: &Address) -> Option<u64> {
        self.simulation().next_sequence(address)
    }

    fn balance_at(&self, account: &Address, denom: &Denom, height: Height) -> Option<Amount> {
        self.simulation().balance_at(account, denom, height)
    }

    fn allowance(&self, token: &Address, owner: &Address, spender: &Address) -> Amount {
        self.simulation().allowance(token, owner, spender)
    }

    fn is_undeployed(&self, address: &Address) -> bool {
        self.simulation().is_undeployed(address)
    }

    fn ethereum_txs(&self, block: &CommittedBlock) -> Option<Vec<EthereumTx>> {
        self.simulation().ethereum_txs(block)
    }

    fn sequencers(&self) -> Vec<Sequencer> {
        self.simulation().sequencers()
    }

    fn next_l1_sequence(&self) -> u64 {
        self.simulation().next_l1_sequence()
    }

    fn withdrawals(&self) -> &[BridgeWithdrawal] {
        self.simulation().withdrawals()
    }

    fn simulate(&self, posted: &PostedTx) -> Result<Result<u64, MessageFailure>, ExternalError> {
        Ledger::simulate(self, posted)
    }

    fn cw20(&self, contract: &Address) -> Option<Cw20Token> {
        self.simulation().cw20(contract)
    }

    fn cw20_balance(&self, contract: &Address, account: &Address) -> Amount {
        self.simulation().cw20_balance(contract, account)
    }
}

impl Source for Ledger {
    fn chain_id(&self) -> &str {
        Ledger::chain_id(self)
    }

    fn tip(&self) -> Option<Height> {
        Ledger::tip(self)
    }

    fn time(&self, height: Height) -> Timestamp {
        Ledger::time(self, height)
    }

    fn block(&self, height: Height) -> Option<CommittedBlock> {
        Ledger::block(self, height)
    }

    fn receipts(&self, block: &CommittedBlock) -> Option<EvmReceipts> {
        Ledger::receipts(self, block)
    }

    fn is_traced(&self) -> bool {
        self.options().vm == Vm::Evm
    }

    fn traces(&self, height: Height) -> Option<EvmTraces> {
        Ledger::traces(self, height)
    }

    fn tokens(&self) -> Vec<FungibleToken> {
        Ledger::tokens(self)
    }

    fn holders(&self, denom: &Denom) -> Vec<(Address, Amount)> {
        Ledger::holders(self, denom)
    }

    fn collections(&self) -> Vec<NftCollection> {
        Ledger::collections(self)
    }

    fn collection(&self, address: &Address) -> Option<NftCollection> {
        Ledger::collection(self, address)
    }

    fn nfts(&self) -> Vec<OwnedNft> {
        Ledger::nfts(self)
    }

    fn nft(&self, collection: &Address, token_id: &str) -> Option<OwnedNft> {
        Ledger::nft(self, collection, token_id)
    }
}
