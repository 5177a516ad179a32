//! A transaction of an EVM chain: allowance and call by the wallet itself, against the embedded EVM chain.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use alloy_primitives::{U256, hex, keccak256};
use rollscope::demo::posted::EthereumPayload;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{Signing, WALLET, kept_in};
use crate::{
    cli::{
        bridge::{Chain, Home, file, fixture},
        embedded::Served,
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

/// Id of the embedded EVM chain.
const DEMO: &str = "31337";

/// A wallet of the embedded EVM chain, which it learns of by the page.
struct DemoWallet {
    key: TestKey,
    http: Runtime,
    /// JSON-RPC that the wallet was given for the chain.
    node: Option<String>,
    is_chosen: bool,
}

impl DemoWallet {
    fn answer(&mut self, method: &str, parameters: &Value) -> Result<Value, (i64, String)> {
        Ok(match method {
            "eth_requestAccounts" => json!([self.key.hexadecimal()]),
            "eth_chainId" if !self.is_chosen => json!("0x1"),
            "wallet_switchEthereumChain" if self.node.is_none() => return Err((4902, "unknown".to_owned())),
            "wallet_switchEthereumChain" => {
                self.is_chosen = true;
                Value::Null
            }
            "wallet_addEthereumChain" => {
                self.node = parameters[0]["rpcUrls"][0].as_str().map(str::to_owned);
                Value::Null
            }
            "eth_sendTransaction" => self.send(&parameters[0])?,
            "eth_chainId" | "eth_call" | "eth_getTransactionReceipt" => self.ask(method, parameters)?,
            _ => return Err((4200, format!("no {method}"))),
        })
    }

    fn ask(&self, method: &str, parameters: &Value) -> Result<Value, (i64, String)> {
        let node = self.node.clone().unwrap_or_default();
        let question = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).to_string();
        let answer = self.http.block_on(async {
            let http = rollscope::client::http_client().no_proxy().build()?;
            http.post(node).header("content-type", "application/json").body(question).send().await?.text().await
        });
        let answer = parse(&answer.unwrap_or_else(|error| panic!("the chain answers: {error}")));
        match answer["error"]["message"].as_str() {
            Some(why) => Err((-32_000, why.to_owned())),
            None => Ok(answer["result"].clone()),
        }
    }

    /// Signs a call as a wallet does, and sends it.
    fn send(&self, call: &Value) -> Result<Value, (i64, String)> {
        let number = |hex: &Value| {
            U256::from_str_radix(hex.as_str().unwrap_or("0x0").trim_start_matches("0x"), 16).unwrap_or_default()
        };
        let nonce = self.ask("eth_getTransactionCount", &json!([self.key.hexadecimal(), "pending"]))?;
        let payload = EthereumPayload {
            kind: 2,
            chain_id: 31_337,
            nonce: number(&nonce).to(),
            tip: 100_000_000,
            fee_cap: 3_000_000_000,
            gas: number(&self.ask("eth_estimateGas", &json!([call]))?).to(),
            to: hex::decode_to_array(call["to"].as_str().unwrap_or_default()).ok(),
            value: number(&call["value"]),
            input: hex::decode(call["data"].as_str().unwrap_or_default()).unwrap_or_default(),
            access_list: Vec::new(),
            signature: [0; 65],
        };
        self.ask("eth_sendRawTransaction", &json!([hex::encode_prefixed(self.key.sign_payload(&payload))]))
    }

    /// A receipt, once its block is there.
    fn receipt(&self, hash: &Value) -> Value {
        let looks = std::iter::repeat_with(|| self.ask("eth_getTransactionReceipt", &json!([hash])));
        let found = looks.into_iter().find(|receipt| receipt != &Ok(Value::Null));
        found.and_then(Result::ok).unwrap_or_default()
    }

    fn allowance(&self, token: &str, spender: &str) -> U256 {
        let word = |account: &str| format!("{:0>64}", account.trim_start_matches("0x"));
        let data = format!("0xdd62ed3e{}{}", word(&self.key.hexadecimal()), word(spender));
        let answer = self.ask("eth_call", &json!([{"to": token, "data": data}, "latest"]));
        let answer = answer.unwrap_or_else(|(_, why)| panic!("the token answers: {why}"));
        U256::from_str_radix(answer.as_str().unwrap_or_default().trim_start_matches("0x"), 16).unwrap_or(U256::MAX)
    }
}

#[test]
fn the_chain_is_added_an_old_allowance_reset_exactly_the_amount_approved_and_the_call_sent() {
    let key = TestKey::new(29);
    let served = Served::start("--history 20 --block-time 200ms --time-scale 604800");
    super::fund(&served.url, &key.hexadecimal());
    let (token, spender) = ("0x7700000000000000000000000000000000000201", "0x7700000000000000000000000000000000000101");
    let wallet = DemoWallet {
        key: key.clone(),
        http: Runtime::new().unwrap(),
        node: Some(format!("{}/node/{DEMO}/json-rpc", served.url)),
        is_chosen: false,
    };
    let approve = |amount: u64| format!("0x095ea7b3{:0>64}{amount:064x}", &spender[2..]);
    let old = wallet.send(&json!({"from": key.hexadecimal(), "to": token, "data": approve(5)})).unwrap();
    wallet.receipt(&old);
    let wallet = Rc::new(RefCell::new(DemoWallet { node: None, ..wallet }));
    let behind = Rc::clone(&wallet);
    let answers = move |method: &str, parameters: &Value| Some(behind.borrow_mut().answer(method, parameters));
    let Some(mut browser) = Browser::start(SCRIPT, Box::new(answers)) else { return };
    let home = Home::empty();
    let ends = format!("--from {DEMO}:{token} --to noble-1:uusdc --amount 25000000");
    let route = home.run(&format!("route {ends} --indexer {0} --router {0}", served.url)).good();
    let route = file(&home, "route.json", &route);
    let addresses = format!("--address {DEMO}={} --address noble-1={}", key.hexadecimal(), key.bech32("noble"));
    let mut signing = Signing::start(
        &home,
        &format!(
            "msgs --route {route} {addresses} --sign --accept arrives:noble-1:uusdc --indexer {0} --router {0}",
            served.url
        ),
    );
    browser.open(signing.hear("one-time address in your browser to sign: ").trim());
    browser.choose(WALLET);
    let refuses = "document.getElementById('doing').textContent.includes('old one (5) is 0') || \
                   document.getElementById('doing').textContent.includes('the reset')";
    browser.wait(refuses);
    let page = browser.wait("document.querySelector('#outcome.good')?.textContent");
    let (status, out, err) = signing.end();
    assert_eq!(status, Some(0), "{err}");
    let hash = parse(&out)["tx_hash"].as_str().unwrap_or_default().to_owned();
    assert!(page.as_str().is_some_and(|words| words.contains(&hash)), "{page}: {out}");
    let calls = |method: &str| {
        browser.asked.iter().filter(|(asked, _)| asked == method).map(|(_, it)| it[0].clone()).collect::<Vec<_>>()
    };
    let sent = calls("eth_sendTransaction");
    let [reset, approval, call] = &sent[..] else { panic!("{sent:?}") };
    let of = |call: &Value, field: &str| call[field].as_str().unwrap_or_default().to_lowercase();
    assert_eq!([reset, approval, call].map(|it| of(it, "to")), [token, token, spender]);
    assert_eq!((of(reset, "data"), of(approval, "data")), (approve(0), approve(25_000_000)));
    for words in ["earlier allowance set to 0: 0x", "approval sent: 0x", "may take 25 “USDC”", "“Rollscope Ethereum”"]
    {
        assert!(err.contains(words), "{words}: {err}");
    }
    assert_eq!(calls("wallet_addEthereumChain")[0]["chainId"], "0x7a69");
    let wallet = wallet.borrow();
    assert_eq!(wallet.receipt(&json!(hash))["status"], "0x1");
    assert_eq!(wallet.allowance(token, spender), U256::ZERO, "the call took exactly what it was allowed");
    let kept = kept_in(&home, &served.url);
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
    // Its word counts where it is the person's own indexer, too.
    let url = router.url();
    let asked = format!("msgs --route {route} {addresses} --trust {BRIDGE} --sign --router {url} --indexer {url}");
    let sentence = home.run(&asked).bad(1);
    assert!(sentence.contains("1 is simulated here under a real chain's id"), "{sentence}");
}
