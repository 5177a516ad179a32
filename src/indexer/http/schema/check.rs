//! Validation of request bodies against schemas.

use serde_json::Value;

use super::{AMOUNT_PATTERN, DEFINITIONS, SENT_PATTERN, SchemaName, referred};
use crate::domain::text::clip;

/// Maximum digits of a 256-bit amount.
const MOST_DIGITS: usize = 78;
/// Maximum digits of an amount on the simulated chains.
const MOST_SENT: usize = 38;

/// Returns the first mismatch with the schema as a sentence: `amount_in: expected text, found a number`. Ignores
/// unknown fields; `null` counts as a missing field.
pub(crate) fn check(name: SchemaName, value: &Value) -> Result<(), String> {
    DEFINITIONS.get(name).map_or(Ok(()), |schema| check_at(schema, "body", value))
}

fn check_at(schema: &Value, place: &str, value: &Value) -> Result<(), String> {
    let needed = |what: &str| Err(format!("{place}: expected {what}, found {}", kind_of(value)));
    if value.is_null() && schema.get("x-nullable").is_some() {
        return Ok(());
    }
    let inner = schema.get("allOf").and_then(|all| all.get(0)).unwrap_or(schema);
    if let Some(definition) = referred(inner).and_then(|name| DEFINITIONS.get(name)) {
        return check_at(definition, place, value);
    }
    match (schema.get("type").and_then(Value::as_str), value) {
        (Some("string"), Value::String(text)) => check_text(schema, place, text),
        (Some("string"), _) if most_digits(schema).is_some() => needed("a digit string"),
        (Some("string"), _) => needed("text"),
        (Some("boolean"), Value::Bool(_)) | (Some("number"), Value::Number(_)) => Ok(()),
        (Some("boolean"), _) => needed("true or false"),
        (Some("number"), _) => needed("a number"),
        (Some("integer"), _) => {
            let least = schema.get("minimum").and_then(Value::as_i64).unwrap_or_default();
            if value.as_i64().is_some_and(|number| number >= least) {
                return Ok(());
            }
            needed(&format!("a whole number of at least {least}"))
        }
        (Some("array"), Value::Array(items)) => {
            let item = schema.get("items").unwrap_or(&Value::Null);
            (0..).zip(items).try_for_each(|(at, value): (usize, _)| check_at(item, &format!("{place}[{at}]"), value))
        }
        (Some("array"), _) => needed("a list"),
        (Some("object"), Value::Object(_)) => check_fields(schema, place, value),
        (Some("object"), _) => needed("a JSON object"),
        _ => Ok(()),
    }
}

fn check_text(schema: &Value, place: &str, text: &str) -> Result<(), String> {
    let words: Option<Vec<&str>> =
        schema.get("enum").and_then(|words| words.as_array()?.iter().map(Value::as_str).collect());
    if let Some(words) = words.filter(|words| !words.contains(&text)) {
        return Err(format!("{place}: “{}” is not one of {}", clip(text, 40), words.join(", ")));
    }
    if schema.get("minLength").is_some() && text.is_empty() {
        return Err(format!("{place}: empty value"));
    }
    match most_digits(schema) {
        Some(MOST_SENT) if text == "0" => Err(format!("{place}: the amount is 0; send at least 1")),
        Some(most) => digits(place, text, most),
        None => Ok(()),
    }
}

/// Returns the maximum digits if the schema is an amount; `None` for other strings.
fn most_digits(schema: &Value) -> Option<usize> {
    match schema.get("pattern")?.as_str()? {
        AMOUNT_PATTERN => Some(MOST_DIGITS),
        SENT_PATTERN => Some(MOST_SENT),
        _ => None,
    }
}

fn check_fields(schema: &Value, place: &str, value: &Value) -> Result<(), String> {
    let prefix = if place == "body" { String::new() } else { format!("{place}.") };
    let Some(named) = schema.get("properties").and_then(Value::as_object) else {
        let other = schema.get("additionalProperties").unwrap_or(&Value::Null);
        let mut fields = value.as_object().into_iter().flatten();
        return fields.try_for_each(|(name, value)| check_at(other, &format!("{prefix}{}", clip(name, 60)), value));
    };
    let required = schema.get("required").and_then(Value::as_array);
    named.iter().try_for_each(|(name, form)| {
        let is_required = required.is_some_and(|required| required.iter().any(|one| one == name));
        match value.get(name) {
            None if is_required => Err(format!("{prefix}{name}: missing field")),
            None => Ok(()),
            Some(Value::Null) if !is_required => Ok(()),
            Some(value) => check_at(form, &format!("{prefix}{name}"), value),
        }
    })
}

fn digits(place: &str, text: &str, most: usize) -> Result<(), String> {
    let shown = clip(text, 40);
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("{place}: “{shown}” is not an amount: write a whole number of smallest units"));
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err(format!("{place}: “{shown}” begins with 0: remove the leading zeros"));
    }
    if text.len() > most {
        return Err(format!("{place}: “{shown}” exceeds the limit of a chain"));
    }
    Ok(())
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn form() -> Value {
        json!({
            "type": "object",
            "properties": {
                "amount": {"type": "string", "pattern": AMOUNT_PATTERN},
                "is_fast": {"type": "boolean"},
                "names": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["amount"],
        })
    }

    #[test]
    fn what_has_the_form_passes() {
        for good in [
            json!({"amount": "0"}),
            json!({"amount": "10", "is_fast": null, "other": [1]}),
            json!({"amount": "9".repeat(78), "is_fast": true, "names": ["a"]}),
        ] {
            assert_eq!(check_at(&form(), "body", &good), Ok(()), "{good}");
        }
    }

    #[test]
    fn what_has_another_is_named_with_its_place() {
        for (bad, words) in [
            (json!([1, 2]), "body: expected a JSON object, found a list"),
            (json!({}), "amount: missing field"),
            (json!({"amount": 200}), "amount: expected a digit string, found a number"),
            (json!({"amount": null}), "amount: expected a digit string, found null"),
            (json!({"amount": "007"}), "amount: “007” begins with 0"),
            (json!({"amount": "-1"}), "amount: “-1” is not an amount"),
            (json!({"amount": ""}), "amount: “” is not an amount"),
            (json!({"amount": "9".repeat(79)}), "exceeds the limit of a chain"),
            (json!({"amount": "1", "is_fast": "true"}), "is_fast: expected true or false, found text"),
            (json!({"amount": "1", "names": ["a", 5]}), "names[1]: expected text, found a number"),
        ] {
            let sentence = check_at(&form(), "body", &bad).unwrap_err();
            assert!(sentence.starts_with(words) || sentence.contains(words), "{sentence}");
        }
    }
}
