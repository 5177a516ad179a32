//! Verifies the signatures of posted transactions.

use alloy_primitives::keccak256;
use k256::ecdsa::{Signature, VerifyingKey, signature::hazmat::PrehashVerifier as _};
use sha2::{Digest as _, Sha256};

use super::{PostedMode, PostedTx, TxRefusal, ethereum_chain_id};
use crate::{domain::PublicKey, wire::protobuf::ProtoWriter};

impl PostedTx {
    pub(super) fn is_signed_by(&self, key: &PublicKey, chain_id: &str, account: u64) -> Result<bool, TxRefusal> {
        if self.mode == PostedMode::Unsigned {
            return Ok(false);
        }
        if self.mode == PostedMode::Ethereum {
            let payload = self.ethereum(ethereum_chain_id(chain_id));
            return Ok(payload.and_then(|payload| payload.signer().ok()).is_some_and(|signer| signer == *key));
        }
        let signature = self.parts.signatures.first().map_or(&[][..], Vec::as_slice);
        Ok(self.signed(chain_id, account)?.iter().any(|bytes| is_of(key, bytes, signature)))
    }

    /// Returns the signed bytes, in each format that the chain accepts.
    fn signed(&self, chain_id: &str, account: u64) -> Result<Vec<Vec<u8>>, TxRefusal> {
        if self.mode == PostedMode::Direct {
            let mut writer = ProtoWriter::new();
            for (number, part) in
                [(1, &self.parts.body_bytes[..]), (2, &self.parts.auth_info_bytes), (3, chain_id.as_bytes())]
            {
                if !part.is_empty() {
                    writer = writer.bytes(number, part);
                }
            }
            return Ok(vec![writer.uint(4, account).finish()]);
        }
        let documents = self.documents(chain_id, account)?;
        let bytes = |document: String| match self.mode {
            PostedMode::Personal => {
                format!("\u{19}Ethereum Signed Message:\n{}{document}", document.len()).into_bytes()
            }
            _ => document.into_bytes(),
        };
        Ok(documents.into_iter().map(bytes).collect())
    }
}

/// Whether `signature` is the key's signature of these bytes. Rejects malleable signatures, like real chains.
fn is_of(key: &PublicKey, bytes: &[u8], signature: &[u8]) -> bool {
    let (point, hash): (&[u8], [u8; 32]) = match key {
        PublicKey::Secp256k1(point) => (point, Sha256::digest(bytes).into()),
        PublicKey::EthSecp256k1(point) => (point, keccak256(bytes).0),
        PublicKey::Ed25519(_) | PublicKey::Multisig { .. } => return false,
    };
    let (Ok(key), Ok(signature)) = (VerifyingKey::from_sec1_bytes(point), Signature::from_slice(signature)) else {
        return false;
    };
    let is_low = signature.normalize_s() == signature;
    is_low && key.verify_prehash(&hash, &signature).is_ok()
}
