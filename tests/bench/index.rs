//! The index: ingest into a file, and pages at every depth.
//!
//! `ROLLSCOPE_BENCH_TXS` says how many transactions the file holds (200,000 if unset). With the feature `postgres`,
//! `ROLLSCOPE_BENCH_POSTGRES` names an empty database that takes the place of the file.

#![expect(clippy::expect_used, reason = "a benchmark ends where it meets what cannot be")]

mod state;

#[cfg(feature = "postgres")]
use std::ops::ControlFlow;
use std::{
    hint::black_box,
    path::Path,
    time::{Duration, Instant},
};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rollscope::{
    demo::{
        KEPT_TXS,
        ledger::{BlockProposer, CommittedBlock, CommittedTx, EvmReceipts, Ledger, LedgerOptions, TxEvent},
    },
    domain::{Address, Amount, BlockHash, Coin, Denom, Height, MsgType, Timestamp, TxHash, Vm},
    indexer::index::{AccountRules, Index, IndexError, InternalTxSelection, PageRange, ReceiptSelection, TxSelection},
};
use sha2::{Digest as _, Sha256};

/// Transactions of each block.
const PER_BLOCK: u64 = 4;

/// Blocks of one chunk, as the runner takes them.
const CHUNK: u64 = 200;

/// Chunks that the runner takes one after another.
const AT_ONCE: usize = 4;

/// Blocks without transactions.
const EMPTY_BLOCKS: u64 = 40_000;

/// Accounts that sign, the first ones most.
const ACCOUNTS: u64 = 2_000;

const SEND: &str = "cosmos.bank.v1beta1.MsgSend";
const CALL: &str = "minievm.evm.v1.MsgCall";

fn ledger() -> LedgerOptions {
    LedgerOptions {
        vm: Vm::Evm,
        seed: 1,
        genesis_time: Timestamp::EPOCH,
        block_time: Duration::from_secs(1),
        accounts: 2_000,
    }
}

fn digest(kind: &str, number: u64) -> [u8; 32] {
    Sha256::digest(format!("{kind}{number}")).into()
}

fn hex(bytes: &[u8]) -> String {
    alloy_primitives::hex::encode(bytes)
}

fn account(number: u64) -> Address {
    let digest = digest("account", number % ACCOUNTS);
    Address::from_bytes(digest.get(..20).unwrap_or_default()).unwrap_or(Address::Short([0; 20]))
}

/// A skewed choice: a tenth of the accounts takes most.
fn skewed(sequence: u64) -> u64 {
    let [byte, other, ..] = digest("choice", sequence);
    if byte < 200 { u64::from(other) % 200 } else { u64::from(other) * 8 }
}

fn transfer_log(token: &Address, from: &Address, to: &Address, amount: u64) -> String {
    let pad = |address: &Address| format!("0x{:0>64}", hex(address.bytes()));
    format!(
        "{{\"address\":\"{}\",\"topics\":[\"0x{}\",\"{}\",\"{}\"],\"data\":\"0x{amount:064x}\"}}",
        token.checksummed(),
        hex(&digest("topic", 0)),
        pad(from),
        pad(to)
    )
}

/// The events of a fee or of a transfer, as a node lists them.
fn movement(events: &mut Vec<TxEvent>, from: &Address, to: &Address, token: &Address, amount: u64, message: bool) {
    let coins = format!("{amount}evm/{}", hex(token.bytes()));
    let mut push = |kind, attributes: Vec<(&'static str, String)>| {
        let index = message.then(|| ("msg_index", "0".to_owned()));
        events.push(TxEvent::new(kind, attributes.into_iter().chain(index)));
    };
    push("call", vec![("contract", token.checksummed()), ("ret", format!("0x{:064x}", 1))]);
    push("evm", vec![("log", transfer_log(token, from, to, amount))]);
    push("coin_spent", vec![("spender", from.bech32()), ("amount", coins.clone())]);
    push("coin_received", vec![("receiver", to.bech32()), ("amount", coins.clone())]);
    push("transfer", vec![("recipient", to.bech32()), ("sender", from.bech32()), ("amount", coins)]);
    push("message", vec![("sender", from.bech32())]);
}

