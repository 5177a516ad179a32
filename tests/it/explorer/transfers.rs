//! Transfers through the front door: tracked by their hash, watched to the end, kept.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use rollscope::{
    config::Network,
    domain::{ChainId, Timestamp, TransferRecord},
    msg::{Answer, Instruction, ListPage, Request, Total},
    wire::{
        ApiError, ErrorKind, Verbatim,
        router::{ChainInfo, TrackResponse, TransferStatus},
    },
};
use rstest::rstest;
use serde_json::{Value, json};

use crate::harness::{Builder, Explorer};

/// The start of every test.
pub(super) fn start() -> Timestamp {
    "2026-01-31T12:00:00Z".parse().expect("a fixed time")
}

pub(super) fn hash(number: u8) -> String {
    format!("{number:02X}{}", "C4".repeat(31))
}

fn error(kind: ErrorKind) -> ApiError {
    ApiError { kind, url: "http://router.example/v2/tx/status".into(), body: None }
}

fn absent() -> ApiError {
    error(ErrorKind::NotFound("tx not found".into()))
}

fn chain(id: &str, name: &str, prefix: &str) -> ChainInfo {
    serde_json::from_value(json!({
        "chain_id": id, "chain_name": id, "pretty_name": name, "chain_type": "cosmos", "bech32_prefix": prefix,
    }))
    .expect("a chain")
}

fn side(chain: &str, number: u8, at: &str) -> Value {
    json!({"chain_id": chain, "tx_hash": hash(number), "explorer_link": format!("https://scan.example/{chain}/{number}"),
        "on_chain_at": at})
}

fn hop(from: &str, to: &str, state: &str, send: &Value, receive: &Value) -> Value {
    json!({"ibc_transfer": {"from_chain_id": from, "to_chain_id": to, "state": state,
        "packet_txs": {"send_tx": send, "receive_tx": receive, "acknowledge_tx": null, "timeout_tx": null, "error": null}}})
}

/// How the status of the transfer of [`route`] goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Unknown,
    FirstHop,
    SecondHop,
    Success,
    Refunded,
    Abandoned,
}

pub(super) fn status(stage: Stage) -> Value {
    let sent = side("noble-1", 1, "2026-01-31T12:00:04Z");
    let middle = side("interwoven-1", 2, "2026-01-31T12:00:31Z");
    let last = side("far-2", 3, "2026-01-31T12:01:02Z");
    let first = |state: &str| hop("noble-1", "interwoven-1", state, &sent, &middle);
    let second = |state: &str, receive: &Value| hop("interwoven-1", "far-2", state, &middle, receive);
    let body = |state: &str, hops: Vec<Value>, next: Value, release: Value| {
        json!({"state": state, "transfer_sequence": hops, "next_blocking_transfer": next, "error": null,
            "transfer_asset_release": release})
    };
    let at = |index: u8| json!({"transfer_sequence_index": index});
    let release = |chain: &str| json!({"chain_id": chain, "denom": "uusdc", "amount": "99800000", "released": true});
    match stage {
        Stage::Unknown => Value::Null,
        Stage::FirstHop => {
            let hops = vec![hop("noble-1", "interwoven-1", "TRANSFER_PENDING", &sent, &Value::Null)];
            body("STATE_PENDING", hops, at(0), Value::Null)
        }
        Stage::SecondHop => {
            let hops = vec![first("TRANSFER_SUCCESS"), second("TRANSFER_PENDING", &Value::Null)];
            body("STATE_PENDING", hops, at(1), Value::Null)
        }
        Stage::Success => {
            let hops = vec![first("TRANSFER_SUCCESS"), second("TRANSFER_SUCCESS", &last)];
            body("STATE_COMPLETED_SUCCESS", hops, Value::Null, release("far-2"))
        }
        Stage::Refunded => {
            let hops = vec![first("TRANSFER_SUCCESS"), second("TRANSFER_FAILURE", &Value::Null)];
            body("STATE_COMPLETED_ERROR", hops, Value::Null, release("interwoven-1"))
        }
        Stage::Abandoned => {
            let hops = vec![first("TRANSFER_SUCCESS"), second("TRANSFER_PENDING", &Value::Null)];
            body("STATE_ABANDONED", hops, at(1), Value::Null)
        }
    }
}

