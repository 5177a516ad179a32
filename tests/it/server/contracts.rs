//! Tokens of contracts that the bank of a recorded rollup does not list: who has them, and how they call themselves.

use std::collections::{BTreeMap, BTreeSet};

use alloy_primitives::hex;
use rollscope::{
    client::{ClientOptions, NodeAddresses, NodeClient},
    demo::ledger::token_names,
    domain::{Denom, Vm},
    indexer::node::ServiceOptions,
    story::{Glossary, NameSource, TokenUnit},
    wire::node::{DenomClaim, DenomFact},
};
use rstest::rstest;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sha3::Sha3_256;

use super::{client::Server, node};
use crate::harness::{
    gate::NodeGate,
    player::NodePlayer,
    recording::{CHAINS, Recording, StateRecord},
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

/// Denom, symbol, decimals and source.
type NamedDenom = (&'static str, &'static str, u8, NameSource);

/// What the chain alone tells of a recorded rollup: denom, symbol, decimals, source. Every other denom of the supply
/// and of the contracts stays raw.
const NAMED: [(&str, &[NamedDenom]); 2] = [
    (
        "minievm-1.1",
        &[
            ("GAS", "“GAS”", 18, NameSource::Contract),
            ("evm/042add9e80f7a23ab71d5e1d392af1d3928b7d05", "“GAS”", 18, NameSource::Contract),
            ("evm/abeb84b1ab8ba9858e72284b27a27a72b83fffde", "“CARO”", 8, NameSource::Contract),
            ("evm/069f4781c03995feee72e791f8128917189406e7", "“🪙”", 18, NameSource::Contract),
            ("evm/0fee9cf0763e7648fdb05d446837b0abd3bf3a2b", "“IN2”", 6, NameSource::Contract),
            ("evm/2170ce56a3d8bff41acd63b2093d03d54089283c", "“RUSD”", 6, NameSource::Contract),
            ("evm/31e5e1414f05884ee429c6971d80f9d4151ddd15", "“REUR”", 2, NameSource::Contract),
            ("evm/6fba235ca095ee5366cf5ae1038fede30d358d77", "“IN3”", 6, NameSource::Contract),
            ("evm/8003d9ae1483445d000a8569cd30356fb97ef19c", "“INNER”", 6, NameSource::Contract),
            ("evm/abEB84b1Ab8BA9858E72284b27a27A72b83FFFde", "“CARO”", 8, NameSource::Contract),
            (L2_UINIT, "INIT", 6, NameSource::Bridge),
            (EVM_VOUCHER, "“GAS” (unknown denom) (ibc/89FB…FA80)", 0, NameSource::Origin),
        ],
    ),
    (
        "miniwasm-0.7",
        &[
            ("umin", "“MIN”", 6, NameSource::Bank),
            ("factory/init12rexsld28l6z7zsnsxxngt0hez0tkhxcxgwsyw/gold", "“GOLD”", 6, NameSource::Bank),
            (L2_UINIT, "INIT", 6, NameSource::Bridge),
            (L2_UUSDC, "uusdc (l2/fd11…a5cb)", 0, NameSource::Origin),
            (WASM_VOUCHER, "umin (ibc/9026…F474)", 0, NameSource::Origin),
            (
                "cw20:init14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9sx58pds",
                "“UNI-X”",
                0,
                NameSource::Contract,
            ),
            ("cw20:init14sa4u42n2a8kmlvj3qcergjhy6g9ps06rzeth94f2y6grlat6u6sfpuwux", "“SIGN”", 2, NameSource::Contract),
            (
                "cw20:init1dt3lk455ed360pna38fkhqn0p8y44qndsr77qu73ghyaz2zv4whqklx89p",
                "“UNI-X”",
                0,
                NameSource::Contract,
            ),
            ("cw20:init1ltd0maxmte3xf4zshta9j5djrq9cl692ctsp9u5q0p9wss0f5lmsffa8ta", "“RUSD”", 6, NameSource::Contract),
            ("cw20:init1m4ns69zvkk2zv0946mw298tlky5ckvu08rtxggtg29p784kc5sxqtv7w2y", "“SIGN”", 2, NameSource::Contract),
            ("cw20:init1wdwj0z4gp2dg4wq665z5zzfz0qy9flpqy8xkgeukwe5jvln2yllq4ynvy0", "“SEC”", 6, NameSource::Contract),
            (
                "cw20:init1wl59k23zngj34l7d42y9yltask7rjlnxgccawc7ltrknp6n52fpsrty5hc",
                "“FREE”",
                18,
                NameSource::Contract,
            ),
        ],
    ),
];
const L2_UINIT: &str = "l2/df41ac8d2df7b7d1bfd800800619a804380818a4970252f3de120ddd10e5b02e";
const L2_UUSDC: &str = "l2/fd11fe0e884a7ab6ee33c3b31de41b9d8d9619ee2f7154e466730665465ca5cb";
const EVM_VOUCHER: &str = "ibc/89FBA259F8A0C46D7435701F62F30E2A6EF20A9392BB9F6490ED2BB4E1DBFA80";
const WASM_VOUCHER: &str = "ibc/9026D58C2F401076208145CF30FCF610D53E3161D2EFCBA0EB54C496A8F3F474";

const SYMBOL: &str = "0x95d89b41";
const DECIMALS: &str = "0x313ce567";

/// A recorded chain as the test reads it, without the program.
struct ReadState<'r>(&'r Recording);

