//! Move addresses and their derivation.

use alloy_primitives::hex;
use sha3::{Digest, Sha3_256};

use super::Address;

/// Parses 32 bytes in hex; `None` for other text.
pub(crate) fn word(text: &str) -> Option<[u8; 32]> {
    hex::decode(text).ok()?.try_into().ok()
}

/// Parses an address as Move writes it, without leading zeros; `None` if invalid.
pub(crate) fn padded(text: &str) -> Option<[u8; 32]> {
    let digits = text.strip_prefix("0x").filter(|digits| (1..=64).contains(&digits.len()))?;
    word(&format!("{digits:0>64}"))
}

/// Parses an address in any format, zero-padded.
pub(crate) fn any_form(text: &str) -> Option<[u8; 32]> {
    padded(text).or_else(|| text.parse().ok().map(wide))
}

/// Parses an account; 20 bytes padded with zeros are a user's address.
pub(crate) fn account(text: &str) -> Option<Address> {
    padded(text).map(narrow)
}

/// Returns the account that a 32-byte Move address encodes.
pub(crate) fn narrow(bytes: [u8; 32]) -> Address {
    let (head, tail) = bytes.split_at(12);
    let user = Address::from_bytes(tail).filter(|_| head.iter().all(|&byte| byte == 0));
    user.unwrap_or(Address::Long(bytes))
}

/// Pads an account with zeros to a 32-byte Move address.
pub(crate) fn wide(address: Address) -> [u8; 32] {
    let mut bytes = [0; 32];
    let given = address.bytes();
    bytes.iter_mut().rev().zip(given.iter().rev()).for_each(|(to, from)| *to = *from);
    bytes
}

/// Derives an object's address: SHA3-256 of the owner's address, seed and scheme (`docs/apis/story.md` §2.3 and §6).
pub(crate) fn derived(owner: &[u8; 32], seed: &[u8], scheme: u8) -> [u8; 32] {
    Sha3_256::new().chain_update(owner).chain_update(seed).chain_update([scheme]).finalize().into()
}
