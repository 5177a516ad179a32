use super::{clauses::actor, verb};
use crate::story::proof::Proof;
use crate::{
    domain::Amount,
    story::{
        Phrase,
        context::{Clause, MessageRef, TxContext},
    },
};
use run::{CallPhrase, EvmCall, EvmRun};

mod admin;
mod bundle;
mod chain;
mod create;
mod hold;
mod nft;
mod run;
mod token;
mod trade;
mod wrapper;

/// The messages of the EVM flavour (`docs/apis/story.md` §1.4).
pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>) -> Option<Clause> {
    match message.kind.as_str() {
        "minievm.evm.v1.MsgCall" => Some(call(context, message)),
        "minievm.evm.v1.MsgCreate" => Some(create::render(context, message, false)),
        "minievm.evm.v1.MsgCreate2" => Some(create::render(context, message, true)),
        "minievm.evm.v1.MsgUpdateParams" => Some(clause(
            actor(context, message, "authority"),
            CallPhrase::new(verb::CHANGE, context.words().text("the parameters of the EVM")),
        )),
        _ => None,
    }
}

fn call(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let sender = message.text("sender").unwrap_or_default();
    let to_text = message.text("contract_addr").unwrap_or_default().into_owned();
    let input = message.text("input").unwrap_or_default();
    let to = to_text.parse().ok();
    let call = EvmCall {
        caller: sender.parse().ok(),
        to,
        to_text,
        reading: context.glossary.abi.decode_call(to, &input),
        value: message.text("value").and_then(|text| text.parse::<Amount>().ok()).unwrap_or_default(),
        depth: message.depth,
        is_outer: message.depth == 0,
    };
    let run = EvmRun::new(context, message);
    let is_plain = matches!(&*input, "" | "0x");
    let phrase = if is_plain { value_only(&run, &call) } else { call_phrase(&run, &call) };
    clause(actor(context, message, "sender"), phrase)
}

fn clause(subject: Vec<Phrase>, phrase: CallPhrase) -> Clause {
    Clause::new(subject, phrase.verb, phrase.rest, Proof::Unjudged)
}

/// A call without input only sends value, if it does anything.
fn value_only(run: &EvmRun<'_, '_>, call: &EvmCall) -> CallPhrase {
    let to = match call.to {
        Some(to) => run.who(to),
        None => run.target(call),
    };
    if call.value.is_zero() {
        return CallPhrase::new(verb::CALL, run.words().word(to).by(run.call_event(call)).text(" without input"));
    }
    let words = run.words().then(run.value(call));
    let words = match (call.caller, call.to) {
        (Some(caller), Some(to)) if caller.is_same_in_logs(&to) => words.text(" to itself (no net change)"),
        _ => words.text(" to ").word(to),
    };
    CallPhrase::new(verb::SEND, words).with_value()
}

/// What a call with input did: by what its function is known for, refined by the logs; else only that it was called.
fn call_phrase(run: &EvmRun<'_, '_>, call: &EvmCall) -> CallPhrase {
    type Renderer = fn(&EvmRun<'_, '_>, &EvmCall, &str) -> Option<CallPhrase>;
    const GROUPS: [Renderer; 8] = [
        token::render,
        nft::render,
        hold::render,
        trade::render,
        wrapper::render,
        bundle::render,
        admin::render,
        chain::render,
    ];
    let signature = call.reading.signature.as_deref().filter(|_| call.reading.arguments.is_some());
    let known = signature.and_then(|signature| GROUPS.iter().find_map(|render| render(run, call, signature)));
    let mut phrase = known.unwrap_or_else(|| generic(run, call));
    if !call.value.is_zero() && !phrase.says_value {
        let value = run.words().text(" with ").then(run.value(call)).done();
        phrase.rest.extend(value);
    }
    phrase
}

/// "called {function} on {contract}".
fn generic(run: &EvmRun<'_, '_>, call: &EvmCall) -> CallPhrase {
    let words = match call.reading.title() {
        "" => run.words().text("an unknown function"),
        title => run.words().code(title),
    };
    let words = words.text(" on ").word(run.target(call)).by(run.call_event(call));
    let words = if call.reading.is_misfit() { words.text(" (the input does not fit it)") } else { words };
    CallPhrase::new(verb::CALL, words)
}

/// A deed within another: "sent 1 INIT to …", in a failed transaction "send 1 INIT to …".
fn inner(run: &EvmRun<'_, '_>, phrase: CallPhrase) -> Vec<Phrase> {
    let mut phrases = run.words().text(phrase.verb.of(run.context)).done();
    super::push_rest(&mut phrases, phrase.rest);
    phrases
}
