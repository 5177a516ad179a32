//! Views of a database for other programs: what they show is what the views of the file show.

use std::path::Path;

use rollscope::{
    domain::Vm,
    indexer::index::{Index, PostgresUrl, SQL_VIEWS, SqlView, server_views},
};
use rstest::rstest;
use serde_json::Value;

use super::copy::{SCHEMA, followed, identity, nothing, psql, url};
use crate::{
    cli::{
        embedded::Served,
        parse,
        program::{Home, Ran},
    },
    commands::compare,
    harness::{chain_with, index::open_database, player::NodePlayer, recording::Recording, rollup_of, wait_until},
};

const DOCUMENT: &str = "docs/analysts.md";
const BEGIN: &str = "<!-- views: written from src/indexer/index/sql/server_views.rs -->\n";
const END: &str = "<!-- /views -->";

/// The rows that the program's SQL over the file has.
fn of_file(file: &Path, statement: &str) -> Vec<Vec<String>> {
    let mut command = Home::empty().command("sql");
    command.args(["--format", "json", "--limit", "1000000", "--data"]).arg(file).arg(statement);
    let text = Ran::of(&command.output().expect("the program can be started")).good();
    let rows: Vec<Vec<Value>> = {
        let objects: Vec<serde_json::Map<String, Value>> = serde_json::from_str(&text).expect("the output is JSON");
        objects.into_iter().map(|object| object.into_iter().map(|(_, value)| value).collect()).collect()
    };
    let cell = |value: Value| match value {
        Value::Null => "NULL".to_owned(),
        Value::String(text) => text,
        other => other.to_string(),
    };
    rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect()
}

/// Statements for the file and for the database with the same answer.
const SAME: [(&str, &str); 9] = [
    (
        "SELECT height, hash, substr(time, 1, 19), block_time_ms, tx_count, gas_used, gas_wanted, fees, proposer
         FROM blocks ORDER BY height",
        "SELECT height, hash, to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS'), block_time_ms, tx_count,
         gas_used, gas_wanted, fees, proposer FROM blocks ORDER BY height",
    ),
    (
        "SELECT height, tx_index, substr(hash, 1, 16), signer FROM txs ORDER BY height, tx_index",
        "SELECT height, tx_index, hash_prefix, signer FROM txs ORDER BY height, tx_index",
    ),
    (
        "SELECT account, txs, signed FROM accounts ORDER BY account",
        "SELECT account, txs, signed FROM accounts ORDER BY account COLLATE \"C\"",
    ),
    (
        "SELECT denom, account, amount FROM holders ORDER BY denom, account",
        "SELECT denom, account, amount FROM holders ORDER BY denom COLLATE \"C\", account COLLATE \"C\"",
    ),
    // Questions of the document.
    (
        "SELECT count(*), min(block_time_ms), max(block_time_ms), sum(tx_count = 0), max(tx_count)
         FROM blocks WHERE height > 1",
        "SELECT count(*), min(block_time_ms), max(block_time_ms), count(*) FILTER (WHERE tx_count = 0), max(tx_count)
         FROM blocks WHERE height > 1",
    ),
    (
        "SELECT account, signed, txs FROM accounts ORDER BY signed DESC, account LIMIT 5",
        "SELECT account, signed, txs FROM accounts ORDER BY signed DESC, account COLLATE \"C\" LIMIT 5",
    ),
    (
        "SELECT substr(time, 1, 16) AS minute, count(DISTINCT signer) FROM txs GROUP BY minute ORDER BY minute",
        "SELECT to_char(date_trunc('minute', time) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI') AS minute,
         count(DISTINCT signer)
         FROM txs GROUP BY minute ORDER BY minute",
    ),
    (
        "SELECT denom, count(*) AS holders, amount_sum(amount) FROM holders GROUP BY denom ORDER BY holders DESC, denom",
        "SELECT denom, count(*) AS holders, sum(amount) FROM holders GROUP BY denom
         ORDER BY holders DESC, denom COLLATE \"C\"",
    ),
    NFT_MOVES,
];

