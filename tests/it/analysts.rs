//! Queries over an index file, by the program: the questions of `docs/analysts.md` with their answers, its tables, and
//! statements that want more than to read.

#[cfg(feature = "parquet")]
mod parquet;

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Instant,
};

use rollscope::{
    demo::RollupOptions,
    domain::{Balance, Vm},
    indexer::index::{Index, IndexFeed, IndexIdentity, PageRange, SQL_VIEWS, SqlView, TxSelection},
};
use rstest::rstest;
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    cli::program::{Home, Ran},
    commands::compare,
    harness::{StartedRollup, chain_of, rollup_of},
};

/// Blocks of the EVM rollup, whose answers the document has.
const BLOCKS: u64 = 80;
/// Highest block of the rollup's beginning, which makes most NFTs.
const BEGINNING: u64 = 3;

const DOCUMENT: &str = "docs/analysts.md";
const TABLES_BEGIN: &str = "<!-- tables: written from src/indexer/index/sql/views.rs -->\n";
const TABLES_END: &str = "<!-- /tables -->";
const QUESTIONS: &str = "<!-- questions: the answers are written by tests/it/analysts.rs -->\n";

/// Index file of an embedded rollup.
struct Store {
    folder: TempDir,
    home: Home,
}

impl Store {
    fn of(vm: Vm, blocks: u64) -> Self {
        Self::running(vm, blocks).0
    }

    fn running(vm: Vm, blocks: u64) -> (Self, StartedRollup) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut options = RollupOptions { data: Some(folder.path().join("demo.sqlite")), ..chain_of(blocks) };
        options.ledger.vm = vm;
        let rollup = rollup_of(options);
        (Self { folder, home: Home::empty() }, rollup)
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("demo.sqlite")
    }

    fn sql(&self, statement: &str, options: &str) -> Ran {
        let mut command = self.home.command("sql");
        command.args(options.split_whitespace()).arg("--data").arg(self.file()).arg(statement);
        Ran::of(&command.output().expect("the program can be started"))
    }

    fn rows(&self, statement: &str) -> Vec<Value> {
        let text = self.sql(statement, "").good();
        serde_json::from_str(&text).expect("the output is JSON")
    }
}

fn evm() -> &'static Store {
    static STORE: OnceLock<Store> = OnceLock::new();
    STORE.get_or_init(|| Store::of(Vm::Evm, BLOCKS))
}

/// The document's statements with their answers between ```text and ```.
fn answered(document: &str) -> String {
    let (head, questions) = document.split_once(QUESTIONS).expect("the document has questions");
    let mut result = format!("{head}{QUESTIONS}");
    let mut count = 0;
    for (place, part) in questions.split("```sql\n").enumerate() {
        if place == 0 {
            result.push_str(part);
            continue;
        }
        let (statement, rest) = part.split_once("```\n").expect("a statement ends");
        let after =
            rest.strip_prefix("\n```text\n").map_or(rest, |rest| rest.split_once("```\n").expect("an answer ends").1);
        let answer = evm().sql(statement, "--format table").good();
        assert!(answer.lines().count() > 1, "the answer has rows: {statement}");
        let _ = write!(result, "```sql\n{statement}```\n\n```text\n{answer}```\n{after}");
        count += 1;
    }
    assert!(count >= 15, "the document has fifteen questions");
    result
}

fn table_of(view: &SqlView) -> String {
    let rows =
        view.columns.iter().map(|column| format!("| `{}` | {} | {} |\n", column.name, column.kind, column.about));
    format!(
        "### `{}`\n\n{}\n\n| column | type | |\n|---|---|---|\n{}\n",
        view.name,
        view.about,
        rows.collect::<String>()
    )
}

