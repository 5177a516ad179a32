//! Checks of properties that all columns of all resources must have.

use std::collections::BTreeSet;

use strum::IntoEnumIterator as _;

use super::*;

fn faults<R: Resource>() -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |id: &str, what: &str| faults.push(format!("{id}: {what}"));
    let mut ids = BTreeSet::new();
    for column in R::COLUMNS {
        let id = column.id;
        if !ids.insert(id) {
            fault(id, "is there twice");
        }
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_') {
            fault(id, "is no id for a settings file");
        }
        if column.header.width == 0 {
            fault(id, "has no width");
        }
        let is_listed = R::LISTS.iter().any(|list| column.is_for(*list));
        if !is_listed && column.table.is_none() && column.csv.is_none() {
            fault(id, "is shown nowhere");
        }
        for place in column.lists.iter().flatten() {
            if !R::LISTS.contains(&place.list) {
                fault(id, "is placed in a list of another resource");
            }
            if place.header.is_some_and(|header| header.width == 0) {
                fault(id, "has no width in a list");
            }
        }
    }
    let mut is_clear = |name: &str, places: Vec<Option<u8>>| {
        let places: Vec<u8> = places.into_iter().flatten().collect();
        if places.iter().collect::<BTreeSet<_>>().len() != places.len() {
            fault(name, "has two columns at one place");
        }
    };
    is_clear("table", R::COLUMNS.iter().map(|column| column.table).collect());
    is_clear("csv", R::COLUMNS.iter().map(|column| column.csv).collect());
    for list in R::LISTS {
        is_clear(
            &list.to_string(),
            R::COLUMNS.iter().map(|column| column.place(*list).map(|place| place.at)).collect(),
        );
    }
    faults
}

#[test]
fn every_column_is_named_once_and_has_a_place() {
    let none: Vec<String> = Vec::new();
    assert_eq!(faults::<Blocks>(), none);
    assert_eq!(faults::<Txs>(), none);
    assert_eq!(faults::<Collections>(), none);
    assert_eq!(faults::<Tokens>(), none);
    assert_eq!(faults::<Holders>(), none);
    assert_eq!(faults::<Withdrawals>(), none);
    assert_eq!(faults::<EvmTxs>(), none);
    assert_eq!(faults::<InternalTxs>(), none);
    assert_eq!(faults::<StatusFacts>(), none);
}

#[test]
fn the_walk_finds_what_it_looks_for() {
    struct Wrong;
    impl Resource for Wrong {
        type Row<'a> = ();
        const LISTS: &'static [List] = &[List::Holders];
        const COLUMNS: &'static [Column<Self>] = &[
            Column::<Self>::new("one", "One", ColumnHeader::new("one", 3), |(), _| CellValue::absent()).table(1).csv(1),
            Column::<Self>::new("one", "One", ColumnHeader::new("one", 0), |(), _| CellValue::absent()).table(1).csv(2),
            Column::<Self>::new("Two", "Two", ColumnHeader::new("two", 3), |(), _| CellValue::absent())
                .on(List::Blocks, 1),
            Column::<Self>::new("three", "Three", ColumnHeader::new("three", 3), |(), _| CellValue::absent())
                .there_only(),
            Column::<Self>::new("four", "Four", ColumnHeader::new("four", 3), |(), _| CellValue::absent())
                .on(List::Holders, 1),
            Column::<Self>::new("five", "Five", ColumnHeader::new("five", 3), |(), _| CellValue::absent())
                .on(List::Holders, 1),
        ];
    }
    assert_eq!(
        faults::<Wrong>(),
        [
            "one: is there twice",
            "one: has no width",
            "Two: is no id for a settings file",
            "Two: is placed in a list of another resource",
            "three: is shown nowhere",
            "table: has two columns at one place",
            "holders: has two columns at one place",
        ]
    );
}

#[test]
fn every_list_has_columns_with_a_heading_and_knows_its_default() {
    for list in List::iter() {
        let columns = list.columns();
        let default = list.default_ids();
        assert!(default.len() > 2 && columns.len() >= default.len(), "{list}: {default:?}");
        for column in &columns {
            assert!(!column.heading.is_empty(), "{list}: {column:?}");
            assert_eq!(column.is_default, default.contains(&column.id), "{list}: {column:?}");
        }
        let ids: BTreeSet<_> = columns.iter().map(|column| column.id).collect();
        assert_eq!(ids.len(), columns.len(), "{list}");
        assert_eq!(list.to_string().parse(), Ok(list));
    }
}

