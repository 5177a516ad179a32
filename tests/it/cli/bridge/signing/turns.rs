//! Several transactions in a row: one page, one yes after the other, each when its turn comes.

use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{
    AtNode, RECORDED, Signing,
    hook::{sign, sign_next, until_ended},
    kept_in, node_answer, own_networks,
};
use crate::{
    cli::{
        bridge::{Chain, Home, file, fixture},
        parse,
    },
    harness::replay::{Answer, Seen},
    signing_page::{access::Visitor, wallet::TestKey},
};

/// Source transaction of the recorded status.
const RECORDED_TX: &str = "62DBC8BF5953B7021105C0D86637FBD1B6F58803CAAC78D9187EF529F8C97235";
const AMOUNT: &str = "15000000";
const ON_ROLLUP: &str = "l2/2b2d36f666e98b9eecf70d6ec24b882b79f2c8e2af73f54f97b8b670dbb87605";

/// To a rollup and back to where it came from: two transactions, on two chains.
pub(crate) fn route_and_messages(me: &str) -> (String, String) {
    let mut deposit = parse(&fixture("msgs-gas-warning-composed").replace(RECORDED, me));
    let withdrawal = fixture("msgs-op-withdraw-cosmos-tx-composed").replace(RECORDED, me).replace("40000000", AMOUNT);
    let mut second = parse(&withdrawal)["txs"][0].clone();
    second["operations_indices"] = json!([1]);
    if let Some(txs) = deposit["txs"].as_array_mut() {
        txs.push(second);
    }
    deposit["msgs"] = json!([]);
    let step = |from: &str, to: &str, denoms: [&str; 2], tx_index: u32| {
        json!({"op_init_transfer": {"from_chain_id": from, "to_chain_id": to, "denom_in": denoms[0],
            "denom_out": denoms[1], "op_init_bridge_id": "12", "bridge_id": "OPINIT", "smart_relay": false},
            "tx_index": tx_index, "amount_in": AMOUNT, "amount_out": AMOUNT})
    };
    let chains = json!(["interwoven-1", "civitia-1", "interwoven-1"]);
    let mut route = parse(&fixture("route-op-withdraw-composed"));
    for (name, value) in [
        ("source_asset_chain_id", json!("interwoven-1")),
        ("source_asset_denom", json!("uinit")),
        ("amount_in", json!(AMOUNT)),
        ("amount_out", json!(AMOUNT)),
        ("estimated_amount_out", json!(AMOUNT)),
        ("chain_ids", chains.clone()),
        ("required_chain_addresses", chains),
        ("txs_required", json!(2)),
        ("extra_warnings", json!([])),
    ] {
        route[name] = value;
    }
    route["operations"] = json!([
        step("interwoven-1", "civitia-1", ["uinit", ON_ROLLUP], 0),
        step("civitia-1", "interwoven-1", [ON_ROLLUP, "uinit"], 1),
    ]);
    (route.to_string(), deposit.to_string())
}

/// What the router answers, and the nodes of its chains.
pub(crate) fn answer(seen: &Seen, base: &str, messages: &str, node: &AtNode) -> Answer {
    let json = |value: &Value| Answer::json(value.to_string());
    match seen.target.split('?').next().unwrap_or_default() {
        "/v2/fungible/msgs" => Answer::json(messages),
        "/v2/info/chains" => {
            let chain = |id: &str| json!({"chain_id": id, "chain_type": "cosmos", "bech32_prefix": "init", "rest": format!("{base}/rest")});
            json(&json!({"chains": [chain("civitia-1"), chain("interwoven-1")]}))
        }
        "/v2/tx/track" => json(&json!({"tx_hash": parse(&seen.body)["tx_hash"], "explorer_link": ""})),
        "/v2/tx/status" => {
            let named = seen.target.split('&').find_map(|part| part.split("tx_hash=").nth(1)).expect("a hash");
            let status = fixture("status-op-deposit-completed-composed").replace("yominet-1", "civitia-1");
            let status = status.replace("evm/856aB2c9F35B9187aB3eB0Fcd11DCc6160427e96", ON_ROLLUP);
            Answer::json(status.replace("5000000000000000000", AMOUNT).replace(RECORDED_TX, named))
        }
        _ => node_answer(seen, node),
    }
}

