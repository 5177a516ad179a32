//! The first side of the Bridge tab: the form, its pickers, and the routes side by side.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use rollscope::{
    config::Network,
    domain::{Amount, Denom, GasPrice, LocalZone},
    msg::{Answer, Instruction, Report, Request},
    tui::{Start, WorkerLink},
    wire::{
        ApiError, ErrorKind, Step,
        router::{AssetsResponse, ChainsResponse, RouteRequest},
    },
};
use rstest::rstest;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::harness::{Builder, Explorer};

const HERE: &str = "evm/2eE7007DF876084d4C74685e90bB7f4cd7c86e22";
const USDC: &str = "ibc/6490A7EAB61059BFC1CDDEB05917DD70BDF3A611654162A1A47DB930D40D8AF4";
const VOUCHER: &str = "ibc/9055D784E46926951D1FF95AA41245B291FA9AAFFAE5C9D0D515877F647D5227";

fn error(kind: ErrorKind) -> ApiError {
    ApiError { kind, url: "http://router.example/v2/fungible/route".into(), body: None }
}

fn offline() -> ApiError {
    error(ErrorKind::Offline { step: Step::Connect, detail: "connection refused".to_owned() })
}

fn chains() -> Answer {
    let chain = |id: &str, name: &str, kind: &str| json!({"chain_id": id, "pretty_name": name, "chain_type": kind});
    let all = json!({"chains": [
        chain("interwoven-1", "Initia", "cosmos"),
        chain("demo-1", "Demo\u{1b}[2J rollup", "cosmos"),
        chain("noble-1", "Noble", "cosmos"),
        chain("1", "Ethereum", "evm"),
    ]});
    Answer::Chains(Arc::new(serde_json::from_value::<ChainsResponse>(all).expect("chains").chains))
}

fn assets(chain: &str) -> Vec<Value> {
    let asset = |denom: &str, symbol: &str, decimals: u8| {
        json!({"denom": denom, "chain_id": chain, "symbol": symbol, "name": symbol, "decimals": decimals,
            "origin_denom": if symbol == "INIT" { "uinit" } else { denom }})
    };
    match chain {
        "interwoven-1" => vec![asset("uinit", "INIT", 6), asset(USDC, "USDC", 6), asset(VOUCHER, "dINIT", 6)],
        "demo-1" => vec![asset(HERE, "INIT", 18)],
        "noble-1" => vec![asset("uusdc", "USDC", 6)],
        _ => Vec::new(),
    }
}

fn introduction(request: &Request) -> Option<Answer> {
    Some(match request {
        Request::Status => {
            let status = json!({"chain_id": "demo-1", "height": 7});
            Answer::Status(Box::new(serde_json::from_value(status).expect("a status")))
        }
        Request::Chains => chains(),
        Request::Assets(chain) => {
            let all = json!({"chain_to_assets_map": {chain.as_str(): {"assets": assets(chain.as_str())}}});
            let mut all = serde_json::from_value::<AssetsResponse>(all).expect("assets").chain_to_assets_map;
            Answer::Assets(chain.clone(), Arc::new(all.remove(chain).unwrap_or_default().assets))
        }
        Request::DemoInfo => {
            let demo = json!({"chain_id": "demo-1", "wallet": {"balances": {
                "interwoven-1": {"uinit": "1000000000"}, "demo-1": {HERE: "183728994411248123456789"}}}});
            Answer::DemoInfo(Some(Arc::new(serde_json::from_value(demo).expect("a wallet"))))
        }
        _ => return None,
    })
}

fn answer(route: &Value) -> Answer {
    Answer::Route(Arc::new(serde_json::from_str(&route.to_string()).expect("a route")))
}

fn envelope(request: &RouteRequest, amount_out: &str, seconds: u64, operations: &Value, fees: &Value) -> Value {
    json!({
        "amount_in": request.amount_in, "amount_out": amount_out, "estimated_amount_out": amount_out,
        "source_asset_chain_id": request.source_asset_chain_id, "source_asset_denom": request.source_asset_denom,
        "dest_asset_chain_id": request.dest_asset_chain_id, "dest_asset_denom": request.dest_asset_denom,
        "operations": operations, "estimated_fees": fees, "estimated_route_duration_seconds": seconds,
        "chain_ids": [request.source_asset_chain_id, request.dest_asset_chain_id], "txs_required": 1,
        "usd_amount_in": "4.20", "usd_amount_out": "4.19",
    })
}

