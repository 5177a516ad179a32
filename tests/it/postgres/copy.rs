//! Copies between a file and a database: the same rows, and an index that goes on.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
};

use rollscope::{
    domain::Vm,
    indexer::{
        index::{Bounds, CopyStep, Index, IndexError, IndexFeed, IndexIdentity, PostgresUrl},
        node::{FollowOptions, ServiceOptions},
    },
};
use rstest::rstest;
use rusqlite::{Connection, OpenFlags, types::Value};
use tempfile::TempDir;

use crate::{
    cli::program::run,
    harness::{
        index::open_database,
        player::{NodePlayer, Served},
        postgres::{PostgresServer, create_database},
        recording::Recording,
        wait_until,
    },
};

pub(super) const SCHEMA: &str = "rs_copied";

/// Every so many of the recorded requests are asked.
const EACH: usize = 7;

pub(super) fn identity(vm: Vm) -> IndexIdentity {
    IndexIdentity { vm, feed: IndexFeed::Node, facts: Vec::new() }
}

pub(super) fn nothing(_: CopyStep) {}

/// All rows of a file by table, in the order of their keys, with the types of their values.
fn rows_of(file: &Path) -> BTreeMap<String, Vec<Vec<Value>>> {
    let file = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the file is there");
    let rows = |sql: &str| -> Vec<Vec<Value>> {
        let mut statement = file.prepare(sql).expect("the statement is right");
        let width = statement.column_count();
        let row = |row: &rusqlite::Row| (0..width).map(|at| row.get(at)).collect::<Result<Vec<Value>, _>>();
        statement.query_map([], row).expect("it runs").map(|row| row.expect("a row")).collect()
    };
    let tables = rows("SELECT name FROM sqlite_master WHERE type = 'table'");
    let named = |table: Vec<Value>| {
        let Some(Value::Text(name)) = table.into_iter().next() else { panic!("a table without a name") };
        let mut found = rows(&format!("SELECT * FROM {name}"));
        found.sort_by_cached_key(|row| format!("{row:?}"));
        (name, found)
    };
    tables.into_iter().map(named).collect()
}

/// Follows the player until the index has every block; returns its answers to what was recorded.
pub(super) fn followed(player: &NodePlayer, index: Index, recording: &Recording) -> Vec<(String, (u16, String))> {
    let follow = FollowOptions { has_rich_list: recording.vm == Vm::Evm, ..FollowOptions::default() };
    let options = ServiceOptions { follow, ..ServiceOptions::default() };
    tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
        let served: Served = player.served_with(index, options).await.expect("the node is found");
        served.filled().await;
        if recording.vm == Vm::Evm {
            served.until("/status", |status| status["rich_list_height"] == status["height"]).await;
        }
        let mut answers = Vec::new();
        // Call frames come after the blocks, and the status says how far they are.
        let is_settled = |path: &str| !path.starts_with("/status") && !path.contains("internal");
        let lists = recording.indexer.iter().filter(|record| is_settled(&record.path));
        for record in lists.step_by(EACH) {
            answers.push((record.path.clone(), served.get(&record.path).await));
        }
        answers
    })
}

/// Runs statements by psql as a user; their rows, or what it refused.
pub(super) fn psql(url: &PostgresUrl, user: &str, sql: &str) -> Result<Vec<Vec<String>>, String> {
    let server = PostgresServer::shared().expect("it runs");
    let place = url.to_string().replace("postgres@", &format!("{user}@")).replace(&format!("&schema={SCHEMA}"), "");
    let sql = format!("SET search_path = {SCHEMA}; {sql}");
    let text =
        server.try_run("psql", &["-d", &place, "-X", "-q", "-A", "-t", "-F", "\t", "-P", "null=NULL", "-c", &sql])?;
    Ok(text.lines().map(|line| line.split('\t').map(ToOwned::to_owned).collect()).collect())
}

pub(super) fn url() -> Option<PostgresUrl> {
    Some(format!("{}&schema={SCHEMA}", create_database()?).parse().expect("the server's URL is one"))
}

