//! What nodes said of denoms: by chain and node, of the last day, and not before the chain is identified.

use rollscope::{
    domain::{Anchor, Anchors, ChainId, ChainSighting, Denom, Height, Timestamp},
    store::{IdentifiedChain, Store, StoreScope},
    wire::node::{DenomClaim, DenomReport, UnitReporter},
};

use super::at;

const NODE: &str = "http://127.0.0.1:26657";

fn report(denom: &str, symbol: &str, second: u64) -> DenomReport {
    let claim = DenomClaim::Unit { symbol: symbol.to_owned(), decimals: 6, reporter: UnitReporter::Bank };
    DenomReport { denom: Denom::new(denom), claim: (!symbol.is_empty()).then_some(claim), at: at(second) }
}

fn sighting(hash: &str) -> ChainSighting {
    let first = Anchor { height: Height::FIRST, hash: hash.repeat(32).parse().expect("a hash"), at: Timestamp::EPOCH };
    ChainSighting { chain_id: ChainId::new("a-1"), anchors: Anchors::from_iter([first]) }
}

/// What is kept of `umin` and `uno` since then.
fn kept(store: &Store, scope: &StoreScope, node: &str, since: u64) -> Option<(IdentifiedChain, Vec<DenomReport>)> {
    let found = store.denom_reports(scope, node, &["umin", "uno"].map(Denom::new), at(since));
    found.expect("the store can be read").map(|(chain, found)| (chain, found.reports))
}

#[test]
fn a_report_counts_for_its_chain_its_node_and_its_time() {
    let mut store = Store::in_memory().unwrap();
    let mut one = StoreScope::new("https://one.example");
    assert_eq!(kept(&store, &one, NODE, 0), None, "nobody knows yet which chain it is");
    store.identify(&mut one, &sighting("AB"), at(5)).unwrap();
    let (chain, none) = kept(&store, &one, NODE, 0).unwrap();
    assert_eq!(none, []);
    let reports = [report("umin", "MIN", 10), report("uno", "", 20)];
    store.keep_denom_reports(&one, chain, NODE, &reports).unwrap();

    let mut other = StoreScope::new("https://other.example");
    store.identify(&mut other, &sighting("AB"), at(30)).unwrap();
    for scope in [&one, &other] {
        assert_eq!(kept(&store, scope, NODE, 10).unwrap().1, reports, "both addresses are of one chain");
    }
    assert_eq!(kept(&store, &one, NODE, 11).unwrap().1, reports[1..], "too old");
    assert_eq!(kept(&store, &one, "http://127.0.0.1:1", 0).unwrap().1, [], "of a node that is not named any more");
    store.keep_denom_reports(&other, chain, NODE, &[report("umin", "MAX", 40)]).unwrap();
    assert_eq!(kept(&store, &one, NODE, 11).unwrap().1, [report("umin", "MAX", 40), report("uno", "", 20)]);

    // Another chain of this id at the address; an answer of the former chain comes late.
    one.part();
    assert_eq!(kept(&store, &one, NODE, 0), None);
    store.identify(&mut one, &sighting("CD"), at(50)).unwrap();
    store.keep_denom_reports(&one, chain, NODE, &reports).unwrap();
    assert_eq!(kept(&store, &one, NODE, 0).unwrap().1, []);
    assert_eq!(kept(&store, &other, NODE, 0).unwrap().1.len(), 2);
}

#[test]
fn the_newest_5000_stay() {
    let mut store = Store::in_memory().unwrap();
    let mut scope = StoreScope::new("https://one.example");
    store.identify(&mut scope, &sighting("AB"), at(5)).unwrap();
    let (chain, _) = kept(&store, &scope, NODE, 0).unwrap();
    store.keep_denom_reports(&scope, chain, NODE, &[report("umin", "MIN", 10), report("uno", "", 11)]).unwrap();
    let many: Vec<DenomReport> = (0..4_999).map(|number| report(&format!("u{number}"), "", 12)).collect();
    store.keep_denom_reports(&scope, chain, NODE, &many).unwrap();
    assert_eq!(kept(&store, &scope, NODE, 0).unwrap().1, [report("uno", "", 11)]);
}
