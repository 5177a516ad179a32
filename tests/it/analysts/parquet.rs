//! Parquet files of an export: the rows of the CSV files, value by value.

use std::{
    fs::{self, File},
    path::Path,
};

use parquet::{
    file::reader::{FileReader as _, SerializedFileReader},
    record::Field,
};
use regex::Regex;
use rollscope::{
    domain::Vm,
    indexer::index::{Index, IndexFeed, IndexIdentity, PageRange, SQL_VIEWS, TxSelection},
};

use super::node_index;
use crate::cli::program::{Home, Ran};

/// 10^38 in hex, the least amount that a decimal of 38 digits does not hold.
const LEAST_BEYOND: &str = "4b3b4ca85a86c47a098a224000000000";
const MOST_WITHIN: &str = "4b3b4ca85a86c47a098a223fffffffff";

/// A Parquet file as the CSV of the same rows; each decimal is checked against the amount before it.
fn csv_of(path: &Path, decimals: &mut Vec<Option<i128>>) -> String {
    let reader = SerializedFileReader::new(File::open(path).expect("it is there")).expect("it is Parquet");
    let names: Vec<String> =
        reader.metadata().file_metadata().schema().get_fields().iter().map(|field| field.name().to_owned()).collect();
    let shown: Vec<&str> = names.iter().map(String::as_str).filter(|name| !name.ends_with("_decimal")).collect();
    let mut text = shown.join(",") + "\n";
    for row in reader.get_row_iter(None).expect("it has rows") {
        let row = row.expect("it is whole");
        let mut fields: Vec<String> = Vec::new();
        let mut amount = None;
        for (name, field) in row.get_column_iter() {
            match field {
                _ if name.ends_with("_decimal") => {
                    let held = match field {
                        Field::Null => None,
                        Field::Decimal(decimal) => {
                            Some(i128::from_be_bytes(decimal.data().try_into().expect("16 bytes")))
                        }
                        other => panic!("{name} is {other:?}"),
                    };
                    let fits = |number: &i128| number.unsigned_abs() < 10_u128.pow(38);
                    assert_eq!(held, amount.and_then(|text: String| text.parse().ok()).filter(fits));
                    decimals.push(held);
                    amount = None;
                }
                Field::Null => fields.push(String::new()),
                Field::Long(number) => fields.push(number.to_string()),
                Field::Str(value) => {
                    amount = Some(value.clone());
                    let is_plain = !value.is_empty() && !value.contains([',', '"', '\n', '\r']);
                    fields.push(if is_plain { value.clone() } else { format!("\"{}\"", value.replace('"', "\"\"")) });
                }
                other => panic!("{name} is {other:?}"),
            }
        }
        text += &(fields.join(",") + "\n");
    }
    text
}

