//! What an indexer's transaction proves of a transfer.

use std::fs;

use rollscope::{
    domain::{Address, Amount, Denom},
    story::decode,
    transfers::{
        ArrivalEvidence, PacketEnd, ReturnCause, SentPacket, SourceEvidence, credit_of_arrival, evidence_of_arrival,
        evidence_of_source, hook_problem, is_bridge_arrival, packet_end, packets_sent,
    },
    wire::Tx,
};
use serde_json::{Value, json};
use sha3::{Digest, Sha3_256};

const ONE: Address = Address::Short([0x11; 20]);
const OTHER: Address = Address::Short([0x22; 20]);
const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

fn event(kind: &str, attributes: &[(&str, &str)]) -> Value {
    let mut attributes: Vec<Value> =
        attributes.iter().map(|(key, value)| json!({"key": key, "value": value})).collect();
    attributes.push(json!({"key": "msg_index", "value": "0"}));
    json!({"type": kind, "attributes": attributes})
}

fn tx(code: u32, message: &str, events: &[Value]) -> Tx {
    let record = json!({
        "txhash": "0".repeat(64), "height": "7", "code": code, "timestamp": "2026-01-01T00:00:00Z",
        "tx": {"body": {"messages": [{"@type": message}]}}, "events": events,
    });
    serde_json::from_str(&record.to_string()).expect("a transaction")
}

fn found(tx: &Tx, denom: &str, most: u128) -> Option<ArrivalEvidence> {
    evidence_of_arrival(tx, &ONE.bech32(), &Denom::new(denom), Some(Amount::from(most)))
}

#[test]
fn coins_count_for_whom_they_reach_and_up_to_what_is_expected() {
    let received =
        |to: Address, amount: &str| event("coin_received", &[("receiver", &to.bech32()), ("amount", amount)]);
    let receive = "/ibc.core.channel.v1.MsgRecvPacket";
    for (to, amount, denom, most, evidence) in [
        (ONE, "1ugas,500uinit", "uinit", 500, Some(ArrivalEvidence::Credited)),
        (ONE, "490uinit", "uinit", 500, Some(ArrivalEvidence::Credited)),
        (ONE, "501uinit", "uinit", 500, None),
        (ONE, "0uinit", "uinit", 500, Some(ArrivalEvidence::NotCredited)),
        (ONE, "500uinit", "UINIT", 500, Some(ArrivalEvidence::NotCredited)),
        (OTHER, "500uinit", "uinit", 500, Some(ArrivalEvidence::NotCredited)),
    ] {
        assert_eq!(found(&tx(0, receive, &[received(to, amount)]), denom, most), evidence, "{amount} {denom}");
    }
    let whole = tx(0, receive, &[received(ONE, "900uinit")]);
    assert_eq!(evidence_of_arrival(&whole, &ONE.hex(), &Denom::new("uinit"), None), Some(ArrivalEvidence::Credited));
    assert_eq!(evidence_of_arrival(&whole, "cosmos1abc", &Denom::new("uinit"), None), None);
    for returned in ["/ibc.core.channel.v1.MsgTimeout", "/ibc.core.channel.v1.MsgAcknowledgement"] {
        let back = tx(0, returned, &[received(ONE, "500uinit")]);
        assert_eq!(found(&back, "uinit", 500), Some(ArrivalEvidence::NotCredited), "a refund is no arrival");
    }
    let failed = tx(5, receive, &[received(ONE, "500uinit")]);
    assert_eq!(
        (found(&failed, "uinit", 500), evidence_of_source(&failed)),
        (Some(ArrivalEvidence::NotCredited), SourceEvidence::Failed)
    );
    assert_eq!(evidence_of_source(&whole), SourceEvidence::Succeeded);
}

