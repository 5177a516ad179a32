//! Consensus proofs of a block: hashes of headers, transactions, results, validators and commits, and the signatures
//! over them. Pure: no I/O, no clock.
//!
//! A block that passes is *consistent*. Only a root from outside its node proves it: a hash that was trusted before, or
//! one that the L1 holds.

mod block;
mod commit;
mod merkle;

pub use block::{BlockFault, TxResult, check_block, data_hash, header_hash, results_hash};
pub use commit::{CommitFault, address_of, check_commit, commit_hash, validators_hash, verify, vote_sign_bytes};
pub use merkle::root;
