//! Lists: following, standing still, and walks from one end to the other.

use rollscope::{
    demo::RollupOptions,
    msg::{Instruction, PageStart, Request, TxQuery},
};
use rstest::rstest;

use super::{Mode, all_txs, explore, framed_lines, hashes, heights, on_chain, short, walk};
use crate::harness::{Explorer, chain_of};

#[rstest]
fn the_newest_block_is_followed(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 40);
    explorer.press("2");
    assert_eq!(heights(&explorer)[..3], [40, 39, 38]);
    explorer.step(1);
    assert_eq!(heights(&explorer)[..3], [41, 40, 39]);
    explorer.wait_for("1 of 41");
    // More at once than a poll brings.
    explorer.step(150);
    assert_eq!(heights(&explorer)[..3], [191, 190, 189]);
    assert!(!explorer.screen().contains('▲'), "nothing waits above:\n{}", explorer.screen());
}

#[rstest]
fn only_the_first_page_is_counted_and_what_arrives_is_added(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 40);
    explorer.press("3 f").type_text("MsgCall").press("enter");
    let counted = || {
        let is_counted = |command: &Instruction| match command {
            Instruction::Fetch(_, Request::Txs(query, page)) => !query.msgs.is_empty() && page.count_total,
            _ => false,
        };
        explorer.commands().iter().filter(|command| is_counted(command)).count()
    };
    assert_eq!(counted(), 1);
    let total = |screen: String| -> u64 {
        let (_, total) = screen.lines().nth(2).and_then(|line| line.split_once("1 of ")).expect("a counted list");
        total.split_whitespace().next().and_then(|total| total.parse().ok()).expect("a number")
    };
    let before = total(explorer.screen());
    for _ in 0..12 {
        explorer.step(1);
    }
    assert_eq!(counted(), 1, "polls do not count");
    assert!(total(explorer.screen()) > before, "{}", explorer.screen());
}

#[rstest]
fn a_list_one_has_moved_in_stands_still_and_counts(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 40);
    explorer.press("2 j");
    let before = heights(&explorer);
    explorer.step(3);
    assert_eq!(heights(&explorer), before);
    explorer.wait_for("▲ 3 new").step(4).wait_for("▲ 7 new");
    explorer.keys("enter").wait_for("Block 39").keys("esc").settle();
    assert_eq!(heights(&explorer), before, "coming back shows the same rows");
    explorer.press("g g");
    assert_eq!(heights(&explorer)[..2], [47, 46]);
    explorer.wait_gone("▲");
    explorer.step(1);
    assert_eq!(heights(&explorer)[..2], [48, 47], "followed again");
}

#[rstest]
fn transactions_arrive_above_the_cursor_and_move_nothing(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 40);
    explorer.press("3 j j");
    let before = hashes(&explorer);
    let held = all_txs(&explorer, &TxQuery::default()).len();
    explorer.step(10);
    assert_eq!(hashes(&explorer), before);
    let arrived = all_txs(&explorer, &TxQuery::default()).len() - held;
    assert!(arrived > 0);
    explorer.wait_for(&format!("▲ {arrived} new"));
    explorer.press("g g");
    let newest = all_txs(&explorer, &TxQuery::default());
    assert_eq!(hashes(&explorer), short(newest.iter().take(hashes(&explorer).len())));
}

#[rstest]
#[case(Mode::Specified, "n", "p")]
#[case(Mode::Quirks, "n", "p")]
#[case(Mode::Specified, "ctrl-d", "ctrl-u")]
#[case(Mode::Quirks, "pgdn", "pgup")]
fn a_walk_through_all_blocks_has_each_once(#[case] mode: Mode, #[case] down: &str, #[case] up: &str) {
    let explorer = on_chain(mode, 300).size(100, 40).start();
    explorer.press("2");
    assert_eq!(walk(&explorer, down, heights), (1..=300).rev().collect::<Vec<_>>());
    explorer.wait_for("— the end —").wait_for("300 of 300");
    let mut back = walk(&explorer, up, |explorer| heights(explorer).into_iter().rev().collect());
    back.reverse();
    assert_eq!(back, (1..=300).rev().collect::<Vec<_>>());
    explorer.wait_for("1 of 300");
}

