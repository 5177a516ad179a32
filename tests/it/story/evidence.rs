//! Nothing is told as done whose event is gone: transactions of the embedded rollups and of real chains, with each
//! event and each log taken out in turn, and with each account of their messages changed.

mod amounts;
mod strangers;
pub(crate) mod witness;

use std::collections::BTreeSet;

use rollscope::{
    app::glossary_of,
    config::Networks,
    demo::ledger::{facts, token_names},
    domain::{ContractRole, Target, Vm},
    story::{
        AbiRegistry, Glossary, LabelSource, MessageSummary, Phrase, Sentence, SentenceKind, Story, Style, Word, text_of,
    },
    wire::{RawJson, Tx},
};
use rstest::rstest;
use serde_json::Value;

use self::witness::unwitnessed;
use super::records;
use crate::harness::made::{chain, made};

/// What is known of the embedded rollup.
pub(crate) fn glossary(vm: Vm) -> Glossary {
    let facts = facts(vm, chain(vm).seed);
    let mut glossary = Glossary::default();
    (glossary.vm, glossary.chain_id) = (Some(vm), Some(facts.chain_id.to_owned()));
    for token in token_names(vm, chain(vm).seed) {
        glossary.add_token(token.denom, token.symbol, token.decimals);
    }
    if let Some(wrapper) = facts.wrapper {
        glossary.add_role(wrapper, ContractRole::Wrapper);
    }
    glossary
}

/// One transaction of each kind of message, call and failure.
pub(crate) fn kinds(vm: Vm) -> Vec<Tx> {
    let mut seen = BTreeSet::new();
    let is_new = |tx: &Tx| {
        let types: Vec<String> = tx.message_types().iter().map(ToString::to_string).collect();
        seen.insert((types, tx.codespace.clone(), tx.code, MessageSummary::of(tx).call, wasm_action(tx)))
    };
    made(vm, 120).into_iter().filter(is_new).collect()
}

/// What the leading message asks of a Wasm contract, which is the key of its JSON.
fn wasm_action(tx: &Tx) -> Option<String> {
    let body: Value = serde_json::from_str(tx.tx.get()).expect("what the ledger writes is JSON");
    body.pointer("/body/messages/0/msg")?.as_object()?.keys().next().cloned()
}

/// The real records with what the built-in networks know, by the beginning of their names.
pub(crate) fn recorded() -> Vec<(Tx, Glossary)> {
    let network = |name: &str| {
        let name = match name {
            name if name.starts_with("evm-op") || name.starts_with("evm-ibc") => "yominet",
            name if name.starts_with("evm") => "embr",
            name if name.starts_with("wasm") => "moo",
            _ => "initia",
        };
        let known = Networks::built_in().all().iter().find(|known| known.name == name);
        known.map_or_else(Glossary::default, |network| glossary_of(network, AbiRegistry::default()))
    };
    records().unwrap_or_default().into_iter().map(|(name, tx)| (tx, network(&name))).collect()
}

fn with_events(tx: &Tx, events: &[Value]) -> Tx {
    let events = RawJson::parse(Value::from(events).to_string()).expect("events are JSON");
    Tx { events, ..tx.clone() }
}

/// Every way to take one event or one log out of a record.
fn robbed(events: &[Value]) -> Vec<Vec<Value>> {
    let mut all = Vec::new();
    for place in 0..events.len() {
        // Whose a store of Move is its address shows too, which is made of its owner; older chains emit no such event.
        let is_said_twice = |one: &Value| {
            one["key"] == "type_tag" && one["value"].as_str().is_some_and(|tag| tag.ends_with("OwnerEvent"))
        };
        if events[place]["attributes"].as_array().is_some_and(|all| all.iter().any(is_said_twice)) {
            continue;
        }
        let mut left = events.to_vec();
        left.remove(place);
        all.push(left);
        let attributes = events[place]["attributes"].as_array().cloned().unwrap_or_default();
        let logs: Vec<usize> = (0..attributes.len()).filter(|log| attributes[*log]["key"] == "log").collect();
        for log in logs.iter().filter(|_| logs.len() > 1) {
            let mut left = events.to_vec();
            if let Some(attributes) = left[place]["attributes"].as_array_mut() {
                attributes.remove(*log);
            }
            all.push(left);
        }
    }
    all
}

