//! A block in Ethereum's form: receipts and call frames.

use alloy_primitives::{Bloom, U256};

/// Receipts of a block in order, as in `eth_getBlockReceipts`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvmReceipts {
    /// Hash of the block's EVM header, which differs from the block's own.
    pub block_hash: [u8; 32],
    /// Global number of its first record: 1 for the chain's first; `None` as in
    /// [`super::CommittedBlock::first_sequence`].
    pub first_sequence: Option<u64>,
    /// One per transaction signed by an Ethereum wallet, and one per other transaction that succeeded with logs.
    pub receipts: Vec<EvmReceipt>,
}

/// Receipt with all figures as in the node, whose numbering may start at 0 or 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvmReceipt {
    /// Keccak-256 of the Ethereum transaction: the signed one, or the mirror of a Cosmos one.
    pub hash: [u8; 32],
    /// Ethereum type: 2 if signed by a wallet, 0 for the mirror of a Cosmos transaction.
    pub kind: u8,
    /// Index in the block: from 1 on observed nodes.
    pub index: u64,
    pub is_success: bool,
    /// Signer; the zero address for the mirror of a Cosmos transaction.
    pub from: [u8; 20],
    pub to: Option<[u8; 20]>,
    pub created: Option<[u8; 20]>,
    pub gas_used: u64,
    /// Gas used in the block up to and including this transaction.
    pub cumulative_gas: u64,
    /// Per unit of gas, in the fee token's smallest unit.
    pub gas_price: u128,
    /// Logs of the transaction's `evm` events, in order.
    pub logs: Vec<ReceiptLog>,
    /// Bloom filter from the node, if it differs from the computed one.
    pub other_bloom: Option<Box<Bloom>>,
}

/// Log of a receipt, not decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptLog {
    pub address: [u8; 20],
    /// Up to four words.
    pub topics: Vec<[u8; 32]>,
    /// Data that is not indexed.
    pub data: Vec<u8>,
    /// Index among the logs of its transaction on observed nodes.
    pub index: u64,
}

/// Call frames of a block from `debug_traceBlockByNumber` with the call tracer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvmTraces {
    /// Global number of its first record: 1 for the chain's first; `None` as in
    /// [`super::CommittedBlock::first_sequence`].
    pub first_sequence: Option<u64>,
    /// In the receipts' order; transactions without frames are skipped.
    pub traces: Vec<EvmTrace>,
}

/// Trace of one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvmTrace {
    /// Index of its receipt in the block.
    pub receipt: u64,
    /// Depth first, outermost call first.
    pub frames: Vec<EvmFrame>,
}

/// Call within a transaction: an internal transaction in the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvmFrame {
    /// Index of the calling frame; `None` for the outermost call.
    pub parent: Option<u32>,
    pub kind: FrameKind,
    pub from: [u8; 20],
    /// Callee or created contract; `None` if a creation failed.
    pub to: Option<[u8; 20]>,
    /// Call data, or the code of a deployment.
    pub input: Vec<u8>,
    /// Return data or revert reason. The indexer stores none for the outermost call.
    pub output: Vec<u8>,
    /// Value sent; `None` for kinds without a value.
    pub value: Option<U256>,
    pub gas: u64,
    pub gas_used: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    Call,
    /// `STATICCALL`: read-only.
    StaticCall,
    /// `DELEGATECALL`: runs another contract's code in the caller's context.
    DelegateCall,
    /// `CALLCODE`: like `DELEGATECALL`, with the contract as the caller.
    CallCode,
    Create,
    /// `CREATE2`: address independent of the nonce.
    Create2,
    /// `SELFDESTRUCT`: sends the contract's balance to the callee.
    SelfDestruct,
}

impl FrameKind {
    /// All kinds, in the order of the index's numbers.
    pub const ALL: [Self; 7] = [
        Self::Call,
        Self::StaticCall,
        Self::DelegateCall,
        Self::Create,
        Self::CallCode,
        Self::Create2,
        Self::SelfDestruct,
    ];

    /// Returns the tracers' name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Call => "CALL",
            Self::StaticCall => "STATICCALL",
            Self::DelegateCall => "DELEGATECALL",
            Self::CallCode => "CALLCODE",
            Self::Create => "CREATE",
            Self::Create2 => "CREATE2",
            Self::SelfDestruct => "SELFDESTRUCT",
        }
    }

    /// Returns the kind of a name; `None` for an unknown one.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}
