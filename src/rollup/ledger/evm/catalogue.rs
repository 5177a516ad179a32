//! What the EVM rollup is made of: its tokens, collections, pools, channels and contracts.

/// The fee token's price per unit of gas, in its smallest unit.
pub(crate) const GAS_PRICE: u128 = 5_000_000_000;
/// The optimistic bridge of this rollup on the L1.
pub(crate) const BRIDGE_ID: u64 = 77;
/// The chain's id.
pub(crate) const CHAIN_ID: &str = "rollscope-evm-1";
/// The L1's id.
pub(crate) const L1_CHAIN_ID: &str = "interwoven-1";
/// The light client of the L1.
pub(crate) const L1_CLIENT: &str = "07-tendermint-0";

/// Where a token comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An ERC-20 of this rollup, `evm/…`.
    Native,
    /// Bridged from this L1 denom, `l2/…`.
    Bridged(&'static str),
    /// A voucher that came over this channel (an index of [`CHANNELS`]), `ibc/…`.
    Voucher {
        /// Index of the channel.
        channel: usize,
        /// Denom on the other chain.
        base: &'static str,
    },
}

/// A token as made at genesis.
#[derive(Debug)]
pub(crate) struct TokenSpec {
    /// Ticker.
    pub(crate) symbol: &'static str,
    /// Digits after the point in display units.
    pub(crate) decimals: u8,
    /// Where it comes from.
    pub(crate) origin: Origin,
}

const fn token(symbol: &'static str, decimals: u8, origin: Origin) -> TokenSpec {
    TokenSpec { symbol, decimals, origin }
}

/// The denom of the L1's ether, a Move asset.
const L1_ETHER: &str = "move/5d0c2f1e8ab94376a1f0e6b7c39d84125e77aa09bb13c6f4d28e90571c3fa6b2";
/// The L1's collection behind the one bridged class.
const L1_COLLECTION: &str = "move/e41b07d9c8a25f36b0917ef4d3a6c85212fb90e87a64d1c3f5b7082e9d46a13c";

/// The 12 tokens; the first is the fee token.
pub(crate) const TOKENS: [TokenSpec; 12] = [
    token("GAS", 18, Origin::Native),
    token("INIT", 18, Origin::Native),
    token("INIT", 6, Origin::Bridged("uinit")),
    token("USDC", 6, Origin::Bridged("ibc/6490A7EAB61059BFC1CDDEB05917DD70BDF3A611654162A1A47DB930D40D8AF4")),
    token("sINIT", 6, Origin::Bridged("move/2b87d1c50e9f4a63781be40d95c2fa7703e6b18acd5942f0871d3ea6954bc0f8")),
    token("ETH", 6, Origin::Voucher { channel: 0, base: L1_ETHER }),
    token("TIA", 6, Origin::Voucher { channel: 2, base: "utia" }),
    token("INJ", 18, Origin::Voucher { channel: 3, base: "inj" }),
    token("ETH", 18, Origin::Native),
    token("USDR", 18, Origin::Native),
    token("LUMA", 18, Origin::Native),
    token("PIX", 6, Origin::Native),
];

/// The fee token's place in [`TOKENS`].
pub(crate) const FEE_TOKEN: u8 = 0;
/// The token that is staked and given away.
pub(crate) const REWARD_TOKEN: u8 = 10;
/// Pairs the wrapper converts: 6 decimals from elsewhere, 18 decimals here.
pub(crate) const WRAPS: [(u8, u8); 2] = [(2, 1), (5, 8)];
/// The factor between the two sides of a wrap.
pub(crate) const WRAP_FACTOR: u128 = 1_000_000_000_000;
/// Pairs of tokens with a pool.
pub(crate) const POOLS: [(u8, u8); 6] = [(0, 1), (1, 3), (8, 3), (10, 0), (6, 1), (11, 10)];

