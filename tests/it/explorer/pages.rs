//! The pages of a block and of a transaction, and what can be taken from them.

use rollscope::{
    client::BlocksQuery,
    config::{ExplorerTemplates, Network},
    msg::{PageRequest, TxQuery},
    wire::Tx,
};
use rstest::rstest;
use serde_json::Value;

use super::{Mode, all_txs, ask, explore, hashes, heights, on_chain};
use crate::harness::{Explorer, chain_of};

fn newest_txs(explorer: &Explorer) -> Vec<Tx> {
    all_txs(explorer, &TxQuery::default())
}

#[rstest]
fn a_transaction_opens_with_its_tabs(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 40);
    let tx = &newest_txs(&explorer)[1];
    explorer.press("3 j enter").wait_for(&format!("Tx {}", tx.txhash)).wait_for("[Story]");
    explorer
        .press("l")
        .wait_for("[Messages]")
        .wait_for(tx.message_types()[0].as_str())
        .press("l")
        .wait_for("[Events]")
        .wait_for("coin_spent");
    explorer.press("J").wait_for("[Raw]").wait_for(&format!("\"txhash\": \"{}\"", tx.txhash));
    explorer.press("l").wait_for("[Story]").press("h").wait_for("[Raw]");
    explorer.press("J").wait_for("[Story]").press("J").wait_for("[Raw]");
}

#[test]
fn text_is_found_in_a_tab_and_esc_shows_all_again() {
    let explorer = explore(Mode::Specified, 40);
    explorer.press("3 enter l l f").type_text("spender").wait_for("find: spender").wait_for("“spender”").settle();
    let lines: Vec<String> = super::framed_lines(&explorer.screen()).skip(1).map(str::to_owned).collect();
    let found = lines.iter().filter(|line| line.contains("spender")).count();
    assert!(found > 0);
    assert!(!lines.iter().any(|line| line.contains("▸ message")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("coin_spent")), "the heading above a hit stays: {lines:?}");
    explorer.press("enter").wait_gone("find:").wait_for("“spender”");
    explorer.press("esc").wait_gone("“spender”").wait_for("▸ message").wait_for("[Events]");
    explorer.press("f").type_text("no such text").wait_for("no match").press("esc").wait_for("▸ message");
    explorer.press("esc").wait_for("Txs · all");
}

#[test]
fn a_found_text_is_gone_to_and_n_leads_from_match_to_match() {
    let explorer = explore(Mode::Specified, 40);
    explorer.press("3 enter l l f").type_text("spender").press("enter").wait_gone("find:").settle();
    let copied = |keys: &str| {
        explorer.press(keys).wait_for("value of the line").press("l").wait_gone("value of the line").settle();
        explorer.copied().last().cloned().expect("something was copied")
    };
    let screen = explorer.screen();
    let values: Vec<&str> = screen
        .lines()
        .filter_map(|line| line.split_once("spender"))
        .filter_map(|(_, rest)| rest.split_whitespace().find(|word| word.starts_with("init1")))
        .collect();
    assert!(values.len() > 1, "{screen}");
    let (first, second) = (copied("y"), copied("n y"));
    let is_account = |value: &String| value.parse::<rollscope::domain::Address>().is_ok();
    assert_eq!([&first, &second].map(is_account), [true, true], "{first} {second}");
    assert_eq!(copied("N y"), first, "N leads back");
    let before = explorer.copied().len();
    explorer.press("Y").settle();
    assert_eq!((explorer.copied().len(), explorer.copied().last()), (before + 1, Some(&first)), "without the menu");
    explorer.press("esc").wait_gone("“spender”").press("n").settle();
    assert_eq!(explorer.screen().matches("“spender”").count(), 0, "n is the key of pages again");
}

