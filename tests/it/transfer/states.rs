//! The states of a whole transfer, with and without a release, and with what indexers have found.

use rollscope::transfers::{Evidence, NextStep, Phase};
use serde_json::{Value, json};

use super::{
    ARRIVAL_ABSENT, CREDITED, NOT_CREDITED, NOTHING, SOURCE_ABSENT, SOURCE_FAILED, SOURCE_SUCCEEDED, body, look, record,
};

use Release::{None as No, OtherDenom, Source, SourceUnreleased, There, ThereUnreleased};

/// An `ibc/` denom of the source of the route of these tests.
const SOURCE_DENOM: &str = "ibc/AA4E7DF065DC4D4B29B8662A919295F525B19251FB2618C41C0DED3BD1128FEE";

#[derive(Clone, Copy, PartialEq)]
enum Release {
    None,
    There,
    ThereUnreleased,
    OtherDenom,
    Source,
    SourceUnreleased,
}

fn release(release: Release) -> Value {
    let at = |chain: &str, denom: &str, released: bool| json!({"chain_id": chain, "denom": denom, "amount": "24800000", "released": released});
    match release {
        Release::None => Value::Null,
        Release::There => at("noble-1", "uusdc", true),
        Release::ThereUnreleased => at("noble-1", "uusdc", false),
        Release::OtherDenom => at("noble-1", "uother", true),
        Release::Source => at("echelon-1", SOURCE_DENOM, true),
        Release::SourceUnreleased => at("echelon-1", SOURCE_DENOM, false),
    }
}

fn status(state: &str, released: Release, error: bool) -> Value {
    let error = if error { json!({"type": "STATUS_ERROR_TRANSFER", "message": "no\u{1b}[2J"}) } else { Value::Null };
    json!({"state": state, "transfer_asset_release": release(released), "error": error})
}

/// The hop with which a transfer ends.
fn delivered() -> Value {
    json!({"ibc_transfer": {"from_chain_id": "interwoven-1", "to_chain_id": "noble-1", "state": "TRANSFER_SUCCESS"}})
}

