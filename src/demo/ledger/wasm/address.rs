//! Derives contract addresses as the Wasm module does.

use sha2::{Digest, Sha256};

use crate::demo::ledger::derive;

/// Derives a 32-byte address of the Wasm module.
fn module_address(key: &[u8]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(derive::sha256("module"));
    hasher.update(b"wasm\0");
    hasher.update(key);
    hasher.finalize().into()
}

pub(crate) fn contract_address(code: u32, instance: u32) -> [u8; 32] {
    module_address(&[u64::from(code).to_be_bytes(), u64::from(instance).to_be_bytes()].concat())
}

/// Derives the address of a contract that was created with a salt.
pub(crate) fn salted_address(checksum: &[u8; 32], maker: &[u8], salt: &[u8]) -> [u8; 32] {
    let mut key = Vec::with_capacity(32 + checksum.len() + maker.len() + salt.len());
    for part in [checksum.as_slice(), maker, salt, &[]] {
        key.extend_from_slice(&(part.len() as u64).to_be_bytes());
        key.extend_from_slice(part);
    }
    module_address(&key)
}

/// Derives the hash of a code from its number.
pub(crate) fn checksum(code: u32) -> [u8; 32] {
    derive::sha256(wasm_code(code))
}

/// Returns the bytes of an uploaded code: a Wasm header, then derived bytes that never run.
pub(crate) fn wasm_code(code: u32) -> Vec<u8> {
    let mut bytes = b"\0asm\x01\0\0\0".to_vec();
    bytes.extend(derive::filler("wasm code", &[u64::from(code)], 360));
    bytes
}

#[cfg(test)]
mod tests {
    use super::{checksum, contract_address, salted_address};
    use crate::domain::Address;

    #[test]
    fn addresses_differ_and_repeat() {
        let classic = contract_address(1, 1);
        assert_eq!(classic, contract_address(1, 1));
        assert_ne!(classic, contract_address(1, 2));
        assert_ne!(salted_address(&checksum(1), &[1; 20], b"a"), salted_address(&checksum(1), &[1; 20], b"b"));
    }

    #[test]
    fn the_first_contract_of_every_chain_is_well_known() {
        // Only the numbers of code and instance matter, so the first contract of every chain has this address.
        let first = "init14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9s";
        let address = Address::Long(contract_address(1, 1)).bech32();
        assert_eq!(address[..first.len()], *first, "the first contract");
    }
}
