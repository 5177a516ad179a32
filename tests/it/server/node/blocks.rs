//! Blocks and transactions by RPC and REST.

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::domain::Vm;
use rstest::rstest;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{HISTORY, all, rest, rpc, start, text};
use crate::server::client::Server;

/// Names and values, and whether the node finds transactions by them.
type Attributes = Vec<(String, String, bool)>;

/// Events with their attributes in one order of fields.
fn events(value: &Value) -> Vec<(String, Attributes)> {
    let attribute = |one: &Value| {
        (text(one, "key").to_owned(), text(one, "value").to_owned(), one["index"].as_bool().expect("a boolean"))
    };
    let attributes = |event: &Value| {
        event["attributes"].as_array().map_or_else(Vec::new, |list| list.iter().map(attribute).collect())
    };
    let list = value.as_array().expect("a list of events");
    list.iter().map(|event| (text(event, "type").to_owned(), attributes(event))).collect()
}

/// The bytes of a block's transactions, their results, and their JSON.
async fn parts(server: &Server, height: u64) -> Vec<(Vec<u8>, Value, Value)> {
    let block = rpc(server, &format!("block?height={height}")).await;
    let results = rpc(server, &format!("block_results?height={height}")).await;
    let raw = block["block"]["data"]["txs"].as_array().expect("a list").clone();
    if raw.is_empty() {
        assert_eq!(results["txs_results"], Value::Null);
        return Vec::new();
    }
    let mut bodies = Vec::new();
    while bodies.len() < raw.len() {
        let path =
            format!("/cosmos/tx/v1beta1/txs/block/{height}?pagination.limit=100&pagination.offset={}", bodies.len());
        let page = rest(server, &path).await;
        assert_eq!(
            (&page["pagination"]["next_key"], text(&page["pagination"], "total")),
            (&Value::Null, &*raw.len().to_string())
        );
        let txs = page["txs"].as_array().expect("a list");
        assert!(!txs.is_empty() && txs.len() <= 100);
        bodies.extend(txs.iter().cloned());
    }
    let results = results["txs_results"].as_array().expect("a list").clone();
    assert_eq!((results.len(), bodies.len()), (raw.len(), raw.len()));
    let bytes = raw.iter().map(|tx| BASE64_STANDARD.decode(tx.as_str().expect("a text")).expect("base64"));
    bytes.zip(results).zip(bodies).map(|((bytes, result), body)| (bytes, result, body)).collect()
}

#[rstest]
#[case(Vm::Evm)]
#[case(Vm::Move)]
#[case(Vm::Wasm)]
#[tokio::test]
async fn every_field_of_every_transaction_is_the_one_that_the_index_has(#[case] vm: Vm) {
    let server = start(vm, HISTORY);
    let records = all(&server, "/indexer/tx/v1/txs", "txs").await;
    let mut records = records.iter();
    for height in 1..=HISTORY {
        for (bytes, result, body) in parts(&server, height).await {
            let record = records.next().expect("the index has as many");
            assert_eq!(
                text(record, "txhash"),
                hex::encode_upper(Sha256::digest(&bytes)),
                "the hash is that of the bytes"
            );
            assert_eq!(record["height"], json!(height.to_string()));
            for name in ["code", "info", "codespace", "gas_wanted", "gas_used"] {
                assert_eq!(record[name], result[name], "{name}");
            }
            assert_eq!(record["raw_log"], result["log"]);
            let data =
                result["data"].as_str().map_or_else(Vec::new, |data| BASE64_STANDARD.decode(data).expect("base64"));
            assert_eq!(text(record, "data"), hex::encode_upper(data));
            assert_eq!(record["tx"], body);
            assert_eq!(events(&record["events"]), events(&result["events"]));
        }
    }
    assert_eq!(records.next(), None, "the node has as many");
}

