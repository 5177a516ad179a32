//! What is refused, with the codes and words of a node; nothing is spent.

use rollscope::{demo::Rollup, domain::Vm, wire::proto::TxRaw};
use serde_json::{Value, json};

use super::{
    L1, Scene, Signer, TxDraft, bank_send,
    signer::{Mode, base64},
};
use crate::{
    harness::chain_of,
    server::client::{ANYWHERE, Server},
};

/// What is wrong with each transaction, and the code and words that it meets.
async fn wrong(scene: &Scene, chain_id: &str, denom: &str) -> Vec<(&'static str, Vec<u8>, u64, String)> {
    let from = scene.signer.address();
    let draft = scene.draft(chain_id, vec![bank_send(&from, &from, denom, 3)]).await;
    let sign = |draft: &TxDraft| scene.signer.sign(draft, Mode::Personal);
    let good = TxRaw::read(&sign(&draft)).expect("it can be read");
    let mut other_body = good.clone();
    other_body.body_bytes = scene
        .signer
        .unsigned(&TxDraft { messages: vec![bank_send(&from, &from, denom, 4)], ..draft.clone() }, Mode::Personal)
        .body_bytes;
    let mut other_signature = good.clone();
    other_signature.signatures[0][5] ^= 1;
    let unverified = "signature verification failed; please verify account number".to_owned();
    let stranger = Signer::ethereum(99);
    let theirs = stranger.address();
    let unknown = TxDraft { messages: vec![bank_send(&theirs, &theirs, denom, 3)], ..draft.clone() };
    let stolen = stranger.sign(&draft, Mode::Direct);
    let ahead = draft.sequence + 1;
    let got = format!("{}{}", draft.fee / 2, draft.denom);
    vec![
        (
            "sequence",
            sign(&TxDraft { sequence: ahead, ..draft.clone() }),
            32,
            format!("account sequence mismatch, expected {}, got {ahead}: incorrect account sequence", draft.sequence),
        ),
        ("chain id", sign(&TxDraft { chain_id: "other-1".to_owned(), ..draft.clone() }), 4, unverified.clone()),
        ("account", sign(&TxDraft { account: draft.account + 1, ..draft.clone() }), 4, unverified.clone()),
        ("fee", sign(&TxDraft { fee: draft.fee / 2, ..draft.clone() }), 13, format!("insufficient fees; got: {got}")),
        ("body", other_body.write(), 4, unverified.clone()),
        ("signature", other_signature.write(), 4, unverified),
        ("key", stolen, 8, format!("pubKey does not match signer address {from} with signer index: 0: invalid pubkey")),
        ("nobody", stranger.sign(&unknown, Mode::Direct), 9, format!("fee payer address: {theirs} does not exist")),
        ("bytes", vec![1, 2, 3], 2, "tx parse error".to_owned()),
    ]
}

