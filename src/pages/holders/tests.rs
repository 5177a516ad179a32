//! Tests the rich list of a large rollup.

use std::sync::Arc;

use crate::pages::tests::Bench;
use crate::{
    domain::{Amount, Balance},
    msg::{Answer, ListPage, PageKey, PageStart, Request, Slot, Total},
    pages::holders::HoldersPage,
    wire::Holder,
};

const HOLDERS: u64 = 25_000;

fn shown(bench: &Bench) -> &HoldersPage {
    bench.app.navigation.current().as_page().expect("the rich list")
}

fn holder(number: u64) -> Arc<Holder> {
    let amount = Balance::from(Amount::from(u128::from(HOLDERS - number)));
    Arc::new(Holder { account: format!("0x{number:040x}"), amount })
}

/// Answers all open requests for holders; returns how many there were.
fn serve(bench: &mut Bench) -> usize {
    for count in 0.. {
        let is_list = |slot: &Slot| matches!(slot, Slot::List(..));
        let Some(place) = bench
            .asked
            .iter()
            .position(|(ticket, request)| is_list(&ticket.slot) && matches!(request, Request::Holders(..)))
        else {
            return count;
        };
        let (ticket, request) = bench.asked.remove(place);
        let Request::Holders(_, page) = request else { unreachable!("only holders were looked for") };
        let start = match page.cursor {
            PageStart::Key(key) => key.0.parse().expect("a key of this server"),
            _ => 0,
        };
        let end = HOLDERS.min(start + u64::from(page.limit));
        let next = (end < HOLDERS).then(|| PageKey(end.to_string().into()));
        let items = (start..end).map(holder).collect();
        let total = if page.count_total { Total::Exact(HOLDERS) } else { Total::Unknown };
        bench.reply(ticket, Ok(Answer::Holders(ListPage { items, next, total, notes: Vec::new() })));
    }
    unreachable!("the loop returns")
}

#[test]
fn paging_through_very_many_holders_stays_within_bounds() {
    let mut bench = Bench::new((200, 50));
    bench.keys("5 f u x enter");
    serve(&mut bench);
    let mut most = 0;
    for turn in 0.. {
        assert!(turn < 4000, "the end is never reached");
        bench.keys(if turn % 3 == 2 { "ctrl-d" } else { "n" });
        let asked = serve(&mut bench);
        assert!(asked <= 2, "{asked} pages for one key");
        let list = &shown(&bench).list;
        most = most.max(list.rows().len());
        if list.has_ended() && list.cursor() + 1 == list.rows().len() {
            break;
        }
    }
    let page = shown(&bench);
    assert!(most <= 4_000, "{most} rows held at once");
    assert_eq!(page.list.selected().map(|row| row.rank.get()), Some(HOLDERS));
    assert_eq!(page.concentration.counted(), HOLDERS, "each holder is counted once");
    assert_eq!(page.concentration.sum_digits(), (HOLDERS * (HOLDERS + 1) / 2).to_string());
    bench.keys("g g");
    serve(&mut bench);
    let page = shown(&bench);
    assert_eq!((page.list.selected().map(|row| row.rank.get()), page.concentration.counted()), (Some(1), HOLDERS));
}
