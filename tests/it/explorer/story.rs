//! The story of a transaction by typed keys: what failed, word by word to the events and back, on every machine.

use ratatui::{buffer::Buffer, style::Modifier};
use rollscope::{
    app::glossary_of,
    config::Network,
    domain::Vm,
    msg::TxQuery,
    story::{AbiRegistry, Story},
    wire::Tx,
};
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    all_txs, framed_lines,
    scripted::{Server, chain, path, tx as bare},
};
use crate::harness::{Builder, Explorer, chain_with, replay::Answer};

const BLOCKS: u64 = 120;

fn on(vm: Vm, columns: u16, rows: u16) -> Builder {
    Explorer::builder().size(columns, rows).rollup(chain_with(vm, BLOCKS))
}

fn story(tx: &Tx) -> Story {
    Story::of(tx, &glossary_of(&Network::default(), AbiRegistry::default()))
}

/// The newest transaction of which this holds.
fn newest(explorer: &Explorer, is_it: impl Fn(&Tx, &Story) -> bool) -> Tx {
    let found = all_txs(explorer, &TxQuery::default()).into_iter().find(|tx| is_it(tx, &story(tx)));
    found.expect("the chain holds one")
}

/// Go to, the hash, Enter.
fn open(explorer: &Explorer, tx: &Tx) {
    explorer.settle().keys("/").paste(&tx.txhash.to_string()).press("enter").wait_for("[Story]").settle();
}

/// The lines that are marked as the events behind a word.
fn marked(explorer: &Explorer) -> Vec<String> {
    framed_lines(&explorer.screen()).filter(|line| line.starts_with("→ ")).map(str::to_owned).collect()
}

/// The row of the cursor; names of tabs do not reach so far to the right.
fn bar(buffer: &Buffer) -> Option<u16> {
    (0..buffer.area.height).find(|row| buffer[(70, *row)].modifier.contains(Modifier::REVERSED))
}

#[rstest]
fn three_keys_lead_from_a_hash_to_why_it_failed(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let explorer = on(vm, 100, 30).start();
    let failed = newest(&explorer, |tx, _| !tx.is_success());
    let explanation = story(&failed).explanation.expect("a failure is explained");
    open(&explorer, &failed);
    let first: String = explanation.text.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
    explorer.wait_for(&format!("✗ failed: {first}")).wait_for("Nothing changed");
    let top = explorer.screen().lines().nth(4).map(str::to_owned).unwrap_or_default();
    assert!(top.contains("✗ failed: "), "it is the first line: {top}");
    explorer.wait_for(&explanation.title());
}

#[test]
fn a_word_leads_to_its_events_and_esc_back_to_it() {
    let explorer = on(Vm::Evm, 80, 40).start();
    let sent = newest(&explorer, |tx, story| {
        tx.is_success()
            && tx.message_types().iter().all(|kind| kind.short() == "MsgSend")
            && story.sentences[0].phrases.iter().any(|phrase| !phrase.events.is_empty())
    });
    let story = story(&sent);
    let phrase =
        story.sentences[0].phrases.iter().find(|phrase| !phrase.events.is_empty()).expect("a word with events");
    let kind = story.decoded.events[phrase.events[0]].kind.clone();
    open(&explorer, &sent);
    // Without a chosen word, Enter on the line takes the first one that events prove.
    explorer.press("j j enter").wait_for("[Events]").wait_for(" behind “");
    assert_eq!(marked(&explorer).len(), phrase.events.len(), "{}", explorer.screen());
    assert!(marked(&explorer)[0].contains(&kind), "{}", explorer.screen());
    explorer.press("esc").wait_for("[Story]").press("g g w").wait_for(" ↵ ");
    let chosen = explorer.screen();
    while !explorer.screen().contains(" event") {
        explorer.press("w");
    }
    let before = explorer.screen();
    explorer.press("enter").wait_for("[Events]").press("esc").wait_for("[Story]");
    assert_eq!(explorer.screen(), before, "the same word is chosen again");
    explorer.press("h h").press("l l").wait_for("[Story]");
    explorer.press("g g w");
    assert_eq!(explorer.screen().lines().next(), chosen.lines().next());
    explorer.press("B").wait_for("no link to the left of this word");
}

#[test]
fn a_cell_of_several_events_goes_from_one_to_the_next() {
    let explorer = on(Vm::Move, 80, 60).start();
    let swap = newest(&explorer, |tx, story| {
        tx.is_success() && story.changes.is_conserved && story.changes.balances.iter().any(|one| one.events.len() > 1)
    });
    open(&explorer, &swap);
    explorer.press("w");
    for _ in 0..60 {
        let screen = explorer.screen();
        if screen.contains("” ↵ ")
            && screen.contains(" events ┐")
            && ["“+", "“−"].iter().any(|sign| screen.contains(sign))
        {
            break;
        }
        explorer.press("w");
    }
    explorer.press("enter").wait_for("[Events]").wait_for(" events behind “");
    let events = marked(&explorer).len();
    assert!(events > 1, "{}", explorer.screen());
    let first = bar(&explorer.buffer());
    explorer.press("w");
    assert_ne!(bar(&explorer.buffer()), first, "the next of them");
    explorer.press("enter W W").wait_for("[Events]");
    explorer.press("esc").wait_for("[Story]").wait_for(" events ┐");
}

