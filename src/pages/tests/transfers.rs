//! Tests of transfers: polling, storage and notifications.

use std::{sync::Arc, time::Duration};

use super::Bench;
use crate::{
    app::{Effect, Event},
    config::Network,
    domain::{ChainId, Timestamp, Tracking, TransferRecord},
    msg::{Answer, Request, Slot},
    pages::{bridge::BridgePage, transfer::TransferPage},
    transfers::{DECODED, Phase},
    wire::{
        ApiError, ErrorKind, Verbatim,
        router::{TrackResponse, TransferStatus},
    },
};

const MOVING: &str = r#"{"state":"STATE_PENDING","transfer_sequence":[{"ibc_transfer":{"from_chain_id":"far-1",
    "to_chain_id":"near-1","state":"TRANSFER_PENDING","packet_txs":{"send_tx":null}}}],
    "next_blocking_transfer":{"transfer_sequence_index":0},"transfer_asset_release":null,"error":null}"#;
const ARRIVED: &str = r#"{"state":"STATE_COMPLETED_SUCCESS","transfer_sequence":[],"next_blocking_transfer":null,
    "transfer_asset_release":{"chain_id":"near-1","denom":"uinit","amount":"5","released":true},"error":null}"#;
const ABANDONED: &str = r#"{"state":"STATE_ABANDONED","transfer_sequence":[],"next_blocking_transfer":null,
    "transfer_asset_release":null,"error":null}"#;

fn network() -> Network {
    Network { name: "test".to_owned(), router: Some("http://router.example".to_owned()), ..Network::default() }
}

fn hash(number: u8) -> String {
    format!("{number:02X}").repeat(32)
}

/// Returns a route of one minute, from a chain without an indexer.
fn route() -> Arc<str> {
    r#"{"amount_in":"5","amount_out":"5","source_asset_chain_id":"far-1","source_asset_denom":"uinit",
        "dest_asset_chain_id":"near-1","dest_asset_denom":"uinit","operations":[],"required_chain_addresses":[],
        "chain_ids":[],"does_swap":false,"estimated_amount_out":"5","estimated_route_duration_seconds":60}"#
        .into()
}

fn record(number: u8, at: Timestamp) -> TransferRecord {
    let hash = hash(number).parse().expect("a hash");
    TransferRecord {
        route: Some(route()),
        addresses: vec!["init1sender".to_owned()],
        ..TransferRecord::of_hash(ChainId::new("far-1"), &hash, at)
    }
}

fn status(body: &str) -> Answer {
    let verbatim: Verbatim<TransferStatus> = serde_json::from_str(body).expect("a status");
    Answer::TransferStatus(Arc::new(verbatim))
}

fn error(kind: ErrorKind) -> ApiError {
    ApiError { kind, url: "http://router.example".into(), body: None }
}

fn absent() -> ApiError {
    error(ErrorKind::NotFound("tx not found".into()))
}

/// Returns a bench whose store holds these transfers.
fn bench(records: Vec<TransferRecord>) -> Bench {
    let mut bench = Bench::on(network(), (100, 30), Vec::new());
    let (ticket, request) = bench.take(|slot| *slot == Slot::Transfers).expect("the kept transfers are asked for");
    assert_eq!(request, Request::Transfers);
    bench.reply(ticket, Ok(Answer::Transfers(records)));
    bench
}

fn is_status(slot: &Slot) -> bool {
    matches!(slot, Slot::TransferStatus(_))
}

impl Bench {
    fn answer_status(&mut self, answer: Result<Answer, ApiError>) {
        let (ticket, _) = self.take(is_status).expect("the status is asked for");
        self.reply(ticket, answer);
    }

    fn answer_track(&mut self, answer: Result<Answer, ApiError>) {
        let (ticket, _) = self.take(|slot| matches!(slot, Slot::Track(_))).expect("the transaction is registered");
        self.reply(ticket, answer);
    }

    /// Returns the seconds until the next status request; the clock advances by them.
    fn seconds_to_status(&mut self) -> u64 {
        for seconds in 0..=200 {
            if self.asked.iter().any(|(ticket, _)| is_status(&ticket.slot)) {
                return seconds;
            }
            self.wait(1);
        }
        panic!("the status is never asked for again");
    }

    fn bells(&self) -> usize {
        self.host.iter().filter(|effect| **effect == Effect::Bell).count()
    }

    fn phase(&self) -> Phase {
        self.app.context.transfers.all()[0].follower.view.phase.clone()
    }
}