#[test]
fn the_document_has_the_tables_and_the_answers() {
    compare(DOCUMENT, |document| {
        let (before, rest) = document.split_once(TABLES_BEGIN).expect("the document has tables");
        let (_, after) = rest.split_once(TABLES_END).expect("and their end");
        let tables: String = SQL_VIEWS.iter().map(table_of).collect();
        answered(&format!("{before}{TABLES_BEGIN}\n{tables}{TABLES_END}{after}"))
    });
}

#[rstest]
#[case(Vm::Evm)]
#[case(Vm::Move)]
#[case(Vm::Wasm)]
fn every_column_of_every_table_has_values_that_agree_with_the_api(#[case] vm: Vm) {
    let made;
    let store = if vm == Vm::Evm {
        evm()
    } else {
        let rollup;
        (made, rollup) = Store::running(vm, 40);
        let newest = || made.rows("SELECT max(height) AS n FROM blocks")[0]["n"].as_u64();
        assert_eq!(newest(), Some(40), "the file is in use");
        rollup.step(1).expect("a block is made");
        assert_eq!(newest(), Some(41));
        &made
    };
    let mut tables = BTreeMap::new();
    for view in SQL_VIEWS {
        let is_of_blocks = view.columns[0].name == "height";
        let above = if is_of_blocks { format!(" WHERE height > {BEGINNING}") } else { String::new() };
        let rows = store.rows(&format!("SELECT * FROM {}{above}", view.name));
        assert!(!rows.is_empty(), "{} has rows", view.name);
        let names: Vec<&str> = view.columns.iter().map(|column| column.name).collect();
        let fields: Vec<&String> = rows[0].as_object().expect("an object").keys().collect();
        assert_eq!(fields, names, "{}", view.name);
        let is_by_vm = |name: &str| view.name == "nft_moves" && ["object", "amount"].contains(&name);
        for name in names.into_iter().filter(|name| !is_by_vm(name)) {
            assert!(rows.iter().any(|row| !row[name].is_null()), "{}.{name} has a value", view.name);
        }
        tables.insert(view.name, rows);
    }
    let records = records(store, vm);
    assert_eq!(tables["txs"].len(), records.len());
    for (row, tx) in tables["txs"].iter().zip(&records) {
        assert_eq!((&row["hash"], &row["code"]), (&tx["txhash"], &tx["code"]));
        assert_eq!(row["height"].to_string(), tx["height"].as_str().expect("a text"));
        assert_eq!(row["gas_used"].to_string(), tx["gas_used"].as_str().expect("a text"));
        let signed: Value = serde_json::from_str(row["signed_tx"].as_str().expect("a text")).expect("JSON");
        assert_eq!(signed, tx["tx"]);
    }
    let count = |list: fn(&Value) -> &Value| -> usize {
        records.iter().map(|tx| list(tx).as_array().map_or(0, Vec::len)).sum()
    };
    assert_eq!(tables["messages"].len(), count(|tx| &tx["tx"]["body"]["messages"]));
    assert_eq!(tables["events"].len(), count(|tx| &tx["events"]));
    transfers_add_up(&tables["balance_changes"], &tables["transfers"]);
}

/// What accounts gained and lost by a transaction's messages is what its transfers moved.
fn transfers_add_up(changes: &[Value], transfers: &[Value]) {
    type Sums = BTreeMap<(String, String, String), Balance>;
    let amount = |row: &Value| -> Balance { row["amount"].as_str().expect("a text").parse().expect("an amount") };
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let add = |sums: &mut Sums, row: &Value, account: &Value, by: Balance| {
        let sum = sums.entry((text(&row["tx_hash"]), text(account), text(&row["denom"]))).or_default();
        *sum = sum.checked_add(by).expect("it fits");
    };
    let (mut gained, mut moved) = (Sums::new(), Sums::new());
    for row in changes.iter().filter(|row| row["is_fee"] == 0) {
        assert_eq!(row["is_conserved"], 1, "the rollup's events are whole: {row}");
        add(&mut gained, row, &row["account"], amount(row));
    }
    for row in transfers.iter().filter(|row| !row["msg_index"].is_null()) {
        for (account, by) in [(&row["sender"], amount(row).negated()), (&row["recipient"], amount(row))] {
            if !account.is_null() {
                add(&mut moved, row, account, by);
            }
        }
    }
    moved.retain(|_, sum| *sum != Balance::default());
    assert!(gained.len() > 20);
    assert_eq!(gained, moved);
}

