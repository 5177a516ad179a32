//! What an EVM rollup's node says of a block in Ethereum's own words: receipts and call frames.

use alloy_primitives::{Bloom, U256};

/// The receipts of a block, in order, as `eth_getBlockReceipts` gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvmReceipts {
    /// The hash of the block's EVM header; another one than the block's own.
    pub block_hash: [u8; 32],
    /// The global number of its first receipt: 1 for the chain's first, growing by 1; `None` as in
    /// [`super::CommittedBlock::first_sequence`].
    pub first_sequence: Option<u64>,
    /// One for every transaction that an Ethereum wallet signed, and one for every other that succeeded and left logs.
    pub receipts: Vec<EvmReceipt>,
}

/// A receipt, with every figure as the node has it: where nodes begin to count is their own matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvmReceipt {
    /// Keccak of the Ethereum transaction: the signed one, or the one that stands for a Cosmos transaction.
    pub hash: [u8; 32],
    /// Its kind in Ethereum: 2 when a wallet signed it, 0 when it stands for a Cosmos transaction.
    pub kind: u8,
    /// Its place in the block: from 1 on the nodes that were seen.
    pub index: u64,
    /// Whether it did what it was asked for.
    pub is_success: bool,
    /// Who signed; the zero address for one that stands for a Cosmos transaction.
    pub from: [u8; 20],
    /// Who was called.
    pub to: Option<[u8; 20]>,
    /// What was deployed.
    pub created: Option<[u8; 20]>,
    /// Gas used.
    pub gas_used: u64,
    /// Gas used in the block up to and with this one.
    pub cumulative_gas: u64,
    /// Per unit of gas, in the fee token's smallest unit.
    pub gas_price: u128,
    /// The logs of the transaction's `evm` events, in order.
    pub logs: Vec<ReceiptLog>,
    /// The node's filter over the logs, where it is not the one that follows from them.
    pub other_bloom: Option<Box<Bloom>>,
}

/// A log of a receipt, its words not yet decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptLog {
    /// The contract.
    pub address: [u8; 20],
    /// Up to four words.
    pub topics: Vec<[u8; 32]>,
    /// What is not indexed.
    pub data: Vec<u8>,
    /// Its place: among the logs of its transaction on the nodes that were seen.
    pub index: u64,
}

/// The call frames of a block, as `debug_traceBlockByNumber` gives them with its call tracer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvmTraces {
    /// The global number of its first frame: 1 for the chain's first, growing by 1; `None` as in
    /// [`super::CommittedBlock::first_sequence`].
    pub first_sequence: Option<u64>,
    /// In the receipts' order; transactions without frames are left out.
    pub traces: Vec<EvmTrace>,
}

/// What one transaction called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvmTrace {
    /// Which of the block's receipts it belongs to, from 0.
    pub receipt: u64,
    /// Depth first; the first one is the outer call.
    pub frames: Vec<EvmFrame>,
}

/// One call within a transaction: what the API calls an internal transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvmFrame {
    /// Which frame called this one; none for the outer call.
    pub parent: Option<u32>,
    /// How it was called.
    pub kind: FrameKind,
    /// The caller.
    pub from: [u8; 20],
    /// Whom it calls, or the contract that it made; `None` where a creation failed.
    pub to: Option<[u8; 20]>,
    /// Call data, or the code of a deployment.
    pub input: Vec<u8>,
    /// What it returned, or the reason it gave up. The indexer keeps none for the outer call.
    pub output: Vec<u8>,
    /// Paid along; none where that cannot be.
    pub value: Option<U256>,
    /// Gas given.
    pub gas: u64,
    /// Gas used.
    pub gas_used: u64,
}

/// How a contract is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// `CALL`.
    Call,
    /// `STATICCALL`: nothing may change.
    StaticCall,
    /// `DELEGATECALL`: another contract's code in the caller's place.
    DelegateCall,
    /// `CALLCODE`: the same, with the contract as the caller.
    CallCode,
    /// `CREATE`.
    Create,
    /// `CREATE2`: at an address that does not depend on a number.
    Create2,
    /// `SELFDESTRUCT`: the contract's coins go to whom it calls.
    SelfDestruct,
}

impl FrameKind {
    /// Every kind, in the order of the numbers that the index keeps.
    pub const ALL: [Self; 7] = [
        Self::Call,
        Self::StaticCall,
        Self::DelegateCall,
        Self::Create,
        Self::CallCode,
        Self::Create2,
        Self::SelfDestruct,
    ];

    /// As tracers write it.
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

    /// The kind of this name; `None` where tracers have none.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}
