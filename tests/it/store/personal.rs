//! Names of accounts and the last view: kept by network, whichever chain is there.

use rollscope::{
    domain::{Address, Denom, KeptView, PersonalEntry, PersonalKind, Target, TxHash},
    store::{Store, StoreScope},
};

use super::at;

const ONE: Target = Target::Account(Address::Short([1; 20]));
const TWO: Target = Target::Account(Address::Long([2; 32]));

fn view(tab: &str, of: Option<&str>) -> KeptView {
    KeptView { tab: tab.to_owned(), of: of.map(ToOwned::to_owned) }
}

#[test]
fn names_and_views_outlive_a_session_and_its_chain() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.sqlite");
    let (here, there) = (StoreScope::new("here"), StoreScope::new("there"));
    let mut store = Store::open(&path).unwrap();
    let name = |subject: &Target, text: &str| PersonalEntry::new(PersonalKind::Name, subject.clone(), text);
    let keep = |store: &mut Store, scope: &StoreScope, entries: &[PersonalEntry]| {
        store.keep_personal(scope, entries, at(1)).unwrap();
    };
    keep(&mut store, &here, &[name(&ONE, "Alice"), name(&TWO, "Bob")]);
    keep(&mut store, &here, &[name(&ONE, "Alice's safe")]);
    keep(&mut store, &there, &[name(&ONE, "somebody else")]);
    store.keep_view(&here, &view("Txs", None), at(1)).unwrap();
    store.keep_view(&here, &view("Blocks", Some("block 7")), at(2)).unwrap();
    drop(store);
    let mut store = Store::open(&path).unwrap();
    let mut restarted = here.clone();
    restarted.part();
    for scope in [&here, &restarted] {
        assert_eq!(store.personal(scope).unwrap(), [name(&ONE, "Alice's safe"), name(&TWO, "Bob")]);
        assert_eq!(store.view(scope).unwrap(), Some(view("Blocks", Some("block 7"))));
    }
    keep(&mut store, &here, &[name(&ONE, "")]);
    assert_eq!(store.personal(&here).unwrap(), [name(&TWO, "Bob")]);
    assert_eq!(store.personal(&there).unwrap(), [name(&ONE, "somebody else")]);
    assert_eq!(store.view(&there).unwrap(), None);
    let [denom, tx] = [Target::Denom(Denom::new("factory/init1x/a.b")), Target::Tx(TxHash::new([3; 32]))];
    let note = PersonalEntry::new(PersonalKind::Note, denom.clone(), "a note");
    let imported = PersonalEntry::new(PersonalKind::ImportedName, tx.clone(), "theirs");
    keep(&mut store, &here, &[note.clone(), imported.clone(), name(&denom, "mine")]);
    assert_eq!(store.personal(&here).unwrap(), [name(&TWO, "Bob"), name(&denom, "mine"), imported, note.clone()]);
    keep(&mut store, &here, &[name(&tx, "mine"), name(&TWO, "")]);
    let kept = store.personal(&here).unwrap();
    assert_eq!(kept, [name(&tx, "mine"), name(&denom, "mine"), note], "a typed name takes an imported one's place");
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
