//! How the embedded rollup settles on its L1: which withdrawals an output covers, when it is proposed, and the tree with
//! which a withdrawal is proven (`docs/apis/router.md` §9.5, `docs/apis/story.md` §3).

use std::time::Duration;

use sha3::{Digest, Sha3_256};

use super::{
    chain::{BlockProducer, BridgeWithdrawal},
    ledger::LedgerOptions,
    router::world::RouterWorld,
};
use crate::domain::{Height, Timestamp};

/// The version of the outputs, as the executor's configuration has it.
pub(super) const OUTPUT_VERSION: u8 = 1;

/// Between two outputs at the most, in seconds.
const LONGEST_INTERVAL: u64 = 3_600;

/// What passes at the most between the last block of an output and the block of the L1 that has it, in seconds.
const PROPOSAL: u64 = 4;

/// Between two blocks of the L1, in seconds, counted from 1970 on.
const L1_SECONDS: i64 = 2;

/// A SHA3-256 hash.
pub(super) type Sha3Hash = [u8; 32];

/// What is fixed about the bridge to the L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BridgeTerms {
    /// The bridge's number.
    pub bridge_id: u64,
    /// Blocks of the rollup in each output.
    blocks: u64,
    /// How long an output can be challenged.
    pub period: Duration,
    genesis: Timestamp,
    block_time: Duration,
}

/// An output as the L1 has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeOutput {
    /// Its number, from 1.
    pub index: u64,
    /// The last block of the rollup that it covers.
    pub height: Height,
    /// Of the tree of its withdrawals; zero where there are none.
    pub storage_root: Sha3Hash,
    /// The hash of that last block.
    pub block_hash: Sha3Hash,
    /// When the L1 took it.
    pub proposed: Timestamp,
}

impl BridgeTerms {
    /// The terms of a rollup's bridge: what is waited for in all is what the router says of a withdrawal.
    pub(super) fn of(world: &RouterWorld, ledger: &LedgerOptions) -> Self {
        let wait = world.finalization_seconds();
        let interval = (wait / 3).clamp(1, LONGEST_INTERVAL);
        let millis = u64::try_from(ledger.block_time.as_millis()).unwrap_or(u64::MAX).max(1);
        let blocks = (interval.saturating_mul(1_000) / millis).max(1);
        let covered = blocks.saturating_mul(millis).div_ceil(1_000);
        Self {
            bridge_id: world.rollup().bridge_id,
            blocks,
            period: Duration::from_secs(wait.saturating_sub(covered + PROPOSAL).max(1)),
            genesis: ledger.genesis_time,
            block_time: ledger.block_time,
        }
    }

    /// The seconds between two outputs.
    pub(super) fn interval(&self) -> Duration {
        self.block_time.saturating_mul(u32::try_from(self.blocks).unwrap_or(u32::MAX))
    }

    /// The output that covers a block.
    pub(super) fn output_of(&self, height: Height) -> u64 {
        height.get().div_ceil(self.blocks)
    }

    /// The blocks that an output covers; `None` for what is the number of none.
    fn covered(&self, index: u64) -> Option<(Height, Height)> {
        let last = index.checked_mul(self.blocks).and_then(Height::new)?;
        Some((last.back(self.blocks - 1), last))
    }

    /// When the L1 takes an output: in its first block after the last one that the output covers.
    pub(super) fn proposed(&self, index: u64) -> Timestamp {
        let last = index.saturating_mul(self.blocks);
        let nanos = self.block_time.as_nanos().saturating_mul(u128::from(last));
        let due = self.genesis.after(Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX)));
        let seconds = (due.as_seconds() / L1_SECONDS + 1).saturating_mul(L1_SECONDS);
        Timestamp::from_nanos(i128::from(seconds) * 1_000_000_000)
    }

    /// From when on a withdrawal of this block can be claimed.
    pub(super) fn claimable(&self, height: Height) -> Timestamp {
        self.proposed(self.output_of(height)).after(self.period)
    }

    /// How many outputs the L1 has.
    pub(super) fn outputs(&self, tip: Height, now: Timestamp) -> u64 {
        let mut count = tip.get() / self.blocks;
        while count > 0 && self.proposed(count) > now {
            count -= 1;
        }
        count
    }

    /// An output that the L1 has; `None` where it has none of this number.
    pub(super) fn output(
        &self,
        index: u64,
        chain: &dyn BlockProducer,
        block_hash: impl Fn(Height) -> Option<Sha3Hash>,
        now: Timestamp,
    ) -> Option<BridgeOutput> {
        if index == 0 || index > self.outputs(chain.tip()?, now) {
            return None;
        }
        let (_, height) = self.covered(index)?;
        let storage_root = self.tree(index, chain.state()?.withdrawals()).map_or([0; 32], |tree| tree.root());
        Some(BridgeOutput {
            index,
            height,
            storage_root,
            block_hash: block_hash(height)?,
            proposed: self.proposed(index),
        })
    }

    /// The tree over the withdrawals of an output; `None` where it has none.
    pub(super) fn tree(&self, index: u64, withdrawals: &[BridgeWithdrawal]) -> Option<WithdrawalTree> {
        let (first, last) = self.covered(index)?;
        let start = withdrawals.partition_point(|withdrawal| withdrawal.height < first);
        let end = withdrawals.partition_point(|withdrawal| withdrawal.height <= last);
        let covered = withdrawals.get(start..end).filter(|covered| !covered.is_empty())?;
        Some(WithdrawalTree::over(covered.iter().map(|withdrawal| withdrawal.leaf(self.bridge_id)).collect()))
    }
}

