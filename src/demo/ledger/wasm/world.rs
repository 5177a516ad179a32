//! Where the contracts of the Wasm rollup lie.

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

/// Contracts that there is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SingleContract {
    /// Where the CW-20 token is staked.
    Vault,
    /// Where coins are saved, also by hooks of deposits.
    Savings,
    /// Who gives rewards away.
    Airdrop,
    /// Where NFTs are offered.
    Marketplace,
    /// Where NFTs are minted.
    Launchpad,
    /// Where NFTs come and go over IBC.
    Ics721,
    /// Who hands on what it is given, for hooks of packets.
    Postbox,
}

/// Accounts that only this flavour has; in the world they follow the contracts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Account {
    /// The token factory's module.
    Factory,
    /// Who made the factory's denoms and mints CW-20 tokens.
    Issuer,
    /// Who made the collections.
    Artist,
}

/// How many contracts there are one of, without the applications.
const SINGLE_CONTRACTS: usize = SingleContract::Postbox as usize + 1;
/// The places of the contracts in the world, each kind after the one before; the collections are first.
const CW20S_AT: usize = COLLECTIONS.len();
const POOLS_AT: usize = CW20S_AT + CW20S.len();
const SINGLE_CONTRACTS_AT: usize = POOLS_AT + POOLS.len();
const APPLICATIONS_AT: usize = SINGLE_CONTRACTS_AT + SINGLE_CONTRACTS;
const ACCOUNTS_AT: usize = APPLICATIONS_AT + APPLICATIONS.len();

/// How many contracts there are at genesis, without the bridged collection, which is made with a salt.
#[expect(clippy::cast_possible_truncation, reason = "the catalogue is short")]
pub(crate) const INSTANCES: u32 = (ACCOUNTS_AT - 1) as u32;

/// Who made a collection: the artist, or the ICS-721 contract.
pub(crate) fn creator(world: &World, collection: u8) -> Address {
    if collection == BRIDGED_COLLECTION { bridge() } else { world.party(account(world, Account::Artist)).address }
}

/// Where the ICS-721 contract lies.
pub(crate) fn bridge() -> Address {
    let place = SingleContract::Ics721 as u32;
    let before = u32::try_from(SINGLE_CONTRACTS_AT - 1).unwrap_or(0);
    Address::Long(contract_address(POOL_CODE + 1 + place, before + 1 + place))
}

/// Tokens by their denoms, and contracts where their codes and numbers put them.
pub(crate) fn layout(seed: u64) -> ContractLayout {
    let factory = Address::Short(derive::module_account("tokenfactory"));
    let [issuer, artist] = [u32::MAX, u32::MAX - 1].map(|index| operator_key(seed, index));
    let codes = std::iter::repeat_n(COLLECTION_CODE, COLLECTIONS.len() - 1)
        .chain(std::iter::repeat_n(TOKEN_CODE, CW20S.len()))
        .chain(std::iter::repeat_n(POOL_CODE, POOLS.len()))
        .chain((POOL_CODE + 1..).take(SINGLE_CONTRACTS + APPLICATIONS.len()));
    let mut contracts: Vec<Address> =
        codes.zip(1..).map(|(code, instance)| Address::Long(contract_address(code, instance))).collect();
    // Only the bridged collection, which has the last place among them, is missing so far.
    let bridge = bridge();
    let salt = derive::sha256(bridged_class(&bridge));
    let bridged = salted_address(&checksum(COLLECTION_CODE), bridge.bytes(), &salt);
    contracts.insert(usize::from(BRIDGED_COLLECTION), Address::Long(bridged));
    contracts.push(factory);
    let denom = |(place, origin)| {
        let name = FACTORY.iter().find(|(token, _)| *token == place).map_or("", |(_, name)| name);
        foreign_denom(&CATALOGUE, origin).unwrap_or_else(|| format!("factory/{}/{name}", issuer.address.bech32()))
    };
    // The bank keeps these tokens: no contract stands for one.
    let tokens = (0..).zip(TOKENS.iter().map(|spec| spec.origin)).map(|token| (denom(token), factory));
    ContractLayout { tokens: tokens.collect(), contracts, accounts: vec![issuer, artist] }
}

/// The port of the ICS-721 contract.
pub(crate) fn nft_port(bridge: &Address) -> String {
    format!("wasm.{}", bridge.bech32())
}

/// The path of the bridged class as the ICS-721 contract knows it.
pub(crate) fn bridged_class(bridge: &Address) -> String {
    let origin = COLLECTIONS.iter().find_map(|spec| spec.origin).unwrap_or_default();
    format!("{}/{}/{origin}", nft_port(bridge), CATALOGUE.channels[NFT_CHANNEL].id)
}

/// A CW-20 token's contract.
pub(crate) fn cw20(world: &World, token: Cw20) -> PartyId {
    world.contract(CW20S_AT + usize::from(token.0))
}

/// A pool's contract, which holds its reserves.
pub(crate) fn pool(world: &World, pool: u8) -> PartyId {
    world.contract(POOLS_AT + usize::from(pool))
}

/// A contract that there is one of.
pub(crate) fn single_contract(world: &World, single_contract: SingleContract) -> PartyId {
    world.contract(SINGLE_CONTRACTS_AT + single_contract as usize)
}

pub(crate) fn application(world: &World, application: u8) -> PartyId {
    world.contract(APPLICATIONS_AT + usize::from(application))
}

/// An account that only this flavour has.
pub(crate) fn account(world: &World, account: Account) -> PartyId {
    world.contract(ACCOUNTS_AT + account as usize)
}

/// Who mints a collection's tokens.
pub(crate) fn minter(world: &World, collection: u8) -> PartyId {
    match collection {
        BRIDGED_COLLECTION => single_contract(world, SingleContract::Ics721),
        place if place < FIRST_OF_ARTIST => single_contract(world, SingleContract::Launchpad),
        _ => account(world, Account::Artist),
    }
}

/// The salt of a contract made with one.
pub(crate) fn salt(made: CreatedContract) -> String {
    format!("rollscope-{}", made.instance)
}

/// Where a contract lies that a user made.
pub(crate) fn made_address(world: &World, made: CreatedContract) -> Address {
    let bytes = if made.is_salted {
        salted_address(&checksum(made.code), world.party(made.maker).address.bytes(), salt(made).as_bytes())
    } else {
        contract_address(made.code, made.instance)
    };
    Address::Long(bytes)
}
