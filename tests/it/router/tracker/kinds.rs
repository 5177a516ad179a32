//! A transfer of every kind to its end.

use rollscope::demo::RouterStates;
use rstest::rstest;

use super::*;

const OVERALL: [&str; 3] = ["STATE_SUBMITTED", "STATE_PENDING", "STATE_COMPLETED_SUCCESS"];

#[rstest]
#[case(Vm::Evm)]
#[case(Vm::Move)]
#[case(Vm::Wasm)]
#[tokio::test]
async fn deposits_arrive_on_the_rollup(#[case] vm: Vm) {
    let demo = Demo::start(vm);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "INIT", 6).await;
    let before = demo.balance(L1, "uinit").await;
    let sent = demo.send(&wish((L1, "uinit"), (&here, &denom), "5000000")).await;
    assert_eq!((sent.chain_id.as_str(), demo.balance(L1, "uinit").await), (L1, before - 5_000_000));
    assert_eq!(demo.status(&sent).await.0, 404, "nothing is said before it is tracked");
    let story = demo.follow(&sent).await;
    assert_eq!(story.states, OVERALL);
    assert_eq!(story.hops, ["", "OPINIT_TRANSFER_SENT", "OPINIT_TRANSFER_RECEIVED"]);
    assert_eq!(story.release(), (here.as_str(), denom.as_str(), "5000000", true));
    let received = txs(&story.last["transfer_sequence"][0]).pop().unwrap();
    let (_, tx) = demo.get(&format!("/indexer/tx/v1/txs/{}", received["tx_hash"].as_str().unwrap())).await;
    let (text, wallet) = (tx.to_string(), demo.wallet(&here).await);
    assert!(
        text.contains(&format!("5000000{denom}")) && text.contains(&wallet),
        "the wallet's credit is in the events"
    );
}

#[tokio::test]
async fn a_deposit_with_a_hook_is_wrapped_on_arrival() {
    let demo = Demo::start(Vm::Evm);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "INIT", 18).await;
    let held = demo.balance(&here, &denom).await;
    let story = demo.follow(&demo.send(&wish((L1, "uinit"), (&here, &denom), "5000000")).await).await;
    assert_eq!(story.release(), (here.as_str(), denom.as_str(), "5000000000000000000", true));
    demo.rollup.step(2).unwrap();
    assert!(demo.balance(&here, &denom).await >= held + 5_000_000_000_000_000_000);
}

#[rstest]
#[case(Vm::Evm)]
#[case(Vm::Move)]
#[case(Vm::Wasm)]
#[tokio::test]
async fn forced_withdrawals_wait_for_their_claim_after_their_finalization(#[case] vm: Vm) {
    let demo = Demo::start(vm);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "INIT", 6).await;
    let before = demo.balance(L1, "uinit").await;
    let sent = demo.send(&wish((&here, &denom), (L1, "uinit"), "40000000").with("is_op_withdraw", true)).await;
    demo.tracked(&sent).await;
    demo.rollup.step(20).unwrap();
    let started = json!({ "tx_hash": sent.tx_hash, "chain_id": sent.chain_id });
    let (code, early) = demo.post("/demo/v1/claim", &started).await;
    let sentence = early["message"].as_str().unwrap();
    assert!(code == 400 && sentence.starts_with("not final yet: claimable from 2026-"), "{early}");
    for _ in 0..30 {
        // Asked all the while: a connection that is silent for long is closed.
        assert_eq!(demo.status(&sent).await.0, 200);
        demo.rollup.step(4).unwrap();
    }
    let (_, waiting) = demo.status(&sent).await;
    assert_eq!(waiting["transfer_sequence"][0]["op_init_transfer"]["state"], "OPINIT_TRANSFER_SENT");
    assert_eq!(
        (&waiting["state"], demo.balance(L1, "uinit").await),
        (&json!("STATE_PENDING"), before),
        "nobody claims it"
    );
    let claim = demo.good("/demo/v1/claim", &started).await;
    let story = demo.watch(&sent).await;
    assert_eq!(story.states, ["STATE_PENDING", "STATE_COMPLETED_SUCCESS"]);
    assert_eq!(story.hops, ["OPINIT_TRANSFER_SENT", "OPINIT_TRANSFER_RECEIVED"]);
    assert_eq!(story.release(), (L1, "uinit", "40000000", true));
    assert_eq!(demo.balance(L1, "uinit").await, before + 40_000_000);
    let txs = txs(&story.last["transfer_sequence"][0]);
    assert_eq!((&claim["chain_id"], &claim["tx_hash"]), (&json!(L1), &txs[1]["tx_hash"]));
    let (_, light) = demo.get(&format!("/demo/v1/txs/{L1}/{}", txs[1]["tx_hash"].as_str().unwrap())).await;
    assert!(light["what"].as_str().unwrap().contains("claims a withdrawal"), "{light}");
    let (code, again) = demo.post("/demo/v1/claim", &started).await;
    assert!(code == 400 && again["message"].as_str().unwrap().contains("already claimed"), "{again}");
}