impl BridgeOutput {
    /// What the L1 keeps of it.
    pub(super) fn root(&self) -> Sha3Hash {
        output_root(&[OUTPUT_VERSION], &self.storage_root, &self.block_hash)
    }
}

/// The root of an output with this version, storage root and hash of its last block.
pub(super) fn output_root(version: &[u8], storage_root: &[u8], block_hash: &[u8]) -> Sha3Hash {
    Sha3_256::digest([version, storage_root, block_hash].concat()).into()
}

impl BridgeWithdrawal {
    /// What stands for it in the tree of its output.
    pub(super) fn leaf(&self, bridge_id: u64) -> Sha3Hash {
        leaf([bridge_id, self.sequence, self.amount], [&self.from, &self.to, self.l1_denom])
    }
}

/// The leaf of a withdrawal: of its bridge, its number and its amount, and of who withdraws, who gets it and the denom on
/// the L1.
pub(super) fn leaf([bridge_id, sequence, amount]: [u64; 3], texts: [&str; 3]) -> Sha3Hash {
    let mut hasher = Sha3_256::new();
    hasher.update(bridge_id.to_be_bytes());
    hasher.update(sequence.to_be_bytes());
    for text in texts {
        hasher.update(Sha3_256::digest(text));
    }
    hasher.update(amount.to_be_bytes());
    Sha3_256::digest(hasher.finalize()).into()
}

/// A tree of hashes, level by level from the leaves up: filled with its last leaf to a power of two, as the executor
/// does, and with each pair in the order of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WithdrawalTree(Vec<Vec<Sha3Hash>>);

impl WithdrawalTree {
    fn over(mut leaves: Vec<Sha3Hash>) -> Self {
        let last = leaves.last().copied().unwrap_or_default();
        leaves.resize(leaves.len().next_power_of_two().max(2), last);
        let mut levels = vec![leaves];
        while let Some(below) = levels.last().filter(|level| level.len() > 1) {
            let above = below.chunks(2).filter_map(|pair| Some(parent(pair.first()?, pair.get(1)?))).collect();
            levels.push(above);
        }
        Self(levels)
    }

    pub(super) fn root(&self) -> Sha3Hash {
        self.0.last().and_then(|level| level.first()).copied().unwrap_or_default()
    }

    /// The hashes beside the way from a leaf to the root; `None` for one that is not in it.
    pub(super) fn proof(&self, leaf: &Sha3Hash) -> Option<Vec<Sha3Hash>> {
        let mut place = self.0.first()?.iter().position(|known| known == leaf)?;
        let mut proof = Vec::new();
        for level in self.0.iter().filter(|level| level.len() > 1) {
            proof.push(*level.get(place ^ 1)?);
            place /= 2;
        }
        Some(proof)
    }
}

/// The hash of two hashes, the smaller one first.
pub(super) fn parent(one: &[u8], other: &[u8]) -> Sha3Hash {
    let (first, second) = if one <= other { (one, other) } else { (other, one) };
    Sha3_256::digest([first, second].concat()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_leaf_of_a_tree_is_proven_and_no_other() {
        for count in 1..=9_u8 {
            let leaves: Vec<Sha3Hash> = (0..count).map(|leaf| [leaf; 32]).collect();
            let tree = WithdrawalTree::over(leaves.clone());
            for leaf in &leaves {
                let proof = tree.proof(leaf).unwrap();
                assert_eq!(proof.iter().fold(*leaf, |hash, beside| parent(&hash, beside)), tree.root(), "{count}");
            }
            assert_eq!(tree.proof(&[99; 32]), None);
        }
    }
}
