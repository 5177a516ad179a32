//! Circles of imports between files: how large they may be, found by reading every path into the crate.
//!
//! A path leads to the file that defines its item, through whatever re-exports. So `pub use child::Item` in a parent is
//! a signpost and no dependency, but a parent whose own code uses a child, or a child that uses its parent's code, is.
//! `mod child;` alone is nothing.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use super::{code, read};

/// Files in a circle at the most: a small page has as many.
const MOST: usize = 6;

/// Larger circles that are still to be opened: a file in each, and how many files it has at the most.
const LARGER: &[(&str, usize)] = &[("story::words::explanation", 12), ("panes::story_document", 9)];

/// A module by the names on its path; the crate's root has none.
type Module = Vec<String>;

/// A file, read: what it imports, and the paths in its code.
#[derive(Default)]
struct Source {
    /// By the name under which it is known here: where it leads, seen from the crate's root.
    imports: BTreeMap<String, Module>,
    globs: Vec<Module>,
    /// Whatever its code names in other files.
    paths: Vec<Module>,
    code: String,
}

impl Source {
    fn new(module: &Module, text: &str, known: &BTreeSet<&Module>) -> Self {
        let text = without_tests(&code(text)).split_whitespace().collect::<Vec<_>>().join(" ");
        let text = text.replace(":: ", "::").replace("{ ", "{");
        let (imports, code) = imports_and_code(&text);
        let mut source = Self { code, ..Self::default() };
        for import in imports {
            let Some(mut path) = absolute(module, &import.path, known) else { continue };
            if path.last().is_some_and(|last| last == "*") {
                path.pop();
                source.globs.push(path.clone());
            } else {
                source.imports.insert(import.name.clone(), path.clone());
            }
            if !import.is_public || uses(&source.code, &import.name) {
                source.paths.push(path);
            }
        }
        source.paths.extend(paths(&source.code).iter().filter_map(|path| absolute(module, path, known)));
        source
    }

    fn defines(&self, name: &str) -> bool {
        let kinds = ["struct", "enum", "trait", "type", "fn", "const", "static"];
        words(&self.code, name).any(|(before, _)| kinds.iter().any(|kind| before.trim_end().ends_with(kind)))
    }
}

/// One name that a `use` brings.
struct Import {
    is_public: bool,
    name: String,
    path: Vec<String>,
}

/// Takes every `use` out of the text.
fn imports_and_code(text: &str) -> (Vec<Import>, String) {
    let mut imports = Vec::new();
    let mut code = String::new();
    let mut rest = text;
    while let Some(position) = rest.find("use ") {
        let (before, found) = rest.split_at(position);
        let end = found.find(';').unwrap_or(found.len());
        let statement = before.rfind([';', '{', '}', ']']).map_or(before, |start| &before[start + 1..]).trim();
        let is_public = statement.starts_with("pub");
        if !(statement.is_empty() || is_public && statement.len() == statement.trim_end_matches("use").len()) {
            code.push_str(&rest[..position + 4]);
            rest = &rest[position + 4..];
            continue;
        }
        code.push_str(before.strip_suffix(&format!("{statement} ")).unwrap_or(before));
        let mut found_paths = Vec::new();
        expand(&found[4..end], &[], &mut found_paths);
        for (mut path, alias) in found_paths {
            if path.last().is_some_and(|last| last == "self") {
                path.pop();
            }
            let name = alias.or_else(|| path.last().cloned()).unwrap_or_default();
            imports.push(Import { is_public, name, path });
        }
        rest = &found[end..];
    }
    code.push_str(rest);
    (imports, code)
}

/// Whether the code uses an item by this name; a function or a module only where it is called or looked into, for a
/// variable may be called like it.
fn uses(code: &str, name: &str) -> bool {
    let is_type = name.starts_with(char::is_uppercase);
    words(code, name).any(|(before, after)| {
        let is_own = before.ends_with('.') || before.ends_with("fn ");
        !is_own && (is_type || after.starts_with('(') || after.starts_with("::"))
    })
}

/// Every place of a word: what stands before it and what after it.
fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let places = text.match_indices(word).map(|(position, _)| (&text[..position], &text[position + word.len()..]));
    places.filter(move |(before, after)| !before.ends_with(is_part) && !after.starts_with(is_part))
}

/// The modules that each module needs.
fn needs(sources: &BTreeMap<PathBuf, String>) -> BTreeMap<Module, BTreeSet<Module>> {
    let texts: BTreeMap<Module, &String> = sources.iter().map(|(path, text)| (module_of(path), text)).collect();
    let known: BTreeSet<&Module> = texts.keys().collect();
    let read: BTreeMap<Module, Source> =
        texts.iter().map(|(module, text)| (module.clone(), Source::new(module, text, &known))).collect();
    let needed = |(module, source): (&Module, &Source)| {
        let targets = source.paths.iter().filter_map(|path| defined_in(path, &read, 0));
        (module.clone(), targets.filter(|target| target != module).collect())
    };
    read.iter().map(needed).collect()
}

