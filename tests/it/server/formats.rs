//! Files of each format from 7 on, as the last program of that format wrote them: today's reads them.

use std::{
    collections::BTreeSet,
    fs,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use rollscope::{
    demo::ledger::LedgerOptions,
    domain::{Height, LocalPacket, PacketSide, Vm},
    indexer::{
        index::{Index, IndexFeed, IndexIdentity, PacketHash, PageRange, TxSelection},
        node::{NodeService, ServiceOptions},
    },
};
use rstest::rstest;
use serde_json::Value;

use crate::harness::get;

/// The first moment of the rollups of format 7.
const GENESIS: &str = "2026-11-23T00:00:00Z";

#[rstest]
#[case(Vm::Evm, 90)]
#[case(Vm::Move, 111)]
#[case(Vm::Wasm, 130)]
fn a_file_of_format_7_is_read(#[case] vm: Vm, #[case] txs: usize) {
    let (_folder, index) = open(vm);
    let bounds = index.bounds().unwrap().expect("blocks are held");
    assert_eq!((bounds.from, bounds.tip), (Height::FIRST, Height::new(24).unwrap()));
    let newest = PageRange { limit: 1_000, descending: true, ..PageRange::default() };
    let blocks = index.blocks(&index.chain_id(), &newest).unwrap().blocks;
    let counted: u64 = blocks.iter().map(|block| block.tx_count).sum();
    assert_eq!((blocks.len(), counted), (24, txs as u64));
    let found = index.txs(TxSelection::Chain, &[], &newest, true).unwrap();
    assert_eq!((found.rows, found.total), (txs, Some(i64::try_from(txs).unwrap())));
    let read: Vec<Value> = serde_json::from_slice(&[b"[", &found.json[..], b"]"].concat()).unwrap();
    let hash = read[0]["txhash"].as_str().unwrap().parse().unwrap();
    let single: Value = serde_json::from_slice(&index.tx(&hash).unwrap().expect("its hash leads to it")).unwrap();
    assert_eq!(single["events"], read[0]["events"]);
    let mut packets = 0;
    for tx in &read {
        for end in packet_ends(tx) {
            let found = index.txs(TxSelection::Packet(PacketHash::of(&end)), &[], &newest, true).unwrap();
            let txs: Vec<Value> = serde_json::from_slice(&[b"[", &found.json[..], b"]"].concat()).unwrap();
            let of_packet: Vec<&Value> = read.iter().filter(|tx| packet_ends(tx).contains(&end)).collect();
            assert_eq!(txs.iter().collect::<Vec<_>>(), of_packet, "{end}");
            packets += 1;
        }
    }
    assert!(packets > 3, "the file has packets, which the program that wrote it did not list");
    let listed = || -> BTreeSet<String> {
        let (denoms, total) = index.contract_tokens(1_000, 0, true).unwrap();
        let denoms: BTreeSet<String> = denoms.iter().map(|denom| denom.as_str().to_lowercase()).collect();
        assert_eq!(denoms.len() as u64, total, "each contract once");
        denoms
    };
    let moved = |most: u64| -> BTreeSet<String> {
        let is_held = |tx: &&Value| tx["height"].as_str().and_then(|text| text.parse::<u64>().ok()) <= Some(most);
        read.iter().filter(is_held).flat_map(moved_tokens).collect()
    };
    assert_eq!((listed(), listed().is_empty()), (moved(24), vm == Vm::Move));
    let first = (1..24).find(|height| !moved(*height).is_empty()).unwrap_or(12);
    for kept in [first.max(12), first] {
        index.undo_above(Height::new(kept).unwrap()).unwrap();
        assert_eq!(listed(), moved(kept), "what only reverted blocks moved is gone above block {kept}");
    }
    index.put_aside().unwrap();
    assert!(listed().is_empty(), "another chain's tokens are not listed");
}

const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/// The tokens of contracts that a transaction's events move, in lower case.
fn moved_tokens(tx: &Value) -> Vec<String> {
    let mut tokens = Vec::new();
    for event in tx["events"].as_array().expect("events") {
        let pairs = event["attributes"].as_array().cloned().unwrap_or_default();
        let value = |key: &str| pairs.iter().find(|pair| pair["key"] == key).and_then(|pair| pair["value"].as_str());
        for pair in pairs.iter().filter(|pair| event["type"] == "evm" && pair["key"] == "log") {
            let log: Value = serde_json::from_str(pair["value"].as_str().expect("a text")).expect("a log");
            if log["topics"][0] == TRANSFER && log["topics"].as_array().map(Vec::len) == Some(3) {
                let contract = log["address"].as_str().expect("an address").to_lowercase();
                tokens.push(format!("evm/{}", contract.trim_start_matches("0x")));
            }
        }
        let is_move =
            matches!(value("action"), Some("transfer" | "send" | "mint" | "burn" | "transfer_from" | "send_from"));
        if event["type"] == "wasm" && is_move && value("amount").is_some_and(|amount| amount.parse::<u128>().is_ok()) {
            tokens.push(format!("cw20:{}", value("_contract_address").expect("the chain writes it")));
        }
    }
    tokens
}

/// The packets of a transaction's events.
fn packet_ends(tx: &Value) -> Vec<LocalPacket> {
    let events = tx["events"].as_array().expect("events").iter();
    let ends = events.filter_map(|event| {
        let value = |key: &str| {
            let mut pairs = event["attributes"].as_array()?.iter();
            pairs.find(|pair| pair["key"] == key)?["value"].as_str().map(str::to_owned)
        };
        let is_received = matches!(event["type"].as_str()?, "recv_packet" | "write_acknowledgement");
        let (side, of) = if is_received { (PacketSide::Received, "dst") } else { (PacketSide::Sent, "src") };
        let (port, channel) = (value(&format!("packet_{of}_port"))?, value(&format!("packet_{of}_channel"))?);
        Some(LocalPacket { side, port, channel, sequence: value("packet_sequence")?.parse().ok()? })
    });
    ends.collect()
}

/// The file of a format in a folder of its own.
fn unpacked(format: u32, vm: Vm) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("index.sqlite");
    let packed = format!("tests/fixtures/index-format-{format}/{vm}.sqlite.zst");
    let packed = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(packed)).expect("the fixture is there");
    fs::write(&path, zstd::decode_all(packed.as_slice()).expect("the fixture is whole")).expect("it can be written");
    (folder, path)
}

