use std::sync::Arc;

use rollscope::{
    client::{ClientOptions, IndexerClient, endpoints},
    domain::ChainId,
    wire::{
        Exchange, RawJson,
        router::{BroadcastRequest, MsgsRequest, OpHookRequest, Route, RouteRequest, SignedOpHook},
    },
};
use serde_json::{Value, json};

use super::{client_of, fixture, request, tracked};
use crate::harness::replay::{Answer, Replay, Seen};

fn body(seen: &Seen) -> Value {
    assert_eq!(seen.method, "POST");
    assert!(seen.headers.contains("content-type: application/json\r\n"), "{}", seen.headers);
    serde_json::from_str(&seen.body).expect("what was sent is JSON")
}

fn only(server: &Replay) -> Seen {
    let [seen] = server.seen().try_into().expect("it was asked once");
    seen
}

#[tokio::test]
async fn a_route_is_asked_for_and_kept_verbatim() {
    let answer = fixture("route-op-deposit-required-hook-composed");
    let server = Replay::always(Answer::json(format!("\n{answer}\n"))).await;
    let route = client_of(&server).route(&request()).await.unwrap();
    assert_eq!(route.raw.get(), answer);
    assert!(route.value.required_op_hook);
    let seen = only(&server);
    assert_eq!(seen.target, "/v2/fungible/route");
    let sent = json!({
        "amount_in": "5000000", "source_asset_chain_id": "interwoven-1", "source_asset_denom": "uinit",
        "dest_asset_chain_id": "yominet-1", "dest_asset_denom": "evm/856aB2c9F35B9187aB3eB0Fcd11DCc6160427e96",
        "allow_unsafe": true,
    });
    assert_eq!(body(&seen), sent, "what is left open is said, and nothing else is");

    let careful =
        RouteRequest { allow_unsafe: Some(false), go_fast: Some(true), is_op_withdraw: Some(true), ..request() };
    let raw = client_of(&server).raw(endpoints::route(&careful)).await.unwrap();
    assert_eq!(raw, format!("\n{answer}\n").into_bytes());
    let sent = body(&server.seen()[1]);
    assert_eq!((&sent["allow_unsafe"], &sent["go_fast"]), (&json!(false), &json!(true)));
    assert_eq!((&sent["is_op_withdraw"], sent.get("allow_multi_tx")), (&json!(true), None));
}

#[tokio::test]
async fn paths_are_joined_behind_whatever_address_is_given() {
    let hook = fixture("op-hook-composed");
    let server = Replay::always(Answer::json(&hook)).await;
    let client = rollscope::client::RouterClient::new(&format!("{}/router/", server.url()), ClientOptions::default());
    let request = OpHookRequest {
        source_address: "init1a".to_owned(),
        source_asset_chain_id: ChainId::new("a"),
        source_asset_denom: "uinit".parse().unwrap(),
        dest_address: "init1b".to_owned(),
        dest_asset_chain_id: ChainId::new("b"),
        dest_asset_denom: "evm/1".parse().unwrap(),
    };
    let answer = client.unwrap().op_hook(&request).await.unwrap();
    assert_eq!(answer.raw.get(), hook);
    let seen = only(&server);
    assert_eq!(seen.target, "/router/op-hook", "without a version");
    assert_eq!(body(&seen)["dest_address"], "init1b");
}