/// In by the optimistic bridge, whatever was preferred.
fn deposit(request: &RouteRequest) -> Value {
    let amount = request.amount_in.to_string() + "000000000000";
    let step = json!({"op_init_transfer": {"from_chain_id": "interwoven-1", "to_chain_id": "demo-1", "denom_in": "uinit",
        "denom_out": HERE, "op_init_bridge_id": "12"}, "tx_index": 0, "amount_in": request.amount_in, "amount_out": amount});
    envelope(request, &amount, 30, &json!([step]), &json!([]))
}

/// Out by IBC and a swap; by a solver, for more; by the optimistic bridge, a week long for nothing.
fn withdrawal(request: &RouteRequest, number: u64) -> Value {
    let whole = request.amount_in.get() / alloy_primitives::U256::from(1_000_000_000_000_u64);
    let whole = u64::try_from(whole).expect("a small amount");
    if request.is_op_withdraw == Some(true) {
        let step = json!({"op_init_transfer": {"from_chain_id": "demo-1", "to_chain_id": "interwoven-1", "denom_in": HERE,
            "denom_out": "uinit"}, "tx_index": 0, "amount_in": request.amount_in, "amount_out": whole.to_string()});
        return envelope(request, &whole.to_string(), 604_800, &json!([step]), &json!([]));
    }
    let lost = 137_896 + number + if request.go_fast == Some(true) { 250_000 } else { 0 };
    let out = (whole - lost).to_string();
    let seconds = if request.go_fast == Some(true) { 12 } else { 45 };
    let steps = json!([
        {"transfer": {"from_chain_id": "demo-1", "to_chain_id": "interwoven-1", "channel": "channel-0", "denom_in": HERE,
            "denom_out": VOUCHER}, "tx_index": 0, "amount_in": request.amount_in, "amount_out": whole.to_string()},
        {"swap": {"chain_id": "interwoven-1", "from_chain_id": "interwoven-1", "denom_in": VOUCHER, "denom_out": "uinit",
            "swap_venues": [{"name": "initia-minitswap", "chain_id": "interwoven-1"}]}, "tx_index": 0,
            "amount_in": whole.to_string(), "amount_out": out},
        {"warp_drive": {"from_chain_id": "interwoven-1", "to_chain_id": "interwoven-1", "denom_out": "uinit"},
            "tx_index": 0, "amount_in": out, "amount_out": out},
    ]);
    let fee = |amount: &str, behavior: &str, place: u8| {
        json!({"fee_type": "RELAY", "bridge_id": "IBC", "amount": amount, "origin_asset": {"denom": "uinit",
            "chain_id": "interwoven-1"}, "chain_id": "interwoven-1", "operation_index": place, "fee_behavior": behavior})
    };
    let fees = json!([fee("30000", "FEE_BEHAVIOR_DEDUCTED", 0), fee("10000", "FEE_BEHAVIOR_ADDITIONAL", 1)]);
    let mut route = envelope(request, &out, seconds, &steps, &fees);
    route["does_swap"] = true.into();
    route["swap_price_impact_percent"] = "0.21".into();
    if request.go_fast == Some(true) {
        route["warning"] = json!({"type": "BAD_PRICE_WARNING", "message": "the price\u{7} is bad"});
        route["extra_warnings"] = json!(["liquidity is low"]);
    }
    route
}

fn quote(request: &RouteRequest, number: u64) -> Result<Answer, ApiError> {
    let is_deposit = matches!(request.source_asset_chain_id.as_str(), "interwoven-1" | "third-1");
    match request.dest_asset_chain_id.as_str() {
        "1" => Err(error(ErrorKind::Notice("the bridge to Ethereum is\u{1b} paused".into()))),
        "noble-1" => Err(error(ErrorKind::NoRoute("no routes found".into()))),
        _ if is_deposit && request.is_op_withdraw == Some(true) => {
            Err(error(ErrorKind::NoRoute("no routes found".into())))
        }
        _ if is_deposit => Ok(answer(&deposit(request))),
        _ => Ok(answer(&withdrawal(request, number))),
    }
}

