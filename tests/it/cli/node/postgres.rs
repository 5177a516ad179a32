//! An index in PostgreSQL: one process follows, others wait to follow or read.

use std::{fs, os::unix::fs::PermissionsExt as _};

use rollscope::domain::Vm;
use rustix::process::Signal;
use serde_json::{Value, json};

use super::{above_the_first, files::ask, fleet::network, node, rollup};
use crate::{
    cli::{
        embedded::Served,
        program::{Home, Ran, run},
    },
    harness::{
        chain_with,
        postgres::{PostgresServer, create_database},
        rollup_of, wait_until,
    },
};

const BLOCKS: &str = "/indexer/block/v1/blocks?pagination.limit=5";

/// Status and body of an answer.
fn answer(served: &Served, path: &str) -> (u16, Value) {
    let (status, _, body) = ask(&served.url, path);
    (status, body)
}

#[test]
fn one_process_follows_and_when_it_is_killed_another_goes_on_while_readers_read() {
    let Some(url) = create_database() else { return };
    let rollup = rollup(20);
    let options = format!("{} --data {url}", above_the_first(&rollup));
    let nothing = run(&format!("serve --listen 127.0.0.1:0 --read-only --data {url}")).bad(1);
    assert!(nothing.contains("the database has no index of a rollup"), "{nothing}");
    let follower = Served::start(&options);
    let reader = Served::start(&format!("--read-only --data {url}"));
    wait_until("the follower holds all blocks", || {
        answer(&follower, "/status").1["node"]["missing_blocks"] == json!(0)
    });
    let blocks = answer(&follower, BLOCKS);
    assert_eq!(blocks.0, 200, "{blocks:?}");
    wait_until("the reader has the newest block", || answer(&reader, "/status").1["height"] == json!(20));
    assert_eq!(answer(&reader, BLOCKS), blocks);
    wait_until("the reader's store has answered", || answer(&reader, "/ready").0 == 200);

    let mut standby = Served::start(&options);
    assert_eq!(answer(&standby, "/health").0, 200);
    let (status, ready) = answer(&standby, "/ready");
    assert_eq!(status, 503);
    let reason = ready["reasons"][0].as_str().expect("a reason").to_owned();
    assert!(reason.ends_with(" follows this rollup into the database; waiting until it ends"), "{ready}");
    assert_eq!(answer(&standby, BLOCKS).0, 503);
    // An explorer does not wait.
    let holder = reason.split(' ').next().expect("a holder");
    let refused = run(&format!("--data {url} status {}", node(&rollup))).bad(1);
    assert!(refused.contains(holder) && refused.contains("stop it first"), "{refused}");

    assert_eq!(follower.end(Signal::KILL).0, None);
    // Silence is told by its age, which a slow machine reaches; nothing else may be wrong.
    let is_silence = |reason: &Value| {
        let reason = reason.as_str().unwrap_or_default();
        reason.contains(" stored nothing for ") || reason.contains("the store of the index has not answered for ")
    };
    wait_until("the other follows", || {
        assert_eq!(answer(&reader, BLOCKS), blocks, "readers notice nothing");
        let (status, ready) = answer(&reader, "/ready");
        let reasons = ready["reasons"].as_array();
        assert!(status == 200 || reasons.is_some_and(|reasons| reasons.iter().all(is_silence)), "{ready}");
        answer(&standby, "/status").1["height"] == json!(20)
    });
    wait_until("the reader is ready", || answer(&reader, "/ready").0 == 200);
    assert_eq!(answer(&standby, BLOCKS), blocks);
    // What another process was elected for is no longer this one's.
    PostgresServer::shared().expect("it runs").run(
        "psql",
        &[
            "-d",
            &url,
            "-X",
            "-q",
            "-c",
            "SELECT set_config('search_path', nspname, false) FROM pg_namespace WHERE nspname LIKE 'rs\\_%'",
            "-c",
            "BEGIN; UPDATE epoch SET epoch = epoch + 1; UPDATE lease SET holder = 'another'; COMMIT",
        ],
    );
    let (code, log) = standby.ended();
    assert_eq!(code, Some(1), "{log}");
    assert!(log.contains("another process (another) follows this rollup into the database"), "{log}");
}