#[tokio::test]
async fn what_withdraws_nothing_cannot_be_claimed() {
    let demo = Demo::start(Vm::Move);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "INIT", 6).await;
    let sent = demo.send(&wish((L1, "uinit"), (&here, &denom), "5000000")).await;
    let claim = |hash: &str| json!({ "tx_hash": hash, "chain_id": L1 });
    assert_eq!(demo.post("/demo/v1/claim", &claim(&"AB".repeat(32))).await.0, 404);
    demo.tracked(&sent).await;
    demo.rollup.step(2).unwrap();
    let (code, answer) = demo.post("/demo/v1/claim", &claim(&sent.tx_hash)).await;
    assert!(code == 400 && answer["message"].as_str().unwrap().contains("starts no optimistic withdrawal"), "{answer}");
}

#[rstest]
#[case(Vm::Evm)]
#[case(Vm::Move)]
#[case(Vm::Wasm)]
#[tokio::test]
async fn packets_leave_the_rollup_and_their_answers_come_back(#[case] vm: Vm) {
    let demo = Demo::start(vm);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "TIA", 6).await;
    let sent = demo.send(&wish((&here, &denom), ("celestia", "utia"), "1500000")).await;
    let story = demo.follow(&sent).await;
    assert_eq!(story.states, OVERALL);
    assert_eq!(story.hops, ["", "TRANSFER_PENDING", "TRANSFER_RECEIVED"]);
    demo.rollup.step(12).unwrap();
    let story = demo.watch(&sent).await;
    assert_eq!(story.hops, ["TRANSFER_SUCCESS"]);
    assert_eq!(txs(&story.last["transfer_sequence"][0]).len(), 3);
}

#[rstest]
#[case(Vm::Evm)]
#[case(Vm::Move)]
#[case(Vm::Wasm)]
#[tokio::test]
async fn packets_come_to_the_rollup(#[case] vm: Vm) {
    let demo = Demo::start(vm);
    let here = demo.chain_id().await;
    let denom = demo.denom(&here, "TIA", 6).await;
    let held = demo.balance(&here, &denom).await;
    let sent = demo.send(&wish(("celestia", "utia"), (&here, &denom), "1500000")).await;
    let story = demo.follow(&sent).await;
    assert_eq!(story.states, OVERALL);
    assert_eq!(story.release(), (here.as_str(), denom.as_str(), "1500000", true));
    demo.rollup.step(12).unwrap();
    assert_eq!(demo.watch(&sent).await.hops, ["TRANSFER_SUCCESS"]);
    assert_eq!(demo.balance(&here, &denom).await, held + 1_500_000);
}

#[tokio::test]
async fn hops_are_discovered_one_after_another() {
    let demo = Demo::start(Vm::Move);
    let here = demo.chain_id().await;
    let usdc = demo.denom(&here, "USDC", 6).await;
    let sent = demo.send(&wish(("noble-1", "uusdc"), (&here, &usdc), "25000000")).await;
    let story = demo.follow(&sent).await;
    assert_eq!(
        story.hops,
        [
            "",
            "TRANSFER_PENDING",
            "TRANSFER_RECEIVED OPINIT_TRANSFER_SENT",
            "TRANSFER_RECEIVED OPINIT_TRANSFER_RECEIVED"
        ]
    );
    assert_eq!(story.blocking, ["null", "0", "1", "null"]);
    demo.rollup.step(12).unwrap();
    assert_eq!(demo.watch(&sent).await.hops, ["TRANSFER_SUCCESS OPINIT_TRANSFER_RECEIVED"]);
}

#[tokio::test]
async fn the_fast_exit_swaps_on_the_l1() {
    let demo = Demo::start(Vm::Wasm);
    let here = demo.chain_id().await;
    let init = demo.denom(&here, "INIT", 6).await;
    let before = demo.balance(L1, "uinit").await;
    let story = demo.follow(&demo.send(&wish((&here, &init), (L1, "uinit"), "40000000")).await).await;
    assert_eq!(story.hops, ["", "TRANSFER_PENDING", "TRANSFER_RECEIVED"], "swaps are no hops");
    let (chain, denom, amount, _) = story.release();
    assert_eq!((chain, denom), (L1, "uinit"));
    assert_eq!(demo.balance(L1, "uinit").await, before + amount.parse::<u128>().unwrap());
}

