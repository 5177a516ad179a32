//! What the flavours' catalogues are written in: tokens, channels, collections, and what all rollups share.

use crate::demo::art;

/// The L1's id.
pub(crate) const L1_CHAIN_ID: &str = "interwoven-1";
/// The light client of the L1.
pub(crate) const L1_CLIENT: &str = "07-tendermint-0";
/// The fee token's place among the tokens of every flavour.
pub(crate) const FEE_TOKEN: u8 = 0;
/// The place of the channel for NFTs; 0 is the one to the L1.
pub(crate) const NFT_CHANNEL: usize = 1;

/// The factor between the two sides of a wrapped pair: 6 decimals from elsewhere, 18 decimals here.
pub(crate) const WRAP_FACTOR: u128 = 1_000_000_000_000;

/// What a flavour's rollup is made of.
#[derive(Debug)]
pub(crate) struct LedgerCatalogue {
    pub(crate) chain_id: &'static str,
    /// The optimistic bridge of this rollup on the L1.
    pub(crate) bridge_id: u64,
    /// The price of gas, in thousandths of the fee token's smallest unit.
    pub(crate) gas_price_milli: u128,
    /// The denom of the zero fee that relayers declare.
    pub(crate) free_denom: &'static str,
    /// The most of a token that the virtual machine can count.
    pub(crate) largest: u128,
    /// The tokens; the first is the fee token.
    pub(crate) tokens: &'static [TokenSpec],
    /// Tokens that come from the L1, as often as they do; the first comes with hooks.
    pub(crate) bridged: &'static [u8],
    /// Tokens that people send over IBC, as often as they do.
    pub(crate) sent: &'static [u8],
    /// Tokens that arrive over IBC, as often as they do.
    pub(crate) received: &'static [u8],
    /// The open channels; 0 is the L1's, 1 carries NFTs.
    pub(crate) channels: &'static [ChannelSpec; 4],
    pub(crate) collections: &'static [CollectionSpec],
    /// The collection that comes over IBC and exists from its first arrival on.
    pub(crate) bridged_collection: u8,
}

impl LedgerCatalogue {
    /// What so much gas costs in the fee token's smallest unit, rounded up.
    pub(crate) fn fee(&self, gas: u32) -> u128 {
        (u128::from(gas) * self.gas_price_milli).div_ceil(1000)
    }

    /// What every user keeps of the fee token, so that fees can always be paid.
    pub(crate) fn fee_reserve(&self) -> u128 {
        self.fee(12_000_000)
    }

    /// One fee token in its smallest unit.
    pub(crate) fn whole_fee_token(&self) -> u128 {
        self.whole(FEE_TOKEN)
    }

    /// One token in its smallest unit.
    pub(crate) fn whole(&self, token: u8) -> u128 {
        10u128.pow(self.tokens.get(usize::from(token)).map_or(0, |spec| u32::from(spec.decimals)))
    }

    /// Where a token comes from.
    pub(crate) fn origin(&self, token: u8) -> OriginSpec {
        self.tokens.get(usize::from(token)).map_or(OriginSpec::Native, |spec| spec.origin)
    }

    /// A token from the L1 by its place in `bridged`, for what needs any.
    pub(crate) fn bridged_token(&self, place: usize) -> u8 {
        self.bridged.get(place).copied().unwrap_or(FEE_TOKEN)
    }

    /// The first token that came over IBC.
    pub(crate) fn first_voucher(&self) -> u8 {
        let vouchers = (0..).zip(self.tokens).filter(|(_, spec)| matches!(spec.origin, OriginSpec::Voucher { .. }));
        vouchers.map(|(place, _)| place).next().unwrap_or(FEE_TOKEN)
    }

    /// A channel by its place; a stray one is the L1's.
    pub(crate) fn channel(&self, place: u8) -> &'static ChannelSpec {
        self.channels.get(usize::from(place)).unwrap_or(&self.channels[0])
    }

    /// The collection that comes over IBC; `None` where the catalogue names none.
    pub(crate) fn bridged_class(&self) -> Option<&'static CollectionSpec> {
        self.collections.get(usize::from(self.bridged_collection))
    }
}

/// Where a token comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OriginSpec {
    /// Made on this rollup: `evm/…`, `move/…`, `factory/…`.
    Native,
    /// Bridged from this L1 denom, `l2/…`.
    Bridged(&'static str),
    /// A voucher that came over this channel (its place among the channels), `ibc/…`.
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
    pub(crate) origin: OriginSpec,
}

pub(crate) const fn token(symbol: &'static str, decimals: u8, origin: OriginSpec) -> TokenSpec {
    TokenSpec { symbol, decimals, origin }
}

/// A channel to another chain.
#[derive(Debug)]
pub(crate) struct ChannelSpec {
    /// Port, the same on both sides.
    pub(crate) port: &'static str,
    /// Name here.
    pub(crate) id: &'static str,
    /// Name there.
    pub(crate) there: &'static str,
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

pub(crate) const fn channel(
    names: [&'static str; 3],
    far: [&'static str; 2],
    near: [&'static str; 2],
    numbers: [u64; 2],
) -> ChannelSpec {
    let ([port, id, there], [chain_id, prefix], [connection, client]) = (names, far, near);
    let [revision, start_height] = numbers;
    ChannelSpec { port, id, there, chain_id, revision, connection, client, prefix, start_height }
}

/// A collection as it is from the first block on.
#[derive(Debug)]
pub(crate) struct CollectionSpec {
    /// Name.
    pub(crate) name: &'static str,
    /// Where its tokens' metadata lies; the id follows. [`INLINE`] where they carry it themselves.
    pub(crate) uri: &'static str,
    /// Tokens that are minted in the first block.
    pub(crate) minted: u32,
    /// The most there can be.
    pub(crate) most: u32,
    /// The class on the L1 when it came from there.
    pub(crate) origin: Option<&'static str>,
}

/// The `uri` of a collection whose tokens carry their metadata themselves.
pub(crate) const INLINE: &str = "data:";

impl CollectionSpec {
    /// Where the metadata of a token lies, or the metadata itself.
    pub(crate) fn token_uri(&self, number: u32) -> String {
        match self.uri {
            INLINE => art::inline(&art::folder_of(self.name), &number.to_string()),
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

/// Names of those who propose blocks, one after another when the admin changes the sequencer.
pub(crate) const SEQUENCERS: [&str; 3] = ["rollscope-sequencer", "harbor-sequencer", "lantern-sequencer"];
