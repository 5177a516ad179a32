//! What a memo asks for, in words.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::{
    domain::Coin,
    story::{
        Phrase, Word,
        context::{MessageRef, PhraseBuilder, TxContext},
        packet::{Hook, Memo},
        proof::Proof,
        selector_name,
        sentence::{
            clause,
            clauses::{MessageEvents, same_account},
            verb, verb_phrase,
        },
    },
};

/// What is asked for where a packet goes to, said where it leaves: "; a Move call there runs …".
pub(super) fn on_leaving<'s, 'a>(words: PhraseBuilder<'s, 'a>, memo: &Memo) -> PhraseBuilder<'s, 'a> {
    match memo {
        Memo::Empty => words,
        Memo::Note(note) => words.text(" with the note ").quote(note),
        Memo::SignedTransaction => words.text("; a signed transaction for the rollup goes with it"),
        Memo::Callback(contract) => words.text(" with a callback to ").code(contract.as_str()),
        Memo::Forward { receiver, channel, next, .. } => {
            let words =
                words.text("; it is to be passed on from there to ").party(receiver).text(" over ").plain(channel);
            and_then(words, next)
        }
        Memo::Hook(hook) => {
            let words = call_there(words, hook);
            match &hook.callback {
                Some(contract) => words.text(", with a callback to ").code(contract.as_str()),
                None => words,
            }
        }
    }
}

/// The stages after the first of a packet that is passed on.
fn and_then<'s, 'a>(words: PhraseBuilder<'s, 'a>, memo: &Memo) -> PhraseBuilder<'s, 'a> {
    match memo {
        Memo::Forward { receiver, channel, next, .. } => {
            let words = words.text(" and on to ").party(receiver).text(" over ").plain(channel);
            and_then(words, next)
        }
        other => on_leaving(words, other),
    }
}

/// "; a Move call there runs {function}", or what it is known to do.
fn call_there<'s, 'a>(words: PhraseBuilder<'s, 'a>, hook: &Hook) -> PhraseBuilder<'s, 'a> {
    match hook.kind.short() {
        "MsgCall" => {
            let words = words.text("; an EVM call there is to run ");
            let words = match hook.text("input").and_then(function_of) {
                Some(function) => words.code(function).text(" on "),
                None => words,
            };
            words.contract(hook.text("contract_addr").unwrap_or_default())
        }
        "MsgExecute" | "MsgExecuteJSON" => {
            let part = |name: &str| hook.text(name).unwrap_or_default();
            if let Some(channel) = onward(hook) {
                return words.text(format!("; a Move call there is to pass it on over {channel}"));
            }
            let function = format!("{}::{}::{}", part("module_address"), part("module_name"), part("function_name"));
            words.text("; a Move call there is to run ").code(function)
        }
        _ => {
            let call = hook.fields.get("msg").and_then(Value::as_object).and_then(|call| call.keys().next());
            let words = words.text("; a call there is to run ");
            let words = match call {
                Some(call) => words.code(call.as_str()).text(" on "),
                None => words,
            };
            words.party(hook.text("contract").unwrap_or_default())
        }
    }
}

/// The name of the function that an EVM call's input begins with, where it is known; else its selector.
fn function_of(input: &str) -> Option<String> {
    let selector = input.strip_prefix("0x").unwrap_or(input).get(..8)?;
    Some(selector_name(selector).map_or_else(|| format!("0x{selector}"), |name| format!("{name}()")))
}

