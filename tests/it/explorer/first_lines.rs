//! First lines that were once untrue, through the real loop: a router and an indexer that the test plays over HTTP.

mod again;
mod contradictions;
mod several;
mod simulated;
mod transcript;

use std::{
    path::Path,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use rollscope::{
    config::Network,
    domain::{ChainId, Timestamp, TransferRecord},
    store::{Store, StoreScope},
};
use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::transfers::{Stage, hash, received, record, start, status};
use crate::{
    cli::chain::Chain,
    harness::{Explorer, replay::Answer, replay::Seen},
};

pub(super) const ME: &str = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";

/// What the router and the indexer of one chain answer.
pub(super) struct Played {
    /// The chain of the indexer.
    pub(super) own: &'static str,
    /// What the router answers, whatever it is asked.
    pub(super) outage: Option<Answer>,
    pub(super) track: Answer,
    /// By the hash; 404 for others.
    pub(super) statuses: Vec<(String, Value)>,
    /// What the indexer has.
    pub(super) txs: Vec<Value>,
    /// What the L1's own REST has, under `/l1` of the same address.
    pub(super) txs_of_l1: Vec<Value>,
    /// Where that is, as the router says.
    l1_rest: String,
    /// When the chain of the indexer began, where its blocks are there to tell it from another one.
    begun: Option<Timestamp>,
    /// Whether the server has a wallet, which sends everything under one and the same hash.
    has_wallet: bool,
}

/// Both behind one address.
pub(super) struct PlayedServer {
    chain: Chain,
    played: Arc<Mutex<Played>>,
}

fn absent() -> Answer {
    Answer::typed(404, "application/json", r#"{"code":5,"message":"tx not found","details":[]}"#)
}

fn answer(played: &Played, seen: &Seen) -> Answer {
    let path = seen.target.split('?').next().unwrap_or_default();
    let json = |value: Value| Answer::json(value.to_string());
    if let Some(outage) = played.outage.clone().filter(|_| path.starts_with("/v2/")) {
        return outage;
    }
    if let Some(answer) = again::answer(played, path, seen) {
        return answer;
    }
    match path {
        "/status" => json(json!({"version": "", "commit_hash": "", "chain_id": played.own, "height": 100})),
        "/v2/info/chains" => {
            let rest = |id: &str| if id == "interwoven-1" { played.l1_rest.as_str() } else { "" };
            let chain = |(id, name): (&str, &str)| json!({"chain_id": id, "chain_name": id, "pretty_name": name, "chain_type": "cosmos", "rest": rest(id)});
            let all = [("noble-1", "Noble"), ("interwoven-1", "Initia"), ("far-2", "Far")].map(chain);
            json(json!({"chains": all}))
        }
        "/v2/fungible/assets" => {
            let list =
                |id: &str| json!({"assets": [{"denom": "uusdc", "chain_id": id, "symbol": "USDC", "decimals": 6}]});
            let ids = ["noble-1", "interwoven-1", "far-2"].into_iter().filter(|id| seen.target.contains(id));
            let map: serde_json::Map<String, Value> = ids.map(|id| (id.to_owned(), list(id))).collect();
            json(json!({"chain_to_assets_map": map}))
        }
        "/v2/tx/track" | "/v2/tx/retry_track" => played.track.clone(),
        "/v2/tx/status" => {
            let found = played.statuses.iter().find(|(hash, _)| seen.target.contains(hash));
            found.map_or_else(absent, |(_, status)| json(status.clone()))
        }
        _ if path.starts_with("/indexer/tx/v1/txs/by_account/") => {
            json(json!({"txs": played.txs, "pagination": {"next_key": null, "total": played.txs.len().to_string()}}))
        }
        _ if path.starts_with("/l1/cosmos/tx/v1beta1/txs/") => {
            let found =
                played.txs_of_l1.iter().find(|tx| tx["txhash"].as_str().is_some_and(|hash| path.ends_with(hash)));
            found.map_or_else(absent, |tx| json(json!({"tx": tx["tx"], "tx_response": tx})))
        }
        _ => match path.strip_prefix("/indexer/tx/v1/txs/") {
            Some(hash) => {
                let found = played.txs.iter().find(|tx| tx["txhash"].as_str() == Some(hash));
                found.map_or_else(absent, |tx| json(json!({"tx": tx})))
            }
            None => absent(),
        },
    }
}

impl PlayedServer {
    /// A router that takes everything up and knows nothing, and the empty indexer of this chain.
    pub(super) fn start(own: &'static str) -> Self {
        let played = Played {
            own,
            outage: None,
            track: Answer::json("{}"),
            statuses: Vec::new(),
            txs: Vec::new(),
            txs_of_l1: Vec::new(),
            l1_rest: String::new(),
            begun: None,
            has_wallet: false,
        };
        let played = Arc::new(Mutex::new(played));
        let handler = Arc::clone(&played);
        let chain = Chain::scripted(move |seen| answer(&handler.lock().expect("no handler panics"), seen));
        let server = Self { chain, played };
        server.play().l1_rest = format!("{}/l1", server.url());
        server
    }

    pub(super) fn play(&self) -> MutexGuard<'_, Played> {
        self.played.lock().expect("no handler panics")
    }

    pub(super) fn set(&self, stage: Stage) {
        self.play().statuses = vec![(hash(1), status(stage))];
    }

    pub(super) fn url(&self) -> &str {
        self.chain.url()
    }

    /// How often the router was asked to watch something.
    fn tracks(&self) -> usize {
        self.chain.targets().iter().filter(|target| target.starts_with("/v2/tx/track")).count()
    }

    /// An explorer whose state file has this transfer, on its page.
    pub(super) fn opened(&self, record: &TransferRecord, folder: &Path) -> Explorer {
        let explorer = self.board(std::slice::from_ref(record), folder);
        explorer.press("enter");
        explorer
    }

    /// An explorer whose state file has these transfers, on the board.
    pub(super) fn board(&self, records: &[TransferRecord], folder: &Path) -> Explorer {
        let state = folder.join("state.sqlite");
        let mut store = Store::open(&state).expect("a state file");
        let scope = StoreScope::new(Network::unnamed(self.url().to_owned()).key());
        for record in records {
            store.save(&scope, record).expect("it is kept");
        }
        let explorer = self.explorer(folder);
        explorer.settle().press("6 shift-tab");
        explorer
    }

    pub(super) fn explorer(&self, folder: &Path) -> Explorer {
        let state = folder.join("state.sqlite");
        Explorer::builder().size(150, 36).at(start()).state_file(state).server(self.url()).start()
    }
}

pub(super) fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

pub(super) fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// The transfer of the script, to a recipient whom indexers know.
pub(super) fn mine() -> TransferRecord {
    let addresses = ["noble1sender", "init1middle", ME].map(ToOwned::to_owned).to_vec();
    TransferRecord { addresses, ..record(1) }
}

/// The transaction on Far with which the router says that it arrived.
fn named_arrival() -> Value {
    let mut tx = received("99800000", "2026-01-31T12:01:02Z");
    tx["txhash"] = hash(3).into();
    tx
}

#[test]
fn a_router_that_answers_404_watches_and_confirms_nothing() {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    server.set(Stage::SecondHop);
    let explorer = server.opened(&mine(), folder.path());
    explorer.wait_for("▶ moving  On its way: hop 2 of 2, Initia → Far").wait_for("the router tracks the transaction");
    server.play().statuses.clear();
    explorer
        .advance(seconds(6))
        .wait_for("? forgotten  The router lost the transfer (asked ")
        .wait_for(" UTC); its last report, ");
    explorer.wait_for(" ago: hop 2 of 2, Initia → Far.");
    let asked = server.tracks();
    for _ in 0..20 {
        explorer.advance(seconds(1));
    }
    assert!(server.tracks() <= asked + 1, "it is asked once to watch it again, not for ever");
    explorer.quit();
}

#[rstest]
#[case::gone(Answer::Garbage(b""), "")]
#[case::bad_gateway(Answer::typed(502, "text/html", "<html>"), "router returns HTTP 502")]
#[case::limits(Answer::typed(429, "application/json", "{}"), "router limits requests")]
#[case::another_thing(Answer::typed(200, "text/html", "<html>"), "router's answer unreadable")]
fn a_router_that_is_down_is_not_spoken_for_in_the_present_tense(#[case] outage: Answer, #[case] words: &str) {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    server.set(Stage::SecondHop);
    let explorer = server.opened(&mine(), folder.path());
    explorer.wait_for("▶ moving  On its way: hop 2 of 2");
    server.play().outage = Some(outage);
    explorer.advance(seconds(100)).wait_for("As of ").wait_for(&format!("({words}")).wait_for("): On its way: hop 2");
    assert!(!explorer.screen().contains("longer than"), "nobody says that it is late:\n{}", explorer.screen());
    server.play().outage = None;
    server.set(Stage::Success);
    server.play().txs = vec![named_arrival()];
    explorer.press("r").advance(seconds(70)).advance(seconds(20)).wait_for("✓ arrived");
    explorer.quit();
}

#[test]
fn a_transaction_that_failed_at_the_source_is_an_end_and_asked_about_once() {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    let refusal = r#"{"code":3,"message":"tx is invalid on chain","details":[]}"#;
    server.play().track = Answer::typed(400, "application/json", refusal);
    let explorer = server.opened(&mine(), folder.path());
    explorer.wait_for(
        "✗ failed  The router reports a failed transaction on Noble or an invalid hash (tx is invalid on chain).",
    );
    explorer.wait_for("If the transaction failed, only the fee");
    explorer.advance(seconds(60)).advance(seconds(60));
    assert_eq!(server.tracks(), 1, "a 400 is not tried again");
    assert!(!explorer.screen().contains("6 Bridge •"), "nothing is awaited:\n{}", explorer.screen());
    explorer.quit();
}

pub(super) fn event(kind: &str, attributes: &[(&str, &str)]) -> Value {
    let of = |(key, value): &(&str, &str)| json!({"key": key, "value": value, "index": true});
    let mut attributes: Vec<Value> = attributes.iter().map(of).collect();
    attributes.push(json!({"key": "msg_index", "value": "0", "index": true}));
    json!({"type": kind, "attributes": attributes})
}

pub(super) fn indexed(hash: &str, at: &str, message: &Value, events: &[Value]) -> Value {
    json!({
        "height": "99", "txhash": hash, "codespace": "", "code": 0, "data": "", "raw_log": "", "logs": [], "info": "",
        "gas_wanted": "1", "gas_used": "1", "timestamp": at, "events": events,
        "tx": {"@type": "/cosmos.tx.v1beta1.Tx", "body": {"messages": [message]}, "auth_info": {}, "signatures": []},
    })
}

#[test]
fn what_came_back_is_named_by_the_events_and_not_by_the_router() {
    let (server, folder) = (PlayedServer::start("noble-1"), folder());
    let sent = indexed(
        &hash(1),
        "2026-01-31T12:00:04Z",
        &json!({"@type": "/ibc.applications.transfer.v1.MsgTransfer"}),
        &[
            event("send_packet", &[("packet_src_channel", "channel-0"), ("packet_sequence", "7")]),
            event("ibc_transfer", &[("sender", ME), ("receiver", "init1middle")]),
        ],
    );
    let packet = json!({"source_channel": "channel-0", "sequence": "7"});
    let back = indexed(
        &"EF".repeat(32),
        "2026-01-31T12:00:20Z",
        &json!({"@type": "/ibc.core.channel.v1.MsgTimeout", "packet": packet}),
        &[event("coin_received", &[("receiver", ME), ("amount", "100000000l2/df41")])],
    );
    let release = json!({"chain_id": "noble-1", "denom": "uusdc", "amount": "100000000", "released": true});
    let told = json!({"state": "STATE_COMPLETED_ERROR", "transfer_sequence": [], "transfer_asset_release": release});
    server.play().txs = vec![sent];
    server.play().statuses = vec![(hash(1), told)];
    let record = TransferRecord { addresses: [ME, "init1middle", "far1me"].map(str::to_owned).to_vec(), ..record(1) };
    let explorer = server.opened(&record, folder.path());
    explorer.wait_for("! released  Did not complete. Your 100 USDC is on Noble.");
    server.play().txs.push(back);
    explorer.advance(seconds(20)).advance(seconds(20)).press("r").advance(seconds(20));
    explorer
        .wait_for("Did not complete: the packet timed out. Your 100,000,000 smallest units of l2/df41 is on Noble.");
    explorer.wait_for("(indexer, ").press("g g").wait_for("the events on Noble show that l2/df41 came back");
    explorer.quit();
}

/// A deposit over the optimistic bridge, whose hook ended like this.
fn deposit(success: &str, denom: &str) -> Value {
    let finalized = [
        ("recipient", ME),
        ("denom", denom),
        ("amount", "99800000"),
        ("success", success),
        ("reason", if success == "true" { "" } else { "hook failed; out of gas" }),
    ];
    let credit = format!("99800000{denom}");
    let events =
        [event("coin_received", &[("receiver", ME), ("amount", &credit)]), event("finalize_token_deposit", &finalized)];
    let message = json!({"@type": "/opinit.opchild.v1.MsgFinalizeTokenDeposit"});
    indexed(&"EF".repeat(32), "2026-01-31T12:00:40Z", &message, &events)
}

#[rstest]
#[case::packet(
    received("99800000", "2026-01-31T12:00:40Z"),
    "✓ arrived  Arrived: 99,800,000 smallest units of uusdc on far-2",
    "as the indexer shows; the router"
)]
#[case::deposit(
    deposit("true", "uusdc"),
    "✓ arrived  Arrived: 99,800,000 smallest units of uusdc on far-2",
    "as the indexer shows; the router"
)]
#[case::hook_failed(
    deposit("false", "l2/df41"),
    "Arrived unconverted: 99,800,000 smallest units of l2/df41",
    "the hook failed (out of gas)"
)]
#[case::another_amount(received("99700000", "2026-01-31T12:00:40Z"), "Sent on", "the funds' location is unknown")]
#[case::earlier(received("99800000", "2026-01-31T11:59:40Z"), "Sent on", "the funds' location is unknown")]
fn the_index_is_asked_first_though_the_router_is_off_from_the_start(
    #[case] indexed: Value,
    #[case] begins: &str,
    #[case] ends: &str,
) {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    server.play().outage = Some(Answer::typed(503, "text/html", "<html>"));
    server.play().txs = vec![indexed];
    let explorer = server.opened(&mine(), folder.path());
    explorer.advance(seconds(40)).advance(seconds(40));
    let is_arrived = begins.contains("rrived");
    if is_arrived {
        explorer.wait_for(begins).wait_for(ends);
    } else {
        explorer.wait_for("The funds' location is unknown (router returns HTTP 503).");
    }
    assert_eq!(explorer.screen().contains("rrived"), is_arrived, "{}", explorer.screen());
    explorer.quit();
}

