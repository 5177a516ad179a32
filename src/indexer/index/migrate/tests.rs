use std::{collections::BTreeMap, io::Read as _};

use rusqlite::types::Value;

use super::*;
use crate::{
    domain::Vm,
    indexer::index::{Index, IndexFeed, back_up},
};

/// The file of format 7 of an EVM rollup, and its identity.
fn unpacked() -> (tempfile::TempDir, PathBuf, IndexIdentity) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.sqlite");
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/index-format-7/evm.sqlite.zst");
    let mut bytes = Vec::new();
    zstd::Decoder::new(File::open(packed).unwrap()).unwrap().read_to_end(&mut bytes).unwrap();
    fs::write(&path, bytes).unwrap();
    (folder, path, IndexIdentity { vm: Vm::Evm, feed: IndexFeed::Simulation, facts: Vec::new() })
}

/// Every row of every table, but for the mark of the copied file.
fn content(path: &Path) -> BTreeMap<String, Vec<Vec<Value>>> {
    let connection = Connection::open(path).unwrap();
    let mut statement =
        connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").unwrap();
    let tables: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let rows = |table: &String| {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = statement.column_count();
        let row =
            |row: &rusqlite::Row<'_>| (0..columns).map(|column| row.get(column)).collect::<Result<Vec<Value>, _>>();
        let rows = statement.query_map([], row).unwrap().map(Result::unwrap);
        rows.filter(|row| row[0] != Value::Text(COPY_OF.to_owned())).collect()
    };
    tables.iter().map(|table| (table.clone(), rows(table))).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_conversion_resumes_wherever_it_ended() {
    let (_whole, path, identity) = unpacked();
    migrate(&path, &identity).unwrap();
    let whole = content(&path);
    assert!(!whole["tx_packet"].is_empty() && whole["proposer"].iter().all(|row| row.len() == 2));
    let mut resumed = 0;
    for cut in 0.. {
        let (folder, path, identity) = unpacked();
        let old = content(&path);
        let mut begun = FileMigration::begin(&path, &identity).unwrap().unwrap();
        let went_on = (0..cut).all(|_| begun.step().unwrap());
        let done = content(&begun.copy);
        drop(begun);
        assert_eq!(content(&path), old, "the file itself stays as it was: {cut}");
        let again = FileMigration::begin(&path, &identity).unwrap().unwrap();
        assert_eq!(content(&again.copy), done, "nothing is done twice: {cut}");
        resumed += usize::from(done != old);
        drop(again);
        migrate(&path, &identity).unwrap();
        assert_eq!(content(&path), whole, "{cut}");
        assert_eq!(names(folder.path()), ["index.sqlite"], "{cut}");
        if !went_on {
            break;
        }
    }
    assert!(resumed > 4, "it ended in {resumed} places");
}

#[test]
fn a_copy_of_what_the_file_no_longer_is_is_made_again() {
    let (folder, path, identity) = unpacked();
    let mut begun = FileMigration::begin(&path, &identity).unwrap().unwrap();
    begun.step().unwrap();
    drop(begun);
    Connection::open(&path).unwrap().execute("DELETE FROM tx WHERE sequence = 1", []).unwrap();
    migrate(&path, &identity).unwrap();
    assert!(content(&path)["tx"].iter().all(|row| row[0] != Value::Integer(1)), "what an old program did last counts");
    // A copy that was killed while it was made has no mark.
    let (second, path, identity) = unpacked();
    fs::write(files::beside(&path, ".migrating"), b"SQLite format 3\0 and nothing").unwrap();
    migrate(&path, &identity).unwrap();
    assert_eq!(
        (names(folder.path()), names(second.path())),
        (vec!["index.sqlite".into()], vec!["index.sqlite".into()])
    );
}

#[test]
fn a_file_of_another_format_or_rollup_is_refused_for_that_reason_and_stays() {
    for (format, reason) in [
        (10, "a newer rollscope wrote the index: its format is 10, and this version reads up to 9; use the newer one"),
        (6, "the index has format 6, which this version no longer converts (it does from 7 on); use another --data"),
    ] {
        let (folder, path, identity) = unpacked();
        let changed = Connection::open(&path).unwrap();
        changed.execute("UPDATE meta SET value = ?1 WHERE key = 'format'", [format.to_string()]).unwrap();
        drop(changed);
        let before = fs::read(&path).unwrap();
        assert_eq!(Index::in_file(&path, &identity).unwrap_err().to_string(), reason);
        let refused = back_up(&path, &folder.path().join("copy")).map(drop).map_err(|error| error.to_string());
        assert_eq!(refused, if format > FORMAT { Err(reason.to_owned()) } else { Ok(()) });
        assert!(fs::read(&path).unwrap() == before, "it stays as it is");
    }
    let (folder, path, identity) = unpacked();
    let other = IndexIdentity { vm: Vm::Move, ..identity };
    let before = fs::read(&path).unwrap();
    assert!(matches!(Index::in_file(&path, &other), Err(IndexError::Belongs { name: "virtual machine", .. })));
    assert!(fs::read(&path).unwrap() == before && names(folder.path()) == ["index.sqlite"]);
}

#[test]
fn a_copy_without_room_is_not_begun() {
    let (folder, path, _) = unpacked();
    backup::require_space(&path, &folder.path().join("copy")).unwrap();
    let huge = folder.path().join("huge");
    // A file with a hole: 8 TiB, of which nothing is stored.
    File::create(&huge).unwrap().set_len(8 << 40).unwrap();
    let refused = backup::require_space(&huge, &folder.path().join("copy")).unwrap_err().to_string();
    assert!(refused.starts_with("a copy of the file needs 8388608 MiB, and "), "{refused}");
}

#[test]
fn a_file_of_format_8_is_converted_with_its_blocks_without_results() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.sqlite");
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/index-format-8/wasm.sqlite.zst");
    fs::write(&path, zstd::decode_all(File::open(packed).unwrap()).unwrap()).unwrap();
    let old = Connection::open(&path).unwrap();
    let bare: i64 = old.query_row("SELECT MAX(height) FROM block WHERE tx_count > 0", [], |row| row.get(0)).unwrap();
    let part = format!(r#"{{"height":{bare},"part":"results","cause":"odd"}}"#);
    old.execute("INSERT INTO undecoded VALUES (?1, ?2)", params![bare, part]).unwrap();
    drop(old);
    let before = content(&path);
    let identity = IndexIdentity { vm: Vm::Wasm, feed: IndexFeed::Node, facts: Vec::new() };
    let refused = Index::read_only(&path).map(drop).unwrap_err().to_string();
    assert!(refused.starts_with("the index has format 8: start the program that writes it"), "{refused}");
    drop(Index::in_file(&path, &identity).unwrap());
    let after = content(&path);
    for (table, rows) in &before {
        assert!(table == "meta" || after[table] == *rows, "{table} stays");
    }
    let listed = after["bare_block"].iter().map(|row| row[0].clone()).collect::<Vec<_>>();
    assert_eq!((listed, names(folder.path())), (vec![Value::Integer(bare)], vec!["index.sqlite".to_owned()]));
    // An older program ends with a sentence.
    assert_eq!(meta::format_of(&StoreConnection::Sqlite(&Connection::open(&path).unwrap())).unwrap(), Some(FORMAT));
}
