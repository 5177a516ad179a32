//! The routing API's types against its samples, and against what servers may make of them.
//!
//! The samples that were composed for this project are fixtures. The others may not be copied into it; they are read
//! from the folder that `ROLLSCOPE_SHARED` names.

mod fit;
mod mutations;
mod samples;

use rollscope::{
    domain::{Amount, ChainId, text::Foreign},
    wire::{
        Verbatim,
        router::{
            AssetsResponse, BroadcastRequest, ChainsResponse, FeeBehavior, Hop, HopKind, HopSlot, MsgsRequest,
            MsgsResponse, OpHook, Operation, OperationKind, Refusal, Route, RouterTx, RouterTxKind, SignedOpHook,
            TransferStatus,
        },
    },
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use samples::{Sample, read, samples};

fn from<T: DeserializeOwned>(value: &Value) -> T {
    read(&value.to_string())
}

fn fixture(name: &str) -> Sample {
    let all = samples();
    all.into_iter().find(|sample| sample.name == name).unwrap_or_else(|| panic!("there is no sample {name}"))
}

#[test]
fn every_sample_is_read_as_its_type() {
    let all = samples();
    all.iter().for_each(Sample::check);
    let count = |kind: &str| all.iter().filter(|sample| sample.name.starts_with(kind)).count();
    assert!(count("route-") >= 12 && count("status-") >= 13 && count("msgs-") >= 6, "{}", all.len());
}

#[test]
fn operations_travel_back_as_they_came() {
    let mut checked = 0;
    for sample in samples().iter().filter(|sample| sample.path() == "/v2/fungible/route" && sample.status() == 200) {
        let route: Verbatim<Route> = read(&sample.answer().to_string());
        let request = MsgsRequest {
            amount_in: route.value.amount_in,
            amount_out: route.value.amount_out,
            source_asset_chain_id: route.value.source_asset_chain_id.clone(),
            source_asset_denom: route.value.source_asset_denom.clone(),
            dest_asset_chain_id: route.value.dest_asset_chain_id.clone(),
            dest_asset_denom: route.value.dest_asset_denom.clone(),
            address_list: vec!["init1x".to_owned(); route.value.required_chain_addresses.len()],
            operations: route.value.operations.clone(),
            slippage_tolerance_percent: "0.5".to_owned(),
            estimated_amount_out: route.value.estimated_amount_out,
            signed_op_hook: None,
        };
        let sent: Value = read(&serde_json::to_string(&request).unwrap());
        assert_eq!(sent["operations"], sample.answer()["operations"], "{}", sample.name);
        assert_eq!(serde_json::to_value(&route.raw).unwrap(), *sample.answer(), "{}", sample.name);
        checked += route.value.operations.len();
    }
    assert!(checked >= 15, "{checked}");
}

#[test]
fn odd_operations_travel_back_byte_for_byte() {
    for odd in [
        r#"{"transfer":{"port":"transfer","smart_relay_fee_quote":{"expiration":"2026-01-01T00:00:00Z","new":1.50}},"tx_index":0}"#,
        r#"{ "zk_transfer":{"proof":[1,2,{"deep":1e400}],"x":null},"timeout":1234567890123456789,"note":{"a":1} }"#,
        r#"{"swap":{"swap_in":null,"chain_id":"x","\u0061":""},"amount_in":"1","amount_out":null,"tx_index":null}"#,
        r#"{"tx_index":"2","lz_transfer":{"from_chain_id":1,"to_chain_id":"yominet-1"},"amount_in":{"b":1}}"#,
        r#"{"new":[]}"#,
    ] {
        let operation: Operation = read(odd);
        assert_eq!(serde_json::to_string(&operation).unwrap(), odd.trim());
    }
}

#[test]
fn a_known_kind_is_found_beside_unknown_objects() {
    let operation: Operation = read(
        r#"{"annotations":{"from_chain_id":"wrong"},"transfer":{"from_chain_id":"a","to_chain_id":"b","denom_in":"x","denom_out":"y"}}"#,
    );
    assert_eq!((operation.kind.clone(), operation.from_chain()), (OperationKind::Transfer, Some(&ChainId::new("a"))));
    let hop: Hop = read(r#"{"analytics":{"state":"X"},"ibc_transfer":{"state":"TRANSFER_PENDING"}}"#);
    assert_eq!((hop.kind.clone(), hop.state.as_received()), (HopKind::IbcTransfer, "TRANSFER_PENDING"));
    let tx: RouterTx = read(r#"{"about":{},"evm_tx":{"chain_id":"1","value":""},"operations_indices":null}"#);
    assert_eq!(tx.chain_id(), Some(&ChainId::new("1")));
}

#[test]
fn unknown_kinds_states_and_fields_survive() {
    let hop = json!({"warp_transfer": {"from_chain_id": "a", "state": {"not": "text"}, "txs": {"beam_tx":
        {"chain_id": "a", "tx_hash": "AB"}}}});
    let read_hop: Hop = from(&hop);
    assert_eq!(read_hop.kind, HopKind::Other("warp_transfer".to_owned()));
    assert!(read_hop.tx(&HopSlot::Other("beam_tx".to_owned())).is_some());
    assert_eq!(serde_json::to_value(&read_hop).unwrap(), hop);

    let status: TransferStatus =
        from(&json!({"state": "STATE_DANCING", "transfer_sequence": [hop], "mood": {"a": []}}));
    assert_eq!((status.state.as_str(), status.transfer_sequence.len()), ("STATE_DANCING", 1));

    let msgs: MsgsResponse = from(&json!({"txs": [{"ton_tx": {"chain_id": 5}, "operations_indices": {"odd": 1}}]}));
    assert!(matches!(&msgs.txs[0].kind, RouterTxKind::Other(key) if key == "ton_tx"));
    assert!(serde_json::to_string(&msgs).unwrap().contains(r#"{"odd":1}"#));

    let chains: ChainsResponse = from(&json!({"chains": [{"chain_id": "a"}, {"chain_name": "no id"}, 7]}));
    assert_eq!((chains.chains.len(), chains.chains[0].name()), (1, None));
    let assets: AssetsResponse =
        from(&json!({"chain_to_assets_map": {"a": {"assets": [{"denom": "x", "chain_id": "a", "decimals": 6}, {}]}}}));
    assert_eq!(assets.chain_to_assets_map[&ChainId::new("a")].assets[0].decimals, Some(6));
    from::<AssetsResponse>(&json!({"chain_to_assets_map": null}));
}

/// A route with every optional field in one of the forms of nothing.
fn route_with(nothing: &Value) -> Value {
    let mut route = fixture("route-ibc-multihop-composed").answer().clone();
    for field in [
        "estimated_amount_out",
        "estimated_fees",
        "estimated_route_duration_seconds",
        "txs_required",
        "swap_venues",
        "swap_venue",
        "swap_price_impact_percent",
        "usd_amount_in",
        "usd_amount_out",
        "warning",
        "extra_infos",
        "extra_warnings",
        "required_op_hook",
        "does_swap",
        "chain_ids",
        "required_chain_addresses",
    ] {
        route[field] = nothing.clone();
    }
    for operation in route["operations"].as_array_mut().expect("it has operations") {
        operation["tx_index"] = nothing.clone();
        operation["amount_out"] = nothing.clone();
    }
    route
}

#[test]
fn nothing_has_four_forms() {
    for nothing in [json!(null), json!(""), json!([])] {
        let route: Route = from(&route_with(&nothing));
        assert_eq!((route.seconds(), route.txs_count(), route.does_swap), (None, 1, false), "{nothing}");
        assert!(route.warning.is_none() && route.swap_venue.is_none() && route.estimated_fees.is_empty());
        let status: TransferStatus = from(&json!({
            "state": nothing, "transfers": nothing, "transfer_sequence": nothing, "next_blocking_transfer": nothing,
            "transfer_asset_release": nothing, "error": nothing, "status": nothing
        }));
        assert!(status.state.is_empty() && status.error.is_none() && status.transfer_asset_release.is_none());
        let hop: Hop = from(&json!({"ibc_transfer": {"from_chain_id": nothing, "state": nothing, "packet_txs":
            {"send_tx": nothing, "error": nothing}}}));
        assert!(hop.from_chain_id.is_none() && hop.txs.is_empty() && hop.error.is_none());
        from::<MsgsResponse>(&json!({"txs": nothing, "min_amount_out": nothing, "estimated_fees": nothing}));
    }
    assert!(serde_json::from_str::<Operation>("[]").is_err());
    assert!(serde_json::from_str::<Route>(r#"{"amount_in":"1","amount_out":"1"}"#).is_err(), "ids are not optional");
    let release: TransferStatus = from(&json!({"transfer_asset_release": {"released": true, "chain_id": null}}));
    assert!(release.transfer_asset_release.is_none(), "a release of nothing nowhere is none");
    from::<TransferStatus>(&json!({"transfer_asset_release": {}, "next_blocking_transfer": {}}));
    from::<TransferStatus>(&json!({}));
}

#[test]
fn numbers_are_exact_in_whatever_form_they_come() {
    let route = json!({
        "amount_in": "115792089237316195423570985008687907853269984665640564039457584007913129639935",
        "amount_out": "1", "source_asset_chain_id": 1, "source_asset_denom": "a", "dest_asset_chain_id": "b",
        "dest_asset_denom": "c", "estimated_route_duration_seconds": "604800", "txs_required": "2",
    });
    let text =
        route.to_string().replace(r#""amount_out":"1""#, r#""amount_out":100000000000000000000000000000000000001"#);
    let read: Route = read(&text);
    assert_eq!(read.amount_out.to_string(), "100000000000000000000000000000000000001");
    assert_eq!((read.source_asset_chain_id.as_str(), read.seconds(), read.txs_count()), ("1", Some(604_800), 2));
    assert_eq!(read.amount_in, Amount::new(alloy_primitives::U256::MAX));
    let most: Operation = samples::read(r#"{"swap":{},"tx_index":4294967295}"#);
    assert_eq!(Route { operations: vec![most], ..read }.txs_count(), u32::MAX);
    let msgs = fixture("msgs-ibc-multihop-cosmos-tx-composed");
    let RouterTxKind::Cosmos { msgs, .. } = &from::<MsgsResponse>(msgs.answer()).txs[0].kind.clone() else {
        panic!("it is one of a Cosmos chain");
    };
    let inner: Value = samples::read(msgs[0].msg.as_received());
    let nanos = inner["timeout_timestamp"].to_string();
    assert!(nanos.len() == 19 && msgs[0].msg.as_received().contains(&nanos), "{nanos}");
}

#[test]
fn transactions_of_a_hop_are_found_in_every_form() {
    let tx = |hash: &str| json!({"chain_id": "x", "tx_hash": hash, "explorer_link": null});
    let wrapped = json!({"axelar_transfer": {"src_chain_id": "a", "dst_chain_id": "b", "state": "S", "txs":
        {"contract_call_with_token_txs": {"execute_tx": tx("3"), "gas_paid_tx": null, "send_tx": tx("1"),
        "confirm_tx": tx("2"), "error": {"type": "T", "message": "why"}}}}});
    let flat = json!({"axelar_transfer": {"from_chain_id": "a", "to_chain_id": "b", "state": "S", "txs":
        {"execute_tx": tx("3"), "send_tx": tx("1"), "confirm_tx": tx("2"), "error": {"message": "why", "type": "T"}}}});
    for hop in [wrapped, flat] {
        let hop: Hop = from(&hop);
        let hashes: Vec<&str> = hop.txs.iter().map(|(_, tx)| tx.tx_hash.as_str()).collect();
        assert_eq!(hashes, ["1", "2", "3"]);
        assert_eq!((hop.from_chain_id, hop.to_chain_id), (Some(ChainId::new("a")), Some(ChainId::new("b"))));
        assert_eq!(hop.error.map(|error| (error.kind, error.message)), Some((Foreign::new("T"), Foreign::new("why"))));
    }
    for holder in ["packet_txs", "packet"] {
        let hop: Hop = from(&json!({"ibc_transfer": {"state": "S", holder: {"timeout_tx": tx("9")}}}));
        assert_eq!(hop.tx(&HopSlot::TimeoutTx).map(|tx| tx.tx_hash.as_str()), Some("9"), "{holder}");
    }
    let fast: Hop = from(&json!({"go_fast_transfer": {"state": "S", "error_message": "no solver", "txs": {}}}));
    assert_eq!(fast.error.map(|error| error.message), Some(Foreign::new("no solver")));
}

#[test]
fn what_is_made_here_reads_as_what_came() {
    for (kind, slot) in [
        (HopKind::IbcTransfer, HopSlot::AcknowledgeTx),
        (HopKind::OpInitTransfer, HopSlot::ReceiveTx),
        (HopKind::GoFastTransfer, HopSlot::OrderFilledTx),
        (HopKind::CctpTransferV2, HopSlot::SendTx),
        (HopKind::LayerZeroTransfer, HopSlot::ComposeTx),
    ] {
        let tx = from(&json!({"chain_id": "x", "tx_hash": "AB", "on_chain_at": "2026-01-01T00:00:00Z"}));
        let made = Hop {
            kind,
            from_chain_id: Some(ChainId::new("a")),
            to_chain_id: Some(ChainId::new("b")),
            state: Foreign::new("S"),
            txs: vec![(slot, tx)],
            error: None,
            raw: None,
        };
        let again: Hop = read(&serde_json::to_string(&made).unwrap());
        assert_eq!((&again.kind, &again.txs, &again.state), (&made.kind, &made.txs, &made.state));
        assert_eq!((again.from_chain_id, again.to_chain_id), (made.from_chain_id, made.to_chain_id));
    }
}

#[test]
fn a_signed_hook_is_an_object_or_a_text_and_sent_as_given() {
    let object = r#"{"hook":"QUJD","signer":"init1x","new":1.50}"#;
    for given in [object, r#""QUJD""#] {
        let hook: SignedOpHook = read(given);
        assert_eq!((hook.hook(), serde_json::to_string(&hook).unwrap().as_str()), ("QUJD", given));
    }
    assert_eq!(SignedOpHook::object("init1x", "QU\"JD").unwrap().hook(), "QU\"JD");
    assert!(serde_json::from_str::<SignedOpHook>("7").is_err());
    let hook: OpHook = from(fixture("op-hook-composed").answer());
    let inner: Value = read(hook.hook[0].msg.as_received());
    assert!(hook.hook[0].msg_type_url.as_received().ends_with("MsgCall") && inner["input"].is_string());
}

#[test]
fn a_broadcast_carries_the_messages_verbatim() {
    let msgs = r#"{"txs":[{"cosmos_tx":{"n":1234567890123456789}}],"x": 1.0}"#;
    let request: BroadcastRequest = read(&format!(r#"{{"msgs":{msgs}}}"#));
    assert_eq!((request.msgs.get(), request.tx_index), (msgs, None));
}

#[test]
fn fees_may_lack_amount_and_behavior() {
    let route: Route = from(&json!({
        "amount_in": "1", "amount_out": "1", "source_asset_chain_id": "a", "source_asset_denom": "b",
        "dest_asset_chain_id": "c", "dest_asset_denom": "d", "estimated_fees": [
            {"amount": "", "fee_behavior": "FEE_BEHAVIOR_ADDITIONAL", "origin_asset": {"denom": "x", "chain_id": "a"}},
            {"amount": "5", "fee_behavior": "FEE_BEHAVIOR_DEDUCTED"}, {"operation_index": null}],
    }));
    let behaviors: Vec<FeeBehavior> = route.estimated_fees.iter().map(rollscope::wire::router::Fee::behavior).collect();
    assert_eq!(behaviors, [FeeBehavior::Additional, FeeBehavior::Deducted, FeeBehavior::Other(String::new())]);
    assert_eq!(route.estimated_fees[0].amount, None);
}

#[test]
fn error_bodies_are_read_in_all_their_forms() {
    let refusal = |body: &str| Refusal::read(body.as_bytes());
    let google = refusal(
        r#"{"code":3,"message":"too much","details":[{},{"@type":"x","reason":"BAD_PRICE_ERROR","metadata":{}}]}"#,
    );
    let google = google.unwrap();
    assert_eq!((google.code, google.sentence.as_received(), google.is_unsafe()), (Some(3), "too much", true));
    let nest = refusal(r#"{"message":["a must be b","c must be d"],"error":"Bad Request","statusCode":400}"#).unwrap();
    assert_eq!(nest.sentence, "a must be b; c must be d");
    let upstream = refusal(r#"{"error_message":"no routes found","source":"SkipService"}"#).unwrap();
    assert!(upstream.is_no_route() && upstream.code.is_none());
    assert_eq!(refusal(r#"{"error":"only this"}"#).unwrap().sentence, "only this");
    assert_eq!(refusal(r#"{"code":3,"message":"x","details":[],"info":"a notice"}"#).unwrap().info, "a notice");
    assert_eq!(refusal("{}"), Some(Refusal::default()));
    for no_json in ["", "too many requests", "<html>502</html>", "[1]", "\"x\"", "{\"message\":"] {
        assert_eq!(refusal(no_json), None, "{no_json}");
    }
}

#[test]
fn the_older_form_of_messages_is_read_where_there_is_no_other() {
    for name in [
        "msgs-op-withdraw-cosmos-tx-composed",
        "msgs-op-deposit-with-hook-cosmos-tx-composed",
        "msgs-cctp-evm-tx-composed",
        "msgs-layerzero-evm-tx-composed",
    ] {
        let mut body = fixture(name).answer().clone();
        let new: MsgsResponse = from(&body);
        for nothing in [Value::Null, json!([]), json!("")] {
            body["txs"] = nothing;
            let old: MsgsResponse = from(&body);
            assert_eq!((old.txs.len(), new.txs.len()), (1, 1), "{name}");
            assert_eq!(old.txs[0].chain_id(), new.txs[0].chain_id(), "{name}");
            match (&old.txs[0].kind, &new.txs[0].kind) {
                (RouterTxKind::Cosmos { msgs, path, .. }, RouterTxKind::Cosmos { msgs: all, path: way, .. }) => {
                    assert_eq!((&msgs[0].msg, &msgs[0].msg_type_url), (&all[0].msg, &all[0].msg_type_url), "{name}");
                    assert_eq!(path, way, "{name}");
                }
                (RouterTxKind::Evm { data, .. }, RouterTxKind::Evm { data: same, .. }) => assert_eq!(data, same),
                other => panic!("{name}: {other:?}"),
            }
        }
        body["msgs"].as_array_mut().expect("a list").push(json!({"multi_chain_msg": {"path": 5}}));
        assert!(from::<MsgsResponse>(&body).txs.is_empty(), "{name}: part of what must be signed is not shown as all");
    }
}
