use sha2::{Digest as _, Sha256};

/// Computes the Merkle root of RFC 6962; without leaves, the hash of the empty string.
pub fn root<L: AsRef<[u8]>>(leaves: &[L]) -> [u8; 32] {
    match leaves {
        [] => Sha256::digest([]).into(),
        [leaf] => tagged(0, leaf.as_ref(), &[]),
        _ => {
            // The left side is the largest full tree smaller than the whole.
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            tagged(1, &root(left), &root(right))
        }
    }
}

fn tagged(tag: u8, left: &[u8], right: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update([tag]).chain_update(left).chain_update(right).finalize().into()
}
