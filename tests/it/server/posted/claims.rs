//! Withdrawals over the optimistic bridge: proven by the executor, and claimed on the L1 by whoever signs the claim.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::domain::Vm;
use serde_json::{Value, json};
use sha3::{Digest as _, Sha3_256};

use super::{L1, Scene, Signer, signer::Mode};

fn bytes(value: &Value) -> Vec<u8> {
    BASE64_STANDARD.decode(value.as_str().unwrap_or("?")).expect("base64")
}

fn sha3(parts: &[&[u8]]) -> Vec<u8> {
    Sha3_256::digest(parts.concat()).to_vec()
}

impl Scene {
    /// Withdraws so much; the transaction's hash.
    async fn withdraw(&self, amount: u128) -> String {
        let from = self.signer.address();
        let withdrawal = json!({
            "@type": "/opinit.opchild.v1.MsgInitiateTokenWithdrawal",
            "sender": from,
            "to": from,
            "amount": { "denom": self.bridged().as_str(), "amount": amount.to_string() },
        });
        let draft = self.draft(self.chain_id(), vec![withdrawal]).await;
        let hash = self.take(self.chain_id(), &self.signer.sign(&draft, Mode::Direct)).await;
        self.step(1);
        hash
    }

    /// The signer's newest withdrawal, as the executor has it.
    async fn newest(&self) -> Value {
        let path = format!("/executor/withdrawals/{}?limit=1", self.signer.address());
        let answer = self.server.json(&path).await;
        answer["withdrawals"][0].clone()
    }

    async fn ophost(&self, path: &str) -> Value {
        self.rest(L1, &format!("/opinit/ophost/v1/bridges/{}{path}", self.facts.bridge_id)).await
    }

    async fn proven(&self) -> Value {
        for _ in 0..100 {
            self.step(1);
            let newest = self.newest().await;
            if newest["output_index"] != 0 {
                return newest;
            }
        }
        panic!("no output ever covers it");
    }

    /// The claim of a withdrawal of the executor, signed.
    async fn signed_claim(&self, proven: &Value, mode: Mode) -> Vec<u8> {
        self.signed_claims(&[proven], mode).await
    }

    async fn signed_claims(&self, all: &[&Value], mode: Mode) -> Vec<u8> {
        let message = |proven: &&Value| {
            let mut message = json!({
                "@type": "/opinit.ophost.v1.MsgFinalizeTokenWithdrawal",
                "sender": self.signer.address(),
            });
            for name in ["withdrawal_proofs", "from", "to", "amount", "version", "storage_root", "last_block_hash"] {
                message[name] = proven[name].clone();
            }
            for name in ["bridge_id", "output_index", "sequence"] {
                message[name] = proven[name].to_string().into();
            }
            message
        };
        let draft = self.draft(L1, all.iter().map(message).collect()).await;
        self.signer.sign(&draft, mode)
    }

