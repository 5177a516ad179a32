//! Every screen narrow and wide, as text. `INSTA_UPDATE=always cargo test` rewrites them; read the difference. What
//! footers say is held by `explorer::footers`.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::LazyLock,
    time::Duration,
};

use ratatui::{
    buffer::Buffer,
    style::{Color, Modifier},
};
use rollscope::{
    config::{Meaning, Network, Styles, ThemeName},
    demo::Rollup,
    domain::Timestamp,
};
use rstest::rstest;
use strum::IntoEnumIterator as _;

use crate::harness::{Builder, Explorer, chain_of};

/// Blocks of the chain that every screen shows.
const BLOCKS: u64 = 150;

/// Time after which a selected block's transactions are requested.
pub(super) const REST: Duration = Duration::from_millis(200);

/// One rollup for all screens: nothing here makes it change.
static CHAIN: LazyLock<Rollup> = LazyLock::new(|| {
    let rollup = Rollup::start(chain_of(BLOCKS), SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("a free port");
    rollup.wait_until_indexed().expect("its history can be indexed");
    rollup
});

pub(super) fn on_chain(columns: u16, rows: u16) -> Builder {
    let ledger = chain_of(BLOCKS).ledger;
    let now = ledger.genesis_time.after(ledger.block_time * u32::try_from(BLOCKS).expect("a short history"));
    Explorer::builder().size(columns, rows).server(&CHAIN.url()).at(now)
}

/// The keys that lead to each screen. Heights and rows are those of the test chain, the same in every run.
pub(super) const SCREENS: [(&str, &str); 19] = [
    ("overview", ""),
    ("blocks", "2 j j"),
    ("block", "/ 1 3 7 enter"),
    ("block_json", "/ 1 3 7 enter J"),
    ("block_ahead", "/ 9 9 9 enter"),
    ("txs", "3 j j"),
    ("tx_story", "3 j enter"),
    ("tx_messages", "3 j enter l"),
    ("tx_events", "3 j enter l l"),
    ("tx_raw", "3 j enter J"),
    ("types", "3 f"),
    ("palette", ": f r e"),
    ("nfts", "4"),
    ("tx_logs", "3 j enter l l l"),
    ("tx_calls", "3 j j j j j j j j j j j enter l l l l"),
    ("account_txs", "3 j a"),
    ("account_nfts", "3 j a l"),
    ("account_collections", "3 j a l l"),
    ("account_rich_lists", "3 j a l l l"),
];

#[rstest]
fn screens(#[values((80, 24), (200, 50))] (columns, rows): (u16, u16)) {
    for (name, keys) in SCREENS {
        let explorer = on_chain(columns, rows).start();
        explorer.settle();
        for key in keys.split_whitespace() {
            explorer.press(key).settle();
        }
        // The transactions of a selected block are requested once the selection rests.
        explorer.advance(REST);
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), explorer.screen());
        explorer.quit();
    }
}

#[rstest]
fn help(#[values((80, 24), (200, 50))] (columns, rows): (u16, u16)) {
    let network =
        Network { name: "fixed".to_owned(), indexer: "https://indexer.example".to_owned(), ..Network::default() };
    let explorer = Explorer::builder().size(columns, rows).network(network).at(Timestamp::EPOCH).start();
    explorer.wait_for("connecting").keys("?").wait_for("Everywhere");
    insta::assert_snapshot!(format!("help_{columns}x{rows}"), explorer.screen());
    explorer.quit();
}

#[test]
fn screens_in_ascii_have_the_same_words_and_nothing_else() {
    let keys = ["1", "2", "3", "3 enter", "4", "5", "6", "?"];
    let words = |screen: &str| screen.split(|sign: char| !sign.is_ascii_alphanumeric()).map(str::to_owned).collect();
    let [plain, ascii] = [false, true].map(|is_ascii| {
        let styles = Styles::new(ThemeName::default()).with_ascii(is_ascii);
        let explorer = on_chain(120, 36).styles(&styles).start();
        explorer.settle();
        let screens = keys.map(|keys| {
            for key in keys.split_whitespace() {
                explorer.press(key).settle();
            }
            explorer.screen()
        });
        explorer.quit();
        screens
    });
    for (plain, ascii) in plain.iter().zip(&ascii) {
        assert!(ascii.is_ascii() && !plain.is_ascii(), "{ascii}");
        // A bar of half blocks is no word.
        let [plain, ascii]: [Vec<String>; 2] = [words(plain), words(ascii)];
        let [plain, ascii] =
            [plain, ascii].map(|words| words.into_iter().filter(|word| word.len() > 1).collect::<Vec<_>>());
        assert_eq!(plain, ascii);
    }
}

