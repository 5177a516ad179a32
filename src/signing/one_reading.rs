//! JSON texts of a router that chains read again. Go merges the values of a repeated key, other readers take the first
//! or the last, so such a text has several readings.

use std::{cell::RefCell, collections::HashSet, fmt};

use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

/// Returns the first key that an object of the text repeats, at any level. Texts that are not JSON have none.
pub(super) fn repeated_key(text: &str) -> Option<String> {
    let found = RefCell::new(None);
    let mut reader = serde_json::Deserializer::from_str(text);
    // The visit ends with an error at a repeated key; the text's readers report all other errors.
    drop(reader.deserialize_any(KeyVisitor { found: &found }));
    found.into_inner()
}

/// Visits every object of a text and stops at the first repeated key.
#[derive(Clone, Copy)]
struct KeyVisitor<'a> {
    found: &'a RefCell<Option<String>>,
}

impl<'de> serde::de::DeserializeSeed<'de> for KeyVisitor<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for KeyVisitor<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if keys.contains(&key) {
                self.found.replace(Some(key));
                return Err(A::Error::custom("repeated key"));
            }
            keys.insert(key);
            map.next_value_seed(self)?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(self)?.is_some() {}
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_key_is_found_at_every_level() {
        for text in [
            r#"{"a":1,"a":1}"#,
            r#"{"b":{"c":[1,{"a":{},"a":{}}]}}"#,
            r#"[{"a":null,"b":1.5,"\u0061":true}]"#,
            r#"{"b":"\"a\":1","a":1e400,"c":-7,"a":false}"#,
            // Invalid behind the repeated key.
            r#"{"a":1,"a":"#,
        ] {
            assert_eq!(repeated_key(text).as_deref(), Some("a"), "{text}");
        }
    }

    #[test]
    fn equal_keys_of_different_objects_are_not_repeated() {
        for text in [r#"{"a":{"a":[{"a":1},{"a":2}]},"A":1}"#, "a note: {\"a\":1,\"a\":2}", "", "7", "\"a\""] {
            assert_eq!(repeated_key(text), None, "{text}");
        }
    }
}
