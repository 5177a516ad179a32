use std::time::Duration;

use rollscope::worker::{PageEnd, PageTimes, SigningPageEvent, WalletAnswer};
use serde_json::{Value, json};

use super::{
    Served,
    browser::{Browser, WalletScript},
    document, long,
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
fn an_address_that_was_opened_shows_nothing_again() {
    let key = TestKey::new(1);
    let Some(mut browser) = Browser::start(SCRIPT, silent_wallet(&key)) else { return };
    let mut served = Served::start(long());
    let address = served.page().address().to_owned();
    browser.open(&address);
    browser.wait("document.getElementById('line')?.textContent === 'connected to the terminal'");
    browser.open(&address);
    let heading = browser.wait("document.querySelector('h1')?.textContent === 'This address has already been used'");
    assert_eq!(heading, true);
    assert_eq!(served.events(), [SigningPageEvent::Opened]);
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
