//! Every answer of every route, on each machine and in both modes, is as `/swagger/doc.json` describes it.

use std::collections::BTreeSet;

use rollscope::domain::Vm;
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    super::{
        client::{Answer, Mode, Server, escape},
        state::{ledger_on, server_on},
    },
    DOCUMENT,
    validator::Definitions,
};

const BLOCKS: u64 = 60;

/// A document, with what of it was seen served.
struct Held<'a> {
    server: &'a Server,
    document: Value,
    definitions: Definitions,
    seen: BTreeSet<(String, u16)>,
}

impl<'a> Held<'a> {
    async fn against(server: &'a Server) -> Self {
        let document = server.json(DOCUMENT).await;
        let definitions = Definitions::of(&document);
        Self { server, document, definitions, seen: BTreeSet::new() }
    }

    /// Holds an answer against what is said of its status.
    #[track_caller]
    fn check(&mut self, path: &str, verb: &str, asked: &str, answer: &Answer) -> Value {
        let operation = &self.document["paths"][path][verb];
        assert!(operation.is_object(), "{verb} {path} is not described");
        let described = &operation["responses"][answer.status.to_string()];
        assert!(described.is_object(), "{verb} {asked}: {} is not described: {}", answer.status, answer.text);
        let media = answer.content_type.split(';').next().unwrap_or_default();
        assert!(
            operation["produces"].as_array().expect("the form is known").contains(&json!(media)),
            "{asked}: {media}"
        );
        let expected = described
            .get("x-content-type")
            .map_or("application/json", |media| media.as_str().expect("the form is known"));
        assert_eq!(media, expected, "{asked}: {}", answer.text);
        let value = if media == "application/json" {
            serde_json::from_str(&answer.text).expect("the form is known")
        } else {
            json!(answer.text)
        };
        let faults = self.definitions.faults(&described["schema"], &value);
        assert!(faults.is_empty(), "{verb} {asked} ({}):\n{}", answer.status, faults.join("\n"));
        self.seen.insert((path.to_owned(), answer.status));
        value
    }

    async fn get(&mut self, path: &str, asked: &str) -> Value {
        let answer = self.server.get(asked).await;
        self.check(path, "get", asked, &answer)
    }

    async fn post(&mut self, path: &str, body: &Value) -> (u16, Value) {
        let answer = self.server.post(path, body).await;
        let status = answer.status;
        (status, self.check(path, "post", path, &answer))
    }
}

/// Values for the parameters of a path: good ones, unknown ones and bad ones.
fn values(vm: Vm, name: &str, is_evm: bool, known: &Known) -> Vec<String> {
    let unknown = "AB".repeat(32);
    match name {
        "height" => ["7", "60", "999999", "0", "x"].map(str::to_owned).to_vec(),
        "account" => vec![known.account.clone(), "0x1".to_owned(), "no-address".to_owned()],
        "name" => vec!["a".to_owned(), "zzzz".to_owned()],
        "collection_addr" => vec![known.collection.clone(), "0x77".to_owned(), "zz".to_owned()],
        "side" => ["sent", "received", "up"].map(str::to_owned).to_vec(),
        "port" => vec!["transfer".to_owned()],
        "channel" => vec!["channel-0".to_owned()],
        "sequence" => ["1", "999999", "0", "x"].map(str::to_owned).to_vec(),
        "token_id" => vec![known.token_id.clone(), "nothing".to_owned()],
        "denom" => {
            let mut denoms = known.denoms.clone();
            denoms.push("unknown".to_owned());
            if vm == Vm::Evm {
                denoms.push("0x1111111111111111111111111111111111111111".to_owned());
            }
            denoms
        }
        "tx_hash" => {
            let hashes = if is_evm { &known.evm_hashes } else { &known.hashes };
            hashes.iter().cloned().chain([unknown, "zz".to_owned()]).collect()
        }
        _ => panic!("what is {name}?"),
    }
}

