//! Tests of names from the rollup's node: one request, repeated after a failure.

use std::sync::Arc;

use super::Bench;
use crate::{
    config::{Network, NodeLocation},
    domain::Denom,
    msg::{Answer, ListPage, Request, Slot, Total},
    story::NameSource,
    wire::{ApiError, ErrorKind, node::NodeNames},
};

#[test]
fn a_node_that_failed_is_asked_again_after_a_while_and_one_that_answered_is_not() {
    let node = Some(NodeLocation { node: "http://127.0.0.1:1".to_owned(), ..NodeLocation::default() });
    let network = Network { name: "test".to_owned(), chain_id: Some("a-1".to_owned()), node, ..Network::default() };
    let mut bench = Bench::on(network, (100, 30), Vec::new());
    let is_names = |slot: &Slot| *slot == Slot::NodeNames;
    let (ticket, _) = bench.take(is_names).expect("the node is asked at the start");
    let error = ApiError { kind: ErrorKind::Node("it is away".to_owned()), url: "".into(), body: None };
    bench.reply(ticket, Err(error));
    bench.wait(59);
    assert!(bench.take(is_names).is_none(), "it is left alone for a while");
    bench.wait(1);
    let (ticket, _) = bench.take(is_names).expect("it is asked again");
    bench.wait(120);
    assert!(bench.take(is_names).is_none(), "one question at a time");
    let names = NodeNames { chain_id: "a-1".to_owned(), ..NodeNames::default() };
    bench.reply(ticket, Ok(Answer::NodeNames(Arc::new(names))));
    bench.wait(600);
    assert!(bench.take(is_names).is_none());
}

#[test]
fn a_chain_that_names_no_fee_denom_takes_fees_in_those_that_were_paid() {
    for (named, expected) in [(vec![], Some(NameSource::Fee)), (vec![Denom::new("OTHER")], None)] {
        let node = Some(NodeLocation { node: "http://127.0.0.1:1".to_owned(), ..NodeLocation::default() });
        let network = Network { name: "test".to_owned(), chain_id: Some("a-1".to_owned()), node, ..Network::default() };
        let mut bench = Bench::on(network, (100, 30), Vec::new());
        let (ticket, _) = bench.take(|slot| *slot == Slot::NodeNames).expect("the node is asked at the start");
        let names = NodeNames { chain_id: "a-1".to_owned(), fee_denoms: named, ..NodeNames::default() };
        bench.reply(ticket, Ok(Answer::NodeNames(Arc::new(names))));
        bench.keys("3");
        let is_txs = |request: &Request| matches!(request, Request::Txs(..));
        let (ticket, _) = bench.take_request(is_txs).expect("it asks for transactions");
        let fees = [("GAS", "5", 0), ("ZERO", "0", 0), ("umin", "5", 0), ("USDC", "5", 0), ("FAILED", "5", 1)];
        let tx = |(denom, amount, code): (&str, &str, u8)| {
            let fee = serde_json::json!({"amount": [{"denom": denom, "amount": amount}], "gas_limit": "9"});
            let tx = serde_json::json!({
                "txhash": "AB".repeat(32), "height": "5", "code": code, "timestamp": "2026-01-31T12:00:00Z",
                "tx": {"body": {"messages": []}, "auth_info": {"fee": fee}},
            });
            Arc::new(serde_json::from_str(&tx.to_string()).expect("a transaction"))
        };
        let items = fees.into_iter().map(tx).collect();
        let page = ListPage { items, next: None, total: Total::Unknown, notes: Vec::new() };
        bench.reply(ticket, Ok(Answer::Txs(page)));
        let source = |denom: &str| bench.app.context.glossary.token_source(&Denom::new(denom));
        let others = ["ZERO", "umin", "USDC", "FAILED"].map(source);
        assert_eq!((source("GAS"), others), (expected, [None; 4]), "none, no symbol, an imitation, unpaid");
    }
}