impl ReadState<'_> {
    fn rest(&self, path: &str) -> Option<&Value> {
        let record = self.0.state.iter().find(|record| record.at.is_none() && record.path == path)?;
        (record.status == 200).then_some(&record.answer)
    }

    fn call(&self, contract: &str, input: &str) -> Option<Vec<u8>> {
        let is_call = |record: &&StateRecord| {
            let call = record.body.as_ref().map(|body| &body["params"][0]);
            record.at.as_deref() == Some("jsonrpc")
                && call.is_some_and(|call| call["data"] == input && call["to"] == contract.to_lowercase())
        };
        let answer = &self.0.state.iter().find(is_call)?.answer;
        alloy_primitives::hex::decode(answer["result"].as_str()?).ok()
    }

    /// The symbol and decimals that an ERC-20 contract returned.
    fn erc20(&self, contract: &str) -> Option<(String, u64)> {
        let (symbol, decimals) = (self.call(contract, SYMBOL)?, self.call(contract, DECIMALS)?);
        let length = usize::from(*symbol.get(63)?);
        let symbol = String::from_utf8(symbol.get(64..64 + length)?.to_vec()).ok()?;
        Some((symbol, u64::from(*decimals.last()?)))
    }

    fn contracts(&self, vm: Vm) -> BTreeSet<String> {
        let erc20 = self.0.state.iter().filter_map(|record| {
            let call = &record.body.as_ref()?["params"][0];
            (call["data"] == SYMBOL)
                .then(|| call["to"].as_str())?
                .map(|to| format!("evm/{}", to.trim_start_matches("0x")))
        });
        let cw20 = self.0.state.iter().filter_map(|record| {
            let contract = record.path.strip_prefix("/cosmwasm/wasm/v1/contract/")?.split('/').next()?;
            Some(format!("cw20:{contract}"))
        });
        if vm == Vm::Evm { erc20.collect() } else { cw20.collect() }
    }

    /// The unit of a denom by the records: of its contract or of the bank's metadata.
    fn unit(&self, denom: &str) -> Option<(String, u64)> {
        let escaped = denom.replace('/', "%2F");
        if let Some(contract) = denom.strip_prefix("cw20:") {
            let path = format!("/cosmwasm/wasm/v1/contract/{contract}/smart/eyJ0b2tlbl9pbmZvIjp7fX0%3D");
            let info = &self.rest(&path)?["data"];
            return Some((info["symbol"].as_str()?.to_owned(), info["decimals"].as_u64()?));
        }
        if let Some(contract) = denom.strip_prefix("evm/") {
            return self.erc20(&format!("0x{contract}"));
        }
        let metadata = self.rest(&format!("/cosmos/bank/v1beta1/denoms_metadata_by_query_string?denom={escaped}"));
        if let Some(metadata) = metadata.map(|answer| &answer["metadata"]) {
            let units = metadata["denom_units"].as_array()?;
            let unit = units.iter().find(|unit| unit["denom"] == metadata["symbol"])?;
            return Some((metadata["symbol"].as_str()?.to_owned(), unit["exponent"].as_u64()?));
        }
        let contract = self.rest(&format!("/minievm/evm/v1/contracts/by_denom?denom={escaped}"))?;
        self.erc20(contract["address"].as_str()?)
    }

    fn supply(&self) -> BTreeSet<String> {
        let supply = self.rest("/cosmos/bank/v1beta1/supply?pagination.limit=1000").expect("the supply is recorded");
        let denoms = supply["supply"].as_array().expect("a list").iter();
        denoms.map(|coin| coin["denom"].as_str().expect("a denom").to_owned()).collect()
    }
}

