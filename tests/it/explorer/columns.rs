//! Columns of one's own choice on the lists.

use rollscope::columns::{Columns, List};

use super::{Mode, framed_lines, on_chain};
use crate::harness::Explorer;

fn explore(columns: &[(List, &[&'static str])]) -> Explorer {
    let mut chosen = Columns::default();
    for (list, ids) in columns {
        chosen.choose(*list, ids.to_vec());
    }
    let explorer = on_chain(Mode::Specified, 40).columns(chosen).start();
    explorer.settle();
    explorer
}

/// The words of a line within the first frame.
fn words(explorer: &Explorer, line: usize) -> Vec<String> {
    let screen = explorer.screen();
    let line = framed_lines(&screen).nth(line).unwrap_or_default();
    line.split_whitespace().map(ToOwned::to_owned).collect()
}

#[test]
fn a_list_has_the_columns_that_were_chosen_in_their_order() {
    let explorer = explore(&[
        (List::Blocks, &["hash", "height", "gas_wanted", "chain_id"]),
        (List::Txs, &["timestamp", "code", "memo", "fee", "txhash"]),
    ]);
    explorer.press("2");
    assert_eq!(words(&explorer, 0), ["hash", "height", "gas", "wanted", "chain"]);
    assert_eq!(words(&explorer, 1)[1], "40", "{}", explorer.screen());
    explorer.press("3");
    assert_eq!(words(&explorer, 0), ["age", "code", "memo", "fee", "hash"]);
    let screen = explorer.screen();
    assert!(framed_lines(&screen).skip(1).any(|line| line.contains(" evm/")), "fees are told:\n{screen}");
}

#[test]
fn words_are_made_where_a_list_shows_them_however_narrow_it_is() {
    let explorer = explore(&[(List::Txs, &["txhash", "summary"]), (List::AccountTxs, &["txhash", "height"])]);
    explorer.press("3").resize(40, 20);
    explorer.settle();
    let screen = explorer.screen();
    let rows: Vec<&str> = screen.lines().skip(1).filter(|line| line.contains('…')).collect();
    let in_words = rows.iter().filter(|row| row.split_whitespace().count() > 2).count();
    assert!(rows.len() > 10 && in_words * 2 > rows.len(), "{screen}");
}

#[test]
fn what_has_no_room_vanishes_from_the_last_on() {
    let ids = ["txhash", "messages", "codespace", "memo", "raw_log", "timestamp"];
    let explorer = explore(&[(List::Txs, &ids)]);
    explorer.press("3");
    assert_eq!(words(&explorer, 0), ["hash", "message", "codespace", "memo", "age"], "the reason has no room");
    explorer.resize(62, 20);
    explorer.settle();
    assert_eq!(words(&explorer, 0), ["hash", "message", "codespace", "age"]);
}
