//! Accounts that a wallet shows before it signs anything.

use rollscope::{
    domain::ChainId,
    signing::WalletAccounts,
    worker::{AccountsChain, AccountsOffer, SigningOffer, WalletAnswer},
};
use serde_json::{Value, json};

use super::{
    Served,
    browser::Browser,
    long,
    wallet::{SCRIPT, TestKey},
    words,
};

fn offer() -> SigningOffer {
    let chain = |id: &str, suggestion| AccountsChain { chain_id: id.to_owned(), suggestion };
    let suggestion = Some(json!({"chainId": "demo-l1-1"}));
    SigningOffer::Accounts(AccountsOffer { chains: vec![chain("demo-l1-1", suggestion), chain("strange-1", None)] })
}

/// The accounts that this wallet shows, and what it was asked for.
fn shown(wallet: &'static str, key: &TestKey) -> Option<(WalletAccounts, Vec<String>)> {
    let key = key.clone();
    let mut is_added = false;
    let script = move |method: &str, parameters: &Value| {
        Some(match (method, parameters[0].as_str()) {
            ("eth_requestAccounts", _) => Ok(json!([key.hexadecimal(), TestKey::new(9).hexadecimal()])),
            ("keplr.experimentalSuggestChain", _) => {
                is_added = true;
                Ok(Value::Null)
            }
            ("keplr.enable", Some("demo-l1-1")) if is_added => Ok(Value::Null),
            ("keplr.getKey", Some("demo-l1-1")) => Ok(json!({"bech32Address": key.bech32("init")})),
            _ => Err((0, format!("no {method}"))),
        })
    };
    let mut browser = Browser::start(SCRIPT, Box::new(script))?;
    let served = Served::start(long());
    browser.open(served.page().address());
    let answer = served.ask(&mut browser, offer(), words("Connect your wallet"), |browser| {
        let button = format!("document.querySelector('button[data-wallet=\"{wallet}\"]')?.textContent");
        assert_eq!(browser.wait(&button), format!("Connect {wallet}"));
        browser.choose(wallet);
    });
    let Ok(WalletAnswer::Accounts(accounts)) = answer else { panic!("{answer:?}") };
    Some((accounts, browser.asked.iter().map(|(method, _)| method.clone()).collect()))
}

#[test]
fn an_ethereum_wallet_shows_its_selected_account_and_signs_nothing() {
    let key = TestKey::new(1);
    let Some((accounts, asked)) = shown("Test Wallet", &key) else { return };
    assert_eq!((accounts.wallet.as_received(), accounts.by_chain.len()), ("Test Wallet", 0));
    assert_eq!(accounts.ethereum.map(|account| account.checksummed()), Some(key.hexadecimal()));
    assert_eq!(asked, ["eth_requestAccounts"]);
}

#[test]
fn keplr_shows_the_accounts_of_the_chains_that_it_has() {
    let key = TestKey::new(1);
    let Some((accounts, asked)) = shown("Keplr", &key) else { return };
    let own = [(ChainId::new("demo-l1-1"), key.bech32("init").into())];
    assert_eq!((accounts.ethereum, accounts.by_chain), (None, own.into()));
    assert!(!asked.iter().any(|method| method.contains("sign")), "{asked:?}");
}
