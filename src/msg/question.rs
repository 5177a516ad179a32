//! Questions that say whom to ask: the others go to whom the session was begun with.

use crate::domain::TxHash;

/// Who is asked about which optimistic withdrawal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettlementQuestion {
    /// Its number on the bridge.
    pub sequence: u64,
    /// The API of the bridge's executor.
    pub executor: String,
    /// The REST of the L1; without it only the executor is heard.
    pub l1_rest: Option<String>,
}

/// Which L1 is asked about which of its transactions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct L1Question {
    /// Its REST.
    pub rest: String,
    /// The transaction.
    pub tx: TxHash,
}
