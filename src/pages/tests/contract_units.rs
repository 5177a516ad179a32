//! Tests of token units from contracts: one request per seen token, and the unit shown as the contract's claim.

use std::sync::Arc;

use super::Bench;
use crate::{
    app::page::Destination,
    config::{Network, NodeLocation},
    domain::{Address, Amount, Coin, Denom, Height, Vm},
    msg::{Answer, Request, Slot},
    story::NameSource,
    wire::{
        ApiError, ErrorKind,
        node::{ContractUnit, NodeBalances, NodeUnits},
    },
};

#[test]
fn a_contract_without_a_name_is_asked_for_it_once_and_again_where_the_node_failed() {
    let node = Some(NodeLocation { node: "http://127.0.0.1:1".to_owned(), ..NodeLocation::default() });
    let network = Network {
        name: "test".to_owned(),
        chain_id: Some("a-1".to_owned()),
        vm: Some(Vm::Evm),
        node,
        ..Network::default()
    };
    let mut bench = Bench::on(network, (100, 30), Vec::new());
    let is_units = |slot: &Slot| *slot == Slot::ContractUnits;
    let denom = Denom::new("evm/2170Ce56A3d8BFF41ACd63B2093D03d54089283C");
    bench.open(Destination::Account(Address::Short([7; 20])));
    bench.keys("right");
    let (ticket, _) =
        bench.take_request(|request| matches!(request, Request::Balances(..))).expect("it asks for balances");
    let coin = |denom: &Denom| Coin { denom: denom.clone(), amount: Amount::from(5) };
    let coins = vec![coin(&denom), coin(&Denom::new("umin"))];
    let (chain_id, tokens) = ("a-1".to_owned(), Vec::new());
    let balances = NodeBalances { chain_id, height: Height::new(9), coins, is_whole: true, tokens };
    bench.reply(ticket, Ok(Answer::Balances(Arc::new(balances))));

    let (ticket, request) = bench.take(is_units).expect("the contract is asked");
    assert_eq!(request, Request::ContractUnits(Arc::from([denom.clone()])), "the bank names the other");
    let error = ApiError { kind: ErrorKind::Node("it is away".to_owned()), url: "".into(), body: None };
    bench.reply(ticket, Err(error));
    bench.wait(59);
    assert!(bench.take(is_units).is_none(), "it is left alone for a while");
    bench.wait(1);
    let (ticket, _) = bench.take(is_units).expect("it is asked again");
    let unit = |denom: &Denom| ContractUnit { denom: denom.clone(), symbol: "INIT".to_owned(), decimals: 18 };
    let other = Denom::new("evm/042adD9e80f7a23Ab71D5e1d392af1d3928B7D05");
    let units = NodeUnits { chain_id: "a-1".to_owned(), units: vec![unit(&denom), unit(&other)] };
    bench.reply(ticket, Ok(Answer::ContractUnits(Arc::new(units))));
    let glossary = &bench.app.context.glossary;
    assert_eq!(glossary.token(&denom).map(|unit| unit.symbol.as_str()), Some("“INIT”"), "it is not the known one");
    assert_eq!(glossary.token_source(&denom), Some(NameSource::Contract));
    assert_eq!(glossary.token(&other), None, "nobody asked for it");
    bench.wait(600);
    assert!(bench.take(is_units).is_none());
}
