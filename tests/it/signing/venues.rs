//! Swaps by contracts of `CosmWasm` chains, directly and where a packet arrives; and what is decided of each sample.

use std::{collections::BTreeMap, fs, path::Path};

use rollscope::{
    domain::{Amount, Coin, Denom},
    signing::{FundsEffect, MemoAction, SigningRefusal, SwapContractCall},
};
use serde_json::{Value, json};

use super::{contracts::unknown, guard::Offer};

const ENTRY: &str = "osmo10a3k4hvk37cc4hnxctw4p95fhscd2z6h2rmx0aukc6rm8u9qqx9smfsh7u";
const OSMO: &str = "osmo1x8ad0zyw52mvndh7hlnafrg0gt284ga7syxplu";
const NOBLE: &str = "noble10jr5un2e6jnpyaqqhzsq9j4luu0l4rg5s3qutv";
const INIT: &str = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";
const OTHER: &str = "osmo1vy34lpt5zlj797w7zqdta3qfq834kapx88qtgudy7jgljztj567s73ny82";
const LEAST: &str = "995";

/// A swap of 1,000 USDC for OSMO on Osmosis, and the OSMO on to the L1.
fn steps() -> Value {
    json!([
        {"transfer": {"from_chain_id": "noble-1", "to_chain_id": "osmosis-1", "channel": "channel-1", "port": "transfer",
            "denom_in": "uusdc", "denom_out": "ibc/USDC"}, "tx_index": 0, "amount_in": "1000", "amount_out": "1000"},
        {"swap": {"chain_id": "osmosis-1", "from_chain_id": "osmosis-1", "denom_in": "ibc/USDC", "denom_out": "uosmo",
            "swap_venues": []}, "tx_index": 0, "amount_in": "1000", "amount_out": "1000"},
        {"transfer": {"from_chain_id": "osmosis-1", "to_chain_id": "interwoven-1", "channel": "channel-102129",
            "port": "transfer", "denom_in": "uosmo", "denom_out": "ibc/OSMO"}, "tx_index": 0, "amount_in": "1000",
            "amount_out": "1000"},
    ])
}

fn entry_point() -> Value {
    json!({"swap_and_action": {
        "user_swap": {"swap_exact_asset_in": {"swap_venue_name": "osmosis-poolmanager", "operations": [
            {"pool": "1464", "denom_in": "ibc/USDC", "denom_out": "uosmo", "interface": null}]}},
        "min_asset": {"native": {"denom": "uosmo", "amount": LEAST}},
        "timeout_timestamp": 1_763_720_400_000_000_000_u64,
        "post_swap_action": {"ibc_transfer": {"ibc_info": {"source_channel": "channel-102129", "receiver": INIT,
            "memo": "", "recover_address": OSMO}}},
        "affiliates": [],
    }})
}

fn offer(steps: &Value, addresses: &[&str], message: &Value) -> Offer {
    let first = &steps[0].as_object().and_then(|step| step.values().find(|inner| inner.is_object())).expect("a step");
    let request = json!({"amount_in": "1000", "amount_out": "1000", "operations": steps, "address_list": addresses,
        "source_asset_chain_id": first["from_chain_id"], "source_asset_denom": first["denom_in"],
        "dest_asset_chain_id": "interwoven-1", "dest_asset_denom": "ibc/OSMO"});
    let tx = json!({"cosmos_tx": {"chain_id": first["from_chain_id"], "path": [], "msgs": [message],
        "signer_address": addresses[0]}, "operations_indices": [0]});
    let sample = json!({"request": {"body": request}, "response": {"body": {"msgs": [], "txs": [tx]}}});
    Offer::of_sample(&sample.to_string())
}

