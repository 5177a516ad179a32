//! A transaction of an EVM chain: allowance and call by the wallet itself, behind which a JSON-RPC is scripted.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use alloy_primitives::{U256, hex, keccak256};
use serde_json::{Value, json};

use super::{Signing, WALLET, kept_in};
use crate::{
    cli::{
        bridge::{Chain, Home, file, fixture},
        parse,
    },
    harness::replay::{Answer, Seen},
    signing_page::{
        browser::Browser,
        wallet::{SCRIPT, TestKey},
    },
};

const TOKEN: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const BRIDGE: &str = "0x3333333333333333333333333333333333333333";
const AMOUNT: u64 = 500_000_000;

/// `depositForBurn` of the whole amount for an account of Noble.
fn burn(key: &TestKey) -> String {
    let account = |text: &str| rollscope::signing::account_of(text).map(|account| account.word()).unwrap_or_default();
    let words = [
        U256::from(AMOUNT).to_be_bytes::<32>(),
        U256::from(4).to_be_bytes::<32>(),
        account(&key.bech32("noble")),
        account(TOKEN),
    ];
    hex::encode([&keccak256("depositForBurn(uint256,uint32,bytes32,address)")[..4], &words.concat()].concat())
}

/// The recorded route to its first arrival, and what is signed for it by this key.
fn route_and_messages(key: &TestKey) -> (String, String) {
    let mut route = parse(&fixture("route-cctp-evm-to-initia-composed"));
    if let Some(steps) = route["operations"].as_array_mut() {
        steps.truncate(1);
    }
    route["dest_asset_chain_id"] = json!("noble-1");
    route["dest_asset_denom"] = json!("uusdc");
    (route["chain_ids"], route["required_chain_addresses"]) = (json!(["1", "noble-1"]), json!(["1", "noble-1"]));
    let mut messages = parse(&fixture("msgs-cctp-evm-tx-composed"));
    for list in ["txs", "msgs"] {
        messages[list][0]["evm_tx"]["data"] = json!(burn(key));
        messages[list][0]["evm_tx"]["signer_address"] = json!(key.hexadecimal());
    }
    (route.to_string(), messages.to_string())
}

fn answer(seen: &Seen, messages: &str) -> Answer {
    match seen.target.split('?').next().unwrap_or_default() {
        "/v2/fungible/msgs" => Answer::json(messages),
        "/v2/tx/track" => Answer::json(json!({"tx_hash": parse(&seen.body)["tx_hash"]}).to_string()),
        _ => Answer::text(404, "404 page not found"),
    }
}

/// The chain behind the wallet.
#[derive(Default)]
struct Ledger {
    allowance: u64,
    looks: u32,
    sent: Vec<Value>,
}

impl Ledger {
    fn answer(&mut self, key: &TestKey, method: &str, parameters: &Value) -> Result<Value, (i64, String)> {
        Ok(match method {
            "eth_requestAccounts" => json!([key.hexadecimal()]),
            "eth_chainId" => json!("0x1"),
            "eth_call" => json!(format!("0x{:064x}", self.allowance)),
            "eth_sendTransaction" => {
                self.sent.push(parameters[0].clone());
                json!(format!("0x{:064x}", self.sent.len()))
            }
            "eth_getTransactionReceipt" => {
                self.looks += 1;
                if self.looks < 2 {
                    return Ok(Value::Null);
                }
                self.allowance = AMOUNT;
                json!({"status": "0x1"})
            }
            _ => return Err((4200, format!("no {method}"))),
        })
    }
}

#[test]
fn exactly_the_amount_is_approved_first_and_the_call_follows_its_receipt() {
    let key = TestKey::new(29);
    let ledger = Rc::new(RefCell::new(Ledger::default()));
    let (signer, behind) = (key.clone(), Rc::clone(&ledger));
    let wallet = move |method: &str, parameters: &Value| Some(behind.borrow_mut().answer(&signer, method, parameters));
    let Some(mut browser) = Browser::start(SCRIPT, Box::new(wallet)) else { return };
    let (route, messages) = route_and_messages(&key);
    let messages: Arc<str> = messages.into();
    let router = Chain::scripted(move |seen| answer(seen, &messages));
    let home = Home::empty();
    let route = file(&home, "route.json", &route);
    let addresses = format!("--address 1={} --address noble-1={}", key.hexadecimal(), key.bech32("noble"));
    let mut signing = Signing::start(
        &home,
        &format!("msgs --route {route} {addresses} --trust {BRIDGE} --sign --router {}", router.url()),
    );
    browser.open(signing.hear("one-time address in your browser to sign: ").trim());
    browser.choose(WALLET);
    browser.until_asked("eth_getTransactionReceipt");
    let page = browser.wait("document.querySelector('#outcome.good')?.textContent");
    let (status, out, err) = signing.end();
    assert_eq!(status, Some(0), "{err}");
    let hash = parse(&out)["tx_hash"].as_str().unwrap_or_default().to_owned();
    assert!(hash.ends_with('2') && page.as_str().is_some_and(|words| words.contains(&hash)), "{page}: {out}");
    let sent = ledger.borrow().sent.clone();
    let [approval, call] = &sent[..] else { panic!("{sent:?}") };
    let of = |call: &Value, field: &str| call[field].as_str().unwrap_or_default().to_lowercase();
    assert_eq!((of(approval, "to"), of(call, "to")), (TOKEN.to_lowercase(), BRIDGE.to_owned()));
    let allowed = format!("0x095ea7b3{:0>64}{AMOUNT:064x}", BRIDGE.trim_start_matches("0x"));
    assert_eq!((of(approval, "data"), of(call, "data")), (allowed, format!("0x{}", burn(&key))));
    assert!(err.contains("approval sent: 0x") && err.contains("may take 500"), "{err}");
    let kept = kept_in(&home, router.url());
    assert_eq!((kept.len(), kept[0].id.hash.as_str()), (1, hash.as_str()));
    assert_eq!(kept[0].changes.last().map(|change| change.text.as_str()), Some("sent"));
}

#[test]
fn a_wallet_is_not_asked_for_a_call_of_a_simulation_which_it_would_send_to_the_real_chain() {
    let key = TestKey::new(29);
    let (route, messages) = route_and_messages(&key);
    let messages: Arc<str> = messages.into();
    let router = Chain::scripted(move |seen| {
        if seen.target == "/demo/v1" { Answer::json(r#"{"chain_id": "demo-1"}"#) } else { answer(seen, &messages) }
    });
    let home = Home::empty();
    let route = file(&home, "route.json", &route);
    let addresses = format!("--address 1={} --address noble-1={}", key.hexadecimal(), key.bech32("noble"));
    let asked = format!("msgs --route {route} {addresses} --trust {BRIDGE} --sign --router {}", router.url());
    let sentence = home.run(&asked).bad(1);
    assert!(sentence.contains("1 is simulated here under a real chain's id"), "{sentence}");
}
