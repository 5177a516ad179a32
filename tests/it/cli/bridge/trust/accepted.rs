//! A yes to an unknown contract is kept while its code is the accepted one, by a node that no router named.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use super::{Burn, Chain, MADE_UP};
use crate::{
    cli::parse,
    harness::replay::Answer,
    pty::terminal::{Output, Pty},
};

const IMPLEMENTATION: &str = "360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
const ADMIN: &str = "b53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103";
const CODE: &str = "6001600155";

/// What an Ethereum node tells: code by address and words by slot, in lower case; a missing word is zero.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<BTreeMap<String, String>>>);

impl Told {
    fn set(&self, place: &str, value: &str) -> &Self {
        self.0.lock().unwrap_or_else(|error| panic!("{error}")).insert(place.to_lowercase(), value.to_owned());
        self
    }

    /// The answer of the node; an error for a call of a method whose name is set to anything.
    fn node(&self) -> Chain {
        let told = Arc::clone(&self.0);
        Chain::scripted(move |seen| {
            let question = parse(&seen.body);
            let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_lowercase();
            let told = told.lock().unwrap_or_else(|error| panic!("{error}"));
            if told.contains_key(&text(&question["method"])) {
                return Answer::json(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no state"}}"#);
            }
            let (is_code, place) = (question["method"] == "eth_getCode", &question["params"]);
            let key = if is_code { text(&place[0]) } else { text(&place[1]).trim_start_matches("0x").to_owned() };
            let value = told.get(&key).cloned().unwrap_or_default();
            let value = if is_code { value } else { format!("{value:0>64}") };
            Answer::json(format!(r#"{{"jsonrpc":"2.0","id":1,"result":"0x{value}"}}"#))
        })
    }
}

fn confirm(pty: &mut Pty) {
    pty.wait_for("Type the address's last 4 characters").keys("a b c d enter");
    pty.wait_for("one-time address in your browser to sign: ").wait_for("UNKNOWN recipient").keys("ctrl-c");
    pty.wait_exit();
}

#[test]
fn a_yes_counts_until_code_implementation_or_admin_change() {
    let told = Told::default();
    told.set(MADE_UP, CODE);
    let node = told.node();
    let burn = Burn::new(MADE_UP).with_node(node.url());
    let host = node.url().trim_start_matches("http://").to_owned();
    let refused = burn.home.run(&burn.arguments).bad(1);
    assert!(refused.contains("does not know this contract; code 0x") && refused.contains(&host), "{refused}");
    let mut first = burn.at_terminal();
    first.wait_for("does not know this contract; code 0x").wait_for(&format!("per {host}"));
    confirm(first.wait_for("If you confirm, rollscope keeps your yes until the code changes."));
    let mut second = burn.at_terminal();
    second.wait_for("UNKNOWN recipient").wait_for(" by you on 20").wait_for("and its code is unchanged: code 0x");
    assert!(!second.read(Output::screen).contains("last 4 characters"));
    second.keys("ctrl-c").wait_exit();
    let other = "0x5555555555555555555555555555555555555555";
    let steps = [
        (MADE_UP, "6002600255", "its code changed since you accepted it on 20"),
        (IMPLEMENTATION, &other[2..], "its implementation changed since you accepted it on 20"),
        (other, CODE, "its implementation changed since you accepted it on 20"),
        (ADMIN, &"6".repeat(40), "its admin changed since you accepted it on 20"),
    ];
    for (place, value, words) in steps {
        told.set(place, value);
        let mut pty = burn.at_terminal();
        confirm(pty.wait_for(words));
    }
    let mut last = burn.at_terminal();
    last.wait_for("and its code is unchanged: code 0x").wait_for(&format!("of {other}"));
    last.wait_for("can be replaced by 0x6666666666666666666666666666666666666666").keys("ctrl-c").wait_exit();
    // A node that no longer tells the storage proves nothing.
    told.set("eth_getStorageAt", "");
    let mut silent = burn.at_terminal();
    silent.wait_for("you accepted it on 20").wait_for("but nothing shows that it is unchanged").wait_for("no state");
    confirm(silent.wait_for("If you confirm, your yes counts for this signature only."));
}

#[test]
fn what_only_a_router_names_proves_no_code_and_a_yes_is_not_kept() {
    let burn = Burn::new(MADE_UP);
    for _ in 0..2 {
        let mut pty = burn.at_terminal();
        pty.wait_for("its code is unread, since only the router names servers of 1");
        confirm(pty.wait_for("If you confirm, your yes counts for this signature only."));
    }
    let empty = Told::default();
    let node = empty.node();
    let burn = Burn::new(MADE_UP).with_node(node.url());
    let refused = burn.home.run(&burn.arguments).bad(1);
    assert!(refused.contains("no code at this address; to trust it, add --trust 1:"), "{refused}");
}
