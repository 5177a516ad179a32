//! Ethereum side of a block: receipts and call frames.

use alloy_primitives::{Bloom, U256};

use crate::domain::BlockHash;

/// Receipts of a block in order, as in `eth_getBlockReceipts`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvmReceipts {
    /// Hash of the block's EVM header, which differs from the block's own.
    pub block_hash: [u8; 32],
    /// Global sequence number of the first receipt: 1 for the chain's first; `None` as in
    /// [`super::CommittedBlock::first_sequence`].
    pub first_sequence: Option<u64>,
    /// Receipts: one per transaction that an Ethereum wallet signed, and one per other transaction that succeeded with
    /// logs.
    pub receipts: Vec<EvmReceipt>,
}

impl EvmReceipts {
    /// Returns the hash of the EVM header that the receipts name; `None` without receipts.
    pub fn head_hash(&self) -> Option<BlockHash> {
        (!self.receipts.is_empty()).then(|| BlockHash::new(self.block_hash))
    }
}

/// Receipt with all values as on the node, whose indices may start at 0 or 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvmReceipt {
    /// Keccak-256 of the signed Ethereum transaction, or of the mirror of a Cosmos transaction.
    pub hash: [u8; 32],
    /// Ethereum transaction type: 2 if a wallet signed, 0 for the mirror of a Cosmos transaction.
    pub kind: u8,
    /// Index in the block; observed nodes start at 1.
    pub index: u64,
    pub is_success: bool,
    /// Signer; the zero address for the mirror of a Cosmos transaction.
    pub from: [u8; 20],
    pub to: Option<[u8; 20]>,
    pub created: Option<[u8; 20]>,
    pub gas_used: u64,
    /// Gas used in the block up to and including this transaction.
    pub cumulative_gas: u64,
    /// Price per unit of gas, in the fee token's smallest unit; [`Self::UNKNOWN_PRICE`] if the node does not say it.
    pub gas_price: u128,
    /// Logs from the transaction's `evm` events, in order.
    pub logs: Vec<ReceiptLog>,
    /// Bloom filter of the node; `None` if it equals the computed filter.
    pub other_bloom: Option<Box<Bloom>>,
}

impl EvmReceipt {
    pub const UNKNOWN_PRICE: u128 = u128::MAX;
}

/// Log of a receipt, before decoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptLog {
    pub address: [u8; 20],
    /// Up to four 32-byte words.
    pub topics: Vec<[u8; 32]>,
    /// Data of the log that is not in topics.
    pub data: Vec<u8>,
    /// Index of the log; observed nodes count within the transaction.
    pub index: u64,
}

/// Call frames of a block from `debug_traceBlockByNumber` with the call tracer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvmTraces {
    /// Global sequence number of the first frame: 1 for the chain's first; `None` as in
    /// [`super::CommittedBlock::first_sequence`].
    pub first_sequence: Option<u64>,
    /// Traces in the order of the receipts; transactions without frames have no trace.
    pub traces: Vec<EvmTrace>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvmTrace {
    /// Index of the transaction's receipt in the block.
    pub receipt: u64,
    /// Frames, depth first, starting with the outermost call.
    pub frames: Vec<EvmFrame>,
}

/// Call within a transaction; the API calls it an internal transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvmFrame {
    /// Index of the calling frame; `None` for the outermost call.
    pub parent: Option<u32>,
    pub kind: FrameKind,
    pub from: [u8; 20],
    /// Callee or created contract; `None` if the creation failed.
    pub to: Option<[u8; 20]>,
    /// Call data; for a deployment, the code.
    pub input: Vec<u8>,
    /// Return data or revert reason.
    pub output: Vec<u8>,
    /// Error of a failed call in the tracer's words, such as `execution reverted`.
    pub error: Option<String>,
    /// Value sent, in the fee token's smallest unit; `None` for kinds of calls without a value.
    pub value: Option<U256>,
    pub gas: u64,
    pub gas_used: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    Call,
    /// `STATICCALL`: read-only call.
    StaticCall,
    /// `DELEGATECALL`: runs another contract's code in the caller's context.
    DelegateCall,
    /// `CALLCODE`: like `DELEGATECALL`, but with the contract as the caller.
    CallCode,
    Create,
    /// `CREATE2`: creation at an address that does not depend on the nonce.
    Create2,
    /// `SELFDESTRUCT`: sends the contract's balance to the callee.
    SelfDestruct,
}

impl FrameKind {
    /// All kinds, in the order of the numbers that the index stores.
    pub const ALL: [Self; 7] = [
        Self::Call,
        Self::StaticCall,
        Self::DelegateCall,
        Self::Create,
        Self::CallCode,
        Self::Create2,
        Self::SelfDestruct,
    ];

    /// Returns the name that tracers use.
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

    /// Returns the kind with this name; `None` for an unknown name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}