fn network() -> Network {
    let chain_id = Some("demo-1".to_owned());
    let (indexer, router) = ("http://router.example".to_owned(), Some("http://router.example".to_owned()));
    Network { name: "custom".to_owned(), chain_id, indexer, router, ..Network::default() }
}

fn unknown() -> Result<Answer, ApiError> {
    Err(error(ErrorKind::NotFound("[NOT_FOUND] not found".into())))
}

/// An explorer of this router; each round of quotes is a little worse than the one before.
fn routed() -> Builder {
    let number = AtomicU64::new(0);
    Explorer::builder().network(network()).scripted(move |request| match request {
        Request::Route(route) => quote(route, number.fetch_add(1, Ordering::Relaxed) / 3),
        _ => introduction(request).map_or_else(unknown, Ok),
    })
}

/// Clocks are those of who looks, and named; the day after is told by them too.
#[test]
fn when_a_route_is_through_is_told_in_the_persons_zone() {
    let zone = LocalZone::of_rules("CET-1CEST,M3.5.0,M10.5.0/3").expect("rules of a zone");
    let explorer = routed().size(120, 36).zone(zone).start();
    explorer.press("6").advance(Duration::from_millis(300)).wait_for("takes · CET").wait_for("30 s · 13:00:30");
    explorer.quit();
}

/// The tab with its first routes.
fn quoted(columns: u16, rows: u16) -> Explorer {
    let explorer = routed().size(columns, rows).start();
    explorer.press("6").advance(Duration::from_millis(300));
    explorer
}

/// A withdrawal of 40 INIT, quoted twice.
fn withdrawn(columns: u16, rows: u16) -> Explorer {
    let explorer = quoted(columns, rows);
    explorer.press("s enter ctrl-u").type_text("40").press("enter").advance(Duration::from_millis(300));
    explorer
}

#[test]
fn the_tab_opens_with_the_usual_way_and_its_routes() {
    let explorer = quoted(120, 36);
    explorer.wait_for("Initia  interwoven-1").wait_for("Demo rollup  demo-1").wait_for("demo wallet has 1,000 INIT");
    explorer.wait_for("30 s · 12:00:30").wait_for("same as default").wait_for("unavailable");
    explorer.wait_for("quoted 0 s ago").advance(Duration::from_secs(4)).wait_for("quoted 4 s ago ▰▰▰▰▱▱▱▱▱▱");
    explorer.wait_for("OP bridge").wait_for("30 s (100 %)");
    explorer.quit();
}

#[test]
fn routes_are_compared_and_shown_hop_by_hop() {
    let explorer = withdrawn(160, 40);
    explorer.wait_for("39.862103 INIT").wait_for("−0.25, −33 s").wait_for("+0.137897, +6 d 23 h");
    explorer.wait_for("7 d · 02-07 12:00").wait_for("0.21 %, min 39.662792 INIT").wait_for("$4.20 → $4.19");
    explorer.wait_for("‼ 2 warnings");
    // Fees of one asset have shares; the router's one duration is of no hop alone but the only one that travels.
    explorer.wait_for("0.03 INIT (75 %)").wait_for("Swap on initia-minitswap").wait_for("warp_drive");
    explorer.press("]").wait_for("the price is bad").wait_for("! liquidity is low").wait_for("▸ Go Fast");
    explorer.press("]").wait_for("7 d (100 %)");
    explorer.quit();
}

#[test]
fn what_changed_from_one_quote_to_the_next_is_marked() {
    let explorer = withdrawn(200, 40);
    explorer.advance(Duration::from_secs(10)).wait_for("39.862103 INIT → 39.862102 INIT");
    explorer.resize(90, 40).wait_for("≠ 39.862102 INIT").wait_for("changed  receive 39.862103 INIT → 39.862102 INIT");
    explorer.quit();
}

