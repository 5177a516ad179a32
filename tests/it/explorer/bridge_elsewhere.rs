//! What a person signs elsewhere: a link with a code that a telephone reads, and the transaction found without its
//! hash.

use std::{collections::BTreeSet, time::Duration};

use ratatui::style::Color;
use rollscope::config::ThemeName;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Mode, on_chain};
use crate::harness::{Builder, Explorer, qr};

fn deposit(builder: Builder) -> Explorer {
    let explorer = builder.start();
    explorer.press("6").advance(Duration::from_millis(400)).press("tab enter").settle();
    explorer
}

#[rstest]
fn a_code_is_read_back_whatever_the_theme(
    #[values(ThemeName::Ansi, ThemeName::Dark, ThemeName::Light, ThemeName::Mono)] theme: ThemeName,
) {
    let explorer = deposit(on_chain(Mode::Specified, 40).size(120, 60).theme(theme));
    explorer.wait_for("✓ Addresses").press("Q").wait_for("https://go.skip.build/?src_chain=interwoven-1");
    explorer.press("y w");
    let link = explorer.copied().pop().expect("the link was copied");
    assert!(link.contains("&src_asset=uinit&dest_chain=rollscope-evm-1&dest_asset="), "{link}");
    let screen = explorer.screen();
    let line = |line: &str| line.chars().map(|sign| if "█▀▄".contains(sign) { sign } else { ' ' }).collect::<String>();
    let code: Vec<String> = screen.lines().map(line).collect();
    assert_eq!(qr::read(&code.join("\n")), [link], "{screen}");
    let buffer = explorer.buffer();
    let drawn = buffer.content().iter().filter(|cell| matches!(cell.symbol(), "█" | "▀" | "▄"));
    let colors: BTreeSet<String> = drawn.map(|cell| format!("{:?} on {:?}", cell.fg, cell.bg)).collect();
    let expected = |light: Color, dark: Color| BTreeSet::from([format!("{light:?} on {dark:?}")]);
    let is_fixed = colors == expected(Color::Rgb(255, 255, 255), Color::Rgb(0, 0, 0))
        || colors == expected(Color::Indexed(231), Color::Indexed(16));
    assert!(is_fixed || theme == ThemeName::Mono, "{theme:?}: {colors:?}");
    explorer.press("Q").wait_for("✓ Addresses");
    explorer.press("Q").wait_for("go.skip.build").press("esc").wait_for("✓ Addresses");
    explorer.quit();
}

#[test]
fn a_small_terminal_is_told_what_the_code_needs() {
    let explorer = deposit(on_chain(Mode::Specified, 40).size(80, 24));
    explorer.press("Q").wait_for("go.skip.build").wait_for("also shows the QR code");
    explorer.quit();
}

/// Has the demo wallet sign and send these messages, as if it were a program elsewhere.
fn send(explorer: &Explorer, msgs: &Value) {
    let url = format!("{}/demo/v1/broadcast", explorer.rollup().url());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let body = json!({"msgs": msgs, "tx_index": 0}).to_string();
    let status = runtime.block_on(async {
        let http = rollscope::client::http_client().no_proxy().build().expect("a client");
        let request = http.post(url).header("content-type", "application/json").body(body);
        request.send().await.expect("it is answered").status()
    });
    assert!(status.is_success(), "{status}");
}

#[test]
fn what_was_sent_elsewhere_is_taken_without_its_hash() {
    let explorer = on_chain(Mode::Specified, 40).size(200, 70).start();
    explorer
        .press("6")
        .advance(Duration::from_millis(400))
        .press("s")
        .advance(Duration::from_millis(400))
        .press("] ]")
        .wait_for("▸ Optimistic")
        .settle();
    explorer.press("tab enter").wait_for("needs your acknowledgement").press("a").wait_for("✓ Messages");
    assert!(!explorer.screen().contains("searching the transactions"), "nothing was taken away yet");
    explorer.press("e enter").wait_for("searching the transactions of init1");
    explorer.advance(Duration::from_secs(11)).settle().wait_for("searching the transactions");
    let written = explorer.written();
    let (_, msgs) = written.iter().find(|(name, _)| name.starts_with("msgs-")).expect("the messages were written");
    send(&explorer, &serde_json::from_str(msgs).expect("JSON"));
    explorer.step(2).advance(Duration::from_secs(11)).wait_for("┌ Transfer ");
    explorer.quit();
}
