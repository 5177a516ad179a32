//! Tests of lists on a server that grows, filters or lags.

use std::sync::Arc;

use super::{Bench, Txs, drawn};
use crate::{
    app::page::{Destination, Page as _},
    domain::{Height, Target, Timestamp},
    msg::{ListPage, ListedRow, PageKey, PageStart, Request, Total},
    panes::rows::BlockRow,
    widgets::list::ListWindow,
};

const NORMAL: (u16, u16) = (100, 30);

fn txs_tab() -> Bench {
    let mut bench = Bench::new(NORMAL);
    bench.keys("3");
    bench
}

fn down_to(numbers: std::ops::Range<usize>) -> Vec<usize> {
    numbers.rev().collect()
}

/// Pages down from a row to the end; returns the rows that were visible.
fn paged_down(rows: u64, viewport: usize, from: usize) -> Vec<usize> {
    let block = |height: u64| {
        let record = format!(
            r#"{{"chain_id": "c", "height": "{height}", "hash": "{height:064X}", "block_time": "0", "gas_used": "0",
            "timestamp": "2026-01-31T12:00:00Z", "gas_wanted": "0", "tx_count": "0", "proposer": {{}}}}"#
        );
        BlockRow(Arc::new(serde_json::from_str(&record).unwrap()))
    };
    let mut list = ListWindow::new(1000);
    list.state.ask(Timestamp::from_nanos(0));
    let items = (1..=rows).rev().map(block).collect();
    let page = ListPage { items, next: None, total: Total::Unknown, notes: Vec::new() };
    list.take_newest(page, |_| true, Timestamp::from_nanos(0));
    list.set_viewport(viewport);
    list.move_to(from);
    let seen_now = |list: &ListWindow<BlockRow>| -> Vec<usize> {
        let (first, visible) = list.visible();
        (first..first + visible.count()).collect()
    };
    let mut seen = seen_now(&list);
    while list.page_by(1) {
        seen.extend(seen_now(&list));
        assert!(seen.len() < 5_000, "{rows} rows, {viewport} on screen, from {from}: it never ends");
    }
    assert_eq!(list.cursor() + 1, list.rows().len(), "{rows} rows, {viewport} on screen, from {from}: not at the end");
    seen.dedup();
    seen
}

#[test]
fn paging_down_shows_every_row_wherever_it_begins() {
    for (rows, viewport) in (1..=24).flat_map(|rows| (1..=7).map(move |viewport| (rows, viewport))) {
        for from in 0..usize::try_from(rows).unwrap() {
            let seen = paged_down(rows, viewport, from);
            let first = seen[0];
            let is_seen = |place: usize| seen.contains(&place);
            let missed = (first..usize::try_from(rows).unwrap()).find(|&place| !is_seen(place));
            assert_eq!(missed, None, "{rows} rows, {viewport} on screen, from {from}: {seen:?}");
        }
    }
}

#[test]
fn a_page_on_its_way_does_not_land_in_the_list_that_started_anew() {
    let mut bench = txs_tab();
    let chain = Txs::of(5000);
    bench.serve_txs(&chain);
    for _ in 0..12 {
        bench.keys("G");
        bench.serve_txs(&chain);
    }
    bench.keys("G");
    let (late, request) = bench.take_page().expect("a page below");
    bench.keys("g g");
    bench.reply(late, Ok(chain.answer(&request)));
    bench.serve_txs(&chain);
    let held = bench.held();
    assert_eq!(held, down_to(5000 - held.len()..5000));
}

#[test]
fn a_page_that_no_longer_continues_the_rows_held_is_dropped() {
    let mut bench = txs_tab();
    let chain = Txs::of(5000);
    bench.serve_txs(&chain);
    bench.keys("G");
    bench.serve_txs(&chain);
    bench.keys("G");
    let (late, request) = bench.take_page().expect("a page below");
    // A covered list drops the rows at its end.
    bench.keys("g g 2");
    bench.reply(late, Ok(chain.answer(&request)));
    bench.keys("3");
    bench.serve_txs(&chain);
    let held = bench.held();
    assert_eq!(held, down_to(5000 - held.len()..5000));
}