/// The records of the file's transactions above the beginning, oldest first.
fn records(store: &Store, vm: Vm) -> Vec<Value> {
    let mut options = chain_of(1);
    options.ledger.vm = vm;
    let index = Index::in_file(&store.file(), &options.ledger.identity()).expect("the file is whole");
    let oldest = PageRange { limit: 10_000, descending: false, ..PageRange::default() };
    let found = index.txs(TxSelection::Chain, &[], &oldest, false).expect("it is read");
    index.close();
    let mut records: Vec<Value> = serde_json::from_slice(&[b"[", &found.json[..], b"]"].concat()).expect("JSON");
    let height = |tx: &Value| tx["height"].as_str().and_then(|text| text.parse().ok()).unwrap_or(0_u64);
    records.retain(|tx| height(tx) > BEGINNING);
    records
}

#[test]
fn rows_are_written_in_each_format_and_left_out_rows_are_told() {
    let sql = "SELECT 1 AS n, -5 AS lost, '-7' AS debt, '=1+1' AS text, NULL AS absent, 0.5 AS half, x'00ff' AS bytes, 2 AS n";
    assert_eq!(
        evm().sql(sql, "--format jsonl").good(),
        "{\"n\":1,\"lost\":-5,\"debt\":\"-7\",\"text\":\"=1+1\",\"absent\":null,\"half\":0.5,\"bytes\":\"0x00ff\",\"n_2\":2}\n"
    );
    assert_eq!(
        evm().sql(sql, "--format csv").good(),
        "n,lost,debt,text,absent,half,bytes,n_2\n1,-5,-7,'=1+1,,0.5,0x00ff,2\n"
    );
    assert_eq!(
        evm().sql(sql, "--format table").good(),
        "n  lost  debt  text  absent  half  bytes   n_2\n1    -5    -7  =1+1           0.5  0x00ff    2\n"
    );
    let piped = |options: &str| {
        let mut command = evm().home.command(&format!("sql {options} --format csv --data"));
        let output = command.arg(evm().file()).write_stdin("SELECT height FROM blocks ORDER BY height").output();
        Ran::of(&output.expect("the program can be started"))
    };
    assert_eq!(piped("-").good().lines().count() as u64, BLOCKS + 1);
    let cut = piped("--limit 2");
    assert_eq!((cut.status, cut.out.as_str()), (0, "height\n1\n2\n"));
    assert_eq!(cut.err, "note: more than 2 rows were found, and the others were left out\n");
    let most =
        evm().sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n", "--format csv");
    assert_eq!((most.status, most.out.lines().count()), (1, 100_001));
    assert!(
        most.err.contains("more than 100,000 rows were found, and the others were left out; add --limit N"),
        "{most:?}"
    );
    assert_eq!(evm().sql("SELECT 1 AS n WHERE 0", "--format json").good(), "[]\n");
}

#[test]
fn columns_of_one_name_are_told_apart_in_every_format_that_programs_read() {
    let statement = "-- a remark first\nSELECT 1 AS x, 2 AS x, 3 AS x_2, 4 AS x, 5 AS y";
    let json = evm().sql(statement, "--format jsonl");
    assert_eq!(json.good(), "{\"x\":1,\"x_3\":2,\"x_2\":3,\"x_4\":4,\"y\":5}\n");
    assert_eq!(evm().sql(statement, "--format csv").good(), "x,x_3,x_2,x_4,y\n1,2,3,4,5\n");
    let infinite = evm().sql("SELECT 9e999 AS x, -9e999 AS x, NULL AS y", "--format jsonl");
    assert_eq!(infinite.good(), "{\"x\":\"inf\",\"x_2\":\"-inf\",\"y\":null}\n");
    let joined = "SELECT a.height, b.height FROM blocks a JOIN blocks b ON b.height = a.height - 1 WHERE a.height = 3";
    assert_eq!(evm().sql(joined, "--format jsonl").good(), "{\"height\":3,\"height_2\":2}\n");
}

