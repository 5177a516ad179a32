//! Types for the flavours' catalogues (tokens, channels, collections), and constants of all rollups.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use crate::demo::art;

pub(crate) const L1_CHAIN_ID: &str = "interwoven-1";
/// ID of the light client that follows the L1.
pub(crate) const L1_CLIENT: &str = "07-tendermint-0";
/// Index of the fee token in every flavour.
pub(crate) const FEE_TOKEN: u8 = 0;
/// Index of the channel for NFTs; channel 0 leads to the L1.
pub(crate) const NFT_CHANNEL: usize = 1;

/// Factor between the tokens of a wrapped pair: 6 decimals on other chains, 18 on the rollup.
pub(crate) const WRAP_FACTOR: u128 = 1_000_000_000_000;

/// Content of a flavour's rollup: tokens, channels and collections.
#[derive(Debug)]
pub(crate) struct LedgerCatalogue {
    pub(crate) chain_id: &'static str,
    /// ID of the rollup's OPinit bridge on the L1.
    pub(crate) bridge_id: u64,
    /// Gas price in thousandths of the fee token's smallest unit.
    pub(crate) gas_price_milli: u128,
    /// Denom in the zero fee that relayers declare.
    pub(crate) free_denom: &'static str,
    /// Maximum amount of a token that the VM can represent.
    pub(crate) largest: u128,
    /// Tokens; the first is the fee token.
    pub(crate) tokens: &'static [TokenSpec],
    /// Indices of tokens that arrive from the L1, repeated by frequency. The first supports hooks.
    pub(crate) bridged: &'static [u8],
    /// Indices of tokens that users send over IBC, repeated by frequency.
    pub(crate) sent: &'static [u8],
    /// Indices of tokens that arrive over IBC, repeated by frequency.
    pub(crate) received: &'static [u8],
    /// Open channels. Channel 0 leads to the L1, channel 1 carries NFTs.
    pub(crate) channels: &'static [ChannelSpec; 4],
    pub(crate) collections: &'static [CollectionSpec],
    /// Index of the collection that arrives over IBC; it exists from its first arrival.
    pub(crate) bridged_collection: u8,
}

impl LedgerCatalogue {
    /// Returns the fee for an amount of gas, in the fee token's smallest unit, rounded up.
    pub(crate) fn fee(&self, gas: u32) -> u128 {
        (u128::from(gas) * self.gas_price_milli).div_ceil(1000)
    }

    /// Returns the amount of the fee token that a user keeps for fees.
    pub(crate) fn fee_reserve(&self) -> u128 {
        self.fee(12_000_000)
    }

    /// Returns one fee token in its smallest unit.
    pub(crate) fn whole_fee_token(&self) -> u128 {
        self.whole(FEE_TOKEN)
    }

    /// Returns one token in its smallest unit.
    pub(crate) fn whole(&self, token: u8) -> u128 {
        10u128.pow(self.tokens.get(usize::from(token)).map_or(0, |spec| u32::from(spec.decimals)))
    }

    pub(crate) fn origin(&self, token: u8) -> OriginSpec {
        self.tokens.get(usize::from(token)).map_or(OriginSpec::Native, |spec| spec.origin)
    }

    /// Returns an L1 token by its index in `bridged`.
    pub(crate) fn bridged_token(&self, place: usize) -> u8 {
        self.bridged.get(place).copied().unwrap_or(FEE_TOKEN)
    }

    pub(crate) fn first_voucher(&self) -> u8 {
        let vouchers = (0..).zip(self.tokens).filter(|(_, spec)| matches!(spec.origin, OriginSpec::Voucher { .. }));
        vouchers.map(|(place, _)| place).next().unwrap_or(FEE_TOKEN)
    }

