//! Protobuf by the table against two recorded chains: what their blocks have as bytes, and their REST as JSON.
//!
//! Records of public chains are read from the folder that `ROLLSCOPE_SHARED` names.

use std::{collections::BTreeMap, fs};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::wire::proto::{
    TxRaw, decode_answer, decode_message, decode_tx, encode_answer, encode_message, encode_tx, first_signer, tx_hash,
};
use serde_json::Value;

use crate::harness::{recorded_folder, recording::recorded_text};

const TXS: &str = include_str!("../../fixtures/node/txs.jsonl");
const STATE: &str = include_str!("../../fixtures/node/state.jsonl");

/// Beginnings of REST's paths with the queries that they are; the first that fits is meant.
const QUERIES: &[(&str, &str)] = &[
    ("/cosmos/auth/v1beta1/account_info/", "/cosmos.auth.v1beta1.Query/AccountInfo"),
    ("/cosmos/auth/v1beta1/accounts", "/cosmos.auth.v1beta1.Query/Accounts"),
    ("/cosmos/auth/v1beta1/module_accounts", "/cosmos.auth.v1beta1.Query/ModuleAccounts"),
    ("/cosmos/bank/v1beta1/balances/", "/cosmos.bank.v1beta1.Query/AllBalances"),
    ("/cosmos/bank/v1beta1/denoms_metadata_by", "/cosmos.bank.v1beta1.Query/DenomMetadataByQueryString"),
    ("/cosmos/bank/v1beta1/denoms_metadata", "/cosmos.bank.v1beta1.Query/DenomsMetadata"),
    ("/cosmos/bank/v1beta1/supply", "/cosmos.bank.v1beta1.Query/TotalSupply"),
    ("/cosmos/base/tendermint/v1beta1/blocks/latest", "/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock"),
    ("/cosmos/base/tendermint/v1beta1/node_info", "/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo"),
    ("/cosmwasm/wasm/v1/codes/params", "/cosmwasm.wasm.v1.Query/Params"),
    ("/cosmwasm/wasm/v1/code", "/cosmwasm.wasm.v1.Query/Codes"),
    ("/cosmwasm/wasm/v1/contract/", "/cosmwasm.wasm.v1.Query/ContractInfo"),
    ("/ibc/apps/transfer/v1/denom_traces", "/ibc.applications.transfer.v1.Query/DenomTraces"),
    ("/ibc/core/channel/v1/channels", "/ibc.core.channel.v1.Query/Channels"),
    ("/minievm/evm/v1/call", "/minievm.evm.v1.Query/Call"),
    ("/minievm/evm/v1/contracts/by_denom", "/minievm.evm.v1.Query/ContractAddrByDenom"),
    ("/minievm/evm/v1/params", "/minievm.evm.v1.Query/Params"),
    ("/opinit/opchild/v1/bridge_info", "/opinit.opchild.v1.Query/BridgeInfo"),
    ("/opinit/opchild/v1/next_l1_sequence", "/opinit.opchild.v1.Query/NextL1Sequence"),
    ("/opinit/opchild/v1/params", "/opinit.opchild.v1.Query/Params"),
    ("/opinit/opchild/v1/validators", "/opinit.opchild.v1.Query/Validators"),
];

fn query(path: &str) -> &'static str {
    if path.contains("/smart/") {
        return "/cosmwasm.wasm.v1.Query/SmartContractState";
    }
    let found = QUERIES.iter().find(|(prefix, _)| path.starts_with(prefix));
    found.map_or_else(|| panic!("no query for {path}"), |(_, query)| *query)
}

/// This JSON, with its fields in the same order.
fn same(expected: &Value, got: &Value, place: &str) {
    match (expected, got) {
        (Value::Object(a), Value::Object(b)) => {
            assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>(), "{place}");
            a.iter().for_each(|(key, value)| same(value, &b[key], &format!("{place}.{key}")));
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{place}");
            a.iter().zip(b).enumerate().for_each(|(nth, (a, b))| same(a, b, &format!("{place}[{nth}]")));
        }
        // The recorder read numbers within contracts' messages as floats, and wrote them in its own form.
        (Value::Number(a), Value::Number(b)) => assert_eq!(a.as_f64(), b.as_f64(), "{place}"),
        _ => assert_eq!(expected, got, "{place}"),
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// How the bytes came back: from the JSON that was read, and from REST's.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    txs: usize,
    /// Where a contract's message lies in the bytes with blanks, or with escapes that need none: JSON has them no more.
    reformatted: usize,
    rest_reformatted: usize,
}