struct World {
    router: Chain,
    home: Home,
    arguments: String,
}

impl World {
    fn new(key: &TestKey) -> Self {
        let me = key.bech32("init");
        let (route, messages) = route_and_messages(&me);
        let url: Arc<OnceLock<String>> = Arc::default();
        let known = Arc::clone(&url);
        let router = Chain::scripted(move |seen| {
            answer(seen, known.get().map(String::as_str).unwrap_or_default(), &messages, &AtNode::Takes)
        });
        drop(url.set(router.url().to_owned()));
        let home = Home::with_config(&own_networks(""));
        let route = file(&home, "route.json", &route);
        let addresses = format!("--address interwoven-1={me} --address civitia-1={me} --address interwoven-1={me}");
        let arguments = format!("msgs --route {route} {addresses} --sign --accept-wait --router {}", router.url());
        Self { router, home, arguments }
    }
}

#[test]
fn the_second_is_offered_on_the_same_page_when_the_first_has_arrived() {
    let key = TestKey::new(32);
    let runtime = Runtime::new().unwrap();
    let world = World::new(&key);
    let mut signing = Signing::start(&world.home, &world.arguments);
    let address = signing.hear("one-time address in your browser to sign: ").trim().to_owned();
    let documents = runtime.block_on(async {
        let visitor = Visitor::opening(&address).await;
        let mut seen = 0;
        let first = sign_next(&visitor, &mut seen, &key).await;
        let second = sign_next(&visitor, &mut seen, &key).await;
        until_ended(&visitor, seen).await;
        [first, second]
    });
    assert_eq!(documents.map(|it| it["chain_id"].clone()), [json!("interwoven-1"), json!("civitia-1")]);
    let (status, out, err) = signing.end();
    assert_eq!(status, Some(0), "{err}");
    let chains: Vec<Value> = out.lines().map(|line| parse(line)["chain_id"].clone()).collect();
    assert_eq!(chains, [json!("interwoven-1"), json!("civitia-1")]);
    assert!(err.contains("transaction 1 of 2") && err.contains("transaction 2 of 2"), "{err}");
    let kept = kept_in(&world.home, world.router.url());
    assert_eq!((kept.len(), kept[0].txs.len()), (1, 2), "one transfer of two transactions");
}

#[test]
fn a_page_that_is_closed_before_the_second_says_how_to_go_on() {
    let key = TestKey::new(33);
    let runtime = Runtime::new().unwrap();
    let world = World::new(&key);
    let mut signing = Signing::start(&world.home, &world.arguments);
    let address = signing.hear("one-time address in your browser to sign: ").trim().to_owned();
    runtime.block_on(async {
        let visitor = Visitor::opening(&address).await;
        let mut seen = 0;
        sign_next(&visitor, &mut seen, &key).await;
        loop {
            let state = visitor.next(seen).await;
            seen = state["version"].as_u64().unwrap_or_default();
            if state["stage"]["words"].to_string().contains("transaction 2 of 2") {
                break;
            }
        }
        visitor.post("/sign/event", &json!({"kind": "closed"}), &[]).await;
    });
    let (status, _, err) = signing.end();
    assert_eq!(status, Some(1), "{err}");
    assert!(err.contains("you closed the page in the browser") && err.contains("--tx 1"), "{err}");
    let mut signing = Signing::start(&world.home, &format!("{} --tx 1", world.arguments));
    sign(&runtime, &mut signing, &key);
    assert_eq!(signing.end().0, Some(0));
    let kept = kept_in(&world.home, world.router.url());
    assert_eq!((kept.len(), kept[0].txs.len()), (1, 2), "the same transfer went on");
}