fn events_of(tx: &Tx) -> Vec<Value> {
    serde_json::from_str(tx.events.get()).expect("a record's events are a list")
}

/// What is told as done or reported.
fn told(tx: &Tx, glossary: &Glossary) -> Vec<Sentence> {
    let sentences = Story::of(tx, glossary).sentences.into_iter();
    sentences.filter(|sentence| sentence.kind != SentenceKind::Asked).collect()
}

/// What is told as done or reported though what showed it is not among the events that are left.
fn complaints(tx: &Tx, glossary: &Glossary, whole: &[Value], left: &[Value]) -> Vec<String> {
    told(tx, glossary).iter().flat_map(|sentence| unwitnessed(sentence, whole, left)).collect()
}

/// The ways to take something out of a transaction's events.
fn without_events(tx: &Tx) -> Vec<(Tx, Vec<Value>)> {
    robbed(&events_of(tx)).into_iter().map(|left| (with_events(tx, &left), left)).collect()
}

/// The ways to change whom its messages name.
fn without_actors(tx: &Tx) -> Vec<(Tx, Vec<Value>)> {
    let events = events_of(tx);
    let changed = strangers::instead(tx.tx.get()).into_iter().filter_map(|text| {
        let tx_json = RawJson::parse(text).ok()?;
        Some((Tx { tx: tx_json, ..tx.clone() }, events.clone()))
    });
    changed.collect()
}

/// Judges so many variants of a transaction at the most; how many they were.
fn judge(tx: &Tx, variants: &[(Tx, Vec<Value>)], glossary: &Glossary, most: usize, wrong: &mut Vec<String>) -> usize {
    let events = events_of(tx);
    let step = variants.len().div_ceil(most).max(1);
    for (number, (variant, left)) in variants.iter().enumerate().step_by(step) {
        let found = complaints(variant, glossary, &events, left);
        wrong.extend(found.into_iter().map(|complaint| format!("{} variant {number}: {complaint}", tx.txhash)));
    }
    variants.len().div_ceil(step)
}

/// Variants of one simulated transaction: those of fifty messages have thousands, which are alike.
const MOST: usize = 48;

#[rstest]
fn nothing_is_told_of_simulated_transactions_whose_event_is_gone(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let (glossary, mut wrong) = (glossary(vm), Vec::new());
    let judged = |tx: &Tx| judge(tx, &without_events(tx), &glossary, MOST, &mut wrong);
    let variants: usize = kinds(vm).iter().map(judged).sum();
    assert!(variants > 500, "only {variants} variants");
    assert!(wrong.is_empty(), "{} of {variants}:\n{}", wrong.len(), wrong.join("\n"));
}

#[rstest]
fn nobody_is_told_to_have_a_part_whom_no_event_of_the_simulation_names(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let (glossary, mut wrong) = (glossary(vm), Vec::new());
    let judged = |tx: &Tx| judge(tx, &without_actors(tx), &glossary, MOST, &mut wrong);
    let variants: usize = kinds(vm).iter().map(judged).sum();
    assert!(variants > 80, "only {variants} variants");
    assert!(wrong.is_empty(), "{} of {variants}:\n{}", wrong.len(), wrong.join("\n"));
}