#[test]
fn chains_and_assets_are_chosen_by_parts_of_their_names_or_typed() {
    let explorer = quoted(120, 36);
    // The destination: a chain by its name, which has an INIT no more, so that the asset is asked for next.
    explorer.press("g g j enter").type_text("nobl").press("enter").wait_for("Asset to receive on Noble");
    explorer.type_text("usd").press("enter").advance(Duration::from_millis(300)).wait_for("✗ no route");
    explorer.wait_for("no routes found");
    explorer.press("g g enter").wait_for("Source chain").type_text("strange-7").press("enter");
    explorer.wait_for("Asset to send from strange-7").type_text("factory/x/y").press("enter");
    explorer.wait_for("in the smallest unit: decimals unknown");
    explorer.press("G enter").type_text("1.5").press("enter").wait_for("decimals unknown");
    explorer.press("ctrl-u").type_text("1500").press("enter").wait_for("1,500 smallest units of factory/x/y");
    explorer.quit();
}

#[test]
fn amounts_that_cannot_be_sent_are_refused_in_words() {
    let explorer = quoted(100, 30);
    explorer.press("enter").wait_for("Amount in INIT (up to 6 places)");
    for (text, words) in [
        ("0", "the amount must be over 0"),
        ("0.0000001", "write at most 6 decimal places for this token"),
        ("many", "“many” is not an amount such as 12.5"),
        ("1,5", "write thousands"),
    ] {
        explorer.press("ctrl-u").type_text(text).press("enter").wait_for(words);
    }
    explorer
        .press("ctrl-u")
        .type_text(&"9".repeat(75))
        .press("enter")
        .wait_for("the amount exceeds the limit of a chain");
    explorer.press("ctrl-u").type_text("1000.5").press("enter").wait_for("▲ over the demo wallet's 1,000 INIT");
    explorer.quit();
}

#[test]
fn a_fee_that_the_wallet_cannot_pay_is_told_at_the_form() {
    // The settings name the fee's denom in another case.
    let price = GasPrice::new(Denom::new(HERE.to_lowercase()), "1000000000").unwrap();
    let network = Network { fees: vec![price.into()], ..network() };
    let script = |request: &Request| match request {
        Request::Route(route) => quote(route, 0),
        Request::DemoInfo => {
            let demo =
                json!({"chain_id": "demo-1", "wallet": {"balances": {"demo-1": {HERE: "40000000000000000000"}}}});
            Ok(Answer::DemoInfo(Some(Arc::new(serde_json::from_value(demo).expect("a wallet")))))
        }
        _ => introduction(request).map_or_else(unknown, Ok),
    };
    let explorer = Explorer::builder().network(network).scripted(script).size(100, 30).start();
    explorer.press("6").advance(Duration::from_millis(300)).press("s").wait_for("demo wallet has 40 INIT ");
    for (amount, told) in [
        ("40", "▲ fee about 0.00013 INIT, left 0 INIT "),
        ("39.9999", "▲ fee about 0.00013 INIT, left 0.0001 INIT "),
        ("39.99987", "demo wallet has 40 INIT "),
    ] {
        explorer.press("enter ctrl-u").type_text(amount).press("enter").wait_for(told);
    }
    explorer.quit();
}

#[test]
fn a_notice_of_the_router_is_no_error() {
    let explorer = quoted(120, 36);
    explorer.press("g g j enter").type_text("ethereum").press("enter").type_text("0xA0b8").press("enter");
    explorer.advance(Duration::from_millis(300)).wait_for("i unavailable").wait_for("the bridge to Ethereum is");
    assert!(!explorer.screen().contains('✗'), "{}", explorer.screen());
    explorer.quit();
}

