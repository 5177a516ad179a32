//! The dependency picture of `src/lib.rs`, held by reading every `crate::` path; and the size of files.

mod circles;
mod event_names;
mod pages;
mod screens;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Who may use whom directly; everything below an arrow may be used too. `config` stands beside `msg` and `story`
/// with nothing but `domain` under it, and the pages that `client` gives are those of `msg`.
const ARROWS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("files", &[]),
    ("wire", &["domain"]),
    ("events", &["wire"]),
    ("msg", &["wire", "signing"]),
    ("client", &["wire", "msg"]),
    ("store", &["domain", "wire", "files"]),
    ("signing", &["domain", "wire"]),
    ("story", &["domain", "wire", "events", "signing"]),
    ("proof", &["domain", "wire"]),
    ("transfers", &["story"]),
    ("indexer", &["domain", "wire", "events", "files", "client", "proof"]),
    ("demo", &["indexer", "files", "proof"]),
    ("check", &["msg", "client", "indexer"]),
    ("config", &["domain"]),
    ("columns", &["wire", "story", "config"]),
    ("listing", &["client", "columns"]),
    ("widgets", &["msg", "config"]),
    ("worker", &["msg", "client", "store", "signing", "listing"]),
    ("app", &["widgets", "columns", "transfers"]),
    ("panes", &["app"]),
    ("pages", &["panes"]),
    ("ui", &["pages"]),
    ("tui", &["ui", "worker"]),
    ("cli", &["tui", "demo", "check"]),
];

const MOST_LINES: usize = 600;

/// Every module that `module` may use, itself included.
fn allowed(module: &str) -> BTreeSet<&'static str> {
    let mut result = BTreeSet::new();
    let mut todo: Vec<&str> = vec![module];
    while let Some(next) = todo.pop() {
        let (name, below) = ARROWS.iter().find(|(name, _)| *name == next).expect("every module is in the picture");
        if result.insert(*name) {
            todo.extend(*below);
        }
    }
    result
}

/// The source without comments and without what stands in quotes.
fn code(source: &str) -> String {
    let mut result = String::new();
    for line in source.lines() {
        let mut quoted = false;
        let mut characters = line.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\\' if quoted => drop(characters.next()),
                '"' => quoted = !quoted,
                '/' if !quoted && characters.peek() == Some(&'/') => break,
                _ if !quoted => result.push(character),
                _ => {}
            }
        }
        result.push('\n');
    }
    result
}

/// The top-level modules that this source names after `crate::`, or after as many `super::` as lead to the top.
fn used(source: &str, depth: usize) -> BTreeSet<String> {
    let code: String = code(source).split_whitespace().collect::<Vec<_>>().join(" ").replace(":: ", "::");
    let mut result = BTreeSet::new();
    for start in ["crate::".to_owned(), "super::".repeat(depth)] {
        for (position, _) in code.match_indices(&start) {
            let is_start =
                !code[..position].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '$');
            if is_start {
                names(&code[position + start.len()..], &mut result);
            }
        }
    }
    result
}