    /// Returns a channel by index, or the L1's channel if the index is out of range.
    pub(crate) fn channel(&self, place: u8) -> &'static ChannelSpec {
        self.channels.get(usize::from(place)).unwrap_or(&self.channels[0])
    }

    /// Returns the collection that arrives over IBC, if the catalogue has one.
    pub(crate) fn bridged_class(&self) -> Option<&'static CollectionSpec> {
        self.collections.get(usize::from(self.bridged_collection))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OriginSpec {
    /// The rollup issued the token: `evm/…`, `move/…`, `factory/…`.
    Native,
    /// Bridged from the L1, where it has this denom: `l2/…`.
    Bridged(&'static str),
    /// Voucher that came over an IBC channel: `ibc/…`.
    Voucher {
        /// Index of the channel in the catalogue.
        channel: usize,
        /// Denom on the other chain.
        base: &'static str,
    },
}

#[derive(Debug)]
pub(crate) struct TokenSpec {
    pub(crate) symbol: &'static str,
    pub(crate) decimals: u8,
    pub(crate) origin: OriginSpec,
}

pub(crate) const fn token(symbol: &'static str, decimals: u8, origin: OriginSpec) -> TokenSpec {
    TokenSpec { symbol, decimals, origin }
}

/// Channel to another chain.
#[derive(Debug)]
pub(crate) struct ChannelSpec {
    /// Port; both chains use it.
    pub(crate) port: &'static str,
    pub(crate) id: &'static str,
    pub(crate) there: &'static str,
    pub(crate) chain_id: &'static str,
    /// Revision number in the heights of the other chain.
    pub(crate) revision: u64,
    pub(crate) connection: &'static str,
    pub(crate) client: &'static str,
    /// Bech32 prefix of the other chain.
    pub(crate) prefix: &'static str,
    /// Height of the other chain at the rollup's genesis.
    pub(crate) start_height: u64,
}

const fn channel(
    names: [&'static str; 3],
    [chain_id, prefix]: [&'static str; 2],
    [connection, client]: [&'static str; 2],
    [revision, start_height]: [u64; 2],
) -> ChannelSpec {
    let [port, id, there] = names;
    ChannelSpec { port, id, there, chain_id, revision, connection, client, prefix, start_height }
}

/// Returns the channels of a rollup, by their names on the other chains. Channel 0 leads to the L1; channel
/// [`NFT_CHANNEL`] carries NFTs.
pub(crate) const fn channels([l1, nfts, celestia, injective]: [&'static str; 4]) -> [ChannelSpec; 4] {
    let (chain, near, numbers) = ([L1_CHAIN_ID, "init"], ["connection-0", L1_CLIENT], [1, 7_400_000]);
    [
        channel(["transfer", "channel-0", l1], chain, near, numbers),
        channel(["nft-transfer", "channel-1", nfts], chain, near, numbers),
        channel(
            ["transfer", "channel-2", celestia],
            ["celestia", "celestia"],
            ["connection-1", "07-tendermint-1"],
            [0, 8_120_000],
        ),
        channel(
            ["transfer", "channel-3", injective],
            ["injective-1", "inj"],
            ["connection-2", "07-tendermint-2"],
            [1, 131_500_000],
        ),
    ]
}

#[derive(Debug)]
pub(crate) struct CollectionSpec {
    pub(crate) name: &'static str,
    /// Base URI of the metadata, to which the token ID is appended; [`INLINE`] if the tokens hold their metadata.
    pub(crate) uri: &'static str,
    /// Number of tokens minted in the first block.
    pub(crate) minted: u32,
    /// Maximum number of tokens.
    pub(crate) most: u32,
    /// Class on the L1, for a bridged collection.
    pub(crate) origin: Option<&'static str>,
}

/// Value of `uri` for a collection with inline metadata.
pub(crate) const INLINE: &str = "data:";

/// Inline URIs by collection and number, each under 2,000 bytes: blocks and states repeat them, and drawing is slow.
static DRAWN: Mutex<BTreeMap<(&str, u32), Box<str>>> = Mutex::new(BTreeMap::new());

impl CollectionSpec {
    /// Returns the URI of a token's metadata, which may be a `data:` URI.
    pub(crate) fn token_uri(&self, number: u32) -> String {
        match self.uri {
            INLINE => {
                let mut drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
                let uri = drawn.entry((self.name, number));
                uri.or_insert_with(|| art::inline(&art::folder_of(self.name), &number.to_string()).into()).to_string()
            }
            folder => format!("{folder}{number}.json"),
        }
    }
}

pub(crate) const fn collection(
    name: &'static str,
    uri: &'static str,
    minted: u32,
    most: u32,
    origin: Option<&'static str>,
) -> CollectionSpec {
    CollectionSpec { name, uri, minted, most, origin }
}

/// Monikers of the proposers, in the order in which the admin appoints them.
pub(crate) const SEQUENCERS: [&str; 3] = ["rollscope-sequencer", "harbor-sequencer", "lantern-sequencer"];
