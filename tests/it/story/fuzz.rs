//! No record, however it is made, breaks the story or takes more work than its limits allow.

mod twist;
#[path = "../../bench/story/worst.rs"]
mod worst;

use std::sync::LazyLock;

use proptest::prelude::*;
use rollscope::{
    domain::{Address, AddressStyle, Denom, Vm},
    story::{
        AccountPart, Changes, Glossary, MOST_EVENTS, MOST_NESTED, MOST_OWNER_TESTS, MOST_SENTENCES, MessageSummary,
        PacketTrail, Story, StoryRecord, Style, Word, Work, decode, net_effect, summary, text_of,
    },
    wire::{RawJson, Tx},
};
use serde_json::Value;

use twist::{any_json, twists};

use crate::harness::made::made;

/// One transaction of each kind and result that the embedded ledgers make, as a wire record.
static SHAPES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let mut seen = std::collections::BTreeSet::new();
    let all = [Vm::Evm, Vm::Move, Vm::Wasm].into_iter().flat_map(|vm| made(vm, 120));
    let is_new = |tx: &Tx| {
        let kinds: Vec<String> = tx.message_types().iter().map(ToString::to_string).collect();
        seen.insert((kinds, tx.code, MessageSummary::of(tx).call))
    };
    all.filter(is_new).map(|tx| serde_json::to_value(&tx).expect("a record can be written")).collect()
});

