//! Lenient JSON parsing: unexpected parts are skipped, and the rest is parsed.

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

/// Type parsed from an object or a list; the other shape is skipped.
pub(super) trait JsonShape<'de>: Sized {
    /// Parses an object. A large number or fraction also arrives as an object, with an unknown field.
    fn of_object<A: MapAccess<'de>>(mut fields: A) -> Result<Option<Self>, A::Error> {
        while next_name(&mut fields)?.is_some() {
            skip(&mut fields)?;
        }
        Ok(None)
    }

    fn of_list<A: SeqAccess<'de>>(mut items: A) -> Result<Option<Self>, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    /// Returns the value of `null`: `None`, unless the type overrides it.
    fn of_null() -> Option<Self> {
        None
    }
}

/// Value of the expected type, or `None` for other JSON.
pub(super) struct Loose<T>(pub(super) Option<T>);

impl<'de, T: JsonShape<'de>> Deserialize<'de> for Loose<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyForm(PhantomData))
    }
}

struct AnyForm<T>(PhantomData<T>);

impl<'de, T: JsonShape<'de>> Visitor<'de> for AnyForm<T> {
    type Value = Loose<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Loose<T>, A::Error> {
        T::of_object(fields).map(Loose)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Loose<T>, A::Error> {
        T::of_list(items).map(Loose)
    }

    fn visit_unit<E: Error>(self) -> Result<Loose<T>, E> {
        Ok(Loose(T::of_null()))
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Loose<T>, E> {
        Ok(Loose(None))
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Loose<T>, E> {
        Ok(Loose(None))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Loose<T>, E> {
        Ok(Loose(None))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Loose<T>, E> {
        Ok(Loose(None))
    }
}

/// Maximum items kept of a list. A real transaction has a few hundred events.
pub(super) const MOST_ITEMS: usize = 60_000;

/// List; `null` is empty, as Go writes it. Keeps one item beyond the maximum, to show that the list is longer.
impl<'de, T: Deserialize<'de>> JsonShape<'de> for Vec<T> {
    fn of_list<A: SeqAccess<'de>>(mut items: A) -> Result<Option<Self>, A::Error> {
        let mut list = Self::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
            if list.len() > MOST_ITEMS {
                while items.next_element::<IgnoredAny>()?.is_some() {}
            }
        }
        Ok(Some(list))
    }

    fn of_null() -> Option<Self> {
        Some(Self::new())
    }
}

/// Fields of an object in order, verbatim.
pub(super) struct Fields<'a>(pub(super) Vec<(Name<'a>, &'a RawValue)>);

impl<'de> JsonShape<'de> for Fields<'de> {
    fn of_object<A: MapAccess<'de>>(mut fields: A) -> Result<Option<Self>, A::Error> {
        let mut list = Vec::new();
        while let Some(name) = next_name(&mut fields)? {
            if name.is(NUMBER) {
                skip(&mut fields)?;
                return Ok(None);
            }
            list.push((name, fields.next_value()?));
        }
        Ok(Some(Self(list)))
    }
}

/// Key of a number in `serde_json`'s arbitrary-precision format.
const NUMBER: &str = "$serde_json::private::Number";

/// Name of a field, as bytes: a hostile record's need not be UTF-8.
pub(super) struct Name<'a>(Cow<'a, [u8]>);

impl Name<'_> {
    pub(super) fn is(&self, name: &str) -> bool {
        *self.0 == *name.as_bytes()
    }

    pub(super) fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(NameVisitor)
    }
}

struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = Name<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a field's name")
    }

    fn visit_borrowed_bytes<E: Error>(self, bytes: &'de [u8]) -> Result<Name<'de>, E> {
        Ok(Name(Cow::Borrowed(bytes)))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Name<'de>, E> {
        Ok(Name(Cow::Owned(bytes.to_vec())))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Name<'de>, E> {
        self.visit_bytes(text.as_bytes())
    }
}

/// Reads the next field's name; its value must be read or skipped before the next.
pub(super) fn next_name<'de, A: MapAccess<'de>>(fields: &mut A) -> Result<Option<Name<'de>>, A::Error> {
    fields.next_key()
}

pub(super) fn skip<'de, A: MapAccess<'de>>(fields: &mut A) -> Result<(), A::Error> {
    fields.next_value::<IgnoredAny>().map(drop)
}

/// Returns a value as text: a string's content, empty for `null`, else the JSON verbatim.
pub(super) fn text(raw: &RawValue) -> Cow<'_, str> {
    let json = raw.get();
    match json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(plain) if !plain.contains('\\') => Cow::Borrowed(plain),
        Some(_) => serde_json::from_str(json).map_or(Cow::Borrowed(json), Cow::Owned),
        None if json == "null" => Cow::Borrowed(""),
        None => Cow::Borrowed(json),
    }
}
