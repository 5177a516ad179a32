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
        (real, ours) => found.push((place.to_owned(), real.to_string(), ours.to_string())),
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), Value::to_string)
}
