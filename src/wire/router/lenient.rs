//! Readers that accept "nothing" in its four formats (missing, `null`, `""`, `[]`), and numbers written as strings.

use std::{fmt, marker::PhantomData};

use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

use crate::domain::text::Foreign;

/// Parses a value from a string or number; `null`, `""` and `[]` yield `None`.
pub(super) fn option<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: std::str::FromStr<Err: fmt::Display>,
    D: Deserializer<'de>,
{
    let text = Option::<Scalar>::deserialize(deserializer)?.map(|scalar| scalar.0).unwrap_or_default();
    if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(de::Error::custom) }
}

/// Reads text; `null` and `[]` yield empty text, a number or boolean yields its text.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(Option::<Scalar>::deserialize(deserializer)?.map(|scalar| scalar.0).unwrap_or_default())
}

/// Reads optional text of others.
pub(super) fn foreign<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Foreign, D::Error> {
    text(deserializer).map(Foreign::new)
}

/// Reads required text; a number or boolean yields its text.
pub(super) fn some_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Scalar::deserialize(deserializer).map(|scalar| scalar.0)
}

/// Reads a list; `null` and `""` yield an empty list.
pub(super) fn list<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    struct Visitor<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Visitor<T> {
        type Value = Vec<T>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a list")
        }

        fn visit_unit<E: de::Error>(self) -> Result<Vec<T>, E> {
            Ok(Vec::new())
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Vec<T>, E> {
            if text.is_empty() { Ok(Vec::new()) } else { Err(E::invalid_type(de::Unexpected::Str(text), &self)) }
        }

        fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
            let mut result = Vec::new();
            while let Some(item) = items.next_element()? {
                result.push(item);
            }
            Ok(result)
        }
    }
    deserializer.deserialize_any(Visitor(PhantomData))
}

/// Reads a list of alternatives and skips invalid entries.
pub(super) fn readable<'de, T: de::DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let rows: Vec<Box<RawValue>> = list(deserializer)?;
    Ok(rows.iter().filter_map(|row| serde_json::from_str(row.get()).ok()).collect())
}

/// Reads a value; `null` yields the default.
pub(super) fn or_default<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Reads a boolean, also as a word; missing and empty values yield false.
pub(super) fn truth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(option(deserializer)?.unwrap_or_default())
}

/// Reads an object; `null`, `{}` and other types yield `None`.
pub(super) fn object<'de, T: de::DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let raw: Option<Box<RawValue>> = Option::deserialize(deserializer)?;
    let is_filled = |raw: &RawValue| raw.get().strip_prefix('{').is_some_and(|rest| rest.trim_start() != "}");
    let Some(raw) = raw.filter(|raw| is_filled(raw)) else { return Ok(None) };
    serde_json::from_str(raw.get()).map(Some).map_err(de::Error::custom)
}

/// Reads an object; a missing, incomplete or invalid object yields `None`.
pub(super) fn fitting<'de, T: de::DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let raw: Option<Box<RawValue>> = Option::deserialize(deserializer)?;
    Ok(raw.filter(|raw| raw.get().starts_with('{')).and_then(|raw| serde_json::from_str(raw.get()).ok()))
}

/// Returns the key that names an object's kind, with its value: a known key, else the first key that holds an object
/// and is not in `others`.
pub(super) fn kind<'a>(
    object: &'a str,
    others: &[&str],
    is_known: impl Fn(&str) -> bool,
) -> Result<Option<(String, &'a str)>, serde_json::Error> {
    let fields: IndexedFields<'a> = serde_json::from_str(object)?;
    let mut objects =
        fields.0.into_iter().filter(|(name, value)| value.get().starts_with('{') && !others.contains(&name.as_str()));
    let mut first = None;
    let known = objects.find(|(name, value)| {
        let is_known = is_known(name);
        if !is_known && first.is_none() {
            first = Some((name.clone(), *value));
        }
        is_known
    });
    Ok(known.or(first).map(|(name, value)| (name, value.get())))
}

/// Unparsed fields of an object, in order.
struct IndexedFields<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for IndexedFields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut result = Vec::new();
                while let Some(field) = map.next_entry()? {
                    result.push(field);
                }
                Ok(result)
            }
        }
        deserializer.deserialize_map(Visitor).map(Self)
    }
}

/// Text of a JSON string, number or boolean.
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

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<Scalar, A::Error> {
                match items.next_element::<de::IgnoredAny>()? {
                    None => Ok(Scalar(String::new())),
                    Some(_) => Err(de::Error::invalid_type(de::Unexpected::Seq, &self)),
                }
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Scalar, A::Error> {
                // With serde_json's arbitrary precision, a number of unknown type arrives as this map.
                let number = serde_json::Number::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(Scalar(number.to_string()))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}
