//! Comparison of two JSON values, field by field.

use serde_json::{Map, Value};

use super::SideDifference;

/// Maximum differences reported per record.
const MOST: usize = 10;

#[derive(Debug, Default)]
pub(super) struct JsonComparison {
    /// Values that differ, in the node's order.
    pub(super) values: Vec<SideDifference>,
    /// First object whose keys are in another order.
    pub(super) key_order: Option<SideDifference>,
}

pub(super) fn compared(node: &Value, indexer: &Value) -> JsonComparison {
    let mut found = JsonComparison::default();
    compare("", node, indexer, &mut found);
    found.values.truncate(MOST);
    found
}

/// Returns the differences of records whose order of keys counts.
pub(super) fn differences(node: &Value, indexer: &Value) -> impl Iterator<Item = SideDifference> {
    let JsonComparison { values, key_order } = compared(node, indexer);
    values.into_iter().chain(key_order)
}

fn compare(path: &str, node: &Value, indexer: &Value, found: &mut JsonComparison) {
    if found.values.len() >= MOST {
        return;
    }
    match (node, indexer) {
        (Value::Object(one), Value::Object(other)) => fields(path, one, other, found),
        (Value::Array(one), Value::Array(other)) => elements(path, one, other, found),
        _ if node != indexer => found.values.push(SideDifference::value(path, node.clone(), indexer.clone())),
        _ => {}
    }
}

fn fields(path: &str, node: &Map<String, Value>, indexer: &Map<String, Value>, found: &mut JsonComparison) {
    for (key, value) in node {
        let path = under(path, key);
        match indexer.get(key) {
            Some(other) => compare(&path, value, other, found),
            None => found.values.push(SideDifference::Value { field: path, node: Some(value.clone()), indexer: None }),
        }
    }
    for (key, value) in indexer.iter().filter(|(key, _)| !node.contains_key(*key)) {
        let field = under(path, key);
        found.values.push(SideDifference::Value { field, node: None, indexer: Some(value.clone()) });
    }
    let has_same_keys = node.len() == indexer.len() && node.keys().all(|key| indexer.contains_key(key));
    if has_same_keys && found.key_order.is_none() && !node.keys().eq(indexer.keys()) {
        let keys = |fields: &Map<String, Value>| fields.keys().cloned().collect();
        let order = SideDifference::Order { field: path.to_owned(), node: keys(node), indexer: keys(indexer) };
        found.key_order = Some(order);
    }
}

fn elements(path: &str, node: &[Value], indexer: &[Value], found: &mut JsonComparison) {
    let is_as_long = node.len() == indexer.len();
    if !is_as_long {
        found.values.push(SideDifference::value(&under(path, "length"), node.len(), indexer.len()));
    }
    let before = found.values.len();
    for (place, (value, other)) in node.iter().zip(indexer).enumerate() {
        compare(&format!("{path}[{place}]"), value, other, found);
        // If an item is missing, all later items are shifted.
        if !is_as_long && found.values.len() > before {
            break;
        }
    }
}

/// Whether both values are equal apart from the order of keys and the format of numbers.
pub(super) fn is_same_meaning(node: &Value, indexer: &Value) -> bool {
    match (node, indexer) {
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| is_same_meaning(value, other)))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(value, other)| is_same_meaning(value, other))
        }
        (Value::Number(one), Value::Number(other)) => decimal(&one.to_string()) == decimal(&other.to_string()),
        _ => node == indexer,
    }
}

/// Splits a number into sign, significant digits and power of ten.
fn decimal(text: &str) -> Option<(bool, String, i64)> {
    let (is_negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let kept = digits.trim_end_matches('0');
    if kept.is_empty() {
        return Some((false, String::new(), 0));
    }
    let exponent: i64 = exponent.parse().ok()?;
    let shift = i64::try_from(digits.len() - kept.len()).ok()? - i64::try_from(fraction.len()).ok()?;
    Some((is_negative, kept.to_owned(), exponent.checked_add(shift)?))
}

fn under(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_kind_of_difference_has_its_place_and_both_values() {
        let differences = |node: &Value, indexer: &Value| super::differences(node, indexer).collect::<Vec<_>>();
        let node = json!({"a": {"b": [1, {"c": "x"}]}, "d": 1});
        assert_eq!(differences(&node, &node), []);
        let lie = json!({"a": {"b": [1, {"c": "y"}]}, "d": 1});
        assert_eq!(differences(&node, &lie), [SideDifference::value("a.b[1].c", "x", "y")]);
        let other = differences(&node, &json!({"a": {"b": [1]}, "e": 2}));
        let field = |field: &str, node, indexer| SideDifference::Value { field: field.to_owned(), node, indexer };
        assert_eq!(
            other,
            [
                SideDifference::value("a.b.length", 2, 1),
                field("d", Some(json!(1)), None),
                field("e", None, Some(json!(2))),
            ]
        );
        let keys = |keys: &[&str]| keys.iter().map(ToString::to_string).collect();
        let order = SideDifference::Order { field: String::new(), node: keys(&["a", "d"]), indexer: keys(&["d", "a"]) };
        assert_eq!(differences(&node, &json!({"d": 1, "a": {"b": [1, {"c": "x"}]}})), [order]);
    }

    #[test]
    fn what_is_only_written_in_another_way_means_the_same() {
        let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        let same = |one: &str, other: &str| is_same_meaning(&value(one), &value(other));
        assert!(same(r#"{"a":1e21,"b":[0.50]}"#, r#"{"b":[5e-1],"a":1000000000000000000000}"#));
        assert!(same("0", "-0.0"));
        for other in ["10", "-1", "1.1", "\"1\"", "[1]"] {
            assert!(!same("1", other), "{other}");
        }
    }
}
