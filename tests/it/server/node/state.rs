//! Balances, accounts and NFTs, held against the rich list and the index's NFTs.

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::{
    domain::{Address, Vm},
    wire::proto,
};
use rstest::rstest;
use serde_json::{Value, json};

use super::{HISTORY, all, eth, rest, start, text, wallet};
use crate::server::client::{Server, escape};

/// Every account's balances by denom at this height.
async fn balances(server: &Server, account: &str, height: u64) -> Vec<(String, String)> {
    let client = rollscope::client::http_client().no_proxy().build().expect("a client");
    let url = format!("{}/node/rest/cosmos/bank/v1beta1/balances/{account}", server.rollup.url());
    let answer = client.get(url).header("x-cosmos-block-height", height.to_string()).send().await.expect("an answer");
    assert_eq!(answer.status(), 200, "{account} at {height}");
    let page: Value = serde_json::from_str(&answer.text().await.expect("a body")).expect("JSON");
    let coins = page["balances"].as_array().expect("a list").iter();
    coins.map(|coin| (text(coin, "denom").to_owned(), text(coin, "amount").to_owned())).collect()
}

#[rstest]
#[case(Vm::Evm)]
#[case(Vm::Move)]
#[case(Vm::Wasm)]
#[tokio::test]
async fn every_balance_is_the_one_in_the_rich_list(#[case] vm: Vm) {
    let server = start(vm, HISTORY);
    server.rollup.step(3).expect("blocks are made");
    let status = server.json("/status").await;
    let at = status["rich_list_height"].as_u64().expect("a height");
    assert!(at > HISTORY && at < HISTORY + 3, "the rich list is behind, so this asks for the past: {status}");
    let mut listed = Vec::new();
    let supply = rest(&server, "/cosmos/bank/v1beta1/supply").await;
    let denoms: Vec<&str> =
        supply["supply"].as_array().expect("a list").iter().map(|coin| text(coin, "denom")).collect();
    assert!(denoms.len() >= 10, "{denoms:?}");
    for denom in denoms {
        let holders = server.json(&format!("/indexer/richlist/v1/{}?pagination.limit=1000", escape(denom))).await;
        for holder in holders["holders"].as_array().expect("a list") {
            let account: Address = text(holder, "account").parse().expect("an address");
            // Whoever has nothing left stays in the list.
            if text(holder, "amount") != "0" {
                listed.push((account.bech32(), denom.to_owned(), text(holder, "amount").to_owned()));
            }
        }
    }
    let accounts = rest(&server, "/cosmos/auth/v1beta1/accounts?pagination.limit=1000").await;
    let mut held = Vec::new();
    for account in accounts["accounts"].as_array().expect("a list") {
        let base = account.get("base_account").unwrap_or(account);
        for (denom, amount) in balances(&server, text(base, "address"), at).await {
            held.push((text(base, "address").to_owned(), denom, amount));
        }
    }
    listed.sort();
    held.sort();
    assert!(held.len() > 300, "{}", held.len());
    assert_eq!(listed, held);
}

#[tokio::test]
async fn balances_of_the_past_are_known_for_some_blocks_and_then_pruned() {
    let server = start(Vm::Evm, 120);
    let address = wallet(&server).await.bech32();
    let now = balances(&server, &address, 120).await;
    server.rollup.step(3).expect("blocks are made");
    assert_eq!(balances(&server, &address, 120).await, now, "what was true then is said now");
    let client = rollscope::client::http_client().no_proxy().build().expect("a client");
    for (path, height, code) in [
        (format!("/cosmos/bank/v1beta1/balances/{address}"), "5", 18),
        (format!("/cosmos/auth/v1beta1/accounts/{address}"), "122", 18),
        ("/cosmos/bank/v1beta1/supply".to_owned(), "999", 26),
    ] {
        let url = format!("{}/node/rest{path}", server.rollup.url());
        let answer = client.get(url).header("x-cosmos-block-height", height).send().await.expect("an answer");
        assert_eq!(answer.status(), 400, "{path} at {height}");
        let json: Value = serde_json::from_str(&answer.text().await.expect("a body")).expect("JSON");
        assert!(text(&json, "message").starts_with(&format!("codespace sdk code {code}: ")), "{json}");
    }
}

/// What the chain's own contract, object or contract says of an NFT: its owner and its URI.
async fn nft_on_chain(server: &Server, vm: Vm, token: &Value) -> (String, String) {
    let (collection, id) = (text(token, "collection_addr"), text(&token["nft"], "token_id"));
    match vm {
        Vm::Evm => {
            let word = alloy_primitives::U256::from_str_radix(id, 10).expect("a number");
            let call =
                |selector: &str| json!([{ "to": collection, "data": format!("{selector}{word:064x}") }, "latest"]);
            let owner = eth(server, "eth_call", call("0x6352211e")).await;
            let uri = eth(server, "eth_call", call("0xc87b56dd")).await;
            let owner = hex::decode(owner.as_str().expect("hex")).expect("hex");
            let uri = hex::decode(uri.as_str().expect("hex")).expect("hex");
            let length = usize::from(uri[62]) * 256 + usize::from(uri[63]);
            let owner = Address::from_bytes(&owner[12..]).expect("an address").bech32();
            (owner, String::from_utf8(uri[64..64 + length].to_vec()).expect("a text"))
        }
        Vm::Move => {
            let object = text(token, "object_addr");
            let resource = async |tag: &str| {
                let path = format!("/initia/move/v1/accounts/{object}/resources/by_struct_tag?struct_tag={tag}");
                let answer = rest(server, &path).await;
                let resource: Value = serde_json::from_str(text(&answer["resource"], "move_resource")).expect("JSON");
                resource["data"].clone()
            };
            let (nft, core) = (resource("0x1::nft::Nft").await, resource("0x1::object::ObjectCore").await);
            assert_eq!(text(&nft, "token_id"), id);
            let digits = text(&core, "owner").trim_start_matches("0x");
            let width = if digits.len() > 40 { 64 } else { 40 };
            let owner: Address = format!("0x{digits:0>width$}").parse().expect("an address");
            (owner.bech32(), text(&nft, "uri").to_owned())
        }
        Vm::Wasm => {
            let query = json!({ "all_nft_info": { "token_id": id } }).to_string();
            let contract: Address = collection.parse().expect("an address");
            let path = format!(
                "/cosmwasm/wasm/v1/contract/{}/smart/{}",
                contract.bech32(),
                escape(&BASE64_STANDARD.encode(query))
            );
            let answer = rest(server, &path).await;
            let uri = answer["data"]["info"]["token_uri"].as_str().unwrap_or_default();
            (text(&answer["data"]["access"], "owner").to_owned(), uri.to_owned())
        }
    }
}

