use std::borrow::Cow;

use crate::{
    domain::{Address, BlockHash, Coin, Height, MsgType, Timestamp, TxHash},
    events::TxEvent,
};

/// Block with its results, as an indexer reads it from a node (`docs/apis/indexer.md` §10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommittedBlock {
    pub height: Height,
    pub hash: BlockHash,
    /// Hash of the previous block from its header; `None` for the first block, and if the source omits it.
    pub previous_hash: Option<BlockHash>,
    /// To the nanosecond.
    pub time: Timestamp,
    pub proposer: BlockProposer,
    /// Global number of its first transaction: 1 for the chain's first, increasing in block order. `None` if the source
    /// does not know it, as a node; the index then assigns numbers.
    pub first_sequence: Option<u64>,
    /// In order.
    pub txs: Vec<CommittedTx>,
    /// Events outside of transactions, in the node's order.
    pub events: Vec<BlockEvent>,
}

/// Event of a block outside of its transactions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockEvent {
    pub phase: BlockPhase,
    /// Includes the attribute `mode` that names the phase.
    pub event: TxEvent,
}

/// Phases of a block, in order. Transactions come between the last two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockPhase {
    /// Before the block's start: events without a phase from the node.
    PreBlock,
    Begin,
    End,
}

/// Proposer as known to the node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockProposer {
    /// Empty if the node no longer knows the validator.
    pub moniker: String,
    /// `initvaloper1…`.
    pub operator_address: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommittedTx {
    /// SHA-256 of the raw transaction.
    pub hash: TxHash,
    /// 0 is success.
    pub code: u32,
    /// Namespace of `code`.
    pub codespace: Cow<'static, str>,
    pub data: Vec<u8>,
    pub raw_log: String,
    /// Further information from the application; usually empty.
    pub info: String,
    pub gas_wanted: u64,
    pub gas_used: u64,
    pub fee: Vec<Coin>,
    /// Raw transaction, if it differs from the encoding of `body`.
    pub raw: Option<Box<[u8]>>,
    /// `{"body":…,"auth_info":…,"signatures":[…]}` as the node's REST serves it, without `@type` at this level.
    pub body: String,
    /// In order.
    pub message_types: Vec<MsgType>,
    /// First signer; `None` for a missing or unknown key.
    pub signer: Option<Address>,
    /// In order.
    pub events: Vec<TxEvent>,
}
