//! The glossary: every entry is alive, and words that it replaced are gone.

use std::collections::BTreeSet;

use super::source::{Source, parts, product, read, sources, words};

/// Words of the field that name types: what they mean is said in its documentation, not in ours.
const FIELD: &str = "\
    account acknowledgement address allowance amino amount argument asset balance bcs block bridge broadcast chain \
    channel claim code coin collection contract cw20 denom deposit escrow event explorer fee gas genesis grant hash \
    height holder hop ibc indexer liquidity log memo message metadata module nft node operation output packet \
    pagination proposer proof quote receipt relayer revert rollup route router selector sequence sequencer signer \
    slippage status supply swap timeout timestamp token tip topic trait transaction transfer tx validator vm voucher \
    withdrawal wrapper";

/// Words that the authors once used for what has a name in the field or in programming: no identifier may have one
/// among its parts.
const WORDS: &str = "\
    abibook barren cargo climb climbed climbing crowd deed deeds entrance fate fence judged keeper landing papers \
    posture precede purse rail scribe shelf sight sightings spoil spot spots tale tally telling unsaved voyage whence";

/// Whole names that said nothing to a newcomer, or that many types once shared.
const NAMES: &str = "\
    Act Ahead Attention Book Books Brought Course Cx Departure Draft Fact Failure Hands HostEffect Leg Letter Look \
    Lookup Occasion Onward PartWithChain Picked Reader Role RouterStanding Said Scene Searched Slice SoughtTx Spot \
    Standing Taken Telling Told TransferWish TxSpot VenueAction Way Whole Wish cared_for happen move_on put_off \
    settle_transfer show_again show_instead stand";

/// One-word names of types whose doc comments suffice.
const PLAIN: &str = "\
    Aligned Announcements Answer Api App Art Ask Binding Bookmarks Bounds Canvas Choice Clock Column Concentration \
    Counting Cursor Decoded Destination Differ Difference Direction Document Drawing Drawn Endpoint Entry Environment \
    Evm Explanation Export External Finding Findings Firsts Flags Focus Followed Format Forms Funds Graphics Handled \
    Held Hit Hook Host Identification Identified Images Index Inspector Journal Key Keymap Kinship Ledger Likeness \
    Line List Located Milestone Modal Move Moved Msg Multiplexer Names Navigation Neighbour Neighbours Network Note Observer \
    Offer Offers Opened Order Own Page Painter Pair Palette Pane Parsed Party Paths Pending Pickable Picker Picture \
    Plan Planner Poll Prefetch Prepared Previous Probe Program Prompt Protocol Ratio Reach Reading Refusal Refusing \
    Regions Registration Render Reply Request Resource Right Rows Screen Seek Seen Selection Session Settings Several \
    Severity Signal Simulation Step Store Style Submitted Suggestion Tab Toast Tone Total Tracker Tracking Txs \
    Unnamed Unseen Urgency Warning Wasm Word Work Worker World";

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
        if entry.names.is_empty() {
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
fn forbidden(sources: &[Source], words: &str, names: &str) -> Vec<String> {
    let words: BTreeSet<&str> = words.split(' ').collect();
    let names: BTreeSet<&str> = names.split(' ').collect();
    let mut found = BTreeSet::new();
    for source in sources {
        for identifier in source.words() {
            let is_word = parts(identifier).iter().any(|part| words.contains(part.as_str()));
            if is_word || names.contains(identifier) {
                found.insert(format!("{}: {identifier}", source.path));
            }
        }
    }
    found.into_iter().collect()
}

/// The types whose names are one word and known in the whole crate.
fn one_word_types(source: &Source) -> Vec<&str> {
    let mut types = Vec::new();
    for line in source.code.lines() {
        let Some(rest) = line.strip_prefix("pub ").or_else(|| line.strip_prefix("pub(crate) ")) else { continue };
        let Some((kind, rest)) = rest.split_once(' ') else { continue };
        let Some(name) = words(rest).next().filter(|_| matches!(kind, "struct" | "enum" | "trait")) else { continue };
        if parts(name).len() == 1 {
            types.push(name);
        }
    }
    types
}

/// One-word types that no entry is of: neither by its names nor by its term, in the singular or plural.
fn untold(sources: &[Source], glossary: &str, plain: &str) -> Vec<String> {
    let mut known: BTreeSet<String> = plain.split(' ').map(str::to_lowercase).collect();
    for entry in entries(glossary) {
        known.extend(entry.term.split(", ").map(str::to_lowercase));
        known.extend(entry.names.iter().map(|name| name.to_lowercase()));
    }
    let is_known = |name: &str| {
        let name = name.to_lowercase();
        let singular = name.strip_suffix("ies").map(|stem| format!("{stem}y"));
        known.contains(&name)
            || known.contains(name.trim_end_matches('s'))
            || singular.is_some_and(|s| known.contains(&s))
    };
    let types = sources.iter().flat_map(|source| one_word_types(source).into_iter().map(move |name| (name, source)));
    types.filter(|(name, _)| !is_known(name)).map(|(name, source)| format!("{}: {name}", source.path)).collect()
}

#[test]
fn every_type_of_one_word_is_a_term() {
    let untold = untold(&product(sources("src")), &read("docs/glossary.md"), &format!("{FIELD} {PLAIN}"));
    assert!(untold.is_empty(), "docs/glossary.md does not tell of\n{}", untold.join("\n"));
}

#[test]
fn a_term_without_an_entry_is_found() {
    let source = |code: &str| [Source::new("src/a.rs", code)];
    let glossary = "## Ours\n- **way to ask** (`Wish`): a\n";
    let find = |code: &str| untold(&source(code), glossary, "block Json");
    for code in ["pub struct Spot;", "pub(crate) enum Spot {}", "pub trait Spot {}"] {
        assert_eq!(find(code), ["src/a.rs: Spot"], "{code}");
    }
    for code in [
        "pub struct Block;",
        "pub struct Blocks;",
        "pub enum Wish {}",
        "pub struct Json;",
        "struct Spot;",
        "pub(super) struct Spot;",
        "pub struct SpotName;",
        "fn f() {\n    pub struct Spot;\n}",
    ] {
        assert_eq!(find(code), Vec::<String>::new(), "{code}");
    }
}

#[test]
fn every_term_is_in_the_code() {
    let sources = sources("src");
    let known = sources.iter().flat_map(Source::words).collect();
    let glossary = read("docs/glossary.md");
    assert!(entries(&glossary).len() > 40, "the terms were found");
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
        "## Ours\n- **ticket** (`Ticket`): a number\n## More\n- **Ticket** (`ask`): another",
    ] {
        assert_eq!(find(text).len(), 1, "{text}: {:?}", find(text));
    }
    let right = "## Ours\n- **ask** (`Ticket::ask`): a\n- **ticket** (`Ticket`): b";
    assert_eq!(find(right), Vec::<String>::new());
}

#[test]
fn a_private_word_is_found() {
    let source = |code: &str| [Source::new("src/a.rs", code)];
    let find = |code: &str| forbidden(&source(code), "purse", "Told");
    for code in ["struct Purse;", "fn fill_purse() {}", "enum Told {}", "let a = purse_of();"] {
        assert_eq!(find(code).len(), 1, "{code}");
    }
    for code in ["// the purse", "let a = \"purse\";", "fn told() {}", "struct ToldApart; struct Disburse;"] {
        assert_eq!(find(code), Vec::<String>::new(), "{code}");
    }
}
