use crate::domain::text::Foreign;
use serde::{Deserialize, Serialize};

use crate::wire::RawJson;

/// Response of `GET /cosmos/auth/v1beta1/account_info/{address}`; numbers are text.
#[derive(Clone, Debug, Deserialize)]
pub struct AccountInfoAnswer {
    pub info: AccountInfo,
}

#[derive(Clone, Debug, Deserialize)]
pub struct AccountInfo {
    /// Account number on the chain, as text; some nodes omit 0.
    #[serde(default = "zero")]
    pub account_number: String,
    /// Sequence number of the account's next transaction, as text.
    #[serde(default = "zero")]
    pub sequence: String,
}

fn zero() -> String {
    "0".to_owned()
}

/// Body of `POST /cosmos/tx/v1beta1/simulate`.
#[derive(Clone, Debug, Serialize)]
pub struct SimulateBody {
    /// Base64 of the transaction's bytes.
    pub tx_bytes: String,
}

#[derive(Clone, Debug, Deserialize)]
pub struct SimulateAnswer {
    pub gas_info: GasInfo,
    #[serde(default)]
    pub result: Option<SimulateResult>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct SimulateResult {
    /// JSON list of events; `None` if the node omits it.
    #[serde(default)]
    pub events: Option<RawJson>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct GasInfo {
    pub gas_used: String,
}

/// Body of `POST /cosmos/tx/v1beta1/txs`.
#[derive(Clone, Debug, Serialize)]
pub struct BroadcastBody {
    /// Base64 of the transaction's bytes.
    pub tx_bytes: String,
    /// `BROADCAST_MODE_SYNC`: the node answers after it checked the transaction, before a block contains it.
    pub mode: &'static str,
}

#[derive(Clone, Debug, Deserialize)]
pub struct BroadcastAnswer {
    pub tx_response: BroadcastResponse,
}

#[derive(Clone, Debug, Deserialize)]
pub struct BroadcastResponse {
    /// Result code; 0 means that the node accepted the transaction.
    #[serde(default)]
    pub code: u32,
    /// Reason of a rejection; hostile text.
    #[serde(default)]
    pub raw_log: Foreign,
}

/// Response of `GET /initia/tx/v1/gas_prices`.
#[derive(Clone, Debug, Deserialize)]
pub struct GasPricesAnswer {
    /// Gas prices as decimals, by denom.
    pub gas_prices: Vec<GasPriceAnswer>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct GasPriceAnswer {
    pub denom: String,
    /// Price as a decimal, in the smallest unit.
    pub amount: String,
}

/// Response of `GET /opinit/opchild/v1/params` of a rollup.
#[derive(Clone, Debug, Deserialize)]
pub struct OpchildParamsAnswer {
    pub params: OpchildParams,
}

#[derive(Clone, Debug, Deserialize)]
pub struct OpchildParams {
    #[serde(default)]
    pub min_gas_prices: Vec<GasPriceAnswer>,
}

/// Response of `GET /cosmos/base/node/v1beta1/config`.
#[derive(Clone, Debug, Deserialize)]
pub struct NodeConfigAnswer {
    /// Gas prices by denom, such as `0.015uinit,0.1ibc/…`; may be empty.
    #[serde(default)]
    pub minimum_gas_price: String,
}
