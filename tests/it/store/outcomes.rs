//! Outcomes that wait for the person's program, and those that it was given.

use rollscope::{
    domain::{Anchor, Anchors, ChainId, ChainSighting, Height, Timestamp, TransferId},
    store::{Store, StoreScope},
};

use super::at;

fn id(digits: &str) -> TransferId {
    TransferId { chain_id: ChainId::new("a-1"), hash: digits.repeat(32).parse().expect("a hash") }
}

/// Takes and tells whatever waits; the facts, in order.
fn tell_all(store: &mut Store) -> Vec<String> {
    let mut told = Vec::new();
    while let Some(taken) = store.next_outcome(at(50)).expect("it can be read") {
        store.settle_outcome(&taken, true, at(51)).expect("it can be written");
        told.push(taken.facts);
    }
    told
}

#[test]
fn each_network_has_its_own_and_each_outcome_once() {
    let mut store = Store::in_memory().unwrap();
    let (one, two) = (StoreScope::new("one"), StoreScope::new("two"));
    for (scope, outcome, facts) in
        [(&one, "arrived", "1"), (&two, "arrived", "2"), (&one, "arrived", "again"), (&one, "failed", "3")]
    {
        store.queue_outcome(scope, &id("AB"), outcome, facts, at(1)).unwrap();
    }
    assert_eq!(store.waiting_outcomes().unwrap(), 3);
    let taken = store.next_outcome(at(2)).unwrap().expect("the oldest");
    assert_eq!((&taken.id, taken.facts.as_str()), (&id("AB"), "1"));
    assert_eq!(store.take_outcome(&one, &id("AB"), "arrived", "x", at(2)).unwrap(), None, "it is being told");
    store.settle_outcome(&taken, false, at(3)).unwrap();
    assert_eq!(store.waiting_outcomes().unwrap(), 3, "what could not be told waits again");
    assert_eq!(tell_all(&mut store), ["1", "2", "3"]);
    for scope in [&one, &two] {
        store.queue_outcome(scope, &id("AB"), "arrived", "late", at(9)).unwrap();
        assert_eq!(store.take_outcome(scope, &id("AB"), "arrived", "late", at(9)).unwrap(), None);
    }
    assert_eq!(store.waiting_outcomes().unwrap(), 0);
    let taken = store.take_outcome(&two, &id("AB"), "failed", "4", at(9)).unwrap().expect("nobody was told");
    assert_eq!(taken.facts, "4");
}

#[test]
fn a_start_that_nobody_settled_is_said_once_and_not_told() {
    let mut store = Store::in_memory().unwrap();
    let scope = StoreScope::new("one");
    store.take_outcome(&scope, &id("AB"), "arrived", "1", at(100)).unwrap().expect("it is new");
    assert_eq!(store.lost_outcomes(at(110)).unwrap(), [], "another session may be about it");
    assert_eq!(store.lost_outcomes(at(200)).unwrap(), [id("AB")]);
    assert_eq!(store.lost_outcomes(at(300)).unwrap(), []);
    assert_eq!(tell_all(&mut store), [""; 0]);
}

/// A chain with this first block.
fn sighting(block: &str) -> ChainSighting {
    let first = Anchor { height: Height::FIRST, hash: block.repeat(32).parse().expect("a hash"), at: Timestamp::EPOCH };
    ChainSighting { chain_id: ChainId::new("a-1"), anchors: Anchors::from_iter([first]) }
}

#[test]
fn what_was_told_under_a_name_is_told_for_the_chain_that_is_there() {
    let mut store = Store::in_memory().unwrap();
    let mut session = StoreScope::new("https://one.example");
    store.queue_outcome(&session, &id("AB"), "arrived", "1", at(1)).unwrap();
    assert_eq!(tell_all(&mut store), ["1"]);
    store.identify(&mut session, &sighting("01"), at(2)).unwrap();
    store.queue_outcome(&session, &id("AB"), "arrived", "again", at(3)).unwrap();
    assert_eq!(store.waiting_outcomes().unwrap(), 0, "the session knows its chain now");
    // The same chain at another address, by a session that knows it and by a command that does not look at blocks.
    let mut other = StoreScope::new("https://two.example");
    store.identify(&mut other, &sighting("01"), at(4)).unwrap();
    for scope in [&other, &StoreScope::new("https://two.example"), &StoreScope::new("https://one.example")] {
        assert_eq!(store.take_outcome(scope, &id("AB"), "arrived", "again", at(5)).unwrap(), None, "{scope:?}");
    }
    // Another chain with the same id is another network.
    let mut another = StoreScope::new("https://three.example");
    store.identify(&mut another, &sighting("02"), at(6)).unwrap();
    assert!(store.take_outcome(&another, &id("AB"), "arrived", "2", at(7)).unwrap().is_some());
}

#[test]
fn what_an_older_version_told_is_told_for_every_network() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.sqlite");
    drop(Store::open(&path).unwrap());
    let old = rusqlite::Connection::open(&path).unwrap();
    let hash = id("AB").hash;
    old.execute_batch(&format!(
        "DROP TABLE outcomes;
        CREATE TABLE outcomes (chain TEXT NOT NULL, hash TEXT NOT NULL, outcome TEXT NOT NULL, at INTEGER NOT NULL,
            PRIMARY KEY (chain, hash, outcome)) WITHOUT ROWID;
        INSERT INTO outcomes VALUES ('a-1', '{}', 'arrived', 1);
        ALTER TABLE transfer_changes DROP COLUMN times;
        ALTER TABLE transfer_txs DROP COLUMN terms;
        ALTER TABLE transfer_txs DROP COLUMN simulated;
        DROP TABLE accepted_contracts;
        ALTER TABLE transfers DROP COLUMN former_chain;
        ALTER TABLE transfers DROP COLUMN former_hash;
        ALTER TABLE transfers DROP COLUMN former_index;
        DROP TABLE denom_reports;
        PRAGMA user_version = 5;",
        hash.as_str()
    ))
    .unwrap();
    drop(old);
    let mut store = Store::open(&path).unwrap();
    let scope = StoreScope::new("one");
    store.queue_outcome(&scope, &id("AB"), "arrived", "1", at(1)).unwrap();
    store.queue_outcome(&scope, &id("AB"), "failed", "2", at(1)).unwrap();
    assert_eq!(tell_all(&mut store), ["2"]);
}