#[test]
fn the_next_block_does_not_get_rows_of_the_one_before() {
    let mut bench = Bench::new(NORMAL);
    bench.open(Destination::Block(Height::FIRST, None));
    let chain = Txs::of(400);
    let (ticket, request) = bench.take_newest().expect("its rows");
    bench.reply(ticket, Ok(chain.answer(&request)));
    bench.keys("G");
    let (late, request) = bench.take_page().expect("its next page");
    bench.keys("[");
    assert!(bench.cancelled.contains(&late.slot));
    bench.reply(late, Ok(chain.answer(&request)));
    assert_eq!(bench.held(), Vec::<usize>::new());
}

#[test]
fn a_filtered_poll_that_does_not_reach_the_rows_held_asks_once_more_and_no_further() {
    let mut bench = txs_tab();
    bench.serve_txs(&Txs { kept: 90, ..Txs::of(3000) });
    let before = bench.held().len();
    assert!(before > 0);
    for height in 1..=3 {
        bench.grow(height);
        let asked = bench.serve_txs(&Txs { kept: 90, ..Txs::of(3000 + 91 * usize::try_from(height).unwrap()) });
        assert!(asked < 60, "{asked} requests for one poll");
    }
}

#[test]
fn a_server_that_gives_few_rows_at_a_time_is_not_asked_for_ever() {
    let mut bench = txs_tab();
    bench.serve_txs(&Txs::of(3000));
    bench.grow(1);
    // As a server that fails on large pages: always ten rows, all unknown.
    for _ in 0..2 {
        let (ticket, request) = bench.take_newest().expect("a poll");
        let Request::Txs(query, mut page) = request else { panic!("{request:?}") };
        page.limit = 10;
        bench.reply(ticket, Ok(Txs::of(4000).answer(&Request::Txs(query, page))));
    }
    assert!(bench.take_newest().is_none());
    assert_eq!(bench.held()[..10], down_to(3990..4000)[..]);
}

#[test]
fn failed_only_goes_on_where_it_was_when_a_poll_brings_nothing() {
    let mut bench = txs_tab();
    let chain = Txs::of(5000);
    bench.serve_txs(&chain);
    bench.keys("F");
    for _ in 0..3 {
        let (ticket, request) = bench.take_newest().or_else(|| bench.take_page()).expect("it looks on");
        bench.reply(ticket, Ok(chain.answer(&request)));
    }
    assert_eq!(bench.txs().scanned, 300);
    let (page, request) = bench.take_page().expect("it looks on");
    bench.grow(1);
    let (poll, newest) = bench.take_newest().expect("a poll");
    bench.reply(poll, Ok(Txs::of(5005).answer(&newest)));
    bench.reply(page, Ok(chain.answer(&request)));
    assert_eq!(bench.txs().scanned, 405);
    let (_, request) = bench.take_page().expect("it looks on");
    let Request::Txs(_, page) = request else { panic!("{request:?}") };
    assert_eq!(page.cursor, PageStart::Key(PageKey("4600".into())));
}

#[test]
fn looking_for_rare_rows_stops_until_the_person_goes_on() {
    let mut bench = txs_tab();
    let chain = Txs { failing: 4500, ..Txs::of(50_000) };
    bench.serve_txs(&chain);
    bench.keys("F");
    let asked = bench.serve_txs(&chain);
    assert!((20..40).contains(&asked), "{asked}");
    assert!(bench.txs().has_paused());
    bench.keys("j");
    let asked = bench.serve_txs(&chain);
    assert!((10..60).contains(&asked), "{asked}");
    assert!(bench.txs().has_paused());
}

#[test]
fn a_list_that_stands_still_does_not_grow_without_end() {
    let mut bench = txs_tab();
    let mut count = 3000;
    bench.serve_txs(&Txs::of(count));
    bench.keys("j");
    let selected = bench.held()[1];
    for height in 1..1200 {
        count += 20;
        bench.grow(height);
        bench.serve_txs(&Txs::of(count));
    }
    assert!(bench.held().len() < 900, "{} rows", bench.held().len());
    assert_eq!(bench.held()[bench.txs().cursor()], selected);
    assert_eq!(bench.txs().unseen(), 1199 * 20);
    // Going up, the list finds too many rows in between; it reports them instead of loading all.
    let mut asked = 0;
    for _ in 0..40 {
        bench.keys("pgup");
        asked += bench.serve_txs(&Txs::of(count));
    }
    assert!(asked < 300, "{asked}");
    assert!(bench.txs().is_too_far_down());
    bench.keys("g g");
    bench.serve_txs(&Txs::of(count));
    assert_eq!(bench.held()[0], count - 1);
    assert!(!bench.txs().is_too_far_down());
}

