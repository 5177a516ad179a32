use crate::domain::text::Foreign;
use serde::{Deserialize, Serialize};

use super::scalar::number;
use crate::domain::Height;

/// Response of `GET /status` (`docs/apis/indexer.md` §4). Heights are JSON numbers here.
///
/// The real server omits optional heights that are 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Version of the indexer software; `dev` if the build set no version.
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub commit_hash: String,
    pub chain_id: String,
    /// Newest indexed block.
    #[serde(with = "number")]
    pub height: Height,
    /// Newest block with indexed call frames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub internal_tx_height: Option<u64>,
    /// Newest block that the rich list includes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rich_list_height: Option<u64>,
    /// Height that the real server's cleanup of EVM return values has reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evm_ret_cleanup_height: Option<u64>,
    /// Remaining work, down to 0, while the real server rewrites the links of accounts and transactions; -1 before the
    /// start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tx_account_cleanup_sequence: Option<i64>,
    /// Number of links deleted so far; -1 before the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tx_account_cleanup_deleted: Option<i64>,
    /// Number of links inserted so far; -1 before the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tx_account_cleanup_inserted: Option<i64>,
    /// Lowest block from which on every block is indexed; missing once it is the chain's first. The real server, which
    /// indexes upwards, lacks the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_height: Option<u64>,
    /// Whether the indexer will index no older blocks; set together with [`Status::oldest_height`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_complete: Option<bool>,
    /// Blocks that the indexer lacks between others, since its node had pruned them. The real server lacks the field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<BlockGap>,
    /// Whether the server lists the transactions of an IBC packet. The real server lacks the field and the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_packets: Option<bool>,
    /// Whether the server lists the tokens of contracts. The real server lacks the field and the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_token_contracts: Option<bool>,
    /// What keeps the index from being written for now, such as a full disk. The real server lacks the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store_trouble: Option<Foreign>,
    /// State of the node that the index follows; missing without a node. The real server lacks the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeStatus>,
}

/// State of a node, and the number of blocks that the index lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeStatus {
    /// Node in use, by its number, since its URL may hold a key; missing unless the index has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Height of the newest block; missing until the node answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u64>,
    /// Whether the node is syncing.
    #[serde(default)]
    pub is_catching_up: bool,
    /// Older blocks still to be indexed.
    #[serde(default)]
    pub missing_blocks: u64,
    /// Current speed of the backfill; missing if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks_per_minute: Option<u64>,
    /// Current problem of the node, as a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<Foreign>,
    /// Sentences about stored blocks that the chain reverted, or that belong to another chain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Foreign>,
    /// Number of parts of stored blocks that could not be decoded.
    #[serde(default)]
    pub undecoded: u64,
    /// The newest of these parts, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undecoded_parts: Vec<UndecodedPart>,
    /// Number of parts of stored blocks that the node refused, or that contradict the chain, above the floors.
    #[serde(default)]
    pub left_out: u64,
    /// The newest of these parts, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out_parts: Vec<UndecodedPart>,
    /// Heights below which the node refuses a part of every block.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub floors: Vec<PartFloor>,
}

/// Lowest block of which the node sends a part; it refuses the part of all blocks below.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartFloor {
    pub part: BlockPart,
    #[serde(with = "number")]
    pub height: Height,
    /// Refusal in the node's words.
    pub cause: Foreign,
}

/// Blocks that an index lacks between others: `from` to `to`, both missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockGap {
    #[serde(with = "number")]
    pub from: Height,
    #[serde(with = "number")]
    pub to: Height,
}

/// Part of a block that the index lacks: the node sent it in a form that could not be decoded, or refused it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UndecodedPart {
    #[serde(with = "number")]
    pub height: Height,
    pub part: BlockPart,
    /// Place of a transaction in its block, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    pub cause: Foreign,
    #[serde(default, skip_serializing_if = "LackReason::is_form")]
    pub reason: LackReason,
}

/// Reason why the index lacks a part of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum LackReason {
    /// The node sent the part in a form that could not be decoded.
    #[default]
    Undecoded,
    /// The node refused the part, or had none of it.
    Refused,
    /// The node refused the part of a recent block, and is still asked for it.
    Waiting,
    /// The node's data contradict the chain's headers.
    Contradicts,
    /// Bytes that the proposer put into the block; they are no transaction.
    Injected,
}

impl LackReason {
    /// Whether the part came, but could not be decoded.
    pub fn is_form(&self) -> bool {
        *self == Self::Undecoded
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum BlockPart {
    /// Proposer.
    Header,
    /// Body of a transaction, of which the index has bytes, hash, result and events.
    Tx,
    /// All transactions and results.
    Results,
    Receipts,
    CallFrames,
}

impl BlockPart {
    /// Returns the name of the part in a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Header => "the proposer",
            Self::Tx => "a transaction",
            Self::Results => "the results",
            Self::Receipts => "the receipts",
            Self::CallFrames => "the call frames",
        }
    }

    /// Whether the part is in the block itself, not in its receipts or call frames.
    pub fn is_of_txs(self) -> bool {
        !matches!(self, Self::Receipts | Self::CallFrames)
    }
}
