//! `doctor`: what it says of files, terminal and servers.

use serde_json::{Value, json};

use crate::pty::link;

use super::{
    chain::Chain,
    node::rollup,
    parse,
    program::{Home, Ran},
};

/// The findings of this name: state, what and advice.
fn findings(ran: &Ran, name: &str) -> Vec<(String, String, String)> {
    let text = |finding: &Value, field: &str| finding[field].as_str().expect("a text").to_owned();
    let all = parse(&ran.out);
    let named = all.as_array().expect("a list").iter().filter(|finding| finding["name"] == name);
    named.map(|finding| (text(finding, "state"), text(finding, "what"), text(finding, "advice"))).collect()
}

#[test]
fn a_fresh_machine_has_no_problem_and_nothing_is_written() {
    let home = Home::empty();
    let ran = home.run("doctor");
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{ran:?}");
    for (name, file) in [("settings", "config.toml"), ("keymap", "keymap.toml"), ("state", "state.sqlite")] {
        let [(state, what, _)] = &findings(&ran, name)[..] else { panic!("{name}: {ran:?}") };
        assert!(state == "good" && what.contains(file) && what.contains("does not exist"), "{name}: {what}");
    }
    assert_eq!(findings(&ran, "network")[0].1, "none chosen: the explorer shows the embedded rollup");
    assert_eq!(findings(&ran, "terminal")[0].0, "warning", "a pipe has no size");
    assert!(!home.path().join("state/rollscope/state.sqlite").exists());
    let table = home.run("doctor --format table").good();
    assert!(table.lines().any(|line| line.starts_with("✓ settings ")), "{table}");
    assert!(table.lines().any(|line| line.starts_with("! locale ") && line.contains("  → set LC_ALL=")), "{table}");
    let csv = home.run("doctor --format csv").good();
    assert!(csv.starts_with("name,state,what,advice,chain_id,height,milliseconds\nrollscope,good,version "), "{csv}");
    let lines = home.run("doctor --format jsonl").good();
    assert_eq!(lines.lines().map(parse).collect::<Vec<_>>(), *parse(&ran.out).as_array().expect("a list"));
}

#[test]
fn mistakes_in_files_are_listed_with_their_lines() {
    let home = Home::with_config("timeuot = \"3s\"\ntheme = \"mine\"\n[serve]\nlisten = \"nowhere\"\n");
    let write = |path: &str, text: &str| {
        let path = home.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    };
    write("config/rollscope/keymap.toml", "qiut = \"z\"\n");
    write("config/rollscope/themes/mine.toml", "lnik = \"red\"\n");
    write("state/rollscope/state.sqlite", "this is no database, but it is long enough to be one of some kind");
    let output = home.command("doctor").env("TERM", "xterm-256color").env("LC_ALL", "C").output().expect("it starts");
    let ran = Ran::of(&output);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "warnings alone: {ran:?}");
    for (name, said) in [
        ("settings", "config.toml line 1, timeuot: unknown setting; did you mean timeout?"),
        ("settings", "line 4, serve.listen: "),
        ("keymap", "keymap.toml line 1"),
        ("theme", "mine.toml line 1, lnik"),
        ("state", "state.sqlite is damaged: "),
        ("locale", "C by LC_ALL is not UTF-8"),
    ] {
        let found = findings(&ran, name);
        assert!(found.iter().any(|(state, what, _)| state == "warning" && what.contains(said)), "{name}: {found:?}");
    }
    assert!(findings(&ran, "colours")[0].1.starts_with("256"), "{ran:?}");
    let kept = std::fs::read_to_string(home.path().join("state/rollscope/state.sqlite")).expect("the file is there");
    assert!(kept.starts_with("this is no database"), "the doctor moves nothing");
}

