//! What a wallet sends when nobody waits any more: kept all the same.

use std::time::Duration;

use rollscope::{
    client::ClientOptions,
    domain::{Amount, ChainId, Denom},
    signing::{
        BroadcastTx, EthereumCall, OfferWords, ReadyForm, ReadyTx, SendingAccess, SentStage, SigningQuestion, WalletTx,
        account_of,
    },
    worker::{PageTimes, SigningPage, SigningTerminal, sign_and_send},
};
use serde_json::json;

use super::{access::Visitor, wallet::TestKey};

/// Remembers what it was to keep.
#[derive(Default)]
struct Kept(Vec<BroadcastTx>);

impl SigningTerminal for Kept {
    async fn show(&mut self, _: &OfferWords) {}

    async fn allow(&mut self, _: &SigningQuestion) -> bool {
        false
    }

    async fn keep(&mut self, sent: &BroadcastTx) -> Result<(), String> {
        self.0.push(sent.clone());
        Ok(())
    }
}

fn planned(key: &TestKey) -> WalletTx {
    let account = |text: &str| account_of(text).unwrap_or_else(|| panic!("an account: {text}"));
    let (me, chain_id) = (key.hexadecimal(), ChainId::new("1"));
    let call = EthereumCall {
        chain_id: 1,
        from: account(&me),
        to: account("0x3333333333333333333333333333333333333333"),
        value: Amount::from(5),
        data: Vec::new(),
        approvals: Vec::new(),
    };
    let tx = ReadyTx {
        arrives_on: chain_id.clone(),
        chain_id,
        signer: me.clone(),
        form: ReadyForm::Ethereum(call),
        effects: Vec::new(),
        doubts: Vec::new(),
        proven: Vec::new(),
        contracts: Vec::new(),
        source: Denom::new("eth"),
        receiver: me,
        arrives_as: None,
        least: None,
        dollars: None,
    };
    WalletTx { tx, words: OfferWords::default(), access: SendingAccess::default(), simulated: None }
}

#[tokio::test]
async fn a_hash_that_comes_after_the_request_is_over_is_kept_as_sent() {
    let key = TestKey::new(31);
    let times = PageTimes {
        offer: Duration::from_secs(3),
        silence: Duration::from_secs(120),
        beat: Duration::from_millis(200),
    };
    let (page, _events) = SigningPage::open(times).await.unwrap();
    let address = page.address().to_owned();
    let planned = planned(&key);
    let signing = tokio::spawn(async move {
        let mut kept = Kept::default();
        let outcome = sign_and_send(&page, &planned, ClientOptions::default(), &mut kept).await;
        (outcome, kept.0)
    });
    let visitor = Visitor::opening(&address).await;
    let mut seen = 0;
    let mut offered = None;
    // The request is shown, and after its time the words that it is not waited for any more.
    loop {
        let state = visitor.next(seen).await;
        seen = state["version"].as_u64().unwrap();
        let shown = &state["stage"];
        match shown["kind"].as_str() {
            Some("offer") => offered = shown["id"].as_u64(),
            Some("waiting") if shown["words"].as_str().is_some_and(|words| words.contains("reject it")) => break,
            _ => {}
        }
    }
    let hash = format!("0x{}", "ab".repeat(32));
    let late = json!({"id": offered, "answer": {"kind": "hash", "hash": hash}});
    visitor.post("/sign/answer", &late, &[]).await;
    let (outcome, kept) = signing.await.unwrap();
    let sent = outcome.unwrap();
    assert_eq!(sent.stage, SentStage::SentLate);
    assert_eq!((kept.len(), &kept[0]), (1, &sent));
    assert!(sent.hash.as_str().eq_ignore_ascii_case(&hash), "{}", sent.hash);
}
