//! The optimistic bridge: what its executor serves of withdrawals, and what the L1 says of the bridge.

use serde::{Deserialize, Serialize};

use super::block::WireCoin;
use crate::domain::Timestamp;

/// A withdrawal as the executor of its rollup has it. Hashes are base64; `None` before an output covers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutorWithdrawal {
    /// Its number on the bridge.
    pub sequence: u64,
    /// Who gets it on the L1.
    pub to: String,
    /// Who withdrew on the rollup.
    pub from: String,
    /// What, by its denom on the L1.
    pub amount: WireCoin,
    /// The output that covers it; 0 before there is one.
    #[serde(default)]
    pub output_index: u64,
    /// The bridge.
    pub bridge_id: u64,
    /// The hashes beside the way from it to the storage root.
    #[serde(default)]
    pub withdrawal_proofs: Option<Vec<String>>,
    /// The version of the output, a byte.
    #[serde(default)]
    pub version: Option<String>,
    /// The root of the output's withdrawals.
    #[serde(default)]
    pub storage_root: Option<String>,
    /// The hash of the output's last block.
    #[serde(default)]
    pub last_block_hash: Option<String>,
    /// Its transaction on the rollup; older executors do not say it.
    #[serde(default)]
    pub tx_hash: Option<String>,
}

/// `GET {executor}/withdrawals/{address}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutorWithdrawals {
    /// A page of them.
    pub withdrawals: Vec<ExecutorWithdrawal>,
    /// The `offset` of the next page.
    #[serde(default)]
    pub next: Option<u64>,
}

/// `GET /opinit/ophost/v1/bridges/{id}` of the L1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostedBridge {
    /// What it was made with.
    pub bridge_config: HostedBridgeConfig,
}

/// What a bridge was made with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostedBridgeConfig {
    /// How long an output can be challenged: `604800s`.
    pub finalization_period: String,
}

/// `GET /opinit/ophost/v1/bridges/{id}/outputs/{index}` of the L1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostedOutput {
    /// What was proposed.
    pub output_proposal: OutputProposal,
}

/// An output as the L1 keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputProposal {
    /// Its root, base64.
    pub output_root: String,
    /// The block of the L1 that has it, as text.
    #[serde(default)]
    pub l1_block_number: String,
    /// That block's time.
    pub l1_block_time: String,
    /// The last block of the rollup that it covers, as text.
    #[serde(default)]
    pub l2_block_number: String,
}

/// `GET /opinit/ophost/v1/bridges/{id}/withdrawals/claimed/by_hash` of the L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimedAnswer {
    /// Whether somebody claimed it.
    pub claimed: bool,
}

/// What was asked about one withdrawal and answered; what could not be had is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettlementAnswers {
    /// By the executor.
    pub withdrawal: ExecutorWithdrawal,
    /// The bridge, by the L1.
    pub bridge: Option<HostedBridge>,
    /// The output that the executor names, by the L1; `Some(None)` where the L1 has none of this number.
    pub output: Option<Option<HostedOutput>>,
    /// Whether it is claimed, by the L1.
    pub is_claimed: Option<bool>,
    /// When the last of them came.
    pub at: Timestamp,
}
