//! Proof of a block's results: the next block's header has their root. The results of the newest block are taken
//! unproven, and held against the next header when it comes.

use std::collections::{BTreeMap, VecDeque};

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest as _, Sha256};

use crate::{
    domain::{BlockHash, Height},
    proof::{TxResult, data_hash, results_hash},
    wire::node::{BlockAnswers, BlockMeta},
};

/// Maximum kept roots.
const ROOTS: usize = 1_000;

/// Maximum kept blocks whose results nothing has proven yet: the newest one of each run.
const UNPROVEN: usize = 100;

/// Outcome of holding answers against the headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProofVerdict {
    Fits,
    /// The next header is unknown, or names no root.
    Unknown,
    /// The transactions are not those of the block's header.
    OtherTxs,
    OtherResults,
}

/// Root of a block's results.
#[derive(Clone, Debug)]
struct ResultsRoot {
    height: Height,
    /// Hash of the block; `None` if the next header does not have it.
    block: Option<BlockHash>,
    root: String,
}

#[derive(Debug, Default)]
pub(super) struct ResultsProofs {
    /// Roots that headers have, the latest last.
    roots: VecDeque<ResultsRoot>,
    /// Computed roots of results that were taken without proof.
    unproven: BTreeMap<(Height, BlockHash), [u8; 32]>,
}

impl ResultsProofs {
    /// Keeps the roots of the blocks before these.
    pub(super) fn take_headers(&mut self, found: &[BlockMeta]) {
        self.roots.extend(found.iter().filter_map(|meta| {
            let (height, block) = (meta.header.height.previous()?, meta.header.last_block_id.block_hash());
            Some(ResultsRoot { height, block, root: meta.header.last_results_hash.clone() })
        }));
        // The blocks of these headers are requested next.
        while self.roots.len() > ROOTS {
            self.roots.pop_front();
        }
    }

    /// Whether the next header of this block is known.
    pub(super) fn knows(&self, meta: &BlockMeta) -> bool {
        meta.block_id.block_hash().is_some_and(|hash| self.root(meta.header.height, hash).is_some())
    }

    fn root(&self, height: Height, hash: BlockHash) -> Option<&str> {
        let is_of = |one: &&ResultsRoot| one.height == height && one.block.is_none_or(|block| block == hash);
        self.roots.iter().rev().find(is_of).map(|one| one.root.as_str())
    }

    /// Holds a block's transactions against its header, and its results against the next one.
    pub(super) fn verdict(&mut self, answers: &BlockAnswers) -> ProofVerdict {
        let BlockAnswers { hash, header, raw_txs, results, .. } = answers;
        let hashes: Vec<[u8; 32]> = raw_txs.iter().map(|raw| Sha256::digest(raw).into()).collect();
        if !header.data_hash.is_empty() && !is_hash(&header.data_hash, data_hash(&hashes)) {
            return ProofVerdict::OtherTxs;
        }
        let root = self.root(header.height, *hash);
        if header.data_hash.is_empty() || results.txs_results.len() != raw_txs.len() || root == Some("") {
            return ProofVerdict::Unknown;
        }
        let data: Vec<Vec<u8>> =
            results.txs_results.iter().map(|one| BASE64_STANDARD.decode(&one.data).unwrap_or_default()).collect();
        let computed = results_hash(results.txs_results.iter().zip(&data).map(|(one, data)| TxResult {
            code: one.code,
            data,
            gas_wanted: one.gas_wanted,
            gas_used: one.gas_used,
        }));
        match root {
            Some(root) if is_hash(root, computed) => ProofVerdict::Fits,
            Some(_) => ProofVerdict::OtherResults,
            None => {
                self.take_unproven(header.height, *hash, computed);
                ProofVerdict::Unknown
            }
        }
    }

    /// Keeps the root of results that no known header proves.
    pub(super) fn take_unproven(&mut self, height: Height, hash: BlockHash, computed: [u8; 32]) {
        self.unproven.insert((height, hash), computed);
        while self.unproven.len() > UNPROVEN {
            self.unproven.pop_first();
        }
    }

    /// Whether a header that came since contradicts the results with which a block was taken.
    pub(super) fn is_refuted(&mut self, height: Height, hash: BlockHash) -> bool {
        let Some(root) = self.root(height, hash).map(ToOwned::to_owned) else { return false };
        let computed = self.unproven.remove(&(height, hash));
        computed.is_some_and(|computed| !root.is_empty() && !is_hash(&root, computed))
    }
}

fn is_hash(text: &str, hash: [u8; 32]) -> bool {
    hex::decode(text).is_ok_and(|bytes| bytes == hash)
}
