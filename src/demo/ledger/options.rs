//! Options of a ledger, and names of its tokens.

use std::time::Duration;

use super::derive;
use crate::{
    domain::{Denom, Timestamp, Vm},
    indexer::index::{IndexFeed, IndexIdentity},
};

/// Options that determine every byte of a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerOptions {
    pub vm: Vm,
    /// Seed of all random choices.
    pub seed: u64,
    /// Time of block 0. Block `h` is due `h` block times later.
    pub genesis_time: Timestamp,
    pub block_time: Duration,
    /// Number of user accounts; the full demo needs at least 2,000.
    pub accounts: u32,
}

/// Name of the genesis time among the facts in [`LedgerOptions::identity`].
pub(in crate::demo) const GENESIS_TIME: &str = "genesis time";

impl LedgerOptions {
    /// Returns the facts that a stored index must match to continue this chain.
    pub fn identity(&self) -> IndexIdentity {
        let facts = vec![
            ("seed", self.seed.to_string()),
            (GENESIS_TIME, self.genesis_time.to_string()),
            ("block time", format!("{:?}", self.block_time)),
            ("number of accounts", self.accounts.to_string()),
        ];
        IndexIdentity { vm: self.vm, feed: IndexFeed::Simulation, facts }
    }

    /// Returns a number that identifies the chain. Every hash includes it, so that two chains never share a hash.
    pub(in crate::demo) fn identity_number(&self) -> u64 {
        let IndexIdentity { vm, facts, .. } = self.identity();
        let hash = derive::sha256(format!("{vm} {facts:?}"));
        hash.first_chunk().map_or(0, |start| u64::from_be_bytes(*start))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerTokenName {
    pub denom: Denom,
    /// Symbol; other tokens may share it.
    pub symbol: &'static str,
    pub decimals: u8,
}
