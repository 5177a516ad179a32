use std::time::Duration;

use rollscope::worker::{PageEnd, PageTimes, SigningPageEvent, WalletAnswer};
use serde_json::{Value, json};

use super::{
    Served,
    browser::{Browser, WalletScript},
    document,
    ethereum::call_offer,
    long,
    wallet::{SCRIPT, TestKey},
    words,
};

/// A wallet whose window stays open.
fn silent_wallet(key: &TestKey) -> WalletScript {
    let key = key.clone();
    Box::new(move |method: &str, _: &Value| (method == "eth_requestAccounts").then(|| Ok(json!([key.hexadecimal()]))))
}

#[test]
fn a_page_that_is_left_half_way_cancels() {
    let key = TestKey::new(1);
    let Some(mut browser) = Browser::start(SCRIPT, silent_wallet(&key)) else { return };
    let served = Served::start(long());
    browser.open(served.page().address());
    let end = served.ask(&mut browser, document(&key), words("One"), |browser| {
        browser.choose("Test Wallet");
        browser.until_asked("personal_sign");
        browser.open("about:blank");
    });
    assert_eq!(end, Err(PageEnd::Closed));
}

#[test]
fn a_browser_that_dies_is_noticed() {
    let key = TestKey::new(1);
    let Some(mut browser) = Browser::start(SCRIPT, silent_wallet(&key)) else { return };
    let served = Served::start(PageTimes { silence: Duration::from_secs(2), ..long() });
    browser.open(served.page().address());
    let end = served.ask(&mut browser, document(&key), words("One"), |browser| {
        browser.choose("Test Wallet");
        browser.until_asked("personal_sign");
        browser.kill();
    });
    assert_eq!(end, Err(PageEnd::Silent));
}

#[test]
fn the_page_says_when_the_terminal_is_gone() {
    let key = TestKey::new(1);
    let Some(mut browser) = Browser::start(SCRIPT, silent_wallet(&key)) else { return };
    let mut served = Served::start(long());
    browser.open(served.page().address());
    browser.wait("document.getElementById('line')?.textContent === 'connected to the terminal'");
    served.page = None;
    let said = browser.wait("document.querySelector('#outcome.bad')?.textContent");
    assert!(said.as_str().is_some_and(|said| said.starts_with("rollscope has ended.")), "{said}");
}

#[test]
fn a_page_that_is_loaded_again_goes_on_and_the_one_before_it_ends() {
    let key = TestKey::new(1);
    let signer = key.clone();
    let mut asked = 0;
    // The first window of the wallet stays open.
    let wallet = move |method: &str, parameters: &Value| {
        if method == "eth_requestAccounts" {
            return Some(Ok(json!([signer.hexadecimal()])));
        }
        asked += 1;
        (asked > 1).then(|| Ok(signer.personal_sign(parameters)))
    };
    let Some(mut browser) = Browser::start(SCRIPT, Box::new(wallet)) else { return };
    let mut served = Served::start(long());
    let address = served.page().address().to_owned();
    browser.open(&address);
    let answer = served.ask(&mut browser, document(&key), words("One"), |browser| {
        browser.choose("Test Wallet");
        browser.until_asked("personal_sign");
        browser.open(&address);
        browser.wait("document.querySelector('button[data-wallet=\"Test Wallet\"]:not(:disabled)')");
        assert_eq!(browser.asked.len(), 2, "the second page asks by a click only");
        browser.choose("Test Wallet");
    });
    assert!(matches!(answer, Ok(WalletAnswer::PersonalSignature(_))), "{answer:?}");
    let opened = served.events().iter().filter(|event| **event == SigningPageEvent::Opened).count();
    assert_eq!(opened, 1);
}

#[test]
fn a_reload_while_the_wallet_has_a_transaction_asks_for_none_again() {
    let key = TestKey::new(1);
    let from = key.hexadecimal();
    let wallet = move |method: &str, _: &Value| match method {
        "eth_requestAccounts" => Some(Ok(json!([from]))),
        "eth_chainId" => Some(Ok(json!("0x7a69"))),
        "eth_call" => Some(Ok(json!(format!("0x{:064x}", 1000)))),
        _ => None,
    };
    let Some(mut browser) = Browser::start(SCRIPT, Box::new(wallet)) else { return };
    let served = Served::start(long());
    let address = served.page().address().to_owned();
    browser.open(&address);
    let answer = served.ask(&mut browser, call_offer(&key), words("One"), |browser| {
        browser.choose("Test Wallet");
        browser.until_asked("eth_sendTransaction");
        browser.open(&address);
    });
    assert_eq!(answer, Ok(WalletAnswer::Reloaded));
}

#[test]
fn an_address_that_was_opened_shows_nothing_in_another_browser() {
    let key = TestKey::new(1);
    let Some(mut browser) = Browser::start(SCRIPT, silent_wallet(&key)) else { return };
    let mut served = Served::start(long());
    let address = served.page().address().to_owned();
    browser.open(&address);
    browser.wait("document.getElementById('line')?.textContent === 'connected to the terminal'");
    let Some(mut other) = Browser::start(SCRIPT, silent_wallet(&key)) else { return };
    other.open(&address);
    let heading = other.wait("document.querySelector('h1')?.textContent === 'This address has already been used'");
    assert_eq!(heading, true);
    assert_eq!(served.events(), [SigningPageEvent::Opened]);
    browser.open("about:blank");
    let end = served.ask(&mut browser, document(&key), words("One"), |_| {});
    assert_eq!(end, Err(PageEnd::Closed), "leaving it cancelled, also for what comes after");
}

#[test]
fn time_goes_by_without_a_browser() {
    let served = Served::start(PageTimes { offer: Duration::ZERO, ..long() });
    let asked = served.page().ask(document(&TestKey::new(1)), words("One"));
    let end: Result<WalletAnswer, PageEnd> = served.runtime.block_on(asked);
    assert_eq!(end, Err(PageEnd::NotOpened));
}