    /// Waits until the output that covers a withdrawal is final.
    async fn wait_for_finality(&self, index: &Value) {
        let output = self.ophost(&format!("/outputs/{index}")).await;
        let config = self.ophost("").await;
        let period = config["bridge_config"]["finalization_period"].as_str().and_then(|text| text.strip_suffix('s'));
        let period: u64 = period.and_then(|seconds| seconds.parse().ok()).expect("a period in seconds");
        let proposed = &output["output_proposal"]["l1_block_time"];
        let proposed: rollscope::domain::Timestamp = proposed.as_str().expect("a time").parse().expect("a time");
        let until = proposed.after(std::time::Duration::from_secs(period));
        while self.server.rollup.chain_now() < until {
            self.step(1);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_executor_proves_each_withdrawal_of_an_output() {
    for vm in [Vm::Evm, Vm::Move, Vm::Wasm] {
        let scene = Scene::of(vm, Signer::ethereum(61)).await;
        let here = scene.rest(scene.chain_id(), "/opinit/opchild/v1/bridge_info").await;
        let there = scene.ophost("").await;
        let period = there["bridge_config"]["finalization_period"].as_str().expect("a period");
        assert_ne!(period, "604800s", "waits pass fast here");
        assert_eq!(here["bridge_info"]["bridge_config"], there["bridge_config"], "both sides have the same terms");
        let (first, second) = (scene.withdraw(1_000_000).await, scene.withdraw(2_000_000).await);
        let newest = scene.newest().await;
        assert_eq!(newest["tx_hash"], second.as_str());
        if newest["output_index"] == 0 {
            assert!(newest["withdrawal_proofs"].is_null() && newest["storage_root"].is_null(), "{newest}");
        }
        scene.proven().await;
        let path = format!("/executor/withdrawals/{}?limit=5&order=asc", scene.signer.address());
        let answer = scene.server.json(&path).await;
        assert!(answer.get("next").is_none(), "{answer}");
        let all = answer["withdrawals"].as_array().expect("a list");
        assert_eq!(all.iter().map(|one| one["tx_hash"].clone()).collect::<Vec<_>>(), [json!(first), json!(second)]);
        for one in all {
            let number = |name: &str| one[name].as_u64().expect("a number").to_be_bytes();
            let text = |text: &Value| sha3(&[text.as_str().expect("a text").as_bytes()]);
            let amount: u64 = one["amount"]["amount"].as_str().and_then(|text| text.parse().ok()).expect("an amount");
            let inner = sha3(&[
                &number("bridge_id"),
                &number("sequence"),
                &text(&one["from"]),
                &text(&one["to"]),
                &text(&one["amount"]["denom"]),
                &amount.to_be_bytes(),
            ]);
            let mut hash = sha3(&[&inner]);
            for beside in one["withdrawal_proofs"].as_array().expect("a proof").iter().map(bytes) {
                hash = if hash <= beside { sha3(&[&hash, &beside]) } else { sha3(&[&beside, &hash]) };
            }
            assert_eq!(hash, bytes(&one["storage_root"]));
            let root = sha3(&[&bytes(&one["version"]), &hash, &bytes(&one["last_block_hash"])]);
            let output = scene.ophost(&format!("/outputs/{}", one["output_index"])).await;
            assert_eq!(root, bytes(&output["output_proposal"]["output_root"]), "{vm}");
            let covered = output["output_proposal"]["l2_block_number"].as_str().and_then(|text| text.parse().ok());
            assert!(one["tx_height"].as_u64() <= covered);
            assert_eq!(scene.server.json(&format!("/executor/withdrawal/{}", one["sequence"])).await, *one);
        }
        let page = scene.server.json(&path.replace("limit=5", "limit=1")).await;
        assert_eq!(page["next"], all[1]["sequence"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_is_taken_when_its_output_is_final_and_only_once() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(62)).await;
    let hash = scene.withdraw(3_000_000).await;
    let asked = json!({ "chain_id": scene.chain_id(), "tx_hash": hash });
    scene.server.post("/v2/tx/track", &asked).await.json();
    let proven = scene.proven().await;
    let raw = scene.signed_claim(&proven, Mode::Amino).await;
    let (code, log, _) = scene.post(L1, &raw).await;
    assert_eq!((code, log.as_str()), (8, "failed to execute message; message index: 0: output has not finalized"));
    let leaf = |proven: &Value| {
        let number = |name: &str| proven[name].as_u64().expect("a number").to_be_bytes();
        let text = |text: &Value| sha3(&[text.as_str().expect("a text").as_bytes()]);
        let ends = [text(&proven["from"]), text(&proven["to"]), text(&proven["amount"]["denom"])].concat();
        sha3(&[&sha3(&[&number("bridge_id"), &number("sequence"), &ends, &3_000_000_u64.to_be_bytes()])])
    };
    let claimed = format!(
        "/withdrawals/claimed/by_hash?withdrawal_hash={}",
        BASE64_STANDARD.encode(leaf(&proven)).replace('+', "%2B").replace('/', "%2F")
    );
    scene.wait_for_finality(&proven["output_index"]).await;
    assert_eq!(scene.ophost(&claimed).await, json!({ "claimed": false }));
    let held = scene.balance(L1, "uinit").await;
    let draft_fee = scene.draft(L1, Vec::new()).await.fee;
    for (name, value, reason) in [
        ("to", json!(scene.facts.wallet.bech32()), "invalid withdrawal proofs: failed to verify withdrawal tx"),
        ("amount", json!({ "denom": "uinit", "amount": "3000001" }), "invalid withdrawal proofs: failed to verify"),
        ("storage_root", json!(BASE64_STANDARD.encode([1; 32])), "invalid output root: failed to verify"),
    ] {
        let mut wrong = proven.clone();
        wrong[name] = value;
        let (code, log, _) = scene.post(L1, &scene.signed_claim(&wrong, Mode::Direct).await).await;
        assert!(code == 10 && log.contains(reason), "{name}: {code} {log}");
    }
    let twice = scene.signed_claims(&[&proven, &proven], Mode::Direct).await;
    let (code, log, _) = scene.post(L1, &twice).await;
    assert_eq!((code, log.as_str()), (11, "failed to execute message; message index: 1: withdrawal already finalized"));
    let claim = scene.take(L1, &raw).await;
    scene.step(4);
    assert_eq!(scene.balance(L1, "uinit").await, held + 3_000_000 - draft_fee);
    assert_eq!(scene.ophost(&claimed).await, json!({ "claimed": true }));
    let (code, log, _) = scene.post(L1, &scene.signed_claim(&proven, Mode::Personal).await).await;
    assert_eq!((code, log.as_str()), (11, "failed to execute message; message index: 0: withdrawal already finalized"));
    let status = scene.follow(scene.chain_id(), &hash).await;
    assert_eq!(status["state"], "STATE_COMPLETED_SUCCESS", "{status}");
    let text = status.to_string();
    assert!(text.contains(&claim), "the claim is the hop's transaction: {text}");
    let found = scene.tx(L1, &claim).await;
    let event = found["tx_response"]["events"]
        .as_array()
        .and_then(|events| events.iter().find(|event| event["type"] == "finalize_token_withdrawal").cloned());
    assert!(event.is_some_and(|event| event.to_string().contains(&proven["sequence"].to_string())), "{found}");
}
