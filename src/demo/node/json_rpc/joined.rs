//! Mapping between Cosmos and Ethereum hashes.

use alloy_primitives::hex;
use serde_json::Value;

use super::{EthAnswer, EthParams, EthRefusal};
use crate::{
    demo::node::view::NodeView,
    domain::{Height, TxHash},
};

/// Returns the Cosmos and the Ethereum hash of each transaction that has both, in receipt order.
fn pairs(view: &NodeView<'_>, height: Height) -> Vec<(TxHash, [u8; 32])> {
    let Some((block, receipts)) = view.receipts(height) else { return Vec::new() };
    let txs = view.state.ethereum_txs(&block).unwrap_or_default();
    txs.iter().zip(&receipts.receipts).map(|(tx, receipt)| (tx.cosmos, receipt.hash)).collect()
}

/// Returns the Cosmos hash of an Ethereum transaction, in hex without a prefix like the node; null if the transaction
/// is unknown.
pub(super) fn cosmos_hash(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    let hash = params.hash(0)?;
    let pairs = view.find_ethereum_tx(&hash).map(|(block, ..)| pairs(view, block.height)).unwrap_or_default();
    let found = pairs.iter().find(|(_, ethereum)| *ethereum == hash);
    Ok(found.map_or_else(String::new, |(cosmos, _)| hex::encode(cosmos.bytes())).into())
}

pub(super) fn ethereum_hash(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    let wrong = |_| EthRefusal::params("invalid argument: not a hash");
    let cosmos: TxHash = params.text(0)?.trim_start_matches("0x").parse().map_err(wrong)?;
    let pairs = view.find_tx(&cosmos).map(|(block, _)| pairs(view, block.height)).unwrap_or_default();
    let found = pairs.iter().find(|(one, _)| *one == cosmos);
    Ok(found.map_or(Value::Null, |(_, ethereum)| hex::encode_prefixed(ethereum).into()))
}