#[test]
fn a_line_of_a_record_has_its_path() {
    let explorer = explore(Mode::Specified, 40);
    explorer.press("3 enter J").wait_for("[Raw]").press("f").type_text("@type").press("enter").wait_gone("find:");
    explorer.press("y").wait_for("path of the line").press("p").wait_gone("path of the line").settle();
    assert_eq!(explorer.copied(), [r#".tx.body.messages[0]."@type""#]);
}

#[rstest]
fn neighbours_of_a_transaction_follow_the_list(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 40);
    let txs = newest_txs(&explorer);
    explorer.press("3 j enter ]").wait_for(&format!("Tx {}", txs[2].txhash));
    explorer.press("] ]").wait_for(&format!("Tx {}", txs[4].txhash));
    explorer.press("[").wait_for(&format!("Tx {}", txs[3].txhash));
    explorer.press("esc").wait_for("4 of");
    explorer.press("g g enter [").wait_for("the list has loaded no further transaction");
}

#[rstest]
fn history_goes_back_and_forth_to_the_same_screen(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 60);
    explorer.press("3 n j j j");
    let list = explorer.screen();
    explorer.press("enter l j j");
    let page = explorer.screen();
    for (back, forth) in [("esc", "L"), ("H", "L"), ("backspace", "alt-right"), ("alt-left", "L")] {
        explorer.press(back);
        assert_eq!(explorer.screen(), list, "{back}");
        explorer.press(forth);
        assert_eq!(explorer.screen(), page, "{forth}");
    }
    explorer.press("L").wait_for("no next page in history");
    explorer.press("H H H").wait_for("[1 Overview]").press("H").wait_for("this is the first page");
    explorer.press("L").wait_for("Txs · all");
    assert_eq!(explorer.screen().lines().nth(3), list.lines().nth(3));
}

#[test]
fn the_trail_begins_at_the_tab_that_was_opened_last() {
    let explorer = explore(Mode::Specified, 40);
    explorer.press("3 enter").wait_for("Txs · all › Tx ").press("b").wait_for(" › Block ");
    explorer.press("2 enter").wait_for("Blocks › Block ");
    let screen = explorer.screen();
    let trail = screen.lines().find(|line| line.contains("Blocks › ")).expect("a trail");
    assert_eq!(trail.matches(" › ").count(), 1, "{trail}");
}

#[rstest]
fn a_block_opens_with_its_transactions_and_its_json(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 40);
    let newest = newest_txs(&explorer);
    let full = newest.iter().find(|tx| tx.height.get() < 39).map(|tx| tx.height).expect("a block with transactions");
    explorer.keys("/").type_text(&full.to_string()).press("enter");
    let of_block: Vec<String> =
        newest.iter().rev().filter(|tx| tx.height == full).map(|tx| tx.txhash.short()).collect();
    assert_eq!(hashes(&explorer), of_block, "in block order");
    explorer.wait_for("rollscope-sequencer").press("J").wait_for(&format!("\"height\": \"{full}\""));
    explorer.press("J enter").wait_for("[Story]").press("b").wait_for(&format!("Block {full}"));
    explorer.press("[").wait_for(&format!("Block {}", full.next()));
    explorer.press("] ]").wait_for(&format!("Block {}", full.back(1)));
}

#[rstest]
fn a_block_is_ranked_among_those_up_to_it(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 40);
    let blocks = ask(&explorer, async |client| client.list(&BlocksQuery, &PageRequest::newest(100)).await);
    let blocks = blocks.expect("the rollup answers").items;
    let gas_of_30 = blocks.iter().find(|block| block.height.get() == 30).expect("block 30").gas_used;
    let more = blocks.iter().filter(|block| block.height.get() < 30 && block.gas_used > gas_of_30).count();
    explorer.keys(": 3 0 enter").wait_for(&format!(")  rank {} of 30", more + 1));
    explorer.keys(": 1 enter").wait_for("Block 1 ").settle();
    assert!(!explorer.screen().contains("rank"), "{}", explorer.screen());
}

#[rstest]
fn the_first_block_has_none_before(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 40);
    explorer.keys(": 1 enter").settle().press("]").wait_for("this is the first block").wait_for("Block 1 ");
}

#[rstest]
fn a_height_above_the_tip_says_when_it_is_expected(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 40);
    explorer.keys("/ 1 6 0 enter").settle();
    explorer.wait_for("Block 160 is 120 blocks ahead: expected in about 2 min.").step(3);
    explorer.wait_for("117 blocks ahead").press("]").wait_for("Block 159 is 116 blocks ahead");
    explorer.keys("/ 4 4 enter").wait_for("Block 44 is 1 block ahead").step(1);
    explorer.press("r").wait_for("rollscope-sequencer");
}

#[test]
fn hash_json_and_curl_of_a_row_are_copied() {
    let explorer = explore(Mode::Specified, 40);
    let tx = &newest_txs(&explorer)[2];
    let url = explorer.rollup().url();
    explorer.press("3 j j y").wait_for("transaction hash").press("v y j y c y u");
    let copied = explorer.copied();
    assert_eq!(copied[0], tx.txhash.to_string());
    let json: Value = serde_json::from_str(&copied[1]).unwrap();
    assert_eq!(json["txhash"], tx.txhash.to_string());
    assert_eq!(json["events"], serde_json::from_str::<Value>(tx.events.get()).unwrap());
    assert_eq!(copied[2], format!("curl -sS '{url}/indexer/tx/v1/txs/{}'", tx.txhash));
    assert_eq!(copied[3], format!("curl -sS '{url}/indexer/tx/v1/txs?pagination.limit=100'"));
    explorer.wait_for("copied").press("2 y").wait_for("block height").press("v y h");
    assert_eq!(explorer.copied()[4], "40");
    assert_eq!(explorer.copied()[5].len(), 64);
    explorer.press("y esc").wait_gone("block hash");
    assert_eq!(explorer.copied().len(), 6);
}

