//! Whether a body that was sent has the form that the description promises to take.

use serde_json::Value;

use super::JsonForm;
use crate::domain::text::clip;

/// Digits that the largest amount of any chain has: 256 bits.
const MOST_DIGITS: usize = 78;
/// Digits of the largest amount that the simulated chains can count.
const MOST_SENT: usize = 38;

impl JsonForm {
    /// The first place where a value has another form, as a sentence that names it: `amount_in: text is needed, not a
    /// number`. Fields that the form does not name are passed over, and `null` stands for a field that may be absent.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        self.check_at("body", value)
    }

    fn check_at(&self, place: &str, value: &Value) -> Result<(), String> {
        let needed = |what: &str| Err(format!("{place}: {what} is needed, not {}", kind_of(value)));
        match (self, value) {
            (Self::Digits, Value::String(text)) => digits(place, text, MOST_DIGITS),
            (Self::PositiveDigits, Value::String(text)) if text == "0" => Err(format!("{place}: 0 sends nothing")),
            (Self::PositiveDigits, Value::String(text)) => digits(place, text, MOST_SENT),
            (Self::Word(words), Value::String(text)) if !words.contains(&text.as_str()) => {
                Err(format!("{place}: “{}” is none of {}", clip(text, 40), words.join(", ")))
            }
            (Self::Name, Value::String(text)) if text.is_empty() => Err(format!("{place}: there is nothing in it")),
            (Self::Anything, _)
            | (Self::Text | Self::Name | Self::Pattern(_) | Self::Time | Self::Word(_), Value::String(_))
            | (Self::Boolean, Value::Bool(_))
            | (Self::Number, Value::Number(_))
            | (Self::Nullable(_), Value::Null) => Ok(()),
            (Self::From(least), Value::Number(number)) if number.as_i64().is_some_and(|number| number >= *least) => {
                Ok(())
            }
            (Self::Nullable(form), _) => form.check_at(place, value),
            (Self::List(form), Value::Array(items)) => {
                (0..).zip(items).try_for_each(|(at, item): (usize, _)| form.check_at(&format!("{place}[{at}]"), item))
            }
            (Self::Map(form), Value::Object(fields)) => fields
                .iter()
                .try_for_each(|(name, value)| form.check_at(&format!("{}{}", prefix(place), clip(name, 60)), value)),
            (Self::Object(object), Value::Object(fields)) => object.fields.iter().try_for_each(|field| {
                let inner = format!("{}{}", prefix(place), field.name);
                match fields.get(field.name) {
                    None if field.is_required => Err(format!("{inner}: missing field")),
                    None => Ok(()),
                    Some(Value::Null) if !field.is_required => Ok(()),
                    Some(value) => field.form.check_at(&inner, value),
                }
            }),
            (Self::Digits | Self::PositiveDigits, _) => needed("a text of digits"),
            (Self::Text | Self::Name | Self::Pattern(_) | Self::Time | Self::Word(_), _) => needed("text"),
            (Self::Boolean, _) => needed("true or false"),
            (Self::From(least), _) => needed(&format!("a whole number from {least} on")),
            (Self::Number, _) => needed("a number"),
            (Self::List(_), _) => needed("a list"),
            (Self::Map(_) | Self::Object(_), _) => needed("a JSON object"),
        }
    }
}

/// What goes before a field's name.
fn prefix(place: &str) -> String {
    if place == "body" { String::new() } else { format!("{place}.") }
}

fn digits(place: &str, text: &str, most: usize) -> Result<(), String> {
    let shown = clip(text, 40);
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("{place}: “{shown}” is not an amount: a whole number in the smallest unit is needed"));
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err(format!("{place}: “{shown}” begins with 0: amounts have no zeros before them"));
    }
    if text.len() > most {
        return Err(format!("{place}: “{shown}” is more than any chain can count"));
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

    use super::{
        super::{JsonField, ObjectForm},
        *,
    };

    const FORM: JsonForm = JsonForm::Object(&ObjectForm::new(
        "Thing",
        "",
        &[
            JsonField::new("amount", JsonForm::Digits, ""),
            JsonField::maybe("is_fast", JsonForm::Boolean, ""),
            JsonField::maybe("names", JsonForm::List(&JsonForm::Text), ""),
        ],
    ));

    #[test]
    fn what_has_the_form_passes() {
        for good in [
            json!({"amount": "0"}),
            json!({"amount": "10", "is_fast": null, "other": [1]}),
            json!({"amount": "9".repeat(78), "is_fast": true, "names": ["a"]}),
        ] {
            assert_eq!(FORM.check(&good), Ok(()), "{good}");
        }
    }

    #[test]
    fn what_has_another_is_named_with_its_place() {
        for (bad, words) in [
            (json!([1, 2]), "body: a JSON object is needed, not a list"),
            (json!({}), "amount: missing field"),
            (json!({"amount": 200}), "amount: a text of digits is needed, not a number"),
            (json!({"amount": null}), "amount: a text of digits is needed, not null"),
            (json!({"amount": "007"}), "amount: “007” begins with 0"),
            (json!({"amount": "-1"}), "amount: “-1” is not an amount"),
            (json!({"amount": ""}), "amount: “” is not an amount"),
            (json!({"amount": "9".repeat(79)}), "more than any chain can count"),
            (json!({"amount": "1", "is_fast": "true"}), "is_fast: true or false is needed, not text"),
            (json!({"amount": "1", "names": ["a", 5]}), "names[1]: text is needed, not a number"),
        ] {
            let sentence = FORM.check(&bad).unwrap_err();
            assert!(sentence.starts_with(words) || sentence.contains(words), "{sentence}");
        }
    }
}