#[test]
fn an_index_moves_to_a_database_and_back_while_it_is_served() {
    let Some(url) = create_database() else { return };
    let rollup = rollup(20);
    let folder = tempfile::tempdir().unwrap();
    let (file, back) = (folder.path().join("chain.sqlite"), folder.path().join("back.sqlite"));
    let follower = Served::start(&format!("{} --data {}", above_the_first(&rollup), file.display()));
    wait_until("the follower holds all blocks", || {
        answer(&follower, "/status").1["node"]["missing_blocks"] == json!(0)
    });
    let to_database = format!("copy --data {} --to {url}", file.display());
    let said = run(&to_database).good();
    assert!(
        said.starts_with(&format!("{url}: blocks 5 to 20, ")) && said.ends_with(" transactions, verified\n"),
        "{said}"
    );
    let refused = run(&to_database).bad(1);
    assert!(
        refused.contains("the database has blocks already; name a schema of its own with ?schema=NAME"),
        "{refused}"
    );
    let to_file = format!("copy --data {url} --to {}", back.display());
    let said = run(&to_file).good();
    assert!(said.contains("back.sqlite: blocks 5 to 20, "), "{said}");
    assert!(run(&to_file).bad(1).contains("back.sqlite is there already; choose another name"));
    for data in [url.clone(), back.display().to_string()] {
        let reader = Served::start(&format!("--read-only --data {data}"));
        assert_eq!(answer(&reader, BLOCKS), answer(&follower, BLOCKS), "{data}");
    }
    let writer = Served::start(&format!("{} --data {url}", above_the_first(&rollup)));
    let refused = run(&to_database).bad(1);
    assert!(refused.contains(" follows this rollup into the database; stop it first"), "{refused}");
    drop(writer);
    assert!(
        run(&format!("copy --data {} --to postgres://a:b@127.0.0.1/r", file.display())).bad(2).starts_with("--to: ")
    );
}

#[test]
fn a_fleet_keeps_each_chain_in_a_schema_and_another_takes_all_over() {
    let Some(url) = create_database() else { return };
    let one = rollup(12);
    let other = rollup_of(chain_with(Vm::Wasm, 9));
    let home = Home::empty();
    let file = home.path().join("fleet.toml");
    // Wasm has no JSON-RPC.
    let without_json_rpc =
        |text: String| text.lines().filter(|line| !line.starts_with("json_rpc")).collect::<Vec<_>>().join("\n");
    let networks = network("one", &one.url(), &url) + &without_json_rpc(network("other", &other.url(), &url));
    fs::write(&file, networks).unwrap();
    let start = format!("--fleet {} --timeout 60s", file.display());
    let has_both = |served: &Served| {
        let height = |name: &str| answer(served, &format!("/{name}/status")).1["height"].clone();
        height("one") == json!(12) && height("other") == json!(9)
    };
    let first = Served::start(&start);
    wait_until("both chains are indexed", || has_both(&first));
    let pages = |served: &Served| ["one", "other"].map(|name| answer(served, &format!("/{name}{BLOCKS}")));
    let held = pages(&first);
    assert!(held.iter().all(|(status, _)| *status == 200) && held[0] != held[1], "{held:?}");
    let second = Served::start(&start);
    wait_until("each chain of the second waits", || {
        ["one", "other"].iter().all(|name| {
            let (status, ready) = answer(&second, &format!("/{name}/ready"));
            status == 503 && ready.to_string().contains(" follows this rollup into the database")
        })
    });
    assert_eq!(first.end(Signal::KILL).0, None);
    wait_until("the second follows", || has_both(&second));
    assert_eq!(pages(&second), held);
}

#[test]
fn a_password_is_of_the_environment_or_a_file_and_shown_nowhere() {
    for arguments in ["serve --read-only", "serve --node http://127.0.0.1:1", "--node http://127.0.0.1:1 status"] {
        let ran = run(&format!("--data postgres://alice:hunter2@127.0.0.1/r {arguments}"));
        assert!(ran.status == 2 && ran.err.contains("PGPASSWORD") && !ran.err.contains("hunter2"), "{ran:?}");
    }
    let refused = run("serve --data postgres://127.0.0.1/r").bad(2);
    assert!(refused.contains("give --node URL"), "{refused}");
    let Some(url) = create_database() else { return };
    let home = Home::empty();
    let reading = format!("serve --read-only --data {}", url.replace("postgres@", "locked@"));
    let read = |password: Option<&str>| {
        let mut command = home.command(&reading);
        let output = command.envs(password.map(|password| ("PGPASSWORD", password))).output();
        Ran::of(&output.expect("the program can be started")).bad(1)
    };
    for (password, expected) in [
        (None, "set PGPASSWORD"),
        (Some("hunter3"), "password authentication failed for user \"locked\"; check the user in the URL"),
        (Some("hunter2"), "the database has no index of a rollup"),
    ] {
        let said = read(password);
        assert!(said.contains(expected) && !said.contains("hunter"), "{said}");
    }
    fs::write(home.path().join(".pgpass"), "127.0.0.1:*:*:locked:hunter2\n").expect("it can be written");
    assert!(read(None).contains("chmod 600"));
    fs::set_permissions(home.path().join(".pgpass"), fs::Permissions::from_mode(0o600)).expect("it is ours");
    assert!(read(None).contains("the database has no index of a rollup"));
}
