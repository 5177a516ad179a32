//! JSON-RPC of `MiniEVM`, as in Ethereum.

use crate::domain::text::Foreign;
use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{BlockHeader, RpcError, lenient};
use crate::{
    domain::{BlockHash, EvmTxHash, Height},
    wire::{evm::HexText, tx::RawJson},
};

#[derive(Clone, Debug, Serialize)]
pub struct JsonRpcCall {
    /// Always `2.0`.
    pub jsonrpc: &'static str,
    pub id: u64,
    /// Method, such as `eth_call`.
    pub method: &'static str,
    pub params: Vec<Value>,
}

impl JsonRpcCall {
    pub fn new(id: u64, method: &'static str, params: Vec<Value>) -> Self {
        Self { jsonrpc: "2.0", id, method, params }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct JsonRpcAnswer {
    /// Id of the call; null if the server could not parse the call.
    #[serde(default)]
    pub id: Option<RawJson>,
    /// Result; null if the record does not exist.
    #[serde(default)]
    pub result: Option<RawJson>,
    #[serde(default)]
    pub error: Option<RpcError>,
}

impl JsonRpcAnswer {
    /// Returns the id of the call as a number; `None` if the id is missing or not a number.
    pub fn number(&self) -> Option<u64> {
        self.id.as_ref()?.get().trim_matches('"').parse().ok()
    }

    /// Whether the error means that the node lacks the method.
    pub fn is_method_missing(&self) -> bool {
        self.error.as_ref().is_some_and(|error| {
            // A node without the method's module sends this message instead of the code.
            error.code == -32601 || error.message.as_received().contains("does not exist/is not available")
        })
    }
}

/// Returns the responses of a batch in the order of its calls; `None` for a missing response. A node may answer in any
/// order, or refuse the batch with one error, which then applies to all calls.
pub fn read_batch(body: &str, calls: &[JsonRpcCall]) -> Result<Vec<Option<JsonRpcAnswer>>, serde_json::Error> {
    let answers: Vec<JsonRpcAnswer> = if body.trim_start().starts_with('[') {
        serde_json::from_str(body)?
    } else {
        let whole: JsonRpcAnswer = serde_json::from_str(body)?;
        return Ok(calls.iter().map(|_| Some(whole.clone())).collect());
    };
    Ok(calls.iter().map(|call| answers.iter().find(|answer| answer.number() == Some(call.id)).cloned()).collect())
}

/// Header of a block from `eth_getBlockByNumber`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EvmBlockHead {
    pub hash: String,
    /// Hash of the previous block's header; empty if the node omits it.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub parent_hash: String,
    pub number: HexText,
    /// Unix time in seconds.
    pub timestamp: HexText,
    /// Hashes of the block's EVM transactions; each has a receipt.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub transactions: Vec<Value>,
}

impl EvmBlockHead {
    /// Returns the hash; `None` if it is invalid.
    pub fn block_hash(&self) -> Option<BlockHash> {
        self.hash.strip_prefix("0x")?.parse().ok()
    }

    /// Returns the parent's hash; `None` if it is missing or invalid.
    pub fn parent(&self) -> Option<BlockHash> {
        self.parent_hash.strip_prefix("0x")?.parse().ok()
    }

    /// Whether this header has the time, in seconds, of the RPC's block.
    pub fn is_of_time(&self, header: &BlockHeader) -> bool {
        let seconds = header.time.as_nanos().div_euclid(1_000_000_000);
        self.timestamp.small().is_some_and(|own| i128::from(own) == seconds)
    }
}

/// Block from `eth_getBlockByNumber` with its transactions.
#[derive(Clone, Debug, Deserialize)]
pub struct EvmFullBlock {
    /// Unix time in seconds.
    pub timestamp: HexText,
    /// Transactions; null if the block is empty.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub transactions: Vec<EvmSentTx>,
}

/// Transaction from `eth_getTransactionByHash`, reduced to its block.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EvmTxPlace {
    /// Height; null while the transaction is pending.
    #[serde(default)]
    block_number: Option<HexText>,
}

impl EvmTxPlace {
    pub fn height(&self) -> Option<Height> {
        Height::new(self.block_number.as_ref()?.small()?)
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct EvmSentTx {
    pub hash: EvmTxHash,
    pub from: String,
    /// Called account; null for a deployment.
    #[serde(default)]
    pub to: Option<String>,
    pub value: HexText,
    pub input: HexText,
}

/// Receipt from `eth_getTransactionReceipt`, reduced to its success.
#[derive(Clone, Debug, Deserialize)]
pub struct EvmReceiptStatus {
    /// Status; `0x1` means success.
    pub status: HexText,
}

/// Receipt from `eth_getBlockReceipts`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EvmReceiptAnswer {
    pub block_hash: String,
    pub block_number: HexText,
    /// Deployed contract; null without a deployment.
    #[serde(default)]
    pub contract_address: Option<String>,
    pub cumulative_gas_used: HexText,
    /// Price per unit of gas; empty if the node does not say it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub effective_gas_price: HexText,
    pub from: String,
    pub gas_used: HexText,
    /// Logs in order; null without logs.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub logs: Vec<ReceiptLogAnswer>,
    /// Bloom filter of 256 bytes, in hex; empty if the node does not send it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub logs_bloom: HexText,
    /// Status; `0x1` means success. Empty if the node does not say it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub status: HexText,
    /// Called account; null for a deployment and for the mirror of a Cosmos transaction.
    #[serde(default)]
    pub to: Option<String>,
    pub transaction_hash: String,
    pub transaction_index: HexText,
    /// Transaction type, such as `0x2`; empty for the first type, which older nodes do not name.
    #[serde(default, rename = "type", deserialize_with = "lenient::or_default")]
    pub kind: HexText,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptLogAnswer {
    pub address: String,
    /// Up to four 32-byte words; null without topics.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub topics: Vec<HexText>,
    #[serde(default)]
    pub data: HexText,
    /// Empty if the node does not say it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub log_index: HexText,
}

/// Trace of one transaction from `debug_traceBlockByNumber`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockTrace {
    #[serde(default)]
    pub tx_hash: Option<String>,
    /// Outermost call as raw JSON: a recursive parser could overflow on its nesting.
    #[serde(default)]
    pub result: Option<RawJson>,
    #[serde(default, deserialize_with = "lenient::foreign_only")]
    pub error: Foreign,
}

/// Call of a trace; its inner calls stay unparsed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallFrame<'a> {
    /// Kind of call, such as `CALL`.
    #[serde(rename = "type", borrow)]
    pub kind: Cow<'a, str>,
    /// Caller; empty if the tracer names only the type, as some do for `SELFDESTRUCT`.
    #[serde(borrow, default)]
    pub from: Cow<'a, str>,
    /// Callee; missing if a contract creation failed.
    #[serde(borrow, default)]
    pub to: Option<Cow<'a, str>>,
    /// Value in hex; missing for kinds of calls that carry no value.
    #[serde(default)]
    pub value: Option<HexText>,
    #[serde(default)]
    pub gas: HexText,
    #[serde(default)]
    pub gas_used: HexText,
    #[serde(default)]
    pub input: HexText,
    #[serde(default)]
    pub output: HexText,
    /// Error of a failed call, such as `execution reverted`.
    #[serde(default, deserialize_with = "lenient::foreign_only")]
    pub error: Foreign,
    /// Inner calls, in execution order.
    #[serde(borrow, default)]
    pub calls: Option<Vec<&'a RawValue>>,
}
