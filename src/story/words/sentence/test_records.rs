//! Hand-written records for messages without a public record.

use serde_json::{Value, json};

use crate::{
    domain::Denom,
    story::{
        names::glossary::Glossary,
        transaction::Story,
        words::phrase::{Style, text_of},
    },
    wire::Tx,
};

/// Accounts of the hand-written records.
pub(crate) const ALICE: &str = "init1dw49mn7s2r5mskjdmus5hth80zz8wwaywycq06";
pub(crate) const BOB: &str = "init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm";

/// Returns a record with these messages and events. An event has a type and attributes, with `msg_index` 0 by default.
pub(crate) fn record(messages: &[Value], events: &[(&str, Value)]) -> Tx {
    record_of(messages, events, 0, "")
}

pub(crate) fn failed(messages: &[Value]) -> Tx {
    record_of(messages, &[], 5, "failed to execute message; message index: 0: no: insufficient funds")
}

fn record_of(messages: &[Value], events: &[(&str, Value)], code: u32, log: &str) -> Tx {
    let events: Vec<Value> = events.iter().map(|(kind, attributes)| event(kind, attributes)).collect();
    let record = json!({
        "txhash": "0".repeat(64), "height": "1", "timestamp": "2026-01-01T00:00:00Z", "code": code,
        "codespace": if code == 0 { "" } else { "sdk" }, "raw_log": log,
        "tx": {"body": {"messages": messages, "memo": ""}}, "events": events,
    });
    serde_json::from_value(record).unwrap()
}

fn event(kind: &str, attributes: &Value) -> Value {
    let mut list: Vec<Value> = attributes
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, value)| json!({"key": key, "value": value.as_str().unwrap_or_default(), "index": true}))
        .collect();
    if attributes.get("msg_index").is_none() {
        list.push(json!({"key": "msg_index", "value": "0", "index": true}));
    }
    json!({"type": kind, "attributes": list})
}

pub(crate) fn names() -> Glossary {
    let mut glossary = Glossary::default();
    glossary.l1_chain_id = Some("interwoven-1".to_owned());
    glossary.add_token(Denom::new("uinit"), "INIT", 6);
    glossary.add_channel("transfer", "channel-0", "interwoven-1");
    glossary.add_bridge(12, "civitia-1");
    glossary
}

pub(crate) fn story(tx: &Tx) -> Story {
    Story::of(tx, &names())
}

/// Returns the sentence about the first message, with A and B for the accounts.
pub(crate) fn said(tx: &Tx) -> String {
    let story = story(tx);
    let places = story.sentences.iter().flat_map(|sentence| &sentence.phrases).flat_map(|phrase| &phrase.events);
    assert!(places.into_iter().all(|place| *place < story.decoded.events.len()), "no proof that is not there");
    short(&text_of(&story.sentences[0].phrases, Style::Exact))
}

/// Replaces the accounts by A and B.
pub(crate) fn short(text: &str) -> String {
    text.replace(ALICE, "A").replace(BOB, "B")
}

/// Returns an amount of the L1's token in its smallest unit.
pub(crate) fn init(amount: u64) -> Value {
    json!({"denom": "uinit", "amount": amount.to_string()})
}