/// Two hops in a minute and a half.
fn route() -> Arc<str> {
    let hop = |from: &str, to: &str, amount: &str| {
        json!({"tx_index": 0, "amount_in": "100000000", "amount_out": amount,
            "transfer": {"from_chain_id": from, "to_chain_id": to, "denom_in": "uusdc", "denom_out": "uusdc"}})
    };
    json!({
        "amount_in": "100000000", "amount_out": "99800000", "source_asset_chain_id": "noble-1",
        "source_asset_denom": "uusdc", "dest_asset_chain_id": "far-2", "dest_asset_denom": "uusdc",
        "operations": [hop("noble-1", "interwoven-1", "99900000"), hop("interwoven-1", "far-2", "99800000")],
        "required_chain_addresses": ["noble-1", "interwoven-1", "far-2"], "chain_ids": [], "does_swap": false,
        "estimated_route_duration_seconds": 90, "txs_required": 1,
    })
    .to_string()
    .into()
}

pub(super) fn record(number: u8) -> TransferRecord {
    let hash = hash(number).parse().expect("a hash");
    TransferRecord {
        route: Some(route()),
        addresses: ["noble1sender", "init1middle", "far1recipient"].map(ToOwned::to_owned).to_vec(),
        ..TransferRecord::of_hash(ChainId::new("noble-1"), &hash, start())
    }
}

/// A router and a store that the test plays.
#[derive(Clone)]
struct World(Arc<Mutex<Facts>>);

struct Facts {
    stage: Stage,
    failure: Option<ErrorKind>,
    kept: Vec<TransferRecord>,
    /// How often the router was asked to watch something.
    tracks: usize,
    /// What the index has of the recipient.
    indexed: Vec<Value>,
    /// How many questions for the status are answered as if the router had not taken the transaction up yet.
    late: usize,
}

impl World {
    fn with(kept: Vec<TransferRecord>) -> Self {
        Self(Arc::new(Mutex::new(Facts {
            stage: Stage::Unknown,
            failure: None,
            kept,
            tracks: 0,
            indexed: Vec::new(),
            late: 0,
        })))
    }

    fn set(&self, stage: Stage) {
        self.0.lock().expect("nobody panics with it").stage = stage;
    }

    fn tracks(&self) -> usize {
        self.0.lock().expect("nobody panics with it").tracks
    }

    fn fail(&self, failure: Option<ErrorKind>) {
        self.0.lock().expect("nobody panics with it").failure = failure;
    }

