//! Signable message, parsed from a router's response.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Map, Value, value::RawValue};

use super::{
    canonical::{canonical, list, object, quoted},
    forms::{FieldKind, FieldRule, MessageForm, form_of, form_of_amino},
    memo_action::MemoAction,
    one_reading::repeated_key,
};
use crate::{
    domain::{Address, Amount, Coin, Denom, MsgType, text::clip},
    wire::{
        proto,
        protobuf::ProtoWriter,
        router::{CosmosMessage, HookMessage},
    },
};

/// Field with the instructions for the receiving chain of a packet.
const PACKET_MEMO: &str = "memo";

/// Message of a supported type, decoded once field by field and encoded byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignableMessage {
    form: &'static MessageForm,
    values: Vec<(&'static FieldRule, FieldValue)>,
    bytes: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    #[error("rollscope cannot sign messages of type {}", clip(.0, 90))]
    UnsupportedType(String),
    #[error("the {0} is not a JSON object")]
    Form(String),
    /// JSON that two readers may understand differently.
    #[error("the {kind} has the key “{}” twice in one object", clip(.key, 40))]
    RepeatedKey {
        kind: String,
        /// As received.
        key: String,
    },
    #[error("the {kind} has an unknown field “{}”", clip(.field, 40))]
    UnknownField {
        kind: String,
        /// Field name as received.
        field: String,
    },
    #[error("{field} of the {kind} is not {needed}")]
    Value { kind: String, field: &'static str, needed: &'static str },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FieldValue {
    Text(String),
    Texts(Vec<String>),
    Number(u64),
    Integer(Amount),
    Coin(Coin),
    Coins(Vec<Coin>),
    Bytes(Vec<u8>),
    BytesList(Vec<Vec<u8>>),
    Height(u64, u64),
    /// JSON as received, and as a node writes it.
    InlineJson {
        given: String,
        canonical: String,
    },
    Nothing,
}

impl SignableMessage {
    /// Returns the gas that a message of this type usually takes.
    pub(super) fn usual_gas(&self) -> u64 {
        self.form.usual_gas
    }

    /// Parses a router's message from its type and JSON text. The text has no repeated keys, and an understood memo is
    /// written anew.
    pub fn of_router(message: &CosmosMessage) -> Result<Self, MessageError> {
        Self::with_one_reading(message.msg_type_url.as_received(), message.msg.as_received())
    }

    pub fn of_hook(message: &HookMessage) -> Result<Self, MessageError> {
        Self::with_one_reading(message.msg_type_url.as_received(), message.msg.as_received())
    }

    fn with_one_reading(kind: &str, json: &str) -> Result<Self, MessageError> {
        if let Some(key) = repeated_key(json) {
            return Err(MessageError::RepeatedKey { kind: MsgType::new(kind).short().to_owned(), key });
        }
        let mut message = Self::read(kind, json)?;
        // What is not understood stays as it is, and `FundsEffect::of_message` refuses it.
        if message.value(PACKET_MEMO).is_some()
            && let Ok(action) = MemoAction::parse(message.text(PACKET_MEMO))
        {
            for (field, value) in &mut message.values {
                if field.name == PACKET_MEMO {
                    *value = FieldValue::Text(action.written());
                }
            }
            message.encode()?;
        }
        Ok(message)
    }

    /// Parses a message from its type, with or without a leading slash, and JSON with its protobuf fields: integers as
    /// text or numbers, bytes in base64. Missing fields are empty; unknown fields are an error.
    pub fn read(kind: &str, json: &str) -> Result<Self, MessageError> {
        let form = form_of(kind).ok_or_else(|| MessageError::UnsupportedType(kind.to_owned()))?;
        Self::with_form(form, json)
    }

    /// Parses a message of a sign document from its amino name and value.
    pub fn of_amino(name: &str, value: &str) -> Result<Self, MessageError> {
        let form = form_of_amino(name).ok_or_else(|| MessageError::UnsupportedType(name.to_owned()))?;
        Self::with_form(form, value)
    }

    fn with_form(form: &'static MessageForm, json: &str) -> Result<Self, MessageError> {
        let kind = MsgType::new(form.kind).short().to_owned();
        let not_json = || MessageError::Form(kind.clone());
        let fields: Map<String, Value> = serde_json::from_str(json).map_err(|_| not_json())?;
        let texts: std::collections::HashMap<String, Box<RawValue>> =
            serde_json::from_str(json).map_err(|_| not_json())?;
        let is_known = |name: &str| form.fields.iter().any(|field| field.name == name);
        if let Some(field) = fields.keys().find(|name| !is_known(name)) {
            return Err(MessageError::UnknownField { kind, field: field.clone() });
        }
        let mut values = Vec::with_capacity(form.fields.len());
        for field in form.fields {
            let given = fields.get(field.name).filter(|value| !value.is_null());
            let text = texts.get(field.name).map(|raw| raw.get());
            let value = FieldValue::read(field.kind, given, text);
            let value =
                value.map_err(|needed| MessageError::Value { kind: kind.clone(), field: field.name, needed })?;
            values.push((field, value));
        }
        let mut message = Self { form, values, bytes: Vec::new() };
        message.encode()?;
        Ok(message)
    }

    /// Encodes the values again.
    fn encode(&mut self) -> Result<(), MessageError> {
        let encoded = proto::encode_message(self.form.kind, &self.fields_json());
        self.bytes = encoded.map_err(|_| MessageError::Form(self.kind().short().to_owned()))?;
        Ok(())
    }

    pub fn kind(&self) -> MsgType {
        MsgType::new(self.form.kind)
    }

    /// Returns the signer in the message's format, bech32 or hex.
    pub fn signer(&self) -> &str {
        self.text(self.form.signer)
    }

    /// Formats the message for a sign document: amino name and value as canonical JSON.
    pub fn amino(&self) -> String {
        self.amino_as(false)
    }

    /// Formats the message for a chain whose messages have a delegation list.
    pub(super) fn amino_as(&self, has_delegations: bool) -> String {
        let fields = self.values.iter().filter_map(|(field, value)| {
            if field.kind == FieldKind::NoDelegation && !has_delegations {
                return None;
            }
            Some((field.name, value.amino()?))
        });
        object([("type", quoted(self.form.amino)), ("value", object(fields))])
    }

    /// Encodes the message as a protobuf `Any` for a transaction.
    pub fn any(&self) -> Vec<u8> {
        ProtoWriter::any(&format!("/{}", self.form.kind), &self.bytes)
    }

    /// Formats the message for the chain's command line: `{"@type":…,…}`.
    pub fn proto_json(&self) -> String {
        let fields = self.fields_json();
        let kind = quoted(&format!("/{}", self.form.kind));
        match fields.strip_prefix('{') {
            Some(rest) if rest != "}" => format!("{{\"@type\":{kind},{rest}"),
            _ => format!("{{\"@type\":{kind}}}"),
        }
    }

    /// Formats the fields as JSON, in message order.
    fn fields_json(&self) -> String {
        let field =
            |(field, value): &(&FieldRule, FieldValue)| Some(format!("{}:{}", quoted(field.name), value.proto()?));
        format!("{{{}}}", self.values.iter().filter_map(field).collect::<Vec<_>>().join(","))
    }

    /// Returns the paths of fields that differ from another message of this type, such as `MsgTransfer.memo`.
    pub(super) fn differing_fields(&self, other: &Self) -> Vec<String> {
        let pairs = self.values.iter().zip(&other.values);
        // Compared in amino form, since equal JSON may be written differently; memos by their meaning.
        let is_same = |field: &FieldRule, own: &FieldValue, found: &FieldValue| match (own, found) {
            (FieldValue::Text(own), FieldValue::Text(found)) if field.name == PACKET_MEMO && own != found => {
                MemoAction::parse(own).is_ok_and(|own| MemoAction::parse(found) == Ok(own))
            }
            _ => own.amino() == found.amino(),
        };
        let differing = pairs.filter(|((field, own), (_, found))| !is_same(field, own, found));
        differing.map(|((field, _), _)| format!("{}.{}", self.kind().short(), field.name)).collect()
    }

    pub(super) fn value(&self, name: &str) -> Option<&FieldValue> {
        self.values.iter().find(|(field, _)| field.name == name).map(|(_, value)| value)
    }

    /// Returns a text field; empty text for a field of another type.
    pub(super) fn text(&self, name: &str) -> &str {
        match self.value(name) {
            Some(FieldValue::Text(text)) => text,
            _ => "",
        }
    }

    pub(super) fn number(&self, name: &str) -> u64 {
        match self.value(name) {
            Some(FieldValue::Number(number)) => *number,
            _ => 0,
        }
    }

    pub(super) fn coin(&self, name: &str) -> Option<&Coin> {
        match self.value(name) {
            Some(FieldValue::Coin(coin)) => Some(coin),
            _ => None,
        }
    }
}

/// Parses an account in bech32 (with any prefix) or hex.
pub fn account_of(text: &str) -> Option<Address> {
    let own = text.parse::<Address>().ok();
    own.or_else(|| bech32::decode(text).ok().and_then(|(_, bytes)| Address::from_bytes(&bytes)))
}

impl FieldValue {
    /// Parses a value; the error names the expected type.
    fn read(kind: FieldKind, given: Option<&Value>, text: Option<&str>) -> Result<Self, &'static str> {
        Ok(match kind {
            FieldKind::Text => Self::Text(given.map_or(Some(String::new()), text_of).ok_or("text")?),
            FieldKind::Texts => Self::Texts(items(given, text_of).ok_or("a string list")?),
            FieldKind::Number => {
                Self::Number(given.map_or(Some(0), |value| digits_of(value)?.parse().ok()).ok_or("a 64-bit number")?)
            }
            FieldKind::Integer => Self::Integer(given.map_or(Some(Amount::ZERO), amount_of).ok_or("a whole number")?),
            FieldKind::Coin => Self::Coin(given.and_then(coin_of).ok_or("a coin")?),
            FieldKind::Coins => Self::Coins(items(given, coin_of).ok_or("a list of coins")?),
            FieldKind::Bytes => Self::Bytes(given.map_or(Some(Vec::new()), bytes_of).ok_or("base64")?),
            FieldKind::BytesList => Self::BytesList(items(given, bytes_of).ok_or("a list of base64 strings")?),
            FieldKind::Height => {
                let (number, height) = given.map_or(Some((0, 0)), height_of).ok_or("a height")?;
                Self::Height(number, height)
            }
            FieldKind::InlineJson => {
                let needed = "a JSON object";
                let given = given.filter(|value| value.is_object()).ok_or(needed)?;
                let text = text.ok_or(needed)?;
                let canonical = canonical(given).ok_or(needed)?;
                Self::InlineJson { given: text.to_owned(), canonical }
            }
            FieldKind::NoAccess | FieldKind::NoDelegation => match given {
                None => Self::Nothing,
                Some(Value::Array(entries)) if entries.is_empty() => Self::Nothing,
                Some(_) => return Err("empty"),
            },
        })
    }

    /// Formats the value for a sign document; `None` if the document omits it.
    fn amino(&self) -> Option<String> {
        Some(match self {
            Self::Text(text) if text.is_empty() => return None,
            Self::Texts(texts) if texts.is_empty() => return None,
            Self::Bytes(bytes) if bytes.is_empty() => return None,
            Self::BytesList(items) if items.is_empty() => return None,
            Self::Number(0) => return None,
            Self::Height(number, height) => {
                let parts = [("revision_number", number), ("revision_height", height)];
                let parts = parts.into_iter().filter(|(_, part)| **part > 0);
                object(parts.map(|(name, part)| (name, quoted(&part.to_string()))))
            }
            Self::InlineJson { canonical, .. } => canonical.clone(),
            Self::Nothing => "null".to_owned(),
            other => other.proto()?,
        })
    }

    /// Formats the value for REST and command lines; `None` if the JSON omits it.
    fn proto(&self) -> Option<String> {
        let base64 = |bytes: &Vec<u8>| quoted(&BASE64_STANDARD.encode(bytes));
        Some(match self {
            Self::Text(text) => quoted(text),
            Self::Texts(texts) => list(texts.iter().map(|text| quoted(text))),
            Self::Number(number) => quoted(&number.to_string()),
            Self::Integer(amount) => quoted(&amount.to_string()),
            Self::Coin(coin) => coin_json(coin),
            Self::Coins(coins) => list(coins.iter().map(coin_json)),
            Self::Bytes(bytes) if bytes.is_empty() => return None,
            Self::Bytes(bytes) => base64(bytes),
            Self::BytesList(items) => list(items.iter().map(base64)),
            Self::Height(number, height) => object([
                ("revision_number", quoted(&number.to_string())),
                ("revision_height", quoted(&height.to_string())),
            ]),
            Self::InlineJson { given, .. } => given.clone(),
            Self::Nothing => return None,
        })
    }
}

