//! The rich list: denoms to choose from, holders with their ranks, figures, and servers without any.

mod exports;

use std::{
    sync::{
        Arc, LazyLock,
        atomic::{AtomicI64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use alloy_primitives::U256;
use rollscope::{
    config::{ExplorerTemplates, KnownToken, Network},
    demo::RollupOptions,
    domain::Address,
};
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    Mode, heights, on_chain,
    scripted::{Server, block, chain, parameter, path},
    walk,
};
use crate::harness::{
    Builder, Explorer, chain_of,
    replay::{Answer, Seen},
};

const GAS: &str = "evm/2eE7007DF876084d4C74685e90bB7f4cd7c86e22";

/// The account with this number.
fn account(number: u64) -> Address {
    let mut bytes = [0; 20];
    bytes[..8].copy_from_slice(&number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
    bytes[12..].copy_from_slice(&number.to_be_bytes());
    Address::from_bytes(&bytes).expect("twenty bytes")
}

fn holder(number: u64, amount: impl Into<String>) -> Value {
    json!({"account": account(number).hex(), "amount": amount.into()})
}

/// A page of the real server's rich list: by offset, a key on full pages only.
fn holders(seen: &Seen, total: u64, make: impl Fn(u64) -> Value) -> Answer {
    let number = |name| parameter(seen, name).and_then(|text| text.parse::<u64>().ok());
    let limit = number("pagination.limit").expect("a limit");
    let start = number("pagination.key").unwrap_or(0);
    let end = total.min(start + limit);
    let rows: Vec<Value> = (start..end).map(make).collect();
    let next = (end - start == limit).then(|| end.to_string());
    let counted = if parameter(seen, "pagination.count_total") == Some("false") { 0 } else { total };
    let pagination = json!({"previous_key": null, "next_key": next, "total": counted.to_string()});
    Answer::json(json!({"holders": rows, "pagination": pagination}).to_string())
}

/// The denom that a request for holders asks about, as the server decodes it.
fn denom(seen: &Seen) -> Option<String> {
    path(seen).strip_prefix("/indexer/richlist/v1/").map(|denom| denom.replace("%2F", "/"))
}

fn paid(height: u64, denoms: &[&str]) -> Value {
    let mut block = block(height);
    block["total_fee"] = denoms.iter().map(|denom| json!({"denom": denom, "amount": "1"})).collect();
    block
}

/// A chain of 40 blocks whose fees are paid in GAS, every third also in uatom; its rich list lags by three blocks.
fn paying(seen: &Seen) -> Answer {
    match path(seen) {
        "/status" => Answer::json(json!({"chain_id": "scripted-1", "height": 40, "rich_list_height": 37}).to_string()),
        "/indexer/block/v1/blocks" => super::scripted::page(seen, "blocks", 40, |height| {
            paid(height, if height % 3 == 0 { &["uatom", GAS] } else { &[GAS] })
        }),
        _ => chain(seen, 40),
    }
}

/// What the holder with this number of GAS has: a few have most of it; the last has nothing, one is below zero.
fn amount(number: u64, total: u64) -> String {
    match total - number {
        1 => "-1500000000000000000".to_owned(),
        2 => "0".to_owned(),
        _ => {
            let rank = u128::from(number + 1);
            (8_000_000_000_000 / (rank * rank) * 1_000_000_000_000 + 250_000_000_000_000_000).to_string()
        }
    }
}

fn with_holders(total: u64) -> Server {
    Server::new(move |seen, _| match denom(seen).as_deref() {
        Some(GAS) => holders(seen, total, |number| holder(number, amount(number, total))),
        Some("uatom") => holders(seen, 3, |number| holder(number, (30_000 - number).to_string())),
        Some(_) => holders(seen, 0, |_| Value::Null),
        None => paying(seen),
    })
}

fn network(server: &Server) -> Network {
    let explorer = ExplorerTemplates { account: Some("https://scan.example/{}".to_owned()), ..Default::default() };
    let token =
        |denom: &str, symbol: &str, decimals| KnownToken { denom: denom.into(), symbol: symbol.into(), decimals };
    let tokens = vec![token("uosmo", "OSMO", 6), token(GAS, "GAS", 18)];
    let url = server.url().to_owned();
    Network { name: "custom".to_owned(), indexer: url, explorer, tokens, ..Network::default() }
}

/// An explorer of this server that knows what its denoms are called.
fn informed(server: &Server) -> Builder {
    server.explorer().network(network(server)).server(server.url())
}

/// The ranks on screen, from the top.
fn ranks(explorer: &Explorer) -> Vec<u64> {
    heights(explorer)
}

fn ranks_upwards(explorer: &Explorer) -> Vec<u64> {
    ranks(explorer).into_iter().rev().collect()
}

/// How many requests for holders this server has seen.
fn count_asked(explorer: &Explorer) -> usize {
    let is_asked = |command: &&rollscope::msg::Instruction| {
        matches!(command, rollscope::msg::Instruction::Fetch(_, rollscope::msg::Request::Holders(..)))
    };
    explorer.commands().iter().filter(is_asked).count()
}

#[test]
fn the_tab_opens_on_the_denom_that_pays_most_fees_even_before_the_first_blocks_are_there() {
    let server = with_holders(6_234);
    let explorer = informed(&server).start();
    explorer.keys("5").settle();
    explorer.wait_for("Rich list · GAS").wait_for("1 of 6,234");
    // Whether the status or the list was answered first, a list that is asked for now has the status's height.
    explorer.press("r").wait_for("at height 37, 3 behind");
    assert_eq!(ranks(&explorer)[..3], [1, 2, 3]);
    explorer.wait_for(" 8,000,000.2500 ").wait_for("loaded share").wait_for("top 10");
}

#[test]
fn the_picker_takes_a_symbol_a_piece_of_a_denom_or_any_text() {
    let server = with_holders(6_234);
    let explorer = informed(&server).start();
    explorer.press("5 f").wait_for("40 blocks' fees").wait_for("13 blocks' fees").wait_for("6 decimals  listed");
    explorer.type_text("Osm").press("enter").wait_for("Rich list · OSMO").wait_for("No holders of uosmo");
    explorer.press("f").type_text("ato").press("enter").wait_for("Rich list · uatom").wait_for("amount, smallest unit");
    explorer.wait_for("30,000").wait_for("total share");
    explorer.press("f").type_text("factory/abc/Coin").wait_for("as typed  factory/abc/Coin").press("enter");
    explorer.wait_for("No holders of “factory/abc/Coin” (unknown denom)");
    explorer.press("f").wait_for("typed").press("esc").wait_for("No holders of “factory/abc/Coin” (unknown denom)");
    let asked = explorer.commands().into_iter().rev().find_map(|command| match command {
        rollscope::msg::Instruction::Fetch(_, request @ rollscope::msg::Request::Holders(..)) => {
            rollscope::client::path_of(&request)
        }
        _ => None,
    });
    assert!(asked.expect("holders").starts_with("/indexer/richlist/v1/factory%2Fabc%2FCoin?"));
}

#[test]
fn the_keys_for_siblings_step_through_the_denoms() {
    let server = with_holders(6_234);
    let explorer = informed(&server).start();
    explorer.press("5 ]").wait_for("Rich list · uatom").press("]").wait_for("Rich list · OSMO");
    let is_kept = |command: &rollscope::msg::Instruction| matches!(command, rollscope::msg::Instruction::Remember(_));
    assert!(!explorer.commands().iter().any(is_kept), "only what is asked for by its name is a recent");
    explorer
        .press("]")
        .wait_for("no further known denom")
        .press("[ [")
        .wait_for("Rich list · GAS")
        .wait_for("1 of 6,234");
}

#[test]
fn without_any_denom_the_tab_says_so_and_takes_a_typed_one() {
    let server = Server::new(|seen, _| match denom(seen).as_deref() {
        Some("uatom") => holders(seen, 3, |number| holder(number, (30 - number).to_string())),
        _ => chain(seen, 40),
    });
    let explorer = server.explorer().start();
    explorer.press("5").wait_for("No known denom").wait_for("f chooses a denom");
    assert_eq!(count_asked(&explorer), 0);
    explorer.press("f").type_text("uatom").press("enter").wait_for("1 of 3");
    assert_eq!(ranks(&explorer), [1, 2, 3]);
}

#[test]
fn where_no_fee_names_a_denom_the_first_of_the_network_is_shown() {
    let server = Server::new(|seen, _| match denom(seen).as_deref() {
        Some("uosmo") => holders(seen, 1, |number| holder(number, "1234500000")),
        _ => chain(seen, 40),
    });
    informed(&server).start().press("5").wait_for("Rich list · OSMO").wait_for(" 1,234.5 ");
}

#[test]
fn ranks_count_on_to_the_end_and_back() {
    let server = with_holders(5_145);
    let explorer = informed(&server).size(100, 100).start();
    explorer.press("5");
    let expected: Vec<u64> = (1..=5_145).collect();
    assert_eq!(walk(&explorer, "n", ranks), expected);
    explorer.wait_for("— the end —").wait_for(" 5,145 of 5,145 ").wait_for(" -1.5000 ").wait_for("total share");
    let mut back = walk(&explorer, "p", ranks_upwards);
    back.reverse();
    assert_eq!(back, expected);
    let figures = explorer.press("tab").wait_for("over all 5,145 holders").wait_for("excluded: 1 zero, 1 below zero");
    let sum = (0..5_143).map(|number| amount(number, 5_145).parse::<u128>().expect("an amount")).sum::<u128>();
    let sum = rollscope::domain::Amount::from(sum).display(18);
    figures.wait_for(&format!("sum         {sum} GAS")).wait_for("holders by amount, GAS").wait_for("from 1,000,000");
}

#[rstest]
fn the_embedded_rollup_s_holders_are_those_that_its_server_lists(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = on_chain(mode, 60).size(100, 60).start();
    explorer.press("5").wait_for("Rich list · ").wait_for("at height ");
    let screen = explorer.screen();
    let total = screen.split_once(" 1 of ").and_then(|(_, rest)| rest.split_whitespace().next()).expect("a total");
    let total: u64 = total.replace(',', "").parse().expect("a number");
    assert!(total > 100, "more than a page of holders, not {total}");
    assert_eq!(walk(&explorer, "n", ranks), (1..=total).collect::<Vec<_>>());
    explorer.press("tab").wait_for(&format!("over all {total} holders"));
}

#[rstest]
fn the_embedded_rollup_without_a_rich_list_says_so(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let options = RollupOptions { quirks: mode == Mode::Quirks, no_rich_list: true, ..chain_of(60) };
    let explorer = Explorer::builder().size(100, 30).rollup(options).start();
    explorer.press("5").wait_for("has no rich list");
}

/// A list into whose top `shift` rows came, or out of which so many went, since it was first read.
fn shifting(shift: &Arc<AtomicI64>) -> Server {
    let shift = Arc::clone(shift);
    Server::new(move |seen, _| match denom(seen).as_deref() {
        Some(GAS) => {
            let shift = shift.load(Ordering::SeqCst);
            holders(seen, 5_300_u64.saturating_add_signed(shift), |place| {
                let number = (i64::try_from(place).expect("few rows") - shift).rem_euclid(1_000_000);
                holder(number.unsigned_abs(), (9_000_000 - place).to_string())
            })
        }
        _ => paying(seen),
    })
}

#[rstest]
fn ranks_are_right_again_at_the_top_where_rows_came_or_went_meanwhile(#[values(1, -7)] moved: i64) {
    let shift = Arc::new(AtomicI64::new(0));
    let server = shifting(&shift);
    let explorer = informed(&server).size(100, 100).start();
    explorer.press("5");
    walk(&explorer, "n", ranks);
    shift.store(moved, Ordering::SeqCst);
    loop {
        let shown = ranks(&explorer);
        assert!(shown.windows(2).all(|pair| pair[1] == pair[0] + 1), "{shown:?}");
        let before = explorer.screen();
        explorer.press("p");
        if explorer.screen() == before {
            assert_eq!(shown[0], 1);
            break;
        }
    }
    let first = account(u64::try_from((-moved).rem_euclid(1_000_000)).expect("a number")).bech32();
    explorer.press("g g y v");
    assert_eq!(explorer.copied(), [first]);
}

#[test]
fn a_marked_list_tells_who_came_left_and_moved_since() {
    let is_later = Arc::new(AtomicI64::new(0));
    let told = Arc::clone(&is_later);
    let server = Server::new(move |seen, _| {
        let is_later = told.load(Ordering::SeqCst) == 1;
        match (path(seen), denom(seen).as_deref()) {
            ("/status", _) if is_later => {
                Answer::json(json!({"chain_id": "scripted-1", "height": 40, "rich_list_height": 39}).to_string())
            }
            // The fourth goes, another comes in first, the second gives 5 to the third.
            (_, Some(GAS)) => {
                let before = [(0, 900), (1, 700), (2, 700), (3, 600)];
                let rows = if is_later { [(99, 1000), (0, 900), (2, 705), (1, 695)] } else { before };
                holders(seen, 4, |place| {
                    let (number, amount) = rows[usize::try_from(place).expect("few rows")];
                    holder(number, format!("{amount}000000000000000000"))
                })
            }
            (_, Some(_)) => holders(seen, 0, |_| Value::Null),
            _ => paying(seen),
        }
    });
    let explorer = informed(&server).size(160, 40).start();
    explorer.press("5").wait_for("over all 4 holders").press("m").wait_for("marked 4 holders at height 37");
    explorer.wait_for("since the mark").wait_for("0 entered · 0 left · 0 moved · 0 amounts");
    is_later.store(1, Ordering::SeqCst);
    explorer.press("r").wait_for("1 entered · 1 left · 2 moved · 2 amounts").wait_for("since       height 37");
    explorer.wait_for("left 4 ").wait_for(" entered ").wait_for("↓1").wait_for("↓2 -5").press("m").wait_gone("since");
    // Another denom has no mark.
    explorer.press("m ]").wait_gone("since the mark").press("[").wait_for("since the mark");
    explorer.quit();
}

#[test]
fn figures_cover_all_that_was_loaded_until_they_are_asked_for_anew() {
    let server = with_holders(5_145);
    let explorer = informed(&server).size(140, 50).start();
    explorer.press("5").wait_for("over the 100 largest of 5,145");
    for _ in 0..30 {
        explorer.press("G");
    }
    explorer.wait_for("over all 5,145 holders").press("g g").wait_for("over all 5,145 holders");
    assert_eq!(ranks(&explorer)[0], 1);
    explorer.press("2 5").wait_for("over all 5,145 holders").press("r").wait_for("over the 100 largest of 5,145");
    explorer.press("]").wait_for("over all 3 holders").press("[").wait_for("over the 100 largest of 5,145");
}

#[rstest]
#[case::empty(Answer::json(r#"{"holders": [], "pagination": {"next_key": null, "total": "0"}}"#), "has no rich list")]
#[case::no_route(Answer::text(404, "Cannot GET /indexer/richlist/v1/x"), "has no rich list")]
#[case::unknown(
    Answer::text(400, "[INVALID_ARGUMENT] failed to get denom"),
    "does not know the denom evm/2eE700…c86e22"
)]
fn a_server_without_a_rich_list_is_told_once_and_not_asked_again(#[case] answer: Answer, #[case] sentence: &str) {
    let server = Server::new(move |seen, _| match (denom(seen), path(seen)) {
        (Some(_), _) => answer.clone(),
        (None, "/status") => Answer::json(r#"{"chain_id": "scripted-1", "height": 40}"#),
        _ => paying(seen),
    });
    let explorer = server.explorer().start();
    explorer.press("5").wait_for(sentence);
    for _ in 0..4 {
        explorer.advance(Duration::from_secs(20));
    }
    explorer.wait_for(sentence).wait_for("○ no block for");
    assert_eq!(count_asked(&explorer), 1);
    explorer.press("r").wait_for(sentence);
    assert_eq!(count_asked(&explorer), 2, "asking by hand is another matter");
}

#[test]
fn holders_that_fail_for_a_moment_come_back_by_themselves() {
    let fails = Arc::new(AtomicUsize::new(1));
    let left = Arc::clone(&fails);
    let server = Server::new(move |seen, _| match denom(seen).as_deref() {
        Some(_) if left.load(Ordering::SeqCst) > 0 => Answer::Garbage(b"SSH-2.0\r\n"),
        Some(GAS) => holders(seen, 5, |number| holder(number, "5")),
        _ => paying(seen),
    });
    let explorer = server.explorer().start();
    explorer.press("5").wait_for("Cannot load the holders of evm/2eE700…c86e22.").wait_for("r retry");
    fails.store(0, Ordering::SeqCst);
    explorer.advance(Duration::from_secs(11)).advance(Duration::from_secs(2)).wait_for("1 of 5");
}

#[test]
fn the_exact_amount_is_copied_and_exported_whatever_its_size() {
    let huge = (U256::MAX - U256::from(5)).to_string();
    let amounts = [huge.clone(), "12345678901234567891".to_owned(), "1".to_owned(), "0".to_owned(), "-3".to_owned()];
    let given = amounts.clone();
    let server = Server::new(move |seen, _| match denom(seen).as_deref() {
        Some(GAS) => holders(seen, 5, |number| holder(number, given[usize::try_from(number).unwrap()].as_str())),
        _ => paying(seen),
    });
    let explorer = informed(&server).size(200, 40).start();
    explorer.press("5 e enter").wait_for("all 5 rows · saved holders-evm-2eE7");
    let written = explorer.written();
    let (name, contents) = &written[0];
    assert_eq!(*name, format!("holders-{}-1-to-5.jsonl", GAS.replace('/', "-")));
    let rows: Vec<Value> = contents.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (number, (row, amount)) in (0_u64..).zip(rows.iter().zip(&amounts)) {
        let height = row["height"].clone();
        let expected = json!({
            "rank": number + 1, "account": account(number).hex(), "amount": amount, "height": height,
            "time": row["time"].as_str().expect("when the list came"),
        });
        assert_eq!(*row, expected);
        assert!(height.is_u64(), "the height that the server's list had reached: {row}");
    }
    explorer.press("y").wait_for("amount, smallest unit").press("m y v y x y c y u y d");
    let copied = explorer.copied();
    assert_eq!(copied[..3], [huge, account(0).bech32(), account(0).checksummed()]);
    assert!(copied[3].contains("/indexer/richlist/v1/evm%2F2eE7"), "{copied:?}");
    assert_eq!(copied[4..], [GAS]);
    explorer.press("j y j");
    let row: Value = serde_json::from_str(&explorer.copied()[5]).unwrap();
    assert_eq!(row, json!({"account": account(1).hex(), "amount": amounts[1]}));
}

#[test]
fn a_holder_is_opened_here_and_in_the_web_explorer() {
    let server = with_holders(6_234);
    let explorer = informed(&server).size(120, 36).start();
    explorer.press("5 j o");
    assert_eq!(explorer.opened(), [format!("https://scan.example/{}", account(1).bech32())]);
    explorer.press("enter").wait_for(&account(1).short()).press("esc").wait_for("2 of 6,234");
}

#[test]
fn both_forms_of_an_address_are_shown_where_there_is_room_and_swapped_by_a_key() {
    let server = with_holders(6_234);
    let explorer = informed(&server).size(200, 40).start();
    let (bech32, hex) = (account(0).bech32(), account(0).checksummed());
    let places = |explorer: &Explorer| {
        let screen = explorer.screen();
        let line = screen.lines().find(|line| line.contains(&bech32)).expect("the first row").to_owned();
        (line.find(&bech32).unwrap(), line.find(&hex).unwrap())
    };
    explorer.press("5");
    let (first, second) = places(&explorer);
    assert!(first < second);
    explorer.press("x");
    let (first, second) = places(&explorer);
    assert!(first > second);
    explorer.resize(80, 24).settle().wait_for("0x").wait_gone("init1");
}

#[test]
fn small_screens_show_holders_or_figures() {
    let server = with_holders(6_234);
    let explorer = informed(&server).size(60, 12).start();
    explorer.press("5").wait_for("rank").wait_gone("top 10  ").press("tab").wait_for("top 10  ").wait_gone("rank");
    explorer.press("esc").wait_for("rank").press("tab").resize(120, 36).settle();
    explorer.wait_for("rank").wait_for("top 10  ").wait_for("Lorenz line");
    explorer.resize(40, 8).settle().wait_for("over the 100").press("tab").wait_for("8,000,000.25");
}

#[test]
fn hostile_holders_and_symbols_leave_the_screen_whole() {
    let nasty = ["\u{1b}[2J\u{7}", "\u{202e}gnp\u{2066}", "宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽", "", "x\ny"];
    let server = Server::new(move |seen, _| match denom(seen) {
        Some(_) => holders(
            seen,
            5,
            |number| json!({"account": nasty[usize::try_from(number).unwrap()].repeat(50), "amount": "7"}),
        ),
        None if path(seen) == "/indexer/block/v1/blocks" => {
            super::scripted::page(seen, "blocks", 40, |height| paid(height, &[nasty[0], nasty[1], GAS, "a\u{9b}b"]))
        }
        None => paying(seen),
    });
    let mut network = network(&server);
    for token in &mut network.tokens {
        token.symbol = "\u{1b}]0;x\u{7}宽\u{202e}".repeat(30);
    }
    let explorer = informed(&server).network(network).server(server.url()).size(140, 30).start();
    for keys in ["5", "tab", "f", "esc e enter", "y", "esc enter", "] ] ]", "x"] {
        explorer.press(keys);
        let buffer = explorer.buffer();
        for cell in &buffer.content {
            let is_bad = |character: char| {
                character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            };
            assert!(!cell.symbol().chars().any(is_bad), "{keys}: {:?}", cell.symbol());
        }
    }
    assert!(
        explorer.written()[0].0.chars().all(|character| character.is_ascii_alphanumeric() || ".-".contains(character))
    );
}

/// One server for all pictures: nothing here makes it change.
static PICTURED: LazyLock<Server> = LazyLock::new(|| with_holders(12_145));

#[rstest]
fn pictures(#[values((60, 12), (80, 24), (200, 50))] (columns, rows): (u16, u16)) {
    let screens = [("rich_list", "5 j"), ("rich_list_down", "5 G G G G"), ("rich_list_figures", "5 G G G G tab")];
    for (name, keys) in screens {
        let explorer = informed(&PICTURED).size(columns, rows).start();
        explorer.press(keys);
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), explorer.screen());
        explorer.quit();
    }
}

