//! First lines that were once untrue, each beside the case in which they are true: what the router no longer says, what
//! an index shows without it, and since when.

use std::time::Duration;

use rollscope::{
    domain::{Amount, Denom, LocalZone, Timestamp, TransferRecord},
    transfers::{
        HeadlineWitness, HopPhase, IndexFindings, IndexedCredit, IndexedReturn, NextStep, Phase, ReturnCause,
        RouterAnswers, RouterHealth, TransferStatusView, status_view, transfer_facts,
    },
    wire::{ApiError, ErrorKind, Step},
};
use serde_json::{Value, json};

use super::{CREDITED, NOTHING, Plain, SOURCE_ABSENT, SOURCE_SUCCEEDED, at, body, look, record, view_of};

fn error(kind: ErrorKind) -> ApiError {
    ApiError { kind, url: "http://router.example/v2/tx/status".into(), body: None }
}

fn untracked() -> ApiError {
    error(ErrorKind::Untracked("tx not found".into()))
}

fn unreachable() -> ApiError {
    error(ErrorKind::Offline { step: Step::Connect, detail: "refused".to_owned() })
}

/// A standing after these failures, one at each of these seconds.
fn after(error: &ApiError, seconds: &[u64]) -> RouterHealth {
    let mut standing = RouterHealth::default();
    for second in seconds {
        standing.fail(error, at(*second));
    }
    standing
}

fn view(
    record: &TransferRecord,
    standing: RouterHealth,
    findings: impl Into<IndexFindings>,
    now: Timestamp,
) -> TransferStatusView {
    let mut answers = RouterAnswers::of(record);
    answers.standing = standing;
    status_view(record, &answers, findings, &Plain, now)
}

fn moving() -> TransferRecord {
    record(Some(&body("route-ibc-multihop")), Some(&body("status-3-pending-hop1")))
}

#[test]
fn a_router_that_forgot_what_it_took_up_is_said_to() {
    let view = view(&moving(), after(&untracked(), &[31, 36]), NOTHING, at(57));
    assert_eq!((&view.phase, &view.next), (&Phase::Forgotten, &NextStep::TrackAgain));
    let line = view.headline.first_line_in(&LocalZone::default(), at(57));
    assert_eq!(
        line,
        "The router lost the transfer (asked 2 times since 10:00:31 UTC); its last report, 52 s ago: hop 2 of 2, Initia → Noble."
    );
    assert_eq!(view.as_of, Some(at(5)), "nobody confirms the hops since then");
    assert!(!view.notes.iter().any(|note| note.contains("longer than usual")), "{:?}", view.notes);

    let silent = record(Some(&body("route-ibc-multihop")), None);
    let never = super::first_lines::view(&silent, after(&untracked(), &[3]), NOTHING, at(4));
    assert_eq!(never.phase, Phase::Forgotten, "it took it up: {}", never.headline);
    assert!(
        never
            .headline
            .to_string()
            .starts_with("The router accepted the transaction but lost the transfer (asked 1 time since")
    );

    let mut fresh = silent;
    fresh.txs[0].tracking = rollscope::domain::Tracking::Pending;
    let fresh = super::first_lines::view(&fresh, after(&untracked(), &[1]), NOTHING, at(2));
    assert_eq!(fresh.phase, Phase::NotKnown, "a 404 before it took it up is no news");
    let line = fresh.headline.first_line_in(&LocalZone::default(), at(2));
    assert_eq!(line, "Sent on Echelon 2 s ago; no source reports the transaction in a block yet.");
    assert_eq!(fresh.headline.text, "Sent on Echelon; no source reports the transaction in a block yet.");
}

#[test]
fn a_router_that_is_silent_is_not_spoken_for() {
    for (error, doubt) in [
        (unreachable(), "router unreachable"),
        (error(ErrorKind::Timeout(Duration::from_secs(9))), "router does not answer"),
        (error(ErrorKind::RateLimited(None)), "router limits requests"),
        (error(ErrorKind::Server { status: 502, sentence: String::new().into() }), "router returns HTTP 502"),
        (error(ErrorKind::NotJson { content_type: "text/html".into() }), "router's answer unreadable"),
    ] {
        let view = view(&moving(), after(&error, &[20]), NOTHING, at(101));
        assert_eq!(
            view.headline.first_line_in(&LocalZone::default(), at(101)),
            format!("As of 1 min ago ({doubt}): On its way: hop 2 of 2, Initia → Noble")
        );
        assert!(view.notes.is_empty(), "a transfer is not late because nobody says how it is: {:?}", view.notes);
        assert_eq!(view.headline.text, look(&moving(), NOTHING).headline.text, "an outage is no news of the transfer");
    }
    let answering = view(&moving(), RouterHealth::Answering, NOTHING, at(101));
    let line = answering.headline.first_line_in(&LocalZone::default(), at(101));
    assert_eq!(line, "On its way: hop 2 of 2, Initia → Noble, 1:39 of about 1:00 (router, 1 min ago)");
    assert_eq!(answering.as_of, None);
    assert_eq!(answering.notes, ["Taking longer than usual: 1:39 of about 1:00."]);

    let done = record(None, Some(&body("status-4b-completed-success")));
    let done = view(&done, after(&unreachable(), &[20]), NOTHING, at(45));
    assert_eq!(
        done.headline.first_line_in(&LocalZone::default(), at(45)),
        "Arrived: 25 uusdc on Noble. (router only, 40 s ago)",
        "an end stays"
    );
    let nothing = view(&record(None, None), after(&unreachable(), &[20]), NOTHING, at(45));
    assert_eq!(nothing.headline.to_string(), "The funds' location is unknown (router unreachable).");
}

