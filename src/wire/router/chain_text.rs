//! Serde of chain ids and denoms, which are plain strings on the wire; an empty string is an error.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::lenient;
use crate::domain::{ChainId, Denom};

macro_rules! as_plain_text {
    ($($name:ty),+) => {
        $(
            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.as_str())
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    // Not an optional text: a missing field must be an error, not an empty text.
                    let text = lenient::some_text(deserializer)?;
                    if text.is_empty() { Err(de::Error::custom("the text is empty")) } else { Ok(Self::new(text)) }
                }
            }
        )+
    };
}

as_plain_text!(ChainId, Denom);
