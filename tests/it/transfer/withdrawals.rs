//! Optimistic withdrawals: days of waiting, a claim on the L1, and routers that do not follow them.

use std::sync::Arc;

use rollscope::{
    domain::{LocalZone, Timestamp},
    transfers::{
        HeadlineWitness, HopPhase, IndexFindings, NextStep, Phase, RouterAnswers, status_view, transfer_facts,
    },
    wire::opinit::SettlementAnswers,
};
use serde_json::{Value, json};

use super::{
    CREDITED, NOTHING, Plain, SOURCE_ABSENT, SOURCE_FAILED, SOURCE_SUCCEEDED, at, body, look, record, view_of,
};

const WEEK: u64 = 604_800;

fn status(state: &str, received: bool, release: Option<bool>) -> Value {
    let sent = json!({"chain_id": "civitia-1", "tx_hash": "A", "on_chain_at": "2025-11-21T10:00:07Z"});
    let received = if received { json!({"chain_id": "interwoven-1", "tx_hash": "B"}) } else { Value::Null };
    let word = if received.is_null() { "OPINIT_TRANSFER_SENT" } else { "OPINIT_TRANSFER_RECEIVED" };
    json!({
        "state": state,
        "transfer_sequence": [{"op_init_transfer": {"from_chain_id": "civitia-1", "to_chain_id": "interwoven-1",
            "state": word, "txs": {"send_tx": sent, "receive_tx": received}}}],
        "transfer_asset_release": release.map(|released| json!({"chain_id": "interwoven-1", "denom": "uinit", "released": released})),
    })
}

#[test]
fn its_times_are_told_in_the_zone_of_who_looks_and_to_scripts_in_utc() {
    let zone = LocalZone::of_rules("<+0545>-5:45").unwrap();
    let record = record(Some(&body("route-op-withdraw")), Some(&status("STATE_PENDING", false, None)));
    let view = look(&record, NOTHING);
    let line = view.headline.first_line_in(&zone, at(9));
    let words = "claimable on Initia from about 2025-11-28 15:45 +05:45 (10:00 UTC) (estimate). (router, ";
    assert!(line.contains(words), "{line}");
    assert!(
        view.headline
            .first_line_in(&LocalZone::default(), at(9))
            .contains("from about 2025-11-28 10:00 UTC (estimate)")
    );
    let facts = transfer_facts(&record, &IndexFindings::default(), &view, at(9)).to_string();
    assert!(facts.contains("2025-11-28 10:00 UTC") && !facts.contains("05:45"), "{facts}");
}

#[test]
fn a_withdrawal_is_there_by_evidence_only() {
    let route = body("route-op-withdraw");
    let waits = "Withdrawal from Civitia: claimable on Initia from about 2025-11-28 10:00 UTC (estimate).";
    for (state, received, release, evidence, phase, headline) in [
        ("STATE_PENDING", false, None, NOTHING, Phase::Finalizing, waits),
        ("STATE_ABANDONED", false, None, NOTHING, Phase::Finalizing, waits),
        ("STATE_COMPLETED_SUCCESS", false, None, NOTHING, Phase::Finalizing, waits),
        ("STATE_COMPLETED_SUCCESS", false, Some(false), NOTHING, Phase::Finalizing, waits),
        ("STATE_COMPLETED", false, None, NOTHING, Phase::Finalizing, waits),
        ("STATE_COMPLETED_SUCCESS", true, None, NOTHING, Phase::Arrived, "Arrived: about 40 uinit on Initia."),
        ("STATE_COMPLETED_SUCCESS", false, Some(true), NOTHING, Phase::Arrived, "Arrived: uinit on Initia."),
        ("STATE_PENDING", true, None, NOTHING, Phase::Moving, "On its way: every hop is done; the router's"),
        ("STATE_PENDING", false, None, CREDITED, Phase::Arrived, "Arrived on Initia, as the indexer shows"),
        ("STATE_COMPLETED_ERROR", false, None, NOTHING, Phase::FailedHeld, "Failed; the router does not state where"),
    ] {
        let view = look(&record(Some(&route), Some(&status(state, received, release))), evidence);
        assert_eq!(view.phase, phase, "{state}: {}", view.headline);
        assert!(view.headline.to_string().starts_with(headline), "{state}: {}", view.headline);
        if phase == Phase::Finalizing {
            assert_eq!(view.hops[0].phase, HopPhase::Active, "{state}");
            assert_eq!(view.expected, Some(at(WEEK + 7)), "by the time on chain, not that of the broadcast");
        }
    }
}

