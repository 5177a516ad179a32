//! Words about calls of any function.

use super::{
    flows::TokenFlow,
    nft,
    run::{CallPhrase, EvmCall, EvmRun},
};
use crate::{
    domain::{Address, Amount},
    story::{
        context::{MessageRef, TxContext, proof::Proof},
        words::{
            builder::PhraseBuilder,
            clause::Clause,
            phrase::Phrase,
            sentence::{clauses::lacking, verb},
        },
    },
};

pub(super) fn clause(context: &TxContext<'_>, subject: Vec<Phrase>, phrase: CallPhrase) -> Clause {
    let (verb, proof) = (phrase.verb, phrase.proof);
    lacking(context, Clause::new(subject, verb, with_source(context, phrase), proof))
}

/// Returns the text after the verb, the source if only the contract reports the effect, and other movements.
fn with_source(context: &TxContext<'_>, phrase: CallPhrase) -> Vec<Phrase> {
    let words = context.words().then(phrase.rest);
    let is_report = phrase.proof == Proof::Reported && !context.is_failed();
    let words = if is_report { words.text(", as the contract reports") } else { words };
    words.then(phrase.aside).done()
}

/// Whether the signature, or an event or log of the message, names the claimed sender. Otherwise another account's
/// action could be attributed to the claimed sender.
pub(super) fn is_witnessed(context: &TxContext<'_>, message: MessageRef<'_>, sender: Option<Address>) -> bool {
    sender.is_some_and(|sender| context.is_named(message, sender))
}

/// Describes a call without input: at most a value transfer.
pub(super) fn value_only(run: &EvmRun<'_, '_>, call: &EvmCall) -> CallPhrase {
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

/// Adds " with {value}" and its evidence; without a log of the fee token or a known token, the words call the value
/// requested.
pub(super) fn with_value<'w, 'a>(
    run: &EvmRun<'w, 'a>,
    words: PhraseBuilder<'w, 'a>,
    (from, to): (Option<Address>, Option<Address>),
    value: Amount,
) -> (PhraseBuilder<'w, 'a>, Proof) {
    if value.is_zero() {
        return (words, Proof::Shown);
    }
    let words = words.text(" with ");
    if let Some((_, false)) = run.value_log(from, to, value) {
        return (words.then(run.fee_value(value)).text(", without a log of a known token"), Proof::Ran);
    }
    let (said, proof) = run.value_of(from, to, value);
    let words = words.then(said);
    match proof {
        Proof::Absent if !run.context.is_failed() => (words.text(", without a log"), Proof::Ran),
        proof => (words, proof),
    }
}

/// Describes "called {function} on {contract}", with transfers of NFTs from the logs.
pub(super) fn generic(run: &EvmRun<'_, '_>, call: &EvmCall) -> CallPhrase {
    let words = called(run, call);
    let words = if call.reading.is_misfit() { words.text(" (the input does not fit this function)") } else { words };
    match nft::batch(run, call) {
        Some((moved, proof)) => CallPhrase::new(verb::CALL, words.text("; ").then(moved), proof),
        None => CallPhrase::new(verb::CALL, words, Proof::Ran),
    }
}

/// Describes "called {function} on {contract}, giving it {amounts}": the function name of an unknown contract says
/// nothing about its effect.
pub(super) fn given<'s>(
    run: &EvmRun<'s, '_>,
    call: &EvmCall,
    gave: &[TokenFlow<'s>],
    joint: &'static str,
) -> CallPhrase {
    let words = called(run, call).text(joint).then(run.list(gave));
    let is_shown = call.to.is_some_and(|to| run.context.is_named(run.message, to));
    let proof = if is_shown { Proof::Shown } else { Proof::Ran };
    CallPhrase::moving(verb::CALL, words, run.rests_on(&[gave]).min(proof))
}

/// Describes "{function} on {contract}".
pub(super) fn called<'s, 'a>(run: &EvmRun<'s, 'a>, call: &EvmCall) -> PhraseBuilder<'s, 'a> {
    named(run, call).text(" on ").word(run.target(call)).by(run.call_event(call))
}

pub(super) fn named<'s, 'a>(run: &EvmRun<'s, 'a>, call: &EvmCall) -> PhraseBuilder<'s, 'a> {
    match call.reading.title() {
        "" => run.words().text("an unknown function"),
        title => run.words().code(title),
    }
}

/// Describes a nested call: "sent 1 INIT to …", in a failed transaction "send 1 INIT to …", without evidence "asked to
/// send 1 INIT to …".
pub(super) fn inner(run: &EvmRun<'_, '_>, phrase: CallPhrase) -> Vec<Phrase> {
    let is_asked = phrase.proof == Proof::Absent && !run.context.is_failed();
    let (verb, proof) = (phrase.verb, phrase.proof);
    let mut phrases = Clause::new(Vec::new(), verb, with_source(run.context, phrase), proof).effect(run.context);
    if is_asked {
        phrases.extend(run.words().text(", which the logs do not show: the call failed or did nothing").done());
    }
    phrases
}
