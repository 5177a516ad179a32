//! The RPC of `CometBFT`.

use serde::{Deserialize, Serialize};

use super::lenient;
use crate::domain::{BlockHash, Height, Timestamp};

/// An answer of the RPC: one of the two is there.
#[derive(Clone, Debug, Deserialize)]
pub struct RpcAnswer<T> {
    /// What was asked for.
    #[serde(default = "Option::default")]
    pub result: Option<T>,
    /// Why not.
    #[serde(default)]
    pub error: Option<RpcError>,
}

/// Why the RPC does not answer. It comes with HTTP 500; some gateways make it a 200.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RpcError {
    /// JSON-RPC's number of the error.
    #[serde(default, deserialize_with = "lenient::number")]
    pub code: i64,
    /// Its name: `Internal error`.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub message: String,
    /// The sentence.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub data: String,
}

/// What an error of the RPC means, read from its sentence: the RPC has no other words for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RpcRefusal {
    /// The height is above the newest block, which is this one.
    AboveTip(Height),
    /// The block is there, its results are not yet, or no longer.
    NoResults,
    /// The height is below the oldest block that is kept, which is this one.
    Pruned(Height),
    /// None of the heights that were asked for is there: what the node cut them to ends before it begins.
    NoHeights {
        /// The height that was asked for, or the oldest block.
        lowest: Height,
        /// The height that was asked for, or the newest block.
        highest: Height,
    },
    /// Anything else, in its words.
    Other(String),
}

impl RpcError {
    /// What it means.
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

/// `/status`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NodeStatusAnswer {
    /// Who the node is.
    pub node_info: RpcNodeInfo,
    /// How far it is.
    pub sync_info: NodeSyncInfo,
}

/// Who a node is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RpcNodeInfo {
    /// The chain's id.
    pub network: String,
    /// The version of `CometBFT`.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub version: String,
    /// How its operator calls it.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub moniker: String,
}

/// How far a node is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeSyncInfo {
    /// The newest block; 0 before the first.
    #[serde(default, deserialize_with = "lenient::number")]
    pub latest_block_height: u64,
    /// Its time.
    #[serde(default)]
    pub latest_block_time: Option<Timestamp>,
    /// The oldest block that is kept.
    #[serde(default, deserialize_with = "lenient::number")]
    pub earliest_block_height: u64,
    /// Whether the node is still behind its chain.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub catching_up: bool,
}

/// A block's hash, and what else says which it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockId {
    /// Upper-case hex; empty for the block before the first.
    #[serde(default)]
    pub hash: String,
}

impl BlockId {
    /// The hash; `None` where there is none, or what is there is none.
    pub fn block_hash(&self) -> Option<BlockHash> {
        self.hash.parse().ok()
    }
}

/// The header of a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockHeader {
    /// The chain's id.
    pub chain_id: String,
    /// Height.
    pub height: Height,
    /// Time, to the nanosecond.
    pub time: Timestamp,
    /// The block before.
    #[serde(default)]
    pub last_block_id: BlockId,
    /// The proposer's consensus address, upper-case hex.
    #[serde(default)]
    pub proposer_address: String,
}

/// `/blockchain`: up to twenty headers, the newest first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BlockchainAnswer {
    /// The newest block.
    #[serde(default, deserialize_with = "lenient::number")]
    pub last_height: u64,
    /// The headers.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub block_metas: Vec<BlockMeta>,
}

/// A header with its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockMeta {
    /// The block's hash.
    pub block_id: BlockId,
    /// Its header.
    pub header: BlockHeader,
    /// How many transactions it has.
    #[serde(default, deserialize_with = "lenient::number")]
    pub num_txs: u64,
}

/// `/block`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RpcBlockAnswer {
    /// The block's hash.
    pub block_id: BlockId,
    /// The block.
    pub block: RpcBlock,
}

/// A block as the RPC has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RpcBlock {
    /// Its header.
    pub header: BlockHeader,
    /// Its transactions.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub data: RpcBlockData,
}

/// The transactions of a block.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RpcBlockData {
    /// The raw transactions in order, in base64.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub txs: Vec<String>,
}

/// `/block_results`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BlockResultsAnswer {
    /// Height.
    pub height: Height,
    /// The results of the transactions in order; null where there are none.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub txs_results: Vec<NodeTxResult>,
    /// What happened outside of transactions.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub finalize_block_events: Vec<NodeEvent>,
}

/// The result of a transaction.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NodeTxResult {
    /// 0 is success.
    #[serde(default, deserialize_with = "lenient::number")]
    pub code: u32,
    /// Result data in base64; null where there is none.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub data: String,
    /// The reason of a failure.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub log: String,
    /// What else the application says.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub info: String,
    /// Gas asked for. The node keeps it signed, so that more than fits in 63 bits is below zero here.
    #[serde(default, deserialize_with = "lenient::number")]
    pub gas_wanted: i64,
    /// Gas used.
    #[serde(default, deserialize_with = "lenient::number")]
    pub gas_used: i64,
    /// What happened, in order.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub events: Vec<NodeEvent>,
    /// Who defined `code`.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub codespace: String,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeEvent {
    /// `transfer`, `evm`, …
    #[serde(rename = "type")]
    pub kind: String,
    /// What it says, in order.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub attributes: Vec<NodeAttribute>,
}

/// One thing that an event says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeAttribute {
    /// Its name.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub key: String,
    /// Its value.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub value: String,
    /// Whether the node's search finds it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub index: bool,
}

/// `/abci_query`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AbciQueryAnswer {
    /// The application's answer.
    pub response: AbciAnswer,
}

/// What the application answers to a query.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AbciAnswer {
    /// 0 is success.
    #[serde(default, deserialize_with = "lenient::number")]
    pub code: u32,
    /// Why not.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub log: String,
    /// The answer's protobuf in base64; null where it is empty.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub value: String,
    /// As of which height; 0 where the node does not say.
    #[serde(default, deserialize_with = "lenient::number")]
    pub height: u64,
    /// Who defined `code`.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub codespace: String,
}
