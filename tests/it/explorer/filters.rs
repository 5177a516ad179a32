//! Lists of transactions that are narrowed.

use rollscope::{
    domain::{Address, MsgType},
    msg::{Instruction, Request, TxQuery, TxScope},
    wire::Tx,
};
use rstest::rstest;
use serde_json::Value;

use super::{Mode, all_txs, explore, hashes, on_chain, short, walk};
use crate::harness::Explorer;

const SEND: &str = "cosmos.bank.v1beta1.MsgSend";

fn all(explorer: &Explorer) -> Vec<Tx> {
    all_txs(explorer, &TxQuery::default())
}

fn holds(tx: &Tx, kind: &str) -> bool {
    tx.message_types().iter().any(|known| known.as_str() == kind)
}

/// The account that signed most of these.
pub(super) fn busiest(txs: &[Tx]) -> Address {
    let signers: Vec<Address> = txs.iter().filter_map(|tx| rollscope::story::decode(tx).signer).collect();
    let count = |who: &Address| signers.iter().filter(|signer| *signer == who).count();
    signers.iter().copied().max_by_key(|who| (count(who), *who)).expect("somebody signed")
}

fn account(explorer: &Explorer, address: Address, signer_only: bool) -> Vec<Tx> {
    all_txs(explorer, &TxQuery { scope: TxScope::Account { address, signer_only }, msgs: Vec::new() })
}

#[rstest]
fn the_server_filters_by_a_type_that_was_picked(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 120);
    let expected = short(all(&explorer).iter().filter(|tx| holds(tx, SEND)));
    explorer.press("3 f").wait_for("Message types").type_text("xyzzy").wait_for("type a full name");
    explorer
        .keys("ctrl-u")
        .type_text("banksend")
        .wait_for(&format!("[ ] {SEND}"))
        .keys("ctrl-u")
        .type_text("v1beta1.msgsend")
        .wait_for(&format!("[ ] {SEND}"))
        .press("enter");
    explorer.wait_for("Txs · MsgSend").wait_gone("rollscope filters").wait_gone("server ignored");
    assert_eq!(walk(&explorer, "n", hashes), expected);
    let asked = explorer.commands().into_iter().any(
        |command| matches!(command, Instruction::Fetch(_, Request::Txs(query, _)) if query.msgs == [MsgType::new(SEND)]),
    );
    assert!(asked);
    explorer.press("esc").wait_for("Txs · all");
    assert_eq!(hashes(&explorer)[0], all(&explorer)[0].txhash.short());
}

#[rstest]
fn several_types_are_marked_and_taken_back(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 120);
    let kinds = [SEND, "minievm.evm.v1.MsgCreate"];
    let expected = short(all(&explorer).iter().filter(|tx| kinds.iter().any(|kind| holds(tx, kind))));
    explorer.press("3 f").type_text("MsgSend").press("space ctrl-u").type_text("evm.v1.MsgCreate");
    explorer.press("space ctrl-u enter").wait_for("Txs · MsgSend +1 types");
    assert_eq!(walk(&explorer, "n", hashes), expected);
    explorer.press("f").wait_for(&format!("[x] {SEND}")).press("space j");
    explorer.press("esc").wait_gone("Message types").wait_for("+1 types");
}

#[rstest]
fn an_unknown_type_matches_nothing_and_says_what_was_scanned(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 120);
    let count = all(&explorer).len();
    assert!(count > 200, "several pages, not {count}");
    explorer.press("3 f").type_text("nobody.v1.MsgNothing").press("enter");
    explorer.wait_for("no match for the filter");
    assert_eq!(hashes(&explorer), Vec::<String>::new());
    if mode == Mode::Quirks {
        explorer.wait_for(&format!("server ignored the filter; rollscope scanned {count}"));
    }
    let further_pages = || {
        let commands = explorer.commands();
        commands
            .iter()
            .filter(|command| matches!(command, Instruction::Fetch(_, request) if request.is_further()))
            .count()
    };
    let before = further_pages();
    explorer.step(2).step(2).wait_for("no match for the filter");
    assert_eq!(further_pages(), before, "new blocks must not begin the search through the whole chain again");
}

