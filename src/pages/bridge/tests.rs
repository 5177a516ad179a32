//! Tests of quote form and routes, on a clock that the test controls.

use std::{sync::Arc, time::Duration};

use strum::IntoEnumIterator as _;

use crate::pages::tests::Bench;
use crate::{
    app::page::Destination,
    config::Network,
    domain::{Amount, ChainId, Denom},
    msg::{Answer, Request, RouteVariant, Slot},
    pages::bridge::{
        BridgePage, BridgeSide,
        quote::{FormField, QuoteLayout, QuoteSide},
    },
    widgets::layout::{Pane, Regions},
    wire::{
        ApiError, ErrorKind, Step, Verbatim,
        router::{AssetRelease, AssetsResponse, ChainsResponse, DemoInfo, Route, RouteRequest},
    },
};

const L1: &str = "interwoven-1";
const OWN: &str = "demo-1";
const HERE: &str = "evm/aa";

fn bench() -> Bench {
    let network = Network {
        name: "test".to_owned(),
        chain_id: Some(OWN.to_owned()),
        indexer: "http://router".to_owned(),
        router: Some("http://router".to_owned()),
        ..Network::default()
    };
    let mut bench = Bench::on(network, (120, 40), Vec::new());
    bench.keys("6");
    bench
}

/// Answers requests for chains, assets and the wallet, until none are left.
fn introduce(bench: &mut Bench) {
    let is_directory = |slot: &Slot| matches!(slot, Slot::Chains | Slot::Assets(_) | Slot::DemoInfo);
    while let Some((ticket, request)) = bench.take(is_directory) {
        let answer = match request {
            Request::Chains => Answer::Chains(Arc::new(chains())),
            Request::Assets(chain) => {
                let assets = assets(&chain);
                Answer::Assets(chain, Arc::new(assets))
            }
            Request::DemoInfo => Answer::DemoInfo(Some(Arc::new(demo()))),
            other => panic!("{other:?}"),
        };
        bench.reply(ticket, Ok(answer));
    }
}

fn chains() -> Vec<crate::wire::router::ChainInfo> {
    let text = format!(r#"{{"chains":[{{"chain_id":"{L1}","pretty_name":"Initia"}},{{"chain_id":"{OWN}"}}]}}"#);
    serde_json::from_str::<ChainsResponse>(&text).expect("chains").chains
}

fn assets(chain: &ChainId) -> Vec<crate::wire::router::Asset> {
    let (denom, decimals) = if chain.as_str() == L1 { ("uinit", 6) } else { (HERE, 18) };
    let text = format!(
        r#"{{"chain_to_assets_map":{{"{chain}":{{"assets":[{{"denom":"{denom}","chain_id":"{chain}","symbol":"INIT",
        "decimals":{decimals},"origin_denom":"uinit","origin_chain_id":"{L1}"}}]}}}}}}"#
    );
    let mut all = serde_json::from_str::<AssetsResponse>(&text).expect("assets").chain_to_assets_map;
    all.remove(chain).expect("its assets").assets
}

fn demo() -> DemoInfo {
    let text = format!(r#"{{"chain_id":"{OWN}","wallet":{{"balances":{{"{L1}":{{"uinit":"500000000"}}}}}}}}"#);
    serde_json::from_str(&text).expect("a wallet")
}

fn side(bench: &Bench) -> &QuoteSide {
    let page = bench.app.navigation.current();
    &page.as_page::<BridgePage>().expect("the bridge").quote
}

/// Returns the time until the page changes by itself.
fn woken(bench: &Bench) -> Option<Duration> {
    bench.app.navigation.current().wake_in(&bench.app.context, bench.now)
}

fn asked(bench: &Bench) -> Vec<RouteRequest> {
    let request = |request: &Request| if let Request::Route(route) = request { Some(route.clone()) } else { None };
    bench.asked.iter().filter_map(|(_, asked)| request(asked)).collect()
}

fn route(request: &RouteRequest, amount_out: u128, seconds: u64) -> Arc<Verbatim<Route>> {
    let text = format!(
        r#"{{"amount_in":"{}","amount_out":"{amount_out}","source_asset_chain_id":"{}","source_asset_denom":"{}",
        "dest_asset_chain_id":"{}","dest_asset_denom":"{}","operations":[{{"op_init_transfer":{{"from_chain_id":"{L1}",
        "to_chain_id":"{OWN}","denom_in":"uinit","denom_out":"{HERE}"}},"tx_index":0,"amount_in":"1","amount_out":"2"}}],
        "estimated_route_duration_seconds":{seconds}}}"#,
        request.amount_in,
        request.source_asset_chain_id,
        request.source_asset_denom,
        request.dest_asset_chain_id,
        request.dest_asset_denom
    );
    Arc::new(serde_json::from_str(&text).expect("a route"))
}