/// USDC leaves Noble, and what the contract gets is swapped there.
fn by_packet(receiver: &str, contract: &str, message: &Value) -> Offer {
    let memo = json!({"wasm": {"contract": contract, "msg": message}}).to_string();
    let msg = json!({"source_port": "transfer", "source_channel": "channel-1", "sender": NOBLE, "receiver": receiver,
        "token": {"denom": "uusdc", "amount": "1000"}, "timeout_height": {}, "timeout_timestamp": 1_763_720_400_000_000_000_u64, "memo": memo});
    let message = json!({"msg": msg.to_string(), "msg_type_url": "/ibc.applications.transfer.v1.MsgTransfer"});
    offer(&steps(), &[NOBLE, OSMO, INIT], &message)
}

/// A swap that begins on Osmosis itself.
fn directly(contract: &str, message: &Value, amount: &str) -> Offer {
    let funds = json!([{"denom": "ibc/USDC", "amount": amount}]);
    let msg = json!({"sender": OSMO, "contract": contract, "msg": message, "funds": funds});
    let message = json!({"msg": msg.to_string(), "msg_type_url": "/cosmwasm.wasm.v1.MsgExecuteContract"});
    let steps: Vec<Value> = steps().as_array().expect("a list")[1..].to_vec();
    offer(&json!(steps), &[OSMO, INIT], &message)
}

#[test]
fn a_swap_is_decoded_compared_and_its_contract_known_in_both_ways() {
    let least = Coin { denom: Denom::new("uosmo"), amount: Amount::from(995) };
    let ready = directly(ENTRY, &entry_point(), "1000").compare().unwrap();
    let FundsEffect::VenueSwap { sold: Some(sold), least: found, after, .. } = &ready[0].effects[0] else {
        panic!("{ready:?}")
    };
    assert_eq!((sold.amount, found), (Amount::from(1000), &least));
    assert!(matches!(after, SwapContractCall::Packet { receiver, .. } if receiver == INIT));
    assert_eq!((ready[0].contracts.len(), unknown(&ready[0]).count()), (1, 0));
    let ready = by_packet(ENTRY, ENTRY, &entry_point()).compare().unwrap();
    let FundsEffect::Packet { onward: MemoAction::Call { effect, .. }, .. } = &ready[0].effects[0] else {
        panic!("{ready:?}")
    };
    assert!(matches!(effect.as_ref(), FundsEffect::VenueSwap { sold: None, .. }));
    assert_eq!((ready[0].contracts.len(), unknown(&ready[0]).count()), (1, 0));
    assert_eq!(ready[0].contracts[0].chain_id.as_str(), "osmosis-1");
    for swapped in [directly(OTHER, &entry_point(), "1000"), by_packet(OTHER, OTHER, &entry_point())] {
        assert_eq!(unknown(&swapped.compare().unwrap()[0]).count(), 1, "a router's own contract");
    }
}

