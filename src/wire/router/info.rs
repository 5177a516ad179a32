use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::lenient;
use crate::domain::{ChainId, Denom};

/// The answer of `GET /v2/info/chains`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ChainsResponse {
    /// The chains that can be routed to; an entry of another form is left out.
    #[serde(default, deserialize_with = "lenient::readable")]
    pub chains: Vec<ChainInfo>,
}

/// Of which family a chain is: decides how its addresses and hashes look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChainKind {
    /// Bech32 addresses, upper-case hashes; Initia's `MiniEVM` rollups too.
    Cosmos,
    /// `0x` addresses and hashes.
    Evm,
    /// Base58.
    Svm,
    /// Not said.
    #[default]
    Unknown,
}

/// A chain that the router knows (`docs/apis/router.md` §8).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the wire has them")]
pub struct ChainInfo {
    /// Its id.
    pub chain_id: ChainId,
    /// A short name.
    #[serde(default, deserialize_with = "lenient::text")]
    pub chain_name: String,
    /// A name for people; hostile text.
    #[serde(default, deserialize_with = "lenient::text")]
    pub pretty_name: String,
    /// `cosmos`, `evm` or `svm`.
    #[serde(default, deserialize_with = "lenient::text")]
    pub chain_type: String,
    /// What its addresses start with; empty on EVM chains.
    #[serde(default, deserialize_with = "lenient::text")]
    pub bech32_prefix: String,
    /// Whether it passes packets on.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub pfm_enabled: bool,
    /// Whether it takes memos.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub supports_memo: bool,
    /// Whether clients should not offer it.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub hidden: bool,
    /// Whether it is a test network.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub is_testnet: bool,
    /// A node of it; empty where the router names none. Hostile text.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub rpc: String,
    /// Where its node's Cosmos REST is, where the router says so. Hostile text.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub rest: String,
    /// Where its node's Ethereum JSON-RPC is, where the router says so. Hostile text.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub json_rpc: String,
    /// What its fees can be paid in, best first; an entry of another form is left out.
    #[serde(default, deserialize_with = "lenient::readable", skip_serializing_if = "Vec::is_empty")]
    pub fee_assets: Vec<FeeAsset>,
}

/// An asset that pays for gas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeeAsset {
    /// What.
    pub denom: Denom,
    /// What a unit of gas costs; none where nobody says.
    #[serde(default, deserialize_with = "lenient::fitting")]
    pub gas_price: Option<GasPriceSteps>,
}

/// Gas prices as decimal texts, in the asset's smallest unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GasPriceSteps {
    /// For who can wait.
    #[serde(default, deserialize_with = "lenient::text")]
    pub low: String,
    /// What applications offer.
    #[serde(default, deserialize_with = "lenient::text")]
    pub average: String,
    /// For who cannot wait.
    #[serde(default, deserialize_with = "lenient::text")]
    pub high: String,
}

impl ChainInfo {
    /// Of which family it is.
    pub fn kind(&self) -> ChainKind {
        match self.chain_type.as_str() {
            "cosmos" => ChainKind::Cosmos,
            "evm" => ChainKind::Evm,
            "svm" => ChainKind::Svm,
            _ => ChainKind::Unknown,
        }
    }

    /// Its name for people, or its id; hostile text.
    pub fn name(&self) -> &str {
        [self.pretty_name.as_str(), self.chain_name.as_str()]
            .into_iter()
            .find(|name| !name.is_empty())
            .unwrap_or(self.chain_id.as_str())
    }
}

/// The answer of `GET /v2/fungible/assets`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AssetsResponse {
    /// Assets by the chain they are on.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub chain_to_assets_map: BTreeMap<ChainId, AssetList>,
}

/// The assets of a chain.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AssetList {
    /// In the router's order, best known first; an entry of another form is left out.
    #[serde(default, deserialize_with = "lenient::readable")]
    pub assets: Vec<Asset>,
}

/// An asset on a chain; only denom and chain are always there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the wire has them")]
pub struct Asset {
    /// What it is there.
    pub denom: Denom,
    /// Where.
    pub chain_id: ChainId,
    /// What it is where it comes from.
    #[serde(default, deserialize_with = "lenient::option")]
    pub origin_denom: Option<Denom>,
    /// Where it comes from.
    #[serde(default, deserialize_with = "lenient::option")]
    pub origin_chain_id: Option<ChainId>,
    /// Over which ports and channels it came.
    #[serde(default, deserialize_with = "lenient::text")]
    pub trace: String,
    /// Always false on Initia.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub is_cw20: bool,
    /// Whether it is a contract of an EVM chain.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub is_evm: bool,
    /// Whether it is a mint of Solana.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub is_svm: bool,
    /// Ticker; hostile text.
    #[serde(default, deserialize_with = "lenient::text")]
    pub symbol: String,
    /// Name; hostile text.
    #[serde(default, deserialize_with = "lenient::text")]
    pub name: String,
    /// Digits after the point; without them amounts can only be shown in the smallest unit.
    #[serde(default, deserialize_with = "lenient::option")]
    pub decimals: Option<u8>,
    /// Its contract on an EVM chain.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub token_contract: String,
    /// Whether clients should not offer it.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub hidden: bool,
}
