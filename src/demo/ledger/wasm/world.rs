//! Addresses of the Wasm rollup's contracts.

use super::{
    address::{checksum, contract_address, salted_address},
    catalogue::{
        APPLICATIONS, BRIDGED_COLLECTION, CATALOGUE, COLLECTION_CODE, COLLECTIONS, CW20S, FACTORY, FIRST_OF_ARTIST,
        POOL_CODE, POOLS, TOKEN_CODE, TOKENS,
    },
    record::{CreatedContract, Cw20},
};
use crate::{
    demo::ledger::{
        common::{
            catalogue::NFT_CHANNEL,
            record::PartyId,
            world::{ContractLayout, World, foreign_denom, operator_key},
        },
        derive,
    },
    domain::Address,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SingleContract {
    /// Contract that stakes the CW-20 token.
    Vault,
    /// Contract that saves coins, also for hooks of deposits.
    Savings,
    Airdrop,
    Marketplace,
    Launchpad,
    /// Contract that sends and receives NFTs over IBC.
    Ics721,
    /// Contract that forwards its funds, for hooks of packets.
    Postbox,
}

/// Account that only this flavour has. In the world these follow the contracts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Account {
    Factory,
    /// Creator of the factory's denoms and minter of CW-20 tokens.
    Issuer,
    /// Creator of the collections.
    Artist,
}

/// Number of contracts with one instance, without the applications.
const SINGLE_CONTRACTS: usize = SingleContract::Postbox as usize + 1;
/// Index of the first contract of each kind in the world. The collections come first.
const CW20S_AT: usize = COLLECTIONS.len();
const POOLS_AT: usize = CW20S_AT + CW20S.len();
const SINGLE_CONTRACTS_AT: usize = POOLS_AT + POOLS.len();
const APPLICATIONS_AT: usize = SINGLE_CONTRACTS_AT + SINGLE_CONTRACTS;
const ACCOUNTS_AT: usize = APPLICATIONS_AT + APPLICATIONS.len();

/// Number of contracts at genesis. The bridged collection does not count, since its address has a salt.
#[expect(clippy::cast_possible_truncation, reason = "the catalogue is short")]
pub(crate) const INSTANCES: u32 = (ACCOUNTS_AT - 1) as u32;

/// Returns the creator of a collection: the artist, or the ICS-721 contract.
pub(crate) fn creator(world: &World, collection: u8) -> Address {
    if collection == BRIDGED_COLLECTION { bridge() } else { world.party(account(world, Account::Artist)).address }
}

/// Returns the ICS-721 contract's address.
pub(crate) fn bridge() -> Address {
    let place = SingleContract::Ics721 as u32;
    let before = u32::try_from(SINGLE_CONTRACTS_AT - 1).unwrap_or(0);
    Address::Long(contract_address(POOL_CODE + 1 + place, before + 1 + place))
}

/// Returns the denoms of tokens and the addresses of contracts.
pub(crate) fn layout(seed: u64) -> ContractLayout {
    let factory = Address::Short(derive::module_account("tokenfactory"));
    let [issuer, artist] = [u32::MAX, u32::MAX - 1].map(|index| operator_key(seed, index));
    let codes = std::iter::repeat_n(COLLECTION_CODE, COLLECTIONS.len() - 1)
        .chain(std::iter::repeat_n(TOKEN_CODE, CW20S.len()))
        .chain(std::iter::repeat_n(POOL_CODE, POOLS.len()))
        .chain((POOL_CODE + 1..).take(SINGLE_CONTRACTS + APPLICATIONS.len()));
    let mut contracts: Vec<Address> =
        codes.zip(1..).map(|(code, instance)| Address::Long(contract_address(code, instance))).collect();
    // Only the last, the bridged collection, is still missing.
    let bridge = bridge();
    let salt = derive::sha256(bridged_class(&bridge));
    let bridged = salted_address(&checksum(COLLECTION_CODE), bridge.bytes(), &salt);
    contracts.insert(usize::from(BRIDGED_COLLECTION), Address::Long(bridged));
    contracts.push(factory);
    let denom = |(place, origin)| {
        let name = FACTORY.iter().find(|(token, _)| *token == place).map_or("", |(_, name)| name);
        foreign_denom(&CATALOGUE, origin).unwrap_or_else(|| format!("factory/{}/{name}", issuer.address.bech32()))
    };
    // These tokens are in the bank and have no contract.
    let tokens = (0..).zip(TOKENS.iter().map(|spec| spec.origin)).map(|token| (denom(token), factory));
    ContractLayout { tokens: tokens.collect(), contracts, accounts: vec![issuer, artist] }
}

/// Returns the ICS-721 contract's port.
pub(crate) fn nft_port(bridge: &Address) -> String {
    format!("wasm.{}", bridge.bech32())
}

/// Returns the class path of the bridged collection in the ICS-721 contract.
pub(crate) fn bridged_class(bridge: &Address) -> String {
    let origin = COLLECTIONS.iter().find_map(|spec| spec.origin).unwrap_or_default();
    format!("{}/{}/{origin}", nft_port(bridge), CATALOGUE.channels[NFT_CHANNEL].id)
}

/// Returns a CW-20 token's contract.
pub(crate) fn cw20(world: &World, token: Cw20) -> PartyId {
    world.contract(CW20S_AT + usize::from(token.0))
}

/// Returns a pool's contract, which owns the reserves.
pub(crate) fn pool(world: &World, pool: u8) -> PartyId {
    world.contract(POOLS_AT + usize::from(pool))
}

pub(crate) fn single_contract(world: &World, single_contract: SingleContract) -> PartyId {
    world.contract(SINGLE_CONTRACTS_AT + single_contract as usize)
}

pub(crate) fn application(world: &World, application: u8) -> PartyId {
    world.contract(APPLICATIONS_AT + usize::from(application))
}

/// Returns an account that only this flavour has.
pub(crate) fn account(world: &World, account: Account) -> PartyId {
    world.contract(ACCOUNTS_AT + account as usize)
}

pub(crate) fn minter(world: &World, collection: u8) -> PartyId {
    match collection {
        BRIDGED_COLLECTION => single_contract(world, SingleContract::Ics721),
        place if place < FIRST_OF_ARTIST => single_contract(world, SingleContract::Launchpad),
        _ => account(world, Account::Artist),
    }
}

pub(crate) fn salt(made: CreatedContract) -> String {
    format!("rollscope-{}", made.instance)
}

pub(crate) fn made_address(world: &World, made: CreatedContract) -> Address {
    let bytes = if made.is_salted {
        salted_address(&checksum(made.code), world.party(made.maker).address.bytes(), salt(made).as_bytes())
    } else {
        contract_address(made.code, made.instance)
    };
    Address::Long(bytes)
}
