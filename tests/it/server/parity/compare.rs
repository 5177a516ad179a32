//! Two answers, field by field.

use std::collections::BTreeSet;

use serde_json::Value;

/// Where two answers differ: the place, what the real indexer said, what ours does.
pub(super) type Places = Vec<(String, String, String)>;

/// An answer whose rows are only their hashes, as recordings have them.
pub(super) fn reduced(mut answer: Value) -> Value {
    if let Some(rows) = answer.get_mut("txs").and_then(Value::as_array_mut) {
        for row in rows {
            let hash = row.get("txhash").or_else(|| row.get("transactionHash")).cloned();
            *row = hash.unwrap_or_default();
        }
    }
    answer
}

pub(super) fn compare(real: &Value, ours: &Value, place: &str, found: &mut Places) {
    match (real, ours) {
        (Value::Object(real), Value::Object(ours)) => {
            let names: BTreeSet<&String> = real.keys().chain(ours.keys()).collect();
            for name in names {
                let (real, ours) = (real.get(name), ours.get(name));
                let place = format!("{place}.{name}");
                match (real, ours) {
                    (Some(real), Some(ours)) => compare(real, ours, &place, found),
                    (real, ours) => found.push((place, shown(real), shown(ours))),
                }
            }
        }
        (Value::Array(real), Value::Array(ours)) if real.len() == ours.len() => {
            real.iter().zip(ours).for_each(|(real, ours)| compare(real, ours, &format!("{place}[]"), found));
        }
        (Value::Array(real), Value::Array(ours)) => {
            let missing = real.iter().filter(|row| !ours.contains(row));
            found.extend(missing.map(|row| (format!("{place}[]"), row.to_string(), "nothing".to_owned())));
            let more = ours.iter().filter(|row| !real.contains(row));
            found.extend(more.map(|row| (format!("{place}[]"), "nothing".to_owned(), row.to_string())));
        }
        (real, ours) if real == ours => {}
        (Value::Number(real), Value::Number(ours)) if is_same_number(&real.to_string(), &ours.to_string()) => {}
        (real, ours) => found.push((place.to_owned(), real.to_string(), ours.to_string())),
    }
}

/// Whether two numbers are the same, however they are written: the recordings were written out by a program with a
/// notation of its own, and the real indexer's database has another.
fn is_same_number(one: &str, other: &str) -> bool {
    decimal(one).is_some_and(|one| decimal(other) == Some(one))
}

/// A number of JSON, exactly: whether it is below zero, its digits without zeros at either end, and the power of ten of
/// the last one.
fn decimal(text: &str) -> Option<(bool, String, i64)> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let digits = mantissa.trim_start_matches('-');
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent = exponent.parse::<i64>().ok()? - i64::try_from(fraction.len()).ok()?;
    let all = format!("{whole}{fraction}");
    let cut = all.trim_end_matches('0');
    let zeros = i64::try_from(all.len() - cut.len()).ok()?;
    let cut = cut.trim_start_matches('0');
    Some(if cut.is_empty() {
        (false, String::new(), 0)
    } else {
        (mantissa.starts_with('-'), cut.to_owned(), exponent + zeros)
    })
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), Value::to_string)
}

#[test]
fn numbers_are_the_same_by_value_alone() {
    for (one, other) in [
        ("1000", "1000.0"),
        ("1e3", "1000"),
        ("1e+21", "1000000000000000000000"),
        ("1e-07", "0.00000010"),
        ("1.50", "1.5"),
        ("-0.0", "0"),
        ("-12e1", "-120"),
    ] {
        assert!(is_same_number(one, other), "{one} {other}");
    }
    for (one, other) in [
        ("1000", "1001"),
        ("1e3", "1e4"),
        ("12345678901234567890", "12345678901234567891"),
        ("-1", "1"),
        ("0", "1"),
        ("0.1", "0.01"),
        ("1.5", "15"),
    ] {
        assert!(!is_same_number(one, other), "{one} {other}");
    }
}
