//! Where the objects and modules of the Move rollup lie.

use super::{
    catalogue::{BRIDGED_COLLECTION, CATALOGUE, COLLECTIONS, PUBLISHERS, TOKENS, pool},
    std_address,
};
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

/// The account that made the native tokens.
fn issuer(seed: u64) -> Address {
    keyless(seed, u32::MAX)
}

/// The metadata object of a token and its denom: foreign tokens are coins of `0x1` named by their denom.
fn token(seed: u64, symbol: &str, origin: OriginSpec) -> (String, Address) {
    if let Some(denom) = foreign_denom(&CATALOGUE, origin) {
        let metadata = derive::named_object(std_address(), &denom);
        return (denom, Address::Long(metadata));
    }
    let metadata = Address::Long(derive::named_object(issuer(seed).word(), symbol));
    (format!("move/{}", metadata.hex().trim_start_matches("0x")), metadata)
}

/// Tokens lie at their metadata objects; collections at theirs; then come the publishers of modules.
pub(crate) fn layout(seed: u64) -> ContractLayout {
    let tokens = TOKENS.iter().map(|spec| token(seed, spec.symbol, spec.origin)).collect();
    // Who made a collection is the user with its number.
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

/// The class on this chain of a collection from the L1.
fn class(origin: &str) -> String {
    let channel = CATALOGUE.channels.get(1).map_or("", |channel| channel.id);
    format!("ibc/{}", derive::voucher_hash(&format!("nft-transfer/{channel}/{origin}")))
}

/// The account that published a module.
pub(crate) fn publisher(world: &World, place: u8) -> PartyId {
    world.contract(COLLECTIONS.len() + usize::from(place))
}

/// The object that holds a pool's reserves: the metadata of its shares.
pub(crate) fn reserves(world: &World, place: u8) -> PartyId {
    world.token(TokenId(pool(place).shares)).contract
}

/// A collection's name; the class for the one that came over IBC.
pub(crate) fn collection_name(world: &World, collection: u8) -> &str {
    if collection == BRIDGED_COLLECTION {
        return &world.bridged_class;
    }
    COLLECTIONS.get(usize::from(collection)).map_or("", |spec| spec.name)
}

/// The account that made a collection and mints its tokens, as 32 bytes.
fn minter(world: &World, collection: u8) -> [u8; 32] {
    if collection == BRIDGED_COLLECTION {
        return std_address();
    }
    world.party(PartyId(u32::from(collection))).word()
}

/// The object of an NFT: named by its collection and id under its creator.
pub(crate) fn nft_object(world: &World, collection: u8, number: u32) -> [u8; 32] {
    let name = format!("{}::{number}", collection_name(world, collection));
    derive::named_object(minter(world, collection), &name)
}
