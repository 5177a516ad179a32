//! Names of accounts and the last view: kept by network, whichever chain is there.

use rollscope::{
    domain::{Address, KeptView},
    store::{Store, StoreScope},
};

use super::at;

const ONE: Address = Address::Short([1; 20]);
const TWO: Address = Address::Long([2; 32]);

fn view(tab: &str, of: Option<&str>) -> KeptView {
    KeptView { tab: tab.to_owned(), of: of.map(ToOwned::to_owned) }
}

#[test]
fn names_and_views_outlive_a_session_and_its_chain() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.sqlite");
    let (here, there) = (StoreScope::new("here"), StoreScope::new("there"));
    let mut store = Store::open(&path).unwrap();
    store.label(&here, ONE, "Alice").unwrap();
    store.label(&here, TWO, "Bob").unwrap();
    store.label(&here, ONE, "Alice's safe").unwrap();
    store.label(&there, ONE, "somebody else").unwrap();
    store.keep_view(&here, &view("Txs", None), at(1)).unwrap();
    store.keep_view(&here, &view("Blocks", Some("block 7")), at(2)).unwrap();
    drop(store);
    let mut store = Store::open(&path).unwrap();
    let mut restarted = here.clone();
    restarted.part();
    for scope in [&here, &restarted] {
        let labels = store.labels(scope).unwrap();
        assert_eq!(labels, [(ONE, "Alice's safe".to_owned()), (TWO, "Bob".to_owned())]);
        assert_eq!(store.view(scope).unwrap(), Some(view("Blocks", Some("block 7"))));
    }
    store.label(&here, ONE, "").unwrap();
    assert_eq!(store.labels(&here).unwrap(), [(TWO, "Bob".to_owned())]);
    assert_eq!(store.labels(&there).unwrap(), [(ONE, "somebody else".to_owned())]);
    assert_eq!(store.view(&there).unwrap(), None);
}

#[test]
fn views_are_bounded() {
    let mut store = Store::in_memory().unwrap();
    let scope = |number: u32| StoreScope::new(format!("network {number}"));
    for number in 0..=Store::VIEWS {
        store.keep_view(&scope(number), &view("Txs", None), at(number.into())).unwrap();
    }
    assert_eq!(store.view(&scope(0)).unwrap(), None, "it was left longest ago");
    assert!(store.view(&scope(1)).unwrap().is_some());
    let long = "x".repeat(Store::RECENT_BYTES + 1);
    store.keep_view(&scope(1), &view("NFTs", Some(&long)), at(999)).unwrap();
    assert_eq!(store.view(&scope(1)).unwrap(), Some(view("NFTs", None)));
}