#[test]
fn blocks_without_transactions_are_left_out_on_request() {
    let explorer = on_chain(Mode::Specified, 300).size(100, 40).start();
    explorer.press("2 f").wait_for("Blocks · with transactions");
    let shown = heights(&explorer);
    let is_empty = |line: &str| line.split_whitespace().nth(4) == Some("0");
    let screen = explorer.screen();
    assert!(shown.windows(2).any(|pair| pair[0] - pair[1] > 1), "{screen}");
    let rows = screen.lines().filter(|line| line.contains("rollscope-sequencer"));
    assert!(rows.clone().count() > 15 && !rows.clone().any(is_empty), "{screen}");
    assert!(!screen.contains("missing"), "what is left out is not missing:\n{screen}");
    // A line between two blocks counts those in between.
    let (mut above, mut told) = (None, 0);
    for line in framed_lines(&screen) {
        match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["···", empty, "empty", "···"] => told = empty.parse().expect("a number"),
            [height, ..] if shown.iter().any(|shown| shown.to_string() == *height) => {
                let height: u64 = height.parse().expect("a height");
                assert!(above.is_none_or(|above: u64| above - height - 1 == told), "below {above:?}:\n{screen}");
                (above, told) = (Some(height), 0);
            }
            _ => {}
        }
    }
    assert_eq!(above, shown.last().copied());
    for _ in 0..4 {
        explorer.press("G").settle();
    }
    explorer.wait_for("— the end —").press("g g").settle().wait_for(&format!(" {} ", shown[0]));
    // A sorted list has no such lines: its neighbours are no neighbours in height.
    explorer
        .click(" gas hash")
        .wait_for("by gas ↓")
        .wait_gone(" empty ···")
        .click("gas↓")
        .wait_for("gas↑")
        .click("gas↑")
        .wait_for(" empty ···");
    explorer.press("esc").wait_gone("with transactions");
    assert!(explorer.screen().lines().filter(|line| line.contains("rollscope-sequencer")).any(is_empty));
    explorer.quit();
}

#[test]
fn page_moves_that_are_quicker_than_the_pages_are_made_when_these_come() {
    let explorer = on_chain(Mode::Specified, 300).size(100, 24).start();
    explorer.press("2");
    let screen = heights(&explorer).len();
    explorer.keys("n n n n n n n n n n").settle();
    explorer.wait_for(&format!("{} of 300", 10 * screen + 1));
}

#[rstest]
fn a_walk_through_all_transactions_has_each_once(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = on_chain(mode, 300).size(100, 60).start();
    let expected = short(&all_txs(&explorer, &TxQuery::default()));
    assert!(expected.len() > 650, "more than the list holds at once, not {}", expected.len());
    explorer.press("3");
    assert_eq!(walk(&explorer, "n", hashes), expected);
    explorer.wait_for("— the end —");
    let mut back = walk(&explorer, "p", |explorer| hashes(explorer).into_iter().rev().collect());
    back.reverse();
    assert_eq!(back, expected);
}

#[rstest]
fn the_last_row_and_the_first_are_one_key_away(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 90);
    explorer.press("2 G");
    assert_eq!(heights(&explorer).last(), Some(&1));
    explorer.wait_for("90 of 90").press("home");
    assert_eq!(heights(&explorer).first(), Some(&90));
}

#[test]
fn what_falls_off_a_long_list_is_asked_for_again_by_its_key() {
    let explorer = Explorer::builder().size(100, 60).rollup(chain_of(300)).start();
    explorer.press("3");
    walk(&explorer, "n", hashes);
    let before = explorer.commands().len();
    walk(&explorer, "p", hashes_upwards);
    let keyed = explorer.commands().split_off(before).into_iter().filter(
        |command| matches!(command, Instruction::Fetch(_, Request::Txs(_, page)) if matches!(page.cursor, PageStart::Key(_))),
    );
    assert!(keyed.count() >= 1, "the way back needs pages that were let go");
}

fn hashes_upwards(explorer: &Explorer) -> Vec<String> {
    hashes(explorer).into_iter().rev().collect()
}

#[test]
fn going_to_the_top_starts_anew_where_the_rows_above_were_let_go() {
    let explorer = Explorer::builder().size(100, 60).rollup(RollupOptions { quirks: true, ..chain_of(300) }).start();
    explorer.press("3");
    let newest = hashes(&explorer);
    walk(&explorer, "n", hashes);
    explorer.press("g g");
    assert_eq!(hashes(&explorer), newest);
}

#[rstest]
fn rows_that_arrived_faster_than_pages_are_all_there_on_the_way_up(
    #[values(Mode::Specified, Mode::Quirks)] mode: Mode,
) {
    let explorer = on_chain(mode, 300).size(100, 40).start();
    let before = heights(explorer.press("2 n n n"));
    explorer.press("5").step(250).press("2");
    assert_eq!(heights(&explorer), before, "the list stood still while it was covered");
    explorer.wait_for("▲ 100+ new");
    let mut back = walk(&explorer, "p", |explorer| heights(explorer).into_iter().rev().collect());
    back.reverse();
    assert_eq!(back, (before[before.len() - 1]..=550).rev().collect::<Vec<_>>());
    explorer.wait_gone("▲");
}
