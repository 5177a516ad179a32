//! Log of the messages that the router returned, by which it recognises their broadcast.

use std::{collections::VecDeque, fmt::Write as _};

use alloy_primitives::hex;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{plan::Plan, tracker::transfer::TransferKey};
use crate::{
    domain::ChainId,
    wire::router::{RouterTx, RouterTxKind},
};

/// Maximum answers in the log, which drops the oldest.
const MOST: usize = 1_000;

/// Answers of `/v2/fungible/msgs` that a client may still broadcast, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssuedMsgsLog(VecDeque<IssuedMsgs>);

/// Answer of `/v2/fungible/msgs`, with the plan of each transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssuedMsgs {
    digest: String,
    pub plans: Vec<Plan>,
    /// Transfer of each transaction; `None` before its broadcast.
    pub sent: Vec<Option<TransferKey>>,
    /// Digest of each transaction's messages, by which the router recognises a posted transaction; `None` without
    /// messages.
    #[serde(default)]
    messages: Vec<Option<String>>,
}

impl IssuedMsgsLog {
    /// Adds an answer. If the router already returned this answer, a client may broadcast it again.
    pub fn add(&mut self, txs: &[RouterTx], plans: Vec<Plan>) {
        let digest = digest(txs);
        self.0.retain(|issued| issued.digest != digest);
        if self.0.len() >= MOST {
            self.0.pop_front();
        }
        let sent = vec![None; plans.len()];
        let messages = txs.iter().map(messages_of).collect();
        self.0.push_back(IssuedMsgs { digest, plans, sent, messages });
    }

    /// Returns the answer with these transactions; `None` if the router never returned it, the client changed it, or
    /// the log dropped it.
    pub fn find(&mut self, txs: &[RouterTx]) -> Option<&mut IssuedMsgs> {
        let digest = digest(txs);
        self.0.iter_mut().find(|issued| issued.digest == digest)
    }

    /// Returns the newest answer with these messages, in REST's format, that no client has broadcast on the chain, and
    /// the index of the transaction.
    pub fn find_messages(&mut self, chain_id: &ChainId, messages: &[Value]) -> Option<(&mut IssuedMsgs, usize)> {
        let digest = digest_of(chain_id, messages);
        self.0.iter_mut().rev().find_map(|issued| {
            let is_it = |(known, sent): (&Option<String>, &Option<TransferKey>)| {
                known.as_ref() == Some(&digest) && sent.is_none()
            };
            let place = issued.messages.iter().zip(&issued.sent).position(is_it)?;
            Some((issued, place))
        })
    }

    /// Returns the answers that are partly broadcast. They must survive a restart.
    #[must_use]
    pub fn begun(&self) -> Self {
        let is_begun = |issued: &&IssuedMsgs| issued.sent.iter().any(Option::is_some) && issued.sent.contains(&None);
        Self(self.0.iter().filter(is_begun).cloned().collect())
    }
}

/// Returns the digest of a transaction's messages; `None` without messages.
fn messages_of(tx: &RouterTx) -> Option<String> {
    let (chain_id, msgs) = match &tx.kind {
        RouterTxKind::Cosmos { chain_id, msgs, .. } => (chain_id, msgs),
        RouterTxKind::Evm { chain_id, to, value, data, .. } => {
            return Some(digest_of(
                chain_id,
                &[evm_message(to.as_received(), value.as_received(), data.as_received())],
            ));
        }
        RouterTxKind::Svm { .. } | RouterTxKind::Other(_) => return None,
    };
    let message = |message: &crate::wire::router::CosmosMessage| {
        let mut value: Value = serde_json::from_str(message.msg.as_received()).ok()?;
        value.as_object_mut()?.insert("@type".to_owned(), message.msg_type_url.as_received().into());
        Some(value)
    };
    Some(digest_of(chain_id, &msgs.iter().map(message).collect::<Option<Vec<_>>>()?))
}

/// Encodes an EVM call for [`IssuedMsgsLog::find_messages`]: wei as decimal text, data in hex.
pub(super) fn evm_message(to: &str, value: &str, data: &str) -> Value {
    let data = data.trim_start_matches("0x");
    json!({ "to": to.to_lowercase(), "value": value, "data": data.to_lowercase() })
}