/// The module that defines what a path names, followed through imports and re-exports.
fn defined_in(path: &[String], read: &BTreeMap<Module, Source>, steps: usize) -> Option<Module> {
    let end = (0..=path.len()).rev().find(|end| read.contains_key(&path[..*end]))?;
    let (module, rest) = path.split_at(end);
    let source = &read[module];
    let Some((name, below)) = rest.split_first().filter(|_| steps < 8) else { return Some(module.to_vec()) };
    if let Some(import) = source.imports.get(name) {
        return defined_in(&[import, below].concat(), read, steps + 1);
    }
    let through = |glob: &Module| defined_in(&[glob, rest].concat(), read, steps + 1);
    let is_there = |target: &Module| read[target].defines(name);
    let elsewhere = || source.globs.iter().filter_map(through).find(is_there);
    if source.defines(name) { Some(module.to_vec()) } else { elsewhere().or_else(|| Some(module.to_vec())) }
}

fn module_of(path: &Path) -> Module {
    let module: Module = path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module == ["lib"] { Vec::new() } else { module }
}

/// The code before its inline tests, which may use whatever they like; `mod tests;` may stand anywhere.
fn without_tests(code: &str) -> &str {
    let mut modules = code.match_indices("#[cfg(test)]\nmod ");
    let is_inline = |place: usize| code[place..].find('{') < code[place..].find(';').or(Some(usize::MAX));
    modules.find(|(place, _)| is_inline(*place)).map_or(code, |(place, _)| &code[..place])
}

/// Every path of the code, those in braces one by one; `pub(in path)` is none.
fn paths(code: &str) -> Vec<Vec<String>> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '$');
    let mut found = Vec::new();
    for (position, _) in code.match_indices("::") {
        let start = code[..position].trim_end_matches(is_part).len();
        let before = &code[..start];
        let is_first = start < position && !code[start..position].contains([':', '$']);
        let is_method = before.ends_with('.') && !before.ends_with("..");
        if is_first && !is_method && !before.ends_with("pub(in ") {
            expand(&code[start..], &[], &mut found);
        }
    }
    found.into_iter().map(|(path, _)| path).collect()
}

/// Reads one path, or several in braces, each with its other name, and gives what is left of the text.
fn expand<'a>(text: &'a str, prefix: &[String], found: &mut Vec<(Vec<String>, Option<String>)>) -> &'a str {
    let mut path = prefix.to_vec();
    let mut rest = text;
    let is_part = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '*');
    loop {
        let name: String = rest.chars().take_while(is_part).collect();
        rest = &rest[name.len()..];
        path.push(name);
        match rest.strip_prefix("::") {
            Some(next) if next.starts_with('{') => {
                rest = &next[1..];
                while !rest.starts_with('}') && !rest.is_empty() {
                    rest = expand(rest, &path, found);
                    rest = rest.find([',', '}']).map_or("", |end| &rest[end..]);
                    rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
                }
                return rest.strip_prefix('}').unwrap_or(rest);
            }
            Some(next) if next.starts_with(|c| is_part(&c)) => rest = next,
            _ => {
                let alias = rest.strip_prefix(" as ").map(|alias| alias.chars().take_while(is_part).collect());
                found.push((path, alias));
                return rest;
            }
        }
    }
}

/// A path of a module seen from the crate's root; none for one that leads out of the crate.
fn absolute(from: &Module, path: &[String], known: &BTreeSet<&Module>) -> Option<Module> {
    let mut names = from.clone();
    let mut parts = path.iter().peekable();
    if parts.next_if(|part| *part == "crate").is_some() {
        names.clear();
    } else if parts.peek().is_some_and(|part| matches!(part.as_str(), "super" | "self")) {
        while let Some(part) = parts.next_if(|part| matches!(part.as_str(), "super" | "self")) {
            if part == "super" {
                names.pop();
            }
        }
    } else {
        names.push(parts.next()?.clone());
        if !known.contains(&names) {
            return None;
        }
    }
    names.extend(parts.cloned());
    Some(names)
}

/// The circles: sets of modules each of which leads to all others. By Kosaraju: what is left last when one follows the
/// needs is gathered first against them.
fn circles(needs: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<BTreeSet<Module>> {
    let mut users: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, needed) in needs {
        for one in needed {
            users.entry(one.clone()).or_default().insert(module.clone());
        }
    }
    let (mut seen, mut left) = (BTreeSet::new(), Vec::new());
    for module in needs.keys() {
        walk(module, needs, &mut seen, &mut left);
    }
    let mut gathered = BTreeSet::new();
    let mut circles = Vec::new();
    for module in left.iter().rev() {
        let mut circle = Vec::new();
        walk(module, &users, &mut gathered, &mut circle);
        circles.push(circle.into_iter().collect::<BTreeSet<_>>());
    }
    circles.retain(|circle| circle.len() > 1);
    circles
}

/// All that a module leads to and was not seen before, itself last.
fn walk(
    module: &Module,
    arrows: &BTreeMap<Module, BTreeSet<Module>>,
    seen: &mut BTreeSet<Module>,
    left: &mut Vec<Module>,
) {
    if seen.insert(module.clone()) {
        for next in arrows.get(module).into_iter().flatten() {
            walk(next, arrows, seen, left);
        }
        left.push(module.clone());
    }
}