#[test]
fn it_is_registered_until_the_router_takes_it_and_polled_by_its_estimate() {
    let mut bench = bench(vec![record(1, Timestamp::EPOCH)]);
    bench.answer_status(Err(absent()));
    bench.answer_track(Err(absent()));
    assert!(bench.take(|slot| matches!(slot, Slot::Track(_))).is_none(), "not before a second has passed");
    bench.wait(1);
    bench.answer_track(Ok(Answer::Tracked(TrackResponse::default())));
    assert_eq!(bench.seconds_to_status(), 0, "what it watches now it can tell at once");
    bench.answer_status(Ok(status(MOVING)));
    assert_eq!(bench.seconds_to_status(), 5, "near the end");
    bench.answer_status(Ok(status(MOVING)));
    bench.wait(70);
    bench.answer_status(Ok(status(MOVING)));
    assert_eq!(bench.seconds_to_status(), 1, "overdue");
    bench.answer_status(Err(error(ErrorKind::RateLimited(Some(Duration::from_secs(50))))));
    assert!(bench.seconds_to_status() >= 50, "the server asked for patience");
    bench.answer_status(Err(error(ErrorKind::Server { status: 502, sentence: "<html>".into() })));
    let wait = bench.seconds_to_status();
    assert!((2..=60).contains(&wait), "it backs off: {wait}");
    bench.answer_status(Ok(status(ARRIVED)));
    assert_eq!(bench.phase(), Phase::Arrived);
    bench.wait(300);
    assert!(bench.take(is_status).is_none(), "nothing is left to ask");
    let kept = bench.kept.last().expect("it is kept");
    assert!(kept.is_over && kept.txs[0].tracking == Tracking::Accepted);
    assert!(kept.txs[0].status.as_ref().is_some_and(|(body, _)| body.contains("COMPLETED_SUCCESS")));
}

#[test]
fn the_router_is_asked_to_watch_it_only_so_often() {
    let mut bench = bench(vec![record(1, Timestamp::EPOCH)]);
    let mut tries = 0;
    for _ in 0..200 {
        while let Some((ticket, _)) = bench.take(|slot| matches!(slot, Slot::Track(_))) {
            tries += 1;
            bench.reply(ticket, Err(absent()));
        }
        if let Some((ticket, _)) = bench.take(is_status) {
            bench.reply(ticket, Err(absent()));
        }
        bench.wait(1);
    }
    assert_eq!(tries, 31);
    assert_eq!(bench.kept.last().expect("kept").txs[0].tracking, Tracking::Refused);
    bench.keys("6 shift-tab enter R");
    bench.answer_track(Ok(Answer::Tracked(TrackResponse::default())));
    assert_eq!(bench.kept.last().expect("kept").txs[0].tracking, Tracking::Accepted);
}

#[test]
fn the_bell_rings_once_at_the_end_and_a_key_takes_the_title_back() {
    let mut bench = bench(vec![record(1, Timestamp::EPOCH)]);
    bench.answer_status(Ok(status(MOVING)));
    assert_eq!(bench.bells(), 0);
    bench.wait(5);
    bench.answer_status(Ok(status(ARRIVED)));
    assert_eq!(bench.bells(), 1);
    let toast = bench.app.toasts.shown().expect("it is told on another screen");
    assert!(toast.text.contains("0101…0101") && toast.kind.sign().1 == "✓", "{}", toast.text);
    let titles = |bench: &Bench| {
        let title = |effect: &Effect| if let Effect::Title(title) = effect { Some(title.clone()) } else { None };
        bench.host.iter().filter_map(title).collect::<Vec<_>>()
    };
    assert!(titles(&bench)[0].starts_with('✓'));
    bench.keys("r j");
    assert_eq!(titles(&bench)[1..], [String::new()]);
    assert_eq!(bench.bells(), 1);
}

#[test]
fn what_ended_in_an_earlier_session_is_not_told_again() {
    let mut ended = record(1, Timestamp::EPOCH);
    ended.txs[0].status = Some((ARRIVED.into(), Timestamp::EPOCH));
    ended.note(Timestamp::EPOCH, "It is there.");
    ended.is_over = true;
    let mut bench = bench(vec![ended]);
    assert_eq!((bench.bells(), bench.app.context.transfers.live()), (0, 0));
    assert!(bench.take(is_status).is_none() && bench.kept.is_empty());
}

#[test]
fn a_frozen_screen_and_other_tabs_do_not_stop_a_watched_transfer() {
    let mut bench = bench(vec![record(1, Timestamp::EPOCH)]);
    bench.keys("2 space");
    bench.answer_status(Ok(status(MOVING)));
    assert_eq!(bench.seconds_to_status(), 5);
    bench.answer_status(Ok(status(ARRIVED)));
    assert_eq!(bench.bells(), 1);
}

