//! Lines of one page never say that something is there and that it is not, nor wait for what cannot come.

use rstest::rstest;
use serde_json::{Value, json};

use super::{ME, PlayedServer, Stage, event, folder, hash, indexed, mine, seconds, status};
use crate::harness::replay::Answer;

/// What the source chain's index has: the packet that left.
fn sent() -> Value {
    let message = json!({"@type": "/ibc.applications.transfer.v1.MsgTransfer"});
    let events = [
        event("send_packet", &[("packet_src_channel", "channel-0"), ("packet_sequence", "7")]),
        event("ibc_transfer", &[("sender", "noble1sender"), ("receiver", ME)]),
    ];
    indexed(&hash(1), "2026-01-31T12:00:04Z", &message, &events)
}

/// A status of the first hop that names no transaction of it.
fn unseen(state: &str) -> Value {
    let mut told = status(Stage::FirstHop);
    told["transfer_sequence"][0]["ibc_transfer"]["packet_txs"]["send_tx"] = Value::Null;
    told["transfer_sequence"][0]["ibc_transfer"]["state"] = state.into();
    told
}

#[rstest]
#[case::nothing_but_a_state(Some(json!({"state": "STATE_PENDING", "transfer_sequence": []})), None)]
#[case::a_hop_without_its_transaction(Some(unseen("TRANSFER_PENDING")), None)]
#[case::a_hop_that_it_does_not_know(Some(unseen("TRANSFER_UNKNOWN")), None)]
#[case::it_knows_nothing(None, None)]
#[case::it_does_not_answer(None, Some(Answer::typed(503, "text/html", "<html>")))]
fn what_the_index_shows_is_nowhere_said_to_be_unseen(#[case] told: Option<Value>, #[case] outage: Option<Answer>) {
    let (server, folder) = (PlayedServer::start("noble-1"), folder());
    {
        let mut played = server.play();
        played.txs = vec![sent()];
        played.statuses = told.into_iter().map(|told| (hash(1), told)).collect();
        played.outage = outage;
    }
    let explorer = server.opened(&mine(), folder.path());
    explorer.advance(seconds(20)).advance(seconds(20));
    explorer.wait_for("sent in      01C4…C4C4 on Noble  2026-01-31 12:00:04 UTC");
    let screen = explorer.screen();
    for lie in
        ["on Noble reported yet", "not seen it on Noble", "in a block yet", "does not have it", "o status received"]
    {
        assert!(!screen.contains(lie), "“{lie}” beside the transaction itself:\n{screen}");
    }
    explorer.quit();
}

/// It ended at the first of its two hops, which stands like this.
fn ended(state: &str) -> Value {
    let release = json!({"chain_id": "noble-1", "denom": "uusdc", "amount": "100000000", "released": true});
    let mut told = status(Stage::FirstHop);
    told["state"] = "STATE_COMPLETED_ERROR".into();
    told["transfer_asset_release"] = release;
    told["transfer_sequence"][0]["ibc_transfer"]["state"] = state.into();
    told
}

#[rstest]
#[case::refused(Some(ended("TRANSFER_FAILURE")), "! released  Did not complete. Your 100 USDC is on Noble.")]
#[case::still_pending(Some(ended("TRANSFER_PENDING")), "! released  Did not complete. Your 100 USDC is on Noble.")]
#[case::of_no_hop(
    Some(json!({"state": "STATE_COMPLETED_ERROR", "transfer_sequence": []})),
    "Failed; the router does not state where it releases the funds."
)]
#[case::at_the_source(None, "✗ failed  The router reports a failed transaction on Noble")]
fn after_a_failure_no_later_hop_is_waited_for(#[case] told: Option<Value>, #[case] headline: &str) {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    {
        let mut played = server.play();
        let refusal = r#"{"code":3,"message":"tx is invalid on chain","details":[]}"#;
        played.track = told.as_ref().map_or(Answer::typed(400, "application/json", refusal), |_| Answer::json("{}"));
        played.statuses = told.into_iter().map(|told| (hash(1), told)).collect();
    }
    let explorer = server.opened(&mine(), folder.path());
    explorer.wait_for(headline);
    let screen = explorer.screen();
    let second = screen.lines().find(|line| line.contains("2 IBC") && line.contains("Initia → Far"));
    assert!(second.is_some_and(|line| line.contains("– 2 IBC") && line.contains("not reached")), "{screen}");
    let hops: Vec<&str> = screen
        .lines()
        .skip_while(|line| !line.contains("Hops"))
        .take_while(|line| !line.contains("Questions"))
        .collect();
    for lie in ["waiting", "in progress", "on Far yet", "received in    on"] {
        assert!(!hops.iter().any(|line| line.contains(lie)), "“{lie}” of what has failed:\n{screen}");
    }
    explorer.quit();
}
