//! `op-hook --sign`: the hook signed on the page, printed as the messages want it, and run when the funds arrive.

use alloy_primitives::hex;
use rollscope::domain::Vm;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{EmbeddedWorld, L1, Signing};
use crate::{
    cli::{bridge::file, parse},
    signing_page::{access::Visitor, wallet::TestKey},
};

/// Signs what the page offers next, without a browser; gives the document.
pub(super) async fn sign_next(visitor: &Visitor, seen: &mut u64, key: &TestKey) -> Value {
    loop {
        let state = visitor.next(*seen).await;
        *seen = state["version"].as_u64().unwrap_or_default();
        let shown = &state["stage"];
        if shown["kind"] == "offer" {
            let text = shown["offer"]["text"].as_str().unwrap_or_default();
            let signature = key.personal_sign(&json!([hex::encode_prefixed(text)]));
            let answer = json!({"kind": "personal_signature", "signature": signature});
            visitor.post("/sign/answer", &json!({"id": shown["id"], "answer": answer}), &[]).await;
            return parse(text);
        }
    }
}

/// The page shows that it is over.
pub(super) async fn until_ended(visitor: &Visitor, mut seen: u64) {
    loop {
        let state = visitor.next(seen).await;
        if state["stage"]["kind"] == "ended" {
            return;
        }
        seen = state["version"].as_u64().unwrap_or_default();
    }
}

/// Signs on the page of one command, until the page reports its end.
pub(super) fn sign(runtime: &Runtime, signing: &mut Signing, key: &TestKey) -> Value {
    let address = signing.hear("one-time address in your browser to sign: ").trim().to_owned();
    runtime.block_on(async {
        let visitor = Visitor::opening(&address).await;
        let mut seen = 0;
        let document = sign_next(&visitor, &mut seen, key).await;
        until_ended(&visitor, seen).await;
        document
    })
}

#[test]
fn a_hook_is_signed_without_pasting_and_runs_when_the_deposit_arrives() {
    let key = TestKey::new(30);
    let runtime = Runtime::new().unwrap();
    let is_wrapped = |asset: &Value| asset["denom"].as_str().is_some_and(|denom| denom.starts_with("evm/"));
    let world = EmbeddedWorld::new(&key, is_wrapped);
    let me = key.bech32("init");
    let order = format!("op-hook --route {} --from-address {me} --to-address {me} --sign", world.route);
    let (status, _, err) = world.run(&order).end();
    let unknown = |err: &str| err.contains("nothing signed: 0x") && err.contains("does not know this contract; ");
    assert!(status == Some(1) && unknown(&err), "without the network: {err}");
    assert!(err.contains("; to trust it, add --trust"), "{err}");
    // The rollup's own node says which contract its wrapper is; one of another chain says nothing of this one.
    let node = |chain: &str| format!("{}/node{chain}/rpc", world.served.url);
    let (status, _, err) = world.run(&format!("{order} --node {}", node("/interwoven-1"))).end();
    assert!(status == Some(1) && unknown(&err), "another chain's node: {err}");
    let mut signing = world.run(&format!("{order} --node {}", node("")));
    signing.hear("one-time address in your browser to sign: ");
    signing.kill();
    let wrapper = rollscope::demo::ledger::facts(Vm::Evm, 1).wrapper.unwrap().checksummed();
    let mut signing = world.run(&format!("{order} --trust {wrapper}"));
    let document = sign(&runtime, &mut signing, &key);
    assert_eq!((&document["sequence"], &document["fee"]["gas"]), (&json!("0"), &json!("1")));
    let (status, out, err) = signing.end();
    assert_eq!(status, Some(0), "{err}");
    assert!(
        err.contains("Sign the hook that runs on arrival") && err.contains("may take 1,000,000 of the token"),
        "the router asks for any amount: {err}"
    );
    let allowed = document["msgs"][0]["value"]["input"].as_str().unwrap_or_default();
    assert!(allowed.ends_with(&format!("{:064x}", 1_000_000)), "{allowed}");
    assert_eq!(parse(&out)["signer"], json!(me));
    let hook = file(&world.home, "hook.json", &out);
    let msgs = format!("msgs --route {} {} --signed-op-hook {hook} --sign", world.route, world.addresses);
    let mut signing = world.run(&msgs);
    sign(&runtime, &mut signing, &key);
    let (status, out, err) = signing.end();
    assert_eq!(status, Some(0), "{err}");
    let hash = parse(&out)["tx_hash"].as_str().unwrap_or_default().to_owned();
    assert_eq!(world.end_of(L1, &hash)["phase"], "arrived");
}
