//! Consensus data of a simulated chain: headers, hashes and commits.
//!
//! A header contains the previous block's hash, so a hash depends on all earlier blocks. The first request computes
//! their Merkle roots on all cores, then chains the headers. The chain caches the hashes.

use std::{
    collections::BTreeMap,
    num::NonZero,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use ed25519_dalek::{Signer as _, SigningKey};

use super::SimulatedChain;
use crate::{
    demo::ledger::{
        CommittedTx,
        common::{
            catalogue::SEQUENCERS,
            record::BlockRecord,
            render::{self, Render, sequencer_key},
        },
        derive::sha256,
    },
    domain::{BlockHash, Height},
    proof::{
        TxResult, address_of, commit_hash, data_hash, header_hash, results_hash, validators_hash, vote_sign_bytes,
    },
    wire::node::{
        BlockCommit, CommitSignature, ConsensusBlockId, ConsensusHeader, ConsensusVersion, HexBytes, PartSetHeader,
    },
};

/// Minimum number of blocks per thread.
const A_THREAD: u64 = 100;

/// Voting power of the single sequencer.
const POWER: u64 = 1;

#[derive(Debug)]
pub(super) struct Consensus {
    /// Keys of the sequencers, in catalogue order.
    keys: Vec<SigningKey>,
    sealed: Mutex<BTreeMap<u64, SealedBlock>>,
}

/// Block whose hash is known.
#[derive(Clone, Copy, Debug)]
struct SealedBlock {
    hash: [u8; 32],
    /// `None` if only the block's hash is known.
    roots: Option<BlockRoots>,
}

/// Merkle roots over a block's transactions, as in headers.
#[derive(Clone, Copy, Debug)]
struct BlockRoots {
    data: [u8; 32],
    results: [u8; 32],
}

impl BlockRoots {
    fn new(txs: &[CommittedTx]) -> Self {
        let hashes: Vec<[u8; 32]> = txs.iter().map(|tx| *tx.hash.bytes()).collect();
        let results = txs.iter().map(|tx| TxResult {
            code: tx.code,
            data: &tx.data,
            gas_wanted: tx.gas_wanted.cast_signed(),
            gas_used: tx.gas_used.cast_signed(),
        });
        Self { data: data_hash(&hashes), results: results_hash(results) }
    }
}

impl Consensus {
    pub(super) fn new(seed: u64) -> Self {
        let keys = (0..).zip(SEQUENCERS).map(|(place, _)| SigningKey::from_bytes(&sequencer_key(seed, place)));
        Self { keys: keys.collect(), sealed: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, SealedBlock>> {
        self.sealed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores block hashes from an earlier index.
    pub(super) fn trust(&self, hashes: &[(Height, BlockHash)]) {
        let sealed =
            |(height, hash): &(Height, BlockHash)| (height.get(), SealedBlock { hash: *hash.bytes(), roots: None });
        self.lock().extend(hashes.iter().map(sealed));
    }

    pub(super) fn forget_below(&self, height: u64) {
        let mut sealed = self.lock();
        *sealed = sealed.split_off(&height);
    }

    fn public_key(&self, sequencer: u8) -> [u8; 32] {
        self.keys.get(usize::from(sequencer)).map_or([0; 32], |key| key.verifying_key().to_bytes())
    }
}

impl<F: Render> SimulatedChain<F> {
    /// Returns the hash of a block with these transactions, and the hash of its predecessor.
    pub(super) fn hashes(&self, height: u64, txs: &[CommittedTx]) -> (BlockHash, Option<BlockHash>) {
        let own = BlockRoots::new(txs);
        let hash = self.sealed_block(height, Some(own)).hash;
        let previous = self.consensus.lock().get(&(height - 1)).map(|sealed| BlockHash::new(sealed.hash));
        (BlockHash::new(hash), previous)
    }

    fn sealed_block(&self, height: u64, own: Option<BlockRoots>) -> SealedBlock {
        let mut sealed = self.consensus.lock();
        if let Some(found) = sealed.get(&height) {
            return *found;
        }
        let below = sealed.range(..height).next_back().map(|(below, found)| (*below, *found));
        let (mut previous, first) = below.map_or((None, self.first), |(below, found)| (Some(found), below + 1));
        let known = own.filter(|_| first == height);
        let roots = known.map_or_else(|| self.roots(first, height), |own| vec![own]);
        for (height, roots) in (first..=height).zip(roots) {
            let header = self.header_of(height, roots, previous);
            let found = SealedBlock { hash: header_hash(&header), roots: Some(roots) };
            sealed.insert(height, found);
            previous = Some(found);
        }
        previous.unwrap_or(SealedBlock { hash: [0; 32], roots: None })
    }

    fn roots(&self, first: u64, last: u64) -> Vec<BlockRoots> {
        let one = |height: u64| {
            let found = Height::new(height).and_then(|height| self.record(height));
            BlockRoots::new(&found.map_or_else(Vec::new, |(view, record)| render::transactions(view, record)))
        };
        let count = last - first + 1;
        let threads = thread::available_parallelism().map_or(1, NonZero::get) as u64;
        let share = count.div_ceil(threads).max(A_THREAD);
        if share >= count {
            return (first..=last).map(one).collect();
        }
        thread::scope(|scope| {
            let starts = (first..=last).step_by(usize::try_from(share).unwrap_or(usize::MAX));
            let parts = starts
                .map(|start| scope.spawn(move || (start..=last.min(start + share - 1)).map(one).collect::<Vec<_>>()));
            let parts: Vec<_> = parts.collect();
            parts.into_iter().flat_map(|part| part.join().unwrap_or_default()).collect()
        })
    }

    /// Returns the header of a block; needs the records of the block and its predecessor.
    pub(super) fn consensus_header(&self, height: Height) -> Option<ConsensusHeader> {
        self.record(height)?;
        let previous = height.previous().map(|below| self.with_roots(below.get()).1);
        let (roots, _) = self.with_roots(height.get());
        Some(self.header_of(height.get(), roots, previous))
    }

    /// Returns a block and its roots, and keeps the roots of one that an earlier index told: rendering a block again
    /// costs a hundred times more than the rest of its header.
    fn with_roots(&self, height: u64) -> (BlockRoots, SealedBlock) {
        let sealed = self.sealed_block(height, None);
        let roots = sealed.roots.unwrap_or_else(|| self.only_root(height));
        if sealed.roots.is_none()
            && let Some(kept) = self.consensus.lock().get_mut(&height)
        {
            kept.roots = Some(roots);
        }
        (roots, SealedBlock { roots: Some(roots), ..sealed })
    }

    pub(super) fn votes(&self, height: Height) -> Option<BlockCommit> {
        let sequencer = self.record(height)?.1.sequencer;
        Some(self.commit_of(height.get(), self.sealed_block(height.get(), None).hash, sequencer))
    }

    fn header_of(&self, height: u64, roots: BlockRoots, previous: Option<SealedBlock>) -> ConsensusHeader {
        let record = |height| Height::new(height).and_then(|height| Some(self.record(height)?.1));
        let own = record(height);
        let sequencer = own.map_or(0, |record: &BlockRecord<F>| record.sequencer);
        let before = record(height - 1);
        // Below the oldest record the proposer is unknown. The cached header is used there and not rebuilt.
        let voter = before.map_or(sequencer, |record| record.sequencer);
        let last_commit = previous.map(|previous| self.commit_of(height - 1, previous.hash, voter));
        let results = previous.map_or_else(
            || results_hash([]),
            |previous| previous.roots.unwrap_or_else(|| self.only_root(height - 1)).results,
        );
        let set = |place| HexBytes(validators_hash([(&self.consensus.public_key(place)[..], POWER)]).to_vec());
        ConsensusHeader {
            version: ConsensusVersion { block: 11, app: 0 },
            chain_id: F::CATALOGUE.chain_id.to_owned(),
            height,
            time: self.clock.time(height),
            last_block_id: previous.map_or_else(ConsensusBlockId::default, |previous| block_id(&previous.hash)),
            last_commit_hash: HexBytes(last_commit.as_ref().map_or_else(|| sha256([]), commit_hash).to_vec()),
            data_hash: HexBytes(roots.data.to_vec()),
            validators_hash: set(sequencer),
            next_validators_hash: set(own.map_or(0, |record| record.next_sequencer)),
            consensus_hash: HexBytes(sha256("consensus").to_vec()),
            app_hash: HexBytes(own.map_or([0; 32], |record| record.app_hash).to_vec()),
            last_results_hash: HexBytes(results.to_vec()),
            evidence_hash: HexBytes(sha256([]).to_vec()),
            proposer_address: HexBytes(address_of(&self.consensus.public_key(sequencer)).to_vec()),
        }
    }

    fn only_root(&self, height: u64) -> BlockRoots {
        let roots = self.roots(height, height).into_iter().next();
        roots.unwrap_or_else(|| BlockRoots::new(&[]))
    }

    /// Returns the proposer's vote for its block. The next header repeats the vote's time.
    fn commit_of(&self, height: u64, hash: [u8; 32], sequencer: u8) -> BlockCommit {
        let (id, time) = (block_id(&hash), self.clock.time(height + 1));
        let message = vote_sign_bytes(F::CATALOGUE.chain_id, height, 0, &id, time);
        let key = self.consensus.keys.get(usize::from(sequencer));
        let signature = CommitSignature {
            block_id_flag: 2,
            validator_address: HexBytes(address_of(&self.consensus.public_key(sequencer)).to_vec()),
            timestamp: time,
            signature: key.map_or_else(String::new, |key| BASE64_STANDARD.encode(key.sign(&message).to_bytes())),
        };
        BlockCommit { height, round: 0, block_id: id, signatures: vec![signature] }
    }
}

/// Returns a block ID with one part. The part's hash is simulated and proves nothing.
pub(crate) fn block_id(hash: &[u8; 32]) -> ConsensusBlockId {
    let parts = sha256([b"parts", &hash[..]].concat()).to_vec();
    ConsensusBlockId { hash: HexBytes(hash.to_vec()), parts: PartSetHeader { total: 1, hash: HexBytes(parts) } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        demo::ledger::{LedgerOptions, clock::BlockClock, common::chain::Simulation as _, evm::Evm},
        domain::{Timestamp, Vm},
    };

    fn chain() -> SimulatedChain<Evm> {
        let block_time = std::time::Duration::from_secs(1);
        let options = LedgerOptions { vm: Vm::Evm, seed: 7, genesis_time: Timestamp::EPOCH, block_time, accounts: 60 };
        let mut chain = SimulatedChain::genesis(BlockClock::new(&options), options.accounts);
        for _ in 0..4 {
            chain.advance();
        }
        chain
    }

    #[test]
    fn a_block_that_an_earlier_index_told_is_rendered_once_for_its_header() {
        let (first, again) = (chain(), chain());
        let [below, at] = [3, 4].map(|height| Height::new(height).unwrap());
        let header = first.consensus_header(at).unwrap();
        let hash = |height: Height| (height, BlockHash::new(first.sealed_block(height.get(), None).hash));
        again.consensus.trust(&[hash(below), hash(at)]);
        assert!(again.consensus.lock().values().all(|sealed| sealed.roots.is_none()));
        assert_eq!(header_hash(&again.consensus_header(at).unwrap()), header_hash(&header));
        assert!(again.consensus.lock().values().all(|sealed| sealed.roots.is_some()));
    }
}
