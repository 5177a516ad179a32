//! What an account holds by the rollup's own node: every figure the chain's, and nothing of another chain's.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use rollscope::{
    config::{Network, NodeLocation},
    demo::{RollupOptions, ledger::facts},
    domain::{Address, Amount, Denom, Vm, text},
    msg::TxQuery,
    story::contract_tokens,
    wire::Tx,
};
use rstest::rstest;
use serde_json::Value;

use super::{all_txs, filters::busiest, framed_lines};
use crate::harness::{
    Builder, Explorer, chain_with, get,
    replay::{Answer, Replay},
    rollup_of,
};

fn options(vm: Vm) -> RollupOptions {
    chain_with(vm, 60)
}

/// On the page of the account that signed most.
fn on_busiest(builder: Builder) -> (Explorer, Address) {
    let explorer = builder.start();
    explorer.settle();
    let who = busiest(&all_txs(&explorer, &TxQuery::default()));
    explorer.press("/").paste(&who.bech32()).press("enter").wait_for(&format!("Account {}", who.short()));
    (explorer, who)
}

/// What the node's REST answers of the newest block.
fn rest(explorer: &Explorer, path: &str) -> String {
    rest_at(explorer, path, "0")
}

/// What the node's REST answers of a block.
fn rest_at(explorer: &Explorer, path: &str, height: &str) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let path = format!("{}/node/rest{path}", explorer.rollup().url());
    let client = rollscope::client::http_client().no_proxy().build().expect("a client");
    let request = client.get(path).header("x-cosmos-block-height", height);
    runtime.block_on(async { request.send().await.expect("an answer").text().await.expect("a body") })
}

/// What REST says that an account holds: exact amounts by denom.
fn held(explorer: &Explorer, who: Address) -> BTreeMap<String, String> {
    let body = rest(explorer, &format!("/cosmos/bank/v1beta1/balances/{who}?pagination.limit=1000"));
    let answer: Value = serde_json::from_str(&body).expect("JSON");
    let coins = answer["balances"].as_array().expect("balances").iter();
    let text = |coin: &Value, name: &str| coin[name].as_str().expect("a text").to_owned();
    coins.map(|coin| (text(coin, "denom"), text(coin, "amount"))).collect()
}

#[rstest]
fn every_denom_is_shown_with_the_banks_amount(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let builder = Explorer::builder().size(120, 40).with_node().rollup(options(vm));
    let (explorer, who) = on_busiest(builder);
    is_charted(&explorer);
    explorer.press("/").paste(&who.bech32()).press("enter").wait_for(&format!("Account {}", who.short()));
    explorer.press("tab").wait_for("from the node's bank, at block");
    let held = held(&explorer, who);
    assert!(!held.is_empty(), "the busiest account pays fees");
    let screen = explorer.screen();
    let is_bank = |line: &&str| {
        !line.contains(" holds ") && (line.contains('/') || line.contains("uinit")) && !line.contains("  contract")
    };
    let rows: Vec<&str> = framed_lines(&screen).filter(is_bank).collect();
    assert_eq!(rows.len(), held.len(), "{screen}");
    for (denom, amount) in &held {
        let (short, amount) = (Denom::new(denom.as_str()).short(), amount.parse::<Amount>().expect("an amount"));
        let row = rows.iter().find(|row| row.contains(&short)).unwrap_or_else(|| panic!("{denom} in\n{screen}"));
        let shown = (0..=18).map(|decimals| amount.fixed(decimals, 4)).chain([amount.display(0)]);
        assert!(shown.into_iter().any(|shown| row.split_whitespace().any(|word| word == shown)), "{amount}: {row}");
    }
    explorer.press("e enter").settle();
    let (name, contents) = explorer.written().pop().expect("a file");
    assert!(name.starts_with("balances-"), "{name}");
    let written: BTreeMap<String, String> = contents
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a line is JSON"))
        .filter(|coin| coin["source"] == "bank")
        .map(|coin| (coin["denom"].as_str().unwrap_or("").to_owned(), coin["amount"].as_str().unwrap_or("").to_owned()))
        .collect();
    assert_eq!(written, held);
    if let Some(denom) = held.keys().find(|denom| denom.starts_with("evm/")) {
        is_a_token(&explorer, &denom.replace("evm/", "0x"), &Denom::new(denom.as_str()));
        is_named_by_its_contract_alone(&explorer);
    }
}

