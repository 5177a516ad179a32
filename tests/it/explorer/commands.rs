//! What is offered works, and what is not offered says why: on each of the fifteen screens every command of the
//! registry is tried, those that the palette offers through the palette, all others by their keys.

use std::time::Duration;

use ratatui::buffer::Cell;
use rollscope::{
    config::{COMMANDS, Command, Key, KeyLookup, KeyScope, Keymap, Topic},
    tui::SessionEnd,
};
use rstest::rstest;

use super::{Mode, on_chain};
use crate::harness::Explorer;

/// What ends the program, or leaves no trace on the screen of a test.
const NOT_TRIED: &[Command] = &[Command::Quit, Command::Suspend];
/// What may leave the screen as it is: where no address and no age is shown.
const MAY_BE_UNSEEN: &[Command] = &[Command::FlipAddress, Command::FlipTime];
/// What is taken back by a key, also where it changes what a tab shows.
const TAKEN_BACK: &[(Command, &str)] = &[
    (Command::NextSibling, "["),
    (Command::PreviousSibling, "]"),
    (Command::NextPane, "shift-tab"),
    (Command::PreviousPane, "tab"),
    (Command::NextTab, "left"),
    (Command::PreviousTab, "right"),
    (Command::LastColumn, "0"),
];
/// What is taken back by doing it once more.
const SWITCHES: &[Command] =
    &[Command::Freeze, Command::FlipAddress, Command::FlipTime, Command::FailedOnly, Command::Mark, Command::SwapEnds];

/// How a screen is come to, and which keys are in force on it.
pub(super) struct Route {
    pub(super) scope: KeyScope,
    /// Once, before the first time.
    pub(super) prepare: fn(&Explorer),
    /// Each time, from any other screen.
    pub(super) go: fn(&Explorer),
    /// Some of what must be offered, and some of what must not.
    offered: &'static [&'static str],
    refused: &'static [&'static str],
}

