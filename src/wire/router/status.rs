use serde::{Deserialize, Serialize};

use super::{Hop, lenient};
use crate::{
    domain::{Amount, ChainId, Denom, text::Foreign},
    wire::RawJson,
};

/// Response of `GET /v2/tx/status` (`docs/apis/router.md` §5.1).
///
/// Servers send the data twice: in `transfers`, with one element per transfer that the transaction started, and as a
/// flat copy of one transfer. States stay text: the API has two vocabularies, and servers use words outside of both.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TransferStatus {
    /// Transfers that the transaction started; empty on servers that send only the flat copy.
    #[serde(default, deserialize_with = "lenient::list", skip_serializing_if = "Vec::is_empty")]
    pub transfers: Vec<TransferPart>,
    /// State such as `STATE_COMPLETED_SUCCESS`; empty if the server sets only the states in `transfers`.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub state: String,
    #[serde(default, deserialize_with = "lenient::list")]
    pub transfer_sequence: Vec<Hop>,
    #[serde(default, deserialize_with = "lenient::fitting")]
    pub next_blocking_transfer: Option<BlockingTransfer>,
    /// Current or expected location of the funds.
    #[serde(default, deserialize_with = "lenient::fitting")]
    pub transfer_asset_release: Option<AssetRelease>,
    #[serde(default, deserialize_with = "lenient::object")]
    pub error: Option<StatusError>,
    /// Coarse older state next to `state`; it does not distinguish success from failure.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub status: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TransferPart {
    /// State such as `STATE_COMPLETED_SUCCESS`.
    #[serde(default, deserialize_with = "lenient::text")]
    pub state: String,
    /// Known hops. The list grows, and never contains swaps or sends.
    #[serde(default, deserialize_with = "lenient::list")]
    pub transfer_sequence: Vec<Hop>,
    #[serde(default, deserialize_with = "lenient::fitting")]
    pub next_blocking_transfer: Option<BlockingTransfer>,
    /// Current or expected location of the funds.
    #[serde(default, deserialize_with = "lenient::fitting")]
    pub transfer_asset_release: Option<AssetRelease>,
    #[serde(default, deserialize_with = "lenient::object")]
    pub error: Option<StatusError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockingTransfer {
    /// Index into the transfer's list of hops, from 0; may decrease.
    #[serde(default, deserialize_with = "lenient::option")]
    pub transfer_sequence_index: Option<u32>,
}

/// Current or expected location of funds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssetRelease {
    pub chain_id: ChainId,
    pub denom: Denom,
    /// Amount in the smallest unit; often missing.
    #[serde(default, deserialize_with = "lenient::option", skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    #[serde(default, deserialize_with = "lenient::truth")]
    pub released: bool,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StatusError {
    /// Error type, such as `STATUS_ERROR_TRANSACTION_EXECUTION`; may be empty.
    #[serde(rename = "type", default, deserialize_with = "lenient::foreign")]
    pub kind: Foreign,
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub message: Foreign,
    /// Error details `{code, message}`, flat or nested, as received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<RawJson>,
}
