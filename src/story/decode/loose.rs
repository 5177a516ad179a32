//! JSON read as far as it has the expected form: what has another form is left out, and the rest is read all the same.

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

/// What is read from an object or from a list. The other of the two is read to its end and gives nothing.
pub(super) trait JsonShape<'de>: Sized {
    /// Reads an object. A large number or a fraction also comes as one, with a field that nobody knows.
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

    /// What `null` means: nothing was read, unless the shape says more.
    fn of_null() -> Option<Self> {
        None
    }
}

/// Something of the expected shape, or nothing where the JSON has another.
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

/// Items of a list that are kept at the most. A real transaction has a few hundred events.
pub(super) const MOST_ITEMS: usize = 60_000;

/// A list of anything; `null` is an empty one, as Go writes it. One item more than are kept shows that there were more.
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

/// The fields of an object in order, each as it was received.
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

/// The name under which a number hides, where integers of any size are kept.
const NUMBER: &str = "$serde_json::private::Number";

/// A field's name, as bytes: those of hostile records need not be text.
pub(super) struct Name<'a>(Cow<'a, [u8]>);

impl Name<'_> {
    /// Whether it is this one.
    pub(super) fn is(&self, name: &str) -> bool {
        *self.0 == *name.as_bytes()
    }

    /// The name as text, for people.
    pub(super) fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// The name, to be matched.
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

/// The next field's name; its value must be read or skipped before the next.
pub(super) fn next_name<'de, A: MapAccess<'de>>(fields: &mut A) -> Result<Option<Name<'de>>, A::Error> {
    fields.next_key()
}

pub(super) fn skip<'de, A: MapAccess<'de>>(fields: &mut A) -> Result<(), A::Error> {
    fields.next_value::<IgnoredAny>().map(drop)
}

/// A value as text: a string's own, nothing for `null`, else the JSON as it was received.
pub(super) fn text(raw: &RawValue) -> Cow<'_, str> {
    let json = raw.get();
    match json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(plain) if !plain.contains('\\') => Cow::Borrowed(plain),
        Some(_) => serde_json::from_str(json).map_or(Cow::Borrowed(json), Cow::Owned),
        None if json == "null" => Cow::Borrowed(""),
        None => Cow::Borrowed(json),
    }
}
