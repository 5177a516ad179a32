//! The page where a route is made ready, with the embedded router and its demo wallet.

use std::time::Duration;

use rollscope::msg::{Instruction, Request};
use rstest::rstest;

use super::{Mode, on_chain};
use crate::harness::Explorer;

/// The page of a deposit of INIT as an ERC-20, which needs a signed hook.
fn deposit(columns: u16, rows: u16) -> Explorer {
    let explorer = on_chain(Mode::Specified, 40).size(columns, rows).start();
    // The form waits a moment for what else may be typed.
    explorer.press("6").wait_for("l2/").press("g g j l enter").type_text("evm/5f2C").press("enter");
    explorer.advance(Duration::from_millis(400)).press("tab enter").settle();
    explorer
}

#[test]
fn the_demo_wallet_signs_hook_and_messages_and_the_transfer_begins() {
    let explorer = deposit(120, 50);
    explorer.wait_for("✓ Addresses").wait_for("toLocal(address,string,uint8)").wait_for("needs the signed hook");
    explorer.press("S").wait_for("Transfer ").wait_for("wait; no step is due");
    explorer.press("H").wait_for("┌ Sent ").press("G").wait_for("✓ Sent").press("S").wait_for("already sent");
    explorer.press("G enter").wait_for("Hops");
    explorer.quit();
}

#[test]
fn the_hook_alone_is_signed_and_the_messages_can_be_taken_away() {
    let explorer = deposit(120, 50);
    explorer.click("sign with the demo wallet").press("enter").wait_for("✓ Hook       signed by init1");
    explorer.wait_for("MsgInitiateTokenDeposit").wait_for("tx 1 on Initia");
    explorer.press("g g e enter").settle();
    let (name, contents) = explorer.written().pop().expect("a file was written");
    assert_eq!(name, "msgs-interwoven-1-rollscope-evm-1.json");
    assert!(contents.contains("\"txs\"") && contents.contains("MsgInitiateTokenDeposit"), "{contents}");
    let written = explorer.written();
    let file = |ending: &str| {
        let found = written.iter().find(|(name, _)| name.ends_with(ending));
        found.map(|(_, contents)| contents.as_str()).expect("it was written too")
    };
    let tx: serde_json::Value = serde_json::from_str(file("-tx-1.unsigned.json")).expect("JSON");
    let message = &tx["body"]["messages"][0];
    assert_eq!(message["@type"], "/opinit.ophost.v1.MsgInitiateTokenDeposit");
    let howto = file("-HOWTO.txt");
    let me = message["to"].as_str().expect("a receiver");
    assert!(howto.contains(&format!("{me} deposits ")), "{howto}");
    assert!(howto.contains(&format!(" INIT for {me} over bridge ")), "{howto}");
    assert!(howto.contains(", with the hook that you signed.") && !howto.contains("NOT CHECKED"), "{howto}");
    assert!(howto.contains("initiad tx sign interwoven-1-rollscope-evm-1-"), "{howto}");
    explorer.press("y c");
    let curl = explorer.copied().pop().expect("a command was copied");
    assert!(curl.contains("/v2/fungible/msgs") && curl.contains("\"signed_op_hook\":{"), "{curl}");
    explorer.press("y s");
    assert!(explorer.copied().pop().expect("what is signed").contains("/opinit.ophost.v1.MsgInitiateTokenDeposit"));
    explorer.press("J").wait_for("the messages as JSON").wait_for("\"cosmos_tx\": {");
    explorer.press("J").wait_for("✓ Messages");
    explorer.quit();
}

#[test]
fn the_hook_is_told_in_words_and_written_for_the_chains_own_command_line() {
    let explorer = deposit(160, 50);
    explorer
        .wait_for("may take 100,000,000 of the token 0x")
        .wait_for("converts 100 “INIT” (by the router's units; exactly 100,000,000")
        .wait_for("into its other form");
    explorer.click("sign with the demo wallet").press("e enter").settle();
    let written = explorer.written();
    let names: Vec<&str> = written.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    assert!(names[0].ends_with("-hook.unsigned.json") && names[1].ends_with("-hook.HOWTO.txt"), "{names:?}");
    assert!(
        names[2].ends_with("-hook.signdoc.json") && written[2].1.contains("\"sequence\":\"SEQUENCE\""),
        "{names:?}"
    );
    let tx: serde_json::Value = serde_json::from_str(&written[0].1).expect("JSON");
    assert_eq!(tx["auth_info"]["fee"]["gas_limit"], "1");
    let messages = tx["body"]["messages"].as_array().cloned().unwrap_or_default();
    let allowed = messages[0]["input"].as_str().unwrap_or_default();
    assert!(messages.len() == 2 && allowed.ends_with(&format!("{:064x}", 100_000_000)), "{messages:?}");
    assert!(written[1].1.contains("minitiad tx encode"), "{}", written[1].1);
    explorer.quit();
}

#[test]
fn addresses_are_checked_and_a_foreign_signer_is_not_signed_for() {
    let explorer = deposit(120, 50);
    explorer.press("g g").click("signs  ").press("enter").wait_for("Your signing address on Initia");
    explorer.press("ctrl-u").type_text("noble10jr5un2e6jnpyaqqhzsq9j4luu0l4rg5s3qutv").press("enter");
    explorer.wait_for("address is for another chain");
    explorer.press("ctrl-u").type_text("0x294fac7d33ac5250dba7f3f233766637ac18ff68").press("enter").settle();
    explorer.wait_for("= 0x294fA");
    explorer.press("S").wait_for("the demo wallet signs only for its own address");
    explorer.quit();
}

#[test]
fn an_old_quote_is_asked_for_again_before_it_is_sent() {
    let explorer = deposit(120, 50);
    let is_route = |command: &Instruction| matches!(command, Instruction::Fetch(_, Request::Route(_)));
    let before = explorer.commands().iter().filter(|command| is_route(command)).count();
    explorer.advance(Duration::from_secs(30)).wait_for("30 s old");
    explorer.press("S").wait_for("Transfer ");
    let after = explorer.commands().iter().filter(|command| is_route(command)).count();
    assert!(after > before, "{before} quotes before, {after} after");
    explorer.quit();
}

#[rstest]
fn screens(#[values((80, 24), (200, 50), (50, 14))] (columns, rows): (u16, u16)) {
    let explorer = deposit(columns, rows);
    insta::assert_snapshot!(format!("prepare_{columns}x{rows}"), explorer.screen());
    explorer.press("G");
    insta::assert_snapshot!(format!("prepare_end_{columns}x{rows}"), explorer.screen());
    explorer.quit();
}