#[test]
fn a_typed_hash_begins_with_its_transaction_and_not_with_the_typing() {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    let mut told = status(Stage::SecondHop);
    told["transfer_sequence"][0]["ibc_transfer"]["packet_txs"]["send_tx"]["on_chain_at"] =
        "2026-01-30T12:00:00Z".into();
    server.play().statuses = vec![(hash(1), told)];
    let explorer = server.explorer(folder.path());
    explorer.press("6 t").type_text(&format!("noble-1 {}", hash(1))).press("enter");
    explorer.wait_for("On its way: hop 2, Initia → Far, 1 d so far").wait_for("2026-01-30 12:00:00 UTC");
    assert!(!explorer.screen().contains("0:00 so far"), "{}", explorer.screen());
    explorer.quit();
}

#[test]
fn a_status_of_two_transfers_is_told_part_by_part() {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    let hop = |state: &str| {
        json!({"ibc_transfer": {"from_chain_id": "noble-1", "to_chain_id": "far-2", "state": state,
            "packet_txs": {"send_tx": {"chain_id": "noble-1", "tx_hash": hash(1)}}}})
    };
    let release = json!({"chain_id": "far-2", "denom": "uusdc", "amount": "7000000", "released": true});
    let done = json!({"state": "STATE_COMPLETED_SUCCESS", "transfer_sequence": [hop("TRANSFER_SUCCESS")],
        "transfer_asset_release": release});
    let pending = json!({"state": "STATE_PENDING", "transfer_sequence": [hop("TRANSFER_PENDING")],
        "next_blocking_transfer": {"transfer_sequence_index": 0}});
    server.play().statuses = vec![(hash(1), json!({"transfers": [done, pending]}))];
    let explorer = server.explorer(folder.path());
    explorer.press("6 t").type_text(&format!("noble-1 {}", hash(1))).press("enter");
    explorer.wait_for("On its way: transfer 2 of 2, hop 1, Noble → Far").wait_for("2 transfers; 1 is done.");
    explorer.wait_for("Transfer 1 of 2: done; 7 USDC on Far.").wait_for("Transfer 2 of 2: under way.");
    explorer.quit();
}

