//! Sources taken apart into code and comments.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// A comment: lines that follow one another are one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Comment {
    /// Where it begins, from 1.
    pub(super) line: usize,
    /// Its words, without the marks, in one line.
    pub(super) text: String,
}

/// A file of Rust.
#[derive(Debug)]
pub(super) struct Source {
    /// From the top of the repository, with `/`.
    pub(super) path: String,
    /// The code, where comments and literals are blank; its lines are where they were.
    pub(super) code: String,
    pub(super) comments: Vec<Comment>,
}

pub(super) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The text of a file of the repository.
pub(super) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every file of Rust below a folder of the repository.
pub(super) fn sources(folder: &str) -> Vec<Source> {
    let mut paths = files(folder, "rs");
    paths.sort();
    assert!(paths.len() > 20, "the sources of {folder} were found");
    paths.iter().map(|path| Source::new(path, &read(path))).collect()
}

/// The paths of all files below a folder whose name has this ending.
pub(super) fn files(folder: &str, ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut todo = vec![root().join(folder)];
    while let Some(next) = todo.pop() {
        for entry in fs::read_dir(&next).expect("a folder of the repository can be read") {
            let path = entry.expect("its entries can be read").path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|found| found == ending) {
                found.push(relative(&path));
            }
        }
    }
    found
}

fn relative(path: &Path) -> String {
    let path = path.strip_prefix(root()).expect("it lies in the repository");
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Self {
        let mut scan = Scan { rest: text, line: 1, code: String::new(), comments: Vec::new(), last: 0 };
        while scan.step() {}
        Self { path: path.to_owned(), code: scan.code, comments: scan.comments }
    }

    /// The words of the code, keywords too, in order.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        words(&self.code)
    }
}

/// The identifiers and keywords in a piece of code.
pub(super) fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c| !is_in_word(c)).filter(|word| word.starts_with(|c: char| !c.is_numeric()))
}

/// `TxHash` and `tx_hash` as `tx`, `hash`.
pub(super) fn parts(identifier: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    for character in identifier.chars() {
        if (character == '_' || character.is_uppercase()) && !part.is_empty() {
            parts.push(std::mem::take(&mut part));
        }
        if character != '_' {
            part.extend(character.to_lowercase());
        }
    }
    parts.extend((!part.is_empty()).then_some(part));
    parts
}

struct Scan<'a> {
    rest: &'a str,
    line: usize,
    code: String,
    comments: Vec<Comment>,
    /// The line of the last comment's end.
    last: usize,
}

impl Scan<'_> {
    /// Takes one token; whether there was one.
    fn step(&mut self) -> bool {
        let rest = self.rest;
        let word = rest.find(|c| !is_in_word(c)).unwrap_or(rest.len());
        if rest.starts_with("//") {
            self.comment(rest.find('\n').unwrap_or(rest.len()));
        } else if rest.starts_with("/*") {
            self.comment(rest.find("*/").map_or(rest.len(), |end| end + 2));
        } else if let Some(length) = literal(rest, word) {
            self.skip(length);
            self.code.push('0');
        } else {
            let other = rest.find(|c| is_in_word(c) || matches!(c, '/' | '"' | '\'')).unwrap_or(rest.len());
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let (taken, rest) = rest.split_at(word.max(other).max(first));
            self.line += taken.matches('\n').count();
            self.code.push_str(taken);
            self.rest = rest;
        }
        !self.rest.is_empty()
    }

    fn comment(&mut self, length: usize) {
        let text = self.rest[..length].trim_start_matches(['/', '!', '*']).trim_end_matches(['/', '*']).trim();
        let is_next = self.last + 1 == self.line && self.code.rsplit('\n').next().is_some_and(|l| l.trim().is_empty());
        match self.comments.last_mut().filter(|_| is_next) {
            Some(comment) => comment.text.extend([" ", text]),
            None => self.comments.push(Comment { line: self.line, text: text.to_owned() }),
        }
        self.skip(length);
        self.last = self.line;
    }

    /// Leaves out what is no code, but for its lines.
    fn skip(&mut self, length: usize) {
        let (skipped, rest) = self.rest.split_at(length);
        let lines = skipped.matches('\n').count();
        self.code.push_str(&"\n".repeat(lines));
        self.line += lines;
        self.rest = rest;
    }
}

