//! Tests of names from the rollup's node: one request, repeated after a failure.

use std::sync::Arc;

use super::Bench;
use crate::{
    config::{Network, NodeLocation},
    msg::{Answer, Slot},
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
