//! The names of events and topics stand in `src/events/names.rs` alone, and only `src/events` reads an attribute by
//! its name: the other rooms have the typed keys of `src/events/keys.rs`.

use std::{collections::BTreeMap, path::PathBuf};

use super::read;

/// The rooms that name events by the constants.
const ROOMS: [&str; 7] = ["story", "transfers", "indexer", "check", "cli", "panes", "demo"];

/// Files in which names are something else: ports, fields, codespaces, virtual machines, actions, functions, verbs.
const OTHERS: [(&str, &str); 35] = [
    ("check/difference.rs", "call tx"),
    ("check/session/blocks.rs", "tx"),
    ("cli/arguments.rs", "evm move wasm"),
    ("cli/bridge/find_sent.rs", "call"),
    ("cli/bridge/messages.rs", "evm tx"),
    ("cli/explore.rs", "transfer"),
    ("cli/generated_docs.rs", "timeout"),
    ("cli/single.rs", "tx"),
    ("cli/story.rs", "tx"),
    ("indexer/index/select.rs", "tx"),
    ("indexer/index/write.rs", "tx"),
    ("panes/story_document.rs", "message"),
    ("story/changes/direction.rs", "burn instantiate transfer"),
    ("story/changes/movevm/objects.rs", "burn"),
    ("story/movement/bridge.rs", "message"),
    ("story/names/glossary/listed.rs", "transfer"),
    ("story/names/glossary/well_known.rs", "transfer"),
    ("story/packet/memo.rs", "evm message move transfer wasm"),
    ("story/words/explanation/evm.rs", "call evm"),
    ("story/words/explanation/movevm.rs", "move"),
    ("story/words/explanation/signing.rs", "evm move wasm"),
    ("story/words/explanation/wasm.rs", "wasm"),
    ("story/words/sentence/cosmos/authz.rs", "message"),
    ("story/words/sentence/evm/trade.rs", "execute"),
    ("story/words/sentence/evm/wrapper.rs", "transfer"),
    ("story/words/sentence/ibc/memo_words.rs", "transfer"),
    ("story/words/sentence/movevm/bridge.rs", "delegate transfer"),
    ("story/words/sentence/movevm/coins.rs", "burn transfer"),
    ("story/words/sentence/movevm/multisig.rs", "call"),
    ("story/words/sentence/movevm/nfts.rs", "burn transfer"),
    ("story/words/sentence/opinit.rs", "message"),
    ("story/words/sentence/opinit/deposit.rs", "call message"),
    ("story/words/sentence/verb.rs", "burn call create delegate execute move transfer"),
    ("story/words/sentence/wasm/cw20.rs", "burn transfer"),
    ("story/words/sentence/wasm/cw721.rs", "burn"),
];

/// The texts of the constants.
fn names(source: &str) -> Vec<&str> {
    let constants = source.lines().filter(|line| line.starts_with("pub const "));
    constants.filter_map(|line| line.split('"').nth(1)).collect()
}

/// The text of a file without its tests, which stand last.
fn code_of(text: &str) -> &str {
    text.find("#[cfg(test)]\nmod tests {").map_or(text, |end| &text[..end])
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
        let file = path.to_string_lossy();
        let others = OTHERS.iter().find(|(other, _)| *other == file).map_or("", |(_, words)| words);
        // The ledger writes events of one word beside fields and functions of the same name.
        let is_other =
            |name: &str| others.split(' ').any(|other| other == name) || (parts[0] == "demo" && !name.contains('_'));
        let code = code_of(text);
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
    assert!(names.len() > 70, "the constants are found");
    let others = OTHERS.iter().flat_map(|(file, words)| words.split(' ').map(move |word| (*file, word)));
    let is_there = |file: &str, word: &str| {
        sources.get(&PathBuf::from(file)).is_some_and(|text| code_of(text).contains(&format!("\"{word}\"")))
    };
    let absent: Vec<_> = others.filter(|(file, word)| !is_there(file, word)).collect();
    assert!(absent.is_empty(), "the table has more than the files: {absent:?}");
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
        let code = code_of(text);
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

/// Files that write a classified type into a query, and those that search a message's events by type.
const BY_TYPE: [&str; 4] =
    ["demo/", "story/movement/bridge/optimistic.rs", "story/movement/bridge/packets.rs", "story/words/sentence/"];

/// The constants of the types that the events' room classifies.
fn classified(source: &str) -> Vec<&str> {
    let arms = source.lines().filter_map(|line| line.trim().strip_prefix("names::")?.split_once(" => Self::"));
    arms.map(|(name, _)| name).collect()
}

/// Code outside the events' room, and outside tests, that reads what an event is for itself: by the constant of a
/// classified type, or by parsing a log.
fn read_again(classified: &[&str], sources: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in sources {
        let file = path.to_string_lossy();
        let is_test = path.with_extension("").iter().any(|part| part == "tests" || part == "test_records");
        if is_test || file.starts_with("events") {
            continue;
        }
        let code = super::code(code_of(text));
        let imports = code.split("names::").skip(1).map(|rest| match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default(),
            None => rest.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).next().unwrap_or_default(),
        });
        let named = imports.flat_map(|list| list.split([',', ' ', '\n'])).filter(|name| classified.contains(name));
        if !BY_TYPE.iter().any(|allowed| file.starts_with(allowed)) {
            faults.extend(named.map(|name| format!("{file} compares the type with {name}")));
        }
        if code.contains("<ContractLog>(") {
            faults.push(format!("{file} parses a log"));
        }
    }
    faults
}

#[test]
fn what_an_event_is_is_read_once() {
    let sources = read("src");
    let classified = classified(&sources[&PathBuf::from("events.rs")]);
    assert!(classified.len() > 12, "the classified types are found: {classified:?}");
    let of_rooms = |text: &str| sources.values().map(|source| source.matches(text).count()).sum::<usize>();
    assert_eq!(of_rooms("EventClass::of("), 2, "each kind of record classifies its events in one place");
    let faults = read_again(&classified, &sources);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn an_event_that_is_read_again_is_found() {
    let classified = classified("            names::EVM => Self::Evm(run),\n            names::WASM => Self::Wasm,");
    assert_eq!(classified, ["EVM", "WASM"]);
    let found =
        |path: &str, text: &str| read_again(&classified, &BTreeMap::from([(PathBuf::from(path), text.to_owned())]));
    let fault = "use crate::events::{\n    keys,\n    names::{EXECUTE, WASM},\n};\nfn a() { event.kind == WASM }";
    assert_eq!(found("transfers/a.rs", fault).len(), 1, "a planted fault");
    assert_eq!(found("indexer/a.rs", "fn a() { event.kind == names::EVM }").len(), 1, "a planted fault");
    assert_eq!(found("panes/a.rs", "serde_json::from_str::<ContractLog>(text)").len(), 1, "a planted fault");
    assert_eq!(found("events/a.rs", fault), Vec::<String>::new(), "where events are classified");
    assert_eq!(found("story/words/sentence/a.rs", fault), Vec::<String>::new(), "a search by type");
    assert_eq!(found("story/a.rs", "use names::{EXECUTE, SUBMSG}; // EVM"), Vec::<String>::new(), "other types");
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
    assert_eq!(found("story/a.rs", &format!("#[cfg(test)]\nmod tests;\n{fault}")), 1, "tests elsewhere");
    assert_eq!(found("story/a.rs", "/// An event: \"coin_spent\".\n#[cfg(test)]\nmod tests { \"coin_spent\" }"), 0);
}
