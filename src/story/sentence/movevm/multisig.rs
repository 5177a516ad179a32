//! Multisig accounts and their proposals.

use std::collections::HashSet;

use super::{MoveFunctionCall, VerbPhrase};
use crate::story::{Phrase, context::PhraseBuilder, move_events::MoveEvent, nft_moves::narrow, sentence::verb};

pub(super) fn verb_phrase(call: &MoveFunctionCall<'_>) -> Option<VerbPhrase> {
    match call.function.as_str() {
        "create_proposal" | "create_proposal_with_json" => Some(create(call)),
        "vote_proposal" => Some(vote(call)),
        "execute_proposal" => Some(execute(call)),
        "create_non_weighted_multisig_account" | "create_weighted_multisig_account" => Some(account(call)),
        _ => None,
    }
}

/// " of multisig S".
fn of_multisig<'s, 'a>(
    call: &MoveFunctionCall<'_>,
    words: PhraseBuilder<'s, 'a>,
    event: Option<&MoveEvent>,
) -> PhraseBuilder<'s, 'a> {
    let place = event.map(|event| event.place);
    match event.and_then(|event| event.word("multisig_addr")).or_else(|| call.arguments.word(0)) {
        Some(multisig) => words.text(" of multisig ").word(call.party(multisig)).by(place),
        None => words,
    }
}

/// "proposal 115", as the event says or, where there is none, the argument.
fn proposal<'s, 'a>(
    call: &MoveFunctionCall<'_>,
    words: PhraseBuilder<'s, 'a>,
    event: Option<&MoveEvent>,
) -> PhraseBuilder<'s, 'a> {
    let number = event.and_then(|event| event.text("proposal_id"));
    let number = number.or_else(|| call.arguments.number(1).map(|number| number.to_string()));
    let place = event.map(|event| event.place);
    match number {
        Some(number) => words.text(format!("proposal {number}")).by(place),
        None => words.text("a proposal").by(place),
    }
}

/// "created proposal 3 of multisig S: to run `0x1::coin::transfer`".
fn create(call: &MoveFunctionCall<'_>) -> VerbPhrase {
    let context = call.context;
    let event = call.event("0x1::multisig_v2::CreateProposalEvent");
    let words = match &event {
        Some(event) => proposal(call, context.words(), Some(event)),
        None => context.words().text("a proposal"),
    };
    let words = of_multisig(call, words, event.as_ref());
    let Some(event) = event else {
        let words = match call.arguments.count(2) {
            Some(count) if count > 0 => words.text(format!(" with {}", calls(count))),
            _ => words,
        };
        return (verb::CREATE, words.done());
    };
    let part = |name: &str| event.first("execute_messages", name);
    let words =
        match (event.count("execute_messages"), part("module_address"), part("module_name"), part("function_name")) {
            (Some(1), Some(address), Some(module), Some(function)) => {
                words.text(": to run ").code(format!("{address}::{module}::{function}")).by([event.place])
            }
            (Some(count), ..) if count > 0 => words.text(format!(" with {}", calls(count))).by([event.place]),
            _ => words,
        };
    (verb::CREATE, words.done())
}

fn calls(count: usize) -> String {
    if count == 1 { "1 call".to_owned() } else { format!("{count} calls") }
}

/// "voted yes on proposal 115 of multisig S".
fn vote(call: &MoveFunctionCall<'_>) -> VerbPhrase {
    let event = call.event("0x1::multisig_v2::VoteProposalEvent");
    let event = event.or_else(|| call.event("0x1::multisig_v2::VoteEvent"));
    let is_yes = event.as_ref().and_then(|event| event.flag("vote_yes")).or_else(|| call.arguments.flag(2));
    let words = match is_yes {
        Some(true) => call.context.words().text("yes on "),
        Some(false) => call.context.words().text("no on "),
        None => call.context.words().text("on "),
    };
    let words = words.by(event.as_ref().map(|event| event.place));
    let words = proposal(call, words, event.as_ref());
    (verb::VOTE, of_multisig(call, words, event.as_ref()).done())
}

