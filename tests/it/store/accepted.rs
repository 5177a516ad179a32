//! Contracts that the user accepted.

use rollscope::{
    domain::{AcceptedContract, Address, Anchor, Anchors, ChainId, ChainSighting, ContractCode, Height, Timestamp},
    store::{Store, StoreScope},
};

use super::at;

fn accepted(digit: u8, hash: &str, second: u64) -> AcceptedContract {
    let code = ContractCode { hash: hash.to_owned(), implementations: Vec::new(), admin: None };
    AcceptedContract { chain_id: ChainId::new("a-1"), address: Address::Short([digit; 20]), code, at: at(second) }
}

fn hashes(store: &Store, scope: &StoreScope) -> Vec<String> {
    let kept = store.accepted_contracts(scope).unwrap_or_else(|error| panic!("{error}"));
    kept.into_iter().map(|one| one.code.hash).collect()
}

#[test]
fn the_newest_yes_counts_and_goes_with_the_chain() {
    let mut store = Store::in_memory().unwrap();
    let (mut one, mut other) = (StoreScope::new("https://one.example"), StoreScope::new("https://other.example"));
    for (digit, hash, second) in [(1, "old", 10), (2, "two", 11), (1, "new", 12)] {
        store.accept_contract(&one, &accepted(digit, hash, second)).unwrap();
    }
    assert_eq!(hashes(&store, &one), ["new", "two"]);
    assert_eq!(hashes(&store, &other), [""; 0]);
    store.accept_contract(&other, &accepted(1, "newest", 13)).unwrap();
    let first = Anchor { height: Height::FIRST, hash: "AB".repeat(32).parse().unwrap(), at: Timestamp::EPOCH };
    let mut sighting = ChainSighting { chain_id: ChainId::new("a-1"), anchors: Anchors::from_iter([first]) };
    for session in [&mut one, &mut other] {
        store.identify(session, &sighting, at(20)).unwrap();
    }
    for session in [&one, &other] {
        assert_eq!(hashes(&store, session), ["newest", "two"], "both addresses are of one chain");
    }
    // Another chain at the address begins without the yes of its predecessor.
    one.part();
    let restarted = Anchor { height: Height::FIRST, hash: "CD".repeat(32).parse().unwrap(), at: at(30) };
    sighting.anchors = Anchors::from_iter([restarted]);
    store.identify(&mut one, &sighting, at(31)).unwrap();
    assert_eq!((hashes(&store, &one), hashes(&store, &other).len()), (Vec::new(), 2));
}
