//! What is kept goes by chain: whatever the address it is seen at, and never by the address alone.

use std::sync::Arc;

use rollscope::{
    domain::{Anchor, BlockHash, ChainId, ChainSighting, Height, Timestamp, TransferRecord},
    store::{Identified, Store, StoreScope},
};
use rusqlite::Connection;

use super::at;

const INDEXER: &str = "http://127.0.0.1:8080";
const NODE: &str = "http://127.0.0.1:26657";

fn height(number: u64) -> Height {
    Height::new(number).expect("a height")
}

/// Blocks at these heights of the chain with this number; its first block was made at its number in seconds.
fn sighting(chain_id: &str, chain: u8, heights: &[u64]) -> ChainSighting {
    let anchors = heights.iter().map(|number| {
        let mut hash = [chain; 32];
        hash[..8].copy_from_slice(&number.to_be_bytes());
        Anchor { height: height(*number), hash: BlockHash::new(hash), at: at(u64::from(chain) + number - 1) }
    });
    ChainSighting { chain_id: ChainId::new(chain_id), anchors: anchors.collect() }
}

fn record_on(chain_id: &str, number: u64) -> TransferRecord {
    let hash = format!("{number:064X}").parse().expect("a hash");
    TransferRecord::of_hash(ChainId::new(chain_id), &hash, at(number))
}

fn record(number: u64) -> TransferRecord {
    record_on("demo-1", number)
}

fn gone(record: TransferRecord) -> TransferRecord {
    TransferRecord { gone_chain: Some(ChainId::new("demo-1")), ..record }
}

/// A session of this network that has seen these blocks of its chain.
fn session(store: &mut Store, network: &str, seen: &ChainSighting) -> StoreScope {
    let mut scope = StoreScope::new(network);
    store.identify(&mut scope, seen, at(1_000)).expect("the store can be written");
    scope
}

#[test]
fn two_addresses_of_one_chain_share_what_is_kept() {
    let mut store = Store::in_memory().unwrap();
    let indexer = session(&mut store, INDEXER, &sighting("demo-1", 1, &[1, 400]));
    store.remember(&indexer, "17", at(50)).unwrap();
    store.save(&indexer, &record(50)).unwrap();
    // Another address, another part of the chain, one block in common.
    let mut node = StoreScope::new(NODE);
    assert_eq!(store.transfers(&node).unwrap(), [], "nobody knows yet what is there");
    let identified = store.identify(&mut node, &sighting("demo-1", 1, &[1, 9]), at(60)).unwrap();
    assert!(identified.is_news, "there is more to show now");
    assert_eq!((store.recents(&node).unwrap(), store.transfers(&node).unwrap()), (vec!["17".into()], vec![record(50)]));
    store.save(&node, &record(61)).unwrap();
    assert_eq!(store.transfers(&indexer).unwrap(), [record(61), record(50)]);
}

#[test]
fn another_chain_at_an_address_has_its_own_and_what_was_there_is_marked() {
    let mut store = Store::in_memory().unwrap();
    let mut scope = session(&mut store, INDEXER, &sighting("demo-1", 1, &[1, 400]));
    store.save(&scope, &record(50)).unwrap();
    store.remember(&scope, "old", at(50)).unwrap();

    scope.part();
    store.save(&scope, &record(70)).unwrap();
    assert_eq!(store.transfers(&scope).unwrap(), [record(70), gone(record(50))]);
    let identified = store.identify(&mut scope, &sighting("demo-1", 60, &[1]), at(80)).unwrap();
    assert_eq!(identified.wanted, [], "a height in common has told");
    assert_eq!(store.transfers(&scope).unwrap(), [record(70), gone(record(50))]);
    assert_eq!(store.recents(&scope).unwrap(), [""; 0]);

    // A label for the old one stays with it, and a transaction of the same name is another one.
    store.save(&scope, &TransferRecord { label: "rent".into(), ..gone(record(50)) }).unwrap();
    store.save(&scope, &TransferRecord { created: at(90), ..record(50) }).unwrap();
    let kept = store.transfers(&scope).unwrap();
    assert_eq!((kept.len(), kept[0].gone_chain.is_none(), kept[0].label.as_str()), (2, true, ""), "{kept:?}");

    // The next session begins with what was there last; who comes back to the old chain has its own again.
    assert_eq!(store.transfers(&StoreScope::new(INDEXER)).unwrap().len(), 2);
    let back = session(&mut store, NODE, &sighting("demo-1", 1, &[400]));
    assert_eq!(store.transfers(&back).unwrap()[0].label, "rent");
    assert_eq!(store.recents(&back).unwrap(), ["old"]);
    store.forget(&scope, &record(50).id).unwrap();
    assert_eq!(store.transfers(&back).unwrap(), [], "whoever forgets it means all of this name");
}

