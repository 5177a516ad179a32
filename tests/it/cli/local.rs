//! `local`: the rollup that weave set up on this machine.

use std::{fs, io, path::Path};

use serde_json::json;

use super::{node::rollup, parse, program::Home};
use crate::pty::{EXPLORER, terminal::Pty};

/// What no output, log or state may hold.
const SECRET: &str = "abandon ability able about";

/// Writes the files that weave writes, mnemonics among them, for the node at this address.
fn write_files(home: &Path, listen: &str) -> io::Result<()> {
    let account = |address: &str| json!({"l1_address": address, "l2_address": address, "mnemonic": SECRET});
    let operator = "init1qqqsyqcyq5rqwzqfpg9scrgwpugpzysndq3f6m";
    let config = json!({
        "l1_config": {"chain_id": "initiation-2", "rpc_url": "https://rpc.testnet.initia.xyz:443", "gas_prices": "0.015uinit"},
        "l2_config": {"chain_id": "rollscope-evm-1", "denom": "GAS", "moniker": SECRET},
        "op_bridge": {"output_submission_interval": "1m0s", "batch_submission_target": "INITIA", "enable_oracle": true},
        "system_keys": {"validator": account(operator), "bridge_executor": account(SECRET), "challenger": {"mnemonic": SECRET}},
        "genesis_accounts": [{"address": operator, "coins": SECRET}],
    });
    let executor = json!({
        "version": 1,
        "server": {"address": "localhost:3000", "allow_origins": "*"},
        "l1_node": {"chain_id": "initiation-2"},
        "l2_node": {"chain_id": "rollscope-evm-1", "rpc_address": SECRET},
        "bridge_executor": SECRET,
    });
    let side = |chain: &str| json!({"chainId": chain, "key": {"type": "mnemonic", "privateKey": SECRET}});
    let relayer = json!({"port": 7010, "pairs": [{"name": SECRET, "chainA": side("initiation-2"), "chainB": side("rollscope-evm-1")}]});
    for (file, text) in [
        (".minitia/artifacts/config.json", config.to_string()),
        (".minitia/artifacts/artifacts.json", r#"{"BRIDGE_ID": "659", "EXECUTOR_L1_MONITOR_HEIGHT": "1"}"#.to_owned()),
        (".minitia/config/config.toml", format!("moniker = \"{SECRET}\"\n[rpc]\nladdr = \"tcp://{listen}\"\n")),
        (".minitia/config/app.toml", "[api]\nenable = false\naddress = \"tcp://localhost:1317\"\n".to_owned()),
        (".opinit/executor.json", executor.to_string()),
        (".opinit/weave.keyfile.json", json!({"mnemonic": SECRET}).to_string()),
        (".weave/config.json", json!({"gas_station": {"mnemonic": SECRET}}).to_string()),
        (".relayer/config.json", relayer.to_string()),
        (".rollytics/.env", format!("DB_DSN=postgres://user:{SECRET}@localhost\nCHAIN_ID=other-1\nPORT=8088\n")),
    ] {
        let path = home.join(file);
        fs::create_dir_all(path.parent().unwrap_or(home))?;
        fs::write(path, text)?;
    }
    Ok(())
}

#[test]
fn weaves_files_name_the_rollup_and_no_other_value_is_printed() {
    let home = Home::empty();
    write_files(home.path(), "0.0.0.0:36657").expect("the files can be written");
    let shown = parse(&home.run("local --format json").good());
    let expected = json!({
        "chain_id": "rollscope-evm-1",
        "l1": "initiation-2",
        "bridge_id": 659,
        "node": "http://127.0.0.1:36657",
        "rest": null,
        "json_rpc": null,
        "indexer": null,
        "executor": "http://localhost:3000",
        "relayer": ["initiation-2", "rollscope-evm-1"],
        "accounts": [{"name": "validator", "address": "init1qqqsyqcyq5rqwzqfpg9scrgwpugpzysndq3f6m"}],
        "absent": [],
    });
    assert_eq!(shown, expected);
    let env = home.path().join(".rollytics/.env");
    fs::write(env, "CHAIN_ID=rollscope-evm-1\n").expect("a file can be written");
    assert_eq!(parse(&home.run("local").good())["indexer"], "http://127.0.0.1:6767", "weave publishes this port");

    // What cannot be read is named by its place: a parser's own sentence repeats values.
    let spoil = |file: &str, text: String| fs::write(home.path().join(file), text).expect("a file can be written");
    spoil(".opinit/executor.json", json!({"server": SECRET}).to_string());
    spoil(".minitia/config/app.toml", format!("[api]\naddress = 1\nother = \"{SECRET}\"\n"));
    fs::remove_file(home.path().join(".relayer/config.json")).expect("the file is there");
    for format in ["table", "json", "jsonl", "csv"] {
        let ran = home.run(&format!("local --format {format}"));
        assert!(ran.status == 0 && !ran.out.contains("abandon") && !ran.err.contains("abandon"), "{ran:?}");
        for said in ["executor.json", "line 1, column ", "app.toml", "line 2", "missing"] {
            assert!(ran.out.contains(said), "{said}: {}", ran.out);
        }
    }
    spoil(".minitia/artifacts/config.json", json!({"l2_config": SECRET}).to_string());
    let sentence = home.run("local").bad(1);
    assert!(sentence.starts_with("~/.minitia/artifacts/config.json is unusable: line 1, column "), "{sentence}");
    assert!(!sentence.contains("abandon"), "{sentence}");
}

#[test]
fn a_machine_without_a_rollup_is_told_which_file_is_missing() {
    let sentence = Home::empty().run("local").bad(1);
    let said = "~/.minitia/artifacts/config.json is missing: set up a rollup with weave, or name a node with --node";
    assert_eq!(sentence, said);
    let sentence = Home::empty().run("local --node http://127.0.0.1:1").bad(2);
    assert!(sentence.contains("omit --node"), "{sentence}");
}

#[test]
fn the_explorer_opens_the_rollup_of_this_machine_and_keeps_no_secret() {
    let rollup = rollup(30);
    let listen = rollup.url().trim_start_matches("http://").to_owned();
    let arguments = ["local", "--timeout", "60s"];
    let mut pty = Pty::spawn_in(EXPLORER, &arguments, &[], (120, 36), |home| write_files(home, &listen));
    pty.wait_for("height 30 ").wait_for("rollscope-evm-1").keys("ctrl-c");
    assert_eq!(pty.wait_exit(), 0);
    let shown = pty.read(|output| output.bytes.clone());
    assert!(!String::from_utf8_lossy(&shown).contains("abandon"));
    let mut written = 0;
    let mut folders = vec![pty.home().to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if entry.is_dir() && ![".minitia", ".opinit", ".weave", ".relayer", ".rollytics"].contains(&&*name) {
                folders.push(entry);
            } else if entry.is_file() {
                let bytes = fs::read(&entry).expect("a file");
                assert!(!bytes.windows(7).any(|window| window == b"abandon"), "{}", entry.display());
                written += 1;
            }
        }
    }
    assert!(written > 0, "the state is written");
}
