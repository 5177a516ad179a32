//! Whose lists a transaction belongs into, and by which types it is found.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{
    domain::{Address, MsgType},
    indexer::{
        index::named_accounts,
        node::signers,
        source::{CommittedTx, TxEvent},
    },
    wire::node::TxAuthInfo,
};

/// Why a transaction belongs into an account's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccountRole {
    /// It signed first.
    Signer,
    /// An event names it.
    Event,
    /// It signed, but not first.
    LaterSigner,
    /// An event quotes it.
    Quoted,
    /// It stands in the messages.
    Message,
    /// An event has a number that only looks like an account.
    Number,
}

/// Digits of an address in hex.
const DIGITS: [usize; 2] = [40, 64];

/// Every account that a transaction has to do with, and why; the strongest reason counts.
pub fn accounts_of(tx: &CommittedTx) -> BTreeMap<Address, AccountRole> {
    let mut found = BTreeMap::new();
    let mut add = |address: Address, role: AccountRole| {
        let role = if is_small(&address) { AccountRole::Number } else { role };
        let known = found.entry(address).or_insert(role);
        *known = role.min(*known);
    };
    let body: Value = serde_json::from_str(&tx.body).unwrap_or_default();
    if let Some(signer) = tx.signer {
        add(signer, AccountRole::Signer);
    }
    for address in named_accounts(tx) {
        add(address, AccountRole::Event);
    }
    let auth_info: TxAuthInfo = serde_json::from_value(body["auth_info"].clone()).unwrap_or_default();
    for address in signers(&auth_info).into_iter().skip(1).flatten() {
        add(address, AccountRole::LaterSigner);
    }
    for (_, value) in tx.events.iter().flat_map(TxEvent::pairs) {
        let quoted = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        if let Some(address) = quoted.and_then(address) {
            add(address, AccountRole::Quoted);
        }
    }
    texts(&body["body"]["messages"], &mut |text| {
        if let Some(address) = address(text) {
            add(address, AccountRole::Message);
        }
    });
    found
}

/// Whether an account's 20 bytes are a number below 2^64: an id or an amount in a topic.
fn is_small(address: &Address) -> bool {
    let word = address.word();
    word.iter().take(24).all(|byte| *byte == 0)
}

/// A text that is a whole address.
fn address(text: &str) -> Option<Address> {
    let digits = text.strip_prefix("0x").map(str::len);
    let is_whole = digits.map_or_else(|| text.starts_with("init1"), |digits| DIGITS.contains(&digits));
    text.parse().ok().filter(|_| is_whole)
}

/// Every text in a piece of JSON; call data is none.
fn texts(json: &Value, found: &mut impl FnMut(&str)) {
    match json {
        Value::String(text) => found(text),
        Value::Array(values) => values.iter().for_each(|value| texts(value, found)),
        Value::Object(fields) => {
            let named = fields.iter().filter(|(key, _)| !matches!(key.as_str(), "input" | "data" | "proof"));
            named.for_each(|(_, value)| texts(value, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The types of a transaction's messages, and those of the messages inside of them.
pub fn types_of(tx: &CommittedTx) -> (BTreeSet<MsgType>, BTreeSet<MsgType>) {
    let body: Value = serde_json::from_str(&tx.body).unwrap_or_default();
    let outer: BTreeSet<MsgType> = tx.message_types.iter().cloned().collect();
    let mut inner = BTreeSet::new();
    for message in body["body"]["messages"].as_array().into_iter().flatten() {
        inner_types(message, &mut inner);
    }
    inner.retain(|kind| !outer.contains(kind));
    (outer, inner)
}

fn inner_types(message: &Value, found: &mut BTreeSet<MsgType>) {
    for list in ["msgs", "messages"] {
        for inner in message[list].as_array().into_iter().flatten() {
            if let Some(kind) = inner["@type"].as_str() {
                found.insert(MsgType::new(kind));
                inner_types(inner, found);
            }
        }
    }
}
