//! What goes wrong with transfers, and where the money is then.

use super::*;

/// The genesis time of [`ledger`].
const GENESIS_SECONDS: u128 = 1_772_366_400;

fn error_of(hop: &Value) -> String {
    let inner = hop.as_object().and_then(|fields| fields.values().next()).expect("one key");
    inner["packet_txs"]["error"]["type"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_stuck_hop_goes_on_when_it_is_let_go() {
    let demo = Demo::start(Vm::Move);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "INIT", 6).await;
    let sent = demo.send(&wish((L1, "uinit"), (&here, &denom), "5000000")).await;
    demo.tracked(&sent).await;
    demo.rollup.step(3).unwrap();
    demo.faults(json!(["stuck-hop"])).await;
    demo.rollup.step(60).unwrap();
    let (_, status) = demo.status(&sent).await;
    assert_eq!((&status["state"], txs(&status["transfer_sequence"][0]).len()), (&json!("STATE_PENDING"), 1));
    demo.faults(json!([])).await;
    assert_eq!(demo.watch(&sent).await.states, ["STATE_PENDING", "STATE_COMPLETED_SUCCESS"]);
}

#[tokio::test]
async fn a_refusal_travels_back_to_the_start() {
    let demo = Demo::start(Vm::Move);
    let here = demo.chain_id().await;
    let other = demo.chains().await.into_iter().find(|id| id.starts_with("rollscope-") && *id != here).unwrap();
    let (from, to) = (demo.denom(&here, "ETH", 6).await, demo.denom(&other, "ETH", 6).await);
    let sent = demo.send(&wish((&here, &from), (&other, &to), "1500000")).await;
    demo.tracked(&sent).await;
    while demo.status(&sent).await.1["transfer_sequence"].as_array().unwrap().len() < 2 {
        demo.rollup.step(1).unwrap();
    }
    demo.faults(json!(["refund"])).await;
    let story = demo.watch(&sent).await;
    assert_eq!(story.states, ["STATE_PENDING", "STATE_PENDING_ERROR", "STATE_COMPLETED_ERROR"]);
    assert_eq!(story.blocking, ["1", "0", "null"], "the blocking hop goes back");
    assert_eq!(story.hops.last().unwrap(), "TRANSFER_FAILURE TRANSFER_FAILURE");
    assert_eq!(story.release(), (here.as_str(), from.as_str(), "1500000", true));
    assert_eq!(error_of(&story.last["transfer_sequence"][1]), "PACKET_ERROR_ACKNOWLEDGEMENT");
    assert_eq!(story.last["error"]["type"], "STATUS_ERROR_TRANSFER");
}

#[tokio::test]
async fn what_was_swapped_stays_where_it_was_swapped() {
    let demo = Demo::start(Vm::Evm);
    let here = demo.chain_id().await;
    let from = demo.denom(&here, "INIT", 6).await;
    let sent = demo.send(&wish((&here, &from), ("celestia", "utia"), "90000000")).await;
    demo.tracked(&sent).await;
    while demo.status(&sent).await.1["transfer_sequence"].as_array().unwrap().len() < 2 {
        demo.rollup.step(1).unwrap();
    }
    demo.faults(json!(["refund"])).await;
    let story = demo.watch(&sent).await;
    assert_eq!(*story.states.last().unwrap(), "STATE_COMPLETED_ERROR", "{story:?}");
    assert_eq!((story.release().0, story.release().3), (L1, true), "it was swapped there");
    assert_ne!(story.release().1, "uinit");
}

#[tokio::test]
async fn a_packet_to_the_rollup_is_refused_there() {
    let demo = Demo::start(Vm::Wasm);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "TIA", 6).await;
    let before = demo.balance("celestia", "utia").await;
    demo.faults(json!(["refund"])).await;
    let story = demo.follow(&demo.send(&wish(("celestia", "utia"), (&here, &denom), "1500000")).await).await;
    let states = ["STATE_SUBMITTED", "STATE_PENDING", "STATE_PENDING_ERROR", "STATE_COMPLETED_ERROR"];
    assert_eq!(story.states, states);
    assert_eq!(story.release(), ("celestia", "utia", "1500000", true));
    assert_eq!(demo.balance("celestia", "utia").await, before, "the money is back");
}

