//! What is posted and leaves its chain is tracked to its end, whether this router made the messages or not.

use rollscope::{domain::Vm, wire::proto::decode_tx};
use serde_json::{Value, json};

use super::{
    L1, Scene, Signer,
    signer::{Mode, base64},
};

/// Until when a packet may arrive, in nanoseconds: an hour after the chain's time.
fn timeout(scene: &Scene) -> String {
    let now = scene.server.rollup.chain_now().after(std::time::Duration::from_secs(3_600));
    now.as_nanos().to_string()
}

fn success(status: &Value) {
    assert_eq!(status["state"], "STATE_COMPLETED_SUCCESS", "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deposit_that_nobody_asked_the_router_for_arrives() {
    for vm in [Vm::Evm, Vm::Move, Vm::Wasm] {
        let scene = Scene::of(vm, Signer::ethereum(41)).await;
        let (from, denom) = (scene.signer.address(), scene.bridged());
        let before = scene.balance(scene.chain_id(), denom.as_str()).await;
        let held = scene.balance(L1, "uinit").await;
        let deposit = json!({
            "@type": "/opinit.ophost.v1.MsgInitiateTokenDeposit",
            "sender": from,
            "bridge_id": scene.facts.bridge_id.to_string(),
            "to": from,
            "amount": { "denom": "uinit", "amount": "7000000" },
        });
        let draft = scene.draft(L1, vec![deposit]).await;
        let hash = scene.take(L1, &scene.signer.sign(&draft, Mode::Personal)).await;
        scene.step(4);
        let search = "/cosmos/tx/v1beta1/txs?order_by=ORDER_BY_DESC&query=message.sender%3D";
        let found = scene.rest(L1, &format!("{search}%27{from}%27")).await;
        assert_eq!((&found["tx_responses"][0]["txhash"], &found["total"]), (&json!(hash), &json!("1")), "{found}");
        assert_eq!(scene.rest(L1, &format!("{search}%27init1other%27")).await["tx_responses"], json!([]));
        success(&scene.follow(L1, &hash).await);
        assert_eq!(scene.balance(scene.chain_id(), denom.as_str()).await, before + 7_000_000, "{vm}");
        assert_eq!(scene.balance(L1, "uinit").await, held - 7_000_000 - draft.fee, "{vm}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawal_arrives_on_the_l1() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(42)).await;
    let (from, denom) = (scene.signer.address(), scene.bridged());
    let held = scene.balance(L1, "uinit").await;
    let withdrawal = json!({
        "@type": "/opinit.opchild.v1.MsgInitiateTokenWithdrawal",
        "sender": from,
        "to": from,
        "amount": { "denom": denom.as_str(), "amount": "2000000" },
    });
    let draft = scene.draft(scene.chain_id(), vec![withdrawal]).await;
    let hash = scene.take(scene.chain_id(), &scene.signer.sign(&draft, Mode::Amino)).await;
    scene.step(1);
    let found = scene.tx(scene.chain_id(), &hash).await;
    let kinds: Vec<&str> = found["tx_response"]["events"]
        .as_array()
        .expect("events")
        .iter()
        .filter_map(|event| event["type"].as_str())
        .collect();
    assert!(kinds.contains(&"initiate_token_withdrawal"), "{kinds:?}");
    scene.claim(scene.chain_id(), &hash).await;
    success(&scene.follow(scene.chain_id(), &hash).await);
    assert_eq!(scene.balance(L1, "uinit").await, held + 2_000_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_packet_arrives_with_the_time_out_that_was_signed() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(43)).await;
    let (from, denom) = (scene.signer.address(), scene.bridged());
    let until = timeout(&scene);
    let packet = |sender: &str, channel: &str, denom: &str| {
        json!({
            "@type": "/ibc.applications.transfer.v1.MsgTransfer",
            "source_port": "transfer",
            "source_channel": channel,
            "token": { "denom": denom, "amount": "1500000" },
            "sender": sender,
            "receiver": sender,
            "timeout_height": {},
            "timeout_timestamp": until,
            "memo": "",
        })
    };
    let message = packet(&from, scene.facts.channels[0].id, denom.as_str());
    let draft = scene.draft(scene.chain_id(), vec![message]).await;
    let hash = scene.take(scene.chain_id(), &scene.signer.sign(&draft, Mode::Amino)).await;
    scene.step(1);
    let found = scene.tx(scene.chain_id(), &hash).await;
    assert_eq!(found["tx_response"]["code"], 0, "{found}");
    let text = found["tx_response"]["events"].to_string();
    assert!(text.contains("send_packet") && text.contains(&until), "{text}");
    success(&scene.follow(scene.chain_id(), &hash).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_messages_of_the_router_are_known_when_somebody_else_sends_them() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(44)).await;
    let (from, denom) = (scene.signer.address(), scene.bridged());
    let ends = json!({
        "source_asset_denom": "uinit", "source_asset_chain_id": L1,
        "dest_asset_denom": denom.as_str(), "dest_asset_chain_id": scene.chain_id(), "amount_in": "3000000",
    });
    let route = scene.server.post("/v2/fungible/route", &ends).await.json();
    let mut asked = ends.clone();
    for name in ["operations", "amount_out"] {
        asked[name] = route[name].clone();
    }
    asked["address_list"] = json!([from, from]);
    let msgs = scene.server.post("/v2/fungible/msgs", &asked).await.json();
    let message = &msgs["txs"][0]["cosmos_tx"]["msgs"][0];
    let mut written: Value = serde_json::from_str(message["msg"].as_str().expect("a text")).expect("JSON");
    written["@type"] = message["msg_type_url"].clone();
    let draft = scene.draft(L1, vec![written]).await;
    let hash = scene.take(L1, &scene.signer.sign(&draft, Mode::Direct)).await;
    let again = scene.server.post("/demo/v1/broadcast", &json!({ "msgs": msgs })).await;
    assert!(again.text.contains("already sent"), "{}", again.text);
    scene.step(4);
    success(&scene.follow(L1, &hash).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_on_its_source_chain_is_known_as_failed() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(46)).await;
    assert_eq!(scene.server.put_faults(r#"["source-fails"]"#).await.status, 200);
    let from = scene.signer.address();
    let deposit = json!({
        "@type": "/opinit.ophost.v1.MsgInitiateTokenDeposit",
        "sender": from,
        "bridge_id": scene.facts.bridge_id.to_string(),
        "to": from,
        "amount": { "denom": "uinit", "amount": "7000000" },
    });
    let draft = scene.draft(L1, vec![deposit]).await;
    let hash = scene.take(L1, &scene.signer.sign(&draft, Mode::Direct)).await;
    scene.step(4);
    let tracked = scene.server.post("/v2/tx/track", &json!({ "tx_hash": hash, "chain_id": L1 })).await;
    assert!(tracked.status == 400 && tracked.text.contains("tx is invalid on chain"), "{}", tracked.text);
    let status = scene.server.json(&format!("/v2/tx/status?chain_id={L1}&tx_hash={hash}")).await;
    assert_eq!(status["state"], "STATE_COMPLETED_ERROR", "{status}");
    assert_eq!(status["error"]["details"]["code"], 11, "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_router_says_where_the_nodes_are() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(45)).await;
    let chains = scene.server.json("/v2/info/chains").await;
    for (chain_id, name) in [(L1, "node_info"), (scene.chain_id(), "node_info")] {
        let chain = chains["chains"].as_array().expect("a list").iter().find(|chain| chain["chain_id"] == chain_id);
        let rest = chain.and_then(|chain| chain["rest"].as_str()).expect("an address");
        let path = rest.strip_prefix(&scene.server.rollup.url()).expect("an address of this server");
        let info = scene.server.json(&format!("{path}/cosmos/base/tendermint/v1beta1/{name}")).await;
        assert_eq!(info["default_node_info"]["network"], chain_id);
        let fee = &chain.expect("it is listed")["fee_assets"][0];
        let (denom, price) = if chain_id == L1 { ("uinit", "0.015") } else { (scene.fee_denom(), "5000000000") };
        assert_eq!((&fee["denom"], &fee["gas_price"]["average"]), (&json!(denom), &json!(price)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_routers_packet_is_known_whatever_a_client_makes_of_its_time_out() {
    let scene = Scene::of(Vm::Wasm, Signer::ethereum(47)).await;
    let (from, denom) = (scene.signer.address(), scene.bridged());
    let ends = json!({
        "source_asset_denom": denom.as_str(), "source_asset_chain_id": scene.chain_id(),
        "dest_asset_denom": "uinit", "dest_asset_chain_id": L1, "amount_in": "1000000",
    });
    let route = scene.server.post("/v2/fungible/route", &ends).await.json();
    let mut asked = ends.clone();
    for name in ["operations", "amount_out"] {
        asked[name] = route[name].clone();
    }
    let needed = route["required_chain_addresses"].as_array().expect("chains").len();
    asked["address_list"] = vec![from; needed].into();
    let msgs = scene.server.post("/v2/fungible/msgs", &asked).await.json();
    let message = &msgs["txs"][0]["cosmos_tx"]["msgs"][0];
    let mut written: Value = serde_json::from_str(message["msg"].as_str().expect("a text")).expect("JSON");
    written["@type"] = message["msg_type_url"].clone();
    let until = written["timeout_timestamp"].as_u64().expect("nanoseconds");
    assert_eq!(until % 1_000_000_000, 0, "clients that read it as a double keep its value");
    assert!(
        written["memo"].as_str().is_some_and(|memo| memo.contains("move")),
        "its memo is the router's own: {written}"
    );
    written["timeout_timestamp"] = (until + 127).to_string().into();
    let draft = scene.draft(scene.chain_id(), vec![written]).await;
    let hash = scene.take(scene.chain_id(), &scene.signer.sign(&draft, Mode::Direct)).await;
    scene.step(2);
    success(&scene.follow(scene.chain_id(), &hash).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_packet_whose_memo_is_not_understood_is_tracked_and_comes_back() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(48)).await;
    let (from, denom) = (scene.signer.address(), scene.bridged());
    let before = scene.balance(scene.chain_id(), denom.as_str()).await;
    let message = json!({
        "@type": "/ibc.applications.transfer.v1.MsgTransfer",
        "source_port": "transfer",
        "source_channel": scene.facts.channels[0].id,
        "token": { "denom": denom.as_str(), "amount": "1500000" },
        "sender": from,
        "receiver": from,
        "timeout_height": {},
        "timeout_timestamp": timeout(&scene),
        "memo": r#"{"move":{"message":{"module_address":"0x1","module_name":"unknown"}}}"#,
    });
    let draft = scene.draft(scene.chain_id(), vec![message]).await;
    let hash = scene.take(scene.chain_id(), &scene.signer.sign(&draft, Mode::Direct)).await;
    scene.step(2);
    let status = scene.follow(scene.chain_id(), &hash).await;
    assert_eq!(status["state"], "STATE_COMPLETED_ERROR", "{status}");
    assert_eq!(status["transfer_asset_release"]["chain_id"], scene.chain_id(), "{status}");
    assert_eq!(scene.balance(scene.chain_id(), denom.as_str()).await, before, "it came back");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_names_and_numbers_of_protobufs_own_json_are_taken() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(49)).await;
    let from = scene.signer.address();
    let payment = json!({
        "@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": from, "to_address": from,
        "amount": [{ "denom": scene.bridged().as_str(), "amount": "1" }],
    });
    let draft = scene.draft(scene.chain_id(), vec![payment]).await;
    let raw = scene.signer.sign(&draft, Mode::Direct);
    let path = |name: &str| format!("/node/rest/cosmos/tx/v1beta1/{name}");
    let tx: Value = serde_json::from_str(&decode_tx(&raw).expect("a transaction")).expect("JSON");
    for body in [json!({ "txBytes": base64(&raw) }), json!({ "tx": tx })] {
        let tried = scene.server.post(&path("simulate"), &body).await.json();
        assert!(tried["gas_info"]["gas_used"].as_str().is_some_and(|gas| gas.len() > 3), "{tried}");
    }
    let refused = scene.server.post(&path("txs"), &json!({ "txBytes": base64(&raw), "mode": 1 })).await;
    assert!(refused.status == 400 && refused.text.contains("unsupported return type"), "{}", refused.text);
    let sent = scene.server.post(&path("txs"), &json!({ "txBytes": base64(&raw), "mode": 2 })).await.json();
    assert_eq!(sent["tx_response"]["code"], 0, "{sent}");
}
