//! Steps of a packet where no indexer lists packets: what the node's index of transactions has, and its state.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Bench, drawn, status};
use crate::{
    app::page::Destination,
    config::{Network, NodeLocation},
    msg::{Answer, Request},
    wire::{self, ApiError, ErrorKind, node::SearchedTxs},
};

/// A transaction with one step of packet 4, sent over channel-0.
fn step(kind: &str, height: u64) -> Arc<wire::Tx> {
    let attribute = |(key, value): (&str, &str)| json!({"key": key, "value": value, "index": true});
    let attributes: Vec<Value> = [
        ("packet_sequence", "4"),
        ("packet_src_port", "transfer"),
        ("packet_src_channel", "channel-0"),
        ("packet_dst_port", "transfer"),
        ("packet_dst_channel", "channel-9"),
        ("packet_timeout_timestamp", "1769864400000000000"),
        ("msg_index", "0"),
    ]
    .into_iter()
    .map(attribute)
    .collect();
    let record = json!({
        "txhash": format!("{height:064X}"), "height": height.to_string(), "timestamp": "2026-01-31T12:00:00Z",
        "tx": {"body": {"messages": [{"@type": "/a.b.MsgX"}]}}, "events": [{"type": kind, "attributes": attributes}],
    });
    Arc::new(serde_json::from_value(record).expect("a transaction"))
}

/// What a transaction's page says where the node finds these transactions, and says this of the packet.
fn said(found: Result<Vec<Arc<wire::Tx>>, ApiError>, pending: Option<Result<bool, ApiError>>) -> String {
    let node = Some(NodeLocation { node: "http://127.0.0.1:1".to_owned(), ..NodeLocation::default() });
    let network = Network { name: "test".to_owned(), chain_id: Some("test-1".to_owned()), node, ..Network::default() };
    let mut bench = Bench::on(network, (240, 40), Vec::new());
    let (ticket, _) = bench.take_request(|request| *request == Request::Status).expect("it asks for the status");
    bench.reply(ticket, Ok(Answer::Status(Box::new(status(9)))));
    bench.open(Destination::loaded_tx(step("send_packet", 5), None));
    bench.wait(0);
    let is_search = |request: &Request| matches!(request, Request::NodeTxs(..));
    let (ticket, request) = bench.take_request(is_search).expect("the node is searched");
    let Request::NodeTxs(queries, _) = request else { panic!("{request:?}") };
    let path = "packet_sequence='4' AND KIND.packet_src_port='transfer' AND KIND.packet_src_channel='channel-0'";
    let kinds = ["send_packet", "acknowledge_packet", "timeout_packet"];
    assert_eq!(queries[..], kinds.map(|kind| format!("KIND.{path}").replace("KIND", kind)));
    let found = found.map(|txs| Answer::NodeTxs(Arc::new(SearchedTxs { txs, is_whole: true })));
    bench.reply(ticket, found);
    let asked = bench.take_request(|request| matches!(request, Request::PendingPacket(_)));
    assert_eq!(asked.is_some(), pending.is_some(), "the node is asked where no transaction shows the end");
    if let (Some((ticket, _)), Some(pending)) = (asked, pending) {
        bench.reply(ticket, pending.map(Answer::PendingPacket));
    }
    bench.wait(0);
    drawn(&bench.app, (240, 40))
}

#[test]
fn what_the_node_tells_differently_is_shown_beside_the_indexers_word() {
    let agreed = said(Ok(vec![step("send_packet", 5), step("timeout_packet", 8)]), None);
    assert!(!agreed.contains("by the indexer"), "{agreed}");
    // The indexer lies about everything that both tell; another transaction's record is no contradiction.
    let mut of_node = wire::Tx::clone(&step("send_packet", 5));
    (of_node.code, of_node.gas_used) = (5, 1_234);
    of_node.height = crate::domain::Height::new(6).expect("not zero");
    of_node.timestamp = "2026-01-31T12:00:01Z".parse().expect("a time");
    let lied = said(Ok(vec![Arc::new(of_node), step("timeout_packet", 8)]), None);
    for dispute in [
        "! result code: 0 by the indexer, 5 by the node",
        "! gas used: 0 by the indexer, 1,234 by the node",
        "! block: 5 by the indexer, 6 by the node",
        "! time: 2026-01-31T12:00:00Z by the indexer, 2026-01-31T12:00:01Z by the node",
    ] {
        assert!(lied.contains(dispute), "{dispute}:\n{lied}");
    }
    let mut cut = wire::Tx::clone(&step("send_packet", 5));
    cut.timestamp = "2026-01-31T12:00:00.5Z".parse().expect("a time");
    let cut = said(Ok(vec![Arc::new(cut), step("timeout_packet", 8)]), None);
    assert!(!cut.contains("by the indexer"), "nodes cut times to seconds: {cut}");
}

#[test]
fn where_no_indexer_lists_packets_the_node_tells_their_steps_and_what_is_pending() {
    let error = || ApiError { kind: ErrorKind::Node("no index".to_owned()), url: "".into(), body: None };
    let sent = || step("send_packet", 5);
    let ended = said(Ok(vec![sent(), step("timeout_packet", 8)]), None);
    assert!(ended.contains("↳ block 8 · ") && !ended.contains("acknowledgement or timeout"), "{ended}");
    let pending = said(Ok(vec![sent()]), Some(Ok(true)));
    assert!(pending.contains("↳ pending, by the node; expires at 2026-01-31 13:00 UTC"), "{pending}");
    let settled = said(Ok(vec![sent()]), Some(Ok(false)));
    let unseen = "acknowledgement or timeout not found in the node's index";
    assert!(settled.contains(&format!("↳ settled, by the node; {unseen}")), "{settled}");
    let unknown = said(Ok(vec![sent()]), Some(Err(error())));
    assert!(unknown.contains(&format!("↳ {unseen}")), "{unknown}");
    let failed = said(Err(error()), Some(Ok(true)));
    assert!(failed.contains("pending, by the node") && !failed.contains("not found"), "{failed}");
    let nothing = said(Err(error()), Some(Err(error())));
    assert!(nothing.contains("acknowledgement or timeout not looked up: "), "{nothing}");
}
