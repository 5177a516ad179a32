//! Readers of values that nodes omit, write as null, or write as a number instead of text.

use std::{fmt, marker::PhantomData, str::FromStr};

use crate::domain::text::Foreign;

use serde::{Deserialize, Deserializer, de};

use crate::wire::scalar::text;

/// Value parsed from text or a number.
struct TextOrNumber<T>(T);

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for TextOrNumber<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text::deserialize(deserializer).map(Self)
    }
}

/// Parses a value; null yields the default.
pub(super) fn or_default<'de, T: Default + Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// Parses a number, also from text; null and empty text yield the default.
pub(super) fn number<'de, T: Default + FromStr<Err: fmt::Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    struct NumberOrNull<T>(PhantomData<T>);
    impl<'de, T: Default + FromStr<Err: fmt::Display>> de::Visitor<'de> for NumberOrNull<T> {
        type Value = T;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a number, a number as text, or null")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
            if text.is_empty() { Ok(T::default()) } else { text.parse().map_err(E::custom) }
        }

        fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
            number.to_string().parse().map_err(E::custom)
        }

        fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
            number.to_string().parse().map_err(E::custom)
        }

        fn visit_unit<E: de::Error>(self) -> Result<T, E> {
            Ok(T::default())
        }

        fn visit_none<E: de::Error>(self) -> Result<T, E> {
            Ok(T::default())
        }

        fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
            TextOrNumber::deserialize(deserializer).map(|value| value.0)
        }

        fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            TextOrNumber::deserialize(de::value::MapAccessDeserializer::new(map)).map(|value| value.0)
        }
    }
    deserializer.deserialize_any(NumberOrNull(PhantomData))
}

/// Reads a text of others, as [`text_only`].
pub(super) fn foreign_only<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Foreign, D::Error> {
    text_only(deserializer).map(Foreign::from)
}

/// Reads a text; null yields empty text, and other types yield their JSON text.
pub(super) fn text_only<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let value = Option::<serde_json::Value>::deserialize(deserializer)?;
    Ok(match value {
        Some(serde_json::Value::String(text)) => text,
        Some(serde_json::Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    })
}
