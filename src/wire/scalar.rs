//! Numbers and other values that servers write as JSON strings or as JSON numbers.

/// Serde format of a value: writes a JSON string with `Display`; parses a string or number with `FromStr`.
pub mod text {
    use std::{fmt, marker::PhantomData, str::FromStr};

    use serde::{Deserialize, Deserializer, Serializer, de};

    pub fn serialize<T: fmt::Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    /// Parses a string, or a number: some servers changed their format.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: fmt::Display>,
        D: Deserializer<'de>,
    {
        struct Visitor<T>(PhantomData<T>);
        impl<'de, T: FromStr<Err: fmt::Display>> de::Visitor<'de> for Visitor<T> {
            type Value = T;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string or a whole number")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
                number.to_string().parse().map_err(E::custom)
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
                number.to_string().parse().map_err(E::custom)
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                // With serde_json's arbitrary precision, a number of unknown type arrives as this map.
                let number = serde_json::Number::deserialize(de::value::MapAccessDeserializer::new(map))?;
                number.to_string().parse().map_err(de::Error::custom)
            }
        }
        deserializer.deserialize_any(Visitor(PhantomData))
    }
}

/// Serde format of a height: writes a JSON number; parses a number or string.
pub mod number {
    use serde::{Deserializer, Serializer};

    use crate::domain::Height;

    pub fn serialize<S: Serializer>(height: &Height, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(height.get())
    }

    /// Parses a number, or a string: some servers changed their format.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Height, D::Error> {
        super::text::deserialize(deserializer)
    }
}

/// Implements serde for a value that JSON holds only as a string.
macro_rules! as_text {
    ($($name:ty),+) => {
        $(
            impl serde::Serialize for $name {
                fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    crate::wire::scalar::text::serialize(self, serializer)
                }
            }

            impl<'de> serde::Deserialize<'de> for $name {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    crate::wire::scalar::text::deserialize(deserializer)
                }
            }
        )+
    };
}

as_text!(
    crate::domain::Height,
    crate::domain::TxHash,
    crate::domain::EvmTxHash,
    crate::domain::BlockHash,
    crate::domain::Timestamp,
    crate::domain::Amount,
    crate::domain::Balance
);
