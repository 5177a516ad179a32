//! Transfers outlive the program.

use std::path::Path;

use rstest::rstest;

use super::*;

/// In memory with a journal of its own, or with the index in a file.
fn kept(folder: &Path, has_file: bool) -> RollupOptions {
    let data = has_file.then(|| folder.join("rollup.sqlite"));
    let journal = (!has_file).then(|| folder.join("demo.json"));
    RollupOptions { data, journal, ..options(Vm::Move) }
}

#[rstest]
#[case(false)]
#[case(true)]
#[tokio::test]
async fn a_transfer_goes_on_after_a_restart(#[case] has_file: bool) {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::with(kept(folder.path(), has_file));
    let here = demo.chain_id().await;
    let tia = demo.denom(&here, "TIA", 6).await;
    let sent = demo.send(&wish((&here, &tia), ("celestia", "utia"), "1500000")).await;
    demo.tracked(&sent).await;
    demo.rollup.step(5).unwrap();
    assert_eq!(demo.status(&sent).await.1["state"], "STATE_PENDING");
    let tx = format!("/indexer/tx/v1/txs/{}", sent.tx_hash);
    let before = demo.get(&tx).await;
    drop(demo);

    let demo = Demo::with(kept(folder.path(), has_file));
    assert_eq!(demo.get(&tx).await, before, "the same chain has the same transaction");
    // In memory it stands where the journal was written last.
    demo.rollup.step(5).unwrap();
    assert_eq!(demo.watch(&sent).await.states, ["STATE_PENDING", "STATE_COMPLETED_SUCCESS"]);
    demo.rollup.step(12).unwrap();
    assert_eq!(demo.watch(&sent).await.hops, ["TRANSFER_SUCCESS"], "the rollup takes the answer to its old packet");
}

#[tokio::test]
async fn what_the_rollup_took_just_before_a_kill_is_not_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::with(kept(folder.path(), true));
    let here = demo.chain_id().await;
    let init = demo.denom(&here, "INIT", 6).await;
    let sent = demo.send(&wish((L1, "uinit"), (&here, &init), "1500000")).await;
    demo.tracked(&sent).await;
    let journal = folder.path().join("rollup.sqlite.router.json");
    let before = std::fs::read(&journal).unwrap();
    let arrival = |story: Story| txs(&story.last["transfer_sequence"][0]).pop().unwrap()["tx_hash"].clone();
    let arrived = arrival(demo.watch(&sent).await);
    drop(demo);
    // As if it had been killed after the rollup took the deposit and before the journal was written.
    std::fs::write(&journal, before).unwrap();
    let demo = Demo::with(kept(folder.path(), true));
    assert_eq!(arrival(demo.watch(&sent).await), arrived, "one deposit arrives once");
}

#[tokio::test]
async fn the_second_transaction_can_be_sent_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::with(kept(folder.path(), false));
    let eurc = demo.denom(L1, "EURC", 6).await;
    let two = wish((ETHEREUM, EURC_ON_ETHEREUM), (L1, &eurc), "3000000").with("allow_multi_tx", true);
    let msgs = demo.msgs(&two).await;
    let first = demo.broadcast(&msgs, 0).await;
    demo.tracked(&first).await;
    drop(demo);
    let demo = Demo::with(kept(folder.path(), false));
    demo.watch(&first).await;
    let second = demo.broadcast(&msgs, 1).await;
    assert_eq!(demo.follow(&second).await.release().1, eurc);
}

#[tokio::test]
async fn a_second_program_leaves_the_journal_alone() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::with(kept(folder.path(), false));
    let swap = wish((L1, "uinit"), (L1, USDC_ON_L1), "7000000");
    let sent = demo.send(&swap).await;
    let written = std::fs::read(folder.path().join("demo.json")).unwrap();
    let second = Demo::with(kept(folder.path(), false));
    let other = second.send(&swap).await;
    assert_eq!(std::fs::read(folder.path().join("demo.json")).unwrap(), written);
    assert_eq!(second.follow(&other).await.states.last().unwrap(), "STATE_COMPLETED_SUCCESS");
    assert_eq!(demo.follow(&sent).await.states.last().unwrap(), "STATE_COMPLETED_SUCCESS");
}