/// Gives a transaction's first log these 16 bytes as its amount.
fn set_amount(file: &Path, place: usize, amount: &str) {
    let identity = IndexIdentity { vm: Vm::Evm, feed: IndexFeed::Node, facts: Vec::new() };
    let index = Index::in_file(file, &identity).expect("it is an index");
    let oldest = PageRange { limit: 1_000, descending: false, ..PageRange::default() };
    let found = index.txs(TxSelection::Chain, &[], &oldest, false).expect("it is read");
    index.close();
    let records = String::from_utf8([b"[", &found.json[..], b"]"].concat()).expect("text");
    let records: Vec<serde_json::Value> = serde_json::from_str(&records).expect("JSON");
    let log = Regex::new(r#"(data\\*":\\*"0x)[0-9a-f]{64}"#).expect("a pattern");
    let (sequence, record) = records
        .iter()
        .zip(0_i64..)
        .map(|(record, sequence)| (sequence, record.to_string()))
        .filter(|(_, record)| log.is_match(record))
        .nth(place)
        .expect("a transaction with a log");
    let record = log.replace(&record, format!("${{1}}{amount:0>64}"));
    let body = zstd::bulk::compress(record.as_bytes(), 1).expect("it is compressed");
    let index = rusqlite::Connection::open(file).expect("it is a database");
    let changed = index.execute(
        "UPDATE tx SET body = ?1 WHERE sequence = (SELECT sequence FROM tx ORDER BY sequence LIMIT 1 OFFSET ?2)",
        (body, sequence),
    );
    assert_eq!(changed.expect("it can be changed"), 1);
}

#[test]
fn parquet_has_the_values_of_the_csv_files() {
    let home = Home::empty();
    let file = node_index(home.path());
    set_amount(&file, 0, LEAST_BEYOND);
    set_amount(&file, 1, MOST_WITHIN);
    // Values that fill more than one row group.
    let index = rusqlite::Connection::open(&file).expect("it is a database");
    let filled =
        index.execute("UPDATE block SET total_fee = hex(zeroblob(3000000)) WHERE height BETWEEN 10 AND 15", ());
    assert_eq!(filled.expect("it can be changed"), 6);
    drop(index);
    let export = |folder: &str, options: &str| {
        let mut command = home.command(&format!("export {options} --data"));
        command.arg(&file).arg("--to").arg(home.path().join(folder));
        Ran::of(&command.output().expect("the program can be started"))
    };
    let said = |ran: Ran| {
        // On a busy machine it says how far it is.
        let is_progress = |line: &str| line.starts_with("note: blocks up to ");
        assert!(ran.status == 0 && ran.err.lines().all(is_progress), "{ran:?}");
        ran.out
    };
    let as_csv = said(export("csv", "--blocks 50"));
    let as_parquet = said(export("parquet", "--blocks 50 --format parquet"));
    assert_eq!(
        as_csv.split_once(": "),
        as_parquet.split_once(": ").map(|(_, told)| (as_csv.split(": ").next().unwrap_or_default(), told))
    );
    let mut decimals = Vec::new();
    for view in SQL_VIEWS.iter().filter(|view| view.columns[0].name == "height") {
        for range in ["0000000001-0000000050", "0000000051-0000000100", "0000000101-0000000150"] {
            let of = |format: &str| home.path().join(format).join(view.name).join(format!("{range}.{format}"));
            let expected = fs::read_to_string(of("csv")).expect("it was written");
            assert!(csv_of(&of("parquet"), &mut decimals) == expected, "{} of {range}", view.name);
        }
    }
    assert!(decimals.contains(&Some(10_i128.pow(38) - 1)), "the most that fits");
    assert!(decimals.contains(&None), "and what does not");
    assert!(decimals.iter().flatten().any(|amount| *amount < 0), "losses are negative");
    let large = home.path().join("parquet/blocks/0000000001-0000000050.parquet");
    let reader = SerializedFileReader::new(File::open(&large).expect("it is there")).expect("it is Parquet");
    assert_eq!(reader.num_row_groups(), 3, "16 MiB of rows each");
    // The folder keeps its format, and the manifest its sums.
    assert!(said(export("parquet", "")).ends_with(": blocks 1 to 120, 0 rows in 0 written ranges, 3 ranges kept\n"));
    assert!(said(export("parquet", "--verify")).ends_with(", verified\n"));
    assert!(export("parquet", "--format csv").bad(2).contains("has an export in the format parquet"));
    set_amount(&file, 1, LEAST_BEYOND);
    let other = export("parquet", "--verify");
    let lines: Vec<&str> = other.out.lines().collect();
    assert!(
        other.status == 1 && lines.iter().all(|line| line.ends_with(".parquet: the file has other rows")),
        "{other:?}"
    );
    assert!(lines.iter().any(|line| line.starts_with("transfers/")), "{other:?}");
    fs::write(&large, "words").expect("it can be written");
    assert!(
        export("parquet", "--verify").out.contains("blocks/0000000001-0000000050.parquet: differs from the manifest")
    );
    assert!(said(export("parquet", "")).contains(" rows in 1 written range, 2 ranges kept"));
}