/// The chart has the balance after each transaction as the node kept it for the block.
fn is_charted(explorer: &Explorer) {
    let is_paid = |tx: &Tx| rollscope::story::decode(tx).fee.iter().any(|coin| !coin.amount.is_zero());
    let later = all_txs(explorer, &TxQuery::default()).into_iter().filter(|tx| tx.height.get() > 1 && is_paid(tx));
    let who = busiest(&later.collect::<Vec<_>>());
    explorer.press("/").paste(&who.bech32()).press("enter").wait_for(&format!("Account {}", who.short()));
    explorer.wait_for("from the node's balance at block ").wait_for(" after    ");
    let value = |name: &str| {
        let screen = explorer.screen();
        let line = screen.lines().find_map(|line| Some(line.split_once(&format!(" {name:<9}"))?.1.to_owned()));
        line.unwrap_or_else(|| panic!("{name} in\n{screen}")).split_whitespace().next().unwrap_or_default().to_owned()
    };
    // The row that is the newest of its block ends the block with its balance.
    let (mut compared, mut changed, mut above) = (BTreeSet::new(), 0, String::new());
    for _ in 0..30 {
        let (block, after) = (value("block"), value("after"));
        if block != above && after != "unknown" {
            let at = block.replace(',', "");
            let body = rest_at(explorer, &format!("/cosmos/bank/v1beta1/balances/{who}?pagination.limit=1000"), &at);
            let kept: Value = serde_json::from_str(&body).expect("JSON");
            let amounts = kept["balances"].as_array().unwrap_or_else(|| panic!("{body}")).iter();
            let amounts =
                amounts.map(|coin| coin["amount"].as_str().expect("a text").parse::<Amount>().expect("digits"));
            let is_kept = amounts.into_iter().any(|amount| (0..=18).any(|decimals| amount.display(decimals) == after));
            assert!(is_kept, "{after} after block {block}: {body}\n{}", explorer.screen());
            compared.insert(after);
            changed += usize::from(value("change") != "0");
        }
        above = block;
        explorer.press("j").settle();
    }
    assert!(compared.len() > 1 && changed > 1, "{compared:?}\n{}", explorer.screen());
    explorer.press("g g").settle();
    let shown =
        |explorer: &Explorer| explorer.screen().lines().find(|line| line.contains("┌ Balance · ")).map(str::to_owned);
    let first = shown(explorer);
    explorer.press("]").settle();
    assert_ne!(shown(explorer), first, "another denom");
    explorer.press("[").settle();
    assert_eq!(shown(explorer), first);
}

/// A token that no list and no router names is called what its contract calls itself.
fn is_named_by_its_contract_alone(explorer: &Explorer) {
    let listed: BTreeSet<Address> =
        facts(Vm::Evm, options(Vm::Evm).ledger.seed).tokens.into_iter().filter_map(|token| token.contract).collect();
    let contract_of = |denom: &Denom| denom.as_str().replace("evm/", "0x").parse::<Address>().expect("an address");
    let moved = |tx: &Tx| {
        let mut tokens = contract_tokens(tx, Some(Vm::Evm)).into_iter();
        tokens.find(|denom| !listed.contains(&contract_of(denom)))
    };
    let txs = all_txs(explorer, &TxQuery::default());
    let (tx, denom) = txs.iter().find_map(|tx| Some((tx, moved(tx)?))).expect("users transfer the token");
    explorer.paste(&tx.txhash.to_string()).press("enter").wait_for(&format!("Tx {}", tx.txhash)).wait_for("“OIL”");
    let record: Value = serde_json::from_str(tx.tx.get()).expect("a body");
    let message = &record["body"]["messages"][0];
    let input = message["input"].as_str().expect("call data");
    let amount = u128::from_str_radix(&input[input.len() - 32..], 16).expect("a number");
    explorer.wait_for(&format!("{} “OIL”", Amount::from(amount).shown(8)));
    explorer.press("/").paste(message["sender"].as_str().expect("an account")).press("enter").wait_for("Account ");
    explorer.press("tab").wait_for("read from the contracts");
    let screen = explorer.screen();
    let short = denom.short();
    assert!(framed_lines(&screen).any(|line| line.contains(&short) && line.contains("“OIL”")), "{short}:\n{screen}");
    let contract = contract_of(&denom).checksummed();
    explorer.press("/").paste(&contract).press("enter").wait_for(" · contract · token “Lantern Oil” (“OIL”");
    let answer = rest(explorer, "/cosmos/bank/v1beta1/supply?pagination.limit=1000");
    assert!(answer.to_lowercase().contains("evm/") && !answer.contains(denom.as_str()), "{answer}");
}