fn tx(sequence: u64) -> CommittedTx {
    let (from, to) = (account(skewed(sequence)), account(skewed(sequence + 7)));
    let (fees, token) = (account(1_999), account(1_900 + sequence % 20));
    let name = if sequence.is_multiple_of(3) { SEND } else { CALL };
    let amount = sequence * 1_000_003 % 987_654_321;
    let (input, signature) = (hex(&digest("input", sequence)), hex(&digest("signature", sequence)));
    let mut events = Vec::new();
    movement(&mut events, &from, &fees, &token, 2_000_000, false);
    let fee = [("fee", format!("2000000evm/{}", hex(token.bytes()))), ("fee_payer", from.bech32())];
    events.push(TxEvent::new("tx", fee));
    events.push(TxEvent::new("tx", [("acc_seq", format!("{}/{sequence}", from.bech32()))]));
    events.push(TxEvent::new("tx", [("signature", signature.clone())]));
    let message = [("action", format!("/{name}")), ("sender", from.bech32()), ("module", "evm".to_owned())];
    events.push(TxEvent::new("message", message));
    movement(&mut events, &from, &to, &token, amount, true);
    movement(&mut events, &to, &from, &fees, amount / 3, true);
    let body = format!(
        "{{\"body\":{{\"messages\":[{{\"@type\":\"/{name}\",\"sender\":\"{from}\",\"contract_addr\":\"{}\",\"input\":\
         \"0xa9059cbb{input}{amount:064x}\",\"value\":\"0\",\"access_list\":[],\"auth_list\":[]}}],\"memo\":\"\",\
         \"timeout_height\":\"0\",\"extension_options\":[],\"non_critical_extension_options\":[]}},\"auth_info\":\
         {{\"signer_infos\":[{{\"public_key\":{{\"@type\":\"/initia.crypto.v1beta1.ethsecp256k1.PubKey\",\"key\":\
         \"{input}\"}},\"mode_info\":{{\"single\":{{\"mode\":\"SIGN_MODE_DIRECT\"}}}},\"sequence\":\"{sequence}\"}}],\
         \"fee\":{{\"amount\":[{{\"denom\":\"evm/{}\",\"amount\":\"2000000\"}}],\"gas_limit\":\"200000\",\"payer\":\"\",\
         \"granter\":\"\"}},\"tip\":null}},\"signatures\":[\"{signature}\"]}}",
        token.checksummed(),
        hex(token.bytes()),
    );
    CommittedTx {
        hash: TxHash::new(digest("tx", sequence)),
        raw: None,
        code: 0,
        codespace: "".into(),
        info: String::new(),
        data: digest("data", sequence).to_vec(),
        raw_log: String::new(),
        gas_wanted: 200_000,
        gas_used: 100_000 + sequence % 90_000,
        fee: vec![Coin { denom: Denom::new(format!("evm/{}", hex(token.bytes()))), amount: Amount::from(2_000_000) }],
        body,
        message_types: vec![MsgType::new(name)],
        signer: Some(from),
        events,
    }
}

fn block(height: u64, txs: u64) -> CommittedBlock {
    let first_sequence = (height - 1) * txs + 1;
    CommittedBlock {
        missing_txs: 0,
        height: Height::new(height).unwrap_or(Height::FIRST),
        hash: BlockHash::new(digest("block", height)),
        previous_hash: None,
        time: Timestamp::EPOCH.after(Duration::from_secs(height)),
        proposer: BlockProposer { consensus_address: None, validator: None },
        first_sequence: Some(first_sequence),
        txs: (first_sequence..first_sequence + txs).map(tx).collect(),
        events: Vec::new(),
    }
}

fn chunk(number: u64, txs: u64) -> Vec<CommittedBlock> {
    (number * CHUNK + 1..=(number + 1) * CHUNK).map(|height| block(height, txs)).collect()
}

fn open(folder: &Path) -> Index {
    #[cfg(feature = "postgres")]
    if let Ok(url) = std::env::var("ROLLSCOPE_BENCH_POSTGRES") {
        let url = url.parse().expect("it is the URL of a database");
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        return Index::in_postgres(&url, &name, &ledger().identity(), |_| ControlFlow::Break(())).expect("it is free");
    }
    Index::in_file(&folder.join("index.sqlite"), &ledger().identity()).expect("the file can be made")
}

/// Writes chunks of blocks, and returns how long all of it took, generating the transactions left out. As the runner
/// does, some chunks come one after another and one is prepared while the one before is written.
fn write(index: &Index, chunks: u64, txs: u64) -> Duration {
    let mut spent = Duration::ZERO;
    let chunks: Vec<u64> = (0..chunks).collect();
    for group in chunks.chunks(AT_ONCE) {
        let group: Vec<Vec<CommittedBlock>> = group.iter().map(|number| chunk(*number, txs)).collect();
        let start = Instant::now();
        let prepared = group.into_iter().map(|blocks| index.prepare(blocks, Some(Timestamp::EPOCH)));
        index.write_all(prepared).expect("blocks follow each other");
        spent += start.elapsed();
    }
    spent
}