#[test]
fn amounts_are_exact() {
    let most = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    let rows = evm().rows(&format!(
        "WITH a(x) AS (VALUES ('{most}'), ('-{most}'), ('100'), (NULL), (20), ('-3'))
         SELECT amount_sum(x) AS total, (SELECT group_concat(x, ' ') FROM (SELECT x FROM a WHERE x IS NOT NULL ORDER BY amount_order(x))) AS sorted FROM a"
    ));
    assert_eq!(rows[0]["total"], "117");
    assert_eq!(rows[0]["sorted"], format!("-{most} -3 20 100 {most}"));
    // What contracts report has no bound: neither sum fits into 256 bits.
    let spam = evm().rows(&format!(
        "WITH a(t, x) AS (VALUES ('a', '{most}'), ('a', '{most}'), ('b', '-{most}'), ('b', '-1'), ('c', '7'))
         SELECT amount_sum(x) AS sum FROM a GROUP BY t ORDER BY t"
    ));
    assert_eq!(spam[0]["sum"], "231584178474632390847141970017375815706539969331281128078915168015826259279870");
    assert_eq!(spam[1]["sum"], "-115792089237316195423570985008687907853269984665640564039457584007913129639936");
    assert_eq!(spam[2]["sum"], "7");
    let wrong = evm().sql("SELECT amount_sum(x) FROM (SELECT '1.5' AS x)", "");
    assert!(wrong.status == 2 && wrong.err.contains("not a whole number"), "{wrong:?}");
}

