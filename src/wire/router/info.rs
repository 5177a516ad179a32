use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::lenient;
use crate::domain::{ChainId, Denom, text::Foreign};

/// Response of `GET /v2/info/chains`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ChainsResponse {
    /// Routable chains; the reader skips invalid entries.
    #[serde(default, deserialize_with = "lenient::readable")]
    pub chains: Vec<ChainInfo>,
}

/// Family of a chain, which determines the format of its addresses and hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChainKind {
    /// Bech32 addresses and upper-case hashes; includes Initia's `MiniEVM` rollups.
    Cosmos,
    /// `0x` addresses and hashes.
    Evm,
    /// Base58 addresses and hashes.
    Svm,
    #[default]
    Unknown,
}

/// Chain known to the router (`docs/apis/router.md` §8).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the wire has them")]
pub struct ChainInfo {
    pub chain_id: ChainId,
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub chain_name: Foreign,
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub pretty_name: Foreign,
    /// Family name: `cosmos`, `evm` or `svm`.
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub chain_type: Foreign,
    /// Bech32 prefix of the chain's addresses; empty on EVM chains.
    #[serde(default, deserialize_with = "lenient::text")]
    pub bech32_prefix: String,
    #[serde(default, deserialize_with = "lenient::truth")]
    pub pfm_enabled: bool,
    #[serde(default, deserialize_with = "lenient::truth")]
    pub supports_memo: bool,
    /// Whether clients should hide the chain.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub hidden: bool,
    #[serde(default, deserialize_with = "lenient::truth")]
    pub is_testnet: bool,
    /// RPC URL of a node; empty if unknown. Hostile text.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub rpc: String,
    /// REST URL of a node; empty if unknown. Hostile text.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub rest: String,
    /// Ethereum JSON-RPC URL of a node; empty if unknown. Hostile text.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub json_rpc: String,
    /// Fee assets, best first; the reader skips invalid entries.
    #[serde(default, deserialize_with = "lenient::readable", skip_serializing_if = "Vec::is_empty")]
    pub fee_assets: Vec<FeeAsset>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeeAsset {
    pub denom: Denom,
    /// Gas prices; `None` if unknown.
    #[serde(default, deserialize_with = "lenient::fitting")]
    pub gas_price: Option<GasPriceSteps>,
}

/// Gas prices as decimal text, in the asset's smallest unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GasPriceSteps {
    #[serde(default, deserialize_with = "lenient::text")]
    pub low: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub average: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub high: String,
}

impl ChainInfo {
    pub fn kind(&self) -> ChainKind {
        match self.chain_type.as_received() {
            "cosmos" => ChainKind::Cosmos,
            "evm" => ChainKind::Evm,
            "svm" => ChainKind::Svm,
            _ => ChainKind::Unknown,
        }
    }

    /// Returns the display name, if the router gives one.
    pub fn name(&self) -> Option<&Foreign> {
        [&self.pretty_name, &self.chain_name].into_iter().find(|name| !name.is_empty())
    }
}

/// Response of `GET /v2/fungible/assets`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AssetsResponse {
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub chain_to_assets_map: BTreeMap<ChainId, AssetList>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AssetList {
    /// Assets in the router's order, best known first; the reader skips invalid entries.
    #[serde(default, deserialize_with = "lenient::readable")]
    pub assets: Vec<Asset>,
}

/// Asset on a chain; only denom and chain are always set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the wire has them")]
pub struct Asset {
    pub denom: Denom,
    pub chain_id: ChainId,
    #[serde(default, deserialize_with = "lenient::option")]
    pub origin_denom: Option<Denom>,
    #[serde(default, deserialize_with = "lenient::option")]
    pub origin_chain_id: Option<ChainId>,
    /// IBC path of ports and channels.
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub trace: Foreign,
    /// Always false on Initia.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub is_cw20: bool,
    /// Whether the asset is a contract on an EVM chain.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub is_evm: bool,
    /// Whether the asset is a mint on Solana.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub is_svm: bool,
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub symbol: Foreign,
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub name: Foreign,
    /// Number of decimals; if unknown, clients can only show amounts in the smallest unit.
    #[serde(default, deserialize_with = "lenient::option")]
    pub decimals: Option<u8>,
    #[serde(default, deserialize_with = "lenient::foreign", skip_serializing_if = "Foreign::is_empty")]
    pub token_contract: Foreign,
    /// Whether clients should hide the asset.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub hidden: bool,
}
