//! The changes as `txs HASH --story` writes them: the form of the decoding reference's expected results.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Number;

use super::{BalanceHolder, Changes, FeeLine, NftChange, NftName};
use crate::{domain::Coin, wire::Tx};

/// What a transaction did, as JSON. Deltas are texts with a sign, as numbers of this size are no numbers to most
/// readers of JSON; what was paid is whole numbers of any size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangesRecord {
    /// Upper-case hex.
    pub txhash: String,
    /// 0 is success.
    pub code: u32,
    /// `evm`, `move`, `wasm`; null where nothing tells it.
    pub vm: Option<String>,
    /// The fee.
    pub fee: FeeRecord,
    /// The matrix, ordered by denom, then delta.
    pub balances: Vec<BalanceRecord>,
    /// Mints minus burns, ordered by denom.
    pub supply: Vec<SupplyRecord>,
    /// The raw movements in the events' order.
    pub nft: Vec<NftRecord>,
    /// On Move, the metadata object of each denom that moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<BTreeMap<String, String>>,
    /// Whether everything adds up.
    pub conserved: bool,
    /// Of a failure, the node's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_log: Option<String>,
    /// Of a failure, who defined `code`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codespace: Option<String>,
}

/// The fee line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FeeRecord {
    /// As offered: `10uinit`, `0gas`.
    pub declared: Vec<String>,
    /// Who paid.
    pub payer: Option<String>,
    /// Who granted it.
    pub granter: Option<String>,
    /// Denom to whole number, never zero.
    pub net_paid: BTreeMap<String, Number>,
}

/// A cell of the matrix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BalanceRecord {
    /// `init1…`, or `store:0x…` where the owner is unknown.
    pub account: String,
    /// Of what.
    pub denom: String,
    /// With a minus sign for a loss.
    pub delta: String,
}

/// A change of supply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SupplyRecord {
    /// Of what.
    pub denom: String,
    /// With a minus sign for a burn.
    pub delta: String,
}

/// A movement of an NFT: `contract` and `token_id`; or `collection`, `token_id` and `nft`; or only `object`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NftRecord {
    /// In which message, from 0.
    pub msg: usize,
    /// A contract of EVM or Wasm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<String>,
    /// A collection of Move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
    /// Its name in the contract or collection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_id: Option<String>,
    /// Its own object on Move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nft: Option<String>,
    /// An object of Move that may be no NFT.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// Who had it; null for a mint.
    pub from: Option<String>,
    /// Whether no event says who had it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
    /// Who has it; null for a burn.
    pub to: Option<String>,
    /// How many, of ERC-1155.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
}

impl ChangesRecord {
    /// Writes down what was read of a transaction.
    pub fn of(tx: &Tx, changes: &Changes) -> Self {
        let is_move = changes.vm == Some(crate::domain::Vm::Move);
        let metadata = changes.metadata.iter().map(|(denom, object)| (denom.to_string(), object.clone()));
        Self {
            txhash: tx.txhash.to_string(),
            code: tx.code,
            vm: changes.vm.map(|vm| vm.to_string()),
            fee: FeeRecord::of(&changes.fee),
            balances: changes
                .balances
                .iter()
                .map(|change| BalanceRecord {
                    account: change.holder.to_string(),
                    denom: change.denom.to_string(),
                    delta: change.delta.to_string(),
                })
                .collect(),
            supply: changes
                .supply
                .iter()
                .map(|change| SupplyRecord { denom: change.denom.to_string(), delta: change.delta.to_string() })
                .collect(),
            nft: changes.nfts.iter().map(NftRecord::of).collect(),
            metadata: is_move.then(|| metadata.collect()),
            conserved: changes.is_conserved,
            raw_log: (!tx.is_success()).then(|| tx.raw_log.clone()),
            codespace: (!tx.is_success()).then(|| tx.codespace.clone()),
        }
    }
}

impl FeeRecord {
    fn of(fee: &FeeLine) -> Self {
        let number = |coin: &Coin| Some((coin.denom.to_string(), coin.amount.to_string().parse().ok()?));
        Self {
            declared: fee.declared.iter().map(ToString::to_string).collect(),
            payer: fee.payer.map(|payer| payer.bech32()),
            granter: fee.granter.map(|granter| granter.bech32()),
            net_paid: fee.net_paid.iter().filter_map(number).collect(),
        }
    }
}

impl NftRecord {
    fn of(change: &NftChange) -> Self {
        let sides = Self {
            msg: change.message,
            from: change.from.map(|from| from.bech32()),
            inferred: change.is_inferred,
            to: change.to.map(|to| to.bech32()),
            amount: change.amount.map(|amount| amount.to_string()),
            ..Self::default()
        };
        match change.what.clone() {
            NftName::Token { contract, token_id } => {
                Self { contract: Some(contract), token_id: Some(token_id), ..sides }
            }
            NftName::Nft { collection, token_id, nft } => {
                Self { collection: Some(collection), token_id: Some(token_id), nft: Some(nft), ..sides }
            }
            NftName::Object { object } => Self { object: Some(object), ..sides },
        }
    }
}

impl std::fmt::Display for BalanceHolder {
    /// `init1…`, or `store:0x…` where the owner is unknown.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Account(address) => write!(formatter, "{address}"),
            Self::Store(store) => write!(formatter, "store:{}", alloy_primitives::hex::encode_prefixed(store)),
        }
    }
}