#[rstest]
#[case::delete("DELETE FROM blocks", "not read-only")]
#[case::delete_store("DELETE FROM block", "not read-only")]
#[case::insert("INSERT INTO tx VALUES (1, 2, 3, 4)", "not read-only")]
#[case::update("UPDATE meta SET value = 1", "not read-only")]
#[case::returning("WITH x AS (SELECT 1) DELETE FROM tx RETURNING *", "not read-only")]
#[case::create("CREATE TABLE a AS SELECT 1", "not read-only")]
#[case::create_temp("CREATE TEMP TABLE a AS SELECT 1", "not read-only")]
#[case::create_view("CREATE TEMP VIEW a AS SELECT * FROM tx", "not read-only")]
#[case::trigger("CREATE TEMP TRIGGER a INSTEAD OF INSERT ON blocks BEGIN SELECT 1; END", "not read-only")]
#[case::virtual_table("CREATE VIRTUAL TABLE temp.a USING fts5(b)", "not read-only")]
#[case::drop("DROP VIEW blocks", "not read-only")]
#[case::alter("ALTER TABLE tx RENAME TO t", "not read-only")]
#[case::begin("BEGIN IMMEDIATE", "not read-only")]
#[case::savepoint("SAVEPOINT a", "not read-only")]
#[case::attach("ATTACH '/etc/passwd' AS p", "not read-only")]
#[case::vacuum("VACUUM INTO '/tmp/rollscope-never.sqlite'", "not read-only")]
#[case::analyze("ANALYZE", "not read-only")]
#[case::reindex("REINDEX", "not read-only")]
#[case::pragma("PRAGMA query_only = 0", "PRAGMA query_only is not allowed")]
#[case::pragma_read("PRAGMA table_info(tx)", "PRAGMA table_info is not allowed")]
#[case::pragma_writable("PRAGMA writable_schema = 1", "PRAGMA writable_schema is not allowed")]
#[case::pragma_heap("PRAGMA hard_heap_limit = 0", "PRAGMA hard_heap_limit is not allowed")]
#[case::pragma_function("SELECT * FROM pragma_table_list", "no table pragma_table_list; the tables are blocks, txs,")]
#[case::extension("SELECT load_extension('/tmp/evil.so')", "load_extension is not allowed")]
#[case::tokenizer("SELECT fts3_tokenizer('a', x'00')", "fts3_tokenizer is not allowed")]
#[case::readfile("SELECT readfile('/etc/passwd')", "no such function: readfile")]
#[case::writefile("SELECT writefile('/tmp/a', 'b')", "no such function: writefile")]
#[case::edit("SELECT edit('a', 'vi')", "no such function: edit")]
#[case::fsdir("SELECT * FROM fsdir('/')", "no table fsdir")]
#[case::dbstat("SELECT * FROM dbstat", "no table dbstat")]
#[case::store("SELECT body FROM tx", "no table tx; the tables are blocks, txs,")]
#[case::schema("SELECT * FROM sqlite_schema", "no table sqlite_")]
#[case::temp_schema("SELECT sql FROM sqlite_temp_schema", "no table sqlite_")]
#[case::shadow("WITH blocks AS (SELECT * FROM meta) SELECT * FROM blocks", "no table meta")]
#[case::nested_shadow("SELECT * FROM (SELECT value FROM meta) AS blocks", "no table meta")]
#[case::unknown("SELECT * FROM transactions", "no table transactions; the tables are blocks, txs, messages, events,")]
#[case::column("SELECT hsh FROM txs", "no such column: hsh; txs has height, tx_index, hash, time,")]
#[case::several("SELECT 1; SELECT 2", "there are several statements; write one SELECT")]
#[case::second_writes("SELECT 1; DELETE FROM tx", "not read-only")]
#[case::empty("/* nothing */", "there is no statement; write one SELECT")]
#[case::syntax("SELEC 1", "syntax error")]
fn a_statement_that_wants_more_than_to_read_is_refused(#[case] statement: &str, #[case] reason: &str) {
    let store = evm();
    let before = fs::read(store.file()).expect("the file is there");
    let ran = store.sql(statement, "--format csv");
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(ran.err.contains(reason), "{ran:?}");
    assert!(ran.out.is_empty(), "{ran:?}");
    assert!(fs::read(store.file()).expect("it is still there") == before, "the file is as it was");
    assert!(!fs::exists("/tmp/rollscope-never.sqlite").expect("it can be looked for"));
}

#[rstest]
#[case::recursion("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")]
#[case::product("SELECT count(*) FROM events a, events b, events c, events d")]
#[case::pattern(
    "SELECT count(*) FROM events a, events b WHERE replace(hex(zeroblob(50000)), '0', 'a') LIKE '%a%a%a%a%a%a%ab' || a.type || b.type"
)]
fn a_statement_without_an_end_is_ended(#[case] statement: &str) {
    let begun = Instant::now();
    let ran = evm().sql(statement, "--timeout 1s");
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(
        ran.err.contains("took longer than 1 s and was ended; restrict it") || ran.err.contains("more than 512 MiB"),
        "{ran:?}"
    );
    assert!(begun.elapsed().as_secs() < 10, "it was ended in time");
}

#[rstest]
#[case::random("SELECT length(randomblob(1000000000))")]
#[case::zero("SELECT length(zeroblob(1000000000))")]
#[case::format("SELECT length(printf('%1000000000d', 1))")]
#[case::text("SELECT length(replace(hex(zeroblob(30000000)), '0', 'abcdefgh'))")]
#[case::concatenation(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100) SELECT length(group_concat(hex(zeroblob(500000)))) FROM n"
)]
#[case::array(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100) SELECT length(json_group_array(hex(zeroblob(500000)))) FROM n"
)]
#[case::sorter(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT i, zeroblob(1000000) AS b FROM n ORDER BY b, i"
)]
fn a_statement_without_a_bound_of_memory_is_ended(#[case] statement: &str) {
    let ran = evm().sql(statement, "--timeout 60s --format csv");
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(ran.err.contains("has more than 64 MiB") || ran.err.contains("more than 512 MiB of memory"), "{ran:?}");
}