#[tokio::test]
async fn a_journal_of_another_rollup_is_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::with(kept(folder.path(), false));
    let sent = demo.send(&wish((L1, "uinit"), (L1, USDC_ON_L1), "7000000")).await;
    demo.tracked(&sent).await;
    drop(demo);
    let mut other = kept(folder.path(), false);
    other.ledger.seed = 8;
    assert_eq!(Demo::with(other).status(&sent).await.0, 404);
    std::fs::write(folder.path().join("demo.json"), "{\"half").unwrap();
    assert_eq!(Demo::with(kept(folder.path(), false)).status(&sent).await.0, 404, "half a file is none");
}

#[tokio::test]
async fn what_is_sent_on_a_new_chain_has_another_hash_everywhere() {
    let mut later = options(Vm::Move);
    later.ledger.genesis_time = later.ledger.genesis_time.after(std::time::Duration::from_secs(1));
    let (first, again, other) = (Demo::start(Vm::Move), Demo::start(Vm::Move), Demo::with(later));
    let init = first.denom(&first.chain_id().await, "INIT", 6).await;
    let here = first.chain_id().await;
    for wish in [wish((L1, "uinit"), (&here, &init), "100000000"), wish((&here, &init), (L1, "uinit"), "1000000")] {
        let sent = [first.send(&wish).await, again.send(&wish).await, other.send(&wish).await];
        let [kept, same, new] = sent.map(|sent| sent.tx_hash);
        assert_eq!(kept, same, "the same chain does the same");
        assert_ne!(kept, new);
    }
}

/// What was put aside in a folder.
fn put_aside(folder: &Path) -> Vec<std::path::PathBuf> {
    let paths =
        std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("it can be listed").path());
    paths.filter(|path| path.to_string_lossy().contains(".json.old")).collect()
}

/// A transfer of a run that has ended, and what the journal has of it.
async fn earlier(folder: &Path, has_file: bool) -> (Sent, Vec<u8>) {
    let demo = Demo::with(kept(folder, has_file));
    let sent = demo.send(&wish((L1, "uinit"), (L1, USDC_ON_L1), "7000000")).await;
    demo.tracked(&sent).await;
    drop(demo);
    let written = std::fs::read(journal(folder, has_file)).expect("the journal is there");
    assert!(String::from_utf8_lossy(&written).contains(&sent.tx_hash));
    (sent, written)
}

fn journal(folder: &Path, has_file: bool) -> std::path::PathBuf {
    folder.join(if has_file { "rollup.sqlite.router.json" } else { "demo.json" })
}

#[rstest]
#[case(false)]
#[case(true)]
#[tokio::test]
async fn another_time_scale_keeps_the_transfers(#[case] has_file: bool) {
    let folder = tempfile::tempdir().unwrap();
    let (sent, _) = earlier(folder.path(), has_file).await;
    let demo = Demo::with(RollupOptions { time_scale: 5_000, ..kept(folder.path(), has_file) });
    assert_eq!((demo.status(&sent).await.0, demo.rollup.notes()), (200, [].as_slice()));
    let second = demo.send(&wish((L1, "uinit"), (L1, USDC_ON_L1), "9000000")).await;
    demo.tracked(&second).await;
    drop(demo);
    let demo = Demo::with(kept(folder.path(), has_file));
    assert_eq!((demo.status(&sent).await.0, demo.status(&second).await.0), (200, 200));
    assert_eq!((demo.rollup.notes(), put_aside(folder.path()).len()), ([].as_slice(), 0));
}

#[tokio::test]
async fn the_transfers_of_a_chain_that_began_at_another_time_are_put_aside_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let (sent, written) = earlier(folder.path(), false).await;
    let mut later = kept(folder.path(), false);
    later.ledger.genesis_time = later.ledger.genesis_time.after(Duration::from_secs(1));
    let demo = Demo::with(later);
    assert_eq!(demo.status(&sent).await.0, 404);
    let aside = put_aside(folder.path());
    let [note] = demo.rollup.notes() else { panic!("{:?}", demo.rollup.notes()) };
    assert!(note.starts_with("the transfers belong to a rollup with another genesis time"), "{note}");
    assert!(aside.len() == 1 && note.contains(&aside[0].display().to_string()), "{note}: {aside:?}");
    assert_eq!(std::fs::read(&aside[0]).unwrap(), written, "nothing of it is lost");
    drop(demo);
    std::fs::rename(&aside[0], journal(folder.path(), false)).unwrap();
    assert_eq!(Demo::with(kept(folder.path(), false)).status(&sent).await.0, 200, "it can be gone on with");
}

