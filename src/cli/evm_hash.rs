//! Search for a transaction or receipt by the hash of the other. Uses the proof of the transaction's page.

use std::sync::Arc;

use super::{CommandError, indexer::Indexer, single};
use crate::{
    client::endpoints,
    domain::{EvmTxHash, Height, TxHash},
    msg::{EvmTxScope, ListPage, Order, PageRequest, PageStart, TxQuery, TxScope},
    story::{self, ReceiptProof},
    wire::{ApiError, EvmTx, Tx, Verbatim},
};

/// Maximum transactions of a block to compare.
const PEERS: u16 = 500;

/// Finds the transaction whose EVM hash was given as a Cosmos hash; `None` if no receipt has the hash.
pub(super) async fn find(indexer: &Indexer, hash: TxHash) -> Result<Option<Verbatim<Tx>>, CommandError> {
    let subject = format!("transaction {hash}");
    let of_evm = EvmTxHash::new(*hash.bytes());
    let Ok(receipt) = indexer.client.one(endpoints::evm_tx(of_evm)).await else { return Ok(None) };
    let unproven = |why: &str| {
        CommandError::NotFound(format!("{of_evm} is an EVM hash, and {why}; rollscope evm-txs shows its receipt"))
    };
    let Some(height) = receipt.height() else { return Err(unproven("its receipt names no block")) };
    let block = BlockRecords::read(indexer, height).await.map_err(|error| CommandError::about(&subject, error))?;
    let Some((_, tx)) = block.proven().find(|(receipt, _)| receipt.transaction_hash == of_evm) else {
        return Err(unproven(block.lack()));
    };
    eprintln!("note: {of_evm} is the EVM hash of {}", tx.value.txhash);
    Ok(Some(tx.clone()))
}

/// Finds the receipt whose transaction's Cosmos hash was given as an EVM hash; `None` if no transaction has the hash.
pub(super) async fn find_receipt(indexer: &Indexer, hash: EvmTxHash) -> Result<Option<Verbatim<EvmTx>>, CommandError> {
    let subject = format!("receipt {hash}");
    let of_cosmos = TxHash::new(*hash.bytes());
    let Ok(tx) = indexer.client.one(endpoints::tx(of_cosmos)).await else { return Ok(None) };
    let block = BlockRecords::read(indexer, tx.height).await.map_err(|error| CommandError::about(&subject, error))?;
    let Some(of_evm) = block.receipt_of(of_cosmos) else {
        let why = block.lack();
        let sentence = format!("{of_cosmos} is a Cosmos hash, and {why}; rollscope txs shows the transaction");
        return Err(CommandError::NotFound(sentence));
    };
    eprintln!("note: {of_cosmos} is the Cosmos hash of {of_evm}");
    single::receipt(indexer, of_evm, &subject).await.map(Some)
}

/// Returns the EVM hash of a transaction; `None` if the block's receipts prove none, or if there are none.
pub(super) async fn of(indexer: &Indexer, tx: &Tx) -> Option<EvmTxHash> {
    BlockRecords::read(indexer, tx.height).await.ok()?.receipt_of(tx.txhash)
}

/// Receipts and transactions of a block, in block order.
struct BlockRecords {
    receipts: ListPage<Arc<EvmTx>>,
    txs: ListPage<Arc<Verbatim<Tx>>>,
    /// Index of each receipt's transaction, with the proof.
    pairs: Vec<Option<(usize, ReceiptProof)>>,
}

impl BlockRecords {
    async fn read(indexer: &Indexer, height: Height) -> Result<Self, ApiError> {
        let page = PageRequest { cursor: PageStart::Start, limit: PEERS, order: Order::Ascending, count_total: false };
        let receipts = indexer.client.list(&EvmTxScope::Height(height), &page).await?.all_read()?;
        let query = TxQuery { scope: TxScope::Height(height), msgs: Vec::new() };
        let txs = indexer.client.list_verbatim(&query, &page).await?.all_read()?;
        let values: Vec<Arc<Tx>> = txs.items.iter().map(|tx| Arc::new(tx.value.clone())).collect();
        let pairs = story::pair(&values, &receipts.items);
        Ok(Self { receipts, txs, pairs })
    }

    fn is_part(&self) -> bool {
        self.receipts.next.is_some() || self.txs.next.is_some()
    }

    /// Returns the receipts that are proven to match a transaction. In a part of a block, the order of records proves
    /// nothing, but a hash does.
    fn proven(&self) -> impl Iterator<Item = (&EvmTx, &Verbatim<Tx>)> {
        let is_proof = |proof| !self.is_part() || proof == ReceiptProof::Hash;
        let pairs = self.receipts.items.iter().zip(&self.pairs);
        pairs.filter_map(move |(receipt, pair)| {
            let (place, _) = pair.filter(|(_, proof)| is_proof(*proof))?;
            Some((&**receipt, &**self.txs.items.get(place)?))
        })
    }

    fn receipt_of(&self, hash: TxHash) -> Option<EvmTxHash> {
        self.proven().find(|(_, tx)| tx.value.txhash == hash).map(|(receipt, _)| receipt.transaction_hash)
    }

    /// Says why a record has no proven match.
    fn lack(&self) -> &'static str {
        if self.is_part() {
            "its block has too many transactions to compare"
        } else {
            "no record of its block is proven to match"
        }
    }
}