#[test]
fn routers_that_never_heard_of_it_do_not_matter() {
    let route = body("route-op-withdraw");
    let record = record(Some(&route), None);
    for (evidence, phase, headline) in [
        (NOTHING, Phase::NotKnown, "Withdrawal sent on Civitia; not confirmed on chain yet."),
        (SOURCE_ABSENT, Phase::NotKnown, "Withdrawal sent; the indexer of Civitia does not have it yet."),
        (SOURCE_SUCCEEDED, Phase::Finalizing, "Withdrawal from Civitia: claimable on Initia from about"),
        (SOURCE_FAILED, Phase::FailedAtSource, "Failed at the source: only the fee left the account on"),
    ] {
        let view = look(&record, evidence);
        assert_eq!(view.phase, phase, "{evidence:?}: {}", view.headline);
        assert!(view.headline.to_string().starts_with(headline), "{evidence:?}: {}", view.headline);
    }
    let later = view_of(&record, SOURCE_SUCCEEDED, &Plain, at(WEEK));
    assert_eq!((later.next, later.phase), (NextStep::Claim, Phase::Finalizing));
    assert!(
        later.headline.to_string().contains("should be claimable on Initia since about 2025-11-28 10:00 UTC"),
        "{}",
        later.headline
    );
    assert!(later.notes.iter().any(|note| note.starts_with("Routers do not track claims")), "{:?}", later.notes);
    assert!(!later.notes.iter().any(|note| note.contains("longer than usual")), "{:?}", later.notes);
}

#[test]
fn a_deposit_is_no_withdrawal_and_a_typed_hash_may_be_one() {
    let deposit = record(Some(&body("route-op-deposit")), Some(&body("status-op-deposit-pending")));
    assert_eq!(look(&deposit, NOTHING).phase, Phase::Moving);
    let mut elsewhere = body("route-op-withdraw").to_string().replace("interwoven-1", "some-l1");
    let waits = |route: &str| look(&record(Some(&serde_json::from_str(route).unwrap()), None), SOURCE_SUCCEEDED).phase;
    assert_eq!(waits(&elsewhere), Phase::Finalizing, "an l2/ denom leaves a rollup");
    elsewhere = elsewhere.replace("604800", "20").replace("l2/", "evm/");
    assert_eq!(waits(&elsewhere), Phase::NotKnown, "neither denom nor duration says so");
    let typed = look(&record(None, Some(&status("STATE_PENDING", false, None))), NOTHING);
    let headline = "Withdrawal from Civitia: claimable on Initia after its finalization period.";
    assert_eq!((typed.phase, typed.headline.to_string().as_str()), (Phase::Finalizing, headline));
}

/// What the index, the executor and the L1 say of a withdrawal whose output was proposed at 12:00:00.
pub(super) fn settled(change: impl Fn(&mut SettlementAnswers)) -> IndexFindings {
    let (withdrawal, output) = crate::harness::settlement::proven();
    let mut answers = SettlementAnswers {
        withdrawal: serde_json::from_value(withdrawal).expect("a withdrawal"),
        bridge: serde_json::from_value(json!({"bridge_config": {"finalization_period": "86400s"}})).ok(),
        output: Some(serde_json::from_value(output).ok()),
        is_claimed: Some(false),
        at: "2026-01-31T12:30:00Z".parse().expect("a time"),
    };
    change(&mut answers);
    IndexFindings { settlement: Some(Arc::new(answers)), ..SOURCE_SUCCEEDED.into() }
}