#[test]
fn the_board_is_live_across_two_explorers_on_one_state_file() {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    server.set(Stage::FirstHop);
    let second = server.explorer(folder.path());
    second.press("6 shift-tab").wait_for("no transfers yet");
    let first = server.explorer(folder.path());
    first.press("6 t").type_text(&format!("noble-1 {}", hash(1))).press("enter").wait_for("▶ moving");
    first.press("c").type_text("rent").press("enter").wait_for("rent");
    // Writing takes a moment, and the second looks every few seconds.
    let mut looks = 0;
    while !second.screen().contains("rent") {
        second.advance(seconds(6));
        looks += 1;
        assert!(looks < 500, "the second never learns of it:\n{}", second.screen());
    }
    second.wait_for("▶ moving").wait_for("Noble → Initia");
    server.set(Stage::Success);
    second.advance(seconds(70)).wait_for("✓ arrived");
    first.quit();
    second.quit();
}

#[test]
fn a_list_of_hashes_becomes_the_board_in_the_order_of_who_needs_somebody() {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    let own = ChainId::new("far-2");
    let hash_of = |number: u8| hash(number);
    let of = |number: u8, stage| {
        let status = status(stage).to_string().replace(&hash_of(1), &hash_of(number));
        (hash_of(number), serde_json::from_str(&status).expect("JSON"))
    };
    server.play().statuses =
        vec![of(1, Stage::Success), of(2, Stage::Refunded), of(3, Stage::SecondHop), of(4, Stage::SecondHop)];
    let message = json!({"@type": "/ibc.applications.transfer.v1.MsgTransfer"});
    server.play().txs = [3, 4].map(|number| indexed(&hash_of(number), "2026-01-31T12:00:04Z", &message, &[])).into();
    let explorer = server.explorer(folder.path());
    let list = format!("noble-1 {}\nnoble-1, {}\n{}\n", hash_of(1), hash_of(2), hash_of(3));
    explorer.settle().press("/").paste(&list).wait_for("3 transactions on the bridge board");
    explorer.press("down enter").wait_for("Transfers · ");
    explorer.wait_for("! released").wait_for("▶ moving").wait_for("✓ arrived");
    let screen = explorer.settle().screen();
    let line = |words: &str| screen.lines().position(|line| line.contains(words)).expect(words);
    assert!(line("! released") < line("▶ moving") && line("▶ moving") < line("✓ arrived"), "{screen}");
    assert!(
        screen.contains("name") && !screen.contains("amount"),
        "hashes tell them apart, amounts are unknown: {screen}"
    );
    assert!(screen.contains("01C4…C4C4") && screen.contains("03C4…C4C4"), "{screen}");
    // Neither is at an end, whose news would take the sentence's place.
    explorer.press("/").paste(&format!("{}\n{}\n", hash_of(4), hash_of(9)));
    explorer.wait_for("2 transactions on the bridge board").press("down enter");
    explorer.wait_for("tracking 1 transaction; 1 not on far-2: put");
    assert_eq!(server.tracks(), 4, "{:?} was looked for on {own} alone", hash_of(9));
    explorer.quit();
}
