//! No page leaves a third of its body blank while it cuts a text, and no list leaves out a column that has room. The
//! pages are those of the snapshots.

use rollscope::columns::List;

use crate::{
    harness::Explorer,
    snapshots::{REST, SCREENS, on_chain},
};

/// Terminal sizes of every page.
const SIZES: [(u16, u16); 5] = [(50, 14), (80, 24), (120, 36), (160, 45), (200, 50)];
/// Dialogs among the snapshots.
const DIALOGS: [&str; 2] = ["types", "palette"];
/// Further pages on the same rollup, with the keys that lead there.
const PAGES: [(&str, &str); 4] =
    [("collection", "4 enter"), ("gallery", "4 enter v"), ("token", "4 enter enter"), ("rich_list", "5")];
/// Lists whose rows fill a pane of a page.
const LISTS: [(&str, List); 7] = [
    ("blocks", List::Blocks),
    ("txs", List::Txs),
    ("nfts", List::Collections),
    ("account_txs", List::AccountTxs),
    ("account_nfts", List::AccountNfts),
    ("collection", List::Nfts),
    ("rich_list", List::Holders),
];
/// Names of columns that no list writes above them, or only at times: after a mark, or in other words.
const AT_TIMES: [&str; 4] = ["since", "loaded share", "Bar", "result"];
/// Columns of the terminal in which the widest column that a list may leave out has room, with its space.
const ROOM: usize = 25;
/// Words that end with `…` and are whole.
const WHOLE: [&str; 5] = ["speed…", "loading…", "waiting…", "…to", "node…"];

/// Whether a cell shows nothing: a blank, or a frame around blanks.
fn is_blank(cell: char) -> bool {
    matches!(cell, ' ' | '│' | '─' | '┌' | '┐' | '└' | '┘')
}

/// Texts of a row that are cut at their end. An address or a hash that is shortened in its middle is whole.
fn cut_texts(row: &str) -> impl Iterator<Item = &str> {
    row.split(['│', '┌', '┐']).flat_map(|part| part.split("  ")).filter(|text| {
        let text = text.trim();
        text.ends_with('…') && !WHOLE.iter().any(|whole| text.ends_with(whole))
    })
}

/// Says which third of the body is blank, and which text is cut beside it.
fn waste(screen: &str) -> Option<String> {
    let rows: Vec<&str> = screen.lines().collect();
    // A large screen has tabs below its header; every screen has a footer.
    let above = if rows.get(1).is_some_and(|row| row.contains("1 Overview")) { 2 } else { 1 };
    let body = rows.get(above..rows.len().checked_sub(1)?)?;
    let cut = body.iter().flat_map(|row| cut_texts(row)).next()?.trim();
    let width = body.iter().map(|row| row.chars().count()).max()?.max(screen.lines().next()?.chars().count());
    let blank_rows = body.iter().filter(|row| row.chars().all(is_blank)).count();
    let mut is_used = vec![false; width];
    for row in body {
        row.chars().zip(&mut is_used).for_each(|(cell, is_used)| *is_used |= !is_blank(cell));
    }
    let blank_columns = is_used.iter().filter(|is_used| !**is_used).count();
    let says = |blank: usize, all: usize, what: &str| {
        (blank * 3 > all).then(|| format!("{blank} of {all} {what} are blank beside “{cut}”"))
    };
    says(blank_rows, body.len(), "rows").or_else(|| says(blank_columns, width, "columns"))
}