#[tokio::test]
async fn a_recorded_chain_names_its_own_tokens_and_no_others() {
    for ((chain, vm), (of, named)) in CHAINS.into_iter().zip(NAMED) {
        assert_eq!(chain, of);
        let recording = Recording::fixture(chain, vm);
        let state = ReadState(&recording);
        for (denom, symbol, decimals, source) in named {
            if matches!(source, NameSource::Bank | NameSource::Contract) {
                let symbol = symbol.trim_matches(['“', '”']).to_owned();
                assert_eq!(state.unit(denom), Some((symbol, u64::from(*decimals))), "{denom}");
            }
        }
        let player = NodePlayer::start(&recording);
        let client = NodeClient::find(&player.addresses(), ClientOptions::default(), 4).await.expect("it is a node");
        let all: BTreeSet<String> = state.supply().into_iter().chain(state.contracts(vm)).collect();
        let asked: Vec<Denom> = all.iter().map(|denom| Denom::new(denom.as_str())).collect();
        let mut glossary = Glossary::default();
        let names = client.names().await.expect("it answers");
        glossary.add_bridge_of_chain(&names);
        glossary.add_chain_names(&names);
        player.change(|stage| stage.asked.clear());
        let found = client.denom_facts(&asked).await.expect("it answers");
        glossary.add_facts(&found.facts);
        let batches = player.stage().asked.keys().filter(|request| request.starts_with("/json-rpc")).count();
        assert_eq!(batches, usize::from(vm == Vm::Evm), "one batch for all contracts");
        let table: BTreeMap<&str, _> =
            named.iter().map(|(denom, symbol, decimals, source)| (*denom, (*symbol, *decimals, *source))).collect();
        // Only the name of a denom of the bank that it repeats, with 0 decimals, may be there too.
        let is_bare = |unit: &TokenUnit| unit.decimals == 0 && ["“uusd”", "“umilk”"].contains(&unit.symbol.as_str());
        for denom in &asked {
            let unit = glossary.token(denom).filter(|unit| !is_bare(unit));
            let told = unit.map(|unit| (unit.symbol.as_str(), unit.decimals, glossary.token_source(denom).unwrap()));
            assert_eq!(told, table.get(denom.as_str()).copied(), "{denom}");
        }
        let seen: BTreeSet<&str> = asked.iter().map(Denom::as_str).collect();
        assert!(table.keys().all(|denom| seen.contains(denom)), "the table has only recorded denoms");
    }
}