#[test]
fn the_line_under_the_cursor_is_copied_from_a_page() {
    let explorer = explore(Mode::Specified, 40);
    let tx = &newest_txs(&explorer)[0];
    explorer.press("3 enter f").type_text("hash ").press("enter y").wait_for("value of the line").press("l");
    assert_eq!(explorer.copied(), [tx.txhash.to_string()]);
}

#[test]
fn what_is_loaded_is_written_into_files() {
    let explorer = explore(Mode::Specified, 60);
    let txs = newest_txs(&explorer);
    explorer.press("3 e").wait_for("in /exports").wait_for(" txs.jsonl").wait_for("(•) loaded 100   ( ) all");
    explorer.press("esc").wait_gone("in /exports");
    assert!(explorer.written().is_empty(), "nothing is written before Enter");
    explorer.press("3 e enter").wait_for("saved txs.jsonl").press("2 e enter").wait_for("saved blocks.jsonl");
    explorer.press("enter e enter").wait_for("saved block-60.json").press("1 e").wait_for("no data to export here");
    explorer.press("3 enter e enter").wait_for(&format!("tx-{}", txs[0].txhash));
    let written = explorer.written();
    let names: Vec<&str> = written.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["txs.jsonl", "blocks.jsonl", "block-60.json", &format!("tx-{}.json", txs[0].txhash)]);
    let lines: Vec<Tx> = written[0].1.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 100);
    assert!(lines.iter().zip(&txs).all(|(line, tx)| line.txhash == tx.txhash));
    assert_eq!(written[1].1.lines().count(), 60);
    for (_, contents) in &written[2..] {
        serde_json::from_str::<Value>(contents).unwrap();
    }
    // A whole list keeps the filter that no server applies.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("failed.jsonl");
    explorer.press("3 F e a up ctrl-u").type_text(&path.display().to_string()).press("enter").wait_for(" · saved ");
    let lines = std::fs::read_to_string(&path).unwrap();
    let failed: Vec<Tx> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!failed.is_empty() && failed.len() < 60, "{}", failed.len());
    assert!(failed.iter().all(|tx| rollscope::story::MessageSummary::of(tx).has_failure(tx)));
    explorer.wait_for(&format!("{} row", failed.len()));
}

#[test]
fn the_web_explorer_opens_on_what_is_selected() {
    let templates = ExplorerTemplates {
        tx: Some("https://scan.example/txs/{}".to_owned()),
        block: Some("https://scan.example/blocks/{}".to_owned()),
        ..ExplorerTemplates::default()
    };
    let network = Network { explorer: templates, ..Network::default() };
    let explorer = Explorer::builder().network(network).rollup(chain_of(40)).start();
    let tx = &newest_txs(&explorer)[0];
    explorer.press("2 j o 3 o");
    let expected = ["https://scan.example/blocks/39".to_owned(), format!("https://scan.example/txs/{}", tx.txhash)];
    assert_eq!(explorer.opened(), expected);
    explorer.press("y").wait_for("o link to the web explorer").press("o");
    assert_eq!(explorer.copied(), expected[1..]);
    let without = explore(Mode::Specified, 5);
    without.press("2 o").wait_for("this network has no web explorer");
}

#[rstest]
fn the_block_and_the_signer_of_a_transaction_are_a_key_away(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 40);
    let tx = &newest_txs(&explorer)[0];
    let signer = rollscope::story::decode(tx).signer.expect("a signed transaction");
    explorer.press("3 b").wait_for(&format!("Block {} ", tx.height)).press("esc a").wait_for(&signer.short());
    assert_eq!(hashes(&explorer)[0], tx.txhash.short());
}

#[test]
fn a_wide_screen_shows_the_selected_row_beside_the_list() {
    let explorer = on_chain(Mode::Specified, 40).size(160, 40).start();
    let txs = newest_txs(&explorer);
    explorer.press("3 j").wait_for(&txs[1].txhash.to_string()[..40]).press("tab l l").wait_for("[Events]");
    explorer.press("esc j").wait_for("3 of").press("2 j").wait_for("Block 39").press("tab enter");
    assert_eq!(heights(&explorer)[..2], [40, 39]);
}
