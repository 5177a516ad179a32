//! The page of an account: what each transaction did for it, its NFTs, its places in the rich lists.

use std::collections::BTreeSet;

use rollscope::{
    client::HoldersQuery,
    domain::{Address, Denom},
    msg::{CollectionScope, Instruction, PageRequest, Request, TokenOrder, TokenQuery, TokenScope, TxQuery, TxScope},
    wire,
};
use rstest::rstest;
use serde_json::Value;

use super::{Mode, all_txs, ask, explore, filters::busiest, framed_lines, hashes, on_chain, short, walk};
use crate::harness::Explorer;

/// The topic of `Transfer(address,address,uint256)`.
const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/// An explorer on the page of the account that signed most.
fn on_busiest(mode: Mode) -> (Explorer, Address) {
    let explorer = on_chain(mode, 120).size(110, 40).start();
    let who = busiest(&all_txs(&explorer, &TxQuery::default()));
    explorer.press("/").paste(&who.bech32()).press("enter").wait_for(&format!("Account {}", who.short()));
    (explorer, who)
}

/// Everything that moved in a transaction: from whom, to whom. Of failed ones nothing, and no fees.
fn moves(tx: &wire::Tx) -> Vec<(Option<Address>, Option<Address>)> {
    let record = serde_json::to_value(tx).expect("a record is JSON");
    let events = record["events"].as_array().expect("events").iter().filter(|_| tx.is_success());
    let mut moves = Vec::new();
    for event in events {
        let values = |name: &str| -> Vec<&str> {
            let attributes = event["attributes"].as_array().into_iter().flatten();
            attributes.filter(|one| one["key"] == name).filter_map(|one| one["value"].as_str()).collect()
        };
        if values("msg_index").is_empty() {
            continue;
        }
        let party = |text: &str| text.parse().ok();
        if event["type"] == "transfer" {
            moves.push((party(values("sender")[0]), party(values("recipient")[0])));
        }
        for log in values("log").iter().filter(|_| event["type"] == "evm") {
            let log: Value = serde_json::from_str(log).expect("a log is JSON");
            if log["topics"][0] == TRANSFER {
                let topic = |place: usize| log["topics"][place].as_str().and_then(|word| party(&word[26..]));
                moves.push((topic(1), topic(2)));
            }
        }
    }
    moves
}

/// The word that an account's history has for a transaction.
fn word(tx: &wire::Tx, who: Address) -> &'static str {
    let all: Vec<(bool, bool)> = moves(tx).iter().map(|(from, to)| (*from == Some(who), *to == Some(who))).collect();
    let is_any = |wanted: (bool, bool)| all.contains(&wanted);
    match (is_any((false, true)), is_any((true, false))) {
        (true, true) => "both",
        (true, false) => "in",
        (false, true) => "out",
        _ if is_any((true, true)) => "self",
        _ if rollscope::story::decode(tx).signer == Some(who) => "call",
        _ => "",
    }
}

/// Short hash and mark of the transactions on screen.
fn marks(explorer: &Explorer) -> Vec<(String, String)> {
    let screen = explorer.screen();
    let rows = framed_lines(&screen).filter(|line| line.trim_start().starts_with(['✓', '✗', '!']));
    let mark = |line: &str| {
        ["in", "out", "both", "self", "call"]
            .into_iter()
            .find(|word| line.split_whitespace().take(3).any(|part| part == *word))
    };
    let marks = rows.map(|line| mark(line).unwrap_or_default().to_owned());
    hashes(explorer).into_iter().zip(marks).collect()
}

#[rstest]
fn each_transaction_says_what_it_did_for_the_account(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let (explorer, address) = on_busiest(mode);
    let query = TxQuery { scope: TxScope::Account { address, signer_only: false }, msgs: Vec::new() };
    let txs = all_txs(&explorer, &query);
    let words = txs.iter().map(|tx| word(tx, address).to_owned());
    let expected: Vec<(String, String)> = short(&txs).into_iter().zip(words).collect();
    let kinds: BTreeSet<&str> = expected.iter().map(|(_, word)| word.as_str()).collect();
    assert!(kinds.len() >= 3, "an account that does several things, not only {kinds:?}");
    assert_eq!(walk(&explorer, "n", marks), expected);
}

