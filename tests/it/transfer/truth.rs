//! Whatever servers say, nothing is claimed that nobody knows.

use proptest::prelude::*;
use rollscope::{
    domain::{Amount, ChainId, Denom},
    story::Names,
    transfers::{ArrivalEvidence, Evidence, HopProtocol, Phase, SourceEvidence},
};
use serde_json::{Value, json};

use super::{CREDITED, NOTHING, Plain, at, body, record, view_of};

const STATES: [&str; 14] = [
    "STATE_SUBMITTED",
    "STATE_RECEIVED",
    "STATE_PENDING",
    "STATE_PENDING_ERROR",
    "STATE_COMPLETED_SUCCESS",
    "STATE_COMPLETED_ERROR",
    "STATE_ABANDONED",
    "STATE_UNKNOWN",
    "STATE_COMPLETED",
    "STATE_FAILED",
    "STATE_ARRIVED",
    "Arrived",
    "",
    "COMPLETED_SUCCESS",
];
const CHAINS: [&str; 5] = ["civitia-1", "interwoven-1", "noble-1", "arrived-1", "Arr\u{200b}ived"];
const DENOMS: [&str; 4] =
    ["uusdc", "uinit", "arrived", "l2/2b2d36f666e98b9eecf70d6ec24b882b79f2c8e2af73f54f97b8b670dbb87605"];

fn word(words: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(words)
}

fn a_hop() -> impl Strategy<Value = Value> {
    let kinds = word(&["ibc_transfer", "op_init_transfer", "cctp_transfer", "arrived_transfer"]);
    let states =
        word(&["TRANSFER_PENDING", "TRANSFER_SUCCESS", "TRANSFER_FAILURE", "OPINIT_TRANSFER_RECEIVED", "ARRIVED"]);
    (kinds, states, word(&CHAINS), word(&CHAINS), any::<bool>()).prop_map(|(kind, state, from, to, is_received)| {
        let received = is_received.then(|| json!({"chain_id": to, "tx_hash": "B"}));
        let txs = json!({"send_tx": {"chain_id": from, "tx_hash": "A"}, "receive_tx": received});
        json!({kind: {"from_chain_id": from, "to_chain_id": to, "state": state, "packet_txs": txs, "txs": txs}})
    })
}

fn a_part() -> impl Strategy<Value = Value> {
    let release = prop::option::of((word(&CHAINS), word(&DENOMS), any::<bool>()));
    let hops = prop::collection::vec(a_hop(), 0..3);
    (word(&STATES), hops, prop::option::of(0..4_u32), release, prop::option::of(word(&["", "arrived"]))).prop_map(
        |(state, hops, blocking, release, error)| {
            let release = release.map(|(chain, denom, released)| {
                json!({"chain_id": chain, "denom": denom, "amount": "5", "released": released})
            });
            json!({
                "state": state, "transfer_sequence": hops, "transfer_asset_release": release,
                "next_blocking_transfer": blocking.map(|index| json!({"transfer_sequence_index": index})),
                "error": error.map(|message| json!({"message": message})),
            })
        },
    )
}

fn a_status() -> impl Strategy<Value = Value> {
    (a_part(), prop::collection::vec(a_part(), 0..3), word(&STATES)).prop_map(|(mut flat, transfers, legacy)| {
        flat["transfers"] = transfers.into();
        flat["status"] = legacy.into();
        flat
    })
}

/// What indexers may have found, but for a credit.
fn findings() -> impl Strategy<Value = Evidence> {
    use ArrivalEvidence::{Absent, NotCredited};
    let source = [SourceEvidence::Absent, SourceEvidence::Succeeded, SourceEvidence::Failed];
    let source = prop::option::of(prop::sample::select(source.to_vec()));
    let arrival = prop::option::of(prop::sample::select(vec![Absent, NotCredited]));
    (source, arrival).prop_map(|(source, arrival)| Evidence { source, arrival })
}

/// The places of a body that speak of a transfer's end.
fn parts(status: &Value) -> Vec<&Value> {
    let transfers = status["transfers"].as_array().into_iter().flatten();
    transfers.chain([status]).collect()
}

