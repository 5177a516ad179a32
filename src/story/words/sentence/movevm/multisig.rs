//! Multisig accounts and their proposals.

use std::collections::HashSet;

use super::call::{MoveFunctionCall, shown};
use crate::{
    domain::{Amount, Coin, text::count_of},
    events::{
        bank::{BankChange, BankEvent},
        keys::{self, AttributeKey},
        names::EXECUTE,
    },
    story::{
        context::proof::Proof,
        move_events::MoveEvent,
        names::move_address::{any_form, narrow},
        words::{builder::PhraseBuilder, clause::Clause, phrase::Phrase, sentence::verb},
    },
};

pub(super) fn clause(call: &MoveFunctionCall<'_>) -> Option<Clause> {
    match call.function.as_str() {
        "create_proposal" | "create_proposal_with_json" => Some(create(call)),
        "vote_proposal" => Some(vote(call)),
        "execute_proposal" => Some(execute(call)),
        "create_non_weighted_multisig_account" | "create_weighted_multisig_account" => Some(account(call)),
        _ => None,
    }
}

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

/// Adds "proposal 115", by the event, else by the argument.
fn proposal<'s, 'a>(
    call: &MoveFunctionCall<'_>,
    words: PhraseBuilder<'s, 'a>,
    event: Option<&MoveEvent>,
) -> PhraseBuilder<'s, 'a> {
    let number = match event {
        Some(event) => event.text("proposal_id"),
        None => call.arguments.number(1).map(|number| number.to_string()),
    };
    let place = event.map(|event| event.place);
    match number {
        Some(number) => words.text("proposal ").code(number).by(place),
        None => words.text("a proposal").by(place),
    }
}

/// Returns the event of this type about the multisig of the call.
fn event(call: &MoveFunctionCall<'_>, name: &str) -> Option<MoveEvent> {
    let asked = call.arguments.word(0);
    let fits = |event: &MoveEvent| asked.is_none() || event.word("multisig_addr") == asked;
    call.taken(&format!("0x1::multisig_v2::{name}"), fits)
}

/// Describes "created proposal 3 of multisig S: to run `0x1::coin::transfer`".
fn create(call: &MoveFunctionCall<'_>) -> Clause {
    let context = call.context;
    let event = event(call, "CreateProposalEvent");
    let words = match &event {
        Some(event) => proposal(call, context.words(), Some(event)),
        None => context.words().text("a proposal"),
    };
    let words = of_multisig(call, words, event.as_ref());
    let Some(event) = event else {
        let words = match call.arguments.count(2) {
            Some(count) if count > 0 => words.text(format!(" with {}", count_of(count, "call", "calls"))),
            _ => words,
        };
        return call.clause(verb::CREATE, words.done(), Proof::Absent);
    };
    let part = |name: &str| event.first("execute_messages", name);
    let words =
        match (event.count("execute_messages"), part("module_address"), part("module_name"), part("function_name")) {
            (Some(1), Some(address), Some(module), Some(function)) => {
                words.text(": to run ").code(format!("{address}::{module}::{function}")).by([event.place])
            }
            (Some(count), ..) if count > 0 => {
                words.text(format!(" with {}", count_of(count, "call", "calls"))).by([event.place])
            }
            _ => words,
        };
    call.clause(verb::CREATE, words.done(), Proof::Shown)
}

/// Describes "voted yes on proposal 115 of multisig S".
fn vote(call: &MoveFunctionCall<'_>) -> Clause {
    let event = event(call, "VoteProposalEvent").or_else(|| event(call, "VoteEvent"));
    let is_yes = match &event {
        Some(event) => event.flag("vote_yes"),
        None => call.arguments.flag(2),
    };
    let words = call.context.words().text(match is_yes {
        Some(true) => "yes on ",
        Some(false) => "no on ",
        None => "on ",
    });
    let words = words.by(event.as_ref().map(|event| event.place));
    let words = proposal(call, words, event.as_ref());
    call.clause(verb::VOTE, of_multisig(call, words, event.as_ref()).done(), shown(event.as_ref()))
}

/// Describes "executed proposal 115 of multisig S: S sent 6127.390019 iUSD to 71 accounts".
fn execute(call: &MoveFunctionCall<'_>) -> Clause {
    let event = event(call, "ExecuteProposalEvent");
    let words = proposal(call, call.context.words(), event.as_ref());
    let words = of_multisig(call, words, event.as_ref());
    let done = event.as_ref().and_then(|event| done(call, event)).unwrap_or_default();
    call.clause(verb::EXECUTE, words.then(done).done(), shown(event.as_ref()))
}

