use serde::{Deserialize, Serialize};

use super::{Hop, lenient};
use crate::{
    domain::{Amount, ChainId, Denom},
    wire::RawJson,
};

/// The answer of `GET /v2/tx/status` (`docs/apis/router.md` §5.1).
///
/// Servers put the same things in two places: `transfers`, one element for each transfer that the transaction began,
/// and flat copies of one of them. States stay text: there are two vocabularies, and servers have more words than both.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TransferStatus {
    /// The transfers that the transaction began; empty on servers that only have the flat form.
    #[serde(default, deserialize_with = "lenient::list", skip_serializing_if = "Vec::is_empty")]
    pub transfers: Vec<TransferPart>,
    /// `STATE_…`; empty where only `transfers` has it.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub state: String,
    /// The hops, as far as they are known.
    #[serde(default, deserialize_with = "lenient::list")]
    pub transfer_sequence: Vec<Hop>,
    /// The hop that everything waits for.
    #[serde(default, deserialize_with = "lenient::fitting")]
    pub next_blocking_transfer: Option<BlockingTransfer>,
    /// Where the money is or will be.
    #[serde(default, deserialize_with = "lenient::fitting")]
    pub transfer_asset_release: Option<AssetRelease>,
    /// What went wrong.
    #[serde(default, deserialize_with = "lenient::object")]
    pub error: Option<StatusError>,
    /// The coarse old state beside `state`; alone it does not tell success from error.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub status: String,
}

/// One transfer of a transaction.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TransferPart {
    /// `STATE_…`
    #[serde(default, deserialize_with = "lenient::text")]
    pub state: String,
    /// The hops, as far as they are known. The list grows, and never has swaps or sends.
    #[serde(default, deserialize_with = "lenient::list")]
    pub transfer_sequence: Vec<Hop>,
    /// The hop that everything waits for.
    #[serde(default, deserialize_with = "lenient::fitting")]
    pub next_blocking_transfer: Option<BlockingTransfer>,
    /// Where the money is or will be.
    #[serde(default, deserialize_with = "lenient::fitting")]
    pub transfer_asset_release: Option<AssetRelease>,
    /// What went wrong.
    #[serde(default, deserialize_with = "lenient::object")]
    pub error: Option<StatusError>,
}

/// The hop that everything waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockingTransfer {
    /// Its place in its own list of hops, from 0; may go backwards.
    #[serde(default, deserialize_with = "lenient::option")]
    pub transfer_sequence_index: Option<u32>,
}

/// Where the money is or will be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssetRelease {
    /// On which chain.
    pub chain_id: ChainId,
    /// As what.
    pub denom: Denom,
    /// How much, in the smallest unit; often missing.
    #[serde(default, deserialize_with = "lenient::option", skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// Whether it is there already.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub released: bool,
}

/// What went wrong with a transfer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StatusError {
    /// `STATUS_ERROR_TRANSACTION_EXECUTION` and the like; may be empty.
    #[serde(rename = "type", default, deserialize_with = "lenient::text")]
    pub kind: String,
    /// For a person.
    #[serde(default, deserialize_with = "lenient::text")]
    pub message: String,
    /// `{code, message}`, flat or nested, as received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<RawJson>,
}
