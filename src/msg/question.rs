//! Requests that name their own server.

use crate::domain::TxHash;

/// Optimistic withdrawal, and the servers that know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettlementQuestion {
    /// Sequence number on the bridge.
    pub sequence: u64,
    /// Base address of the executor's API.
    pub executor: String,
    /// Base address of the L1's REST; `None` asks only the executor.
    pub l1_rest: Option<String>,
}

/// Transaction of an L1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct L1Question {
    pub rest: String,
    pub tx: TxHash,
}
