//! Pages: they never see each other, what draws or says something asks for nothing, and nobody tells screens apart but
//! the list of them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{code, read};

/// Words of somebody who asks or changes.
const ASKING: &[&str] = &["PageCx", "PageEffect", "TransferCx", "Requests", "Request", "Instruction"];

/// Methods of `App` at the most.
const METHODS_OF_APP: usize = 70;

/// What is wrong with a file of a page.
fn faults(path: &Path, source: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let parts: Vec<String> = path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let code = code(source);
    if let [folder, page, ..] = parts.as_slice()
        && folder == "pages"
    {
        for start in ["crate::pages::", "super::super::"] {
            for (position, _) in code.match_indices(start) {
                let named: String =
                    code[position + start.len()..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let is_own = named == *page || (start != "crate::pages::" && parts.len() > 2);
                if !is_own && page != "tests" && named != "tests" && !named.starts_with(char::is_uppercase) {
                    faults.push(format!("{}: a page names pages::{named}", path.display()));
                }
            }
        }
    }
    let is_silent = matches!(parts.first().map(String::as_str), Some("pages" | "panes"))
        && parts.iter().any(|part| matches!(part.as_str(), "draw" | "lines"));
    if is_silent {
        let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        for word in words.filter(|word| ASKING.contains(word)) {
            faults.push(format!("{}: what draws or says something uses {word}", path.display()));
        }
    }
    faults
}

/// How many arms of destinations a file has: only the list of pages tells them all apart.
fn arms(source: &str) -> usize {
    let code = code(source);
    code.lines().filter(|line| line.contains("Destination::") && line.contains("=>")).count()
}

/// How many methods the session has of its own, in whatever file.
fn methods_of_app(sources: &BTreeMap<PathBuf, String>) -> usize {
    let blocks = sources.values().flat_map(|source| source.split("\nimpl App {\n").skip(1));
    let own = |block: &str| {
        let block = block.split("\n}\n").next().unwrap_or(block);
        let starts =
            ["    fn ", "    pub fn ", "    pub(crate) fn ", "    pub(super) fn ", "    pub(in crate::app) fn "];
        block.lines().filter(|line| starts.iter().any(|start| line.starts_with(start))).count()
    };
    blocks.map(own).sum()
}

fn pages() -> BTreeMap<PathBuf, String> {
    read("src")
}

#[test]
fn pages_are_apart_and_drawing_asks_for_nothing() {
    let sources = pages();
    let files = sources.keys().filter(|path| path.starts_with("pages")).count();
    assert!(files > 40, "{files} files of pages");
    let faults: Vec<String> = sources.iter().flat_map(|(path, source)| faults(path, source)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn only_the_list_of_pages_tells_screens_apart() {
    for (path, source) in pages() {
        let most = if path == Path::new("pages.rs") { usize::MAX } else { 4 };
        assert!(arms(&source) <= most, "{} has {} arms of destinations", path.display(), arms(&source));
    }
}

#[test]
fn the_session_stays_small() {
    let methods = methods_of_app(&pages());
    assert!((50..=METHODS_OF_APP).contains(&methods), "App has {methods} methods");
    let two = "struct A;\nimpl App {\n    fn a() {\n        fn no() {}\n    }\n    pub(super) fn b() {}\n}\nimpl B {\n    fn c() {}\n}\n";
    assert_eq!(methods_of_app(&BTreeMap::from([(PathBuf::from("app.rs"), two.to_owned())])), 2);
}

#[test]
fn what_pages_must_not_do_is_found() {
    let find = |path: &str, source: &str| faults(Path::new(path), source).len();
    for (path, source) in [
        ("pages/tx.rs", "use crate::pages::block::BlockPage;"),
        ("pages/tx/state.rs", "fn a(page: &crate::pages::block::BlockPage) {}"),
        ("pages/tx/draw.rs", "fn draw(cx: &mut PageCx<'_>) {}"),
        ("panes/tx_lines/draw.rs", "cx.emit(PageEffect::Redraw);"),
        ("pages/send/lines.rs", "use crate::{app::page::Drawing, msg::Request};"),
    ] {
        assert_eq!(find(path, source), 1, "{path}: {source}");
    }
    for (path, source) in [
        ("pages/tx/state.rs", "use crate::pages::tx::lines;\nuse super::super::Hint;"),
        ("pages/tx/draw.rs", "// PageCx\nfn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>) { text(\"PageEffect\"); }"),
        ("pages/tx/state.rs", "fn act(cx: &mut PageCx<'_>) {}"),
    ] {
        assert_eq!(find(path, source), 0, "{path}: {source}");
    }
    assert_eq!(arms("match a {\n Destination::A => 1,\n Destination::B(..) => 2,\n}"), 2);
}
