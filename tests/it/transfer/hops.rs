//! How each hop stands, and which operation of the route it does.

use rollscope::transfers::{HopPhase, TransferStatusView};
use serde_json::{Value, json};

use super::{NOTHING, body, look, record};

use HopPhase::{Active, Done, Failed, Unknown, Waiting};

/// A hop with a first transaction where it has a state.
fn hop(kind: &str, state: &str, ends: [&str; 2]) -> Value {
    let holder = if matches!(kind, "ibc_transfer" | "eureka_transfer") { "packet_txs" } else { "txs" };
    let sent = json!({"chain_id": ends[0], "tx_hash": "AB", "on_chain_at": "2025-11-21T10:00:02Z"});
    let mut inner = json!({"from_chain_id": ends[0], "to_chain_id": ends[1], "state": state});
    inner[holder] = json!({"send_tx": if state.is_empty() { Value::Null } else { sent }, "receive_tx": null});
    json!({kind: inner})
}

fn phases(view: &TransferStatusView) -> Vec<HopPhase> {
    view.hops.iter().map(|hop| hop.phase).collect()
}

#[test]
fn every_bridge_has_its_own_words() {
    for (kind, state, phase) in [
        ("ibc_transfer", "TRANSFER_PENDING", Active),
        ("ibc_transfer", "TRANSFER_RECEIVED", Active),
        ("ibc_transfer", "TRANSFER_SUCCESS", Done),
        ("ibc_transfer", "TRANSFER_FAILURE", Failed),
        ("ibc_transfer", "TRANSFER_PENDING_ERROR", Failed),
        ("ibc_transfer", "TRANSFER_FAILED", Failed),
        ("ibc_transfer", "TRANSFER_UNKNOWN", Unknown),
        ("eureka_transfer", "TRANSFER_RECEIVED", Active),
        ("eureka_transfer", "TRANSFER_SUCCESS", Done),
        ("axelar_transfer", "AXELAR_TRANSFER_PENDING_CONFIRMATION", Active),
        ("axelar_transfer", "AXELAR_TRANSFER_PENDING_RECEIPT", Active),
        ("axelar_transfer", "AXELAR_TRANSFER_SUCCESS", Done),
        ("axelar_transfer", "AXELAR_TRANSFER_FAILURE", Failed),
        ("axelar_transfer", "AXELAR_TRANSFER_UNKNOWN", Unknown),
        ("cctp_transfer", "CCTP_TRANSFER_SENT", Active),
        ("cctp_transfer", "CCTP_TRANSFER_PENDING_CONFIRMATION", Active),
        ("cctp_transfer", "CCTP_TRANSFER_CONFIRMED", Active),
        ("cctp_transfer_v2", "CCTP_TRANSFER_RECEIVED", Done),
        ("cctp_transfer", "CCTP_TRANSFER_UNKNOWN", Unknown),
        ("hyperlane_transfer", "HYPERLANE_TRANSFER_SENT", Active),
        ("hyperlane_transfer", "HYPERLANE_TRANSFER_RECEIVED", Done),
        ("hyperlane_transfer", "HYPERLANE_TRANSFER_FAILED", Failed),
        ("hyperlane_transfer", "HYPERLANE_TRANSFER_UNKNOWN", Unknown),
        ("op_init_transfer", "OPINIT_TRANSFER_SENT", Active),
        ("op_init_transfer", "OPINIT_TRANSFER_RECEIVED", Done),
        ("op_init_transfer", "OPINIT_TRANSFER_FAILURE", Failed),
        ("op_init_transfer", "OPINIT_TRANSFER_UNKNOWN", Unknown),
        ("go_fast_transfer", "GO_FAST_TRANSFER_SENT", Active),
        ("go_fast_transfer", "GO_FAST_TRANSFER_FILLED", Done),
        ("go_fast_transfer", "GO_FAST_TRANSFER_TIMEOUT", Failed),
        ("go_fast_transfer", "GO_FAST_TRANSFER_REFUNDED", Failed),
        ("go_fast_transfer", "GO_FAST_POST_ACTION_FAILED", Failed),
        ("go_fast_transfer", "GO_FAST_TRANSFER_UNKNOWN", Unknown),
        ("stargate_transfer", "STARGATE_TRANSFER_SENT", Active),
        ("stargate_transfer", "STARGATE_TRANSFER_PENDING_CONFIRMATION", Active),
        ("stargate_transfer", "STARGATE_TRANSFER_CONFIRMED", Active),
        ("stargate_transfer", "STARGATE_TRANSFER_RECEIVED", Done),
        ("stargate_transfer", "STARGATE_TRANSFER_FAILED", Failed),
        ("stargate_transfer", "STARGATE_TRANSFER_UNKNOWN", Unknown),
        ("layer_zero_transfer", "LAYER_ZERO_TRANSFER_SENT", Active),
        ("layer_zero_transfer", "LAYER_ZERO_TRANSFER_WAITING_FOR_COMPOSE", Active),
        ("layer_zero_transfer", "LAYER_ZERO_TRANSFER_RECEIVED", Done),
        ("layer_zero_transfer", "LAYER_ZERO_TRANSFER_FAILED", Failed),
        ("layer_zero_transfer", "LAYER_ZERO_TRANSFER_UNKNOWN", Unknown),
        ("warp_transfer", "WARP_RECEIVED", Done),
        ("warp_transfer", "WARP_FAILING", Failed),
        ("warp_transfer", "WARP_FOLDING", Active),
        ("warp_transfer", "", Waiting),
    ] {
        let status = json!({"state": "STATE_PENDING", "transfer_sequence": [hop(kind, state, ["a", "b"])]});
        let view = look(&record(None, Some(&status)), NOTHING);
        assert_eq!(phases(&view), [phase], "{state}");
        assert_eq!(view.hops[0].state, state);
    }
}

