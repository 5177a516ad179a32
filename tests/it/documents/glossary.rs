//! The glossary: every entry is alive, and words that it replaced are gone.

use std::collections::BTreeSet;

use super::source::{Source, parts, read, sources, words};

/// The part whose terms are the field's: they need no name in the code.
const FIELD: &str = "The field's words";

/// Words of a private language that the glossary replaced: no identifier may have one among its parts.
const WORDS: &[&str] = &[];

/// Whole names that said nothing to a newcomer.
const NAMES: &[&str] = &[];

/// An item of the glossary.
#[derive(Debug)]
struct Entry {
    part: String,
    term: String,
    /// In the code.
    names: Vec<String>,
}

/// The entries: each is an item `- **term** (`Name`, `name`): meaning`.
fn entries(text: &str) -> Vec<Entry> {
    let mut part = String::new();
    let mut entries = Vec::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            heading.clone_into(&mut part);
        }
        let Some((term, rest)) = line.strip_prefix("- **").and_then(|rest| rest.split_once("**")) else { continue };
        let names = rest.strip_prefix(" (").and_then(|rest| rest.split_once(')')).map_or("", |(names, _)| names);
        let names = names.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        entries.push(Entry { part: part.clone(), term: term.to_owned(), names });
    }
    entries
}

/// What is wrong with a glossary of the code with these identifiers.
fn faults(glossary: &str, known: &BTreeSet<&str>) -> Vec<String> {
    let entries = entries(glossary);
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    for entry in &entries {
        if !seen.insert(entry.term.to_lowercase()) {
            faults.push(format!("“{}” has two meanings", entry.term));
        }
        if entry.part != FIELD && entry.names.is_empty() {
            faults.push(format!("“{}” names nothing in the code", entry.term));
        }
        for name in entry.names.iter().flat_map(|name| words(name)).filter(|name| !known.contains(name)) {
            faults.push(format!("“{}” names {name}, which is not in the code", entry.term));
        }
    }
    for pair in entries.windows(2).filter(|pair| pair[0].part == pair[1].part) {
        if pair[0].term.to_lowercase() > pair[1].term.to_lowercase() {
            faults.push(format!("“{}” stands before “{}”", pair[0].term, pair[1].term));
        }
    }
    faults
}

/// Where the code has a word or a name that it should not have.
fn forbidden(sources: &[Source], words: &[&str], names: &[&str]) -> Vec<String> {
    let mut found = BTreeSet::new();
    for source in sources {
        for identifier in source.words() {
            let is_word = parts(identifier).iter().any(|part| words.contains(&part.as_str()));
            if is_word || names.contains(&identifier) {
                found.insert(format!("{}: {identifier}", source.path));
            }
        }
    }
    found.into_iter().collect()
}

#[test]
fn every_term_is_in_the_code() {
    let sources = sources("src");
    let known = sources.iter().flat_map(Source::words).collect();
    let glossary = read("docs/glossary.md");
    assert!(entries(&glossary).len() > 50, "the terms were found");
    let faults = faults(&glossary, &known);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn words_of_a_private_language_are_gone() {
    let found = forbidden(&sources("src"), WORDS, NAMES);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_wrong_entry_is_found() {
    let known = BTreeSet::from(["Ticket", "ask"]);
    let find = |text: &str| faults(text, &known);
    for text in [
        "## Ours\n- **ticket**: a number",
        "## Ours\n- **ticket** (`Tickets`): a number",
        "## Ours\n- **ticket** (`Ticket`, `asks`): a number",
        "## Ours\n- **ticket** (`Ticket`): a number\n- **ask** (`ask`): a verb",
        "## Ours\n- **ticket** (`Ticket`): a number\n## The field's words\n- **Ticket**: another",
    ] {
        assert_eq!(find(text).len(), 1, "{text}: {:?}", find(text));
    }
    for text in
        ["## Ours\n- **ask** (`Ticket::ask`): a\n- **ticket** (`Ticket`): b", "## The field's words\n- **gas**: a unit"]
    {
        assert_eq!(find(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_private_word_is_found() {
    let source = |code: &str| [Source::new("src/a.rs", code)];
    let find = |code: &str| forbidden(&source(code), &["purse"], &["Told"]);
    for code in ["struct Purse;", "fn fill_purse() {}", "enum Told {}", "let a = purse_of();"] {
        assert_eq!(find(code).len(), 1, "{code}");
    }
    for code in ["// the purse", "let a = \"purse\";", "fn told() {}", "struct ToldApart; struct Disburse;"] {
        assert_eq!(find(code), Vec::<String>::new(), "{code}");
    }
}
