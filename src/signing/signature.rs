//! Verification of signatures: recovers the signer from the signature, or checks the signature against a key.

use alloy_primitives::{eip191_hash_message, keccak256};
use k256::ecdsa::{RecoveryId, Signature, VerifyingKey, signature::hazmat::PrehashVerifier as _};
use sha2::{Digest as _, Sha256};

use crate::domain::{Address, PublicKey};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    #[error("the wallet did not return a signature")]
    Form,
    /// The signature covers another text, such as one with another fee, or another key made it.
    #[error("the signature does not cover this document: the wallet signed another text, perhaps with another fee")]
    Invalid,
    /// A `personal_sign` signature names its key only together with its text, so another text and another account look
    /// alike.
    #[error("{} did not sign this document: the wallet signed another text, or with another account",
        .expected.bech32())]
    NotBy { expected: Address },
    /// Another account signed, by the key that the wallet named.
    #[error("{} signed, not {}: choose that account in the wallet", .signed.bech32(), .expected.bech32())]
    OtherAccount { expected: Address, signed: Address },
    #[error("the wallet's key type cannot sign here")]
    KeyType,
}

/// Computes the digest of `personal_sign`: Keccak-256 of Ethereum's prefix, the length and the text.
pub fn personal_digest(text: &[u8]) -> [u8; 32] {
    eip191_hash_message(text).0
}

/// Recovers the Ethereum key of a 65-byte `personal_sign` signature (r, s, and 27/28 or 0/1); returns the key and the
/// 64 bytes for a transaction.
pub fn recover(text: &[u8], signature: &[u8]) -> Result<(PublicKey, [u8; 64]), SignatureError> {
    let (sides, parity) = match signature {
        [sides @ .., 0 | 27] => (sides, false),
        [sides @ .., 1 | 28] => (sides, true),
        _ => return Err(SignatureError::Form),
    };
    let given = Signature::from_slice(sides).map_err(|_| SignatureError::Form)?;
    // Chains accept only the lower s.
    let low = given.normalize_s();
    let recovery = RecoveryId::new(parity != (low != given), false);
    let digest = personal_digest(text);
    let key = VerifyingKey::recover_from_prehash(&digest, &low, recovery).map_err(|_| SignatureError::Invalid)?;
    let point = key.to_sec1_point(true);
    let key = PublicKey::new(PublicKey::ETH_SECP256K1, point.as_bytes()).ok_or(SignatureError::Invalid)?;
    Ok((key, low.to_bytes().into()))
}

/// Verifies a 64-byte signature as a node does for this key type.
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
