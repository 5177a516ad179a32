//! What a node tells of an unknown contract's code, and when a stored yes still counts.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use rollscope::{
    client::ClientOptions,
    domain::{Address, ChainId, Timestamp},
    signing::{ChainTrust, ContractDoubt, ContractPart, ContractUse, ContractVerdict},
    worker::contract_doubts,
};
use serde_json::{Value, json};

use crate::harness::replay::{Answer, Replay};

const PROXY: &str = "0x1111111111111111111111111111111111111111";
const RUN: &str = "0x2222222222222222222222222222222222222222";
const BEACON: &str = "0x3333333333333333333333333333333333333333";
const BEACON_SLOT: &str = "a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";
const WASM: &str = "init12rexsld28l6z7zsnsxxngt0hez0tkhxcxgwsyw";
const ADMIN: &str = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";

/// A node with answers by place: a REST path, or the parameters of a JSON-RPC question. Unknown places are empty words.
struct Node {
    told: Arc<Mutex<BTreeMap<String, String>>>,
    replay: Replay,
    is_rest: bool,
}

impl Node {
    async fn new(is_rest: bool) -> Self {
        let told: Arc<Mutex<BTreeMap<String, String>>> = Arc::default();
        let answers = Arc::clone(&told);
        let replay = Replay::scripted(move |seen, _| {
            let answers = answers.lock().unwrap_or_else(|error| panic!("{error}"));
            let found =
                |place: &str| answers.iter().find(|(key, _)| place.contains(*key)).map(|(_, value)| value.clone());
            if is_rest {
                let body = found(&format!("{} {}", seen.target, seen.body));
                return Answer::json(body.unwrap_or_else(|| json!({"value": format!("0x{:064}", 0)}).to_string()));
            }
            let question: Value = serde_json::from_str(&seen.body).unwrap_or_default();
            let place = format!("{} {}", question["method"].as_str().unwrap_or_default(), question["params"]);
            let value = found(&place).unwrap_or_else(|| format!("{:064}", 0));
            Answer::json(json!({"jsonrpc": "2.0", "id": 1, "result": format!("0x{value}")}).to_string())
        })
        .await;
        Self { told, replay, is_rest }
    }

    fn tell(&self, place: &str, value: impl Into<String>) {
        self.told.lock().unwrap_or_else(|error| panic!("{error}")).insert(place.to_owned(), value.into());
    }

    /// Reads the contract's code, with the yes to an earlier reading.
    async fn read(&self, shown: &str, earlier: Option<&ContractDoubt>) -> ContractDoubt {
        let chain_id = ChainId::new("rollup-1");
        let address: Address = shown.parse().unwrap_or_else(|error| panic!("{error}"));
        let verdict = ContractVerdict::Unknown;
        let part = ContractPart::Called;
        let called = ContractUse { chain_id: chain_id.clone(), address, shown: shown.to_owned(), part, verdict };
        let url = Some(self.replay.url().to_owned());
        let trust = if self.is_rest {
            ChainTrust { rest: url, ..ChainTrust::default() }
        } else {
            ChainTrust { json_rpc: url, ..ChainTrust::default() }
        };
        let accepted: Vec<_> = earlier.and_then(|doubt| doubt.answer(Timestamp::EPOCH)).into_iter().collect();
        contract_doubts(&[called], (&chain_id, &trust), &ClientOptions::default(), &accepted).await.remove(0)
    }
}

fn wasm_info(code: u8, admin: &str) -> String {
    json!({"contract_info": {"code_id": code.to_string(), "admin": admin}}).to_string()
}

#[tokio::test]
async fn a_yes_to_a_wasm_contract_counts_until_code_or_admin_change() {
    let node = Node::new(true).await;
    let contract = format!("/cosmwasm/wasm/v1/contract/{WASM}");
    node.tell("/cosmwasm/wasm/v1/code/7", json!({"code_info": {"data_hash": "AB".repeat(32)}}).to_string());
    node.tell("/cosmwasm/wasm/v1/code/8", json!({"code_info": {"data_hash": "CD".repeat(32)}}).to_string());
    node.tell(&contract, wasm_info(7, ""));
    let first = node.read(WASM, None).await;
    assert!(first.words().contains("code ABABAB") && !first.words().contains("replaced"), "{}", first.words());
    assert!(!first.is_settled() && node.read(WASM, Some(&first)).await.is_settled());
    for (code, admin, changed) in [(8, "", "its code changed since"), (7, ADMIN, "its admin changed since")] {
        node.tell(&contract, wasm_info(code, admin));
        let now = node.read(WASM, Some(&first)).await;
        assert!(!now.is_settled() && now.words().contains(changed), "{}", now.words());
    }
    let owned = node.read(WASM, None).await;
    assert!(owned.words().contains(&format!("can be replaced by {ADMIN}, per 127.0.0.1:")), "{}", owned.words());
    node.tell(&contract, json!({"code": 5, "message": "no such contract", "details": []}).to_string());
    let gone = node.read(WASM, Some(&first)).await;
    assert!(!gone.is_settled() && gone.words().contains("nothing shows that it is unchanged"), "{}", gone.words());
}

/// Proxies whose own code, or whose beacon, names the contract that they run; over both interfaces.
#[tokio::test]
async fn a_yes_to_a_proxy_counts_until_what_it_runs_changes() {
    let clone = format!("363d3d373d3d3d363d73{}5af43d82803e903d91602b57fd5bf3", &RUN[2..]);
    let delegated = format!("ef0100{}", &RUN[2..]);
    let cases = [
        (clone.as_str(), false, None),
        (&delegated, false, Some(format!("can be replaced by {PROXY}"))),
        ("6001", true, Some("can be replaced, by whom is unknown".to_owned())),
    ];
    for is_rest in [false, true] {
        for (code, has_beacon, replaced) in &cases {
            let node = Node::new(is_rest).await;
            let word = |address: &str| format!("{:0>64}", &address[2..]);
            let (code_at, slot, call) = if is_rest {
                ("/minievm/evm/v1/codes/", BEACON_SLOT.to_owned(), "/minievm/evm/v1/call ".to_owned())
            } else {
                ("eth_getCode [\"", BEACON_SLOT.to_owned(), "eth_call ".to_owned())
            };
            let told = |field: &str, value: &str| {
                if is_rest { json!({field: format!("0x{value}")}).to_string() } else { value.to_owned() }
            };
            node.tell(&format!("{code_at}{PROXY}"), told("code", code));
            node.tell(&format!("{code_at}{RUN}"), told("code", "6002"));
            if *has_beacon {
                node.tell(&slot, told("value", &word(BEACON)));
                node.tell(&call, told("response", &word(RUN)));
            }
            let first = node.read(PROXY, None).await;
            let words = first.words();
            assert!(words.contains(&format!("of {RUN}")) && words.contains("runs the code 0x"), "{words}");
            match replaced {
                Some(who) => assert!(words.contains(who.as_str()), "{words}"),
                None => assert!(!words.contains("replaced"), "a clone is fixed: {words}"),
            }
            assert!(node.read(PROXY, Some(&first)).await.is_settled(), "{words}");
            node.tell(&format!("{code_at}{RUN}"), told("code", "6003"));
            let now = node.read(PROXY, Some(&first)).await;
            assert!(!now.is_settled() && now.words().contains("its implementation changed since"), "{}", now.words());
            if *has_beacon {
                node.tell(&call, told("response", &"0".repeat(64)));
                let words = node.read(PROXY, Some(&first)).await.words();
                assert!(words.contains("a beacon proxy, whose beacon names no contract"), "{words}");
            }
        }
    }
}
