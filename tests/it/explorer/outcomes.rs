//! `on_end` in the explorer: the program is given each outcome once, whoever watches.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::Command,
    sync::mpsc,
    thread,
    time::Duration,
};

use rollscope::{
    config::EndCommand,
    domain::{ChainId, LocalZone, Timestamp, TransferId},
    store::{Store, StoreScope},
};
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    cli::chain::Chain,
    harness::{Explorer, replay::Answer},
};

/// A router that takes up any transaction of Noble and says that it has arrived.
fn router() -> Chain {
    Chain::scripted(|seen| match seen.target.split('?').next() {
        Some("/status") => Answer::json(r#"{"version":"","commit_hash":"","chain_id":"far-2","height":100}"#),
        Some("/v2/tx/track") => Answer::json("{}"),
        Some("/v2/tx/status") => Answer::json(
            r#"{"state":"STATE_COMPLETED_SUCCESS","transfer_asset_release":
                {"chain_id":"far-2","denom":"uusdc","amount":"5","released":true}}"#,
        ),
        _ => Answer::typed(404, "application/json", r#"{"code":5,"message":"not found","details":[]}"#),
    })
}

/// Notes what it is given and fails, so that the screen says when it has ended.
fn script(folder: &Path) -> EndCommand {
    let path = folder.join("told.sh");
    fs::write(&path, "cat >> \"$1\"; exit 3").expect("a file can be written");
    let arguments = [path, folder.join("told")].map(|path| path.display().to_string()).to_vec();
    EndCommand { program: "/bin/sh".to_owned(), arguments, limit: Duration::from_secs(60) }
}

fn told(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("told")).unwrap_or_default();
    text.lines().map_while(|line| serde_json::from_str(line).ok()).collect()
}

fn explorer(router: &Chain, folder: &TempDir) -> Explorer {
    let state = folder.path().join("state.sqlite");
    Explorer::builder().state_file(state).on_end(script(folder.path())).server(router.url()).start()
}

fn track(explorer: &Explorer, digits: &str) {
    explorer.press("6 t").type_text(&format!("noble-1 {}", digits.repeat(32))).press("enter").wait_for("✓ arrived");
}

#[test]
fn an_outcome_is_told_once_though_two_explorers_learn_of_it_and_a_failure_is_said() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let router = router();
    let first = explorer(&router, &folder);
    track(&first, "AB");
    first.wait_for("on_end: /bin/sh failed: exit status: 3");
    assert_eq!(told(folder.path()).len(), 1);
    first.quit();

    let second = explorer(&router, &folder);
    second.press("6 t").type_text(&format!("noble-1 {}", "AB".repeat(32))).press("enter").wait_for("✓ arrived");
    // One at a time, in order: when this one has ended the one before had its turn.
    track(&second, "CD");
    second.wait_for("on_end: /bin/sh failed: exit status: 3");
    let facts = told(folder.path());
    let hashes: Vec<&str> = facts.iter().filter_map(|facts| facts["tx_hash"].as_str()).collect();
    assert_eq!(hashes, ["AB".repeat(32), "CD".repeat(32)]);
    assert!(facts.iter().all(|facts| facts["phase"] == "arrived" && facts["status"]["state"].is_string()), "{facts:?}");
    second.quit();
}

#[test]
fn networks_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let routers = [router(), router()];
    for router in &routers {
        let explorer = explorer(router, &folder);
        track(&explorer, "AB");
        explorer.wait_for("on_end: /bin/sh failed: exit status: 3");
        explorer.quit();
    }
    let again = explorer(&routers[0], &folder);
    track(&again, "CD");
    again.wait_for("on_end: /bin/sh failed: exit status: 3");
    again.quit();
    let facts = told(folder.path());
    let hashes: Vec<&str> = facts.iter().filter_map(|facts| facts["tx_hash"].as_str()).collect();
    assert_eq!(hashes, ["AB".repeat(32), "AB".repeat(32), "CD".repeat(32)], "each of two networks, and each once");
}

/// Programs that have noted what they are given, and end when they are let go.
struct Blocked {
    command: EndCommand,
    noted: mpsc::Receiver<()>,
    go: fs::File,
}