/// What the chain holds.
struct Known {
    account: String,
    collection: String,
    token_id: String,
    denoms: Vec<String>,
    hashes: Vec<String>,
    evm_hashes: Vec<String>,
}

async fn known(vm: Vm, server: &Server) -> Known {
    let ledger = ledger_on(vm, BLOCKS);
    let nft = &ledger.nfts()[0];
    let texts = |page: Value, field: &str| -> Vec<String> {
        page["txs"]
            .as_array()
            .expect("the form is known")
            .iter()
            .map(|tx| tx[field].as_str().expect("the form is known").to_owned())
            .collect()
    };
    let txs = server.json("/indexer/tx/v1/txs?pagination.limit=5").await;
    let evm_hashes = if vm == Vm::Evm {
        texts(server.json("/indexer/tx/v1/evm-txs?pagination.limit=5").await, "transactionHash")
    } else {
        Vec::new()
    };
    Known {
        account: nft.owner.hex(),
        collection: nft.collection.hex(),
        token_id: nft.token_id.clone(),
        denoms: ledger.tokens().iter().map(|token| token.denom.to_string().replace('/', "%2F")).collect(),
        hashes: texts(txs, "txhash"),
        evm_hashes,
    }
}

/// Every way to fill in the parameters of a path.
fn filled(vm: Vm, path: &str, known: &Known) -> Vec<String> {
    let mut paths = vec![path.to_owned()];
    for part in path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
        let values = values(vm, part, path.contains("evm-"), known);
        let with = |path: &String| -> Vec<String> {
            values.iter().map(|value| path.replace(&format!("{{{part}}}"), value)).collect()
        };
        paths = paths.iter().flat_map(with).collect();
    }
    paths
}

const QUERIES: [&str; 9] = [
    "",
    "pagination.limit=1000",
    "pagination.limit=3&pagination.reverse=false",
    "pagination.offset=2&pagination.limit=2",
    "pagination.offset=100000",
    "pagination.count_total=false&pagination.limit=2",
    "pagination.key=e30%3D&pagination.limit=2",
    "pagination.limit=0",
    "pagination.key=zz&order_by=nothing",
];

#[rstest]
#[tokio::test]
async fn of_the_index(
    #[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm,
    #[values(Mode::Specified, Mode::Quirks)] mode: Mode,
) {
    let server = server_on(vm, mode, BLOCKS, 0);
    let known = known(vm, &server).await;
    let mut held = Held::against(&server).await;
    let paths: Vec<String> = held.document["paths"].as_object().expect("the form is known").keys().cloned().collect();
    for path in paths.iter().filter(|path| path.starts_with("/indexer/") || *path == "/status") {
        for asked in filled(vm, path, &known) {
            for query in QUERIES {
                let answer = held.get(path, &format!("{asked}?{query}")).await;
                // The next page, by its key.
                if let Some(key) = answer["pagination"]["next_key"].as_str() {
                    held.get(path, &format!("{asked}?pagination.limit=2&pagination.key={}", escape(key))).await;
                }
            }
        }
        assert!(held.seen.contains(&(path.clone(), 200)), "{path} was never served");
    }
}

