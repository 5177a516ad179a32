//! A story as JSON, for scripts: the fields and forms of `samples/txs/expected.json`, and the words beside them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Number;

use super::{BalanceChange, BridgeMove, FeeLine, Holder, NftChange, NftName, Story, Style, SupplyChange, text_of};
use crate::{
    domain::{Address, Amount, Coin},
    wire::Tx,
};

/// A story as scripts read it.
#[derive(Debug, Serialize)]
pub struct StoryRecord {
    #[serde(flatten)]
    changes: ChangesRecord,
    sentences: Vec<SentenceRecord>,
    bridge: Vec<serde_json::Value>,
    failure: Option<String>,
}

#[derive(Debug, Serialize)]
struct SentenceRecord {
    msg_index: usize,
    text: String,
    /// Places in the record's events, ascending.
    events: BTreeSet<usize>,
}

impl StoryRecord {
    /// The record of a transaction's story. Addresses and denoms are whole, texts as hostile as the transaction's.
    pub fn of(tx: &Tx, story: &Story) -> Self {
        let sentence = |sentence: &super::Sentence| SentenceRecord {
            msg_index: sentence.message,
            text: text_of(&sentence.phrases, Style::Exact),
            events: sentence.phrases.iter().flat_map(|phrase| &phrase.events).copied().collect(),
        };
        Self {
            changes: ChangesRecord::of(tx, story),
            sentences: story.sentences.iter().map(sentence).collect(),
            bridge: story.bridge.iter().filter_map(bridge).collect(),
            failure: story.explanation.as_ref().map(|explanation| explanation.text.clone()),
        }
    }
}

fn bridge(moved: &BridgeMove) -> Option<serde_json::Value> {
    serde_json::to_value(&moved.identity).ok()
}

#[derive(Debug, Serialize)]
struct ChangesRecord {
    txhash: String,
    code: u32,
    vm: Option<String>,
    fee: FeeRecord,
    balances: Vec<BalanceRecord>,
    supply: Vec<SupplyRecord>,
    nft: Vec<NftRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<BTreeMap<String, String>>,
    conserved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_log: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    codespace: Option<String>,
}

impl ChangesRecord {
    fn of(tx: &Tx, story: &Story) -> Self {
        let changes = &story.changes;
        let metadata = changes.metadata.iter().map(|(denom, object)| (denom.to_string(), object.clone()));
        Self {
            txhash: tx.txhash.to_string(),
            code: tx.code,
            vm: changes.vm.map(|vm| vm.to_string()),
            fee: FeeRecord::of(&changes.fee),
            balances: changes.balances.iter().map(BalanceRecord::of).collect(),
            supply: changes.supply.iter().map(SupplyRecord::of).collect(),
            nft: changes.nfts.iter().map(NftRecord::of).collect(),
            metadata: (changes.vm == Some(crate::domain::Vm::Move)).then(|| metadata.collect()),
            conserved: changes.is_conserved,
            raw_log: (!tx.is_success()).then(|| tx.raw_log.clone()),
            codespace: (!tx.is_success()).then(|| tx.codespace.clone()),
        }
    }
}

#[derive(Debug, Serialize)]
struct FeeRecord {
    declared: Vec<String>,
    payer: Option<String>,
    granter: Option<String>,
    net_paid: BTreeMap<String, Number>,
}

impl FeeRecord {
    fn of(fee: &FeeLine) -> Self {
        let paid = |coin: &Coin| Some((coin.denom.to_string(), whole(coin.amount)?));
        Self {
            declared: fee.declared.iter().map(ToString::to_string).collect(),
            payer: fee.payer.map(|payer| payer.bech32()),
            granter: fee.granter.map(|granter| granter.bech32()),
            net_paid: fee.net_paid.iter().filter_map(paid).collect(),
        }
    }
}

/// An integer of any size, as a JSON number.
fn whole(amount: Amount) -> Option<Number> {
    amount.to_string().parse().ok()
}

#[derive(Debug, Serialize)]
struct BalanceRecord {
    account: String,
    denom: String,
    delta: String,
}

impl BalanceRecord {
    fn of(change: &BalanceChange) -> Self {
        let account = match change.holder {
            Holder::Account(address) => address.bech32(),
            Holder::Store(bytes) => Address::Long(bytes).hex(),
        };
        Self { account, denom: change.denom.to_string(), delta: change.delta.to_string() }
    }
}

#[derive(Debug, Serialize)]
struct SupplyRecord {
    denom: String,
    delta: String,
}

impl SupplyRecord {
    fn of(change: &SupplyChange) -> Self {
        Self { denom: change.denom.to_string(), delta: change.delta.to_string() }
    }
}

#[derive(Debug, Default, Serialize)]
struct NftRecord {
    msg: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    contract: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    collection: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nft: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<String>,
    from: Option<String>,
    to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<String>,
}

impl NftRecord {
    fn of(change: &NftChange) -> Self {
        let record = Self {
            msg: change.message,
            from: change.from.map(|from| from.bech32()),
            to: change.to.map(|to| to.bech32()),
            amount: change.amount.map(|amount| amount.to_string()),
            ..Self::default()
        };
        let some = |text: &String| Some(text.clone());
        match &change.what {
            NftName::Token { contract, token_id } => {
                Self { contract: some(contract), token_id: some(token_id), ..record }
            }
            NftName::Nft { collection, token_id, nft } => {
                Self { collection: some(collection), token_id: some(token_id), nft: some(nft), ..record }
            }
            NftName::Object { object } => Self { object: some(object), ..record },
        }
    }
}