const NFT_MOVES: (&str, &str) = (
    "SELECT DISTINCT height, tx_index, lower(collection), token_id FROM nft_moves WHERE amount IS NULL ORDER BY 1, 2, 3, 4",
    "SELECT height, tx_index, collection, token_id FROM nft_moves
     ORDER BY height, tx_index, collection COLLATE \"C\", token_id COLLATE \"C\"",
);

/// Events of Move name a moved object, and the collection and id of an NFT only where it is minted or burned.
const OBJECT_MOVES: &str = "
    WITH nfts AS (SELECT DISTINCT object, collection, token_id FROM nft_moves WHERE token_id IS NOT NULL)
    SELECT DISTINCT m.height, m.tx_index, nfts.collection, nfts.token_id FROM nft_moves m JOIN nfts ON nfts.object = m.object
    ORDER BY 1, 2, 3, 4";

/// Copies the index of a file to a database and compares answers of both.
fn compared(file: &Path, url: &PostgresUrl, statements: &[(&str, &str)]) {
    Index::read_only(file).and_then(|index| index.copy_to_postgres(url, nothing)).expect("the copy is verified");
    for (statement, on_server) in statements {
        let (theirs, ours) = (of_file(file, statement), psql(url, "postgres", on_server).expect("it runs"));
        assert!(!theirs.is_empty(), "{statement}");
        assert_eq!(ours.len(), theirs.len(), "{on_server}");
        for (ours, theirs) in ours.into_iter().zip(theirs) {
            assert_eq!(ours, theirs, "{on_server}");
        }
    }
}

/// Compares those of a recorded chain; returns the database.
fn compared_recording(chain: &str, vm: Vm, statements: &[(&str, &str)]) -> Option<PostgresUrl> {
    let url = url()?;
    let recording = Recording::fixture(chain, vm);
    let player = NodePlayer::start(&recording);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("chain.sqlite");
    followed(&player, Index::in_file(&file, &identity(vm)).expect("a new file"), &recording);
    compared(&file, &url, statements);
    Some(url)
}

/// Its contracts have addresses of 32 bytes; the recording has no balances at its own heights.
#[test]
fn views_of_a_wasm_rollup_show_what_those_of_a_file_show() {
    let without_holders = SAME.iter().filter(|(of_file, _)| !of_file.contains("holders") && !of_file.contains("nft"));
    compared_recording("miniwasm-0.7", Vm::Wasm, &without_holders.copied().collect::<Vec<_>>());
}

/// No Move rollup is recorded whole, and no Wasm rollup with holders and NFTs.
#[rstest]
#[case(Vm::Move)]
#[case(Vm::Wasm)]
fn views_of_an_embedded_rollup_show_what_those_of_a_file_show(#[case] vm: Vm) {
    let Some(url) = url() else { return };
    let rollup = rollup_of(chain_with(vm, 12));
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("chain.sqlite");
    let node = rollup.url() + "/node";
    let served =
        Served::start(&format!("--node {node}/rpc --rest {node}/rest --timeout 60s --data {}", file.display()));
    wait_until("all is indexed", || {
        let status = parse(&served.fetch("/status"));
        status["node"]["missing_blocks"] == 0 && status["rich_list_height"] == 12
    });
    drop(served);
    let of_move = |same: (&'static str, &'static str)| if same == NFT_MOVES { (OBJECT_MOVES, same.1) } else { same };
    compared(&file, &url, &if vm == Vm::Move { SAME.map(of_move) } else { SAME });
}

