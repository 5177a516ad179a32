use serde::{Deserialize, Serialize};

/// `GET /cosmos/auth/v1beta1/account_info/{address}`; numbers as texts.
#[derive(Clone, Debug, Deserialize)]
pub struct AccountInfoAnswer {
    pub info: AccountInfo,
}

/// Account data for a signature.
#[derive(Clone, Debug, Deserialize)]
pub struct AccountInfo {
    /// Number of the account on the chain; some nodes omit 0.
    #[serde(default = "zero")]
    pub account_number: String,
    /// Number of its transactions so far, as text.
    #[serde(default = "zero")]
    pub sequence: String,
}

fn zero() -> String {
    "0".to_owned()
}

/// The body of `POST /cosmos/tx/v1beta1/simulate`.
#[derive(Clone, Debug, Serialize)]
pub struct SimulateBody {
    /// Base64.
    pub tx_bytes: String,
}

#[derive(Clone, Debug, Deserialize)]
pub struct SimulateAnswer {
    pub gas_info: GasInfo,
}

/// Gas, as text.
#[derive(Clone, Debug, Deserialize)]
pub struct GasInfo {
    pub gas_used: String,
}

/// The body of `POST /cosmos/tx/v1beta1/txs`.
#[derive(Clone, Debug, Serialize)]
pub struct BroadcastBody {
    /// Base64.
    pub tx_bytes: String,
    /// `BROADCAST_MODE_SYNC`: answered after the transaction's check, before it is in a block.
    pub mode: &'static str,
}

#[derive(Clone, Debug, Deserialize)]
pub struct BroadcastAnswer {
    pub tx_response: BroadcastResponse,
}

#[derive(Clone, Debug, Deserialize)]
pub struct BroadcastResponse {
    /// 0 if accepted.
    #[serde(default)]
    pub code: u32,
    /// Reason of a refusal; hostile text.
    #[serde(default)]
    pub raw_log: String,
}

/// `GET /initia/tx/v1/gas_prices`.
#[derive(Clone, Debug, Deserialize)]
pub struct GasPricesAnswer {
    /// By denom, decimal.
    pub gas_prices: Vec<GasPriceAnswer>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct GasPriceAnswer {
    pub denom: String,
    /// Decimal, in the smallest unit.
    pub amount: String,
}

/// `GET /cosmos/base/node/v1beta1/config`.
#[derive(Clone, Debug, Deserialize)]
pub struct NodeConfigAnswer {
    /// Such as `0.015uinit,0.1ibc/…`; may be empty.
    #[serde(default)]
    pub minimum_gas_price: String,
}
