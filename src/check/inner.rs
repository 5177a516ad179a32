use std::collections::BTreeSet;

use serde_json::Value;

use crate::{domain::MsgType, indexer::source::CommittedTx};

/// Returns two sets: the types of a transaction's messages, and the types of nested messages.
pub fn types_of(tx: &CommittedTx) -> (BTreeSet<MsgType>, BTreeSet<MsgType>) {
    let body: Value = serde_json::from_str(&tx.body).unwrap_or_default();
    let outer: BTreeSet<MsgType> = tx.message_types.iter().cloned().collect();
    let mut inner = BTreeSet::new();
    for message in body.pointer("/body/messages").and_then(Value::as_array).into_iter().flatten() {
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