#[tokio::test]
async fn swaps_and_sends_of_one_chain_have_no_hops() {
    let demo = Demo::start(Vm::Evm);
    let here = demo.chain_id().await;
    let swapped = demo.follow(&demo.send(&wish((L1, "uinit"), (L1, USDC_ON_L1), "7000000")).await).await;
    assert_eq!((swapped.hops.as_slice(), swapped.release().0), ([String::new()].as_slice(), L1));
    let tia = demo.denom(&here, "TIA", 6).await;
    let sent = demo.follow(&demo.send(&wish((&here, &tia), (&here, &tia), "5")).await).await;
    assert_eq!(sent.release(), (here.as_str(), tia.as_str(), "5", true));
}

#[tokio::test]
async fn burns_are_attested_and_orders_filled() {
    let demo = Demo::start(Vm::Evm);
    let burn = wish((ETHEREUM, USDC_ON_ETHEREUM), (L1, USDC_ON_L1), "50000000").with("go_fast", false);
    let story = demo.follow(&demo.send(&burn).await).await;
    let first: Vec<&str> = story.hops.iter().filter_map(|hops| hops.split(' ').next()).collect();
    let mut first: Vec<&str> = first.into_iter().filter(|state| !state.is_empty()).collect();
    first.dedup();
    assert_eq!(
        first,
        [
            "CCTP_TRANSFER_SENT",
            "CCTP_TRANSFER_PENDING_CONFIRMATION",
            "CCTP_TRANSFER_CONFIRMED",
            "CCTP_TRANSFER_RECEIVED"
        ]
    );
    let order = wish((ETHEREUM, USDC_ON_ETHEREUM), (L1, USDC_ON_L1), "50000000").with("go_fast", true);
    let story = demo.follow(&demo.send(&order).await).await;
    assert!(story.hops.iter().any(|hops| hops.starts_with("GO_FAST_TRANSFER_SENT")), "{:?}", story.hops);
    assert!(story.hops.last().unwrap().starts_with("GO_FAST_TRANSFER_FILLED"), "{:?}", story.hops);
    assert!(story.last["transfer_sequence"][0]["go_fast_transfer"]["txs"]["order_filled_tx"]["tx_hash"].is_string());
}

#[tokio::test]
async fn the_second_transaction_waits_for_the_first() {
    let demo = Demo::start(Vm::Evm);
    let here = demo.chain_id().await;
    let eurc = demo.denom(L1, "EURC", 6).await;
    let two = wish((ETHEREUM, EURC_ON_ETHEREUM), (L1, &eurc), "3000000").with("allow_multi_tx", true);
    let msgs = demo.msgs(&two).await;
    assert_eq!(msgs["txs"].as_array().unwrap().len(), 2, "{here}");
    let (code, refusal) = demo.post("/demo/v1/broadcast", &json!({ "msgs": msgs, "tx_index": 1 })).await;
    assert_eq!(code, 400);
    assert!(refusal["message"].as_str().unwrap().contains("must arrive before"), "{refusal}");
    let first = demo.broadcast(&msgs, 0).await;
    assert!(first.tx_hash.starts_with("0x"));
    assert_eq!(demo.follow(&first).await.release().0, "noble-1");
    demo.rollup.step(5).unwrap();
    let anew = demo.msgs(&two).await;
    assert_ne!(anew["txs"], msgs["txs"], "messages grow old");
    let second = demo.broadcast(&anew, 1).await;
    assert_eq!(second.chain_id, "noble-1");
    assert_eq!(demo.follow(&second).await.release().1, eurc);
}

#[tokio::test]
async fn the_words_of_the_specification_can_be_had() {
    let demo = Demo::with(RollupOptions { router_states: RouterStates::Spec, ..options(Vm::Move) });
    let swap = wish((L1, "uinit"), (L1, USDC_ON_L1), "7000000");
    assert_eq!(demo.follow(&demo.send(&swap).await).await.states, ["STATE_SUBMITTED", "STATE_COMPLETED"]);
    demo.faults(json!(["refund"])).await;
    let here = demo.chain_id().await;
    let tia = demo.denom(&here, "TIA", 6).await;
    let failed = demo.send(&wish(("celestia", "utia"), (&here, &tia), "9")).await;
    assert_eq!(demo.follow(&failed).await.states.last().unwrap(), "STATE_FAILED");
}
