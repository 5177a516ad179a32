//! The NFTs tab: collections, their tokens as table and gallery, tokens with metadata, picture and history.

mod art;
mod hostile;
mod world;

use rollscope::{
    config::{ExplorerTemplates, Network},
    domain::Address,
    msg::{Answer, CollectionScope, Instruction, Order, PageRequest, Request, TokenOrder, TokenScope, Total},
};
use rstest::rstest;

use self::world::World;
use super::{Mode, on_chain};
use crate::harness::{Builder, Explorer};

/// An explorer of a small world of NFTs, without anything that is fetched by itself from outside.
fn on(world: World) -> Builder {
    Explorer::builder().size(100, 30).scripted(move |request| world.answer(request))
}

/// The requests that were sent, in order.
fn requests(explorer: &Explorer) -> Vec<Request> {
    let sent = explorer.commands().into_iter();
    sent.filter_map(|command| if let Instruction::Fetch(_, request) = command { Some(request) } else { None }).collect()
}

/// The ids of the tokens in the table on screen.
fn ids(explorer: &Explorer) -> Vec<String> {
    let screen = explorer.screen();
    let rows = screen.lines().skip_while(|line| !line.contains("id ↑") && !line.contains("id ↓")).skip(2);
    rows.take_while(|line| line.starts_with('│'))
        .filter_map(|line| line.trim_start_matches('│').split_whitespace().next())
        .filter(|word| word.chars().all(|character| character.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

#[test]
fn collections_have_a_size_bar_and_their_creator_in_the_shown_form() {
    let explorer = on(World::default()).start();
    explorer.press("4").wait_for("1 of 4");
    let line = |name: &str| explorer.screen().lines().find(|line| line.contains(name)).expect(name).to_owned();
    assert!(line("Lantern Keepers").contains("250 ██████ init1"), "{}", explorer.screen());
    assert!(line("Tide Glyphs").contains(" 12 ▎"), "{}", explorer.screen());
    assert!(line("(no name)").contains(" 0 "), "{}", explorer.screen());
    explorer.press("x").wait_for("0x");
    assert!(!line("Lantern Keepers").contains("init1"));
}

#[test]
fn a_wide_screen_looks_into_the_selected_collection() {
    let explorer = on(World::default()).size(130, 30).start();
    explorer.press("4 j").wait_for("First tokens").wait_for("250 tokens");
    explorer.press("k").wait_for("12 tokens");
    let samples = |request: &&Request| matches!(request, Request::Tokens(_, page) if page.limit < 100);
    assert_eq!(requests(&explorer).iter().filter(samples).count(), 2, "what was looked into is kept");
    explorer.press("j k").wait_for("12 tokens");
    assert_eq!(requests(&explorer).iter().filter(samples).count(), 2);
}

#[test]
fn the_name_is_searched_with_every_key_and_esc_takes_it_back() {
    let explorer = on(World::default()).start();
    explorer.press("4 f").wait_for(" name or owner:").type_text("lan").settle();
    explorer.wait_for("“lan”").wait_for("Lantern Keepers").wait_gone("Tide Glyphs");
    let names: Vec<String> = requests(&explorer)
        .into_iter()
        .filter_map(|request| match request {
            Request::Collections(CollectionScope::NameAtServer(name), _) => Some(name.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(names.last().map(String::as_str), Some("lan"));
    assert!(names.iter().all(|name| "lan".starts_with(name.as_str())), "{names:?}");
    explorer.press("enter").wait_gone(" name or owner:").wait_for("“lan”").press("esc").wait_for("Tide Glyphs");
    explorer.press("f").type_text("zzz").settle().wait_for("no match on the server; Enter scans");
    let is_deep = |request: &Request| matches!(request, Request::Collections(CollectionScope::Name(_), _));
    assert!(!requests(&explorer).iter().any(is_deep), "typing looks through nothing");
    explorer.press("enter").wait_for("no collection matches");
    assert_eq!(requests(&explorer).iter().filter(|request| is_deep(request)).count(), 1);
    explorer.press("esc").wait_for("Tide Glyphs").wait_gone("“zzz”");
}

#[test]
fn what_is_loaded_is_searched_at_once_and_where_the_server_cannot() {
    let world = World::default();
    let answer = move |request: &Request| match request {
        Request::Collections(CollectionScope::NameAtServer(_), _) => Err(world::error("no names here")),
        other => world.answer(other),
    };
    let explorer = Explorer::builder().size(120, 30).scripted(answer).start();
    explorer.press("4 f").type_text("orbit on").settle().wait_for("Orbit").wait_gone("Lantern Keepers");
    explorer.wait_for("“orbit on” · loaded only").press("enter enter").wait_for("1 of 40");
}

#[test]
fn tokens_of_a_whole_collection_are_in_natural_order_and_it_says_so() {
    let explorer = on(World::default()).start();
    explorer.press("4 j enter").wait_for("Tokens by id ↑ ").wait_for("1 of 250");
    assert_eq!(ids(&explorer)[..4], ["1", "2", "3", "4"]);
    explorer.wait_for("held by   7 owners of 250 tokens · largest: ");
    explorer.press("G").wait_for("250 of 250");
    assert_eq!(ids(&explorer).last().map(String::as_str), Some("250"));
    explorer.press("enter").wait_for("Lantern Keepers #250").press("esc").wait_for("250 of 250");
}

#[test]
fn a_collection_too_large_to_be_loaded_stays_in_the_servers_order_and_says_so() {
    let explorer = on(World { lanterns: 4000, ..World::default() }).start();
    explorer.press("4 j enter").wait_for("Tokens by id ↑, as text").wait_for("1 of 4,000");
    assert_eq!(ids(&explorer)[..4], ["1", "10", "100", "1000"]);
    let pages = |request: &&Request| matches!(request, Request::Tokens(..));
    assert_eq!(requests(&explorer).iter().filter(pages).count(), 1, "nothing is loaded ahead of the cursor");
    explorer.press("G").settle().press("G").wait_for("200 of 4,000").press("enter ]");
    let title = |explorer: &Explorer| explorer.screen().lines().nth(2).map(str::to_owned);
    let sibling = title(&explorer);
    assert!(sibling.as_ref().is_some_and(|title| title.contains("Lantern Keepers #1")), "{sibling:?}");
    explorer.press("esc enter");
    assert_eq!(title(&explorer), sibling, "the list went along");
}

#[test]
fn what_is_loaded_stays_where_the_server_finds_nothing() {
    let world = World::default();
    let answer = move |request: &Request| match request {
        Request::Collections(CollectionScope::NameAtServer(_), page) => {
            let none = CollectionScope::NameAtServer("no such name".into());
            world.answer(&Request::Collections(none, page.clone()))
        }
        other => world.answer(other),
    };
    let explorer = Explorer::builder().size(120, 30).scripted(answer).start();
    explorer.press("4 f").type_text("ORBIT on").settle().wait_for("Orbit").wait_gone("Lantern Keepers");
    explorer.press("enter enter").wait_for("1 of 40");
}

#[test]
fn a_list_that_goes_on_beyond_its_total_is_not_loaded_to_its_end() {
    let world = World { lanterns: 4000, ..World::default() };
    let answer = move |request: &Request| {
        let mut answer = world.answer(request);
        if let Ok(Answer::Tokens(page)) = &mut answer {
            page.total = Total::Exact(400);
        }
        answer
    };
    let explorer = Explorer::builder().size(100, 30).scripted(answer).start();
    explorer.press("4 j enter").wait_for("Tokens by id ↑, as text").settle();
    let pages = |request: &&Request| matches!(request, Request::Tokens(..));
    let count = requests(&explorer).iter().filter(pages).count();
    assert!((5..=11).contains(&count), "{count}");
}

#[test]
fn the_order_turns_and_is_asked_of_the_server() {
    let explorer = on(World::default()).start();
    explorer.press("4 j enter").wait_for("id ↑");
    for (key, title) in [("O", "id ↓"), ("O", "newest move first"), ("O", "oldest move first"), ("O", "id ↑")] {
        explorer.press(key).wait_for(title);
    }
    let mut orders: Vec<(TokenOrder, Order)> = Vec::new();
    for request in requests(&explorer) {
        if let Request::Tokens(query, PageRequest { order, cursor: rollscope::msg::PageStart::Start, .. }) = request {
            orders.push((query.order_by, order));
        }
    }
    let (id, height) = (TokenOrder::TokenId, TokenOrder::Height);
    let (up, down) = (Order::Ascending, Order::Descending);
    assert_eq!(orders, [(id, up), (id, down), (height, down), (height, up), (id, up)]);
    explorer.press("O").wait_for("id ↓").wait_for("Tokens by id ↓ ");
    assert_eq!(ids(&explorer)[..3], ["250", "249", "248"]);
}

#[test]
fn one_token_is_found_by_its_exact_id() {
    let explorer = on(World::default()).start();
    explorer.press("4 j enter").wait_for("1 of 250").press("f").wait_for(" token id:").type_text("17");
    explorer.settle().wait_for("17 of 250").press("enter").wait_for("id “17” only").wait_for("1 of 1");
    explorer.press("esc").wait_for("1 of 250").press("f").type_text("nope").press("enter");
    explorer.wait_for("no token with exactly this id").press("esc").wait_for("1 of 250");
}

#[test]
fn cards_are_walked_in_all_directions() {
    let explorer = on(World::default()).size(80, 24).start();
    explorer.press("4 j enter").wait_for("1 of 250").press("v").wait_for("#4").wait_gone("#5");
    explorer.press("l l").wait_for("3 of 250").press("h").wait_for("2 of 250").press("down").wait_for("6 of 250");
    explorer.wait_for("#8").wait_gone("#4").press("k").wait_for("2 of 250").press("k").wait_for("2 of 250");
    explorer.press("n").wait_for("6 of 250").press("ctrl-d").wait_for("10 of 250").press("G").wait_for("250 of 250");
    explorer.press("down").wait_for("250 of 250").press("g g").wait_for("1 of 250").press("enter");
    explorer.wait_for("Lantern Keepers #1").press("]").wait_for("Lantern Keepers #2").press("esc").wait_for("2 of 250");
    explorer.press("v").wait_for("owner").wait_for("2 of 250");
}

#[test]
fn collections_have_siblings_and_a_token_leads_back_to_its_collection() {
    let explorer = on(World::default()).start();
    explorer.press("4 enter").wait_for("Tide Glyphs").wait_for("1 of 12").press("]").wait_for("1 of 250");
    explorer.press("[").wait_for("1 of 12").press("enter").wait_for("Tide Glyphs #1").press("j j enter");
    explorer.wait_for("12 tokens").wait_for("Tokens by id ↑").press("esc esc esc").wait_for("NFTs · collections");
}

#[test]
fn an_owners_tokens_are_shown_by_collection() {
    let explorer = on(World::default()).start();
    explorer.press("4 j enter enter").wait_for("Lantern Keepers #1").press("N").wait_for("NFTs of init1");
    explorer.press("enter").wait_for("Tokens of init1");
    let owner: Address = world::owner(1);
    let asked = requests(&explorer);
    assert!(
        asked
            .iter()
            .any(|request| { matches!(request, Request::Collections(CollectionScope::Owner(of), _) if *of == owner) })
    );
    assert!(asked.iter().any(|request| matches!(request, Request::Tokens(query, _)
        if matches!(query.scope, TokenScope::Owner { address, collection: Some(_) } if address == owner))));
}

#[rstest]
#[case("4 j enter enter", "init1", "Txs · init1")]
#[case("4 j enter enter x", "0x", "Txs · init1")]
fn the_owner_of_a_token_is_opened(#[case] keys: &str, #[case] form: &str, #[case] title: &str) {
    let explorer = on(World::default()).start();
    explorer.press(keys).wait_for(&format!("owner       {form}")).press("j enter").wait_for(title);
}

#[test]
fn the_history_tells_who_had_the_token_and_opens_transactions() {
    let explorer = on(World::default()).start();
    explorer.press("4 j enter enter").wait_for("History").wait_for("minted to ").wait_for(" → ").wait_for("burned by ");
    explorer.wait_for("approve()").press("tab j").wait_for("2 of 5").press("enter").wait_for("[Story]");
    explorer.press("]").settle().press("esc").wait_for("3 of 5");
}

#[test]
fn a_token_that_is_gone_says_so_and_keeps_its_history() {
    let explorer = on(World { is_burned: true, ..World::default() }).start();
    explorer.press("4 j enter enter").wait_for("Lantern Keepers #1").wait_for("burned, or never minted");
    explorer.wait_for("minted to ").wait_for("owner       init1");
    let asked = |request: &&Request| matches!(request, Request::Tokens(query, _) if query.token_id.is_some());
    assert_eq!(
        requests(&explorer).iter().filter(asked).count(),
        1,
        "its history went on: asked once what became of it"
    );
    let name = format!("token {}/1", world::collection(1).hex());
    assert!(explorer.commands().contains(&Instruction::Remember(name)));
}

#[test]
fn values_are_copied_and_what_is_loaded_is_written() {
    let network = Network {
        name: "n".to_owned(),
        indexer: "https://indexer.example".to_owned(),
        explorer: ExplorerTemplates { account: Some("https://scan.example/{}".to_owned()), ..Default::default() },
        ..Network::default()
    };
    let explorer = on(World::default()).network(network).start();
    explorer.press("4 j y v").wait_for("copied").press("e enter");
    explorer.press("enter e enter y v y w y c o").press("enter y u y h e enter y j");
    let copied = explorer.copied();
    let lanterns = world::collection(1);
    assert_eq!(copied[0], lanterns.hex());
    assert_eq!(copied[1..3], ["1".to_owned(), world::owner(1).bech32()]);
    assert_eq!(copied[3], format!("curl -sS 'https://indexer.example/indexer/nft/v1/collections/{}'", lanterns.hex()));
    assert_eq!(copied[4..6], ["https://art.example/1.json".to_owned(), lanterns.hex()]);
    assert!(copied[6].contains("\"token_id\": \"1\""), "{}", copied[6]);
    assert_eq!(explorer.opened(), [format!("https://scan.example/{}", lanterns.bech32())]);
    let written = explorer.written();
    let lines: Vec<usize> = written.iter().map(|(_, contents)| contents.lines().count()).collect();
    let names: Vec<&str> = written.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((names, &lines[..2]), (vec!["collections.jsonl", "tokens.jsonl", "token.json"], &[4, 250][..]));
}

#[rstest]
fn screens(#[values((80, 24), (200, 50))] (columns, rows): (u16, u16)) {
    let network = Network { name: "fixed".to_owned(), fetches_metadata: true, ..Network::default() };
    for (name, keys) in [
        ("collections", "4 j"),
        ("collection", "4 j enter j"),
        ("gallery", "4 j enter v l"),
        ("token", "4 j enter enter"),
        ("token_json", "4 j enter enter J"),
    ] {
        let world = World::default();
        let now = world::now();
        let explorer = on(world).size(columns, rows).network(network.clone()).at(now).start();
        explorer.press(keys).settle();
        let name = format!("{name}_{columns}x{rows}");
        insta::with_settings!({ snapshot_path => "../snapshots" }, {
            insta::assert_snapshot!(name, explorer.screen());
        });
        explorer.quit();
    }
}

#[rstest]
fn the_embedded_rollups_nfts_are_explored(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = on_chain(mode, 120).start();
    explorer.press("4").wait_for("Lantern Keepers").press("f").type_text("LANTERN").settle().wait_gone("Moss Golems");
    explorer.press("enter enter").wait_for("Tokens by id ↑ ").wait_for("held by ");
    assert_eq!(ids(&explorer)[..3], ["1", "2", "3"]);
    explorer.press("enter").wait_for("Lantern Keepers #1").wait_for("ipfs://lantern-keepers/1").press("] [ ]");
    explorer.wait_for("Lantern Keepers #2").press("esc O").wait_for("id ↓").press("O").wait_for("newest move first");
    explorer.press("enter").wait_for("History").wait_for("1 of ").press("tab enter").wait_for("[Story]");
}

#[rstest]
#[case(60, 12)]
#[case(58, 10)]
#[case(24, 6)]
fn small_screens_show_one_thing_at_a_time(#[case] columns: u16, #[case] rows: u16) {
    let network = Network { fetches_metadata: true, ..Network::default() };
    let explorer = on(World::default()).size(columns, rows).network(network).start();
    explorer.press("4 j enter").wait_for("init1q").press("v").wait_for("#1").press("v enter").wait_for("owner");
    explorer.press("tab").wait_gone("owner").wait_for("burned").press("tab").wait_for("owner");
}
