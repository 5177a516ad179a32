//! The messages and events of a transaction as trees, found and folded by typed keys.

use rollscope::{
    domain::{Vm, text::group},
    msg::TxQuery,
    story::EventPhase,
    wire::Tx,
};
use rstest::rstest;
use serde_json::Value;

use super::{all_txs, framed_lines};
use crate::harness::{Builder, Explorer, chain_with};

const BLOCKS: u64 = 120;

fn on(vm: Vm, columns: u16, rows: u16) -> Builder {
    Explorer::builder().size(columns, rows).rollup(chain_with(vm, BLOCKS))
}

/// The newest transaction whose record contains all of these texts.
fn with(explorer: &Explorer, texts: &[&str]) -> Tx {
    let has = |tx: &Tx| {
        let record = serde_json::to_string(tx).expect("JSON");
        texts.iter().all(|text| record.contains(text))
    };
    all_txs(explorer, &TxQuery::default()).into_iter().find(has).unwrap_or_else(|| panic!("{texts:?} happens"))
}

fn open(explorer: &Explorer, tx: &Tx, tab: &str) {
    explorer.settle().paste(&tx.txhash.to_string()).press("enter").wait_for("[Story]").press("l");
    for _ in 0..4 {
        if explorer.screen().contains(&format!("[{tab}]")) {
            return;
        }
        explorer.press("l");
    }
    panic!("no {tab} here:\n{}", explorer.screen());
}

#[test]
fn a_message_that_matters_is_open_and_others_are_one_line() {
    let explorer = on(Vm::Evm, 120, 60).start();
    let tx = with(&explorer, &["MsgUpdateClient", "MsgRecvPacket"]);
    open(&explorer, &tx, "Messages");
    let heads = |screen: &str| framed_lines(screen).filter(|line| line.contains(" of 2  ")).count();
    assert_eq!(heads(&explorer.screen()), 2);
    explorer.press("g g z a").wait_for("client_id").press("z a").wait_gone("client_id");
    explorer.press("z M");
    assert_eq!(framed_lines(&explorer.screen()).filter(|line| line.contains("sequence")).count(), 0);
    explorer.press("z R").wait_for("client_id").press("G z a");
    assert!(explorer.screen().contains("▸ 2 of 2") || explorer.screen().contains("▸ "), "{}", explorer.screen());
}

/// What the rollup passes on leads to the acknowledgement of both packets, and that back.
fn what_is_passed_on_is_connected(explorer: &Explorer) {
    let txs = all_txs(explorer, &TxQuery::default());
    let packets = |tx: &Tx, kind: &str| -> Vec<(String, String)> {
        let events: Value = serde_json::from_str(tx.events.get()).expect("events");
        let of_kind = events.as_array().into_iter().flatten().filter(|event| event["type"] == kind);
        let value = |event: &Value, key: &str| {
            let pair = event["attributes"].as_array().into_iter().flatten().find(|pair| pair["key"] == key)?;
            Some(pair["value"].as_str()?.to_owned())
        };
        of_kind
            .filter_map(|event| Some((value(event, "packet_sequence")?, value(event, "packet_src_channel")?)))
            .collect()
    };
    let relayed = txs.iter().rev().find_map(|tx| {
        let [received] = <[_; 1]>::try_from(packets(tx, "recv_packet")).ok()?;
        let [sent] = <[_; 1]>::try_from(packets(tx, "send_packet")).ok()?;
        Some((tx, received, sent))
    });
    let (tx, received, sent) = relayed.expect("the rollup passes a packet on");
    let answer = txs.iter().find(|tx| packets(tx, "acknowledge_packet").contains(&sent)).expect("it is acknowledged");
    assert_eq!(packets(answer, "write_acknowledgement"), std::slice::from_ref(&received), "with what it carries");
    explorer.press("/").paste(&tx.txhash.to_string()).press("enter").wait_for(&format!("Tx {}", tx.txhash));
    let (here, there) = (sent.0, received.0);
    explorer.wait_for(&format!("passed on as packet #{here} sent at transfer/channel-0"));
    explorer.wait_for(&format!("carries on packet #{there} received at transfer/channel-"));
    let link = format!("↳ block {} · ", group(answer.height.get()));
    explorer.wait_for(&format!("{link}accepted there")).wait_for(&format!("{link}acknowledged here"));
    explorer.click(&link).press("enter").wait_for(&format!("✓ Tx {}", answer.txhash));
    explorer.wait_for("acknowledged here").wait_for("accepted there");
    let link = format!("↳ block {} · ", group(tx.height.get()));
    explorer.wait_for(&link).click(&link).press("enter").wait_for(&format!("✓ Tx {}", tx.txhash));
}

