//! Text that came over the wire and wants to do harm: the screen stays whole.

use ratatui::buffer::Cell;
use serde_json::{Value, json};

use super::scripted::{Server, block, chain, path, tx};
use crate::harness::{Explorer, replay::Answer};

/// Escapes, controls, overrides of the writing direction, piled marks, invisible and wide characters.
pub(super) fn nasty() -> Vec<String> {
    vec![
        format!("\u{1b}[2J\u{1b}]0;owned\u{7}\u{1b}[31mre{}d", "\u{301}\u{489}".repeat(60)),
        "nul\0 bell\u{7} back\u{8}\u{8} line\nfeed\r\ttab \u{9b}31m \u{7f}".to_owned(),
        "\u{202e}gnp.exe\u{202c} \u{2066}a\u{2069} \u{200b}\u{200d}\u{feff}\u{61c}".to_owned(),
        "宽".repeat(300) + "👩‍👩‍👧‍👦🏳️‍🌈" + &"e\u{301}\u{301}\u{301}".repeat(50),
        "x".repeat(10_000),
        "│┌┐└┘─".repeat(40),
    ]
}

fn hostile_block(height: u64, text: &str) -> Value {
    let mut block = block(height);
    block["proposer"] = json!({"moniker": text, "identity": text, "operator_address": text});
    block["total_fee"] = json!([{"denom": text, "amount": "1"}]);
    block
}

fn hostile_tx(number: u64, text: &str) -> Value {
    let mut tx = tx(number);
    tx["raw_log"] = json!(text);
    tx["code"] = json!(7);
    tx["codespace"] = json!(text);
    tx["info"] = json!(text);
    tx["tx"]["body"] = json!({"memo": text, "messages": [
        {"@type": format!("/{text}"), text: {text: [text, {text: text}]}, "amount": [{"denom": text, "amount": text}]},
        {"@type": text, "input": text},
    ]});
    tx["tx"]["auth_info"]["fee"]["amount"] = json!([{"denom": text, "amount": "5"}]);
    tx["events"] = json!([{"type": text, "attributes": [
        {"key": text, "value": text, "index": true}, {"key": "msg_index", "value": text}, {"key": "log", "value": text},
    ]}]);
    tx
}

fn hostile(text: String) -> Server {
    Server::new(move |seen, _| match path(seen) {
        "/status" => {
            Answer::json(json!({"chain_id": text, "height": 9, "version": text, "commit_hash": text}).to_string())
        }
        "/indexer/block/v1/blocks" => list("blocks", |height| hostile_block(height, &text)),
        "/indexer/tx/v1/txs" => list("txs", |number| hostile_tx(number, &text)),
        "/indexer/block/v1/blocks/77" => Answer::text(404, text.clone()),
        "/indexer/block/v1/blocks/78" => Answer::text(400, text.clone()),
        path if path.contains("by_height") => list("txs", |number| hostile_tx(number, &text)),
        _ => chain(seen, 9),
    })
}

fn list(name: &str, make: impl Fn(u64) -> Value) -> Answer {
    let rows: Vec<Value> = (1..=9).rev().map(make).collect();
    Answer::json(json!({name: rows, "pagination": {"next_key": null, "total": "9"}}).to_string())
}