/// What somebody owns: the name of the collection, and the token's id as its column has room for it.
type Owned = (String, String);

/// Columns of the table's ids.
const ID: usize = 24;

fn fitted(id: &str) -> String {
    if id.len() <= ID { id.to_owned() } else { format!("{}…{}", &id[..ID / 2], &id[id.len() + 1 - ID / 2..]) }
}

/// The owner with tokens of most collections, and these tokens.
fn collector(explorer: &Explorer) -> (Address, Vec<Owned>) {
    let tokens: Vec<wire::Token> = ask(explorer, async |client| {
        let page = PageRequest::newest(1000);
        let mut all = Vec::new();
        for collection in client.list(&CollectionScope::All, &page).await.expect("collections").items {
            let scope = TokenScope::Collection(collection.address().expect("an address"));
            let query = TokenQuery { scope, token_id: None, order_by: TokenOrder::TokenId };
            let tokens = client.list(&query, &page).await.expect("tokens").items;
            all.extend(tokens.iter().map(|token| wire::Token::clone(token)));
        }
        all
    });
    let tokens_of = |owner: &str| -> Vec<Owned> {
        let of_owner = tokens.iter().filter(|token| token.owner == owner);
        of_owner
            .map(|token| (token.collection_name.as_received().to_owned(), fitted(token.nft.token_id.as_received())))
            .collect()
    };
    let names = |owner: &str| tokens_of(owner).into_iter().map(|(name, _)| name).collect::<BTreeSet<_>>().len();
    let owner = tokens.iter().map(|token| token.owner.as_str()).max_by_key(|owner| (names(owner), *owner));
    let owner = owner.expect("somebody owns something");
    assert!(names(owner) >= 2, "somebody owns of several collections");
    (owner.parse().expect("an address"), tokens_of(owner))
}

/// The tokens on screen, of these.
fn tokens(explorer: &Explorer, known: &[Owned]) -> Vec<Owned> {
    let screen = explorer.screen();
    let row = |line: &str| {
        let (name, _) = known.iter().find(|(name, _)| line.trim_start().starts_with(name.as_str()))?;
        let id = line.trim_start().strip_prefix(name.as_str())?.split_whitespace().next()?;
        // A long id has as much of its ends as the other columns leave it.
        Some((name.clone(), fitted(id)))
    };
    framed_lines(&screen).filter_map(row).collect()
}

fn sorted<T: Ord>(mut all: Vec<T>) -> Vec<T> {
    all.sort();
    all
}

#[rstest]
fn the_nfts_of_an_account_are_its_own_and_are_narrowed_to_a_collection(
    #[values(Mode::Specified, Mode::Quirks)] mode: Mode,
) {
    let explorer = on_chain(mode, 200).size(110, 40).start();
    let (owner, owned) = collector(&explorer);
    explorer.press("/").paste(&owner.bech32()).press("enter l").wait_for("[NFTs").wait_for("NFTs · all");
    assert_eq!(sorted(walk(&explorer, "n", |explorer| tokens(explorer, &owned))), sorted(owned.clone()));
    explorer.press("l").wait_for("[Collections").wait_for("Collections of its NFTs");
    let names: BTreeSet<&String> = owned.iter().map(|(name, _)| name).collect();
    let name = (*names.first().expect("a collection")).clone();
    assert!(names.iter().all(|name| explorer.screen().contains(name.as_str())), "{names:?}\n{}", explorer.screen());
    let rows = || explorer.screen().lines().map(str::to_owned).collect::<Vec<_>>();
    let headers = rows().iter().position(|line| line.contains("total tokens")).expect("the head of the table");
    let place = rows()[headers + 1..].iter().position(|line| line.contains(name.as_str())).expect("its row");
    (0..place).for_each(|_| {
        explorer.press("j");
    });
    explorer.press("enter").wait_for(&format!("NFTs · {name} · Esc"));
    let of_it: Vec<Owned> = owned.iter().filter(|(of, _)| *of == name).cloned().collect();
    assert_eq!(sorted(walk(&explorer, "n", |explorer| tokens(explorer, &owned))), sorted(of_it));
    explorer.press("enter").wait_for(&format!("{name} #")).press("esc").wait_for(&format!("NFTs · {name} · Esc"));
    explorer.press("esc").wait_for("[Collections").press("h").wait_for("NFTs · all");
}