#[test]
fn each_vm_has_its_own_form() {
    let word = |address: Address| format!("0x{:0>64}", address.hex().trim_start_matches("0x"));
    let contract = "0x856aB2c9F35B9187aB3eB0Fcd11DCc6160427e96";
    let log =
        json!({"address": contract, "topics": [TRANSFER, word(OTHER), word(ONE)], "data": format!("0x{:064x}", 700)});
    let evm = tx(0, "/opinit.opchild.v1.MsgFinalizeTokenDeposit", &[event("evm", &[("log", &log.to_string())])]);
    assert_eq!(found(&evm, "evm/856aB2c9F35B9187aB3eB0Fcd11DCc6160427e96", 700), Some(ArrivalEvidence::Credited));
    assert_eq!(found(&evm, "evm/856aB2c9F35B9187aB3eB0Fcd11DCc6160427e96", 699), None);
    assert_eq!(found(&evm, "evm/956aB2c9F35B9187aB3eB0Fcd11DCc6160427e96", 700), Some(ArrivalEvidence::NotCredited));

    let mut owner = [0; 32];
    owner[12..].copy_from_slice(ONE.bytes());
    let mut creator = [0; 32];
    creator[31] = 1;
    let hash = |parts: &[&[u8]]| parts.iter().fold(Sha3_256::new(), Digest::chain_update).finalize();
    let metadata = hash(&[&creator, b"uinit", &[0xfe]]);
    let store = hash(&[&owner, &metadata, &[0xfc]]);
    let hex = |bytes: &[u8]| alloy_primitives::hex::encode(bytes);
    let data = json!({"store_addr": format!("0x{}", hex(&store)), "metadata_addr": format!("0x{}", hex(&metadata)), "amount": "9"});
    let attributes = [("type_tag", "0x1::fungible_asset::DepositEvent"), ("data", &data.to_string())];
    let moved = tx(0, "/initia.move.v1.MsgExecute", &[event("move", &attributes)]);
    assert_eq!(hex(&metadata), "8e4733bdabcf7d4afc3d14f0dd46c9bf52fb0fce9e4b996c939e195b8bc891d9", "that of the L1");
    assert_eq!(found(&moved, "uinit", 9), Some(ArrivalEvidence::Credited));
    assert_eq!(found(&moved, &format!("move/{}", hex(&metadata)), 9), Some(ArrivalEvidence::Credited));
    assert_eq!(found(&moved, "uusdc", 9), Some(ArrivalEvidence::NotCredited));

    let to = ONE.bech32();
    let cw20 = [("_contract_address", "init1token"), ("action", "transfer"), ("to", &to), ("amount", "3")];
    let wasm = tx(0, "/cosmwasm.wasm.v1.MsgExecuteContract", &[event("wasm", &cw20)]);
    assert_eq!(found(&wasm, "cw20:init1token", 3), Some(ArrivalEvidence::Credited));
    assert_eq!(found(&wasm, "cw20:init1other", 3), Some(ArrivalEvidence::NotCredited));
}

#[test]
fn a_deposit_whose_hook_failed_says_why() {
    let deposit = |success: &str, reason: &str| {
        let attributes = [("recipient", "x"), ("denom", "l2/a"), ("success", success), ("reason", reason)];
        tx(0, "/opinit.opchild.v1.MsgFinalizeTokenDeposit", &[event("finalize_token_deposit", &attributes)])
    };
    assert_eq!(hook_problem(&decode(&deposit("true", ""))), None);
    assert_eq!(
        hook_problem(&decode(&deposit("false", "hook failed; out\u{1b}[2J of gas"))).as_deref(),
        Some("hook failed; out of gas")
    );
    assert_eq!(found(&deposit("false", "deposit failed; no"), "l2/a", 5), Some(ArrivalEvidence::NotCredited));
}