#[rstest]
#[case("minievm-1.1", Vm::Evm)]
#[case("miniwasm-0.7", Vm::Wasm)]
fn a_copy_has_all_rows_and_goes_on_like_its_source(#[case] chain: &str, #[case] vm: Vm) {
    let Some(url) = url() else { return };
    let recording = Recording::fixture(chain, vm);
    let player = NodePlayer::start(&recording);
    player.change(|stage| stage.tip = player.last / 2);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (file, back) = (folder.path().join("chain.sqlite"), folder.path().join("back.sqlite"));
    followed(&player, Index::in_file(&file, &identity(vm)).expect("a new file"), &recording);

    let source = Index::read_only(&file).expect("the file is an index");
    let held = source.bounds().expect("the index can be read");
    let copied: Option<Bounds> = source.copy_to_postgres(&url, nothing).expect("the copy is verified");
    assert!(copied.is_some());
    assert_eq!(copied, held);
    let copy = Index::read_only_postgres(&url, SCHEMA).expect("the schema is an index");
    assert_eq!(copy.copy_to_file(&back, nothing).expect("the copy is verified"), held);
    let (ours, theirs) = (rows_of(&back), rows_of(&file));
    assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
    for (table, rows) in theirs {
        assert_eq!(ours.get(&table), Some(&rows), "{table}");
    }

    player.change(|stage| stage.tip = player.last);
    let on_server = followed(&player, open_database(&url, &identity(vm)).expect("the copy can be written"), &recording);
    let in_file = followed(&player, Index::in_file(&file, &identity(vm)).expect("an index"), &recording);
    assert!(!in_file.is_empty());
    for (ours, theirs) in on_server.into_iter().zip(in_file) {
        assert_eq!(ours, theirs);
    }
}

/// A file of 20 blocks, and an empty database whose server calls the function `meddle` before it writes block 7.
struct Meddled {
    folder: TempDir,
    url: PostgresUrl,
}

impl Meddled {
    fn new(function: &str) -> Option<Self> {
        let url = url()?;
        let recording = Recording::fixture("minievm-1.1", Vm::Evm).cut(20);
        let player = NodePlayer::start(&recording);
        let folder = tempfile::tempdir().expect("a folder can be made");
        let meddled = Self { folder, url };
        followed(&player, Index::in_file(&meddled.file(), &identity(Vm::Evm)).expect("a new file"), &recording);
        open_database(&meddled.url, &identity(Vm::Evm)).expect("the tables can be made").close();
        meddled.set_function(function);
        let trigger = "CREATE TRIGGER meddle BEFORE INSERT ON block FOR EACH ROW WHEN (NEW.height = 7)";
        meddled.run(&format!("{trigger} EXECUTE FUNCTION meddle()"));
        Some(meddled)
    }

    fn set_function(&self, body: &str) {
        let function = "CREATE OR REPLACE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql";
        self.run(&format!("{function} AS 'BEGIN {body}; RETURN NEW; END'"));
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("chain.sqlite")
    }

    fn run(&self, sql: &str) -> Vec<Vec<String>> {
        psql(&self.url, "postgres", sql).expect("it runs")
    }
}

/// A lease that the killed process left is no other follower's.
#[test]
fn a_copy_that_was_killed_is_in_nobodys_way() {
    let Some(meddled) = Meddled::new("PERFORM pg_sleep(600)") else { return };
    let copy = format!("copy --data {} --to {}", meddled.file().display(), meddled.url);
    let mut killed = Command::new(env!("CARGO_BIN_EXE_rollscope"));
    let mut killed = killed.args(copy.split(' ')).env_clear().spawn().expect("the program can be started");
    wait_until("the copy writes block 7", || {
        let asleep =
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";
        meddled.run(asleep) == [["1"]]
    });
    killed.kill().expect("it runs");
    killed.wait().expect("it ends");
    assert_eq!(meddled.run("SELECT count(*) FROM block"), [["0"]]);
    meddled.set_function("NULL");
    let said = run(&copy).good();
    assert!(said.contains(": blocks 1 to 20, "), "{said}");
}

/// What a server does to a row on its way is seen, and nothing stays of the copy.
#[test]
fn a_copy_that_differs_is_refused_and_leaves_nothing() {
    let Some(meddled) = Meddled::new("NEW.gas_used = NEW.gas_used + 1") else { return };
    let (folder, file, url) = (&meddled.folder, meddled.file(), &meddled.url);
    let source = Index::read_only(&file).expect("the file is an index");
    let refused = source.copy_to_postgres(url, nothing);
    assert!(matches!(&refused, Err(IndexError::Differs(table)) if table == "block"), "{refused:?}");
    assert_eq!(meddled.run("SELECT count(*) FROM block"), [["0"]]);
    meddled.set_function("NULL");
    let copied = source.copy_to_postgres(url, nothing).expect("the copy is verified");
    assert_eq!(copied.map(|held| held.tip.get()), Some(20));
    let again = source.copy_to_postgres(url, nothing);
    assert!(matches!(again, Err(IndexError::NotEmpty)), "{again:?}");
    // A table of a newer version is not left behind.
    let newer = Connection::open(&file).expect("the file can be written");
    newer.execute_batch("CREATE TABLE invention (id INTEGER PRIMARY KEY)").expect("a table can be made");
    let unknown = source.copy_to_file(&folder.path().join("copy.sqlite"), nothing).map_err(|error| error.to_string());
    assert!(unknown.as_ref().is_err_and(|error| error.contains("a table invention")), "{unknown:?}");
}
