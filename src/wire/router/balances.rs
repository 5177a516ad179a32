use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::lenient;
use crate::domain::{Amount, ChainId, Denom};

/// The body of `POST /v2/info/balances`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BalancesRequest {
    /// Whose, by chain.
    pub chains: BTreeMap<ChainId, BalancesQuery>,
}

/// An account of a chain, and which of its balances are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BalancesQuery {
    /// As that chain writes addresses.
    pub address: String,
    /// Only these; every balance that is not zero where there is none.
    #[serde(default, deserialize_with = "lenient::list")]
    pub denoms: Vec<Denom>,
}

/// The answer of `POST /v2/info/balances`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BalancesResponse {
    /// By chain.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub chains: BTreeMap<ChainId, ChainBalances>,
}

/// What an account of a chain holds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ChainBalances {
    /// Whose; real servers leave it out.
    #[serde(default, deserialize_with = "lenient::text")]
    pub address: String,
    /// By denom, which may come back in other letters than it was asked for.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub denoms: BTreeMap<Denom, DenomBalance>,
}

/// What an account holds of a denom.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DenomBalance {
    /// In the smallest unit; `None` where the server could not find out.
    #[serde(default, deserialize_with = "lenient::option", skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// Digits after the point.
    #[serde(default, deserialize_with = "lenient::option", skip_serializing_if = "Option::is_none")]
    pub decimals: Option<u8>,
    /// In display units, without grouped thousands.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub formatted_amount: String,
    /// Dollars for one; empty where nobody knows.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub price: String,
    /// Dollars for all of it; empty without a price, which is not zero.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub value_usd: String,
    /// Why there is no amount.
    #[serde(default, deserialize_with = "lenient::object", skip_serializing_if = "Option::is_none")]
    pub error: Option<BalanceError>,
}

/// Why a balance is not known.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BalanceError {
    /// For a person; hostile text.
    #[serde(default, deserialize_with = "lenient::text")]
    pub message: String,
}

/// What of the body of `POST /v2/fungible/assets_from_source` is sent.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ReachRequest {
    /// Where it is.
    pub source_asset_chain_id: ChainId,
    /// What it is there.
    pub source_asset_denom: Denom,
    /// What needs several signatures too.
    #[serde(default)]
    pub allow_multi_tx: bool,
}

/// The answer of `POST /v2/fungible/assets_from_source`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ReachResponse {
    /// What it can become, by chain.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub dest_assets: BTreeMap<ChainId, super::AssetList>,
}
