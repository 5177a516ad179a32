//! What the explorer says when there is nothing to show, and that it keeps saying it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use rollscope::{
    domain::Timestamp,
    msg::{Instruction, Request, TxQuery},
    wire::{ApiError, ErrorKind, Step},
};

use super::{Mode, all_txs, explore};
use crate::harness::Explorer;

fn refused(request: &str, detail: &str) -> ApiError {
    ApiError {
        kind: ErrorKind::Offline { step: Step::Connect, detail: detail.to_owned() },
        url: format!("http://127.0.0.1:1/{request}").into(),
        body: None,
    }
}

#[test]
fn why_there_is_no_connection_stays_on_screen_while_it_is_tried_again() {
    let tries = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&tries);
    let explorer = Explorer::builder()
        .size(100, 30)
        .at(Timestamp::EPOCH)
        .scripted(move |request| {
            counted.fetch_add(usize::from(matches!(request, Request::Status)), Ordering::SeqCst);
            Err(refused("status", "refused, for a reason that takes more than one line of this screen"))
        })
        .start();
    explorer.wait_for("No connection").wait_for("   line of this screen");
    explorer.wait_for("connect ✗").wait_gone("TLS");
    for _ in 0..20 {
        explorer.advance(Duration::from_secs(1)).settle();
        let screen = explorer.screen();
        assert!(screen.contains("No connection") && screen.contains("retrying"), "{screen}");
    }
    assert!(tries.load(Ordering::SeqCst) > 2, "it was tried again");
    explorer.quit();
}

#[test]
fn a_search_that_finds_nothing_says_how_much_it_looked_through_and_is_not_begun_again_by_polls() {
    let explorer = explore(Mode::Quirks, 150);
    explorer.press("3 f").type_text("foo.v1.MsgBar").press("enter").settle();
    let held = all_txs(&explorer, &TxQuery::default()).len();
    assert!(held > 200, "more than two pages, not {held}");
    explorer
        .wait_for(&format!("server ignored the filter; rollscope scanned {held}"))
        .wait_for("no match for the filter");
    let before = explorer.commands().len();
    explorer.step(2).settle();
    let pages =
        explorer.commands().split_off(before).into_iter().filter(
            |command| matches!(command, Instruction::Fetch(_, request @ Request::Txs(..)) if request.is_further()),
        );
    assert_eq!(pages.count(), 0, "what was looked through is not looked through again");
    explorer.quit();
}