/// A state, a release, whether there is an error: what it means, and how the first line begins.
const CASES: &[(&str, Release, bool, Phase, &str)] = &[
    ("STATE_SUBMITTED", No, false, Phase::Waiting, "Sent on Echelon; the router has not seen it in a block yet."),
    ("STATE_RECEIVED", No, false, Phase::Waiting, "Sent on Echelon; the router has not seen it in a block yet."),
    ("STATE_PENDING", No, false, Phase::Moving, "On its way: sent on Echelon; no hop is known yet, 0:40 of about 1:00"),
    (
        "STATE_PENDING",
        There,
        false,
        Phase::Moving,
        "The router says that your 24.8 uusdc is on Noble; its final status",
    ),
    (
        "STATE_PENDING",
        OtherDenom,
        false,
        Phase::Moving,
        "The router says that your 24.8 uother is on Noble; its final status",
    ),
    ("STATE_PENDING", ThereUnreleased, false, Phase::Moving, "On its way: "),
    ("STATE_PENDING_ERROR", No, true, Phase::Failing, "A hop failed; the error is travelling back, and nothing"),
    ("STATE_PENDING_ERROR", SourceUnreleased, true, Phase::Failing, "A hop failed; the error is travelling back"),
    ("STATE_COMPLETED_SUCCESS", There, false, Phase::Arrived, "Arrived: 24.8 uusdc on Noble."),
    (
        "STATE_COMPLETED_SUCCESS",
        No,
        false,
        Phase::EndedUnstated,
        "The router says completed; the funds' location is not stated.",
    ),
    (
        "STATE_COMPLETED_SUCCESS",
        ThereUnreleased,
        false,
        Phase::Contradictory,
        "The router contradicts itself: success, but 24.8 uusdc not released on Noble.",
    ),
    (
        "STATE_COMPLETED_SUCCESS",
        There,
        true,
        Phase::Contradictory,
        "The router contradicts itself: success, but an error.",
    ),
    (
        "STATE_COMPLETED_ERROR",
        Source,
        true,
        Phase::FailedReleased,
        "Did not complete. Your 24.8 ibc/AA4E…8FEE is on Echelon.",
    ),
    (
        "STATE_COMPLETED_ERROR",
        SourceUnreleased,
        true,
        Phase::FailedHeld,
        "Failed; 24.8 ibc/AA4E…8FEE on Echelon is not released yet.",
    ),
    (
        "STATE_COMPLETED_ERROR",
        No,
        true,
        Phase::FailedHeld,
        "Failed; the router does not state where it releases the funds.",
    ),
    ("STATE_FAILED", Source, true, Phase::FailedReleased, "Did not complete. Your 24.8 ibc/AA4E…8FEE is on Echelon."),
    ("STATE_FAILED", No, false, Phase::FailedHeld, "Failed; the router does not state where it releases"),
    ("STATE_ABANDONED", No, false, Phase::Abandoned, "The router abandoned tracking; the funds' location is unknown."),
    (
        "STATE_ABANDONED",
        Source,
        false,
        Phase::Abandoned,
        "The router abandoned tracking; the funds' location is unknown.",
    ),
    ("STATE_UNKNOWN", No, false, Phase::Strange, "The router reports an unknown state; the funds' location"),
    (
        "STATE_COMPLETED",
        No,
        false,
        Phase::EndedUnstated,
        "The router says completed; the funds' location is not stated.",
    ),
    ("STATE_COMPLETED", ThereUnreleased, false, Phase::EndedUnstated, "The router says completed; the funds' location"),
    ("STATE_COMPLETED", There, false, Phase::Arrived, "Arrived: 24.8 uusdc on Noble."),
    (
        "STATE_COMPLETED",
        OtherDenom,
        false,
        Phase::FailedReleased,
        "Did not end as planned. Your 24.8 uother is on Noble.",
    ),
    ("STATE_COMPLETED", Source, false, Phase::FailedReleased, "Did not end as planned. Your 24.8 ibc/AA4E…8FEE is on"),
    ("STATE_COMPLETED", No, true, Phase::FailedHeld, "Failed; the router does not state where it releases"),
    (
        "STATE_COMPLETED",
        Source,
        true,
        Phase::FailedReleased,
        "Did not complete. Your 24.8 ibc/AA4E…8FEE is on Echelon.",
    ),
    ("STATE_TELEPORTING", No, false, Phase::Strange, "The router reports STATE_TELEPORTING, a state unknown to this"),
    ("completed_success", There, false, Phase::Strange, "The router reports completed_success, a state unknown to"),
    ("", No, false, Phase::Strange, "The router's answer is unreadable; the funds' location is unknown."),
];

#[test]
fn every_state_means_what_is_known_and_no_more() {
    let route = body("route-ibc-multihop");
    for &(state, released, error, ref phase, headline) in CASES {
        let view = look(&record(Some(&route), Some(&status(state, released, error))), NOTHING);
        assert_eq!(&view.phase, phase, "{state} {:?}", view.headline);
        assert!(view.headline.to_string().starts_with(headline), "{state}: {}", view.headline);
        assert!(view.headline.to_string().chars().count() <= 100, "{state}: {}", view.headline);
        assert_eq!(view.problem.as_deref(), error.then_some("no"), "{state}");
        assert_eq!(view.release.is_some(), released != No, "{state}");
        let next = match phase {
            Phase::FailedReleased => NextStep::RouteFrom(view.release.clone().unwrap()),
            Phase::Abandoned => NextStep::TrackAgain,
            Phase::EndedUnstated | Phase::Contradictory => NextStep::CheckDestination,
            _ => NextStep::Wait,
        };
        assert_eq!(view.next, next, "{state}");
        assert_eq!(view.expected, Some(super::at(60)), "{state}");
    }
}

