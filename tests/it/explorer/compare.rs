//! Two transactions compared: one is marked, another is open or selected.

use rollscope::{domain::Vm, msg::TxQuery, wire::Tx};
use rstest::rstest;

use super::{Mode, all_txs, on_chain};
use crate::harness::{Explorer, chain_with};

fn explore(columns: u16, rows: u16) -> (Explorer, Vec<Tx>) {
    let explorer = on_chain(Mode::Specified, 60).size(columns, rows).start();
    explorer.settle();
    let txs = all_txs(&explorer, &TxQuery::default());
    (explorer, txs)
}

#[test]
fn a_mark_is_said_shown_and_taken_back() {
    let (explorer, txs) = explore(100, 30);
    let short = txs[2].txhash.short();
    explorer.press("3 =").wait_for("no marked transaction: press m on one, = on another");
    explorer.press("j j m").wait_for(&format!("marked {short}; = on another compares the two"));
    explorer.press("=").wait_for("this is the marked transaction: press = on another");
    explorer.press("2").wait_for(&format!("◆ {short}")).press("1 3").wait_for(&format!("◆ {short}"));
    explorer
        .press("enter")
        .wait_for(&format!("◆ ✓ Tx {}", txs[2].txhash).replace('✓', if txs[2].is_success() { "✓" } else { "✗" }));
    explorer.press("m").wait_for(&format!("unmarked {short}")).wait_gone("◆");
}

#[test]
fn the_two_are_compared_and_each_line_leads_to_its_place() {
    let (explorer, txs) = explore(160, 60);
    let (left, right) = (&txs[1], &txs[5]);
    explorer.press("3 j m j j j j =").wait_for(&format!(
        "Compare {} with {}",
        left.txhash.short(),
        right.txhash.short()
    ));
    explorer.wait_for("Transaction  ").wait_for("≠ gas used").wait_for("Events  ").wait_for("Messages  ");
    explorer.press("=").wait_for("this comparison is open; Esc goes back");
    // The second one is meant first; Tab turns to the marked one.
    explorer
        .wait_for(&format!("[{}]", right.txhash.short()))
        .press("j enter")
        .wait_for(&format!("Tx {}", right.txhash));
    explorer.wait_for("[Story]").press("esc").wait_for("Compare ");
    explorer.press("tab").wait_for(&format!("[{}]", left.txhash.short()));
    explorer.press("enter").wait_for(&format!("Tx {}", left.txhash)).press("esc").wait_for("≠ gas used");
    explorer.press("f").type_text("signature").settle().press("enter");
    explorer.press("G enter").wait_for("[Events]").wait_for("signature");
    explorer.press("esc").wait_for("Compare ");
    explorer.press("esc esc").wait_for("Txs · all").wait_for(&format!("◆ {}", left.txhash.short()));
}

#[test]
fn a_narrow_screen_has_them_one_above_the_other() {
    let (explorer, txs) = explore(80, 24);
    explorer.press("3 j m j j j j =").wait_for("Compare ").wait_for("− gas used").wait_for("+ ");
    let screen = explorer.screen();
    assert!(!screen.contains('≠'), "{screen}");
    let lines: Vec<&str> = screen.lines().collect();
    let minus = lines.iter().position(|line| line.contains("− gas used")).expect("it is there");
    assert!(lines[minus + 1].contains("+ "), "the other one's stands below: {screen}");
    explorer.resize(160, 40).wait_for("≠ gas used").resize(80, 24).wait_for("− gas used");
    // The line of the first leads to the first.
    explorer.press("g g j enter").wait_for(&format!("Tx {}", &txs[1].txhash.to_string()[..40]));
}

#[test]
fn fields_of_messages_lead_to_their_lines() {
    let (explorer, txs) = explore(160, 60);
    let sends: Vec<&Tx> = txs
        .iter()
        .filter(|tx| tx.message_types().iter().map(|kind| kind.short().to_owned()).collect::<Vec<_>>() == ["MsgSend"])
        .collect();
    assert!(sends.len() > 1, "two transfers happen");
    for (tx, keys) in [(sends[0], "m"), (sends[1], "=")] {
        explorer.press("3").paste(&tx.txhash.to_string()).press("enter").wait_for("[Story]").press(keys);
    }
    explorer.wait_for("Compare ").wait_for("≠ to_address").wait_for("≠ amount[0]");
    explorer.press("f").type_text("to_address").press("enter").press("G enter").wait_for("[Messages]");
    explorer.press("y").wait_for("value of the line").press("l");
    let to = serde_json::from_str::<serde_json::Value>(sends[1].tx.get()).expect("JSON");
    assert_eq!(explorer.copied().pop().as_deref(), to["body"]["messages"][0]["to_address"].as_str());
}

#[rstest]
fn comparisons_at_two_sizes(
    #[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm,
    #[values((80, 24), (200, 50))] (columns, rows): (u16, u16),
) {
    let explorer = Explorer::builder().size(columns, rows).rollup(chain_with(vm, 100)).start();
    explorer.settle();
    let txs = all_txs(&explorer, &TxQuery::default());
    let kind = |tx: &Tx| tx.message_types().first().map(|kind| kind.short().to_owned());
    let of = |failed: bool| {
        let sent = txs.iter().filter(|tx| kind(tx).as_deref() == Some("MsgInitiateTokenWithdrawal"));
        sent.filter(|tx| tx.is_success() != failed).map(|tx| tx.txhash.to_string()).collect::<Vec<_>>()
    };
    let done = of(false);
    for (hash, keys) in [(&done[0], "m"), (&done[1], "=")] {
        explorer.press("3").paste(hash).press("enter").wait_for("[Story]").press(keys);
    }
    explorer.wait_for("Compare ").settle();
    insta::assert_snapshot!(format!("compare_{vm}_{columns}x{rows}"), explorer.screen());
    explorer.quit();
}