/// Describes the multisig's action: its payments through the bank, else the called function.
fn done(call: &MoveFunctionCall<'_>, event: &MoveEvent) -> Option<Vec<Phrase>> {
    let multisig = event.word("multisig_addr")?;
    paid(call, event, multisig).or_else(|| ran(call, event, multisig))
}

/// Describes a payment of the multisig whose outputs add up exactly. Counts payments and accounts separately.
fn paid(call: &MoveFunctionCall<'_>, event: &MoveEvent, multisig: [u8; 32]) -> Option<Vec<Phrase>> {
    let context = call.context;
    let is_own = |text: Option<&str>| text.and_then(any_form) == Some(multisig);
    let later = |change| call.run.seen.bank(change).filter(|(place, _)| *place > event.place);
    let mut spent = later(BankChange::Spent).filter(|(_, found)| is_own(found.account));
    let (place, first) = spent.next()?;
    if spent.next().is_some() {
        return None;
    }
    let [coin] = first.coins().try_into().ok()?;
    let payments: Vec<Payment<'_>> =
        later(BankChange::Received).map(|(place, found)| Payment::of(place, found, &coin)).collect::<Option<_>>()?;
    let sum = payments.iter().try_fold(Amount::from(0), |sum, payment| sum.checked_add(payment.amount))?;
    if sum != coin.amount {
        return None;
    }
    let places = payments.iter().map(|payment| payment.place);
    let words = context.words().text(": ").word(context.account(narrow(multisig))).by([place]).text(" sent ");
    let words = words.coin(&coin).by([place]);
    let accounts: HashSet<&str> = payments.iter().map(|payment| payment.receiver).collect();
    let words = match (accounts.len(), payments.as_slice()) {
        (_, []) => return None,
        (1, [only]) => words.text(" to ").party(only.receiver),
        (1, [first, ..]) => words.text(format!(" in {} payments to ", payments.len())).party(first.receiver),
        (count, _) if count == payments.len() => words.text(format!(" to {count} accounts")),
        (count, _) => words.text(format!(" in {} payments to {count} accounts", payments.len())),
    };
    Some(words.by(places).done())
}

struct Payment<'a> {
    place: usize,
    receiver: &'a str,
    amount: Amount,
}

impl<'a> Payment<'a> {
    /// Parses an output in this coin only.
    fn of(place: usize, received: BankEvent<'a>, coin: &Coin) -> Option<Self> {
        match received.coins().as_slice() {
            [only] if only.denom == coin.denom => {
                Some(Self { place, receiver: received.account?, amount: only.amount })
            }
            _ => None,
        }
    }
}

/// Describes ": S ran `0xabc::market::supply`".
fn ran(call: &MoveFunctionCall<'_>, event: &MoveEvent, multisig: [u8; 32]) -> Option<Vec<Phrase>> {
    let context = call.context;
    let later = call.run.seen.events.iter().filter(|(place, _)| *place > event.place);
    let mut own = later
        .filter(|(_, found)| found.kind == EXECUTE && found.text(keys::SENDER).and_then(any_form) == Some(multisig));
    let (place, found) = own.next()?;
    let part = |key: AttributeKey<String>| found.text(key).unwrap_or_default();
    let function =
        format!("{}::{}::{}", part(keys::MODULE_ADDRESS), part(keys::MODULE_NAME), part(keys::FUNCTION_NAME));
    let words = context.words().text(": ").word(context.account(narrow(multisig))).text(" ran ");
    Some(words.code(function).by([*place]).done())
}

/// Describes "created the multisig “Treasury” at S with 3 members and threshold 2".
fn account(call: &MoveFunctionCall<'_>) -> Clause {
    let event = call.taken("0x1::multisig_v2::CreateMultisigAccountEvent", |_| true);
    let place = event.as_ref().map(|event| event.place);
    let name = match &event {
        Some(event) => event.text("name"),
        None => call.arguments.text(0),
    };
    let words = match name {
        Some(name) => call.context.words().text("the multisig ").quote(&name).by(place),
        None => call.context.words().text("a multisig").by(place),
    };
    let words = match event.as_ref().and_then(|event| event.word("multisig_addr")) {
        Some(multisig) => words.text(" at ").word(call.party(multisig)).by(place),
        None => words,
    };
    let told = event.as_ref().and_then(|event| Some((event.count("members")?, event.text("threshold")?)));
    let words = match told {
        Some((members, threshold)) => {
            let members = count_of(members, "member", "members");
            words.text(format!(" with {members} and threshold ")).by(place).code(threshold).by(place)
        }
        None => words,
    };
    call.clause(verb::CREATE, words.done(), shown(event.as_ref()))
}