/// "executed proposal 115 of multisig S: S sent 6127.390019 iUSD to 71 accounts".
fn execute(call: &MoveFunctionCall<'_>) -> VerbPhrase {
    let event = call.event("0x1::multisig_v2::ExecuteProposalEvent");
    let words = proposal(call, call.context.words(), event.as_ref());
    let words = of_multisig(call, words, event.as_ref());
    let done = event.as_ref().and_then(|event| done(call, event)).unwrap_or_default();
    (verb::EXECUTE, words.then(done).done())
}

/// What the multisig did by it: what it paid through the bank, else the function that it ran.
fn done(call: &MoveFunctionCall<'_>, event: &MoveEvent) -> Option<Vec<Phrase>> {
    let multisig = event.word("multisig_addr")?;
    paid(call, event, multisig).or_else(|| ran(call, event, multisig))
}

fn paid(call: &MoveFunctionCall<'_>, event: &MoveEvent, multisig: [u8; 32]) -> Option<Vec<Phrase>> {
    let context = call.context;
    let is_own = |text: Option<&str>| text.and_then(super::object) == Some(multisig);
    let later = || context.events_of(call.message).skip_while(|(place, _)| *place <= event.place);
    let mut spent = later().filter(|(_, found)| found.kind == "coin_spent" && is_own(found.value("spender")));
    let (place, first) = spent.next()?;
    if spent.next().is_some() {
        return None;
    }
    let amount = first.value("amount")?.to_owned();
    let outputs: Vec<(usize, &str)> = later()
        .filter(|(_, found)| found.kind == "coin_received")
        .filter_map(|(place, found)| Some((place, found.value("receiver")?)))
        .collect();
    let accounts: HashSet<&str> = outputs.iter().map(|(_, receiver)| *receiver).collect();
    let places = outputs.iter().map(|(place, _)| *place);
    let words = context.words().text(": ").word(context.account(narrow(multisig))).by([place]).text(" sent ");
    let words = words.coin_list(&amount).by([place]).text(" to ");
    Some(match (accounts.len(), outputs.first()) {
        (_, None) => return None,
        (1, Some((_, receiver))) => words.party(receiver).by(places).done(),
        (count, _) => words.text(format!("{count} accounts")).by(places).done(),
    })
}

/// ": S ran `0xabc::market::supply`".
fn ran(call: &MoveFunctionCall<'_>, event: &MoveEvent, multisig: [u8; 32]) -> Option<Vec<Phrase>> {
    let context = call.context;
    let later = context.events_of(call.message).skip_while(|(place, _)| *place <= event.place);
    let mut own = later.filter(|(_, found)| {
        found.kind == "execute" && found.value("sender").and_then(super::object) == Some(multisig)
    });
    let (place, found) = own.next()?;
    let part = |name: &str| found.value(name).unwrap_or_default();
    let function = format!("{}::{}::{}", part("module_addr"), part("module_name"), part("function_name"));
    let words = context.words().text(": ").word(context.account(narrow(multisig))).text(" ran ");
    Some(words.code(function).by([place]).done())
}

/// "created the multisig Treasury of 3 members, 2 of which must agree".
fn account(call: &MoveFunctionCall<'_>) -> VerbPhrase {
    let event = call.event("0x1::multisig_v2::CreateMultisigAccountEvent");
    let place = event.as_ref().map(|event| event.place);
    let name = event.as_ref().and_then(|event| event.text("name")).or_else(|| call.arguments.text(0));
    let words = match name {
        Some(name) => call.context.words().text("the multisig ").code(name).by(place),
        None => call.context.words().text("a multisig").by(place),
    };
    let words = match event.as_ref().and_then(|event| event.word("multisig_addr")) {
        Some(multisig) => words.text(" at ").word(call.party(multisig)).by(place),
        None => words,
    };
    let (members, threshold) = match &event {
        Some(event) => (event.count("members"), event.text("threshold")),
        None => (None, None),
    };
    let words = match (members, threshold) {
        (Some(members), Some(threshold)) => {
            words.text(format!(" with {members} members and threshold {threshold}")).by(place)
        }
        _ => words,
    };
    (verb::CREATE, words.done())
}
