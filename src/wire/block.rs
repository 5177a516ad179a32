use std::time::Duration;

use alloy_primitives::hex;
use serde::{Deserialize, Serialize};

use super::{Pagination, scalar::text};
use crate::domain::{Address, Amount, BlockHash, Coin, Denom, Height, Timestamp, text::Foreign};

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

    /// Returns the time since the previous block; `None` if the chain's times run backwards there.
    pub fn interval(&self) -> Option<Duration> {
        u64::try_from(self.block_time).ok().map(Duration::from_millis)
    }

    /// Formats the time since the previous block: `1.00 s`, or `−3.00 s, backwards`.
    pub fn interval_text(&self) -> String {
        let seconds = crate::domain::seconds(Duration::from_millis(self.block_time.unsigned_abs()));
        if self.block_time < 0 { format!("−{seconds}, backwards") } else { seconds }
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
    pub moniker: Foreign,
    /// Always empty on the real server.
    #[serde(default)]
    pub identity: String,
    /// Bech32 address, `initvaloper1…`; empty if the validator is unknown. The real server writes the bytes of the
    /// consensus address here, which is the operator only on rollups made by the launch command.
    #[serde(default)]
    pub operator_address: String,
    /// Consensus address from the block's header, upper-case hex. The real server lacks the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consensus_address: Option<String>,
    /// Height of the validator set that names the proposer. The real server lacks the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validator_height: Option<u64>,
}

impl Proposer {
    /// Returns the record as the real server writes it, except that the real server fails if no validator has the
    /// operator address.
    #[must_use]
    pub fn by_real_server(self) -> Self {
        let bytes = self.consensus_address.as_deref().and_then(|address| hex::decode(address).ok());
        let Some(address) = bytes.and_then(|bytes| Address::from_bytes(&bytes)) else {
            return Self { consensus_address: None, validator_height: None, ..self };
        };
        let operator_address = address.bech32_as("initvaloper");
        let moniker = if operator_address == self.operator_address { self.moniker } else { String::new().into() };
        Self { moniker, operator_address, ..Self::default() }
    }
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