/// Whether the body says success somewhere, or that the funds are released where they shall be.
fn is_said(status: &Value, goal: Option<(&str, &str)>) -> bool {
    parts(status).iter().any(|part| {
        let release = &part["transfer_asset_release"];
        let is_there = goal.is_none_or(|(chain, denom)| release["chain_id"] == chain && release["denom"] == denom);
        part["state"] == "STATE_COMPLETED_SUCCESS" || (release["released"] == true && is_there)
    })
}

/// Whether no transfer of several says otherwise than that it is there: the flat fields speak of one of them only.
fn is_said_by_all(status: &Value, goal: Option<(&str, &str)>) -> bool {
    let transfers = status["transfers"].as_array().into_iter().flatten();
    let is_released = |part: &Value| {
        let release = &part["transfer_asset_release"];
        let is_there = goal.is_none_or(|(chain, denom)| release["chain_id"] == chain && release["denom"] == denom);
        release["released"] == true && is_there
    };
    transfers.into_iter().all(|part| match part["state"].as_str().unwrap_or_default() {
        "" | "STATE_COMPLETED_SUCCESS" => true,
        "STATE_COMPLETED" => is_released(part) || is_released(status),
        _ => false,
    })
}

/// Whether the body shows that a withdrawal has ended on the L1: a release there, or the claim itself.
fn is_claimed_on_l1(status: &Value) -> bool {
    parts(status).iter().any(|part| {
        let release = &part["transfer_asset_release"];
        let is_released = release["released"] == true && release["chain_id"] == "interwoven-1";
        let hops = || part["transfer_sequence"].as_array().into_iter().flatten();
        let received = |hop: &Value| hop["op_init_transfer"]["txs"]["receive_tx"]["chain_id"] == "interwoven-1";
        is_released || hops().any(received)
    })
}