/// The channel that a transfer function of Move sends on over, among its arguments.
fn onward(hook: &Hook) -> Option<String> {
    if !hook.text("function_name")?.contains("transfer") {
        return None;
    }
    let arguments = hook.fields.get("args")?.as_array()?;
    arguments.iter().filter_map(Value::as_str).find_map(|argument| {
        let text = STANDARD.decode(argument).ok().and_then(|bytes| {
            let (length, text) = bytes.split_first()?;
            (usize::from(*length) == text.len()).then(|| String::from_utf8(text.to_vec()).ok())?
        });
        let text = text.unwrap_or_else(|| argument.trim_matches('"').to_owned());
        let number = text.strip_prefix("channel-")?;
        (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
    })
}

/// What was asked for where a packet arrived: ", and the attached call {did this}"; and what stands behind it.
pub(super) fn on_arrival(
    context: &TxContext<'_>,
    message: MessageRef<'_>,
    memo: &Memo,
    account: &str,
    arrived: Option<&Coin>,
) -> (Vec<Phrase>, Proof) {
    let words = match memo {
        Memo::Empty | Memo::Callback(_) => return (Vec::new(), Proof::Shown),
        Memo::Note(note) => context.words().text(" with the note ").quote(note),
        Memo::SignedTransaction => context.words().text("; a signed transaction for the rollup came with it"),
        Memo::Forward { receiver, channel, next, .. } => {
            let sent = MessageEvents::of(context, message).one("send_packet").map(|(place, _)| place);
            let begin = if sent.is_some() { ", passing through to " } else { "; it is to be passed on to " };
            let words = context.words().text(begin).by(sent).party(receiver).text(" over ").plain(channel);
            and_then(words, next)
        }
        Memo::Hook(hook) => return attached(context, message, hook, account, arrived),
    };
    (words.done(), Proof::Shown)
}

/// ", and the attached call {did this}", where an event shows that it ran.
fn attached(
    context: &TxContext<'_>,
    message: MessageRef<'_>,
    hook: &Hook,
    account: &str,
    arrived: Option<&Coin>,
) -> (Vec<Phrase>, Proof) {
    let Some(place) = run_of(context, message, hook) else {
        let words = call_here(context.words(), hook).text("; no event shows that it ran");
        return (words.done(), Proof::Ran);
    };
    if !context.work.takes_nested(message.depth) {
        return (context.words().text(", and an attached call ran").by([place]).done(), Proof::Ran);
    }
    let fields = hook.message_of(account);
    let child = MessageRef { depth: message.depth + 1, kind: &hook.kind, fields: &fields, ..message };
    let mut call = clause(context, child);
    if call.proof == Proof::Ran {
        // Not to call twice.
        call.verb = verb::RUN;
    }
    let proof = call.weakest();
    let words = context.words().text(", and the attached call ").by([place]).then(with_it(verb_phrase(call), arrived));
    (words.done(), proof)
}

/// The event of the machine that shows that a hook ran.
fn run_of(context: &TxContext<'_>, message: MessageRef<'_>, hook: &Hook) -> Option<usize> {
    let is_same = |value: Option<&str>, field: &str| {
        value.is_some_and(|value| hook.text(field).is_some_and(|wanted| same_account(value, wanted)))
    };
    let seen = MessageEvents::of(context, message);
    let event = match hook.kind.short() {
        "MsgCall" => seen.that("call", |event| is_same(event.value("contract"), "contract_addr")),
        "MsgExecuteContract" => seen.that("execute", |event| is_same(event.value("_contract_address"), "contract")),
        _ => seen.that("execute", |event| {
            event.value("module_name").is_none_or(|name| hook.text("module_name") == Some(name))
        }),
    };
    event.map(|(place, _)| place)
}

/// "; it asks for a call of {function} here".
fn call_here<'s, 'a>(words: PhraseBuilder<'s, 'a>, hook: &Hook) -> PhraseBuilder<'s, 'a> {
    let words = words.text("; it asks for a call of ");
    let words = match hook.kind.short() {
        "MsgCall" => words.contract(hook.text("contract_addr").unwrap_or_default()),
        "MsgExecuteContract" => words.party(hook.text("contract").unwrap_or_default()),
        _ => {
            let part = |name: &str| hook.text(name).unwrap_or_default();
            words.code(format!("{}::{}::{}", part("module_address"), part("module_name"), part("function_name")))
        }
    };
    words.text(" here")
}

/// What just arrived is "it" where it is named again.
fn with_it(mut verb_phrase: Vec<Phrase>, arrived: Option<&Coin>) -> Vec<Phrase> {
    let named = verb_phrase.iter_mut().find(|phrase| matches!(phrase.word, Word::Coin { .. }));
    if let Some(phrase) = named
        && matches!(&phrase.word, Word::Coin { coin, .. } if Some(coin) == arrived)
    {
        phrase.word = Word::Text("it".into());
    }
    verb_phrase
}