#[rstest]
fn no_amount_is_told_that_no_event_of_the_simulation_has(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let (glossary, mut wrong) = (glossary(vm), Vec::new());
    let mut variants = 0;
    for tx in kinds(vm) {
        // The event of a grant or an allowance does not have its terms: they are what the message says.
        if tx.message_types().iter().any(|kind| kind.short().starts_with("MsgGrant")) {
            continue;
        }
        for text in amounts::instead(tx.tx.get()) {
            let Some(tx_json) = RawJson::parse(text).ok() else { continue };
            let changed = Tx { tx: tx_json, ..tx.clone() };
            let is_wrong = |phrase: &Phrase| match &phrase.word {
                Word::Coin { coin, .. } => coin.amount.to_string() == amounts::ODD,
                word => word.write(Style::Exact).contains(amounts::ODD),
            };
            let told = told(&changed, &glossary).into_iter();
            let lies = told.filter(|sentence| sentence.phrases.iter().any(is_wrong));
            wrong.extend(lies.map(|lie| format!("{}: {}", tx.txhash, text_of(&lie.phrases, Style::Exact))));
            variants += 1;
        }
    }
    assert!(variants > 40, "only {variants} variants");
    assert!(wrong.is_empty(), "{} of {variants}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A name that the user gave, or that a file brought, is no evidence.
#[rstest]
fn names_of_the_user_change_no_statement(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let (glossary, mut wrong, mut named) = (glossary(vm), Vec::new(), 0);
    for tx in kinds(vm) {
        let variants = without_actors(&tx);
        let step = variants.len().div_ceil(8).max(1);
        for variant in variants.into_iter().step_by(step).map(|(variant, _)| variant).chain([tx]) {
            let statements = |glossary: &Glossary| -> Vec<(SentenceKind, bool, String)> {
                let told = Story::of(&variant, glossary).sentences.into_iter();
                told.map(|one| {
                    (one.kind, one.lacks_events, text_of(&one.phrases, Style::Exact).replace(" (‹opchild module›)", ""))
                })
                .collect()
            };
            let mut own = glossary.clone();
            for account in Story::of(&variant, &glossary).accounts() {
                own.set_personal_name(Target::Account(account), "opchild module", LabelSource::File);
                named += 1;
            }
            if statements(&own) != statements(&glossary) {
                wrong.push(format!("{:?}\n{:?}", statements(&glossary), statements(&own)));
            }
        }
    }
    assert!(named > 100, "only {named} names");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn nothing_is_told_of_recorded_transactions_whose_event_is_gone() {
    let mut wrong = Vec::new();
    for (tx, glossary) in recorded() {
        // Those of Move have hundreds of events: every so many is enough there.
        let variants: Vec<_> = without_events(&tx).into_iter().chain(without_actors(&tx)).collect();
        judge(&tx, &variants, &glossary, 24, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_judge_catches_what_nothing_shows() {
    let mut lies = 0;
    for vm in [Vm::Evm, Vm::Move, Vm::Wasm] {
        let glossary = glossary(vm);
        for tx in kinds(vm).iter().step_by(2) {
            // The story of the whole record, judged by what is left of it: a lie as soon as something is missing.
            let (events, told) = (events_of(tx), told(tx, &glossary));
            let is_caught =
                |left: &&Vec<Value>| told.iter().any(|sentence| !unwitnessed(sentence, &events, left).is_empty());
            let left = robbed(&events);
            let step = left.len().div_ceil(MOST).max(1);
            lies += left.iter().step_by(step).filter(is_caught).count();
        }
    }
    assert!(lies > 40, "only {lies} lies were caught");
    let named = |tx: &Tx| !told(tx, &glossary(Vm::Evm)).is_empty();
    let tx = kinds(Vm::Evm).into_iter().find(named).expect("one that is told as done");
    assert!(!complaints(&tx, &glossary(Vm::Evm), &events_of(&tx), &[]).is_empty(), "nothing is left of it");
}

#[rstest]
fn the_judge_catches_a_stranger_in_every_form(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let glossary = glossary(vm);
    let mut forms = strangers::words().into_iter().cycle();
    let mut caught = 0;
    for tx in kinds(vm) {
        let events = events_of(&tx);
        for sentence in told(&tx, &glossary).iter().take(2) {
            let is_account = |phrase: &Phrase| matches!(phrase.word, Word::Account { .. });
            let accounts = sentence.phrases.iter().enumerate().filter(|(_, phrase)| is_account(phrase));
            for ((place, _), form) in accounts.zip(forms.by_ref()) {
                let mut lying = sentence.clone();
                lying.phrases[place].word = form;
                assert!(!unwitnessed(&lying, &events, &events).is_empty(), "{lying:?}");
                caught += 1;
            }
        }
    }
    assert!(caught > 20, "only {caught} strangers");
}