#[test]
fn a_sighting_from_before_the_restart_settles_nothing() {
    let mut store = Store::in_memory().unwrap();
    let mut scope = session(&mut store, INDEXER, &sighting("demo-1", 1, &[1]));
    store.save(&scope, &record(50)).unwrap();
    scope.part();
    assert_eq!(store.identify(&mut scope, &sighting("demo-1", 1, &[1, 5]), at(60)).unwrap(), Identified::default());
    assert_eq!(store.transfers(&scope).unwrap(), [gone(record(50))]);
}

#[test]
fn chains_that_could_not_be_compared_become_one_when_a_block_tells() {
    let mut store = Store::in_memory().unwrap();
    let indexer = session(&mut store, INDEXER, &sighting("demo-1", 1, &[1, 300]));
    store.save(&indexer, &record(50)).unwrap();
    let mut node = StoreScope::new(NODE);
    let identified = store.identify(&mut node, &sighting("demo-1", 1, &[500, 700]), at(60)).unwrap();
    assert_eq!(identified.wanted, [height(1), height(300)], "these would tell");
    store.save(&node, &record(61)).unwrap();
    assert_eq!(store.transfers(&node).unwrap(), [record(61)], "nothing is proven yet");
    let identified = store.identify(&mut node, &sighting("demo-1", 1, &[300, 700]), at(70)).unwrap();
    assert!(identified.is_news);
    for scope in [&node, &StoreScope::new(NODE), &StoreScope::new(INDEXER)] {
        assert_eq!(store.transfers(scope).unwrap(), [record(61), record(50)]);
    }
    // A session that still has the number of the chain that went writes under its address, and loses nothing.
    let mut store = Store::in_memory().unwrap();
    let first = session(&mut store, INDEXER, &sighting("demo-1", 1, &[1, 300]));
    let mut late = session(&mut store, NODE, &sighting("demo-1", 1, &[500]));
    session(&mut store, "cabal", &sighting("demo-1", 1, &[1, 500]));
    store.save(&late, &record(80)).unwrap();
    store.identify(&mut late, &sighting("demo-1", 1, &[500]), at(90)).unwrap();
    assert_eq!(store.transfers(&first).unwrap(), [record(80)]);
}

#[test]
fn what_is_kept_before_the_chain_is_known_becomes_its_own() {
    let mut store = Store::in_memory().unwrap();
    let mut scope = StoreScope::new("cabal");
    store.save(&scope, &record(50)).unwrap();
    store.remember(&scope, "17", at(50)).unwrap();
    // As of a chain that began before: so it may be of this one.
    let identified = store.identify(&mut scope, &sighting("demo-1", 1, &[1]), at(60)).unwrap();
    assert!(!identified.is_news, "the same is shown as before");
    assert_eq!(
        (store.transfers(&scope).unwrap(), store.recents(&scope).unwrap()),
        (vec![record(50)], vec!["17".into()])
    );
    // In the next session, before anything is known, the same transfer is not kept a second time.
    let next = StoreScope::new("cabal");
    store.save(&next, &TransferRecord { label: "rent".into(), ..record(50) }).unwrap();
    assert_eq!(store.transfers(&next).unwrap().len(), 1);
    assert_eq!(store.transfers(&scope).unwrap()[0].label, "rent");
}

#[test]
fn what_is_older_than_the_first_block_is_of_another_chain() {
    let mut store = Store::in_memory().unwrap();
    let mut scope = StoreScope::new("demo");
    store.save(&scope, &record(50)).unwrap();
    store.save(&scope, &record(90)).unwrap();
    assert!(store.identify(&mut scope, &sighting("demo-1", 80, &[1, 2]), at(100)).unwrap().is_news);
    assert_eq!(store.transfers(&scope).unwrap(), [record(90), gone(record(50))]);
}

#[test]
fn many_chains_at_one_address_are_forgotten_from_the_oldest_on() {
    let mut store = Store::in_memory().unwrap();
    let other = session(&mut store, "cabal", &sighting("cabal-1", 1, &[1]));
    store.save(&other, &record_on("cabal-1", 50)).unwrap();
    let mut scope = StoreScope::new("demo");
    for chain in 1..60_u8 {
        let now = at(1_000 + u64::from(chain));
        store.identify(&mut scope, &sighting("demo-1", chain, &[1]), now).unwrap();
        store.save(&scope, &record(200 + u64::from(chain))).unwrap();
        scope.part();
    }
    let kept = store.transfers(&scope).unwrap();
    assert_eq!((kept.len(), kept[0].created), (20, at(259)));
    assert_eq!(store.transfers(&other).unwrap(), [record_on("cabal-1", 50)], "each name has its own bound");
}

