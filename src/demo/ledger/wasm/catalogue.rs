//! Content of the Wasm rollup: tokens, collections, pools, channels and contracts.

use super::record::{Cw20, PoolAsset, Swap};
use crate::demo::ledger::common::{
    catalogue::{
        ChannelSpec, CollectionSpec, FEE_TOKEN, INLINE, LedgerCatalogue, OriginSpec, TokenSpec, channels, collection,
        token,
    },
    record::TokenId,
};

/// Denom of ether on the L1, where it is a Move asset.
const L1_ETHER: &str = "move/5d0c2f1e8ab94376a1f0e6b7c39d84125e77aa09bb13c6f4d28e90571c3fa6b2";
/// Collection on the L1 from which the bridged class comes.
const L1_COLLECTION: &str = "move/93b6f0a41d7ce58240f9bb31a6e8d5720c4f1e9d86ab375e02c19d4f78a65b03";

/// Catalogue of the Wasm rollup. Its fee token is the L1's native token, as on real Wasm rollups.
pub(crate) static CATALOGUE: LedgerCatalogue = LedgerCatalogue {
    chain_id: "rollscope-wasm-1",
    bridge_id: 79,
    gas_price_milli: 15,
    free_denom: "gas",
    largest: u128::MAX,
    tokens: &TOKENS,
    bridged: &[0, 0, 1, 2],
    sent: &[0, 1, 3, 3, 4, 5, 9],
    received: &[0, 1, 3, 3, 4, 4, 5, 9],
    channels: &CHANNELS,
    collections: &COLLECTIONS,
    bridged_collection: BRIDGED_COLLECTION,
};

/// Tokens of the bank; the first is the fee token.
pub(crate) const TOKENS: [TokenSpec; 12] = [
    token("INIT", 6, OriginSpec::Bridged("uinit")),
    token("USDC", 6, OriginSpec::Bridged("ibc/6490A7EAB61059BFC1CDDEB05917DD70BDF3A611654162A1A47DB930D40D8AF4")),
    token("sINIT", 6, OriginSpec::Bridged("move/2b87d1c50e9f4a63781be40d95c2fa7703e6b18acd5942f0871d3ea6954bc0f8")),
    token("ETH", 6, OriginSpec::Voucher { channel: 0, base: L1_ETHER }),
    token("TIA", 6, OriginSpec::Voucher { channel: 2, base: "utia" }),
    token("INJ", 18, OriginSpec::Voucher { channel: 3, base: "inj" }),
    token("REEF", 6, OriginSpec::Native),
    token("KELP", 6, OriginSpec::Native),
    token("PEARL", 18, OriginSpec::Native),
    token("USDR", 18, OriginSpec::Native),
    token("FOAM", 6, OriginSpec::Native),
    token("TIDE", 6, OriginSpec::Native),
];

/// Factory tokens: index in [`TOKENS`], and last part of the denom.
pub(crate) const FACTORY: [(u8, &str); 6] =
    [(6, "ureef"), (7, "ukelp"), (8, "pearl"), (9, "usdr"), (10, "ufoam"), (11, "utide")];

pub(crate) const PRICE_TOKEN: TokenId = TokenId(FEE_TOKEN);
/// Token that the savings contract and hooks take.
pub(crate) const SAVED_TOKEN: TokenId = TokenId(FEE_TOKEN);
/// Token that the airdrop pays out.
pub(crate) const REWARD_TOKEN: TokenId = TokenId(6);

/// Decimals of the CW-20 tokens, which are not in the bank.
pub(crate) const CW20S: [u8; 4] = [6, 6, 18, 6];

/// CW-20 token that the vault stakes.
pub(crate) const STAKED: Cw20 = Cw20(1);

const fn coin(token: u8) -> PoolAsset {
    PoolAsset::Coin(TokenId(token))
}

pub(crate) const POOLS: [(PoolAsset, PoolAsset); 6] = [
    (coin(0), coin(1)),
    (coin(3), coin(1)),
    (coin(6), coin(0)),
    (coin(9), coin(1)),
    (coin(0), PoolAsset::Contract(Cw20(0))),
    (coin(4), PoolAsset::Contract(Cw20(2))),
];

/// Returns the asset that a swap sells and the asset that it buys.
pub(crate) fn swap_assets(swap: &Swap) -> (PoolAsset, PoolAsset) {
    let (first, second) = POOLS.get(usize::from(swap.pool)).copied().unwrap_or(POOLS[0]);
    if swap.forward { (first, second) } else { (second, first) }
}

/// Open channels. Channel 0 leads to the L1; channel 1 carries NFTs between the L1's module and the ICS-721 contract.
const CHANNELS: [ChannelSpec; 4] = channels(["channel-61", "channel-64", "channel-93", "channel-402"]);

/// Collections, with 1,500 initial tokens in all. The last arrives over IBC; its first arrival creates it.
pub(crate) const COLLECTIONS: [CollectionSpec; 8] = [
    collection("Drift Bottles", "ipfs://drift-bottles/", 360, 5_000, None),
    collection("Reef Wardens", "ipfs://reef-wardens/", 270, 4_000, None),
    collection("Gull Council", "ipfs://gull-council/", 230, 3_000, None),
    collection("Ferry Tickets", "https://ferry.example/ticket/", 200, 10_000, None),
    collection("Low Tide Maps", "ipfs://low-tide-maps/", 180, 2_500, None),
    collection("Knot Studies", "ipfs://knot-studies/", 140, 2_000, None),
    collection("Weather Glass", INLINE, 120, 1_500, None),
    collection("Lamp Moths", "ipfs://lamp-moths/", 0, 4_000, Some(L1_COLLECTION)),
];

pub(crate) fn nft_uri(collection: u8, id: u32) -> String {
    COLLECTIONS.get(usize::from(collection)).map_or_else(String::new, |spec| spec.token_uri(id))
}

/// Symbols of the collections.
pub(crate) const TICKERS: [&str; 8] = ["BOTTLE", "WARDEN", "GULLS", "FERRY", "MAP", "KNOT", "GLASS", "MOTH"];

/// Index of the first collection that the artist mints; the launchpad mints the earlier collections.
pub(crate) const FIRST_OF_ARTIST: u8 = 4;
/// Index of the bridged class in [`COLLECTIONS`].
pub(crate) const BRIDGED_COLLECTION: u8 = 7;

/// Contracts without tokens: the noun in each name, and the message that it knows.
pub(crate) const APPLICATIONS: [(&str, &str); 4] =
    [("arena", "enter_match"), ("names", "set_record"), ("lottery", "draw"), ("oracle", "post_price")];

/// Number of the code of CW-20 tokens.
pub(crate) const TOKEN_CODE: u32 = 1;
/// Number of the code of CW-721 collections.
pub(crate) const COLLECTION_CODE: u32 = 2;
/// Number of the code of pools. The codes of single contracts follow.
pub(crate) const POOL_CODE: u32 = 3;
/// Number of the code of the counter, which users instantiate. It is the highest at genesis.
pub(crate) const COUNTER_CODE: u32 = POOL_CODE + 7 + 4 + 1;