#[test]
fn a_small_screen_names_the_denom_and_has_shares() {
    let explorer = informed(&PICTURED).size(50, 14).start();
    explorer
        .press("5")
        .wait_for(" Rich list · GAS · ")
        .wait_for("   share")
        .wait_for("8,000,000.25")
        .wait_for("61.16 %");
    explorer.press("tab").wait_for("Gini").wait_for("top 10  ");
    explorer.quit();
}

#[test]
fn picture_of_the_picker() {
    let explorer = informed(&PICTURED).size(80, 24).start();
    explorer.press("5 f");
    insta::assert_snapshot!("denoms_80x24", explorer.screen());
}

#[test]
fn rows_that_the_servers_list_has_passed_have_an_age_and_are_not_behind() {
    let reached = Arc::new(AtomicI64::new(37));
    let told = Arc::clone(&reached);
    let server = Server::new(move |seen, _| match (path(seen), denom(seen).as_deref()) {
        ("/status", _) => {
            let reached = told.load(Ordering::SeqCst);
            Answer::json(json!({"chain_id": "scripted-1", "height": 40, "rich_list_height": reached}).to_string())
        }
        (_, Some(GAS)) => holders(seen, 30, |number| holder(number, amount(number, 30))),
        (_, Some(_)) => holders(seen, 0, |_| Value::Null),
        _ => paying(seen),
    });
    let explorer = informed(&server).size(140, 30).start();
    explorer.keys("5").settle();
    explorer.wait_for("at height 37, 3 behind");
    reached.store(40, Ordering::SeqCst);
    explorer.advance(Duration::from_secs(22)).settle().advance(Duration::from_secs(2));
    explorer.wait_for("as of height 37, ");
    let screen = explorer.settle().screen();
    let title = screen.lines().find(|line| line.contains("as of height 37, ")).expect("the title");
    assert!(title.contains(" old · r refreshes") && !title.contains("behind"), "{title}");
    explorer.press("r").wait_for("at height 40").wait_gone("as of height").wait_gone("r refreshes");
    explorer.quit();
}