#[test]
fn tokens_of_contracts_are_shown_with_their_contracts_word() {
    let builder = Explorer::builder().size(120, 60).without_router().with_node().rollup(options(Vm::Wasm));
    let explorer = builder.start();
    explorer.settle();
    let mut txs = all_txs(&explorer, &TxQuery::default());
    let created = txs.iter().find(|tx| tx.code == 0 && tx.tx.get().contains("\"initial_balances\"")).cloned();
    txs.retain(|tx| tx.code == 0 && !contract_tokens(tx, Some(Vm::Wasm)).is_empty());
    let who = busiest(&txs);
    explorer.press("/").paste(&who.bech32()).press("enter").wait_for(&format!("Account {}", who.short()));
    explorer.press("tab").wait_for("read from the contracts").wait_for("the index's list of contracts with transfers");
    let moved: BTreeSet<String> =
        txs.iter().flat_map(|tx| contract_tokens(tx, Some(Vm::Wasm))).map(|denom| denom.as_str().to_owned()).collect();
    assert!(moved.len() > 2, "{moved:?}");
    for direction in ["false", "true"] {
        let listed = listed_tokens(&explorer.rollup().url(), direction, moved.len());
        assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), moved, "all that the history moved");
        assert_eq!(listed.len(), moved.len(), "each once");
    }
    let screen = explorer.screen();
    let words = " token contracts seen in the index's list of contracts with transfers and in this session.";
    let before = screen.split_once(words).and_then(|(before, _)| before.rsplit_once("Asked ")?.1.parse::<usize>().ok());
    assert!(before.is_some_and(|asked| asked >= moved.len()), "{words}:\n{screen}");
    let rows: Vec<&str> = framed_lines(&screen).filter(|line| line.contains("cw20:")).collect();
    assert!(!rows.is_empty() && rows.iter().all(|row| row.contains("  contract")), "{screen}");
    explorer.press("e enter").settle();
    let (_, contents) = explorer.written().pop().expect("a file");
    let lines: Vec<Value> = contents.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.iter().filter(|line| line["source"] == "contract").count(), rows.len(), "{contents}");
    assert!(lines.iter().any(|line| line["source"] == "bank"), "{contents}");
    let token = txs.iter().flat_map(|tx| contract_tokens(tx, Some(Vm::Wasm))).next().expect("a token");
    is_a_token(&explorer, token.as_str().trim_start_matches("cw20:"), &token);
    is_told_as_asked_for(&explorer, &created.expect("a user creates a token"));
}

/// The index's list of contract tokens, read row by row.
fn listed_tokens(url: &str, is_descending: &str, total: usize) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (mut tokens, mut key) = (Vec::new(), String::new());
    loop {
        let path =
            format!("{url}/indexer/token/v1/contracts?pagination.limit=1&pagination.reverse={is_descending}{key}");
        let body = runtime.block_on(async { get(path).await.expect("an answer").text().await.expect("a body") });
        let page: Value = serde_json::from_str(&body).expect("JSON");
        assert_eq!(page["pagination"]["total"], total.to_string(), "{body}");
        tokens.extend(
            page["contracts"]
                .as_array()
                .expect("rows")
                .iter()
                .map(|token| token["denom"].as_str().expect("a denom").to_owned()),
        );
        let Some(next) = page["pagination"]["next_key"].as_str() else { return tokens };
        key = format!("&pagination.key={}", next.replace('=', "%3D"));
    }
}

/// What a new token's message gives out is told as asked for; the contract's page has its own word.
fn is_told_as_asked_for(explorer: &Explorer, tx: &Tx) {
    explorer.paste(&tx.txhash.to_string()).press("enter").wait_for(&format!("Tx {}", tx.txhash)).settle();
    let screen = explorer.screen();
    let told: String = framed_lines(&screen).flat_map(|line| [line.trim(), " "]).collect();
    for expected in [
        "the token “Seashell” (“SHELL”, 6 decimals)",
        "1,000,000 “SHELL” for ",
        "5,000 “SHELL” for ",
        "as its message asks",
        "No balance in the bank changed",
    ] {
        assert!(told.contains(expected) || screen.contains(expected), "{expected}:\n{screen}");
    }
    let events: Vec<Value> = serde_json::from_str(tx.events.get()).expect("events");
    let made = events.iter().find(|event| event["type"] == "instantiate").expect("it is created");
    let contract = made["attributes"][0]["value"].as_str().expect("an address");
    explorer.press("/").paste(contract).press("enter").wait_for(" · contract · token “Seashell” (“SHELL”").press("tab");
    let height = text::group(tx.height.get());
    explorer.wait_for(&format!(" in block {height} (Enter)")).wait_for("label “token ").wait_for("1,005,000");
}

