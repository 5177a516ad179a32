//! JSON as Go's encoder writes it after decoding: a node verifies a signature over this text.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::{Number, Value};

/// Numbers from this value on have an exponent.
const LARGEST: f64 = 1e21;
/// Smallest number without an exponent.
const SMALLEST: f64 = 1e-6;

/// Formats a value with sorted keys, without whitespace, and with numbers as float64. `None` for a number beyond
/// float64, which Go cannot decode.
pub(super) fn canonical(value: &Value) -> Option<String> {
    let mut json = String::new();
    push_value(&mut json, value)?;
    Some(json)
}

/// Returns a text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    push_text(&mut json, text);
    json
}

/// Formats an object from values that are already JSON.
pub(super) fn object<'a>(fields: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let ordered: BTreeMap<&str, String> = fields.into_iter().collect();
    let fields: Vec<String> = ordered.iter().map(|(name, json)| format!("{}:{json}", quoted(name))).collect();
    format!("{{{}}}", fields.join(","))
}

/// Formats a list from items that are already JSON.
pub(super) fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

fn push_value(json: &mut String, value: &Value) -> Option<()> {
    match value {
        Value::Null => json.push_str("null"),
        Value::Bool(truth) => json.push_str(if *truth { "true" } else { "false" }),
        Value::Number(number) => json.push_str(&number_text(number)?),
        Value::String(text) => push_text(json, text),
        Value::Array(items) => {
            json.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    json.push(',');
                }
                push_value(json, item)?;
            }
            json.push(']');
        }
        Value::Object(fields) => {
            json.push('{');
            let ordered: BTreeMap<&String, &Value> = fields.iter().collect();
            for (place, (name, item)) in ordered.into_iter().enumerate() {
                if place > 0 {
                    json.push(',');
                }
                push_text(json, name);
                json.push(':');
                push_value(json, item)?;
            }
            json.push('}');
        }
    }
    Some(())
}

fn push_text(json: &mut String, text: &str) {
    json.push('"');
    for sign in text.chars() {
        match sign {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            '\u{8}' => json.push_str("\\b"),
            '\u{c}' => json.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                let _infallible = write!(json, "\\u{:04x}", u32::from(sign));
            }
            plain => json.push(plain),
        }
    }
    json.push('"');
}

/// Returns the shortest digits that parse to an equal float64.
fn number_text(number: &Number) -> Option<String> {
    let float: f64 = number.to_string().parse().ok().filter(|float: &f64| float.is_finite())?;
    let size = float.abs();
    if float == 0.0 || (SMALLEST..LARGEST).contains(&size) {
        return Some(float.to_string());
    }
    let text = format!("{float:e}");
    let is_small = size < SMALLEST;
    Some(if is_small { text } else { text.replacen('e', "e+", 1) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str) -> Option<String> {
        canonical(&serde_json::from_str(text).unwrap())
    }

    #[test]
    fn numbers_are_those_of_a_float64() {
        for (given, written) in [
            ("12345678901234567890", "12345678901234567000"),
            ("1.50", "1.5"),
            ("1e3", "1000"),
            ("1e21", "1e+21"),
            ("999999999999999900000", "999999999999999900000"),
            ("0.0000001", "1e-7"),
            ("0.000001", "0.000001"),
            ("-1.25e-9", "-1.25e-9"),
            ("1.5E+300", "1.5e+300"),
            ("-0", "-0"),
            ("0.0", "0"),
        ] {
            assert_eq!(of(given).as_deref(), Some(written), "{given}");
        }
        assert_eq!(of("1e400"), None, "Go reads no such number");
    }

    #[test]
    fn texts_and_keys_are_escaped_as_go_does() {
        let given = r#"{"b":"<a> & \u00fc \u2028 \/ \u0001 \" \\","a<":[{"z":1,"y":null},[]],"b":2}"#;
        let written = r#"{"a\u003c":[{"y":null,"z":1},[]],"b":2}"#;
        assert_eq!(of(given).as_deref(), Some(written), "the last of two equal keys");
        let text = of(r#""<a> & \u00fc \u2028 \/ \u0001 \" \\ \b\t""#).unwrap();
        assert_eq!(text, r#""\u003ca\u003e \u0026 ü \u2028 / \u0001 \" \\ \b\t""#);
    }

    proptest! {
        #[test]
        fn writing_again_changes_nothing(text in ".{0,40}", number in any::<f64>(), key in ".{0,12}") {
            let number = if number.is_finite() { format!("{number:e}") } else { "0".to_owned() };
            let given = format!("{{{}:[{number},{}]}}", quoted(&key), quoted(&text));
            let once = of(&given).unwrap();
            prop_assert_eq!(of(&once), Some(once.clone()));
            let read: Value = serde_json::from_str(&once).unwrap();
            prop_assert_eq!(read.as_object().and_then(|fields| fields.get(&key)?.get(1)?.as_str()), Some(text.as_str()));
        }
    }
}
