//! The one file of an index: one writer, one file after a stop, nothing lost when it is killed.

use std::{
    fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rollscope::{
    demo::{Rollup, RollupOptions, ledger::LedgerOptions},
    domain::Vm,
};
use rstest::rstest;
use rustix::process::{Pid, Resource, Rlimit, Signal, prlimit};
use serde_json::Value;

use super::{above_the_first, rollup};
use crate::{
    cli::{
        embedded::Served,
        parse,
        program::{Home, Ran, run},
    },
    harness::{chain_of, chain_with, get, player::NodePlayer, recording::Recording, rollup_of, rounds, wait_until},
};

/// The names of what lies in a folder.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// What is served of a node, or of the embedded rollup, with its own file.
fn options(rollup: Option<&Rollup>, file: &Path) -> String {
    let of_what = rollup.map_or_else(|| "--history 30".to_owned(), above_the_first);
    format!("{of_what} --data {}", file.display())
}

#[rstest]
fn the_second_writer_of_a_file_is_told_who_holds_it_and_changes_nothing(#[values(true, false)] has_node: bool) {
    let rollup = has_node.then(|| rollup(30));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chain.sqlite");
    let options = options(rollup.as_deref(), &file);
    let first = Served::start(&options);
    for _ in 0..2 {
        let sentence = run(&format!("serve --listen 127.0.0.1:0 {options}")).bad(1);
        let holder = format!("is in use by another rollscope (process {})", first.process());
        assert!(sentence.contains("chain.sqlite") && sentence.contains(&holder), "{sentence}");
    }
    let with_limit = |limit: &str| {
        let program = env!("CARGO_BIN_EXE_rollscope");
        let script = format!("{limit}; exec {program} serve --listen 127.0.0.1:0 {options}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).env_clear().env("HOME", folder.path());
        Ran::of(&shell.output().expect("a shell can be run"))
    };
    let sentence = with_limit("ulimit -n 24").bad(1);
    assert_eq!(sentence, "--data needs 64 open files, and the limit is 24; raise it with ulimit -n");
    // The soft limit is raised.
    assert!(with_limit("ulimit -Sn 24").bad(1).contains("is in use"));
    // Nor does anybody get as far as to look at the node.
    if has_node {
        let nowhere = format!("serve --node http://127.0.0.1:1 --data {}", file.display());
        assert!(run(&nowhere).bad(1).contains("is in use"), "the lock comes before anything else");
    }
    let status = parse(&run(&format!("status --indexer {}", first.url)).good());
    assert!(status["height"].as_u64().is_some_and(|height| height >= 29), "the first one goes on: {status}");
    assert_eq!(first.end(Signal::TERM), (Some(0), String::new()));
    let third = Served::start(&options);
    assert_eq!(third.end(Signal::TERM).0, Some(0));
}

#[rstest]
fn a_clean_stop_leaves_all_of_it_in_one_file(#[values(true, false)] has_node: bool) {
    let rollup = has_node.then(|| rollup(30));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chain.sqlite");
    let served = Served::start(&options(rollup.as_deref(), &file));
    let copy = folder.path().join("copy.sqlite");
    let back_up = format!("backup {} {}", file.display(), copy.display());
    let said = run(&back_up).good();
    assert!(said.contains("copy.sqlite: blocks ") && said.contains(" transactions, verified"), "{said}");
    assert!(run(&back_up).bad(1).contains("copy.sqlite is there already; choose another name"));
    let apart = tempfile::tempdir().unwrap();
    let copy = apart.path().join("copy.sqlite");
    fs::rename(folder.path().join("copy.sqlite"), &copy).unwrap();
    assert_eq!(served.end(Signal::TERM), (Some(0), String::new()));
    let left: Vec<String> = files(folder.path()).into_iter().filter(|name| !name.contains(".router.json")).collect();
    assert_eq!(left, ["chain.sqlite"]);
    let no_index = format!("backup {} {}.2", folder.path().display(), copy.display());
    assert!(run(&no_index).bad(1).contains(" is no index of rollscope"));
    let again = Served::start(&options(rollup.as_deref(), &copy));
    // One of the newest blocks, which are indexed first.
    let block = parse(&run(&format!("blocks 28 --indexer {}", again.url)).good());
    assert_eq!(block["height"], "28");
}

#[test]
fn a_node_that_has_pruned_what_follows_is_told_and_gone_on_with_on_request() {
    let player = NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm).cut(60));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chain.sqlite");
    let node = player.addresses();
    let (rest, json_rpc) = (node.rest.expect("REST"), node.json_rpc.expect("a JSON-RPC"));
    let options = format!("--node {} --rest {rest} --json-rpc {json_rpc} --data {}", node.node, file.display());
    player.change(|stage| stage.tip = 20);
    let first = Served::start(&options);
    while ask(&first.url, "/status").2["oldest_height"] != Value::Null {}
    assert_eq!(first.end(Signal::TERM).0, Some(0));
    player.change(|stage| (stage.tip, stage.oldest) = (60, 40));
    let second = Served::start(&options);
    while ask(&second.url, "/status").2["node"]["trouble"] == Value::Null {}
    let block = parse(&run(&format!("blocks 20 --indexer {}", second.url)).good());
    assert_eq!(block["height"], "20", "what is held is served");
    let (code, log) = second.end(Signal::TERM);
    let told =
        "the node has pruned blocks 21 to 39, which the index needs next; use a node that has them, --allow-gap,";
    assert!(code == Some(0) && log.contains(told), "{log}");
    let third = Served::start(&format!("{options} --allow-gap"));
    while ask(&third.url, "/status").2["height"] != 60 {}
    let table = run(&format!("status --indexer {} --format table", third.url)).good();
    assert!(table.contains("blocks 21 to 39"), "{table}");
    assert!(third.fetch("/metrics").contains("\nrollscope_gap_blocks 19\n"));
}

