//! Changes in the JSON of `txs HASH --story`, the format of the decoding reference's expected results.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Number;

use super::{BalanceHolder, Changes, FeeLine, NftChange, NftName, TokenTransfer};
use crate::{domain::Coin, wire::Tx};

/// Changes of a transaction as JSON. Deltas are signed strings, because most JSON parsers lose precision; fees are
/// integers of any size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangesRecord {
    /// Upper-case hex.
    pub txhash: String,
    /// 0 is success.
    pub code: u32,
    /// `evm`, `move`, `wasm`; null if unknown.
    pub vm: Option<String>,
    pub fee: FeeRecord,
    /// Balance changes, sorted by denom, then delta.
    pub balances: Vec<BalanceRecord>,
    /// Mints minus burns, sorted by denom.
    pub supply: Vec<SupplyRecord>,
    /// Raw movements in the events' order.
    pub nft: Vec<NftRecord>,
    /// Metadata object of each moved denom, on Move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<BTreeMap<String, String>>,
    /// Whether all changes balance, and no contract was asked to hand out tokens that no event shows.
    pub conserved: bool,
    /// The node's message of a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_log: Option<String>,
    /// Namespace of `code` of a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codespace: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FeeRecord {
    /// As offered: `10uinit`, `0gas`.
    pub declared: Vec<String>,
    pub payer: Option<String>,
    pub granter: Option<String>,
    /// Whole numbers by denom, never zero.
    pub net_paid: BTreeMap<String, Number>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BalanceRecord {
    /// `init1…`, or `store:0x…` where the owner is unknown.
    pub account: String,
    pub denom: String,
    /// Negative for a loss.
    pub delta: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SupplyRecord {
    pub denom: String,
    /// Negative for a burn.
    pub delta: String,
}

/// Movement of a token from one holder to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct TokenTransferRecord {
    /// Index of the movement's message, from 0; null outside of messages.
    pub(crate) msg: Option<usize>,
    /// Null for a mint, or if no event names the sender.
    pub(crate) from: Option<String>,
    /// Null for a burn, or if no event names the recipient.
    pub(crate) to: Option<String>,
    pub(crate) denom: String,
    pub(crate) amount: String,
}

impl TokenTransferRecord {
    pub(crate) fn of(transfer: &TokenTransfer) -> Self {
        Self {
            msg: transfer.message,
            from: transfer.from.map(|from| from.to_string()),
            to: transfer.to.map(|to| to.to_string()),
            denom: transfer.denom.to_string(),
            amount: transfer.amount.to_string(),
        }
    }
}

/// Movement of an NFT: `contract` and `token_id`; or `collection`, `token_id` and `nft`; or only `object`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NftRecord {
    /// Index of the movement's message, from 0.
    pub msg: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_id: Option<String>,
    /// The NFT's own object, on Move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nft: Option<String>,
    /// Move object that may not be an NFT.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// Null for a mint.
    pub from: Option<String>,
    /// Whether no event names the previous owner.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
    /// Null for a burn.
    pub to: Option<String>,
    /// Number of tokens, for ERC-1155.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
}

impl ChangesRecord {
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
            conserved: changes.is_conserved && !changes.hands_out_tokens,
            raw_log: (!tx.is_success()).then(|| tx.raw_log.as_received().to_owned()),
            codespace: (!tx.is_success()).then(|| tx.codespace.as_received().to_owned()),
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
