//! What the Move rollup is made of: its tokens, collections, pools, channels and modules.

use crate::demo::ledger::common::catalogue::{
    ChannelSpec, CollectionSpec, INLINE, L1_CHAIN_ID, L1_CLIENT, LedgerCatalogue, OriginSpec, TokenSpec, channel,
    collection, token,
};

/// The Move rollup. Amounts of coins are 64-bit numbers there.
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

/// The denom of the L1's ether, a Move asset.
const L1_ETHER: &str = "move/5d0c2f1e8ab94376a1f0e6b7c39d84125e77aa09bb13c6f4d28e90571c3fa6b2";
/// The L1's collection behind the one bridged class.
const L1_COLLECTION: &str = "move/e41b07d9c8a25f36b0917ef4d3a6c85212fb90e87a64d1c3f5b7082e9d46a13c";

/// The 12 tokens; the first is the fee token, the last three are shares of the pools.
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

/// The token that is staked and given away.
pub(crate) const REWARD_TOKEN: u8 = 7;

/// A pool of the exchange in the standard library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolSpec {
    /// The two tokens, in the pool's order.
    pub(crate) sides: [u8; 2],
    /// The token of its shares, whose metadata object holds the reserves.
    pub(crate) shares: u8,
}

pub(crate) const POOLS: [PoolSpec; 3] = [
    PoolSpec { sides: [0, 1], shares: 9 },
    PoolSpec { sides: [3, 0], shares: 10 },
    PoolSpec { sides: [7, 6], shares: 11 },
];

/// A pool by its place; a stray one is the first.
pub(crate) fn pool(place: u8) -> PoolSpec {
    POOLS.get(usize::from(place)).copied().unwrap_or(POOLS[0])
}

/// The open channels; 0 is the L1's, 1 carries NFTs.
pub(crate) const CHANNELS: [ChannelSpec; 4] = [
    channel(
        ["transfer", "channel-0", "channel-51"],
        [L1_CHAIN_ID, "init"],
        ["connection-0", L1_CLIENT],
        [1, 7_400_000],
    ),
    channel(
        ["nft-transfer", "channel-1", "channel-52"],
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
        ["transfer", "channel-3", "channel-397"],
        ["injective-1", "inj"],
        ["connection-2", "07-tendermint-2"],
        [1, 131_500_000],
    ),
];

/// The 8 collections, 1,500 tokens from the first block on. The first seven belong to as many users; the seventh is created by a
/// transaction, and the last one by the first arrival over IBC.
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

/// The height of the upgrade since which nodes repeat the fields of an event's data as attributes.
pub(crate) const DATA_REPEATED_SINCE: u64 = 120;

/// The place in [`COLLECTIONS`] of the one that a transaction creates.
pub(crate) const LATE_COLLECTION: u8 = 6;
/// The bridged class's place in [`COLLECTIONS`].
pub(crate) const BRIDGED_COLLECTION: u8 = 7;

/// A module that is called but keeps no tokens.
#[derive(Debug)]
pub(crate) struct Module {
    /// Which of the publishers' accounts it lies at.
    pub(crate) publisher: u8,
    pub(crate) name: &'static str,
    /// An entry function of it, which takes a number.
    pub(crate) function: &'static str,
    /// The struct of the event that the function emits.
    pub(crate) event: &'static str,
}

const fn module(publisher: u8, name: &'static str, function: &'static str, event: &'static str) -> Module {
    Module { publisher, name, function, event }
}

/// How many accounts publish modules.
pub(crate) const PUBLISHERS: u8 = 5;

/// Modules of applications; with those of the standard library and of the roles there are 20.
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