#[test]
fn a_refusal_of_the_transaction_itself_is_an_end_and_another_is_none() {
    let record = record(Some(&body("route-ibc-multihop")), None);
    let refused = |sentence: &str| {
        let mut standing = RouterHealth::default();
        let error = error(ErrorKind::Rejected { status: 400, sentence: sentence.into() });
        assert!(standing.refuse(&error, at(3)));
        standing
    };
    let failed = view(&record, refused("tx is invalid on chain"), NOTHING, at(7));
    assert_eq!((&failed.phase, &failed.next), (&Phase::FailedAtSource, &NextStep::TrackAgain));
    assert_eq!(
        failed.headline.first_line_in(&LocalZone::default(), at(7)),
        "The router reports a failed transaction on Echelon or an invalid hash (tx is invalid on chain). \
         (router, 4 s ago)"
    );
    assert!(
        failed.notes[0].starts_with("If the transaction failed, only the fee left the account"),
        "{:?}",
        failed.notes
    );
    assert_eq!(failed.hops.iter().map(|hop| hop.phase).collect::<Vec<_>>(), [HopPhase::Failed, HopPhase::Unreached]);

    let there = view(&record, refused("tx is invalid on chain"), SOURCE_SUCCEEDED, at(7));
    assert_eq!(there.phase, Phase::NotKnown, "its chain has it as a success: {}", there.headline);
    assert!(there.headline.to_string().starts_with("The transaction is on chain on Echelon; the router refuses"));
    let other = view(&record, refused("chain is not supported"), NOTHING, at(7));
    assert_eq!(other.phase, Phase::NotKnown);
    let line = other.headline.to_string();
    assert_eq!(
        line,
        "The router refused to track this transaction (chain is not supported); the funds' location is unknown."
    );
}

#[test]
fn after_a_failure_later_hops_are_not_reached() {
    let route = body("route-ibc-multihop");
    for (state, expected) in [
        ("STATE_COMPLETED_ERROR", [HopPhase::Failed, HopPhase::Unreached]),
        ("STATE_PENDING", [HopPhase::Active, HopPhase::Waiting]),
    ] {
        let status = json!({"state": state, "next_blocking_transfer": {"transfer_sequence_index": 0},
            "transfer_sequence": [{"ibc_transfer": {"from_chain_id": "echelon-1", "to_chain_id": "interwoven-1",
                "state": "TRANSFER_PENDING", "packet_txs": {"send_tx": {"chain_id": "echelon-1", "tx_hash": "A"}}}}]});
        let view = look(&record(Some(&route), Some(&status)), NOTHING);
        assert_eq!(view.hops.iter().map(|hop| hop.phase).collect::<Vec<_>>(), expected, "{state}");
    }
}

#[test]
fn what_an_index_has_is_no_transaction_that_nobody_has_seen() {
    let record = record(Some(&body("route-ibc-multihop")), Some(&json!({"state": "STATE_PENDING"})));
    let found = IndexFindings { included_at: Some(at(2)), source_at: Some(at(4)), ..SOURCE_SUCCEEDED.into() };
    let seen = view(&record, RouterHealth::Answering, found, at(9));
    assert_eq!(seen.hops[0].txs.len(), 1, "its transaction is named");
    assert_eq!(seen.clocks[0].begun, Some(at(2)), "by the time of its block");
    assert_eq!(seen.headline.clock.as_deref(), Some("0:07 of about 1:00"));
    let absent = view(&record, RouterHealth::Answering, SOURCE_ABSENT, at(9));
    assert!(absent.hops[0].txs.is_empty() && absent.clocks[0].begun == Some(at(0)));
}