#[test]
fn each_server_of_a_network_is_probed_and_compared() {
    let rollup = rollup(40);
    let url = rollup.url();
    let config = |chain_id: &str, indexer: &str| {
        format!(
            "[[networks]]\nname=\"mine\"\nchain_id=\"{chain_id}\"\nindexer=\"{indexer}\"\nnode=\"{url}/node/rpc\"\nrouter=\"{url}\"\n"
        )
    };
    let ran = Home::with_config(&config("rollscope-evm-1", &url)).run("doctor -n mine --timeout 60s");
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{ran:?}");
    let all = parse(&ran.out);
    for name in ["indexer", "RPC", "REST", "JSON-RPC"] {
        let finding = all.as_array().expect("a list").iter().find(|finding| finding["name"] == name);
        let answer = &finding.unwrap_or_else(|| panic!("no {name}: {ran:?}"))["answer"];
        assert_eq!((&answer["chain_id"], &answer["height"]), (&json!("rollscope-evm-1"), &json!(40)), "{name}");
        assert!(answer["milliseconds"].is_u64(), "{answer}");
    }
    assert!(findings(&ran, "router")[0].1.contains(" chains, "), "{ran:?}");
    let same = "indexer and node serve the same chain, at the same height";
    assert_eq!(findings(&ran, "one chain"), [("good".to_owned(), same.to_owned(), String::new())]);

    let other = Chain::start(30);
    let ran = Home::with_config(&config("test-1", other.url())).run("doctor -n mine --timeout 60s");
    assert_eq!(
        (ran.status, ran.err.as_str()),
        (1, "rollscope: doctor found 4 problems; see the lines with ✗\n"),
        "{ran:?}"
    );
    assert_eq!(findings(&ran, "indexer")[0].0, "good");
    let (state, what, advice) = &findings(&ran, "RPC")[0];
    assert!(state == "problem" && what.contains("serves rollscope-evm-1, and mine is test-1"), "{what}");
    assert_eq!(advice, "check the network's address and chain_id");
    let (state, what, _) = &findings(&ran, "one chain")[0];
    assert!(state == "problem" && what.contains("serves rollscope-evm-1, but the indexer"), "{what}");
    assert!(findings(&ran, "router")[0].1.contains("but not test-1"), "{ran:?}");

    let ran = Home::empty().run(&format!("doctor --indexer {url} --node http://127.0.0.1:1 --timeout 1s"));
    assert_eq!((ran.status, findings(&ran, "indexer")[0].0.as_str()), (1, "good"), "{ran:?}");
    let (state, what, advice) = &findings(&ran, "RPC")[0];
    assert!(state == "problem" && what.starts_with("no node answers at http://127.0.0.1:1"), "{what}");
    assert_eq!(advice, "start the node or correct its URL");
    assert_eq!(findings(&ran, "router")[0].0, "warning", "none is named");
}

#[test]
fn a_link_and_a_file_of_the_registry_name_a_network_whose_chain_is_proven() {
    let rollup = rollup(40);
    let url = rollup.url();
    let home = Home::empty();
    let ran = home.run(&format!("doctor -n {} --timeout 60s", link(&url, "rollscope-evm-1")));
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{ran:?}");
    for name in ["RPC", "REST", "JSON-RPC"] {
        assert_eq!(findings(&ran, name)[0].0, "good", "{name}: {ran:?}");
    }
    let ran = home.run(&format!("doctor -n {} --timeout 60s", link(&url, "other-1")));
    assert!(findings(&ran, "RPC")[0].1.contains("serves rollscope-evm-1, and 127.0.0.1"), "{ran:?}");
    assert_eq!(ran.status, 1);
    let sentence = home.run(&format!("status -n {} --timeout 60s", link(&url, "other-1"))).bad(1);
    assert!(sentence.contains("serves rollscope-evm-1") && sentence.contains(" is other-1"), "{sentence}");

    let other = Chain::start(30);
    let apis = |rest: &str| {
        json!({"chain_id": "rollscope-evm-1", "apis": {"rpc": [{"address": format!("{url}/node/rpc")}],
            "rest": [{"address": rest}], "json-rpc": [{"address": format!("{url}/node/json-rpc")}]}})
    };
    let file = home.path().join("chain.json");
    let write = |rest: &str| std::fs::write(&file, apis(rest).to_string()).expect("a file can be written");
    write(other.url());
    let ran = home.run(&format!("doctor -n {} --timeout 60s", file.display()));
    let (state, what, _) = &findings(&ran, "REST")[0];
    assert!(state == "problem" && what.contains("is not the REST of a node"), "{what}");
    assert_eq!((findings(&ran, "RPC")[0].0.as_str(), findings(&ran, "JSON-RPC")[0].0.as_str()), ("good", "good"));
    write(&format!("{url}/node/rest"));
    let status = parse(&home.run(&format!("status -n {} --timeout 60s", file.display())).good());
    assert_eq!((&status["height"], &status["chain_id"]), (&json!(40), &json!("rollscope-evm-1")));

    let ran = home.run(&format!("config -n {}", link(&url, "cabal-1")));
    assert_eq!(ran.err, "warning: cabal-1 is cabal, with other servers; to use those: -n cabal\n");
    let sentence = home.run("status -n https://x.example/custom-network/add/link?config=e%").bad(2);
    assert_eq!(sentence, "the link's config is not base64; copy it whole");
    let sentence = home.run("status -n nowhere/chain.json").bad(2);
    assert!(sentence.starts_with("cannot read nowhere/chain.json: "), "{sentence}");
}
