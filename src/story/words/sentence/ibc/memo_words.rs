use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::{
    domain::{Coin, same_account},
    events::{
        keys,
        names::{CALL, EXECUTE},
    },
    story::{
        abi::selector_name,
        context::{MessageRef, TxContext, proof::Proof},
        names::move_address::any_form,
        packet::{Hook, Memo, OutgoingPacket},
        words::{
            builder::PhraseBuilder,
            phrase::{Phrase, Word},
            sentence::{clauses::MessageEvents, ibc::packet_words::parties, nested::SentenceContext, verb},
        },
    },
};

/// Describes the instruction for the destination, in the sending transaction: "; with a Move call there of …".
pub(super) fn on_leaving<'s, 'a>(words: PhraseBuilder<'s, 'a>, memo: &Memo) -> PhraseBuilder<'s, 'a> {
    match memo {
        Memo::Empty => words,
        Memo::Note(note) => words.text(" with the memo ").quote(note),
        Memo::SignedTransaction => words.text("; it carries a signed transaction for the rollup"),
        Memo::Callback(contract) => words.text(" with a callback to ").code(contract.as_str()),
        Memo::Forward { receiver, channel, next, .. } => {
            let words =
                words.text("; to be forwarded from there to ").party_elsewhere(receiver).text(" over ").plain(channel);
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

/// Describes the memo's instruction after an acknowledgement: ", to be passed on to {receiver} over {channel}".
pub(crate) fn on_acceptance<'s, 'a>(words: PhraseBuilder<'s, 'a>, memo: &Memo) -> PhraseBuilder<'s, 'a> {
    match memo {
        Memo::Forward { receiver, channel, next, .. } => {
            let words = words.text(", to be passed on to ").party_elsewhere(receiver).text(" over ").plain(channel);
            and_then(words, next)
        }
        other => on_leaving(words, other),
    }
}

/// Describes the hops after the first of a forwarded packet.
fn and_then<'s, 'a>(words: PhraseBuilder<'s, 'a>, memo: &Memo) -> PhraseBuilder<'s, 'a> {
    match memo {
        Memo::Forward { receiver, channel, next, .. } => {
            let words = words.text(" and on to ").party_elsewhere(receiver).text(" over ").plain(channel);
            and_then(words, next)
        }
        other => on_leaving(words, other),
    }
}

/// Describes "; with a Move call there of {function}", or its known effect.
fn call_there<'s, 'a>(words: PhraseBuilder<'s, 'a>, hook: &Hook) -> PhraseBuilder<'s, 'a> {
    match hook.kind.short() {
        "MsgCall" => {
            let words = words.text("; with an EVM call there of ");
            let words = match hook.text("input").and_then(function_of) {
                Some(function) => words.code(function).text(" on "),
                None => words,
            };
            words.contract(hook.text("contract_addr").unwrap_or_default())
        }
        "MsgExecute" | "MsgExecuteJSON" => {
            let part = |name: &str| hook.text(name).unwrap_or_default();
            if let Some(channel) = onward(hook) {
                return words.text(format!("; with a Move call there that forwards it over {channel}"));
            }
            let function = format!("{}::{}::{}", part("module_address"), part("module_name"), part("function_name"));
            words.text("; with a Move call there of ").code(function)
        }
        _ => {
            let call = hook.fields.get("msg").and_then(Value::as_object).and_then(|call| call.keys().next());
            let words = words.text("; with a call there of ");
            let words = match call {
                Some(call) => words.code(call.as_str()).text(" on "),
                None => words,
            };
            words.party(hook.text("contract").unwrap_or_default())
        }
    }
}

/// Returns the function name of an EVM call's input if known; else the selector.
fn function_of(input: &str) -> Option<String> {
    let selector = input.strip_prefix("0x").unwrap_or(input).get(..8)?;
    Some(selector_name(selector).map_or_else(|| format!("0x{selector}"), |name| format!("{name}()")))
}

/// Returns the channel among the arguments of a Move transfer function.
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

/// Describes the memo's instruction on arrival, with its evidence: ", and the attached call {effect}".
pub(super) fn on_arrival(
    context: &SentenceContext<'_>,
    message: MessageRef<'_>,
    memo: &Memo,
    account: &str,
    arrived: Option<&Coin>,
) -> (Vec<Phrase>, Proof) {
    let words = match memo {
        Memo::Empty | Memo::Callback(_) => return (Vec::new(), Proof::Shown),
        Memo::Note(note) => context.words().text(" with the memo ").quote(note),
        Memo::SignedTransaction => context.words().text("; it carried a signed transaction for the rollup"),
        Memo::Forward { receiver, channel, next, .. } => {
            if let Some((place, packet)) = forwarded(context, message, receiver, channel) {
                let to = parties(&packet.data).map_or("", |(_, to)| to);
                let words = context.words().text(", passing through to ").by([place]).party_elsewhere(to).by([place]);
                let words = words.text(" over ").plain(&packet.id.source_channel).by([place]);
                if is_as_asked(&packet, receiver, channel) { and_then(words, next) } else { words }
            } else {
                let words = context
                    .words()
                    .text("; to be forwarded to ")
                    .party_elsewhere(receiver)
                    .text(" over ")
                    .plain(channel);
                and_then(words, next)
            }
        }
        Memo::Hook(hook) => return attached(context, message, hook, account, arrived),
    };
    (words.done(), Proof::Shown)
}

/// Returns the packet that carries the content on: the packet that the memo requests, else the first with a receiver.
fn forwarded(
    context: &TxContext<'_>,
    message: MessageRef<'_>,
    receiver: &str,
    channel: &str,
) -> Option<(usize, OutgoingPacket)> {
    let seen = MessageEvents::of(context, message);
    let sent = || seen.views(OutgoingPacket::of).filter(|(_, packet)| parties(&packet.data).is_some());
    sent().find(|(_, packet)| is_as_asked(packet, receiver, channel)).or_else(|| sent().next())
}

fn is_as_asked(packet: &OutgoingPacket, receiver: &str, channel: &str) -> bool {
    packet.id.source_channel == channel && parties(&packet.data).is_some_and(|(_, to)| same_account(to, receiver))
}

/// Describes ", and the attached call {effect}" if an event shows its execution.
fn attached(
    context: &SentenceContext<'_>,
    message: MessageRef<'_>,
    hook: &Hook,
    account: &str,
    arrived: Option<&Coin>,
) -> (Vec<Phrase>, Proof) {
    let Some(place) = run_of(context, message, hook) else {
        let words = call_here(context.words(), hook).text("; no event shows that the call ran");
        return (words.done(), Proof::Ran);
    };
    if !context.work.takes_nested(message.depth) {
        return (context.words().text(", and an attached call ran").by([place]).done(), Proof::Ran);
    }
    let fields = hook.message_of(account);
    let mut call = context.clause(message.nested(&hook.kind, &fields));
    if call.proof == Proof::Ran {
        // Avoids "call" twice.
        call.verb = verb::RUN;
    }
    let proof = call.weakest();
    let words = context.words().text(", and the attached call ").by([place]).then(with_it(call.verb_phrase(), arrived));
    (words.done(), proof)
}

/// Returns the VM's event that shows a hook's execution.
fn run_of(context: &TxContext<'_>, message: MessageRef<'_>, hook: &Hook) -> Option<usize> {
    let is_same = |value: Option<&str>, field: &str| {
        value.is_some_and(|value| hook.text(field).is_some_and(|wanted| same_account(value, wanted)))
    };
    let seen = MessageEvents::of(context, message);
    let event = match hook.kind.short() {
        "MsgCall" => seen.first_where(CALL, |event| is_same(event.text(keys::CONTRACT), "contract_addr")),
        "MsgExecuteContract" => seen.first_where(EXECUTE, |event| is_same(event.text(keys::WASM_CONTRACT), "contract")),
        _ => seen.first_where(EXECUTE, |event| {
            let address = hook.text("module_address").and_then(any_form);
            event.text(keys::MODULE_ADDRESS).is_none_or(|named| any_form(named) == address)
                && event.text(keys::MODULE_NAME).is_none_or(|name| hook.text("module_name") == Some(name))
                && event.text(keys::FUNCTION_NAME).is_none_or(|name| hook.text("function_name") == Some(name))
        }),
    };
    event.map(|(place, _)| place)
}

/// Describes "; it requests a call of {function} here".
fn call_here<'s, 'a>(words: PhraseBuilder<'s, 'a>, hook: &Hook) -> PhraseBuilder<'s, 'a> {
    let words = words.text("; it requests a call of ");
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

/// Replaces a second mention of the arrived coin by "it".
fn with_it(mut verb_phrase: Vec<Phrase>, arrived: Option<&Coin>) -> Vec<Phrase> {
    let named = verb_phrase.iter_mut().find(|phrase| matches!(phrase.word, Word::Coin { .. }));
    if let Some(phrase) = named
        && matches!(&phrase.word, Word::Coin { coin, .. } if Some(coin) == arrived)
    {
        phrase.word = Word::Text("it".into());
    }
    verb_phrase
}
