use std::borrow::Cow;

use crate::domain::{Address, BlockHash, Coin, Height, MsgType, Timestamp, TxHash};

/// A block with its results, as an indexer reads it from a node (`docs/apis/indexer.md` §10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommittedBlock {
    /// Height.
    pub height: Height,
    /// Block hash.
    pub hash: BlockHash,
    /// The hash of the block before it, as its own header has it; `None` in a chain's first block, and where the source
    /// does not say.
    pub previous_hash: Option<BlockHash>,
    /// Block time, to the nanosecond.
    pub time: Timestamp,
    /// Who proposed it.
    pub proposer: BlockProposer,
    /// The global number of its first transaction: 1 for the chain's first, growing by 1 in block order. `None` where
    /// the source cannot know it, as a node cannot; the index then numbers by itself.
    pub first_sequence: Option<u64>,
    /// Its transactions in order.
    pub txs: Vec<CommittedTx>,
    /// What happened outside of transactions, in the order in which the node gives it.
    pub events: Vec<BlockEvent>,
}

/// An event of a block outside of its transactions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockEvent {
    /// When it happened.
    pub phase: BlockPhase,
    /// What happened; the attribute `mode` that names the phase is among its attributes.
    pub event: TxEvent,
}

/// When something happens in a block, in the order of the block. Transactions come between the two last ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockPhase {
    /// Before the block's beginning: what the node gives no phase for.
    PreBlock,
    /// At the block's beginning.
    Begin,
    /// After the transactions.
    End,
}

/// A proposer as the node knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockProposer {
    /// Name; empty where the node no longer knows the validator.
    pub moniker: String,
    /// `initvaloper1…`.
    pub operator_address: String,
}

/// A transaction with its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommittedTx {
    /// SHA-256 of the raw transaction.
    pub hash: TxHash,
    /// 0 is success.
    pub code: u32,
    /// Who defined `code`.
    pub codespace: Cow<'static, str>,
    /// Result data.
    pub data: Vec<u8>,
    /// The reason of a failure.
    pub raw_log: String,
    /// What else the application says; empty as a rule.
    pub info: String,
    /// Gas asked for.
    pub gas_wanted: u64,
    /// Gas used.
    pub gas_used: u64,
    /// Declared fee.
    pub fee: Vec<Coin>,
    /// The raw transaction, where it is not what `body` would be written as.
    pub raw: Option<Box<[u8]>>,
    /// `{"body":…,"auth_info":…,"signatures":[…]}` as the node's REST serves it, without `@type` at this level.
    pub body: String,
    /// Types of the body's messages, in order.
    pub message_types: Vec<MsgType>,
    /// The first signer; `None` where the transaction does not carry the key, or one of a kind that is not known.
    pub signer: Option<Address>,
    /// The transaction's events in order.
    pub events: Vec<TxEvent>,
}

/// An event of a transaction. Attributes are ordered and keys may repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TxEvent {
    /// `transfer`, `evm`, …
    pub kind: Cow<'static, str>,
    /// What it says, in order.
    pub attributes: Vec<EventAttribute>,
}

impl TxEvent {
    /// An event whose attributes are all indexed, as nodes have them by default.
    pub fn new<K: Into<Cow<'static, str>>>(
        kind: impl Into<Cow<'static, str>>,
        attributes: impl IntoIterator<Item = (K, String)>,
    ) -> Self {
        let attribute = |(key, value): (K, String)| EventAttribute { key: key.into(), value, is_indexed: true };
        Self { kind: kind.into(), attributes: attributes.into_iter().map(attribute).collect() }
    }

    /// The first value under this key.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.pairs().find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// Every value under this key, in order.
    pub fn values<'a>(&'a self, key: &str) -> impl Iterator<Item = &'a str> {
        self.pairs().filter(move |(name, _)| *name == key).map(|(_, value)| value)
    }

    /// Every key with its value, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().map(|attribute| (&*attribute.key, attribute.value.as_str()))
    }
}

/// One thing that an event says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventAttribute {
    /// Its name.
    pub key: Cow<'static, str>,
    /// Its value.
    pub value: String,
    /// Whether the node's own search finds it: `index` on the wire.
    pub is_indexed: bool,
}
