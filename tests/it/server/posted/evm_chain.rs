//! The EVM chain of the router's world over its JSON-RPC: what a wallet signs there is in a block, and what the router
//! gave out is tracked to its end.

use alloy_primitives::{U256, hex, keccak256};
use rollscope::{
    demo::posted::EthereumPayload,
    domain::{Address, Vm},
};
use serde_json::{Value, json};

use super::{
    L1, Scene, Signer, bank_send,
    signer::{Mode, base64},
};

const CHAIN: &str = "31337";
const USDC: &str = "0x7700000000000000000000000000000000000201";
const PRICE: u128 = 2_000_000_000;

async fn ask(scene: &Scene, method: &str, params: Value) -> Value {
    let question = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    scene.server.post("/node/31337/json-rpc", &question).await.json()
}

async fn eth(scene: &Scene, method: &str, params: Value) -> Value {
    let answer = ask(scene, method, params).await;
    assert!(answer.get("error").is_none(), "{method}: {answer}");
    answer["result"].clone()
}

fn number(hex: &Value) -> U256 {
    let text = hex.as_str().expect("hex");
    U256::from_str_radix(text.trim_start_matches("0x"), 16).expect("a number")
}

fn payload(nonce: u64, to: &str, value: u128, input: Vec<u8>) -> EthereumPayload {
    EthereumPayload {
        kind: 2,
        chain_id: 31_337,
        nonce,
        tip: 100_000_000,
        fee_cap: PRICE,
        gas: 200_000,
        to: Some(hex::decode_to_array(to).expect("an address")),
        value: U256::from(value),
        input,
        access_list: Vec::new(),
        signature: [0; 65],
    }
}

fn data(signature: &str, words: &[[u8; 32]]) -> Vec<u8> {
    [&keccak256(signature)[..4], &words.concat()].concat()
}

fn approve(nonce: u64, spender: &str, amount: u128) -> EthereumPayload {
    let spender: Address = spender.parse().expect("an address");
    payload(nonce, USDC, 0, data("approve(address,uint256)", &[spender.word(), U256::from(amount).to_be_bytes()]))
}

fn raw(scene: &Scene, payload: &EthereumPayload) -> String {
    hex::encode_prefixed(scene.signer.sign_payload(payload))
}

async fn send(scene: &Scene, payload: &EthereumPayload) -> String {
    eth(scene, "eth_sendRawTransaction", json!([raw(scene, payload)])).await.as_str().expect("a hash").to_owned()
}

/// A receipt, once its block is there.
async fn receipt(scene: &Scene, hash: &str) -> Value {
    for _ in 0..30 {
        let found = eth(scene, "eth_getTransactionReceipt", json!([hash])).await;
        if !found.is_null() {
            return found;
        }
        scene.step(1);
    }
    panic!("{hash} is in no block");
}

async fn ether(scene: &Scene) -> U256 {
    number(&eth(scene, "eth_getBalance", json!([scene.signer.hex(), "latest"])).await)
}

async fn read(scene: &Scene, signature: &str, words: &[[u8; 32]]) -> U256 {
    let asked = json!([{ "to": USDC, "data": hex::encode_prefixed(data(signature, words)) }, "latest"]);
    number(&eth(scene, "eth_call", asked).await)
}

fn me(scene: &Scene) -> [u8; 32] {
    scene.signer.hex().parse::<Address>().expect("an address").word()
}

/// The call that the router gives out for USDC that goes to the L1.
async fn call_to_l1(scene: &Scene, go_fast: bool) -> Value {
    let assets = scene.server.json(&format!("/v2/fungible/assets?chain_ids={L1}")).await;
    let listed = assets["chain_to_assets_map"][L1]["assets"].as_array().expect("a list").clone();
    let usdc = listed.iter().find(|asset| asset["symbol"] == "USDC").expect("USDC is on the L1")["denom"].clone();
    let ends = json!({
        "source_asset_denom": USDC, "source_asset_chain_id": CHAIN, "dest_asset_denom": usdc,
        "dest_asset_chain_id": L1, "amount_in": "25000000", "go_fast": go_fast, "allow_unsafe": true,
    });
    let route = scene.server.post("/v2/fungible/route", &ends).await.json();
    let mut asked = ends.clone();
    for name in ["operations", "amount_out"] {
        asked[name] = route[name].clone();
    }
    let address = |chain: &Value| match chain.as_str() {
        Some(CHAIN) => json!(scene.signer.hex().to_lowercase()),
        Some(L1) => json!(scene.signer.address()),
        Some(other) => {
            let prefix = other.split('-').next().expect("a name");
            json!(scene.signer.hex().parse::<Address>().expect("an address").bech32_as(prefix))
        }
        None => Value::Null,
    };
    let required = route["required_chain_addresses"].as_array().expect("chains");
    asked["address_list"] = required.iter().map(address).collect();
    let msgs = scene.server.post("/v2/fungible/msgs", &asked).await;
    msgs.json()["txs"][0]["evm_tx"].clone()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().expect("a text")
}

