//! Consensus proofs of a block: hashes of headers, transactions, results, validators and commits, and the signatures
//! over these hashes. Pure: no I/O, no clock.
//!
//! A block that passes the checks is *consistent*. Only a root from outside of its node proves the block: a hash
//! trusted earlier, or a hash that the L1 holds.

mod block;
mod commit;
mod merkle;

pub use block::{BlockFault, TxResult, check_block, data_hash, header_hash, results_hash};
pub use commit::{CommitFault, address_of, check_commit, commit_hash, validators_hash, verify, vote_sign_bytes};
pub use merkle::root;