/// A file as version 2 had it: one transfer and one recent under each of these names.
fn file_of_version_2(path: &std::path::Path) {
    let old = Connection::open(path).expect("a file");
    old.execute_batch(
        "PRAGMA journal_mode = WAL;
        CREATE TABLE recents (network TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (network, text));
        CREATE INDEX recents_by_age ON recents (network, at DESC);
        CREATE TABLE transfers (id INTEGER PRIMARY KEY, network TEXT NOT NULL, chain TEXT NOT NULL, hash TEXT NOT NULL,
            created INTEGER NOT NULL, label TEXT NOT NULL, route TEXT, addresses TEXT NOT NULL, is_over INTEGER NOT NULL,
            UNIQUE (network, chain, hash));
        CREATE INDEX transfers_by_age ON transfers (network, created DESC);
        CREATE TABLE transfer_txs (transfer INTEGER NOT NULL REFERENCES transfers (id) ON DELETE CASCADE,
            place INTEGER NOT NULL, chain TEXT NOT NULL, hash TEXT NOT NULL, at INTEGER NOT NULL,
            tracking INTEGER NOT NULL, status TEXT, status_at INTEGER, PRIMARY KEY (transfer, chain, hash));
        CREATE TABLE transfer_changes (transfer INTEGER NOT NULL REFERENCES transfers (id) ON DELETE CASCADE,
            at INTEGER NOT NULL, text TEXT NOT NULL, UNIQUE (transfer, at, text));
        PRAGMA user_version = 2;",
    )
    .expect("a statement of SQL");
    for (id, network, chain, number) in [
        (1, "cabal", "cabal-2", 50),
        (2, "custom", "demo-1", 51),
        (3, "custom", "noble-1", 52),
        (4, "demo", "demo-1", 53),
    ] {
        let hash = format!("{number:064X}");
        old.execute(
            "INSERT INTO transfers VALUES (?1, ?2, ?3, ?4, ?5 * 1000000000, '', NULL, '[]', 0)",
            rusqlite::params![id, network, chain, hash, number],
        )
        .expect("a statement of SQL");
        old.execute(
            "INSERT INTO transfer_txs VALUES (?1, 0, ?2, ?3, ?4 * 1000000000, 0, NULL, NULL)",
            rusqlite::params![id, chain, hash, number],
        )
        .expect("a statement of SQL");
        old.execute("INSERT INTO transfer_changes VALUES (?1, 7, 'sent')", [id]).expect("a statement of SQL");
        old.execute("REPLACE INTO recents VALUES (?1, ?2, 5)", rusqlite::params![network, format!("of {network}")])
            .expect("a row");
    }
}

fn noted(record: TransferRecord) -> TransferRecord {
    let mut record = record;
    record.note(Timestamp::from_nanos(7), "sent");
    record
}

#[test]
fn a_file_of_version_2_loses_nothing_and_is_claimed_by_chains() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.sqlite");
    file_of_version_2(&path);
    // Another instance has the file open all the while, with its own statements of version 2.
    let beside = Connection::open(&path).unwrap();
    drop(Store::open(&path).unwrap());
    let mut store = Store::open(&path).unwrap();
    beside.execute("INSERT INTO recents VALUES ('cabal', 'late', 9)", []).unwrap();

    // Named ones stay with their name until a block is seen, and go with the chain from then on.
    assert_eq!(store.transfers(&StoreScope::new("cabal")).unwrap(), [noted(record_on("cabal-2", 50))]);
    let cabal = session(&mut store, "cabal", &sighting("cabal-2", 1, &[900]));
    assert_eq!(store.transfers(&cabal).unwrap(), [noted(record_on("cabal-2", 50))]);
    assert_eq!(store.recents(&cabal).unwrap(), ["late", "of cabal"]);

    // Of those that lay together a network without a name gets what touches its chain; the rest waits.
    assert_eq!(store.transfers(&StoreScope::new(INDEXER)).unwrap(), []);
    let demo = session(&mut store, INDEXER, &sighting("demo-1", 1, &[900]));
    assert_eq!(store.transfers(&demo).unwrap(), [noted(record(51))]);
    let named = session(&mut store, "yominet", &sighting("noble-1", 1, &[900]));
    assert_eq!(store.transfers(&named).unwrap(), [], "no named network gets any of them");
    let noble = session(&mut store, NODE, &sighting("noble-1", 2, &[900]));
    assert_eq!(store.transfers(&noble).unwrap(), [noted(record_on("noble-1", 52))]);

    let count = |table: &str| {
        beside.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, u32>(0)).unwrap()
    };
    assert_eq!([count("transfers"), count("transfer_txs"), count("transfer_changes"), count("recents")], [4, 4, 4, 4]);
}

#[test]
fn a_transfer_of_no_named_network_is_claimed_by_where_its_route_leads() {
    let mut store = Store::in_memory().unwrap();
    let route = serde_json::json!({
        "amount_in": "1", "amount_out": "1", "source_asset_chain_id": "noble-1", "source_asset_denom": "uusdc",
        "dest_asset_chain_id": "demo-1", "dest_asset_denom": "l2/x", "operations": [], "chain_ids": [],
        "required_chain_addresses": ["noble-1", "demo-1"], "does_swap": false,
    });
    let arriving = TransferRecord { route: Some(Arc::from(route.to_string())), ..record_on("noble-1", 50) };
    store.save(&StoreScope::new("custom"), &arriving).unwrap();
    let scope = session(&mut store, INDEXER, &sighting("demo-1", 1, &[900]));
    assert_eq!(store.transfers(&scope).unwrap(), [arriving]);
}
