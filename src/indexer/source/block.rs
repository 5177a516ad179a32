use crate::{
    domain::{Address, BlockHash, Coin, Height, MsgType, Timestamp, TxHash},
    wire::proto::{ProtoError, encode_tx},
};

/// A block with its results, as an indexer reads it from a node (`docs/apis/indexer.md` §10).
#[derive(Clone, Debug)]
pub struct CommittedBlock {
    /// Height.
    pub height: Height,
    /// Block hash.
    pub hash: BlockHash,
    /// Block time, to the nanosecond.
    pub time: Timestamp,
    /// Who proposed it.
    pub proposer: BlockProposer,
    /// The global number of its first transaction: 1 for the chain's first, growing by 1 in block order.
    pub first_sequence: u64,
    /// Its transactions in order.
    pub txs: Vec<CommittedTx>,
}

/// A proposer as the node knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockProposer {
    /// Name.
    pub moniker: String,
    /// `initvaloper1…`.
    pub operator_address: String,
}

/// A transaction with its result.
#[derive(Clone, Debug)]
pub struct CommittedTx {
    /// SHA-256 of the raw transaction.
    pub hash: TxHash,
    /// 0 is success.
    pub code: u32,
    /// Who defined `code`.
    pub codespace: &'static str,
    /// Result data.
    pub data: Vec<u8>,
    /// The reason of a failure.
    pub raw_log: String,
    /// Gas asked for.
    pub gas_wanted: u64,
    /// Gas used.
    pub gas_used: u64,
    /// Declared fee.
    pub fee: Vec<Coin>,
    /// `{"body":…,"auth_info":…,"signatures":[…]}` as the node's REST serves it, without `@type` at this level.
    pub body: String,
    /// Types of the body's messages, in order.
    pub message_types: Vec<MsgType>,
    /// The first signer.
    pub signer: Address,
    /// The transaction's events in order.
    pub events: Vec<TxEvent>,
}

impl CommittedTx {
    /// The raw transaction, as `/block` of a node has it: its hash is the SHA-256 of these bytes.
    pub fn raw(&self) -> Result<Vec<u8>, ProtoError> {
        encode_tx(&self.body)
    }
}

/// An event of a transaction. Attributes are ordered and keys may repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TxEvent {
    /// `transfer`, `evm`, …
    pub kind: &'static str,
    /// Key and value, in order; every one is written with `"index": true`.
    pub attributes: Vec<(&'static str, String)>,
}