/// Status, `Retry-After` and body of an answer.
pub(super) fn ask(url: &str, path: &str) -> (u16, Option<String>, Value) {
    let url = format!("{url}{path}");
    let asked = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let answer = get(url).await.expect("it answers");
            let after = answer.headers().get("retry-after").map(|after| after.to_str().expect("text").to_owned());
            let status = answer.status().as_u16();
            let text = answer.text().await.expect("text");
            (status, after, serde_json::from_str(&text).unwrap_or(Value::String(text)))
        })
    });
    asked.join().expect("no panic")
}

/// The newest blocks below a height.
fn below(height: u64) -> String {
    let key = STANDARD.encode(format!("{{\"height\":{height}}}")).replace('=', "%3D");
    format!("/indexer/block/v1/blocks?pagination.limit=5&pagination.key={key}")
}

#[test]
fn others_serve_a_file_beside_its_writer_as_it_does() {
    let rollup = rollup(30);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chain.sqlite");
    let reading = format!("--read-only --data {}", file.display());
    let refused = run(&format!("serve --listen 127.0.0.1:0 {reading}")).bad(1);
    assert!(refused.contains("chain.sqlite; serve --data writes one"), "{refused}");
    let writer = Served::start(&options(Some(&rollup), &file));
    let readers = [Served::start(&reading), Served::start(&reading)];
    rollup.step(3).expect("it makes blocks");
    for served in readers.iter().chain([&writer]) {
        while ask(&served.url, "/status").2["height"] != 33 {}
    }
    let lists = ["/indexer/tx/v1/txs?pagination.limit=1000", "/indexer/block/v1/blocks", "/indexer/tx/v1/evm-txs"];
    for reader in &readers {
        let is_same = |path: &str| ask(&reader.url, path) == ask(&writer.url, path);
        assert!(lists.into_iter().all(is_same));
        // Flags and progress follow within a moment, with the heights that the writer says.
        while !is_same("/status") {}
        assert_eq!(ask(&reader.url, "/ready").2["ready"], true);
    }
    let (status, after, body) = ask(&readers[0].url, &below(9_999));
    assert_eq!((status, after.as_deref()), (503, Some("1")), "{body}");
    assert_eq!(body, "block 9999 is not in the index yet; try again in a second");
    // No reader has such a block, so a reader answers at once and as the writer does.
    for height in [9_000_000, u64::from(u32::MAX) << 20] {
        let asked = Instant::now();
        assert_eq!(ask(&readers[0].url, &below(height)), ask(&writer.url, &below(height)), "{height}");
        assert!(asked.elapsed() < Duration::from_secs(2), "{height}: {:?}", asked.elapsed());
    }
    let url = readers[1].url.clone();
    let waiting = std::thread::spawn(move || {
        loop {
            // A slow machine may take longer than the reader waits.
            let (status, _, page) = ask(&url, &below(34));
            if status == 200 {
                break page;
            }
        }
    });
    rollup.step(1).expect("it makes a block");
    let page = waiting.join().expect("it answers");
    assert!(page["blocks"].as_array().is_some_and(|blocks| blocks.len() == 5), "{page}");
    assert_eq!(writer.end(Signal::TERM).0, Some(0));
    assert_eq!(ask(&readers[0].url, "/indexer/block/v1/blocks/34").0, 200, "what was written is still served");
    for reader in readers {
        assert_eq!(reader.end(Signal::TERM), (Some(0), String::new()));
    }
    let again = Served::start(&options(Some(&rollup), &file));
    assert_eq!(ask(&again.url, "/indexer/block/v1/blocks/34").0, 200);
    let of_node = format!("serve {reading} --node {}", rollup.url());
    assert!(run(&of_node).bad(2).contains("omit --node"));
    assert!(run("serve --read-only").bad(2).contains("give --data FILE"));
}

