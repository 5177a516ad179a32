//! Names of types: each is one thing, so that a search finds it.

use std::collections::BTreeMap;

use super::source::{Source, product, sources};

/// The same idea in modules beside each other: the name, the folder that all of them lie in, and why.
const SIBLINGS: &[(&str, &str, &str)] = &[
    ("CallRequest", "src/demo/ledger/", "each virtual machine has its own"),
    ("ContractCall", "src/demo/ledger/", "each virtual machine has its own"),
    ("LedgerState", "src/demo/ledger/", "each virtual machine has its own"),
    ("Msg", "src/demo/ledger/", "each virtual machine has its own"),
    ("PlannedTx", "src/demo/ledger/", "each virtual machine has its own"),
    ("Planner", "src/demo/ledger/", "each virtual machine has its own"),
    ("Swap", "src/demo/ledger/", "each virtual machine has its own"),
    ("VmFailure", "src/demo/ledger/", "each virtual machine has its own"),
    ("VmMessage", "src/demo/ledger/", "each virtual machine has its own"),
];

/// Names that had two meanings before the renaming; those that are left at its end go or become siblings.
const FORMER: &str = "\
    Act Action Ahead Answer Arg Arguments Arrival Asset BlockPage Book Call Canvas Catalogue Cell Chain \
    ChainAddress Change Changes Channel Clock CollectionScope Column Command Count Deed Deposit Direction Draft \
    Edge Effect End Entry Event EvmLog Exchange Facts Failure Fate Fee Field Fields Form Found Gallery Goal Head \
    Held Holder Holding Hook Hop Identity InternalTxScope Keeper Key Keys Kind Known Layout Leg Line Link List Log \
    Look Lookup Made Meaning Memo Metadata Movement Moves Msg Nft NftChange NftName Offer Offers Order Origin \
    Outcome Output Page Palette Parameter Part Path Phase Piece Place Planner Poll Pool Progress Proof Proposer \
    Reader Reading Received Record Refusal Reporter Request Role Route Row Rows Run Said Sample Scene Search Seen \
    Session Severity Shape Shared Shelf Side Sightings Signed Slot Source Spot State Step Style Swap Take Token \
    TokenName TokenOrder TokenScope Tokens Told Trace Traced Trait Transfer Turn TxPage TxScope View Vm Wanted Way \
    Words Work Worker World Writer";

/// Types and where they are, by name. What is local to a function or belongs to an `impl` is not counted.
fn types(sources: &[Source]) -> BTreeMap<String, Vec<String>> {
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in sources {
        let mut depth = 0_usize;
        let mut is_next = false;
        let separated = source.code.replace('{', " { ").replace('}', " } ");
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
    let mut shared = shared(&sources, SIBLINGS);
    shared.retain(|line| !FORMER.split(' ').any(|name| line.starts_with(&format!("{name}: "))));
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
        Source::new("src/b.rs", "trait Row: Sized {}\n#[cfg(test)]\nmod tests {\nstruct Only;\n}\n// struct Only;"),
    ]);
    assert_eq!(shared(&sources, &[]), ["Row: src/a/one.rs, src/a/two.rs, src/b.rs"]);
    assert_eq!(shared(&sources, &[("Row", "src/a/", "")]), ["Row: src/a/one.rs, src/b.rs"]);
    assert_eq!(shared(&sources, &[("Row", "src/", "")]), Vec::<String>::new());
    assert_eq!(idle(&sources, &[("Row", "src/a/", ""), ("Row", "src/b", ""), ("Only", "src/", "")]), ["Row", "Only"]);
}