#[test]
fn an_index_is_believed_while_the_router_is_off_from_the_start() {
    let record = record(Some(&body("route-op-deposit")), None);
    let denom = body("route-op-deposit")["dest_asset_denom"].as_str().unwrap().to_owned();
    let credit = |denom: &str, problem: Option<&str>| IndexFindings {
        credit: Some(IndexedCredit {
            denom: Denom::new(denom),
            amount: Amount::from(5_000_000_u128),
            at: at(11),
            tx: "AB".repeat(32).parse().unwrap(),
            hook_problem: problem.map(str::to_owned),
            number: None,
        }),
        arrival_at: Some(at(12)),
        ..CREDITED.into()
    };
    let arrived = view(&record, after(&unreachable(), &[1, 5]), credit(&denom, None), at(14));
    assert_eq!((&arrived.phase, arrived.headline.source.witness), (&Phase::Arrived, HeadlineWitness::Indexer));
    let line = arrived.headline.first_line_in(&LocalZone::default(), at(14));
    assert!(line.starts_with("Arrived: 5 l2/2b2d"), "{line}");
    assert!(line.ends_with(", as the indexer shows; the router does not answer. (indexer, 2 s ago)"), "{line}");
    assert_eq!(arrived.clocks[0].ended, Some(at(11)));
    assert!(arrived.hops.iter().all(|hop| hop.phase == HopPhase::Done));

    let unconverted = view(&record, RouterHealth::Unasked, credit("l2/8f73", Some("out of gas")), at(14));
    let line = unconverted.headline.to_string();
    assert!(line.starts_with("Arrived unconverted: 5 l2/8f73, not l2/2b2d"), "{line}");
    assert!(line.ends_with("the hook failed (out of gas)."), "{line}");
    let NextStep::RouteFrom(from) = &unconverted.next else { panic!("{:?}", unconverted.next) };
    assert_eq!((from.denom.as_str(), from.released), ("l2/8f73", true), "what is really there goes on");
}

#[test]
fn what_came_back_is_named_by_the_events() {
    let release =
        json!({"chain_id": "echelon-1", "denom": "evm/2316", "amount": "100000000000000000000", "released": true});
    let status = json!({"state": "STATE_COMPLETED_ERROR", "transfer_asset_release": release});
    let record = record(Some(&body("route-ibc-multihop")), Some(&status));
    let returned = IndexedReturn {
        denom: Denom::new("l2/df41"),
        amount: Amount::from(100_000_000_u128),
        at: at(30),
        cause: ReturnCause::TimedOut,
    };
    let found = IndexFindings { returned: Some(returned), source_at: Some(at(33)), ..SOURCE_SUCCEEDED.into() };
    let told = view(&record, RouterHealth::Answering, found.clone(), at(34));
    assert_eq!(
        told.headline.first_line_in(&LocalZone::default(), at(34)),
        "Did not complete: the packet timed out. Your 100 l2/df41 is on Echelon. (indexer, 1 s ago)"
    );
    let NextStep::RouteFrom(from) = &told.next else { panic!("{:?}", told.next) };
    assert_eq!((from.denom.as_str(), from.amount), ("l2/df41", Some(Amount::from(100_000_000_u128))));
    assert!(told.notes.iter().any(|note| note.contains("evm/2316") && note.contains("l2/df41")), "{:?}", told.notes);

    let mut pending = record.clone();
    pending.txs[0].status = None;
    let alone = view(&pending, after(&unreachable(), &[1]), found, at(34));
    assert_eq!(alone.phase, Phase::FailedReleased, "without a router, too: {}", alone.headline);
    let unseen = view(&record, RouterHealth::Answering, SOURCE_SUCCEEDED, at(34));
    assert!(
        unseen.headline.to_string().starts_with("Did not complete. Your 100,000,000,000,000 evm/2316"),
        "{}",
        unseen.headline
    );
}

#[test]
fn a_typed_hash_lives_from_its_transactions_time() {
    let bare = json!({"state": "STATE_PENDING"});
    let long_ago = view_of(&record(None, Some(&bare)), NOTHING, &Plain, at(40));
    assert_eq!(long_ago.headline.clock, None, "nobody says when it began: {}", long_ago.headline);
    assert_eq!(long_ago.clocks[0].begun, None);
    let mut status = body("status-3-pending-hop1");
    status["transfer_sequence"][0]["ibc_transfer"]["packet_txs"]["send_tx"]["on_chain_at"] =
        "2025-11-20T10:00:00Z".into();
    status.as_object_mut().unwrap().remove("transfers");
    let told = view_of(&record(None, Some(&status)), NOTHING, &Plain, at(40));
    assert_eq!(told.headline.clock.as_deref(), Some("1 d so far"), "{}", told.headline);
    let found = IndexFindings { included_at: Some(at(10)), ..SOURCE_SUCCEEDED.into() };
    let indexed = view(&record(None, None), RouterHealth::Unasked, found, at(40));
    assert_eq!(indexed.clocks[0].elapsed(at(40)), Some(Duration::from_secs(30)));
}

