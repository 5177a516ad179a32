//! The field names are those of the composed samples; one whole answer for each kind.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use rollscope::wire::router::OpHookRequest;
use serde_json::Value;

use super::*;

type Names = BTreeSet<String>;

fn names(value: &Value) -> Names {
    value.as_object().map(|map| map.keys().cloned().collect()).unwrap_or_default()
}

/// The bodies of the samples whose name starts so.
fn samples(start: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/router");
    let files = fs::read_dir(folder).expect("the samples").map(|entry| entry.expect("a file").path());
    let wanted = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // LayerZero and error bodies are not this router's.
        name.starts_with(start) && !name.contains("layerzero") && !name.contains("error")
    };
    let read = |path: std::path::PathBuf| {
        let file: Value = serde_json::from_str(&fs::read_to_string(path).expect("text")).expect("JSON");
        file["response"]["body"].clone()
    };
    files.filter(wanted).map(read).collect()
}

/// One request of every kind, by name.
fn requests(world: &RouterWorld) -> Vec<(&'static str, RouteRequest)> {
    let rollup = EVM_ROLLUP;
    let of = |symbol, decimals| denom(world, rollup, symbol, decimals);
    let (init, local, usdc, eth) = (of("INIT", 6), of("INIT", 18), of("USDC", 6), of("ETH", 6));
    let eth_there = denom(world, "rollscope-move-1", "ETH", 6);
    let euro = denom(world, L1, "EURC", 6);
    let dollars = (ETHEREUM, USDC_ON_ETHEREUM);
    let slow = RouteRequest { go_fast: Some(false), ..request(dollars, (rollup, &usdc), 500_000_000) };
    let two = request((ETHEREUM, EURC_ON_ETHEREUM), (L1, &euro), 200_000_000);
    vec![
        ("multihop", request((rollup, &eth), ("rollscope-move-1", &eth_there), 1_500_000)),
        ("deposit", request((L1, "uinit"), (rollup, &init), 5_000_000)),
        ("deposit_with_hook", request((L1, "uinit"), (rollup, &local), 5_000_000)),
        (
            "withdrawal",
            RouteRequest { is_op_withdraw: Some(true), ..request((rollup, &init), (L1, "uinit"), 40_000_000) },
        ),
        ("fast_exit", request((rollup, &init), (L1, "uinit"), 40_000_000)),
        ("swap", request((L1, "uinit"), (L1, USDC_ON_L1), 90_000_000_000)),
        ("swap_unpriced", request((L1, "uinit"), (L1, MURK), 100_000_000)),
        ("cctp", slow.clone()),
        ("go_fast", RouteRequest { go_fast: Some(true), ..slow }),
        ("two_transactions", RouteRequest { allow_multi_tx: Some(true), ..two }),
        ("no_duration", request((rollup, &of("INJ", 18)), ("injective-1", "inj"), 1_000_000_000_000_000_000)),
        ("send", request((rollup, &init), (rollup, &init), 5_000_000)),
    ]
}

fn json(route: &Route) -> Value {
    serde_json::to_value(route).expect("JSON")
}

#[test]
fn routes_have_the_field_names_of_the_samples() {
    let world = world(Vm::Evm);
    let mine: Vec<_> = requests(&world).iter().map(|(_, ask)| json(&world.route(ask, now()).unwrap())).collect();
    let theirs = samples("route-");
    assert!(theirs.len() >= 9);
    let top = |routes: &[Value]| routes.iter().flat_map(names).collect::<Names>();
    assert_eq!(top(&mine), top(&theirs));
    let operations = |routes: &[Value]| {
        let mut found: BTreeMap<String, Names> = BTreeMap::new();
        for operation in routes.iter().filter_map(|route| route["operations"].as_array()).flatten() {
            let kind = names(operation).into_iter().find(|name| operation[name].is_object()).unwrap();
            found.entry(kind.clone()).or_default().extend(names(&operation[&kind]));
            found
                .entry("itself".to_owned())
                .or_default()
                .extend(names(operation).into_iter().filter(|name| *name != kind));
        }
        found
    };
    let (ours, sampled) = (operations(&mine), operations(&theirs));
    for kind in ["itself", "transfer", "op_init_transfer", "swap", "cctp_transfer"] {
        assert_eq!(ours.get(kind), sampled.get(kind), "{kind}");
    }
    let fee = |routes: &[Value]| {
        routes.iter().map(|route| names(&route["estimated_fees"][0])).find(|names| !names.is_empty())
    };
    assert_eq!(fee(&mine), fee(&theirs));
}