#[test]
fn an_old_unfinished_transfer_waits_until_it_is_opened() {
    let mut old = record(1, Timestamp::EPOCH);
    old.txs[0].tracking = Tracking::Accepted;
    let mut bench = Bench::on(network(), (100, 30), Vec::new());
    bench.now = Timestamp::EPOCH.after(Duration::from_secs(3 * 86_400));
    let (ticket, _) = bench.take(|slot| *slot == Slot::Transfers).expect("asked for");
    bench.reply(ticket, Ok(Answer::Transfers(vec![old])));
    bench.wait(100);
    assert!(bench.take(is_status).is_none());
    bench.keys("6 shift-tab");
    assert!(bench.take(is_status).is_some(), "it is shown");
}

#[test]
fn what_was_given_up_can_be_taken_up_again() {
    let mut bench = bench(vec![record(1, Timestamp::EPOCH)]);
    bench.answer_track(Ok(Answer::Tracked(TrackResponse::default())));
    bench.answer_status(Ok(status(ABANDONED)));
    assert_eq!((bench.phase(), bench.app.context.transfers.live()), (Phase::Abandoned, 0));
    bench.keys("6 shift-tab enter >");
    bench.answer_track(Ok(Answer::Tracked(TrackResponse::default())));
    bench.answer_status_later(ABANDONED);
    assert_eq!(bench.seconds_to_status(), 5, "the router has some time to think again");
    bench.answer_status(Ok(status(MOVING)));
    assert_eq!((bench.phase(), bench.app.context.transfers.live()), (Phase::Moving, 1));
    assert!(!bench.kept.last().expect("kept").is_over);
    bench.answer_status_later(ABANDONED);
    assert_eq!(bench.phase(), Phase::Abandoned);
    bench.wait(200);
    assert!(bench.take(is_status).is_none());
}

impl Bench {
    fn answer_status_later(&mut self, body: &str) {
        self.seconds_to_status();
        self.answer_status(Ok(status(body)));
    }
}

