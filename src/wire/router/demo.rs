//! Demo wallet of the embedded rollup, a stand-in for a wallet application.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::{OpHook, lenient};
use crate::{
    domain::{ChainId, Denom},
    wire::RawJson,
};

/// Response of `GET /demo/v1`, reduced to the fields that clients need.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DemoInfo {
    #[serde(default, deserialize_with = "lenient::text")]
    pub chain_id: String,
    /// Demo wallet; `None` if the server has no wallet.
    #[serde(default, deserialize_with = "lenient::object")]
    pub wallet: Option<DemoWallet>,
    /// Path of the bridge executor's API on this server; empty without an executor.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub executor: String,
    /// Active faults.
    #[serde(default, deserialize_with = "lenient::list", skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// Faults that may be added.
    #[serde(default, deserialize_with = "lenient::list", skip_serializing_if = "Vec::is_empty")]
    pub possible_faults: Vec<DemoFault>,
}

/// Fault that the embedded rollup simulates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DemoFault {
    /// Word of `--fault`.
    pub fault: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub effect: String,
}

/// Wallet of the server that signs and broadcasts demonstrations; its keys are public.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DemoWallet {
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub addresses: BTreeMap<ChainId, String>,
    /// Balances of the demo wallet in smallest units, by chain and denom.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub balances: BTreeMap<ChainId, BTreeMap<Denom, String>>,
}

/// Body of `POST /demo/v1/sign`: a response of `/op-hook`. The server answers with a [`super::SignedOpHook`] object.
pub type SignRequest = OpHook;

/// Body of `POST /demo/v1/broadcast`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BroadcastRequest {
    /// Response of `/v2/fungible/msgs`, verbatim.
    pub msgs: RawJson,
    #[serde(default, deserialize_with = "lenient::option")]
    pub tx_index: Option<u32>,
}

/// Response of `POST /demo/v1/broadcast`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broadcast {
    pub chain_id: ChainId,
    #[serde(deserialize_with = "lenient::text")]
    pub tx_hash: String,
}

/// Body of `POST /demo/v1/fund`: the account to fund.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FundRequest {
    /// Address in the format of any of the demo's chains.
    pub address: String,
}

/// Response of `POST /demo/v1/fund`: the payments, by chain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaucetGift {
    #[serde(default, deserialize_with = "lenient::list")]
    pub given: Vec<FaucetTx>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaucetTx {
    pub chain_id: ChainId,
    /// Recipient in the format of this chain.
    #[serde(default, deserialize_with = "lenient::text")]
    pub address: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub tx_hash: String,
    pub denom: Denom,
    /// Amount in the smallest unit.
    #[serde(default, deserialize_with = "lenient::text")]
    pub amount: String,
}
