//! Actions in a packet's memo, which the receiving chain executes. Parsing accepts only fully understood memos.

use alloy_primitives::hex;
use serde_json::{Map, Value};

use super::{
    calls::{evm_effect, move_arguments, move_effect, selector_text},
    effect::{EffectError, FundsEffect},
    ethereum::evm_address,
    swap_contract::venue_effect,
};
use crate::domain::text::clip;

/// Maximum number of forwards.
const MOST_STAGES: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoAction {
    /// No action: the receiver keeps the funds.
    Nothing,
    /// No action: the memo is text for humans.
    Note(String),
    /// Forwards the tokens to another chain.
    Forward {
        /// Receiver on the next chain.
        receiver: String,
        channel: String,
        next: Box<MemoAction>,
    },
    /// Calls a function with the tokens.
    Call {
        effect: Box<FundsEffect>,
        /// Contract or function; the packet may name it as its receiver.
        place: String,
    },
}

impl MemoAction {
    /// Parses a memo. JSON with unknown parts is an error, because it may move funds.
    pub fn parse(memo: &str) -> Result<Self, EffectError> {
        if memo.trim().is_empty() {
            return Ok(Self::Nothing);
        }
        match serde_json::from_str::<Value>(memo) {
            Ok(Value::Object(fields)) => Self::of_fields(&fields, 0),
            // Chains execute only JSON objects.
            _ if memo.trim_start().starts_with('{') => Err(unknown("a memo that is not JSON")),
            _ => Ok(Self::Note(memo.to_owned())),
        }
    }

    fn of_fields(fields: &Map<String, Value>, stage: usize) -> Result<Self, EffectError> {
        let mut entries = fields.iter();
        let (Some((name, body)), None, true) = (entries.next(), entries.next(), stage < MOST_STAGES) else {
            return Err(unknown("a memo with several instructions"));
        };
        let body = body.as_object();
        let read = match name.as_str() {
            "forward" => return Self::forward(body.ok_or_else(|| unknown("a forward"))?, stage),
            "move" => body.and_then(|body| only(body, &["message"])).and_then(move_call),
            "evm" => body.and_then(|body| only(body, &["message"])).and_then(evm_call),
            "wasm" => body.and_then(wasm_call),
            _ => None,
        };
        read.ok_or_else(|| {
            let what = body.and_then(called).unwrap_or_else(|| clip(name, 40));
            unknown(&format!("a memo that asks for {what}"))
        })
    }

    fn forward(body: &Map<String, Value>, stage: usize) -> Result<Self, EffectError> {
        let known = ["receiver", "port", "channel", "timeout", "retries", "next"];
        let text = |name: &str| body.get(name).and_then(Value::as_str);
        let is_known = body.keys().all(|name| known.contains(&name.as_str())) && text("port") == Some("transfer");
        let (Some(receiver), Some(channel), true) = (text("receiver"), text("channel"), is_known) else {
            return Err(unknown("a forward with unknown or missing fields"));
        };
        let next = match body.get("next") {
            None | Some(Value::Null) => Self::Nothing,
            Some(Value::Object(fields)) if fields.is_empty() => Self::Nothing,
            Some(Value::Object(fields)) => Self::of_fields(fields, stage + 1)?,
            Some(Value::String(text)) if text.is_empty() => Self::Nothing,
            Some(Value::String(text)) => match serde_json::from_str(text) {
                Ok(Value::Object(fields)) => Self::of_fields(&fields, stage + 1)?,
                _ => return Err(unknown("a forward whose next step is not JSON")),
            },
            Some(_) => return Err(unknown("a forward whose next step is not JSON")),
        };
        Ok(Self::Forward { receiver: receiver.to_owned(), channel: channel.to_owned(), next: Box::new(next) })
    }
}

/// Creates the error for an action that rollscope cannot decode.
fn unknown(what: &str) -> EffectError {
    EffectError::Unknown(what.to_owned())
}

/// Returns the object under this name; `None` if other keys exist.
fn only<'a>(body: &'a Map<String, Value>, names: &[&str]) -> Option<&'a Map<String, Value>> {
    let is_alone = body.keys().all(|name| names.contains(&name.as_str()));
    names.first().filter(|_| is_alone).and_then(|name| body.get(*name)?.as_object())
}

fn move_call(message: &Map<String, Value>) -> Option<MemoAction> {
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
    Some(MemoAction::Call { effect: Box::new(effect), place: format!("{address}::{module}::{function}") })
}

fn evm_call(message: &Map<String, Value>) -> Option<MemoAction> {
    let known = ["contract_addr", "input", "value", "access_list"];
    let text = |name: &str| message.get(name).and_then(Value::as_str);
    let is_empty = |name: &str| message.get(name).is_none_or(|value| value.is_null() || *value == Value::Array(vec![]));
    let is_known = message.keys().all(|name| known.contains(&name.as_str())) && is_empty("access_list");
    let is_free = text("value").is_none_or(|value| matches!(value, "" | "0"));
    let contract = text("contract_addr")?;
    let data = hex::decode(text("input")?).ok()?;
    let effect = evm_effect(evm_address(contract)?, &data).filter(|_| is_known && is_free)?;
    Some(MemoAction::Call { effect: Box::new(effect), place: contract.to_owned() })
}

fn wasm_call(body: &Map<String, Value>) -> Option<MemoAction> {
    let contract = body.get("contract")?.as_str()?;
    let message = body.get("msg").filter(|_| body.len() == 2)?;
    let effect = venue_effect(contract, &message.to_string(), None)?;
    Some(MemoAction::Call { effect: Box::new(effect), place: contract.to_owned() })
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
