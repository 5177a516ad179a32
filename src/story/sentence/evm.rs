use super::{
    say::{actor, say},
    verb,
};
use crate::{
    domain::Amount,
    story::{
        Phrase,
        scene::{Clause, Scene, Told},
    },
};
use run::{Call, Deed, Run};

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

/// The messages of the EVM flavour (`wire/story.md` §1.4).
pub(super) fn tell(scene: &Scene<'_>, told: Told<'_>) -> Option<Clause> {
    match told.kind.as_str() {
        "minievm.evm.v1.MsgCall" => Some(call(scene, told)),
        "minievm.evm.v1.MsgCreate" => Some(create::tell(scene, told, false)),
        "minievm.evm.v1.MsgCreate2" => Some(create::tell(scene, told, true)),
        "minievm.evm.v1.MsgUpdateParams" => Some(clause(
            actor(scene, told, "authority"),
            Deed::new(verb::CHANGE, scene.words().text("the parameters of the EVM")),
        )),
        _ => None,
    }
}

fn call(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let sender = told.text("sender").unwrap_or_default();
    let to_text = told.text("contract_addr").unwrap_or_default().into_owned();
    let input = told.text("input").unwrap_or_default();
    let to = to_text.parse().ok();
    let call = Call {
        caller: sender.parse().ok(),
        to,
        to_text,
        reading: scene.glossary.abi.decode_call(to, &input),
        value: told.text("value").and_then(|text| text.parse::<Amount>().ok()).unwrap_or_default(),
        depth: told.depth,
        is_outer: told.depth == 0,
    };
    let run = Run::new(scene, told);
    let is_plain = matches!(&*input, "" | "0x");
    let deed = if is_plain { value_only(&run, &call) } else { deed(&run, &call) };
    clause(actor(scene, told, "sender"), deed)
}

fn clause(subject: Vec<Phrase>, deed: Deed) -> Clause {
    say(subject, deed.verb, deed.rest)
}

/// A call without input only sends value, if it does anything.
fn value_only(run: &Run<'_, '_>, call: &Call) -> Deed {
    let to = match call.to {
        Some(to) => run.who(to),
        None => run.target(call),
    };
    if call.value.is_zero() {
        return Deed::new(verb::CALL, run.words().word(to).by(run.call_event(call)).text(" without input"));
    }
    let words = run.words().then(run.value(call));
    let words = match (call.caller, call.to) {
        (Some(caller), Some(to)) if caller.is_same_in_logs(&to) => words.text(" to itself (no net change)"),
        _ => words.text(" to ").word(to),
    };
    Deed::new(verb::SEND, words).with_value()
}

/// What a call with input did: by what its function is known for, refined by the logs; else only that it was called.
fn deed(run: &Run<'_, '_>, call: &Call) -> Deed {
    type Teller = fn(&Run<'_, '_>, &Call, &str) -> Option<Deed>;
    const GROUPS: [Teller; 8] =
        [token::tell, nft::tell, hold::tell, trade::tell, wrapper::tell, bundle::tell, admin::tell, chain::tell];
    let signature = call.reading.signature.as_deref().filter(|_| call.reading.arguments.is_some());
    let known = signature.and_then(|signature| GROUPS.iter().find_map(|tell| tell(run, call, signature)));
    let mut deed = known.unwrap_or_else(|| generic(run, call));
    if !call.value.is_zero() && !deed.says_value {
        let value = run.words().text(" with ").then(run.value(call)).done();
        deed.rest.extend(value);
    }
    deed
}

/// "called {function} on {contract}".
fn generic(run: &Run<'_, '_>, call: &Call) -> Deed {
    let words = match call.reading.title() {
        "" => run.words().text("an unknown function"),
        title => run.words().code(title),
    };
    let words = words.text(" on ").word(run.target(call)).by(run.call_event(call));
    let words = if call.reading.is_misfit() { words.text(" (the input does not fit it)") } else { words };
    Deed::new(verb::CALL, words)
}

/// A deed within another: "sent 1 INIT to …", in a failed transaction "send 1 INIT to …".
fn inner(run: &Run<'_, '_>, deed: Deed) -> Vec<Phrase> {
    let mut phrases = run.words().text(deed.verb.of(run.scene)).done();
    super::push_rest(&mut phrases, deed.rest);
    phrases
}