#[rstest]
#[tokio::test]
async fn of_the_router(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let server = server_on(vm, Mode::Specified, BLOCKS, 0);
    let mut held = Held::against(&server).await;
    for path in ["/v2/info/chains", "/v2/info/bridges", "/v2/fungible/assets", "/v2/fungible/venues"] {
        held.get(path, path).await;
        let answer = held.server.post(path, &json!({})).await;
        assert_eq!(held.check(path, "get", path, &answer)["code"], 12, "{path} with another method");
    }
    held.get("/v2/tx/status", "/v2/tx/status?tx_hash=AB&chain_id=nowhere").await;
    held.get("/v2/tx/status", "/v2/tx/status").await;
    for path in
        ["/v2/fungible/route", "/op-hook", "/v2/fungible/msgs", "/v2/tx/track", "/v2/tx/retry_track", "/v2/tx/submit"]
    {
        assert_eq!(held.post(path, &json!({"amount_in": "x"})).await.0, 400, "{path}");
    }
    let wallet = server.json("/demo/v1").await["wallet"]["addresses"].clone();
    ask_around(&mut held, &wallet).await;
    let assets = held.get("/v2/fungible/assets", "/v2/fungible/assets").await;
    let assets: Vec<Value> = assets["chain_to_assets_map"]
        .as_object()
        .expect("the form is known")
        .values()
        .flat_map(|chain| chain["assets"].as_array().expect("the form is known").clone())
        .collect();
    let mut kinds = BTreeSet::new();
    let mut sent = Vec::new();
    for (number, (from, to)) in assets.iter().flat_map(|from| assets.iter().map(move |to| (from, to))).enumerate() {
        // Not all pairs: their number grows by the square.
        if number % 7 != 0 && from["chain_id"] != "31337" {
            continue;
        }
        let route = route(&mut held, from, to, number).await;
        let Some(route) = route else { continue };
        for operation in route["operations"].as_array().expect("the form is known") {
            kinds.extend(operation.as_object().expect("the form is known").keys().cloned());
        }
        if number % 3 == 0 && sent.len() < 12 {
            sent.extend(send(&mut held, &route, &wallet).await);
        }
    }
    for kind in ["transfer", "swap", "op_init_transfer", "cctp_transfer", "go_fast_transfer"] {
        assert!(kinds.contains(kind), "no route was made of {kind}: {kinds:?}");
    }
    watch(&mut held, &sent).await;
}

/// Asks for balances, for what assets are elsewhere, and for a route with its messages at once.
async fn ask_around(held: &mut Held<'_>, wallet: &Value) {
    let l1 = wallet["interwoven-1"].clone();
    let here = held.server.json("/demo/v1").await["chain_id"].as_str().expect("the form is known").to_owned();
    let init = json!({ "source_asset_chain_id": "interwoven-1", "source_asset_denom": "uinit" });
    let with = |extra: Value| {
        let mut body = init.clone();
        for (name, value) in extra.as_object().expect("the form is known") {
            body[name] = value.clone();
        }
        body
    };
    let known = json!({ "address": l1, "denoms": ["uinit", "unknown"] });
    let chains = json!({ "interwoven-1": known, (here.as_str()): { "address": wallet[&here] } });
    let usdc = "ibc/6490A7EAB61059BFC1CDDEB05917DD70BDF3A611654162A1A47DB930D40D8AF4";
    let swap = json!({
        "amount_in": "1000000", "dest_asset_chain_id": "interwoven-1", "dest_asset_denom": usdc,
        "chain_ids_to_addresses": { "interwoven-1": l1 },
    });
    let (nowhere, assets) = (
        json!({ "chains": { "nowhere-1": { "address": "x" } } }),
        json!([{ "chain_id": "31337", "denom": "unknown" }]),
    );
    let queries = json!([with(json!({ "dest_chain_id": here })), with(json!({ "dest_chain_id": "nowhere-1" }))]);
    for (path, body, status) in [
        ("/v2/info/balances", json!({ "chains": chains }), 200),
        ("/v2/info/balances", nowhere, 404),
        ("/v2/info/balances", json!({ "chains": [] }), 400),
        ("/v2/fungible/recommend_assets", json!({ "requests": queries }), 200),
        ("/v2/fungible/recommend_assets", json!({ "requests": [5] }), 400),
        ("/v2/fungible/assets_from_source", init.clone(), 200),
        ("/v2/fungible/assets_from_source", with(json!({ "source_asset_denom": "unknown" })), 404),
        ("/v2/fungible/assets_from_source", json!({}), 400),
        ("/v2/fungible/ibc_origin_assets", json!({ "assets": assets }), 200),
        ("/v2/fungible/ibc_origin_assets", json!([]), 400),
        ("/v2/fungible/msgs_direct", with(swap.clone()), 200),
        ("/v2/fungible/msgs_direct", with(json!({ "amount_in": 5 })), 400),
    ] {
        let (found, answer) = held.post(path, &body).await;
        assert_eq!(found, status, "{path}: {answer}");
    }
}

