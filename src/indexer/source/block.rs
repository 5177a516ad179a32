use std::borrow::Cow;

use alloy_primitives::hex;

use crate::{
    domain::{Address, BlockHash, Coin, Height, MsgType, Timestamp, TxHash},
    events::TxEvent,
    wire::Proposer,
};

/// Block with its results, as an indexer reads it from a node (`docs/apis/indexer.md` §10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommittedBlock {
    pub height: Height,
    pub hash: BlockHash,
    /// Hash of the previous block, from the header; `None` for the first block, or if the source omits it.
    pub previous_hash: Option<BlockHash>,
    /// Block time with nanoseconds.
    pub time: Timestamp,
    pub proposer: BlockProposer,
    /// Global sequence number of the block's first transaction: 1 for the chain's first transaction, increasing in
    /// block order. `None` for a source without sequence numbers, such as a node; the index then assigns numbers.
    pub first_sequence: Option<u64>,
    /// Transactions in block order.
    pub txs: Vec<CommittedTx>,
    /// Transactions of the block that the source cannot return; they keep their sequence numbers. Then `txs` is empty.
    pub missing_txs: u64,
    /// Events outside of transactions, in the node's order.
    pub events: Vec<BlockEvent>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockEvent {
    pub phase: BlockPhase,
    /// Event with the attribute `mode`, which names the phase.
    pub event: TxEvent,
}

/// Phase of a block. Transactions come between the last two phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockPhase {
    /// Before the block's start: events to which the node gives no phase.
    PreBlock,
    Begin,
    End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockProposer {
    /// Consensus address from the header; `None` if malformed.
    pub consensus_address: Option<Address>,
    /// Validator with this consensus key; `None` if the queried validator set lacks the key.
    pub validator: Option<ProposingValidator>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposingValidator {
    /// Name that the validator chose.
    pub moniker: String,
    /// Bech32 address, `initvaloper1…`.
    pub operator_address: String,
    /// Height of the queried validator set; `None` if the node omits it. Nodes prune older sets.
    pub height: Option<Height>,
}

impl BlockProposer {
    pub fn record(self) -> Proposer {
        let (moniker, operator_address, validator_height) = self
            .validator
            .map(|validator| (validator.moniker, validator.operator_address, validator.height))
            .unwrap_or_default();
        Proposer {
            moniker: moniker.into(),
            identity: String::new(),
            operator_address,
            consensus_address: self.consensus_address.map(|address| hex::encode_upper(address.bytes())),
            validator_height: validator_height.map(Height::get),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommittedTx {
    /// SHA-256 of the raw transaction.
    pub hash: TxHash,
    /// Result code; 0 means success.
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
    /// Raw transaction; `None` if it equals the encoding of `body`.
    pub raw: Option<Box<[u8]>>,
    /// JSON `{"body":…,"auth_info":…,"signatures":[…]}` from the node's REST, without `@type` at this level.
    pub body: String,
    /// Types of the messages, in order.
    pub message_types: Vec<MsgType>,
    /// Account of the first signer; `None` for a missing or unknown key.
    pub signer: Option<Address>,
    /// Events in execution order.
    pub events: Vec<TxEvent>,
}
