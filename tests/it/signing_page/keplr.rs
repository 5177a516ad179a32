use std::{cell::Cell, rc::Rc};

use rollscope::worker::{DocumentOffer, SigningOffer, WalletAnswer};
use serde_json::{Value, json};

use super::{
    Served,
    browser::Browser,
    document, long,
    wallet::{SCRIPT, TestKey, is_amino_signature},
    words,
};

fn amino_offer(key: &TestKey) -> DocumentOffer {
    let SigningOffer::Document(offer) = document(key) else { panic!("it is a document") };
    DocumentOffer { ethereum_signer: None, suggestion: Some(json!({"chainId": "demo-l1-1"})), ..offer }
}

#[test]
fn a_chain_is_suggested_and_the_document_signed() {
    let key = TestKey::new(1);
    let offer = amino_offer(&key);
    let (signer, text) = (key.clone(), offer.text.clone());
    let is_known = Rc::new(Cell::new(false));
    let wallet = move |method: &str, _: &Value| {
        Some(match method {
            "keplr.enable" if !is_known.get() => Err((0, "There is no chain info for demo-l1-1".to_owned())),
            "keplr.experimentalSuggestChain" => {
                is_known.set(true);
                Ok(Value::Null)
            }
            "keplr.getKey" => Ok(json!({"bech32Address": signer.bech32("init")})),
            "keplr.signAmino" => Ok(signer.sign_amino(&text)),
            _ => Ok(Value::Null),
        })
    };
    let Some(mut browser) = Browser::start(SCRIPT, Box::new(wallet)) else { return };
    let served = Served::start(long());
    browser.open(served.page().address());
    let answer = served.ask(&mut browser, SigningOffer::Document(offer.clone()), words("One"), |browser| {
        browser.wait("document.querySelectorAll('#wallets button').length === 1");
        browser.choose("Keplr");
    });
    let Ok(WalletAnswer::AminoSignature { signature, public_key }) = answer else { panic!("{answer:?}") };
    assert!(is_amino_signature(&offer.text, &signature, &public_key));
    let methods: Vec<&str> = browser.asked.iter().map(|(method, _)| method.as_str()).collect();
    let wanted = ["keplr.enable", "keplr.experimentalSuggestChain", "keplr.enable", "keplr.getKey", "keplr.signAmino"];
    assert_eq!(methods, wanted);
    let parameters = &browser.asked[4].1;
    let document: Value = serde_json::from_str(&offer.text).unwrap();
    assert_eq!((&parameters[1], &parameters[2]), (&json!(offer.signer), &document));
}

#[test]
fn another_account_of_keplr_is_named() {
    let key = TestKey::new(1);
    let other = TestKey::new(2).bech32("init");
    let shown = other.clone();
    let wallet = move |method: &str, _: &Value| {
        Some(Ok(if method == "keplr.getKey" { json!({"bech32Address": shown}) } else { Value::Null }))
    };
    let Some(mut browser) = Browser::start(SCRIPT, Box::new(wallet)) else { return };
    let served = Served::start(long());
    browser.open(served.page().address());
    let offer = SigningOffer::Document(amino_offer(&key));
    let answer = served.ask(&mut browser, offer, words("One"), |browser| browser.choose("Keplr"));
    assert_eq!(answer, Ok(WalletAnswer::OtherAccount(vec![other.into()])));
    assert!(!browser.asked.iter().any(|(method, _)| method == "keplr.signAmino"));
}
