//! The explorer on the recorded answers of the real indexer.

use std::{collections::HashMap, time::Duration};

use super::{
    hashes, heights,
    scripted::{Server, path},
};
use crate::harness::replay::{Answer, recordings};

/// The recorded answers by path; of a list, whatever page is asked for, its first recorded one.
fn recorded() -> Server {
    let mut answers: HashMap<String, Answer> = HashMap::new();
    for line in recordings().filter(|line| line["status"] == 200) {
        let target = line["path"].as_str().expect("a line has a path");
        let is_plain = !target.contains("key") && !target.contains("offset") && !target.contains("reverse");
        if is_plain {
            let path = target.split('?').next().unwrap_or(target).to_owned();
            answers.entry(path).or_insert_with(|| Answer::json(line["json"].to_string()));
        }
    }
    Server::new(move |seen, _| answers.get(path(seen)).cloned().unwrap_or_else(|| Answer::text(404, "not recorded")))
}

#[test]
fn recorded_blocks_and_transactions_are_shown() {
    let server = recorded();
    let newest = "2025-11-01T00:00:12Z".parse().expect("the time of the newest block");
    let explorer = server.explorer().size(120, 40).at(newest).start();
    explorer.settle().wait_for("test-1 ● live").wait_for("height 25").wait_for("block 0.50 s");
    // Heights of the internal-transaction index and of the rich list, as recorded.
    explorer.wait_for(" 24  1 behind").wait_for(" 20  5 behind (usual)").wait_for("version    dev");
    // What the index begins with is believed when it stands still.
    explorer.advance(Duration::from_secs(2)).press("2").wait_for("— the end —");
    assert_eq!(heights(&explorer), [25, 24]);
    explorer.press("enter").wait_for("initvaloper1abc").wait_for("seq");
    explorer.press("3");
    assert_eq!(hashes(&explorer), ["0000…000C", "0000…000B"]);
    explorer.wait_for("✗         24 0000…000C ").wait_for("✓         22 0000…000B ");
}

#[test]
fn the_recorded_failure_is_told_as_the_chain_tells_it() {
    let server = recorded();
    let explorer = server.explorer().start();
    let hash = format!("{:064X}", 12);
    explorer.press("/").type_text(&hash.to_lowercase()).press("enter");
    explorer
        .wait_for(&format!("✗ Tx {hash}"))
        .wait_for(r#"failed <tag> & "q""#)
        .press("l")
        .wait_for("cosmos.bank.v1beta1.MsgSend");
    explorer.press("l").wait_for("fee 1 uinit").press("l").wait_for(r#""raw_log": "failed <tag> & \"q\"","#);
    explorer.wait_for(r#""code": 5"#);
}

#[test]
fn what_the_real_server_does_not_have_is_said_in_its_words() {
    let server = recorded();
    let explorer = server.explorer().start();
    explorer.keys("/ 9 9 9 enter").wait_for("Block 999 is 974 blocks ahead");
    explorer.press("/").type_text(&"E".repeat(63)).type_text("1").press("enter");
    explorer.wait_for("not found as a Cosmos or EVM transaction");
}