    fn answer(&self, request: &Request) -> Result<Answer, ApiError> {
        let mut facts = self.0.lock().expect("nobody panics with it");
        facts.tracks += usize::from(matches!(request, Request::Track(_)));
        match request {
            Request::Status => {
                let status = json!({"version": "", "commit_hash": "", "chain_id": "far-2", "height": 100});
                Ok(Answer::Status(Box::new(serde_json::from_value(status).expect("a status"))))
            }
            Request::Transfers => Ok(Answer::Transfers(facts.kept.clone())),
            Request::Txs(..) => {
                let tx = |tx: &Value| Arc::new(serde_json::from_value(tx.clone()).expect("a transaction"));
                let items = facts.indexed.iter().map(tx).collect();
                let total = Total::Unknown;
                Ok(Answer::Txs(ListPage { items, next: None, total, notes: Vec::new() }))
            }
            Request::Recents => Ok(Answer::Recents(Vec::new())),
            Request::Chains => {
                let chains =
                    [("noble-1", "Noble", "noble"), ("interwoven-1", "Initia", "init"), ("far-2", "Far", "far")];
                Ok(Answer::Chains(Arc::new(chains.map(|(id, name, prefix)| chain(id, name, prefix)).to_vec())))
            }
            Request::Assets(chain) => {
                let asset = json!({"denom": "uusdc", "chain_id": chain.as_str(), "symbol": "USDC", "decimals": 6});
                Ok(Answer::Assets(chain.clone(), Arc::new(vec![serde_json::from_value(asset).expect("an asset")])))
            }
            Request::DemoInfo => Ok(Answer::DemoInfo(None)),
            Request::Track(_) | Request::TrackAgain(_) | Request::TransferStatus(_) if facts.failure.is_some() => {
                Err(error(facts.failure.clone().expect("just seen")))
            }
            Request::Track(_) | Request::TrackAgain(_) | Request::TransferStatus(_)
                if facts.stage == Stage::Unknown =>
            {
                Err(absent())
            }
            Request::Track(_) | Request::TrackAgain(_) => Ok(Answer::Tracked(TrackResponse::default())),
            Request::TransferStatus(_) if facts.late > 0 => {
                facts.late -= 1;
                Err(absent())
            }
            Request::TransferStatus(request) => {
                let body = status(facts.stage).to_string().replace(&hash(1), &request.tx_hash);
                let verbatim: Verbatim<TransferStatus> = serde_json::from_str(&body).expect("a status");
                Ok(Answer::TransferStatus(Arc::new(verbatim)))
            }
            _ => Err(absent()),
        }
    }

    fn explorer(&self) -> Builder {
        let network = Network {
            name: "custom".to_owned(),
            router: Some("http://router.example".to_owned()),
            ..Network::default()
        };
        let world = self.clone();
        Explorer::builder().size(100, 30).network(network).at(start()).scripted(move |request| world.answer(request))
    }
}

