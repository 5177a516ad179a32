//! RPC of `CometBFT`.

use serde::{Deserialize, Serialize};

use super::lenient;
use crate::domain::{BlockHash, Height, Timestamp};

/// RPC response: either a result or an error.
#[derive(Clone, Debug, Deserialize)]
pub struct RpcAnswer<T> {
    #[serde(default = "Option::default")]
    pub result: Option<T>,
    #[serde(default)]
    pub error: Option<RpcError>,
}

/// RPC error. Sent with HTTP 500; some gateways change it to 200.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RpcError {
    /// JSON-RPC error code.
    #[serde(default, deserialize_with = "lenient::number")]
    pub code: i64,
    /// Error name: `Internal error`.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub message: String,
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub data: String,
}

/// Meaning of an RPC error, parsed from its message, since the RPC has no other distinction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RpcRefusal {
    /// The height is above the newest block, which has the given height.
    AboveTip(Height),
    /// The block exists, but its results are not available yet or any more.
    NoResults,
    /// The height is below the oldest stored block, which has the given height.
    Pruned(Height),
    /// No requested height exists: the range is empty after clamping.
    NoHeights {
        /// Requested height, or the oldest block.
        lowest: Height,
        /// Requested height, or the newest block.
        highest: Height,
    },
    /// Other error, with its message.
    Other(String),
}

impl RpcError {
    pub fn refusal(&self) -> RpcRefusal {
        let text = if self.data.is_empty() { &self.message } else { &self.data };
        let height_after = |words: &str| {
            let (_, rest) = text.split_once(words)?;
            let digits = rest.trim_start().bytes().take_while(u8::is_ascii_digit).count();
            Height::new(rest.trim_start().get(..digits)?.parse().ok()?)
        };
        if let Some(tip) = height_after("current blockchain height") {
            return RpcRefusal::AboveTip(tip);
        }
        if let Some(lowest) = height_after("lowest height is") {
            return RpcRefusal::Pruned(lowest);
        }
        if text.contains("can't be greater than max height")
            && let (Some(lowest), Some(highest)) = (height_after("min height"), height_after("max height"))
        {
            return RpcRefusal::NoHeights { lowest, highest };
        }
        if text.contains("could not find results for height") {
            return RpcRefusal::NoResults;
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
    /// The version of `CometBFT`.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub version: String,
    /// Name given by its operator.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub moniker: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeSyncInfo {
    /// Newest block; 0 before the first.
    #[serde(default, deserialize_with = "lenient::number")]
    pub latest_block_height: u64,
    #[serde(default)]
    pub latest_block_time: Option<Timestamp>,
    /// Oldest stored block.
    #[serde(default, deserialize_with = "lenient::number")]
    pub earliest_block_height: u64,
    /// Whether the node is still syncing.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub catching_up: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockId {
    /// Upper-case hex; empty for the block before the first.
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
    /// Time, to the nanosecond.
    pub time: Timestamp,
    /// Id of the previous block.
    #[serde(default)]
    pub last_block_id: BlockId,
    /// The proposer's consensus address, upper-case hex.
    #[serde(default)]
    pub proposer_address: String,
}

/// `/blockchain`: up to twenty headers, newest first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BlockchainAnswer {
    /// Newest block.
    #[serde(default, deserialize_with = "lenient::number")]
    pub last_height: u64,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub block_metas: Vec<BlockMeta>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockMeta {
    pub block_id: BlockId,
    pub header: BlockHeader,
    #[serde(default, deserialize_with = "lenient::number")]
    pub num_txs: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RpcBlockAnswer {
    pub block_id: BlockId,
    pub block: RpcBlock,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RpcBlock {
    pub header: BlockHeader,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub data: RpcBlockData,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RpcBlockData {
    /// Raw transactions in order, in base64.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub txs: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BlockResultsAnswer {
    pub height: Height,
    /// Results of the transactions in order; null if empty.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub txs_results: Vec<NodeTxResult>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub finalize_block_events: Vec<NodeEvent>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NodeTxResult {
    /// 0 is success.
    #[serde(default, deserialize_with = "lenient::number")]
    pub code: u32,
    /// Result data in base64; null if empty.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub data: String,
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub log: String,
    /// Further information from the application.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub info: String,
    /// Signed on the node: values over 63 bits are negative.
    #[serde(default, deserialize_with = "lenient::number")]
    pub gas_wanted: i64,
    #[serde(default, deserialize_with = "lenient::number")]
    pub gas_used: i64,
    /// In order.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub events: Vec<NodeEvent>,
    /// Namespace of `code`.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub codespace: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeEvent {
    /// `transfer`, `evm`, …
    #[serde(rename = "type")]
    pub kind: String,
    /// In order.
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

/// Response of the application to a query.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AbciAnswer {
    /// 0 is success.
    #[serde(default, deserialize_with = "lenient::number")]
    pub code: u32,
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub log: String,
    /// Protobuf in base64; null if empty.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub value: String,
    /// Height of the state; 0 if the node omits it.
    #[serde(default, deserialize_with = "lenient::number")]
    pub height: u64,
    /// Namespace of `code`.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub codespace: String,
}
