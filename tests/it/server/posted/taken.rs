//! What is taken: each way of signing, on each virtual machine, with the very bytes that were posted.

use rollscope::{
    demo::{Rollup, faults::Fault},
    domain::Vm,
};
use serde_json::{Value, json};

use super::{
    L1, Scene, Signer, bank_send,
    signer::{Mode, base64},
};
use crate::{
    harness::chain_of,
    server::client::{ANYWHERE, Server},
};

/// Somebody who never had anything.
fn somebody() -> String {
    rollscope::domain::Address::Short([0x5a; 20]).bech32()
}

async fn every_mode(vm: Vm, signer: Signer) {
    let scene = Scene::of(vm, signer).await;
    let (from, to, denom) = (scene.signer.address(), somebody(), scene.bridged());
    for (nth, mode) in (0..).zip(Mode::ALL) {
        let before = scene.balance(scene.chain_id(), denom.as_str()).await;
        let fees = scene.balance(scene.chain_id(), scene.fee_denom()).await;
        let draft = scene.draft(scene.chain_id(), vec![bank_send(&from, &to, denom.as_str(), 1_000)]).await;
        assert_eq!(draft.sequence, nth);
        let raw = scene.signer.sign(&draft, mode);
        let hash = scene.take(scene.chain_id(), &raw).await;
        scene.step(1);
        let found = scene.tx(scene.chain_id(), &hash).await;
        assert_eq!(found["tx_response"]["code"], 0, "{found}");
        assert_eq!(found["tx"]["body"]["memo"], "a <b> & c");
        let by_rpc = scene.server.json(&format!("/node/rpc/tx?hash=0x{hash}")).await;
        assert_eq!(by_rpc["result"]["tx"], base64(&raw), "the very bytes");
        let paid = if denom.as_str() == scene.fee_denom() { draft.fee } else { 0 };
        assert_eq!(scene.balance(scene.chain_id(), denom.as_str()).await, before - 1_000 - paid);
        if paid == 0 {
            assert_eq!(scene.balance(scene.chain_id(), scene.fee_denom()).await, fees - draft.fee);
        }
        assert_eq!(scene.balance_of(scene.chain_id(), &to, denom.as_str()).await, (u128::from(nth) + 1) * 1_000);
        let indexed = scene.server.json(&format!("/indexer/tx/v1/txs/{hash}")).await;
        assert_eq!(indexed["tx"]["code"], 0, "the index has it");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_way_of_signing_is_taken_on_the_evm_from_an_ethereum_wallet() {
    every_mode(Vm::Evm, Signer::ethereum(11)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_way_of_signing_is_taken_on_move_from_a_cosmos_wallet() {
    every_mode(Vm::Move, Signer::cosmos(12)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_way_of_signing_is_taken_on_wasm_from_an_ethereum_wallet() {
    every_mode(Vm::Wasm, Signer::ethereum(13)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_l1_takes_a_send_and_keeps_its_sums() {
    let scene = Scene::of(Vm::Evm, Signer::cosmos(14)).await;
    let (from, to) = (scene.signer.address(), somebody());
    for mode in Mode::ALL {
        let before = scene.balance(L1, "uinit").await;
        let draft = scene.draft(L1, vec![bank_send(&from, &to, "uinit", 25)]).await;
        let raw = scene.signer.sign(&draft, mode);
        let collector = rollscope::domain::Address::Short(
            *b"\xf1\x82\x96\x76\xdb\x57\x76\x82\xe9\x44\xfc\x34\x93\xd4\x51\xb6\x7f\xf3\xe2\x9f",
        );
        let fees = scene.balance_of(L1, &collector.bech32(), "uinit").await;
        let received = scene.balance_of(L1, &to, "uinit").await;
        let hash = scene.take(L1, &raw).await;
        scene.step(4);
        let found = scene.tx(L1, &hash).await;
        assert_eq!(found["tx_response"]["code"], 0, "{found}");
        assert_eq!(scene.balance(L1, "uinit").await, before - 25 - draft.fee);
        assert_eq!(scene.balance_of(L1, &to, "uinit").await, received + 25);
        assert_eq!(scene.balance_of(L1, &collector.bech32(), "uinit").await, fees + draft.fee, "nothing is lost");
        let by_rpc = scene.server.json(&format!("/node/{L1}/rpc/tx?hash=0x{hash}")).await;
        assert_eq!(by_rpc["result"]["tx"], base64(&raw), "the very bytes");
        let height = found["tx_response"]["height"].as_str().expect("a height").to_owned();
        let block = scene.rest(L1, &format!("/cosmos/base/tendermint/v1beta1/blocks/{height}")).await;
        assert_eq!(block["block"]["data"]["txs"], json!([base64(&raw)]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_fails_costs_its_fee_and_nothing_else() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(15)).await;
    let (from, denom) = (scene.signer.address(), scene.bridged());
    let before = scene.balance(scene.chain_id(), denom.as_str()).await;
    let fees = scene.balance(scene.chain_id(), scene.fee_denom()).await;
    let messages = vec![bank_send(&from, &somebody(), denom.as_str(), before + 1)];
    let draft = scene.draft(scene.chain_id(), messages).await;
    let tried = json!({ "tx_bytes": base64(&scene.signer.sign(&draft, Mode::Direct)) });
    let refused = scene.server.post("/node/rest/cosmos/tx/v1beta1/simulate", &tried).await;
    assert_eq!(refused.status, 400, "{}", refused.text);
    assert!(refused.text.contains("insufficient funds"), "{}", refused.text);
    let hash = scene.take(scene.chain_id(), &scene.signer.sign(&draft, Mode::Direct)).await;
    scene.step(1);
    let found = scene.tx(scene.chain_id(), &hash).await;
    assert_eq!((&found["tx_response"]["code"], &found["tx_response"]["codespace"]), (&json!(5), &json!("sdk")));
    assert_eq!(scene.balance(scene.chain_id(), denom.as_str()).await, before);
    assert_eq!(scene.balance(scene.chain_id(), scene.fee_denom()).await, fees - draft.fee);
    assert_eq!(scene.account(scene.chain_id()).await.1, 1);
    let short = scene.draft(scene.chain_id(), vec![bank_send(&from, &somebody(), denom.as_str(), 1)]).await;
    let short = super::TxDraft { gas: 60_000, ..short };
    let hash = scene.take(scene.chain_id(), &scene.signer.sign(&short, Mode::Direct)).await;
    scene.step(1);
    assert_eq!(scene.tx(scene.chain_id(), &hash).await["tx_response"]["code"], 11, "out of gas");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_on_the_l1_says_whose_error_it_is() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(18)).await;
    for (faults, code, codespace) in [(vec![Fault::SourceFails], 11, "sdk"), (Vec::new(), 0, "")] {
        scene.server.rollup.set_faults(faults);
        let draft = scene.draft(L1, vec![bank_send(&scene.signer.address(), &somebody(), "uinit", 5)]).await;
        let hash = scene.take(L1, &scene.signer.sign(&draft, Mode::Direct)).await;
        scene.step(4);
        let found = scene.tx(L1, &hash).await;
        let by_rest = &found["tx_response"];
        assert_eq!((&by_rest["code"], &by_rest["codespace"]), (&json!(code), &json!(codespace)), "{found}");
        let log = by_rest["raw_log"].as_str().expect("a text");
        let words = format!("gasWanted: {}, gasUsed: {}: out of gas", draft.gas, draft.gas + 1);
        assert!(if code == 0 { log.is_empty() } else { log.ends_with(&words) }, "{log}");
        let by_rpc: Value = scene.server.json(&format!("{}/rpc/tx?hash=0x{hash}", scene.node(L1))).await;
        let by_rpc = &by_rpc["result"]["tx_result"];
        for name in ["code", "codespace"] {
            assert_eq!(by_rpc[name], by_rest[name], "{name}");
        }
        assert_eq!(by_rpc["log"], by_rest["raw_log"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn gas_is_known_beforehand() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(16)).await;
    let (from, denom) = (scene.signer.address(), scene.bridged());
    for (chain_id, denom) in [(scene.chain_id(), denom.as_str()), (L1, "uinit")] {
        let draft = scene.draft(chain_id, vec![bank_send(&from, &somebody(), denom, 5)]).await;
        let unsigned = scene.signer.unsigned(&super::TxDraft { gas: 0, fee: 0, ..draft.clone() }, Mode::Direct);
        let path = format!("{}/rest/cosmos/tx/v1beta1/simulate", scene.node(chain_id));
        let tried = scene.server.post(&path, &json!({ "tx_bytes": base64(&unsigned.write()) })).await.json();
        let gas: u64 = tried["gas_info"]["gas_used"].as_str().and_then(|text| text.parse().ok()).expect("gas");
        let hash = scene.take(chain_id, &scene.signer.sign(&draft, Mode::Direct)).await;
        scene.step(4);
        let found = scene.tx(chain_id, &hash).await;
        let used: u64 = found["tx_response"]["gas_used"].as_str().and_then(|text| text.parse().ok()).expect("gas");
        assert!(used * 10 <= gas * 14 && gas * 10 <= used * 14, "{chain_id}: {gas} foreseen, {used} used");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_posted_is_found_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = || {
        let mut options = chain_of(20);
        options.data = Some(folder.path().join("demo.sqlite"));
        options
    };
    let scene = Scene::with(options(), Signer::ethereum(17)).await;
    let (from, denom) = (scene.signer.address(), scene.bridged());
    let mut hashes: Vec<(&str, String, Vec<u8>)> = Vec::new();
    for (chain_id, denom) in [(scene.chain_id(), denom.as_str()), (L1, "uinit")] {
        let draft = scene.draft(chain_id, vec![bank_send(&from, &somebody(), denom, 5)]).await;
        let raw = scene.signer.sign(&draft, Mode::Personal);
        hashes.push((chain_id, scene.take(chain_id, &raw).await, raw));
    }
    scene.step(4);
    let left = scene.balance(scene.chain_id(), denom.as_str()).await;
    let Scene { server, facts, signer } = scene;
    drop(server);
    let rollup = Rollup::start(options(), ANYWHERE).expect("it starts again");
    rollup.wait_until_indexed().expect("it indexes");
    let scene = Scene { server: Server::of(rollup), facts, signer };
    for (chain_id, hash, raw) in hashes {
        let answer: Value = scene.server.json(&format!("{}/rpc/tx?hash=0x{hash}", scene.node(chain_id))).await;
        assert_eq!(answer["result"]["tx"], base64(&raw), "{chain_id}");
        assert_eq!(scene.account(chain_id).await.1, 1, "{chain_id}");
    }
    assert_eq!(scene.balance(scene.chain_id(), denom.as_str()).await, left);
}

#[tokio::test(flavor = "multi_thread")]
async fn payments_in_one_transaction_are_carried_out_one_after_the_other() {
    for (vm, number) in [(Vm::Evm, 71), (Vm::Move, 72), (Vm::Wasm, 73)] {
        let scene = Scene::of(vm, Signer::ethereum(number)).await;
        let (from, bridged) = (scene.signer.address(), scene.bridged());
        let others = [0x6a, 0x6b].map(|byte| rollscope::domain::Address::Short([byte; 20]).bech32());
        for (chain_id, denom) in [(scene.chain_id(), bridged.as_str()), (L1, "uinit")] {
            let before = scene.balance(chain_id, denom).await;
            let pay = |amounts: [u128; 2]| {
                let both = others.iter().zip(amounts);
                both.map(|(to, amount)| bank_send(&from, to, denom, amount)).collect::<Vec<Value>>()
            };
            let draft = scene.draft(chain_id, pay([1_000, 2_500])).await;
            let hash = scene.take(chain_id, &scene.signer.sign(&draft, Mode::Direct)).await;
            scene.step(4);
            let found = scene.tx(chain_id, &hash).await;
            assert_eq!(found["tx_response"]["code"], 0, "{vm} {found}");
            for (to, amount) in others.iter().zip([1_000, 2_500]) {
                assert_eq!(scene.balance_of(chain_id, to, denom).await, amount, "{vm} {chain_id}");
            }
            let fee = if draft.denom == denom { draft.fee } else { 0 };
            assert_eq!(scene.balance(chain_id, denom).await, before - 3_500 - fee, "{vm} {chain_id}");

            // Each could be paid alone, and both together cannot.
            let most = before / 2 + 10_000;
            let draft = scene.draft(chain_id, pay([most, most])).await;
            let raw = scene.signer.sign(&draft, Mode::Direct);
            if chain_id == L1 {
                let (code, log, _) = scene.post(chain_id, &raw).await;
                assert!(code == 5 && log.contains("smaller than the payments"), "{code} {log}");
                continue;
            }
            let hash = scene.take(chain_id, &raw).await;
            scene.step(2);
            let found = scene.tx(chain_id, &hash).await;
            let log = found["tx_response"]["raw_log"].as_str().expect("a log");
            assert!(found["tx_response"]["code"] == 5 && log.contains("message index: 1"), "{vm} {found}");
            assert_eq!(scene.balance_of(chain_id, &others[0], denom).await, 1_000, "nothing of it is paid");
        }
    }
}
