//! Settlement of the embedded rollup on its L1: which withdrawals an output covers, when it is proposed, and the
//! withdrawal tree (`docs/apis/router.md` §9.5, `docs/apis/story.md` §3).

use std::time::Duration;

use sha3::{Digest, Sha3_256};

use super::{
    chain::{BlockProducer, BridgeWithdrawal},
    ledger::LedgerOptions,
    router::world::RouterWorld,
};
use crate::domain::{Height, Timestamp};

pub(super) const OUTPUT_VERSION: u8 = 1;

/// Maximum seconds between outputs.
const LONGEST_INTERVAL: u64 = 3_600;

/// Maximum seconds from the last block of an output to the L1 block that contains its proposal.
const PROPOSAL: u64 = 4;

/// Block time of the L1 in seconds. Its blocks count from 1970.
const L1_SECONDS: i64 = 2;

pub(super) type Sha3Hash = [u8; 32];

/// Parameters of the bridge to the L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BridgeTerms {
    pub bridge_id: u64,
    blocks: u64,
    pub period: Duration,
    genesis: Timestamp,
    block_time: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeOutput {
    /// Output index, from 1.
    pub index: u64,
    /// Last rollup block that the output covers.
    pub height: Height,
    /// Root of the withdrawal tree; zero without withdrawals.
    pub storage_root: Sha3Hash,
    /// Hash of the last rollup block that the output covers.
    pub block_hash: Sha3Hash,
    /// When the L1 includes the proposal.
    pub proposed: Timestamp,
}

impl BridgeTerms {
    /// Computes the bridge's parameters, so that the total wait is as long as the router says.
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

    pub(super) fn interval(&self) -> Duration {
        self.block_time.saturating_mul(u32::try_from(self.blocks).unwrap_or(u32::MAX))
    }

    /// Returns the index of the output that covers a block.
    pub(super) fn output_of(&self, height: Height) -> u64 {
        height.get().div_ceil(self.blocks)
    }

    /// Returns the first and last block of an output; `None` for an invalid index.
    fn covered(&self, index: u64) -> Option<(Height, Height)> {
        let last = index.checked_mul(self.blocks).and_then(Height::new)?;
        Some((last.back(self.blocks - 1), last))
    }

    /// Returns when an output is proposed: at the first L1 block after the output's last block.
    pub(super) fn proposed(&self, index: u64) -> Timestamp {
        let last = index.saturating_mul(self.blocks);
        let nanos = self.block_time.as_nanos().saturating_mul(u128::from(last));
        let due = self.genesis.after(Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX)));
        let seconds = (due.as_seconds() / L1_SECONDS + 1).saturating_mul(L1_SECONDS);
        Timestamp::from_nanos(i128::from(seconds) * 1_000_000_000)
    }

    /// Returns when a withdrawal in a block becomes claimable.
    pub(super) fn claimable(&self, height: Height) -> Timestamp {
        self.proposed(self.output_of(height)).after(self.period)
    }

    /// Returns how many outputs the L1 has.
    pub(super) fn outputs(&self, tip: Height, now: Timestamp) -> u64 {
        let mut count = tip.get() / self.blocks;
        while count > 0 && self.proposed(count) > now {
            count -= 1;
        }
        count
    }

    /// Returns an output; `None` if the L1 does not have it.
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

    /// Returns the tree over an output's withdrawals; `None` without withdrawals.
    pub(super) fn tree(&self, index: u64, withdrawals: &[BridgeWithdrawal]) -> Option<WithdrawalTree> {
        let (first, last) = self.covered(index)?;
        let start = withdrawals.partition_point(|withdrawal| withdrawal.height < first);
        let end = withdrawals.partition_point(|withdrawal| withdrawal.height <= last);
        let covered = withdrawals.get(start..end).filter(|covered| !covered.is_empty())?;
        Some(WithdrawalTree::over(covered.iter().map(|withdrawal| withdrawal.leaf(self.bridge_id)).collect()))
    }
}

impl BridgeOutput {
    pub(super) fn root(&self) -> Sha3Hash {
        output_root(&[OUTPUT_VERSION], &self.storage_root, &self.block_hash)
    }
}

/// Computes the output root from version, storage root and hash of the last block.
pub(super) fn output_root(version: &[u8], storage_root: &[u8], block_hash: &[u8]) -> Sha3Hash {
    Sha3_256::digest([version, storage_root, block_hash].concat()).into()
}

impl BridgeWithdrawal {
    pub(super) fn leaf(&self, bridge_id: u64) -> Sha3Hash {
        leaf([bridge_id, self.sequence, self.amount], [&self.from, &self.to, self.l1_denom])
    }
}

/// Computes a leaf from bridge ID, sequence number and amount, and from sender, recipient and L1 denom.
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

/// Merkle tree, level by level from the leaves. Like the executor's, it repeats the last leaf up to a power of two and
/// sorts each pair.
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

    /// Returns the sibling hashes from a leaf to the root; `None` if the leaf is unknown.
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

/// Hashes two nodes, the smaller node first.
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
