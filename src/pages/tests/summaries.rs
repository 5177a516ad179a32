//! Tests of summaries, which the client builds only for visible rows.

use std::{sync::Arc, time::Duration};

use super::{Bench, Txs};
use crate::{
    app::{
        Effect, Event,
        navigation::Navigation,
        page::{Destination, Tab},
    },
    domain::{Address, Height},
    msg::{Answer, ListPage, Request, Slot, Total},
    pages::{account::AccountPage, overview::OverviewPage, txs::TxsPage},
    panes::rows::TxRow,
    widgets::list::ListWindow,
    wire::Tx,
};

const NORMAL: (u16, u16) = (100, 30);
const NONE: [usize; 0] = [];

fn txs_tab(size: (u16, u16), count: usize) -> Bench {
    let mut bench = Bench::new(size);
    bench.keys("3");
    bench.serve_txs(&Txs::of(count));
    bench
}

/// Returns the indices of rows with a summary.
fn summarized(list: &ListWindow<TxRow>) -> Vec<usize> {
    let rows = list.rows().iter().enumerate();
    rows.filter(|(_, row)| row.words().is_some()).map(|(place, _)| place).collect()
}

fn visible(list: &ListWindow<TxRow>) -> Vec<usize> {
    let (first, rows) = list.visible();
    (first..first + rows.count()).collect()
}

/// Returns a row's summary and its memory address, which shows whether the client rebuilt it.
fn words_of(bench: &Bench, place: usize) -> (String, *const u8) {
    let text = &bench.txs().rows().iter().nth(place).expect("a row").words().expect("words").text;
    (text.clone(), text.as_ptr())
}

/// Returns a transaction that sends coins and has `events` bytes of events.
fn sending(number: usize, events: usize) -> Tx {
    let event = format!(r#"{{"type":"x","attributes":[{{"key":"k","value":"{}"}}]}}"#, "v".repeat(events));
    let (from, to) = (address(1).bech32(), address(2).bech32());
    let text = format!(
        r#"{{"txhash":"{number:064X}","height":"5","code":0,"timestamp":"2026-01-31T12:00:00Z","events":[{event}],
        "tx":{{"body":{{"messages":[{{"@type":"/cosmos.bank.v1beta1.MsgSend","from_address":"{from}",
        "to_address":"{to}","amount":[{{"denom":"uinit","amount":"7"}}]}}]}}}}}}"#
    );
    serde_json::from_str(&text).expect("a transaction")
}

fn address(number: u8) -> Address {
    Address::from_bytes(&[number; 20]).expect("an address")
}

fn page_of(txs: impl Iterator<Item = Tx>) -> Answer {
    Answer::Txs(ListPage { items: txs.map(Arc::new).collect(), next: None, total: Total::Unknown, notes: Vec::new() })
}

/// Answers the open request for the newest transactions of the current view.
fn serve_newest(bench: &mut Bench, answer: &Answer) {
    let current = bench.app.navigation.current_id();
    let place = bench.asked.iter().position(|(ticket, request)| {
        let is_here = matches!(&ticket.slot, Slot::List(of, wanted) if *of == current && !wanted.is_further());
        is_here && matches!(request, Request::Txs(..))
    });
    let (ticket, _) = bench.asked.remove(place.expect("transactions are asked for"));
    bench.reply(ticket, Ok(answer.clone()));
}

#[test]
fn only_rows_on_screen_are_put_into_words() {
    let mut bench = txs_tab(NORMAL, 400);
    assert_eq!(summarized(bench.txs()), visible(bench.txs()), "of {} rows", bench.held().len());
    let (mut seen, before) = (visible(bench.txs()), words_of(&bench, 0));
    for key in ["n", "n", "j", "G", "k", "p"] {
        bench.keys(key);
        bench.serve_txs(&Txs::of(400));
        seen.extend(visible(bench.txs()));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(summarized(bench.txs()), seen, "after {key}");
    }
    assert_eq!(words_of(&bench, 0), before, "words that were made stay");
}

#[test]
fn a_followed_list_tells_what_arrives() {
    let mut bench = txs_tab(NORMAL, 40);
    bench.grow(1);
    bench.serve_txs(&Txs::of(43));
    assert_eq!(bench.held()[0], 42);
    assert!(visible(bench.txs()).iter().all(|place| bench.txs().rows().iter().nth(*place).unwrap().words().is_some()));
    // Rows that arrive above a view that stands still are invisible.
    bench.keys("j");
    bench.grow(2);
    bench.serve_txs(&Txs::of(49));
    assert_eq!(bench.held()[0], 48);
    assert_eq!(summarized(bench.txs())[0], bench.txs().visible().0);
}