/// The call as a wallet would sign it.
fn signed_call(nonce: u64, call: &Value) -> EthereumPayload {
    let input = hex::decode(text(call, "data")).expect("hex");
    payload(nonce, text(call, "to"), text(call, "value").parse().unwrap_or(0), input)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_router_gave_out_is_approved_signed_and_arrives() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(71)).await;
    let chains = scene.server.json("/v2/info/chains").await;
    let chain = chains["chains"].as_array().and_then(|all| all.iter().find(|one| one["chain_id"] == CHAIN).cloned());
    let url = chain.expect("it is listed")["json_rpc"].clone();
    assert!(url.as_str().is_some_and(|url| url.ends_with("/node/31337/json-rpc")), "{url}");
    assert_eq!(eth(&scene, "eth_chainId", json!([])).await, "0x7a69");
    for (nth, go_fast) in [(0, false), (2, true)] {
        let call = call_to_l1(&scene, go_fast).await;
        let approval = &call["required_erc20_approvals"][0];
        let spender: Address = text(approval, "spender").parse().expect("an address");
        let amount: u128 = text(approval, "amount").parse().expect("a number");
        assert_eq!(read(&scene, "allowance(address,address)", &[me(&scene), spender.word()]).await, U256::ZERO);
        let approved = send(&scene, &approve(nth, text(approval, "spender"), amount)).await;
        let allowed = async || read(&scene, "allowance(address,address)", &[me(&scene), spender.word()]).await;
        assert_eq!(allowed().await, U256::ZERO, "its block is not there yet");
        let approved = receipt(&scene, &approved).await;
        assert_eq!(allowed().await, U256::from(amount));
        // As USDT, the token changes an allowance only from or to 0.
        let other = approve(nth + 1, text(approval, "spender"), amount + 1);
        let other = json!([{ "from": scene.signer.hex(), "to": USDC, "data": hex::encode_prefixed(&other.input) }]);
        assert_eq!(ask(&scene, "eth_call", other).await["error"]["message"], "execution reverted");
        assert_eq!((&approved["status"], approved["logs"].as_array().map(Vec::len)), (&json!("0x1"), Some(1)));
        let (coins, before) = (read(&scene, "balanceOf(address)", &[me(&scene)]).await, ether(&scene).await);
        let burn = signed_call(nth + 1, &call);
        let asked = json!([{
            "from": scene.signer.hex(), "to": text(&call, "to"), "data": hex::encode_prefixed(&burn.input),
            "value": format!("{:#x}", burn.value),
        }]);
        let gas: u64 = number(&eth(&scene, "eth_estimateGas", asked).await).to();
        let hash = send(&scene, &EthereumPayload { gas, ..burn.clone() }).await;
        let found = eth(&scene, "eth_getTransactionByHash", json!([hash])).await;
        assert_eq!((&found["hash"], &found["blockNumber"]), (&json!(hash), &Value::Null), "it waits");
        let receipt = receipt(&scene, &hash).await;
        assert_eq!((&receipt["status"], &receipt["type"]), (&json!("0x1"), &json!("0x2")), "{receipt}");
        let found = eth(&scene, "eth_getTransactionByHash", json!([hash])).await;
        assert_eq!((&found["blockHash"], number(&found["nonce"])), (&receipt["blockHash"], U256::from(nth + 1)));
        let block = eth(&scene, "eth_getBlockByHash", json!([receipt["blockHash"], false])).await;
        assert!(block["transactions"].as_array().is_some_and(|all| all.contains(&json!(hash))), "{block}");
        let price = number(&receipt["effectiveGasPrice"]);
        assert_eq!(price, U256::from(1_600_000_000_u64), "base fee and tip, less than the cap");
        let paid = number(&receipt["gasUsed"]) * price + burn.value;
        assert_eq!(ether(&scene).await, before - paid);
        assert_eq!(read(&scene, "balanceOf(address)", &[me(&scene)]).await, coins - U256::from(amount));
        assert_eq!(read(&scene, "allowance(address,address)", &[me(&scene), spender.word()]).await, U256::ZERO);
        let status = scene.follow(CHAIN, &hash).await;
        assert_eq!(status["state"], "STATE_COMPLETED_SUCCESS", "{status}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_its_contract_refuses_is_in_a_block_and_costs_its_gas() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(72)).await;
    let call = call_to_l1(&scene, false).await;
    let asked = json!([{ "from": scene.signer.hex(), "to": text(&call, "to"), "data": format!("0x{}", text(&call, "data")),
        "value": format!("{:#x}", text(&call, "value").parse::<u128>().unwrap_or(0)) }]);
    let answer = ask(&scene, "eth_estimateGas", asked).await;
    assert_eq!(answer["error"]["message"], "execution reverted: ERC20: transfer amount exceeds allowance", "{answer}");
    let (coins, before) = (read(&scene, "balanceOf(address)", &[me(&scene)]).await, ether(&scene).await);
    let hash = send(&scene, &signed_call(0, &call)).await;
    let receipt = receipt(&scene, &hash).await;
    assert_eq!((&receipt["status"], &receipt["logs"]), (&json!("0x0"), &json!([])), "{receipt}");
    assert_eq!(read(&scene, "balanceOf(address)", &[me(&scene)]).await, coins, "nothing was taken");
    let paid = number(&receipt["gasUsed"]) * number(&receipt["effectiveGasPrice"]);
    assert_eq!(ether(&scene).await, before - paid);
    let tracked = scene.server.post("/v2/tx/track", &json!({ "tx_hash": hash, "chain_id": CHAIN })).await;
    assert!(tracked.status == 400 && tracked.text.contains("tx is invalid on chain"), "{}", tracked.text);
    let status = scene.server.json(&format!("/v2/tx/status?chain_id={CHAIN}&tx_hash={hash}")).await;
    assert_eq!(status["state"], "STATE_COMPLETED_ERROR", "{status}");
    let why = status["error"]["details"]["message"].as_str().unwrap_or_default();
    assert!(why.contains("exceeds allowance"), "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn ether_and_tokens_are_sent_and_what_is_wrong_is_refused() {
    let scene = Scene::of(Vm::Move, Signer::ethereum(73)).await;
    let other = Address::Short([0x6a; 20]);
    let hash = send(&scene, &payload(0, &other.hex(), 5_000, Vec::new())).await;
    let transfer = data("transfer(address,uint256)", &[other.word(), U256::from(1_500_000).to_be_bytes()]);
    let second = send(&scene, &payload(1, USDC, 0, transfer)).await;
    assert_eq!(eth(&scene, "eth_getTransactionCount", json!([scene.signer.hex(), "pending"])).await, "0x2");
    assert_eq!(eth(&scene, "eth_getTransactionCount", json!([scene.signer.hex(), "latest"])).await, "0x0");
    let again =
        ask(&scene, "eth_sendRawTransaction", json!([raw(&scene, &payload(0, &other.hex(), 5_000, Vec::new()))]));
    assert_eq!(again.await["error"]["message"], "already known");
    for hash in [&hash, &second] {
        assert_eq!(receipt(&scene, hash).await["status"], "0x1");
    }
    assert_eq!(eth(&scene, "eth_getTransactionCount", json!([scene.signer.hex(), "latest"])).await, "0x2");
    assert_eq!(number(&eth(&scene, "eth_getBalance", json!([other.hex(), "latest"])).await), U256::from(5_000));
    assert_eq!(read(&scene, "balanceOf(address)", &[other.word()]).await, U256::from(1_500_000));
    assert_eq!(read(&scene, "decimals()", &[]).await, U256::from(6));
    let good = payload(2, &other.hex(), 1, Vec::new());
    let messenger = "0x7700000000000000000000000000000000000101";
    let cases = [
        ("chain", EthereumPayload { chain_id: 5, ..good.clone() }, "invalid chain id for signer: have 5 want 31337"),
        ("low", EthereumPayload { nonce: 1, ..good.clone() }, "nonce too low: next nonce 2, tx nonce 1"),
        ("high", EthereumPayload { nonce: 3, ..good.clone() }, "nonce too high"),
        (
            "price",
            EthereumPayload { fee_cap: 1_000_000_000, ..good.clone() },
            "max fee per gas less than block base fee",
        ),
        ("funds", EthereumPayload { value: U256::from(10_u128.pow(24)), ..good.clone() }, "insufficient funds for gas"),
        ("call", payload(2, messenger, 0, vec![1, 2, 3, 4]), "with selector 0x01020304"),
        ("token", payload(2, USDC, 0, data("mystery()", &[])), "does not support a call to 0x"),
        ("deployment", EthereumPayload { to: None, ..good.clone() }, "deploys no custom contracts"),
    ];
    for (what, wrong, words) in cases {
        let answer = ask(&scene, "eth_sendRawTransaction", json!([raw(&scene, &wrong)])).await;
        assert!(
            answer["error"]["message"].as_str().is_some_and(|sentence| sentence.contains(words)),
            "{what}: {answer}"
        );
    }
    assert_eq!(eth(&scene, "eth_getTransactionCount", json!([scene.signer.hex(), "pending"])).await, "0x2");
    assert_eq!(scene.server.get("/node/31337/rest/cosmos/base/tendermint/v1beta1/syncing").await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn submitting_broadcasts_and_tracks_in_one_go() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(74)).await;
    let (from, denom) = (scene.signer.address(), scene.bridged());
    let submit = async |tx: String, chain_id: &str| {
        scene.server.post("/v2/tx/submit", &json!({ "tx": tx, "chain_id": chain_id })).await
    };
    let deposit = json!({
        "@type": "/opinit.ophost.v1.MsgInitiateTokenDeposit", "sender": from,
        "bridge_id": scene.facts.bridge_id.to_string(), "to": from, "amount": { "denom": "uinit", "amount": "7000000" },
    });
    let draft = scene.draft(L1, vec![deposit]).await;
    let signed = base64(&scene.signer.sign(&draft, Mode::Direct));
    let answer = submit(signed.clone(), L1).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let (hash, link) = (text(&answer.json(), "tx_hash").to_owned(), text(&answer.json(), "explorer_link").to_owned());
    let path = format!("/v2/tx/status?chain_id={L1}&tx_hash={hash}");
    assert_eq!(scene.server.json(&path).await["state"], "STATE_SUBMITTED", "nobody asked to track it");
    let again = submit(signed, L1).await;
    assert!(again.status == 400 && again.text.contains("code 19"), "{}", again.text);
    let before = scene.balance(scene.chain_id(), denom.as_str()).await;
    scene.step(4);
    assert_eq!(scene.follow(L1, &hash).await["state"], "STATE_COMPLETED_SUCCESS");
    assert_eq!(scene.balance(scene.chain_id(), denom.as_str()).await, before + 7_000_000);
    let (_, place) = link.split_once("/demo/").expect("a link to this server");
    assert_eq!(scene.server.json(&format!("/demo/{place}")).await["tx_hash"], json!(hash));

    let call = call_to_l1(&scene, false).await;
    let approval = &call["required_erc20_approvals"][0];
    let amount = text(approval, "amount").parse().expect("a number");
    let approved = submit(raw(&scene, &approve(0, text(approval, "spender"), amount)), CHAIN).await;
    assert_eq!(approved.status, 200, "{}", approved.text);
    let burn = submit(raw(&scene, &signed_call(1, &call)), CHAIN).await.json();
    assert_eq!(receipt(&scene, text(&burn, "tx_hash")).await["status"], "0x1");
    assert_eq!(scene.follow(CHAIN, text(&burn, "tx_hash")).await["state"], "STATE_COMPLETED_SUCCESS");

    let wrong = scene.draft(L1, vec![bank_send(&from, &from, "uinit", 3)]).await;
    let ahead = super::TxDraft { sequence: wrong.sequence + 1, ..wrong };
    let ahead = base64(&scene.signer.sign(&ahead, Mode::Direct));
    for (tx, chain, status, words) in [
        (ahead.clone(), L1, 400, "with code 32: account sequence mismatch"),
        (ahead, "nowhere-1", 404, "chain ID not supported"),
        (raw(&scene, &approve(0, USDC, 1)), CHAIN, 400, "with code -32000: nonce too low"),
        ("=".to_owned(), L1, 400, "neither base64 nor hex"),
        ("0x".to_owned(), CHAIN, 400, "neither base64 nor hex"),
        (base64(&[1, 2, 3]), L1, 400, "with code 2: "),
    ] {
        let answer = submit(tx, chain).await;
        assert_eq!(answer.status, status, "{}", answer.text);
        assert!(answer.text.contains(words), "{}", answer.text);
    }
}