#[rstest]
#[case(Vm::Evm)]
#[case(Vm::Move)]
#[case(Vm::Wasm)]
#[tokio::test]
async fn owners_and_uris_of_nfts_are_those_of_the_chain(#[case] vm: Vm) {
    let server = start(vm, HISTORY);
    let collections = all(&server, "/indexer/nft/v1/collections", "collections").await;
    let mut seen = 0;
    for collection in collections {
        let address = text(&collection, "object_addr");
        let tokens = all(&server, &format!("/indexer/nft/v1/tokens/by_collection/{address}"), "tokens").await;
        for token in tokens.iter().step_by(tokens.len() / 12 + 1) {
            let expected = (text(&token["nft"], "uri"), text(token, "owner"));
            let (owner, uri) = nft_on_chain(&server, vm, token).await;
            assert_eq!((uri.as_str(), owner.as_str()), expected, "{token}");
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen}");
}

#[rstest]
#[case(Vm::Evm, &[("/minievm.evm.v1.Query/Params", "/minievm/evm/v1/params", json!({}))])]
#[case(Vm::Move, &[("/initia.move.v1.Query/Params", "/initia/move/v1/params", json!({}))])]
#[case(Vm::Wasm, &[("/cosmwasm.wasm.v1.Query/Params", "/cosmwasm/wasm/v1/codes/params", json!({}))])]
#[tokio::test]
async fn queries_in_protobuf_say_what_rest_says(#[case] vm: Vm, #[case] own: &[(&str, &str, Value)]) {
    let server = start(vm, 20);
    let wallet = wallet(&server).await.bech32();
    let balances = format!("/cosmos/bank/v1beta1/balances/{wallet}");
    let limited = format!("{balances}?pagination.limit=2&pagination.offset=1");
    let account = format!("/cosmos/auth/v1beta1/accounts/{wallet}");
    let shared = [
        ("/cosmos.bank.v1beta1.Query/AllBalances", balances.as_str(), json!({ "address": wallet })),
        (
            "/cosmos.bank.v1beta1.Query/AllBalances",
            limited.as_str(),
            json!({ "address": wallet, "pagination": { "limit": "2", "offset": "1" } }),
        ),
        ("/cosmos.bank.v1beta1.Query/TotalSupply", "/cosmos/bank/v1beta1/supply", json!({})),
        ("/cosmos.auth.v1beta1.Query/Account", account.as_str(), json!({ "address": wallet })),
        ("/opinit.opchild.v1.Query/Params", "/opinit/opchild/v1/params", json!({})),
        ("/opinit.opchild.v1.Query/BridgeInfo", "/opinit/opchild/v1/bridge_info", json!({})),
        ("/opinit.opchild.v1.Query/Validators", "/opinit/opchild/v1/validators", json!({})),
        ("/ibc.core.channel.v1.Query/Channels", "/ibc/core/channel/v1/channels", json!({})),
        ("/ibc.applications.transfer.v1.Query/DenomTraces", "/ibc/apps/transfer/v1/denom_traces", json!({})),
    ];
    for (method, path, request) in shared.iter().chain(own) {
        let data = hex::encode(proto::encode_request(method, request).expect("it is in the table"));
        let question = json!({
            "jsonrpc": "2.0", "id": 1, "method": "abci_query", "params": { "path": method, "data": data },
        });
        let answer = server.post("/node/rpc", &question).await.json();
        let response = &answer["result"]["response"];
        assert_eq!((&response["code"], &response["log"]), (&json!(0), &json!("")), "{method}: {answer}");
        let bytes = BASE64_STANDARD.decode(response["value"].as_str().unwrap_or_default()).expect("base64");
        let read = proto::decode_answer(method, &bytes).expect("it is in the table");
        let said = rest(&server, path).await;
        for (name, value) in said.as_object().expect("an object") {
            assert_eq!(&read[name], value, "{method} {name}");
        }
    }
    let unknown = server.json("/node/rpc/abci_query?path=%22/a.Query/B%22").await;
    assert_eq!(unknown["result"]["response"]["code"], 6);
    let method = "/cosmos.auth.v1beta1.Query/Account";
    for (address, code, beginning) in [
        (Address::Short([7; 20]).bech32(), 22, "rpc error: code = NotFound desc = "),
        ("init1nobody".to_owned(), 18, "rpc error: code = InvalidArgument desc = "),
    ] {
        let data = hex::encode(proto::encode_request(method, &json!({ "address": address })).expect("in the table"));
        let refused = server.json(&format!("/node/rpc/abci_query?path=%22{method}%22&data=0x{data}")).await;
        let response = &refused["result"]["response"];
        assert_eq!(response["code"], code, "{response}");
        assert!(text(response, "log").starts_with(beginning), "{response}");
    }
}
