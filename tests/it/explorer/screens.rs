//! What every screen has: the overview, tabs, freezing, help, keys of the user's own, the inspector, the mouse.

use std::time::Duration;

use ratatui::style::Modifier;
use rollscope::config::Keymap;
use rstest::rstest;
use serde_json::json;

use super::{
    Mode, explore, framed_lines, hashes, heights, on_chain,
    scripted::{Server, block, chain, page, path, short_hash, tx},
};
use crate::harness::{Explorer, replay::Answer};

#[rstest]
fn the_overview_shows_the_chain_and_its_index(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = on_chain(mode, 60).size(120, 40).start();
    explorer.settle().wait_for("rollscope-evm-1 ● live").wait_for("height 60").wait_for("   at the tip");
    explorer.wait_for("block 1.00 s").wait_for("1 to 60, complete: all blocks seen");
    assert_eq!(heights(&explorer).iter().filter(|height| (50..=60).contains(*height)).count(), 11);
    for _ in 0..16 {
        explorer.step(1);
    }
    // A step takes a tenth of a second more than a block.
    explorer.wait_for("height 76").wait_for("keeping up, 0.9 blocks/s over").wait_for("of the newest");

    // Somebody sets the clock, and sets it right: meanwhile nothing is said by it, and blocks come as before.
    let (hours, days) = (Duration::from_secs(3 * 3600), Duration::from_secs(400 * 86_400));
    let is_right = |explorer: &Explorer| {
        explorer
            .step(1)
            .wait_for("● live")
            .wait_for("   at the tip")
            .wait_gone("○ clock")
            .wait_for("agrees with the elapsed");
    };
    explorer.set_clock(|now| now.before(hours)).step(1).wait_for("○ clock set back by 3 h").wait_for("height 77");
    explorer.wait_for("the system clock was set back by 3 h: ages and").wait_gone("● live").wait_gone("at the tip");
    is_right(explorer.set_clock(|now| now.after(hours)));
    explorer.set_clock(|now| now.after(days)).step(1).wait_for("○ clock set forward by 400 d").wait_for("height 79");
    explorer.wait_gone("● live").wait_gone("at the tip").wait_gone("blocks behind").wait_gone("399 d");
    is_right(explorer.set_clock(|now| now.before(days)));
    explorer.press("enter").wait_for("Block 80 ").press("esc tab enter").wait_for("[Story]");
}

#[test]
fn failures_by_type_are_counted_over_a_thousand_transactions_in_one_key() {
    let server = Server::new(|seen, _| match path(seen) {
        "/indexer/tx/v1/txs" => page(seen, "txs", 4_000, |number| {
            let mut failing = tx(number);
            failing["code"] = u64::from(number % 50 == 0).into();
            failing
        }),
        _ => chain(seen, 4_000),
    });
    let explorer = server.explorer().size(120, 40).start();
    explorer.settle().wait_for("2 of the newest 100 txs").press("shift-tab").settle();
    explorer.wait_for("2.0 %").wait_for("20 of the newest 1,000 txs").wait_for("MsgSend");
    explorer.advance(Duration::from_secs(5)).settle().wait_for("of the newest 1,000 txs");
    explorer.press("esc j").settle();
    explorer.quit();
}

/// A block's moment comes to the nanosecond, that of its transactions to the second.
#[test]
fn a_block_and_its_transactions_are_of_one_age() {
    let server = Server::new(|seen, _| match path(seen) {
        "/indexer/block/v1/blocks/9" => {
            let mut block = block(9);
            block["timestamp"] = "2026-01-31T12:59:54.6Z".into();
            Answer::json(json!({"block": block}).to_string())
        }
        "/indexer/tx/v1/txs/by_height/9" => page(seen, "txs", 1, |_| {
            let mut tx = tx(9);
            tx["timestamp"] = "2026-01-31T12:59:54Z".into();
            tx
        }),
        _ => chain(seen, 9),
    });
    let explorer = server.explorer().start();
    explorer
        .press(":")
        .type_text("9")
        .press("enter")
        .wait_for("Block 9 ")
        .wait_for(" 6 s ago")
        .wait_for(&short_hash(9));
    let screen = explorer.settle().screen();
    let row = screen.lines().find(|line| line.contains(&short_hash(9))).expect("its row");
    assert!(row.contains(" 6 s"), "{screen}");
}

