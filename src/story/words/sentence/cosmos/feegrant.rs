use serde_json::Value;

use crate::{
    domain::{MsgType, text},
    events::{
        keys,
        names::{PRUNE_FEEGRANT, REVOKE_FEEGRANT, SET_FEEGRANT},
    },
    story::{
        context::{MessageRef, TxContext},
        words::{
            builder::PhraseBuilder,
            clause::Clause,
            sentence::{
                clauses::{MessageEvents, clause_with, moment, names, places_of, subject, told},
                verb,
            },
        },
    },
};

/// Describes "{granter} granted {grantee} a fee allowance of {C} until {when}".
pub(super) fn grant(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let (from, to, places) = parties(context, message, SET_FEEGRANT);
    let rest = context.words().party(&to).by(places.iter().copied()).text(" a fee allowance");
    let rest = match message.fields.get("allowance") {
        Some(allowance) => limits(context, rest, allowance, message.depth),
        None => rest,
    };
    clause_with(context, subject(context, message, "granter", &from), verb::GRANT, rest, &places)
}

/// Returns granter and grantee in the event, with its index.
fn parties(context: &TxContext<'_>, message: MessageRef<'_>, kind: &str) -> (String, String, Vec<usize>) {
    let (from, to) = (message.text("granter").unwrap_or_default(), message.text("grantee").unwrap_or_default());
    let event = MessageEvents::of(context, message)
        .claim_or_only(kind, |event| names(event, keys::GRANTER, &from) && names(event, keys::GRANTEE, &to));
    (told(event, keys::GRANTER, Some(from)), told(event, keys::GRANTEE, Some(to)), places_of(event))
}

fn limits<'s, 'a>(
    context: &'s TxContext<'a>,
    words: PhraseBuilder<'s, 'a>,
    allowance: &Value,
    depth: usize,
) -> PhraseBuilder<'s, 'a> {
    let kind = allowance.get("@type").and_then(Value::as_str).map(MsgType::new);
    let inner = allowance.get("allowance").filter(|_| context.work.takes_nested(depth));
    match (kind.as_ref().map_or("", MsgType::short), inner) {
        ("PeriodicAllowance", _) => {
            let basic = allowance.get("basic").unwrap_or(&Value::Null);
            let words = up_to(words, basic);
            let words = match amounts(allowance, "period_spend_limit") {
                Some(each) => {
                    let words = words.text(", at most ").amounts(Some(each)).text(" every ");
                    period(words, allowance.get("period").and_then(Value::as_str).unwrap_or_default())
                }
                None => words,
            };
            until(words, basic)
        }
        ("AllowedMsgAllowance", Some(inner)) => {
            let allowed = allowance.get("allowed_messages").and_then(Value::as_array);
            let names = allowed.into_iter().flatten().filter_map(Value::as_str);
            let names: Vec<String> = names.map(|name| MsgType::new(name).short().to_owned()).collect();
            let words = limits(context, words, inner, depth + 1);
            if names.is_empty() { words } else { words.text(", only for ").listed(&names) }
        }
        (_, Some(inner)) => limits(context, words, inner, depth + 1),
        _ => until(up_to(words, allowance), allowance),
    }
}

fn up_to<'s, 'a>(words: PhraseBuilder<'s, 'a>, basic: &Value) -> PhraseBuilder<'s, 'a> {
    match amounts(basic, "spend_limit") {
        None => words.text(" without limit"),
        limit => words.text(" of ").amounts(limit),
    }
}

fn until<'s, 'a>(words: PhraseBuilder<'s, 'a>, basic: &Value) -> PhraseBuilder<'s, 'a> {
    match basic.get("expiration").and_then(Value::as_str) {
        Some(end) => words.text(format!(" until {}", moment(end))),
        None => words,
    }
}

/// Returns a list of coins; `None` if empty, which means no limit.
fn amounts<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.get(name).filter(|list| list.as_array().is_none_or(|list| !list.is_empty()) && !list.is_null())
}

/// Formats `86400s` in words.
fn period<'s, 'a>(words: PhraseBuilder<'s, 'a>, seconds: &str) -> PhraseBuilder<'s, 'a> {
    let number = seconds.strip_suffix('s').and_then(|number| number.split('.').next()?.parse().ok());
    match number {
        Some(number) => words.text(text::span(number)),
        None => words.plain(seconds),
    }
}

/// Describes "{granter} revoked {grantee}'s fee allowance".
pub(super) fn revoke(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let (from, to, places) = parties(context, message, REVOKE_FEEGRANT);
    let rest = context.words().party(&to).by(places.iter().copied()).text("'s fee allowance");
    clause_with(context, subject(context, message, "granter", &from), verb::REVOKE, rest, &places)
}

/// Describes "{pruner} removed expired fee allowances".
pub(super) fn prune(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let pruner = message.text("pruner").unwrap_or_default();
    let event =
        MessageEvents::of(context, message).claim_or_only(PRUNE_FEEGRANT, |event| names(event, keys::PRUNER, &pruner));
    let places = places_of(event);
    let rest = context.words().text("expired fee allowances").by(places.iter().copied());
    let who = subject(context, message, "pruner", &told(event, keys::PRUNER, Some(pruner)));
    clause_with(context, who, verb::REMOVE, rest, &places)
}
