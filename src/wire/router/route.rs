use serde::{Deserialize, Serialize};

use super::{Asset, Operation, lenient};
use crate::domain::{Amount, ChainId, Denom};

/// The body of `POST /v2/fungible/route`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteRequest {
    /// What to send, in the smallest unit.
    pub amount_in: Amount,
    /// Where it is.
    pub source_asset_chain_id: ChainId,
    /// What it is there.
    pub source_asset_denom: Denom,
    /// Where it shall be.
    pub dest_asset_chain_id: ChainId,
    /// What it shall be there.
    pub dest_asset_denom: Denom,
    /// Routes with a bad or unknown price too; absent means opposite things to different servers, so clients always
    /// say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_unsafe: Option<bool>,
    /// The fast bridging mode; chosen by the server when unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub go_fast: Option<bool>,
    /// Force the optimistic withdrawal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_op_withdraw: Option<bool>,
    /// Routes that need several signatures too. Real servers know it; the specification does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_multi_tx: Option<bool>,
}

/// The answer of `POST /v2/fungible/route`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Route {
    /// What goes in, in the smallest unit.
    pub amount_in: Amount,
    /// What is expected, after the fees that are deducted on the way.
    pub amount_out: Amount,
    /// Where it starts.
    pub source_asset_chain_id: ChainId,
    /// What it is there.
    pub source_asset_denom: Denom,
    /// Where it ends.
    pub dest_asset_chain_id: ChainId,
    /// What it is there.
    pub dest_asset_denom: Denom,
    /// The steps, in order.
    #[serde(default, deserialize_with = "lenient::list")]
    pub operations: Vec<Operation>,
    /// Chains for which the messages need an address: the first signs, the last receives.
    #[serde(default, deserialize_with = "lenient::list")]
    pub required_chain_addresses: Vec<ChainId>,
    /// Every chain it touches, in order.
    #[serde(default, deserialize_with = "lenient::list")]
    pub chain_ids: Vec<ChainId>,
    /// Whether it swaps.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub does_swap: bool,
    /// The quote that goes back to the messages; normally the same as `amount_out`.
    #[serde(default, deserialize_with = "lenient::option")]
    pub estimated_amount_out: Option<Amount>,
    /// Fees, as far as they are listed.
    #[serde(default, deserialize_with = "lenient::list")]
    pub estimated_fees: Vec<Fee>,
    /// How long it takes, in seconds; `None` and 0 mean that nobody knows.
    #[serde(default, deserialize_with = "lenient::option")]
    pub estimated_route_duration_seconds: Option<u64>,
    /// Signed transactions it takes, each on its own chain.
    #[serde(default, deserialize_with = "lenient::option")]
    pub txs_required: Option<u32>,
    /// Where it swaps; an entry of another form is left out.
    #[serde(default, deserialize_with = "lenient::readable")]
    pub swap_venues: Vec<SwapVenue>,
    /// The first of them, for old clients.
    #[serde(default, deserialize_with = "lenient::fitting", skip_serializing_if = "Option::is_none")]
    pub swap_venue: Option<SwapVenue>,
    /// Percent as decimal text, may be negative; empty where it cannot be computed.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub swap_price_impact_percent: String,
    /// Dollars as decimal text; empty without a price, which is not zero.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub usd_amount_in: String,
    /// Dollars as decimal text; empty without a price, which is not zero.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub usd_amount_out: String,
    /// The price warning.
    #[serde(default, deserialize_with = "lenient::object")]
    pub warning: Option<Warning>,
    /// Texts to show; not in the specification.
    #[serde(default, deserialize_with = "lenient::list")]
    pub extra_infos: Vec<String>,
    /// Texts to warn with.
    #[serde(default, deserialize_with = "lenient::list")]
    pub extra_warnings: Vec<String>,
    /// Whether a signed hook must go with it.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub required_op_hook: bool,
}

impl Route {
    /// How long it takes, in seconds, where that is known.
    pub fn seconds(&self) -> Option<u64> {
        self.estimated_route_duration_seconds.filter(|seconds| *seconds > 0)
    }

    /// Signed transactions it takes, at least 1.
    pub fn txs_count(&self) -> u32 {
        let by_operations =
            self.operations.iter().map(|operation| operation.tx_index.saturating_add(1)).max().unwrap_or(1);
        self.txs_required.unwrap_or(1).max(by_operations)
    }
}

/// Where a swap happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwapVenue {
    /// `initia-dex` and the like.
    #[serde(default, deserialize_with = "lenient::text")]
    pub name: String,
    /// Its chain.
    pub chain_id: ChainId,
    /// Its picture.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub logo_uri: String,
}

/// A warning of the router.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// `BAD_PRICE_WARNING`, `LOW_INFO_WARNING`, `INSUFFICIENT_GAS_AT_DEST_EOA`…
    #[serde(rename = "type", default, deserialize_with = "lenient::text")]
    pub kind: String,
    /// For a person.
    #[serde(default, deserialize_with = "lenient::text")]
    pub message: String,
}

/// Whether a fee is in the quoted amount already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeeBehavior {
    /// Taken out of `amount_out` already.
    Deducted,
    /// Paid on top, in its own asset on its own chain.
    Additional,
    /// Not said, or in other words.
    Other(String),
}

/// One fee of a route (`docs/apis/router.md` §1.4).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fee {
    /// `SMART_RELAY`, `SWAP`, `BRIDGE`, `RELAY`, `GAS`: free text.
    #[serde(default, deserialize_with = "lenient::text")]
    pub fee_type: String,
    /// Of which bridge.
    #[serde(default, deserialize_with = "lenient::text")]
    pub bridge_id: String,
    /// How much, in the smallest unit of its asset.
    #[serde(default, deserialize_with = "lenient::option")]
    pub amount: Option<Amount>,
    /// Dollars as decimal text; empty without a price.
    #[serde(default, deserialize_with = "lenient::text")]
    pub usd_amount: String,
    /// In what.
    #[serde(default, deserialize_with = "lenient::fitting")]
    pub origin_asset: Option<Asset>,
    /// Where it is paid.
    #[serde(default, deserialize_with = "lenient::option")]
    pub chain_id: Option<ChainId>,
    /// In which signed transaction.
    #[serde(default, deserialize_with = "lenient::option")]
    pub tx_index: Option<u32>,
    /// For which operation.
    #[serde(default, deserialize_with = "lenient::option")]
    pub operation_index: Option<u32>,
    /// `FEE_BEHAVIOR_DEDUCTED` or `FEE_BEHAVIOR_ADDITIONAL`; may be missing.
    #[serde(default, deserialize_with = "lenient::text")]
    pub fee_behavior: String,
}

impl Fee {
    /// Whether it is in the quoted amount already.
    pub fn behavior(&self) -> FeeBehavior {
        match self.fee_behavior.as_str() {
            "FEE_BEHAVIOR_DEDUCTED" => FeeBehavior::Deducted,
            "FEE_BEHAVIOR_ADDITIONAL" => FeeBehavior::Additional,
            other => FeeBehavior::Other(other.to_owned()),
        }
    }
}
