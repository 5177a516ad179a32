//! Keys of servers: each form reaches its server, and nothing else.

use std::{fs, path::Path};

use serde_json::json;

use super::program::Home;
use crate::{
    explorer::scripted::Server,
    harness::replay::{Answer, Seen},
};

/// Keys as a provider gives them, one for each form; the last needs an escape in a path.
const KEYS: [(&str, &str); 4] = [
    ("PATH_KEY", "c4n4ry-in-path"),
    ("QUERY_KEY", "c4n4ry/in+query"),
    ("HEADER_KEY", "c4n4ry-in-header"),
    ("PASS_KEY", "c4n4ry-as-password"),
];

fn status() -> Answer {
    Answer::json(
        json!({"version": "v1.0.0", "commit_hash": "abc", "chain_id": "keys-1", "height": "9", "internal_tx_height": 9})
            .to_string(),
    )
}

/// A server that repeats what it was given in its refusals.
fn server() -> Server {
    Server::new(|seen: &Seen, _| match seen.target.split('?').next() {
        Some("/c4n4ry-in-path/rollup/status") => status(),
        _ => Answer::text(403, format!("bad key in {} of {}", seen.target, seen.headers)),
    })
}

/// Everything that a folder's files hold.
fn contents(folder: &Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let bytes = if path.is_dir() { contents(&path).into_bytes() } else { fs::read(&path).unwrap_or_default() };
        all.push_str(&String::from_utf8_lossy(&bytes));
    }
    all
}

#[test]
fn keys_in_every_form_reach_their_server_alone() {
    let server = server();
    let home = Home::empty();
    let file = home.path().join("key-of-header");
    fs::write(&file, "c4n4ry-in-header\n").unwrap();
    let host = server.url().trim_start_matches("http://").to_owned();
    let url = format!("http://me:$PASS_KEY@{host}/$PATH_KEY/rollup?apikey=$QUERY_KEY#x-api-key=$HEADER_KEY");
    let ask = |arguments: &str| {
        let mut command = home.command(&format!("{arguments} --indexer {url}"));
        for (name, key) in KEYS.iter().filter(|(name, _)| *name != "HEADER_KEY") {
            command.env(name, key);
        }
        let output =
            command.env("HEADER_KEY_FILE", &file).env("RUST_LOG", "trace").output().expect("the program starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let (code, told) = ask("status");
    assert_eq!(code, Some(0), "{told}");
    let seen = server.seen();
    let seen = seen.first().expect("a request");
    assert_eq!(seen.target, "/c4n4ry-in-path/rollup/status?apikey=c4n4ry%2Fin%2Bquery");
    assert!(seen.headers.contains("x-api-key: c4n4ry-in-header"), "{}", seen.headers);
    assert!(seen.headers.contains("authorization: basic bwu6yzrunhj5lwfzlxbhc3n3b3jk"), "{}", seen.headers);
    // A refusal that repeats the keys, a list, and what examines the servers.
    for arguments in ["blocks 5", "txs --all", "doctor", "networks --check", "txs --limit 3 --story"] {
        let (_, told) = ask(arguments);
        for (_, key) in KEYS {
            assert!(!told.contains(key), "{arguments} tells {key}: {told}");
        }
    }
    fs::remove_file(&file).unwrap();
    let kept = contents(home.path());
    assert!(KEYS.iter().all(|(_, key)| !kept.contains(key)), "no file of the program has a key");
}

#[test]
fn keys_go_to_no_other_address() {
    let other = Server::new(|_, _| status());
    let elsewhere = format!("{}/status", other.url());
    let server = Server::new(move |_, _| Answer::text(302, "").with("location", elsewhere.clone()));
    let output = Home::empty()
        .command(&format!("status --indexer {}?apikey=$QUERY_KEY", server.url()))
        .env("QUERY_KEY", "c4n4ry")
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(other.seen().is_empty(), "{:?}", other.seen());
}

#[test]
fn a_key_without_a_value_and_a_password_as_text_are_refused_without_a_request() {
    let home = Home::empty();
    for (url, expected) in [
        ("http://127.0.0.1:1/$NO_KEY/x", "set the environment variable NO_KEY, or NO_KEY_FILE to a file"),
        ("http://me:c4n4ry@127.0.0.1:1", "contains a password: write $NAME for it"),
        ("http://127.0.0.1:1#x-api-key=c4n4ry", "the header x-api-key of the URL is invalid"),
    ] {
        let told = home.run(&format!("status --indexer {url}")).bad(2);
        assert!(told.contains(expected) && !told.contains("c4n4ry"), "{told}");
    }
    // A key in a query is used although it was given as text, and still not told.
    let server = server();
    let ran = home.run(&format!("blocks 5 --indexer {}/c4n4ry-in-path/rollup?apikey=t3xt", server.url()));
    assert!(server.seen()[0].target.ends_with("?apikey=t3xt"), "{:?}", server.seen());
    assert!(ran.status == 1 && !ran.err.contains("t3xt"), "{ran:?}");
}
