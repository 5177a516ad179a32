//! Times of a transfer in a zone that is not UTC, where its day is another: on its page, on the board, and what is
//! kept.

use std::{path::Path, time::Duration};

use rollscope::{
    config::Network,
    domain::{ChainId, LocalZone, Timestamp, TransferRecord},
    store::{Store, StoreScope},
};
use serde_json::json;

use super::{
    first_lines::{PlayedServer, folder},
    transfers::{Stage, hash, record},
};
use crate::harness::{Explorer, chain_of};

const CET: &str = "CET-1CEST,M3.5.0,M10.5.0/3";

/// Shortly before the day ends in UTC; in the zone it is the next one.
fn evening() -> Timestamp {
    "2026-01-31T23:20:00Z".parse().expect("a fixed time")
}

/// An explorer on the transfer's page, whose board stands behind it.
fn opened(server: &PlayedServer, record: &TransferRecord, folder: &Path) -> Explorer {
    let state = folder.join("state.sqlite");
    let mut store = Store::open(&state).expect("a state file");
    store.save(&scope(server), record).expect("it is kept");
    let zone = LocalZone::of_rules(CET).expect("rules of a zone");
    let builder = Explorer::builder().size(220, 44).at(evening()).zone(zone).state_file(state);
    let explorer = builder.server(server.url()).start();
    explorer.settle().press("6 shift-tab enter");
    explorer
}

fn scope(server: &PlayedServer) -> StoreScope {
    StoreScope::new(Network::unnamed(server.url().to_owned()).key())
}

/// A withdrawal that began five minutes before.
fn withdrawal() -> TransferRecord {
    let sent = evening().before(Duration::from_secs(300));
    let route = json!({
        "amount_in": "100000000", "amount_out": "100000000", "source_asset_chain_id": "far-2",
        "source_asset_denom": "uusdc", "dest_asset_chain_id": "interwoven-1", "dest_asset_denom": "uusdc",
        "operations": [{"op_init_transfer": {"from_chain_id": "far-2", "to_chain_id": "interwoven-1",
            "denom_in": "uusdc", "denom_out": "uusdc"}, "tx_index": 0, "amount_in": "100000000",
            "amount_out": "100000000"}],
        "required_chain_addresses": ["far-2", "interwoven-1"], "chain_ids": [], "does_swap": false,
        "estimated_route_duration_seconds": 604_800, "txs_required": 1,
    });
    let hash = hash(1).parse().expect("a hash");
    TransferRecord {
        route: Some(route.to_string().into()),
        addresses: ["init1sender", "init1recipient"].map(ToOwned::to_owned).to_vec(),
        ..TransferRecord::of_hash(ChainId::new("far-2"), &hash, sent)
    }
}

#[test]
fn an_estimate_is_told_in_the_persons_zone_and_kept_in_utc() {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    let side = json!({"chain_id": "far-2", "tx_hash": hash(1), "on_chain_at": "2026-01-31T23:15:00Z"});
    let told = json!({"state": "STATE_PENDING", "next_blocking_transfer": {"transfer_sequence_index": 0},
        "transfer_sequence": [{"op_init_transfer": {"from_chain_id": "far-2", "to_chain_id": "interwoven-1",
            "state": "OPINIT_TRANSFER_SENT", "txs": {"send_tx": side}}}]});
    server.play().statuses = vec![(hash(1), told)];
    let explorer = opened(&server, &withdrawal(), folder.path());
    let estimate =
        "Withdrawal from Far: claimable on Initia from about 2026-02-08 00:15 CET (2026-02-07 23:15 UTC) (estimate).";
    explorer.wait_for(&format!("{estimate} (router, "));
    // The first look may come before the router's names of chains.
    explorer.wait_for("2026-02-01 00:20:00 CET (2026-01-31 23:20:00 UTC)  Withdrawal from ");
    explorer.press("esc").wait_for(estimate).press("T").wait_for(" time ").wait_for(" 02-08 00:15 CET ");
    explorer.settle();
    explorer.quit();

    let kept = Store::open(&folder.path().join("state.sqlite")).expect("the state file");
    let kept = kept.transfers(&scope(&server)).expect("it can be read");
    let texts: Vec<&str> = kept.iter().flat_map(|record| &record.changes).map(|change| change.text.as_str()).collect();
    assert!(texts.iter().any(|text| text.contains("about 2026-02-07 23:15 UTC (estimate)")), "{texts:?}");
    assert!(!texts.iter().any(|text| text.contains("CET")), "{texts:?}");
}

#[test]
fn what_nobody_confirms_any_more_is_dated_by_the_persons_clock() {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    server.set(Stage::SecondHop);
    let sent = evening().before(Duration::from_secs(60));
    let mut moving = record(1);
    (moving.created, moving.txs[0].at) = (sent, sent);
    let explorer = opened(&server, &moving, folder.path());
    explorer.wait_for("▶ moving  On its way: hop 2 of 2, Initia → Far");
    server.play().statuses.clear();
    explorer.advance(Duration::from_secs(6)).wait_for("(asked ").wait_for(" since 00:20:06 CET); ");
    server.play().outage = Some(crate::harness::replay::Answer::typed(503, "text/html", "<html>"));
    explorer.advance(Duration::from_secs(70)).press("esc").wait_for("as of 00:20:00 CET: On its way: hop 2 of 2");
    explorer.press("T").wait_for(" 01-31 13:01 CET ");
    assert!(!explorer.screen().contains("UTC"), "{}", explorer.screen());
    explorer.quit();
}

#[test]
fn a_time_in_the_routers_own_words_is_shown_as_it_came() {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    let words = "expired at 2026-01-31 23:10 UTC, retried 2026-01-31T23:11:04Z";
    let release = json!({"chain_id": "far-2", "denom": "uusdc", "amount": "100000000", "released": true});
    let told = json!({"state": "STATE_COMPLETED_ERROR", "transfer_sequence": [], "transfer_asset_release": release,
        "error": {"code": 1, "message": words}});
    server.play().statuses = vec![(hash(1), told)];
    let explorer = opened(&server, &withdrawal(), folder.path());
    explorer.wait_for("Did not complete").wait_for(&format!("The router's reason: “{words}”"));
    explorer.quit();
}

#[test]
fn lists_tell_the_persons_time_and_utc() {
    let zone = LocalZone::of_rules(CET).expect("rules of a zone");
    let explorer = Explorer::builder().size(100, 24).rollup(chain_of(20)).zone(zone).start();
    explorer
        .press("3 T")
        .wait_for("local time")
        .wait_for(" 13:00:")
        .press("T")
        .wait_for("time UTC")
        .wait_for(" 12:00:");
    explorer.press("T").wait_gone("time UTC").wait_gone("local time");
    explorer.quit();
}
