use std::sync::atomic::{AtomicBool, Ordering};

use rollscope::indexer::index::{AccountRules, Index, IndexError, PageRange, TxSelection};

use super::chain::{self, SEND, account, accounts, blocks, height, identity, ingest, message_types, signer, txs_until};

fn all() -> PageRange {
    PageRange { limit: 1000, descending: true, ..PageRange::default() }
}

#[test]
fn the_oldest_transactions_are_forgotten_with_their_counts() {
    let index = Index::in_memory(&identity(), 100).unwrap();
    for start in (1..=391).step_by(10) {
        ingest(&index, start..=start + 9);
        index.prune().unwrap();
    }
    let held = index.bounds().unwrap().unwrap();
    assert_eq!((held.tip.get(), held.next_sequence), (400, txs_until(400) + 1));
    assert!((100..=120).contains(&held.txs()), "{held:?}");
    assert_eq!(held.first_sequence, txs_until(held.from.get() - 1) + 1);

    let kept: Vec<u64> = (held.first_sequence..held.next_sequence).collect();
    let count = |scope, types: &[&str]| {
        let types: Vec<_> = types.iter().map(|name| rollscope::domain::MsgType::new(name)).collect();
        let page = index.txs(scope, &types, &all(), true).unwrap();
        assert_eq!(page.total, Some(i64::try_from(page.rows).unwrap()));
        page.rows
    };
    let expected = |passes: &dyn Fn(u64) -> bool| kept.iter().filter(|sequence| passes(**sequence)).count();
    assert_eq!(count(TxSelection::Chain, &[]), kept.len());
    assert_eq!(count(TxSelection::Chain, &[SEND]), expected(&|s| message_types(s).contains(&SEND)));
    for number in 1..=10 {
        let who = account(number);
        assert_eq!(
            count(TxSelection::Account(who, AccountRules::RealServer), &[]),
            expected(&|s| accounts(s).contains(&who))
        );
        assert_eq!(count(TxSelection::Signer(who), &[]), expected(&|s| signer(s) == who));
    }
    assert!(index.tx(&chain::hash(held.first_sequence - 1)).unwrap().is_none());
    assert!(index.tx(&chain::hash(held.first_sequence)).unwrap().is_some());
    assert!(index.block("x", held.from.previous().unwrap()).unwrap().is_none());
}

#[test]
fn older_blocks_fill_in_below_until_enough_is_kept() {
    let index = Index::in_memory(&identity(), 50).unwrap();
    ingest(&index, 91..=100);
    ingest(&index, 81..=90);
    let held = index.bounds().unwrap().unwrap();
    assert!(!index.is_full(&held));
    ingest(&index, 51..=80);
    let held = index.bounds().unwrap().unwrap();
    assert!(index.is_full(&held));
    assert_eq!((held.from.get(), held.tip.get()), (51, 100));
    let first = index.block("x", height(51)).unwrap().unwrap();
    assert_eq!(first.block_time, 500, "the block before is not held, its time is known all the same");
}

#[test]
fn blocks_that_leave_a_gap_are_refused() {
    let index = Index::in_memory(&identity(), 50).unwrap();
    ingest(&index, 11..=20);
    for heights in [22..=23, 1..=9, 20..=21] {
        let error = index.ingest(blocks(heights), None).unwrap_err();
        assert!(matches!(error, IndexError::Gap(..)), "{error}");
    }
    let held = index.bounds().unwrap().unwrap();
    assert_eq!((held.from.get(), held.tip.get()), (11, 20), "a refused chunk leaves nothing");
}

#[test]
fn readers_see_whole_states_while_blocks_come_on_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let file = Index::in_file(&folder.path().join("index.sqlite"), &identity()).unwrap();
    for index in [Index::in_memory(&identity(), 20_000).unwrap(), file] {
        ingest(&index, 501..=510);
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let readers: Vec<_> = (0..3).map(|_| scope.spawn(|| read_until(&index, &done))).collect();
            for round in 1..=20 {
                ingest(&index, 501 + round * 10..=510 + round * 10);
                ingest(&index, 501 - round * 10..=510 - round * 10);
            }
            done.store(true, Ordering::Release);
            for reader in readers {
                assert!(reader.join().unwrap() > 0);
            }
        });
        let held = index.bounds().unwrap().unwrap();
        assert_eq!((held.from.get(), held.tip.get()), (301, 710));
    }
}

/// Reads pages until told otherwise; every one must be of a single state.
fn read_until(index: &Index, done: &AtomicBool) -> usize {
    let mut pages = 0;
    while !done.load(Ordering::Acquire) || pages == 0 {
        let page =
            index.txs(TxSelection::Chain, &[], &PageRange { limit: 50, ..all() }, true).expect("the index can be read");
        let held = page.bounds.expect("it holds blocks");
        let txs = i64::try_from(held.txs()).expect("a small number");
        assert_eq!((page.total, page.rows), (Some(txs), usize::try_from(txs.min(50)).expect("a small number")));
        pages += 1;
    }
    pages
}
