//! Addresses of the EVM rollup's contracts.

use super::catalogue::{APPLICATIONS, CATALOGUE, COLLECTIONS, POOLS, TOKENS};
use crate::{
    demo::ledger::{
        common::{
            record::PartyId,
            world::{ContractLayout, World, foreign_denom, keyless},
        },
        derive,
    },
    domain::Address,
};

/// Returns the account that deployed the genesis contracts.
pub(crate) fn deployer(seed: u64) -> Address {
    keyless(seed, u32::MAX)
}

/// Derives the contract addresses from the deployer's nonces: tokens, collections, pools, applications, and the token
/// that no list names.
pub(crate) fn layout(seed: u64) -> ContractLayout {
    let deployer = deployer(seed);
    let bytes = match deployer {
        Address::Short(bytes) => bytes,
        Address::Long(bytes) => derive::last_twenty(bytes),
    };
    let count = (TOKENS.len() + COLLECTIONS.len() + POOLS.len() + APPLICATIONS.len()) as u64;
    let address = |nonce| Address::Short(derive::create_address(bytes, nonce));
    let native = |contract: Address| format!("evm/{}", contract.checksummed().trim_start_matches("0x"));
    let mut contracts = (0..count).map(address);
    let listed = TOKENS
        .iter()
        .zip(contracts.by_ref())
        .map(|(spec, contract)| (foreign_denom(&CATALOGUE, spec.origin).unwrap_or_else(|| native(contract)), contract));
    let tokens = listed.chain([(native(address(count)), address(count))]).collect();
    ContractLayout { tokens, contracts: contracts.collect(), accounts: Vec::new() }
}

/// Returns a pool's contract, which owns the reserves.
pub(crate) fn pool(world: &World, pool: u8) -> PartyId {
    world.contract(COLLECTIONS.len() + usize::from(pool))
}

pub(crate) fn application(world: &World, application: u8) -> PartyId {
    world.contract(COLLECTIONS.len() + POOLS.len() + usize::from(application))
}
