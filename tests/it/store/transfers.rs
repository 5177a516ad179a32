//! Kept transfers: what two instances know is put together, and nothing is lost by a kill.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
    sync::Arc,
};

use rollscope::{
    domain::{
        Amount, Balance, BroadcastHash, ChainId, Denom, FormerPlace, SignerMove, SimulatedOutcome, SourceTx, Tracking,
        TransferChange, TransferRecord, TxTerms,
    },
    store::{Store, StoreScope},
};

use super::at;

/// The file that the child of the killing test writes to.
const CHILD: &str = "ROLLSCOPE_TEST_WRITES_TO";

fn hash(number: usize) -> BroadcastHash {
    format!("{number:064X}").parse().expect("a hash")
}

fn record(number: usize) -> TransferRecord {
    let second = u64::try_from(number).expect("a small number");
    TransferRecord::of_hash(ChainId::new("echelon-1"), &hash(number), at(second))
}

fn statused(mut record: TransferRecord, body: &str, second: u64) -> TransferRecord {
    record.txs[0].status = Some((Arc::from(body), at(second)));
    record
}

#[test]
fn a_transfer_comes_back_whole() {
    let mut store = Store::in_memory().unwrap();
    let mut whole = statused(record(1), r#"{"state":"STATE_PENDING","n":12345678901234567890123}"#, 9);
    whole.label = "rent".to_owned();
    whole.route = Some(Arc::from(r#"{ "amount_in" : "1" }"#));
    whole.addresses = vec!["init1\"a".to_owned(), "0xb".to_owned()];
    whole.txs[0].tracking = Tracking::Accepted;
    whole.txs.push(SourceTx {
        chain_id: ChainId::new("42161"),
        hash: hash(7).for_chain(&ChainId::new("42161")),
        at: at(5),
        tracking: Tracking::Refused,
        status: None,
        terms: Some(TxTerms {
            rest: "http://r".to_owned(),
            signer: "init1a".to_owned(),
            sequence: 4,
            timeout_height: 9,
        }),
        simulated: Some(SimulatedOutcome {
            host: "h:1".to_owned(),
            signer: "init1a".to_owned(),
            moves: vec![SignerMove { denom: Denom::new("ibc/\"1"), delta: Balance::below_zero(Amount::from(7)) }],
        }),
    });
    whole.former_place = Some(FormerPlace { transfer: record(2).id, index: 1 });
    whole.note(at(3), "sent");
    whole.note(at(4), "on its way");
    store.save(&StoreScope::new("one"), &whole).unwrap();
    store.save(&StoreScope::new("one"), &record(2)).unwrap();
    store.save(&StoreScope::new("two"), &record(3)).unwrap();
    assert_eq!(store.transfers(&StoreScope::new("one")).unwrap(), [record(2), whole.clone()]);
    store.forget(&StoreScope::new("one"), &whole.id).unwrap();
    assert_eq!(store.transfers(&StoreScope::new("one")).unwrap(), [record(2)]);
    store.save(&StoreScope::new("one"), &record(1)).unwrap();
    assert_eq!(
        store.transfers(&StoreScope::new("one")).unwrap()[1],
        record(1),
        "nothing of what was forgotten is left"
    );
    assert_eq!(store.transfers(&StoreScope::new("two")).unwrap(), [record(3)]);
}

#[test]
fn what_another_instance_wrote_meanwhile_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.sqlite");
    let (mut first, mut second) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
    let mut mine = statused(record(1), "old", 5);
    mine.route = Some(Arc::from("{}"));
    mine.note(at(5), "waiting");
    first.save(&StoreScope::new("n"), &mine).unwrap();
    let mut theirs = second.transfers(&StoreScope::new("n")).unwrap().remove(0);
    theirs = statused(theirs, "new", 8);
    theirs.note(at(8), "moving");
    theirs.txs[0].tracking = Tracking::Accepted;
    theirs.txs.push(SourceTx { hash: hash(50), at: at(9), ..record(1).txs.remove(0) });
    theirs.is_over = true;
    second.save(&StoreScope::new("n"), &theirs).unwrap();
    mine.note(at(7), "labelled");
    mine.label = "mine".to_owned();
    mine.route = None;
    first.save(&StoreScope::new("n"), &mine).unwrap();
    let kept = second.transfers(&StoreScope::new("n")).unwrap().remove(0);
    let texts: Vec<&str> = kept.changes.iter().map(|change| change.text.as_str()).collect();
    assert_eq!(texts, ["waiting", "labelled", "moving"]);
    assert_eq!(kept.txs[0].status.as_ref().map(|(body, at)| (&**body, *at)), Some(("new", at(8))));
    assert_eq!((kept.txs.len(), kept.txs[0].tracking, kept.label.as_str()), (2, Tracking::Accepted, "mine"));
    assert_eq!((kept.is_over, kept.route.as_deref()), (true, Some("{}")));
    let again = statused(kept.clone(), "newest", 12);
    first.save(&StoreScope::new("n"), &TransferRecord { is_over: false, ..again }).unwrap();
    assert!(
        !first.transfers(&StoreScope::new("n")).unwrap()[0].is_over,
        "who has the newer status knows that it goes on"
    );
}

#[test]
fn the_oldest_that_are_over_make_room_and_the_others_never_do() {
    let mut store = Store::in_memory().unwrap();
    for number in 0..Store::TRANSFERS + 20 {
        store.save(&StoreScope::new("n"), &TransferRecord { is_over: number % 100 != 0, ..record(number) }).unwrap();
    }
    let kept = store.transfers(&StoreScope::new("n")).unwrap();
    assert_eq!(kept.len(), Store::TRANSFERS);
    assert_eq!(kept.iter().filter(|record| !record.is_over).count(), 6);
    assert!(kept.windows(2).all(|pair| pair[0].created > pair[1].created), "newest first");
    let mut open = Store::in_memory().unwrap();
    for number in 0..Store::TRANSFERS + 20 {
        open.save(&StoreScope::new("n"), &record(number)).unwrap();
    }
    assert_eq!(open.transfers(&StoreScope::new("n")).unwrap().len(), Store::TRANSFERS + 20);
}

#[test]
fn the_newest_changes_of_all_instances_are_kept() {
    let mut store = Store::in_memory().unwrap();
    let changes = |from: u64| {
        (from..from + 150).map(|second| TransferChange { at: at(second), text: second.to_string().into() }).collect()
    };
    store.save(&StoreScope::new("n"), &TransferRecord { changes: changes(100), ..record(1) }).unwrap();
    store.save(&StoreScope::new("n"), &TransferRecord { changes: changes(0), ..record(1) }).unwrap();
    let kept = store.transfers(&StoreScope::new("n")).unwrap().remove(0).changes;
    assert_eq!((kept.len(), kept[0].at, kept[199].at), (TransferRecord::CHANGES, at(50), at(249)));
}

#[test]
fn a_file_of_the_first_version_gets_the_new_tables_and_keeps_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.sqlite");
    let old = rusqlite::Connection::open(&path).unwrap();
    let tables = "CREATE TABLE recents (network TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (network, text));
        INSERT INTO recents VALUES ('n', 'kept', 1);";
    old.execute_batch(tables).unwrap();
    old.pragma_update(None, "user_version", 1).unwrap();
    drop(old);
    let mut store = Store::open(&path).unwrap();
    store.save(&StoreScope::new("n"), &record(1)).unwrap();
    assert_eq!(
        (store.recents(&StoreScope::new("n")).unwrap(), store.transfers(&StoreScope::new("n")).unwrap()),
        (vec!["kept".to_owned()], vec![record(1)])
    );
}

/// Writes one state after the other and says each one that is written, until it is killed.
fn write_for_ever(path: &str) {
    let mut store = Store::open(path.as_ref()).expect("the child opens the file");
    let mut out = std::io::stdout();
    let mut record = record(1);
    for second in 1.. {
        record = statused(record, &"x".repeat(20_000), second);
        record.note(at(second), second.to_string());
        store.save(&StoreScope::new("n"), &record).expect("the child writes");
        writeln!(out, "\nwritten {second}").and_then(|()| out.flush()).expect("the parent listens");
    }
}

/// The test runs its own program again as the child that is killed between two writes.
#[test]
fn a_kill_between_two_writes_loses_nothing_that_was_written() {
    if let Ok(path) = std::env::var(CHILD) {
        return write_for_ever(&path);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.sqlite");
    for round in 1..=3_u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "store::transfers::a_kill_between_two_writes_loses_nothing_that_was_written",
                "--nocapture",
            ])
            .env(CHILD, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let written = lines.map_while(Result::ok).filter_map(|line| line.strip_prefix("written ")?.parse::<u64>().ok());
        let last = written.take(usize::try_from(4 * round).unwrap()).last().expect("the child wrote");
        child.kill().unwrap();
        child.wait().unwrap();
        let kept = Store::open(&path).unwrap().transfers(&StoreScope::new("n")).unwrap().remove(0);
        let (_, status_at) = kept.txs[0].status.clone().expect("a status");
        assert!(last >= 4 * round && status_at >= at(last), "{last} was written, {status_at} is there");
        assert!(
            (1..=last).all(|second| kept.changes.iter().any(|change| change.at == at(second))),
            "{:?}",
            kept.changes
        );
    }
}