/// The newest record that was kept.
fn kept(explorer: &Explorer) -> TransferRecord {
    let keep = |command: Instruction| if let Instruction::Keep(record) = command { Some(record) } else { None };
    let records: Vec<_> = explorer.commands().into_iter().filter_map(keep).collect();
    TransferRecord::clone(records.last().expect("something was kept"))
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[rstest]
fn sizes(#[values((50, 20), (80, 24), (200, 50))] (columns, rows): (u16, u16)) {
    let world = World::with(vec![record(1), record(2), record(3)]);
    world.set(Stage::SecondHop);
    let explorer = world.explorer().size(columns, rows).start();
    explorer.settle().press("6 shift-tab");
    explorer.advance(seconds(10)).press("c").type_text("rent").press("enter");
    insta::assert_snapshot!(format!("transfers_board_{columns}x{rows}"), explorer.screen());
    explorer.press("enter").advance(seconds(1));
    insta::assert_snapshot!(format!("transfer_moving_{columns}x{rows}"), explorer.screen());
    world.set(Stage::Refunded);
    explorer.advance(seconds(5));
    insta::assert_snapshot!(format!("transfer_refunded_{columns}x{rows}"), explorer.screen());
    explorer.press("J");
    insta::assert_snapshot!(format!("transfer_json_{columns}x{rows}"), explorer.screen());
    explorer.quit();
}

#[test]
fn a_hash_is_tracked_from_unknown_to_its_end() {
    let world = World::with(Vec::new());
    let explorer = world.explorer().start();
    explorer.settle().press("6 t").type_text(&format!("noble {}", hash(1))).press("enter");
    assert!(explorer.screen().contains("? unknown"), "{}", explorer.screen());
    explorer.advance(seconds(2));
    assert!(explorer.screen().contains("failed: not found"), "{}", explorer.screen());
    world.set(Stage::FirstHop);
    explorer.advance(seconds(5));
    assert!(explorer.screen().contains("▶ moving") && explorer.screen().contains("the router tracks the transaction"));
    world.set(Stage::SecondHop);
    explorer.advance(seconds(5));
    assert!(explorer.screen().contains("Initia → Far"), "{}", explorer.screen());
    explorer.press("1");
    world.set(Stage::Success);
    explorer.advance(seconds(5));
    assert!(!explorer.screen().contains("Bridge •"), "{}", explorer.screen());
    assert_eq!(explorer.bells(), 1);
    assert!(explorer.titles().first().is_some_and(|title| title.starts_with('✓')), "{:?}", explorer.titles());
    explorer.press("j");
    assert_eq!(explorer.titles().last().map(String::as_str), Some(""));
    let record = kept(&explorer);
    assert!(record.is_over && record.txs[0].status.is_some() && record.changes.len() >= 3, "{record:?}");
    explorer.quit();
}

#[test]
fn the_router_may_fail_in_every_way_and_recover() {
    let world = World::with(vec![record(1)]);
    world.set(Stage::FirstHop);
    let explorer = world.explorer().start();
    explorer.settle().press("6 shift-tab enter");
    for (failure, words) in [
        (ErrorKind::RateLimited(Some(seconds(40))), "limits requests for 40 s"),
        (ErrorKind::NotJson { content_type: "text/html".into() }, "text/html instead of JSON"),
        (ErrorKind::Timeout(seconds(10)), "no response from the server within 10 s"),
    ] {
        world.fail(Some(failure));
        explorer.advance(seconds(61)).press("G");
        explorer.press("g g").press("j j j j j j j j j j j j j j");
        assert!(explorer.screen().contains(words), "{words}:\n{}", explorer.screen());
        assert!(explorer.screen().contains("▶ moving"), "what is known stays");
    }
    world.fail(None);
    world.set(Stage::Success);
    explorer.advance(seconds(61));
    assert!(explorer.screen().contains("✓ arrived"), "{}", explorer.screen());
    explorer.quit();
}

#[test]
fn another_session_goes_on_where_one_ended() {
    let world = World::with(Vec::new());
    let first = world.explorer().start();
    first.settle().press("6 t").type_text(&format!("noble-1/{}", hash(1))).press("enter");
    world.set(Stage::SecondHop);
    first.advance(seconds(6)).press("c").type_text("rent").press("enter");
    let record = kept(&first);
    first.quit();
    world.0.lock().expect("nobody panics with it").kept = vec![record];
    let second = world.explorer().at(start().after(seconds(60))).start();
    second.settle();
    assert!(second.screen().contains("6 Bridge •1"), "{}", second.screen());
    world.set(Stage::Success);
    second.advance(seconds(6));
    assert_eq!(second.bells(), 1, "its end is told on whatever screen");
    second.press("6 shift-tab");
    assert!(second.screen().contains("rent") && second.screen().contains("✓ arrived"), "{}", second.screen());
    second.quit();
}

#[test]
fn what_was_given_up_is_tracked_again_and_a_refund_leads_to_a_new_route() {
    let world = World::with(vec![record(1)]);
    world.set(Stage::Abandoned);
    let explorer = world.explorer().start();
    explorer.settle().press("6 shift-tab enter");
    assert!(explorer.screen().contains("◌ abandoned") && explorer.screen().contains("> next: ask the router"));
    explorer.wait_for("last transaction ").wait_for(" ago  ·  the router stopped tracking").wait_gone("elapsed");
    explorer.press(">");
    world.set(Stage::Refunded);
    explorer.advance(seconds(2));
    assert!(
        explorer.screen().contains("Your 99,800,000 smallest units of uusdc is on Initia"),
        "{}",
        explorer.screen()
    );
    explorer.press("e enter");
    let (name, contents) = explorer.written().pop().expect("it is written");
    let written: Value = serde_json::from_str(&contents).expect("it is JSON");
    assert!(name.starts_with("transfer-noble-1-") && written["route"]["amount_in"] == "100000000");
    assert_eq!(written["txs"][0]["status"]["state"], "STATE_COMPLETED_ERROR");
    explorer.quit();
}

#[test]
fn a_bundle_for_a_ticket_has_all_that_is_known_and_hides_addresses_on_request() {
    let account = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";
    let world = World::with(vec![TransferRecord { addresses: vec![account.to_owned()], ..record(1) }]);
    world.set(Stage::Refunded);
    let explorer = world.explorer().start();
    explorer
        .settle()
        .press("6 shift-tab enter")
        .wait_for("Your 99,800,000 smallest units of uusdc is on Initia")
        .press("e enter")
        .wait_for("✓ saved bundle-noble-1-")
        .wait_for(", transfer-noble-1-")
        .wait_for(" help");
    let bundle = |ending: &str| {
        let all = explorer.written();
        let found =
            all.into_iter().rev().find(|(name, _)| name.starts_with("bundle-noble-1-") && name.ends_with(ending));
        found.map(|(_, contents)| contents).expect("the bundle was written")
    };
    let plain = bundle(".json");
    let told: Value = serde_json::from_str(&plain).expect("it is JSON");
    assert_eq!(told["facts"]["phase"], "failed_released");
    assert_eq!(told["statuses"][0]["body"]["state"], "STATE_COMPLETED_ERROR");
    explorer.press("e m").wait_for("-masked.json").press("enter");
    let masked = bundle("-masked.json");
    assert!(masked.contains(&hash(1)) && !masked.contains(account), "{masked}");
    let masked_record = explorer.written().pop().expect("the record is last").1;
    assert!(masked_record.contains("address-1") && !masked_record.contains(account), "{masked_record}");
    explorer.quit();
}

#[test]
fn the_cursor_stays_on_its_line_when_answers_come() {
    let world = World::with(vec![record(1)]);
    world.set(Stage::FirstHop);
    let explorer = world.explorer().start();
    explorer.settle().press("6 shift-tab enter j j j");
    let line = |explorer: &Explorer| {
        let screen = explorer.screen();
        screen.lines().position(|line| line.contains("sent in") && line.contains("Noble")).expect("it is shown")
    };
    let before = line(&explorer);
    world.set(Stage::SecondHop);
    explorer.advance(seconds(5));
    assert_eq!(line(&explorer), before);
    explorer.press("o");
    assert_eq!(explorer.opened(), ["https://scan.example/noble-1/1"]);
    explorer.quit();
}

#[test]
fn what_the_router_forgot_is_recalled_once_and_asked_for_seldom() {
    let world = World::with(vec![record(1)]);
    world.set(Stage::SecondHop);
    let explorer = world.explorer().size(140, 36).start();
    explorer.settle().press("6 shift-tab enter").wait_for("▶ moving");
    let before = world.tracks();
    world.set(Stage::Unknown);
    explorer.advance(seconds(5)).wait_for("? forgotten  The router lost the transfer (asked ");
    let screen = explorer.screen();
    assert!(
        screen.contains(" ago: hop 2 of 2, Initia → Far.")
            && screen.contains("; its last report, ")
            && screen.contains("in progress as of "),
        "{screen}"
    );
    for _ in 0..30 {
        explorer.advance(seconds(1));
    }
    assert_eq!(world.tracks(), before + 1, "it is asked once to watch it again");
    assert!(!explorer.screen().contains("longer than"), "{}", explorer.screen());
    world.set(Stage::SecondHop);
    explorer.press("R").wait_for("the router tracks the transfer again").wait_for("▶ moving  On its way: hop 2 of 2");
    explorer.quit();
}

#[test]
fn a_router_that_does_not_answer_is_not_spoken_for() {
    let world = World::with(vec![record(1)]);
    world.set(Stage::SecondHop);
    let explorer = world.explorer().size(140, 36).start();
    explorer
        .settle()
        .press("6 shift-tab enter")
        .wait_for("On its way: hop 2 of 2, Initia → Far, ")
        .wait_for("(router, ");
    world.fail(Some(ErrorKind::Timeout(seconds(10))));
    explorer.advance(seconds(100)).advance(seconds(7));
    let screen = explorer.screen();
    assert!(screen.contains("As of 1 min ago (router does not answer): On its way: hop 2 of 2"), "{screen}");
    assert!(!screen.contains("longer than") && !screen.contains("overdue"), "nobody says that it is late:\n{screen}");
    explorer.quit();
}

#[test]
fn a_hash_that_failed_on_chain_is_an_end_with_its_reason() {
    let world = World::with(Vec::new());
    world.fail(Some(ErrorKind::Rejected { status: 400, sentence: "tx is invalid on chain".into() }));
    let explorer = world.explorer().size(140, 36).start();
    explorer.settle().press("6 t").type_text(&format!("noble {}", hash(1))).press("enter");
    explorer.wait_for(
        "✗ failed  The router reports a failed transaction on Noble or an invalid hash (tx is invalid on chain).",
    );
    let asked = world.tracks();
    explorer.advance(seconds(60)).advance(seconds(60));
    assert_eq!((asked, world.tracks()), (1, 1), "a 400 is not tried again");
    assert!(!explorer.screen().contains("6 Bridge •"), "nothing is awaited:\n{}", explorer.screen());
    explorer.quit();
}

/// A packet that brings the recipient so much.
pub(super) fn received(amount: &str, at: &str) -> Value {
    let attribute = |key: &str, value: &str| json!({"key": key, "value": value, "index": true});
    let event = |kind: &str, attributes: Vec<Value>| json!({"type": kind, "attributes": attributes});
    let to = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";
    let events = [
        event("recv_packet", vec![attribute("packet_sequence", "7"), attribute("msg_index", "0")]),
        event(
            "coin_received",
            vec![
                attribute("receiver", to),
                attribute("amount", &format!("{amount}uusdc")),
                attribute("msg_index", "0"),
            ],
        ),
    ];
    json!({
        "height": "99", "txhash": "EF".repeat(32), "codespace": "", "code": 0, "data": "", "raw_log": "", "logs": [],
        "info": "", "gas_wanted": "1", "gas_used": "1", "timestamp": at, "events": events,
        "tx": {"@type": "/cosmos.tx.v1beta1.Tx", "body": {"messages": [{"@type": "/ibc.core.channel.v1.MsgRecvPacket"}]},
            "auth_info": {}, "signatures": []},
    })
}

#[test]
fn the_index_is_asked_though_the_router_is_off_from_the_start() {
    let mine = || {
        let to = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898".to_owned();
        TransferRecord { addresses: vec!["noble1sender".to_owned(), "init1middle".to_owned(), to], ..record(1) }
    };
    for (indexed, has_arrived) in [
        (received("99800000", "2026-01-31T12:00:40Z"), true),
        (received("99700000", "2026-01-31T12:00:40Z"), false),
        (received("99800000", "2026-01-31T11:59:40Z"), false),
    ] {
        let world = World::with(vec![mine()]);
        world.fail(Some(ErrorKind::Timeout(seconds(10))));
        world.0.lock().expect("nobody panics with it").indexed = vec![indexed.clone()];
        let explorer = world.explorer().size(140, 36).start();
        explorer.settle().press("6 shift-tab enter");
        explorer.advance(seconds(20)).advance(seconds(20));
        let screen = explorer.screen();
        let line = "✓ arrived  Arrived: 99.8 USDC on Far, as the indexer shows; the router does not answer. (indexer, ";
        assert_eq!(screen.contains(line), has_arrived, "{indexed}\n{screen}");
        assert_eq!(screen.contains("rrived"), has_arrived, "{screen}");
        explorer.quit();
    }
}

#[test]
fn what_was_asked_before_the_router_took_it_up_is_no_part_of_its_history() {
    let world = World::with(Vec::new());
    world.set(Stage::FirstHop);
    world.0.lock().expect("nobody panics with it").late = 1;
    let explorer = world.explorer().size(140, 36).start();
    explorer.settle().press("6 t").type_text(&format!("noble {}", hash(1))).press("enter");
    explorer.wait_for("▶ moving").wait_for("the router tracks the transaction");
    let changes = kept(&explorer).changes;
    assert!(changes.iter().all(|change| !change.text.contains("does not know this contract")), "{changes:?}");
    assert!(changes.iter().any(|change| change.text.starts_with("On its way: ")), "{changes:?}");
    explorer.quit();
}

#[test]
fn of_two_equal_transfers_neither_takes_the_credit_that_may_be_the_others() {
    let mine = |number: u8| {
        let to = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898".to_owned();
        TransferRecord { addresses: vec!["noble1sender".to_owned(), "init1middle".to_owned(), to], ..record(number) }
    };
    let world = World::with(vec![mine(1), mine(2)]);
    world.fail(Some(ErrorKind::Timeout(seconds(10))));
    let first = received("99800000", "2026-01-31T12:00:40Z");
    world.0.lock().expect("nobody panics with it").indexed = vec![first.clone()];
    let explorer = world.explorer().size(140, 40).start();
    explorer.settle().press("6 shift-tab enter");
    explorer.advance(seconds(20)).advance(seconds(20));
    let note = "The index shows 1 equal arrival for 2 equal transfers; only the number of the packet";
    explorer.wait_for(note);
    assert!(!explorer.screen().contains("✓ arrived"), "{}", explorer.screen());
    let mut second = received("99800000", "2026-01-31T12:01:00Z");
    second["txhash"] = json!("CD".repeat(32));
    world.0.lock().expect("nobody panics with it").indexed = vec![second, first];
    explorer.advance(seconds(20)).advance(seconds(20));
    explorer.wait_for("✓ arrived  Arrived: 99.8 USDC on Far, as the indexer shows");
    assert!(!explorer.screen().contains(note), "{}", explorer.screen());
    explorer.press("esc").wait_for("2 ");
    assert_eq!(explorer.screen().matches("✓ arrived").count(), 2, "{}", explorer.screen());
    explorer.quit();
}

#[test]
fn the_board_learns_what_another_explorer_keeps() {
    let world = World::with(Vec::new());
    world.set(Stage::SecondHop);
    let explorer = world.explorer().size(120, 30).start();
    explorer.settle().press("6 shift-tab").wait_for("no transfers yet");
    assert!(!explorer.screen().contains(" name "), "{}", explorer.screen());
    world.0.lock().expect("nobody panics with it").kept = vec![record(1)];
    explorer.advance(seconds(6)).wait_for("Transfers · 1 live");
    explorer.quit();
}

#[test]
fn the_first_transfers_stand_below_the_quotes_where_there_is_room() {
    let world = World::with(vec![record(1), record(2)]);
    world.set(Stage::FirstHop);
    let explorer = world.explorer().size(120, 40).start();
    explorer.settle().press("6").wait_for("[Quote] Transfers").wait_for("┌ Transfers · 2 live").wait_for("▶ moving");
    explorer
        .wait_for("shift-tab opens the chain")
        .press("shift-tab")
        .wait_gone("opens the chain")
        .wait_for("┌ Transfers · 2 live");
    explorer.press("tab").wait_for("opens the chain").resize(120, 24).wait_gone("opens the chain");
    // The overview says what is under way, and one key shows it; another leads to the quote, wherever one was before.
    explorer.resize(120, 40).press("1").wait_for("2 moving · 7 shows them");
    explorer.press("7").wait_for("┌ Transfers · 2 live").press("1 6").wait_for("[Quote] Transfers");
    explorer.quit();
}