#[test]
fn an_account_in_the_matrix_is_opened_and_addresses_flip() {
    let explorer = on(Vm::Wasm, 80, 40).start();
    let sent = newest(&explorer, |tx, story| {
        tx.is_success() && story.changes.is_conserved && story.changes.balances.len() == 2
    });
    let signer = story(&sent).decoded.signer.expect("it is signed");
    open(&explorer, &sent);
    explorer.wait_for(&signer.short()).press("x");
    let hex = signer.checksummed();
    explorer.wait_for(&format!("{}…{}", &hex[..8], &hex[hex.len() - 6..])).wait_gone(&signer.short()).press("x");
    explorer.wait_for(&signer.short()).press("f").type_text(&signer.short()).press("enter");
    // Below the heading the first row is the signer's.
    explorer.press("G").press("esc").wait_for("[Story]");
    explorer.press("g g");
    for _ in 0..40 {
        if explorer.screen().contains("” ↵ opens") && explorer.screen().contains("“init1") {
            break;
        }
        explorer.press("w");
    }
    explorer.press("enter").wait_for("Account init1").press("esc").wait_for("[Story]").wait_for("↵ opens");
}

#[test]
fn a_move_over_a_bridge_is_tracked() {
    let explorer = on(Vm::Evm, 80, 40).start();
    let moved = newest(&explorer, |tx, story| tx.is_success() && !story.bridge.is_empty());
    open(&explorer, &moved);
    explorer.wait_for("Bridge").press("g g");
    for _ in 0..20 {
        let buffer = explorer.buffer();
        let row = bar(&buffer).expect("a cursor");
        if explorer.screen().lines().nth(usize::from(row)).is_some_and(|line| line.contains('⇄')) {
            break;
        }
        explorer.press("j");
    }
    explorer.press("enter").wait_for(&format!("Transfer {}", moved.txhash.short())).press("esc").wait_for("[Story]");
}

#[test]
fn w_goes_into_the_preview_beside_a_list() {
    let explorer = on(Vm::Evm, 160, 40).start();
    explorer.press("3").wait_for("[Story]").press("w").wait_for(" ↵ ");
    explorer.press("esc").wait_for("Txs · all");
    let explorer = on(Vm::Evm, 80, 24).start();
    explorer.press("3 w").wait_for("select words in an open transaction");
}

/// A multi-send to so many accounts, told by events; `leaves_out` drops the last one's.
fn many(count: u8, leaves_out: bool) -> Value {
    let address = |number: u8| rollscope::domain::Address::from_bytes(&[number; 20]).expect("20 bytes").bech32();
    let event = |kind: &str, key: &str, number: u8, amount: u64| {
        json!({"type": kind, "attributes": [
            {"key": key, "value": address(number)}, {"key": "amount", "value": format!("{amount}uinit")},
            {"key": "msg_index", "value": "0"}]})
    };
    let mut events = vec![event("coin_spent", "spender", 1, 10 * u64::from(count))];
    events.extend((0..count).map(|number| event("coin_received", "receiver", number + 2, 10)));
    if leaves_out {
        events.pop();
    }
    let mut record = bare(7);
    record["events"] = json!(events);
    record["tx"]["body"]["messages"] = json!([{"@type": "/cosmos.bank.v1beta1.MsgMultiSend"}]);
    record
}

fn of_one(record: Value) -> Server {
    Server::new(move |seen, _| {
        if path(seen).starts_with("/indexer/tx/v1/txs/") {
            return Answer::json(json!({"tx": record}).to_string());
        }
        chain(seen, 9)
    })
}

fn hash_of(record: &Value) -> String {
    record["txhash"].as_str().expect("a hash").to_owned()
}

#[test]
fn many_accounts_are_folded_with_their_count() {
    let record = many(29, false);
    let server = of_one(record.clone());
    let explorer = server.explorer().size(80, 50).start();
    explorer.settle().keys("/").paste(&hash_of(&record)).press("enter").wait_for("[Story]");
    explorer.wait_for("Balances").wait_for("−290").wait_for("18 accounts more");
    let rows = |explorer: &Explorer| framed_lines(&explorer.screen()).filter(|line| line.contains("+10")).count();
    assert_eq!(rows(&explorer), 11);
    explorer.press("g g");
    for _ in 0..40 {
        explorer.press("j");
        let buffer = explorer.buffer();
        let row = bar(&buffer).expect("a cursor");
        if explorer.screen().lines().nth(usize::from(row)).is_some_and(|line| line.contains("accounts more")) {
            break;
        }
    }
    explorer.press("enter");
    assert_eq!(rows(&explorer), 29, "{}", explorer.screen());
}

#[test]
fn events_that_do_not_add_up_give_no_numbers_as_the_truth() {
    let record = many(3, true);
    let server = of_one(record.clone());
    let explorer = server.explorer().size(100, 40).start();
    explorer.settle().keys("/").paste(&hash_of(&record)).press("enter").wait_for("[Story]");
    explorer.wait_for("The events are incomplete").wait_for("3 accounts, from the events");
    assert!(!explorer.screen().contains("+10"), "{}", explorer.screen());
    explorer.press("f").type_text("+10").press("enter").wait_for("+10?");
}

#[rstest]
fn stories(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm, #[values((80, 24), (200, 50))] (columns, rows): (u16, u16)) {
    let explorer = on(vm, columns, rows).start();
    let denoms = |story: &Story| {
        let mut all: Vec<_> = story.changes.balances.iter().map(|change| change.denom.as_str()).collect();
        all.dedup();
        all.len()
    };
    let success = newest(&explorer, |tx, story| tx.is_success() && story.changes.balances.len() == 2);
    let failure = newest(&explorer, |tx, _| !tx.is_success());
    let matrix = newest(&explorer, |tx, story| tx.is_success() && denoms(story) > 1);
    for (name, tx) in [("success", success), ("failure", failure), ("matrix", matrix)] {
        open(&explorer, &tx);
        insta::assert_snapshot!(format!("story_{name}_{vm}_{columns}x{rows}"), explorer.screen());
    }
    explorer.press("w w").settle();
    insta::assert_snapshot!(format!("story_word_{vm}_{columns}x{rows}"), explorer.screen());
}
