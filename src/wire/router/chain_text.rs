//! Chain ids and denoms are plain strings on the wire.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
                    lenient::text(deserializer).map(Self::new)
                }
            }
        )+
    };
}

as_plain_text!(ChainId, Denom);