#[test]
fn what_a_title_says_of_a_search_is_not_underlined() {
    let explorer = explore(Mode::Specified, 20);
    explorer.press("3 enter l l f").type_text("transfer").press("enter").wait_for("“transfer” ");
    let buffer = explorer.buffer();
    let words = "“transfer” ";
    let symbols: Vec<&str> = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
    let text: Vec<String> = words.chars().map(String::from).collect();
    let title = symbols.windows(text.len()).position(|window| window == text).expect("the title");
    let is_underlined = |cell: &ratatui::buffer::Cell| cell.modifier.contains(Modifier::UNDERLINED);
    assert!(!buffer.content[title..title + text.len()].iter().any(is_underlined));
    assert!(buffer.content.iter().any(is_underlined), "matches are");
}

/// How often a text stands on the screen, and how often underlined.
fn mentions(explorer: &Explorer, text: &str) -> (usize, usize) {
    let buffer = explorer.buffer();
    let letters: Vec<String> = text.chars().map(String::from).collect();
    let symbol = ratatui::buffer::Cell::symbol;
    let found = buffer.content.windows(letters.len());
    let found = found.filter(|cells| cells.iter().map(symbol).eq(letters.iter().map(String::as_str)));
    let is_underlined =
        |cells: &&[ratatui::buffer::Cell]| cells.iter().all(|cell| cell.modifier.contains(Modifier::UNDERLINED));
    (found.clone().count(), found.filter(is_underlined).count())
}

#[test]
fn the_selected_account_is_underlined_wherever_it_stands() {
    let explorer = on_chain(Mode::Specified, 20).size(160, 60).start();
    explorer.press("3 enter").wait_for("signer").press("z R").wait_for("fee_payer");
    let screen = explorer.settle().screen();
    let account = screen.split("fee_payer ").nth(1).and_then(|rest| rest.split(' ').next()).expect("an account");
    let account = account.trim_end_matches('│').to_owned();
    let (all, before) = mentions(&explorer, &account);
    assert!(all > 3 && before == 0, "{account}: {all}, {before}\n{screen}");
    explorer.press("w");
    let (all, marked) = mentions(explorer.settle(), &account);
    // The title says what Enter opens.
    assert_eq!(marked, all - 1, "{account}\n{}", explorer.screen());
    explorer.press("3 k j");
    assert_eq!(mentions(explorer.settle(), &account).1, 0, "nothing is selected any more");
}

#[test]
fn digits_and_tab_lead_through_the_tabs() {
    let explorer = explore(Mode::Specified, 10);
    let names = ["1 Overview", "2 Blocks", "3 Txs", "4 NFTs", "5 Rich list", "6 Bridge"];
    for (number, name) in (1..).zip(names) {
        explorer.press(&number.to_string()).wait_for(&format!("[{name}]"));
    }
    explorer.press("H").wait_for("[5 Rich list]").press("esc").wait_for("[5 Rich list]");
}

#[rstest]
fn a_frozen_screen_stands_still_and_asks_nothing(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 20);
    explorer.press("2 space").wait_for("■ frozen");
    assert!(!explorer.is_ticking());
    let (screen, frames, commands) = (explorer.screen(), explorer.frames(), explorer.commands().len());
    explorer.step(7).advance(Duration::from_secs(3600));
    assert_eq!((explorer.frames(), explorer.commands().len()), (frames, commands));
    assert_eq!(explorer.screen(), screen);
    explorer.press("space").wait_gone("frozen").wait_for("height 27");
    assert_eq!(heights(&explorer)[0], 27);
    assert!(explorer.is_ticking());
}

