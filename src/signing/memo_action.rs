//! Actions in a packet's memo, which the receiving chain executes. Parsing accepts only fully understood memos.

use alloy_primitives::hex;
use serde_json::{Map, Value, json};

use super::{
    calls::{evm_effect, move_arguments, move_effect, selector_text},
    effect::{EffectError, FundsEffect},
    ethereum::evm_address,
    one_reading::repeated_key,
    swap_contract::venue_effect,
};
use crate::domain::text::{clean, clip};

const TRANSFER_PORT: &str = "transfer";
/// Maximum bytes of a memo; chains refuse longer ones.
const LONGEST_NOTE: usize = 32_768;
/// Maximum number of forwards.
const MOST_STAGES: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoAction {
    /// No action: the receiver keeps the funds.
    Nothing,
    /// No action: the memo is text for humans.
    Note(String),
    /// Forwards the tokens to another chain.
    Forward(Box<MemoForward>),
    /// Calls a function with the tokens.
    Call {
        effect: Box<FundsEffect>,
        /// Contract or function; the packet may name this text as its receiver.
        place: String,
        /// Key of the memo, which names the virtual machine.
        machine: String,
        /// Call as the chain reads it.
        body: Value,
    },
}

/// Order to the receiving chain to send the tokens on over a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoForward {
    pub receiver: String,
    pub channel: String,
    /// Further tries after a timeout; `None` leaves them to the chain.
    pub retries: Option<u8>,
    /// Wait per try in nanoseconds; `None` and 0 leave it to the chain.
    pub timeout: Option<u64>,
    pub next: MemoAction,
}

impl MemoAction {
    /// Parses a memo. JSON with unknown parts is an error, because it may move funds.
    pub fn parse(memo: &str) -> Result<Self, EffectError> {
        if memo.trim().is_empty() {
            return Ok(Self::Nothing);
        }
        if let Some(key) = repeated_key(memo) {
            return Err(unknown(&format!("a memo with the key “{}” twice in one object", clip(&key, 40))));
        }
        match serde_json::from_str::<Value>(memo) {
            Ok(value @ Value::Object(_)) => {
                let action = Self::of_value(&value, 0)?;
                // A chain finds all of it in the memo that is signed, or this text is not fully understood.
                let is_whole = action.value() == without_nulls(value);
                is_whole.then_some(action).ok_or_else(|| unknown("a memo with parts that rollscope does not write"))
            }
            // Chains only execute JSON objects.
            _ if memo.trim_start().starts_with('{') => Err(unknown("a memo that is not JSON")),
            _ if memo.len() > LONGEST_NOTE => Err(EffectError::Memo("more than 32,768 bytes")),
            _ if clean(memo) != memo => Err(EffectError::Memo("control or invisible characters")),
            _ => Ok(Self::Note(memo.to_owned())),
        }
    }

    /// Writes the memo for this action, whatever the router's looked like.
    pub fn written(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Note(note) => note.clone(),
            Self::Forward(_) | Self::Call { .. } => self.value().to_string(),
        }
    }

    fn value(&self) -> Value {
        match self {
            Self::Nothing | Self::Note(_) => Value::Null,
            Self::Forward(forward) => without_nulls(json!({ "forward": {
                "channel": forward.channel,
                "next": forward.next.value(),
                "port": TRANSFER_PORT,
                "receiver": forward.receiver,
                "retries": forward.retries,
                "timeout": forward.timeout,
            }})),
            Self::Call { machine, body, .. } => json!({ machine: body }),
        }
    }

    fn of_value(value: &Value, stage: usize) -> Result<Self, EffectError> {
        let mut entries = value.as_object().into_iter().flatten();
        let (Some((machine, body)), None, true) = (entries.next(), entries.next(), stage < MOST_STAGES) else {
            return Err(unknown("a memo with several instructions, or none"));
        };
        let fields = body.as_object();
        let called_at = match machine.as_str() {
            "forward" => return Self::forward(fields.ok_or_else(|| unknown("a forward"))?, stage),
            "move" => fields.and_then(|fields| only(fields, &["message"])).and_then(move_call),
            "evm" => fields.and_then(|fields| only(fields, &["message"])).and_then(evm_call),
            "wasm" => fields.and_then(wasm_call),
            _ => None,
        };
        let (effect, place) = called_at.ok_or_else(|| {
            let what = fields.and_then(called).unwrap_or_else(|| clip(machine, 40));
            unknown(&format!("a memo that asks for {what}"))
        })?;
        Ok(Self::Call { effect: Box::new(effect), place, machine: machine.clone(), body: body.clone() })
    }

    fn forward(body: &Map<String, Value>, stage: usize) -> Result<Self, EffectError> {
        let known = ["receiver", "port", "channel", "timeout", "retries", "next"];
        let given = |name: &str| body.get(name).filter(|value| !value.is_null());
        let text = |name: &str| given(name).and_then(Value::as_str);
        // Only whole numbers: the chain also reads texts such as `10m`.
        let whole = |name: &str| given(name).map_or(Some(None), |value| value.as_u64().map(Some));
        let is_known = body.keys().all(|name| known.contains(&name.as_str())) && text("port") == Some(TRANSFER_PORT);
        let read = || {
            let retries = whole("retries")?.map(u8::try_from).transpose().ok()?;
            Some((text("receiver")?.to_owned(), text("channel")?.to_owned(), retries, whole("timeout")?))
        };
        let (receiver, channel, retries, timeout) =
            read().filter(|_| is_known).ok_or_else(|| unknown("a forward with unknown or missing fields"))?;
        let next = given("next").map_or(Ok(Self::Nothing), |next| Self::of_value(next, stage + 1))?;
        Ok(Self::Forward(Box::new(MemoForward { receiver, channel, retries, timeout, next })))
    }
}

