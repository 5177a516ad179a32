//! Steps of packets in the records of two chains: each record leads to the others of its packet, and to no more.

use std::collections::{BTreeMap, BTreeSet};

use rollscope::{
    story::{Glossary, MessageSummary, PacketTrail, PacketWay, Story},
    wire::{RawJson, Tx},
};
use serde_json::Value;

use super::rollups::recorded;
use crate::harness::{more_records, recording::CHAINS};

/// Packet events of a transaction, by the test's own reading: kind, sequence, and all else that names the packet.
fn events(tx: &Tx) -> Vec<(String, String, String)> {
    let events: Value = serde_json::from_str(tx.events.get()).expect("events");
    let events = events.as_array().expect("a list").iter().filter_map(|event| {
        let value = |key: &str| {
            let pairs = event["attributes"].as_array()?.iter();
            Some(pairs.filter(|pair| pair["key"] == key).find_map(|pair| pair["value"].as_str())?.to_owned())
        };
        let kind = event["type"].as_str()?.to_owned();
        let path: Vec<String> = ["src_port", "src_channel", "dst_port", "dst_channel"]
            .iter()
            .filter_map(|part| value(&format!("packet_{part}")))
            .collect();
        Some((kind, value("packet_sequence")?, path.join("/")))
    });
    events.collect()
}

fn is_received(kind: &str) -> bool {
    matches!(kind, "recv_packet" | "write_acknowledgement")
}

/// Holds the steps that each record leads to against the test's own reading. `is_local`: both ends are on the chain.
fn problems(txs: &[Tx], is_local: bool) -> Vec<String> {
    let glossary = Glossary::default();
    let mut expected: BTreeMap<(bool, String, String), BTreeSet<u64>> = BTreeMap::new();
    let mut trail = PacketTrail::default();
    for tx in txs {
        trail.add(tx, &glossary);
        for (kind, sequence, path) in events(tx) {
            let key = (!is_local && is_received(&kind), sequence, path);
            expected.entry(key).or_default().insert(tx.height.get());
        }
    }
    let mut found: BTreeMap<(bool, String, String), BTreeSet<u64>> = BTreeMap::new();
    let mut problems = Vec::new();
    for tx in txs {
        let story = Story::of(tx, &glossary);
        let (moves, own) = (story.bridge.iter().filter_map(|moved| moved.packet.as_ref()), events(tx));
        for packet in moves {
            let steps: BTreeSet<u64> = trail.steps(packet).iter().map(|step| step.height.get()).collect();
            let (side, sequence) = (packet.end.side.to_string(), packet.end.sequence.to_string());
            let event =
                own.iter().find(|(kind, number, _)| *number == sequence && (side == "received") == is_received(kind));
            let Some((kind, _, path)) = event else {
                problems.push(format!("{}: {} has no event", tx.txhash, packet.end));
                continue;
            };
            let key = (!is_local && is_received(kind), sequence, path.clone());
            if expected.get(&key) != Some(&steps) {
                problems.push(format!("{}: {} leads to {steps:?}", tx.txhash, packet.end));
            }
            found.insert(key, steps);
        }
    }
    if found != expected {
        problems.push(format!("found {found:?}, expected {expected:?}"));
    }
    problems
}

#[test]
fn every_end_of_a_packet_on_a_chain_with_itself_leads_to_the_others() {
    for (chain, _) in CHAINS {
        let txs: Vec<Tx> = recorded(chain).into_iter().filter(|tx| !events(tx).is_empty()).collect();
        assert!(txs.len() > 12, "{chain}");
        assert_eq!(problems(&txs, true), Vec::<String>::new(), "{chain}");
        // Without the local connection, the packets of the two directions would be one where they are two.
        assert_ne!(problems(&txs, false), Vec::<String>::new(), "{chain}");
    }
}