#[rstest]
fn an_account_with_a_type_is_filtered_wherever_it_can_be(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = on_chain(mode, 120).size(120, 40).start();
    let who = busiest(&all(&explorer));
    let of_account = account(&explorer, who, false);
    let kind = of_account[0].message_types()[0].clone();
    let expected = short(of_account.iter().filter(|tx| holds(tx, kind.as_str())));
    explorer.press("/").paste(&who.bech32()).press("enter");
    assert_eq!(walk(&explorer, "n", hashes), short(&of_account));
    explorer.press("g g f").type_text(kind.as_str()).press("enter").wait_for(kind.short());
    assert_eq!(walk(&explorer, "n", hashes), expected);
    if mode == Mode::Quirks {
        explorer.wait_for(&format!("rollscope filters, {} scanned", of_account.len()));
    } else {
        explorer.wait_gone("scanned");
    }
}

#[rstest]
fn signer_only_leaves_what_an_account_signed(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 120);
    let who = busiest(&all(&explorer));
    let (touched, signed) = (account(&explorer, who, false), account(&explorer, who, true));
    explorer.press("3 s").wait_for("this filter needs an account's transactions");
    explorer.press("/").paste(&who.hex()).press("enter s").wait_for("signer only");
    assert_eq!(walk(&explorer, "n", hashes), short(&signed));
    explorer.press("s").wait_gone("· signer only");
    explorer.press("g g");
    assert_eq!(walk(&explorer, "n", hashes), short(&touched));
}

#[rstest]
fn failed_only_keeps_the_failed_ones_of_all_pages(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 120);
    // A packet timed out, was refused there or here, or a deposit failed.
    let is_partial = |tx: &Tx| {
        let events: Value = serde_json::from_str(tx.events.get()).expect("events");
        events.as_array().expect("a list").iter().any(|event| {
            let value = |key: &str| {
                let mut pairs = event["attributes"].as_array().expect("a list").iter();
                pairs.find(|pair| pair["key"] == key).and_then(|pair| pair["value"].as_str())
            };
            match event["type"].as_str().expect("a type") {
                "timeout_packet" | "hook_failed" => true,
                "fungible_token_packet" | "non_fungible_token_packet" => {
                    value("error").or(value("acknowledgement")).is_some_and(|text| !text.starts_with("result"))
                }
                // Base64 of a refusal, in the relayer's message.
                "acknowledge_packet" => tx.tx.get().contains("\"acknowledgement\":\"eyJlcnJvci"),
                // The fee middleware wraps an answer, and says whether the application refused.
                "write_acknowledgement" => value("packet_ack").is_some_and(|text| {
                    text.starts_with("{\"error") || text.contains("\"underlying_app_success\":false")
                }),
                "finalize_token_deposit" => value("success") == Some("false"),
                _ => false,
            }
        })
    };
    let txs = all(&explorer);
    let expected: Vec<Tx> = txs.iter().filter(|tx| !tx.is_success() || is_partial(tx)).cloned().collect();
    assert!(expected.iter().any(Tx::is_success) && expected.iter().any(|tx| !tx.is_success()));
    let failed = expected.iter().filter(|tx| !tx.is_success()).count();
    let partly = expected.len() - failed;
    let partial = expected.iter().find(|tx| tx.is_success()).expect("one of them").txhash.to_string();
    let whole = txs.iter().find(|tx| tx.is_success() && !is_partial(tx)).expect("most are").txhash.to_string();
    let expected = short(&expected);
    explorer.press("3 F").wait_for("failed only: ").wait_for(" failed, ").wait_for(" partly").wait_for(" scanned");
    assert_eq!(walk(&explorer, "n", hashes), expected);
    explorer.wait_for(&format!("failed only: {failed} failed, {partly} partly"));
    explorer.press("esc").wait_for("Txs · all").press("F F").wait_for("Txs · all");
    // Pages say it as lists do.
    explorer.paste(&format!("{partial}\n{whole}")).press("enter").wait_for("! partly").wait_for("✓ success");
    explorer.press("3").paste(&partial).press("enter").wait_for("! Tx ").wait_for("! success, but a ").press("m");
    explorer.press("3").paste(&whole).press("enter").wait_for("✓ Tx ").press("=").wait_for("Compare ");
    explorer.wait_for("! success, but a ").wait_for("✓ success");
}
