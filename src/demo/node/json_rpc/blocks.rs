//! Blocks, transactions and receipts in Ethereum's format.
//!
//! Bloom filters are real. State roots are simulated and prove nothing.

use alloy_primitives::{Bloom, BloomInput, hex, keccak256};
use serde_json::{Value, json};

use super::{EthAnswer, EthParams, payload::signed, quantity};
use crate::{
    demo::{
        chain::EthereumTx,
        ledger::{CommittedBlock, EvmReceipt, EvmReceipts, ReceiptLog},
        node::{json_rpc::state, view::NodeView},
    },
    domain::Height,
};

/// Root of an empty Merkle trie.
const EMPTY_ROOT: &str = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
/// Hash of an empty list of uncles.
const NO_UNCLES: &str = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";
/// Chain ID in a transaction that mirrors a Cosmos transaction.
const MIRRORED_CHAIN_ID: u64 = 0x7fff_ffff_ffff_ffee;

/// Block as the node presents it to Ethereum clients.
pub(super) struct EthBlock {
    pub(super) block: CommittedBlock,
    pub(super) receipts: EvmReceipts,
}

impl EthBlock {
    /// Returns the block at this height; `None` if it is above the tip or pruned.
    pub(super) fn at(view: &NodeView<'_>, height: Option<Height>) -> Option<Self> {
        let (block, receipts) = view.receipts(height?)?;
        Some(Self { block, receipts })
    }

    /// Searches the newest blocks for a hash.
    pub(super) fn with_hash(view: &NodeView<'_>, hash: [u8; 32]) -> Option<Self> {
        let heights = (view.oldest().get()..=view.tip.get()).rev().filter_map(Height::new);
        heights.filter_map(|height| Self::at(view, Some(height))).find(|block| block.receipts.block_hash == hash)
    }

    fn hash(&self) -> String {
        hex::encode_prefixed(self.receipts.block_hash)
    }

    fn number(&self) -> Value {
        quantity(u128::from(self.block.height.get()))
    }

    fn logs(&self) -> impl Iterator<Item = &ReceiptLog> {
        self.receipts.receipts.iter().flat_map(|receipt| &receipt.logs)
    }

    /// Writes the receipts, as in `eth_getBlockReceipts`.
    pub(super) fn written_receipts(&self) -> Vec<Value> {
        self.receipts.receipts.iter().map(|receipt| self.receipt(receipt)).collect()
    }

    fn receipt(&self, receipt: &EvmReceipt) -> Value {
        let logs: Vec<Value> = receipt.logs.iter().map(|log| self.log(receipt, log)).collect();
        json!({
            "blockHash": self.hash(),
            "blockNumber": self.number(),
            "contractAddress": receipt.created.map(hex::encode_prefixed),
            "cumulativeGasUsed": quantity(u128::from(receipt.cumulative_gas)),
            "effectiveGasPrice": quantity(receipt.gas_price),
            "from": hex::encode_prefixed(receipt.from),
            "gasUsed": quantity(u128::from(receipt.gas_used)),
            "logs": logs,
            "logsBloom": bloom(receipt.logs.iter()),
            "status": quantity(u128::from(receipt.is_success)),
            "to": receipt.to.map(hex::encode_prefixed),
            "transactionHash": hex::encode_prefixed(receipt.hash),
            "transactionIndex": quantity(u128::from(receipt.index)),
            "type": quantity(u128::from(receipt.kind)),
        })
    }

    fn log(&self, receipt: &EvmReceipt, log: &ReceiptLog) -> Value {
        json!({
            "address": hex::encode_prefixed(log.address),
            "topics": log.topics.iter().map(hex::encode_prefixed).collect::<Vec<_>>(),
            "data": hex::encode_prefixed(&log.data),
            "blockNumber": self.number(),
            "transactionHash": hex::encode_prefixed(receipt.hash),
            "transactionIndex": quantity(u128::from(receipt.index)),
            "blockHash": self.hash(),
            "logIndex": quantity(u128::from(log.index)),
            "removed": false,
        })
    }

    /// Returns the transactions in receipt order.
    fn transactions(&self, view: &NodeView<'_>) -> Vec<Value> {
        let asked = view.state.ethereum_txs(&self.block).unwrap_or_default();
        self.receipts.receipts.iter().zip(asked).map(|(receipt, tx)| self.transaction(receipt, &tx)).collect()
    }