#[test]
fn packets_of_two_directions_with_one_number_are_two() {
    let Some(folder) = more_records() else { return };
    let text = std::fs::read_to_string(folder.join("wire/samples/ibc/miniwasm.jsonl")).expect("the records");
    let txs: Vec<Tx> = text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect();
    assert_eq!(problems(&txs, false), Vec::<String>::new());
    assert_ne!(problems(&txs, true), Vec::<String>::new(), "a confusion of the two directions is found");
    let (glossary, mut trail) = (Glossary::default(), PacketTrail::default());
    for tx in &txs {
        trail.add(tx, &glossary);
    }
    let moves = |height: u64| {
        let tx = txs.iter().find(|tx| tx.height.get() == height).expect("a record");
        Story::of(tx, &glossary).bridge
    };
    // Received #7 goes on as sent #5, and both are acknowledged when #5 is.
    let [received, sent] = moves(2118).try_into().expect("two moves");
    let ends = [&received, &sent].map(|moved| moved.packet.clone().expect("a packet"));
    assert_eq!(ends[0].end.to_string(), "packet #7 received at transfer/channel-0");
    assert_eq!(ends[0].relay.as_ref(), Some(&ends[1].end));
    assert_eq!(ends[1].relay.as_ref(), Some(&ends[0].end));
    let outcome = |height: u64, place: usize| {
        let packet = moves(height)[place].packet.clone().expect("a packet");
        trail.outcome(&packet).map(|step| (step.way, step.height.get()))
    };
    assert_eq!(outcome(2118, 0), Some((PacketWay::Answered, 2122)));
    assert_eq!(outcome(2118, 1), Some((PacketWay::Acknowledged, 2122)));
    assert_eq!(outcome(2123, 0), Some((PacketWay::Rejected, 2127)), "sent #7 is another packet");
    assert_eq!(outcome(2132, 0), Some((PacketWay::Rejected, 2136)));
    assert_eq!(outcome(2142, 0), Some((PacketWay::TimedOut, 2151)));
    assert_eq!(outcome(2060, 0), Some((PacketWay::Refused, 2060)));
    assert_eq!(outcome(2063, 0), Some((PacketWay::Received, 2063)));
}

/// What failed within a transaction, by the test's own reading of its events.
fn partial_failures(tx: &Tx) -> BTreeSet<&'static str> {
    let events: Value = serde_json::from_str(tx.events.get()).expect("events");
    let read = |event: &Value| {
        let value = |key: &str| {
            let mut pairs = event["attributes"].as_array().into_iter().flatten();
            pairs.find(|pair| pair["key"] == key).and_then(|pair| pair["value"].as_str()).unwrap_or_default().to_owned()
        };
        match event["type"].as_str().unwrap_or_default() {
            "timeout_packet" => Some("timed out"),
            "fungible_token_packet" if !value("error").is_empty() => Some("refused"),
            "write_acknowledgement" if value("packet_ack").starts_with("{\"error\"") => Some("refused"),
            "hook_failed" => Some("hook failed"),
            "finalize_token_deposit" if value("reason").starts_with("hook failed; ") => Some("hook failed"),
            "finalize_token_deposit" if value("success") == "false" => Some("deposit failed"),
            _ => None,
        }
    };
    let all = events.as_array().into_iter().flatten().filter_map(read);
    if tx.is_success() { all.collect() } else { BTreeSet::new() }
}

#[test]
fn what_failed_within_a_transaction_is_counted_apart() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let told = |tx: &Tx| MessageSummary::of(tx).partial.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    let ibc = more_records().map(|folder| {
        let text = std::fs::read_to_string(folder.join("wire/samples/ibc/miniwasm.jsonl")).expect("the records");
        text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect::<Vec<Tx>>()
    });
    let recorded: Vec<Tx> = CHAINS.iter().flat_map(|(chain, _)| recorded(chain)).collect();
    for tx in recorded.iter().chain(ibc.iter().flatten()) {
        let expected = partial_failures(tx);
        assert!(told(tx).iter().eq(expected.iter()), "{}: {:?}, expected {expected:?}", tx.txhash, told(tx));
    }
    for kind in recorded.iter().flat_map(partial_failures) {
        *counts.entry(kind).or_default() += 1;
    }
    let expected = [("deposit failed", 4), ("hook failed", 14), ("refused", 10), ("timed out", 2)];
    assert_eq!(counts, BTreeMap::from(expected));
    // A contract names its events itself, after a prefix.
    let refused = recorded.iter().find(|tx| told(tx).contains("refused")).expect("a refused packet");
    let events = refused.events.get().replace("\"type\":\"", "\"type\":\"wasm-");
    let events = RawJson::parse(events).expect("JSON");
    let forged = Tx { events, ..refused.clone() };
    assert_eq!(told(&forged), BTreeSet::new());
}
