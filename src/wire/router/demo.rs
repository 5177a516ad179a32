//! The demo wallet of the embedded rollup: it stands in for the application that signs.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::{OpHook, lenient};
use crate::{
    domain::{ChainId, Denom},
    wire::RawJson,
};

/// What a client needs of the answer of `GET /demo/v1`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DemoInfo {
    /// The chain of the indexer API.
    #[serde(default, deserialize_with = "lenient::text")]
    pub chain_id: String,
    /// The wallet; `None` where this server has none.
    #[serde(default, deserialize_with = "lenient::object")]
    pub wallet: Option<DemoWallet>,
    /// Where the API of the bridge's executor is, as a path of this server; empty where it has none.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub executor: String,
}

/// The wallet that signs and sends for demonstrations; its keys are worth nothing.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DemoWallet {
    /// Its address on every chain.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub addresses: BTreeMap<ChainId, String>,
    /// What it holds, in smallest units, by chain and denom.
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
    /// Which of its transactions.
    #[serde(default, deserialize_with = "lenient::option")]
    pub tx_index: Option<u32>,
}

/// The answer of `POST /demo/v1/broadcast`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broadcast {
    /// Where it was broadcast.
    pub chain_id: ChainId,
    /// Its hash in the form of that chain.
    #[serde(deserialize_with = "lenient::text")]
    pub tx_hash: String,
}

/// The body of `POST /demo/v1/fund`: whom the faucet gives something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FundRequest {
    /// An account, as any of the demo's chains writes it.
    pub address: String,
}

/// The answer of `POST /demo/v1/fund`: what the faucet gave, chain by chain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaucetGift {
    /// Its transactions.
    #[serde(default, deserialize_with = "lenient::list")]
    pub given: Vec<FaucetTx>,
}

/// What the faucet gave in one transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaucetTx {
    /// Where.
    pub chain_id: ChainId,
    /// To whom, as that chain writes addresses.
    #[serde(default, deserialize_with = "lenient::text")]
    pub address: String,
    /// The transaction, in the form of that chain.
    #[serde(default, deserialize_with = "lenient::text")]
    pub tx_hash: String,
    /// What.
    pub denom: Denom,
    /// How much, in the smallest unit.
    #[serde(default, deserialize_with = "lenient::text")]
    pub amount: String,
}
