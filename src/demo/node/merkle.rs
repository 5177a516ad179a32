//! The root of a list's hashes, as `CometBFT` computes it (RFC 6962).

use crate::demo::ledger::derive::sha256;

/// The root over these leaves; of none, the hash of nothing.
pub(super) fn root(leaves: &[Vec<u8>]) -> [u8; 32] {
    match leaves {
        [] => sha256([]),
        [leaf] => sha256([&[0], leaf.as_slice()].concat()),
        _ => {
            // The left side is the largest full tree.
            let half = leaves.len().next_power_of_two() / 2;
            let (left, right) = leaves.split_at(half);
            sha256([&[1], root(left).as_slice(), &root(right)].concat())
        }
    }
}

#[cfg(test)]
mod tests {
    use alloy_primitives::hex;
    use base64::{Engine as _, prelude::BASE64_STANDARD};

    use super::*;

    #[test]
    fn the_root_is_the_data_hash_of_a_real_block() {
        assert_eq!(hex::encode(root(&[]))[..8], *"e3b0c442");
        // Block 65 of a real rollup has this one transaction and this data hash.
        let tx = "CrIBCpMBChwvY29zbW9zLmJhbmsudjFiZXRhMS5Nc2dTZW5kEnMKK2luaXQxMHJsZXZyejJtcDR0bTdqOTdlNHkwOGZqNHA3cjY4d2Vz\
                  cWR6aHUSK2luaXQxa3h5OW5zczh5eHk5azgwdGpmaDVwank3dWszdHFxbHl0MmxrNHoaFwoDR0FTEhAxMDAwMDAwMDAwMDAwMDAwEhps\
                  aW5lIG9uZQpsaW5lIHR3bwl0YWINCmVuZBJ7ClsKUQoqL2luaXRpYS5jcnlwdG8udjFiZXRhMS5ldGhzZWNwMjU2azEuUHViS2V5EiMK\
                  IQLXUkmL3E6DGJIcy1zdZMoBI7iWgHRA95dcJa3JShUNrBIECgIIARgEEhwKFgoDR0FTEg8yMDAwMDAwMDAwMDAwMDAQwJoMGkG6esz+\
                  1QkFYfaw77oZYGsm4oqApWVFzX1gHy8YpyngHG23ijG6vX2gNiFFRhuaidoZoIOneSeLbkj/OOzEm4jUGw==";
        let leaf = sha256(BASE64_STANDARD.decode(tx).unwrap()).to_vec();
        let expected = "730b058a8f0790e4b93f919a343ffb717c2a7400fd3f49db96cdbcccc68e05b3";
        assert_eq!(hex::encode(root(std::slice::from_ref(&leaf))), expected);
        assert_ne!(root(&[leaf.clone(), leaf.clone()]), root(&[leaf.clone(), leaf.clone(), leaf]));
    }
}