#[test]
fn a_status_is_read_from_wherever_it_stands() {
    let route = body("route-ibc-multihop");
    let phase = |status: Value| look(&record(Some(&route), Some(&status)), NOTHING).phase;
    let of = |state: &str| json!({"state": state, "transfer_sequence": [delivered()]});
    assert_eq!(phase(json!({"status": "STATE_COMPLETED"})), Phase::EndedUnstated);
    assert_eq!(phase(json!({"status": "STATE_PENDING"})), Phase::Moving);
    assert_eq!(phase(json!({"state": "STATE_PENDING_ERROR", "status": "STATE_COMPLETED"})), Phase::Failing);
    assert_eq!(phase(json!({"transfers": [of("STATE_COMPLETED_SUCCESS")]})), Phase::Arrived);
    let hopless = json!({"transfers": [{"state": "STATE_COMPLETED_SUCCESS", "transfer_sequence": []}]});
    assert_eq!(phase(hopless), Phase::EndedUnstated, "the route is a plan");
    assert_eq!(phase(json!({"transfers": [of("")], "status": "STATE_ABANDONED"})), Phase::Abandoned);
    let doubtful = json!({"state": "STATE_COMPLETED_SUCCESS", "transfers": [of("STATE_COMPLETED_ERROR")]});
    assert_eq!(phase(doubtful), Phase::FailedHeld, "a flat success is not believed against its own transfer");
    let hidden =
        json!({"state": "STATE_PENDING", "transfers": [of("STATE_COMPLETED_SUCCESS"), of("STATE_COMPLETED_SUCCESS")]});
    assert_eq!(phase(hidden), Phase::Moving, "a flat state that is no transfer's counts as one more");
    assert_eq!(phase(json!([1])), Phase::Strange);
}

#[test]
fn of_several_transfers_the_worst_decides() {
    let route = body("route-ibc-multihop");
    let gone = json!({"state": "STATE_COMPLETED_ERROR", "transfer_asset_release": release(Release::Source)});
    let look = |states: &[Value]| look(&record(Some(&route), Some(&json!({"transfers": states}))), NOTHING);
    let done = json!({"state": "STATE_COMPLETED_SUCCESS", "transfer_sequence": [delivered()]});
    let pending = json!({"state": "STATE_PENDING"});
    let held = json!({"state": "STATE_FAILED"});
    for (states, phase) in [
        ([&done, &done], Phase::Arrived),
        ([&done, &pending], Phase::Moving),
        ([&done, &gone], Phase::FailedReleased),
        ([&pending, &gone], Phase::Failing),
        ([&gone, &held], Phase::FailedHeld),
        ([&pending, &held], Phase::FailedHeld),
    ] {
        let view = look(&states.map(Clone::clone));
        assert_eq!(view.phase, phase, "{states:?}");
        assert!(view.notes.iter().any(|note| note.starts_with("The transaction began 2 transfers")), "{view:?}");
    }
    assert_eq!(look(&[done.clone(), done]).headline.to_string(), "Arrived: all 2 transfers of the transaction.");
}