/// Every row of a list from block 5 on, without the hashes of transactions, which are those of their bytes on the node.
fn rows(command: &str, url: &str) -> Vec<Value> {
    let out = run(&format!("{command} --all --format jsonl --indexer {url}")).good();
    let height = |row: &Value| row["height"].as_str().and_then(|height| height.parse::<u64>().ok());
    let mut rows: Vec<Value> = out.lines().map(parse).filter(|row| height(row).is_none_or(|at| at >= 5)).collect();
    rows.iter_mut().filter(|row| row.get("txhash").is_some()).for_each(|row| row["txhash"] = Value::Null);
    rows
}

fn status(served: &Served) -> Value {
    parse(&run(&format!("status --indexer {}", served.url)).good())
}

#[track_caller]
fn assert_whole(served: &Served, rollup: &Rollup) {
    for command in ["blocks", "txs"] {
        assert_eq!(rows(command, &served.url), rows(command, &rollup.url()), "{command}");
    }
}

/// Kills a server that fills an empty file, ever later, until the file is whole; returns how often.
fn kill_while_filling(options: &str, rollup: &Rollup) -> u64 {
    for kills in 0..60 {
        let served = Served::start(options);
        // Ever later, by what it has done and not by the clock.
        let told = (0..=kills * kills).fold(Value::Null, |_, _| status(&served));
        if told["is_complete"] == true {
            assert_whole(&served, rollup);
            return kills;
        }
        served.end(Signal::KILL);
    }
    panic!("it gets no further");
}

#[test]
fn a_server_that_is_killed_again_and_again_loses_nothing_and_doubles_nothing() {
    let rollup = rollup(150);
    let folder = tempfile::tempdir().unwrap();
    let mut kills = 0;
    for file in 0.. {
        let file = options(Some(&rollup), &folder.path().join(format!("{file}.sqlite")));
        kills += kill_while_filling(&file, &rollup);
        assert!(kills > 0, "it was killed before it was whole");
        if kills >= rounds() {
            break;
        }
    }
    // The first file is whole; now blocks come while it is served.
    let options = options(Some(&rollup), &folder.path().join("0.sqlite"));
    let mut tip = 150;
    for round in 0..rounds() {
        let served = Served::start(&options);
        tip = rollup.step(1 + round % 3).expect("it makes blocks").get();
        (0..round % 5).for_each(|_| drop(status(&served)));
        served.end(Signal::KILL);
    }
    let served = Served::start(&options);
    while status(&served)["height"].as_u64() != Some(tip) {}
    assert_whole(&served, &rollup);
    eprintln!("killed {kills} times while filling and {} times while following: nothing lost", rounds());
}

#[test]
fn a_chain_that_has_begun_again_is_followed_and_the_old_file_kept_beside() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chain.sqlite");
    let old = rollup(40);
    let served = Served::start(&options(Some(&old), &file));
    assert_eq!(served.end(Signal::TERM).0, Some(0));
    let seed = LedgerOptions { seed: 8, ..chain_of(50).ledger };
    let new = rollup_of(RollupOptions { ledger: seed, ..chain_of(50) });
    let served = Served::start(&options(Some(&new), &file));
    let hash = |url: &str| ask(url, "/indexer/block/v1/blocks/40").2["block"]["hash"].clone();
    // The file's own blocks may be served for a moment, until the contradiction was looked into, and no block 40 before
    // it is indexed.
    while hash(&served.url) != hash(&new.url()) {}
    let (code, said) = served.end(Signal::TERM);
    let left = files(folder.path());
    assert!(left.len() == 2 && left[0] == "chain.sqlite", "{left:?}");
    assert!(code == Some(0) && said.contains(left[1].as_str()), "{said}");
    fs::rename(folder.path().join(&left[1]), &file).unwrap();
    let again = Served::start(&options(Some(&old), &file));
    assert_eq!(hash(&again.url), hash(&old.url()), "nothing of it is lost");
}

