//! What comments cite: a document of the repository, and the sections of it.

use std::collections::BTreeMap;

use super::source::{Comment, Source, files, read, root, sources};

/// A document: its sections by number, and its headings.
#[derive(Debug, Default)]
struct Document {
    headings: Vec<String>,
    /// The lines of each section up to the next heading, by its number.
    sections: BTreeMap<String, Vec<String>>,
}

impl Document {
    fn new(text: &str) -> Self {
        let mut document = Self::default();
        let mut number = String::new();
        for line in text.lines() {
            let Some(heading) = line.strip_prefix('#') else {
                document.sections.entry(number.clone()).or_default().push(line.to_owned());
                continue;
            };
            let heading = heading.trim_start_matches('#').trim();
            let first = heading.split(' ').next().unwrap_or_default().trim_end_matches('.');
            let is_number = !first.is_empty() && first.chars().all(|c| c.is_ascii_digit() || c == '.');
            number = if is_number { first.to_owned() } else { String::new() };
            document.sections.entry(number.clone()).or_default();
            document.headings.push(heading.to_owned());
        }
        document
    }

    /// Whether the section has an item of a numbered list with this number.
    fn has_item(&self, section: &str, number: &str) -> bool {
        let lines = self.sections.get(section).into_iter().flatten();
        lines.into_iter().any(|line| line.strip_prefix(number).is_some_and(|rest| rest.starts_with(". ")))
    }
}

type Documents = BTreeMap<String, Document>;

fn documents() -> Documents {
    let paths = files("docs", "md").into_iter();
    paths.map(|path| (path.clone(), Document::new(&read(&path)))).collect()
}

/// What is wrong with what a comment cites.
///
/// A document is named by its path in backquotes. The numbers behind `§` are its sections, until the comment names
/// another one; `step 3` and `trap 36` are items of the section before, and what stands in quotes behind a comma is a
/// heading.
fn faults(path: &str, comment: &Comment, documents: &Documents) -> Vec<String> {
    let fault = |what: String| format!("{path}:{}: {what}", comment.line);
    let mut faults = Vec::new();
    let mut cited: Option<(&str, &Document)> = None;
    let mut section = String::new();
    // Said once, not again for each section of what is not there.
    let mut is_lost = false;
    let mut rest = comment.text.as_str();
    // What was left behind the last citation: only what follows it at once belongs to it.
    let mut behind = usize::MAX;
    while let Some(at) = rest.find(['`', '§', ',']) {
        let is_next = rest.len() - at == behind;
        let (mark, after) = rest[at..].split_at(rest[at..].chars().next().map_or(0, char::len_utf8));
        rest = after;
        if mark == "`" {
            let Some((word, after)) = after.split_once('`') else { break };
            rest = after;
            if word.strip_suffix(".md").is_none_or(|name| name.contains(' ')) {
                continue;
            }
            cited = documents.get_key_value(word).map(|(path, document)| (path.as_str(), document));
            section.clear();
            behind = rest.len();
            is_lost = cited.is_none();
            if is_lost && !root().join(word).is_file() {
                faults.push(fault(format!("{word} is no document of this repository")));
            }
        } else if mark == "§" {
            section = after.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
            section = section.trim_end_matches('.').to_owned();
            behind = after.len() - section.len();
            match cited {
                None if is_lost => {}
                None => faults.push(fault(format!("§{section} of which document?"))),
                Some((_, document)) if document.sections.contains_key(&section) => {}
                Some((name, _)) => faults.push(fault(format!("{name} has no section {section}"))),
            }
        } else if let Some((name, document)) = cited.filter(|_| is_next) {
            if let Some(heading) = after.strip_prefix(" \"").and_then(|text| text.split('"').next()) {
                if !document.headings.iter().any(|known| known == heading) {
                    faults.push(fault(format!("{name} has no heading “{heading}”")));
                }
            } else if let Some(number) = [" step ", " trap "].iter().find_map(|word| after.strip_prefix(word)) {
                let number: String = number.chars().take_while(char::is_ascii_digit).collect();
                if !document.has_item(&section, &number) {
                    faults.push(fault(format!("{name} §{section} has no item {number}")));
                }
            }
        }
    }
    faults
}

fn all_faults(sources: &[Source], documents: &Documents) -> Vec<String> {
    let of = |source: &Source| -> Vec<String> {
        source.comments.iter().flat_map(|comment| faults(&source.path, comment, documents)).collect()
    };
    sources.iter().flat_map(of).collect()
}

#[test]
fn what_comments_cite_exists() {
    let documents = documents();
    let mut faults = all_faults(&sources("src"), &documents);
    faults.extend(all_faults(&sources("tests"), &documents));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_wrong_citation_is_found() {
    let document = Document::new("# A\n## 1. One\n### 1.1 Two\n1. a\n36. b\n## Budgets\nBytes: §9\n");
    let documents = Documents::from([("docs/a.md".to_owned(), document)]);
    let find = |text: &str| all_faults(&[Source::new("src/b.rs", text)], &documents);
    for text in [
        "/// Seen (`docs/b.md` §1).",
        "/// Seen (`wire/none.md`).",
        "/// Seen (`docs/a.md` §2).",
        "/// Seen (`docs/a.md` §1 and §1.2).",
        "/// Seen (`docs/a.md`\n/// §3).",
        "/// Seen (§1).",
        "/// Seen (`docs/a.md` §1.1, trap 3).",
        "/// Seen (`docs/a.md` §1, trap 36).",
        "/// Seen (`docs/a.md`, \"Two\").",
        "fn a() {} // `docs/a.md`, §1.10",
    ] {
        assert_eq!(find(text).len(), 1, "{text}: {:?}", find(text));
    }
    for text in [
        "/// Seen (`docs/a.md`).",
        "/// Seen (`docs/a.md` §1, §1.1).",
        "/// Seen (`docs/a.md` §1.1, trap 36) or\n/// (§1).",
        "/// Seen (`docs/a.md` §1 to §1.1; `README.md`).",
        "/// Seen (`docs/a.md`, \"Budgets\"), see `a.b`, \"Two\"",
        "let a = \"`docs/b.md` §9\";",
    ] {
        assert_eq!(find(text), Vec::<String>::new(), "{text}");
    }
}
