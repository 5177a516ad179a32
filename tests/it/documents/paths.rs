//! The files and names that the documents tell their readers to look at.

use std::collections::BTreeSet;

use super::source::{files, read, root, sources, words};

/// Folders whose paths are checked wherever a document names one.
const TOPS: [&str; 4] = ["src/", "tests/", "assets/", "docs/"];

fn pages() -> Vec<String> {
    let mut pages = files("docs", "md");
    pages.extend(["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(str::to_owned));
    pages
}

/// `a/{b,c}/d` as `a/b/d` and `a/c/d`.
fn spelled_out(path: &str) -> Vec<String> {
    let Some((start, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let Some((choices, end)) = rest.split_once('}') else { return vec![path.to_owned()] };
    choices.split(',').flat_map(|choice| spelled_out(&format!("{start}{}{end}", choice.trim()))).collect()
}

/// Whether a path exists; `<…>` and `*` stand for any one part of it.
fn exists(path: &str) -> bool {
    let mut found = vec![root()];
    for part in path.trim_end_matches('/').split('/') {
        let is_open = part.contains('*') || part.contains('<');
        let ending = part.rsplit(['*', '>']).next().unwrap_or_default();
        let below = |folder: std::path::PathBuf| -> Vec<std::path::PathBuf> {
            if !is_open {
                return [folder.join(part)].into_iter().filter(|path| path.exists()).collect();
            }
            let entries = folder.read_dir().into_iter().flatten().filter_map(Result::ok);
            entries.map(|entry| entry.path()).filter(|path| path.to_string_lossy().ends_with(ending)).collect()
        };
        found = found.into_iter().flat_map(below).collect();
    }
    !found.is_empty()
}

/// The paths below the checked folders that a text names.
fn named(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_alphanumeric() || "/._-{}<>*".contains(c);
    let mut found = BTreeSet::new();
    for top in TOPS {
        for (at, _) in text.match_indices(top) {
            if text[..at].ends_with(|c: char| is_part(c) || c == '~') {
                continue;
            }
            let mut depth = 0_i32;
            let path: String = text[at..]
                .chars()
                .take_while(|&c| {
                    depth += i32::from(c == '{') - i32::from(c == '}');
                    is_part(c) || (depth > 0 && ", ".contains(c))
                })
                .collect();
            found.insert(path.trim_end_matches('.').to_owned());
        }
    }
    found
}

fn missing(text: &str) -> Vec<String> {
    named(text).iter().flat_map(|path| spelled_out(path)).filter(|path| !exists(path)).collect()
}

/// The names of code in a text: in backquotes, with a `::`, with `()`, or in camel case.
fn names(text: &str) -> BTreeSet<String> {
    let is_name = |word: &str| {
        let path = word.trim_end_matches("()");
        let is_path = path.split("::").all(|part| {
            part.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        });
        let is_camel = path.chars().any(char::is_lowercase) && path.starts_with(char::is_uppercase);
        is_path && (word.contains("::") || word.ends_with("()") || is_camel)
    };
    let mut found = BTreeSet::new();
    for (index, word) in text.split('`').enumerate() {
        if index % 2 == 1 && is_name(word) {
            found.extend(words(word).map(str::to_owned));
        }
    }
    found
}

/// The text without blocks of code, whose marks would be taken for backquotes.
fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect()
}

#[test]
fn documents_name_files_that_exist() {
    let faults: Vec<String> = pages()
        .iter()
        .filter(|page| root().join(page).exists())
        .flat_map(|page| missing(&read(page)).into_iter().map(move |path| format!("{page} names {path}")))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_walks_name_code_that_exists() {
    let mut known: BTreeSet<String> = BTreeSet::new();
    for folder in ["src", "tests"] {
        known.extend(sources(folder).iter().flat_map(|source| source.words().map(str::to_owned).collect::<Vec<_>>()));
    }
    for page in ["docs/architecture.md", "CONTRIBUTING.md"] {
        let names = names(&prose(&read(page)));
        let unknown: Vec<_> = names.difference(&known).collect();
        assert!(unknown.is_empty(), "{page} names {unknown:?}");
    }
}

#[test]
fn the_example_of_a_screen_is_code_that_is_tested() {
    let document = read("docs/architecture.md");
    let example = document.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    assert!(example.contains("impl Page for"));
    assert!(read("src/pages/tests/proposer.rs").contains(example), "copy the page to docs/architecture.md again");
}

#[test]
fn wrong_paths_and_names_are_found() {
    for (text, faults) in [
        ("see `src/lib.rs` and src/nothing.rs.", vec!["src/nothing.rs"]),
        ("`tests/it/{main,none}.rs`", vec!["tests/it/none.rs"]),
        ("`src/<module>/hash.rs`, `src/<module>/no-file.rs`", vec!["src/<module>/no-file.rs"]),
        ("`tests/it/*.rs`, `tests/it/*.no`", vec!["tests/it/*.no"]),
        ("(src/) [a](docs/none.md) ~/src/none.rs", vec!["docs/none.md"]),
    ] {
        assert_eq!(missing(text), faults, "{text}");
    }
    let found = names("`App::update` is not `next_key`, nor `A b`, nor `Ctrl-C`; `run()` and `TxHash` are. `q` `KEY`");
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), ["App", "TxHash", "run", "update"]);
}