#[tokio::test]
async fn operations_are_sent_back_byte_for_byte() {
    let odd = r#"{"transfer":{"smart_relay_fee_quote":{"expiration":"x","n":1.50},"timeout":1234567890123456789},"tx_index":0,"new":null}"#;
    let route: Route = serde_json::from_str(&format!(
        r#"{{"amount_in":"5","amount_out":"4","source_asset_chain_id":"a","source_asset_denom":"x",
        "dest_asset_chain_id":"b","dest_asset_denom":"y","operations":[{odd}],"required_chain_addresses":["a","b"]}}"#
    ))
    .unwrap();
    let request = MsgsRequest {
        amount_in: route.amount_in,
        amount_out: route.amount_out,
        source_asset_chain_id: route.source_asset_chain_id,
        source_asset_denom: route.source_asset_denom,
        dest_asset_chain_id: route.dest_asset_chain_id,
        dest_asset_denom: route.dest_asset_denom,
        address_list: vec!["init1a".to_owned(), "init1b".to_owned()],
        operations: route.operations,
        slippage_tolerance_percent: "0.5".to_owned(),
        estimated_amount_out: None,
        signed_op_hook: Some(SignedOpHook::object("init1a", "QUJD").unwrap()),
    };
    let answer = fixture("msgs-cctp-evm-tx-composed");
    let server = Replay::always(Answer::json(&answer)).await;
    let msgs = client_of(&server).msgs(&request).await.unwrap();
    assert_eq!((msgs.raw.get(), msgs.value.txs.len()), (answer.as_str(), 1));
    let seen = only(&server);
    assert!(seen.body.contains(&format!("\"operations\":[{odd}]")), "{}", seen.body);
    assert!(seen.body.contains(r#""signed_op_hook":{"signer":"init1a","hook":"QUJD"}"#), "{}", seen.body);
    assert_eq!(body(&seen)["address_list"], json!(["init1a", "init1b"]));
    assert_eq!(body(&seen).get("estimated_amount_out"), None);
}

#[tokio::test]
async fn tracking_and_status_name_hash_and_chain() {
    let status = fixture("status-2-pending-hop0-composed");
    let answer = status.clone();
    let server = Replay::scripted(move |seen, _| match seen.method.as_str() {
        "GET" => Answer::json(&answer),
        _ => Answer::json(r#"{"tx_hash":"0xab","success":true}"#),
    })
    .await;
    let client = client_of(&server);
    assert_eq!(client.track(&tracked()).await.unwrap().tx_hash, "0xab");
    client.one(endpoints::retry_track(&tracked())).await.unwrap();
    assert_eq!(client.status(&tracked()).await.unwrap().raw.get(), status);
    assert_eq!(client.raw(endpoints::transfer_status(&tracked())).await.unwrap(), status.as_bytes());
    let seen = server.seen();
    let targets: Vec<&str> = seen.iter().map(|seen| seen.target.as_str()).collect();
    assert_eq!(targets[..2], ["/v2/tx/track", "/v2/tx/retry_track"]);
    assert_eq!(targets[2], "/v2/tx/status?tx_hash=0xab&chain_id=1%20%26x%3D%C3%A9");
    assert_eq!(body(&seen[0]), json!({"tx_hash": "0xab", "chain_id": "1 &x=é"}));
}

#[tokio::test]
async fn chains_are_listed_and_assets_asked_for_one_chain_at_a_time() {
    let chains = fixture("chains-initia-composed");
    let server = Replay::scripted(move |seen, number| match seen.target.split('?').next() {
        Some("/v2/info/chains") => Answer::json(&chains),
        _ => Answer::json(format!(
            r#"{{"chain_to_assets_map":{{"c{number}":{{"assets":[{{"denom":"x","chain_id":"c{number}","decimals":6}}]}}}}}}"#
        )),
    })
    .await;
    let client = client_of(&server);
    assert!(client.chains().await.unwrap().iter().any(|chain| chain.chain_id.as_str() == "interwoven-1"));
    let assets = client.assets(&[ChainId::new("c1"), ChainId::new("c2")]).await.unwrap();
    let listed: Vec<&str> = assets.chain_to_assets_map.keys().map(ChainId::as_str).collect();
    assert_eq!(listed, ["c1", "c2"]);
    client.assets(&[]).await.unwrap();
    let targets: Vec<String> = server.seen().into_iter().map(|seen| seen.target).collect();
    let assets = "/v2/fungible/assets";
    assert_eq!(targets[1..], [format!("{assets}?chain_ids=c1"), format!("{assets}?chain_ids=c2"), assets.to_owned()]);
}

#[tokio::test]
async fn the_demo_wallet_is_there_or_not() {
    let info = r#"{"chain_id":"rollscope-evm-1","wallet":{"addresses":{"a":"init1a"},"balances":null},"vm":"evm"}"#;
    let server = Replay::always(Answer::json(info)).await;
    let found = client_of(&server).demo().await.unwrap().unwrap();
    assert_eq!(found.wallet.unwrap().addresses[&ChainId::new("a")], "init1a");
    for no_wallet in [
        Answer::text(404, "404 page not found"),
        Answer::typed(
            404,
            "application/json",
            r#"{"message":"Cannot GET /demo/v1","error":"Not Found","statusCode":404}"#,
        ),
        Answer::typed(404, "text/html", "<html>"),
        Answer::typed(200, "text/html", "<html>"),
        Answer::text(403, "no"),
    ] {
        let server = Replay::always(no_wallet).await;
        assert!(client_of(&server).demo().await.unwrap().is_none());
        assert_eq!(server.seen().len(), 1);
    }
    let server = Replay::always(Answer::text(500, "x")).await;
    assert!(client_of(&server).demo().await.is_err(), "that says nothing of a wallet");
}

#[tokio::test]
async fn the_demo_wallet_gets_hooks_and_messages_verbatim() {
    let server = Replay::scripted(|seen, _| match seen.target.as_str() {
        "/demo/v1/sign" => Answer::json(r#"{"signer":"init1a","hook":"QUJD"}"#),
        _ => Answer::json(r#"{"chain_id":"a","tx_hash":"AB"}"#),
    })
    .await;
    let (hook, msgs) = (r#"{"chain_id":"a","hook":[],"new":1.0}"#, r#"{"txs":[],"n":1234567890123456789}"#);
    let raw = |text: &str| RawJson::parse(text.to_owned()).unwrap();
    let client = client_of(&server);
    assert_eq!(client.demo_sign(&raw(hook)).await.unwrap().hook(), "QUJD");
    let request = BroadcastRequest { msgs: raw(msgs), tx_index: Some(1) };
    assert_eq!(client.demo_broadcast(&request).await.unwrap().tx_hash, "AB");
    let seen = server.seen();
    assert_eq!(seen[0].body, hook);
    assert_eq!(seen[1].target, "/demo/v1/broadcast");
    assert_eq!(seen[1].body, format!(r#"{{"msgs":{msgs},"tx_index":1}}"#));
}

#[tokio::test]
async fn exchanges_of_both_apis_are_in_one_log_and_repeat_as_curl() {
    let answer = fixture("route-op-deposit-composed");
    let answered = answer.clone();
    let server = Replay::scripted(move |seen, _| match seen.method.as_str() {
        "GET" => Answer::json(r#"{"chain_id":"it's","height":5}"#),
        _ => Answer::json(&answer),
    })
    .await;
    let indexer = IndexerClient::new(server.url(), ClientOptions::default()).unwrap();
    let router = indexer.beside(server.url()).unwrap();
    indexer.status().await.unwrap();
    let odd = RouteRequest { source_asset_denom: "it's".parse().unwrap(), ..request() };
    let refusal = router.route(&odd).await.unwrap_err();
    let other = "the router answered another question: the source denom is uinit, not it's";
    assert_eq!((refusal.brief().as_str(), refusal.body.as_deref()), (other, Some(answered.as_str())));
    let all = indexer.exchanges().snapshot();
    let [status, route]: [Arc<Exchange>; 2] = all.try_into().unwrap();
    assert_eq!((status.id, status.method, route.id, route.method), (1, "GET", 2, "POST"));
    assert_eq!(status.curl(), format!("curl -sS '{}/status'", server.url()));
    let quoted = server.seen()[1].body.replace('\'', "'\\''");
    let expected = format!(
        "curl -sS -X POST -H 'content-type: application/json' --data '{quoted}' '{}/v2/fungible/route'",
        server.url()
    );
    assert_eq!(route.curl(), expected);
    let large = RouteRequest { source_asset_denom: "x".repeat(Exchange::SENT_CAP).parse().unwrap(), ..request() };
    router.route(&large).await.unwrap_err();
    let last = router.exchanges().snapshot().pop().unwrap();
    assert!(last.sent.is_empty() && last.curl().contains("--data @request.json "), "{}", last.curl().len());
}