#[test]
fn the_rules_count_in_their_order() {
    let (pending, received, success) = ("TRANSFER_PENDING", "TRANSFER_RECEIVED", "TRANSFER_SUCCESS");
    let failure = "TRANSFER_FAILURE";
    for (state, hops, blocking, expected) in [
        ("STATE_COMPLETED_SUCCESS", vec![received, received], None, vec![Done, Done]),
        ("STATE_COMPLETED_SUCCESS", vec![failure, pending], Some(0), vec![Failed, Active]),
        ("STATE_COMPLETED_SUCCESS", vec![pending, received], Some(0), vec![Done, Done]),
        ("STATE_PENDING", vec![received, pending], Some(1), vec![Done, Active]),
        ("STATE_PENDING", vec![success, pending], Some(0), vec![Active, Active]),
        ("STATE_PENDING", vec![failure, pending], Some(0), vec![Failed, Active]),
        ("STATE_PENDING", vec![pending, ""], Some(0), vec![Active, Waiting]),
        ("STATE_PENDING", vec![pending, pending], Some(7), vec![Done, Done]),
        ("STATE_COMPLETED_ERROR", vec![success, pending], Some(0), vec![Failed, Failed]),
        ("STATE_COMPLETED_ERROR", vec![success, pending], None, vec![Done, Failed]),
        ("STATE_FAILED", vec![success, success], None, vec![Done, Failed]),
        ("STATE_ABANDONED", vec![received, pending], Some(1), vec![Done, Unknown]),
        ("STATE_ABANDONED", vec![received, pending], None, vec![Unknown, Unknown]),
        ("STATE_PENDING_ERROR", vec![received, failure], Some(1), vec![Done, Failed]),
        ("STATE_PENDING_ERROR", vec![received, failure], Some(0), vec![Active, Failed]),
        ("STATE_NEW", vec![received, pending], Some(1), vec![Done, Active]),
    ] {
        let sequence: Vec<Value> = hops.iter().map(|state| hop("ibc_transfer", state, ["a", "b"])).collect();
        let next = blocking.map(|index| json!({"transfer_sequence_index": index}));
        let status = json!({"state": state, "transfer_sequence": sequence, "next_blocking_transfer": next});
        let view = look(&record(None, Some(&status)), NOTHING);
        assert_eq!(phases(&view), expected, "{state} {hops:?} {blocking:?}");
    }
}

#[test]
fn an_index_that_moves_backwards_is_no_progress() {
    let route = body("route-ibc-multihop");
    let ends = [["echelon-1", "interwoven-1"], ["interwoven-1", "noble-1"]];
    let mut seen = Vec::new();
    for (state, second, blocking) in [
        ("STATE_PENDING", "TRANSFER_PENDING", 1),
        ("STATE_PENDING_ERROR", "TRANSFER_FAILURE", 1),
        ("STATE_PENDING_ERROR", "TRANSFER_FAILURE", 0),
    ] {
        let hops = [hop("ibc_transfer", "TRANSFER_RECEIVED", ends[0]), hop("ibc_transfer", second, ends[1])];
        let status = json!({"state": state, "transfer_sequence": hops,
            "next_blocking_transfer": {"transfer_sequence_index": blocking}});
        let view = look(&record(Some(&route), Some(&status)), NOTHING);
        seen.push((phases(&view), view.headline.to_string()));
    }
    let failing = "Will fail at hop 2 of 2, Initia → Noble; the error is travelling back.";
    assert_eq!(seen[0].0, [Done, Active]);
    assert_eq!(seen[0].1, "On its way: hop 2 of 2, Initia → Noble, 0:38 of about 1:00");
    assert_eq!(seen[1], (vec![Done, Failed], failing.to_owned()));
    assert_eq!(seen[2], (vec![Active, Failed], failing.to_owned()));
}