#[rstest]
fn its_places_in_the_rich_lists_are_those_of_the_server(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let (explorer, who) = on_busiest(mode);
    explorer.press("l l l").wait_for("[Rich lists]").wait_gone("looking…");
    let asked: Vec<Denom> = explorer
        .commands()
        .into_iter()
        .filter_map(|command| match command {
            Instruction::Fetch(_, Request::Holders(denom, _)) => Some(denom),
            _ => None,
        })
        .collect();
    explorer.press("e enter");
    let mut found = Vec::new();
    for denom in asked {
        let holders = ask(&explorer, async |client| {
            client.list(&HoldersQuery(denom.clone()), &PageRequest::newest(1000)).await.expect("holders").items
        });
        let place = holders.iter().position(|holder| holder.address() == Some(who));
        let screen = explorer.screen();
        let line = framed_lines(&screen).find(|line| line.contains(&denom.short())).expect("a line of the denom");
        match place {
            Some(place) => {
                let amount = holders[place].amount.to_string();
                let words: Vec<&str> = line.split_whitespace().collect();
                let rank = format!("#{}", place + 1);
                // The first digits, whatever unit the router's name has; all of them are in the file.
                let digits = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit() || b",.".contains(&byte));
                let plain = |word: &&str| word.replace(['…', ',', '.'], "");
                let shown = words.iter().filter(|word| digits(&word.trim_end_matches('…')));
                let is_told = shown.map(plain).any(|shown| amount.starts_with(&shown));
                assert!(words.contains(&rank.as_str()) && is_told, "{rank} {amount}: {line}");
                found.push(serde_json::json!({"denom": denom.as_str(), "rank": place + 1, "amount": amount}));
            }
            None => assert!(line.contains("not a") || line.contains("no holders"), "{line}"),
        }
    }
    assert!(!found.is_empty(), "it holds something");
    let (name, contents) = explorer.settle().written().pop().expect("a file");
    let written: Vec<Value> = contents.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((name, written), (format!("holdings-{who}.jsonl"), found));
}

#[test]
fn both_forms_are_shown_copied_and_opened_and_what_is_loaded_is_written() {
    let (explorer, who) = on_busiest(Mode::Specified);
    explorer.wait_for(&who.bech32()).wait_for(&who.checksummed());
    explorer.press("y 1 y 2");
    assert_eq!(explorer.copied(), [who.bech32(), who.checksummed()]);
    explorer.press("e enter");
    let (name, contents) = explorer.written().pop().expect("a file");
    assert_eq!(name, format!("txs-{who}.jsonl"));
    let first: wire::Tx = serde_json::from_str(contents.lines().next().expect("a line")).expect("a transaction");
    assert_eq!(first.txhash.short(), hashes(&explorer)[0]);
    assert!(contents.lines().count() >= hashes(&explorer).len());
}

#[test]
fn either_form_leads_to_the_same_page_and_one_comes_back_to_the_same_place() {
    let explorer = explore(Mode::Specified, 120);
    let who = busiest(&all_txs(&explorer, &TxQuery::default()));
    explorer.press("/").paste(&who.checksummed()).press("enter").wait_for(&format!("Account {}", who.short()));
    let rows = hashes(&explorer);
    explorer.press("j j enter").wait_for("[Story]").press("esc").wait_for("3 of");
    assert_eq!(hashes(&explorer), rows);
    explorer.press("l l").wait_for("[Collections").press("2").wait_for("[2 Blocks]");
    explorer.press("/").paste("7").press("enter").wait_for("Block 7 ").press("H H").wait_for("[Collections");
    explorer.press("L").wait_gone("[Collections").press("H h h").wait_for("[Txs").wait_for("3 of");
    assert_eq!(hashes(&explorer), rows);
}
