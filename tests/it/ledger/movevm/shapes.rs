//! Keys and order of events as real nodes give them, written down by kind.

use std::collections::BTreeSet;

use rollscope::{
    demo::ledger::{CommittedTx, TxEvent},
    domain::MsgType,
};
use serde_json::Value;

use super::catalogue::TYPE_TAGS;

/// A movement from one store to another, each with its owner.
const PASS: &str = "Withdraw WithdrawOwner Deposit DepositOwner";
/// Before the messages when nobody pays.
const FREE: &str = "tx tx tx";
/// A relayer's messages.
const ARRIVAL: &[&str] = &["ibc.core.client.v1.MsgUpdateClient", "ibc.core.channel.v1.MsgRecvPacket"];
/// A call with encoded arguments, and one with JSON texts.
const CALLS: [&[&str]; 2] = [&["initia.move.v1.MsgExecute"], &["initia.move.v1.MsgExecuteJSON"]];

/// One kind of transaction: its messages, the functions it runs besides the bank's, and its events.
struct Shape {
    messages: &'static [&'static str],
    runs: &'static str,
    events: String,
}

fn shape(messages: &'static [&'static str], runs: &'static str, events: String) -> Shape {
    Shape { messages, runs, events }
}

fn bank() -> String {
    format!("execute {PASS} coin_spent coin_received transfer message")
}