#[test]
fn help_lists_the_keys_that_the_user_has() {
    let (keymap, _) = Keymap::with_user_file(
        "[motion]\ndown = [\"z\"]\n[global]\nhelp = [\"f2\"]\ngo-to = [\"ctrl-o\"]\nexport = []\n",
    );
    let explorer = on_chain(Mode::Specified, 20).size(100, 60).keymap(keymap).start();
    explorer.press("2 j").wait_for("1 of 20").press("z z").wait_for("3 of 20");
    explorer.press("?").wait_gone("Everywhere").press("f2").wait_for("Everywhere").wait_for("^o ");
    let screen = explorer.screen();
    let down = screen.lines().find(|line| line.contains("Move down one row")).expect("help names every action");
    assert!(down.contains(" z ") && !down.contains(" j "), "{down}");
    assert!(!screen.contains("Write rows to a file"), "an action without keys is left out:\n{screen}");
    explorer.press("f2").wait_gone("Everywhere").press("ctrl-o").wait_for("Go to");
}

#[test]
fn help_scrolls_and_closes() {
    let explorer = explore(Mode::Specified, 5);
    explorer
        .press("6")
        .wait_for("demo wallet has")
        .press("?")
        .wait_for("Everywhere")
        .press("G")
        .wait_for("Files and addresses")
        .wait_for(&format!("router   {}", explorer.rollup().url()))
        .wait_for("faucet   rollscope demo-fund ADDRESS")
        .wait_for(&format!("         --router {}", explorer.rollup().url()));
    explorer.press("g g").wait_for("Everywhere").press("esc").wait_gone("Everywhere");
}

#[rstest]
fn the_inspector_shows_requests_and_their_answers(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = on_chain(mode, 20).size(140, 40).start();
    explorer.press("2 f12").wait_for("Requests").wait_for("/indexer/block/v1/blocks?pagination.limit=100");
    explorer.wait_for("/status").wait_for(" 200 ").press("enter").wait_for("\"blocks\"").wait_for("outcome  200");
    let url = explorer.rollup().url();
    explorer.press("esc y").wait_for("copied");
    assert_eq!(explorer.copied(), [format!("curl -sS '{url}/indexer/block/v1/blocks?pagination.limit=100'")]);
    explorer.press("j enter").wait_for("request  GET").press("esc esc").wait_gone("Requests");
}

