//! The state file: what is kept, what goes, and what happens to a file that cannot be used.

mod identity;
mod transfers;

use std::time::Duration;

use rollscope::{
    domain::Timestamp,
    store::{Store, StoreError, StoreScope},
};

fn at(second: u64) -> Timestamp {
    Timestamp::EPOCH.after(Duration::from_secs(second))
}

#[test]
fn recents_are_newest_first_once_and_by_network() {
    let mut store = Store::in_memory().unwrap();
    for (second, text) in ["a", "b", " a ", "", "  ", "c"].into_iter().enumerate() {
        store.remember(&StoreScope::of("one"), text, at(second as u64)).unwrap();
    }
    store.remember(&StoreScope::of("two"), "z", at(9)).unwrap();
    store.remember(&StoreScope::of("one"), &"x".repeat(Store::RECENT_BYTES + 1), at(10)).unwrap();
    assert_eq!(store.recents(&StoreScope::of("one")).unwrap(), ["c", "a", "b"]);
    assert_eq!(store.recents(&StoreScope::of("two")).unwrap(), ["z"]);
    assert_eq!(store.recents(&StoreScope::of("three")).unwrap(), [""; 0]);
}

#[test]
fn the_oldest_make_room_in_their_own_network() {
    let mut store = Store::in_memory().unwrap();
    store.remember(&StoreScope::of("two"), "z", at(0)).unwrap();
    for second in 0..u64::from(Store::RECENTS) + 5 {
        store.remember(&StoreScope::of("one"), &second.to_string(), at(second)).unwrap();
    }
    let recents = store.recents(&StoreScope::of("one")).unwrap();
    assert_eq!(recents.len(), Store::RECENTS as usize);
    assert_eq!((recents[0].as_str(), recents[199].as_str()), ("204", "5"));
    assert_eq!(store.recents(&StoreScope::of("two")).unwrap(), ["z"]);
}

#[test]
fn a_file_is_found_again_and_shared_by_two_instances() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/folder/state.sqlite");
    let mut first = Store::open(&path).unwrap();
    let mut second = Store::open(&path).unwrap();
    std::thread::scope(|scope| {
        for (store, name) in [(&mut first, "f"), (&mut second, "s")] {
            scope.spawn(move || {
                for number in 0..40 {
                    store
                        .remember(&StoreScope::of("n"), &format!("{name}{number}"), at(number))
                        .expect("the other one lets go in time");
                }
            });
        }
    });
    assert_eq!(first.recents(&StoreScope::of("n")).unwrap().len(), 80);
    drop((first, second));
    assert_eq!(Store::open(&path).unwrap().recents(&StoreScope::of("n")).unwrap().len(), 80);
}

#[test]
fn many_instances_may_start_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.sqlite");
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|_| scope.spawn(|| Store::open(&path).map(drop))).collect();
        for one in all {
            one.join().expect("opening does not panic").expect("every instance opens the file");
        }
    });
}

#[test]
fn a_file_that_cannot_be_used_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("state.sqlite");
    std::fs::write(&broken, "this is no database, whatever its name says. ".repeat(99)).unwrap();
    let error = Store::open(&broken).unwrap_err();
    assert!(matches!(error, StoreError::Sqlite { .. }), "{error:?}");
    assert!(error.to_string().contains("state.sqlite cannot be used: file is not a database"), "{error}");
    let error = Store::open(&broken.join("below/a/file")).unwrap_err();
    assert!(matches!(error, StoreError::Folder { .. }), "{error:?}");
}

#[test]
fn a_file_of_a_newer_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.sqlite");
    drop(Store::open(&path).unwrap());
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    let error = Store::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error:?}");
    assert!(error.to_string().contains("newer rollscope"), "{error}");
}
