use serde::{Deserialize, Serialize};

use super::lenient;
use crate::domain::ChainId;

/// The body of `POST /v2/tx/track`; the query of `GET /v2/tx/status`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackRequest {
    /// In the form of its chain (see [`crate::domain::BroadcastHash`]).
    #[serde(deserialize_with = "lenient::text")]
    pub tx_hash: String,
    pub chain_id: ChainId,
}

/// The body of `POST /v2/tx/submit`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmitRequest {
    /// Signed transaction: base64 of its bytes, or hex with `0x` of an Ethereum one.
    #[serde(deserialize_with = "lenient::text")]
    pub tx: String,
    pub chain_id: ChainId,
}

/// The answer of `POST /v2/tx/track`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackResponse {
    #[serde(default, deserialize_with = "lenient::text")]
    pub tx_hash: String,
    /// Missing on some servers.
    #[serde(default, deserialize_with = "lenient::text")]
    pub explorer_link: String,
}
