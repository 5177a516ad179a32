//! Stories of records that were changed in ways of which it is known what must not be said any more.
//!
//! One table has the kinds of changes. What is told of a changed record is judged by the record's own JSON alone
//! ([`oracle`]), and for each kind a lie is planted, which the judge must find.

mod kinds;
mod oracle;

use std::{collections::BTreeMap, sync::Arc};

use rollscope::{
    domain::Vm,
    story::{Glossary, Sentence, Story},
    wire::Tx,
};
use serde_json::{Value, json};

use self::{
    kinds::{KINDS, Variant},
    oracle::{Told, false_statements},
};
use crate::{harness::recording::recorded_text, story::evidence};

/// A transaction as an indexer gives it, and what is known of its chain.
#[derive(Clone)]
struct Source {
    record: Value,
    glossary: Arc<Glossary>,
    vm: Option<Vm>,
}

impl Source {
    fn of(tx: &Tx, glossary: &Arc<Glossary>, vm: Option<Vm>) -> Self {
        let record = serde_json::to_value(tx).expect("a record can be written");
        Self { record, glossary: Arc::clone(glossary), vm }
    }

    fn events(&self) -> &[Value] {
        self.record["events"].as_array().map_or(&[], Vec::as_slice)
    }

    fn messages(&self) -> &[Value] {
        self.record["tx"]["body"]["messages"].as_array().map_or(&[], Vec::as_slice)
    }

    fn is_success(&self) -> bool {
        self.record["code"] == 0
    }

    /// What rollscope tells of the record.
    fn told(&self) -> Told {
        let tx: Tx = serde_json::from_value(self.record.clone()).expect("a changed record is one still");
        let story = Story::of(&tx, &self.glossary);
        Told {
            balances: story.changes.balances.len(),
            is_conserved: story.changes.is_conserved,
            explanation: story.explanation.map(|explanation| explanation.text).unwrap_or_default(),
            sentences: story.sentences,
        }
    }
}

/// Numbers that follow from a seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((number ^ (number >> 31)) % (end.max(1) as u64)).expect("it is below a length")
    }

    /// So many of a list, in its order.
    fn some<T>(&mut self, mut all: Vec<T>, most: usize) -> Vec<T> {
        while all.len() > most {
            all.remove(self.below(all.len()));
        }
        all
    }
}

/// Records of a recorded chain that are changed at each run. Of the embedded rollups each kind is.
const MOST_OF_A_SOURCE: usize = 20;
/// Longer ones take too much time.
const MOST_BYTES: usize = 30_000;
/// Variants of one record by one kind.
const MOST_OF_A_KIND: usize = 2;

/// Recorded rollups, real records where they are at hand, and what the embedded ledgers make.
fn sources(draw: &mut Draw) -> Vec<Source> {
    let nothing = Arc::new(Glossary::default());
    let mut all = Vec::new();
    for (chain, vm) in [("minievm-1.1", Vm::Evm), ("miniwasm-0.7", Vm::Wasm)] {
        let text = recorded_text(chain, "indexer");
        let lines = text.split('\n').filter(|line| line.starts_with("{\"path\":\"/indexer/tx/v1/txs/"));
        let lines: Vec<&str> = lines.filter(|line| line.len() < MOST_BYTES && line.contains("\"txhash\"")).collect();
        let lines = draw.some(lines, MOST_OF_A_SOURCE);
        let record = |line: &str| serde_json::from_str::<Value>(line).expect("a line is JSON")["answer"]["tx"].clone();
        let records = lines.into_iter().map(record).filter(|record| record["txhash"].is_string());
        all.extend(records.map(|record| Source { record, glossary: Arc::clone(&nothing), vm: Some(vm) }));
    }
    let real = evidence::recorded().into_iter().map(|(tx, glossary)| {
        let vm = glossary.vm;
        Source::of(&tx, &Arc::new(glossary), vm)
    });
    all.extend(draw.some(real.collect(), MOST_OF_A_SOURCE));
    for vm in [Vm::Evm, Vm::Move, Vm::Wasm] {
        let glossary = Arc::new(evidence::glossary(vm));
        let new = evidence::kinds(vm).into_iter().map(|tx| Source::of(&tx, &glossary, Some(vm)));
        all.extend(new);
    }
    all.retain(|source| source.record.to_string().len() < MOST_BYTES);
    all
}

fn seed() -> u64 {
    std::env::var("ROLLSCOPE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7)
}

#[test]
fn nothing_false_is_told_of_a_changed_record() {
    let seed = seed();
    let mut draw = Draw(seed);
    let sources = sources(&mut draw);
    let (mut wrong, mut counts) = (Vec::new(), BTreeMap::new());
    for source in &sources {
        let name = source.record["txhash"].as_str().unwrap_or_default();
        let told = source.told();
        let same = Variant::new(source.clone());
        let found = false_statements(source, &same, &told);
        wrong.extend(found.into_iter().map(|found| format!("{name} as it is: {found}")));
        for (kind, vary, lie) in KINDS {
            let variants = vary(source, &sources, &mut draw);
            let variants = draw.some(variants, MOST_OF_A_KIND);
            let (told_of, lies) = counts.entry(*kind).or_insert((0, 0));
            for variant in variants {
                *told_of += 1;
                let found = false_statements(source, &variant, &variant.source.told());
                wrong.extend(found.into_iter().map(|found| format!("{name}, {kind}: {found}")));
                let lie = lie(source, &variant, &told);
                *lies += usize::from(!false_statements(source, &variant, &lie).is_empty());
            }
        }
    }
    println!("seed {seed}, {} records", sources.len());
    for (kind, (variants, lies)) in &counts {
        println!("{kind}: {variants} variants, {lies} planted lies found");
    }
    assert!(wrong.is_empty(), "seed {seed}: {} false statements:\n{}", wrong.len(), wrong.join("\n"));
    let blind: Vec<_> = counts.iter().filter(|(_, (_, lies))| *lies == 0).collect();
    assert!(blind.is_empty(), "seed {seed}: the judge believes every lie of {blind:?}");
    assert_eq!(counts.len(), KINDS.len(), "each kind has a name of its own");
}

/// A lie that tells each sentence of the message after its own.
fn of_next_message(told: &Told) -> Told {
    let later = |sentence: &Sentence| Sentence { message: sentence.message + 1, ..sentence.clone() };
    Told { sentences: told.sentences.iter().map(later).collect(), ..told.clone() }
}

/// An event with these attributes.
fn attribute(key: &str, value: &str) -> Value {
    json!({"key": key, "value": value, "index": true})
}
