use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::lenient;
use crate::domain::{Amount, ChainId, Denom, text::Foreign};

/// Body of `POST /v2/info/balances`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BalancesRequest {
    pub chains: BTreeMap<ChainId, BalancesQuery>,
}

/// Account of a chain, with the requested denoms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BalancesQuery {
    /// Address in the chain's format.
    pub address: String,
    /// Requested denoms; an empty list requests all non-zero balances.
    #[serde(default, deserialize_with = "lenient::list")]
    pub denoms: Vec<Denom>,
}

/// Response of `POST /v2/info/balances`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BalancesResponse {
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub chains: BTreeMap<ChainId, ChainBalances>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ChainBalances {
    /// Account of the balances; real servers omit the field.
    #[serde(default, deserialize_with = "lenient::text")]
    pub address: String,
    /// Balances by denom; the denom's case may differ from the request.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub denoms: BTreeMap<Denom, DenomBalance>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DenomBalance {
    /// Amount in the smallest unit; `None` if the server could not determine it.
    #[serde(default, deserialize_with = "lenient::option", skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    #[serde(default, deserialize_with = "lenient::option", skip_serializing_if = "Option::is_none")]
    pub decimals: Option<u8>,
    /// Amount in display units, without thousands separators.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub formatted_amount: String,
    /// US dollars per display unit; empty if unknown.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub price: String,
    /// Total value in US dollars; empty without a price, which does not mean zero.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub value_usd: String,
    #[serde(default, deserialize_with = "lenient::object", skip_serializing_if = "Option::is_none")]
    pub error: Option<BalanceError>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BalanceError {
    /// Hostile text: clean it before display.
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub message: Foreign,
}

/// Body of `POST /v2/fungible/assets_from_source`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ReachRequest {
    pub source_asset_chain_id: ChainId,
    pub source_asset_denom: Denom,
    /// Whether to include routes with several signatures.
    #[serde(default)]
    pub allow_multi_tx: bool,
}

/// Response of `POST /v2/fungible/assets_from_source`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ReachResponse {
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub dest_assets: BTreeMap<ChainId, super::AssetList>,
}
