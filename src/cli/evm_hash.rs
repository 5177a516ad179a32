//! Search for a Cosmos transaction by its EVM hash. Uses the proof of the transaction's page.

use std::sync::Arc;

use super::{CommandError, indexer::Indexer};
use crate::{
    client::endpoints,
    domain::{EvmTxHash, Height, TxHash},
    msg::{EvmTxScope, ListPage, Order, PageRequest, PageStart, TxQuery, TxScope},
    story::{self, ReceiptProof},
    wire::{ApiError, EvmTx, Tx, Verbatim},
};

/// Maximum transactions of a block to compare.
const PEERS: u16 = 500;

/// Finds the transaction with an EVM hash; `absent` is the server's response when it received this hash as a Cosmos
/// hash.
pub(super) async fn find(indexer: &Indexer, hash: TxHash, absent: ApiError) -> Result<Verbatim<Tx>, CommandError> {
    let subject = format!("transaction {hash}");
    let of_evm = EvmTxHash::new(*hash.bytes());
    let Ok(receipt) = indexer.client.one(endpoints::evm_tx(of_evm)).await else {
        return Err(CommandError::about(&subject, absent));
    };
    let unproven = |why: &str| {
        CommandError::NotFound(format!("{of_evm} is an EVM hash, and {why}; rollscope evm-txs shows its receipt"))
    };
    let Some(height) = receipt.height() else { return Err(unproven("its receipt names no block")) };
    let (receipts, txs) = block(indexer, height).await.map_err(|error| CommandError::about(&subject, error))?;
    // In a part of a block, the order of records proves nothing, but a hash does.
    let is_part = receipts.next.is_some() || txs.next.is_some();
    let values: Vec<Arc<Tx>> = txs.items.iter().map(|tx| Arc::new(tx.value.clone())).collect();
    let pairs = story::pair(&values, &receipts.items);
    let mut proven = receipts.items.iter().zip(pairs).filter(|(receipt, _)| receipt.transaction_hash == of_evm);
    let is_proof = |proof| !is_part || proof == ReceiptProof::Hash;
    let place = proven.find_map(|(_, pair)| pair.filter(|(_, proof)| is_proof(*proof)).map(|(place, _)| place));
    let Some(tx) = place.and_then(|place| txs.items.get(place)) else {
        if is_part {
            return Err(unproven("its block has too many transactions to compare"));
        }
        return Err(unproven("no transaction of its block is proven to match the receipt"));
    };
    eprintln!("note: {of_evm} is the EVM hash of {}", tx.value.txhash);
    Ok(tx.as_ref().clone())
}

type BlockRecords = (ListPage<Arc<EvmTx>>, ListPage<Arc<Verbatim<Tx>>>);

/// Requests all receipts and transactions of a block, in block order.
async fn block(indexer: &Indexer, height: Height) -> Result<BlockRecords, ApiError> {
    let page = PageRequest { cursor: PageStart::Start, limit: PEERS, order: Order::Ascending, count_total: false };
    let receipts = indexer.client.list(&EvmTxScope::Height(height), &page).await?.all_read()?;
    let query = TxQuery { scope: TxScope::Height(height), msgs: Vec::new() };
    let txs = indexer.client.list_verbatim(&query, &page).await?.all_read()?;
    Ok((receipts, txs))
}
