//! The binary in a pseudo-terminal: what a person sees, and the terminal afterwards.

mod outcomes;
mod signing;
#[cfg(target_os = "linux")]
mod soak;
pub(crate) mod terminal;
mod tmux;

use std::{collections::BTreeSet, time::Instant};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::{
    demo::Rollup,
    store::{Store, StoreScope},
};
use rustix::process::{Signal, kill_process};
use serde_json::json;

use self::terminal::{Output, Pty};
use crate::{
    cli::chain::Chain,
    explorer::scripted::{Server, chain},
    harness::{chain_of, replay::Answer, rollup_of, rounds, wait_until},
};

pub(crate) const EXPLORER: &str = env!("CARGO_BIN_EXE_rollscope");

/// The explorer on the embedded rollup.
fn start(variables: &[(&str, &str)]) -> Pty {
    Pty::spawn(EXPLORER, &["demo", "--seed", "1", "--history", "200"], variables, (120, 36))
}

/// The number behind “height ” on the screen, in the header.
fn height(output: &Output) -> Option<u64> {
    let screen = output.screen();
    let (_, rest) = screen.split_once("height ")?;
    let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == ',').filter(|c| *c != ',').collect();
    digits.parse().ok()
}

fn wait_for_live_blocks(pty: &mut Pty) {
    pty.wait_until("a height", |output| height(output).is_some());
    let first = pty.read(height);
    pty.wait_until("a new block", |output| height(output) > first);
}