async fn route(held: &mut Held<'_>, from: &Value, to: &Value, number: usize) -> Option<Value> {
    let decimals = from["decimals"].as_u64().unwrap_or(6);
    let mut body = json!({
        "amount_in": format!("25{}", "0".repeat(usize::try_from(decimals).expect("the form is known"))),
        "source_asset_chain_id": from["chain_id"], "source_asset_denom": from["denom"],
        "dest_asset_chain_id": to["chain_id"], "dest_asset_denom": to["denom"],
        "allow_unsafe": true, "allow_multi_tx": number.is_multiple_of(2),
    });
    if number.is_multiple_of(5) {
        body["is_op_withdraw"] = json!(true);
    }
    if number.is_multiple_of(2) {
        body["go_fast"] = json!(true);
    }
    let (status, route) = held.post("/v2/fungible/route", &body).await;
    (status == 200).then_some(route)
}

/// Asks for the messages of a route and has the wallet send them.
async fn send(held: &mut Held<'_>, route: &Value, wallet: &Value) -> Option<Value> {
    let chains = route["required_chain_addresses"].as_array().expect("the form is known");
    let addresses: Vec<&Value> =
        chains.iter().map(|chain| &wallet[chain.as_str().expect("the form is known")]).collect();
    let mut body = json!({ "address_list": addresses, "slippage_tolerance_percent": "1" });
    for name in ["amount_in", "amount_out", "operations", "estimated_amount_out"] {
        body[name] = route[name].clone();
    }
    let mut hook = json!({ "source_address": addresses.first(), "dest_address": addresses.last() });
    for name in ["source_asset_chain_id", "source_asset_denom", "dest_asset_chain_id", "dest_asset_denom"] {
        body[name] = route[name].clone();
        hook[name] = route[name].clone();
    }
    if route["required_op_hook"] == true {
        let (status, hook) = held.post("/op-hook", &hook).await;
        assert_eq!(status, 200, "{hook}");
        body["signed_op_hook"] = held.server.post("/demo/v1/sign", &hook).await.json();
    }
    let (status, msgs) = held.post("/v2/fungible/msgs", &body).await;
    assert_eq!(status, 200, "{msgs}");
    let sent = held.server.post("/demo/v1/broadcast", &json!({ "msgs": msgs, "tx_index": 0 })).await;
    (sent.status == 200).then(|| sent.json())
}

/// Watches what was sent, while every second one fails.
async fn watch(held: &mut Held<'_>, sent: &[Value]) {
    assert!(sent.len() > 5, "the wallet sent something");
    let mut states = BTreeSet::new();
    for round in 0..60 {
        if round == 4 {
            held.server.put_faults("[\"refund=timeout\"]").await;
        }
        if round == 30 {
            held.server.put_faults("[\"abandoned\"]").await;
        }
        for tx in sent {
            let body = json!({"tx_hash": tx["tx_hash"], "chain_id": tx["chain_id"]});
            if round < 8 {
                held.post("/v2/tx/track", &body).await;
            }
            let text = |name: &str| tx[name].as_str().expect("the form is known");
            let asked = format!("/v2/tx/status?tx_hash={}&chain_id={}", text("tx_hash"), text("chain_id"));
            let answer = held.get("/v2/tx/status", &asked).await;
            states.extend(answer["state"].as_str().map(str::to_owned));
        }
        held.server.rollup.step(2).expect("blocks are made");
    }
    assert!(states.len() >= 3, "{states:?}");
}
