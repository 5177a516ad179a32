//! A transfer by its hash alone has no route: the router is asked once how long its funds take, by what its packet has.

use std::{sync::Arc, time::Duration};

use alloy_primitives::hex;
use rollscope::{
    domain::{Address, ChainId},
    transfers::{
        CreditRivals, Follower, FollowerAnswer, FollowerContext, L1Addresses, PollPriority, Question,
        SubstituteEstimate, TransferStatusView,
    },
    wire::{
        ApiError, ErrorKind, Tx, Verbatim,
        router::{Route, RouteRequest},
    },
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{Plain, at, body, record};

/// A transaction that sends these packets of tokens, each by a message of its own: path, amount and memo.
fn source(packets: &[(&str, &str, &str)]) -> Arc<Tx> {
    let event = |kind: &str, place: usize, attributes: &[(&str, &str)]| {
        let mut all: Vec<Value> = attributes.iter().map(|(key, value)| json!({"key": key, "value": value})).collect();
        all.push(json!({"key": "msg_index", "value": place.to_string()}));
        json!({"type": kind, "attributes": all})
    };
    let events = packets.iter().enumerate().flat_map(|(place, (path, amount, memo))| {
        let sender = Address::Short([0x11; 20]).bech32();
        let data = json!({"denom": path, "amount": amount, "sender": sender, "receiver": sender, "memo": memo});
        let sent = [
            ("packet_data", &*data.to_string()),
            ("packet_sequence", "7"),
            ("packet_src_port", "transfer"),
            ("packet_src_channel", "channel-0"),
            ("packet_dst_port", "transfer"),
            ("packet_dst_channel", "channel-41"),
        ];
        [event("send_packet", place, &sent), event("ibc_transfer", place, &[("sender", &sender)])]
    });
    let events: Vec<Value> = events.collect();
    let messages = vec![json!({"@type": "/minievm.evm.v1.MsgCall"}); packets.len()];
    let tx = json!({"txhash": "0".repeat(64), "height": "7", "code": 0, "timestamp": "2025-11-21T10:00:00Z",
        "tx": {"body": {"messages": messages}}, "events": events});
    Arc::new(serde_json::from_str(&tx.to_string()).expect("a transaction"))
}

fn voucher(path: &str) -> String {
    format!("ibc/{}", hex::encode_upper(Sha256::digest(path)))
}

/// A status with an open hop to each chain, and no word of the end, as routers give it on the way.
fn status(state: &str, chains: &[&'static str]) -> Value {
    let sent = json!({"chain_id": "echelon-1", "tx_hash": "1".repeat(64), "on_chain_at": at(0).to_string()});
    let mut from = "echelon-1";
    let hop = |to: &&'static str| {
        let from = std::mem::replace(&mut from, to);
        json!({"ibc_transfer": {"from_chain_id": from, "to_chain_id": to, "state": "TRANSFER_PENDING",
            "packet_txs": {"send_tx": sent}}})
    };
    let hops: Vec<Value> = chains.iter().map(hop).collect();
    json!({"state": state, "transfer_sequence": hops, "transfer_asset_release": null})
}

fn on_its_way() -> Value {
    status("STATE_PENDING", &["interwoven-1"])
}

/// The follower of a transfer by its hash, after both answers.
fn follower(status: &Value, source: Arc<Tx>) -> Follower {
    let mut follower = Follower::new(record(None, Some(status)), at(1));
    follower.take(FollowerAnswer::Source(Ok(source)), &CreditRivals::default(), at(2));
    review(&mut follower, 2);
    follower
}

/// A route of the fixtures as far as its first chain, in 30 seconds, changed.
fn route(name: &str, change: impl Fn(&mut Value)) -> FollowerAnswer {
    let mut route = body(name);
    route["estimated_route_duration_seconds"] = json!(30);
    route["operations"].as_array_mut().expect("operations").truncate(1);
    change(&mut route);
    let route: Verbatim<Route> = serde_json::from_str(&route.to_string()).expect("a route");
    FollowerAnswer::Estimate(Ok(Arc::new(route)))
}

fn take(follower: &mut Follower, answer: FollowerAnswer) {
    follower.take(answer, &CreditRivals::default(), at(4));
}

fn review(follower: &mut Follower, second: u64) -> TransferStatusView {
    let view = follower.view(&Plain, at(second));
    follower.apply(view.clone(), at(second));
    view
}

fn asked(follower: &Follower, second: u64) -> Option<RouteRequest> {
    let l1s = L1Addresses::default();
    let context = FollowerContext {
        now: at(second),
        names: &Plain,
        own_chain: Some(&ChainId::new("echelon-1")),
        has_router: true,
        executor: None,
        l1s: &l1s,
        block_seconds: None,
        priority: PollPriority::Shown,
        is_watched: true,
    };
    follower.due(&context).into_iter().find_map(|question| match question {
        Question::Estimate(request) => Some(request),
        _ => None,
    })
}

#[test]
fn a_transfer_by_its_hash_is_overdue_by_the_routers_route_for_its_funds() {
    let home = "transfer/channel-0/uinit";
    for (path, amount, left, arrived) in [
        ("l2/df41", "25000000", "l2/df41".to_owned(), voucher("transfer/channel-41/l2/df41")),
        (home, "1", voucher(home), "uinit".to_owned()),
    ] {
        let mut follower = follower(&on_its_way(), source(&[(path, amount, "")]));
        assert_eq!(review(&mut follower, 3).expected, None);
        let request = asked(&follower, 3).expect("it is asked");
        assert_eq!(
            json!(request),
            json!({"amount_in": amount, "source_asset_chain_id": "echelon-1", "source_asset_denom": left,
                "dest_asset_chain_id": "interwoven-1", "dest_asset_denom": arrived, "allow_unsafe": true})
        );
        take(&mut follower, route("route-ibc-multihop", |_| {}));
        let view = review(&mut follower, 20);
        let by = SubstituteEstimate::Route(Duration::from_secs(30));
        assert_eq!((view.expected, view.substitute), (Some(at(30)), Some(by)));
        let notes =
            |view: &TransferStatusView| view.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        assert!(notes(&view).contains("the router's present route for the same funds"), "{}", notes(&view));
        assert!(!notes(&view).contains("longer than usual"), "{}", notes(&view));
        let late = review(&mut follower, 40);
        assert!(notes(&late).contains("Taking longer than usual"), "{}", notes(&late));
        assert_eq!(asked(&follower, 300), None, "once");
    }
}

#[test]
fn no_duration_is_asked_where_the_funds_are_not_known_or_the_router_had_no_route() {
    let one = || source(&[("l2/df41", "25000000", "")]);
    let forward = r#"{"forward":{"receiver":"x","port":"transfer","channel":"channel-3"}}"#;
    let mut arrived = status("STATE_COMPLETED_SUCCESS", &["interwoven-1"]);
    arrived["transfer_sequence"][0]["ibc_transfer"]["state"] = json!("TRANSFER_SUCCESS");
    arrived["transfer_asset_release"] = json!({"chain_id": "interwoven-1", "denom": "uinit", "released": true});
    let cases = [
        ("it is over", follower(&arrived, one())),
        ("no router has seen it", follower(&status("STATE_SUBMITTED", &[]), one())),
        ("it goes on", follower(&status("STATE_PENDING", &["interwoven-1", "noble-1"]), one())),
        ("it asks for more", follower(&on_its_way(), source(&[("l2/df41", "25000000", forward)]))),
        ("two packets", follower(&on_its_way(), source(&[("uatom", "1", ""), ("uatom", "2", "")]))),
    ];
    for (why, follower) in &cases {
        assert_eq!(asked(follower, 3), None, "{why}");
    }
    let failed =
        |kind| FollowerAnswer::Estimate(Err(ApiError { kind, url: "http://router.example".into(), body: None }));
    let no_route = ErrorKind::Rejected { status: 404, sentence: "no routes found".into() };
    let multihop = |change: fn(&mut Value)| route("route-ibc-multihop", change);
    for (why, answer, is_asked_again) in [
        ("no duration", multihop(|route| route["estimated_route_duration_seconds"] = Value::Null), false),
        ("another bridge", route("route-op-withdraw", |_| {}), false),
        (
            "another chain",
            multihop(|route| route["operations"][0]["transfer"]["to_chain_id"] = json!("noble-1")),
            false,
        ),
        (
            "one hop more",
            multihop(|route| route["operations"] = body("route-ibc-multihop")["operations"].take()),
            false,
        ),
        ("two transactions", multihop(|route| route["txs_required"] = json!(2)), false),
        ("no route", failed(no_route), false),
        ("no answer", failed(ErrorKind::Timeout(Duration::ZERO)), true),
    ] {
        let mut follower = follower(&on_its_way(), one());
        take(&mut follower, answer);
        assert_eq!(review(&mut follower, 40).expected, None, "{why}");
        assert_eq!(asked(&follower, 300).is_some(), is_asked_again, "{why}");
    }
}
