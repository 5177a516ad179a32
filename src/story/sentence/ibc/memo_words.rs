//! What a memo asks for, in words.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::{
    domain::{Coin, text::clip},
    story::{
        Phrase, Word,
        context::{MessageRef, PhraseBuilder, TxContext},
        packet::{Hook, Memo},
        selector_name,
        sentence::{clause, verb, verb_phrase},
    },
};

/// How much of a note is shown.
const NOTE: usize = 160;

/// What is asked for where a packet goes to, said where it leaves: "; a Move call there runs …".
pub(super) fn on_leaving<'s, 'a>(words: PhraseBuilder<'s, 'a>, memo: &Memo) -> PhraseBuilder<'s, 'a> {
    match memo {
        Memo::Empty => words,
        Memo::Note(note) => words.text(format!(" with the note “{}”", clip(note, NOTE))),
        Memo::SignedTransaction => words.text("; a signed transaction for the rollup goes with it"),
        Memo::Callback(contract) => words.text(" with a callback to ").code(contract.as_str()),
        Memo::Forward { receiver, channel, next, .. } => {
            let words = words.text("; it is passed on from there to ").party(receiver).text(format!(" over {channel}"));
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
            let words = words.text(" and on to ").party(receiver).text(format!(" over {channel}"));
            and_then(words, next)
        }
        other => on_leaving(words, other),
    }
}

/// "; a Move call there runs {function}", or what it is known to do.
fn call_there<'s, 'a>(words: PhraseBuilder<'s, 'a>, hook: &Hook) -> PhraseBuilder<'s, 'a> {
    match hook.kind.short() {
        "MsgCall" => {
            let words = words.text("; an EVM call there runs ");
            let words = match hook.text("input").and_then(function_of) {
                Some(function) => words.code(function).text(" on "),
                None => words,
            };
            words.contract(hook.text("contract_addr").unwrap_or_default())
        }
        "MsgExecute" | "MsgExecuteJSON" => {
            let part = |name: &str| hook.text(name).unwrap_or_default();
            if let Some(channel) = onward(hook) {
                return words.text(format!("; a Move call there passes it on over {channel}"));
            }
            let function = format!("{}::{}::{}", part("module_address"), part("module_name"), part("function_name"));
            words.text("; a Move call there runs ").code(function)
        }
        _ => {
            let call = hook.fields.get("msg").and_then(Value::as_object).and_then(|call| call.keys().next());
            let words = words.text("; a call there runs ");
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

/// What was asked for where a packet arrived: ", and the attached call {did this}".
pub(super) fn on_arrival(
    context: &TxContext<'_>,
    message: MessageRef<'_>,
    memo: &Memo,
    account: &str,
    arrived: Option<&Coin>,
) -> Vec<Phrase> {
    match memo {
        Memo::Empty | Memo::Callback(_) => Vec::new(),
        Memo::Note(note) => context.words().text(format!(" with the note “{}”", clip(note, NOTE))).done(),
        Memo::SignedTransaction => context.words().text("; a signed transaction for the rollup came with it").done(),
        Memo::Forward { receiver, channel, next, .. } => {
            let words = context.words().text(", passing through to ").party(receiver).text(format!(" over {channel}"));
            and_then(words, next).done()
        }
        Memo::Hook(hook) => {
            if !context.work.takes_nested(message.depth) {
                return context.words().text(", and an attached call ran").done();
            }
            let fields = hook.message_of(account);
            let child = MessageRef { depth: message.depth + 1, kind: &hook.kind, fields: &fields, ..message };
            let mut call = clause(context, child);
            if call.verb == verb::CALL {
                // Not to call twice.
                call.verb = verb::RUN;
            }
            context.words().text(", and the attached call ").then(with_it(verb_phrase(call), arrived)).done()
        }
    }
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