#[test]
fn records_of_real_chains_prove_what_they_did() {
    let Some(shared) = crate::harness::recorded_folder() else {
        return;
    };
    let folder = shared.join("wire/samples/txs");
    for (name, recipient, denom, amount, evidence, problem) in [
        (
            "evm-op-deposit-1",
            "init1z6jxlwyuwy4j3zdh08t4tzsnnvkm8g8m5f088g",
            "l2/8f73cfaf153520f511b4fc0bd71d60d64b4e19eff04a350e642718a3c1ab3b06",
            1_000_000,
            Some(ArrivalEvidence::Credited),
            false,
        ),
        (
            "evm-op-deposit-1",
            "init1z6jxlwyuwy4j3zdh08t4tzsnnvkm8g8m5f088g",
            "evm/856aB2c9F35B9187aB3eB0Fcd11DCc6160427e96",
            20_000_000_000_000_000_000,
            Some(ArrivalEvidence::Credited),
            false,
        ),
        (
            "evm-op-deposit-2",
            "init1dw49mn7s2r5mskjdmus5hth80zz8wwaywycq06",
            "evm/856aB2c9F35B9187aB3eB0Fcd11DCc6160427e96",
            u128::MAX,
            Some(ArrivalEvidence::NotCredited),
            true,
        ),
        (
            "evm-op-deposit-2",
            "init1dw49mn7s2r5mskjdmus5hth80zz8wwaywycq06",
            "l2/8f73cfaf153520f511b4fc0bd71d60d64b4e19eff04a350e642718a3c1ab3b06",
            132_340_980,
            Some(ArrivalEvidence::Credited),
            true,
        ),
        (
            "wasm-ibc-recv-1",
            "init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm",
            "ibc/37A3FB4FED4CA04ED6D9E5DA36C6D27248645F0E22F585576A1488B8A89C5A50",
            200_000,
            Some(ArrivalEvidence::Credited),
            false,
        ),
        (
            "move-l1-op-finalize-1",
            "init1r9th529cekjd0v3kryamks7yf6z832pqsapys7",
            "uinit",
            716_000_000,
            Some(ArrivalEvidence::Credited),
            false,
        ),
        ("move-l1-op-finalize-1", "init1r9th529cekjd0v3kryamks7yf6z832pqsapys7", "uinit", 715_999_999, None, false),
    ] {
        let text = fs::read_to_string(folder.join(format!("{name}.json"))).expect("a record");
        let mut record: Value = serde_json::from_str(&text).expect("JSON");
        let tx: Tx = serde_json::from_str(&text).expect("a transaction");
        let found = |tx: &Tx| evidence_of_arrival(tx, recipient, &Denom::new(denom), Some(Amount::from(amount)));
        assert_eq!((found(&tx), hook_problem(&decode(&tx)).is_some()), (evidence, problem), "{name} {denom}");
        if name.starts_with("move") {
            let events = record["events"].as_array_mut().expect("events");
            events.retain(|event| event["type"] != "coin_received");
            let bare: Tx = serde_json::from_str(&record.to_string()).expect("a transaction");
            assert_eq!(found(&bare), evidence, "{name}: by Move's own events alone");
        }
    }
}

/// A transaction that ends packet 7 of channel-0.
fn ending(message: &str, sequence: &str, events: &[Value]) -> Tx {
    let packet = json!({"source_channel": "channel-0", "sequence": sequence});
    let record = json!({
        "txhash": "0".repeat(64), "height": "7", "code": 0, "timestamp": "2026-01-01T00:00:00Z",
        "tx": {"body": {"messages": [{"@type": message, "packet": packet}]}}, "events": events,
    });
    serde_json::from_str(&record.to_string()).expect("a transaction")
}

