//! The names of events and topics stand in `src/events/names.rs` alone, and only `src/events` reads an attribute by
//! its name: the other rooms have the typed keys of `src/events/keys.rs`.

use std::{collections::BTreeMap, path::PathBuf};

use super::read;

/// The rooms that name events by the constants.
const ROOMS: [&str; 7] = ["story", "transfers", "indexer", "check", "cli", "panes", "demo"];

/// Files in which a name is something else: a key of the router's operations.
const OTHERS: [(&str, &str); 1] = [("demo/http/forms.rs", "ibc_transfer")];

/// The texts of the constants.
fn names(source: &str) -> Vec<&str> {
    let constants = source.lines().filter(|line| line.starts_with("pub const "));
    constants.filter_map(|line| line.split('"').nth(1)).collect()
}

/// Literals of the rooms, outside tests, that repeat a name.
fn faults(names: &[&str], sources: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in sources {
        let parts: Vec<String> =
            path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let is_room = parts.first().is_some_and(|room| ROOMS.contains(&room.as_str()));
        if !is_room || parts.iter().any(|part| part == "tests" || part == "test_records") {
            continue;
        }
        let is_other = |name: &str| OTHERS.contains(&(&*path.to_string_lossy(), name));
        let code = text.find("#[cfg(test)]\nmod ").map_or(text.as_str(), |end| &text[..end]);
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let repeated =
                line.split('"').skip(1).step_by(2).filter(|literal| names.contains(literal) && !is_other(literal));
            faults.extend(repeated.map(|name| format!("{} repeats {name:?}", path.display())));
        }
    }
    faults
}

#[test]
fn event_names_are_written_once() {
    let sources = read("src");
    let names = names(&sources[&PathBuf::from("events/names.rs")]);
    assert!(names.len() > 50, "the constants are found");
    let faults = faults(&names, &sources);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The texts of the attributes' keys.
fn keys(source: &str) -> Vec<&str> {
    let keys = source.lines().filter_map(|line| line.trim().split_once(" = \""));
    let keys =
        keys.filter(|(name, _)| name.bytes().all(|byte| byte.is_ascii_uppercase() || b"_0123456789".contains(&byte)));
    keys.filter_map(|(_, text)| text.strip_suffix('"')).collect()
}

/// What a line has that compares an attribute's key with text.
const READINGS: [&str; 5] = [".value(\"", ".values(\"", "key == \"", "name == \"", "matches!(key, "];

/// Lines of the rooms, outside tests, that read an attribute by name.
fn readings(keys: &[&str], sources: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in sources {
        let parts: Vec<String> =
            path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
        // The ledger's JSON writer has a `value` too.
        let is_room = parts.first().is_some_and(|room| room != "demo" && ROOMS.contains(&room.as_str()));
        if !is_room || parts.iter().any(|part| part == "tests" || part == "test_records") {
            continue;
        }
        let code = text.find("#[cfg(test)]\nmod ").map_or(text.as_str(), |end| &text[..end]);
        for line in code.lines().filter(|line| READINGS.iter().any(|reading| line.contains(reading))) {
            let read = line.split('"').skip(1).step_by(2).filter(|literal| keys.contains(literal));
            faults.extend(read.map(|key| format!("{} reads {key:?} by name", path.display())));
        }
    }
    faults
}

#[test]
fn attributes_are_read_by_name_only_among_the_events() {
    let sources = read("src");
    let keys = keys(&sources[&PathBuf::from("events/keys.rs")]);
    assert!(keys.len() > 80, "the keys are found: {}", keys.len());
    let faults = readings(&keys, &sources);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn an_attribute_that_is_read_by_name_is_found() {
    let keys = keys("    Address {\n        SPENDER = \"spender\"\n    }\nlet other = \"ours\";");
    assert_eq!(keys, ["spender"]);
    let found =
        |path: &str, text: &str| readings(&keys, &BTreeMap::from([(PathBuf::from(path), text.to_owned())])).len();
    let fault = "fn a(event: &TxEvent) -> Option<&str> {\n    event.value(\"spender\")\n}\n";
    assert_eq!(found("indexer/index/changes/wasm.rs", fault), 1, "a planted fault");
    assert_eq!(found("story/a.rs", "attributes.iter().find(|(key, _)| key == \"spender\")"), 1, "a planted fault");
    assert_eq!(found("events/bank.rs", fault), 0, "where they are read");
    assert_eq!(found("story/a/tests.rs", fault), 0, "tests");
    assert_eq!(found("story/a.rs", "message.text(\"spender\")"), 0, "a field of a message");
}

#[test]
fn a_repeated_event_name_is_found() {
    let names = names("pub const COIN_SPENT: &str = \"coin_spent\";\n// Others.\nconst OURS: &str = \"ours\";");
    assert_eq!(names, ["coin_spent"]);
    let found =
        |path: &str, text: &str| faults(&names, &BTreeMap::from([(PathBuf::from(path), text.to_owned())])).len();
    let fault = "fn a(b: &str) -> bool {\n    b == \"coin_spent\"\n}\n";
    assert_eq!(found("story/a.rs", fault), 1, "a planted fault");
    assert_eq!(found("indexer/index/changes.rs", "matches!(kind, \"a\" | \"coin_spent\")"), 1);
    assert_eq!(found("wire/a.rs", fault), 0, "a room that reads no events");
    assert_eq!(found("story/a/tests.rs", fault), 0, "tests");
    assert_eq!(found("story/a.rs", "/// An event: \"coin_spent\".\n#[cfg(test)]\nmod tests { \"coin_spent\" }"), 0);
}
