//! OPinit bridge: withdrawals from the bridge executor, and bridge state from the L1.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::block::WireCoin;
use crate::domain::Timestamp;

/// Withdrawal from the rollup's executor. Hashes are base64, and `None` until an output covers the withdrawal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutorWithdrawal {
    pub sequence: u64,
    /// Recipient on the L1.
    pub to: String,
    pub from: String,
    pub amount: WireCoin,
    /// Index of the output that covers the withdrawal; 0 before the output exists.
    #[serde(default)]
    pub output_index: u64,
    pub bridge_id: u64,
    /// Merkle proof from the withdrawal to the storage root.
    #[serde(default)]
    pub withdrawal_proofs: Option<Vec<String>>,
    /// Version of the output: one byte in base64.
    #[serde(default)]
    pub version: Option<String>,
    /// Merkle root of the output's withdrawals.
    #[serde(default)]
    pub storage_root: Option<String>,
    #[serde(default)]
    pub last_block_hash: Option<String>,
    /// Transaction on the rollup; older executors omit the field.
    #[serde(default)]
    pub tx_hash: Option<String>,
}

/// `GET {executor}/withdrawals/{address}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutorWithdrawals {
    pub withdrawals: Vec<ExecutorWithdrawal>,
    /// `offset` of the next page.
    #[serde(default)]
    pub next: Option<u64>,
}

/// Response of `GET /opinit/ophost/v1/bridges/{id}` of the L1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostedBridge {
    pub bridge_config: HostedBridgeConfig,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostedBridgeConfig {
    /// Challenge period of an output, such as `604800s`.
    pub finalization_period: String,
    /// Time between outputs, such as `60s`.
    #[serde(default)]
    pub submission_interval: String,
}

impl HostedBridgeConfig {
    /// Returns the challenge period; `None` if invalid.
    pub fn challenge_period(&self) -> Option<Duration> {
        seconds(&self.finalization_period)
    }

    /// Returns the time between outputs; `None` if invalid or zero.
    pub fn output_interval(&self) -> Option<Duration> {
        seconds(&self.submission_interval).filter(|interval| !interval.is_zero())
    }
}

/// Parses a duration in protobuf's JSON: `604800s`, `3.5s`.
fn seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.strip_suffix('s').map(|number| number.split_once('.').unwrap_or((number, "")))?;
    let nanos: u32 = if fraction.is_empty() { 0 } else { format!("{fraction:0<9}").get(..9)?.parse().ok()? };
    Some(Duration::new(whole.parse().ok()?, nanos))
}

/// Response of `GET /opinit/opchild/v1/bridge_info` of the rollup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BridgeInfoAnswer {
    pub bridge_info: RollupBridge,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollupBridge {
    /// Chain of the queried node; the wire does not have this field.
    #[serde(skip)]
    pub chain_id: String,
    /// Bridge id on the L1, as text; 0 before the bridge exists.
    pub bridge_id: String,
    pub l1_chain_id: String,
    /// IBC client of the L1; empty before the L1 has a client.
    #[serde(default)]
    pub l1_client_id: String,
    #[serde(default)]
    pub bridge_config: Option<HostedBridgeConfig>,
}

/// Response of `GET /opinit/ophost/v1/bridges/{id}/outputs/{index}` of the L1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostedOutput {
    pub output_proposal: OutputProposal,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputProposal {
    /// Base64 of the 32-byte root.
    pub output_root: String,
    #[serde(default)]
    pub l1_block_number: String,
    pub l1_block_time: String,
    /// Last rollup block that the output covers, as text.
    #[serde(default)]
    pub l2_block_number: String,
}

/// Response of `GET /opinit/ophost/v1/bridges/{id}/withdrawals/claimed/by_hash` of the L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimedAnswer {
    pub claimed: bool,
}

/// Responses about one withdrawal; `None` for a missing response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettlementAnswers {
    pub withdrawal: ExecutorWithdrawal,
    pub bridge: Option<HostedBridge>,
    /// Output that the executor names, from the L1; `Some(None)` if the L1 has no such output.
    pub output: Option<Option<HostedOutput>>,
    /// Whether the L1 has paid the withdrawal.
    pub is_claimed: Option<bool>,
    /// Time of the newest response.
    pub at: Timestamp,
}

/// Withdrawals to one account, newest first, from the executor and the L1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenWithdrawals {
    /// Withdrawals that the L1 does not report as paid.
    pub open: Vec<SettlementAnswers>,
    /// Merkle leaves of the withdrawals that the L1 reports as paid, which is final.
    pub paid: Vec<[u8; 32]>,
    /// Number of listed withdrawals to other accounts, which are ignored.
    pub strangers: usize,
    /// Whether the executor has older withdrawals that were not requested.
    pub is_cut: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_read_as_the_l1_writes_them() {
        assert_eq!(seconds("604800s"), Some(Duration::from_secs(604_800)));
        assert_eq!(seconds("1.5s"), Some(Duration::from_millis(1_500)));
        for wrong in ["", "s", "7", "7m", "-1s", "1.xs"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