#[test]
fn lists_show_by_default_what_suits_their_width() {
    let shown = |list: List, width: u16| {
        let columns = Columns::default().shown::<Txs>(list, width);
        let columns = columns.columns.iter().zip(columns.fitted.widths()).filter(|(_, width)| **width > 0);
        columns.map(|(column, width)| format!("{}:{width}", column.id)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(shown(List::Txs, 39), "result:1 txhash:9 messages:27");
    assert_eq!(shown(List::Txs, 50), "result:1 txhash:9 messages:26 timestamp:11");
    assert_eq!(shown(List::Txs, 55), "result:1 height:10 txhash:9 messages:20 timestamp:11");
    assert_eq!(shown(List::Txs, 56), "result:1 txhash:9 summary:32 timestamp:11");
    assert_eq!(shown(List::Txs, 129), "result:1 height:10 txhash:9 summary:94 timestamp:11");
    assert_eq!(shown(List::Txs, 130), "result:1 height:10 txhash:9 method:26 summary:68 timestamp:11");
    assert_eq!(shown(List::AccountTxs, 129), "result:1 direction:7 height:10 txhash:9 summary:86 timestamp:11");
    assert_eq!(
        shown(List::AccountTxs, 130),
        "result:1 direction:7 height:10 txhash:9 method:26 summary:60 timestamp:11"
    );
}

#[test]
fn a_cut_column_takes_only_what_the_growing_one_can_spare() {
    let id = "1".repeat(76);
    let token = |uri: &str| -> crate::wire::Token {
        let token = serde_json::json!({
            "collection_addr": "0xc1", "collection_name": "Cats", "collection_origin_name": "", "object_addr": "",
            "owner": "0x0101010101010101010101010101010101010101", "nft": {"token_id": id, "uri": uri}, "height": 7,
            "timestamp": "2026-01-31T11:00:00Z",
        });
        serde_json::from_value(token).unwrap()
    };
    let hugged = |uri: &str, width: u16| {
        let mut columns = Columns::default().shown::<Tokens>(List::Nfts, width);
        columns.hug(&[&token(uri)], &Forms::PLAIN);
        let widths = columns.fitted.widths();
        let total: u16 = widths.iter().filter(|width| **width > 0).map(|width| width + 1).sum();
        assert!(total <= width + 1, "{width}: {widths:?}");
        (widths.iter().map(|width| *width > 0).collect::<Vec<_>>(), columns.width_of("token_id"))
    };
    let (short, long) = ("ipfs://cats/1.json", "u".repeat(200));
    // Narrower lists have no room for id and owner.
    for width in 43..260 {
        assert_eq!(hugged(short, width).0, hugged(&long, width).0, "{width}: a blank column drops no other");
    }
    assert_eq!(hugged(short, 196).1, Some(76), "whole beside a short link");
    assert_eq!(hugged(&long, 196).1, Some(24), "as before beside a long one");
}

#[test]
fn bytes_of_a_proposer_are_no_failed_transaction() {
    let shown = |record: &str| {
        let common = r#""height":"1","timestamp":"2026-01-01T00:00:00Z""#;
        let tx: crate::wire::Tx =
            serde_json::from_str(&format!(r#"{{"txhash":"{}",{common},{record}}}"#, "0".repeat(64))).unwrap();
        let row = txs::TxFields::new(&tx);
        let cell = |id: &str| {
            let column = Txs::COLUMNS.iter().find(|column| column.id == id).unwrap();
            (column.value)(&row, &Forms::PLAIN).table_cell().unwrap().text
        };
        ["result", "messages", "method"].map(cell)
    };
    let words = "no transaction: bytes of the proposer".to_owned();
    for bytes in ["CiA=", "/w=="] {
        let record = format!(r#""code":2,"codespace":"sdk","tx":{{"@value":"{bytes}"}}"#);
        assert_eq!(shown(&record), ["·".to_owned(), words.clone(), words.clone()]);
    }
    // What used gas was run.
    for record in [r#""code":2,"gas_used":"7","tx":{"@value":"CiA="}"#, r#""code":2,"tx":{"body":{"messages":[]}}"#] {
        let [result, _, method] = shown(record);
        assert_eq!((result.as_str(), method.as_str()), ("✗", "unreadable"));
    }
}
