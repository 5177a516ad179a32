//! Tests of panes, keys and messages.

use std::time::Duration;

use super::{Bench, Txs};
use crate::{
    app::{Event, modal::Modal, page::Destination, prompt::Prompt},
    domain::{Height, classify},
    msg::{Answer, Lane, PageNeed, Report, Slot, Ticket},
    pages::{tx::TxPage, txs::TxsPage},
    widgets::layout::{Pane, Regions},
    wire::{ApiError, ErrorKind, Step},
};

const WIDE: (u16, u16) = (160, 40);

pub(super) fn offline() -> ApiError {
    let kind = ErrorKind::Offline { step: Step::Connect, detail: "refused".to_owned() };
    ApiError { kind, url: "http://host/".into(), body: None }
}

fn wide_txs(count: usize) -> Bench {
    let mut bench = Bench::new(WIDE);
    bench.keys("3");
    bench.serve_txs(&Txs::of(count));
    bench
}

fn focus(bench: &Bench) -> Pane {
    bench.page::<TxsPage>().focus
}

#[test]
fn the_list_has_the_focus_where_its_preview_has_no_room() {
    let mut bench = wide_txs(300);
    bench.keys("tab");
    assert_eq!(focus(&bench), Pane::Second);
    bench.send(Event::Resize(80, 24));
    assert_eq!(focus(&bench), Pane::First);
    bench.keys("f");
    assert!(matches!(bench.app.modal, Some(Modal::Prompt(Prompt::Types(_)))));
}

#[test]
fn a_preview_that_is_read_does_not_change_under_the_reader() {
    let mut bench = wide_txs(300);
    bench.keys("tab");
    bench.grow(1);
    bench.serve_txs(&Txs::of(305));
    assert_eq!(bench.txs().cursor(), 5);
    assert_eq!(bench.txs().unseen(), 5);
    bench.keys("g g esc g g");
    bench.grow(2);
    bench.serve_txs(&Txs::of(309));
    assert_eq!((bench.txs().cursor(), bench.txs().unseen()), (0, 0), "back in the list it follows again");
}

#[test]
fn escape_takes_the_filter_back_then_the_focus_and_then_leaves() {
    let mut bench = wide_txs(300);
    bench.keys("tab f s enter");
    let filter = |bench: &Bench| bench.app.navigation.current().document().map(|document| document.filter().to_owned());
    assert_eq!(filter(&bench).as_deref(), Some("s"));
    bench.keys("esc");
    assert_eq!(filter(&bench).as_deref(), Some(""));
    bench.keys("esc");
    assert_eq!(focus(&bench), Pane::First);
}

#[test]
fn a_sequence_that_breaks_off_in_help_does_not_swallow_the_key() {
    let mut bench = Bench::new(WIDE);
    bench.keys("? g");
    assert!(!bench.app.pending_keys.is_empty());
    bench.keys("esc");
    assert!(bench.app.modal.is_none());
    assert!(bench.app.pending_keys.is_empty());
}

#[test]
fn no_warning_is_lost_to_a_key() {
    let mut bench = Bench::with_warnings(WIDE, vec!["first".to_owned(), "second".to_owned()]);
    let said = |bench: &Bench| bench.app.toasts.shown().map(|toast| toast.text.clone());
    assert_eq!(said(&bench).as_deref(), Some("first"));
    bench.keys("j");
    assert_eq!(said(&bench).as_deref(), Some("second"));
    bench.keys("j");
    assert_eq!(said(&bench), None);
}

#[test]
fn what_failed_stays_on_screen_while_it_is_asked_for_again() {
    let mut bench = Bench::new(WIDE);
    let (ticket, _) = bench.take(|slot| *slot == Slot::Status).expect("a status");
    bench.reply(ticket, Err(offline()));
    bench.wait(2);
    assert!(bench.take(|slot| *slot == Slot::Status).is_some());
    assert!(bench.app.context.chain.status.error().is_some());
}

