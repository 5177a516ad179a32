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
    let two = wish(("1", EURC_ON_ETHEREUM), (L1, &eurc), "3000000").with("allow_multi_tx", true);
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