/// Fills a file and reports the rate.
fn fill(folder: &Path, txs: u64) -> Index {
    let index = open(folder);
    let chunks = txs / (CHUNK * PER_BLOCK);
    let spent = write(&index, chunks, PER_BLOCK);
    let written = chunks * CHUNK * PER_BLOCK;
    let size = index.file_bytes();
    println!(
        "ingest of {written} txs: {} txs/s, {} bytes per tx",
        u128::from(written) * 1_000_000 / spent.as_micros().max(1),
        size / written.max(1)
    );
    index
}

/// How fast blocks without transactions are written.
fn empty_blocks(_: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder for the file");
    let index = open(folder.path());
    let spent = write(&index, EMPTY_BLOCKS / CHUNK, 0);
    println!(
        "{EMPTY_BLOCKS} empty blocks: {} blocks/s",
        u128::from(EMPTY_BLOCKS) * 1_000_000 / spent.as_micros().max(1)
    );
}

/// Resident memory in KiB, where the system says it.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0)
}

/// How much an index in memory takes with as many transactions as the embedded rollup keeps.
fn memory(_: &mut Criterion) {
    let before = resident();
    let index = Index::in_memory(&ledger().identity(), KEPT_TXS).expect("memory can be had");
    let start = Instant::now();
    let mut spent = Duration::ZERO;
    for number in 0..KEPT_TXS / (CHUNK * PER_BLOCK) + 5 {
        let blocks = chunk(number, PER_BLOCK);
        let start = Instant::now();
        index.ingest(blocks, Some(Timestamp::EPOCH)).expect("blocks follow each other");
        index.prune().expect("old blocks can be forgotten");
        spent += start.elapsed();
    }
    let held = index.bounds().expect("the index is whole").map_or(0, |held| held.txs());
    println!(
        "in memory: {held} txs kept, {} MiB, ingested in {spent:?} (made and ingested in {:?})",
        (resident() - before) / 1024,
        start.elapsed()
    );
}