#[test]
fn the_board_is_ordered_and_filtered_and_keeps_its_cursor() {
    let later = |seconds| Timestamp::EPOCH.after(Duration::from_secs(seconds));
    let mut over = record(1, later(9));
    over.txs[0].status = Some((ARRIVED.into(), later(9)));
    over.is_over = true;
    let mut bench = bench(vec![over, record(2, later(2)), record(3, later(1))]);
    bench.keys("6 shift-tab");
    let rows = |bench: &Bench| {
        let page = bench.app.navigation.current().as_page::<BridgePage>().expect("the board is shown");
        let number = |hash: &str| u8::from_str_radix(&hash[..2], 16).expect("digits");
        page.listed().map(|id| number(id.hash.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(rows(&bench), [2, 3, 1], "live ones first, the newest first");
    bench.keys("O");
    assert_eq!(rows(&bench), [2, 3, 1]);
    bench.keys("O");
    assert_eq!(rows(&bench), [3, 2, 1], "by arrival");
    bench.keys("c h o m e enter");
    assert_eq!(
        bench.kept.last().map(|record| (record.label.as_str(), record.id.hash.short())),
        Some(("home", "0202…0202".to_owned()))
    );
    bench.keys("f h o m enter");
    assert_eq!(rows(&bench), [2]);
    bench.keys("f esc");
    assert_eq!(rows(&bench), [3, 2, 1]);
    bench.keys("D");
    assert_eq!(rows(&bench).len(), 3, "it asks first");
    bench.keys("D");
    assert_eq!(rows(&bench), [3, 1]);
}

#[test]
fn the_transfers_beside_one_are_those_beside_it_on_the_board() {
    let later = |seconds| Timestamp::EPOCH.after(Duration::from_secs(seconds));
    let mut bench = bench(vec![record(1, later(1)), record(2, later(3)), record(3, later(2))]);
    bench.keys("6 shift-tab");
    let board: Vec<_> = bench.page::<BridgePage>().listed().cloned().collect();
    assert_eq!(board.len(), 3);
    let shown = |bench: &Bench| bench.page::<TransferPage>().id.clone();
    bench.keys("enter [");
    assert_eq!(shown(&bench), board[0], "nothing is before the first");
    for (key, place) in [("]", 1), ("]", 2), ("]", 2), ("[", 1)] {
        bench.keys(key);
        assert_eq!(shown(&bench), board[place], "{key}");
    }
    bench.keys("esc enter");
    assert_eq!(shown(&bench), board[1], "the board is where one was last");
}

#[test]
fn opening_the_board_reads_again_what_other_instances_keep() {
    let mut bench = bench(vec![record(1, Timestamp::EPOCH)]);
    bench.keys("6 shift-tab");
    let (ticket, _) = bench.take(|slot| *slot == Slot::Transfers).expect("read again");
    let mut known = record(1, Timestamp::EPOCH);
    known.label = "theirs".to_owned();
    bench.reply(ticket, Ok(Answer::Transfers(vec![record(2, Timestamp::EPOCH), known])));
    assert_eq!(bench.app.context.transfers.all().len(), 2);
    assert!(bench.app.context.transfers.all().iter().any(|transfer| transfer.follower.record.label == "theirs"));
}

#[test]
fn a_hash_without_its_chain_is_looked_for_here_and_else_the_chain_is_asked_for() {
    let mut bench = bench(Vec::new());
    let typed = hash(7);
    bench.keys("6 t");
    bench.send(Event::Paste(typed.clone()));
    bench.keys("enter");
    let (ticket, request) = bench.take(|slot| matches!(slot, Slot::TrackLookUp)).expect("it is looked for");
    assert!(matches!(request, Request::Tx(_)));
    bench.reply(ticket, Err(absent()));
    bench.send(Event::Paste("noble-1".to_owned()));
    bench.keys("enter");
    let page = bench.app.navigation.current().as_page::<TransferPage>().expect("its page is open");
    assert_eq!(page.id.to_string(), format!("noble-1/{typed}"));
    bench.keys("esc t");
    bench.send(Event::Paste(format!("noble-1/{}", typed.to_lowercase())));
    bench.keys("enter");
    assert_eq!(bench.app.context.transfers.all().len(), 1, "it is kept already");
    assert!(bench.app.navigation.current().as_page::<TransferPage>().is_some());
}

#[test]
fn only_the_optimistic_bridge_has_the_stages_of_a_withdrawal() {
    let stages = |kind: &str| {
        let hop = r#"{"from_chain_id":"far-1","to_chain_id":"interwoven-1","state":"OPINIT_TRANSFER_SENT"}"#;
        let body = format!(r#"{{"state":"STATE_PENDING","transfer_sequence":[{{"{kind}":{hop}}}]}}"#);
        let mut bench = bench(vec![record(1, Timestamp::EPOCH)]);
        bench.answer_status(Ok(status(&body)));
        bench.keys("6 shift-tab enter");
        let page = bench.app.navigation.current().as_page::<TransferPage>().expect("its page is open");
        let rows = page.document.rows().into_iter();
        let rows: Vec<String> =
            rows.map(|row| row.pieces.iter().map(|piece| piece.text.as_str()).collect::<String>()).collect();
        let is_shown = |name: &str| rows.iter().any(|row| row.contains(name));
        assert!(is_shown("OP bridge"), "{kind}: both are called so");
        (is_shown("initiated"), is_shown("claimable"), page.has_withdrawal())
    };
    assert_eq!(stages("op_init_transfer"), (true, true, true));
    assert_eq!(stages("OP bridge"), (false, false, false), "a server's own name for a hop decides nothing");
}

#[test]
fn what_is_kept_is_decoded_once_however_often_it_is_looked_at() {
    let later = |seconds| Timestamp::EPOCH.after(Duration::from_secs(seconds));
    // Every text is a new allocation, as after a read of the store.
    let kept = |number: usize| {
        let hash = format!("{number:064X}").parse().expect("a hash");
        let mut record = TransferRecord::of_hash(ChainId::new("far-1"), &hash, Timestamp::EPOCH);
        record.route = Some(route());
        record.is_over = number > 0;
        record.txs[0].status = Some((if record.is_over { ARRIVED } else { MOVING }.into(), Timestamp::EPOCH));
        record
    };
    let records = || (0..500).map(kept).collect::<Vec<_>>();
    DECODED.set(0);
    let mut bench = bench(records());
    assert_eq!(DECODED.get(), 1_000, "a route and a status each");
    let read_again = |bench: &mut Bench, records| {
        let (ticket, _) = bench.take(|slot| *slot == Slot::Transfers).expect("the board is opened");
        bench.reply(ticket, Ok(Answer::Transfers(records)));
    };
    for _ in 0..3 {
        bench.keys("6 shift-tab");
        read_again(&mut bench, records());
        bench.keys("enter J");
        (0..5).for_each(|_| bench.wait(1));
        bench.keys("J esc O h");
    }
    bench.answer_status(Ok(status(MOVING)));
    bench.wait(60);
    bench.answer_status(Ok(status(ARRIVED)));
    let arrived =
        bench.app.context.transfers.all().iter().filter(|transfer| transfer.follower.view.phase == Phase::Arrived);
    assert_eq!((arrived.count(), DECODED.get()), (500, 1_000), "nothing is decoded again, nor what came decoded");

    let mut others = records();
    others[7].txs[0].status = Some((ABANDONED.into(), later(9)));
    bench.keys("shift-tab");
    read_again(&mut bench, others);
    assert_eq!(DECODED.get(), 1_001, "what another instance has learnt");
    assert_eq!(
        bench
            .app
            .context
            .transfers
            .all()
            .iter()
            .filter(|transfer| transfer.follower.view.phase == Phase::Abandoned)
            .count(),
        1
    );
}
