//! The state file: what is kept, what goes, and what happens to a file that cannot be used.

mod accepted;
mod denom_reports;
mod identity;
mod outcomes;
mod personal;
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
        store.remember(&StoreScope::new("one"), text, at(second as u64)).unwrap();
    }
    store.remember(&StoreScope::new("two"), "z", at(9)).unwrap();
    store.remember(&StoreScope::new("one"), &"x".repeat(Store::RECENT_BYTES + 1), at(10)).unwrap();
    assert_eq!(store.recents(&StoreScope::new("one")).unwrap(), ["c", "a", "b"]);
    assert_eq!(store.recents(&StoreScope::new("two")).unwrap(), ["z"]);
    assert_eq!(store.recents(&StoreScope::new("three")).unwrap(), [""; 0]);
}

#[test]
fn the_oldest_make_room_in_their_own_network() {
    let mut store = Store::in_memory().unwrap();
    store.remember(&StoreScope::new("two"), "z", at(0)).unwrap();
    for second in 0..u64::from(Store::RECENTS) + 5 {
        store.remember(&StoreScope::new("one"), &second.to_string(), at(second)).unwrap();
    }
    let recents = store.recents(&StoreScope::new("one")).unwrap();
    assert_eq!(recents.len(), Store::RECENTS as usize);
    assert_eq!((recents[0].as_str(), recents[199].as_str()), ("204", "5"));
    assert_eq!(store.recents(&StoreScope::new("two")).unwrap(), ["z"]);
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
                        .remember(&StoreScope::new("n"), &format!("{name}{number}"), at(number))
                        .expect("the other one lets go in time");
                }
            });
        }
    });
    assert_eq!(first.recents(&StoreScope::new("n")).unwrap().len(), 80);
    drop((first, second));
    assert_eq!(Store::open(&path).unwrap().recents(&StoreScope::new("n")).unwrap().len(), 80);
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
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
    assert!(error.to_string().contains("state.sqlite is damaged: file is not a database"), "{error}");
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

/// What makes a file a damaged one.
type Damage = fn(&std::path::Path);

/// What may be wrong with a file, and what makes it so.
fn damages() -> Vec<(&'static str, Damage)> {
    fn sql(path: &std::path::Path, statement: &str) {
        rusqlite::Connection::open(path)
            .expect("the file can be changed")
            .execute_batch(statement)
            .expect("the file can be changed");
    }
    vec![
        ("text", |path| std::fs::write(path, "this is no database. ".repeat(99)).expect("the file can be changed")),
        ("half of it", |path| {
            let bytes = std::fs::read(path).expect("the file can be changed");
            std::fs::write(path, &bytes[..bytes.len() / 2]).expect("the file can be changed");
        }),
        ("flipped bytes", |path| {
            let mut bytes = std::fs::read(path).expect("the file can be changed");
            bytes.iter_mut().skip(4_000).step_by(7).for_each(|byte| *byte ^= 0x5a);
            std::fs::write(path, bytes).expect("the file can be changed");
        }),
        ("a table is missing", |path| sql(path, "DROP TABLE transfer_txs")),
        ("a column is missing", |path| sql(path, "ALTER TABLE recents DROP COLUMN at")),
        ("an older version of newer tables", |path| sql(path, "PRAGMA user_version = 0")),
        ("no version", |path| sql(path, "PRAGMA user_version = -5")),
    ]
}

#[test]
fn a_damaged_file_is_put_aside_whole_and_begun_anew() {
    for (what, damage) in damages() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.sqlite");
        let mut store = Store::open(&path).unwrap();
        store.remember(&StoreScope::new("n"), "before", at(1)).unwrap();
        drop(store);
        // The index of recents is left out, which would otherwise name the column that goes.
        rusqlite::Connection::open(&path).unwrap().execute_batch("DROP INDEX recents_by_age").unwrap();
        damage(&path);
        let bytes = std::fs::read(&path).unwrap();
        let day = "2026-11-22T10:00:00Z".parse().unwrap();
        for number in ["", "-2"] {
            let (mut store, aside) = Store::open_or_renew(&path, day).unwrap();
            let aside = aside.unwrap_or_else(|| panic!("{what} is no damage"));
            assert_eq!(aside, folder.path().join(format!("state.sqlite.damaged-2026-11-22{number}")), "{what}");
            assert_eq!(std::fs::read(&aside).unwrap(), bytes, "{what}");
            assert_eq!(store.recents(&StoreScope::new("n")).unwrap(), [""; 0], "{what}");
            store.remember(&StoreScope::new("n"), "after", at(2)).unwrap();
            drop(store);
            let (store, aside) = Store::open_or_renew(&path, day).unwrap();
            assert_eq!(
                (store.recents(&StoreScope::new("n")).unwrap(), aside),
                (vec!["after".to_owned()], None),
                "{what}"
            );
            drop(store);
            std::fs::write(&path, &bytes).unwrap();
        }
    }
}

#[test]
fn of_several_that_find_the_file_damaged_one_puts_it_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.sqlite");
    std::fs::write(&path, "no database ".repeat(200)).unwrap();
    std::thread::scope(|scope| {
        let open = || Store::open_or_renew(&path, at(0)).map(|(_, aside)| aside);
        let all: Vec<_> = (0..6).map(|_| scope.spawn(open)).collect();
        let asides = all.into_iter().filter_map(|one| one.join().unwrap().unwrap());
        assert_eq!(asides.count(), 1);
    });
}

#[test]
fn a_file_that_only_cannot_be_used_now_is_left_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.sqlite");
    std::fs::create_dir(&path).unwrap();
    let error = Store::open_or_renew(&path, at(0)).unwrap_err();
    assert!(matches!(error, StoreError::Sqlite { .. }), "{error:?}");
    assert!(path.is_dir());
}

#[test]
fn the_file_and_its_folder_are_closed_to_others() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollscope/state.sqlite");
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let mut store = Store::open(&path).unwrap();
    store.remember(&StoreScope::new("n"), "a", at(1)).unwrap();
    for entry in std::fs::read_dir(path.parent().unwrap()).unwrap() {
        let file = entry.unwrap().path();
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    drop(store);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    std::fs::set_permissions(path.parent().unwrap(), std::fs::Permissions::from_mode(0o755)).unwrap();
    drop(Store::open(&path).unwrap());
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700), "older files are closed too");
}
