//! Consensus data of a block in the JSON of `CometBFT`'s RPC.

use serde::{Deserialize, Deserializer, de::Error as _};

use super::lenient;
use crate::domain::Timestamp;

/// Bytes that JSON writes as hex.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HexBytes(pub Vec<u8>);

impl<'de> Deserialize<'de> for HexBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        alloy_primitives::hex::decode(text).map(Self).map_err(D::Error::custom)
    }
}

/// Versions of the block format and of the application.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ConsensusVersion {
    #[serde(default, deserialize_with = "lenient::number")]
    pub block: u64,
    #[serde(default, deserialize_with = "lenient::number")]
    pub app: u64,
}

/// Hash of a block and hash of its part set; both empty before the first block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ConsensusBlockId {
    pub hash: HexBytes,
    #[serde(default)]
    pub parts: PartSetHeader,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct PartSetHeader {
    #[serde(default)]
    pub total: u32,
    #[serde(default)]
    pub hash: HexBytes,
}

/// Header with all fields that its hash covers, in hash order.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ConsensusHeader {
    pub version: ConsensusVersion,
    pub chain_id: String,
    #[serde(deserialize_with = "lenient::number")]
    pub height: u64,
    pub time: Timestamp,
    pub last_block_id: ConsensusBlockId,
    pub last_commit_hash: HexBytes,
    pub data_hash: HexBytes,
    pub validators_hash: HexBytes,
    pub next_validators_hash: HexBytes,
    pub consensus_hash: HexBytes,
    /// Hash of the application's state after the previous block.
    pub app_hash: HexBytes,
    /// Hash of the transaction results of the previous block.
    pub last_results_hash: HexBytes,
    pub evidence_hash: HexBytes,
    pub proposer_address: HexBytes,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct BlockCommit {
    #[serde(deserialize_with = "lenient::number")]
    pub height: u64,
    pub round: u32,
    pub block_id: ConsensusBlockId,
    pub signatures: Vec<CommitSignature>,
}

/// Vote of a validator.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CommitSignature {
    /// Kind of vote: 1 absent, 2 for the block, 3 for no block.
    pub block_id_flag: u8,
    pub validator_address: HexBytes,
    pub timestamp: Timestamp,
    /// Base64 signature; empty for an absent validator.
    #[serde(default, deserialize_with = "lenient::text_only")]
    pub signature: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ConsensusValidator {
    pub pub_key: ConsensusKey,
    #[serde(deserialize_with = "lenient::number")]
    pub voting_power: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ConsensusKey {
    /// Base64 of the 32 bytes of an ed25519 key.
    pub value: String,
}