/// One page, and how long each of many such pages at other depths took.
fn report(name: &str, mut page: impl FnMut(u64)) {
    let mut times: Vec<Duration> = (0..1_000)
        .map(|turn| {
            let start = Instant::now();
            page(turn);
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
    println!("{name}: p50 {:?}, p99 {:?}, longest {:?}", at(50), at(99), times.last().copied().unwrap_or_default());
}

fn pages(criterion: &mut Criterion) {
    let txs = std::env::var("ROLLSCOPE_BENCH_TXS").ok().and_then(|text| text.parse().ok()).unwrap_or(200_000_u64);
    let folder = tempfile::tempdir().expect("a folder for the file");
    let index = fill(folder.path(), txs);
    let after = |turn: u64| i64::try_from(1 + (turn * 7_919 + 13) * 104_729 % txs).ok();
    let range = |after| PageRange { after, limit: 100, descending: true, ..PageRange::default() };
    let filters = [
        ("all", TxSelection::Chain, vec![]),
        ("a busy account", TxSelection::Account(account(3), AccountRules::Chain), vec![]),
        ("a signer", TxSelection::Signer(account(3)), vec![]),
        ("one message type", TxSelection::Chain, vec![MsgType::new(SEND)]),
        ("two message types", TxSelection::Chain, vec![MsgType::new(SEND), MsgType::new(CALL)]),
        ("an account and a type", TxSelection::Account(account(3), AccountRules::Chain), vec![MsgType::new(SEND)]),
    ];
    let mut group = criterion.benchmark_group("page of 100");
    for (name, scope, types) in &filters {
        let read =
            |after, count| black_box(index.txs(*scope, types, &range(after), count).expect("the index is whole"));
        report(&format!("{name}, any depth"), |turn| drop(read(after(turn), false)));
        report(&format!("{name}, first page, counted"), |_| drop(read(None, true)));
        group.bench_function(*name, |bencher| bencher.iter(|| read(after(5), false)));
    }
    let deep = PageRange { offset: txs / 2, ..range(None) };
    report("all, by an offset of half the chain", |_| {
        drop(black_box(index.txs(TxSelection::Chain, &[], &deep, true).expect("the index is whole")));
    });
    report("blocks, any depth", |turn| {
        let after = after(turn).map(|sequence| sequence / 4);
        drop(black_box(index.blocks("bench-1", &range(after)).expect("the index is whole")));
    });
    report("one transaction by hash", |turn| {
        let hash = TxHash::new(digest("tx", 1 + turn * 104_729 % txs));
        drop(black_box(index.tx(&hash).expect("the index is whole")));
    });
    group.finish();
}

/// Some blocks of the simulated rollup with their receipts.
fn made(ledger: &mut Ledger) -> (Vec<CommittedBlock>, Vec<(Height, EvmReceipts)>) {
    let heights: Vec<Height> = (0..CHUNK).map(|_| ledger.advance()).collect();
    let blocks: Vec<CommittedBlock> = heights.into_iter().filter_map(|height| ledger.block(height)).collect();
    let receipts = blocks.iter().filter_map(|block| Some((block.height, ledger.receipts(block)?))).collect();
    (blocks, receipts)
}

/// Brings blocks of the simulated rollup into an index as the runner does: with receipts, and with all that they do to
/// NFTs and holders; then their call frames. Says at which rate, making the blocks left out.
fn fill_ethereum(index: &Index, ledger: &mut Ledger, chunks: usize) {
    let (mut spent, mut traces_written) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..chunks / AT_ONCE {
        let before = ledger.tip().map_or(Height::FIRST, Height::next);
        let group: Vec<_> = (0..AT_ONCE).map(|_| made(ledger)).collect();
        let start = Instant::now();
        let prepared = group.into_iter().map(|(blocks, receipts)| {
            let mut prepared = index.prepare(blocks, Some(Timestamp::EPOCH))?.with_receipts(receipts);
            prepared.ask(ledger);
            Ok::<_, IndexError>(prepared)
        });
        index.write_all(prepared).expect("blocks follow each other");
        spent += start.elapsed();
        while index.take_state(ledger, true).expect("the state can be taken over") {}
        let heights = std::iter::successors(Some(before), |height| Some(height.next()));
        let traces = heights.map_while(|height| Some((height, ledger.traces(height)?))).collect::<Vec<_>>();
        let start = Instant::now();
        index.write_traces(index.branch(), &traces, &[]).expect("their blocks are held");
        traces_written += start.elapsed();
        ledger.prune_below(ledger.tip().unwrap_or(Height::FIRST));
    }
    let rate = |spent: Duration| u128::from(ledger.transactions()) * 1_000_000 / spent.as_micros().max(1);
    println!(
        "ingest of {} txs with receipts, NFTs and holders: {} txs/s; their call frames: {} txs/s",
        ledger.transactions(),
        rate(spent),
        rate(traces_written)
    );
}

/// Pages of receipts and call frames at any depth of the simulated rollup.
fn ethereum(_: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder for the file");
    let index = open(folder.path());
    let mut ledger = Ledger::genesis(ledger()).expect("the EVM flavour exists");
    fill_ethereum(&index, &mut ledger, 100);
    let range = |after| PageRange { after, limit: 100, descending: true, ..PageRange::default() };
    let receipts = |scope, after| index.evm_txs(scope, &range(after), true).expect("the index is whole");
    let frames = |scope, after| index.internal_txs(scope, &range(after), true).expect("the index is whole");
    let highest = receipts(ReceiptSelection::Chain, None).highest;
    let highest_frame = frames(InternalTxSelection::Chain, None).map_or(0, |page| page.highest);
    println!("{highest} receipts and {highest_frame} call frames are held");
    let at = |turn: u64, highest: i64| i64::try_from(turn * 104_729).ok().map(|step| 1 + step % highest.max(1));
    report("receipts, any depth", |turn| {
        drop(black_box(receipts(ReceiptSelection::Chain, at(turn, highest))));
    });
    report("call frames, any depth", |turn| {
        drop(black_box(frames(InternalTxSelection::Chain, at(turn, highest_frame))));
    });
    let busy = ledger.account(0).expect("there are accounts");
    report("receipts of a busy account, any depth", |turn| {
        drop(black_box(receipts(ReceiptSelection::Account(busy), at(turn, highest))));
    });
    report("call frames of a busy account, any depth", |turn| {
        drop(black_box(frames(InternalTxSelection::Account(busy), at(turn, highest_frame))));
    });
}

fn ingest(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ingest");
    group.throughput(Throughput::Elements(CHUNK * PER_BLOCK)).sample_size(20);
    let blocks = chunk(0, PER_BLOCK);
    let folder = tempfile::tempdir().expect("a folder for the file");
    let index = open(folder.path());
    group.bench_function("prepare a chunk", |bencher| {
        bencher.iter_batched(|| blocks.clone(), |blocks| index.prepare(blocks, None), BatchSize::LargeInput);
    });
    let mut number = 0;
    group.bench_function("prepare and write a chunk", |bencher| {
        bencher.iter_batched(
            || {
                number += 1;
                chunk(number - 1, PER_BLOCK)
            },
            |blocks| index.ingest(blocks, None).expect("blocks follow each other"),
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(benches, memory, empty_blocks, pages, ethereum, ingest, state::holders_and_tokens);
criterion_main!(benches);
