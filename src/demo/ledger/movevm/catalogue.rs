//! Content of the Move rollup: tokens, collections, pools, channels and modules.

use crate::demo::ledger::common::catalogue::{
    ChannelSpec, CollectionSpec, INLINE, LedgerCatalogue, OriginSpec, TokenSpec, channels, collection, token,
};

/// Catalogue of the Move rollup. Its VM has 64-bit amounts.
pub(crate) const CATALOGUE: LedgerCatalogue = LedgerCatalogue {
    chain_id: "rollscope-move-1",
    bridge_id: 78,
    gas_price_milli: 15,
    free_denom: "umin",
    largest: u64::MAX as u128,
    tokens: &TOKENS,
    bridged: &[0, 0, 1, 2],
    sent: &[0, 1, 3, 3, 4, 5, 6],
    received: &[0, 1, 3, 3, 3, 4, 5, 6],
    channels: &CHANNELS,
    collections: &COLLECTIONS,
    bridged_collection: BRIDGED_COLLECTION,
};

/// Denom of ether on the L1, where it is a Move asset.
const L1_ETHER: &str = "move/5d0c2f1e8ab94376a1f0e6b7c39d84125e77aa09bb13c6f4d28e90571c3fa6b2";
/// Collection on the L1 from which the bridged class comes.
const L1_COLLECTION: &str = "move/e41b07d9c8a25f36b0917ef4d3a6c85212fb90e87a64d1c3f5b7082e9d46a13c";

/// Tokens. The first is the fee token; the last three are shares of pools.
pub(crate) const TOKENS: [TokenSpec; 12] = [
    token("INIT", 6, OriginSpec::Bridged("uinit")),
    token("USDC", 6, OriginSpec::Bridged("ibc/6490A7EAB61059BFC1CDDEB05917DD70BDF3A611654162A1A47DB930D40D8AF4")),
    token("sINIT", 6, OriginSpec::Bridged("move/2b87d1c50e9f4a63781be40d95c2fa7703e6b18acd5942f0871d3ea6954bc0f8")),
    token("ETH", 6, OriginSpec::Voucher { channel: 0, base: L1_ETHER }),
    token("TIA", 6, OriginSpec::Voucher { channel: 2, base: "utia" }),
    token("INJ", 18, OriginSpec::Voucher { channel: 3, base: "inj" }),
    token("USDR", 6, OriginSpec::Native),
    token("LUMA", 6, OriginSpec::Native),
    token("PIX", 18, OriginSpec::Native),
    token("INIT-USDC", 6, OriginSpec::Native),
    token("ETH-INIT", 6, OriginSpec::Native),
    token("LUMA-USDR", 6, OriginSpec::Native),
];

pub(crate) const REWARD_TOKEN: u8 = 7;

/// Pool of the standard library's exchange (`0x1::dex`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolSpec {
    /// Indices of both tokens, in the order of the pool.
    pub(crate) sides: [u8; 2],
    /// Index of the share token. Its metadata object owns the reserves.
    pub(crate) shares: u8,
}

pub(crate) const POOLS: [PoolSpec; 3] = [
    PoolSpec { sides: [0, 1], shares: 9 },
    PoolSpec { sides: [3, 0], shares: 10 },
    PoolSpec { sides: [7, 6], shares: 11 },
];

/// Returns a pool by index, or the first pool if the index is out of range.
pub(crate) fn pool(place: u8) -> PoolSpec {
    POOLS.get(usize::from(place)).copied().unwrap_or(POOLS[0])
}

/// Open channels. Channel 0 leads to the L1, channel 1 carries NFTs.
pub(crate) const CHANNELS: [ChannelSpec; 4] = channels(["channel-51", "channel-52", "channel-93", "channel-397"]);

/// Collections, with 1,500 initial tokens in all. Each of the first seven has a user as its creator. A transaction
/// creates the seventh; the first arrival over IBC creates the last.
pub(crate) const COLLECTIONS: [CollectionSpec; 8] = [
    collection("Ember Otters", "ipfs://ember-otters/", 400, 5_000, None),
    collection("Quiet Comets", "ipfs://quiet-comets/", 300, 4_000, None),
    collection("Brass Herons", "ipfs://brass-herons/", 250, 3_000, None),
    collection("Fog Lanterns", "ipfs://fog-lanterns/", 220, 2_500, None),
    collection("Dock Passes", "https://dock.example/pass/", 180, 10_000, None),
    collection("Glass Moths", INLINE, 150, 2_000, None),
    collection("Rope Knots", "ipfs://rope-knots/", 0, 1_500, None),
    collection("Harbor Cats", "ipfs://harbor-cats/", 0, 4_000, Some(L1_COLLECTION)),
];

/// Height of the upgrade from which nodes repeat an event's JSON fields as attributes.
pub(crate) const DATA_REPEATED_SINCE: u64 = 120;

/// Index in [`COLLECTIONS`] of the collection that a transaction creates.
pub(crate) const LATE_COLLECTION: u8 = 6;
/// Index of the bridged class in [`COLLECTIONS`].
pub(crate) const BRIDGED_COLLECTION: u8 = 7;

/// Module that users call and that keeps no tokens.
#[derive(Debug)]
pub(crate) struct Module {
    /// Index of its publisher's account.
    pub(crate) publisher: u8,
    pub(crate) name: &'static str,
    pub(crate) function: &'static str,
    /// Type of the event that the function emits.
    pub(crate) event: &'static str,
}

const fn module(publisher: u8, name: &'static str, function: &'static str, event: &'static str) -> Module {
    Module { publisher, name, function, event }
}

pub(crate) const PUBLISHERS: u8 = 5;

/// Modules of applications. With the standard library's and those of roles there are 20.
pub(crate) const MODULES: [Module; 12] = [
    module(0, "arena", "enter_match", "MatchEntered"),
    module(0, "leaderboard", "submit", "ScoreSubmitted"),
    module(0, "crafting", "forge", "ItemForged"),
    module(1, "names", "set_record", "RecordSet"),
    module(1, "profiles", "touch", "ProfileTouched"),
    module(2, "lottery", "draw", "Drawn"),
    module(2, "dice", "roll", "Rolled"),
    module(3, "oracle_consumer", "refresh", "PriceRead"),
    module(3, "checkpoint", "save", "Saved"),
    module(4, "quests", "complete", "QuestCompleted"),
    module(4, "counter", "increment", "Incremented"),
    module(4, "guilds", "join", "Joined"),
];