/// What is wrong with the circles of these sources.
fn faults(sources: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let mut faults = Vec::new();
    for circle in circles(&needs(sources)) {
        let names: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
        let larger = LARGER.iter().find(|(file, _)| names.iter().any(|name| name == file));
        if circle.len() > larger.map_or(MOST, |(_, most)| *most) {
            faults.push(format!("{} files in a circle: {}", circle.len(), names.join(", ")));
        }
        let rooms: BTreeSet<&String> = circle.iter().filter_map(|module| module.first()).collect();
        if rooms.len() > 1 {
            faults.push(format!("a circle over several folders: {}", names.join(", ")));
        }
    }
    faults
}

#[test]
fn no_circle_of_imports_is_larger_than_a_page_s_folder() {
    let sources = read("src");
    assert!(needs(&sources).values().map(BTreeSet::len).sum::<usize>() > 1000, "paths are found");
    let faults = faults(&sources);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_circle_is_found() {
    let ring = |count: usize, folder: &str| -> BTreeMap<PathBuf, String> {
        let file = |place: usize| PathBuf::from(format!("{folder}/m{place}.rs"));
        let text = |place: usize| match place % 3 {
            0 => format!("use crate::{folder}::{{m{0}::A{0}, m{0}::B{0}}};", (place + 1) % count),
            1 => format!("fn a() {{ super::m{}::b(); }}", (place + 1) % count),
            _ => format!("use super::{{\n    m{} as other,\n}};", (place + 1) % count),
        };
        (0..count).map(|place| (file(place), text(place))).collect()
    };
    assert_eq!(circles(&needs(&ring(9, "app"))).len(), 1);
    assert_eq!(faults(&ring(MOST + 1, "app")).len(), 1);
    assert_eq!(faults(&ring(MOST, "app")), Vec::<String>::new());
    let mut two = ring(3, "app");
    two.insert("ui/a.rs".into(), "use crate::app::m0;".to_owned());
    two.insert("app/m1.rs".into(), "use super::{m2::{self, A}, m0};\nuse crate::ui::a::B;".to_owned());
    assert!(faults(&two).iter().any(|fault| fault.contains("several folders")), "{:?}", faults(&two));
    let apart = BTreeMap::from([
        (PathBuf::from("app/c.rs"), "// use super::a;\n#[cfg(test)]\nmod tests { use super::d; }".to_owned()),
        (
            PathBuf::from("app/d.rs"),
            "use super::c;\nlet a = \"crate::app::c\";\npub(in crate::app::d) fn a()".to_owned(),
        ),
    ]);
    assert_eq!(circles(&needs(&apart)), Vec::<BTreeSet<Module>>::new(), "comments, texts, tests and doors apart");
    let below = BTreeMap::from([
        (PathBuf::from("app/e.rs"), "#[cfg(test)]\nmod tests;\nfn a() { super::f::b(); }".to_owned()),
        (PathBuf::from("app/f.rs"), "use super::e;".to_owned()),
    ]);
    assert_eq!(circles(&needs(&below)).len(), 1, "what stands below `mod tests;`");
}

/// A parent `app/a.rs` with these lines, and six children that name each other in a row, the last one with this line.
fn family(parent: &str, last: &str) -> BTreeMap<PathBuf, String> {
    let child = |place: usize| match place {
        5 => last.to_owned(),
        _ => format!("pub struct C{place};\nuse super::c{}::C{};", place + 1, place + 1),
    };
    let mut family: BTreeMap<PathBuf, String> =
        (0..6).map(|place| (PathBuf::from(format!("app/a/c{place}.rs")), child(place))).collect();
    family.insert("app/a.rs".into(), format!("mod c0;\nmod c1;\n{parent}"));
    family
}

#[test]
fn parents_and_children_are_counted() {
    let uses_child = ["use c0::C0;", "fn a() { c0::go(); }", "pub use c0::C0;\nfn a(c: C0) {}", "use self::c0::*;"];
    for parent in uses_child {
        for last in ["use super::Own;", "fn c() { crate::app::a::own(); }", "use crate::app::a as parent;"] {
            let parent = format!("{parent}\npub struct Own;\npub fn own() {{}}");
            assert_eq!(faults(&family(&parent, last)).len(), 1, "{parent}\n{last}");
        }
    }
    let signposts = ["", "pub use c0::C0;", "pub(crate) use c0::{C0 as Zero, go};", "pub use c0::*;"];
    for parent in signposts {
        let parent = format!("{parent}\npub struct Own;");
        assert_eq!(faults(&family(&parent, "use super::Own;")), Vec::<String>::new(), "{parent}");
    }
    let round = faults(&family("pub use c0::C0;", "use super::C0;"));
    assert!(round.is_empty(), "six children in a circle through a signpost are as many as may be: {round:?}");
    let mut larger = family("pub use c0::C0;", "use super::c6::C6;");
    larger.insert("app/a/c6.rs".into(), "use super::C0;".to_owned());
    assert_eq!(faults(&larger).len(), 1, "a re-export leads to what it names");
}
