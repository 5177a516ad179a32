//! "Nothing" in its four forms: missing, `null`, `""` and `[]`; and numbers that are strings here and numbers there.

use std::fmt;

use serde::{Deserialize, Deserializer, de};

/// A value that is read from a string or a number; `null` and `""` are nothing.
pub(super) fn option<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: std::str::FromStr<Err: fmt::Display>,
    D: Deserializer<'de>,
{
    let text = Option::<Scalar>::deserialize(deserializer)?.map(|scalar| scalar.0).unwrap_or_default();
    if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(de::Error::custom) }
}

/// Text; `null` is the empty text, a number or a boolean is its digits or word.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(Option::<Scalar>::deserialize(deserializer)?.map(|scalar| scalar.0).unwrap_or_default())
}

/// A list; `null` is the empty one.
pub(super) fn list<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// A boolean; `null` is false.
pub(super) fn truth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// An object of which `null`, and any value that is not one, is nothing.
pub(super) fn object<'de, T: de::DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let raw: Option<Box<serde_json::value::RawValue>> = Option::deserialize(deserializer)?;
    let Some(raw) = raw.filter(|raw| raw.get().starts_with('{')) else { return Ok(None) };
    serde_json::from_str(raw.get()).map(Some).map_err(de::Error::custom)
}

/// A string, number or boolean as text.
struct Scalar(String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Scalar;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string, a number or a boolean")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Scalar, E> {
                Ok(Scalar(text.to_owned()))
            }

            fn visit_bool<E: de::Error>(self, truth: bool) -> Result<Scalar, E> {
                Ok(Scalar(truth.to_string()))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Scalar, E> {
                Ok(Scalar(number.to_string()))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Scalar, E> {
                Ok(Scalar(number.to_string()))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Scalar, E> {
                Ok(Scalar(number.to_string()))
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Scalar, A::Error> {
                // With arbitrary precision serde_json hands every number of unknown type over in this disguise.
                let number = serde_json::Number::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(Scalar(number.to_string()))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}