    fn transaction(&self, receipt: &EvmReceipt, tx: &EthereumTx) -> Value {
        let mut written = match &tx.signed {
            Some(payload) => signed(payload),
            None => json!({
                "chainId": quantity(u128::from(MIRRORED_CHAIN_ID)),
                "nonce": "0x0",
                "gas": "0x0",
                "gasPrice": "0x0",
                "maxFeePerGas": "0x0",
                "maxPriorityFeePerGas": "0x0",
                "value": "0x0",
                "input": hex::encode_prefixed(tx.cosmos.bytes()),
                "v": "0x0",
                "r": "0x0",
                "s": "0x0",
            }),
        };
        let Some(fields) = written.as_object_mut() else { return written };
        let placed = [
            ("blockHash", Value::from(self.hash())),
            ("blockNumber", self.number()),
            ("from", hex::encode_prefixed(receipt.from).into()),
            ("hash", hex::encode_prefixed(receipt.hash).into()),
            ("to", receipt.to.map(hex::encode_prefixed).into()),
            ("transactionIndex", quantity(u128::from(receipt.index))),
            ("type", quantity(u128::from(receipt.kind))),
        ];
        fields.extend(placed.map(|(name, value)| (name.to_owned(), value)));
        written
    }

    fn written(&self, view: &NodeView<'_>, is_full: bool) -> Value {
        let previous = self.block.height.previous().and_then(|height| view.chain.block(height));
        let parent = previous.and_then(|block| view.chain.receipts(&block)).map_or([0; 32], |found| found.block_hash);
        let receipts = &self.receipts.receipts;
        let hashes: Vec<String> = receipts.iter().map(|receipt| hex::encode_prefixed(receipt.hash)).collect();
        let gas: u64 = receipts.iter().map(|receipt| receipt.gas_used).sum();
        let root = |label: &str| match receipts[..] {
            [] => EMPTY_ROOT.to_owned(),
            _ => hex::encode_prefixed(keccak256(format!("{label} {hashes:?}"))),
        };
        json!({
            "baseFeePerGas": quantity(state::gas_price(view)),
            "difficulty": "0x0",
            "extraData": "0x",
            "gasLimit": "0xffffffffffffffff",
            "gasUsed": quantity(u128::from(gas)),
            "hash": self.hash(),
            "logsBloom": bloom(self.logs()),
            "miner": hex::encode_prefixed([0; 20]),
            "mixHash": hex::encode_prefixed([0; 32]),
            "nonce": "0x0000000000000000",
            "number": self.number(),
            "parentHash": hex::encode_prefixed(parent),
            "receiptsRoot": root("receipts"),
            "sha3Uncles": NO_UNCLES,
            "size": "0x0",
            "stateRoot": EMPTY_ROOT,
            "timestamp": quantity(u128::try_from(self.block.time.as_seconds()).unwrap_or(0)),
            "transactions": if is_full { Value::from(self.transactions(view)) } else { Value::from(hashes.clone()) },
            "transactionsRoot": root("transactions"),
            "uncles": [],
            "withdrawals": [],
            "withdrawalsRoot": EMPTY_ROOT,
        })
    }
}

/// Computes the bloom filter over the contracts and topics of logs.
fn bloom<'a>(logs: impl Iterator<Item = &'a ReceiptLog>) -> String {
    let mut bloom = Bloom::ZERO;
    for log in logs {
        bloom.accrue(BloomInput::Raw(&log.address));
        log.topics.iter().for_each(|topic| bloom.accrue(BloomInput::Raw(topic)));
    }
    hex::encode_prefixed(bloom)
}

pub(super) fn block_by_number(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    let block = EthBlock::at(view, params.height(view, 0)?);
    Ok(block.map_or(Value::Null, |block| block.written(view, params.is_set(1))))
}

pub(super) fn block_by_hash(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    let block = EthBlock::with_hash(view, params.hash(0)?);
    Ok(block.map_or(Value::Null, |block| block.written(view, params.is_set(1))))
}

pub(super) fn block_receipts(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    let block = EthBlock::at(view, params.height(view, 0)?);
    Ok(block.map_or_else(|| json!([]), |block| block.written_receipts().into()))
}

fn found(view: &NodeView<'_>, params: &EthParams<'_>) -> Result<Option<(EthBlock, usize)>, super::EthRefusal> {
    let found = view.find_ethereum_tx(&params.hash(0)?);
    Ok(found.map(|(block, receipts, place)| (EthBlock { block, receipts }, place)))
}

pub(super) fn transaction(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    let found = found(view, params)?;
    Ok(found.and_then(|(block, place)| block.transactions(view).into_iter().nth(place)).unwrap_or_default())
}

pub(super) fn receipt(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    let found = found(view, params)?;
    Ok(found.and_then(|(block, place)| block.written_receipts().into_iter().nth(place)).unwrap_or_default())
}