#[test]
fn a_route_is_copied_saved_and_gone_on_with() {
    let explorer = withdrawn(120, 36);
    explorer.press("y j").press("y c");
    let copied = explorer.copied();
    let route: Value = serde_json::from_str(&copied[0]).expect("the route's JSON");
    assert_eq!(route["amount_out"], "39862103");
    assert!(
        copied[1].starts_with("curl") && copied[1].contains("'http://router.example/v2/fungible/route'"),
        "{copied:?}"
    );
    assert!(copied[1].contains(r#""allow_unsafe":true"#), "{copied:?}");
    explorer.press("e enter");
    let (name, contents) = explorer.written().pop().expect("a file");
    assert_eq!((name.as_str(), contents.trim_end()), ("route-demo-1-interwoven-1.json", copied[0].as_str()));
    explorer.press("] tab enter").wait_for("Send");
    explorer.press("esc").wait_for("▸ Go Fast");
    explorer.quit();
}

#[test]
fn a_narrow_screen_shows_one_route_at_a_time() {
    for (columns, rows) in [(64, 20), (50, 18)] {
        let explorer = withdrawn(columns, rows);
        explorer.wait_for("▸ Default").wait_for("39.862103 INIT");
        explorer.press("]").wait_for("▸ Go Fast").wait_for("39.612103 INIT").wait_gone("▸ Default");
        explorer.quit();
    }
    withdrawn(64, 20).wait_for("Default 1/3");
}

#[test]
fn without_a_router_one_sentence_says_what_to_do() {
    let network = Network { name: "custom".to_owned(), ..Network::default() };
    let script = |request: &Request| introduction(request).map_or_else(unknown, Ok);
    let explorer = Explorer::builder().network(network).scripted(script).start();
    explorer.press("6").wait_for("No router is configured for the network custom").wait_for("--router URL");
    let is_asked =
        |command: &Instruction| matches!(command, Instruction::Fetch(_, Request::Chains | Request::DemoInfo));
    assert!(!explorer.commands().iter().any(is_asked));
    explorer.quit();
}

#[test]
fn a_router_that_is_away_is_told_of_and_asked_again() {
    let number = AtomicU64::new(0);
    let explorer = Explorer::builder()
        .network(network())
        .scripted(move |request| match request {
            Request::Chains | Request::Assets(_) | Request::Route(_) if number.fetch_add(1, Ordering::Relaxed) < 4 => {
                Err(offline())
            }
            Request::Route(route) => quote(route, 0),
            _ => introduction(request).map_or_else(unknown, Ok),
        })
        .start();
    explorer.press("6").wait_for("the router does not answer: type the chains");
    explorer.press("enter").type_text("interwoven-1").press("enter").type_text("uinit").press("enter");
    explorer
        .press("j enter")
        .wait_for("this network")
        .type_text("demo-1")
        .press("enter")
        .type_text(HERE)
        .press("enter");
    explorer.press("j enter").type_text("1").press("enter").advance(Duration::from_millis(300));
    explorer.wait_for("✗ no answer (connect)").wait_for("connect ✗").wait_for("check the address and port");
    explorer.press("r").wait_for("30 s · ").wait_gone("does not answer").wait_for("1 INIT");
    explorer.quit();
}

#[test]
fn the_balance_beside_the_amount_fits_a_narrow_form() {
    let explorer = withdrawn(120, 36);
    explorer.wait_for("demo wallet has 183,728.994411248123456789 INIT");
    explorer.quit();
    let explorer = withdrawn(80, 24);
    explorer.wait_for("demo wallet has 183,728.99… INIT");
    explorer.press("enter ctrl-u").type_text("200000").press("enter").wait_for("▲ over 183,728.99… INIT");
    explorer.quit();
}

/// A router that fails, has no such list, or lists nothing: what it did is said, and the form can be filled in by
/// typing.
#[rstest]
#[case::fails(Some(ErrorKind::Server { status: 500, sentence: "oops".into() }), "the router's chain list failed")]
#[case::lacks(Some(ErrorKind::Rejected { status: 404, sentence: "Cannot GET".into() }), "the router has no chain list")]
#[case::empty(None, "the router lists no chains")]
fn a_router_without_lists_can_be_asked_for_what_is_typed(#[case] kind: Option<ErrorKind>, #[case] said: &str) {
    let explorer = Explorer::builder()
        .network(network())
        .scripted(move |request| match (request, &kind) {
            (Request::Chains | Request::Assets(_), Some(kind)) => Err(error(kind.clone())),
            (Request::Chains, None) => Ok(Answer::Chains(Arc::new(Vec::new()))),
            (Request::Assets(chain), None) => Ok(Answer::Assets(chain.clone(), Arc::new(Vec::new()))),
            (Request::Route(route), _) => quote(route, 0),
            _ => introduction(request).map_or_else(unknown, Ok),
        })
        .start();
    explorer.press("6").wait_for(said).wait_for("type the");
    for (keys, text) in [("g g enter", "third-1"), ("", "uthird"), ("j enter", "demo-1"), ("", HERE)] {
        explorer.press(keys).type_text(text).press("enter");
    }
    explorer.press("j enter").type_text("1000000").press("enter").advance(Duration::from_millis(300));
    explorer.wait_for("30 s · ").wait_for("in the smallest unit");
    explorer.quit();
}

#[test]
fn the_amount_asked_for_is_exact() {
    let explorer = withdrawn(120, 36);
    let amounts: Vec<Amount> = explorer
        .commands()
        .iter()
        .filter_map(|command| match command {
            Instruction::Fetch(_, Request::Route(request)) => Some(request.amount_in),
            _ => None,
        })
        .collect();
    assert_eq!(amounts.last(), Some(&Amount::from(40_000_000_000_000_000_000)));
    explorer.quit();
}

#[test]
fn the_embedded_router_quotes_in_both_directions() {
    let explorer = super::on_chain(super::Mode::Specified, 20).size(120, 36).start();
    explorer.press("6").wait_for("demo wallet has").advance(Duration::from_millis(300));
    explorer.wait_for("OP bridge").wait_for("same as default").wait_for("unavailable");
    explorer.press("s").advance(Duration::from_millis(300)).wait_for("Swap on").wait_for("hop by hop");
    explorer.press("] ]").wait_for("▸ Optimistic").wait_for("OP bridge");
    explorer.quit();
}

/// A worker of a router that is slow to tell what accounts hold: the first such question stays open, the next is
/// answered.
fn slow_to_tell_balances() -> Start {
    Box::pin(async {
        let (sender, reports) = mpsc::channel(1024);
        let mut asked = 0;
        let answer = move |request: &Request| match request {
            Request::RouterBalances(question) => {
                asked += 1;
                let held = |denom: &str, amount: &str| json!({"denoms": {denom: {"amount": amount}}});
                let chains = question.chains.keys().map(|chain| match chain.as_str() {
                    "demo-1" => ("demo-1".to_owned(), held(HERE, "5000000000000000000")),
                    other => (other.to_owned(), held("uinit", "7000000")),
                });
                let body = json!({"chains": Value::Object(chains.collect())});
                let balances = serde_json::from_value(body).expect("balances");
                (asked > 1).then(|| Ok(Answer::RouterBalances(Arc::new(balances))))
            }
            Request::DemoInfo => {
                let addresses = json!({"interwoven-1": "init1me", "demo-1": "init1me"});
                let demo = json!({"chain_id": "demo-1", "wallet": {"addresses": addresses}});
                Some(Ok(Answer::DemoInfo(Some(Arc::new(serde_json::from_value(demo).expect("a wallet"))))))
            }
            Request::Route(route) => Some(quote(route, 0)),
            _ => Some(introduction(request).map_or_else(unknown, Ok)),
        };
        let mut answer = answer;
        let send = move |command| {
            if let Instruction::Fetch(ticket, request) = command
                && let Some(reply) = answer(&request)
            {
                sender.try_send(Report::Reply(ticket, reply)).expect("room for the answer, and a loop that takes it");
            }
        };
        Ok(WorkerLink { send: Box::new(send), reports })
    })
}

#[test]
fn who_goes_on_to_the_other_asset_at_once_learns_what_is_held_on_both_chains() {
    let explorer = Explorer::builder().network(network()).worker(slow_to_tell_balances()).size(120, 36).start();
    explorer.press("6").wait_for("Demo rollup  demo-1");
    // The question for the one is still open when that for the other is put.
    explorer.keys("g g right j").settle();
    explorer.press("enter").wait_for("you have 5 ").press("esc");
    explorer.press("k enter").wait_for("you have 7 ");
    explorer.quit();
}

#[rstest]
fn screens(#[values((80, 24), (200, 50), (50, 14))] (columns, rows): (u16, u16)) {
    let explorer = withdrawn(columns, rows);
    insta::assert_snapshot!(format!("quote_{columns}x{rows}"), explorer.screen());
    explorer.press("tab ]").advance(Duration::from_secs(10));
    insta::assert_snapshot!(format!("quote_fast_{columns}x{rows}"), explorer.screen());
    explorer.press("tab g g enter");
    insta::assert_snapshot!(format!("quote_pick_{columns}x{rows}"), explorer.screen());
    explorer.quit();
}