/// Removes the empty fields of forwards, which chains read like missing ones. Calls stay as they are.
fn without_nulls(value: Value) -> Value {
    let Value::Object(entries) = value else { return value };
    let forward = |(machine, body)| match body {
        Value::Object(fields) if machine == "forward" => {
            let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
            let fields = fields.map(|(name, value)| {
                let value = if name == "next" { without_nulls(value) } else { value };
                (name, value)
            });
            (machine, Value::Object(fields.collect()))
        }
        body => (machine, body),
    };
    Value::Object(entries.into_iter().map(forward).collect())
}

/// Creates the error for a part that cannot be decoded.
fn unknown(what: &str) -> EffectError {
    EffectError::Unknown(what.to_owned())
}

/// Returns the object under this name; `None` if other keys exist.
fn only<'a>(body: &'a Map<String, Value>, names: &[&str]) -> Option<&'a Map<String, Value>> {
    let is_alone = body.keys().all(|name| names.contains(&name.as_str()));
    names.first().filter(|_| is_alone).and_then(|name| body.get(*name)?.as_object())
}

fn move_call(message: &Map<String, Value>) -> Option<(FundsEffect, String)> {
    let known = ["module_address", "module_name", "function_name", "type_args", "args"];
    let text = |name: &str| message.get(name).and_then(Value::as_str);
    let list = |name: &str| -> Option<Vec<String>> {
        message.get(name)?.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
    };
    let (address, module, function) = (text("module_address")?, text("module_name")?, text("function_name")?);
    let is_known = message.keys().all(|name| known.contains(&name.as_str()));
    let is_plain = list("type_args").is_none_or(|types| types.is_empty());
    let args = move_arguments(&list("args")?)?;
    let effect = move_effect(address, [module, function], &args).filter(|_| is_known && is_plain)?;
    Some((effect, format!("{address}::{module}::{function}")))
}

fn evm_call(message: &Map<String, Value>) -> Option<(FundsEffect, String)> {
    let known = ["contract_addr", "input", "value", "access_list"];
    let text = |name: &str| message.get(name).and_then(Value::as_str);
    let is_empty = |name: &str| message.get(name).is_none_or(|value| value.is_null() || *value == Value::Array(vec![]));
    let is_known = message.keys().all(|name| known.contains(&name.as_str())) && is_empty("access_list");
    let is_free = text("value").is_none_or(|value| matches!(value, "" | "0"));
    let contract = text("contract_addr")?;
    let data = hex::decode(text("input")?).ok()?;
    let effect = evm_effect(evm_address(contract)?, &data).filter(|_| is_known && is_free)?;
    Some((effect, contract.to_owned()))
}

fn wasm_call(body: &Map<String, Value>) -> Option<(FundsEffect, String)> {
    let contract = body.get("contract")?.as_str()?;
    let message = body.get("msg").filter(|_| body.len() == 2)?;
    let effect = venue_effect(contract, &message.to_string(), None)?;
    Some((effect, contract.to_owned()))
}

/// Describes the contract or function of an unknown call; `None` without a target.
fn called(body: &Map<String, Value>) -> Option<String> {
    if let (Some(contract), Some(message)) = (body.get("contract").and_then(Value::as_str), body.get("msg")) {
        let name = message.as_object().and_then(|message| message.keys().next()).map_or("nothing", String::as_str);
        return Some(format!("{} of {}", clip(name, 40), clip(contract, 90)));
    }
    let message = body.get("message").and_then(Value::as_object)?;
    let text = |name: &str| message.get(name).and_then(Value::as_str);
    if let (Some(module), Some(function)) = (text("module_name"), text("function_name")) {
        return Some(clip(&format!("{}::{module}::{function}", text("module_address").unwrap_or_default()), 120));
    }
    let data = hex::decode(text("input")?).ok()?;
    Some(format!("{} of {}", selector_text(&data), clip(text("contract_addr")?, 64)))
}