#[test]
fn without_colours_the_cursor_is_still_a_bar_and_nothing_has_a_colour() {
    for (theme, is_colored) in [(ThemeName::Mono, false), (ThemeName::Ansi, true)] {
        let explorer = on_chain(80, 24).theme(theme).start();
        explorer.settle().keys("3").settle();
        let buffer = explorer.buffer();
        let coloured =
            buffer.content().iter().filter(|cell| (cell.fg, cell.bg) != (Color::Reset, Color::Reset)).count();
        assert_eq!(coloured > 0, is_colored, "{theme}");
        let cursor = (0..buffer.area.width).filter(|column| buffer[(*column, 4)].modifier.contains(Modifier::REVERSED));
        assert!(cursor.count() > 70, "{theme}: the first row of the list is marked");
        explorer.quit();
    }
}

/// Rows with a bar over at least 20 columns: the cursor of the pane that has the keys.
fn bars(buffer: &Buffer) -> Vec<u16> {
    let is_bar = |column: u16, row: u16| buffer[(column, row)].modifier.contains(Modifier::REVERSED);
    let width = buffer.area.width;
    (0..buffer.area.height).filter(|row| (0..width).filter(|column| is_bar(*column, *row)).count() >= 20).collect()
}

#[test]
fn the_focused_pane_and_an_open_dialog_are_evident_in_each_theme() {
    for theme in ThemeName::iter() {
        let explorer = on_chain(120, 36).theme(theme).start();
        explorer.settle();
        let first = bars(&explorer.buffer());
        assert_eq!(first.len(), 1, "{theme}: one pane has the cursor's bar");
        explorer.press("j").settle();
        assert_eq!(bars(&explorer.buffer()), [first[0] + 1], "{theme}: and the keys");
        let before = explorer.buffer();
        explorer.press("?").settle();
        let (buffer, dimmed) = (explorer.buffer(), Styles::new(theme).behind_dialog());
        let emphasis = Modifier::BOLD | Modifier::REVERSED | Modifier::UNDERLINED;
        for row in 0..buffer.area.height - 1 {
            let (cell, page) = (&buffer[(1, row)], &before[(1, row)]);
            assert_eq!(cell.symbol(), page.symbol(), "{theme}: the page stays beside the dialog");
            assert!(!cell.modifier.intersects(emphasis), "{theme}: row {row} stands out behind the dialog");
            assert_eq!(Some(cell.fg), dimmed.fg, "{theme}: row {row}");
        }
        explorer.press("esc").settle();
        assert_eq!(explorer.buffer(), before, "{theme}");
        explorer.quit();
    }
}

#[test]
fn the_terminals_reply_about_its_background_chooses_the_theme_and_is_no_input() {
    let links = |buffer: &Buffer| {
        let colors = buffer.content().iter().map(|cell| cell.fg).collect::<Vec<_>>();
        ThemeName::iter()
            .filter(|theme| Styles::new(*theme).of(Meaning::Link).fg.is_some_and(|fg| colors.contains(&fg)))
            .collect::<Vec<_>>()
    };
    for (color, theme) in [("1e/1e/2e", ThemeName::Dark), ("ffff/fdfd/f0f0", ThemeName::Light)] {
        let explorer = on_chain(120, 36).start();
        explorer.settle().press("2").settle();
        assert_eq!(links(&explorer.buffer()), [ThemeName::Ansi]);
        explorer.keys("alt-]").type_text(&format!("11;rgb:{color}")).keys("alt-\\").settle();
        assert_eq!(links(&explorer.buffer()), [theme]);
        assert!(explorer.screen().contains("[2 Blocks]"), "a 1 of the reply opens no tab");
        explorer.keys("1").wait_for("[1 Overview]");
        explorer.quit();
    }
}

/// What lies behind `/`: nothing typed yet, a word, a height to come, and several things pasted at once.
#[rstest]
fn go_to(#[values((80, 24), (200, 50))] (columns, rows): (u16, u16)) {
    let explorer = on_chain(columns, rows).start();
    explorer.settle().press("/ 1 3 7 enter / 2 1 enter / 9 9 9 enter 3 j enter /");
    insta::assert_snapshot!(format!("go_to_recents_{columns}x{rows}"), explorer.screen());
    explorer.press("esc /").type_text("evm").settle();
    insta::assert_snapshot!(format!("go_to_denom_{columns}x{rows}"), explorer.screen());
    explorer.press("esc /").type_text("9999").settle();
    insta::assert_snapshot!(format!("go_to_ahead_{columns}x{rows}"), explorer.screen());
    let address = "init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne";
    let missing = "8E1CFF04".repeat(8);
    explorer.press("esc 1").paste(&format!("137\n21\n9,999\n{address}\n{missing}\n{}", &missing[..60])).settle();
    insta::assert_snapshot!(format!("go_to_several_{columns}x{rows}"), explorer.screen());
    explorer.press("enter").settle();
    insta::assert_snapshot!(format!("results_{columns}x{rows}"), explorer.screen());
    explorer.quit();
}
