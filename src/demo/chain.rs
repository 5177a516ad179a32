//! Interface of a chain that makes blocks on demand.

mod state;

pub use self::state::{
    AccountKind, AuthzGrant, BridgeWithdrawal, ChainAccount, EthereumTx, FeeGrant, NftClass, OpenPacket, Sequencer,
    UnlistedToken, WasmContract,
};
use super::{
    ledger::{External, ExternalError, Ledger, LedgerOptions, MessageFailure, Submitted, TrialRun},
    posted::PostedTx,
};
use crate::{
    domain::{Address, Amount, BlockHash, Denom, Height, Timestamp, Vm},
    indexer::source::{CommittedBlock, EvmReceipts, EvmTraces, FungibleToken, NftCollection, OwnedNft, Source},
    wire::node::{BlockCommit, ConsensusHeader},
};

/// Chain as the runner drives it. The index reads the chain as a [`Source`].
pub trait BlockProducer: Source {
    /// Returns when the block at this height is due.
    fn due(&self, height: Height) -> Timestamp;

    fn advance(&mut self) -> Height;

    /// Adds an external transaction to the next block. Equal transactions between equal blocks must produce equal
    /// blocks. A chain may refuse external transactions.
    fn submit(&mut self, _external: &External) -> Result<Submitted, ExternalError> {
        Err(ExternalError::Closed)
    }

    /// Provides block hashes from a stored index, so that the chain need not compute them from the first block. A chain
    /// without linked hashes ignores them.
    fn trust(&mut self, _hashes: &[(Height, BlockHash)]) {}

    /// Drops blocks below this height. The caller never requests them again.
    fn prune_below(&mut self, height: Height);

    /// Returns the state that a node serves besides blocks; `None` if the chain only makes blocks.
    fn state(&self) -> Option<&dyn ChainState> {
        None
    }
}

/// State that a node serves besides blocks. Only balances are available below the newest height.
pub trait ChainState {
    fn options(&self) -> &LedgerOptions;

    /// Returns the oldest available block; the first block's height before any block exists.
    fn oldest(&self) -> Height;

    /// Returns all accounts by account number.
    fn accounts(&self) -> Vec<ChainAccount>;

    fn account(&self, address: &Address) -> Option<ChainAccount>;

    /// Returns an account's next sequence number, after all pending transactions.
    fn next_sequence(&self, address: &Address) -> Option<u64>;

    /// Returns an account's balance after this block; `None` if pruned or in the future.
    fn balance_at(&self, account: &Address, denom: &Denom, height: Height) -> Option<Amount>;

    /// Returns a spender's allowance for an owner's ERC-20 token.
    fn allowance(&self, token: &Address, owner: &Address, spender: &Address) -> Amount;

    /// Returns the authz grants that have not expired, in the order of granting.
    fn grants(&self) -> Vec<AuthzGrant>;

    /// Returns the fee allowances that have not expired, in the order of granting.
    fn fee_grants(&self) -> Vec<FeeGrant>;

    fn nfts_of(&self, collection: &Address) -> Vec<OwnedNft>;

    /// Returns the NFT that is a Move object; `None` on the other virtual machines.
    fn nft_of_object(&self, object: &Address) -> Option<OwnedNft>;

    /// Returns the class of NFTs that arrived over IBC; `None` before the first, or without the module.
    fn nft_class(&self) -> Option<NftClass>;

    /// Returns the number that an NFT of the class has on the other chain; `None` if the NFT is not here.
    fn origin_token(&self, class: &NftClass, token_id: &str) -> Option<u32>;

    /// Whether the chain will deploy a collection's contract at this address.
    fn is_undeployed(&self, address: &Address) -> bool;

    /// Returns the Ethereum transactions of a block in receipt order; `None` without an Ethereum side.
    fn ethereum_txs(&self, block: &CommittedBlock) -> Option<Vec<EthereumTx>>;

    /// Returns the current and the former sequencers, in order of succession.
    fn sequencers(&self) -> Vec<Sequencer>;

    fn next_l1_sequence(&self) -> u64;

    /// Returns all started withdrawals in order of their numbers, which have no gaps.
    fn withdrawals(&self) -> &[BridgeWithdrawal];

    /// Returns the gas that a posted transaction would use in the next block, or its failure. Checks neither fee nor
    /// signature.
    fn simulate(&self, posted: &PostedTx) -> Result<Result<TrialRun, MessageFailure>, ExternalError>;

    /// Returns the header of a block; `None` if the block or its predecessor is pruned.
    fn header(&self, height: Height) -> Option<ConsensusHeader>;

    /// Returns the commit of a block, including the newest.
    fn commit(&self, height: Height) -> Option<BlockCommit>;

    /// Returns the state hash after a block. The next header contains it.
    fn app_hash(&self, height: Height) -> Option<[u8; 32]>;

    /// Returns the packets that the chain sent and that are not settled, by their numbers.
    fn open_packets(&self) -> Vec<OpenPacket>;

    /// Returns a token that the bank does not list, by its contract.
    fn unlisted_token(&self, contract: &Address) -> Option<UnlistedToken>;

    /// Returns an account's balance of a token that the bank does not list.
    fn unlisted_balance(&self, contract: &Address, account: &Address) -> Amount;

    /// Returns a Wasm contract that is no collection: a token, or one that a user created.
    fn wasm_contract(&self, address: &Address) -> Option<WasmContract>;
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

    fn trust(&mut self, hashes: &[(Height, BlockHash)]) {
        self.simulation().trust(hashes);
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

    fn grants(&self) -> Vec<AuthzGrant> {
        self.simulation().grants()
    }

    fn fee_grants(&self) -> Vec<FeeGrant> {
        self.simulation().fee_grants()
    }

    fn nfts_of(&self, collection: &Address) -> Vec<OwnedNft> {
        self.simulation().nfts_of(collection)
    }

    fn nft_of_object(&self, object: &Address) -> Option<OwnedNft> {
        self.simulation().nft_of_object(object)
    }

    fn nft_class(&self) -> Option<NftClass> {
        self.simulation().nft_class()
    }

    fn origin_token(&self, class: &NftClass, token_id: &str) -> Option<u32> {
        self.simulation().origin_token(class, token_id)
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

    fn simulate(&self, posted: &PostedTx) -> Result<Result<TrialRun, MessageFailure>, ExternalError> {
        Ledger::simulate(self, posted)
    }

    fn header(&self, height: Height) -> Option<ConsensusHeader> {
        self.simulation().header(height)
    }

    fn commit(&self, height: Height) -> Option<BlockCommit> {
        self.simulation().commit(height)
    }

    fn app_hash(&self, height: Height) -> Option<[u8; 32]> {
        self.simulation().app_hash(height)
    }

    fn open_packets(&self) -> Vec<OpenPacket> {
        self.simulation().open_packets()
    }

    fn unlisted_token(&self, contract: &Address) -> Option<UnlistedToken> {
        self.simulation().unlisted_token(contract)
    }

    fn unlisted_balance(&self, contract: &Address, account: &Address) -> Amount {
        self.simulation().unlisted_balance(contract, account)
    }

    fn wasm_contract(&self, address: &Address) -> Option<WasmContract> {
        self.simulation().wasm_contract(address)
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
