//! Facts in the files of `assets/demo`.

use std::collections::BTreeMap;

use serde::{Deserialize, de::DeserializeOwned};

use crate::{demo::ledger::KeyKind, domain::Amount};

const CHAINS: &str = include_str!("../../../../assets/demo/chains.toml");
const ASSETS: &str = include_str!("../../../../assets/demo/assets.toml");
const BRIDGES: &str = include_str!("../../../../assets/demo/bridges.toml");

#[derive(Debug, Default)]
pub(super) struct WorldFile {
    pub(super) chains: Vec<ChainEntry>,
    pub(super) assets: AssetsFile,
    pub(super) bridges: BridgesFile,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChainsFile {
    chains: Vec<ChainEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChainEntry {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) pretty_name: String,
    pub(super) kind: String,
    pub(super) prefix: String,
    pub(super) forwards: bool,
    pub(super) keys: KeyKind,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AssetsFile {
    pub(super) prices: BTreeMap<String, String>,
    pub(super) assets: Vec<AssetEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AssetEntry {
    pub(super) chain: String,
    #[serde(default)]
    pub(super) denom: String,
    #[serde(default)]
    pub(super) path: String,
    pub(super) origin_chain: Option<String>,
    pub(super) symbol: String,
    pub(super) name: String,
    pub(super) decimals: u8,
    pub(super) wallet: String,
    /// Whether its contract changes an allowance only from or to 0.
    #[serde(default)]
    pub(super) resets_allowance: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BridgesFile {
    pub(super) channels: Vec<ChannelEntry>,
    pub(super) rollup_seconds: BTreeMap<String, u64>,
    pub(super) optimistic: OptimisticTerms,
    pub(super) cctp: CctpTerms,
    pub(super) go_fast: GoFastTerms,
    pub(super) exchange: ExchangeTerms,
    pub(super) fast_exit: FastExitTerms,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChannelEntry {
    pub(super) from: String,
    pub(super) sending: String,
    pub(super) to: String,
    pub(super) receiving: String,
    pub(super) seconds: Option<u64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OptimisticTerms {
    /// Seconds until a deposit arrives.
    pub(crate) deposit: u64,
    /// Seconds until a withdrawal is claimable on the real chain.
    pub(crate) finalization: u64,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CctpTerms {
    pub(crate) chain: String,
    pub(crate) to: String,
    pub(crate) domain: u32,
    pub(crate) seconds: u64,
    pub(crate) most: String,
    pub(crate) messenger: String,
    pub(crate) relayed: String,
    pub(crate) relay_fee: String,
    pub(crate) relay_most: String,
    pub(crate) relayer_contract: String,
    pub(crate) relayer_address: String,
    pub(crate) quote_seconds: u64,
    pub(crate) messaging: String,
    pub(crate) coins: Vec<[String; 2]>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GoFastTerms {
    pub(crate) seconds: u64,
    pub(crate) coin: String,
    pub(crate) gateway: String,
    pub(crate) source_domain: u32,
    pub(crate) destination_domain: u32,
    pub(crate) least: String,
    pub(crate) most: String,
    pub(crate) basis_points: u32,
    pub(crate) fixed: String,
    pub(crate) messaging: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExchangeTerms {
    pub(crate) venue: String,
    pub(crate) logo_uri: String,
    pub(crate) seconds: u64,
    pools: Vec<PoolEntry>,
}

impl ExchangeTerms {
    pub(super) fn pools(&self) -> &[PoolEntry] {
        &self.pools
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PoolEntry {
    pub(super) sides: [String; 2],
    pub(super) reserves: [String; 2],
    pub(super) basis_points: u32,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FastExitTerms {
    pub(super) venue: String,
    pub(super) reserves: [String; 2],
    pub(super) basis_points: u32,
}

/// Parses the embedded files. A test fails if a file is invalid; the world would be empty.
pub(super) fn read() -> WorldFile {
    let ChainsFile { chains } = table(CHAINS);
    WorldFile { chains, assets: table(ASSETS), bridges: table(BRIDGES) }
}

fn table<T: DeserializeOwned + Default>(text: &str) -> T {
    toml::from_str(text).unwrap_or_default()
}

/// Parses an amount in display units; zero if it is invalid.
pub(crate) fn amount(text: &str, decimals: u8) -> Amount {
    Amount::from_display(text, decimals).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{ASSETS, Amount, AssetsFile, BRIDGES, BridgesFile, CHAINS, ChainsFile};

    #[test]
    fn the_files_have_no_mistake() {
        let chains: ChainsFile = toml::from_str(CHAINS).unwrap();
        let assets: AssetsFile = toml::from_str(ASSETS).unwrap();
        let bridges: BridgesFile = toml::from_str(BRIDGES).unwrap();
        assert_eq!(chains.chains.len(), 5);
        let amount = |text: &str, decimals| Amount::from_display(text, decimals).unwrap();
        for asset in &assets.assets {
            assert!(chains.chains.iter().any(|chain| chain.id == asset.chain), "{}", asset.symbol);
            assert!(asset.denom.is_empty() != asset.path.is_empty(), "{}", asset.symbol);
            assert!(!amount(&asset.wallet, asset.decimals).is_zero(), "{}", asset.symbol);
        }
        assert!(assets.prices.values().all(|price| !amount(price, 6).is_zero()));
        for pool in bridges.exchange.pools() {
            for (side, reserve) in pool.sides.iter().zip(&pool.reserves) {
                let asset = assets.assets.iter().find(|asset| asset.symbol == *side).unwrap();
                assert!(!amount(reserve, asset.decimals).is_zero(), "{side}");
            }
        }
    }
}