#[tokio::test]
async fn a_packet_of_the_rollup_runs_out() {
    let demo = Demo::start(Vm::Evm);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "TIA", 6).await;
    demo.faults(json!(["refund=timeout"])).await;
    let sent = demo.send(&wish((&here, &denom), ("celestia", "utia"), "1500000")).await;
    demo.tracked(&sent).await;
    demo.rollup.step(60).unwrap();
    demo.faults(json!([])).await;
    let story = demo.watch(&sent).await;
    assert_eq!(story.states, ["STATE_PENDING", "STATE_PENDING_ERROR", "STATE_COMPLETED_ERROR"]);
    assert_eq!(story.release(), (here.as_str(), denom.as_str(), "1500000", true));
    assert_eq!(error_of(&story.last["transfer_sequence"][0]), "PACKET_ERROR_TIMEOUT");
}

#[tokio::test]
async fn a_packet_that_runs_out_on_the_way_stays_there_and_the_one_before_is_answered() {
    let demo = Demo::start(Vm::Evm);
    let (here, there) = (demo.chain_id().await, "rollscope-move-1");
    let (denom, denom_there) = (demo.denom(&here, "ETH", 6).await, demo.denom(there, "ETH", 6).await);
    let sent = demo.send(&wish((&here, &denom), (there, &denom_there), "1500000")).await;
    demo.tracked(&sent).await;
    for _ in 0..PATIENCE {
        if demo.status(&sent).await.1["transfer_sequence"].as_array().is_some_and(|hops| hops.len() == 2) {
            break;
        }
        demo.rollup.step(1).unwrap();
    }
    let eth = demo.denom(L1, "ETH", 6).await;
    let before = demo.balance(L1, &eth).await;
    demo.faults(json!(["refund=timeout"])).await;
    let story = demo.watch(&sent).await;
    assert_eq!(story.release(), (L1, eth.as_str(), "1500000", true));
    assert_eq!(demo.balance(L1, &eth).await, before + 1_500_000);
    demo.rollup.step(12).unwrap();
    let story = demo.watch(&sent).await;
    assert_eq!(story.hops, ["TRANSFER_SUCCESS TRANSFER_FAILURE"], "no packet of the rollup waits for ever");
}

#[tokio::test]
async fn an_order_that_nobody_takes_is_given_back() {
    let demo = Demo::start(Vm::Evm);
    let before = demo.balance(ETHEREUM, USDC_ON_ETHEREUM).await;
    demo.faults(json!(["refund"])).await;
    let order = wish((ETHEREUM, USDC_ON_ETHEREUM), (L1, USDC_ON_L1), "50000000").with("go_fast", true);
    let story = demo.follow(&demo.send(&order).await).await;
    assert_eq!(story.hops, ["", "GO_FAST_TRANSFER_SENT", "GO_FAST_TRANSFER_TIMEOUT", "GO_FAST_TRANSFER_REFUNDED"]);
    assert_eq!(story.release(), (ETHEREUM, USDC_ON_ETHEREUM, "50000000", true));
    assert_eq!(demo.balance(ETHEREUM, USDC_ON_ETHEREUM).await, before);
}

#[tokio::test]
async fn a_stale_hook_leaves_a_deposit_unwrapped() {
    let demo = Demo::start(Vm::Evm);
    let here = demo.chain_id().await;
    let (plain, wrapped) = (demo.denom(&here, "INIT", 6).await, demo.denom(&here, "INIT", 18).await);
    demo.faults(json!(["refund"])).await;
    let story = demo.follow(&demo.send(&wish((L1, "uinit"), (&here, &wrapped), "5000000")).await).await;
    assert_eq!(*story.states.last().unwrap(), "STATE_COMPLETED_SUCCESS", "the deposit itself arrives");
    assert_eq!(story.release(), (here.as_str(), plain.as_str(), "5000000", true));
}

#[tokio::test]
async fn what_was_given_up_is_taken_up_again() {
    let demo = Demo::start(Vm::Move);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "INIT", 6).await;
    let sent = demo.send(&wish((L1, "uinit"), (&here, &denom), "5000000")).await;
    demo.tracked(&sent).await;
    demo.rollup.step(3).unwrap();
    demo.faults(json!(["abandoned"])).await;
    demo.rollup.step(1).unwrap();
    assert_eq!(demo.status(&sent).await.1["state"], "STATE_ABANDONED");
    assert_eq!(demo.track(&sent).await.0, 200);
    assert_eq!(demo.status(&sent).await.1["state"], "STATE_ABANDONED", "the fault is still on");
    let given_up = demo.status(&sent).await.1;
    assert_eq!(
        (&given_up["next_blocking_transfer"], &given_up["transfer_asset_release"]),
        (&json!(null), &json!(null))
    );
    demo.faults(json!([])).await;
    let before = demo.balance(&here, &denom).await;
    demo.rollup.step(40).unwrap();
    assert_eq!(demo.status(&sent).await.1, given_up, "nobody asked for it yet");
    assert_eq!(demo.balance(&here, &denom).await, before + 5_000_000, "the funds arrive all the same");
    let again = json!({ "tx_hash": sent.tx_hash, "chain_id": sent.chain_id });
    demo.good("/v2/tx/retry_track", &again).await;
    assert_eq!(demo.watch(&sent).await.states.last().unwrap(), "STATE_COMPLETED_SUCCESS");
}

