//! How fast the simulated rollup makes and writes out blocks.

use std::{hint::black_box, time::Duration};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rollscope::{
    demo::ledger::{Ledger, LedgerOptions},
    domain::{Height, Timestamp, Vm},
};

const BLOCKS: u64 = 5_000;

fn genesis(vm: Vm) -> Ledger {
    let options = LedgerOptions {
        vm,
        seed: 7,
        genesis_time: Timestamp::EPOCH,
        block_time: Duration::from_millis(500),
        accounts: 2_000,
    };
    Ledger::genesis(options).expect("the flavour exists")
}

fn with_blocks(mut ledger: Ledger) -> Ledger {
    for _ in 0..BLOCKS {
        ledger.advance();
    }
    ledger
}

fn render(ledger: &Ledger) -> u64 {
    let blocks = (1..=BLOCKS).filter_map(Height::new).filter_map(|height| ledger.block(height));
    blocks.map(|block| black_box(block).txs.len() as u64).sum()
}

fn bench(criterion: &mut Criterion) {
    for vm in [Vm::Evm, Vm::Move] {
        bench_flavour(criterion, vm);
    }
}

fn bench_flavour(criterion: &mut Criterion, vm: Vm) {
    let mut group = criterion.benchmark_group(format!("ledger, {vm}"));
    group.sample_size(10);
    group.bench_function("genesis of 2,000 accounts", |bencher| bencher.iter(|| genesis(vm)));
    group.throughput(Throughput::Elements(BLOCKS));
    group.bench_function("advance 5,000 blocks", |bencher| {
        bencher.iter_batched(|| genesis(vm), with_blocks, BatchSize::LargeInput);
    });
    let ledger = with_blocks(genesis(vm));
    group.throughput(Throughput::Elements(render(&ledger)));
    group.bench_function("write out all their transactions", |bencher| bencher.iter(|| render(&ledger)));
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