#[tokio::test]
async fn a_batch_is_halved_until_the_node_takes_it() {
    let player = NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm));
    player.change(|stage| {
        stage.lie = Some(Box::new(|request, answer| {
            let calls: Value = serde_json::from_str(request.trim_start_matches("/json-rpc ")).unwrap_or_default();
            if calls.as_array().is_some_and(|calls| calls.len() > 5) {
                let error = serde_json::json!({"code": -32600, "message": "batch too large"});
                *answer = serde_json::json!([{"jsonrpc": "2.0", "id": 1, "error": error}]);
            }
        }));
    });
    let client = NodeClient::find(&player.addresses(), ClientOptions::default(), 4).await.expect("it is a node");
    let contracts = [
        RUSD,
        "0x31e5e1414f05884ee429c6971d80f9d4151ddd15",
        "0x069f4781c03995feee72e791f8128917189406e7",
        "0x0fee9cf0763e7648fdb05d446837b0abd3bf3a2b",
        "0x6fba235ca095ee5366cf5ae1038fede30d358d77",
        "0x8003d9ae1483445d000a8569cd30356fb97ef19c",
    ];
    let denoms = contracts.map(|contract| Denom::new(format!("evm/{}", contract.trim_start_matches("0x"))));
    let found = client.denom_facts(&denoms).await.expect("it answers");
    assert_eq!(found.facts.len(), denoms.len(), "{found:?}");
    let sizes: Vec<usize> = player
        .stage()
        .asked
        .keys()
        .filter_map(|request| serde_json::from_str::<Vec<Value>>(request.strip_prefix("/json-rpc ")?).ok())
        .map(|calls| calls.len())
        .collect();
    assert_eq!(sizes.iter().filter(|size| **size <= 5).sum::<usize>(), 12, "{sizes:?}");
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
    let found = client.denom_facts(&denoms).await.expect("it answers");
    assert!(!found.facts.is_empty(), "{denoms:?}");
    for DenomFact { denom, claim } in &found.facts {
        let DenomClaim::Unit { symbol, decimals, .. } = claim else { panic!("{claim:?}") };
        let contract = denom.as_str().trim_start_matches("cw20:");
        let query = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, r#"{"token_info":{}}"#);
        let path = format!("/node/rest/cosmwasm/wasm/v1/contract/{contract}/smart/{query}");
        let info = server.json(&path).await;
        assert_eq!(
            (&info["data"]["symbol"], &info["data"]["decimals"]),
            (&symbol.as_str().into(), &(*decimals).into())
        );
    }
}

/// Queries that no recording holds: `base_denom` and `denom_traces/HASH` of `MiniEVM`, and resources of `MiniMove`.
#[rstest]
#[tokio::test]
async fn the_embedded_rollup_tells_its_tokens_as_real_nodes_do(#[values(Vm::Evm, Vm::Move)] vm: Vm) {
    let server: Server = node::start(vm, 20);
    let addresses = NodeAddresses { node: server.rollup.node_url(), ..Default::default() };
    let client = NodeClient::find(&addresses, ClientOptions::default(), 4).await.expect("it is a node");
    let listed: BTreeMap<Denom, (&str, u8)> = token_names(vm, node::options(vm, 20).ledger.seed)
        .into_iter()
        .map(|name| (name.denom, (name.symbol, name.decimals)))
        .collect();
    let denoms: Vec<Denom> = listed.keys().cloned().collect();
    let found = client.denom_facts(&denoms).await.expect("it answers");
    let bridge_id = client.names().await.expect("it answers").bridge.expect("it has a bridge").bridge_id;
    let kinds: BTreeSet<&str> = found.facts.iter().filter_map(|fact| fact.denom.as_str().split('/').next()).collect();
    let contract = if vm == Vm::Evm { "evm" } else { "move" };
    assert!(["l2", "ibc", contract].iter().all(|kind| kinds.contains(kind)), "{kinds:?} of {listed:?}");
    for DenomFact { denom, claim } in &found.facts {
        match claim {
            DenomClaim::Unit { symbol, decimals, .. } => assert_eq!((symbol.as_str(), *decimals), listed[denom]),
            DenomClaim::Origin(path) if path.starts_with("transfer/") => {
                assert_eq!(denom.as_str(), format!("ibc/{}", hex::encode_upper(Sha256::digest(path))));
            }
            DenomClaim::Origin(base) => {
                let seed = [&bridge_id.to_be_bytes(), base.as_bytes()].concat();
                assert_eq!(denom.as_str(), format!("l2/{}", hex::encode(Sha3_256::digest(seed))));
            }
        }
    }
    let untold = listed.iter().filter(|(denom, _)| found.facts.iter().all(|fact| fact.denom != **denom));
    assert!(untold.clone().all(|(_, (_, decimals))| *decimals == 0), "{:?}", untold.collect::<Vec<_>>());
}