#[tokio::test]
async fn a_source_that_fails_moves_nothing() {
    let demo = Demo::start(Vm::Move);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "INIT", 6).await;
    let before = demo.balance(L1, "uinit").await;
    demo.faults(json!(["source-fails"])).await;
    let sent = demo.send(&wish((L1, "uinit"), (&here, &denom), "5000000")).await;
    assert_eq!(demo.track(&sent).await.0, 404, "it is in no block yet");
    demo.rollup.step(3).unwrap();
    let (code, answer) = demo.track(&sent).await;
    assert_eq!((code, answer["message"].as_str()), (400, Some("tx is invalid on chain")));
    let (code, status) = demo.status(&sent).await;
    assert_eq!(
        (code, &status["state"], &status["status"]),
        (200, &json!("STATE_COMPLETED_ERROR"), &json!("STATE_COMPLETED"))
    );
    let error = &status["error"];
    assert_eq!((&error["type"], &error["details"]["code"]), (&json!("STATUS_ERROR_TRANSACTION_EXECUTION"), &json!(11)));
    assert!(error["details"]["message"].as_str().is_some_and(|message| message.contains("out of gas")), "{error}");
    for nothing in ["transfer_asset_release", "next_blocking_transfer"] {
        assert_eq!(status[nothing], Value::Null);
    }
    assert_eq!((&status["transfer_sequence"], demo.balance(L1, "uinit").await), (&json!([]), before));
    let (code, tx) = demo.get(&format!("/demo/v1/txs/{L1}/{}", sent.tx_hash)).await;
    assert_eq!((code, &tx["success"], &tx["error"]["codespace"]), (200, &json!(false), &json!("sdk")));
    for name in ["code", "message"] {
        assert_eq!(tx["error"][name], error["details"][name], "the chain says the same");
    }
}

#[tokio::test]
async fn a_wrapped_coin_comes_back_as_what_its_packet_carried() {
    for (fault, slot) in [("refund", "acknowledge_tx"), ("refund=timeout", "timeout_tx")] {
        let demo = Demo::start(Vm::Evm);
        let here = demo.chain_id().await;
        let (plain, wrapped) = (demo.denom(&here, "INIT", 6).await, demo.denom(&here, "INIT", 18).await);
        let sent = demo.send(&wish((&here, &wrapped), (L1, "uinit"), "3000000000000000000")).await;
        demo.tracked(&sent).await;
        demo.faults(json!([fault])).await;
        let story = demo.watch(&sent).await;
        assert_eq!(story.release(), (here.as_str(), plain.as_str(), "3000000", true), "{fault}");
        // What the chain gave back is in its own record of the answer, or of the time-out.
        let hash = &story.last["transfer_sequence"][0]["ibc_transfer"]["packet_txs"][slot]["tx_hash"];
        let (_, record) = demo.get(&format!("/indexer/tx/v1/txs/{}", hash.as_str().unwrap())).await;
        assert!(record.to_string().contains(&format!("3000000{plain}")), "{fault}: {record}");
    }
}

#[tokio::test]
async fn a_packet_runs_out_sooner_where_time_runs_faster() {
    let demo = Demo::start(Vm::Evm);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "TIA", 6).await;
    demo.faults(json!(["refund=timeout"])).await;
    let msgs = demo.msgs(&wish((&here, &denom), ("celestia", "utia"), "1500000")).await;
    let message: Value = serde_json::from_str(msgs["txs"][0]["cosmos_tx"]["msgs"][0]["msg"].as_str().unwrap()).unwrap();
    let until: u128 = message["timeout_timestamp"].to_string().parse().unwrap();
    // Twelve blocks of a second lie between the genesis time and now.
    assert!((60..80).contains(&(until / 1_000_000_000 - GENESIS_SECONDS)), "{until}");
    let sent = demo.broadcast(&msgs, 0).await;
    demo.tracked(&sent).await;
    demo.rollup.step(75).unwrap();
    assert_eq!(demo.status(&sent).await.1["state"], "STATE_COMPLETED_ERROR", "60 seconds instead of 300");
}
