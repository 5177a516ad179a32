//! Ethereum's side of the node, held against the receipts and calls of the index.

use rollscope::domain::Vm;
use serde_json::{Value, json};

use super::{HISTORY, all, eth, rest, start, text, wallet};
use crate::server::client::{Server, escape};

fn hex_of(number: u64) -> String {
    format!("{number:#x}")
}

/// A receipt as the indexer API has it: it writes nothing for nobody.
fn as_indexed(mut receipt: Value) -> Value {
    if receipt["to"].is_null() {
        receipt["to"] = json!("");
    }
    receipt
}

/// The frames of a trace in the order of the indexer API, with the place of the frame that called each.
fn frames(frame: &Value, parent: i64, found: &mut Vec<(i64, Value)>) {
    let place = i64::try_from(found.len()).expect("few frames");
    found.push((parent, frame.clone()));
    for call in frame["calls"].as_array().map_or(&[][..], Vec::as_slice) {
        frames(call, place, found);
    }
}

#[tokio::test]
async fn receipts_and_calls_are_those_of_the_index() {
    let server = start(Vm::Evm, HISTORY);
    let records = all(&server, "/indexer/tx/v1/evm-txs", "txs").await;
    let internal = all_internal(&server).await;
    let (mut receipts, mut calls) = (Vec::new(), Vec::new());
    let traced = server.json("/status").await["internal_tx_height"].as_u64().expect("a height");
    assert!(traced > 10);
    for height in 1..=HISTORY {
        let of_block = eth(&server, "eth_getBlockReceipts", json!([hex_of(height)])).await;
        let block = eth(&server, "eth_getBlockByNumber", json!([hex_of(height), true])).await;
        let txs = block["transactions"].as_array().expect("a list");
        let of_block = of_block.as_array().expect("a list");
        assert_eq!(txs.len(), of_block.len());
        for (tx, receipt) in txs.iter().zip(of_block) {
            for (name, same) in
                [("hash", "transactionHash"), ("from", "from"), ("to", "to"), ("transactionIndex", "transactionIndex")]
            {
                assert_eq!(tx[name], receipt[same], "{name}");
            }
            receipts.push(as_indexed(receipt.clone()));
        }
        if height > traced {
            continue;
        }
        let answer =
            eth(&server, "debug_traceBlockByNumber", json!([hex_of(height), { "tracer": "callTracer" }])).await;
        let answer = answer.as_array().expect("a list");
        assert_eq!(answer.len(), of_block.len(), "an entry for each receipt, with an error where it is not traced");
        for trace in answer.iter().filter(|trace| trace.get("error").is_none()) {
            let mut found = Vec::new();
            frames(&trace["result"], -1, &mut found);
            calls.extend(found.into_iter().map(|(parent, frame)| (text(trace, "txHash").to_owned(), parent, frame)));
        }
    }
    let nested = calls.iter().filter(|(_, parent, _)| *parent >= 0).count();
    assert!(receipts.len() > 100 && calls.len() > 80 && nested > 20, "{} {} {nested}", receipts.len(), calls.len());
    assert_eq!(records, receipts);
    assert_eq!(internal.len(), calls.len());
    for (record, (hash, parent, frame)) in internal.iter().zip(&calls) {
        assert_eq!((text(record, "hash"), record["parent_index"].as_i64()), (hash.as_str(), Some(*parent)));
        for name in ["type", "from", "input"] {
            assert_eq!(record[name], frame[name], "{name}");
        }
        assert_eq!(text(record, "to"), frame["to"].as_str().unwrap_or_default());
        assert_eq!(text(record, "output"), frame["output"].as_str().unwrap_or("0x"));
        assert_eq!(record["error"], frame["error"]);
        for name in ["value", "gas", "gasUsed"] {
            let number = |text: &str| alloy_primitives::U256::from_str_radix(text.trim_start_matches("0x"), 16);
            let said = frame[name].as_str().map(|text| number(text).expect("hex"));
            assert_eq!(number(text(record, name)).ok().filter(|_| text(record, name) != "0x"), said, "{name}");
        }
    }
}

/// Every call of the index, page by page.
async fn all_internal(server: &Server) -> Vec<Value> {
    let mut records: Vec<Value> = Vec::new();
    let mut key = String::new();
    loop {
        let path = format!("/indexer/tx/v1/evm-internal-txs?pagination.limit=1000&pagination.reverse=false{key}");
        let page = server.json(&path).await;
        records.extend(page["internal_txs"].as_array().expect("a list").iter().cloned());
        let Some(next) = page["pagination"]["next_key"].as_str() else { return records };
        key = format!("&pagination.key={}", escape(next));
    }
}

#[tokio::test]
async fn a_cosmos_transaction_is_found_in_its_mirror() {
    let server = start(Vm::Evm, 30);
    let records = all(&server, "/indexer/tx/v1/txs", "txs").await;
    let mut mirrored = 0;
    for height in 1..=30 {
        let block = eth(&server, "eth_getBlockByNumber", json!([hex_of(height), true])).await;
        for tx in block["transactions"].as_array().expect("a list") {
            let one = eth(&server, "eth_getTransactionByHash", json!([tx["hash"]])).await;
            assert_eq!(one, *tx);
            let receipt = eth(&server, "eth_getTransactionReceipt", json!([tx["hash"]])).await;
            assert_eq!((&receipt["transactionHash"], &receipt["blockHash"]), (&tx["hash"], &block["hash"]));
            if tx["chainId"] == "0x7fffffffffffffee" {
                let cosmos = text(tx, "input").trim_start_matches("0x").to_uppercase();
                let record = records.iter().find(|record| record["txhash"] == json!(cosmos)).expect("it is there");
                assert_eq!(text(record, "height"), height.to_string());
                mirrored += 1;
            }
        }
    }
    assert!(mirrored > 5, "{mirrored}");
}

