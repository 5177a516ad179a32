//! The six things that are chosen from a list that is narrowed: the same keys do the same in each of them.

use ratatui::style::Modifier;
use rstest::rstest;

use super::{Mode, on_chain};
use crate::harness::Explorer;

/// How one is opened, its title, and whether above its first row the input itself has a place.
fn open(explorer: &Explorer, picker: &str) -> (&'static str, bool) {
    match picker {
        "commands" => {
            explorer.press(":");
            ("Commands", false)
        }
        "types" => {
            explorer.press("3 f");
            ("Message types", false)
        }
        "denoms" => {
            explorer.press("5 f");
            ("Denoms", false)
        }
        "chains" => {
            explorer.press("6 g g enter");
            ("Source chain", false)
        }
        "go to" => {
            // What was opened is suggested again.
            explorer.press("2 enter 3 enter 3 j enter 2 j enter /");
            ("Go to", true)
        }
        "copy" => {
            explorer.press("3 y");
            ("Copy", false)
        }
        _ => unreachable!("no such picker: {picker}"),
    }
}

/// The row under the mark, within the frame that has this title.
fn marked(explorer: &Explorer, title: &str) -> Option<String> {
    let screen = explorer.screen();
    let lines: Vec<&str> = screen.lines().collect();
    let top = lines.iter().position(|line| line.contains(&format!("┌ {title} "))).unwrap_or_else(|| {
        panic!("{title} is open:\n{screen}");
    });
    let left = lines[top].split(&format!("┌ {title} ")).next().unwrap_or_default().chars().count();
    let buffer = explorer.buffer();
    let column = u16::try_from(left + 1).expect("a column of the screen");
    let below = (top + 1..lines.len()).take_while(|row| lines[*row].chars().nth(left) == Some('│'));
    let is_marked = |row: &usize| {
        let row = u16::try_from(*row).expect("a row of the screen");
        buffer.cell((column, row)).is_some_and(|cell| cell.modifier.contains(Modifier::REVERSED))
    };
    let row = below.into_iter().find(is_marked)?;
    Some(lines[row].chars().skip(left + 1).take_while(|sign| *sign != '│').collect())
}

#[rstest]
fn the_same_keys_do_the_same(#[values("commands", "types", "denoms", "chains", "go to", "copy")] picker: &str) {
    let explorer = on_chain(Mode::Specified, 40).size(104, 60).start();
    explorer.settle();
    let (title, has_input_above) = open(&explorer, picker);
    // From the top once around: the rows, and where the mark is on the input no row.
    let first = marked(&explorer, title);
    assert_eq!(first.is_none(), has_input_above);
    let mut all = vec![first];
    loop {
        explorer.press("down");
        let row = marked(&explorer, title);
        if row == all[0] {
            break;
        }
        assert!(!all.contains(&row) && all.len() < 60, "{row:?} comes twice:\n{}", explorer.screen());
        all.push(row);
    }
    assert!(all.len() > 2, "{all:?}");
    // The mark is where it began: up goes to the other end, and the letters of editors and shells do as arrows do.
    let last = all.len() - 1;
    let rows = usize::from(has_input_above);
    let mut at = 0;
    for (key, expected) in [
        ("up", last),
        ("down", 0),
        ("shift-tab", last),
        ("tab", 0),
        ("ctrl-p", last),
        ("ctrl-n", 0),
        ("ctrl-n", 1),
        ("tab", 2),
        ("shift-tab", 1),
        ("end", last),
        ("home", rows),
        ("pgdn", (rows + 10).min(last)),
        ("pgup", rows.max((rows + 10).min(last).saturating_sub(10))),
    ] {
        explorer.press(key);
        assert_eq!(marked(&explorer, title), all[expected], "{key} at {at} of {last}:\n{}", explorer.screen());
        at = expected;
    }
    explorer.press("esc");
    assert!(!explorer.screen().contains(&format!("┌ {title} ")), "esc closes it");
    explorer.quit();
}

#[test]
fn a_full_name_of_a_type_is_taken_as_typed_beside_those_that_were_seen() {
    let explorer = on_chain(Mode::Specified, 40).size(104, 60).start();
    explorer.press("3 f").type_text("cosmos.gov.v1.MsgVote").settle();
    explorer.wait_for("cosmos.gov.v1.MsgVote  as typed").press("space");
    explorer.wait_for("[x] cosmos.gov.v1.MsgVote").type_text("send").press("space enter");
    explorer.wait_for("MsgSend +1 types");
    explorer.quit();
}

#[test]
fn digits_of_a_denom_are_looked_for_in_one_piece() {
    let explorer = on_chain(Mode::Specified, 40).size(104, 60).start();
    explorer.press("5 f").type_text("626F").settle();
    explorer.wait_for("evm/626F");
    let listed = explorer.screen().lines().filter(|line| line.contains("ibc/") || line.contains("l2/")).count();
    assert_eq!(listed, 0, "no hash has these letters scattered over it:\n{}", explorer.screen());
    explorer.quit();
}
