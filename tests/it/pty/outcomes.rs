//! `on_end` of the program itself: killed, left with an outcome that waits, and interrupted while it tells the rest.

use std::{fs, path::Path};

use rollscope::store::Store;
use rustix::process::Signal;

use super::{EXPLORER, Pty};
use crate::{
    cli::chain::Chain,
    harness::{replay::Answer, wait_until},
};

/// A router that takes up any transaction and says that it has arrived.
fn router() -> Chain {
    Chain::scripted(|seen| match seen.target.split('?').next() {
        Some("/status") => Answer::json(r#"{"version":"","commit_hash":"","chain_id":"far-2","height":100}"#),
        Some("/v2/tx/track") => Answer::json("{}"),
        Some("/v2/tx/status") => Answer::json(
            r#"{"state":"STATE_COMPLETED_SUCCESS","transfer_asset_release":
                {"chain_id":"far-2","denom":"uusdc","amount":"7","released":true}}"#,
        ),
        _ => Answer::typed(404, "application/json", r#"{"code":5,"message":"not found","details":[]}"#),
    })
}

/// A program that notes what it is given and does not end before the file `go` is there.
fn prepare(home: &Path) -> std::io::Result<()> {
    let folder = home.join("rollscope");
    fs::create_dir_all(&folder)?;
    let script = "cat >> \"$0\"; i=0; until [ -e \"$0.go\" ] || [ $i -gt 3000 ]; do i=$((i+1)); sleep 0.02; done";
    let words = ["/bin/sh", "-c", script, &home.join("told").display().to_string()].map(|word| format!("{word:?}"));
    fs::write(folder.join("config.toml"), format!("[transfers]\non_end = [{}]\n", words.join(", ")))
}

/// The hashes that it was given.
fn told(home: &Path) -> Vec<String> {
    let text = fs::read_to_string(home.join("told")).unwrap_or_default();
    let facts = text.lines().map_while(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    facts.filter_map(|facts| facts["tx_hash"].as_str().map(|hash| hash[..2].to_owned())).collect()
}

fn waiting(home: &Path) -> usize {
    let store = Store::open(&home.join("rollscope/state.sqlite"));
    store.and_then(|mut store| store.waiting_outcomes()).expect("the state file can be read")
}

fn track(pty: &mut Pty, digits: &str) {
    pty.keys("6 t").send(format!("noble-1 {}", digits.repeat(32)).as_bytes()).keys("enter").wait_for("✓ arrived");
}

#[test]
fn what_waits_survives_a_kill_and_is_told_at_the_end_or_by_the_next_start() {
    let router = router();
    let arguments = ["--indexer", router.url(), "--router", router.url()];
    let mut killed = Pty::spawn_in(EXPLORER, &arguments, &[], (120, 36), prepare);
    let home = killed.home().to_owned();
    killed.wait_for("rollscope");
    track(&mut killed, "AB");
    wait_until("the first", || told(&home) == ["AB"]);
    track(&mut killed, "CD");
    wait_until("the second in the file", || waiting(&home) == 1);
    killed.signal(Signal::KILL).wait_exit();
    assert_eq!(told(&home), ["AB"]);

    // The next one tells it unasked; its own next waits until it ends, and is left there by Ctrl-C.
    let mut second = killed.spawn_beside(EXPLORER, &arguments);
    second.wait_for("rollscope");
    wait_until("what the killed one left", || told(&home) == ["AB", "CD"]);
    track(&mut second, "EF");
    wait_until("its own in the file", || waiting(&home) == 1);
    let text = |output: &super::Output| String::from_utf8_lossy(&output.bytes).into_owned();
    second.keys("q").wait_until("what is said of it", |output| text(output).contains("on_end has 1 outcome pending"));
    second.signal(Signal::INT);
    assert_eq!(second.wait_exit(), 0);
    assert!(second.read(text).contains("1 outcome left for the next start"));
    assert_eq!((told(&home).len(), waiting(&home)), (2, 1));

    // The third tells it, and at its end what waits behind.
    let mut third = killed.spawn_beside(EXPLORER, &arguments);
    third.wait_for("rollscope");
    wait_until("what the second left", || told(&home) == ["AB", "CD", "EF"]);
    track(&mut third, "12");
    wait_until("its own in the file", || waiting(&home) == 1);
    third.keys("q").wait_until("what is said of it", |output| text(output).contains("on_end has 1 outcome pending"));
    fs::write(home.join("told.go"), "").expect("a file can be written");
    assert_eq!(third.wait_exit(), 0);
    // Whoever copies the file of the state has all of it.
    let state = home.join("rollscope/state.sqlite");
    let log = fs::metadata(home.join("rollscope/state.sqlite-wal")).map_or(0, |log| log.len());
    assert!(state.exists() && log == 0, "{log} bytes beside {}", state.display());
    assert_eq!((told(&home), waiting(&home)), (["AB", "CD", "EF", "12"].map(str::to_owned).to_vec(), 0));
}
