//! Addresses of the Move rollup's objects and modules.

use super::catalogue::{BRIDGED_COLLECTION, CATALOGUE, COLLECTIONS, PUBLISHERS, TOKENS, pool};
use crate::{
    demo::ledger::{
        common::{
            catalogue::OriginSpec,
            record::{PartyId, TokenId},
            world::{ContractLayout, World, foreign_denom, keyless},
        },
        derive,
        keys::{KeyKind, first_keys},
        rng::mix,
    },
    domain::Address,
};

/// Returns the account that issues the native tokens.
fn issuer(seed: u64) -> Address {
    keyless(seed, u32::MAX)
}

/// Returns a token's metadata object and denom. Foreign tokens are coins of `0x1`, named after their denom.
fn token(seed: u64, symbol: &str, origin: OriginSpec) -> (String, Address) {
    if let Some(denom) = foreign_denom(&CATALOGUE, origin) {
        let metadata = derive::named_object(std_address(), &denom);
        return (denom, Address::Long(metadata));
    }
    let metadata = Address::Long(derive::named_object(issuer(seed).word(), symbol));
    (format!("move/{}", metadata.hex().trim_start_matches("0x")), metadata)
}

/// Returns the addresses: tokens' metadata objects, collections, then the publishers of modules.
pub(crate) fn layout(seed: u64) -> ContractLayout {
    let tokens = TOKENS.iter().map(|spec| token(seed, spec.symbol, spec.origin)).collect();
    // The user with a collection's number is its creator.
    let makers = first_keys(KeyKind::Ethereum, seed, u32::from(BRIDGED_COLLECTION) + 1);
    let collections = makers.iter().zip(&COLLECTIONS).map(|(maker, spec)| {
        let object = match spec.origin {
            None => derive::named_object(maker.address.word(), spec.name),
            Some(origin) => derive::named_object(std_address(), &class(origin)),
        };
        Address::Long(object)
    });
    let publishers = (0..PUBLISHERS).map(|place| keyless(mix(seed), 0x7000 + u32::from(place)));
    ContractLayout { tokens, contracts: collections.chain(publishers).collect(), accounts: Vec::new() }
}

/// Returns the class that an L1 collection has on the rollup.
fn class(origin: &str) -> String {
    let channel = CATALOGUE.channels.get(1).map_or("", |channel| channel.id);
    format!("ibc/{}", derive::voucher_hash(&format!("nft-transfer/{channel}/{origin}")))
}

/// Returns a module publisher's account.
pub(crate) fn publisher(world: &World, place: u8) -> PartyId {
    world.contract(COLLECTIONS.len() + usize::from(place))
}

/// Returns the object that owns a pool's reserves: the metadata of its shares.
pub(crate) fn reserves(world: &World, place: u8) -> PartyId {
    world.token(TokenId(pool(place).shares)).contract
}

/// Returns a collection's name; for the bridged collection, the class.
pub(crate) fn collection_name(world: &World, collection: u8) -> &str {
    if collection == BRIDGED_COLLECTION {
        return &world.bridged_class;
    }
    COLLECTIONS.get(usize::from(collection)).map_or("", |spec| spec.name)
}

/// Returns the account that created a collection and mints its tokens, as 32 bytes.
fn minter(world: &World, collection: u8) -> [u8; 32] {
    if collection == BRIDGED_COLLECTION {
        return std_address();
    }
    world.party(PartyId(u32::from(collection))).word()
}

/// Derives an NFT's object from creator, collection and token ID.
pub(crate) fn nft_object(world: &World, collection: u8, number: u32) -> [u8; 32] {
    let name = format!("{}::{number}", collection_name(world, collection));
    derive::named_object(minter(world, collection), &name)
}

/// Returns the standard library's address, `0x1`, as 32 bytes.
pub(crate) fn std_address() -> [u8; 32] {
    derive::word(derive::system_account(1))
}
