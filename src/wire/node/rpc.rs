//! Responses of `CometBFT`'s RPC.

use serde::{Deserialize, Serialize};

use super::lenient;
use crate::domain::{BlockHash, Height, Timestamp, text::Foreign};

/// RPC response: either a result or an error.
#[derive(Clone, Debug, Deserialize)]
pub struct RpcAnswer<T> {
    #[serde(default = "Option::default")]
    pub result: Option<T>,
    #[serde(default)]
    pub error: Option<RpcError>,
}

/// RPC error, sent with HTTP 500; some gateways change the status to 200.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RpcError {
    /// JSON-RPC error code.
    #[serde(default, deserialize_with = "lenient::number")]
    pub code: i64,
    /// Name of the error, such as `Internal error`.
    #[serde(default, deserialize_with = "lenient::foreign_only")]
    pub message: Foreign,
    #[serde(default, deserialize_with = "lenient::foreign_only")]
    pub data: Foreign,
}

/// Meaning of an RPC error, parsed from its message: all errors have one code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RpcRefusal {
    /// The height is above the newest block, which has this height.
    AboveTip(Height),
    /// The node has the block, but its results are not available yet or were pruned.
    NoResults,
    /// The node keeps no results but those of its newest block.
    DiscardsResults,
    /// The index of transactions lacks the hash.
    UnknownTx,
    /// The height is below the oldest stored block, which has this height.
    Pruned(Height),
    /// The node has no block of the requested range; the bounds are clamped to the node's blocks.
    NoHeights {
        /// Requested height, or the height of the oldest block.
        lowest: Height,
        /// Requested height, or the height of the newest block.
        highest: Height,
    },
    /// Other error, with its message.
    Other(Foreign),
}

