use serde_json::Value;

use self::{
    plain::{clause, generic, is_witnessed, value_only, with_value},
    run::{CallPhrase, EvmCall, EvmRun},
};
use super::{clauses::actor, nested::SentenceContext, verb};
use crate::{
    domain::Amount,
    events::names::MESSAGE,
    story::{
        context::{MessageRef, proof::Proof},
        words::{clause::Clause, phrase::Phrase},
    },
};

mod admin;
mod bundle;
mod chain;
mod create;
mod disperse;
mod flows;
mod hold;
mod nft;
mod plain;
mod run;
mod token;
mod trade;
mod wrapper;

/// Renders the messages of MiniEVM (`docs/apis/story.md` §1.4).
pub(super) fn render(context: &SentenceContext<'_>, message: MessageRef<'_>) -> Option<Clause> {
    match message.kind.as_str() {
        "minievm.evm.v1.MsgCall" => Some(call(context, message)),
        "minievm.evm.v1.MsgCreate" => Some(create::render(context, message, false)),
        "minievm.evm.v1.MsgCreate2" => Some(create::render(context, message, true)),
        "minievm.evm.v1.MsgUpdateParams" => {
            let seen = context.events_of(message).find(|(_, event)| event.kind == MESSAGE);
            let events: Vec<usize> = seen.map(|(place, _)| place).into_iter().collect();
            let words = context.words().text("the parameters of the EVM").by(events.iter().copied());
            let phrase = CallPhrase::new(verb::CHANGE, words, Proof::by(&events));
            Some(clause(context, actor(context, message, "authority"), phrase))
        }
        _ => None,
    }
}

fn call(context: &SentenceContext<'_>, message: MessageRef<'_>) -> Clause {
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
    let run = EvmRun::new(context, message, is_witnessed(context, message, call.caller));
    let is_plain = matches!(&*input, "" | "0x");
    let mut phrase = if is_plain { value_only(&run, &call) } else { call_phrase(&run, &call) };
    phrase.aside.extend(delegations(context, message));
    clause(context, actor(context, message, "sender"), phrase)
}

/// Describes the signed delegations of a message (EIP-7702), which let a contract's code act as an account.
fn delegations(context: &SentenceContext<'_>, message: MessageRef<'_>) -> Vec<Phrase> {
    const MOST: usize = 3;
    let list = message.fields.get("auth_list").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let words = context.words();
    if list.is_empty() {
        return words.done();
    }
    let (noun, it) = match list {
        [_] => ("a delegation of an account's code", "it"),
        _ => ("delegations of accounts' code", "they"),
    };
    let mut words = words.text(format!("; it carries {noun} to "));
    for (place, item) in list.iter().take(MOST).enumerate() {
        let to = item.get("address").and_then(Value::as_str).unwrap_or_default();
        words = if place > 0 { words.text(", ") } else { words }.contract(to);
    }
    let words = if list.len() > MOST { words.text(format!(" and {} more", list.len() - MOST)) } else { words };
    words.text(format!(" (the record does not show whether {it} took effect)")).done()
}

/// Describes a call by its function's known effect if the logs prove it; else as a plain call.
fn call_phrase(run: &EvmRun<'_, '_>, call: &EvmCall) -> CallPhrase {
    let mut is_silent = false;
    let mut phrase = match known(run, call).or_else(|| chain::guessed(run, call)) {
        Some(phrase) if run.context.is_failed() || phrase.proof > Proof::Absent => phrase,
        Some(phrase) if call.to.is_some_and(|to| run.standing(to) == Proof::Shown) => phrase,
        Some(CallPhrase { is_movement: true, .. }) if run.is_still() => {
            is_silent = call.value.is_zero();
            generic(run, call)
        }
        _ => generic(run, call),
    };
    if !phrase.says_value {
        let (value, proof) = with_value(run, run.words(), (call.caller, call.to), call.value);
        phrase.rest.extend(value.done());
        phrase.proof = phrase.proof.min(proof);
    }
    if is_silent {
        phrase.rest.extend(run.words().text("; no event tells of a movement").done());
    }
    let signature = call.reading.signature.as_deref().unwrap_or_default();
    let is_by_flows = [trade::is_by_flows, hold::is_by_flows, disperse::is_by_flows, bundle::is_bundle];
    if let Some(caller) = call.caller.filter(|_| is_by_flows.iter().any(|is_it| is_it(signature))) {
        phrase.aside = run.untold(caller);
    }
    if let Some(caller) = call.caller.filter(|_| phrase.is_movement) {
        phrase.aside.extend(run.passed_on(caller));
    }
    phrase
}

/// Describes a call with a known effect; without evidence only the request.
fn known(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    type Renderer = fn(&EvmRun<'_, '_>, &EvmCall, &str) -> Option<CallPhrase>;
    const GROUPS: [Renderer; 9] = [
        token::render,
        nft::render,
        hold::render,
        trade::render,
        wrapper::render,
        bundle::render,
        disperse::render,
        admin::render,
        chain::render,
    ];
    let signature = call.reading.signature.as_deref().filter(|_| call.reading.arguments.is_some())?;
    GROUPS.iter().find_map(|render| render(run, call, signature))
}
