use serde::{Deserialize, Serialize};

use super::{Asset, Operation, lenient};
use crate::domain::{Amount, ChainId, Denom, text::Foreign};

/// Body of `POST /v2/fungible/route`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteRequest {
    /// Input amount in the smallest unit.
    pub amount_in: Amount,
    pub source_asset_chain_id: ChainId,
    pub source_asset_denom: Denom,
    pub dest_asset_chain_id: ChainId,
    pub dest_asset_denom: Denom,
    /// Whether to include routes with a bad or unknown price. Servers disagree on the default, so clients always set
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_unsafe: Option<bool>,
    /// Whether to use the fast bridging mode; the server decides if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub go_fast: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_op_withdraw: Option<bool>,
    /// Whether to include routes with several signatures. The specification lacks this field; real servers know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_multi_tx: Option<bool>,
}

/// Response of `POST /v2/fungible/route`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Route {
    pub amount_in: Amount,
    /// Expected output in the smallest unit, after the deducted fees.
    pub amount_out: Amount,
    pub source_asset_chain_id: ChainId,
    pub source_asset_denom: Denom,
    pub dest_asset_chain_id: ChainId,
    pub dest_asset_denom: Denom,
    /// Steps of the route, in order.
    #[serde(default, deserialize_with = "lenient::list")]
    pub operations: Vec<Operation>,
    /// Chains that need an address for the messages: the first chain signs, the last chain receives.
    #[serde(default, deserialize_with = "lenient::list")]
    pub required_chain_addresses: Vec<ChainId>,
    /// All chains of the route, in order.
    #[serde(default, deserialize_with = "lenient::list")]
    pub chain_ids: Vec<ChainId>,
    #[serde(default, deserialize_with = "lenient::truth")]
    pub does_swap: bool,
    /// Quoted output to send back with the messages; normally equal to `amount_out`.
    #[serde(default, deserialize_with = "lenient::option")]
    pub estimated_amount_out: Option<Amount>,
    #[serde(default, deserialize_with = "lenient::list")]
    pub estimated_fees: Vec<Fee>,
    /// Estimated duration in seconds; `None` and 0 mean unknown.
    #[serde(default, deserialize_with = "lenient::option")]
    pub estimated_route_duration_seconds: Option<u64>,
    /// Number of signed transactions, each on its own chain.
    #[serde(default, deserialize_with = "lenient::option")]
    pub txs_required: Option<u32>,
    /// Venues of swaps; the reader skips invalid entries.
    #[serde(default, deserialize_with = "lenient::readable")]
    pub swap_venues: Vec<SwapVenue>,
    /// First swap venue, for old clients.
    #[serde(default, deserialize_with = "lenient::fitting", skip_serializing_if = "Option::is_none")]
    pub swap_venue: Option<SwapVenue>,
    /// Price impact in percent, as decimal text; may be negative; empty if unknown.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub swap_price_impact_percent: String,
    /// Input value in US dollars, as decimal text; empty without a price, which does not mean zero.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub usd_amount_in: String,
    /// Output value in US dollars, as decimal text; empty without a price, which does not mean zero.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub usd_amount_out: String,
    #[serde(default, deserialize_with = "lenient::object")]
    pub warning: Option<Warning>,
    /// Notes for the user; the specification lacks this field.
    #[serde(default, deserialize_with = "lenient::list")]
    pub extra_infos: Vec<Foreign>,
    #[serde(default, deserialize_with = "lenient::list")]
    pub extra_warnings: Vec<Foreign>,
    /// Whether the messages require a signed hook.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub required_op_hook: bool,
}

impl Route {
    /// Returns the estimated duration in seconds; `None` if unknown, or above a year, which no route takes.
    pub fn seconds(&self) -> Option<u64> {
        const YEAR: u64 = 366 * 24 * 60 * 60;
        self.estimated_route_duration_seconds.filter(|seconds| (1..=YEAR).contains(seconds))
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
    /// Name of the venue, such as `initia-dex`.
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub name: Foreign,
    pub chain_id: ChainId,
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub logo_uri: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// Warning type, such as `BAD_PRICE_WARNING`, `LOW_INFO_WARNING` or `INSUFFICIENT_GAS_AT_DEST_EOA`.
    #[serde(rename = "type", default, deserialize_with = "lenient::foreign")]
    pub kind: Foreign,
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub message: Foreign,
}

/// Whether the quote already includes a fee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeeBehavior {
    /// The router deducted the fee from `amount_out`.
    Deducted,
    /// The signer pays the fee in addition to the amount, in the fee's asset on the fee's chain.
    Additional,
    /// Missing or unknown.
    Other(String),
}

/// Fee of a route (`docs/apis/router.md` §1.4).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fee {
    /// Kind of fee, free text: `SMART_RELAY`, `SWAP`, `BRIDGE`, `RELAY`, `GAS`.
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub fee_type: Foreign,
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub bridge_id: Foreign,
    /// Amount in the smallest unit of the fee's asset.
    #[serde(default, deserialize_with = "lenient::option")]
    pub amount: Option<Amount>,
    /// Value in US dollars, as decimal text; empty without a price.
    #[serde(default, deserialize_with = "lenient::text")]
    pub usd_amount: String,
    #[serde(default, deserialize_with = "lenient::fitting")]
    pub origin_asset: Option<Asset>,
    #[serde(default, deserialize_with = "lenient::option")]
    pub chain_id: Option<ChainId>,
    #[serde(default, deserialize_with = "lenient::option")]
    pub tx_index: Option<u32>,
    #[serde(default, deserialize_with = "lenient::option")]
    pub operation_index: Option<u32>,
    /// `FEE_BEHAVIOR_DEDUCTED` or `FEE_BEHAVIOR_ADDITIONAL`; may be missing.
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub fee_behavior: Foreign,
}

impl Fee {
    pub fn behavior(&self) -> FeeBehavior {
        match self.fee_behavior.as_received() {
            "FEE_BEHAVIOR_DEDUCTED" => FeeBehavior::Deducted,
            "FEE_BEHAVIOR_ADDITIONAL" => FeeBehavior::Additional,
            other => FeeBehavior::Other(other.to_owned()),
        }
    }
}