#[tokio::test]
async fn where_the_file_is_gone_its_transfers_are_put_aside_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let ago = || RollupOptions { genesis: Genesis::HistoryAgo, ..kept(folder.path(), true) };
    let (sent, written) = earlier(folder.path(), true).await;
    std::fs::remove_file(folder.path().join("rollup.sqlite")).unwrap();
    let demo = Demo::with(ago());
    assert_eq!(demo.status(&sent).await.0, 404);
    assert_eq!(std::fs::read(&put_aside(folder.path())[0]).unwrap(), written);
    assert!(demo.rollup.notes()[0].contains("another genesis time"), "{:?}", demo.rollup.notes());
    drop(demo);
    let again = Demo::with(ago());
    assert_eq!((again.rollup.notes(), put_aside(folder.path()).len()), ([].as_slice(), 1), "said once");
}

#[tokio::test]
async fn a_start_that_is_refused_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (sent, written) = earlier(folder.path(), true).await;
    let (mut later, mut other) = (kept(folder.path(), true), kept(folder.path(), true));
    later.ledger.genesis_time = later.ledger.genesis_time.after(Duration::from_secs(1));
    other.ledger.seed = 8;
    for options in [later, other] {
        let refused = Rollup::start(options, SocketAddr::from(([127, 0, 0, 1], 0))).map(drop);
        assert!(refused.is_err(), "the file is of another chain");
        assert_eq!(std::fs::read(journal(folder.path(), true)).unwrap(), written);
    }
    assert_eq!(Demo::with(kept(folder.path(), true)).status(&sent).await.0, 200);
    assert_eq!(put_aside(folder.path()).len(), 0);
}

/// As if the journal had been written long ago, with this changed in what the router knew.
fn age(folder: &Path, change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut record: Value =
        serde_json::from_slice(&std::fs::read(journal(folder, false)).expect("the journal is there"))
            .expect("it is JSON");
    record["saved"] = "2020-01-01T00:00:00Z".into();
    change(&mut record["state"]);
    std::fs::write(journal(folder, false), record.to_string()).expect("it can be written");
    record.to_string().into_bytes()
}

/// By the wall clock, as a person starts it.
fn lived(folder: &Path) -> RollupOptions {
    RollupOptions { clock: ClockMode::Wall, genesis: Genesis::HistoryAgo, ..kept(folder, false) }
}

#[tokio::test]
async fn a_rollup_of_over_an_hour_ago_begins_anew_and_says_so_where_something_was_sent() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::with(lived(folder.path()));
    let sent = demo.send(&wish((L1, "uinit"), (L1, USDC_ON_L1), "7000000")).await;
    drop(demo);
    let demo = Demo::with(lived(folder.path()));
    assert_eq!((demo.rollup.notes(), put_aside(folder.path()).len()), ([].as_slice(), 0), "it was just here");
    drop(demo);
    let written = age(folder.path(), |_| {});
    let demo = Demo::with(lived(folder.path()));
    let [note] = demo.rollup.notes() else { panic!("{:?}", demo.rollup.notes()) };
    assert!(note.contains("the rollup last ran over an hour ago and cannot resume"), "{note}");
    assert_eq!(std::fs::read(&put_aside(folder.path())[0]).unwrap(), written);
    assert!(String::from_utf8_lossy(&written).contains(&sent.tx_hash));
    drop(demo);
    std::fs::write(journal(folder.path(), false), written).unwrap();
    age(folder.path(), |state| (state["transfers"], state["accepted"]) = (json!([]), json!([])));
    let demo = Demo::with(lived(folder.path()));
    assert_eq!((demo.rollup.notes(), put_aside(folder.path()).len()), ([].as_slice(), 1), "nothing was sent");
}
