use std::{cell::RefCell, rc::Rc};

use rollscope::signing::{ApprovalStep, OfferWords};
use rollscope::worker::{
    ApprovalCall, EthereumChain, EthereumOffer, NativeCurrency, SigningOffer, SigningPageEvent, WalletAnswer,
};
use serde_json::{Value, json};

use super::{
    Served,
    browser::Browser,
    document, long,
    wallet::{SCRIPT, TestKey, personal_signer},
    words,
};

const NAME: &str = "Test Wallet";

pub(super) fn call_offer(key: &TestKey) -> SigningOffer {
    let native_currency = NativeCurrency { name: "Ether".into(), symbol: "ETH".into(), decimals: 18 };
    SigningOffer::Ethereum(EthereumOffer {
        chain: EthereumChain {
            chain_id: "0x7a69".into(),
            chain_name: "Demo".into(),
            rpc_urls: vec!["http://127.0.0.1:1/rpc".into()],
            native_currency,
        },
        from: key.hexadecimal(),
        to: format!("0x{}", "11".repeat(20)),
        value: "0x5".into(),
        data: "0xabcdef".into(),
        approvals: vec![ApprovalCall {
            token: format!("0x{}", "22".repeat(20)),
            amount: "1000".into(),
            allowance_data: "0xdd62ed3e".into(),
            approve_data: "0x095ea7b3".into(),
            reset_data: "0x095ea7b300".into(),
        }],
    })
}

/// A chain behind the wallet: knows no other chain at first, mines on the second look.
#[derive(Default)]
struct Chain {
    is_known: bool,
    is_chosen: bool,
    allowance: u64,
    looks: u32,
    sent: Vec<Value>,
}

impl Chain {
    fn answer(&mut self, key: &TestKey, method: &str, parameters: &Value) -> Result<Value, (i64, String)> {
        Ok(match method {
            "eth_requestAccounts" => json!([TestKey::new(9).hexadecimal(), key.hexadecimal().to_lowercase()]),
            "eth_chainId" => json!(if self.is_chosen { "0x7a69" } else { "0x1" }),
            "wallet_switchEthereumChain" if !self.is_known => return Err((4902, "unknown".into())),
            "wallet_switchEthereumChain" => {
                self.is_chosen = true;
                Value::Null
            }
            "wallet_addEthereumChain" => {
                self.is_known = true;
                Value::Null
            }
            "eth_call" => json!(format!("0x{:064x}", self.allowance)),
            "eth_sendTransaction" => {
                self.sent.push(parameters[0].clone());
                json!(format!("0x{:064x}", self.sent.len()))
            }
            "eth_getTransactionReceipt" => {
                self.looks += 1;
                if self.looks < 2 {
                    Value::Null
                } else {
                    self.allowance = 1000;
                    json!({"status": "0x1"})
                }
            }
            _ => return Err((4200, format!("no {method}"))),
        })
    }
}

fn hash(number: u8) -> [u8; 32] {
    let mut hash = [0; 32];
    hash[31] = number;
    hash
}