impl Blocked {
    fn new(folder: &Path) -> Self {
        let command = script(folder);
        let text = "cat >> \"$1\"; echo >> \"$1.noted\"; read -r _ < \"$1.go\"";
        fs::write(folder.join("told.sh"), text).expect("a file can be written");
        // Open both ways, so that neither side waits for the other to open its end.
        let pipe = |name: &str| {
            let path = folder.join(name);
            assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo can be run").success());
            fs::File::options().read(true).write(true).open(path).expect("the pipe opens")
        };
        let (lines, (sender, noted)) = (BufReader::new(pipe("told.noted")).lines(), mpsc::channel());
        thread::spawn(move || lines.map_while(Result::ok).try_for_each(|_| sender.send(())));
        Self { command, noted, go: pipe("told.go") }
    }

    fn wait_for(&self, programs: usize) {
        for _ in 0..programs {
            self.noted.recv_timeout(Duration::from_secs(30)).expect("a program notes what it is given");
        }
    }

    /// Lets all programs go, also those to come.
    fn release(&mut self) {
        self.go.write_all(&[b'\n'; 100]).expect("the pipe takes lines");
    }
}

#[test]
fn what_waits_when_the_explorer_ends_is_told_by_the_next_and_once() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (router, state) = (router(), folder.path().join("state.sqlite"));
    let mut blocked = Blocked::new(folder.path());
    let command = blocked.command.clone();
    let start = || Explorer::builder().state_file(state.clone()).on_end(command.clone()).server(router.url()).start();
    let first = start();
    track(&first, "AB");
    blocked.wait_for(1);
    track(&first, "CD");
    // The first one's program runs until it is let go, so that the second outcome waits.
    first.quit();
    let waiting = || Store::open(&state).and_then(|mut store| store.waiting_outcomes()).expect("the file can be read");
    assert_eq!(waiting(), 1);
    blocked.release();
    let second = start();
    track(&second, "EF");
    // What waited is older, and stands before.
    blocked.wait_for(2);
    second.quit();
    let third = start();
    track(&third, "12");
    blocked.wait_for(1);
    third.quit();
    let facts = told(folder.path());
    let hashes: Vec<&str> = facts.iter().filter_map(|facts| facts["tx_hash"].as_str()).collect();
    assert_eq!(hashes, ["AB", "CD", "EF", "12"].map(|digits| digits.repeat(32)));
    assert_eq!(waiting(), 0);
}

#[test]
fn what_a_killed_session_was_about_to_tell_is_said() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (router, path) = (router(), folder.path().join("state.sqlite"));
    let (scope, long_ago) = (StoreScope::new("x"), Timestamp::EPOCH);
    let id = TransferId { chain_id: ChainId::new("noble-1"), hash: "AB".repeat(32).parse().expect("a hash") };
    let mut store = Store::open(&path).expect("a state file");
    let taken = store.take_outcome(&scope, &id, "arrived", "{}", long_ago).expect("it can be written");
    assert!(taken.is_some() && store.take_outcome(&scope, &id, "arrived", "{}", long_ago).expect("read").is_none());
    let explorer = explorer(&router, &folder);
    explorer.wait_for("on_end may have missed noble-1");
    track(&explorer, "CD");
    explorer.wait_for("on_end: /bin/sh failed: exit status: 3");
    explorer.quit();
    assert_eq!(told(folder.path()).len(), 1, "it is not told again");
}

#[test]
fn times_are_those_of_the_persons_zone_with_utc_beside() {
    let router = router();
    let zone = LocalZone::of_rules("CET-1CEST,M3.5.0,M10.5.0/3").expect("rules of a zone");
    let explorer = Explorer::builder().zone(zone).size(140, 36).server(router.url()).start();
    track(&explorer, "AB");
    explorer.wait_for("first seen 2026-01-31 13:00:00 CET (12:00:00 UTC)");
    explorer.wait_for("2026-01-31 13:00:00 CET (12:00:00 UTC)  Arrived: ");
    explorer.wait_for("start unknown  ·  first seen 2026-01-31 13:00:00 CET");
    assert!(!explorer.screen().contains("in UTC"), "{}", explorer.screen());
    explorer.quit();
}
