use serde::{Deserialize, Serialize};

use super::{Asset, Operation, lenient};
use crate::domain::{Amount, ChainId, Denom};

/// The body of `POST /v2/fungible/route`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteRequest {
    /// In the smallest unit.
    pub amount_in: Amount,
    pub source_asset_chain_id: ChainId,
    pub source_asset_denom: Denom,
    pub dest_asset_chain_id: ChainId,
    pub dest_asset_denom: Denom,
    /// Includes routes with a bad or unknown price. Servers disagree on the default, so clients always set it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_unsafe: Option<bool>,
    /// Fast bridging mode; the server decides if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub go_fast: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_op_withdraw: Option<bool>,
    /// Includes routes with several signatures. Real servers know it; the specification does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_multi_tx: Option<bool>,
}

/// The answer of `POST /v2/fungible/route`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Route {
    pub amount_in: Amount,
    /// Expected output, after fees deducted on the way.
    pub amount_out: Amount,
    pub source_asset_chain_id: ChainId,
    pub source_asset_denom: Denom,
    pub dest_asset_chain_id: ChainId,
    pub dest_asset_denom: Denom,
    /// In order.
    #[serde(default, deserialize_with = "lenient::list")]
    pub operations: Vec<Operation>,
    /// Chains that need an address for the messages: the first signs, the last receives.
    #[serde(default, deserialize_with = "lenient::list")]
    pub required_chain_addresses: Vec<ChainId>,
    /// All chains on the way, in order.
    #[serde(default, deserialize_with = "lenient::list")]
    pub chain_ids: Vec<ChainId>,
    #[serde(default, deserialize_with = "lenient::truth")]
    pub does_swap: bool,
    /// Quote to send back with the messages; normally equal to `amount_out`.
    #[serde(default, deserialize_with = "lenient::option")]
    pub estimated_amount_out: Option<Amount>,
    #[serde(default, deserialize_with = "lenient::list")]
    pub estimated_fees: Vec<Fee>,
    /// Duration in seconds; `None` and 0 mean unknown.
    #[serde(default, deserialize_with = "lenient::option")]
    pub estimated_route_duration_seconds: Option<u64>,
    /// Number of signed transactions, each on its own chain.
    #[serde(default, deserialize_with = "lenient::option")]
    pub txs_required: Option<u32>,
    /// Venues of swaps; invalid entries are skipped.
    #[serde(default, deserialize_with = "lenient::readable")]
    pub swap_venues: Vec<SwapVenue>,
    /// First venue, for old clients.
    #[serde(default, deserialize_with = "lenient::fitting", skip_serializing_if = "Option::is_none")]
    pub swap_venue: Option<SwapVenue>,
    /// Percent as decimal text, may be negative; empty if unknown.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub swap_price_impact_percent: String,
    /// US dollars as decimal text; empty without a price, which is not zero.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub usd_amount_in: String,
    /// US dollars as decimal text; empty without a price, which is not zero.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub usd_amount_out: String,
    #[serde(default, deserialize_with = "lenient::object")]
    pub warning: Option<Warning>,
    /// Notes to show; not in the specification.
    #[serde(default, deserialize_with = "lenient::list")]
    pub extra_infos: Vec<String>,
    #[serde(default, deserialize_with = "lenient::list")]
    pub extra_warnings: Vec<String>,
    /// Whether the messages require a signed hook.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub required_op_hook: bool,
}

impl Route {
    /// Returns the duration in seconds, if known.
    pub fn seconds(&self) -> Option<u64> {
        self.estimated_route_duration_seconds.filter(|seconds| *seconds > 0)
    }

    /// Returns the number of signed transactions, at least 1.
    pub fn txs_count(&self) -> u32 {
        let by_operations =
            self.operations.iter().map(|operation| operation.tx_index.saturating_add(1)).max().unwrap_or(1);
        self.txs_required.unwrap_or(1).max(by_operations)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwapVenue {
    /// `initia-dex` and the like.
    #[serde(default, deserialize_with = "lenient::text")]
    pub name: String,
    pub chain_id: ChainId,
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub logo_uri: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// `BAD_PRICE_WARNING`, `LOW_INFO_WARNING`, `INSUFFICIENT_GAS_AT_DEST_EOA`…
    #[serde(rename = "type", default, deserialize_with = "lenient::text")]
    pub kind: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub message: String,
}

/// Whether a fee is part of the quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeeBehavior {
    /// Deducted from `amount_out`.
    Deducted,
    /// Paid in addition to the amount, in the fee's own asset on its own chain.
    Additional,
    /// Missing or unknown.
    Other(String),
}

/// Fee of a route (`docs/apis/router.md` §1.4).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fee {
    /// `SMART_RELAY`, `SWAP`, `BRIDGE`, `RELAY`, `GAS`: free text.
    #[serde(default, deserialize_with = "lenient::text")]
    pub fee_type: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub bridge_id: String,
    /// In the smallest unit of its asset.
    #[serde(default, deserialize_with = "lenient::option")]
    pub amount: Option<Amount>,
    /// US dollars as decimal text; empty without a price.
    #[serde(default, deserialize_with = "lenient::text")]
    pub usd_amount: String,
    #[serde(default, deserialize_with = "lenient::fitting")]
    pub origin_asset: Option<Asset>,
    /// Chain where it is paid.
    #[serde(default, deserialize_with = "lenient::option")]
    pub chain_id: Option<ChainId>,
    /// Index of the signed transaction that pays the fee.
    #[serde(default, deserialize_with = "lenient::option")]
    pub tx_index: Option<u32>,
    #[serde(default, deserialize_with = "lenient::option")]
    pub operation_index: Option<u32>,
    /// `FEE_BEHAVIOR_DEDUCTED` or `FEE_BEHAVIOR_ADDITIONAL`; may be missing.
    #[serde(default, deserialize_with = "lenient::text")]
    pub fee_behavior: String,
}

impl Fee {
    pub fn behavior(&self) -> FeeBehavior {
        match self.fee_behavior.as_str() {
            "FEE_BEHAVIOR_DEDUCTED" => FeeBehavior::Deducted,
            "FEE_BEHAVIOR_ADDITIONAL" => FeeBehavior::Additional,
            other => FeeBehavior::Other(other.to_owned()),
        }
    }
}
