//! Routes of several transactions.

use std::sync::Arc;

use rollscope::{
    domain::TransferRecord,
    transfers::{HopPhase, NextStep, Phase},
};
use serde_json::{Value, json};

use super::{CREDITED, NOTHING, body, look, record, source_tx};

fn transfer(statuses: &[Option<Value>]) -> TransferRecord {
    let route = body("route-two-transactions");
    let mut record = record(Some(&route), None);
    record.txs = statuses
        .iter()
        .zip(["42161", "noble-1"])
        .zip(1..)
        .map(|((status, chain), number)| source_tx(chain, number, status.as_ref()))
        .collect();
    record
}

#[test]
fn the_next_transaction_is_sent_when_the_one_before_has_done_its_part() {
    let success = json!({"state": "STATE_COMPLETED_SUCCESS", "transfer_sequence": [{"cctp_transfer": {
        "from_chain_id": "42161", "to_chain_id": "noble-1", "state": "CCTP_TRANSFER_RECEIVED"}}]});
    let last = json!({"state": "STATE_COMPLETED_SUCCESS", "transfer_sequence": [{"ibc_transfer": {
        "from_chain_id": "noble-1", "to_chain_id": "interwoven-1", "state": "TRANSFER_SUCCESS"}}]});
    let released = json!({"state": "STATE_COMPLETED",
        "transfer_asset_release": {"chain_id": "noble-1", "denom": "uusdc", "amount": "200000000", "released": true}});
    let pending = json!({"state": "STATE_PENDING"});
    for (statuses, phase, next, headline) in [
        (vec![None], Phase::NotKnown, NextStep::Wait, "Sent on 42161 40 s ago; no status received yet"),
        (vec![Some(pending.clone())], Phase::Moving, NextStep::Wait, "On its way: sent on 42161"),
        (
            vec![Some(success.clone())],
            Phase::Moving,
            NextStep::SendNext(1),
            "Step 1 of 2 is done: the funds are on Noble. Transaction 2 is yours to send.",
        ),
        (
            vec![Some(released.clone())],
            Phase::Moving,
            NextStep::SendNext(1),
            "Step 1 of 2 is done: your 200 uusdc is on Noble. Transaction 2 is yours to send.",
        ),
        (
            vec![Some(success.clone()), Some(pending.clone())],
            Phase::Moving,
            NextStep::Wait,
            "On its way: sent on Noble",
        ),
        (vec![None, Some(pending.clone())], Phase::Moving, NextStep::Wait, "On its way: sent on Noble"),
        (
            vec![Some(success.clone()), None],
            Phase::NotKnown,
            NextStep::Wait,
            "Sent on Noble 40 s ago; no status received yet",
        ),
        (
            vec![Some(success.clone()), Some(last.clone())],
            Phase::Arrived,
            NextStep::Wait,
            "Arrived: about 200 ibc/6490…8AF4 on",
        ),
        (vec![Some(pending), Some(last)], Phase::Arrived, NextStep::Wait, "Arrived: about 200"),
        (
            vec![Some(json!({"state": "STATE_COMPLETED"}))],
            Phase::EndedUnstated,
            NextStep::CheckDestination,
            "The router says completed",
        ),
    ] {
        let view = look(&transfer(&statuses), NOTHING);
        assert_eq!((&view.phase, &view.next), (&phase, &next), "{statuses:?}: {}", view.headline);
        assert!(view.headline.to_string().starts_with(headline), "{statuses:?}: {}", view.headline);
        let indices: Vec<usize> = view.hops.iter().map(|hop| hop.tx_index).collect();
        assert_eq!(indices, [0, 1]);
        if statuses.len() == 1 {
            assert_eq!(view.hops[1].phase, HopPhase::Waiting, "its hash does not exist yet");
        }
    }
}

#[test]
fn a_credit_on_the_destination_says_nothing_of_a_transaction_before_the_last() {
    let view = look(&transfer(&[Some(json!({"state": "STATE_PENDING"}))]), CREDITED);
    assert_eq!(view.phase, Phase::Moving, "{}", view.headline);
}

#[test]
fn a_route_that_claims_any_number_of_transactions_does_no_harm() {
    let mut route = body("route-two-transactions");
    route["txs_required"] = json!(u32::MAX);
    route["operations"][1]["tx_index"] = json!(u32::MAX);
    let mut record = record(None, None);
    record.route = Some(Arc::from(route.to_string()));
    assert!(look(&record, NOTHING).hops.len() < 100);
    record.route = Some(Arc::from("{"));
    let notes = look(&record, NOTHING).notes;
    assert_eq!(notes, ["The saved route is unreadable; the page shows only the status."]);
}
