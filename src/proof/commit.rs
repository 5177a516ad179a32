use base64::{Engine as _, prelude::BASE64_STANDARD};
use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};
use sha2::{Digest as _, Sha256};

use super::{
    block::{block_id, timestamp},
    merkle::root,
};
use crate::{
    domain::Timestamp,
    wire::{
        node::{BlockCommit, CommitSignature, ConsensusBlockId, ConsensusValidator},
        protobuf::ProtoWriter,
    },
};

const FOR_BLOCK: u8 = 2;

/// Reason why a commit does not prove a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommitFault {
    #[error("a validator's key is not an ed25519 key")]
    Key,
    #[error("validators with {signed} of {total} voting power signed the block; it needs over two thirds")]
    Power { signed: u64, total: u64 },
}

/// Computes the Merkle root over a commit's signatures, for the next header.
pub fn commit_hash(commit: &BlockCommit) -> [u8; 32] {
    let leaf = |vote: &CommitSignature| {
        let start = ProtoWriter::new().uint(1, u64::from(vote.block_id_flag));
        let address = &vote.validator_address.0;
        let signer = if address.is_empty() { start } else { start.bytes(2, address) };
        let signature = BASE64_STANDARD.decode(&vote.signature).unwrap_or_default();
        let timed = signer.bytes(3, timestamp(vote.timestamp));
        if signature.is_empty() { timed.finish() } else { timed.bytes(4, signature).finish() }
    };
    root(&commit.signatures.iter().map(leaf).collect::<Vec<_>>())
}

/// Computes the Merkle root over the validators' keys and powers, in the order of the set.
pub fn validators_hash<'a>(validators: impl IntoIterator<Item = (&'a [u8], u64)>) -> [u8; 32] {
    let leaf = |(key, power): (&[u8], u64)| {
        ProtoWriter::new().bytes(1, ProtoWriter::new().bytes(1, key).finish()).uint(2, power).finish()
    };
    root(&validators.into_iter().map(leaf).collect::<Vec<_>>())
}

/// Derives a validator's address: the first 20 bytes of the key's SHA-256.
pub fn address_of(key: &[u8]) -> [u8; 20] {
    let mut address = [0; 20];
    address.iter_mut().zip(Sha256::digest(key)).for_each(|(to, from)| *to = from);
    address
}

/// Encodes the length-prefixed canonical precommit that a validator signs.
pub fn vote_sign_bytes(chain_id: &str, height: u64, round: u32, id: &ConsensusBlockId, time: Timestamp) -> Vec<u8> {
    let vote = fixed(ProtoWriter::new().uint(1, 2), 2, height);
    let vote = fixed(vote, 3, u64::from(round)).bytes(4, block_id(id)).bytes(5, timestamp(time)).bytes(6, chain_id);
    let vote = vote.finish();
    ProtoWriter::new().packed(vote.len() as u64).raw(&vote).finish()
}

/// Writes a fixed 64-bit field; omits zero.
fn fixed(writer: ProtoWriter, field: u64, value: u64) -> ProtoWriter {
    if value == 0 { writer } else { writer.packed(field << 3 | 1).raw(&value.to_le_bytes()) }
}

/// Verifies an ed25519 signature. Stricter than `CometBFT`'s ZIP-215 rules, but only for malformed keys and signatures:
/// every regular signature passes both.
pub fn verify(key: &[u8; 32], message: &[u8], signature: &[u8]) -> bool {
    let (key, signature) = (VerifyingKey::from_bytes(key), Signature::from_slice(signature));
    key.is_ok_and(|key| signature.is_ok_and(|signature| key.verify(message, &signature).is_ok()))
}

/// Checks that validators with more than two thirds of the power voted for the commit's block.
pub fn check_commit(
    chain_id: &str,
    commit: &BlockCommit,
    validators: &[ConsensusValidator],
) -> Result<(), CommitFault> {
    let key = |validator: &ConsensusValidator| {
        let bytes = BASE64_STANDARD.decode(&validator.pub_key.value).ok()?;
        <[u8; 32]>::try_from(bytes).ok()
    };
    let (mut signed, mut total) = (0_u64, 0_u64);
    for validator in validators {
        let key = key(validator).ok_or(CommitFault::Key)?;
        let address = address_of(&key);
        let is_for = |vote: &&CommitSignature| vote.block_id_flag == FOR_BLOCK && vote.validator_address.0 == address;
        let holds = |vote: &CommitSignature| {
            let message = vote_sign_bytes(chain_id, commit.height, commit.round, &commit.block_id, vote.timestamp);
            BASE64_STANDARD.decode(&vote.signature).is_ok_and(|signature| verify(&key, &message, &signature))
        };
        total = total.saturating_add(validator.voting_power);
        if commit.signatures.iter().find(is_for).is_some_and(holds) {
            signed = signed.saturating_add(validator.voting_power);
        }
    }
    let is_enough = u128::from(signed) * 3 > u128::from(total) * 2;
    if is_enough { Ok(()) } else { Err(CommitFault::Power { signed, total }) }
}
