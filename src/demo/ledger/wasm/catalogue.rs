//! What the Wasm rollup is made of: its tokens, collections, pools, channels and contracts.

use super::record::{Cw20, PoolAsset};
use crate::demo::ledger::common::{
    catalogue::{
        ChannelSpec, CollectionSpec, FEE_TOKEN, INLINE, L1_CHAIN_ID, L1_CLIENT, LedgerCatalogue, OriginSpec, TokenSpec,
        channel, collection, token,
    },
    record::TokenId,
};

/// The denom of the L1's ether, a Move asset.
const L1_ETHER: &str = "move/5d0c2f1e8ab94376a1f0e6b7c39d84125e77aa09bb13c6f4d28e90571c3fa6b2";
/// The L1's collection behind the one bridged class.
const L1_COLLECTION: &str = "move/93b6f0a41d7ce58240f9bb31a6e8d5720c4f1e9d86ab375e02c19d4f78a65b03";

/// The Wasm rollup. Fees are paid in the L1's token, as real Wasm rollups have it.
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

/// The 12 denoms; the first is the fee token.
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

/// The tokens of the factory in [`TOKENS`], and the last part of each denom.
pub(crate) const FACTORY: [(u8, &str); 6] =
    [(6, "ureef"), (7, "ukelp"), (8, "pearl"), (9, "usdr"), (10, "ufoam"), (11, "utide")];

/// What NFTs are paid with.
pub(crate) const PRICE_TOKEN: TokenId = TokenId(FEE_TOKEN);
/// What is saved: the token that comes with hooks.
pub(crate) const SAVED_TOKEN: TokenId = TokenId(FEE_TOKEN);
/// What the airdrop gives away.
pub(crate) const REWARD_TOKEN: TokenId = TokenId(6);

/// The tokens that are contracts and of which the bank knows nothing: their digits after the point.
pub(crate) const CW20S: [u8; 4] = [6, 6, 18, 6];

/// The CW-20 token that the vault stakes.
pub(crate) const STAKED: Cw20 = Cw20(1);

const fn coin(token: u8) -> PoolAsset {
    PoolAsset::Coin(TokenId(token))
}

/// Pairs of assets with a pool.
pub(crate) const POOLS: [(PoolAsset, PoolAsset); 6] = [
    (coin(0), coin(1)),
    (coin(3), coin(1)),
    (coin(6), coin(0)),
    (coin(9), coin(1)),
    (coin(0), PoolAsset::Contract(Cw20(0))),
    (coin(4), PoolAsset::Contract(Cw20(2))),
];

/// The open channels; 0 is the L1's, 1 carries NFTs: the L1's module there, the ICS-721 contract's port here.
const CHANNELS: [ChannelSpec; 4] = [
    channel(
        ["transfer", "channel-0", "channel-66"],
        [L1_CHAIN_ID, "init"],
        ["connection-0", L1_CLIENT],
        [1, 7_400_000],
    ),
    channel(
        ["nft-transfer", "channel-1", "channel-67"],
        [L1_CHAIN_ID, "init"],
        ["connection-0", L1_CLIENT],
        [1, 7_400_000],
    ),
    channel(
        ["transfer", "channel-2", "channel-93"],
        ["celestia", "celestia"],
        ["connection-1", "07-tendermint-1"],
        [0, 8_120_000],
    ),
    channel(
        ["transfer", "channel-3", "channel-402"],
        ["injective-1", "inj"],
        ["connection-2", "07-tendermint-2"],
        [1, 131_500_000],
    ),
];

/// The 8 collections, 1,500 tokens from the first block on; the last one comes over IBC and is made by its first arrival.
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

/// Tickers of the collections.
pub(crate) const TICKERS: [&str; 8] = ["BOTTLE", "WARDEN", "GULLS", "FERRY", "MAP", "KNOT", "GLASS", "MOTH"];

/// Collections before this place are minted by the launchpad, the others by the artist.
pub(crate) const FIRST_OF_ARTIST: u8 = 4;
/// The bridged class's place in [`COLLECTIONS`].
pub(crate) const BRIDGED_COLLECTION: u8 = 7;

/// Contracts that are called but keep no tokens: what they are, and the message of each.
pub(crate) const APPLICATIONS: [(&str, &str); 4] =
    [("arena", "enter_match"), ("names", "set_record"), ("lottery", "draw"), ("oracle", "post_price")];

/// The code of CW-20 tokens.
pub(crate) const TOKEN_CODE: u32 = 1;
/// The code of CW-721 collections.
pub(crate) const COLLECTION_CODE: u32 = 2;
/// The code of pools; the contracts that there is one of have the codes after it.
pub(crate) const POOL_CODE: u32 = 3;
/// The code of the counter that people make contracts of; the highest one at genesis.
pub(crate) const COUNTER_CODE: u32 = POOL_CODE + 7 + 4 + 1;