/// No cell holds what could steer a terminal or reorder a line, and the frames are where they belong.
pub(super) fn assert_whole(explorer: &Explorer, at: &str) {
    let buffer = explorer.settle().buffer();
    for cell in &buffer.content {
        let is_bad = |character: char| {
            character.is_control()
                || matches!(character, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
        };
        assert!(!cell.symbol().chars().any(is_bad), "{at}: {:?}", cell.symbol());
        assert!(has_few_marks(cell), "{at}: {:?}", cell.symbol());
    }
    let width = buffer.area.width;
    let (left, right) =
        (|row| buffer[(0, row)].symbol().to_owned(), |row| buffer[(width - 1, row)].symbol().to_owned());
    for row in 2..buffer.area.height - 1 {
        let sides = (left(row), right(row));
        let is_side = matches!((sides.0.as_str(), sides.1.as_str()), ("│" | "┌" | "└", "│" | "┐" | "┘"));
        assert!(is_side, "{at}: the frame is broken in row {row}: {sides:?}\n{}", explorer.screen());
    }
}

/// One character, and no more marks on it than a script may need.
fn has_few_marks(cell: &Cell) -> bool {
    cell.symbol().chars().count() <= 7
}

#[test]
fn hostile_text_breaks_no_screen() {
    for text in nasty() {
        let server = hostile(text.clone());
        let explorer = server.explorer().size(100, 30).start();
        let name: String = text.chars().take(12).collect();
        for keys in [
            "1",
            "2",
            "enter",
            "J",
            "3",
            "enter",
            "l",
            "G",
            "l",
            "G",
            "g g",
            "esc",
            "b",
            "1 : 7 7 enter",
            ": 7 8 enter",
        ] {
            explorer.press(keys);
            assert_whole(&explorer, &format!("{name:?} after {keys}"));
        }
        explorer.resize(140, 30).press("3");
        assert_whole(&explorer, &format!("{name:?} beside the list"));
        explorer.press("2");
        assert_whole(&explorer, &format!("{name:?} beside the blocks"));
    }
}

#[test]
fn hostile_text_breaks_no_overlay() {
    for text in nasty() {
        let server = hostile(text.clone());
        let explorer = server.explorer().size(58, 30).start();
        for keys in ["3 enter y", "esc esc f", "esc f12", "enter", "esc esc /"] {
            explorer.press(keys);
            let buffer = explorer.buffer();
            assert!(buffer.content.iter().all(|cell| !cell.symbol().chars().any(char::is_control)), "{keys}");
            assert!(buffer.content.iter().all(has_few_marks), "{keys}");
        }
        explorer.paste(&text).settle();
        assert!(explorer.buffer().content.iter().all(|cell| !cell.symbol().chars().any(char::is_control)));
    }
}

#[test]
fn the_clipboard_gets_nothing_that_steers_what_it_is_pasted_into() {
    for text in nasty() {
        let server = hostile(text.clone());
        let explorer = server.explorer().size(100, 30).start();
        explorer.press("3 enter");
        for tab in 0..5 {
            for choice in ["l", "v", "j", "c"] {
                explorer.press("G y").press(choice).press("esc k y").press(choice).press("esc");
            }
            explorer.press(if tab == 4 { "esc" } else { "l" });
        }
        let copied = explorer.settle().copied();
        assert!(copied.len() > 10, "{text:?}: {copied:?}");
        for text in copied {
            let is_bad = |sign: char| {
                sign.is_control() && sign != '\n' || matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            };
            assert!(!text.contains(is_bad), "{text:?}");
        }
        explorer.quit();
    }
}

#[test]
fn numbers_beyond_all_bounds_are_shown() {
    let server = Server::new(|seen, _| match path(seen) {
        "/status" => Answer::json(
            json!({"chain_id": "big", "height": u64::MAX, "internal_tx_height": u64::MAX, "rich_list_height": 1})
                .to_string(),
        ),
        "/indexer/block/v1/avg_blocktime" => Answer::json(r#"{"avg_block_time": 1e300}"#),
        "/indexer/block/v1/blocks" => list("blocks", |height| {
            let mut block = block(height);
            block["height"] = json!((u64::MAX - 9 + height).to_string());
            block["block_time"] = json!(i64::MIN.to_string());
            block["gas_used"] = json!(u64::MAX.to_string());
            block["tx_count"] = json!(u64::MAX.to_string());
            block["total_fee"] = json!([{"denom": "d", "amount": "9".repeat(70)}]);
            block["timestamp"] = json!("9999-12-30T22:00:00.9Z");
            block
        }),
        "/indexer/tx/v1/txs" => list("txs", |number| {
            let mut tx = tx(number);
            tx["gas_used"] = json!(u64::MAX.to_string());
            tx["timestamp"] = json!("0001-01-01T00:00:00Z");
            tx
        }),
        _ => chain(seen, 9),
    });
    let explorer = server.explorer().size(120, 40).start();
    for keys in ["1", "2", "enter", "J", "] [", "3", "enter", "T", "esc", ": 5 enter"] {
        explorer.press(keys).wait_for("rollscope");
    }
}