#[test]
fn a_chain_is_added_an_approval_mined_and_the_call_sent() {
    let key = TestKey::new(1);
    let chain = Rc::new(RefCell::new(Chain::default()));
    let (signer, behind) = (key.clone(), Rc::clone(&chain));
    let wallet = move |method: &str, parameters: &Value| Some(behind.borrow_mut().answer(&signer, method, parameters));
    let Some(mut browser) = Browser::start(SCRIPT, Box::new(wallet)) else { return };
    let mut served = Served::start(long());
    browser.open(served.page().address());
    let first = served.ask(&mut browser, call_offer(&key), words("Transaction 1 of 2"), |browser| browser.choose(NAME));
    assert_eq!(first, Ok(WalletAnswer::Hash(hash(2))));
    let from = key.hexadecimal().to_lowercase();
    let events = served.events();
    let connected = SigningPageEvent::Connected { wallet: NAME.into(), account: from.clone().into() };
    assert_eq!(
        events,
        [SigningPageEvent::Opened, connected.clone(), SigningPageEvent::ApprovalSent(ApprovalStep::Approval, hash(1))]
    );
    let sent = chain.borrow().sent.clone();
    let SigningOffer::Ethereum(offer) = call_offer(&key) else { panic!("it is one of Ethereum") };
    let approval = &offer.approvals[0];
    assert_eq!(
        sent,
        [
            json!({"from": offer.from, "to": approval.token, "value": "0x0", "data": approval.approve_data}),
            json!({"from": offer.from, "to": offer.to, "value": "0x5", "data": "0xabcdef"}),
        ]
    );
    let added = browser.asked.iter().find(|(method, _)| method == "wallet_addEthereumChain").map(|(_, it)| &it[0]);
    assert_eq!(added.map(|chain| &chain["rpcUrls"]), Some(&json!(["http://127.0.0.1:1/rpc"])));
    let methods = |browser: &Browser| browser.asked.iter().map(|(method, _)| method.clone()).collect::<Vec<_>>();
    let known = [
        "eth_requestAccounts",
        "eth_chainId",
        "wallet_switchEthereumChain",
        "wallet_addEthereumChain",
        "eth_call",
        "eth_sendTransaction",
        "eth_getTransactionReceipt",
    ];
    assert!(methods(&browser).iter().all(|method| known.contains(&method.as_str())), "{:?}", methods(&browser));

    // The next one waits for a click on a button that names it, and needs no approval any more.
    let asked = browser.asked.len();
    let second = served.ask(&mut browser, call_offer(&key), words("Transaction 2 of 2"), |browser| {
        browser.wait("document.getElementById('title').textContent === 'Transaction 2 of 2'");
        let button = "document.querySelector('button[data-wallet=\"Test Wallet\"]:not(:disabled)')?.textContent";
        assert_eq!(browser.wait(button), "Sign with Test Wallet: send 1 INIT");
        assert_eq!(browser.asked.len(), asked, "no wallet is asked without a click");
        browser.choose(NAME);
    });
    assert_eq!(second, Ok(WalletAnswer::Hash(hash(3))));
    assert_eq!(served.events(), [connected]);
    let page = served.page.take().and_then(std::sync::Arc::into_inner).unwrap();
    let closing = served.runtime.spawn(page.close("Arrived.", true));
    browser.until_done(&served.runtime, closing);
    assert_eq!(browser.wait("document.querySelector('#outcome.good')?.textContent"), "Arrived.");
}

#[test]
fn a_document_is_signed_to_the_byte_and_shown_in_words() {
    let key = TestKey::new(1);
    let Some(mut browser) = Browser::start(SCRIPT, key.wallet()) else { return };
    let served = Served::start(long());
    browser.open(served.page().address());
    let SigningOffer::Document(offer) = document(&key) else { panic!("it is a document") };
    let title = "Send 1 “INIT” by the router's units to Noble";
    let long = OfferWords { act: title.to_owned(), ..words(title) };
    let answer = served.ask(&mut browser, document(&key), long, |browser| {
        assert_eq!(browser.text("title"), title);
        assert_eq!(browser.beside(360), "0 px", "a narrow screen has all of it");
        let shown = "Sends1 INITToІnitia (demo-l1-1)Memo<b id=x>bold</b>";
        assert_eq!(browser.text("words"), shown, "a stranger's text stays text");
        assert_eq!(browser.wait("document.querySelector('dd.amount').textContent"), "1 INIT");
        let marked = "[...document.querySelectorAll('#words mark')].map((it) => it.textContent).join()";
        assert_eq!(browser.wait(marked), "І", "only the Cyrillic letter is marked");
        assert_eq!(browser.text("letters"), "Marked letters: outside a–z, may imitate another name: І (U+0406).");
        assert_eq!(browser.text("exact"), offer.text);
        browser.choose(NAME);
    });
    let Ok(WalletAnswer::PersonalSignature(signature)) = answer else { panic!("{answer:?}") };
    assert_eq!(personal_signer(&offer.text, &signature), key.hexadecimal());
    let asked = [("eth_requestAccounts".to_owned(), json!([]))];
    assert_eq!(browser.asked[..1], asked, "only the account is asked for before");
    assert_eq!(browser.asked.len(), 2);
}