/// Answers all open route requests.
fn answer(bench: &mut Bench, result: impl Fn(&RouteRequest) -> Result<Arc<Verbatim<Route>>, ApiError>) -> usize {
    for count in 0.. {
        let open = bench.asked.iter().position(|(_, request)| matches!(request, Request::Route(_)));
        let Some(place) = open else { return count };
        let (ticket, Request::Route(request)) = bench.asked.remove(place) else { unreachable!("it was looked for") };
        bench.reply(ticket, result(&request).map(Answer::Route));
    }
    unreachable!("the loop returns")
}

fn enter_amount(bench: &mut Bench, text: &str) {
    bench.keys("G enter ctrl-u");
    choose(bench, text);
}

/// Types into the open input and accepts it.
fn choose(bench: &mut Bench, text: &str) {
    text.chars().for_each(|character| bench.keys(&character.to_string()));
    bench.keys("enter");
}

fn offline() -> ApiError {
    failure(ErrorKind::Offline { step: Step::Connect, detail: "refused".to_owned() })
}

fn failure(kind: ErrorKind) -> ApiError {
    ApiError { kind, url: "http://router/v2/fungible/route".into(), body: None }
}

/// Returns an explorer that shows routes and has no pending request.
fn quoted() -> Bench {
    let mut bench = bench();
    introduce(&mut bench);
    bench.pass(300);
    assert_eq!(answer(&mut bench, |request| Ok(route(request, 1, 30))), 3);
    bench
}

#[test]
fn the_usual_way_is_filled_in_and_asked_for_in_three_ways() {
    let mut bench = bench();
    introduce(&mut bench);
    assert!(asked(&bench).is_empty(), "not before the form was at rest");
    assert_eq!(woken(&bench), Some(Duration::from_millis(300)));
    bench.pass(300);
    let asked = asked(&bench);
    assert_eq!(asked.len(), 3);
    for request in &asked {
        assert_eq!(request.amount_in, Amount::from(100_000_000));
        assert_eq!((request.source_asset_chain_id.as_str(), request.source_asset_denom.as_str()), (L1, "uinit"));
        assert_eq!((request.dest_asset_chain_id.as_str(), request.dest_asset_denom.as_str()), (OWN, HERE));
        assert_eq!((request.allow_unsafe, request.allow_multi_tx), (Some(true), Some(true)));
    }
    let ways = |request: &RouteRequest| (request.go_fast, request.is_op_withdraw);
    let all: Vec<_> = asked.iter().map(ways).collect();
    assert_eq!(all, [(None, None), (Some(true), None), (None, Some(true))]);
}

#[test]
fn only_the_last_of_quick_changes_is_asked_for_and_late_answers_are_dropped() {
    let mut bench = quoted();
    enter_amount(&mut bench, "2");
    assert!(side(&bench).offer().route().is_none(), "a route of another amount is no route of this one");
    bench.pass(200);
    enter_amount(&mut bench, "3");
    bench.pass(200);
    assert!(asked(&bench).is_empty());
    bench.pass(100);
    assert!(asked(&bench).iter().all(|request| request.amount_in == Amount::from(3_000_000)));
    let (late, Request::Route(request)) = bench.asked.last().cloned().expect("a question") else { panic!("a route") };
    enter_amount(&mut bench, "4");
    bench.reply(late, Ok(Answer::Route(route(&request, 9, 9))));
    assert!(RouteVariant::iter().all(|variant| side(&bench).offers.get(variant).route().is_none()));
}

