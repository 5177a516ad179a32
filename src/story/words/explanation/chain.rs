//! Refusals by the chain's own modules.

use serde_json::Value;

use super::{Case, Reason, codes, place::FailedPart, quote, said};
use crate::story::limits::MOST_DEPTH;

/// Parses `cannot update client (07-tendermint-0) with status Expired: client state is not active`.
pub(super) fn client(case: &Case<'_>) -> Option<Reason> {
    if (case.codespace, case.code) != ("client", 29) {
        return None;
    }
    let words = match codes::detail(case).rsplit_once("status ")?.1 {
        "Expired" => "the light client has expired: nothing can cross this connection",
        "Frozen" => "the light client is frozen: nothing can cross this connection",
        _ => return None,
    };
    Some(Reason::new(case.cause(words.to_owned())))
}

/// Parses errors without a specific code about missing or impossible values.
pub(super) fn missing(case: &Case<'_>) -> Option<Reason> {
    let refusal = |words: String| Some(Reason::new(case.cause(words)));
    match (case.codespace, case.code) {
        ("undefined", 1)
            if case.part == FailedPart::Message
                && case.log == "rpc error: code = Unimplemented desc = not supported" =>
        {
            let kind = case.context.decoded.messages.get(case.message.unwrap_or(0))?.kind.short();
            let words = format!("this chain does not support {}", said(kind));
            Some(Reason::named("not supported", case.cause(words)))
        }
        ("undefined", 1) => {
            let (key, rest) = case.log.strip_prefix("collections: not found: key '")?.split_once('\'')?;
            if !rest.starts_with(" of type ") {
                return None;
            }
            let what = if names_denom(case, key) { "there is no denom" } else { "the chain has no entry" };
            refusal(format!("{what} {}", quote(key)))
        }
        ("sdk", 38) if case.log.starts_with("fee-grant not found") => refusal("no such fee grant".to_owned()),
        _ => None,
    }
}

fn names_denom(case: &Case<'_>, denom: &str) -> bool {
    fn holds(value: &Value, denom: &str, depth: usize) -> bool {
        let inner = |value| depth < MOST_DEPTH && holds(value, denom, depth + 1);
        match value {
            Value::Object(fields) => {
                fields.get("denom").and_then(Value::as_str) == Some(denom) || fields.values().any(inner)
            }
            Value::Array(items) => items.iter().any(inner),
            _ => false,
        }
    }
    let message = case.context.decoded.messages.get(case.message.unwrap_or(0));
    message.is_some_and(|message| message.fields.values().any(|value| holds(value, denom, 0)))
}