/// Returns a digest that is equal for amino JSON and proto JSON, which differ in empty fields and in the format of
/// integers. The timeout of a packet does not count: clients round it.
fn digest_of(chain_id: &ChainId, messages: &[Value]) -> String {
    let mut text = format!("{chain_id}\n");
    for message in messages {
        let mut message = message.clone();
        if let Some(fields) = message.as_object_mut() {
            fields.remove("timeout_timestamp");
        }
        write_sorted(&meaningful(&message).unwrap_or_default(), &mut text);
        text.push('\n');
    }
    hex::encode(Sha256::digest(text))
}

/// Removes empty parts of a value; `None` if nothing remains.
fn meaningful(value: &Value) -> Option<Value> {
    match value {
        Value::Object(fields) => {
            let left: serde_json::Map<String, Value> =
                fields.iter().filter_map(|(name, value)| Some((name.clone(), meaningful(value)?))).collect();
            (!left.is_empty()).then_some(Value::Object(left))
        }
        Value::Array(items) => {
            (!items.is_empty()).then(|| items.iter().map(|item| meaningful(item).unwrap_or_default()).collect())
        }
        Value::String(text) => (!text.is_empty() && text != "0").then(|| value.clone()),
        Value::Number(number) => meaningful(&number.to_string().into()),
        Value::Bool(is_set) => is_set.then(|| value.clone()),
        Value::Null => None,
    }
}

/// Returns a digest of transactions that ignores white space and the order of keys.
fn digest(txs: &[RouterTx]) -> String {
    let mut text = String::new();
    for tx in txs {
        if let Ok(value) = serde_json::from_str(tx.raw.get()) {
            write_sorted(&value, &mut text);
        }
        text.push('\n');
    }
    hex::encode(Sha256::digest(text))
}

fn write_sorted(value: &Value, out: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| *name);
            out.push('{');
            for (name, value) in fields {
                let _ = write!(out, "{}:", Value::from(name.as_str()));
                write_sorted(value, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_sorted(item, out);
                out.push(',');
            }
            out.push(']');
        }
        other => {
            let _ = write!(out, "{other}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::RawJson;

    fn tx(json: &str) -> RouterTx {
        RouterTx::from_json(RawJson::parse(json.to_owned()).unwrap()).unwrap()
    }

    #[test]
    fn an_answer_is_known_again_whatever_its_white_space_and_order() {
        let given = tx(r#"{"cosmos_tx":{"chain_id":"a","n":1763719502000000001},"operations_indices":[0]}"#);
        let again = tx(r#"{ "operations_indices": [0], "cosmos_tx": {"n":1763719502000000001, "chain_id":"a"} }"#);
        let other = tx(r#"{"cosmos_tx":{"chain_id":"a","n":1763719502000000002},"operations_indices":[0]}"#);
        let mut issued_msgs = IssuedMsgsLog::default();
        issued_msgs.add(std::slice::from_ref(&given), Vec::new());
        assert!(issued_msgs.find(&[again]).is_some());
        assert!(issued_msgs.find(&[other]).is_none());
        assert!(issued_msgs.find(&[given.clone(), given]).is_none());
    }

    #[test]
    fn a_rounded_timeout_is_the_same_message_and_another_receiver_is_not() {
        let chain = ChainId::new("a-1");
        let of = |timeout: Value, receiver: &str| {
            json!({ "@type": "/ibc.applications.transfer.v1.MsgTransfer", "receiver": receiver,
                "timeout_timestamp": timeout })
        };
        let digest = |timeout: Value, receiver: &str| digest_of(&chain, &[of(timeout, receiver)]);
        let exact = digest(json!(1_795_441_651_632_376_193_u64), "init1a");
        assert_eq!(exact, digest(json!("1795441651632376320"), "init1a"));
        assert_ne!(exact, digest(json!(1_795_441_651_632_376_193_u64), "init1b"));
    }

    #[test]
    fn so_many_are_remembered_and_not_more() {
        let mut issued_msgs = IssuedMsgsLog::default();
        let numbered = |number: usize| tx(&format!(r#"{{"cosmos_tx":{{"chain_id":"{number}"}}}}"#));
        for number in 0..=MOST {
            issued_msgs.add(&[numbered(number)], Vec::new());
        }
        assert!(issued_msgs.find(&[numbered(0)]).is_none());
        assert!(issued_msgs.find(&[numbered(1)]).is_some());
    }
}
