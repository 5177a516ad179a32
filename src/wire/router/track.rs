use crate::domain::text::Foreign;
use serde::{Deserialize, Serialize};

use super::lenient;
use crate::domain::ChainId;

/// Body of `POST /v2/tx/track`, and query of `GET /v2/tx/status`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackRequest {
    /// Hash in the chain's format (see [`crate::domain::BroadcastHash`]).
    #[serde(deserialize_with = "lenient::text")]
    pub tx_hash: String,
    pub chain_id: ChainId,
}

/// Body of `POST /v2/tx/submit`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmitRequest {
    /// Signed transaction: base64 of a Cosmos transaction's bytes, or `0x` hex of an Ethereum transaction.
    #[serde(deserialize_with = "lenient::text")]
    pub tx: String,
    pub chain_id: ChainId,
}

/// Response of `POST /v2/tx/track`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackResponse {
    #[serde(default, deserialize_with = "lenient::text")]
    pub tx_hash: String,
    /// Link to a web explorer; missing on some servers. Hostile text.
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub explorer_link: Foreign,
}
