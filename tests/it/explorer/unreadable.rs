//! Lists with rows of another form than the API's: these stand in their places, and the others stay.

use serde_json::{Value, json};

use super::scripted::{Server, block, chain, page, path, short_hash, tx};

/// A chain of which transaction 37 and block 38 are of another form.
fn odd_server() -> Server {
    Server::new(|seen, _| match path(seen) {
        "/indexer/tx/v1/txs" => page(seen, "txs", 40, |number| {
            let mut row = tx(number);
            if number == 37 {
                row["timestamp"] = json!("10000-01-01T00:00:00Z");
            }
            row
        }),
        "/indexer/block/v1/blocks" => page(seen, "blocks", 40, |height| {
            let mut row = block(height);
            if height == 38 {
                row["hash"] = Value::Null;
            }
            row
        }),
        _ => chain(seen, 40),
    })
}

/// The place of a text among the lines of the screen.
fn line_of(screen: &str, text: &str) -> usize {
    screen.lines().position(|line| line.contains(text)).unwrap_or_else(|| panic!("“{text}” is missing:\n{screen}"))
}

#[test]
fn a_row_that_cannot_be_read_stands_in_its_place() {
    let server = odd_server();
    let explorer = server.explorer().start();
    explorer.press("3").wait_for("unreadable · F12");
    let screen = explorer.screen();
    let place = line_of(&screen, "unreadable");
    assert_eq!(screen.matches("unreadable").count(), 1, "{screen}");
    assert_eq!(line_of(&screen, &short_hash(38)) + 1, place, "{screen}");
    assert_eq!(line_of(&screen, &short_hash(36)), place + 1, "{screen}");
    // Nothing leads from it, and its neighbours go past it.
    explorer.press("j j j enter").wait_for("4 of").wait_for(&short_hash(36));
    explorer.press("k enter").wait_for("Story").wait_for("block       38").press("]").wait_for("block       36");
    explorer.press("esc").wait_for("unreadable").press("e enter").wait_for("skipped 1 row: unreadable");
    let (_, lines) = &explorer.written()[0];
    assert_eq!(lines.lines().count(), 39, "the others are all there");
    explorer.quit();
}

#[test]
fn the_inspector_has_the_answer_with_the_odd_row() {
    let server = odd_server();
    let explorer = server.explorer().start();
    explorer.press("2").wait_for("unreadable · F12");
    let screen = explorer.screen();
    let place = line_of(&screen, "unreadable");
    assert!(screen.lines().nth(place - 1).is_some_and(|line| line.contains("39")), "{screen}");
    assert!(screen.lines().nth(place + 1).is_some_and(|line| line.contains("37")), "{screen}");
    explorer.press("f12").wait_for("/indexer/block/v1/blocks");
    explorer.quit();
}

#[test]
fn a_list_of_which_nothing_can_be_read_says_what_is_wrong() {
    let server = Server::new(|seen, _| match path(seen) {
        "/indexer/tx/v1/txs" => page(seen, "txs", 40, |number| json!({"hash": number})),
        _ => chain(seen, 40),
    });
    let explorer = server.explorer().start();
    explorer.press("3").wait_for("unexpected response format").wait_gone("unreadable");
    explorer.quit();
}