#[rstest]
#[case(Vm::Evm)]
#[case(Vm::Move)]
#[case(Vm::Wasm)]
#[tokio::test]
async fn headers_name_each_other_and_agree_with_the_block_records(#[case] vm: Vm) {
    let server = start(vm, HISTORY);
    let status = rpc(&server, "status").await;
    let sync = &status["sync_info"];
    assert_eq!((text(sync, "latest_block_height"), text(sync, "earliest_block_height")), (&*HISTORY.to_string(), "1"));
    assert_eq!(sync["catching_up"], false);
    let records = all(&server, "/indexer/block/v1/blocks", "blocks").await;
    let validators = rest(&server, "/opinit/opchild/v1/validators").await;
    let page = rpc(&server, "blockchain?minHeight=1&maxHeight=1000").await;
    let metas = page["block_metas"].as_array().expect("a list");
    let heights: Vec<u64> =
        metas.iter().map(|meta| text(&meta["header"], "height").parse().expect("a number")).collect();
    assert_eq!(heights, (HISTORY - 19..=HISTORY).rev().collect::<Vec<_>>(), "20 headers, the newest first");
    let mut previous = String::new();
    for record in &records {
        let height: u64 = text(record, "height").parse().expect("a number");
        let block = rpc(&server, &format!("block?height={height}")).await;
        let header = &block["block"]["header"];
        assert_eq!(text(header, "chain_id"), text(record, "chain_id"));
        assert_eq!(text(&block["block_id"], "hash"), text(record, "hash"));
        assert_eq!(text(&header["last_block_id"], "hash"), previous);
        text(record, "hash").clone_into(&mut previous);
        assert_eq!(text(header, "time")[..19], text(record, "timestamp")[..19]);
        let consensus_address = |validator: &&Value| {
            let key = BASE64_STANDARD.decode(text(&validator["consensus_pubkey"], "key")).expect("base64");
            hex::encode_upper(&Sha256::digest(key)[..20]) == text(header, "proposer_address")
        };
        let mut known = validators["validators"].as_array().expect("a list").iter();
        let validator = known.find(consensus_address).expect("the validator is known");
        for field in ["moniker", "operator_address"] {
            assert_eq!(validator[field], record["proposer"][field]);
        }
        assert_eq!(record["proposer"]["consensus_address"], header["proposer_address"]);
        assert_eq!(block["block"]["data"]["txs"].as_array().map(Vec::len), text(record, "tx_count").parse().ok());
        if let Some(meta) = metas.iter().find(|meta| meta["header"]["height"] == header["height"]) {
            assert_eq!(meta["header"], *header);
            assert_eq!(meta["num_txs"], record["tx_count"]);
        }
        // REST says the same with bytes in base64.
        let other = rest(&server, &format!("/cosmos/base/tendermint/v1beta1/blocks/{height}")).await;
        let hash = BASE64_STANDARD.decode(text(&other["block_id"], "hash")).expect("base64");
        assert_eq!(hex::encode_upper(hash), previous);
        assert_eq!(other["block"]["data"], block["block"]["data"]);
    }
    assert_eq!(records.len() as u64, HISTORY);
}

