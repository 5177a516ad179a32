//! What lists of transactions say in words, on every virtual machine.

use std::time::Duration;

use rollscope::{
    app::{add_router_names, glossary_of},
    client::{ClientOptions, RouterClient},
    config::Network,
    domain::{AddressStyle, ChainId, Vm, text::clip},
    msg::{TxQuery, TxScope},
    story::{AbiRegistry, Glossary, MessageSummary, RowWords, Style, effect_words, row_words},
    wire::Tx,
};
use rstest::rstest;

use super::{all_txs, ask, filters::busiest, framed_lines, walk};
use crate::harness::{Builder, Explorer, chain_with};

fn on_chain(vm: Vm) -> Builder {
    Explorer::builder().size(100, 40).rollup(chain_with(vm, 120))
}

/// What the explorer under test knows by name: what its router lists.
fn glossary(explorer: &Explorer) -> Glossary {
    let chain = ask(explorer, async |client| client.status().await.expect("a status").chain_id);
    let url = explorer.rollup().url();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let client = RouterClient::new(&url, ClientOptions::default()).expect("a server's address");
    let listed = runtime.block_on(client.assets(&[])).expect("the router answers").chain_to_assets_map;
    let mut glossary = glossary_of(&Network::default(), AbiRegistry::default());
    add_router_names(&mut glossary, &ChainId::new(chain.as_str()), |chain| {
        listed.get(chain).map(|list| list.assets.as_slice())
    });
    glossary
}

/// Short hash and what follows it, of the transactions on screen.
fn rows(explorer: &Explorer) -> Vec<(String, String)> {
    let screen = explorer.screen();
    let lines = framed_lines(&screen).filter(|line| line.trim_start().starts_with(['✓', '✗', '!']));
    let row = |line: &str| {
        let at = line.find('…').expect("a short hash");
        let (hash, rest) = (line[..at].split_whitespace().last().expect("its beginning"), &line[at + '…'.len_utf8()..]);
        (format!("{hash}…{}", &rest[..4]), rest[4..].trim().to_owned())
    };
    lines.map(row).collect()
}

/// Whether a row says this: the whole of it, its few words, or why it failed, as far as there is room.
fn says(row: &str, words: &RowWords) -> bool {
    let beginning = |text: &str| clip(text, 24).trim_end_matches('…').to_owned();
    let mut forms = [Some(&words.text), words.brief.as_ref()].into_iter().flatten().chain(&words.fuller);
    forms.any(|form| row.contains(&beginning(form)))
}

fn assert_told(rows: &[(String, String)], txs: &[Tx], words: impl Fn(&Tx) -> RowWords) {
    assert_eq!(rows.len(), txs.len());
    for ((hash, row), tx) in rows.iter().zip(txs) {
        let words = words(tx);
        assert!(*hash == tx.txhash.short() && says(row, &words), "{hash} {row}\n{words:?}");
    }
}

fn sentence(tx: &Tx, glossary: &Glossary, addresses: &AddressStyle) -> RowWords {
    row_words(tx, &MessageSummary::of(tx), glossary, Style::Screen(addresses))
}

#[rstest]
fn every_row_says_what_happened(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let explorer = on_chain(vm).start();
    explorer.settle();
    let (txs, names) = (all_txs(&explorer, &TxQuery::default()), glossary(&explorer));
    assert!(txs.iter().any(|tx| !tx.is_success()), "some fail");
    assert_told(&walk(explorer.press("3"), "n", rows), &txs, |tx| sentence(tx, &names, &AddressStyle::USUAL));
    explorer.press("g g").settle();
    let first = rows(&explorer);
    explorer.press("x").settle();
    assert_told(&rows(&explorer), &txs[..first.len()], |tx| sentence(tx, &names, &AddressStyle::USUAL.next()));
    assert_eq!(rows(explorer.press("x x").settle()), first);
}

#[rstest]
fn the_history_of_an_account_says_what_it_gained_and_lost(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let explorer = on_chain(vm).start();
    explorer.settle();
    let address = busiest(&all_txs(&explorer, &TxQuery::default()));
    let query = TxQuery { scope: TxScope::Account { address, signer_only: false }, msgs: Vec::new() };
    let (txs, names) = (all_txs(&explorer, &query), glossary(&explorer));
    for form in [address.bech32(), address.hex()] {
        explorer.press("/").paste(&form).press("enter").wait_for(&format!("Account {}", address.short())).settle();
        let told = walk(&explorer, "n", rows);
        assert_told(&told, &txs, |tx| effect_words(tx, address, &names, Style::Screen(&AddressStyle::USUAL)));
        assert!(told.iter().any(|(_, row)| row.contains('+') || row.contains('−')), "{told:?}");
        explorer.press("esc").settle();
    }
}

#[test]
fn rows_that_arrive_are_told_and_a_frozen_list_stands_still() {
    let explorer = on_chain(Vm::Evm).start();
    explorer.settle();
    explorer.press("3").settle().step(3).settle();
    let (txs, names) = (all_txs(&explorer, &TxQuery::default()), glossary(&explorer));
    let told = rows(&explorer);
    assert_told(&told, &txs[..told.len()], |tx| sentence(tx, &names, &AddressStyle::USUAL));
    explorer.press("space").wait_for("■ frozen").settle();
    let (screen, frames) = (explorer.screen(), explorer.frames());
    explorer.step(5).advance(Duration::from_secs(600));
    assert_eq!((explorer.screen(), explorer.frames(), explorer.is_ticking()), (screen, frames, false));
}

#[test]
fn a_narrow_list_names_the_message_and_a_wide_one_both() {
    let explorer = on_chain(Vm::Evm).size(50, 20).start();
    explorer.settle();
    explorer.press("3").settle();
    assert!(explorer.screen().contains("Msg"), "{}", explorer.screen());
    explorer.resize(80, 24).wait_for("hash      what happened");
    explorer.resize(160, 45).press("a").wait_for("hash      message                    net effect").press("esc");
    explorer.resize(50, 20).wait_gone("what happened");
}