#[test]
fn views_of_a_database_show_what_those_of_a_file_show() {
    let Some(url) = compared_recording("minievm-1.1", Vm::Evm, &SAME) else { return };
    // A text that no text of the server can hold, as a node may name a denom.
    psql(&url, "postgres", "UPDATE rich_token SET denom = '\\x610062' WHERE id = (SELECT min(id) FROM rich_token)")
        .expect("it can be changed");
    let odd = psql(&url, "postgres", "SELECT DISTINCT denom FROM holders WHERE denom LIKE 'a%b'").expect("it runs");
    assert_eq!(odd, [["a\\000b"]]);
    // As the document says.
    psql(
        &url,
        "postgres",
        &format!(
            "CREATE ROLE analyst LOGIN; GRANT USAGE ON SCHEMA {SCHEMA} TO analyst;
             GRANT SELECT ON blocks, txs, accounts, holders, nft_moves TO analyst;"
        ),
    )
    .expect("a role can be made");
    let count = psql(&url, "analyst", "SELECT count(*) FROM txs").expect("it may read");
    assert_ne!(count, [["0"]]);
    for refused in [
        "SELECT count(*) FROM tx",
        "INSERT INTO accounts VALUES ('a', 1, 1)",
        "UPDATE lease SET holder = 'me'",
        "DELETE FROM blocks",
        "CREATE TABLE mine (a int)",
        "COPY (SELECT 1) TO '/tmp/x'",
    ] {
        let said = psql(&url, "analyst", refused).expect_err(refused);
        assert!(
            ["permission denied", "cannot", "must be superuser"].iter().any(|why| said.contains(why)),
            "{refused}: {said}"
        );
    }
    assert_eq!(psql(&url, "analyst", "SELECT rs_account('\\x00')"), Ok(vec![vec!["NULL".to_owned()]]));
}

/// A program of another version meets views of this one's names: it makes them anew, and only those.
#[test]
fn a_view_of_another_version_is_made_anew() {
    let Some(url) = url() else { return };
    let open = || open_database(&url, &identity(Vm::Evm)).expect("the tables can be made").close();
    open();
    let ids = "SELECT relname, oid FROM pg_class WHERE relkind = 'v' AND relnamespace = current_schema()::regnamespace
               ORDER BY relname";
    let made = psql(&url, "postgres", ids).expect("it runs");
    assert_eq!(made.len(), server_views().count());
    psql(
        &url,
        "postgres",
        "DROP VIEW txs; CREATE VIEW txs AS SELECT 1 AS height; DROP VIEW accounts; CREATE VIEW accounts AS SELECT 1 AS n;
         CREATE VIEW mine AS SELECT * FROM accounts; GRANT SELECT ON blocks TO PUBLIC; COMMENT ON VIEW blocks IS 'old'",
    )
    .expect("views can be made");
    open();
    let again = psql(&url, "postgres", &ids.replace("'v'", "'v' AND relname <> 'mine'")).expect("it runs");
    let kept = made.iter().zip(&again).filter(|(one, other)| one == other).count();
    assert_eq!((again.len(), kept), (made.len(), made.len() - 2));
    psql(&url, "postgres", "SELECT signer FROM txs").expect("it is the view of this version");
    psql(&url, "postgres", "SELECT n FROM mine").expect("what somebody made over one stays");
    let rights = psql(&url, "postgres", "SELECT has_table_privilege('public', 'blocks', 'SELECT')");
    assert_eq!(rights, Ok(vec![vec!["t".to_owned()]]), "rights stay where the columns do");
}

#[test]
fn the_document_has_the_views() {
    compare(DOCUMENT, |document| {
        let (before, rest) = document.split_once(BEGIN).expect("the document has views");
        let (_, after) = rest.split_once(END).expect("and their end");
        let line = |view: &SqlView| {
            let is_same = |of_file: &SqlView| {
                of_file.name == view.name
                    && of_file
                        .columns
                        .iter()
                        .map(|column| column.name)
                        .eq(view.columns.iter().map(|column| column.name))
            };
            if SQL_VIEWS.iter().any(is_same) {
                return format!("| `{}` | those of the file |\n", view.name);
            }
            let columns = view.columns.iter().map(|column| format!("`{}`: {}", column.name, column.about));
            format!("| `{}` | {} {} |\n", view.name, view.about, columns.collect::<Vec<_>>().join("; "))
        };
        let lines: String = server_views().map(line).collect();
        format!("{before}{BEGIN}\n| view | columns |\n|---|---|\n{lines}\n{END}{after}")
    });
}
