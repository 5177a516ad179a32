//! Answers of a router that contradict themselves, each beside the honest answer of its kind.

use std::sync::Arc;

use rollscope::transfers::{HopPhase, IndexFindings, NextStep, Phase, RouterAnswers, status_view, transfer_facts};
use serde_json::{Value, json};

use super::{CREDITED, NOTHING, Plain, SOURCE_FAILED, SOURCE_SUCCEEDED, at, body, look, record, view_of};

const OWN: &str = "1111111111111111111111111111111111111111111111111111111111111111";
const OTHER: &str = "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF";

/// A transfer from Echelon over Initia to Noble that ended well.
fn honest() -> Value {
    let hop = |from: &str, to: &str, sent: &str, received: &str| {
        json!({"ibc_transfer": {"from_chain_id": from, "to_chain_id": to, "state": "TRANSFER_SUCCESS", "packet_txs": {
            "send_tx": {"chain_id": from, "tx_hash": sent, "on_chain_at": "2025-11-21T10:00:02Z"},
            "receive_tx": {"chain_id": to, "tx_hash": received, "on_chain_at": "2025-11-21T10:00:20Z"}}}})
    };
    json!({"state": "STATE_COMPLETED_SUCCESS",
        "transfer_sequence": [hop("echelon-1", "interwoven-1", OWN, "B"), hop("interwoven-1", "noble-1", "B", "C")],
        "transfer_asset_release": {"chain_id": "noble-1", "denom": "uusdc", "amount": "7000000", "released": true}})
}

/// The honest answer with a change of its second hop.
fn with_hop(change: impl Fn(&mut Value)) -> Value {
    let mut status = honest();
    change(&mut status["transfer_sequence"][1]["ibc_transfer"]);
    status
}

fn with_release(field: &str, value: Value) -> Value {
    let mut status = honest();
    status["transfer_asset_release"][field] = value;
    status
}

