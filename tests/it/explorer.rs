//! The explorer through its front door: the real loop, typed keys, a screen in memory; behind it the embedded rollup by
//! the specification and with the real server's quirks, recorded answers, or a server that a test scripts.

mod account;
mod anything;
mod balances;
mod bridge_elsewhere;
mod bridge_prepare;
mod bridge_quote;
mod bridge_whole;
mod claims;
mod columns;
mod commands;
mod compare;
mod crossing_numbers;
mod evm;
mod faults;
mod filters;
mod first_lines;
mod footers;
mod foreign;
mod go_to;
mod health;
mod hostile;
mod lists;
mod messages;
mod names;
mod nfts;
mod node;
mod outcomes;
mod pages;
mod pickers;
mod recorded;
mod restarts;
mod returns;
mod rich_list;
mod screens;
pub(crate) mod scripted;
mod story;
mod summaries;
mod tour;
mod transfers;
mod trouble;
mod unreadable;
mod vms;
mod walked;
mod window;
mod withdrawals;
mod zones;

use std::fmt::Debug;

use rollscope::{
    client::{ClientOptions, IndexerClient},
    demo::RollupOptions,
    msg::{PageRequest, PageStart, TxQuery},
    wire,
};

use crate::harness::{Builder, Explorer, chain_of};

/// Which behaviour the embedded rollup has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Specified,
    Quirks,
}

/// An explorer of a chain of so many blocks. Lists have the whole width: a preview needs 110 columns.
fn on_chain(mode: Mode, blocks: u64) -> Builder {
    let options = RollupOptions { quirks: mode == Mode::Quirks, ..chain_of(blocks) };
    Explorer::builder().size(100, 30).rollup(options)
}

/// An explorer that is started and at rest.
fn explore(mode: Mode, blocks: u64) -> Explorer {
    let explorer = on_chain(mode, blocks).start();
    explorer.settle();
    explorer
}

/// The screen's lines within the first frame, without what lies beside it.
fn framed_lines(screen: &str) -> impl Iterator<Item = &str> {
    screen.lines().filter_map(|line| line.strip_prefix('│')).map(|line| line.split('│').next().unwrap_or_default())
}

/// The heights of the blocks on screen, from the top.
fn heights(explorer: &Explorer) -> Vec<u64> {
    let first_word = |line: &str| line.split_whitespace().next().and_then(|word| word.replace(',', "").parse().ok());
    framed_lines(&explorer.screen()).filter_map(first_word).collect()
}

/// The short hashes of the transactions on screen, from the top.
fn hashes(explorer: &Explorer) -> Vec<String> {
    let is_hash = |word: &&str| word.chars().count() == 9 && word.chars().nth(4) == Some('…');
    let hash = |line: &str| line.split_whitespace().find(is_hash).map(str::to_owned);
    framed_lines(&explorer.screen())
        .filter(|line| line.trim_start().starts_with(['✓', '✗', '!']))
        .filter_map(hash)
        .collect()
}

/// The explorer with words in all rows: they come a few at a time, with whatever key is pressed. This one means
/// nothing.
fn told(explorer: &Explorer) -> &Explorer {
    explorer.settle().press(&["ctrl-t"; 8].join(" ")).settle()
}

/// Presses a key until the screen no longer changes, and joins the rows of all screens in the order of the walk.
fn walk<T: PartialEq + Clone + Debug>(explorer: &Explorer, key: &str, rows: impl Fn(&Explorer) -> Vec<T>) -> Vec<T> {
    let mut all: Vec<T> = rows(told(explorer));
    loop {
        let before = explorer.settle().screen();
        if told(explorer.press(key)).screen() == before {
            return all;
        }
        join(&mut all, &rows(explorer));
    }
}

/// Adds a screen's rows. Screens may overlap; what they share must be the same rows in the same order.
fn join<T: PartialEq + Clone + Debug>(all: &mut Vec<T>, screen: &[T]) {
    let start = screen.first().and_then(|first| all.iter().position(|row| row == first)).unwrap_or(all.len());
    let shared = (all.len() - start).min(screen.len());
    assert_eq!(all[start..start + shared], screen[..shared], "rows changed places between two screens");
    all.extend_from_slice(&screen[shared..]);
}

/// Asks the explorer's server something without the explorer.
fn ask<T>(explorer: &Explorer, question: impl AsyncFnOnce(&IndexerClient) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let client = IndexerClient::new(&explorer.rollup().url(), ClientOptions::default()).expect("a server's address");
    runtime.block_on(question(&client))
}

/// All transactions that the explorer's server has.
fn all_txs(explorer: &Explorer, query: &TxQuery) -> Vec<wire::Tx> {
    ask(explorer, async |client| {
        let mut all = Vec::new();
        let mut page = PageRequest::newest(1000);
        loop {
            let answer = client.list(query, &page).await.expect("the rollup answers");
            all.extend(answer.items.iter().map(|tx| wire::Tx::clone(tx)));
            let Some(next) = answer.next else { return all };
            page.cursor = PageStart::Key(next);
        }
    })
}

/// The short hashes of these transactions.
fn short<'a>(txs: impl IntoIterator<Item = &'a wire::Tx>) -> Vec<String> {
    txs.into_iter().map(|tx| tx.txhash.short()).collect()
}
