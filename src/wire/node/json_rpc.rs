//! The JSON-RPC of `MiniEVM`: Ethereum's own.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{RpcError, lenient};
use crate::{
    domain::EvmTxHash,
    wire::{evm::HexText, tx::RawJson},
};

/// One call.
#[derive(Clone, Debug, Serialize)]
pub struct JsonRpcCall {
    /// Always `2.0`.
    pub jsonrpc: &'static str,
    /// Which answer belongs to it.
    pub id: u64,
    /// `eth_call` and the like.
    pub method: &'static str,
    /// What it is asked with.
    pub params: Vec<Value>,
}

impl JsonRpcCall {
    /// A call with this number.
    pub fn new(id: u64, method: &'static str, params: Vec<Value>) -> Self {
        Self { jsonrpc: "2.0", id, method, params }
    }
}

/// One answer.
#[derive(Clone, Debug, Deserialize)]
pub struct JsonRpcAnswer {
    /// Of which call; null where the call could not be read.
    #[serde(default)]
    pub id: Option<RawJson>,
    /// What was asked for; null where it is not there.
    #[serde(default)]
    pub result: Option<RawJson>,
    /// Why not.
    #[serde(default)]
    pub error: Option<RpcError>,
}

impl JsonRpcAnswer {
    /// The number of the call.
    pub fn number(&self) -> Option<u64> {
        self.id.as_ref()?.get().trim_matches('"').parse().ok()
    }

    /// Whether it says that the node has no such method.
    pub fn is_method_missing(&self) -> bool {
        self.error.as_ref().is_some_and(|error| {
            // Nodes without the module of a method say so in words of their own.
            error.code == -32601 || error.message.contains("does not exist/is not available")
        })
    }
}

/// The answers of a batch in the order of its calls; `None` where one is missing. A node may answer a batch in any
/// order, or refuse it with one error, which then stands for all.
pub fn read_batch(body: &str, calls: &[JsonRpcCall]) -> Result<Vec<Option<JsonRpcAnswer>>, serde_json::Error> {
    let answers: Vec<JsonRpcAnswer> = if body.trim_start().starts_with('[') {
        serde_json::from_str(body)?
    } else {
        let whole: JsonRpcAnswer = serde_json::from_str(body)?;
        return Ok(calls.iter().map(|_| Some(whole.clone())).collect());
    };
    Ok(calls.iter().map(|call| answers.iter().find(|answer| answer.number() == Some(call.id)).cloned()).collect())
}

/// The head of a block of `eth_getBlockByNumber`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvmBlockHead {
    /// Its hash: another one than the Cosmos block's.
    pub hash: String,
    /// Its height.
    pub number: HexText,
    /// Its time in seconds.
    pub timestamp: HexText,
    /// The hashes of its transactions, each of which has a receipt.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub transactions: Vec<Value>,
}

/// A block of `eth_getBlockByNumber` with what its transactions say.
#[derive(Clone, Debug, Deserialize)]
pub struct EvmFullBlock {
    /// Its time in seconds.
    pub timestamp: HexText,
    /// Its transactions; null where there are none.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub transactions: Vec<EvmSentTx>,
}

/// A transaction as its sender signed it.
#[derive(Clone, Debug, Deserialize)]
pub struct EvmSentTx {
    /// The EVM's hash.
    pub hash: EvmTxHash,
    /// Who signed.
    pub from: String,
    /// Who is called; null for a deployment.
    #[serde(default)]
    pub to: Option<String>,
    /// Paid along, hex.
    pub value: HexText,
    /// Call data, hex.
    pub input: HexText,
}

/// A receipt of `eth_getTransactionReceipt`, as far as it tells whether the transaction did what it was to do.
#[derive(Clone, Debug, Deserialize)]
pub struct EvmReceiptStatus {
    /// `0x1` is success.
    pub status: HexText,
}

/// A receipt of `eth_getBlockReceipts`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EvmReceiptAnswer {
    /// The hash of the block's EVM header.
    pub block_hash: String,
    /// Hex.
    pub block_number: HexText,
    /// What was deployed; null else.
    #[serde(default)]
    pub contract_address: Option<String>,
    /// Hex.
    pub cumulative_gas_used: HexText,
    /// Hex.
    pub effective_gas_price: HexText,
    /// Who signed.
    pub from: String,
    /// Hex.
    pub gas_used: HexText,
    /// In order; null where there are none.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub logs: Vec<ReceiptLogAnswer>,
    /// 256 bytes, hex.
    pub logs_bloom: HexText,
    /// `0x1` is success.
    pub status: HexText,
    /// Who was called; null for a deployment and for what stands for a Cosmos transaction.
    #[serde(default)]
    pub to: Option<String>,
    /// The EVM's hash.
    pub transaction_hash: String,
    /// Its place in the block.
    pub transaction_index: HexText,
    /// `0x2` and the like.
    #[serde(rename = "type")]
    pub kind: HexText,
}

/// A log of a receipt.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptLogAnswer {
    /// The contract.
    pub address: String,
    /// Up to four words; null where there are none.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub topics: Vec<HexText>,
    /// Hex.
    #[serde(default)]
    pub data: HexText,
    /// Its place.
    pub log_index: HexText,
}

/// The trace of one transaction of `debug_traceBlockByNumber`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockTrace {
    /// Of which transaction.
    #[serde(default)]
    pub tx_hash: Option<String>,
    /// The outer call; it may be nested deeper than a parser that calls itself can follow.
    #[serde(default)]
    pub result: Option<RawJson>,
    /// Why it could not be traced.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub error: String,
}

/// One call of a trace; those that it makes are still to be read.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallFrame<'a> {
    /// `CALL` and the like.
    #[serde(rename = "type", borrow)]
    pub kind: Cow<'a, str>,
    /// The caller.
    #[serde(borrow)]
    pub from: Cow<'a, str>,
    /// Whom it calls; absent where a creation failed.
    #[serde(borrow, default)]
    pub to: Option<Cow<'a, str>>,
    /// Paid along; absent where that cannot be.
    #[serde(default)]
    pub value: Option<HexText>,
    /// Gas given.
    #[serde(default)]
    pub gas: HexText,
    /// Gas used.
    #[serde(default)]
    pub gas_used: HexText,
    /// Call data.
    #[serde(default)]
    pub input: HexText,
    /// What it returned.
    #[serde(default)]
    pub output: HexText,
    /// The calls that it makes, in order.
    #[serde(borrow, default)]
    pub calls: Option<Vec<&'a RawValue>>,
}