/// A tab, looked at, and then keys without a look between them.
fn keys(names: &'static str) -> impl Fn(&Explorer) {
    move |explorer| {
        let (tab, others) = names.split_once(' ').unwrap_or((names, ""));
        explorer.press(tab).keys(others).settle();
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BridgeSide {
    Quote,
    Transfers,
}

/// A side of the Bridge tab; a changed form waits a moment for what else may be typed.
fn go_to_side(explorer: &Explorer, side: BridgeSide) {
    explorer.press("1 6").settle();
    // From the form over the routes to the transfers, which have the whole screen.
    let is_there = |screen: &str| screen.contains("[Quote]") == (side == BridgeSide::Quote);
    for _ in 0..3 {
        if !is_there(&explorer.screen()) {
            explorer.press("tab");
        }
    }
    explorer.advance(Duration::from_millis(400));
}

/// The Bridge tab with its quotes; the form waits a moment for what else may be typed.
fn quotes(explorer: &Explorer) {
    explorer.press("6").advance(Duration::from_millis(400));
}

/// A deposit is sent by the demo wallet.
fn send(explorer: &Explorer) {
    quotes(explorer);
    explorer.press("tab enter S").wait_for("Transfer ");
}

pub(super) fn route_to(screen: &str) -> Route {
    let plain = |scope, go, offered, refused| Route { scope, prepare: |_| {}, go, offered, refused };
    match screen {
        "overview" => plain(
            KeyScope::TxList,
            |e| keys("1 g g")(e),
            &["open", "next-pane", "go-to"],
            &["filter", "export", "gallery", "metadata", "mark", "demo-send", "next-tab", "toggle-fold"],
        ),
        "blocks" => {
            plain(KeyScope::List, |e| keys("2 g g")(e), &["open", "export", "copy", "filter"], &["gallery", "mark"])
        }
        "txs" => plain(
            KeyScope::TxList,
            |e| keys("3 g g")(e),
            &["open", "filter", "failed-only", "mark", "open-signer", "open-block", "export"],
            &["signer-only", "compare", "next-word", "toggle-fold", "browser", "gallery", "owned-nfts"],
        ),
        "rich list" => plain(
            KeyScope::TxPage,
            |e| keys("5 g g")(e),
            &["open", "filter", "next-pane", "export", "mark"],
            &["next-tab", "raw-json", "gallery", "token-order", "metadata", "compare"],
        ),
        "collections" => {
            plain(KeyScope::List, |e| keys("4 g g")(e), &["open", "filter", "export"], &["gallery", "metadata"])
        }
        "block" => plain(
            KeyScope::TxPage,
            |e| keys("2 g g enter")(e),
            &["open", "previous-sibling", "next-sibling", "raw-json", "back"],
            &["filter", "toggle-fold", "signer-only", "failed-only", "open-block", "metadata", "next-word"],
        ),
        "tx" => plain(
            KeyScope::TxPage,
            |e| keys("3 g g enter")(e),
            &["next-tab", "next-word", "filter", "mark", "next-sibling", "open-block", "open-signer", "copy"],
            &["compare", "previous-sibling", "failed-only", "gallery", "token-order", "signer-only"],
        ),
        "compare" => Route {
            scope: KeyScope::TxPage,
            prepare: |_| {},
            go: |e| {
                keys("3 g g")(e);
                if !e.screen().contains('◆') {
                    e.press("m");
                }
                e.keys("j =").settle();
            },
            offered: &["next-tab", "filter", "fold-all", "back"],
            refused: &["compare", "export", "raw-json", "next-word", "failed-only", "next-sibling"],
        },
        "collection" => plain(
            KeyScope::NftPage,
            |e| keys("4 G enter")(e),
            &["open", "gallery", "token-order", "metadata", "previous-sibling"],
            &["raw-json", "next-tab", "next-sibling", "signer-only", "mark"],
        ),
        "token" => plain(
            KeyScope::NftPage,
            |e| {
                keys("4 G enter")(e);
                e.keys("g g enter").settle();
            },
            &["next-pane", "metadata", "owned-nfts", "next-sibling"],
            &["gallery", "token-order", "previous-sibling", "failed-only", "raw-json"],
        ),
        "account" => plain(
            KeyScope::TxPage,
            |e| keys("3 g g a")(e),
            &["open", "next-tab", "signer-only", "filter", "owned-nfts", "mark"],
            &["raw-json", "next-sibling", "gallery", "toggle-fold", "next-word"],
        ),
        "results" => plain(
            KeyScope::TxList,
            |e| {
                e.press("1").paste("3\n4\n5").settle();
                e.press("enter");
            },
            &["open", "back", "export", "copy"],
            &["filter", "signer-only", "mark", "failed-only"],
        ),
        _ => route_in_bridge(screen),
    }
}

fn route_in_bridge(screen: &str) -> Route {
    match screen {
        "quotes" => Route {
            scope: KeyScope::Bridge,
            prepare: quotes,
            go: |e| {
                go_to_side(e, BridgeSide::Quote);
                e.press("g g");
            },
            offered: &["open", "next-sibling", "swap-ends", "track", "next-tab", "export"],
            refused: &["filter", "demo-send", "acknowledge", "slippage", "label", "forget", "raw-json"],
        },
        "send" => Route {
            scope: KeyScope::Bridge,
            prepare: |e| {
                quotes(e);
                e.press("tab");
            },
            go: |e| keys("6 enter")(e),
            offered: &["demo-send", "slippage", "filter", "back", "copy"],
            refused: &["acknowledge", "swap-ends", "next-tab", "label", "next-sibling"],
        },
        "transfers" => Route {
            scope: KeyScope::Bridge,
            prepare: send,
            go: |e| go_to_side(e, BridgeSide::Transfers),
            offered: &["open", "track", "filter", "transfer-order", "label", "forget", "next-tab", "export"],
            refused: &["next-step", "swap-ends", "demo-send", "raw-json"],
        },
        "transfer" => Route {
            scope: KeyScope::Bridge,
            prepare: send,
            go: |e| {
                go_to_side(e, BridgeSide::Transfers);
                e.press("enter");
            },
            offered: &["label", "forget", "filter", "refresh", "back", "copy", "export"],
            refused: &["next-step", "transfer-order", "slippage", "next-tab", "next-sibling"],
        },
        _ => unreachable!("no such screen: {screen}"),
    }
}

/// The lines within the frame that has this title.
fn framed(explorer: &Explorer, title: &str) -> Vec<String> {
    let screen = explorer.screen();
    let mut lines = screen.lines().skip_while(|line| !line.contains(&format!("┌ {title} ")));
    let top = lines.next().unwrap_or_else(|| panic!("{title} is open:\n{screen}"));
    let left = top.split(&format!("┌ {title} ")).next().unwrap_or_default().chars().count();
    let right = top.chars().skip(left).position(|c| c == '┐').unwrap_or(top.len());
    let cut = |line: &str| -> String { line.chars().skip(left + 1).take(right - 1).collect() };
    lines.take_while(|line| line.chars().nth(left) == Some('│')).map(cut).collect()
}

/// The names of the commands that the open palette lists, from the top.
fn names(explorer: &Explorer) -> Vec<Command> {
    let name = |line: &String| line.split_whitespace().next().map(|name| name.parse().expect("a command"));
    framed(explorer, "Commands").iter().skip(1).filter_map(name).collect()
}

pub(super) fn offered(explorer: &Explorer) -> Vec<Command> {
    explorer.press(":");
    let names = names(explorer);
    explorer.press("esc");
    names
}

pub(super) fn footer(explorer: &Explorer) -> String {
    explorer.screen().lines().last().unwrap_or_default().trim().to_owned()
}

/// What a test sees of what a key did, but for the footer: the screen with its styles, what was asked for, taken away.
fn traces(explorer: &Explorer) -> (Vec<Cell>, [usize; 4]) {
    let buffer = explorer.buffer();
    let footer = usize::from(buffer.area.width) * usize::from(buffer.area.height - 1);
    let counts = [explorer.sent(), explorer.copied().len(), explorer.opened().len(), explorer.written().len()];
    (buffer.content[..footer].to_vec(), counts)
}

/// What is offered, but for the way through history, which every look at a screen makes longer.
fn steady(offered: &[Command]) -> Vec<Command> {
    let is_history = |command: &Command| matches!(command, Command::HistoryBack | Command::HistoryForward);
    offered.iter().copied().filter(|command| !is_history(command)).collect()
}

/// Runs a command through the palette, which offers the same as before.
fn run(explorer: &Explorer, command: Command, listed: &[Command]) {
    explorer.press(":");
    let offered = names(explorer);
    assert_eq!(steady(&offered), steady(listed), "the screen is as it was before {command}");
    let place = offered.iter().position(|known| *known == command);
    explorer.keys(&"down ".repeat(place.unwrap_or_else(|| panic!("{command} is offered")))).keys("enter").settle();
}

#[rstest]
fn what_is_offered_works_and_what_is_not_says_why(
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
    let explorer = on_chain(Mode::Specified, 40).size(104, 58).start();
    explorer.settle();
    (route.prepare)(&explorer);
    (route.go)(&explorer);
    let listed = offered(&explorer);
    for name in route.offered {
        let command: Command = name.parse().expect("the name of a command");
        assert!(listed.contains(&command), "{name} is offered on {screen}:\n{}", explorer.screen());
    }
    for name in route.refused {
        let command: Command = name.parse().expect("the name of a command");
        assert!(!listed.contains(&command), "{name} is not offered on {screen}:\n{}", explorer.screen());
    }
    for command in listed.iter().filter(|command| !NOT_TRIED.contains(command)) {
        (route.go)(&explorer);
        let before = (traces(&explorer), footer(&explorer));
        run(&explorer, *command, &listed);
        let said = footer(&explorer);
        assert!(!said.starts_with("! "), "{command} is offered on {screen}, and refused: {said}");
        let is_seen = (traces(&explorer), said) != before;
        assert!(
            is_seen || MAY_BE_UNSEEN.contains(command),
            "{command} does something on {screen}:\n{}",
            explorer.screen()
        );
        if SWITCHES.contains(command) {
            let now = offered(&explorer);
            run(&explorer, *command, &now);
        }
        if let Some((_, key)) = TAKEN_BACK.iter().find(|(of, _)| of == command) {
            explorer.press(key);
        }
        // What was opened over the screen is closed; where nothing was, the way here begins elsewhere.
        explorer.press("esc");
    }
    (route.go)(&explorer);
    let listed = offered(&explorer);
    let keymap = Keymap::built_in();
    for entry in COMMANDS.iter().filter(|entry| !listed.contains(&entry.command)) {
        if matches!(entry.command, Command::ForceQuit | Command::Palette) {
            continue;
        }
        let all = entry.keys.iter().flat_map(|(_, keys)| *keys);
        for keys in all {
            let typed: Vec<Key> = keys.split(' ').map(|key| key.parse().expect("a key")).collect();
            if keymap.look_up(route.scope.layers(), &typed) != KeyLookup::Command(entry.command) {
                continue;
            }
            let before = traces(&explorer);
            explorer.press(keys);
            let said = footer(&explorer);
            assert_eq!(traces(&explorer), before, "{} does nothing on {screen}", entry.command);
            let is_quiet = matches!(entry.topic, Topic::Moving | Topic::Tabs)
                && !matches!(entry.command, Command::NextPane | Command::PreviousPane);
            assert!(is_quiet || said.starts_with("! "), "{} says why not on {screen}: {said}", entry.command);
        }
    }
    explorer.quit();
}

#[test]
fn the_keys_that_may_follow_are_told_with_what_they_do() {
    let explorer = on_chain(Mode::Specified, 40).start();
    explorer.press("3 j z");
    assert_eq!(footer(&explorer), "z…", "nothing can be folded in a list");
    explorer.press("esc g");
    let said = footer(&explorer);
    assert!(said.starts_with("g newest ") && said.ends_with(" g…"), "{said}");
    explorer.press("g enter l z");
    let said = footer(&explorer);
    assert!(said.starts_with("a fold  M fold all  R unfold all"), "{said}");
    explorer.quit();
}

#[test]
fn the_palette_names_what_cannot_be_done_and_why_only_where_nothing_else_matches() {
    let explorer = on_chain(Mode::Specified, 40).start();
    explorer.press("2 :").type_text("gallery").settle();
    explorer.wait_for("unknown command").press("esc 6 shift-tab :").type_text("next-step").settle();
    explorer.wait_for("next-step is not available: select a transfer first").press("enter");
    explorer.wait_for("! select a transfer first");
    explorer.quit();
}

#[test]
fn help_begins_with_what_can_be_done_here() {
    let explorer = on_chain(Mode::Specified, 40).size(108, 24).start();
    explorer.press("3 ?");
    let lines = framed(&explorer, "Help");
    assert_eq!(lines[0].trim(), "▾ Here");
    assert!(lines[1].trim().ends_with("Open the selected row; in JSON fold or unfold"), "{lines:#?}");
    let refused = lines.iter().find(|line| line.contains("not now")).expect("a list is no account");
    assert!(refused.split_whitespace().any(|key| key == "s"), "{refused}");
    assert!(
        !lines.iter().any(|line| line.contains("Bridge: ")),
        "the bridge's keys work on the bridge only: {lines:#?}"
    );
    explorer.quit();
}

#[test]
fn no_key_is_mute_and_the_words_of_editors_are_answered() {
    let explorer = on_chain(Mode::Specified, 40).size(108, 24).start();
    explorer.settle();
    for key in ["ctrl-e", "ctrl-w", "V", "d", "u", "*", "#", "-", "+", "!", "Z Z", "? V", "esc 3 W"] {
        explorer.press(key);
        assert!(footer(&explorer).starts_with("! no such key; ? lists keys"), "{key}: {}", footer(&explorer));
    }
    for text in ["w", "wq", "x", "e"] {
        explorer.press(":").paste(text).press("enter");
        assert!(
            footer(&explorer).starts_with("! no file is open: q quits, e exports"),
            "{text}: {}",
            footer(&explorer)
        );
    }
    // A row that the user moves to is run.
    explorer.press(":").paste("e").press("down").settle();
    explorer.press("enter");
    assert!(!footer(&explorer).contains("no file is open"), "{}", footer(&explorer));
    explorer.press("esc esc");
    // Letters that only a scattered match has run nothing, until the user chooses the row.
    explorer.press(":").paste("hfup").press("enter");
    assert!(footer(&explorer).starts_with("! unknown command"), "{}", footer(&explorer));
    explorer.press("3 M ctrl-n ctrl-n ctrl-p").settle();
    let middle = explorer.screen();
    explorer.press("2 ctrl-o").settle();
    assert_eq!(explorer.screen(), middle, "one page back");
    explorer.press(":").paste("q!").keys("enter");
    assert_eq!(explorer.end(), Ok(SessionEnd::Quit));
}

#[test]
fn a_refusal_is_never_a_tick_and_a_success_is() {
    let explorer = on_chain(Mode::Specified, 40).start();
    for (keys, refusal) in [
        ("1 e", "! no data to export here"),
        ("1 o", "! this network has no web explorer"),
        ("3 z a", "! no foldable block under the cursor"),
        ("6 f", "! filter: unavailable"),
        ("6 S", "! demo send: unavailable"),
    ] {
        explorer.press(keys);
        assert!(footer(&explorer).starts_with(refusal), "{keys}: {}", footer(&explorer));
    }
    explorer.press("3 m");
    assert!(footer(&explorer).starts_with("✓ ") && footer(&explorer).contains("marked"), "{}", footer(&explorer));
    explorer.press("r");
    assert!(footer(&explorer).starts_with("· refreshing"), "{}", footer(&explorer));
    explorer.press("2 e enter");
    assert!(footer(&explorer).starts_with("✓ all 40 rows · saved blocks.jsonl"), "{}", footer(&explorer));
    explorer.quit();
}