impl RpcError {
    pub fn refusal(&self) -> RpcRefusal {
        let text = if self.data.is_empty() { &self.message } else { &self.data };
        let height_after = |words: &str| {
            let (_, rest) = text.as_received().split_once(words)?;
            let digits = rest.trim_start().bytes().take_while(u8::is_ascii_digit).count();
            Height::new(rest.trim_start().get(..digits)?.parse().ok()?)
        };
        if let Some(tip) = height_after("current blockchain height") {
            return RpcRefusal::AboveTip(tip);
        }
        if let Some(lowest) = height_after("lowest height is") {
            return RpcRefusal::Pruned(lowest);
        }
        if text.as_received().contains("can't be greater than max height")
            && let (Some(lowest), Some(highest)) = (height_after("min height"), height_after("max height"))
        {
            return RpcRefusal::NoHeights { lowest, highest };
        }
        // The same with "finalize block responses" and "abci responses".
        if text.as_received().contains("node is not persisting") {
            return RpcRefusal::DiscardsResults;
        }
        if text.as_received().contains("could not find results for height") {
            return RpcRefusal::NoResults;
        }
        if text.as_received().starts_with("tx (") && text.as_received().ends_with(") not found") {
            return RpcRefusal::UnknownTx;
        }
        RpcRefusal::Other(text.clone())
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NodeStatusAnswer {
    pub node_info: RpcNodeInfo,
    pub sync_info: NodeSyncInfo,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RpcNodeInfo {
    pub network: String,
    /// Version of `CometBFT`.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub version: String,
    /// Name that the operator gave the node.
    #[serde(default, deserialize_with = "lenient::foreign_only")]
    pub moniker: Foreign,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeSyncInfo {
    /// Height of the newest block; 0 before the first block.
    #[serde(default, deserialize_with = "lenient::number")]
    pub latest_block_height: u64,
    /// Hash of the newest block in hex; empty if the node omits it.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub latest_block_hash: String,
    #[serde(default)]
    pub latest_block_time: Option<Timestamp>,
    /// Height of the oldest stored block.
    #[serde(default, deserialize_with = "lenient::number")]
    pub earliest_block_height: u64,
    /// Whether the node is still syncing.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub catching_up: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockId {
    /// Upper-case hex; empty for the parent of the first block.
    #[serde(default)]
    pub hash: String,
}

impl BlockId {
    /// Parses the hash; `None` if missing or invalid.
    pub fn block_hash(&self) -> Option<BlockHash> {
        self.hash.parse().ok()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockHeader {
    pub chain_id: String,
    pub height: Height,
    /// Block time with nanoseconds.
    pub time: Timestamp,
    #[serde(default)]
    pub last_block_id: BlockId,
    /// Consensus address of the proposer, upper-case hex.
    #[serde(default)]
    pub proposer_address: String,
    /// Merkle root over the transactions, in hex; empty if the node omits it.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub data_hash: String,
    /// Merkle root over the results of the previous block, in hex; empty for the first block.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub last_results_hash: String,
}

/// Response of `/blockchain`: up to twenty headers, newest first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BlockchainAnswer {
    /// Height of the newest block.
    #[serde(default, deserialize_with = "lenient::number")]
    pub last_height: u64,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub block_metas: Vec<BlockMeta>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockMeta {
    pub block_id: BlockId,
    /// Bytes of the encoded block; not positive if unknown.
    #[serde(default, deserialize_with = "lenient::number")]
    pub block_size: i64,
    pub header: BlockHeader,
    #[serde(default, deserialize_with = "lenient::number")]
    pub num_txs: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RpcBlockAnswer {
    pub block_id: BlockId,
    pub block: RpcBlock,
}

impl RpcBlockAnswer {
    /// Returns the block's header as in a list of headers.
    pub fn into_meta(self) -> BlockMeta {
        let num_txs = self.block.data.txs.len() as u64;
        BlockMeta { block_id: self.block_id, block_size: 0, header: self.block.header, num_txs }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RpcBlock {
    pub header: BlockHeader,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub data: RpcBlockData,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RpcBlockData {
    /// Raw transactions in block order, in base64.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub txs: Vec<String>,
}

/// Response of `/tx`, reduced to the height.
#[derive(Clone, Debug, Deserialize)]
pub struct RpcTxPlace {
    pub height: Height,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BlockResultsAnswer {
    pub height: Height,
    /// Results in the order of the transactions; null for an empty block.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub txs_results: Vec<NodeTxResult>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub finalize_block_events: Vec<NodeEvent>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NodeTxResult {
    /// Result code; 0 means success.
    #[serde(default, deserialize_with = "lenient::number")]
    pub code: u32,
    /// Result data in base64; null if empty.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub data: String,
    #[serde(default, deserialize_with = "lenient::foreign_only")]
    pub log: Foreign,
    /// Further information from the application.
    #[serde(default, deserialize_with = "lenient::foreign_only")]
    pub info: Foreign,
    /// Signed integer on the node: values over 63 bits are negative.
    #[serde(default, deserialize_with = "lenient::number")]
    pub gas_wanted: i64,
    #[serde(default, deserialize_with = "lenient::number")]
    pub gas_used: i64,
    /// Events in execution order.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub events: Vec<NodeEvent>,
    /// Namespace of `code`.
    #[serde(default, deserialize_with = "lenient::foreign_only")]
    pub codespace: Foreign,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeEvent {
    /// Event type, such as `transfer` or `evm`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Attributes in the order of emission.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub attributes: Vec<NodeAttribute>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeAttribute {
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub key: String,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub value: String,
    /// Whether the node's search indexes the attribute.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub index: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AbciQueryAnswer {
    pub response: AbciAnswer,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AbciAnswer {
    /// Result code; 0 means success.
    #[serde(default, deserialize_with = "lenient::number")]
    pub code: u32,
    #[serde(default, deserialize_with = "lenient::foreign_only")]
    pub log: Foreign,
    /// Protobuf response in base64; null if empty.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub value: String,
    /// Height of the queried state; 0 if the node omits it.
    #[serde(default, deserialize_with = "lenient::number")]
    pub height: u64,
    /// Namespace of `code`.
    #[serde(default, deserialize_with = "lenient::foreign_only")]
    pub codespace: Foreign,
}
