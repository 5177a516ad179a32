//! Equal walks and pages on all virtual machines.

use rollscope::{
    client::HoldersQuery,
    demo::RollupOptions,
    domain::{Address, Denom, Vm},
    msg::{CollectionScope, PageRequest, TxQuery},
};
use rstest::rstest;

use super::{all_txs, ask, filters::busiest, framed_lines, hashes, heights, short, walk};
use crate::harness::{Explorer, chain_with};

const BLOCKS: u64 = 120;

fn explore(vm: Vm, quirks: bool) -> Explorer {
    let options = RollupOptions { quirks, ..chain_with(vm, BLOCKS) };
    let explorer = Explorer::builder().size(100, 60).rollup(options).start();
    explorer.settle();
    explorer
}

/// Each mode once on either.
#[rstest]
#[case(Vm::Move, false)]
#[case(Vm::Wasm, true)]
fn walks_have_each_row_once(#[case] vm: Vm, #[case] quirks: bool) {
    let explorer = explore(vm, quirks);
    assert_eq!(walk(explorer.press("2"), "n", heights), (1..=BLOCKS).rev().collect::<Vec<_>>());
    let expected = short(&all_txs(&explorer, &TxQuery::default()));
    assert!(expected.len() > 150, "several pages, not {}", expected.len());
    assert_eq!(walk(explorer.press("3"), "n", hashes), expected);
}

/// The denom that most holders have, and how many these are.
fn widest(explorer: &Explorer) -> (Denom, u64) {
    let txs = all_txs(explorer, &TxQuery::default());
    let fees = txs.iter().flat_map(|tx| rollscope::story::decode(tx).fee);
    let mut denoms: Vec<Denom> = fees.map(|coin| coin.denom).collect();
    denoms.sort();
    denoms.dedup();
    let counted = denoms.into_iter().map(|denom| {
        let page = PageRequest::newest(1000);
        let holders = ask(explorer, async |client| {
            client.list(&HoldersQuery(denom.clone()), &page).await.expect("holders").items.len()
        });
        (denom, holders as u64)
    });
    counted.max_by_key(|(_, count)| *count).expect("somebody paid a fee")
}

#[rstest]
#[case(Vm::Move, true)]
#[case(Vm::Wasm, false)]
fn holders_tokens_and_accounts_are_opened(#[case] vm: Vm, #[case] quirks: bool) {
    let explorer = explore(vm, quirks);
    let (denom, count) = widest(&explorer);
    explorer.press("/").type_text(&format!("denom {}", denom.as_str())).press("enter").wait_for("Rich list · ");
    assert_eq!(walk(&explorer, "n", heights), (1..=count).collect::<Vec<_>>());
    explorer.press("g g enter").wait_for("Account init1").press("l l l").wait_for("[Rich lists]").wait_for("#1 ");
    let collection = ask(&explorer, async |client| {
        let page = client.list(&CollectionScope::All, &PageRequest::newest(100)).await.expect("collections");
        page.items
            .iter()
            .find(|one| one.collection.nfts.length > 0 && one.collection.origin_name.is_empty())
            .expect("a collection with tokens")
            .clone()
    });
    let (name, address) = (&collection.collection.name, collection.address().expect("an address"));
    explorer.press("4").wait_for(name.as_received());
    explorer.press("/").paste(&address.hex()).press("enter");
    // A contract is an account too: then both are offered.
    if explorer.screen().contains("several matches") {
        explorer.press("down enter");
    }
    explorer
        .wait_for(name.as_received())
        .wait_for("Tokens by ")
        .press("enter")
        .wait_for(&format!("{} #", name.as_received()))
        .wait_for("History");
}

#[rstest]
fn pages_of_blocks_transactions_and_accounts_are_opened(#[values(Vm::Move, Vm::Wasm)] vm: Vm) {
    let explorer = explore(vm, false);
    let txs = all_txs(&explorer, &TxQuery::default());
    let who: Address = busiest(&txs);
    explorer
        .press("2 enter")
        .wait_for(&format!("Block {BLOCKS} "))
        .press("] ]")
        .wait_for(&format!("Block {} ", BLOCKS - 2));
    for failed in [false, true] {
        let tx = txs.iter().find(|tx| tx.is_success() != failed).expect("both kinds happen");
        explorer.paste(&tx.txhash.to_string()).press("enter").wait_for(&format!("Tx {}", tx.txhash));
        explorer.wait_for(if failed { "✗ failed" } else { "✓ success" }).press("l l").wait_for("[Events]");
    }
    explorer.press("/").paste(&who.bech32()).press("enter").wait_for(&format!("Account {}", who.short()));
    let screen = explorer.settle().screen();
    let is_marked = |line: &str| ["→ out", "← in", "• call", "⇄ both"].iter().any(|mark| line.contains(mark));
    assert!(framed_lines(&screen).any(is_marked), "{screen}");
}
