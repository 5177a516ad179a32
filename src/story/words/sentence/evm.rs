use super::{
    clauses::{actor, lacking},
    verb,
};
use crate::{
    domain::{Address, Amount},
    events::names::MESSAGE,
    story::{
        context::{MessageRef, TxContext, proof::Proof},
        words::{builder::PhraseBuilder, clause::Clause, phrase::Phrase},
    },
};
use run::{CallPhrase, EvmCall, EvmRun, TokenFlow};

mod admin;
mod bundle;
mod chain;
mod create;
mod disperse;
mod hold;
mod nft;
mod run;
mod token;
mod trade;
mod wrapper;

/// Renders the messages of MiniEVM (`docs/apis/story.md` §1.4).
pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>) -> Option<Clause> {
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
    let run = EvmRun::new(context, message, is_witnessed(context, message, call.caller));
    let is_plain = matches!(&*input, "" | "0x");
    let phrase = if is_plain { value_only(&run, &call) } else { call_phrase(&run, &call) };
    clause(context, actor(context, message, "sender"), phrase)
}

fn clause(context: &TxContext<'_>, subject: Vec<Phrase>, phrase: CallPhrase) -> Clause {
    let (verb, proof) = (phrase.verb, phrase.proof);
    lacking(context, Clause::new(subject, verb, with_source(context, phrase), proof))
}

/// Returns the text after the verb, and the source if only the contract reports it.
fn with_source(context: &TxContext<'_>, phrase: CallPhrase) -> Vec<Phrase> {
    let words = context.words().then(phrase.rest);
    let is_report = phrase.proof == Proof::Reported && !context.is_failed();
    if is_report { words.text(", as the contract reports").done() } else { words.done() }
}

/// Whether the signature, or an event or log of the message, names the claimed sender. Otherwise another account's
/// action could be attributed to him.
fn is_witnessed(context: &TxContext<'_>, message: MessageRef<'_>, sender: Option<Address>) -> bool {
    sender.is_some_and(|sender| context.is_named(message, sender))
}

/// Describes a call without input: at most a value transfer.
fn value_only(run: &EvmRun<'_, '_>, call: &EvmCall) -> CallPhrase {
    let to = match call.to {
        Some(to) => run.who(to),
        None => run.target(call),
    };
    if call.value.is_zero() {
        let words = run.words().word(to).by(run.call_event(call)).text(" without input");
        return CallPhrase::new(verb::CALL, words, Proof::Ran);
    }
    let (value, proof) = run.value_of(call.caller, call.to, call.value);
    let words = run.words().then(value);
    let words = match (call.caller, call.to) {
        (Some(caller), Some(to)) if caller.is_same_in_logs(&to) => words.text(" to itself (no net change)"),
        _ => words.text(" to ").word(to),
    };
    CallPhrase::moving(verb::SEND, words, proof).with_value()
}

/// Describes a call by its function's known effect if the logs prove it; else as a plain call.
fn call_phrase(run: &EvmRun<'_, '_>, call: &EvmCall) -> CallPhrase {
    let mut is_silent = false;
    let mut phrase = match known(run, call) {
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
        phrase.rest.extend(run.words().text("; no token moved").done());
    }
    phrase
}

/// Adds " with {value}" and its evidence; without a log it was only requested.
fn with_value<'w, 'a>(
    run: &EvmRun<'w, 'a>,
    words: PhraseBuilder<'w, 'a>,
    (from, to): (Option<Address>, Option<Address>),
    value: Amount,
) -> (PhraseBuilder<'w, 'a>, Proof) {
    if value.is_zero() {
        return (words, Proof::Shown);
    }
    let (said, proof) = run.value_of(from, to, value);
    let words = words.text(" with ").then(said);
    match proof {
        Proof::Absent if !run.context.is_failed() => (words.text(", without a log"), Proof::Ran),
        proof => (words, proof),
    }
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

/// Describes "called {function} on {contract}", with transfers of NFTs from the logs.
fn generic(run: &EvmRun<'_, '_>, call: &EvmCall) -> CallPhrase {
    let words = named(run, call).text(" on ").word(run.target(call)).by(run.call_event(call));
    let words = if call.reading.is_misfit() { words.text(" (the input does not fit it)") } else { words };
    match nft::batch(run, call) {
        Some((moved, proof)) => CallPhrase::new(verb::CALL, words.text("; ").then(moved), proof),
        None => CallPhrase::new(verb::CALL, words, Proof::Ran),
    }
}

/// Describes "called {function} on {contract}, giving it {amounts}": the function name of an unknown contract says
/// nothing about its effect.
fn given<'s>(run: &EvmRun<'s, '_>, call: &EvmCall, gave: &[TokenFlow<'s>], joint: &'static str) -> CallPhrase {
    let words = named(run, call).text(" on ").word(run.target(call)).by(run.call_event(call));
    let words = words.text(joint).then(run.list(gave));
    let is_shown = call.to.is_some_and(|to| run.context.is_named(run.message, to));
    let proof = if is_shown { Proof::Shown } else { Proof::Ran };
    CallPhrase::moving(verb::CALL, words, run.rests_on(&[gave]).min(proof))
}

/// Adds the function of a call.
fn named<'s, 'a>(run: &EvmRun<'s, 'a>, call: &EvmCall) -> PhraseBuilder<'s, 'a> {
    match call.reading.title() {
        "" => run.words().text("an unknown function"),
        title => run.words().code(title),
    }
}

/// Describes a nested call: "sent 1 INIT to …", in a failed transaction "send 1 INIT to …", without evidence "asked to
/// send 1 INIT to …".
fn inner(run: &EvmRun<'_, '_>, phrase: CallPhrase) -> Vec<Phrase> {
    let is_asked = phrase.proof == Proof::Absent && !run.context.is_failed();
    let words = if is_asked {
        run.words().text("asked to ").text(phrase.verb.base)
    } else {
        run.words().text(phrase.verb.of(run.context))
    };
    let mut phrases = words.done();
    super::push_rest(&mut phrases, with_source(run.context, phrase));
    if is_asked {
        phrases.extend(run.words().text(", which the logs do not show: the call failed or did nothing").done());
    }
    phrases
}
