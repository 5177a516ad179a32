//! Names of types: each is one thing, so that a search finds it.

use std::collections::BTreeMap;

use super::source::{Source, product, sources};

/// One idea in modules beside each other: the name, the folder that all of them lie in, and why.
const SIBLINGS: &[(&str, &str, &str)] = &[
    ("CallRequest", "src/demo/ledger/", "each virtual machine has its own"),
    ("ContractCall", "src/demo/ledger/", "each virtual machine has its own"),
    ("Planner", "src/demo/ledger/", "each virtual machine has its own"),
    ("Swap", "src/demo/ledger/", "each virtual machine has its own"),
    ("VmFailure", "src/demo/ledger/", "each virtual machine has its own"),
    ("VmMessage", "src/demo/ledger/", "each virtual machine has its own"),
];

/// Types and where they are, by name. What is local to a function or belongs to an `impl` is not counted, nor is a
/// shorthand of another module's type under the same name.
fn types(sources: &[Source]) -> BTreeMap<String, Vec<String>> {
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in sources {
        let mut depth = 0_usize;
        let mut is_next = false;
        let lines = source.code.lines().filter(|line| !is_shorthand(line));
        let separated: String = lines.flat_map(|line| [line, "\n"]).collect();
        let separated = separated.replace('{', " { ").replace('}', " } ");
        for token in separated.split(|c: char| c.is_whitespace() || "<>(;:=".contains(c)).filter(|t| !t.is_empty()) {
            match token {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ if is_next => types.entry(token.to_owned()).or_default().push(source.path.clone()),
                _ => {}
            }
            is_next = depth == 0 && matches!(token, "struct" | "enum" | "trait" | "type" | "union");
        }
    }
    types
}

/// Whether a line declares another module's type under its own name: `type Row = one::Row<u8>;`.
fn is_shorthand(line: &str) -> bool {
    let Some((declared, path)) = line.split_once(" = ") else { return false };
    let name = declared.rsplit(' ').next().unwrap_or_default();
    let path = path.split(['<', ';']).next().unwrap_or_default();
    declared.contains("type ") && path.strip_suffix(name).is_some_and(|module| module.ends_with("::"))
}

/// The names that more than one type has, with the places, but for siblings.
fn shared(sources: &[Source], siblings: &[(&str, &str, &str)]) -> Vec<String> {
    let mut shared = Vec::new();
    for (name, mut places) in types(sources) {
        for (sibling, folder, _) in siblings {
            if *sibling == name {
                let mut is_first = true;
                places.retain(|place| !place.starts_with(folder) || std::mem::take(&mut is_first));
            }
        }
        if places.len() > 1 {
            shared.push(format!("{name}: {}", places.join(", ")));
        }
    }
    shared
}

/// Entries of the list of siblings that allow nothing any more.
fn idle<'a>(sources: &[Source], siblings: &[(&'a str, &str, &str)]) -> Vec<&'a str> {
    let types = types(sources);
    let count = |name: &str, folder: &str| {
        types.get(name).map_or(0, |places| places.iter().filter(|place| place.starts_with(folder)).count())
    };
    siblings.iter().filter(|(name, folder, _)| count(name, folder) < 2).map(|(name, ..)| *name).collect()
}

#[test]
fn a_name_is_one_type() {
    let sources = product(sources("src"));
    let shared = shared(&sources, SIBLINGS);
    assert!(shared.is_empty(), "{} names:\n{}", shared.len(), shared.join("\n"));
    assert_eq!(idle(&sources, SIBLINGS), Vec::<&str>::new(), "these are no siblings any more");
}

#[test]
fn a_name_of_two_types_is_found() {
    let sources = product(vec![
        Source::new("src/a/one.rs", "pub struct Row<T>(T);\nimpl A for B { type Item = u8; }\nenum Only {}"),
        Source::new(
            "src/a/two.rs",
            "pub(crate) struct Row { a: u8 }\nimpl A for C { type Item = u8; }\nfn f() { enum Only {} }",
        ),
        Source::new("src/a/three.rs", "pub(super) type Row = one::Row<u8>;\ntype Short = one::Row<u8>;"),
        Source::new("src/b.rs", "trait Row: Sized {}\n#[cfg(test)]\nmod tests {\nstruct Only;\n}\n// struct Only;"),
    ]);
    assert_eq!(shared(&sources, &[]), ["Row: src/a/one.rs, src/a/two.rs, src/b.rs"]);
    assert_eq!(shared(&sources, &[("Row", "src/a/", "")]), ["Row: src/a/one.rs, src/b.rs"]);
    assert_eq!(shared(&sources, &[("Row", "src/", "")]), Vec::<String>::new());
    assert_eq!(idle(&sources, &[("Row", "src/a/", ""), ("Row", "src/b", ""), ("Only", "src/", "")]), ["Row", "Only"]);
}