#[test]
fn an_error_in_any_of_its_places_fails_a_hop() {
    for inner in [
        json!({"state": "TRANSFER_PENDING", "packet_txs": {"error": {"type": "PACKET_ERROR_TIMEOUT", "message": "late"}}}),
        json!({"state": "TRANSFER_PENDING", "packet": {"error": {"message": "late"}}}),
        json!({"state": "STARGATE_TRANSFER_SENT", "txs": {"error_tx": {"chain_id": "b", "tx_hash": "x"}}}),
        json!({"state": "GO_FAST_TRANSFER_SENT", "error_message": "late"}),
    ] {
        let status = json!({"state": "STATE_PENDING", "transfer_sequence": [{"any_transfer": inner}]});
        let view = look(&record(None, Some(&status)), NOTHING);
        assert_eq!(phases(&view), [Failed], "{inner}");
        assert_eq!(view.hops[0].problem.is_some(), inner.to_string().contains("late"), "{inner}");
    }
}

#[test]
fn swaps_are_known_by_what_is_around_them() {
    let route = body("route-op-withdraw-fast-alternative");
    let ends = ["civitia-1", "interwoven-1"];
    for (state, hops, expected) in [
        ("STATE_SUBMITTED", vec![], vec![Waiting, Waiting]),
        ("STATE_PENDING", vec![], vec![Waiting, Waiting]),
        ("STATE_PENDING", vec!["TRANSFER_PENDING"], vec![Active, Waiting]),
        ("STATE_PENDING", vec!["TRANSFER_SUCCESS"], vec![Done, Active]),
        ("STATE_COMPLETED_SUCCESS", vec!["TRANSFER_RECEIVED"], vec![Done, Done]),
        ("STATE_COMPLETED_SUCCESS", vec![], vec![Unknown, Unknown]),
        ("STATE_COMPLETED_ERROR", vec!["TRANSFER_FAILURE"], vec![Failed, HopPhase::Unreached]),
        ("STATE_ABANDONED", vec!["TRANSFER_SUCCESS"], vec![Done, Unknown]),
    ] {
        let sequence: Vec<Value> = hops.iter().map(|state| hop("ibc_transfer", state, ends)).collect();
        let status = json!({"state": state, "transfer_sequence": sequence});
        let view = look(&record(Some(&route), Some(&status)), NOTHING);
        assert_eq!(phases(&view), expected, "{state} {hops:?}");
        let labels: Vec<String> = view.hops.iter().map(|hop| hop.protocol.to_string()).collect();
        assert_eq!(labels, ["IBC", "Swap on initia-minitswap"]);
        let planned = view.hops[1].planned.as_ref().expect("a swap has a plan");
        assert_eq!((planned.0.as_str(), planned.1.to_string()), ("uinit", "39862104".to_owned()));
    }
}

#[test]
fn one_operation_may_take_several_hops_and_hops_may_go_beyond_the_route() {
    let mut route = body("route-ibc-multihop");
    route["operations"] = json!([
        {"swap": {"chain_id": "a", "denom_in": "x", "denom_out": "y", "swap_venues": []}, "tx_index": 0},
        {"axelar_transfer": {"from_chain_id": "a", "to_chain_id": "c", "denom_out": "z"}, "tx_index": 0, "amount_out": "7"}
    ]);
    let first = hop("ibc_transfer", "TRANSFER_SUCCESS", ["a", "b"]);
    let second = hop("axelar_transfer", "AXELAR_TRANSFER_PENDING_RECEIPT", ["b", "c"]);
    let beyond = hop("warp_transfer", "WARP_SENT", ["c", "d"]);
    let rail = |hops: &[&Value]| {
        let status = json!({"state": "STATE_PENDING", "transfer_sequence": hops});
        let view = look(&record(Some(&route), Some(&status)), NOTHING);
        let rows = view.hops.iter().map(|hop| (hop.protocol.to_string(), hop.phase, hop.planned.is_some()));
        rows.collect::<Vec<_>>()
    };
    let row = |name: &str, phase, is_planned| (name.to_owned(), phase, is_planned);
    let (swap, ibc) = (row("Swap", Done, false), row("IBC", Done, false));
    assert_eq!(rail(&[]), [row("Swap", Active, false), row("Axelar", Waiting, true)]);
    assert_eq!(rail(&[&first]), [swap.clone(), ibc.clone(), row("Axelar", Waiting, true)]);
    assert_eq!(rail(&[&first, &second]), [swap.clone(), ibc.clone(), row("Axelar", Active, true)]);
    let all = rail(&[&first, &second, &beyond]);
    assert_eq!(all, [swap, ibc, row("Axelar", Active, true), row("warp_transfer", Active, false)]);
}
