//! View of the chain during one node request.

use std::cell::{Cell, OnceCell};

use super::{RenderedBlocks, brought::BroughtTxs, raw};
use crate::{
    demo::{
        chain::{BlockProducer, ChainState},
        ledger::{CommittedBlock, CommittedTx, EvmReceipts, LedgerOptions, RollupFacts, derive::sha256, facts},
        settlement::BridgeTerms,
    },
    domain::{Address, Amount, Denom, EvmTxHash, Height, TxHash, Vm},
    indexer::index::Index,
};

/// Number of blocks above the newest indexed block to search for a hash.
const UNINDEXED: u64 = 50;

/// The chain, between two of its blocks.
pub(super) struct NodeView<'a> {
    pub(super) chain: &'a dyn BlockProducer,
    pub(super) state: &'a dyn ChainState,
    /// Index, used only to find the height of a hash. All other data comes from the chain.
    index: &'a Index,
    rendered: &'a RenderedBlocks,
    /// Transactions in the request, which the chain has accepted or refused.
    pub(super) brought: BroughtTxs,
    /// Height of the newest block.
    pub(super) tip: Height,
    /// Parameters of the bridge to the L1.
    pub(super) bridge: BridgeTerms,
    facts: OnceCell<RollupFacts>,
    at: Cell<Height>,
}

impl<'a> NodeView<'a> {
    /// Creates the view; `None` before the first block.
    pub(super) fn new(
        chain: &'a dyn BlockProducer,
        state: &'a dyn ChainState,
        index: &'a Index,
        rendered: &'a RenderedBlocks,
        brought: BroughtTxs,
        bridge: BridgeTerms,
    ) -> Option<Self> {
        let tip = chain.tip()?;
        Some(Self { tip, bridge, chain, state, index, rendered, brought, facts: OnceCell::new(), at: Cell::new(tip) })
    }

    pub(super) fn options(&self) -> &LedgerOptions {
        self.state.options()
    }

    pub(super) fn vm(&self) -> Vm {
        self.options().vm
    }

    pub(super) fn chain_id(&self) -> &str {
        self.chain.chain_id()
    }

    pub(super) fn facts(&self) -> &RollupFacts {
        self.facts.get_or_init(|| facts(self.options().vm, self.options().seed))
    }

    /// Selects the height for balance queries; false if the chain has no balances there.
    pub(super) fn look_at(&self, height: Height) -> bool {
        self.at.set(height);
        let anybody = Address::Short([0; 20]);
        self.facts().tokens.first().is_some_and(|token| self.state.balance_at(&anybody, &token.denom, height).is_some())
    }

    /// Whether balance queries read at the newest height.
    pub(super) fn is_at_tip(&self) -> bool {
        self.at.get() == self.tip
    }

    /// Returns an account's balance at the selected height.
    pub(super) fn balance(&self, account: &Address, denom: &Denom) -> Amount {
        self.state.balance_at(account, denom, self.at.get()).unwrap_or_default()
    }

    /// Returns the oldest block that the node serves. It is one above the oldest kept block, since a header contains
    /// its predecessor's hash.
    pub(super) fn oldest(&self) -> Height {
        let kept = self.state.oldest();
        if kept == Height::FIRST { kept } else { kept.next().min(self.tip) }
    }

    /// Returns a block; `None` if it is above the tip or pruned.
    pub(super) fn block(&self, height: Height) -> Option<CommittedBlock> {
        if height < self.oldest() { None } else { self.rendered.block(height, || self.chain.block(height)) }
    }

    pub(super) fn receipts(&self, height: Height) -> Option<(CommittedBlock, EvmReceipts)> {
        let block = self.block(height)?;
        let receipts = self.chain.receipts(&block)?;
        Some((block, receipts))
    }

    /// Returns the block that contains a transaction, and the transaction's index.
    pub(super) fn find_tx(&self, hash: &TxHash) -> Option<(CommittedBlock, usize)> {
        let indexed = || {
            let body = self.index.tx(hash).ok()??;
            let height = serde_json::from_slice::<serde_json::Value>(&body).ok()?;
            height.get("height")?.as_str()?.parse().ok()
        };
        let held = |height: Height| {
            let block = self.block(height)?;
            let place = block.txs.iter().position(|tx| tx.hash == *hash)?;
            Some((block, place))
        };
        self.find(indexed(), held)
    }

    /// Notes the hashes under which a client knows the transactions of a served block: those of their bytes.
    pub(super) fn note_served(&self, height: Height, txs: &[Vec<u8>]) {
        self.rendered.note(height, txs.iter().map(sha256).map(TxHash::new));
    }

    /// Returns the block that contains a transaction, and its index, by the hash of the bytes that the node served.
    pub(super) fn find_served(&self, hash: &TxHash) -> Option<(CommittedBlock, usize)> {
        let block = self.block(self.rendered.served(hash)?)?;
        let is_it = |tx: &CommittedTx| raw::bytes(tx).is_ok_and(|bytes| TxHash::new(sha256(bytes)) == *hash);
        let place = block.txs.iter().position(is_it)?;
        Some((block, place))
    }

    /// Returns the block that contains an Ethereum transaction, its receipts, and the transaction's index among them.
    pub(super) fn find_ethereum_tx(&self, hash: &[u8; 32]) -> Option<(CommittedBlock, EvmReceipts, usize)> {
        let indexed = || self.index.evm_tx(&EvmTxHash::new(*hash)).ok()??.height();
        let held = |height: Height| {
            let (block, receipts) = self.receipts(height)?;
            let place = receipts.receipts.iter().position(|receipt| receipt.hash == *hash)?;
            Some((block, receipts, place))
        };
        self.find(indexed(), held)
    }

    /// Searches the indexed height, then the blocks that are not indexed yet.
    fn find<T>(&self, indexed: Option<Height>, held: impl Fn(Height) -> Option<T>) -> Option<T> {
        if let Some(found) = indexed.and_then(&held) {
            return Some(found);
        }
        let newest = self.index.bounds().ok().flatten().map_or(0, |bounds| bounds.tip.get());
        let first = newest.max(self.tip.get().saturating_sub(UNINDEXED)) + 1;
        (first..=self.tip.get()).rev().filter_map(Height::new).find_map(held)
    }

    pub(super) fn address(text: &str) -> Option<Address> {
        text.parse().ok()
    }
}
