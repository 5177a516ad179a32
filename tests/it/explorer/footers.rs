//! What footers say, by the registry of commands: on every screen and at any width what can be done there, in the order
//! of usefulness that the palette has too, as much as has room, and last what shows the rest.

use std::{collections::BTreeMap, time::Duration};

use rollscope::config::{Command, KeyScope, Keymap, Topic};
use rstest::rstest;
use unicode_width::UnicodeWidthStr as _;

use super::{
    Mode,
    commands::{footer, offered, route_to},
    on_chain,
};
use crate::harness::Explorer;

/// Wide enough for everything.
const WIDEST: u16 = 600;
/// The widest screen without a preview: panes take turns there, which is a command of its own.
const NARROW: u16 = 109;
const WIDTHS: [u16; 6] = [60, 80, 104, 133, 200, 300];
/// Columns from which the palette is among what comes last.
const ROOM_FOR_PALETTE: usize = 60;
/// What footers leave out, being one of several ways or known to everybody, beside what moves and the tabs.
const SPARE: &[Command] = &[
    Command::HistoryBack,
    Command::HistoryForward,
    Command::Suspend,
    Command::Fault,
    Command::CopyFirst,
    Command::NextTab,
    Command::PreviousTab,
    Command::NextPane,
    Command::NameAccount,
    Command::PreviousWord,
    Command::PreviousSibling,
    Command::FoldAll,
    Command::UnfoldAll,
];

/// The footer without what stands at its right end, and the room that it has.
fn parts(explorer: &Explorer, width: u16) -> (String, usize) {
    let line = footer(explorer);
    let (keys, banner) = match line.split_once('◆') {
        Some((keys, hash)) => (keys.trim().to_owned(), format!("◆{hash} ").width()),
        None => (line, 0),
    };
    (keys, usize::from(width) - banner - 1)
}

/// The labels of what a footer shows that has room for all of it; what of the palette's list is not there is spare.
fn labels(footer: &str, listed: &[(Command, String)]) -> BTreeMap<Command, String> {
    let mut items = footer.split("  ").map(|item| item.trim().split_once(' ').unwrap_or_default()).peekable();
    let mut labels = BTreeMap::new();
    for (command, key) in listed {
        if let Some((_, label)) = items.next_if(|(shown, _)| shown == key) {
            labels.insert(*command, label.to_owned());
        } else {
            let is_told = matches!(command, Command::NextPage | Command::Top);
            let is_known = matches!(command.entry().topic, Topic::Moving | Topic::Tabs) && !is_told;
            assert!(is_known || SPARE.contains(command), "{command} can be done, and is not in {footer}");
        }
    }
    let last: Vec<_> = items.map(|(_, label)| label).collect();
    assert_eq!(last, ["commands", "help"], "nothing else, and these last: {footer}");
    labels
}

/// As much of it as has room, in order; what leads back is there in any case.
fn expected(listed: &[(Command, String)], labels: &BTreeMap<Command, String>, room: usize) -> String {
    let item = |key: &str, label: &str| format!(" {key} {label} ");
    let palette = (room >= ROOM_FOR_PALETTE).then(|| item(":", "commands"));
    let last = palette.into_iter().chain([item("?", "help")]).collect::<String>();
    let mut line = String::new();
    let items = listed.iter().filter_map(|(command, key)| Some((command, item(key, labels.get(command)?))));
    let is_back = |command: &Command| *command == Command::Back;
    let mut kept: usize = items.clone().filter(|(command, _)| is_back(command)).map(|(_, item)| item.width()).sum();
    for (command, item) in items.filter(|(command, _)| !matches!(command, Command::Help | Command::Palette)) {
        kept -= if is_back(command) { item.width() } else { 0 };
        if is_back(command) || line.width() + item.width() + kept + last.width() <= room {
            line += &item;
        }
    }
    (line + &last).trim().to_owned()
}

#[rstest]
fn a_footer_shows_what_can_be_done_in_whole_words(
    #[values(
        "overview",
        "blocks",
        "txs",
        "rich list",
        "collections",
        "block",
        "tx",
        "compare",
        "collection",
        "token",
        "account",
        "results",
        "quotes",
        "send",
        "transfers",
        "transfer"
    )]
    screen: &str,
) {
    let route = route_to(screen);
    let explorer = on_chain(Mode::Specified, 40).size(104, 60).start();
    explorer.settle();
    (route.prepare)(&explorer);
    (route.go)(&explorer);
    // What was said on the way is gone by now.
    explorer.advance(Duration::from_secs(20));
    let keymap = Keymap::built_in();
    let listed = |width: u16| -> Vec<(Command, String)> {
        explorer.resize(width, 60).settle();
        let key = |command: Command| Some((command, keymap.shown(route.scope.layers(), command)?));
        // Help is asked for last, wherever it is listed.
        offered(&explorer).into_iter().filter(|command| *command != Command::Help).filter_map(key).collect()
    };
    let all = listed(WIDEST);
    let (line, _) = parts(&explorer, WIDEST);
    let mut labels = labels(&line, &all);
    assert!(labels.len() >= 8, "{screen}: {line}");
    for (command, key) in listed(NARROW).into_iter().filter(|found| !all.contains(found)) {
        let (line, _) = parts(&explorer, NARROW);
        let item =
            line.split("  ").find_map(|item| item.trim().strip_prefix(&format!("{key} ")).map(ToOwned::to_owned));
        labels.extend(item.map(|label| (command, label)));
    }
    for width in WIDTHS {
        let listed = listed(width);
        let (line, room) = parts(&explorer, width);
        assert_eq!(line, expected(&listed, &labels, room), "{screen} at {width}");
    }
    for width in [50, 80, 120] {
        explorer.resize(width, 20).settle();
        let (line, _) = parts(&explorer, width);
        let back = labels.get(&Command::Back).map(|label| format!("Esc {label}"));
        assert!(back.is_none_or(|back| line.contains(&back)), "{screen} at {width} shows no way out: {line}");
        assert!(line.ends_with("? help"), "{screen} at {width}: {line}");
    }
    explorer.quit();
}

#[test]
fn what_lies_over_a_screen_says_at_any_width_how_it_is_closed() {
    let explorer = on_chain(Mode::Specified, 40).size(120, 20).start();
    explorer.settle().press("3");
    let keymap = Keymap::built_in();
    let over = [
        Command::GoTo,
        Command::Palette,
        Command::Help,
        Command::Inspector,
        Command::Copy,
        Command::ChooseColumns,
        Command::Filter,
    ];
    for command in over {
        let shown = keymap.shown(KeyScope::TxList.layers(), command).expect("it has a key");
        let key = if shown.chars().count() > 1 { shown.to_lowercase() } else { shown };
        for width in [50, 80, 120] {
            explorer.resize(width, 20).press(&key);
            let line = footer(&explorer);
            assert!(line.contains("Esc "), "{command} at {width} shows no way out: {line}\n{}", explorer.screen());
            explorer.press("esc");
        }
    }
    explorer.quit();
}
