//! Demo wallet of the embedded rollup, a stand-in for a wallet application.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::{OpHook, lenient};
use crate::{
    domain::{ChainId, Denom},
    wire::RawJson,
};

/// Answer of `GET /demo/v1`, reduced to what a client needs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DemoInfo {
    #[serde(default, deserialize_with = "lenient::text")]
    pub chain_id: String,
    /// `None` without a demo wallet.
    #[serde(default, deserialize_with = "lenient::object")]
    pub wallet: Option<DemoWallet>,
    /// Path of the bridge executor's API on this server; empty without one.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub executor: String,
}

/// Wallet that signs and broadcasts for demonstrations; its keys are public.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DemoWallet {
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub addresses: BTreeMap<ChainId, String>,
    /// Balances of the demo wallet in smallest units, by chain and denom.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub balances: BTreeMap<ChainId, BTreeMap<Denom, String>>,
}

/// The body of `POST /demo/v1/sign`: an answer of `/op-hook`. The answer is a [`super::SignedOpHook`] object.
pub type SignRequest = OpHook;

/// The body of `POST /demo/v1/broadcast`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BroadcastRequest {
    /// An answer of `/v2/fungible/msgs`, verbatim.
    pub msgs: RawJson,
    #[serde(default, deserialize_with = "lenient::option")]
    pub tx_index: Option<u32>,
}

/// The answer of `POST /demo/v1/broadcast`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broadcast {
    pub chain_id: ChainId,
    /// In the form of its chain.
    #[serde(deserialize_with = "lenient::text")]
    pub tx_hash: String,
}

/// Request body of `POST /demo/v1/fund`: the account to fund.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FundRequest {
    /// In the form of any of the demo's chains.
    pub address: String,
}

/// The answer of `POST /demo/v1/fund`: the funds given, by chain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaucetGift {
    #[serde(default, deserialize_with = "lenient::list")]
    pub given: Vec<FaucetTx>,
}

/// Transfer from the faucet in one transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaucetTx {
    pub chain_id: ChainId,
    /// Recipient in the form of that chain.
    #[serde(default, deserialize_with = "lenient::text")]
    pub address: String,
    /// In the form of that chain.
    #[serde(default, deserialize_with = "lenient::text")]
    pub tx_hash: String,
    pub denom: Denom,
    /// In the smallest unit.
    #[serde(default, deserialize_with = "lenient::text")]
    pub amount: String,
}