#[test]
fn rows_above_come_back_whole_when_they_are_few() {
    let mut bench = txs_tab();
    let mut count = 3000;
    bench.serve_txs(&Txs::of(count));
    bench.keys("j");
    for height in 1..400 {
        count += 20;
        bench.grow(height);
        bench.serve_txs(&Txs::of(count));
    }
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..400 {
        bench.keys("pgup");
        bench.serve_txs(&Txs::of(count));
        assert!(bench.held().len() < 900, "{} rows", bench.held().len());
        seen.extend(bench.txs().visible().1.filter_map(ListedRow::read).map(|row| super::number_of(&row.tx)));
    }
    assert!((3000..count).all(|number| seen.contains(&number)), "every row above was on screen");
    let held = bench.held();
    assert_eq!(held, down_to(count - held.len()..count));
}

#[test]
fn a_failed_page_above_is_not_asked_for_at_once_again() {
    let mut bench = txs_tab();
    let chain = Txs::of(5000);
    bench.serve_txs(&chain);
    for _ in 0..12 {
        bench.keys("G");
        bench.serve_txs(&chain);
    }
    for _ in 0..60 {
        bench.keys("pgup");
        if let Some((ticket, _)) = bench.take_page() {
            bench.reply(ticket, Err(super::screens::offline()));
            assert!(bench.take_page().is_none());
            return;
        }
    }
    panic!("rows were dropped above, and a page was never asked for");
}

#[test]
fn a_sorted_list_stands_still_and_its_neighbours_are_those_shown() {
    let mut bench = txs_tab();
    let shown = |bench: &Bench| -> Vec<usize> {
        let rows = bench.txs().shown(0..usize::MAX).filter_map(ListedRow::read);
        rows.map(|row| super::number_of(&row.tx)).collect()
    };
    let selected = |bench: &Bench| bench.txs().selected().map(|row| super::number_of(&row.tx));
    let turn = |bench: &mut Bench| bench.keys("A h e i g h t enter");
    bench.serve_txs(&Txs::of(3000));
    bench.keys("j j");
    turn(&mut bench);
    turn(&mut bench);
    assert_eq!(shown(&bench), (2900..3000).collect::<Vec<_>>());
    assert_eq!(bench.held(), down_to(2900..3000), "what is held keeps its order");
    assert_eq!(selected(&bench), Some(2997), "the cursor stays on its row");

    // Its end asks for nothing more, and rows that arrive are counted only.
    bench.keys("G");
    assert!(bench.take_page().is_none());
    for height in 1..=3 {
        bench.grow(height);
        bench.serve_txs(&Txs::of(3000 + 20 * usize::try_from(height).unwrap()));
    }
    assert_eq!((shown(&bench).len(), bench.txs().unseen()), (100, 60));
    assert_eq!(selected(&bench), Some(2999));
    let screen = drawn(&bench.app, NORMAL);
    assert!(
        screen.contains("100 of 100 loaded, by height ↑") && screen.contains("the loaded rows end here"),
        "{screen}"
    );

    // The page of a row leads to the rows beside it as they are shown.
    bench.keys("k enter [");
    let page = bench.page::<crate::pages::tx::TxPage>();
    assert_eq!(
        page.place().origin.map(|(_, target)| target),
        Some(Target::Tx(format!("{:064X}", 2997).parse().unwrap()))
    );
    bench.keys("esc");
    assert_eq!(shown(&bench).len(), 100, "it is sorted still");

    // In its own order it goes on, without a gap.
    let before = selected(&bench);
    turn(&mut bench);
    bench.serve_txs(&Txs::of(3060));
    bench.keys("g g");
    bench.serve_txs(&Txs::of(3060));
    let held = bench.held();
    assert_eq!(held, down_to(3060 - held.len()..3060));
    assert!(before.is_some() && bench.txs().sorting().is_none());
}

#[test]
fn columns_without_exact_values_do_not_sort() {
    let mut bench = txs_tab();
    bench.serve_txs(&Txs::of(300));
    let list = bench.txs();
    assert!(list.can_sort("height") && list.can_sort("timestamp") && list.can_sort("txhash"));
    assert!(!list.can_sort("summary") && !list.can_sort("nft_change") && !list.can_sort("nothing"));
    assert!(!list.can_sort("gas_percent"), "no gas was wanted");
}
