//! Tests of names from the chain: one request for the denoms on screen, and the name shown as the contract's claim.

use std::sync::Arc;

use super::Bench;
use crate::{
    app::page::Destination,
    config::{Network, NodeLocation},
    domain::{Address, Amount, Coin, Denom, Height, Timestamp, Vm},
    msg::{Answer, ListPage, Request, Slot, Ticket, Total},
    story::NameSource,
    wire::{
        ApiError, ErrorKind, Tx,
        node::{DenomClaim, DenomReport, DenomReports, NodeBalances, UnitReporter},
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
    let is_units = |slot: &Slot| *slot == Slot::DenomReports;
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
    let Request::DenomReports(denoms, _) = request else { panic!("{request:?}") };
    assert_eq!(*denoms, [denom.clone(), Denom::new("umin")]);
    let error = ApiError { kind: ErrorKind::Node("it is away".to_owned()), url: "".into(), body: None };
    bench.reply(ticket, Err(error));
    bench.wait(599);
    let early = bench.take(is_units);
    assert!(early.is_none(), "it is left alone for a while: {early:?}");
    bench.wait(1);
    let (ticket, _) = bench.take(is_units).expect("it is asked again");
    let claim = || DenomClaim::Unit { symbol: "INIT".to_owned(), decimals: 18, reporter: UnitReporter::Contract };
    let at = bench.app.context.now;
    let named = |denom: &Denom| DenomReport { denom: denom.clone(), claim: Some(claim()), at };
    let other = Denom::new("evm/042adD9e80f7a23Ab71D5e1d392af1d3928B7D05");
    let reports = DenomReports { chain_id: "a-1".to_owned(), reports: vec![named(&denom), named(&other)] };
    bench.reply(ticket, Ok(Answer::DenomReports(Arc::new(reports))));
    let (ticket, request) = bench.take(is_units).expect("what was not answered is asked at once");
    assert!(matches!(request, Request::DenomReports(denoms, _) if *denoms == [Denom::new("umin")]));
    let unnamed = DenomReport { denom: Denom::new("umin"), claim: None, at };
    let reports = DenomReports { chain_id: "a-1".to_owned(), reports: vec![unnamed] };
    bench.reply(ticket, Ok(Answer::DenomReports(Arc::new(reports))));
    let glossary = &bench.app.context.glossary;
    assert_eq!(glossary.token(&denom).map(|unit| unit.symbol.as_str()), Some("“INIT”"), "it is not the known one");
    assert_eq!(glossary.token_source(&denom), Some(NameSource::Contract));
    assert_eq!(glossary.known_token(&other), None, "nobody asked for it");
    bench.wait(600);
    assert!(bench.take(is_units).is_none());
    bench.wait(24 * 3600);
    assert!(bench.take(is_units).is_some(), "a day later the name may be another");
}

/// Returns a transaction that sends a token of one of 30 contracts.
fn sending(number: u8) -> Arc<Tx> {
    let account = Address::Short([number; 20]).bech32();
    let denom = format!("evm/{:040}", number % 30);
    let text = format!(
        r#"{{"txhash":"{number:064X}","height":"5","code":0,"timestamp":"2026-01-31T12:00:00Z","events":[],
        "tx":{{"body":{{"messages":[{{"@type":"/cosmos.bank.v1beta1.MsgSend","from_address":"{account}",
        "to_address":"{account}","amount":[{{"denom":"{denom}","amount":"7000000"}}]}}]}}}}}}"#
    );
    Arc::new(serde_json::from_str(&text).expect("a transaction"))
}

fn token(denom: &Denom, at: Timestamp) -> DenomReport {
    let claim = DenomClaim::Unit { symbol: "RUSD".to_owned(), decimals: 6, reporter: UnitReporter::Contract };
    DenomReport { denom: denom.clone(), claim: Some(claim), at }
}

#[test]
fn a_page_of_rows_asks_for_its_contracts_in_one_request_and_never_again() {
    let node = Some(NodeLocation { node: "http://127.0.0.1:1".to_owned(), ..NodeLocation::default() });
    let network = Network { name: "test".to_owned(), chain_id: Some("a-1".to_owned()), node, ..Network::default() };
    let mut bench = Bench::on(network, (100, 130), Vec::new());
    bench.keys("3");
    let rows = |bench: &mut Bench| {
        let current = bench.app.navigation.current_id();
        let is_here = |(ticket, request): &(Ticket, Request)| {
            matches!(&ticket.slot, Slot::List(of, _) if *of == current) && matches!(request, Request::Txs(..))
        };
        let place = bench.asked.iter().position(is_here).expect("it asks for rows");
        let (ticket, _) = bench.asked.remove(place);
        let items = (0..100).map(sending).collect();
        let page = ListPage { items, next: None, total: Total::Unknown, notes: Vec::new() };
        bench.reply(ticket, Ok(Answer::Txs(page)));
        bench.pass(5);
    };
    rows(&mut bench);
    let is_facts = |slot: &Slot| *slot == Slot::DenomReports;
    let words = |bench: &Bench| bench.txs().rows().iter().next().and_then(|row| Some(row.words()?.text.clone()));
    assert!(words(&bench).is_some_and(|text| text.contains("7,000,000 evm/000000")), "{:?}", words(&bench));
    let (ticket, request) = bench.take(is_facts).expect("the contracts are asked");
    let Request::DenomReports(denoms, _) = request else { panic!("{request:?}") };
    assert_eq!(denoms.len(), 30);
    assert!(bench.take(is_facts).is_none());
    let at = bench.app.context.now;
    let reports = denoms.iter().map(|denom| token(denom, at)).collect();
    let reports = DenomReports { chain_id: "a-1".to_owned(), reports };
    bench.reply(ticket, Ok(Answer::DenomReports(Arc::new(reports))));
    bench.pass(5);
    assert!(words(&bench).is_some_and(|text| text.contains("7 “RUSD”")), "{:?}", words(&bench));
    bench.keys("2 3 r");
    rows(&mut bench);
    bench.wait(30);
    let again: Vec<_> = std::iter::from_fn(|| bench.take(is_facts)).collect();
    assert_eq!(again.len(), 1, "only the user's r asks again");
    bench.reply(again[0].0.clone(), Err(ApiError { kind: ErrorKind::NoRouter, url: "".into(), body: None }));
    bench.keys("2 3");
    bench.wait(30);
    assert!(bench.take(is_facts).is_none());
    assert!(words(&bench).is_some_and(|text| text.contains("7 “RUSD”")), "a failure takes no name away");
}
