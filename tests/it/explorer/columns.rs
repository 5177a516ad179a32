//! Columns of one's own choice on the lists.

use std::{collections::BTreeSet, fs, time::Duration};

use rollscope::{
    columns::{Columns, List},
    config::{Environment, Flags, Paths, Settings},
};
use rstest::rstest;

use super::{Mode, framed_lines, on_chain};
use crate::harness::Explorer;

fn explore(columns: &[(List, &[&'static str])]) -> Explorer {
    let mut chosen = Columns::default();
    for (list, ids) in columns {
        chosen.choose(*list, ids.to_vec());
    }
    let explorer = on_chain(Mode::Specified, 40).columns(chosen).start();
    explorer.settle();
    explorer
}

/// The words of a line within the first frame.
fn words(explorer: &Explorer, line: usize) -> Vec<String> {
    let screen = explorer.screen();
    let line = framed_lines(&screen).nth(line).unwrap_or_default();
    line.split_whitespace().map(ToOwned::to_owned).collect()
}

#[test]
fn a_list_has_the_columns_that_were_chosen_in_their_order() {
    let explorer = explore(&[
        (List::Blocks, &["hash", "height", "gas_wanted", "chain_id"]),
        (List::Txs, &["timestamp", "code", "memo", "fee", "txhash"]),
    ]);
    explorer.press("2");
    assert_eq!(words(&explorer, 0), ["hash", "height", "gas", "wanted", "chain"]);
    assert_eq!(words(&explorer, 1)[1], "40", "{}", explorer.screen());
    explorer.press("3");
    assert_eq!(words(&explorer, 0), ["age", "code", "memo", "fee", "hash"]);
    let screen = explorer.screen();
    assert!(framed_lines(&screen).skip(1).any(|line| line.contains(" GAS ")), "fees are told:\n{screen}");
}

#[test]
fn words_are_made_where_a_list_shows_them_however_narrow_it_is() {
    let explorer = explore(&[(List::Txs, &["txhash", "summary"]), (List::AccountTxs, &["txhash", "height"])]);
    explorer.press("3").resize(40, 20);
    explorer.settle();
    let screen = explorer.screen();
    let rows: Vec<&str> = screen.lines().skip(1).filter(|line| line.contains('…')).collect();
    let in_words = rows.iter().filter(|row| row.split_whitespace().count() > 2).count();
    assert!(rows.len() > 10 && in_words * 2 > rows.len(), "{screen}");
}

#[test]
fn what_has_no_room_vanishes_from_the_last_on() {
    let ids = ["txhash", "messages", "codespace", "memo", "raw_log", "timestamp"];
    let explorer = explore(&[(List::Txs, &ids)]);
    explorer.press("3");
    assert_eq!(words(&explorer, 0), ["hash", "message", "codespace", "memo", "age"], "the reason has no room");
    explorer.resize(62, 20);
    explorer.settle();
    assert_eq!(words(&explorer, 0), ["hash", "message", "codespace", "age"]);
}

/// A column in the open chooser.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Choice {
    is_shown: bool,
    heading: String,
    id: String,
}

/// What the open chooser lists, from the top.
fn choices(explorer: &Explorer) -> Vec<Choice> {
    let screen = explorer.screen();
    let row = |line: &str| {
        let (start, rest) =
            ["[x] ", "[ ] "].iter().find_map(|tick| line.split_once(tick).map(|(_, rest)| (*tick, rest)))?;
        let rest = rest.trim_end_matches(['│', ' ']);
        let (heading, id) = rest.rsplit_once(' ').unwrap_or(("", rest));
        Some(Choice { is_shown: start == "[x] ", heading: heading.trim().to_owned(), id: id.to_owned() })
    };
    screen.lines().filter_map(row).collect()
}

/// The line of the settings that the open chooser shows and copies.
fn setting(explorer: &Explorer) -> String {
    explorer.press("y");
    explorer.copied().pop().unwrap_or_default()
}

/// The names of columns on the screen: the line that has the most of these.
fn names(explorer: &Explorer, choices: &[Choice]) -> String {
    let screen = explorer.screen();
    let words = |line: &&str| -> usize {
        choices.iter().filter(|choice| !choice.heading.is_empty() && line.contains(&choice.heading)).count()
    };
    screen
        .lines()
        .filter(|line| !line.contains("[x]") && !line.contains(" = ["))
        .max_by_key(words)
        .unwrap_or_default()
        .to_owned()
}

/// The columns that settings with this line give a list.
fn read_back(line: &str, list: List) -> Vec<String> {
    let home = tempfile::tempdir().expect("a temporary folder can be made");
    let config_dir = home.path().to_path_buf();
    fs::write(config_dir.join("config.toml"), format!("[columns]\n{line}\n")).expect("a file can be written");
    let paths = Paths { state_dir: config_dir.join("state"), config_dir };
    let settings = Settings::load(Flags::default(), Environment::default(), Some(paths)).expect("settings");
    let (columns, warnings) = Columns::from_settings(&settings);
    assert_eq!(warnings, Vec::<String>::new(), "{line}");
    let ids = columns.chosen(list).map_or_else(|| list.default_ids(), <[&str]>::to_vec);
    ids.into_iter().map(ToOwned::to_owned).collect()
}

fn above_footer(explorer: &Explorer) -> String {
    explorer.screen().rsplit_once('\n').unwrap_or_default().0.to_owned()
}

fn shown_ids(choices: &[Choice]) -> Vec<String> {
    choices.iter().filter(|choice| choice.is_shown).map(|choice| choice.id.clone()).collect()
}

#[rstest]
#[case("1", List::Blocks)]
#[case("1 tab", List::Txs)]
#[case("2", List::Blocks)]
#[case("2 enter", List::Txs)]
#[case("3", List::Txs)]
#[case("3 a", List::AccountTxs)]
#[case("3 a l", List::AccountNfts)]
#[case("3 a l l", List::AccountCollections)]
#[case("4", List::Collections)]
#[case("4 G enter", List::Nfts)]
#[case("4 G enter enter tab", List::NftTxs)]
#[case("5", List::Holders)]
fn the_columns_of_the_list_under_the_cursor_are_chosen(#[case] keys: &str, #[case] list: List) {
    let explorer = on_chain(Mode::Specified, 40).size(180, 50).start();
    explorer.press(keys);
    let before = above_footer(&explorer);
    explorer.press("C").wait_for(&format!("Columns of {list}"));
    let all = choices(&explorer);
    assert_eq!(shown_ids(&all), list.default_ids(), "it begins with what is shown:\n{}", explorer.screen());
    assert_eq!(all.len(), list.columns().len());
    let default_names = names(&explorer, &all);

    // One with a name that has room is hidden, and the list follows.
    let place =
        all.iter().position(|choice| choice.is_shown && choice.id != all[0].id && is_named(&default_names, choice));
    let place = place.unwrap_or_else(|| panic!("a column is named: {default_names}\n{all:?}"));
    explorer.press(&"j ".repeat(place)).press("space");
    assert!(!choices(&explorer)[place].is_shown, "{}", explorer.screen());
    let count = |names: &str| occurrences(names, &all[place]);
    let fewer = names(&explorer, &all);
    assert!(count(&fewer) < count(&default_names), "{} is gone:\n{default_names}\n{fewer}", all[place].heading);
    let line = setting(&explorer);
    assert_eq!(read_back(&line, list), shown_ids(&choices(&explorer)), "{line}");

    // The default again; then the first column moves behind the second and back.
    explorer.press("r");
    assert_eq!(choices(&explorer), all);
    assert_eq!(names(&explorer, &all), default_names);
    explorer.press("home J");
    let moved = choices(&explorer);
    assert_eq!((&moved[0], &moved[1]), (&all[1], &all[0]));
    assert_ne!(names(&explorer, &all), default_names, "the list follows");
    assert_eq!(read_back(&setting(&explorer), list), shown_ids(&moved));
    explorer.press("K");
    assert_eq!(choices(&explorer), all);

    // Esc takes all back, Enter keeps it.
    explorer.press("J esc");
    assert_eq!(above_footer(&explorer), before);
    explorer.press("C j space");
    let line = setting(&explorer);
    explorer.press("enter");
    let said = explorer.screen().lines().last().unwrap_or_default().trim().to_owned();
    assert!(said.starts_with("✓ applied until you quit; C, then y, copies the line for config.toml  "), "{said}");
    assert!(said.ends_with("? help"), "the keys stay beside it: {said}");
    explorer.press("C");
    assert_eq!(shown_ids(&choices(&explorer)), read_back(&line, list), "it is kept");
    explorer.advance(Duration::from_secs(20)).press("enter");
    let footer = explorer.screen().lines().last().unwrap_or_default().to_owned();
    assert!(!footer.contains("applied until"), "nothing was chosen now, so nothing is said: {footer}");
    explorer.quit();
}

fn is_named(names: &str, choice: &Choice) -> bool {
    occurrences(names, choice) > 0
}

/// How often a column's heading stands in the line of names, as a word of its own.
fn occurrences(names: &str, choice: &Choice) -> usize {
    let words = format!(" {} ", names.replace('│', " "));
    if choice.heading.is_empty() { 0 } else { words.matches(&format!(" {} ", choice.heading)).count() }
}

#[test]
fn columns_under_one_heading_are_chosen_by_their_ids() {
    let explorer = on_chain(Mode::Specified, 40).size(180, 50).start();
    explorer.press("3 C").wait_for("Columns of txs");
    let all = choices(&explorer);
    let headings: BTreeSet<&str> = all.iter().map(|choice| choice.heading.as_str()).collect();
    assert_eq!(headings.len(), all.len(), "{all:?}");
    for id in ["messages", "method"] {
        let choice = all.iter().find(|choice| choice.id == id).expect("it is a column");
        assert_eq!(choice.heading, id, "both have the heading message");
    }
    explorer.quit();
}

#[rstest]
#[case(180, "2 enter J")]
#[case(180, "3 enter")]
#[case(180, "3 tab")]
#[case(180, "3 a l l l")]
#[case(180, "4 G enter v")]
#[case(180, "4 G enter enter")]
#[case(100, "5 tab")]
#[case(180, "6")]
fn where_no_list_has_the_cursor_there_is_nothing_to_choose(#[case] columns: u16, #[case] keys: &str) {
    let explorer = on_chain(Mode::Specified, 40).size(columns, 50).start();
    explorer.press(keys).press("C");
    let said = explorer.screen().lines().last().unwrap_or_default().trim().to_owned();
    assert_eq!(said, "! the cursor is not in a list with columns to choose");
    explorer.quit();
}