fn is_in_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// How long the literal is that begins here, if one does: text, raw text or a character. `word` is the length of the
/// letters before its mark.
fn literal(rest: &str, word: usize) -> Option<usize> {
    if !matches!(&rest[..word], "" | "b" | "c" | "r" | "br" | "cr") {
        return None;
    }
    let after = &rest[word..];
    if rest[..word].contains('r') {
        let hashes = after.len() - after.trim_start_matches('#').len();
        let text = after[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(word + hashes + 1 + text.find(&end).map_or(text.len(), |at| at + end.len()));
    }
    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut characters = after.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            _ if character == quote => return Some(word + at + 1),
            // What has no closing mark after one character is a lifetime.
            _ if quote == '\'' && !after[at + character.len_utf8()..].starts_with('\'') && at == 1 => return None,
            _ => {}
        }
    }
    (quote == '"').then_some(rest.len())
}

/// The code without what is built for tests only: items and files behind `#[cfg(test)]`.
pub(super) fn product(sources: Vec<Source>) -> Vec<Source> {
    let mut only_tests = BTreeSet::new();
    let mut product: Vec<Source> = Vec::new();
    for mut source in sources {
        let folder = source.path.trim_end_matches(".rs").to_owned();
        while let Some(at) = source.code.find("#[cfg(test)]") {
            let item = &source.code[at..];
            let length = match (item.find(';'), item.find('{')) {
                (Some(end), open) if open.is_none_or(|open| end < open) => {
                    let name = words(&item[..end]).last().unwrap_or_default();
                    only_tests.insert(format!("{folder}/{name}"));
                    end + 1
                }
                (_, Some(open)) => open + block(&item[open..]),
                _ => item.len(),
            };
            let lines = "\n".repeat(item[..length].matches('\n').count());
            source.code.replace_range(at..at + length, &lines);
        }
        product.push(source);
    }
    let is_test = |path: &str| {
        only_tests.iter().any(|test| path.strip_prefix(test.as_str()).is_some_and(|rest| rest.starts_with(['.', '/'])))
    };
    product.retain(|source| !is_test(&source.path));
    product
}

/// How long the block in braces is that begins here.
fn block(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, character) in code.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

#[test]
fn sources_are_taken_apart() {
    let text = r##"//! One (`a.md`
//! and two).
use b; // three
let c = "// no \" comment"; let d = r#"/* "none" */"#;
let e: &'static str = 'f'; let g = ['\'', '"', b'\\'];
/* four
lines */
fn over() {}
// five

// six
"##;
    let source = Source::new("a.rs", text);
    let comments: Vec<_> = source.comments.iter().map(|comment| (comment.line, comment.text.as_str())).collect();
    assert_eq!(comments, [(1, "One (`a.md` and two)."), (3, "three"), (6, "four\nlines"), (9, "five"), (11, "six")]);
    let words: Vec<&str> = source.words().collect();
    assert_eq!(words, ["use", "b", "let", "c", "let", "d", "let", "e", "static", "str", "let", "g", "fn", "over"]);
    assert_eq!(source.code.lines().count(), text.lines().count());
    assert_eq!(parts("TxHash2_of"), ["tx", "hash2", "of"]);
}

#[test]
fn tests_are_no_product() {
    let sources = vec![
        Source::new(
            "src/a.rs",
            "struct A { b: u8 }\n#[cfg(test)]\nmod tests;\n#[cfg(test)] mod b { fn c() {} }\nmod d;",
        ),
        Source::new("src/a/tests.rs", "struct T;"),
        Source::new("src/a/tests/deep.rs", "struct T;"),
        Source::new("src/a/testsuite.rs", "struct U;"),
    ];
    let product = product(sources);
    let kept: Vec<&str> = product.iter().map(|source| source.path.as_str()).collect();
    assert_eq!(kept, ["src/a.rs", "src/a/testsuite.rs"]);
    assert_eq!(words(&product[0].code).collect::<Vec<_>>(), ["struct", "A", "b", "u8", "mod", "d"]);
}