#[test]
fn a_success_that_the_same_answer_denies_is_a_contradiction() {
    let pending = with_hop(|hop| {
        hop["state"] = "TRANSFER_PENDING".into();
        hop["packet_txs"]["receive_tx"] = Value::Null;
    });
    let failed = with_hop(|hop| hop["state"] = "TRANSFER_FAILURE".into());
    let mut error = honest();
    error["error"] = json!({"type": "STATUS_ERROR_TRANSFER", "message": "no"});
    let mut completed = with_release("amount", json!("0"));
    completed["state"] = "STATE_COMPLETED".into();
    for (status, words) in [
        (failed.clone(), "success, but hop 2, Initia → Noble, failed."),
        (pending.clone(), "success, but hop 2, Initia → Noble, is pending."),
        (error, "success, but an error."),
        (with_release("released", json!(false)), "success, but 7 uusdc not released on Noble."),
        (with_release("chain_id", json!("evil-1")), "success, but 7 uusdc released on evil-1, not on Noble."),
        (with_release("amount", json!("0")), "success, but 0 uusdc released on Noble."),
        (completed, "completed, but 0 uusdc released on Noble."),
    ] {
        for status in [status.clone(), json!({"transfers": [status]})] {
            let record = record(None, Some(&status));
            let view = look(&record, NOTHING);
            assert_eq!(view.headline.to_string(), format!("The router contradicts itself: {words}"));
            assert_eq!((&view.phase, &view.next), (&Phase::Contradictory, &NextStep::CheckDestination));
            let facts = transfer_facts(&record, &IndexFindings::default(), &view, at(40)).to_string();
            assert!(facts.contains(r#""phase":"contradictory""#) && !facts.contains("rrived"), "{facts}");
        }
    }
    let hops = |status: &Value| look(&record(None, Some(status)), NOTHING).hops.iter().map(|hop| hop.phase).collect();
    let ticks: [Vec<HopPhase>; 2] = [hops(&failed), hops(&pending)];
    assert_eq!(ticks, [vec![HopPhase::Done, HopPhase::Failed], vec![HopPhase::Done, HopPhase::Active]]);

    let view = look(&record(None, Some(&honest())), NOTHING);
    assert_eq!((view.phase, view.headline.to_string().as_str()), (Phase::Arrived, "Arrived: 7 uusdc on Noble."));
}

#[test]
fn what_is_delivered_is_not_pending() {
    for (state, is_received) in [("TRANSFER_PENDING", true), ("TRANSFER_RECEIVED", false), ("TRANSFER_UNKNOWN", false)]
    {
        let status = with_hop(|hop| {
            hop["state"] = state.into();
            if !is_received {
                hop["packet_txs"]["receive_tx"] = Value::Null;
            }
        });
        let view = look(&record(None, Some(&status)), NOTHING);
        assert_eq!(view.phase, Phase::Arrived, "{state}: only its acknowledgement is open: {}", view.headline);
        assert_eq!(view.hops[1].phase, HopPhase::Done, "{state}");
    }
    let mut earlier = honest();
    earlier["transfer_sequence"][0]["ibc_transfer"]["state"] = "TRANSFER_PENDING".into();
    earlier["transfer_sequence"][0]["ibc_transfer"]["packet_txs"]["receive_tx"] = Value::Null;
    assert_eq!(look(&record(None, Some(&earlier)), NOTHING).phase, Phase::Arrived, "the next hop has the funds");
}

#[test]
fn a_refund_is_on_a_chain_of_the_hops() {
    let mut status = with_hop(|hop| hop["state"] = "TRANSFER_FAILURE".into());
    status["state"] = "STATE_COMPLETED_ERROR".into();
    status["transfer_asset_release"]["chain_id"] = "interwoven-1".into();
    let view = look(&record(None, Some(&status)), NOTHING);
    assert_eq!(view.headline.to_string(), "Did not complete. Your 7 uusdc is on Initia.");
    status["transfer_asset_release"]["chain_id"] = "evil-1".into();
    let view = look(&record(None, Some(&status)), NOTHING);
    let words = "a failure, but 7 uusdc released on evil-1, not on Noble.";
    assert_eq!(view.headline.to_string(), format!("The router contradicts itself: {words}"));
}

#[test]
fn an_answer_about_another_transaction_says_nothing_of_this_one() {
    let mut transfer = record(None, Some(&honest()));
    assert_eq!(look(&transfer, NOTHING).phase, Phase::Arrived);
    let mut strange = honest();
    strange["transfer_sequence"][0]["ibc_transfer"]["packet_txs"]["send_tx"]["tx_hash"] = OTHER.into();
    for (state, is_nested) in [("STATE_COMPLETED_SUCCESS", false), ("STATE_PENDING", false), ("STATE_ABANDONED", true)]
    {
        strange["state"] = state.into();
        let status = if is_nested { json!({"transfers": [strange]}) } else { strange.clone() };
        transfer.txs[0].status = Some((Arc::from(status.to_string()), at(5)));
        let view = look(&transfer, SOURCE_SUCCEEDED);
        let words = "The router reports on another transaction, FFFF…FFFF, not on 1111…1111.";
        assert_eq!(view.headline.to_string(), words, "{state}");
        assert_eq!((view.phase, view.next, view.release), (Phase::Contradictory, NextStep::TrackAgain, None));
        assert!(view.hops.is_empty(), "the hops of another transaction are not shown: {:?}", view.hops);
        let note = "Only the indexer of Echelon has the transaction; the router reports on another transaction.";
        assert!(view.notes.iter().any(|has| *has == note), "{:?}", view.notes);
    }
    assert_eq!(look(&transfer, SOURCE_FAILED).phase, Phase::FailedAtSource, "the chain is believed");
    strange["transfer_sequence"][0]["ibc_transfer"]["packet_txs"]["send_tx"]["tx_hash"] =
        format!("0x{}", OTHER.to_lowercase()).into();
    strange["state"] = "STATE_COMPLETED_SUCCESS".into();
    transfer.txs[0].status = Some((Arc::from(strange.to_string()), at(5)));
    assert_eq!(look(&transfer, NOTHING).phase, Phase::Arrived, "an Ethereum hash may be of the same transaction");
}

#[test]
fn a_credit_outweighs_a_contradiction() {
    let status = with_hop(|hop| hop["state"] = "TRANSFER_FAILURE".into());
    let view = look(&record(None, Some(&status)), CREDITED);
    let words = "Arrived on Noble, as the indexer shows; the router contradicts itself.";
    assert_eq!((view.phase, view.headline.to_string().as_str()), (Phase::Arrived, words));
}

#[test]
fn a_success_without_transfers_does_not_say_where() {
    let status = json!({"state": "STATE_COMPLETED_SUCCESS"});
    let route = body("route-ibc-multihop");
    for route in [None, Some(&route)] {
        let view = look(&record(route, Some(&status)), NOTHING);
        assert_eq!(view.headline.to_string(), "The router says completed; the funds' location is not stated.");
        assert_eq!((view.phase, view.next), (Phase::EndedUnstated, NextStep::CheckDestination));
        assert!(view.hops.iter().all(|hop| hop.phase == HopPhase::Unknown), "{:?}", view.hops);
    }
    let credited = look(&record(Some(&route), Some(&status)), CREDITED);
    assert!(credited.headline.to_string().starts_with("Arrived on Noble, as the indexer shows"));
}

#[test]
fn funds_that_are_released_before_the_end_are_named() {
    let mut status = honest();
    status["state"] = "STATE_PENDING".into();
    status["next_blocking_transfer"] = json!({"transfer_sequence_index": 0});
    let words = "The router says that your 7 uusdc is on Noble; its final status is pending.";
    for status in [status.clone(), json!({"transfers": [status.clone()]})] {
        let view = look(&record(None, Some(&status)), NOTHING);
        assert_eq!((view.phase, view.headline.to_string().as_str()), (Phase::Moving, words));
    }
    status["transfer_asset_release"]["released"] = false.into();
    assert!(look(&record(None, Some(&status)), NOTHING).headline.to_string().starts_with("On its way: hop 1"));
}

#[test]
fn a_time_in_the_future_is_no_duration() {
    let mut status = honest();
    status["state"] = "STATE_PENDING".into();
    status["transfer_asset_release"] = Value::Null;
    let of = |time: &str| {
        let mut status = status.clone();
        status["transfer_sequence"][0]["ibc_transfer"]["packet_txs"]["send_tx"]["on_chain_at"] = time.into();
        let record = record(None, Some(&status));
        (status_view(&record, &RouterAnswers::of(&record), NOTHING, &Plain, at(40)), record)
    };
    let (ahead, _) = of("2099-01-01T00:00:00Z");
    let note = "The clocks differ: a time of this transfer is in the future by this machine's clock.";
    assert!(ahead.headline.clock.is_none() && ahead.notes.iter().any(|has| *has == note), "{ahead:?}");
    let (usual, record) = of("2025-11-21T10:00:02Z");
    assert_eq!(usual.headline.clock.as_deref(), Some("0:38 so far"));
    assert!(!usual.notes.iter().any(|has| *has == note));
    let skewed = view_of(&record, NOTHING, &Plain, at(0));
    assert_eq!(skewed.headline.clock.as_deref(), Some("0:00 so far"), "two seconds are no wrong clock");
}
