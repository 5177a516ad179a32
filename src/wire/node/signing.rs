use serde::{Deserialize, Serialize};

/// `GET /cosmos/auth/v1beta1/account_info/{address}`; numbers as texts.
#[derive(Clone, Debug, Deserialize)]
pub struct AccountInfoAnswer {
    /// The account.
    pub info: AccountInfo,
}

/// What a signature is made for.
#[derive(Clone, Debug, Deserialize)]
pub struct AccountInfo {
    /// The account's number on that chain; left out by some nodes where it is 0.
    #[serde(default = "zero")]
    pub account_number: String,
    /// How many transactions it has made, as the chain counts them.
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

/// Its answer.
#[derive(Clone, Debug, Deserialize)]
pub struct SimulateAnswer {
    /// What it used.
    pub gas_info: GasInfo,
}

/// Gas as text.
#[derive(Clone, Debug, Deserialize)]
pub struct GasInfo {
    /// What was used.
    pub gas_used: String,
}

/// The body of `POST /cosmos/tx/v1beta1/txs`.
#[derive(Clone, Debug, Serialize)]
pub struct BroadcastBody {
    /// Base64.
    pub tx_bytes: String,
    /// `BROADCAST_MODE_SYNC`: answered when the transaction is checked, before it is in a block.
    pub mode: &'static str,
}

/// Its answer.
#[derive(Clone, Debug, Deserialize)]
pub struct BroadcastAnswer {
    /// What the node says of it.
    pub tx_response: BroadcastResponse,
}

/// Whether a transaction was taken.
#[derive(Clone, Debug, Deserialize)]
pub struct BroadcastResponse {
    /// 0 where it was.
    #[serde(default)]
    pub code: u32,
    /// Why not, otherwise; hostile text.
    #[serde(default)]
    pub raw_log: String,
}

/// `GET /initia/tx/v1/gas_prices`.
#[derive(Clone, Debug, Deserialize)]
pub struct GasPricesAnswer {
    /// By denom, decimal.
    pub gas_prices: Vec<GasPriceAnswer>,
}

/// A price of gas.
#[derive(Clone, Debug, Deserialize)]
pub struct GasPriceAnswer {
    /// In what it is paid.
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