#[test]
fn nothing_is_put_into_words_where_no_room_is_for_them() {
    let mut bench = txs_tab((50, 20), 40);
    assert_eq!(summarized(bench.txs()), NONE);
    bench.send(Event::Resize(80, 24));
    assert_eq!(summarized(bench.txs()), visible(bench.txs()));
    // A small overview shows only the focused list.
    let mut bench = Bench::new((58, 20));
    serve_newest(&mut bench, &page_of((0..30).map(|number| sending(number, 1))));
    let list_of = |bench: &Bench| summarized(&bench.page::<OverviewPage>().txs);
    assert_eq!(list_of(&bench), NONE);
    bench.keys("tab");
    assert!(!list_of(&bench).is_empty());
    // The JSON of a block hides its transactions.
    let mut bench = Bench::new(NORMAL);
    bench.open(Destination::Block(Height::new(5).expect("a height"), None));
    bench.keys("J");
    serve_newest(&mut bench, &page_of((0..30).map(|number| sending(number, 1))));
    assert_eq!(summarized(bench.txs()), NONE);
    bench.keys("J");
    assert_eq!(summarized(bench.txs()), visible(bench.txs()));
}

#[test]
fn addresses_in_the_other_form_make_the_words_anew() {
    let mut bench = Bench::new(NORMAL);
    bench.keys("3");
    serve_newest(&mut bench, &page_of((0..60).map(|number| sending(number, 1))));
    let before = words_of(&bench, 0);
    assert!(before.0.contains("init1"), "{before:?}");
    let count = summarized(bench.txs()).len();
    bench.keys("x");
    assert!(words_of(&bench, 0).0.contains("0x"), "{:?}", words_of(&bench, 0));
    assert_eq!(summarized(bench.txs()).len(), count);
    bench.keys("x");
    assert_eq!(words_of(&bench, 0).0, before.0);
}

#[test]
fn a_covered_list_gives_its_words_back() {
    let mut bench = txs_tab(NORMAL, 400);
    bench.keys("n n enter");
    let id = Navigation::root(Tab::Txs);
    let page = bench.app.navigation.page(id).expect("the tab");
    assert_eq!(summarized(&page.as_page::<TxsPage>().expect("transactions").txs.list), NONE);
    bench.keys("esc");
    assert_eq!(summarized(bench.txs()), visible(bench.txs()));
}

#[test]
fn many_rows_and_large_records_are_put_into_words_in_several_steps() {
    for (size, events, least) in [((100, 250), 1, 100), ((100, 40), 300_000, 4)] {
        let mut bench = Bench::new(size);
        bench.keys("3");
        serve_newest(&mut bench, &page_of((0..300).map(|number| sending(number, events))));
        let mut count = summarized(bench.txs()).len();
        assert_eq!((count, visible(bench.txs()).len() > count), (least, true), "{size:?}");
        let mut steps = 0;
        while bench.app.next_tick(bench.now) == Some(Duration::from_millis(1)) {
            let effects = bench.app.update(Event::Tick, bench.now);
            assert!(effects.contains(&Effect::Redraw) && summarized(bench.txs()).len() > count);
            count = summarized(bench.txs()).len();
            steps += 1;
            assert!(steps < 50, "it never ends");
        }
        assert_eq!(summarized(bench.txs()), visible(bench.txs()));
        assert!(steps > 0);
    }
}

#[test]
fn a_frozen_screen_is_not_drawn_again_for_its_words() {
    let mut bench = txs_tab(NORMAL, 400);
    bench.keys("space");
    for event in [Event::Tick, Event::Focus(true)] {
        assert!(!bench.app.update(event, bench.now).contains(&Effect::Redraw));
    }
    assert_eq!(bench.app.next_tick(bench.now), None);
    // Answers for invisible rows build no summary.
    assert_eq!(summarized(bench.txs()), visible(bench.txs()));
}

#[test]
fn an_account_of_either_form_says_what_it_gained_and_lost() {
    for bytes in [&[1_u8; 20][..], &[1; 32]] {
        let address = Address::from_bytes(bytes).expect("an address");
        let mut bench = Bench::new(NORMAL);
        bench.open(Destination::Account(address));
        serve_newest(&mut bench, &page_of((0..60).map(|number| sending(number, 1))));
        let list = &bench.page::<AccountPage>().txs.list;
        assert_eq!(summarized(list), visible(list));
        let words = list.rows().iter().next().unwrap().words().expect("words");
        assert!(!words.text.contains("sent"), "the effect, not the sentence: {words:?}");
    }
}