#[test]
fn what_router_and_indexer_say_is_weighed() {
    let route = body("route-ibc-multihop");
    let failed = "Failed at the source: only the fee left the account on Echelon.";
    for (state, evidence, phase, headline, note) in [
        ("", SOURCE_FAILED, Phase::FailedAtSource, failed, "Only the indexer of"),
        ("STATE_SUBMITTED", SOURCE_FAILED, Phase::FailedAtSource, failed, "Only the indexer of"),
        ("STATE_PENDING", SOURCE_FAILED, Phase::FailedAtSource, failed, "Only the indexer of"),
        ("STATE_ABANDONED", SOURCE_FAILED, Phase::FailedAtSource, failed, "Only the indexer of"),
        (
            "STATE_COMPLETED_SUCCESS",
            SOURCE_FAILED,
            Phase::Contradictory,
            "The indexer and the router disagree",
            "The router and the indexer of Echelon disagree",
        ),
        ("", SOURCE_ABSENT, Phase::NotKnown, "Not indexed on Echelon yet", "Neither the router"),
        (
            "",
            SOURCE_SUCCEEDED,
            Phase::NotKnown,
            "The transaction is on chain on Echelon; no router status",
            "Only the indexer of Echelon",
        ),
        (
            "STATE_SUBMITTED",
            SOURCE_SUCCEEDED,
            Phase::Waiting,
            "The transaction is on chain on Echelon",
            "Only the indexer of Echelon",
        ),
        (
            "STATE_PENDING",
            SOURCE_SUCCEEDED,
            Phase::Moving,
            "On its way",
            "The router and the indexer of Echelon agree: the source transaction is on",
        ),
        ("STATE_PENDING", SOURCE_ABSENT, Phase::Moving, "On its way", "Only the router knows"),
        (
            "STATE_PENDING",
            CREDITED,
            Phase::Arrived,
            "Arrived on Noble, as the indexer shows",
            "Only the indexer of Noble",
        ),
        ("", CREDITED, Phase::Arrived, "Arrived on Noble, as the indexer shows", "Only the indexer of Noble"),
        (
            "STATE_COMPLETED",
            CREDITED,
            Phase::Arrived,
            "Arrived on Noble, as the indexer shows",
            "Only the indexer of Noble",
        ),
        (
            "STATE_COMPLETED_SUCCESS",
            CREDITED,
            Phase::Arrived,
            "Arrived: about 25",
            "The router and the indexer of Noble agree: the funds arrived",
        ),
        (
            "STATE_COMPLETED_SUCCESS",
            NOT_CREDITED,
            Phase::Contradictory,
            "The router says done on Noble, but",
            "The router and the indexer of Noble disagree",
        ),
        ("STATE_COMPLETED_SUCCESS", ARRIVAL_ABSENT, Phase::Arrived, "Arrived: about 25", "Only the router says"),
        (
            "STATE_COMPLETED_ERROR",
            CREDITED,
            Phase::FailedHeld,
            "Failed; the router does not state where",
            "The router and the indexer of Noble disagree",
        ),
        (
            "STATE_PENDING_ERROR",
            CREDITED,
            Phase::Failing,
            "A hop failed",
            "The router and the indexer of Noble disagree",
        ),
    ] {
        let status = (!state.is_empty()).then(|| match state {
            "STATE_COMPLETED_SUCCESS" => json!({"state": state, "transfer_sequence": [delivered()]}),
            _ => json!({"state": state}),
        });
        let view = look(&record(Some(&route), status.as_ref()), evidence);
        assert_eq!(view.phase, phase, "{state} {evidence:?}: {}", view.headline);
        assert!(view.headline.to_string().starts_with(headline), "{state} {evidence:?}: {}", view.headline);
        assert!(view.notes.iter().any(|has| has.starts_with(note)), "{state} {evidence:?}: {:?}", view.notes);
    }
    let status = json!({"state": "STATE_COMPLETED_SUCCESS", "transfer_sequence": [delivered()]});
    let view =
        look(&record(Some(&route), Some(&status)), Evidence { arrival: NOT_CREDITED.arrival, ..SOURCE_SUCCEEDED });
    assert_eq!(view.next, NextStep::CheckDestination);
}

#[test]
fn what_failed_at_its_source_can_be_routed_again() {
    let route = body("route-ibc-multihop");
    let status = body("status-6c-completed-error-source-tx-failed");
    for evidence in [SOURCE_FAILED, NOTHING] {
        let view = look(&record(Some(&route), Some(&status)), evidence);
        let NextStep::RouteFrom(from) = &view.next else { panic!("{:?}", view.next) };
        assert_eq!((from.chain_id.as_str(), from.denom.as_str()), ("echelon-1", SOURCE_DENOM));
        assert_eq!((from.amount.map(|amount| amount.to_string()), view.release), (Some("25000000".to_owned()), None));
    }
    let view = look(&record(Some(&route), Some(&status)), SOURCE_SUCCEEDED);
    assert_eq!(view.phase, Phase::Contradictory, "{}", view.headline);
    assert!(view.notes.iter().any(|note| note.starts_with("The router and the indexer of Echelon disagree")));
}

#[test]
fn what_takes_long_is_said_to() {
    let route = body("route-ibc-multihop");
    let record = record(Some(&route), Some(&json!({"state": "STATE_PENDING"})));
    let notes = |second| super::view_of(&record, NOTHING, &super::Plain, super::at(second)).notes;
    assert_eq!(notes(60), [""; 0]);
    assert_eq!(notes(61), ["Taking longer than usual: 1:01 of about 1:00."]);
    assert_eq!(notes(180), ["Much longer than usual, over 3 times the estimate: 3:00 of about 1:00."]);
    let view = look(&record, NOTHING);
    assert_eq!(view.headline.text, "On its way: sent on Echelon; no hop is known yet", "time alone is no news");
}
