//! Who made a signature, found from the signature alone or checked against a key.

use alloy_primitives::{eip191_hash_message, keccak256};
use k256::ecdsa::{RecoveryId, Signature, VerifyingKey, signature::hazmat::PrehashVerifier as _};
use sha2::{Digest as _, Sha256};

use crate::domain::{Address, PublicKey};

/// Why a signature is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// Not the bytes of a signature.
    #[error("what the wallet gave back is no signature")]
    Form,
    /// Made of another text, or by another key than the one beside it.
    #[error("the signature is not one of this document")]
    Invalid,
    /// Made by another account of the wallet.
    #[error("{} signed, and not {}: choose that account in the wallet", .signed.bech32(), .expected.bech32())]
    OtherAccount {
        /// Who was asked.
        expected: Address,
        /// Who signed.
        signed: Address,
    },
    /// The key is of a type that does not sign transactions alone.
    #[error("the wallet gave a key of a type that cannot sign here")]
    KeyType,
}

/// The digest that `personal_sign` signs: Keccak-256 of the text behind Ethereum's prefix and its length.
pub fn personal_digest(text: &[u8]) -> [u8; 32] {
    eip191_hash_message(text).0
}

/// The Ethereum key that made these 65 bytes (r, s, and 27 or 28, or 0 or 1) over a text by `personal_sign`, and the 64
/// bytes that a transaction has.
pub fn recover(text: &[u8], signature: &[u8]) -> Result<(PublicKey, [u8; 64]), SignatureError> {
    let (sides, parity) = match signature {
        [sides @ .., 0 | 27] => (sides, false),
        [sides @ .., 1 | 28] => (sides, true),
        _ => return Err(SignatureError::Form),
    };
    let given = Signature::from_slice(sides).map_err(|_| SignatureError::Form)?;
    // Chains take the lower of the two signatures only.
    let low = given.normalize_s();
    let recovery = RecoveryId::new(parity != (low != given), false);
    let digest = personal_digest(text);
    let key = VerifyingKey::recover_from_prehash(&digest, &low, recovery).map_err(|_| SignatureError::Invalid)?;
    let point = key.to_sec1_point(true);
    let key = PublicKey::of(PublicKey::ETH_SECP256K1, point.as_bytes()).ok_or(SignatureError::Invalid)?;
    Ok((key, low.to_bytes().into()))
}

/// Checks a signature of 64 bytes over bytes, as a node does for a key of this type.
pub fn verify(key: &PublicKey, bytes: &[u8], signature: &[u8]) -> Result<[u8; 64], SignatureError> {
    let (point, digest): (_, [u8; 32]) = match key {
        PublicKey::Secp256k1(point) => (point, Sha256::digest(bytes).into()),
        PublicKey::EthSecp256k1(point) => (point, keccak256(bytes).0),
        PublicKey::Ed25519(_) | PublicKey::Multisig { .. } => return Err(SignatureError::KeyType),
    };
    let given = Signature::from_slice(signature).map_err(|_| SignatureError::Form)?;
    let low = given.normalize_s();
    let key = VerifyingKey::from_sec1_bytes(point).map_err(|_| SignatureError::KeyType)?;
    key.verify_prehash(&digest, &low).map_err(|_| SignatureError::Invalid)?;
    Ok(low.to_bytes().into())
}