/// The first names of a path, or of each path in braces.
fn names(path: &str, result: &mut BTreeSet<String>) {
    let name = |text: &str| -> String { text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let Some(group) = path.strip_prefix('{') else {
        result.insert(name(path));
        return;
    };
    let (mut nesting, mut start) = (0_usize, 0);
    for (position, character) in group.char_indices() {
        match character {
            '{' => nesting += 1,
            '}' if nesting == 0 => {
                result.insert(name(group[start..position].trim_start()));
                return;
            }
            '}' => nesting -= 1,
            ',' if nesting == 0 => {
                result.insert(name(group[start..position].trim_start()));
                start = position + 1;
            }
            _ => {}
        }
    }
}

/// What is wrong with a file: each arrow against the picture, and its length.
fn faults(path: &Path, source: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let lines = source.lines().count();
    if lines > MOST_LINES {
        faults.push(format!("{} has {lines} lines; {MOST_LINES} are the most", path.display()));
    }
    if path.file_name().is_some_and(|name| name == "mod.rs") {
        faults.push(format!("{}: write foo.rs beside foo/ instead of mod.rs", path.display()));
    }
    let parts: Vec<_> = path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let module = parts.first().map(String::as_str).unwrap_or_default();
    if matches!(module, "lib" | "main") {
        return faults;
    }
    let allowed = allowed(module);
    let modules: BTreeSet<&str> = ARROWS.iter().map(|(name, _)| *name).collect();
    for name in used(source, parts.len()) {
        if modules.contains(name.as_str()) && !allowed.contains(name.as_str()) {
            faults.push(format!("{}: {module} may not use {name}", path.display()));
        }
    }
    faults
}

fn sources(folder: &Path, found: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(folder).expect("a folder of sources can be read") {
        let path = entry.expect("its entries can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.insert(path.clone(), fs::read_to_string(&path).expect("a source is text"));
        }
    }
}

fn read(folder: &str) -> BTreeMap<PathBuf, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found = BTreeMap::new();
    sources(&folder, &mut found);
    found
        .into_iter()
        .map(|(path, text)| (path.strip_prefix(&folder).expect("it lies within").to_path_buf(), text))
        .collect()
}

#[test]
fn dependencies_run_one_way_and_files_stay_small() {
    let sources = read("src");
    assert!(sources.len() > 30, "the sources were found");
    let faults: Vec<String> = sources.iter().flat_map(|(path, source)| faults(path, source)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn test_files_stay_small_too() {
    for (path, source) in read("tests") {
        let lines = source.lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", path.display());
        assert!(path.file_name().is_some_and(|name| name != "mod.rs"), "{}", path.display());
    }
}

#[test]
fn the_main_file_only_dispatches() {
    let sources = read("src");
    let main = &sources[Path::new("main.rs")];
    assert!(main.lines().count() < 60);
    assert_eq!(main.matches("rollscope::").count(), 1, "main uses the command line and nothing else");
    assert!(main.contains("rollscope::cli"));
}

#[test]
fn every_module_is_in_the_picture() {
    let sources = read("src");
    let declared: BTreeSet<&str> = sources[Path::new("lib.rs")]
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';')))
        .collect();
    assert_eq!(declared, ARROWS.iter().map(|(name, _)| *name).collect());
}

#[test]
fn the_check_finds_what_it_looks_for() {
    let find = |path: &str, source: &str| faults(Path::new(path), source);
    for (path, source) in [
        ("ui/frame.rs", "use crate::client::IndexerClient;"),
        ("ui.rs", "use crate::{\n    app::App,\n    worker::{Worker, WorkerOptions},\n};"),
        ("app.rs", "fn a() { crate::tui::run(); }"),
        ("domain/hash.rs", "use super::super::wire::Tx;"),
        ("indexer/http/routes.rs", "use crate::{domain::{Height, TxHash}, wire::{self, Tx}, demo};"),
        ("wire/a.rs", "pub(in crate::msg) struct A;"),
        ("config.rs", "use super::story::Story;"),
        ("cli/mod.rs", ""),
    ] {
        assert_eq!(find(path, source).len(), 1, "{path}: {source}");
    }
    assert_eq!(find("app/a.rs", &"\n".repeat(601)).len(), 1);
    for (path, source) in [
        ("ui/frame.rs", "use crate::{app::App, config::{Styles, Key}, domain::text, wire};"),
        ("app.rs", "// crate::tui is not used\nlet a = \"crate::tui\";"),
        ("app/list.rs", "use super::{effect::Effect, worker};"),
        ("worker/task.rs", "use crate::{client::IndexerClient, domain::Height, msg::Slot, store, wire::ApiError};"),
        ("wire/a.rs", "use rollcrate::tui;"),
    ] {
        assert_eq!(find(path, source), Vec::<String>::new(), "{path}: {source}");
    }
}
