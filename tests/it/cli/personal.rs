//! `names export` and `names import`: what is written, merged, and refused.

use std::fs;

use rollscope::{
    domain::{Address, Denom, PersonalEntry, PersonalKind, Target, Timestamp},
    store::{Store, StoreScope},
};

use super::program::Home;

const ALICE: Target = Target::Account(Address::Short([7; 20]));
const BOB: Target = Target::Account(Address::Short([8; 20]));

fn state(home: &Home) -> Store {
    Store::open(&home.path().join("state/rollscope/state.sqlite")).expect("a state file")
}

fn entries(home: &Home) -> Vec<PersonalEntry> {
    state(home).personal(&StoreScope::new("demo")).expect("entries")
}

#[test]
fn entries_travel_in_a_file_and_an_import_keeps_what_is_there() {
    let (here, there) = (Home::empty(), Home::empty());
    assert!(here.run("names export").good().starts_with("# Names, notes and bookmarks on demo"));
    assert!(!here.path().join("state").exists(), "an export writes no state");
    let mine = [
        PersonalEntry::new(PersonalKind::Name, ALICE, "Alice"),
        PersonalEntry::new(PersonalKind::Note, Target::Denom(Denom::new("umine")), "“the fee”"),
        PersonalEntry::new(PersonalKind::Bookmark, ALICE, "her page"),
        PersonalEntry::view("mine", "txs failed"),
    ];
    let scope = StoreScope::new("demo");
    state(&here).keep_personal(&scope, &mine, Timestamp::EPOCH).expect("they are kept");
    let file = here.path().join("mine.toml");
    let command = |home: &Home, arguments: &str| home.run(&format!("names {arguments} {}", file.display()));
    assert!(command(&here, "export").good().ends_with("mine.toml: 4 entries\n"));
    let same = command(&here, "import").good();
    assert_eq!(same, "0 added, 0 replaced, 4 unchanged, 0 kept as yours\n");
    assert_eq!(entries(&here)[0].kind, PersonalKind::Name);

    let added = command(&there, "import").good();
    assert!(added.ends_with("4 added, 0 replaced, 0 unchanged, 0 kept as yours\n"), "{added}");
    let imported = PersonalEntry::new(PersonalKind::ImportedName, ALICE, "Alice");
    assert!(entries(&there).contains(&imported), "an imported name is told from a typed one");

    let other = [
        PersonalEntry::new(PersonalKind::Name, ALICE, "Mallory"),
        PersonalEntry::new(PersonalKind::Name, BOB, "alice"),
    ];
    state(&there).keep_personal(&scope, &other[..1], Timestamp::EPOCH).expect("it is kept");
    let kept = command(&there, "import").good();
    assert!(kept.contains("yours is “Mallory”, the file's “Alice”"), "{kept}");
    assert!(kept.ends_with("3 unchanged, 1 kept as yours; --replace takes the file's\n"), "{kept}");
    assert!(entries(&there).contains(&other[0]));
    let replaced = command(&there, "import --replace").good();
    assert!(replaced.contains("“Mallory” becomes “Alice”"), "{replaced}");
    let names =
        entries(&there).into_iter().filter(|entry| entry.target() == Some(&ALICE) && entry.kind.word() == "name");
    assert_eq!(names.collect::<Vec<_>>(), std::slice::from_ref(&imported));
    state(&there).keep_personal(&scope, &other[1..], Timestamp::EPOCH).expect("it is kept");
    state(&there)
        .keep_personal(&scope, &[PersonalEntry { text: String::new(), ..imported }], Timestamp::EPOCH)
        .expect("it goes");
    let namesake = command(&there, "import --replace").good();
    assert!(namesake.contains("already has the name “Alice”"), "two accounts of one name would look alike: {namesake}");
}

#[test]
fn a_file_that_brings_more_than_words_is_refused_whole() {
    let home = Home::empty();
    let file = home.path().join("theirs.toml");
    let account = Address::Short([7; 20]).bech32();
    let name = format!("[[names]]\nsubject = \"{account}\"\nname = \"Treasury\"\n");
    for (more, problem) in [
        ("role = \"safe\"", "theirs.toml line 4, role: unknown setting"),
        ("trusted = true", "theirs.toml line 4, trusted: unknown setting"),
        ("[[networks]]\nname = \"demo\"\nrouter = \"http://127.0.0.1:1\"", "line 4, networks: unknown setting"),
        ("[transfers]\non_end = [\"sh\"]", "line 4, transfers: unknown setting"),
    ] {
        fs::write(&file, format!("{name}{more}\n")).expect("a file can be written");
        let refused = home.run(&format!("names import {}", file.display())).bad(1);
        assert!(refused.starts_with("nothing is imported: ") && refused.contains(problem), "{refused}");
    }
    assert!(!home.path().join("state/rollscope/state.sqlite").exists());
}