/// A channel to another chain.
#[derive(Debug)]
pub(crate) struct Channel {
    /// Port, the same on both sides.
    pub(crate) port: &'static str,
    /// Name here.
    pub(crate) id: &'static str,
    /// Name there.
    pub(crate) there: &'static str,
    /// The other chain.
    pub(crate) chain_id: &'static str,
    /// The number in the other chain's heights.
    pub(crate) revision: u64,
    /// Connection here.
    pub(crate) connection: &'static str,
    /// Light client here.
    pub(crate) client: &'static str,
    /// Prefix of its addresses.
    pub(crate) prefix: &'static str,
    /// What its height was when the rollup began.
    pub(crate) start_height: u64,
}

const fn channel(
    names: [&'static str; 3],
    far: [&'static str; 2],
    near: [&'static str; 2],
    numbers: [u64; 2],
) -> Channel {
    let ([port, id, there], [chain_id, prefix], [connection, client]) = (names, far, near);
    let [revision, start_height] = numbers;
    Channel { port, id, there, chain_id, revision, connection, client, prefix, start_height }
}

/// The open channels; 0 is the L1's, 1 carries NFTs.
pub(crate) const CHANNELS: [Channel; 4] = [
    channel(
        ["transfer", "channel-0", "channel-41"],
        [L1_CHAIN_ID, "init"],
        ["connection-0", L1_CLIENT],
        [1, 7_400_000],
    ),
    channel(
        ["nft-transfer", "channel-1", "channel-42"],
        [L1_CHAIN_ID, "init"],
        ["connection-0", L1_CLIENT],
        [1, 7_400_000],
    ),
    channel(
        ["transfer", "channel-2", "channel-88"],
        ["celestia", "celestia"],
        ["connection-1", "07-tendermint-1"],
        [0, 8_120_000],
    ),
    channel(
        ["transfer", "channel-3", "channel-391"],
        ["injective-1", "inj"],
        ["connection-2", "07-tendermint-2"],
        [1, 131_500_000],
    ),
];

/// The channel for NFTs in [`CHANNELS`].
pub(crate) const NFT_CHANNEL: usize = 1;

/// A collection as made at genesis.
#[derive(Debug)]
pub(crate) struct CollectionSpec {
    /// Name.
    pub(crate) name: &'static str,
    /// Ticker.
    pub(crate) symbol: &'static str,
    /// Where its tokens' metadata lies; the id follows.
    pub(crate) uri: &'static str,
    /// Tokens that exist at genesis.
    pub(crate) minted: u32,
    /// The most there can be.
    pub(crate) most: u32,
    /// The class on the L1 when it came from there.
    pub(crate) origin: Option<&'static str>,
}

const fn collection(
    name: &'static str,
    symbol: &'static str,
    uri: &'static str,
    minted: u32,
    most: u32,
    origin: Option<&'static str>,
) -> CollectionSpec {
    CollectionSpec { name, symbol, uri, minted, most, origin }
}

/// The 8 collections, 1,500 tokens at genesis; the last one comes over IBC and is deployed by its first arrival.
pub(crate) const COLLECTIONS: [CollectionSpec; 8] = [
    collection("Lantern Keepers", "LNTRN", "ipfs://lantern-keepers/", 380, 5_000, None),
    collection("Tidal Glyphs", "TIDE", "ipfs://tidal-glyphs/", 250, 4_000, None),
    collection("Moss Golems", "MOSS", "ipfs://moss-golems/", 220, 3_000, None),
    collection("Paper Foxes", "FOX", "ipfs://paper-foxes/", 200, 2_500, None),
    collection("Orbit Passes", "ORBIT", "https://orbit.example/pass/", 180, 10_000, None),
    collection("Clockwork Bees", "BEE", "ipfs://clockwork-bees/", 150, 2_000, None),
    collection("Salt Charts", "SALT", "ipfs://salt-charts/", 120, 1_500, None),
    collection("Harbor Cats", "CAT", "https://harbor-cats.example/", 0, 4_000, Some(L1_COLLECTION)),
];

/// The bridged class's place in [`COLLECTIONS`].
pub(crate) const BRIDGED_COLLECTION: u8 = 7;

/// Contracts that are called but keep no tokens, with a function of each that logs nothing.
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

/// Names of those who propose blocks, one after another when the admin changes the sequencer.
pub(crate) const SEQUENCERS: [&str; 3] = ["rollscope-sequencer", "harbor-sequencer", "lantern-sequencer"];
