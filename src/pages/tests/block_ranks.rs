//! Ranks of a block on its own page.

use std::sync::Arc;

use super::{Bench, drawn, status};
use crate::{
    app::page::Destination,
    domain::Height,
    msg::{Answer, ListPage, PageRequest, PageStart, Request, Slot, Total},
    wire::Block,
};

const SIZE: (u16, u16) = (140, 36);

/// Blocks with more gas the higher they are; nobody wanted any in the first.
fn block(height: u64) -> Arc<Block> {
    let wanted = if height == 1 { 0 } else { 1_000 };
    let text = format!(
        r#"{{"chain_id":"test-1","height":"{height}","hash":"{height:064X}","block_time":"1000",
            "timestamp":"2026-01-31T12:00:00Z","gas_used":"{height}","gas_wanted":"{wanted}","tx_count":"1",
            "proposer":{{"moniker":"Anna"}}}}"#
    );
    Arc::new(serde_json::from_str(&text).expect("a block"))
}

fn page(heights: impl Iterator<Item = u64>) -> Answer {
    Answer::Blocks(ListPage {
        items: heights.map(block).collect(),
        next: None,
        total: Total::Unknown,
        notes: Vec::new(),
    })
}

/// The screen of a block of a chain of so many, and what it asked for its ranks.
fn opened(height: u64, tip: u64, answer: Answer) -> (String, Option<PageStart>) {
    let mut bench = Bench::new(SIZE);
    let (ticket, _) = bench.take(|slot| *slot == Slot::Status).expect("the status is asked for");
    bench.reply(ticket, Ok(Answer::Status(status(tip).into())));
    let destination = Destination::Block(Height::new(height).expect("a height"), Some(block(height)));
    bench.open(destination);
    let is_of_page = |slot: &Slot| matches!(slot, Slot::Page(..));
    let asked = bench.take(is_of_page).map(|(ticket, request)| {
        bench.reply(ticket, Ok(answer));
        let Request::Blocks(PageRequest { cursor, .. }) = request else { panic!("{request:?}") };
        cursor
    });
    (drawn(&bench.app, SIZE), asked)
}

#[test]
fn a_block_is_ranked_among_itself_and_those_before_it() {
    // Two blocks came while the request was on its way.
    let (screen, asked) = opened(50, 200, page((1..=52).rev()));
    assert_eq!(asked, Some(PageStart::Offset(150)));
    assert!(screen.contains("rank 1 ") && screen.contains("ranks     among the 50 blocks up to it"), "{screen}");
    let (screen, _) = opened(50, 200, page((1..=50).rev().filter(|height| *height != 40)));
    assert!(screen.contains("ranks     among the 10 blocks up to it"), "a gap ends them: {screen}");
}

#[test]
fn a_block_that_is_not_among_the_answer_has_no_rank() {
    let (screen, _) = opened(50, 200, page((101..=200).rev()));
    assert!(!screen.contains("rank"), "{screen}");
    let (screen, _) = opened(1, 200, page(1..=1));
    assert!(!screen.contains("rank") && screen.contains("1 of 0") && !screen.contains('%'), "{screen}");
}

#[test]
fn a_server_does_not_count_to_an_old_block_for_its_ranks() {
    assert_eq!(opened(50, 20_000, page(1..=50)).1, None);
}