/// Reads a recorded transaction, compares it with REST's, and writes both.
fn check(raw: &[u8], rest: &Value, count: &mut Count) {
    count.txs += 1;
    let text = decode_tx(raw).unwrap_or_else(|error| panic!("{error}: {rest}"));
    let read = json(&text);
    same(rest, &read, "tx");
    assert!(!text.contains("@value") && !text.contains("@unknown"), "{text}");
    assert!(first_signer(&read).is_some(), "{text}");
    let parts = TxRaw::read(raw).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(parts.write(), raw);
    let body = decode_message("cosmos.tx.v1beta1.TxBody", &parts.body_bytes).map(|text| json(&text));
    assert_eq!(body.as_ref(), Ok(&read["body"]));
    for (json, reformatted) in [(text, &mut count.reformatted), (rest.to_string(), &mut count.rest_reformatted)] {
        let written = encode_tx(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
        if written == raw {
            continue;
        }
        *reformatted += 1;
        assert!(json.contains("/cosmwasm.wasm.v1.Msg"), "{json}");
        // Nothing but the form of the contract's message may differ.
        same(&read, &self::json(&decode_tx(&written).unwrap_or_default()), "written");
    }
}

#[test]
fn one_transaction_of_each_kind_is_read_as_rest_gives_it_and_written_as_recorded() {
    let mut count = Count::default();
    let mut kinds = BTreeMap::new();
    for line in TXS.lines() {
        let line = json(line);
        let raw = BASE64_STANDARD.decode(line["raw"].as_str().unwrap()).unwrap();
        check(&raw, &line["tx"], &mut count);
        for message in line["tx"]["body"]["messages"].as_array().unwrap() {
            *kinds.entry(message["@type"].as_str().unwrap().to_owned()).or_insert(0) += 1;
        }
    }
    assert!(count.txs >= 45 && kinds.len() >= 40, "{count:?} {kinds:?}");
    assert!(count.reformatted < 5 && count.rest_reformatted < 6, "{count:?}");
}

#[test]
fn answers_of_state_queries_go_through_bytes() {
    for line in STATE.lines() {
        let line = json(line);
        goes_through(line["path"].as_str().unwrap(), &line["answer"]);
    }
}

fn goes_through(path: &str, answer: &Value) {
    let query = query(path);
    let bytes = encode_answer(query, answer).unwrap_or_else(|error| panic!("{path}: {error}"));
    let read = decode_answer(query, &bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
    same(answer, &read, path);
}

fn lines(chain: &str, name: &str) -> Vec<Value> {
    recorded_text(chain, name).lines().map(json).collect()
}

#[test]
fn the_whole_recorded_chains_are_read_and_written() {
    for (chain, expected) in [
        ("minievm-1.1", Count { txs: 696, reformatted: 0, rest_reformatted: 0 }),
        ("miniwasm-0.7", Count { txs: 470, reformatted: 2, rest_reformatted: 14 }),
    ] {
        let mut count = Count::default();
        for block in lines(chain, "blocks") {
            let data = block.pointer("/block/result/block/data/txs").or_else(|| block.pointer("/block/block/data/txs"));
            for (nth, raw) in data.and_then(Value::as_array).into_iter().flatten().enumerate() {
                let raw = BASE64_STANDARD.decode(raw.as_str().unwrap()).unwrap();
                // Stored contracts were taken out of the record, where REST says null for what is not there.
                let rest =
                    block["txs"]["txs"][nth].to_string().replace(r#""wasm_byte_code":"""#, r#""wasm_byte_code":null"#);
                check(&raw, &json(&rest), &mut count);
            }
        }
        assert_eq!(count, expected, "{chain}");
        let mut answers = 0;
        for line in lines(chain, "state") {
            if line["status"] == 200 && line["at"] != "jsonrpc" {
                goes_through(line["path"].as_str().unwrap(), &line["answer"]);
                answers += 1;
            }
        }
        assert!(answers > 200, "{answers}");
    }
}

/// Every transaction within, whatever is around it.
fn transactions(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(object) => {
            if object.contains_key("body") && object.contains_key("auth_info") && object.contains_key("signatures") {
                found.push(value.clone());
            }
            object.values().for_each(|value| transactions(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| transactions(value, found)),
        _ => {}
    }
}

/// This JSON with every object's fields sorted by name, as databases keep them.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let fields: BTreeMap<&String, Value> = object.iter().map(|(key, value)| (key, sorted(value))).collect();
            fields.into_iter().map(|(key, value)| (key.clone(), value)).collect()
        }
        Value::Array(list) => list.iter().map(sorted).collect(),
        other => other.clone(),
    }
}

#[test]
fn transactions_that_indexers_gave_go_through_bytes() {
    let Some(shared) = recorded_folder() else { return };
    let folder = shared.join("wire/samples/txs");
    let mut count = 0;
    for file in fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let mut found = Vec::new();
        transactions(&json(&fs::read_to_string(&path).unwrap()), &mut found);
        for mut tx in found {
            if let Some(object) = tx.as_object_mut() {
                object.shift_remove("@type");
            }
            let bytes = encode_tx(&tx.to_string()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let read = json(&decode_tx(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
            same(&sorted(&tx), &sorted(&read), &path.display().to_string());
            count += 1;
        }
    }
    assert!(count >= 30, "{count}");
}

#[test]
fn a_hash_is_that_of_the_bytes() {
    // The example of SHA-256's standard.
    let hash = "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD";
    assert_eq!(tx_hash(b"abc").to_string(), hash);
    let params = encode_message("cosmos.auth.v1beta1.Params", r#"{"max_memo_characters":"256"}"#);
    assert_eq!(params, Ok(vec![0x08, 0x80, 0x02]));
}