#[test]
fn each_lie_in_a_swap_is_refused() {
    type Check = fn(&SigningRefusal) -> bool;
    let receiver: Check = |refusal| matches!(refusal, SigningRefusal::Receiver { .. });
    let unread: Check = |refusal| matches!(refusal, SigningRefusal::Undecodable(_));
    let info = "/swap_and_action/post_swap_action/ibc_transfer/ibc_info";
    let lies: [(&str, Value, Check); 8] = [
        ("/swap_and_action/min_asset/native/amount", json!("994"), |it| {
            matches!(it, SigningRefusal::MinimumBelow { .. })
        }),
        ("/swap_and_action/min_asset/native/denom", json!("ufake"), |it| {
            matches!(it, SigningRefusal::SourceAsset { .. })
        }),
        (&format!("{info}/receiver"), json!("init1dvl455wwqnkjs9gj5hpxqqvt3c8l8jatuqrggy"), receiver),
        (&format!("{info}/recover_address"), json!(OTHER), receiver),
        (&format!("{info}/source_channel"), json!("channel-9"), |it| matches!(it, SigningRefusal::Step { .. })),
        (&format!("{info}/memo"), json!(r#"{"wasm":{"contract":"c","msg":{}}}"#), unread),
        ("/swap_and_action/affiliates", json!([{"address": OTHER, "basis_points_fee": "9000"}]), unread),
        ("/swap_and_action/user_swap", json!({"swap_exact_asset_out": {"refund_address": OTHER}}), unread),
    ];
    for (pointer, lie, check) in lies {
        let mut message = entry_point();
        *message.pointer_mut(pointer).unwrap() = lie;
        for offer in [directly(ENTRY, &message, "1000"), by_packet(ENTRY, ENTRY, &message)] {
            let refusal = offer.compare().expect_err(pointer);
            assert!(check(&refusal), "{pointer}: {refusal}");
        }
    }
    let refusal = directly(ENTRY, &entry_point(), "1001").compare().unwrap_err();
    assert!(matches!(refusal, SigningRefusal::AmountAbove { .. }), "{refusal}");
    let refusal = by_packet(OSMO, ENTRY, &entry_point()).compare().unwrap_err();
    assert!(matches!(refusal, SigningRefusal::Step { .. }), "the contract would have nothing to sell: {refusal}");
}

/// What is decided of a sample.
#[derive(Debug)]
enum Decision {
    /// Ready, and every contract in it known.
    Ready,
    /// Not offered, by this name.
    Unread(&'static str),
}

/// The samples of messages: the fixtures, and those that may not be copied.
fn samples() -> Vec<(String, String)> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/router");
    let shared = crate::harness::more_records().map(|shared| shared.join("wire/samples/router"));
    let paths = [Some(own), shared].into_iter().flatten().flat_map(|folder| fs::read_dir(folder).into_iter().flatten());
    let mut samples = BTreeMap::new();
    for path in paths.flatten().map(|entry| entry.path()) {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with("msgs-") && !name.contains("error") {
            samples.insert(name, fs::read_to_string(&path).unwrap_or_default());
        }
    }
    samples.into_iter().collect()
}

#[test]
fn every_sample_of_messages_has_its_decision() {
    let decisions = [
        ("msgs-gas-warning-composed", Decision::Ready),
        ("msgs-op-deposit-with-hook-cosmos-tx-composed", Decision::Ready),
        ("msgs-op-withdraw-cosmos-tx-composed", Decision::Ready),
        ("msgs-ibc-multihop-cosmos-tx-composed", Decision::Ready),
        ("msgs-swap-move-execute-cosmos-tx-composed", Decision::Ready),
        // Composed with selectors of no function that is published, and shorter than the real calls.
        (
            "msgs-cctp-evm-tx-composed",
            Decision::Unread("a call of 0xcbb12ff8 at 0x3333333333333333333333333333333333333333"),
        ),
        (
            "msgs-layerzero-evm-tx-composed",
            Decision::Unread("a call of 0x6a5282d0 at 0x66a503a1060AB3f2B1AAaBeD613fe30BAbbC1bDE"),
        ),
        // The entry point of an earlier version.
        (
            "msgs-ibc-swap-cosmos-tx",
            Decision::Unread(
                "a memo that asks for swap_with_action of osmo1qpvu80yfd0jnnh3ytn8964382typrqq0ejmqaasa3j233su8apasfqtler",
            ),
        ),
    ];
    let samples = samples();
    assert!(samples.len() >= 7, "the fixtures are there");
    for (name, sample) in samples {
        let decision = decisions.iter().find(|(known, _)| *known == name).map(|(_, decision)| decision);
        match (decision, Offer::of_sample(&sample).compare()) {
            (Some(Decision::Ready), Ok(ready)) => {
                assert!(ready.iter().all(|tx| unknown(tx).next().is_none()), "{name}: {ready:?}");
            }
            (Some(Decision::Unread(what)), Err(refusal @ SigningRefusal::Undecodable(_))) => {
                assert!(refusal.to_string().contains(what), "{name}: {refusal}");
            }
            (decision, found) => panic!("{name}: {decision:?}, not {found:?}"),
        }
    }
}