/// The field names of every message and transaction, by type.
fn message_names(answers: &[Value]) -> BTreeMap<String, Names> {
    let mut found: BTreeMap<String, Names> = BTreeMap::new();
    for tx in answers.iter().filter_map(|answer| answer["txs"].as_array()).flatten() {
        for (name, body) in tx.as_object().expect("an object") {
            found.entry(name.clone()).or_default().extend(names(body));
            for message in body["msgs"].as_array().into_iter().flatten() {
                let url = message["msg_type_url"].as_str().expect("a type");
                let inner: Value = serde_json::from_str(message["msg"].as_str().expect("text")).expect("JSON");
                found.entry(url.to_owned()).or_default().extend(names(&inner));
            }
        }
    }
    found
}

#[test]
fn messages_have_the_field_names_of_the_samples() {
    let world = world(Vm::Evm);
    let answer = |ask: &RouteRequest| {
        let (response, _) = msgs(&world, &world.route(ask, now()).unwrap()).unwrap();
        serde_json::to_value(response).unwrap()
    };
    let mine: Vec<_> = requests(&world).iter().map(|(_, ask)| answer(ask)).collect();
    let theirs = samples("msgs-");
    assert!(theirs.len() >= 5);
    assert_eq!(names(&mine[0]), ["estimated_fees", "min_amount_out", "msgs", "txs"].map(str::to_owned).into());
    let (ours, sampled) = (message_names(&mine), message_names(&theirs));
    for (kind, names) in sampled {
        assert_eq!(ours.get(&kind), Some(&names), "{kind}");
    }
}

#[test]
fn hooks_have_the_field_names_of_the_sample() {
    let world = world(Vm::Evm);
    let wallet = world.rollup().wallet.bech32();
    let hook = world.op_hook(&OpHookRequest {
        source_address: wallet.clone(),
        source_asset_chain_id: ChainId::new(L1),
        source_asset_denom: Denom::new("uinit"),
        dest_address: wallet,
        dest_asset_chain_id: ChainId::new(EVM_ROLLUP),
        dest_asset_denom: Denom::new(denom(&world, EVM_ROLLUP, "INIT", 18)),
    });
    let mine = serde_json::to_value(hook.unwrap()).unwrap();
    let theirs = samples("op-hook-composed").remove(0);
    let message = |hook: &Value| -> Value { serde_json::from_str(hook["hook"][0]["msg"].as_str().unwrap()).unwrap() };
    assert_eq!((names(&mine), names(&mine["hook"][0])), (names(&theirs), names(&theirs["hook"][0])));
    assert_eq!(names(&message(&mine)), names(&message(&theirs)));
}

#[test]
fn one_whole_answer_for_each_kind() {
    let world = RouterWorld::new(Vm::Evm, 7, 10_080);
    for (name, ask) in requests(&world) {
        let route = world.route(&ask, now()).unwrap();
        let (response, plans) = msgs(&world, &route).unwrap();
        let txs = serde_json::to_string_pretty(&response.txs).unwrap();
        let route = serde_json::to_string_pretty(&route).unwrap();
        let plans = serde_json::to_string_pretty(&plans).unwrap();
        insta::assert_snapshot!(name, format!("{route}\n\ntransactions {txs}\n\nplans {plans}"));
    }
}