#[tokio::test]
async fn questions_by_address_and_by_json_have_one_answer() {
    let server = start(Vm::Evm, 10);
    let record = &all(&server, "/indexer/tx/v1/txs", "txs").await[2];
    let hash = text(record, "txhash").to_owned();
    let bytes = BASE64_STANDARD.encode(hex::decode(&hash).expect("hex"));
    let search = format!("tx_search?query=%22tx.hash%3D%27{hash}%27%22");
    for (address, method, params) in [
        ("status", "status", json!({})),
        ("block?height=4", "block", json!({ "height": "4" })),
        ("block", "block", json!([])),
        ("block_results?height=3", "block_results", json!(["3"])),
        ("blockchain?minHeight=2&maxHeight=5", "blockchain", json!({ "minHeight": "2", "maxHeight": "5" })),
        (&format!("tx?hash=0x{hash}"), "tx", json!({ "hash": bytes })),
        (&search, "tx_search", json!({ "query": format!("tx.hash='{hash}'"), "page": "1", "per_page": "100" })),
        ("abci_info", "abci_info", json!({})),
        ("health", "health", json!({})),
        ("validators?height=3", "validators", json!({ "height": "3" })),
        ("commit?height=3", "commit", json!({ "height": "3" })),
        ("header?height=3", "header", json!({ "height": "3" })),
    ] {
        let by_address = rpc(&server, address).await;
        let question = json!({ "jsonrpc": "2.0", "id": 123, "method": method, "params": params });
        let by_json = server.post("/node/rpc", &question).await.json();
        assert_eq!((&by_json["id"], &by_json["result"]), (&json!(123), &by_address), "{address}");
    }
    let found = rpc(&server, &format!("tx?hash=0x{hash}")).await;
    assert_eq!((text(&found, "hash"), &found["height"]), (&*hash, &record["height"]));
    let by_rest = rest(&server, &format!("/cosmos/tx/v1beta1/txs/{hash}")).await;
    assert_eq!((&by_rest["tx"], &by_rest["tx_response"]["raw_log"]), (&record["tx"], &record["raw_log"]));
    let several = json!([
        { "jsonrpc": "2.0", "id": 1, "method": "health" },
        { "jsonrpc": "2.0", "id": "two", "method": "nothing" },
    ]);
    let answers = server.post("/node/rpc", &several).await.json();
    assert_eq!((&answers[0]["result"], &answers[1]["id"]), (&json!({}), &json!("two")));
    assert_eq!(answers[1]["error"]["code"], -32_601);
}

#[tokio::test]
async fn what_is_not_there_is_refused_in_the_words_of_a_node() {
    let server = start(Vm::Evm, 10);
    for (question, expected) in [
        ("block?height=11", "height 11 must be less than or equal to the current blockchain height 10"),
        ("block_results?height=99", "height 99 must be less than or equal to the current blockchain height 10"),
        ("block?height=0", "height must be greater than 0"),
        ("tx?hash=0x00", "tx (00) not found"),
    ] {
        let answer = server.get(&format!("/node/rpc/{question}")).await;
        assert_eq!(answer.status, 500, "{question}");
        let json: Value = serde_json::from_str(&answer.text).expect("JSON");
        assert_eq!((&json["error"]["code"], &json["error"]["data"]), (&json!(-32_603), &json!(expected)));
    }
    let invalid = "requested height 11 but height must not be less than 1 or greater than the current height 10";
    for (path, status, code, message) in [
        ("/initia/move/v1/params", 501, 12, "Not Implemented".to_owned()),
        ("/cosmwasm/wasm/v1/codes/params", 501, 12, "Not Implemented".to_owned()),
        ("/cosmos/tx/v1beta1/txs/block/11", 400, 2, format!("codespace sdk code 26: invalid height: {invalid}")),
        (
            "/cosmos/tx/v1beta1/txs/block/5?pagination.offset=1000",
            400,
            2,
            "codespace sdk code 18: invalid request: out of range: cannot paginate".to_owned(),
        ),
        ("/cosmos/bank/v1beta1/balances/nobody", 400, 3, "invalid address: decoding bech32 failed: nobody".to_owned()),
        (
            "/cosmos/auth/v1beta1/accounts/init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d",
            404,
            5,
            "account init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d not found".to_owned(),
        ),
    ] {
        let answer = server.get(&format!("/node/rest{path}")).await;
        let json: Value = serde_json::from_str(&answer.text).expect("JSON");
        assert_eq!((answer.status, &json["code"], &json["details"]), (status, &json!(code), &json!([])), "{path}");
        assert!(text(&json, "message").starts_with(&message), "{path}: {json}");
    }
    for path in ["/node", "/node/", "/node/grpc", "/node/rpcs/status"] {
        assert_eq!(server.get(path).await.status, 404, "{path}");
    }
    let described = server.json("/demo/v1").await;
    assert_eq!(described["node"], json!({ "rpc": "/node/rpc", "rest": "/node/rest", "json_rpc": "/node/json-rpc" }));
}