pub(super) fn coin_json(coin: &Coin) -> String {
    object([("denom", quoted(coin.denom.as_str())), ("amount", quoted(&coin.amount.to_string()))])
}

fn items<T>(given: Option<&Value>, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    match given {
        None => Some(Vec::new()),
        Some(list) => list.as_array()?.iter().map(read).collect(),
    }
}

fn text_of(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn digits_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn amount_of(value: &Value) -> Option<Amount> {
    digits_of(value)?.parse().ok()
}

fn bytes_of(value: &Value) -> Option<Vec<u8>> {
    BASE64_STANDARD.decode(value.as_str()?).ok()
}

fn coin_of(value: &Value) -> Option<Coin> {
    let fields = value.as_object()?;
    let denom = fields.get("denom")?.as_str().filter(|denom| Denom::is_fit(denom))?;
    let amount = amount_of(fields.get("amount")?)?;
    (fields.len() == 2).then(|| Coin { denom: Denom::new(denom), amount })
}

fn height_of(value: &Value) -> Option<(u64, u64)> {
    let fields = value.as_object()?;
    let part = |name: &str| fields.get(name).map_or(Some(0), |part| digits_of(part)?.parse().ok());
    let is_known = fields.keys().all(|name| matches!(name.as_str(), "revision_number" | "revision_height"));
    is_known.then_some((part("revision_number")?, part("revision_height")?))
}
