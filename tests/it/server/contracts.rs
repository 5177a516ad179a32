//! Tokens of contracts that the bank of a recorded rollup does not list: who has them, and how they call themselves.

use std::collections::{BTreeMap, BTreeSet};

use rollscope::{
    client::{ClientOptions, NodeClient},
    domain::{Denom, Vm},
    indexer::node::ServiceOptions,
};
use serde_json::Value;

use super::{client::Server, node};
use crate::harness::{
    gate::NodeGate,
    player::NodePlayer,
    recording::{Recording, StateRecord},
};

const BALANCE_OF: &str = "0x70a08231";
const RUSD: &str = "0x2170ce56a3d8bff41acd63b2093d03d54089283c";

/// Who has how much of a contract's tokens, by the node's own answers.
fn recorded(recording: &Recording, contract: &str) -> BTreeMap<String, String> {
    let held = |record: &StateRecord| {
        let call = record.body.as_ref()?.get("params")?.get(0)?;
        let holder = call["data"].as_str()?.strip_prefix(BALANCE_OF).filter(|_| call["to"] == contract)?;
        let amount = record.answer["result"].as_str()?.trim_start_matches("0x").trim_start_matches('0');
        let amount = u128::from_str_radix(amount, 16).ok()?;
        Some((format!("0x{}", holder.get(24..)?), amount.to_string()))
    };
    recording.state.iter().filter(|record| record.at.as_deref() == Some("jsonrpc")).filter_map(held).collect()
}

fn holders(page: &Value) -> BTreeMap<String, String> {
    let text = |row: &Value, name: &str| row[name].as_str().expect("a text").to_owned();
    let rows = page["holders"].as_array().expect("a list");
    rows.iter().map(|row| (text(row, "account").to_lowercase(), text(row, "amount"))).collect()
}

#[tokio::test]
async fn contracts_say_who_has_tokens_that_the_bank_does_not_know() {
    let recording = Recording::fixture("minievm-1.1", Vm::Evm);
    let player = NodePlayer::start(&recording);
    let silent = "0x31e5e1414f05884ee429c6971d80f9d4151ddd15";
    player.change(|stage| {
        stage.lie = Some(Box::new(move |request, answer| {
            // One contract answers with half a word, which is no number.
            let calls: Value = serde_json::from_str(request.trim_start_matches("/json-rpc ")).unwrap_or_default();
            for (place, call) in calls.as_array().into_iter().flatten().enumerate() {
                let call = &call["params"][0];
                if call["to"] == silent && call["data"].as_str().is_some_and(|data| data.starts_with(BALANCE_OF)) {
                    answer[place]["result"] = "0x00000001".into();
                }
            }
        }));
    });
    let served = player.served(ServiceOptions::default()).await;
    served.filled().await;
    let path = |contract: &str| format!("/indexer/richlist/v1/{contract}?pagination.limit=1000");
    let expected = recorded(&recording, RUSD);
    assert!(expected.len() > 8, "{expected:?}");
    let total = expected.len().to_string();
    let page = served.until(&path(RUSD), |page| page["pagination"]["total"].as_str() == Some(total.as_str())).await;
    assert_eq!(holders(&page), expected);
    assert_eq!(holders(&served.json(&path(silent)).await), BTreeMap::new(), "what is no number is nobody's");
    // Of what the bank lists its own word stands.
    let gas = "0x042add9e80f7a23ab71d5e1d392af1d3928b7d05";
    let by_denom = served.json("/indexer/richlist/v1/gas?pagination.limit=1000").await;
    assert_eq!(served.json(&path(gas)).await, by_denom);
}

#[tokio::test]
async fn who_has_tokens_is_not_said_from_a_part_of_their_transfers() {
    let player = NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm));
    player.change(|stage| stage.oldest = 100);
    let served = player.served(ServiceOptions::default()).await;
    served.until("/status", |status| status["rich_list_height"].is_u64()).await;
    served
        .until("/indexer/richlist/v1/gas", |page| page["holders"].as_array().is_some_and(|rows| rows.len() > 5))
        .await;
    let (status, text) = served.get(&format!("/indexer/richlist/v1/{RUSD}")).await;
    assert_eq!(status, 503, "{text}");
}

fn denom(contract: &str) -> Denom {
    Denom::new(format!("evm/{}", contract.trim_start_matches("0x")))
}

#[tokio::test]
async fn erc20_contracts_call_themselves_as_they_were_recorded_to() {
    let player = NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm));
    let client = NodeClient::find(&player.addresses(), ClientOptions::default(), 4).await.expect("it is a node");
    let (euros, picture) = ("0x31e5e1414f05884ee429c6971d80f9d4151ddd15", "0x069f4781c03995feee72e791f8128917189406e7");
    // An NFT has no decimals, and nobody is at the last address.
    let (cats, nobody) = ("0xfbd79d269c7d02ce4cb61d77d9182b4cf6ab3b36", "0x0000000000000000000000000000000000000001");
    let denoms = [RUSD, euros, picture, cats, nobody].map(denom);
    let found = client.contract_units(&denoms).await.expect("it answers");
    assert_eq!(found.chain_id, client.chain_id());
    let units: Vec<_> = found.units.iter().map(|unit| (&unit.denom, unit.symbol.as_str(), unit.decimals)).collect();
    assert_eq!(units, [(&denoms[0], "RUSD", 6), (&denoms[1], "REUR", 2), (&denoms[2], "🪙", 18)]);
}

#[tokio::test]
async fn cw20_contracts_call_themselves_by_a_smart_query_with_the_rpc_alone() {
    let server: Server = node::start(Vm::Wasm, 20);
    let gate = NodeGate::start(&server.rollup.url(), "/node/rpc");
    let addresses = rollscope::client::NodeAddresses { node: gate.url.clone(), ..Default::default() };
    let client = NodeClient::find(&addresses, ClientOptions::default(), 4).await.expect("it is a node");
    let txs = server.json("/indexer/tx/v1/txs?pagination.limit=1000").await;
    let mut denoms = BTreeSet::new();
    for tx in txs["txs"].as_array().expect("a list") {
        let tx = serde_json::from_value(tx.clone()).expect("a transaction");
        denoms.extend(rollscope::story::contract_tokens(&tx, Some(Vm::Wasm)));
    }
    let denoms: Vec<Denom> = denoms.into_iter().collect();
    let found = client.contract_units(&denoms).await.expect("it answers");
    assert!(!found.units.is_empty(), "{denoms:?}");
    for unit in &found.units {
        let contract = unit.denom.as_str().trim_start_matches("cw20:");
        let query = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, r#"{"token_info":{}}"#);
        let path = format!("/node/rest/cosmwasm/wasm/v1/contract/{contract}/smart/{query}");
        let info = server.json(&path).await;
        assert_eq!(
            (&info["data"]["symbol"], &info["data"]["decimals"]),
            (&unit.symbol.as_str().into(), &unit.decimals.into())
        );
    }
}
