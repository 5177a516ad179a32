//! Derives keys and accounts of the sequencers.

use ed25519_dalek::SigningKey;

use crate::{
    demo::ledger::{BlockProposer, ProposingValidator, common::catalogue::SEQUENCERS, derive},
    domain::Address,
    proof::address_of,
};

pub(crate) fn sequencer_key(seed: u64, sequencer: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    let filler = derive::filler("sequencer", &[seed, u64::from(sequencer)], 32);
    bytes.iter_mut().zip(filler).for_each(|(to, from)| *to = from);
    bytes
}

pub(crate) fn sequencer_public_key(seed: u64, sequencer: u8) -> [u8; 32] {
    SigningKey::from_bytes(&sequencer_key(seed, sequencer)).verifying_key().to_bytes()
}

/// Returns a sequencer's operator account. The first sequencer's has the bytes of the consensus address, as the
/// launch command makes it; later sequencers join with accounts of their own.
pub(crate) fn operator_account(seed: u64, sequencer: u8) -> Address {
    match sequencer {
        0 => consensus_address(seed, sequencer),
        _ => Address::Short(address_of(&derive::filler("operator", &[seed, u64::from(sequencer)], 32))),
    }
}

fn consensus_address(seed: u64, sequencer: u8) -> Address {
    Address::Short(address_of(&sequencer_public_key(seed, sequencer)))
}

pub(super) fn proposer(seed: u64, sequencer: u8) -> BlockProposer {
    let moniker = SEQUENCERS.get(usize::from(sequencer)).copied().unwrap_or(SEQUENCERS[0]);
    let operator_address = operator_account(seed, sequencer).bech32_as("initvaloper");
    let validator = ProposingValidator { moniker: moniker.to_owned(), operator_address, height: None };
    BlockProposer { consensus_address: Some(consensus_address(seed, sequencer)), validator: Some(validator) }
}
