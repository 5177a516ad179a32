//! What the router and the wallet refuse, and what is harmless.

use super::*;

async fn refused(demo: &Demo, path: &str, body: &Value) -> (u16, String) {
    let (code, answer) = demo.post(path, body).await;
    assert_eq!(answer["code"].to_string(), if code == 404 { "5" } else { "3" }, "{answer}");
    (code, answer["message"].as_str().expect("a message").to_owned())
}

#[tokio::test]
async fn tracking_is_idempotent_and_reads_both_forms_of_a_hash() {
    let demo = Demo::start(Vm::Move);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "INIT", 6).await;
    let sent = demo.send(&wish((L1, "uinit"), (&here, &denom), "5000000")).await;
    assert_eq!(sent.tx_hash, sent.tx_hash.to_uppercase());
    demo.tracked(&sent).await;
    let first = demo.track(&sent).await;
    let other = Sent { tx_hash: format!("0x{}", sent.tx_hash.to_lowercase()), ..sent.clone() };
    assert_eq!((demo.track(&other).await, demo.status(&other).await), (first, demo.status(&sent).await));
}

#[tokio::test]
async fn what_nobody_knows_is_404() {
    let demo = Demo::start(Vm::Move);
    let hash = "AB".repeat(32);
    for (chain, sentence) in [(L1, "tx not found"), ("not-a-chain-1", "chain ID not supported")] {
        let body = json!({ "tx_hash": hash, "chain_id": chain });
        assert_eq!(refused(&demo, "/v2/tx/track", &body).await, (404, sentence.to_owned()));
        let (code, answer) = demo.get(&format!("/v2/tx/status?tx_hash={hash}&chain_id={chain}")).await;
        assert_eq!((code, answer["message"].as_str()), (404, Some(sentence)));
    }
    let (code, answer) = demo.get(&format!("/v2/tx/status?tx_hash={hash}")).await;
    assert_eq!(code, 400);
    assert!(answer["message"].as_str().unwrap().starts_with("chain_id is missing"), "{answer}");
}

#[tokio::test]
async fn bad_bodies_are_refused_by_the_field() {
    let demo = Demo::start(Vm::Move);
    for (path, body, part) in [
        ("/v2/fungible/route", json!({ "amount_in": "x" }), "amount_in"),
        ("/v2/fungible/msgs", json!({ "amount_in": "1" }), "missing field"),
        ("/v2/tx/track", json!([]), "body"),
        ("/v2/tx/track", json!({ "tx_hash": "12", "chain_id": L1 }), "tx_hash"),
        ("/demo/v1/broadcast", json!({ "msgs": 5 }), "msgs"),
        ("/demo/v1/sign", json!({ "chain_id": L1, "hook": [] }), "is not a rollup"),
    ] {
        let (code, sentence) = refused(&demo, path, &body).await;
        assert!(code == 400 && sentence.contains(part), "{path}: {sentence}");
    }
    let huge = demo.client.post(demo.url("/v2/fungible/route")).body("x".repeat(2 << 20));
    assert_eq!(demo.answer(huge).await.0, 400);
}

#[tokio::test]
async fn a_broadcast_is_of_messages_that_were_given_out_and_happens_once() {
    let demo = Demo::start(Vm::Move);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "INIT", 6).await;
    let deposit = wish((L1, "uinit"), (&here, &denom), "5000000");
    let msgs = demo.msgs(&deposit).await;
    let text = msgs.to_string();
    let changed: Value = serde_json::from_str(&text.replace("5000000", "5000001")).unwrap();
    let (code, sentence) = refused(&demo, "/demo/v1/broadcast", &json!({ "msgs": changed })).await;
    assert!(code == 400 && sentence.contains("request the messages again"), "{sentence}");
    let sent = demo.broadcast(&msgs, 0).await;
    let (code, sentence) = refused(&demo, "/demo/v1/broadcast", &json!({ "msgs": msgs })).await;
    assert!(code == 400 && sentence.contains(&sent.tx_hash), "{sentence}");
    let (_, sentence) = refused(&demo, "/demo/v1/broadcast", &json!({ "msgs": msgs, "tx_index": 1 })).await;
    assert!(sentence.contains("1 transactions"), "{sentence}");
    // Somebody who asks for the same messages anew means another transfer.
    let again = demo.broadcast(&demo.msgs(&deposit).await, 0).await;
    assert_ne!(again.tx_hash, sent.tx_hash);
}

#[tokio::test]
async fn more_than_the_wallet_has_is_refused_with_the_amounts() {
    let demo = Demo::start(Vm::Move);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "INIT", 6).await;
    let held = demo.balance(L1, "uinit").await;
    let more = (held + 1).to_string();
    let msgs = demo.msgs(&wish((L1, "uinit"), (&here, &denom), &more)).await;
    let (code, sentence) = refused(&demo, "/demo/v1/broadcast", &json!({ "msgs": msgs })).await;
    assert!(code == 400 && sentence.contains(&held.to_string()) && sentence.contains(&more), "{sentence}");
}

#[tokio::test]
async fn many_at_once_all_arrive() {
    let demo = Demo::start(Vm::Move);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "INIT", 6).await;
    let amounts = ["1000001", "1000002", "1000003", "1000004", "1000005", "1000006"];
    let wishes = amounts.map(|amount| wish((L1, "uinit"), (&here, &denom), amount));
    let sent = futures_util::future::join_all(wishes.iter().map(|wish| demo.send(wish))).await;
    demo.rollup.step(40).unwrap();
    for one in &sent {
        assert_eq!(demo.track(one).await.0, 200);
    }
    demo.rollup.step(3).unwrap();
    let ends = futures_util::future::join_all(sent.iter().map(|one| demo.status(one))).await;
    for ((_, status), amount) in ends.iter().zip(amounts) {
        assert_eq!(status["state"], "STATE_COMPLETED_SUCCESS");
        assert_eq!(status["transfer_asset_release"]["amount"], amount);
    }
}
