use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Pagination, scalar::text};
use crate::domain::{Amount, BlockHash, Coin, Denom, Height, Timestamp};

/// Block from the indexer (`docs/apis/indexer.md` §4). JSON encodes every number as a string.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    pub chain_id: String,
    pub height: Height,
    /// Upper-case hex without `0x`.
    pub hash: BlockHash,
    /// Milliseconds since the previous block; 0 for the first indexed block.
    #[serde(with = "text")]
    pub block_time: i64,
    /// Block time, truncated to whole seconds.
    pub timestamp: Timestamp,
    #[serde(with = "text")]
    pub gas_used: u64,
    #[serde(with = "text")]
    pub gas_wanted: u64,
    #[serde(with = "text")]
    pub tx_count: u64,
    /// Declared fees of all transactions, by denom.
    #[serde(default)]
    pub total_fee: Vec<WireCoin>,
    /// Proposer of the block, with the validator's current data.
    pub proposer: Proposer,
}

impl Block {
    pub fn fees(&self) -> Vec<Coin> {
        let coin = |coin: &WireCoin| Coin { denom: Denom::new(coin.denom.as_str()), amount: coin.amount };
        self.total_fee.iter().map(coin).collect()
    }

    /// Returns the time since the previous block.
    pub fn interval(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.block_time).unwrap_or(0))
    }
}

/// Coin as JSON: `{"denom": …, "amount": …}`, smallest unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireCoin {
    pub denom: String,
    pub amount: Amount,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposer {
    /// Name that the validator chose; hostile text.
    #[serde(default)]
    pub moniker: String,
    /// Always empty on the real server.
    #[serde(default)]
    pub identity: String,
    /// Bech32 address, `initvaloper1…`.
    #[serde(default)]
    pub operator_address: String,
}

/// Response of `GET /indexer/block/v1/blocks`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlocksResponse<T = Block> {
    /// Blocks, newest first by default.
    pub blocks: Vec<T>,
    pub pagination: Pagination,
}

/// Response of `GET /indexer/block/v1/blocks/{height}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockResponse {
    pub block: Block,
}

/// Response of `GET /indexer/block/v1/avg_blocktime`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AvgBlockTime {
    /// Mean seconds per block over the newest 100 blocks; 0 with fewer than two blocks.
    pub avg_block_time: f64,
}
