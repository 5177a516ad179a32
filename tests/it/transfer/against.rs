//! A router's last word, held against the route, the source transaction and the servers of the person.

use rollscope::{
    domain::{Coin, Denom, LocalZone},
    transfers::{
        ArrivalEvidence, Evidence, HeadlineWitness, IndexFindings, Phase, RouterAnswers, TransferStatusView,
        status_view,
    },
};
use serde_json::{Value, json};

use super::{CREDITED, NOT_CREDITED, Plain, SOURCE_FAILED, SOURCE_SUCCEEDED, at, body, record};

/// A deposit of 15 INIT into Civitia that ended, by the router.
fn deposited(denom: &str, amount: &str) -> Value {
    let tx = |chain: &str, digit: &str, second: u64| json!({"chain_id": chain, "tx_hash": digit.repeat(64), "on_chain_at": at(second).to_string()});
    json!({"state": "STATE_COMPLETED_SUCCESS",
        "transfer_sequence": [{"op_init_transfer": {"from_chain_id": "interwoven-1", "to_chain_id": "civitia-1",
            "state": "OPINIT_TRANSFER_RECEIVED",
            "txs": {"send_tx": tx("interwoven-1", "1", 2), "receive_tx": tx("civitia-1", "A", 20)}}}],
        "transfer_asset_release": {"chain_id": "civitia-1", "denom": denom, "amount": amount, "released": true}})
}

const INIT: &str = "l2/2b2d36f666e98b9eecf70d6ec24b882b79f2c8e2af73f54f97b8b670dbb87605";

fn look(route: Option<&Value>, status: &Value, found: IndexFindings) -> TransferStatusView {
    let record = record(route, Some(status));
    status_view(&record, &RouterAnswers::of(&record), found, &Plain, at(40))
}

fn with(evidence: Evidence, is_arrival_askable: bool) -> IndexFindings {
    IndexFindings { is_arrival_askable, ..evidence.into() }
}

#[test]
fn what_a_router_alone_calls_arrived_is_said_as_such_or_not_confirmed_or_denied() {
    let route = body("route-op-deposit");
    let absent = Evidence { arrival: Some(ArrivalEvidence::Absent), ..Evidence::default() };
    let done = "Arrived: 15 l2/2b2d…7605 on Civitia.";
    let waits = "Not confirmed: the router says done on Civitia; the indexer there does not show it.";
    for (amount, denom, found, phase, headline) in [
        ("15000000", INIT, with(Evidence::default(), false), Phase::Arrived, done),
        ("15000000", INIT, with(Evidence::default(), true), Phase::Moving, waits),
        ("15000000", INIT, with(absent, true), Phase::Moving, waits),
        ("15000000", INIT, with(CREDITED, true), Phase::Arrived, done),
        ("14000000", INIT, with(CREDITED, true), Phase::Arrived, "Arrived: 14 l2/2b2d…7605 on Civitia."),
        (
            "15000000",
            INIT,
            with(NOT_CREDITED, true),
            Phase::Contradictory,
            "The router says done on Civitia, but the reported transaction does not credit the recipient.",
        ),
        (
            "999000000",
            INIT,
            with(Evidence::default(), false),
            Phase::Contradictory,
            "The router says that 999 l2/2b2d…7605 is on Civitia, but 15 l2/2b2d…7605 was sent.",
        ),
        (
            "15000000",
            "uusdc",
            with(absent, true),
            Phase::Contradictory,
            "The router says that 15 uusdc is on Civitia, but 15 l2/2b2d…7605 was sent.",
        ),
        (
            "15000000",
            INIT,
            with(SOURCE_FAILED, false),
            Phase::Contradictory,
            "The indexer and the router disagree: the transaction failed on Initia; the router says completed.",
        ),
    ] {
        let view = look(Some(&route), &deposited(denom, amount), found.clone());
        assert_eq!((&view.phase, view.headline.text.as_str()), (&phase, headline), "{amount} {denom} {found:?}");
        let is_alone = view.headline.source.witness == HeadlineWitness::RouterOnly;
        assert_eq!(is_alone, phase == Phase::Arrived && found.evidence == Evidence::default());
        let line = view.headline.first_line_in(&LocalZone::default(), at(40));
        assert!(!is_alone || line.ends_with("(router only, 35 s ago)"), "{line}");
    }
    let failed = json!({"state": "STATE_COMPLETED_ERROR", "error":
        {"type": "STATUS_ERROR_TRANSACTION_EXECUTION", "message": "out of gas"}});
    let view = look(Some(&route), &failed, SOURCE_SUCCEEDED.into());
    let words = "The router says that the transaction failed on Initia; the indexer shows a success.";
    assert_eq!((view.phase, view.headline.text.as_str()), (Phase::Contradictory, words));
    assert_eq!(view.headline.source.witness, HeadlineWitness::Both);
}