#[test]
fn several_transfers_are_told_of_one_by_one() {
    let hop = |state: &str| {
        json!({"ibc_transfer": {"from_chain_id": "echelon-1", "to_chain_id": "noble-1", "state": state,
        "packet_txs": {"send_tx": {"chain_id": "echelon-1", "tx_hash": "A"}}}})
    };
    let release = json!({"chain_id": "noble-1", "denom": "uusdc", "amount": "7000000", "released": true});
    let done = json!({"state": "STATE_COMPLETED_SUCCESS", "transfer_sequence": [hop("TRANSFER_SUCCESS")],
        "transfer_asset_release": release});
    let pending = json!({"state": "STATE_PENDING", "transfer_sequence": [hop("TRANSFER_PENDING")],
        "next_blocking_transfer": {"transfer_sequence_index": 0}});
    let view = look(&record(None, Some(&json!({"transfers": [done, pending]}))), NOTHING);
    assert_eq!(view.headline.text, "On its way: transfer 2 of 2, hop 1, Echelon → Noble");
    let starts = [
        "The transaction began 2 transfers; 1 is done. The headline shows the worst.",
        "Transfer 1 of 2: done; 7 uusdc on Noble.",
        "Transfer 2 of 2: under way.",
    ];
    for start in starts {
        assert!(view.notes.iter().any(|note| note.starts_with(start)), "{start}: {:?}", view.notes);
    }
}

#[test]
fn an_order_that_timed_out_and_a_call_that_is_outstanding_are_said() {
    let order = json!({"state": "STATE_COMPLETED_ERROR",
        "transfer_asset_release": {"chain_id": "noble-1", "denom": "uusdc", "amount": "7000000", "released": true},
        "transfer_sequence": [{"go_fast_transfer": {"from_chain_id": "noble-1", "to_chain_id": "far-1",
            "state": "GO_FAST_TRANSFER_REFUNDED", "txs": {"order_submitted_tx": {"chain_id": "noble-1", "tx_hash": "A"},
            "order_refunded_tx": {"chain_id": "noble-1", "tx_hash": "AB".repeat(32)}}}}]});
    let view = look(&record(None, Some(&order)), NOTHING);
    assert_eq!(view.headline.text, "The order timed out and was refunded. Your 7 uusdc is on Noble.");
    assert!(view.notes.iter().any(|note| note.contains("refunded in ABAB")), "{:?}", view.notes);

    let message = |received: Value| {
        json!({"state": "STATE_PENDING", "next_blocking_transfer": {"transfer_sequence_index": 0},
        "transfer_sequence": [{"layer_zero_transfer": {"from_chain_id": "1", "to_chain_id": "noble-1",
            "state": "LAYER_ZERO_TRANSFER_WAITING_FOR_COMPOSE",
            "txs": {"send_tx": {"chain_id": "1", "tx_hash": "A"}, "receive_tx": received}}}]})
    };
    let delivered = look(&record(None, Some(&message(json!({"chain_id": "noble-1", "tx_hash": "B"})))), NOTHING);
    assert_eq!(delivered.headline.text, "On its way: delivered on Noble; the follow-up call is pending");
    let not_yet = look(&record(None, Some(&message(Value::Null))), NOTHING);
    assert!(not_yet.headline.text.starts_with("On its way: hop 1"), "{}", not_yet.headline);

    let failing = json!({"state": "STATE_PENDING_ERROR",
        "transfer_asset_release": {"chain_id": "noble-1", "denom": "uusdc", "amount": "7000000", "released": false}});
    let notes = look(&record(None, Some(&failing)), NOTHING).notes;
    assert!(notes.iter().any(|note| note == "The router reports a refund of 7 uusdc on Noble, not released yet."));
}

#[test]
fn facts_for_scripts_are_those_of_the_first_line() {
    let record = moving();
    let view = view(&record, after(&unreachable(), &[20]), NOTHING, at(31));
    let facts = transfer_facts(&record, &IndexFindings::default(), &view, at(31));
    assert_eq!(facts["headline"], "As of 26 s ago (router unreachable): On its way: hop 2 of 2, Initia → Noble");
    assert_eq!(
        (&facts["source"], &facts["age_seconds"], &facts["phase"]),
        (&json!("router"), &json!(26), &json!("moving"))
    );
    assert_eq!(facts["times"]["transactions"][0]["begun"], at(2).to_string());
    assert_eq!(facts["evidence"]["source"], Value::Null);
}
