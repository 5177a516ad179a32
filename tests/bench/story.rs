//! How long stories take: of an ordinary transaction (budget 0.2 ms), the summaries of a page of 100 (5 ms), and the
//! worst records of 1 MiB (50 ms).

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark ends where it meets what cannot be")]

#[path = "../it/harness/made.rs"]
mod made;
#[path = "story/worst.rs"]
mod worst;

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rollscope::{
    domain::{Address, Vm},
    story::{AccountPart, Glossary, MessageSummary, Story, decode, net_effect, summary},
    wire::Tx,
};

fn glossary_of(vm: Vm) -> Glossary {
    let mut glossary = Glossary::default();
    glossary.vm = Some(vm);
    glossary
}

fn ordinary(criterion: &mut Criterion) {
    for vm in [Vm::Evm, Vm::Move, Vm::Wasm] {
        let glossary = glossary_of(vm);
        let txs = made::made(vm, 120);
        let bytes: usize = txs.iter().map(|tx| tx.tx.get().len() + tx.events.get().len()).sum();
        let mut group = criterion.benchmark_group(format!("{vm}, {} txs of {} bytes", txs.len(), bytes / txs.len()));
        group.throughput(Throughput::Elements(txs.len() as u64)).sample_size(20);
        let mut measure = |name: &str, work: &dyn Fn(&Tx)| {
            group.bench_function(name, |bencher| bencher.iter(|| txs.iter().for_each(|tx| work(black_box(tx)))));
        };
        let account = Address::Short([0x11; 20]);
        measure("taken apart", &|tx| drop(black_box(decode(tx))));
        measure("story", &|tx| drop(black_box(Story::of(tx, &glossary))));
        measure("summary", &|tx| drop(black_box(summary(tx, &glossary))));
        measure("net effect", &|tx| drop(black_box(net_effect(tx, account, &glossary))));
        measure("headline and direction", &|tx| {
            black_box((MessageSummary::of(tx), AccountPart::of(tx, account)));
        });
        group.finish();
    }
}

fn page(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("page of 100");
    for vm in [Vm::Evm, Vm::Move, Vm::Wasm] {
        let glossary = glossary_of(vm);
        let mut txs = made::made(vm, 120);
        txs.truncate(100);
        group.bench_function(format!("summaries, {vm}"), |bencher| {
            bencher.iter(|| txs.iter().map(|tx| summary(black_box(tx), &glossary).len()).sum::<usize>());
        });
    }
    group.finish();
}

/// Each is told a few times; the quickest counts, since what disturbs a machine is not the record's fault.
fn worst_of_a_mebibyte(_: &mut Criterion) {
    let glossary = Glossary::default();
    let mut all: Vec<(Duration, &str)> =
        worst::worst().iter().map(|(name, tx)| (quickest(tx, &glossary), *name)).collect();
    all.sort_unstable();
    for (time, name) in all.iter().rev() {
        println!("{time:>12.2?}  {name}");
    }
}

fn quickest(tx: &Tx, glossary: &Glossary) -> Duration {
    let time = |_| {
        let start = Instant::now();
        black_box(Story::of(black_box(tx), glossary));
        start.elapsed()
    };
    (0..5).map(time).min().unwrap_or_default()
}

criterion_group!(benches, worst_of_a_mebibyte, page, ordinary);
criterion_main!(benches);