async fn refuses(scene: &Scene, chain_id: &str, denom: &str) {
    let before = scene.balance(chain_id, denom).await;
    for (what, raw, code, words) in wrong(scene, chain_id, denom).await {
        let (found, log, _) = scene.post(chain_id, &raw).await;
        assert_eq!(found, code, "{chain_id}, {what}: {log}");
        assert!(log.contains(&words), "{chain_id}, {what}: {log}");
    }
    scene.step(4);
    assert_eq!(scene.balance(chain_id, denom).await, before, "nothing was spent");
    assert_eq!(scene.account(chain_id).await.1, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_refused_in_the_words_of_a_node() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(21)).await;
    let denom = scene.bridged();
    refuses(&scene, scene.chain_id(), denom.as_str()).await;
    refuses(&scene, L1, "uinit").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_bytes_are_taken_once() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(22)).await;
    let (from, denom) = (scene.signer.address(), scene.bridged());
    for (chain_id, denom) in [(scene.chain_id(), denom.as_str()), (L1, "uinit")] {
        let draft = scene.draft(chain_id, vec![bank_send(&from, &from, denom, 3)]).await;
        let raw = scene.signer.sign(&draft, Mode::Amino);
        scene.take(chain_id, &raw).await;
        assert_eq!(scene.post(chain_id, &raw).await.0, 19, "{chain_id}: it waits");
        let asked =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "broadcast_tx_sync", "params": { "tx": base64(&raw) } });
        let again = scene.server.post(&format!("{}/rpc", scene.node(chain_id)), &asked).await.json();
        assert_eq!(again["error"]["data"], "tx already exists in cache", "{again}");
        scene.step(4);
        assert_eq!(scene.post(chain_id, &raw).await.0, 32, "{chain_id}: its sequence is used");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_simulated_is_refused_before_anything_is_spent() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(23)).await;
    let from = scene.signer.address();
    let unknown: Vec<Value> = vec![
        json!({ "@type": "/cosmos.bank.v1beta1.MsgMultiSend", "inputs": [], "outputs": [] }),
        json!({ "@type": "/minievm.evm.v1.MsgCall", "sender": from, "contract_addr": "0x0000000000000000000000000000000000000001",
            "input": "0x12345678", "value": "0", "access_list": [] }),
    ];
    for message in unknown {
        let draft = scene.draft(scene.chain_id(), vec![message]).await;
        let raw = scene.signer.sign(&draft, Mode::Direct);
        let (code, log, _) = scene.post(scene.chain_id(), &raw).await;
        assert_eq!(code, 37, "{log}");
        assert!(log.contains("this simulated chain does not support"), "{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_faucet_gives_so_often_and_not_more() {
    let rollup = Rollup::start(chain_of(5), ANYWHERE).expect("it starts");
    rollup.wait_until_indexed().expect("it indexes");
    let server = Server::of(rollup);
    for bad in ["", "init1nonsense", "cosmos1qqqq", "0x12"] {
        let answer = server.post("/demo/v1/fund", &json!({ "address": bad })).await;
        assert_eq!(answer.status, 400, "{bad}: {}", answer.text);
    }
    let gift = server.post("/demo/v1/fund", &json!({ "address": Signer::ethereum(31).address() })).await.json();
    let chains: Vec<&str> =
        gift["given"].as_array().expect("a list").iter().filter_map(|one| one["chain_id"].as_str()).collect();
    for chain in ["rollscope-evm-1", L1, "31337"] {
        assert!(chains.contains(&chain), "{chain}: {gift}");
    }
    let mut given = 1;
    loop {
        server.rollup.step(1).expect("a block");
        let own = bech32_of(given);
        let answer = server.post("/demo/v1/fund", &json!({ "address": own })).await;
        if answer.status != 200 {
            assert!(answer.text.contains("the faucet's limit"), "{}", answer.text);
            break;
        }
        given += 1;
        assert!(given <= 100, "it never stops");
    }
    assert_eq!(given, 100);
}

/// An account of Celestia.
fn bech32_of(number: u8) -> String {
    rollscope::domain::Address::Short([number; 20]).bech32_as("celestia")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_is_taken_only_where_the_recipient_signed_it() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(24)).await;
    let from = scene.signer.address();
    let wrapped = scene.facts.tokens.iter().find(|token| token.wraps.as_ref() == Some(&scene.bridged()));
    let denom = wrapped.expect("a wrapped form").denom.clone();
    let ends = json!({
        "source_asset_denom": "uinit", "source_asset_chain_id": L1,
        "dest_asset_denom": denom.as_str(), "dest_asset_chain_id": scene.chain_id(), "amount_in": "3000000",
    });
    let route = scene.server.post("/v2/fungible/route", &ends).await.json();
    assert_eq!(route["required_op_hook"], true);
    let mut hooked = ends.clone();
    (hooked["source_address"], hooked["dest_address"]) = (json!(from), json!(from));
    hooked.as_object_mut().expect("fields").remove("amount_in");
    let hook = scene.server.post("/op-hook", &hooked).await.json();
    let message = |one: &Value| {
        let mut written: Value = serde_json::from_str(one["msg"].as_str().expect("a text")).expect("JSON");
        written["@type"] = one["msg_type_url"].clone();
        written
    };
    let messages = hook["hook"].as_array().expect("messages").iter().map(message).collect();
    let draft = TxDraft { gas: 1, fee: 0, ..scene.draft(scene.chain_id(), messages).await };
    let mut asked = ends.clone();
    for name in ["operations", "amount_out"] {
        asked[name] = route[name].clone();
    }
    asked["address_list"] = json!([from, from]);
    let sign = |draft: &TxDraft| scene.signer.sign(draft, Mode::Direct);
    let stale = TxDraft { sequence: draft.sequence + 1, ..draft.clone() };
    let elsewhere = TxDraft { chain_id: L1.to_owned(), ..draft.clone() };
    for (raw, words) in [
        (b"hello".to_vec(), "tx parse error"),
        (Signer::ethereum(98).sign(&draft, Mode::Direct), "pubKey does not match"),
        (sign(&stale), "account sequence mismatch, expected 0, got 1"),
        (sign(&elsewhere), "signature verification failed"),
    ] {
        asked["signed_op_hook"] = json!({ "signer": from, "hook": base64(&raw) });
        let mut direct = ends.clone();
        direct["chain_ids_to_addresses"] = json!({ (L1): from, (scene.chain_id()): from });
        direct["signed_op_hook"] = asked["signed_op_hook"].clone();
        for (path, body) in [("/v2/fungible/msgs", &asked), ("/v2/fungible/msgs_direct", &direct)] {
            let answer = scene.server.post(path, body).await;
            assert_eq!(answer.status, 400, "{}", answer.text);
            assert!(answer.text.contains(words), "{path}: {words}: {}", answer.text);
        }
    }
    asked["signed_op_hook"] = json!({ "signer": from, "hook": base64(&sign(&draft)) });
    let msgs = scene.server.post("/v2/fungible/msgs", &asked).await.json();
    assert_eq!(msgs["txs"].as_array().map(Vec::len), Some(1), "{msgs}");
}