/// As before the program started: settings, private modes, and the screen that the alternate one had covered.
fn assert_restored(pty: &Pty) {
    assert_eq!(pty.settings(), pty.settings_before());
    pty.read(|output| {
        let terminal = output.terminal();
        assert!(!terminal.alternate_screen() && !terminal.hide_cursor() && !terminal.bracketed_paste());
        assert_eq!(terminal.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert_eq!(terminal.mouse_protocol_encoding(), vt100::MouseProtocolEncoding::Default);
        assert_eq!(terminal.fgcolor(), vt100::Color::Default);
        assert_eq!(output.modes(), BTreeSet::from([25]));
    });
}

#[test]
fn live_blocks_a_transaction_a_tiny_window_and_a_clean_end() {
    let mut pty = start(&[]);
    pty.wait_for("rollscope");
    wait_for_live_blocks(&mut pty);
    pty.keys("3").wait_for("Txs · ").wait_for("✓").keys("space enter").wait_for("Raw");
    pty.resize(19, 4).wait_until("a notice instead of the page", |output| output.screen().contains("needs 20×5"));
    pty.resize(120, 36).wait_for("Raw").keys("q");
    assert_eq!(pty.wait_exit(), 0);
    assert_restored(&pty);
    assert_eq!(pty.read(Output::screen).trim(), "", "nothing is left behind");
}

/// The terminal replies about its background only once the explorer no longer waits for the colour, and in two pieces.
#[test]
fn a_late_reply_about_the_background_is_swallowed() {
    let mut pty = start(&[]);
    wait_for_live_blocks(&mut pty);
    assert!(pty.read(|output| output.bytes.windows(6).any(|bytes| bytes == b"\x1b]11;?")), "the terminal is asked");
    pty.keys("2").wait_for("[2 Blocks]");
    pty.send(b"\x1b]11;rgb:1e1e/1e");
    wait_for_live_blocks(&mut pty);
    pty.send(b"1e/2e2e\x1b\\").keys("j ?").wait_for("Everywhere");
    pty.keys("esc").wait_for("[2 Blocks]");
    assert_ended_by(&mut pty, Signal::ALARM);
}

#[test]
fn a_panic_gives_the_terminal_back_and_says_why() {
    let mut pty = start(&[("ROLLSCOPE_TEST_PANIC", "f9")]);
    pty.wait_for("rollscope").keys("f9");
    assert_eq!(pty.wait_exit(), 1);
    assert_restored(&pty);
    let screen = pty.read(Output::screen);
    assert!(screen.contains("ROLLSCOPE_TEST_PANIC"), "{screen}");
}

#[test]
fn signals_give_the_terminal_back() {
    let ends = [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT, Signal::ABORT, Signal::USR1];
    for signal in ends {
        let mut pty = start(&[]);
        pty.wait_for("rollscope");
        assert_ended_by(&mut pty, signal);
    }
}

fn assert_ended_by(pty: &mut Pty, signal: Signal) {
    pty.signal(signal);
    assert_eq!(i64::from(pty.wait_exit()), 128 + i64::from(signal.as_raw()), "{signal:?}");
    assert_restored(pty);
}

/// Waits for the explorer's screen. The system drops a continuation that comes at the moment of the stop itself; one
/// that finds the process stopped is never lost.
#[cfg(target_os = "linux")]
fn wait_continued(pty: &Pty, is_there: impl Fn(&Output) -> bool) {
    wait_until("the explorer", || {
        if pty.is_stopped() {
            kill_process(pty.pid(), Signal::CONT).expect("the program is there");
        }
        pty.read(&is_there)
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_stop_from_outside_gives_the_terminal_back_until_it_goes_on() {
    let mut pty = start(&[]);
    pty.wait_for("rollscope").signal(Signal::TSTP);
    pty.wait_until("the screen from before", |output| !output.terminal().alternate_screen());
    wait_until("the stop", || pty.is_stopped());
    assert_restored(&pty);
    pty.signal(Signal::CONT).wait_for("rollscope");
    pty.read(|output| assert!(output.terminal().alternate_screen() && output.terminal().bracketed_paste()));
    assert_ne!(pty.settings(), pty.settings_before(), "raw again");
    // A continuation as soon as the terminal is back, and then in the middle of anything.
    for _ in 0..10 {
        pty.signal(Signal::TSTP).wait_until("the screen from before", |output| !output.terminal().alternate_screen());
        wait_continued(pty.signal(Signal::CONT), |output| output.terminal().alternate_screen());
    }
    for _ in 0..10 {
        pty.signal(Signal::TSTP).signal(Signal::CONT);
    }
    pty.keys("2");
    wait_continued(&pty, |output| output.screen().contains("[2 Blocks]"));
    pty.keys("ctrl-c");
    assert_eq!(pty.wait_exit(), 0);
    assert_restored(&pty);
}

#[test]
fn ctrl_z_leads_to_the_shell_and_fg_back() {
    let mut pty = Pty::spawn("sh", &["-i"], &[("PS1", "$ ")], (120, 36));
    pty.wait_for("$ ").send(format!("'{EXPLORER}' demo --seed 1 --history 200\n").as_bytes());
    let is_explorer = |output: &Output| output.terminal().alternate_screen() && output.screen().contains("rollscope");
    // What is typed before the prompt is there may be thrown away by the shell.
    let is_prompt =
        |output: &Output| !output.terminal().alternate_screen() && output.screen().trim_end().ends_with('$');
    pty.wait_until("the explorer", is_explorer).keys("ctrl-z");
    pty.wait_until("the shell's prompt", is_prompt);
    pty.send(b"echo shell-$((40 + 2))\n").wait_for("shell-42").send(b"fg\n");
    pty.wait_until("the explorer again", is_explorer).keys("ctrl-c");
    pty.wait_until("the shell's prompt again", is_prompt);
    pty.send(b"exit\n");
    assert_eq!(pty.wait_exit(), 0);
    assert_restored(&pty);
}

#[test]
fn another_network_is_shown_and_the_former_one_again_where_that_fails() {
    let rollup = rollup_of(chain_of(30));
    let mut pty = start(&[]);
    pty.wait_for("height 20").send(format!(":use {}", rollup.url()).as_bytes()).keys("enter");
    pty.wait_for("┌ Network").keys("enter").wait_for("height 30 ");
    pty.send(b":use nowhere").keys("enter").wait_for("┌ Network").keys("enter").wait_for("unknown network “nowhere”");
    pty.wait_for("height 30 ").send(b":use http://127.0.0.1:1").keys("enter").wait_for("┌ Network").keys("enter");
    pty.wait_for("no node answers").wait_for("height 30 ");
    pty.send(b":use demo").keys("enter").wait_for("┌ Network").keys("enter").wait_for("height 20");
    // The servers of a link are asked before it is opened.
    pty.send(format!("/{}", link(&rollup.url(), "other-1")).as_bytes()).wait_for("link to other-1").keys("enter");
    pty.wait_for("the servers serve rollscope-evm-1, not other-1").keys("enter").wait_for("✗ other-1, unproven");
    let is_closed = |output: &Output| !output.screen().contains("Esc leave");
    pty.keys("esc").wait_until("no dialog", is_closed);
    pty.send(b"/https://x.example/custom-network/add/link?config=e%").keys("enter").wait_for("not base64");
    pty.wait_until("no dialog", is_closed);
    pty.send(format!(":use {}", link(&rollup.url(), "rollscope-evm-1")).as_bytes()).keys("enter");
    for answered in ["RPC", "REST", "JSON-RPC"] {
        pty.wait_until(answered, |output| {
            let is_good = |line: &str| line.contains(answered) && line.contains("✓ http") && line.contains("height 30");
            output.screen().lines().any(is_good)
        });
    }
    pty.wait_for("✓ rollscope-evm-1, by each server").wait_for("saves nothing").keys("enter");
    pty.wait_until("the network", |output| is_closed(output) && output.screen().contains("height 30 "));
    let settings = pty.home().join("rollscope/config.toml");
    assert!(!settings.exists());
    pty.send(format!(":use {}", link(&rollup.url(), "rollscope-evm-1")).as_bytes()).keys("enter");
    pty.wait_for("saves nothing").keys("down down down down enter").wait_for("kept rollscope-evm-1 in ");
    let kept = std::fs::read_to_string(&settings).expect("the settings are written");
    let url = rollup.url();
    assert_eq!(
        kept,
        format!(
            "\n[[networks]]\nname = \"rollscope-evm-1\"\nchain_id = \"rollscope-evm-1\"\nnode = \"{url}/node/rpc\"\n\
             rest = \"{url}/node/rest\"\njson_rpc = \"{url}/node/json-rpc\"\n"
        )
    );
    pty.wait_for("at 30").keys("ctrl-c");
    assert_eq!(pty.wait_exit(), 0);
    assert_restored(&pty);
}

/// Whether the dialog of networks has this row.
fn has_row(output: &Output, label: &str, detail: &str) -> bool {
    output.screen().lines().any(|line| line.contains(&format!("  {label} ")) && line.contains(detail))
}

#[test]
fn a_network_that_was_left_returns_as_it_was_and_asks_nothing_meanwhile() {
    // The height tells which network is on screen.
    let server = Server::new(|seen, _| match seen.target.get(..3) {
        Some("/b/") => chain(seen, 41),
        Some("/c/") => chain(seen, 42),
        _ => chain(seen, 40),
    });
    let far = |name: &str| format!("{}/{name}", server.url());
    let mut pty = start(&[]);
    open_block(&mut pty);
    let opened = pty.read(block);
    use_network(&mut pty, &far("a")).wait_for("height 40 ").keys("3").wait_for("0028…");

    // The first row of the dialog leads back.
    pty.send(b":use").keys("enter");
    pty.wait_until("a kept network", |output| has_row(output, "demo", "kept until ")).keys("enter");
    pty.wait_until("its page", |output| block(output) == opened);
    let asked = server.seen().len();
    wait_for_live_blocks(&mut pty);
    wait_for_live_blocks(&mut pty);
    assert_eq!(server.seen().len(), asked, "nothing is asked while it is kept");
    pty.keys("esc").wait_until("the list", |output| block(output).is_none());

    // Of three, the oldest goes.
    use_network(&mut pty, &far("b")).wait_for("height 41 ");
    use_network(&mut pty, &far("c")).wait_for("height 42 ").send(b":use").keys("enter").wait_for("┌ Network");
    let host = server.url().trim_start_matches("http://").to_owned();
    pty.wait_until("two kept networks", |output| {
        has_row(output, &format!("{host}/b"), "kept until ") && has_row(output, "demo", "kept until ")
    });
    // The last line of the dialog: the frame is whole.
    pty.wait_for("kept networks return as you left them");
    assert!(!pty.read(|output| output.screen().contains(&format!("{host}/a"))));
    pty.keys("ctrl-c");
    assert_eq!(pty.wait_exit(), 0);
    assert_restored(&pty);
}

#[test]
fn a_network_opens_anew_after_its_time() {
    let server = Server::new(|seen, _| chain(seen, 40));
    let mut pty = start(&[("ROLLSCOPE_TEST_KEPT_SECONDS", "0")]);
    open_block(&mut pty);
    use_network(&mut pty, server.url()).wait_for("height 40 ").send(b":use").keys("enter").wait_for("┌ Network");
    pty.wait_for("Enter also accepts other text");
    assert!(!pty.read(|output| output.screen().contains("kept until")));
    pty.send(b"demo")
        .wait_for("the embedded rollup")
        .keys("enter")
        .wait_for("height 2")
        .keys("ctrl-o")
        .wait_for("this is the first page")
        .keys("ctrl-c");
    assert_eq!(pty.wait_exit(), 0);
    assert_restored(&pty);
}

fn use_network<'a>(pty: &'a mut Pty, name: &str) -> &'a mut Pty {
    pty.send(format!(":use {name}").as_bytes()).keys("enter").wait_for("┌ Network").keys("enter")
}

fn open_block(pty: &mut Pty) {
    pty.wait_for("height 2").keys("2").wait_for("-sequencer").keys("j j enter");
    pty.wait_until("a block's page", |output| block(output).is_some());
}

/// The height of the block whose page is open.
fn block(output: &Output) -> Option<String> {
    let screen = output.screen();
    let (_, rest) = screen.split_once(" › Block ")?;
    rest.split_whitespace().next().map(ToOwned::to_owned)
}

/// A node that takes connections and never answers.
#[test]
fn ctrl_c_ends_the_program_while_another_network_is_opened() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("an address is free");
    let url = format!("http://{}", silent.local_addr().expect("it listens"));
    let mut pty = start(&[]);
    pty.wait_for("height 20").send(format!(":use {url}").as_bytes()).keys("enter").wait_for("┌ Network").keys("enter");
    pty.wait_for("rollscope: opening http://127.0.0.1").keys("ctrl-c");
    assert_ne!(pty.wait_exit(), 0);
    assert_restored(&pty);
}

/// Link as weave writes it, to the node of a rollup.
pub(crate) fn link(url: &str, chain_id: &str) -> String {
    let (rpc, lcd, json_rpc) = (format!("{url}/node/rpc"), format!("{url}/node/rest"), format!("{url}/node/json-rpc"));
    let config = json!({"vm": "evm", "chainId": chain_id, "lcd": lcd, "rpc": rpc, "jsonRpc": json_rpc}).to_string();
    format!("https://scan.testnet.initia.xyz/custom-network/add/link?config={}", BASE64_STANDARD.encode(config))
}

/// The demo wallet sends a first transfer of this explorer.
fn send(explorer: &mut Pty) -> &mut Pty {
    explorer.wait_for("rollscope").keys("6").wait_for("OP bridge").keys("tab enter");
    explorer.wait_for("S: sign and send").keys("S")
}

/// The rollup is the test's own, and outlives the killed program.
#[test]
fn a_transfer_outlives_kill_9_and_its_end_rings_and_is_in_the_title() {
    let rollup = rollup_of(chain_of(30));
    let url = rollup.url();
    let arguments = ["--indexer", &url, "--router", &url];
    kill_again_and_again(&arguments, &rollup);
    let mut killed = Pty::spawn(EXPLORER, &arguments, &[], (120, 36));
    send(&mut killed).wait_for("› Transfer ");
    rollup.step(3).expect("it makes blocks");
    killed.wait_for("the router tracks the transaction").signal(Signal::KILL);
    killed.wait_exit();
    rollup.step(80).expect("it makes blocks");

    let mut second = killed.spawn_beside(EXPLORER, &arguments);
    let text = |output: &Output| String::from_utf8_lossy(&output.bytes).into_owned();
    second.wait_until("a title", |output| text(output).contains("\x1b]2;✓ Arrived: "));
    assert_eq!(second.read(text).matches('\x07').count(), 1, "it rings once");
    second.keys("6").wait_until("its own title", |output| text(output).contains("\x1b[23;2t"));
    second.keys("shift-tab").wait_for("✓ arrived").keys("enter").wait_for("Sent by the demo wallet").keys("ctrl-c");
    assert_eq!(second.wait_exit(), 0);
    assert_restored(&second);
}

/// Kills explorers of one state file until there were as many kills as `.ci/long` says, with one of the caller's: at
/// the start, after the send, with the hash on screen, and followed. What the screen showed is in the file, each once.
fn kill_again_and_again(arguments: &[&str], rollup: &Rollup) {
    let (mut pressed, mut shown) = (0, 0);
    let mut before: Option<Pty> = None;
    for round in 1..rounds() {
        let mut explorer = match &before {
            Some(before) => before.spawn_beside(EXPLORER, arguments),
            None => Pty::spawn(EXPLORER, arguments, &[], (120, 36)),
        };
        if round % 4 == 0 {
            explorer.wait_for("rollscope");
        } else {
            send(&mut explorer);
            pressed += 1;
        }
        if matches!(round % 4, 2 | 3) {
            explorer.wait_for("› Transfer ");
            shown += 1;
        }
        if round % 4 == 3 {
            rollup.step(3).expect("it makes blocks");
            explorer.wait_for("the router tracks the transaction");
        }
        explorer.signal(Signal::KILL).wait_exit();
        let state = explorer.home().join("rollscope/state.sqlite");
        if state.exists() {
            let kept = Store::open(&state).and_then(|store| store.transfers(&StoreScope::new(arguments[1])));
            let kept = kept.expect("the state file can be read").len();
            assert!((shown..=pressed).contains(&kept), "{shown} shown, {kept} kept, {pressed} sent");
        }
        before = Some(explorer);
    }
    eprintln!("killed {} times with {pressed} sends: {shown} shown and all of them kept", rounds());
}

/// The journal of the embedded rollup is made to be an old one.
#[test]
fn a_rollup_of_over_an_hour_ago_is_begun_anew_before_a_persons_eyes_and_in_the_log() {
    let arguments = ["demo", "--seed", "1", "--history", "60"];
    let mut first = Pty::spawn(EXPLORER, &arguments, &[], (160, 36));
    first.wait_for("rollscope").keys("6").wait_for("OP bridge").keys("tab enter");
    first
        .wait_for("S: sign and send")
        .keys("S")
        .wait_for("› Transfer ")
        .wait_for("the router tracks the transaction")
        .keys("q");
    assert_eq!(first.wait_exit(), 0);
    let folder = first.home().join("rollscope");
    let journal = folder.join("demo-evm-1.json");
    let text = std::fs::read_to_string(&journal).expect("it was kept");
    let mut record: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    record["saved"] = "2020-01-01T00:00:00Z".into();
    std::fs::write(&journal, record.to_string()).expect("it can be written");

    let mut second = first.spawn_beside(EXPLORER, &arguments);
    second.wait_for("ran over an hour ago and cannot resume").keys("q");
    assert_eq!(second.wait_exit(), 0);
    let log = std::fs::read_to_string(folder.join("rollscope.log")).expect("there is a log");
    assert!(log.contains("ran over an hour ago and cannot resume; the old journal is now"), "{log}");
    assert_eq!(std::fs::read_to_string(folder.join("demo-evm-1.json.old")).expect("beside"), record.to_string());
}

/// The state file's place is taken by a folder, so that nothing can be kept.
#[test]
fn what_could_not_be_kept_is_printed_at_the_end() {
    let rollup = rollup_of(chain_of(30));
    let url = rollup.url();
    let arguments = ["--indexer", &url, "--router", &url];
    let mut pty = Pty::spawn_in(EXPLORER, &arguments, &[], (120, 36), |home| {
        std::fs::create_dir_all(home.join("rollscope/state.sqlite/in the way"))
    });
    pty.wait_for("rollscope").keys("6").wait_for("OP bridge").keys("tab enter");
    pty.wait_for("S: sign and send").keys("S").wait_for("› Transfer ").keys("q");
    assert_eq!(pty.wait_exit(), 0);
    let text = |output: &Output| String::from_utf8_lossy(&output.bytes).into_owned();
    let said = pty.read(text);
    let (_, rest) = said.split_once("rollscope: cannot save 1 transfer; find them again with:").expect("it is said");
    let command = rest.lines().nth(1).unwrap_or_default().trim();
    let [first, verb, chain, hash] = command.split(' ').collect::<Vec<_>>()[..] else { panic!("{command}") };
    assert_eq!((first, verb, hash.len()), ("rollscope", "transfer", 64), "{command}");
    assert!(!chain.is_empty());
}

#[test]
fn a_frame_is_one_synchronized_update() {
    let mut pty = start(&[]);
    wait_for_live_blocks(&mut pty);
    assert_ended_by(&mut pty, Signal::USR2);
    let text = pty.read(|output| String::from_utf8_lossy(&output.bytes).into_owned());
    let (begins, ends) = (text.matches("\x1b[?2026h").count(), text.matches("\x1b[?2026l").count());
    assert!(begins > 1 && begins == ends, "{begins} begun, {ends} ended");
}

#[test]
fn the_pseudo_terminal_shows_what_a_program_does() {
    let script = "stty -echo; printf '\\033[?1049h\\033[?25lhello'; read line; printf \"got $line\"; read line; exit 3";
    let started = Instant::now();
    let mut pty = Pty::spawn("sh", &["-c", script], &[], (40, 10));
    pty.wait_for("hello");
    assert_eq!(pty.read(Output::modes), BTreeSet::from([1049]));
    assert!(pty.read(|output| output.terminal().hide_cursor()));
    pty.read(|output| {
        assert!(output.arrival(0) >= Some(started) && output.arrival(0) <= output.arrival(output.bytes.len() - 1));
        assert_eq!(output.arrival(output.bytes.len()), None);
    });
    assert_ne!(pty.settings(), pty.settings_before(), "the script switched echo off");
    pty.keys("a b").send(b"c\n").wait_for("got abc");
    pty.resize(20, 5).keys("enter");
    assert_eq!(pty.wait_exit(), 3);
    assert_ne!(pty.settings(), pty.settings_before(), "and left it so");
}

#[test]
#[should_panic(expected = "waiting for “bye” in vain (exit status Some(ExitStatus { code: 0")]
fn waiting_fails_when_the_program_ended_without_it() {
    Pty::spawn("sh", &["-c", "printf hello"], &[], (40, 10)).wait_for("bye");
}

#[test]
fn a_table_on_a_terminal_tells_times_in_the_persons_zone_with_utc_beside() {
    let hash = "AB".repeat(32);
    let status = format!(
        r#"{{"state":"STATE_PENDING","next_blocking_transfer":{{"transfer_sequence_index":0}},"transfer_sequence":[
            {{"ibc_transfer":{{"from_chain_id":"noble-1","to_chain_id":"far-2","state":"TRANSFER_PENDING","packet_txs":
            {{"send_tx":{{"chain_id":"noble-1","tx_hash":"{hash}","on_chain_at":"2026-01-31T23:30:00Z"}}}}}}}}]}}"#
    );
    let router = Chain::scripted(move |seen| match seen.target.split('?').next() {
        Some("/v2/tx/status") => Answer::json(&status),
        _ => Answer::text(404, "404 page not found"),
    });
    let arguments = ["transfer", "noble-1", &hash, "--router", router.url()];
    let mut pty = Pty::spawn(EXPLORER, &arguments, &[("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")], (120, 36));
    pty.wait_for("In a block 2026-02-01 00:30:00 CET (2026-01-31 23:30:00 UTC).");
    assert_eq!(pty.wait_exit(), 0);
}
