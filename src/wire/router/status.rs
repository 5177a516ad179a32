use serde::{Deserialize, Serialize};

use super::{Hop, lenient};
use crate::{
    domain::{Amount, ChainId, Denom},
    wire::RawJson,
};

/// The answer of `GET /v2/tx/status` (`docs/apis/router.md` §5.1).
///
/// Servers send the same data twice: in `transfers`, one element per transfer that the transaction started, and as flat
/// copies of one of them. States stay text: there are two vocabularies, and servers use more words than both.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TransferStatus {
    /// Transfers that the transaction started; empty on servers with the flat form only.
    #[serde(default, deserialize_with = "lenient::list", skip_serializing_if = "Vec::is_empty")]
    pub transfers: Vec<TransferPart>,
    /// `STATE_…`; empty if the server only sets the states in `transfers`.
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
    /// Coarse old state beside `state`; it does not distinguish success from error.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub status: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TransferPart {
    /// `STATE_…`
    #[serde(default, deserialize_with = "lenient::text")]
    pub state: String,
    /// Known hops. The list grows, and never has swaps or sends.
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

/// Hop that blocks the transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockingTransfer {
    /// Index in its list of hops, from 0; may decrease.
    #[serde(default, deserialize_with = "lenient::option")]
    pub transfer_sequence_index: Option<u32>,
}

/// Current or expected location of funds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssetRelease {
    pub chain_id: ChainId,
    pub denom: Denom,
    /// In the smallest unit; often missing.
    #[serde(default, deserialize_with = "lenient::option", skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    #[serde(default, deserialize_with = "lenient::truth")]
    pub released: bool,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StatusError {
    /// `STATUS_ERROR_TRANSACTION_EXECUTION` and the like; may be empty.
    #[serde(rename = "type", default, deserialize_with = "lenient::text")]
    pub kind: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub message: String,
    /// `{code, message}`, flat or nested, as received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<RawJson>,
}