#[test]
fn what_a_packet_holds_is_beside_what_was_received() {
    let explorer = on(Vm::Evm, 160, 60).start();
    what_is_passed_on_is_connected(&explorer);
    let tx = with(&explorer, &["MsgRecvPacket", "\"destination_port\":\"transfer\""]);
    open(&explorer, &tx, "Messages");
    explorer.press("f").type_text("JSON in base64").press("enter").wait_for("receiver");
    // The line copies what was received, those below it what is in it.
    let line = framed_lines(&explorer.screen()).position(|line| line.contains("JSON in base64")).expect("it is there");
    explorer.press("g g");
    for _ in 1..line {
        explorer.keys("j");
    }
    explorer.press("y").wait_for("value of the line").press("l");
    let copied = explorer.copied().pop().expect("something was copied");
    assert!(serde_json::to_string(&tx).expect("JSON").contains(&copied), "exactly as received: {copied}");
    assert!(copied.starts_with("ey"), "base64 of an object: {copied}");
}

#[test]
fn calls_are_read_by_the_book_in_messages_and_events() {
    let explorer = on(Vm::Evm, 160, 60).start();
    let tx = with(&explorer, &["minievm.evm.v1.MsgCall", "\"0xa9059cbb"]);
    open(&explorer, &tx, "Messages");
    explorer.wait_for("transfer(address,uint256)").wait_for("  uint256").wait_for("  address");
    explorer.press("l").wait_for("[Events]").press("z R").wait_for("Transfer(address,address,uint256)");
    explorer.press("z M").wait_gone("Transfer(address,address,uint256)").wait_for("Before the messages");
}

#[test]
fn messages_of_contracts_open_their_json() {
    let explorer = on(Vm::Wasm, 120, 60).start();
    let tx = with(&explorer, &["MsgExecuteContract", "transfer_nft"]);
    open(&explorer, &tx, "Messages");
    explorer.wait_for("▾ msg").wait_for("▾ transfer_nft").wait_for("recipient");
}

#[test]
fn arguments_of_move_say_what_they_may_be() {
    let explorer = on(Vm::Move, 120, 60).start();
    let tx = with(&explorer, &["initia.move.v1.MsgExecute\"", "\"args\":[\""]);
    open(&explorer, &tx, "Messages");
    let screen = explorer.screen();
    let readings = ["(if a u64)", "(address or object)", "“", "bytes)", "true or 1", "false, none"];
    assert!(readings.iter().any(|reading| screen.contains(reading)), "{screen}");
}

#[rstest]
fn words_are_found_over_one_event(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let explorer = on(vm, 120, 40).start();
    let tx = with(&explorer, &["bank.v1beta1.MsgSend\"", "coin_received"]);
    open(&explorer, &tx, "Events");
    let heads =
        |screen: &str| framed_lines(screen).filter(|line| line.starts_with("  ▸ ") || line.starts_with("  ▾ ")).count();
    let decoded = rollscope::story::decode(&tx);
    let all = decoded.events.len();
    let of_messages = decoded.events.iter().filter(|event| matches!(event.phase, EventPhase::Message(_))).count();
    assert_eq!(heads(&explorer.screen()), of_messages, "each event is one line at first: {}", explorer.screen());
    let is_found = |words: &[&str]| {
        let has = |event: &rollscope::story::DecodedEvent, word: &str| {
            event.kind.contains(word)
                || event.attributes.iter().any(|(key, value)| key.contains(word) || value.contains(word))
        };
        decoded.events.iter().filter(|event| words.iter().all(|word| has(event, word))).count()
    };
    let sender = decoded.signer.expect("somebody signed").bech32();
    for words in [vec!["coin"], vec!["coin", "received"], vec!["spent", sender.as_str()], vec!["amount", "sender"]] {
        explorer.press("f").type_text(&words.join(" ")).settle();
        let count = is_found(&words);
        explorer.wait_for(&format!("{count} of {all} events"));
        assert_eq!(heads(&explorer.screen()), count, "{words:?}\n{}", explorer.screen());
        explorer.press("esc");
    }
    explorer.press("f").type_text("coin nosuchword").wait_for("no match").wait_for(&format!("0 of {all} events"));
}

#[rstest]
fn trees_at_two_sizes(
    #[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm,
    #[values((80, 24), (200, 50))] (columns, rows): (u16, u16),
) {
    let explorer = on(vm, columns, rows).start();
    let tx = with(&explorer, &["MsgUpdateClient", "MsgRecvPacket"]);
    open(&explorer, &tx, "Messages");
    insta::assert_snapshot!(format!("messages_{vm}_{columns}x{rows}"), explorer.screen());
    explorer.press("l").wait_for("[Events]");
    insta::assert_snapshot!(format!("events_{vm}_{columns}x{rows}"), explorer.screen());
    explorer.press("f").type_text("recv transfer").press("enter");
    insta::assert_snapshot!(format!("events_found_{vm}_{columns}x{rows}"), explorer.screen());
    explorer.quit();
}