#[test]
fn what_became_of_a_packet_is_told_by_its_own_messages() {
    let sent = tx(
        0,
        "/ibc.applications.transfer.v1.MsgTransfer",
        &[
            event("send_packet", &[("packet_src_channel", "channel-0"), ("packet_sequence", "7")]),
            event("ibc_transfer", &[("sender", &ONE.bech32()), ("receiver", "far1")]),
        ],
    );
    let packets = packets_sent(&sent);
    let packet = SentPacket { channel: "channel-0".to_owned(), sequence: "7".to_owned(), sender: ONE, coins: None };
    assert_eq!(packets, std::slice::from_ref(&packet));
    let failed = tx(5, "/ibc.applications.transfer.v1.MsgTransfer", &[event("send_packet", &[])]);
    assert!(packets_sent(&failed).is_empty(), "what failed sent nothing");

    let back = event("coin_received", &[("receiver", &ONE.bech32()), ("amount", "100l2/df41")]);
    let others = event("coin_received", &[("receiver", &OTHER.bech32()), ("amount", "900uinit")]);
    let (timeout, acknowledgement) = ("/ibc.core.channel.v1.MsgTimeout", "/ibc.core.channel.v1.MsgAcknowledgement");
    let end = |tx: &Tx| packet_end(tx, &packet);
    let Some(PacketEnd::Returned(returned)) = end(&ending(timeout, "7", &[back.clone(), others.clone()])) else {
        panic!("it came back");
    };
    assert_eq!((returned.denom.as_str(), returned.amount.to_string()), ("l2/df41", "100".to_owned()));
    assert_eq!(returned.cause, ReturnCause::TimedOut);
    assert_eq!(end(&ending(timeout, "8", std::slice::from_ref(&back))), None, "another packet");
    assert_eq!(end(&ending(timeout, "7", &[others])), None, "nothing came back to the sender");
    let settled = event("acknowledge_packet", &[]);
    assert_eq!(end(&ending(acknowledgement, "7", std::slice::from_ref(&settled))), Some(PacketEnd::Acknowledged));
    assert_eq!(end(&ending(acknowledgement, "7", &[])), None, "it was settled before");
    let refused = event("fungible_token_packet", &[("error", "no such\u{1b}[2J denom")]);
    let Some(PacketEnd::Returned(returned)) = end(&ending(acknowledgement, "7", &[settled, refused, back])) else {
        panic!("it came back");
    };
    assert_eq!(returned.cause, ReturnCause::Refused("no such denom".to_owned()));
}

#[test]
fn a_deposit_whose_hook_failed_is_credited_as_it_lies_there() {
    let deposit = |recipient: Address, success: &str, amount: &str| {
        let credit = event("coin_received", &[("receiver", &ONE.bech32()), ("amount", "300l2/df41")]);
        let finalized = event(
            "finalize_token_deposit",
            &[
                ("recipient", &recipient.bech32()),
                ("denom", "l2/df41"),
                ("amount", amount),
                ("success", success),
                ("reason", "hook failed; out of gas"),
            ],
        );
        tx(0, "/opinit.opchild.v1.MsgFinalizeTokenDeposit", &[credit, finalized])
    };
    let credit = |tx: &Tx, denom: &str| credit_of_arrival(tx, &ONE.bech32(), &Denom::new(denom), |_| true);
    let failed = deposit(ONE, "false", "300");
    let found = credit(&failed, "evm/2316").expect("it lies there");
    assert_eq!((found.denom.as_str(), found.amount.to_string()), ("l2/df41", "300".to_owned()));
    assert_eq!(found.hook_problem.as_deref(), Some("out of gas"));
    assert!(is_bridge_arrival(&failed));
    for other in [deposit(OTHER, "false", "300"), deposit(ONE, "true", "300"), deposit(ONE, "false", "299")] {
        assert_eq!(credit(&other, "evm/2316"), None, "another's, one that worked, one without its credit");
    }
    let plain = credit(&deposit(ONE, "true", "300"), "l2/df41").expect("what was wanted");
    assert_eq!(plain.hook_problem, None);
    let unfit = credit_of_arrival(&deposit(ONE, "true", "300"), &ONE.bech32(), &Denom::new("l2/df41"), |_| false);
    assert_eq!(unfit, None, "the amount of another");
}