#[test]
fn the_mouse_selects_opens_and_turns_tabs() {
    let explorer = explore(Mode::Specified, 40);
    explorer.click("2 Blocks").settle().wait_for("1 of 40").click(" 36 ").settle().wait_for("5 of 40");
    explorer.click(" 36 ").wait_for("Block 36 ").settle().click("3 Txs").settle();
    let hash = hashes(&explorer)[2].clone();
    explorer.click(&hash).settle().wait_for("3 of").click(&hash).wait_for("[Story]").settle();
    explorer.click("Events").wait_for("[Events]").click("Raw").wait_for("[Raw]");
    // The keys of the footer are buttons.
    explorer.click(": commands").wait_for("↵ run").press("esc").click("? help").wait_for("Everywhere");
    // So are those of an overlay, in its frame and in the footer, and those that continue a typed key.
    explorer.click("Esc close").wait_gone("Everywhere").press("f12").wait_for("Requests");
    explorer.click("Tab by endpoint").wait_for("Endpoints by").click("Esc close").wait_gone("Endpoints by");
    explorer.press(":").type_text("help").click("↵ run").wait_for("Everywhere").press("esc");
    explorer.press("2 G").wait_for("40 of 40").press("g").click("g newest").wait_for("1 of 40");

    // The name of a column sorts by its exact value, the other way, and not at all.
    let own = heights(&explorer);
    explorer.click(" gas hash").wait_for("1 of 40, by gas ↓");
    let falling = gas(&explorer);
    assert!(falling.len() > 20 && falling.is_sorted_by(|a, b| a >= b), "{}", explorer.screen());
    assert_ne!(heights(&explorer), own);
    explorer.click("gas↓").wait_for("by gas ↑");
    let rising = gas(&explorer);
    assert!(rising.is_sorted() && rising[0] <= falling[falling.len() - 1], "{}", explorer.screen());
    explorer.click("gas↑").wait_gone("by gas");
    assert_eq!(heights(&explorer), own);

    // So do keys; ages grow while times fall.
    explorer.press("A").type_text("tim").press("enter").wait_for("by time, newest first").wait_for("age↑");
    explorer
        .press("A")
        .type_text("tim")
        .wait_for("oldest first")
        .press("enter")
        .wait_for("1 of 40, by time, oldest first");
    assert_eq!(heights(&explorer)[0], 1);
    explorer.press(":").type_text("sort tx_count").press("enter").wait_for("by txs ↓");
    explorer.press(":").type_text("sort nothing").wait_for("no column with values has the name “nothing”").press("esc");

    // Where columns have no room, two keys show the last ones and the usual ones; elsewhere they say why not.
    explorer.press("$").wait_for("! every column is shown").press("0").wait_for("! the first columns are shown");
    explorer.press("3").wait_for(" height hash").press("$").wait_for(" message ").press("$");
    explorer.wait_for("! the last columns are shown").press("0").wait_gone(" message ");
    explorer.press("enter").wait_for("[Story]").press("$").wait_for("! the cursor is not in a list with columns");
    explorer.quit();
}

/// The gas of the blocks on screen, which stands before their hashes.
fn gas(explorer: &Explorer) -> Vec<u64> {
    let of_line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let hash = words.iter().position(|word| word.contains('…'))?;
        words.get(hash.checked_sub(1)?)?.replace(',', "").parse().ok()
    };
    framed_lines(&explorer.screen()).filter_map(of_line).collect()
}

#[test]
fn a_click_does_not_reach_through_a_modal() {
    let explorer = explore(Mode::Specified, 10);
    explorer.press("2 ?").click("1 Overv").settle().wait_for("Everywhere").press("esc").wait_for("[2 Blocks]");
}

#[test]
fn addresses_and_times_have_two_forms() {
    let explorer = explore(Mode::Specified, 40);
    explorer.press("3 enter").wait_for("signer      init1").press("x").wait_for("signer      0x");
    explorer.press("x").wait_for("signer      init1").press("esc").wait_for(" s │").press("T").wait_for("12:00:");
}

#[rstest]
#[case(19, 30)]
#[case(100, 4)]
#[case(1, 1)]
fn a_tiny_terminal_says_what_is_needed(#[case] columns: u16, #[case] rows: u16) {
    let explorer = on_chain(Mode::Specified, 5).size(columns, rows).start();
    explorer.settle();
    assert_eq!(explorer.screen(), if columns == 1 { "…".to_owned() } else { first_line(columns, rows) });
    explorer.resize(100, 30).press("2").wait_for("1 of 5");
}

fn first_line(columns: u16, rows: u16) -> String {
    let line = if columns < 20 { "needs 20×5" } else { "rollscope needs 20×5 cells" };
    line.to_owned() + &"\n".repeat(usize::from(rows) - 1)
}

#[test]
fn a_small_terminal_shows_a_list_without_frames() {
    let explorer = on_chain(Mode::Specified, 40).size(40, 10).start();
    explorer.press("2").wait_for("live").wait_gone("┌");
    let rows = explorer.screen().lines().filter(|line| line.trim_start().starts_with(['4', '3'])).count();
    assert_eq!(rows, 8);
    explorer.press("n").wait_for(" 32 ");
}
