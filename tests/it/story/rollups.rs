//! Transactions of two real rollups, whose nodes are of different years.

use rollscope::{
    domain::Vm,
    story::{Glossary, SentenceKind, Story, Style, text_of},
    wire::Tx,
};
use serde_json::Value;

use crate::harness::recording::recorded_text;

/// The recorded transactions of a rollup, as its indexer gave them.
pub(super) fn recorded(rollup: &str) -> Vec<Tx> {
    let lines = recorded_text(rollup, "indexer");
    let answers = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("an answer"));
    let records = answers.filter_map(|mut answer| {
        let record = answer.pointer_mut("/answer/tx")?.take();
        record.get("events").is_some_and(Value::is_array).then_some(record)
    });
    records.map(|record| serde_json::from_value(record).expect("a transaction")).collect()
}

fn story(tx: &Tx, vm: Vm) -> Story {
    let mut glossary = Glossary::default();
    glossary.vm = Some(vm);
    Story::of(tx, &glossary)
}

const ROLLUPS: [(&str, Vm); 2] = [("minievm-1.1", Vm::Evm), ("miniwasm-0.7", Vm::Wasm)];

#[test]
fn real_records_have_the_events_that_their_sentences_need() {
    for (rollup, vm) in ROLLUPS {
        let records = recorded(rollup);
        for tx in &records {
            let story = story(tx, vm);
            assert!(story.changes.is_conserved, "{}: its events add up", tx.txhash);
            assert!(story.sentences.iter().all(|told| !told.lacks_events), "{}", tx.txhash);
        }
    }
}

#[test]
fn tokens_that_a_new_contract_hands_out_are_told_as_asked_for_and_never_as_nothing() {
    let mut handed_out = 0;
    for tx in recorded("miniwasm-0.7") {
        let record: Value = serde_json::from_str(tx.tx.get()).expect("a body");
        let message = record["body"]["messages"][0].clone();
        let story = story(&tx, Vm::Wasm);
        let told = text_of(&story.sentences[0].phrases, Style::Exact);
        let json = serde_json::to_value(rollscope::story::ChangesRecord::of(&tx, &story.changes)).expect("JSON");
        let balances = message["msg"]["initial_balances"].as_array();
        let Some(balances) = balances.filter(|_| message["@type"].to_string().contains("MsgInstantiateContract"))
        else {
            assert!(!told.contains("as its message asks"), "{told}");
            assert_eq!((json["conserved"].as_bool(), story.changes.hands_out_tokens), (Some(true), false), "{told}");
            continue;
        };
        if !tx.is_success() {
            assert!(!told.contains("as its message asks"), "no contract was created: {told}");
            assert!(!story.changes.hands_out_tokens && !story.changes.has_run_contract, "{told}");
            continue;
        }
        let text = |name: &str| message["msg"][name].as_str().expect("a text");
        assert!(told.contains(&format!(": the token “{}” (“{}”, ", text("name"), text("symbol"))), "{told}");
        assert!(told.trim_end_matches('.').contains(", as its message asks"), "{told}");
        assert_eq!(told.contains(" for init1"), !balances.is_empty(), "{told}");
        assert_eq!(story.sentences[0].kind, SentenceKind::Asked);
        let is_handed_out = !balances.is_empty();
        assert_eq!(
            (json["conserved"].as_bool(), story.changes.hands_out_tokens),
            (Some(!is_handed_out), is_handed_out)
        );
        assert!(story.changes.has_run_contract);
        handed_out += usize::from(is_handed_out);
    }
    assert!(handed_out > 3, "{handed_out}");
}

#[test]
fn what_became_of_a_deposit_whose_hook_failed_follows_the_node() {
    // Nodes of early 2025 take such a deposit back; newer ones leave it with its receiver.
    for ((rollup, vm), ends) in ROLLUPS.into_iter().zip([" stayed with ", " was sent back: "]) {
        let mut count = 0;
        for tx in recorded(rollup) {
            let story = story(&tx, vm);
            let Some(problem) = &story.explanation else { continue };
            let is_hook = |event: &rollscope::story::DecodedEvent| {
                event.kind == "finalize_token_deposit"
                    && value(event, "reason").is_some_and(|reason| reason.starts_with("hook failed"))
            };
            if !story.decoded.events.iter().any(is_hook) {
                continue;
            }
            let told = text_of(&story.sentences[0].phrases, Style::Exact);
            assert!(told.contains(ends), "{}: {told}", tx.txhash);
            let is_kept = problem.text.contains("The tokens stayed with ");
            assert_eq!(is_kept, story.changes.of_account(receiver(&story)).next().is_some(), "{}", problem.text);
            count += 1;
        }
        assert!(count > 4 || recorded(rollup).is_empty(), "{rollup}: {count} deposits");
    }
}

/// Who was to receive the deposit.
fn receiver(story: &Story) -> rollscope::domain::Address {
    let deposit = story.decoded.events.iter().find(|event| event.kind == "finalize_token_deposit");
    deposit.and_then(|event| value(event, "recipient")).and_then(|text| text.parse().ok()).expect("a receiver")
}

fn value<'e>(event: &'e rollscope::story::DecodedEvent, wanted: &str) -> Option<&'e str> {
    event.attributes.iter().find(|(key, _)| key == wanted).map(|(_, value)| value.as_str())
}