#[test]
fn quotes_are_refreshed_while_they_are_looked_at_only() {
    let mut bench = quoted();
    bench.wait(9);
    assert!(asked(&bench).is_empty());
    bench.wait(1);
    assert_eq!(answer(&mut bench, |request| Ok(route(request, 1, 30))), 3);
    bench.keys("space");
    bench.wait(60);
    assert_eq!((asked(&bench).len(), woken(&bench)), (0, None), "frozen");
    bench.keys("r");
    assert_eq!(answer(&mut bench, |request| Ok(route(request, 1, 30))), 3, "a person asks");
    bench.keys("space shift-tab");
    bench.wait(60);
    assert_eq!(asked(&bench).len(), 0, "the other side");
    bench.keys("1");
    bench.wait(60);
    assert_eq!((asked(&bench).len(), woken(&bench)), (0, None), "another tab");
    bench.keys("6 h");
    assert_eq!(asked(&bench).len(), 3, "old quotes are asked for at once");
}

#[test]
fn arrows_go_to_the_field_or_the_route_beside_and_tab_goes_round() {
    let mut bench = quoted();
    let steps = [
        ("g g", FormField::SourceChain),
        ("right", FormField::SourceAsset),
        ("l", FormField::SourceChain),
        ("h down", FormField::DestinationAsset),
        ("left", FormField::DestinationChain),
        ("k right j", FormField::DestinationAsset),
        ("j", FormField::Amount),
        ("right left", FormField::Amount),
    ];
    for (keys, field) in steps {
        bench.keys(keys);
        assert_eq!((side(&bench).field, side(&bench).focus), (field, Pane::First), "{keys}");
    }
    bench.keys("tab");
    let steps = [
        ("right", RouteVariant::Fast),
        ("l", RouteVariant::Optimistic),
        ("right", RouteVariant::Default),
        ("left left left", RouteVariant::Default),
        ("]", RouteVariant::Fast),
        ("[", RouteVariant::Default),
    ];
    for (keys, variant) in steps {
        bench.keys(keys);
        assert_eq!((side(&bench).chosen, side(&bench).focus), (variant, Pane::Second), "{keys}");
    }
    assert_eq!(side(&bench).field, FormField::Amount, "the form keeps its cursor");
    let is_board = |bench: &Bench| bench.page::<BridgePage>().side == BridgeSide::Transfers;
    for (keys, expected) in [
        ("tab", (true, Pane::Second)),
        ("tab", (false, Pane::First)),
        ("shift-tab", (true, Pane::First)),
        ("shift-tab", (false, Pane::Second)),
        ("shift-tab", (false, Pane::First)),
        ("shift-tab right", (false, Pane::First)),
    ] {
        bench.keys(keys);
        assert_eq!((is_board(&bench), side(&bench).focus), expected, "{keys}");
    }
}

#[test]
fn columns_are_chosen_while_the_quotes_are_under_way() {
    let mut bench = bench();
    introduce(&mut bench);
    bench.keys("s tab right right enter");
    assert_eq!(side(&bench).chosen, RouteVariant::Optimistic, "each key counts before the first answer");
    let said = bench.app.toasts.shown().map(|toast| toast.text.clone()).unwrap_or_default();
    assert!(said.contains("has not answered for this column yet"), "{said}");
    bench.pass(300);
    answer(&mut bench, |request| Ok(route(request, 99, 30)));
    assert_eq!(side(&bench).chosen, RouteVariant::Optimistic, "an answer moves no cursor");
    bench.keys("left right enter");
    let page = bench.app.navigation.current();
    assert!(page.as_page::<BridgePage>().is_none(), "the chosen route is opened");
}