/// The page of a token's contract says what it is; that of an account which only signs does not.
fn is_a_token(explorer: &Explorer, contract: &str, denom: &Denom) {
    assert!(!explorer.screen().contains(" · contract"), "{}", explorer.screen());
    explorer.press("/").paste(contract).press("enter").wait_for(" · contract · token ").press("tab");
    explorer.wait_for("the contract's word").wait_for("the node's state");
    // The ledger made these contracts before its first block.
    explorer.wait_for("deployed   not by one of its ");
    let screen = explorer.screen();
    for expected in ["[Contract]", "supply     ", "  messages of its "] {
        assert!(screen.contains(expected), "{expected}:\n{screen}");
    }
    let holders = format!("the rich list of {} (Enter)", denom.short());
    explorer.click(&holders).press("enter").wait_for("Rich list · ");
}

#[test]
fn without_a_node_there_is_no_such_tab() {
    let (explorer, _) = on_busiest(Explorer::builder().size(120, 40).rollup(options(Vm::Move)));
    let screen = explorer.screen();
    assert!(screen.contains("NFTs") && !screen.contains("Balances"), "{screen}");
}

#[test]
fn a_node_of_another_chain_is_not_believed() {
    let other = rollup_of(options(Vm::Wasm));
    let node = Some(NodeLocation { node: other.node_url(), ..NodeLocation::default() });
    let builder = Explorer::builder().size(120, 40).network(Network { node, ..Network::unnamed(String::new()) });
    let (explorer, _) = on_busiest(builder.rollup(options(Vm::Move)));
    explorer.press("tab").wait_for("✗ the node:").wait_for("serves rollscope-wasm-1");
    let screen = explorer.screen();
    assert!(!screen.contains("from the node's bank") && !screen.contains("l2/"), "{screen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_does_not_answer_is_said_and_asked_again() {
    let away = Replay::always(Answer::text(503, "away")).await;
    let node = Some(NodeLocation { node: away.url().to_owned(), ..NodeLocation::default() });
    tokio::task::spawn_blocking(move || {
        let builder = Explorer::builder().size(120, 40).network(Network { node, ..Network::unnamed(String::new()) });
        let (explorer, _) = on_busiest(builder.rollup(options(Vm::Move)));
        explorer.press("tab").wait_for("✗ the node:");
        assert!(explorer.screen().contains("r retries"), "{}", explorer.screen());
    })
    .await
    .expect("the explorer says it");
    drop(away);
}

#[test]
fn tokens_are_named_by_the_node_where_there_is_no_router_and_the_next_session_does_not_ask() {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("state.sqlite");
    let builder = || Explorer::builder().size(120, 40).without_router().with_node().state_file(file.clone());
    let (explorer, _) = on_busiest(builder().rollup(options(Vm::Move)));
    explorer.press("tab").wait_for("from the node's bank, at block");
    let screen = explorer.screen();
    let row = |word: &str| framed_lines(&screen).any(|line| line.split_whitespace().next() == Some(word));
    // Only the bridge makes this denom of the L1's token; what the bank calls a token stands in quotes.
    assert!(row("INIT") && screen.contains("l2/") && row("“LUMA”"), "{screen}");
    assert!(!row("LUMA") && !row("TIA"), "{screen}");
    let (rollup, now) = explorer.leave();
    let first = kept_reports(&file);
    assert!(first.iter().any(|(_, claim, _)| claim.contains("LUMA")), "{first:?}");
    let (second, _) = on_busiest(builder().joining(rollup, now));
    second.press("tab").wait_for("“LUMA”");
    drop(second.leave());
    let both = kept_reports(&file);
    assert!(first.is_subset(&both), "asked again, an answer has another time: {first:?}, {both:?}");
}

/// The denoms in the state file, with what the node said of each and when.
fn kept_reports(file: &Path) -> BTreeSet<(String, String, i64)> {
    let state = rusqlite::Connection::open(file).expect("the state file");
    let mut select = state.prepare("SELECT denom, claim, at FROM denom_reports").expect("its table");
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).expect("its rows");
    rows.collect::<Result<_, _>>().expect("whole rows")
}

#[test]
fn a_node_of_another_chain_names_nothing() {
    let other = rollup_of(options(Vm::Wasm));
    let node = Some(NodeLocation { node: other.node_url(), ..NodeLocation::default() });
    let network = Network { node, ..Network::unnamed(String::new()) };
    let builder = Explorer::builder().size(120, 40).without_router().network(network);
    let (explorer, _) = on_busiest(builder.rollup(options(Vm::Move)));
    explorer.press("tab").wait_for("✗ the node:").wait_for("serves rollscope-wasm-1");
    explorer.press("5").settle();
    assert!(!explorer.screen().contains('“'), "{}", explorer.screen());
}
