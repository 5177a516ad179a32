use std::borrow::Borrow;

use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

use super::RawJson;

/// Value with its JSON source, exactly as received and including unknown fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verbatim<T> {
    pub value: T,
    pub raw: RawJson,
}

impl<T> Borrow<T> for Verbatim<T> {
    fn borrow(&self) -> &T {
        &self.value
    }
}

impl<'de, T: de::DeserializeOwned> Deserialize<'de> for Verbatim<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw: Box<RawValue> = Box::deserialize(deserializer)?;
        let value = serde_json::from_str(raw.get()).map_err(de::Error::custom)?;
        Ok(Self { value, raw: raw.into() })
    }
}
