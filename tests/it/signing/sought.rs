//! A transaction that somebody else sends is known by its messages: exact, near, another's, older, and two that are
//! equal.

use rollscope::{
    domain::{ChainId, Timestamp},
    signing::{SearchVerdict, SignableMessage, SignedElsewhereSearch},
    wire::Tx,
};
use serde_json::{Value, json};

const ME: &str = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";
const OTHER: &str = "init1dvl455wwqnkjs9gj5hpxqqvt3c8l8jatuqrggy";
const MADE: &str = "2025-11-21T10:00:00Z";

fn withdrawal(sender: &str, amount: &str) -> Value {
    json!({"@type": "/opinit.opchild.v1.MsgInitiateTokenWithdrawal", "sender": sender, "to": ME,
        "amount": {"denom": "l2/ab", "amount": amount}})
}

/// A record as an indexer has it.
fn record(number: u64, at: &str, code: u32, messages: &[Value]) -> Tx {
    let record = json!({"txhash": format!("{number:064X}"), "height": "7", "code": code, "timestamp": at,
        "tx": {"body": {"messages": messages, "memo": ""}, "auth_info": {}, "signatures": []}, "events": []});
    serde_json::from_value(record).expect("a record")
}

fn sought() -> SignedElsewhereSearch {
    let made = r#"{"sender":"init19986clfn43f9pka870erxanxx7kp3lmfcrz898","to":"init19986clfn43f9pka870erxanxx7kp3lmfcrz898","amount":{"amount":"40","denom":"l2/ab"}}"#;
    let message = SignableMessage::read("/opinit.opchild.v1.MsgInitiateTokenWithdrawal", made).expect("a message");
    let since: Timestamp = MADE.parse().expect("a time");
    SignedElsewhereSearch::new(ChainId::new("civitia-1"), vec![message], since).expect("it is signed by one")
}

fn search(txs: &[Tx]) -> SearchVerdict {
    sought().search(txs)
}

fn exact(number: u64) -> Tx {
    record(number, "2025-11-21T10:00:05Z", 0, &[withdrawal(ME, "40")])
}

#[test]
fn the_very_messages_are_taken_whatever_else_is_there() {
    let noise = record(9, "2025-11-21T10:00:06Z", 0, &[json!({"@type": "/cosmos.bank.v1beta1.MsgSend"})]);
    let near = record(8, "2025-11-21T10:00:07Z", 0, &[withdrawal(ME, "41")]);
    let SearchVerdict::Exact(found) = search(&[noise, near, exact(1)]) else { panic!("it is there") };
    assert_eq!(found.hash, exact(1).txhash);
    let at_once = record(2, MADE, 0, &[withdrawal(ME, "40")]);
    assert!(matches!(search(&[at_once]), SearchVerdict::Exact(_)), "in the very moment");
}

#[test]
fn near_ones_are_proposed_with_what_differs() {
    let near = record(2, "2025-11-21T10:00:05Z", 0, &[withdrawal(ME, "41")]);
    let SearchVerdict::Proposed(found) = search(&[near]) else { panic!("it is proposed") };
    assert_eq!(found[0].differs, ["MsgInitiateTokenWithdrawal.amount"]);
    let failed = record(3, "2025-11-21T10:00:05Z", 5, &[withdrawal(ME, "40")]);
    let SearchVerdict::Proposed(found) = search(&[failed]) else { panic!("it is proposed") };
    assert!(found[0].is_failed && found[0].differs.is_empty());
    let mut odd = withdrawal(ME, "40");
    odd["news"] = json!(1);
    let SearchVerdict::Proposed(found) = search(&[record(4, "2025-11-21T10:00:05Z", 0, &[odd])]) else {
        panic!("what cannot be read is not taken")
    };
    assert_eq!(found[0].differs, ["MsgInitiateTokenWithdrawal"]);
}

#[test]
fn anothers_an_older_one_and_one_with_more_are_not_it() {
    let later = "2025-11-21T10:00:05Z";
    for other in [
        record(1, later, 0, &[withdrawal(OTHER, "40")]),
        record(2, "2025-11-21T09:59:59.999999999Z", 0, &[withdrawal(ME, "40")]),
        record(3, later, 0, &[withdrawal(ME, "40"), withdrawal(ME, "40")]),
        record(4, later, 0, &[]),
        record(5, later, 0, &[json!({"@type": "/opinit.opchild.v1.MsgUpdateParams", "sender": ME})]),
    ] {
        assert_eq!(search(&[other]), SearchVerdict::Nothing);
    }
}

#[test]
fn of_two_that_are_equal_none_is_taken() {
    let near = record(3, "2025-11-21T10:00:09Z", 0, &[withdrawal(ME, "41")]);
    let SearchVerdict::Proposed(found) = search(&[near, exact(1), exact(2)]) else { panic!("a person must choose") };
    let exact: Vec<bool> = found.iter().map(rollscope::signing::FoundTx::is_exact).collect();
    assert_eq!(exact, [true, true, false]);
}

#[test]
fn what_is_signed_by_nobody_or_by_two_is_not_looked_for() {
    let read = |sender: &str| {
        let fields = json!({"sender": sender, "to": ME, "amount": {"amount": "1", "denom": "l2/ab"}}).to_string();
        SignableMessage::read("/opinit.opchild.v1.MsgInitiateTokenWithdrawal", &fields).expect("a message")
    };
    let (chain, since) = (ChainId::new("civitia-1"), MADE.parse().expect("a time"));
    for messages in [vec![], vec![read("")], vec![read(ME), read(OTHER)]] {
        assert_eq!(SignedElsewhereSearch::new(chain.clone(), messages, since), None);
    }
}
