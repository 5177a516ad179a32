use serde::Deserialize;
use serde_json::{Map, Value};

use super::Failure;
use crate::{
    domain::{Address, Coin, Denom, MsgType},
    wire::{Tx, WireCoin},
};

/// A transaction taken apart for reading.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// Its messages in order.
    pub messages: Vec<DecodedMessage>,
    /// The note of a person; the gas settings that Ethereum wallets put there are left out.
    pub memo: Option<String>,
    /// Declared fee.
    pub fee: Vec<Coin>,
    /// Who paid it, as the events say, else the first signer.
    pub fee_payer: Option<String>,
    /// Who signed first, as the events say.
    pub signer: Option<Address>,
    /// Whether an Ethereum wallet signed it (sign mode 9999).
    pub is_ethereum_signed: bool,
    /// Its events in order.
    pub events: Vec<DecodedEvent>,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// What of the record could not be read, as a sentence.
    pub problem: Option<String>,
}

/// One message.
#[derive(Clone, Debug)]
pub struct DecodedMessage {
    /// Its type.
    pub kind: MsgType,
    /// Its fields in the record's order, without `@type`.
    pub fields: Map<String, Value>,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedEvent {
    /// `transfer`, `evm`, …
    pub kind: String,
    /// Key and value in order; keys may repeat. Without `msg_index`, which is `phase`.
    pub attributes: Vec<(String, String)>,
    /// When it was emitted.
    pub phase: Phase,
}

impl DecodedEvent {
    /// The first attribute of this name.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// When an event was emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Before the messages: fee and signature.
    Before,
    /// By this message, from 0.
    Message(usize),
    /// After the messages: the gas refund.
    After,
}

#[derive(Deserialize)]
struct RawTx {
    body: RawBody,
    #[serde(default)]
    auth_info: RawAuth,
}

#[derive(Deserialize)]
struct RawBody {
    #[serde(default)]
    messages: Vec<Map<String, Value>>,
    #[serde(default)]
    memo: String,
}

#[derive(Default, Deserialize)]
struct RawAuth {
    #[serde(default)]
    signer_infos: Vec<Value>,
    #[serde(default)]
    fee: RawFee,
}

#[derive(Default, Deserialize)]
struct RawFee {
    #[serde(default)]
    amount: Vec<WireCoin>,
}

#[derive(Deserialize)]
struct RawEvent {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    attributes: Vec<RawAttribute>,
}

#[derive(Deserialize)]
struct RawAttribute {
    key: String,
    #[serde(default)]
    value: Option<String>,
}

/// Takes a transaction apart. Never fails: what cannot be read is left empty and named in `problem`.
pub fn decode(tx: &Tx) -> Decoded {
    let mut problem = None;
    let body: Option<RawTx> = serde_json::from_str(tx.tx.get())
        .map_err(|error| problem = Some(format!("the transaction's body cannot be read: {error}")))
        .ok();
    let raw_events: Vec<RawEvent> = serde_json::from_str(tx.events.get())
        .map_err(|error| problem = Some(format!("the transaction's events cannot be read: {error}")))
        .unwrap_or_default();
    let events = phases(raw_events);
    let attribute = |kind: &str, key: &str| {
        events
            .iter()
            .filter(|event| event.kind == kind)
            .find_map(|event| event.attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone()))
    };
    let signer = attribute("tx", "acc_seq").and_then(|text| text.split('/').next().and_then(|part| part.parse().ok()));
    let fee_payer = attribute("tx", "fee_payer").or_else(|| signer.map(|signer: Address| signer.bech32()));
    let (messages, memo, fee, is_ethereum_signed) = body.map_or_else(Default::default, |raw| {
        let messages = raw.body.messages.into_iter().map(message).collect();
        let is_ethereum_signed = raw
            .auth_info
            .signer_infos
            .iter()
            .any(|info| info.pointer("/mode_info/single/mode").is_some_and(|mode| mode.as_u64() == Some(9999)));
        let memo = (!raw.body.memo.is_empty() && !is_ethereum_signed).then_some(raw.body.memo);
        let fee = raw
            .auth_info
            .fee
            .amount
            .into_iter()
            .map(|coin| Coin { denom: Denom::new(coin.denom), amount: coin.amount });
        (messages, memo, fee.collect(), is_ethereum_signed)
    });
    Decoded { messages, memo, fee, fee_payer, signer, is_ethereum_signed, events, failure: Failure::of(tx), problem }
}

fn message(mut fields: Map<String, Value>) -> DecodedMessage {
    let kind = match fields.shift_remove("@type") {
        Some(Value::String(text)) => MsgType::new(&text),
        _ => MsgType::new("unknown"),
    };
    DecodedMessage { kind, fields }
}

fn phases(raw: Vec<RawEvent>) -> Vec<DecodedEvent> {
    let mut phase = Phase::Before;
    raw.into_iter()
        .map(|event| {
            let mut index = None;
            let mut attributes = Vec::with_capacity(event.attributes.len());
            for attribute in event.attributes {
                let value = attribute.value.unwrap_or_default();
                match attribute.key.as_str() {
                    "msg_index" => index = value.parse().ok(),
                    _ => attributes.push((attribute.key, value)),
                }
            }
            phase = match (index, phase) {
                (Some(index), _) => Phase::Message(index),
                (None, Phase::Before) => Phase::Before,
                (None, _) => Phase::After,
            };
            DecodedEvent { kind: event.kind, attributes, phase }
        })
        .collect()
}