/// The worst records, made once: each is a MiB.
static WORST: LazyLock<Vec<(&'static str, Tx)>> = LazyLock::new(worst::worst);

fn glossary() -> Glossary {
    let mut glossary = Glossary::default();
    glossary.add_token(Denom::new("uinit"), "INIT\u{1b}", 6);
    glossary.add_token(Denom::new("u"), "", 255);
    glossary.add_channel("transfer", "channel-0", "there-1");
    glossary.bridge_id = Some(u64::MAX);
    glossary
}

/// Reads all that can be read of a record, and checks what must hold of every story.
fn tell(tx: &Tx) -> Story {
    let glossary = glossary();
    let story = Story::of(tx, &glossary);
    let work = &story.work;
    assert!(work.events() <= MOST_EVENTS && work.nested() <= MOST_NESTED, "{work:?}");
    assert!(work.owner_tests() <= MOST_OWNER_TESTS, "{work:?}");
    assert_eq!(story.sentences.len(), story.decoded.messages.len().min(MOST_SENTENCES));
    let events = story.decoded.events.len();
    let phrases = story.sentences.iter().flat_map(|sentence| &sentence.phrases);
    for phrase in phrases.chain(story.bridge.iter().flat_map(|moved| &moved.phrases)) {
        assert!(phrase.events.iter().all(|place| *place < events), "{phrase:?}");
    }
    let cells = story.changes.balances.iter().flat_map(|change| &change.events);
    assert!(cells.chain(&story.changes.fee.events).all(|place| *place < events));
    for style in [Style::Exact, Style::Short, Style::Screen(&AddressStyle::USUAL.flipped())] {
        for sentence in &story.sentences {
            assert!(text_of(&sentence.phrases, style).ends_with('.'), "{sentence:?}");
        }
    }
    let record = serde_json::to_string(&StoryRecord::of(tx, &story, &glossary, ("", &PacketTrail::default())))
        .expect("a story can be written");
    assert!(serde_json::from_str::<Value>(&record).is_ok(), "{record}");
    let _ = summary(tx, &glossary);
    let account = Address::Short([0x11; 20]);
    let _ = net_effect(tx, account, &glossary);
    let _ = (MessageSummary::of(tx).kind(), AccountPart::of(tx, account));
    story
}

#[test]
fn every_shape_of_three_machines_is_told_without_a_limit() {
    assert!(SHAPES.len() > 60, "only {} shapes", SHAPES.len());
    for shape in SHAPES.iter() {
        let tx: Tx = serde_json::from_str(&shape.to_string()).expect("what was written can be read");
        let story = tell(&tx);
        assert!(!story.work.is_cut(), "{shape}");
        assert_eq!(story.decoded.problem, None, "{shape}");
    }
}

#[test]
fn the_worst_records_of_a_mebibyte_stay_within_the_limits() {
    for (name, tx) in WORST.iter() {
        let length = tx.tx.get().len() + tx.events.get().len();
        assert!((500_000..2_300_000).contains(&length), "{name} has {length} bytes");
        tell(tx);
    }
}

#[test]
fn a_flood_reaches_the_limits_and_says_so() {
    let told = |name: &str| {
        let (_, tx) = WORST.iter().find(|(each, _)| *each == name).expect("a record of this name");
        tell(tx)
    };
    for name in ["messages that say nothing", "both"] {
        let story = told(name);
        assert_eq!(story.sentences.len(), MOST_SENTENCES, "{name}");
        assert!(story.work.is_cut(), "{name}");
    }
    for name in ["messages in a message", "messages of the admin"] {
        let story = told(name);
        assert_eq!(story.work.nested(), MOST_NESTED, "{name}");
        assert!(story.work.is_cut(), "{name}");
    }
    let story = told("stores on Move");
    assert!(story.work.is_cut(), "so many owners are not looked for: {:?}", story.work);
}

#[test]
fn each_pass_over_events_counts() {
    let (_, tx) = WORST.iter().find(|(name, _)| *name == "both").expect("it is there");
    let decoded = decode(tx);
    let work = Work::default();
    for _ in 0..40 {
        let _ = Changes::of(tx, &decoded, Some(Vm::Wasm), &work);
    }
    assert_eq!(work.events(), MOST_EVENTS, "{work:?}");
    assert!(work.is_cut());
}

fn raw(json: &str) -> RawJson {
    RawJson::parse(json.to_owned()).expect("it was made as JSON")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_json_breaks_it(body in any_json(), events in any_json(), code in 0_u32..3, log in "\\PC{0,200}") {
        let mut tx: Tx = serde_json::from_str(&SHAPES[0].to_string()).expect("a record");
        (tx.tx, tx.events, tx.code, tx.raw_log) = (raw(&body), raw(&events), code, log.into());
        tell(&tx);
    }

    #[test]
    fn no_twisted_record_breaks_it(shape in any::<prop::sample::Index>(), twists in twists()) {
        let mut record = shape.get(&SHAPES).clone();
        for twist in &twists {
            twist.apply(&mut record);
        }
        // What is no record of the wire any more is refused before anybody tells its story.
        if let Ok(tx) = serde_json::from_str::<Tx>(&twist::text(&record)) {
            tell(&tx);
        }
    }

    #[test]
    fn no_words_after_a_failure_break_it(code in 1_u32..120, space in 0_usize..16, log in failures()) {
        let mut tx: Tx = serde_json::from_str(&SHAPES[1].to_string()).expect("a record");
        let spaces = ["sdk", "undefined", "evm", "move", "wasm", "opchild", "ibc", "channel", "client", "transfer"];
        (tx.code, tx.raw_log) = (code, log.into());
        tx.codespace = (*spaces.get(space).unwrap_or(&"")).into();
        let story = tell(&tx);
        prop_assert!(story.explanation.is_some(), "{}", tx.raw_log.as_received());
    }
}

/// What nodes say of failures, whole and in pieces.
fn failures() -> impl Strategy<Value = String> {
    let pieces = [
        "failed to execute message; message index: ",
        "0: ",
        "99999999999999999999: ",
        "revert: ",
        ": Reverted",
        "VM aborted: location=",
        "0000000000000000000000000000000000000000000000000000000000000001",
        "::fungible_asset, code=65540",
        ", code=",
        "18446744073709551616",
        "VM failure: status ARITHMETIC_ERROR of type Execution with message M, location=1::dex, function=7, code_offset=75",
        "out of gas in location: WriteFlat; gasWanted: 5, gasUsed: 9: out of gas",
        "account sequence mismatch, expected 9, got 8: incorrect account sequence",
        "panic code: 0x11",
        ": execute wasm contract failed",
        "é",
        " ",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..8).prop_map(|pieces| pieces.concat())
}

/// The words that texts of hostile records make must be there for the screen to clean, never a reason to fail.
#[test]
fn hostile_words_are_kept_as_they_are() {
    let word = Word::Foreign("\u{1b}[2J\u{202e}".repeat(20));
    assert!(word.write(Style::Exact).contains('\u{1b}') && word.write(Style::Short).chars().count() < 60);
}
