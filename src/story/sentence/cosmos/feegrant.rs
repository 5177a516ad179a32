use crate::story::proof::Proof;
use serde_json::Value;

use crate::{
    domain::{Coin, MsgType, text},
    story::{
        context::{Clause, MessageRef, PhraseBuilder, TxContext, coin_of},
        sentence::{
            clauses::{MessageEvents, clause_by, moment, row},
            verb,
        },
    },
};

/// "{granter} will pay fees of {grantee} up to {C} until {when}".
pub(super) fn grant(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let places = MessageEvents::of(context, message).places("set_feegrant", |_| true);
    let grantee = message.text("grantee").unwrap_or_default();
    let mut rest = context.words().text("fees of ").party(&grantee).by(places);
    if let Some(allowance) = message.fields.get("allowance") {
        rest = limits(context, rest, allowance, message.depth);
    }
    clause_by(context, message, "granter", verb::PROMISE_TO_PAY, rest.done(), Proof::Unjudged)
}

/// How much an allowance pays, how often, for what, and how long.
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
            let mut words = up_to(words, basic);
            let each = coins(allowance, "period_spend_limit");
            if !each.is_empty() {
                let period = allowance.get("period").and_then(Value::as_str).map(period).unwrap_or_default();
                words = words.text(", at most ").coins(&each).text(format!(" every {period}"));
            }
            until(words, basic)
        }
        ("AllowedMsgAllowance", Some(inner)) => {
            let allowed = allowance.get("allowed_messages").and_then(Value::as_array);
            let names = allowed.into_iter().flatten().filter_map(Value::as_str);
            let names: Vec<String> = names.map(|name| MsgType::new(name).short().to_owned()).collect();
            let words = limits(context, words, inner, depth + 1);
            if names.is_empty() { words } else { words.text(", only for ").code(row(&names)) }
        }
        (_, Some(inner)) => limits(context, words, inner, depth + 1),
        _ => until(up_to(words, allowance), allowance),
    }
}

fn up_to<'s, 'a>(words: PhraseBuilder<'s, 'a>, basic: &Value) -> PhraseBuilder<'s, 'a> {
    match coins(basic, "spend_limit") {
        none if none.is_empty() => words,
        limit => words.text(" up to ").coins(&limit),
    }
}

fn until<'s, 'a>(words: PhraseBuilder<'s, 'a>, basic: &Value) -> PhraseBuilder<'s, 'a> {
    match basic.get("expiration").and_then(Value::as_str) {
        Some(end) => words.text(format!(" until {}", moment(end))),
        None => words,
    }
}

fn coins(value: &Value, name: &str) -> Vec<Coin> {
    value.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(coin_of).collect()
}

/// `86400s` as people say it.
fn period(seconds: &str) -> String {
    let number = seconds.strip_suffix('s').and_then(|number| number.split('.').next()?.parse().ok());
    number.map_or_else(|| seconds.to_owned(), text::span)
}

/// "{granter} stopped paying fees of {grantee}".
pub(super) fn revoke(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let places = MessageEvents::of(context, message).places("revoke_feegrant", |_| true);
    let rest = context.words().text("fees of ").party(&message.text("grantee").unwrap_or_default()).by(places);
    clause_by(context, message, "granter", verb::STOP_PAYING, rest.done(), Proof::Unjudged)
}

/// "{pruner} cleared away fee allowances that had ended".
pub(super) fn prune(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let rest = context.words().text("fee allowances that had ended").done();
    clause_by(context, message, "pruner", verb::CLEAR_AWAY, rest, Proof::Unjudged)
}