/// What a wallet that does not behave makes of a request.
fn asked_of(offer: SigningOffer, answers: &'static [(&'static str, &'static str)]) -> Option<WalletAnswer> {
    let wallet = move |method: &str, _: &Value| {
        let answer = answers.iter().find(|(name, _)| *name == method).map(|(_, answer)| *answer);
        Some(match answer {
            Some("refused") => Err((4001, "The person said no.".to_owned())),
            Some(answer) => Ok(serde_json::from_str(answer).unwrap_or_else(|error| panic!("{answer}: {error}"))),
            None => Err((4200, format!("no {method}"))),
        })
    };
    let mut browser = Browser::start(SCRIPT, Box::new(wallet))?;
    let served = Served::start(long());
    browser.open(served.page().address());
    let answer = served.ask(&mut browser, offer, words("One"), |browser| browser.choose(NAME));
    Some(answer.unwrap_or_else(|end| panic!("an answer, not {end}")))
}

/// The address of the key 1.
const ACCOUNT: &str = r#"["0x1a642f0e3c3af545e7acbd38b07251b3990914f1"]"#;

#[test]
fn a_person_who_refuses_is_understood() {
    let key = TestKey::new(1);
    let Some(answer) = asked_of(document(&key), &[("eth_requestAccounts", ACCOUNT), ("personal_sign", "refused")])
    else {
        return;
    };
    assert_eq!(answer, WalletAnswer::Refused("The person said no.".into()));
}

#[test]
fn another_account_is_named_and_asked_for_nothing() {
    let answers = &[("eth_requestAccounts", r#"["0x00000000000000000000000000000000000000aa"]"#)];
    let Some(answer) = asked_of(document(&TestKey::new(1)), answers) else { return };
    assert_eq!(answer, WalletAnswer::OtherAccount(vec!["0x00000000000000000000000000000000000000aa".into()]));
}

#[test]
fn a_wallet_that_stays_on_its_chain_gets_no_transaction() {
    let answers =
        &[("eth_requestAccounts", ACCOUNT), ("eth_chainId", "\"0x1\""), ("wallet_switchEthereumChain", "null")];
    let Some(answer) = asked_of(call_offer(&TestKey::new(1)), answers) else { return };
    assert_eq!(answer, WalletAnswer::OtherChain("0x1".into()));
}

#[test]
fn garbage_of_a_wallet_is_garbage() {
    let answers = &[("eth_requestAccounts", ACCOUNT), ("personal_sign", r#"{"signature": "0x12"}"#)];
    let Some(answer) = asked_of(document(&TestKey::new(1)), answers) else { return };
    assert!(matches!(answer, WalletAnswer::Garbage(_)), "{answer:?}");
}

#[test]
fn after_a_note_the_wallet_is_asked_by_a_click_only() {
    let key = TestKey::new(1);
    let wallet = |method: &str, _: &Value| {
        Some(if method == "eth_requestAccounts" { Ok(json!([])) } else { Err((4200, "no".to_owned())) })
    };
    let Some(mut browser) = Browser::start(SCRIPT, Box::new(wallet)) else { return };
    let served = Served::start(long());
    browser.open(served.page().address());
    let first = served.ask(&mut browser, document(&key), words("One"), |browser| browser.choose(NAME));
    assert_eq!(first, Ok(WalletAnswer::OtherAccount(Vec::new())));
    let noted = OfferWords { note: Some("Choose the right account.".into()), ..words("One") };
    let second = served.ask(&mut browser, document(&key), noted, |browser| {
        assert_eq!(
            browser.wait("!document.getElementById('note').hidden && document.getElementById('note').textContent"),
            "Choose the right account."
        );
        assert_eq!(browser.asked.len(), 1, "nothing was asked without a click");
        browser.choose(NAME);
    });
    assert_eq!(second, Ok(WalletAnswer::OtherAccount(Vec::new())));
}
