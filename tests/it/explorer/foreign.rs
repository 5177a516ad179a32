//! Whatever text of an answer controls a terminal, no page shows what it controls with, from the first tab to a
//! hook that is refused, since its message is none.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use rollscope::domain::Address;
use serde_json::Value;

use super::{
    bridge_whole::{DEPOSIT, fill_in},
    scripted::Server,
};
use crate::{
    cli::foreign::{CONTROLS, is_plain, spoil},
    harness::{
        Explorer, chain_of,
        replay::{Answer, forward},
        rollup_of,
    },
};

/// Keys on the way through all pages, with what shows that the page is there.
const WAY: [(&str, &str); 22] = [
    ("1", "[1 Overview]"),
    ("2", "[2 Blocks]"),
    ("enter", "┌ Transactions in block order "),
    ("J", "┌ JSON "),
    ("3", "[3 Txs]"),
    ("enter", "[Story]"),
    ("l", "[Messages"),
    ("l", "[Events"),
    ("l", "[Raw"),
    ("esc 4", "[4 NFTs]"),
    ("enter", "┌ Harbor Cats"),
    ("enter", "┌ Harbor Cats"),
    ("l", "┌ Harbor Cats"),
    ("5", "[5 Rich list]"),
    ("enter", "┌ Account "),
    ("l", "┌ Account "),
    ("l", "┌ Account "),
    ("l", "┌ Account "),
    ("f12", "answers: median"),
    ("esc /", "rollscope"),
    ("esc : d o c enter", "rollscope"),
    ("esc esc 6", "[6 Bridge]"),
];

/// Whether text names what is asked next, or has a form without which nothing is read: numbers, hashes, addresses,
/// denoms, chain ids, types.
fn is_identifier(text: &str) -> bool {
    let is_word = text.chars().all(|sign| sign.is_ascii_alphanumeric() || "-_/.:+=".contains(sign));
    let has_mark = text.contains(|sign: char| sign.is_ascii_digit() || sign == '/') || text.starts_with('u');
    text.is_empty() || text == "init" || is_word && has_mark || text.parse::<Address>().is_ok()
}

/// What the rollup answers, with the controls behind each string that is not spared, and the names of these.
fn hostile(url: String, spares: fn(&str) -> bool) -> (Server, Arc<Mutex<BTreeSet<String>>>) {
    let names: Arc<Mutex<BTreeSet<String>>> = Arc::default();
    let changed = Arc::clone(&names);
    let server = Server::new(move |seen, _| {
        let (status, kind, body) = forward(&url, seen);
        let Ok(mut answer) = serde_json::from_slice::<Value>(&body) else {
            return Answer::typed(status, &kind, String::from_utf8_lossy(&body));
        };
        let mut changed = changed.lock().unwrap_or_else(|error| panic!("no handler panics: {error}"));
        spoil(&mut answer, "", &mut |name, text| {
            if !spares(text) {
                changed.insert(name.to_owned());
                text.push_str(CONTROLS);
            }
        });
        Answer::typed(status, &kind, answer.to_string())
    });
    (server, names)
}

/// Whether the screen, on which no cell may control a terminal, shows a text that was changed.
fn shows_changed(explorer: &Explorer, at: &str) -> bool {
    let found: Vec<String> = {
        let buffer = explorer.settle().buffer();
        let odd = buffer.content.iter().filter(|cell| !cell.symbol().chars().all(is_plain));
        odd.map(|cell| cell.symbol().to_owned()).collect()
    };
    let screen = explorer.screen();
    assert!(found.is_empty(), "after {at}: {found:?}\n{screen}");
    // The screen takes no control: what was not cleaned leaves the rest of a sequence there. JSON writes it out.
    let rest = screen.replace("\\u001b]52;c;", "").replace("\\u001b[31m", "");
    assert!(!rest.contains("]52;c;") && !rest.contains("[31m"), "after {at}:\n{screen}");
    screen.contains("ZQX")
}

#[test]
fn no_text_of_any_answer_controls_what_a_page_shows() {
    let rollup = rollup_of(chain_of(60));
    let (server, names) = hostile(rollup.url(), is_identifier);
    let explorer = Explorer::builder().size(140, 45).server(server.url()).start();
    let mut showing = 0;
    for (keys, text) in WAY {
        showing += usize::from(shows_changed(explorer.press(keys), keys));
        assert!(explorer.screen().contains(text), "{text} after {keys}:\n{}", explorer.screen());
    }
    fill_in(&explorer, &DEPOSIT);
    for (keys, text) in [("", "OP bridge"), ("tab enter", "┌ Send "), ("S", "did not sign the hook")] {
        showing += usize::from(shows_changed(explorer.press(keys), keys));
        assert!(explorer.screen().contains(text), "{text} after {keys}:\n{}", explorer.screen());
    }
    let names = names.lock().unwrap_or_else(|error| panic!("no handler panics: {error}"));
    assert!(showing > 15 && names.len() > 20, "{showing} screens showed what was changed: {names:?}");
}

/// Most of such an answer is refused; its refusal shows it.
#[test]
fn no_identifier_of_any_answer_controls_what_a_page_shows() {
    let rollup = rollup_of(chain_of(60));
    let (server, _) = hostile(rollup.url(), |text| text.parse::<f64>().is_ok());
    let explorer = Explorer::builder().size(140, 45).server(server.url()).start();
    let showing = WAY.iter().filter(|(keys, _)| shows_changed(explorer.press(keys), keys)).count();
    assert!(showing > 15, "{showing} screens");
}