#[test]
fn a_file_of_another_chain_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chain.sqlite");
    let served = Served::start(&options(Some(&rollup(40)), &file));
    assert_eq!(served.end(Signal::TERM).0, Some(0));
    let other = rollup_of(chain_with(Vm::Move, 40));
    // It has no JSON-RPC.
    let node = format!("--node {0}/node/rpc --rest {0}/node/rest --timeout 60s", other.url());
    let sentence = run(&format!("serve --listen 127.0.0.1:0 {node} --data {}", file.display())).bad(1);
    assert!(sentence.contains("belongs to another rollup") && sentence.contains("another --data"), "{sentence}");
    // A simulation's file is no node's.
    let sentence = run(&format!("serve --listen 127.0.0.1:0 {}", options(None, &file))).bad(1);
    assert!(sentence.contains("belongs to another rollup"), "{sentence}");
    let left: Vec<String> = files(folder.path()).into_iter().filter(|name| !name.contains(".router.json")).collect();
    assert_eq!(left, ["chain.sqlite"]);
}

#[test]
fn a_journal_of_transfers_that_cannot_be_used_is_kept_beside_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let (file, journal) = (folder.path().join("c.sqlite"), folder.path().join("c.sqlite.router.json"));
    fs::write(&journal, "{\"half\":").unwrap();
    let served = Served::start(&options(None, &file));
    let (code, said) = served.end(Signal::TERM);
    assert!(code == Some(0) && said.contains("unreadable") && said.contains("c.sqlite.router.json.old"), "{said}");
    assert_eq!(fs::read_to_string(folder.path().join("c.sqlite.router.json.old")).unwrap(), "{\"half\":");
}

#[test]
fn data_without_a_chain_to_keep_is_a_mistake_that_is_said() {
    let home = Home::empty();
    for command in
        ["--data a.sqlite status", "--from 7 blocks", "--data a.sqlite -n demo status", "--data a.sqlite demo"]
    {
        let sentence = home.run(command).bad(2);
        assert!(sentence.contains("--node URL"), "{command}: {sentence}");
    }
    assert!(home.run("serve --from 7").bad(2).contains("--node URL"));
}

#[test]
fn a_data_file_that_goes_away_ends_the_server_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (folder.path().join("c.sqlite"), folder.path().join("d.sqlite"));
    let mut served = Served::start(&options(None, &file));
    fs::rename(&file, &other).unwrap();
    let (code, said) = served.ended();
    assert!(code == Some(1) && said.contains("c.sqlite was removed, renamed or replaced while in use"), "{said}");
}

/// A disk without room: the limit of a file's size, which the shell lets the program survive.
#[cfg(target_os = "linux")]
#[rstest]
#[case(40, 60)]
#[case(50, 90)]
fn a_full_disk_is_told_as_the_stores_trouble_and_ends_with_room(#[case] held: u64, #[case] tip: u64) {
    let player = NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm).cut(100));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chain.sqlite");
    let node = player.addresses();
    let (rest, json_rpc) = (node.rest.expect("REST"), node.json_rpc.expect("a JSON-RPC"));
    let options = format!("--node {} --rest {rest} --json-rpc {json_rpc} --data {}", node.node, file.display());
    player.change(|stage| stage.tip = held);
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_rollscope")]);
    let served = Served::start_by(shell, None, &options);
    while ask(&served.url, "/status").2["oldest_height"] != Value::Null {}
    let process = Pid::from_raw(i32::try_from(served.process()).expect("a process"));
    let limit = |bytes| {
        let new = Rlimit { current: bytes, maximum: None };
        prlimit(process, Resource::Fsize, new).expect("a limit");
    };
    limit(Some(4096));
    player.change(|stage| stage.tip = tip);
    let troubles = |text: &str| ["store", "node"].map(|what| text.contains(&format!("\nrollscope_{what}_trouble 1\n")));
    wait_until("the metric rises", || troubles(&served.fetch("/metrics")) == [true, false]);
    let status = ask(&served.url, "/status").2;
    assert!(status["store_trouble"].is_string() && status["node"]["trouble"].is_null(), "{status}");
    let (code, _, ready) = ask(&served.url, "/ready");
    let said = ready["reasons"].to_string();
    assert!(code == 503 && !said.contains("node") && said.contains("disk"), "{ready}");
    assert!(served.fetch("/metrics").contains("\nrollscope_index_failed 0\n"));
    limit(None);
    wait_until("it goes on", || ask(&served.url, "/status").2["height"] == tip);
    wait_until("nothing is wrong", || troubles(&served.fetch("/metrics")) == [false, false]);
    assert_eq!(served.end(Signal::TERM).0, Some(0));
}