#[test]
fn the_cursor_goes_down_to_a_chain_that_is_still_to_be_chosen() {
    let mut bench = bench();
    bench.keys("g g enter");
    choose(&mut bench, "far-1");
    choose(&mut bench, "ufar");
    assert_eq!(side(&bench).field, FormField::SourceAsset);
    bench.keys("j");
    assert_eq!(side(&bench).field, FormField::DestinationChain);
    bench.keys("j");
    assert_eq!(side(&bench).field, FormField::Amount);
}

#[test]
fn a_slow_answer_is_not_asked_for_anew() {
    let mut bench = bench();
    introduce(&mut bench);
    bench.pass(300);
    let before: Vec<_> = bench.asked.iter().map(|(ticket, _)| ticket.clone()).collect();
    bench.wait(25);
    let after: Vec<_> = bench.asked.iter().map(|(ticket, _)| ticket.clone()).collect();
    assert!(before.iter().filter(|ticket| matches!(ticket.slot, Slot::Page(..))).all(|ticket| after.contains(ticket)));
}

#[test]
fn what_changed_is_marked_until_the_next_quote() {
    let mut bench = quoted();
    let route_lines = |bench: &mut Bench| {
        let rows = side(bench).route_lines.rows();
        let text =
            |row: &crate::widgets::document::ScreenRow<'_>| row.pieces.iter().map(|piece| piece.text.clone()).collect();
        rows.iter().map(text).collect::<Vec<String>>().join("\n")
    };
    assert!(!route_lines(&mut bench).contains("changed"), "a first quote has nothing to differ from");
    bench.wait(10);
    answer(&mut bench, |request| Ok(route(request, 2_000_000_000_000_000_000, 45)));
    let text = route_lines(&mut bench);
    assert!(text.contains("receive 0.000000000000000001 INIT → 2 INIT · takes 30 s → 45 s"), "{text}");
    bench.wait(10);
    answer(&mut bench, |_| Err(offline()));
    assert!(route_lines(&mut bench).contains("takes 30 s → 45 s"), "a failed refresh changes nothing");
    bench.wait(10);
    answer(&mut bench, |request| Ok(route(request, 2_000_000_000_000_000_000, 45)));
    assert!(!route_lines(&mut bench).contains("changed"), "an equal quote changes nothing");
}

#[test]
fn a_refusal_takes_the_route_away_and_rests_and_a_failure_does_neither() {
    let mut bench = quoted();
    bench.wait(10);
    answer(&mut bench, |request| match request.is_op_withdraw {
        Some(true) => Err(failure(ErrorKind::NoRoute("no routes found".into()))),
        _ => Err(failure(ErrorKind::RateLimited(Some(Duration::from_secs(25))))),
    });
    assert!(side(&bench).offers.get(RouteVariant::Default).route().is_some(), "stale, and still there");
    assert!(side(&bench).offers.get(RouteVariant::Optimistic).route().is_none());
    bench.wait(20);
    assert!(asked(&bench).is_empty(), "the server asked for 25 s");
    bench.wait(10);
    assert_eq!(answer(&mut bench, |request| Ok(route(request, 1, 30))), 2, "the refusal still rests");
    bench.wait(10);
    bench.wait(20);
    assert!(asked(&bench).iter().any(|request| request.is_op_withdraw == Some(true)), "not for ever");
}

#[test]
fn an_amount_stays_the_same_when_its_decimals_become_known() {
    let mut bench = bench();
    let Some((ticket, _)) = bench.take(|slot| *slot == Slot::Chains) else { panic!("no chains were asked for") };
    bench.reply(ticket, Ok(Answer::Chains(Arc::new(chains()))));
    bench.keys("enter");
    choose(&mut bench, OWN);
    choose(&mut bench, HERE);
    enter_amount(&mut bench, "1.5");
    assert!(side(&bench).form.amount.is_none(), "parts of a smallest unit do not exist");
    bench.keys("ctrl-u 1 5 0 0 0 0 0 enter");
    introduce(&mut bench);
    let entered = side(&bench).form.amount.expect("an amount");
    assert_eq!((entered.amount, entered.text().as_str()), (Amount::from(1_500_000), "0.0000000000015"));
}

