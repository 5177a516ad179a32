use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Pagination, scalar::text};
use crate::domain::{Amount, BlockHash, Coin, Denom, Height, Timestamp};

/// A block as the indexer gives it (`docs/apis/indexer.md` §4). Every number is a string.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The configured chain.
    pub chain_id: String,
    /// Height.
    pub height: Height,
    /// Block hash, upper-case hex without `0x`.
    pub hash: BlockHash,
    /// Milliseconds since the previous block; 0 for the first one indexed.
    #[serde(with = "text")]
    pub block_time: i64,
    /// Block time, cut to whole seconds.
    pub timestamp: Timestamp,
    /// Gas used by all transactions.
    #[serde(with = "text")]
    pub gas_used: u64,
    /// Gas asked for by all transactions.
    #[serde(with = "text")]
    pub gas_wanted: u64,
    /// Number of transactions.
    #[serde(with = "text")]
    pub tx_count: u64,
    /// Declared fees of all transactions, by denom.
    #[serde(default)]
    pub total_fee: Vec<WireCoin>,
    /// Who proposed it, as the server knows the validator today.
    pub proposer: Proposer,
}

impl Block {
    /// The declared fees as values of the field.
    pub fn fees(&self) -> Vec<Coin> {
        let coin = |coin: &WireCoin| Coin { denom: Denom::new(coin.denom.as_str()), amount: coin.amount };
        self.total_fee.iter().map(coin).collect()
    }

    /// The time since the block before.
    pub fn interval(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.block_time).unwrap_or(0))
    }
}

/// A coin as JSON: `{"denom": …, "amount": …}`, smallest unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireCoin {
    /// Denomination.
    pub denom: String,
    /// Integer text in the smallest unit.
    pub amount: Amount,
}

/// The proposer of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposer {
    /// The validator's name; hostile text.
    #[serde(default)]
    pub moniker: String,
    /// Always empty on the real server.
    #[serde(default)]
    pub identity: String,
    /// `initvaloper1…`.
    #[serde(default)]
    pub operator_address: String,
}

/// `GET /indexer/block/v1/blocks`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlocksResponse<T = Block> {
    /// Newest first unless asked otherwise.
    pub blocks: Vec<T>,
    /// Cursors and total.
    pub pagination: Pagination,
}

/// `GET /indexer/block/v1/blocks/{height}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockResponse {
    /// The block.
    pub block: Block,
}

/// `GET /indexer/block/v1/avg_blocktime`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AvgBlockTime {
    /// Seconds per block over the newest 100 blocks; 0 with fewer than two.
    pub avg_block_time: f64,
}