#[tokio::test]
async fn questions_of_wallets_and_batches_are_answered() {
    let server = start(Vm::Evm, 30);
    let chain_id = eth(&server, "eth_chainId", json!([])).await;
    let number = u64::from_str_radix(chain_id.as_str().expect("hex").trim_start_matches("0x"), 16).expect("hex");
    assert_eq!(eth(&server, "net_version", json!([])).await, json!(number.to_string()));
    assert_eq!(eth(&server, "eth_blockNumber", json!([])).await, "0x1e");
    let wallet = wallet(&server).await;
    let (account, word) = (wallet.hex(), rollscope::domain::Address::Long(wallet.word()).hex());
    let gas = eth(&server, "eth_getBalance", json!([account, "latest"])).await;
    let denoms = rest(&server, "/cosmos/bank/v1beta1/supply").await;
    let native =
        denoms["supply"].as_array().expect("a list").iter().find(|coin| text(coin, "denom").starts_with("evm/"));
    let native = text(native.expect("a native token"), "denom");
    let token = native.replace("evm/", "0x");
    let by_denom = |denom: &str| format!("/node/rest/minievm/evm/v1/contracts/by_denom?denom={}", escape(denom));
    assert_eq!(text(&server.json(&by_denom(native)).await, "address").to_lowercase(), token.to_lowercase());
    assert_eq!(server.get(&by_denom("nothing")).await.status, 404);
    let params = rest(&server, "/minievm/evm/v1/params").await;
    let data = format!("0x70a08231{}", word.trim_start_matches("0x"));
    let question = |id: u64, method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let batch = json!([
        question(1, "eth_call", json!([{ "to": token, "data": data }, "latest"])),
        question(2, "eth_call", json!([{ "to": token, "data": "0x313ce567" }, "latest"])),
        question(3, "eth_call", json!([{ "to": token, "data": "0xdeadbeef" }, "latest"])),
        question(4, "eth_call", json!([{ "to": account, "data": "0xdeadbeef" }, "latest"])),
        question(5, "eth_getCode", json!([token, "latest"])),
        question(6, "eth_getCode", json!([account, "latest"])),
        question(7, "eth_nothing", json!([])),
        question(8, "eth_getTransactionCount", json!([account, "0x1"])),
        question(9, "eth_getBlockByNumber", json!(["0xffff", false])),
        question(10, "eth_sendRawTransaction", json!(["0x00"])),
    ]);
    let answers = server.post("/node/json-rpc", &batch).await.json();
    let ids: Vec<u64> = answers.as_array().expect("a list").iter().filter_map(|one| one["id"].as_u64()).collect();
    assert_eq!(ids, (1..=10).collect::<Vec<_>>());
    let result = |place: usize| answers[place]["result"].as_str().unwrap_or_default();
    let error = |place: usize| answers[place]["error"]["message"].as_str().unwrap_or_default();
    let balances = server.json(&format!("/node/rest/cosmos/bank/v1beta1/balances/{}", wallet.bech32())).await;
    let held = |denom: &str| {
        let coins = balances["balances"].as_array().expect("a list").iter();
        coins
            .filter(|coin| coin["denom"] == denom)
            .map(|coin| text(coin, "amount").to_owned())
            .next()
            .unwrap_or("0".to_owned())
    };
    let number =
        |hex: &str| alloy_primitives::U256::from_str_radix(hex.trim_start_matches("0x"), 16).expect("hex").to_string();
    assert_eq!(number(result(0)), held(&token.replace("0x", "evm/")));
    assert_eq!(number(gas.as_str().expect("hex")), held(text(&params["params"], "fee_denom")));
    assert!(["6", "18"].contains(&number(result(1)).as_str()));
    assert!(error(2).contains("does not run contracts: 0xdeadbeef"), "{answers}");
    assert_eq!((result(3), result(5)), ("0x", "0x"));
    assert!(result(4).len() > 4);
    assert_eq!(answers[6]["error"]["code"], -32_601);
    assert!(error(7).contains("failed to load state at height 1;"), "{answers}");
    assert_eq!(answers[8].get("result"), Some(&Value::Null));
    assert!(error(9).contains("transaction type not supported"), "{answers}");
}

#[tokio::test]
async fn logs_are_found_by_emitter_and_topics_within_bounds() {
    let server = start(Vm::Evm, 30);
    let receipts = all(&server, "/indexer/tx/v1/evm-txs", "txs").await;
    let logs: Vec<Value> = receipts.iter().flat_map(|tx| tx["logs"].as_array().expect("a list").clone()).collect();
    let range = json!({ "fromBlock": "0x1", "toBlock": "0x1e" });
    assert_eq!(eth(&server, "eth_getLogs", json!([range])).await, json!(logs));
    let (address, topic) = (&logs[0]["address"], &logs[0]["topics"][0]);
    let filter =
        json!({ "fromBlock": "0x1", "toBlock": "latest", "address": [address], "topics": [[topic], null, []] });
    let fitting: Vec<&Value> = logs
        .iter()
        .filter(|log| {
            log["address"] == *address
                && log["topics"][0] == *topic
                && log["topics"].as_array().is_some_and(|all| all.len() > 2)
        })
        .collect();
    assert!(!fitting.is_empty() && fitting.len() < logs.len());
    assert_eq!(eth(&server, "eth_getLogs", json!([filter])).await, json!(fitting));
    let question = json!({ "jsonrpc": "2.0", "id": 1, "method": "eth_getLogs", "params": [{ "fromBlock": "0x5", "toBlock": "0x1" }] });
    let answer = server.post("/node/json-rpc", &question).await.json();
    assert_eq!(answer["error"]["code"], -32_602);
}
