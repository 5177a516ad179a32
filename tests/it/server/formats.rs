//! Files of format 7, as the program before the next format wrote them: today's reads them.

use std::{collections::BTreeSet, io::Read as _, path::Path, time::Duration};

use rollscope::{
    demo::ledger::LedgerOptions,
    domain::{Height, LocalPacket, PacketSide, Vm},
    indexer::index::{Index, PacketHash, PageRange, TxSelection},
};
use rstest::rstest;
use serde_json::Value;

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

fn open(vm: Vm) -> (tempfile::TempDir, Index) {
    let folder = tempfile::tempdir().expect("the fixture is whole");
    let path = folder.path().join("index.sqlite");
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/index-format-7/{vm}.sqlite.zst"));
    let mut bytes = Vec::new();
    zstd::Decoder::new(std::fs::File::open(packed).expect("the fixture is whole"))
        .expect("the fixture is whole")
        .read_to_end(&mut bytes)
        .expect("the fixture is whole");
    std::fs::write(&path, bytes).expect("the fixture is whole");
    let genesis_time = "2026-11-23T00:00:00Z".parse().expect("the fixture is whole");
    let ledger = LedgerOptions { vm, seed: 7, genesis_time, block_time: Duration::from_secs(50 * 60), accounts: 50 };
    let index = Index::in_file(&path, &ledger.identity()).expect("the fixture is whole");
    (folder, index)
}