#[test]
fn a_file_that_is_no_index_is_refused_and_stays() {
    let home = Home::empty();
    let file = home.path().join("other.sqlite");
    let ask =
        || Ran::of(&home.command("sql SELECT --data").arg(&file).output().expect("the program can be started")).bad(1);
    assert!(ask().contains("other.sqlite; serve --data writes one"), "{}", ask());
    assert!(!file.exists(), "nothing is created");
    fs::write(&file, "words").expect("it can be written");
    assert!(ask().contains("other.sqlite is no index of rollscope"), "{}", ask());
}

/// A node's index of 120 blocks, as a program of format 8 wrote it.
fn node_index(folder: &Path) -> PathBuf {
    let path = folder.join("index.sqlite");
    let packed = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/index-format-8/evm.sqlite.zst");
    let packed = fs::read(packed).expect("the fixture is there");
    fs::write(&path, zstd::decode_all(packed.as_slice()).expect("it is whole")).expect("it can be written");
    // A later format converts it first.
    let identity = IndexIdentity { vm: Vm::Evm, feed: IndexFeed::Node, facts: Vec::new() };
    Index::in_file(&path, &identity).expect("it is an index").close();
    path
}

/// Whether the export of a table has the rows of a query, in order.
fn assert_exported(home: &Home, file: &Path, folder: &Path, view: &SqlView) {
    let output = home.command("sql --data").arg(file).arg(format!("SELECT * FROM {}", view.name)).output();
    let rows: Vec<Value> = serde_json::from_str(&Ran::of(&output.expect("it runs")).good()).expect("JSON");
    let mut exported = Vec::new();
    let mut names: Vec<PathBuf> =
        fs::read_dir(folder.join(view.name)).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    names.sort();
    for name in names {
        let mut reader = csv::Reader::from_path(name).expect("CSV");
        let heads: Vec<&str> = view.columns.iter().map(|column| column.name).collect();
        assert_eq!(reader.headers().expect("a head"), &csv::StringRecord::from(heads));
        exported.extend(reader.into_records().map(|record| record.expect("a row")));
    }
    assert_eq!(exported.len(), rows.len(), "{}", view.name);
    for (record, row) in exported.iter().zip(&rows) {
        let values = row.as_object().expect("an object").values().map(|value| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        assert_eq!(record.iter().map(ToOwned::to_owned).collect::<Vec<_>>(), values.collect::<Vec<_>>());
    }
}

#[test]
fn an_export_has_the_rows_of_the_tables_and_writes_only_what_has_changed() {
    let home = Home::empty();
    let (file, folder) = (node_index(home.path()), home.path().join("export"));
    let export = |options: &str| {
        let mut command = home.command(&format!("export {options} --data"));
        Ran::of(&command.arg(&file).arg("--to").arg(&folder).output().expect("the program can be started"))
    };
    let ends = |ran: Ran, ending: &str| {
        let out = ran.good();
        assert!(out.ends_with(&format!("{ending}\n")), "{out}");
    };
    let change = |sql: &str| {
        rusqlite::Connection::open(&file).and_then(|index| index.execute_batch(sql)).expect("it can be changed");
    };
    assert!(export("--verify").bad(1).ends_with("has no export: run it without --verify first"));
    if cfg!(not(feature = "parquet")) {
        let absent = "this build cannot write Parquet; build it with --features parquet, or use --format csv";
        assert_eq!(export("--format parquet").bad(1), absent);
        assert!(!folder.exists(), "nothing is created");
    }
    let first = export("--blocks 50").good();
    assert!(
        first.contains(": blocks 1 to 120, ") && first.ends_with(" rows in 3 written ranges, 0 ranges kept\n"),
        "{first}"
    );
    for view in SQL_VIEWS.iter().filter(|view| view.columns[0].name == "height") {
        assert_exported(&home, &file, &folder, view);
    }
    ends(export("--verify"), ", verified");
    ends(export(""), "0 rows in 0 written ranges, 3 ranges kept");
    // A file that was lost, and what a killed export left, which had a range more than its manifest.
    let middle = folder.join("events/0000000051-0000000100.csv");
    let text = fs::read(&middle).expect("it was written");
    fs::remove_file(&middle).expect("it is there");
    fs::write(folder.join("events/0000000051-0000000100.csv.unfinished"), "half").expect("it can be written");
    let lost = export("--verify");
    assert!(lost.status == 1 && lost.out.starts_with("events/0000000051-0000000100.csv: cannot be read:"), "{lost:?}");
    ends(export(""), " rows in 1 written range, 2 ranges kept");
    assert!(fs::read(&middle).expect("it is there again") == text);
    fs::write(&middle, text.to_ascii_uppercase()).expect("it can be written");
    let changed = export("--verify");
    assert_eq!(
        (changed.status, changed.out.as_str()),
        (1, "events/0000000051-0000000100.csv: differs from the manifest\n")
    );
    fs::write(&middle, text).expect("it can be written");
    // Another newest block, as after a reorganisation; then fewer blocks.
    change("UPDATE block SET hash = zeroblob(32), gas_used = 7 WHERE height = 120");
    let other = export("--verify");
    assert_eq!((other.status, other.out.as_str()), (1, "blocks 101 to 120: the file has other blocks\n"));
    ends(export(""), " rows in 1 written range, 2 ranges kept");
    ends(export("--verify"), ", verified");
    change("DELETE FROM block WHERE height > 110");
    let fewer = export("");
    assert!(fewer.status == 0 && fewer.out.ends_with("0 rows in 0 written ranges, 3 ranges kept\n"), "{fewer:?}");
    assert!(fewer.err.starts_with("note: the folder has blocks 101 to 120, and the file only 101 to 110"), "{fewer:?}");
    assert!(export("--blocks 10").bad(2).contains("has an export with 50 blocks per file; choose another folder"));
    change("UPDATE meta SET value = 'other-1' WHERE key = 'chain id'");
    assert!(export("").bad(2).contains("choose another folder"));
}

/// A nightly export of blocks that were mended since, or of a file whose byte was flipped.
#[test]
fn an_export_writes_again_what_was_mended_or_damaged() {
    let home = Home::empty();
    let (file, folder) = (node_index(home.path()), home.path().join("export"));
    let export = |options: &str| {
        let mut command = home.command(&format!("export {options} --data"));
        Ran::of(&command.arg(&file).arg("--to").arg(&folder).output().expect("the program can be started"))
    };
    export("--blocks 50").good();
    assert!(export("").good().contains("0 written ranges, 3 ranges kept"));
    let mend = "INSERT INTO mended VALUES (60, 1)";
    rusqlite::Connection::open(&file).and_then(|index| index.execute_batch(mend)).expect("it can be changed");
    let mended = export("--verify");
    assert_eq!(
        (mended.status, mended.out.as_str()),
        (1, "blocks 51 to 100: the file has blocks that were mended since\n")
    );
    assert!(export("").good().contains("1 written range, 2 ranges kept"));
    let damaged = folder.join("txs/0000000051-0000000100.csv");
    let mut bytes = fs::read(&damaged).expect("it is there");
    let last = bytes.len() - 2;
    bytes[last] ^= 1;
    fs::write(&damaged, bytes).expect("it can be written");
    assert!(export("").good().contains("1 written range, 2 ranges kept"));
    export("--verify").good();
}
