//! How fast the simulated rollup makes and writes out blocks.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark ends where it meets what cannot be")]

use std::{hint::black_box, time::Duration};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rollscope::{
    demo::ledger::{Ledger, LedgerOptions},
    domain::{Height, Timestamp, Vm},
    proof::{TxResult, check_block, results_hash},
    wire::node::{BlockCommit, ConsensusHeader},
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

/// Hashing all that a block's header covers, as whoever proves a block does; the design allows 20 µs and 100 µs.
fn bench_proof(criterion: &mut Criterion) {
    let line = include_str!("../fixtures/proofs/commits.jsonl").lines().next().expect("a commit");
    let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
    let header: ConsensusHeader = serde_json::from_value(line["signed_header"]["header"].clone()).expect("a header");
    let commit: BlockCommit = serde_json::from_value(line["signed_header"]["commit"].clone()).expect("a commit");
    let mut group = criterion.benchmark_group("prove a block");
    for count in [0_u8, 10] {
        let hashes: Vec<[u8; 32]> = (0..count).map(|number| [number; 32]).collect();
        let data = vec![7; 300];
        let prove = || {
            let result = TxResult { code: 0, data: &data, gas_wanted: 200_000, gas_used: 150_000 };
            black_box(results_hash(hashes.iter().map(|_| result)));
            black_box(check_block(&[], &header, &hashes, &commit))
        };
        group.bench_function(format!("with {count} transactions"), |bencher| bencher.iter(prove));
    }
    group.finish();
}

criterion_group!(benches, bench, bench_proof);
criterion_main!(benches);
