//! Circles of imports between files: how large they may be, found by reading every `crate::` and `super::` path.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use super::{code, read};

/// Files in a circle at the most: a small page has as many. A module and what lies below it are one thing.
const MOST: usize = 5;

/// A module by the names on its path; the crate's root has none.
type Module = Vec<String>;

/// The modules that each module names, itself and its own children and parents apart.
fn imports(sources: &BTreeMap<PathBuf, String>) -> BTreeMap<Module, BTreeSet<Module>> {
    let modules: BTreeMap<Module, &String> = sources.iter().map(|(path, text)| (module_of(path), text)).collect();
    let known: BTreeSet<&Module> = modules.keys().collect();
    let mut imports = BTreeMap::new();
    for (module, text) in &modules {
        let mut named = BTreeSet::new();
        for path in paths(without_tests(&code(text))) {
            let Some(target) = resolved(module, &path, &known) else { continue };
            if !target.starts_with(module) && !module.starts_with(&target) {
                named.insert(target);
            }
        }
        imports.insert(module.clone(), named);
    }
    imports
}

fn module_of(path: &Path) -> Module {
    let module: Module = path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module == ["lib"] { Vec::new() } else { module }
}

/// The code before its inline tests, which may use whatever they like.
fn without_tests(code: &str) -> &str {
    code.find("#[cfg(test)]\nmod ").map_or(code, |end| &code[..end])
}

/// Every path that begins with `crate`, `super` or `self`, those in braces one by one.
fn paths(code: &str) -> Vec<Vec<String>> {
    let code = code.split_whitespace().collect::<Vec<_>>().join(" ").replace(":: ", "::").replace("{ ", "{");
    let mut found = Vec::new();
    for start in ["crate::", "super::", "self::"] {
        for (position, _) in code.match_indices(start) {
            let before = code[..position].chars().next_back();
            if !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '$')) {
                expand(&code[position..], &[], &mut found);
            }
        }
    }
    found
}

/// Reads one path, or several in braces, and gives what is left of the text.
fn expand<'a>(text: &'a str, prefix: &[String], found: &mut Vec<Vec<String>>) -> &'a str {
    let mut path = prefix.to_vec();
    let mut rest = text;
    loop {
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
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
            Some(next) if next.starts_with(|c: char| c.is_alphanumeric() || c == '_') => rest = next,
            _ => {
                found.push(path);
                return rest;
            }
        }
    }
}

/// The deepest module that a path names, seen from a module.
fn resolved(from: &Module, path: &[String], known: &BTreeSet<&Module>) -> Option<Module> {
    let mut names: Module = Vec::new();
    let mut parts = path.iter().peekable();
    if path.first().is_some_and(|first| first == "crate") {
        parts.next();
    } else {
        names.clone_from(from);
        while let Some(part) = parts.next_if(|part| matches!(part.as_str(), "super" | "self")) {
            if part == "super" {
                names.pop();
            }
        }
    }
    names.extend(parts.cloned());
    (1..=names.len()).rev().map(|end| names[..end].to_vec()).find(|module| known.contains(module))
}

/// The circles: sets of modules each of which leads to all others.
fn circles(imports: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<BTreeSet<Module>> {
    let reach: BTreeMap<&Module, BTreeSet<&Module>> =
        imports.keys().map(|module| (module, reached(module, imports))).collect();
    let mut circles: BTreeSet<BTreeSet<Module>> = BTreeSet::new();
    for (module, from_here) in &reach {
        let is_mutual = |other: &&&Module| reach.get(**other).is_some_and(|back| back.contains(module));
        let circle: BTreeSet<Module> = from_here.iter().filter(is_mutual).map(|other| (*other).clone()).collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

fn reached<'a>(module: &Module, imports: &'a BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<&'a Module> {
    let mut found = BTreeSet::new();
    let mut todo: Vec<&Module> = imports.get(module).into_iter().flatten().collect();
    while let Some(next) = todo.pop() {
        if found.insert(next) {
            todo.extend(imports.get(next).into_iter().flatten());
        }
    }
    found
}

/// What is wrong with the circles of these sources.
fn faults(sources: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let mut faults = Vec::new();
    for circle in circles(&imports(sources)) {
        let names = || circle.iter().map(|module| module.join("::")).collect::<Vec<_>>().join(", ");
        if circle.len() > MOST {
            faults.push(format!("{} files in a circle: {}", circle.len(), names()));
        }
        let rooms: BTreeSet<&String> = circle.iter().filter_map(|module| module.first()).collect();
        if rooms.len() > 1 {
            faults.push(format!("a circle over several folders: {}", names()));
        }
    }
    faults
}

#[test]
fn no_circle_of_imports_is_larger_than_a_page_s_folder() {
    let sources = read("src");
    let all = imports(&sources);
    assert!(all.values().map(BTreeSet::len).sum::<usize>() > 1000, "paths are found");
    let faults = faults(&sources);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_circle_is_found() {
    let ring = |count: usize, folder: &str| -> BTreeMap<PathBuf, String> {
        let file = |place: usize| PathBuf::from(format!("{folder}/m{place}.rs"));
        let text = |place: usize| match place % 3 {
            0 => format!("use crate::{folder}::{{m{}::A, m{}::B}};", (place + 1) % count, (place + 1) % count),
            1 => format!("fn a() {{ super::m{}::b(); }}", (place + 1) % count),
            _ => format!("use super::{{\n    m{} as other,\n}};", (place + 1) % count),
        };
        (0..count).map(|place| (file(place), text(place))).collect()
    };
    assert_eq!(circles(&imports(&ring(9, "app"))).len(), 1);
    assert_eq!(faults(&ring(MOST + 1, "app")).len(), 1);
    assert_eq!(faults(&ring(MOST, "app")), Vec::<String>::new());
    let mut two = ring(3, "app");
    two.insert("ui/a.rs".into(), "use crate::app::m0;".to_owned());
    two.insert("app/m1.rs".into(), "use super::{m2::{self, A}, m0};\nuse crate::ui::a::B;".to_owned());
    assert!(faults(&two).iter().any(|fault| fault.contains("several folders")), "{:?}", faults(&two));
    let parent = BTreeMap::from([
        (PathBuf::from("app/a.rs"), "mod b;\nuse self::b::C;\npub use b::D;".to_owned()),
        (PathBuf::from("app/a/b.rs"), "use super::E;".to_owned()),
        (PathBuf::from("app/c.rs"), "// use super::a;\n#[cfg(test)]\nmod tests { use super::a; }".to_owned()),
        (PathBuf::from("app/d.rs"), "use super::c;\nlet a = \"crate::app::c\";".to_owned()),
    ]);
    assert_eq!(circles(&imports(&parent)), Vec::<BTreeSet<Module>>::new(), "children, comments, texts and tests apart");
}
