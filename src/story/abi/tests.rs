use super::{item::AbiItem, *};

#[test]
fn every_hash_is_that_of_its_signature() {
    let mut count = 0;
    for line in table::TABLE.lines() {
        let columns: Vec<_> = line.split('\t').collect();
        let kind = ItemKind::parse(columns[0]).unwrap();
        let item = AbiItem::parse(columns[2]).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(item.hash(kind), columns[1], "{line}");
        count += 1;
    }
    assert!(count > 250);
}

#[test]
fn known_selectors_have_names() {
    assert_eq!(selector_name("a9059cbb"), Some("transfer"));
    assert_eq!(selector_name("A9059CBB"), Some("transfer"));
    assert_eq!(selector_name("00000000"), None);
}
