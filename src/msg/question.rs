//! Requests to servers that the request itself names.

use std::collections::BTreeSet;

use crate::domain::{Address, ChainId, TxHash, TxTerms};

/// Question about an optimistic withdrawal, with the servers that can answer it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettlementQuestion {
    /// Sequence number of the withdrawal on the bridge.
    pub sequence: u64,
    /// Base URL of the executor's API.
    pub executor: String,
    /// Base URL of the L1's REST; `None` asks only the executor.
    pub l1_rest: Option<String>,
}

/// Question about the unclaimed withdrawals to an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenQuestion {
    pub account: Address,
    /// Base URL of the executor's API.
    pub executor: String,
    /// Base URL of the L1's REST; `None` asks only the executor.
    pub l1_rest: Option<String>,
    /// Merkle leaves that the L1 reported as paid before.
    pub paid: BTreeSet<[u8; 32]>,
}

/// Question about a transaction of an L1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct L1Question {
    pub rest: String,
    pub tx: TxHash,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountQuestion {
    pub chain_id: ChainId,
    pub terms: TxTerms,
}