#[test]
fn swapping_the_ends_keeps_the_display_units() {
    let mut bench = quoted();
    enter_amount(&mut bench, "1.25");
    bench.keys("s");
    let form = &side(&bench).form;
    assert_eq!(form.source.pair(), Some((&ChainId::new(OWN), &Denom::new(HERE))));
    assert_eq!(form.amount.map(|entered| entered.amount), Some(Amount::from(1_250_000_000_000_000_000)));
    bench.keys("s");
    assert_eq!(side(&bench).form.amount.map(|entered| entered.amount), Some(Amount::from(1_250_000)));
}

#[test]
fn the_amount_stays_while_another_chain_is_chosen() {
    let mut bench = quoted();
    enter_amount(&mut bench, "1.25");
    bench.keys("g g enter");
    choose(&mut bench, "third-1");
    let form = &side(&bench).form;
    assert_eq!((form.source.chain.as_ref(), form.source.denom.as_ref()), (Some(&ChainId::new("third-1")), None));
    assert_eq!(form.amount.as_ref().map(|entered| entered.text()).as_deref(), Some("1.25"));
    bench.keys("esc g g enter");
    choose(&mut bench, L1);
    choose(&mut bench, "uinit");
    assert_eq!(side(&bench).form.amount.map(|entered| entered.amount), Some(Amount::from(1_250_000)));
}

#[test]
fn released_funds_become_the_source() {
    let mut bench = quoted();
    bench.keys("1");
    let release = AssetRelease {
        chain_id: ChainId::new(OWN),
        denom: Denom::new(HERE),
        amount: Some(Amount::from(7)),
        released: true,
    };
    bench.app.open_page(Destination::QuoteFrom(release.clone(), None));
    let form = &side(&bench).form;
    assert_eq!(form.source.pair(), Some((&release.chain_id, &release.denom)));
    assert_eq!(form.amount.map(|entered| entered.amount), release.amount);
    assert_eq!(form.destination.pair(), Some((&ChainId::new(OWN), &Denom::new(HERE))), "what the form had");
}

#[test]
fn transfers_stand_below_the_routes_where_there_is_room() {
    let heights = |rows: u16, transfers: usize| {
        let layout = QuoteLayout::of(&Regions::new((120, rows)), 10, transfers);
        (layout.transfers.height, layout.route_lines.height)
    };
    let (none, hops) = heights(50, 0);
    assert_eq!(none, 0);
    assert_eq!(heights(50, 2), (5, hops - 5));
    assert_eq!(heights(50, 500).0, 15, "twelve of them");
    let (some, rest) = heights(36, 500);
    assert!(some > 3 && rest >= 6, "{some} {rest}");
    assert_eq!((heights(24, 500).0, heights(14, 500).0), (0, 0));
}

#[test]
fn the_board_reads_what_is_kept_each_time_that_it_comes_on_screen() {
    let mut bench = bench();
    let reads = |bench: &mut Bench| match bench.take(|slot| *slot == Slot::Transfers) {
        Some((ticket, _)) => {
            bench.reply(ticket, Ok(Answer::Transfers(Vec::new())));
            true
        }
        None => false,
    };
    reads(&mut bench);
    for (keys, is_read, why) in [
        ("shift-tab", true, "its side is turned to it"),
        ("j o", false, "it stays"),
        ("tab shift-tab", true, "the other side was shown"),
        ("1 7", true, "another tab was shown"),
        ("h", false, "it is left"),
        ("1 6", false, "the tab shows the other side"),
    ] {
        bench.keys(keys);
        bench.wait(1);
        assert_eq!(reads(&mut bench), is_read, "{keys}: {why}");
    }
}