#[test]
fn the_l1s_word_makes_facts_of_estimates() {
    let record = record(Some(&body("route-op-withdraw")), Some(&status("STATE_PENDING", false, None)));
    let look = |found: IndexFindings, now: &str| {
        let now: Timestamp = now.parse().unwrap();
        let view = status_view(&record, &RouterAnswers::of(&record), found, &Plain, now);
        (view.headline.first_line_in(&LocalZone::default(), now), view)
    };
    let (soon, late) = ("2026-01-31T12:30:04Z", "2026-02-01T12:00:00Z");
    let (line, view) = look(settled(|_| ()), soon);
    assert_eq!(
        line,
        "Withdrawal from Civitia: proposed; claimable on Initia from 2026-02-01 12:00 UTC on. (L1, 4 s ago)"
    );
    assert_eq!((view.next, view.headline.source.witness), (NextStep::Wait, HeadlineWitness::Settlement));
    assert_eq!(view.expected, Some("2026-02-01T12:00:00Z".parse().unwrap()));
    assert!(
        view.notes
            .iter()
            .any(|note| note.starts_with("Output 3, which covers the withdrawal, was proposed on Initia at")),
        "{:?}",
        view.notes
    );
    assert!(!view.notes.iter().any(|note| note.starts_with("The estimate")), "{:?}", view.notes);

    let (line, view) = look(settled(|_| ()), late);
    let words = "Withdrawal from Civitia: claimable on Initia since 2026-02-01 12:00 UTC; its proof is valid. (L1, ";
    assert!(line.starts_with(words), "{line}");
    assert_eq!(view.next, NextStep::Claim);
    let over = "Output 3, which covers the withdrawal, was proposed on Initia at 2026-01-31 12:00:00 UTC: \
                challenge period over since 2026-02-01 12:00:00 UTC.";
    assert!(view.notes.iter().any(|note| *note == over), "{:?}", view.notes);

    let (line, view) = look(settled(|answers| answers.withdrawal.storage_root = Some("AAAA".to_owned())), late);
    assert!(line.starts_with("Withdrawal from Civitia: the executor's proof is invalid; no claim possible"), "{line}");
    assert_eq!(view.next, NextStep::Wait, "what is not proven is never to be claimed");

    let (line, view) = look(settled(|answers| answers.output = Some(None)), late);
    assert!(line.contains("in no output yet; claimable on Initia from about 2025-11-28"), "{line}");
    assert_eq!(view.next, NextStep::Wait, "the estimate is over, and the L1 knows better");

    let (line, view) = look(settled(|answers| answers.output = None), late);
    assert!(line.contains("should be claimable on Initia since about") && line.contains("(estimate)"), "{line}");
    assert!(view.notes.iter().any(|note| note.contains("its state on Initia is unknown")), "{:?}", view.notes);

    let (line, view) = look(settled(|answers| answers.is_claimed = Some(true)), late);
    assert!(line.starts_with("Arrived on Initia: that chain confirms the claim; no router status"), "{line}");
    assert_eq!((view.phase, view.hops[0].phase), (Phase::Arrived, HopPhase::Done));
}

#[test]
fn a_withdrawal_and_a_deposit_behind_it_have_times_of_their_own() {
    let mut route = body("route-op-withdraw");
    let deposit = json!({"tx_index": 1, "amount_in": "40000000", "amount_out": "40000000", "op_init_transfer":
        {"from_chain_id": "interwoven-1", "to_chain_id": "echelon-1", "denom_in": "uinit", "denom_out": "l2/aa"}});
    route["operations"].as_array_mut().expect("operations").push(deposit);
    for (field, value) in [
        ("txs_required", json!(2)),
        ("dest_asset_chain_id", json!("echelon-1")),
        ("dest_asset_denom", json!("l2/aa")),
        ("estimated_route_duration_seconds", json!(90)),
    ] {
        route[field] = value;
    }
    let under_way = look(&record(Some(&route), Some(&status("STATE_PENDING", false, None))), NOTHING);
    let line = under_way.headline.to_string();
    assert!(line.contains("claimable on Initia at the latest"), "90 s are of both transactions: {line}");
    assert_eq!(under_way.hops[1].claimable, None, "nothing is to be claimed of a deposit");

    let mut claimed = status("STATE_COMPLETED_SUCCESS", true, Some(true));
    claimed["transfer_sequence"][0]["op_init_transfer"]["txs"]["receive_tx"]["on_chain_at"] =
        "2025-11-21T10:00:58Z".into();
    let mut record = record(Some(&route), Some(&claimed));
    for now in [at(60), at(4000)] {
        let view = view_of(&record, NOTHING, &Plain, now);
        assert_eq!(view.next, NextStep::SendNext(1));
        assert_eq!((view.hops[0].claimable, view.expected), (None, None), "an estimate goes once the fact is known");
        assert_eq!(view.clocks[0].elapsed(now).map(|span| span.as_secs()), Some(51), "it stops while it is one's turn");
        assert_eq!((view.hops[0].began, view.hops[0].ended), (Some(at(7)), Some(at(58))));
    }
    let mut second = super::source_tx("interwoven-1", 2, Some(&json!({"state": "STATE_PENDING"})));
    second.at = at(100);
    record.txs.push(second);
    let view = view_of(&record, NOTHING, &Plain, at(126));
    assert_eq!(view.headline.clock.as_deref(), Some("0:26 so far"), "not of both together: {}", view.headline);
    assert!(view.hops.iter().all(|hop| hop.claimable.is_none()), "{:?}", view.hops);
}

#[test]
fn what_was_planned_stays_what_was_planned() {
    let route = body("route-ibc-multihop");
    let planned = |status: &str| {
        let view = look(&record(Some(&route), Some(&body(status))), NOTHING);
        view.clocks.iter().map(|clock| clock.estimate).collect::<Vec<_>>()
    };
    let before = planned("status-2-pending-hop0");
    assert_eq!(before, [Some(std::time::Duration::from_secs(60))]);
    assert_eq!(planned("status-4b-completed-success"), before, "also once it is over");
}