#[test]
fn of_two_readings_that_both_exist_the_chosen_one_opens() {
    let text = "0123456789ABCDEF".repeat(4);
    assert_eq!(classify(&text).expect("readable").len(), 4);
    let mut bench = Bench::new(WIDE);
    bench.send(Event::Paste(text));
    bench.keys("enter");
    let chain = Txs::of(1);
    let (tx, _) = bench.take(|slot| *slot == Slot::GoTo(Lane(0))).expect("asked as a transaction");
    let (account, request) = bench.take(|slot| *slot == Slot::GoTo(Lane(2))).expect("asked as an account");
    bench.reply(tx, Ok(Answer::Tx(std::sync::Arc::new(chain.tx(0)))));
    bench.reply(account, Ok(chain.answer(&request)));
    for place in [1, 3] {
        let (ticket, _) = bench.take(|slot| *slot == Slot::GoTo(Lane(place))).expect("asked as everything else");
        let absent = ApiError { kind: ErrorKind::NotFound(String::new().into()), ..offline() };
        bench.reply(ticket, Err(absent));
    }
    assert!(bench.app.modal.is_some(), "both exist: neither opens by itself");
    bench.keys("enter");
    assert!(bench.app.modal.is_none());
    assert!(bench.app.navigation.current().as_page::<TxPage>().is_some());
}

#[test]
fn an_awaited_block_is_asked_for_with_its_rows_when_the_index_comes_to_it() {
    let mut bench = Bench::new(WIDE);
    bench.open(Destination::Block(Height::new(2).expect("a height"), None));
    let (ticket, _) = bench.take(|slot| matches!(slot, Slot::Page(_, PageNeed::Record))).expect("the block");
    let absent = ApiError { kind: ErrorKind::NotFound(String::new().into()), ..offline() };
    bench.reply(ticket, Err(absent));
    bench.serve_txs(&Txs::of(0));
    let (ticket, _) = bench.take(|slot| *slot == Slot::Status).expect("a status");
    bench.reply(ticket, Ok(Answer::Status(Box::new(super::status(2)))));
    assert!(bench.take(|slot| matches!(slot, Slot::Page(_, PageNeed::Record))).is_some());
    bench.serve_txs(&Txs::of(3));
    assert_eq!(bench.held(), [2, 1, 0]);
}

#[test]
fn frozen_wakes_nothing() {
    let mut bench = wide_txs(300);
    bench.keys("space");
    for slot in [Slot::Status, Slot::AvgBlockTime, Slot::OldestBlock] {
        if let Some((ticket, _)) = bench.take(|open| *open == slot) {
            bench.reply(ticket, Err(offline()));
        }
    }
    bench.serve_txs(&Txs::of(300));
    bench.wait(30);
    assert_eq!(bench.app.next_tick(bench.now), None);
}

#[test]
fn a_try_that_failed_says_when_the_next_one_comes_and_until_the_answer_only() {
    let mut bench = Bench::new(WIDE);
    bench.keys("3");
    let (ticket, _) = bench.take_newest().unwrap();
    assert_eq!(next_try(&bench), None);
    let wait = Duration::from_secs(2);
    bench.send(Event::Report(Report::Retrying { ticket: ticket.clone(), attempt: 1, wait, error: offline() }));
    assert_eq!(next_try(&bench), Some((2, wait)));
    let late = Ticket { generation: ticket.generation - 1, ..ticket.clone() };
    bench.send(Event::Report(Report::Retrying { ticket: late, attempt: 7, wait, error: offline() }));
    assert_eq!(next_try(&bench), Some((2, wait)), "a late one changes nothing");
    bench.reply(ticket, Err(offline()));
    assert_eq!(next_try(&bench), None);
}

/// Returns the number and the delay of the next retry that the screen shows.
fn next_try(bench: &Bench) -> Option<(u32, Duration)> {
    bench.app.drawing(&Regions::new((80, 24))).next_try
}