fn open(vm: Vm) -> (tempfile::TempDir, Index) {
    let (folder, path) = unpacked(7, vm);
    let index = Index::in_file(&path, &identity(vm)).expect("the fixture is whole");
    (folder, index)
}

/// The embedded rollup's identity in files of format 7.
fn identity(vm: Vm) -> IndexIdentity {
    let genesis_time = GENESIS.parse().expect("a time");
    LedgerOptions { vm, seed: 7, genesis_time, block_time: Duration::from_secs(50 * 60), accounts: 50 }.identity()
}

/// A node's index of format 8 or later: blocks, transactions, receipts and call frames as they were written. Of format
/// 9, a block has no results.
#[rstest]
#[case(8, Vm::Evm, (1, 120), (65, 52, 405))]
#[case(8, Vm::Move, (9, 24), (44, 0, 0))]
#[case(8, Vm::Wasm, (1, 200), (37, 0, 0))]
#[case(9, Vm::Evm, (1, 120), (64, 52, 405))]
#[case(9, Vm::Wasm, (1, 200), (36, 0, 0))]
#[tokio::test]
async fn a_nodes_file_is_served(
    #[case] format: u32,
    #[case] vm: Vm,
    #[case] (oldest, tip): (u64, u64),
    #[case] (txs, receipts, frames): (u64, u64, u64),
) {
    let (_folder, path) = unpacked(format, vm);
    // A later format converts it first.
    let identity = IndexIdentity { vm, feed: IndexFeed::Node, facts: Vec::new() };
    drop(Index::in_file(&path, &identity).expect("the fixture is whole"));
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into();
    let index = Index::read_only(&path).expect("the file is read");
    let service = NodeService::read(index, &listen, ServiceOptions::default()).expect("the address is free");
    let ask = async |path: &str| -> Value {
        let answer = get(format!("{}{path}", service.url())).await.expect("it answers");
        let text = answer.text().await.expect("it comes whole");
        // Other machines have no receipts.
        serde_json::from_str(&text).unwrap_or(Value::String(text))
    };
    let status = ask("/status").await;
    assert_eq!((&status["height"], &status["node"]["left_out"]), (&tip.into(), &u64::from(format > 8).into()));
    let total = async |list: &str| {
        let answer = ask(&format!("/indexer/{list}?pagination.limit=1")).await;
        answer["pagination"]["total"].as_str().and_then(|total| total.parse().ok()).unwrap_or_default()
    };
    assert_eq!((total("block/v1/blocks").await, total("tx/v1/txs").await), (tip - oldest + 1, txs));
    assert_eq!((total("tx/v1/evm-txs").await, total("tx/v1/evm-internal-txs").await), (receipts, frames));
    let page = ask("/indexer/tx/v1/txs?pagination.limit=1000").await;
    for row in page["txs"].as_array().expect("a list") {
        let single = ask(&format!("/indexer/tx/v1/txs/{}", row["txhash"].as_str().expect("a hash"))).await;
        assert_eq!(single["tx"], *row, "its hash leads to it");
    }
    let oldest_block = ask("/indexer/block/v1/blocks?pagination.limit=1&pagination.reverse=false").await;
    assert_eq!(oldest_block["blocks"][0]["height"], oldest.to_string());
}

/// Everything that is listed of a file.
fn listed(index: &Index) -> Vec<Vec<u8>> {
    let newest = PageRange { limit: 1_000, descending: true, ..PageRange::default() };
    let blocks = index.blocks(&index.chain_id(), &newest).expect("blocks are read").blocks;
    let txs = index.txs(TxSelection::Chain, &[], &newest, true).expect("transactions are read");
    vec![serde_json::to_vec(&blocks).expect("blocks are JSON"), txs.json.clone()]
}

#[test]
fn a_conversion_that_was_killed_goes_on() {
    let whole = listed(&open(Vm::Evm).1);
    let serve = "serve --listen 127.0.0.1:0 --vm evm --seed 7 --block-time 50m --history 24 --accounts 50";
    let mut interrupted = 0;
    for _ in 0..20 {
        let (folder, path) = unpacked(7, Vm::Evm);
        let copy = folder.path().join("index.sqlite.migrating");
        let mut served = Command::new(env!("CARGO_BIN_EXE_rollscope"))
            .env_clear()
            .env("HOME", folder.path())
            .args(serve.split(' '))
            .args(["--genesis-time", GENESIS, "--data"])
            .arg(&path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program can be started");
        while !copy.exists() && served.try_wait().expect("it can be asked").is_none() {
            thread::yield_now();
        }
        // Killed a little later each time.
        (0..interrupted * 400).for_each(|_| thread::yield_now());
        served.kill().expect("it is killed");
        served.wait().expect("it ends");
        interrupted += usize::from(copy.exists());
        let index = Index::in_file(&path, &identity(Vm::Evm)).expect("it goes on");
        assert!(listed(&index) == whole && !copy.exists(), "nothing is lost, and nothing is left beside");
        if interrupted == 3 {
            return;
        }
    }
    panic!("it was killed in a conversion {interrupted} times");
}