/// Calls by people, in both forms.
fn calls() -> Vec<Shape> {
    let out = "Withdraw WithdrawOwner";
    let into = "Deposit DepositOwner";
    let functions = [
        ("coin::transfer", PASS.to_owned()),
        ("dex::swap_script", format!("{PASS} {out} Swap {into}")),
        ("dex::provide_liquidity_script", format!("{out} {out} Provide {into} {into} Mint {into}")),
        ("dex::withdraw_liquidity_script", format!("{out} Burn Withdraw {out} {out} {into} {into}")),
        ("simple_nft::mint", "Create Mint Transfer".to_owned()),
        ("simple_nft::burn", "Burn".to_owned()),
        ("object::transfer_call", "Transfer".to_owned()),
        ("vault::stake", format!("{PASS} Stake")),
    ];
    let before = format!("{} {FREE} message execute", bank());
    let both =
        |(runs, events): (&'static str, String)| CALLS.map(|form| shape(form, runs, format!("{before} {events}")));
    functions.into_iter().flat_map(both).collect()
}

fn shapes() -> Vec<Shape> {
    let bank = bank();
    let paid = format!("{bank} {FREE}");
    let mint = "execute Mint Deposit DepositOwner coinbase";
    let burn = "execute Withdraw WithdrawOwner Burn burn";
    let receive = format!("{FREE} message update_client message message recv_packet message");
    let answer = "write_acknowledgement message";
    let arrived = "execute Create Mint Transfer non_fungible_token_packet";
    let deposit: &[&str] = &["opinit.opchild.v1.MsgFinalizeTokenDeposit"];
    let credited = format!("{FREE} message {mint} {bank}");
    let withdrawal: &[&str] = &["opinit.opchild.v1.MsgInitiateTokenWithdrawal"];
    let mut shapes = calls();
    shapes.extend([
        shape(&["cosmos.bank.v1beta1.MsgSend"], "", format!("{paid} message {bank}")),
        shape(&["initia.move.v1.MsgScript"], "", format!("{paid} message script {PASS} {PASS}")),
        shape(&["initia.move.v1.MsgPublish"], "code::publish", format!("{paid} message execute ModulePublished")),
        shape(deposit, "", format!("{credited} finalize_token_deposit")),
        shape(deposit, "market::supply", format!("{credited} tx tx execute {PASS} Supply finalize_token_deposit")),
        shape(withdrawal, "", format!("{paid} message {bank} {burn} initiate_token_withdrawal")),
        shape(
            ARRIVAL,
            "market::supply_for",
            format!("{receive} denomination_trace {mint} {bank} fungible_token_packet execute {PASS} Supply {answer}"),
        ),
        shape(
            ARRIVAL,
            "initia_nft::create_collection initia_nft::mint",
            format!("{receive} class_trace execute Create CreateCollection {arrived} {answer}"),
        ),
        shape(ARRIVAL, "initia_nft::mint", format!("{receive} class_trace {arrived} {answer}")),
    ]);
    shapes
}

/// An event's kind, or the last part of a Move event's type.
fn name(event: &TxEvent) -> &str {
    if event.kind != "move" {
        return &event.kind;
    }
    let tag = event.attributes[0].value.as_str();
    tag.rsplit("::").next().expect("a type has parts").trim_end_matches("Event")
}

/// The functions that a transaction runs besides those of the bank.
fn runs(tx: &CommittedTx) -> String {
    let executed = tx.events.iter().filter(|event| event.kind == "execute");
    let names = executed.map(|event| format!("{}::{}", event.attributes[2].value, event.attributes[3].value));
    names.filter(|name| !name.contains("::sudo_")).collect::<Vec<_>>().join(" ")
}

/// Whether a transaction has what its kind usually has not: a store that is made, a fee somebody else pays, several
/// modules, an NFT for its maker, a deposit that failed or had been done before.
fn is_special(tx: &CommittedTx) -> bool {
    let names: Vec<&str> = tx.events.iter().map(name).collect();
    let has = |name: &str| names.contains(&name);
    let published = names.iter().filter(|name| **name == "ModulePublished").count();
    let failed = tx.events.iter().any(|event| event.values("success").any(|text| text == "false"));
    let repeated =
        tx.message_types.iter().any(|kind| kind.as_str().ends_with("Deposit")) && !has("finalize_token_deposit");
    let kept = has("Create") && !has("Transfer");
    has("PrimaryStoreCreated") || has("use_feegrant") || published > 1 || failed || repeated || kept
}

/// Successful transactions of a known shape have their events in the known order, and every shape occurs.
pub(super) fn compare(txs: &[&CommittedTx]) {
    for shape in shapes() {
        let mut count = 0;
        for tx in txs.iter().filter(|tx| tx.code == 0 && !is_special(tx)) {
            let types: Vec<&str> = tx.message_types.iter().map(MsgType::as_str).collect();
            if types != shape.messages || runs(tx) != shape.runs {
                continue;
            }
            let names: Vec<&str> = tx.events.iter().map(name).collect();
            let names = names.join(" ");
            assert_eq!(names, shape.events, "events of {}", tx.hash);
            count += 1;
        }
        assert!(count > 0, "no transaction of the shape {}", shape.events);
    }
}

/// A store is made as an object, for its owner, right before the first coins come to it.
pub(super) fn check_stores(tx: &CommittedTx) {
    let names: Vec<&str> = tx.events.iter().map(name).collect();
    for place in (0..names.len()).filter(|place| names[*place] == "PrimaryStoreCreated") {
        assert_eq!((names[place - 1], names[place + 1]), ("Create", "Deposit"), "{}", tx.hash);
    }
}

/// The keys of an event, without those of its place.
fn keys(event: &TxEvent) -> String {
    let own = event.pairs().map(|(key, _)| key).filter(|key| !key.ends_with("msg_index"));
    own.collect::<Vec<_>>().join(" ")
}

/// Every event has the keys of real ones, and so has the data of the standard library's.
pub(super) fn check_keys(tx: &CommittedTx) {
    for event in &tx.events {
        match &*event.kind {
            "execute" => assert_eq!(keys(event), "sender module_addr module_name function_name", "{}", tx.hash),
            "script" => assert_eq!(keys(event), "sender", "{}", tx.hash),
            "move" => check_data(event, tx),
            _ => {}
        }
    }
}

fn check_data(event: &TxEvent, tx: &CommittedTx) {
    assert!(keys(event).starts_with("type_tag data"), "{}", tx.hash);
    let (tag, text) = (event.attributes[0].value.as_str(), event.attributes[1].value.as_str());
    let data: Value = serde_json::from_str(text).expect("data is JSON");
    let known = TYPE_TAGS.iter().find(|(known, _)| *known == tag);
    assert!(known.is_some() || !tag.starts_with("0x1::"), "{tag} in {}", tx.hash);
    if let Some((_, fields)) = known {
        let mut place = 0;
        for field in fields.split(' ') {
            assert!(!data[field].is_null(), "{tag} without {field} in {}", tx.hash);
            let at = text.find(&format!("\"{field}\":")).expect("the field is there");
            assert!(at > place || place == 0, "{tag}: {field} is not in its place");
            place = at;
        }
        assert_eq!(data.as_object().map(serde_json::Map::len), Some(fields.split(' ').count()), "{tag}");
    }
}

/// Every event of the standard library occurs.
pub(super) fn expect_tags<'a>(txs: impl Iterator<Item = &'a CommittedTx>, tags: &[(&str, &str)]) {
    let moves = txs.flat_map(|tx| &tx.events).filter(|event| event.kind == "move");
    let seen: BTreeSet<&str> = moves.map(|event| event.attributes[0].value.as_str()).collect();
    let missing: Vec<_> = tags.iter().filter(|(tag, _)| !seen.contains(tag)).collect();
    assert!(missing.is_empty(), "these events never came: {missing:?}");
}