/// Whether every transfer that the body says has ended well has a failed hop, nothing released, or a release elsewhere
/// than where its hops end. Bodies with one transfer are merged from two places and not judged here.
fn is_contradicted(status: &Value) -> bool {
    let transfers = status["transfers"].as_array().map(Vec::as_slice).unwrap_or_default();
    let parts: Vec<&Value> = match transfers {
        [] => vec![status],
        [_] => return false,
        several => several.iter().collect(),
    };
    parts.iter().any(|part| {
        let hops: Vec<&Value> = part["transfer_sequence"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|hop| hop.as_object()?.values().next())
            .collect();
        let release = &part["transfer_asset_release"];
        let end = hops.last().map(|hop| &hop["to_chain_id"]);
        let is_failed = hops.iter().any(|hop| hop["state"] == "TRANSFER_FAILURE");
        let is_pending =
            hops.last().is_some_and(|hop| hop["state"] == "TRANSFER_PENDING" && hop["txs"]["receive_tx"].is_null());
        let is_elsewhere = release["released"] == true && end.is_some_and(|end| *end != release["chain_id"]);
        let is_open = release["released"] == false;
        part["state"] == "STATE_COMPLETED_SUCCESS" && (is_failed || is_pending || is_elsewhere || is_open)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// No sequence of bodies makes the first line claim what neither the router nor an indexer has said.
    #[test]
    fn nothing_arrives_that_nobody_has_seen_there(
        statuses in prop::collection::vec(a_status(), 1..6), found in findings(), kind in 0..3_u8, second in 0..2_000_000_u64,
    ) {
        let (route, goal) = match kind {
            0 => (None, None),
            1 => (Some(body("route-ibc-multihop")), Some(("noble-1", "uusdc"))),
            _ => (Some(body("route-op-withdraw")), Some(("interwoven-1", "uinit"))),
        };
        for status in &statuses {
            let view = view_of(&record(route.as_ref(), Some(status)), found, &Plain, at(second));
            let is_claimed = view.headline.to_string().to_lowercase().contains("arrived");
            prop_assert!(!is_claimed || is_said(status, goal), "{}\n{status}", view.headline);
            prop_assert!(!is_claimed || is_said_by_all(status, goal), "{}\n{status}", view.headline);
            prop_assert!(!is_claimed || kind == 2 || !is_contradicted(status), "{}\n{status}", view.headline);
            prop_assert!(!is_claimed || kind != 2 || is_claimed_on_l1(status), "{}\n{status}", view.headline);
            prop_assert_eq!(is_claimed, view.phase == Phase::Arrived, "{}\n{}", view.headline, status);
            prop_assert!(!view.headline.to_string().is_empty() && view.headline.to_string().chars().count() <= 120);
            prop_assert!(!view.headline.to_string().contains(|c: char| c.is_control()));
        }
    }

    /// What is credited has arrived unless the router tells of a failure.
    #[test]
    fn a_credit_is_believed(status in a_status()) {
        let route = body("route-ibc-multihop");
        let before = view_of(&record(Some(&route), Some(&status)), NOTHING, &Plain, at(5)).phase;
        let after = view_of(&record(Some(&route), Some(&status)), CREDITED, &Plain, at(5));
        let expected = if before.is_failure() || before == Phase::Failing { before.clone() } else { Phase::Arrived };
        // A release elsewhere contradicts the credit.
        let is_elsewhere = after.release.as_ref().is_some_and(|it| it.released && it.chain_id.as_str() != "noble-1");
        let is_disputed = before == Phase::FailedReleased && is_elsewhere;
        prop_assert_eq!(after.phase, if is_disputed { Phase::Contradictory } else { expected });
    }
}

/// Calls every chain the same, whatever that imitates.
struct Called(&'static str);

impl Names for Called {
    fn chain(&self, _: &ChainId) -> String {
        self.0.to_owned()
    }

    fn amount(&self, chain: &ChainId, denom: &Denom, amount: Amount) -> String {
        Plain.amount(chain, denom, amount)
    }

    fn denom(&self, chain: &ChainId, denom: &Denom) -> String {
        Plain.denom(chain, denom)
    }
}

#[test]
fn a_name_that_looks_like_a_clock_is_none() {
    let route = body("route-ibc-multihop");
    let names = Called("Foo, 2");
    let there = json!({"state": "STATE_PENDING",
        "transfer_asset_release": {"chain_id": "noble-1", "denom": "uusdc", "amount": "5000000", "released": true}});
    let headline = view_of(&record(Some(&route), Some(&there)), NOTHING, &names, at(40)).headline;
    assert_eq!(headline.text, "The router says that your 5 uusdc is on Foo, 2; its final status is pending.");
    assert_eq!((headline.to_string(), headline.clock), (headline.text.to_string(), None));

    let moving = record(Some(&route), Some(&body("status-3-pending-hop1")));
    let [early, late] = [40, 41].map(|second| view_of(&moving, NOTHING, &names, at(second)).headline);
    assert_eq!(early.text, "On its way: hop 2 of 2, Foo, 2 → Foo, 2");
    assert_eq!((&early.text, early.clock.as_deref()), (&late.text, Some("0:38 of about 1:00")));
    assert_eq!(late.to_string(), "On its way: hop 2 of 2, Foo, 2 → Foo, 2, 0:39 of about 1:00");

    let long = Called("Foooooooooooooooooooooooooooooooooooo, 2");
    let cut = view_of(&moving, NOTHING, &long, at(3 * 86_400)).headline;
    assert!(cut.to_string().ends_with("2 d 23 h of about 1:00"), "a long name cuts no clock: {cut}");
}

#[test]
fn a_name_that_says_the_end_does_not_change_what_is_said() {
    let route = body("route-ibc-multihop");
    let moving = record(Some(&route), Some(&body("status-3-pending-hop1")));
    let told = view_of(&moving, NOTHING, &Called("Arrived Chain"), at(40));
    assert_eq!(told.phase, Phase::Moving);
    assert_eq!(told.headline.text, "On its way: hop 2 of 2, a chain → a chain", "more than the phase alone is said");
    let done = record(Some(&route), Some(&body("status-4b-completed-success")));
    let told = view_of(&done, NOTHING, &Called("Arrived Chain"), at(40));
    assert_eq!(told.headline.to_string(), "Arrived: 25 uusdc on Arrived Chain.", "it is true");
}

#[test]
fn a_protocol_is_not_what_it_calls_itself() {
    let status = json!({"state": "STATE_PENDING", "transfer_sequence": [
        {"OP bridge": {"from_chain_id": "civitia-1", "to_chain_id": "interwoven-1", "state": "X"}}]});
    let hops = view_of(&record(None, Some(&status)), NOTHING, &Plain, at(40)).hops;
    assert_eq!(hops[0].protocol.to_string(), HopProtocol::OpInit.to_string());
    assert_eq!(hops[0].protocol, HopProtocol::Other("OP bridge".to_owned()));
}
