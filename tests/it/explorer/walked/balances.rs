//! What an account holds, where the node's interfaces answer only in part.

use rollscope::domain::Vm;
use serde_json::Value;

use super::{super::framed_lines, Walk, shows};
use crate::harness::{
    player::{Fault, NodePlayer},
    recording::Recording,
};

/// The tab with what an account of the recording holds, where the RPC takes no questions about the state, and REST may
/// not either.
fn balances_where(has_rest: bool) -> (Walk, NodePlayer, String) {
    let recording = Recording::fixture("miniwasm-0.7", Vm::Wasm).cut(200);
    let player = NodePlayer::start(&recording);
    let walk = Walk::start(&recording, &player);
    player.change(move |stage| {
        stage.lie = Some(Box::new(deny_queries));
        stage.fault = Some(Box::new(move |request, _| {
            (!has_rest && request.contains("/bank/v1beta1/balances/")).then_some(Fault::Status(501))
        }));
    });
    let account = walk.truth.bank.iter().max_by_key(|(account, coins)| (coins.len(), (*account).clone()));
    let account = account.expect("somebody holds something").0.clone();
    walk.go_to(&account);
    walk.explorer.press("l").settle();
    (walk, player, account)
}

/// The application does not know any query.
fn deny_queries(request: &str, answer: &mut Value) {
    if request.contains("/abci_query") {
        let log = "unknown query path";
        answer["result"] = serde_json::json!({"response": {"code": 6, "codespace": "sdk", "log": log, "height": "0"}});
    }
}

#[test]
fn what_the_rpc_does_not_say_of_balances_rest_does() {
    let (walk, _player, account) = balances_where(true);
    walk.says(&account, "from the node's bank");
    let screen = walk.screen();
    for (denom, amount) in walk.truth.bank[&account].iter().filter(|(_, amount)| !amount.is_zero()) {
        let is_shown = framed_lines(&screen).any(|line| shows(line, *amount));
        walk.check(is_shown, || format!("{amount} {denom}"));
    }
    walk.is_well(&account);
    assert_eq!(walk.problems(), "");
}

#[test]
fn what_nobody_says_of_balances_is_a_sentence() {
    let (walk, _player, _) = balances_where(false);
    let screen = walk.screen();
    let says = |sentence: &str| assert!(screen.contains(sentence), "{sentence}:\n{screen}");
    says("✗ the node: ");
    says("r retries");
}