#[test]
fn a_withdrawal_has_arrived_when_its_claim_is_seen() {
    let status = |denom: &str, amount: &str| {
        let tx = |chain: &str, digit: &str| json!({"chain_id": chain, "tx_hash": digit.repeat(64)});
        json!({"state": "STATE_COMPLETED_SUCCESS",
            "transfer_sequence": [{"op_init_transfer": {"from_chain_id": "civitia-1", "to_chain_id": "interwoven-1",
                "state": "OPINIT_TRANSFER_RECEIVED",
                "txs": {"send_tx": tx("civitia-1", "1"), "receive_tx": tx("interwoven-1", "B")}}}],
            "transfer_asset_release":
                {"chain_id": "interwoven-1", "denom": denom, "amount": amount, "released": true}})
    };
    let stage = |is_claimed: bool| {
        let found = super::withdrawals::settled(|answers| answers.is_claimed = Some(is_claimed));
        IndexFindings { is_arrival_askable: true, evidence: SOURCE_SUCCEEDED, ..found }
    };
    let route = body("route-op-withdraw");
    let view = look(Some(&route), &status("uinit", "40000000"), stage(false));
    let words = "The router says done; the L1 says that the withdrawal is not claimed on Initia.";
    assert_eq!((view.phase, view.headline.text.as_str()), (Phase::Contradictory, words));
    let view = look(Some(&route), &status("uinit", "40000000"), stage(true));
    assert_eq!((view.phase, view.headline.text.as_str()), (Phase::Arrived, "Arrived: 40 uinit on Initia."));
    let asked = with(SOURCE_SUCCEEDED, true);
    let view = look(Some(&route), &status("uinit", "40000000"), asked);
    assert_eq!(view.phase, Phase::Finalizing, "the L1 has not answered: {}", view.headline);
    // Without a route, the source transaction says what was sent.
    let begun = Some(Coin { denom: Denom::new("uinit"), amount: "40000000".parse().unwrap() });
    for (denom, amount, is_it) in
        [("uinit", "40000000", true), ("uinit", "40000001", false), ("uusdc", "40000000", false)]
    {
        let found = IndexFindings { begun: begun.clone(), ..SOURCE_SUCCEEDED.into() };
        let record = {
            let mut record = record(None, None);
            record.txs = vec![super::source_tx("civitia-1", 1, Some(&status(denom, amount)))];
            record
        };
        let view = status_view(&record, &RouterAnswers::of(&record), found, &Plain, at(40));
        assert_eq!(view.phase == Phase::Arrived, is_it, "{denom} {amount}: {}", view.headline);
    }
}

#[test]
fn a_failed_source_transaction_ends_all_transfers_that_it_carries() {
    let error = |details: Value| json!({"type": "STATUS_ERROR_TRANSACTION_EXECUTION", "message": "reverted", "details": details});
    let sent = json!({"chain_id": "echelon-1", "tx_hash": "1".repeat(64)});
    let hop = json!({"ibc_transfer": {"from_chain_id": "echelon-1", "to_chain_id": "noble-1",
        "state": "TRANSFER_PENDING", "packet_txs": {"send_tx": sent}}});
    let part = |state: &str, hops: Value, release: Value, error: Value| json!({"state": state, "transfer_sequence": hops, "transfer_asset_release": release, "error": error});
    let released = json!({"chain_id": "echelon-1", "denom": "uinit", "amount": "5", "released": true});
    let gas = part("STATE_PENDING", json!([]), Value::Null, Value::Null);
    for (hash, is_over) in [("1".repeat(64), true), ("2".repeat(64), false)] {
        let inner = json!({"transactionExecutionError": {"chain_id": "echelon-1", "tx_hash": hash, "code": 5}});
        let main = part("STATE_COMPLETED_ERROR", json!([hop]), released.clone(), error(inner));
        let view = look(None, &json!({"transfers": [main, gas], "transfer_sequence": [hop]}), IndexFindings::default());
        assert_eq!((view.phase.is_over(), view.phase.is_failure()), (is_over, is_over), "{hash}: {}", view.headline);
    }
    let alone = part("STATE_COMPLETED_ERROR", json!([]), Value::Null, error(json!({"code": 11})));
    let view = look(None, &json!({"transfers": [gas, alone]}), IndexFindings::default());
    assert_eq!(view.phase, Phase::FailedAtSource, "{}", view.headline);
}

#[test]
fn one_answer_that_contradicts_itself_is_no_arrival() {
    let honest = deposited(INIT, "15000000");
    let mut backwards = honest.clone();
    backwards["transfer_sequence"][0]["op_init_transfer"]["txs"]["receive_tx"]["on_chain_at"] =
        json!("2020-01-01T00:00:00Z");
    let elsewhere: Value =
        serde_json::from_str(&honest.to_string().replace(r#""interwoven-1""#, r#""echelon-1""#)).unwrap();
    let mut twofold = honest.clone();
    twofold["transfers"] = json!([{"state": "STATE_COMPLETED_SUCCESS"}]);
    twofold["state"] = json!("STATE_COMPLETED_ERROR");
    for (status, words) in [
        (backwards, "hop 1 of 1, Initia → Civitia, ended before it began"),
        (elsewhere, "the first hop begins on Echelon"),
        (twofold, "another field says the opposite"),
    ] {
        let view = look(Some(&body("route-op-deposit")), &status, IndexFindings::default());
        let words = format!("but {words}");
        assert!(view.headline.text.as_str().contains(&words), "{words}: {}", view.headline);
        assert_eq!(view.phase, Phase::Contradictory);
    }
}
