//! An index in memory forgets receipts and call frames with their blocks.

use rollscope::{
    demo::ledger::{EvmTraces, Ledger},
    domain::{Address, Height},
    indexer::index::{Index, InternalTxSelection, PageRange, ReceiptSelection},
};

use super::expected::{Expected, options};

/// Transactions that are kept.
const KEPT: u64 = 60;

fn all() -> PageRange {
    PageRange { limit: 1000, ..PageRange::default() }
}

/// Fills an index chunk by chunk, with traces three blocks behind, forgetting what need not be kept.
fn fill(blocks: u64) -> Index {
    let index = Index::in_memory(&options().identity(), KEPT).expect("memory can be had");
    let mut ledger = Ledger::genesis(options()).expect("the EVM flavour exists");
    let mut traces: Vec<(Height, EvmTraces)> = Vec::new();
    for _ in 0..blocks {
        let height = ledger.advance();
        let block = ledger.block(height).expect("just made");
        let receipts = ledger.receipts(&block).expect("the EVM flavour gives receipts");
        traces.push((height, ledger.traces(height).expect("the EVM flavour is traced")));
        let prepared = index.prepare(vec![block], None).expect("it can be read");
        let prepared = prepared.with_receipts(vec![(height, receipts)]);
        index.write(&prepared).expect("blocks follow each other");
        if traces.len() > 3 {
            let next = traces.remove(0);
            // A block with over 200 transactions pushes all others out before they are traced.
            if index.bounds().expect("it is whole").is_some_and(|held| held.from <= next.0) {
                index.write_traces(index.branch(), &[next], &[]).expect("its block is held");
            }
        }
        index.prune().expect("old blocks can be forgotten");
    }
    index
}

#[test]
fn receipts_and_frames_are_forgotten_with_their_blocks_and_counts() {
    let (blocks, expected) = (150, Expected::new(150));
    let index = fill(blocks);
    let held = index.bounds().unwrap().unwrap();
    assert!(held.from.get() > 50, "{held:?}");
    let traced = index.traced().unwrap().unwrap();
    assert_eq!((traced.from, traced.tip.get(), traced.has_frames), (held.from, blocks - 3, true));

    let hashes = |scope| {
        let page = index.evm_txs(scope, &all(), true).unwrap();
        assert_eq!(page.total, Some(i64::try_from(page.txs.len()).unwrap()));
        page.txs.iter().map(|tx| (tx.transaction_hash.to_string(), 0)).collect::<Vec<_>>()
    };
    let places = |scope| {
        let page = index.internal_txs(scope, &all(), true).unwrap().unwrap();
        assert_eq!(page.total, Some(i64::try_from(page.txs.len()).unwrap()));
        page.txs.iter().map(|tx| (tx.hash.to_string(), tx.index)).collect::<Vec<_>>()
    };
    let from = held.from.get();
    let is_traced = |height: u64| height >= from && height <= blocks - 3;
    assert_eq!(hashes(ReceiptSelection::Chain), expected.txs(|tx| tx.height >= from));
    assert_eq!(places(InternalTxSelection::Chain), expected.frames(|frame| is_traced(frame.height)));
    for account in expected.some_accounts() {
        let address = Address::Short(account);
        let kept = expected.txs(|tx| tx.height >= from && tx.accounts.contains(&account));
        assert_eq!(hashes(ReceiptSelection::Account(address)), kept);
        let sent = expected.txs(|tx| tx.height >= from && tx.receipt.from == account);
        assert_eq!(hashes(ReceiptSelection::Signer(address)), sent);
        let called = expected.frames(|frame| is_traced(frame.height) && frame.names(account));
        assert_eq!(places(InternalTxSelection::Account(address)), called);
    }
    for (hash, _) in expected.txs(|tx| tx.height == from - 1 || tx.height == from) {
        let is_held = expected.receipt_height(&hash) == from;
        let hash = hash.parse().unwrap();
        assert_eq!(index.evm_tx(&hash).unwrap().is_some(), is_held);
        assert_eq!(index.internal_txs(InternalTxSelection::Tx(hash), &all(), false).unwrap().is_some(), is_held);
    }
}

/// Returns the call frames of the first blocks.
fn traces_of(blocks: u64) -> impl Fn(u64) -> (Height, EvmTraces) {
    let mut ledger = Ledger::genesis(options()).expect("the EVM flavour exists");
    for _ in 0..blocks {
        ledger.advance();
    }
    move |height| {
        let height = Height::new(height).expect("heights start at 1");
        (height, ledger.traces(height).expect("the EVM flavour is traced"))
    }
}

#[test]
fn traces_of_blocks_that_were_dropped_or_undone_meanwhile_are_not_written() {
    let (index, at) = (fill(150), traces_of(150));
    let (from, traced) = (index.bounds().unwrap().unwrap().from.get(), index.traced().unwrap());
    let below: Vec<_> = (from - 20..from).map(&at).collect();
    index.write_traces(index.branch(), &below, &[]).unwrap();
    assert_eq!(index.traced().unwrap(), traced, "dropped");
    let (branch, above) = (index.branch(), [at(148), at(149), at(150)]);
    index.undo_above(Height::new(149).unwrap()).unwrap();
    index.write_traces(branch, &above, &[]).unwrap();
    assert_eq!(index.traced().unwrap(), traced, "undone");
    index.write_traces(index.branch(), &above[..2], &[]).unwrap();
    assert_eq!(index.traced().unwrap().unwrap().tip.get(), 149);
    let branch = index.branch();
    index.put_aside().unwrap();
    index.write_traces(branch, &above, &[]).unwrap();
    index.write_traces(index.branch(), &above, &[]).unwrap();
    assert_eq!(index.traced().unwrap(), None, "of a chain that the index no longer has");
}

#[test]
fn traces_that_leave_a_gap_are_refused() {
    let (index, at) = (fill(10), traces_of(10));
    let error = index.write_traces(index.branch(), &[at(10)], &[]).unwrap_err().to_string();
    assert_eq!(error, "the index holds blocks 1 to 7; block 10 leaves a gap");
    index.write_traces(index.branch(), &[at(8), at(9), at(10)], &[]).unwrap();
    assert_eq!(index.traced().unwrap().unwrap().tip.get(), 10);
}