/// Says which column a list leaves out beside a band in which all of its rows are blank.
fn left_out(screen: &str, list: List) -> Option<String> {
    let wanted: Vec<&str> =
        list.columns().iter().filter(|column| column.is_default).map(|column| column.heading).collect();
    let has = |text: &str, heading: &&&str| format!(" {text} ").contains(&format!(" {heading} "));
    let count = |text: &str| wanted.iter().filter(|heading| has(text, heading)).count();
    let rows: Vec<Vec<char>> = screen.lines().map(|line| line.chars().collect()).collect();
    // The pane whose line of names has most of the headings.
    let panes = rows.iter().enumerate().flat_map(|(top, row)| {
        let edges: Vec<usize> = (0..row.len()).filter(|place| row[*place] == '│').collect();
        edges.windows(2).map(|pair| (top, pair[0], pair[1])).collect::<Vec<_>>()
    });
    let text = |(top, left, right): (usize, usize, usize)| rows[top][left + 1..right].iter().collect::<String>();
    let (top, left, right) = panes.max_by_key(|pane| (count(&text(*pane)), usize::MAX - pane.0))?;
    let names = text((top, left, right));
    let missing = wanted.iter().find(|heading| !AT_TIMES.contains(*heading) && !has(&names, heading))?;
    let body: Vec<&Vec<char>> = rows[top..].iter().take_while(|row| row.get(left) == Some(&'│')).collect();
    let is_used = |column: usize| body.iter().any(|row| row.get(column).is_some_and(|cell| *cell != ' '));
    let blank = (left + 1..right).fold((0, 0), |(most, run), column| {
        let run = if is_used(column) { 0 } else { run + 1 };
        (run.max(most), run)
    });
    (count(&names) > 1 && blank.0 >= ROOM).then(|| format!("“{missing}” is left out beside {} blank columns", blank.0))
}

/// Fails if the page wastes a third of a screen of one of the sizes.
fn check(explorer: &Explorer, name: &str) -> Vec<String> {
    let found = SIZES.iter().filter_map(|(columns, rows)| {
        explorer.resize(*columns, *rows).settle().advance(REST);
        let screen = explorer.screen();
        let list = LISTS.iter().find(|(page, _)| *page == name);
        // Events fold what they say, and show the rest when they are opened.
        let is_folded = |row: &str| *name == *"tx_events" && row.contains('▸');
        let judged = screen.lines().map(|row| if is_folded(row) { row.replace('…', " ") } else { row.to_owned() });
        let waste = waste(&judged.collect::<Vec<_>>().join("\n")).or_else(|| left_out(&screen, list?.1));
        waste.map(|waste| format!("{name} at {columns}×{rows}: {waste}\n{screen}"))
    });
    found.collect()
}

#[test]
fn no_third_of_a_page_is_blank_beside_a_cut_text() {
    let mut found = Vec::new();
    let pages = SCREENS.iter().filter(|(name, _)| !DIALOGS.contains(name)).chain(&PAGES);
    for (name, keys) in pages {
        let explorer = on_chain(200, 50).start();
        explorer.settle();
        for key in keys.split_whitespace() {
            explorer.press(key).settle();
        }
        found.extend(check(&explorer, name));
        explorer.quit();
    }
    assert!(found.is_empty(), "{} pages:\n{}", found.len(), found.join("\n\n"));
}

#[test]
fn a_page_that_is_blank_beside_a_cut_text_is_found() {
    let page = |line: &str, height: usize, others: &str| {
        let rest = format!("│{others}│\n").repeat(height - 1);
        format!(" rollscope  live\n 1 Overview  2 Blocks\n│{line}│\n{rest} q quit\n")
    };
    let (cut, whole) = (format!("{:<40}", " sent 5 INIT to init1gj8vt8…"), format!("{:<40}", " to init1gj8…8dsw"));
    let (blank, full) = (" ".repeat(40), "x".repeat(40));
    assert!(waste(&page(&cut, 20, &blank)).is_some_and(|waste| waste.contains("19 of 20 rows")));
    assert!(waste(&page(&cut, 20, &format!("{:<40}", "x"))).is_some_and(|waste| waste.contains("columns are blank")));
    assert_eq!(waste(&page(&whole, 20, &blank)), None, "nothing is cut");
    assert_eq!(waste(&page(&cut, 20, &full)), None, "nothing is blank");
}

#[test]
fn a_column_that_is_left_out_beside_blank_columns_is_found() {
    let page = |names: &str, row: &str| {
        let line = |text: &str| format!("│{text:<80}│\n");
        format!("┌{:─<80}┐\n{}{}{}└{:─<80}┘\n", "", line(names), line(row), line(row), "")
    };
    let (all, some) = (" height age txs after gas hash       proposer", " height age txs after gas hash");
    let row = " 1,000  2 s   1  1 s   9 AA…BB";
    assert!(left_out(&page(some, row), List::Blocks).is_some_and(|what| what.contains("“proposer” is left out")));
    assert_eq!(left_out(&page(all, row), List::Blocks), None, "all columns are there");
    assert_eq!(left_out(&page(some, &"x".repeat(80)), List::Blocks), None, "there is no room");
}
