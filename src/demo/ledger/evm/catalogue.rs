//! Content of the EVM rollup: tokens, collections, pools, channels and contracts.

pub(crate) use crate::demo::ledger::common::catalogue::WRAP_FACTOR;
use crate::demo::ledger::common::{
    catalogue::{
        ChannelSpec, CollectionSpec, INLINE, LedgerCatalogue, OriginSpec, TokenSpec, channels, collection, token,
    },
    record::TokenId,
};

/// Gas price in the fee token's smallest unit.
pub(crate) const GAS_PRICE: u128 = 5_000_000_000;

pub(crate) const CATALOGUE: LedgerCatalogue = LedgerCatalogue {
    chain_id: "rollscope-evm-1",
    bridge_id: 77,
    gas_price_milli: GAS_PRICE * 1000,
    free_denom: "GAS",
    largest: u128::MAX,
    tokens: &TOKENS,
    bridged: &[2, 2, 3, 4],
    sent: &[2, 3, 5, 5, 6, 7, 9],
    received: &[2, 3, 5, 5, 5, 6, 7, 9],
    channels: &CHANNELS,
    collections: &COLLECTIONS,
    bridged_collection: BRIDGED_COLLECTION,
};

/// Denom of ether on the L1, where it is a Move asset.
const L1_ETHER: &str = "move/5d0c2f1e8ab94376a1f0e6b7c39d84125e77aa09bb13c6f4d28e90571c3fa6b2";
/// Collection on the L1 from which the bridged class comes.
const L1_COLLECTION: &str = "move/e41b07d9c8a25f36b0917ef4d3a6c85212fb90e87a64d1c3f5b7082e9d46a13c";

/// Tokens; the first is the fee token.
pub(crate) const TOKENS: [TokenSpec; 12] = [
    token("GAS", 18, OriginSpec::Native),
    token("INIT", 18, OriginSpec::Native),
    token("INIT", 6, OriginSpec::Bridged("uinit")),
    token("USDC", 6, OriginSpec::Bridged("ibc/6490A7EAB61059BFC1CDDEB05917DD70BDF3A611654162A1A47DB930D40D8AF4")),
    token("sINIT", 6, OriginSpec::Bridged("move/2b87d1c50e9f4a63781be40d95c2fa7703e6b18acd5942f0871d3ea6954bc0f8")),
    token("ETH", 6, OriginSpec::Voucher { channel: 0, base: L1_ETHER }),
    token("TIA", 6, OriginSpec::Voucher { channel: 2, base: "utia" }),
    token("INJ", 18, OriginSpec::Voucher { channel: 3, base: "inj" }),
    token("ETH", 18, OriginSpec::Native),
    token("USDR", 18, OriginSpec::Native),
    token("LUMA", 18, OriginSpec::Native),
    token("PIX", 6, OriginSpec::Native),
];

/// Token that neither the bank nor a router lists: name, symbol and decimals. Its number follows those of [`TOKENS`].
pub(crate) const UNLISTED: (&str, &str, u8) = ("Lantern Oil", "OIL", 8);
#[expect(clippy::cast_possible_truncation, reason = "the catalogue is short")]
pub(crate) const UNLISTED_TOKEN: TokenId = TokenId(TOKENS.len() as u8);

pub(crate) const REWARD_TOKEN: u8 = 10;
/// Pairs that the wrapper converts: 6 decimals on other chains, 18 decimals on the rollup.
pub(crate) const WRAPS: [(u8, u8); 2] = [(2, 1), (5, 8)];
pub(crate) const POOLS: [(u8, u8); 6] = [(0, 1), (1, 3), (8, 3), (10, 0), (6, 1), (11, 10)];

/// Open channels. Channel 0 leads to the L1, channel 1 carries NFTs.
pub(crate) const CHANNELS: [ChannelSpec; 4] = channels(["channel-41", "channel-42", "channel-88", "channel-391"]);

/// Collections, with 1,500 initial tokens in all. The last arrives over IBC; its first arrival deploys the contract.
pub(crate) const COLLECTIONS: [CollectionSpec; 8] = [
    collection("Lantern Keepers", "ipfs://lantern-keepers/", 380, 5_000, None),
    collection("Tidal Glyphs", "ipfs://tidal-glyphs/", 250, 4_000, None),
    collection("Moss Golems", "ipfs://moss-golems/", 220, 3_000, None),
    collection("Paper Foxes", "ipfs://paper-foxes/", 200, 2_500, None),
    collection("Orbit Passes", "https://orbit.example/pass/", 180, 10_000, None),
    collection("Clockwork Bees", "ipfs://clockwork-bees/", 150, 2_000, None),
    collection("Salt Charts", INLINE, 120, 1_500, None),
    collection("Harbor Cats", "ipfs://harbor-cats/", 0, 4_000, Some(L1_COLLECTION)),
];

/// Index of the bridged class in [`COLLECTIONS`].
pub(crate) const BRIDGED_COLLECTION: u8 = 7;

/// Index in [`APPLICATIONS`] of the ERC-1155 contract, a game that issues items.
pub(crate) const ITEMS: u8 = 3;
/// Height from which the game issues items.
pub(crate) const ITEMS_SINCE: u64 = 250;
pub(crate) const ITEM_KINDS: u64 = 24;

/// Contracts without tokens. Each has one function, which emits no log.
pub(crate) const APPLICATIONS: [(&str, &str); 9] = [
    ("connect oracle", "get_price(string)"),
    ("ERC-20 factory", "computeERC20Address(address,string,string,uint8,bytes32)"),
    ("pair factory", "getPair(address,address)"),
    ("rune arena", "enterMatch(uint256,uint8)"),
    ("marketplace", "list(address,uint256,uint256)"),
    ("names", "setRecord(bytes32,string)"),
    ("lottery", "draw(uint256)"),
    ("counter", "increment()"),
    ("bridge helper", "checkpoint(bytes32)"),
];
