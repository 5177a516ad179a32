//! Protobuf from JSON. A message's fields are read where they stand, so that nested JSON is scanned once; only an
//! `Any` is scanned again, since its type may stand anywhere in it.

use std::{borrow::Cow, cell::Cell, fmt};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::{
    Deserialize, Deserializer,
    de::{
        self, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor,
        value::{BorrowedStrDeserializer, MapDeserializer},
    },
};
use serde_json::value::RawValue;

use super::{
    MAX_DEPTH, ProtoError, ProtoProblem,
    table::{Presence, ProtoKind, ProtoSchema, ProtoTable, SchemaField},
    values,
};
use crate::wire::protobuf::ProtoWriter;

/// Encodes a message from JSON.
pub(super) fn write(name: &str, json: &str) -> Result<Vec<u8>, ProtoError> {
    let failure = Failure::default();
    let seed = MessageSeed { schema: ProtoTable::get().message(name)?, depth: 0, failure: &failure };
    let mut json = serde_json::Deserializer::from_str(json);
    let written = seed.deserialize(&mut json).and_then(|bytes| json.end().map(|()| bytes));
    written.map_err(|_| failure.problem("an object"))
}

/// Encodes the fields of a message whose JSON is split already.
fn message(schema: &ProtoSchema, object: &Object<'_>, depth: usize) -> Result<Vec<u8>, ProtoError> {
    let failure = Failure::default();
    let fields = object.0.iter().map(|(key, value)| (BorrowedStrDeserializer::new(key), *value));
    let map = MapDeserializer::<_, serde_json::Error>::new(fields);
    MessageSeed { schema, depth, failure: &failure }.visit_map(map).map_err(|_| failure.problem("an object"))
}

/// Problem of the value that ended the parsing, which serde's errors cannot hold.
#[derive(Default)]
struct Failure(Cell<Option<ProtoError>>);

impl Failure {
    /// Returns the problem; without one, the JSON itself is not what was expected.
    fn problem(&self, expected: &'static str) -> ProtoError {
        self.0.take().unwrap_or_else(|| ProtoProblem::Value(expected).into())
    }

    fn keep<E: de::Error>(&self, error: ProtoError) -> E {
        self.0.set(Some(error));
        E::custom("")
    }
}

enum Written {
    Number(u64),
    Bytes(Vec<u8>),
    /// Items of a list, with their keys.
    Fields(Vec<u8>),
}

/// Reads an object as the bytes of a message.
#[derive(Clone, Copy)]
struct MessageSeed<'a> {
    schema: &'a ProtoSchema,
    depth: usize,
    failure: &'a Failure,
}

impl<'de> DeserializeSeed<'de> for MessageSeed<'_> {
    type Value = Vec<u8>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<u8>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for MessageSeed<'_> {
    type Value = Vec<u8>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<u8>, A::Error> {
        let Self { schema, depth, failure } = self;
        if depth > MAX_DEPTH {
            return Err(failure.keep(ProtoProblem::Depth(MAX_DEPTH).into()));
        }
        let mut values: Vec<Option<Written>> = schema.fields.iter().map(|_| None).collect();
        let mut unknown = None;
        while let Some(FieldName(key)) = map.next_key()? {
            if key == "@unknown" {
                unknown = Some(map.next_value::<&RawValue>()?).filter(|raw| raw.get() != "null");
            } else if key.starts_with('@') {
                map.next_value::<IgnoredAny>()?;
            } else if let Some((field, value)) =
                schema.fields.iter().zip(&mut values).find(|(field, _)| field.name == key)
            {
                let read = map.next_value_seed(FieldSeed { field, depth, failure });
                let expected = if field.is_repeated { "a list" } else { "an object" };
                *value = read.map_err(|_| failure.keep(failure.problem(expected).within(field.name)))?;
            } else {
                return Err(failure.keep(ProtoError::from(ProtoProblem::Field).within(&key)));
            }
        }
        let mut writer = ProtoWriter::new();
        for (place, field) in schema.numbered() {
            writer = add(writer, field, values.get_mut(place).and_then(Option::take), depth)
                .map_err(|error| failure.keep::<A::Error>(error.within(field.name)))?;
        }
        if let Some(unknown) = unknown {
            let bytes = bytes_of(unknown).map_err(|error| failure.keep::<A::Error>(error.within("@unknown")))?;
            writer = writer.raw(&bytes);
        }
        Ok(writer.finish())
    }
}

/// Reads the value of a field; `None` for `null`.
#[derive(Clone, Copy)]
struct FieldSeed<'a> {
    field: &'a SchemaField,
    depth: usize,
    failure: &'a Failure,
}

impl<'de> DeserializeSeed<'de> for FieldSeed<'_> {
    type Value = Option<Written>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Written>, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for FieldSeed<'_> {
    type Value = Option<Written>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_none<E: de::Error>(self) -> Result<Option<Written>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Written>, D::Error> {
        if self.field.is_repeated {
            return deserializer.deserialize_seq(self);
        }
        ItemSeed { kind: self.field.kind, depth: self.depth, failure: self.failure }.deserialize(deserializer).map(Some)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Option<Written>, A::Error> {
        let Self { field, depth, failure } = self;
        let (mut whole, mut packed) = (ProtoWriter::new(), ProtoWriter::new());
        for index in 0.. {
            let item = items.next_element_seed(ItemSeed { kind: field.kind, depth, failure });
            match item.map_err(|_| failure.keep::<A::Error>(failure.problem("an object").at(index)))? {
                Some(Written::Bytes(bytes)) => whole = whole.bytes(field.number, bytes),
                Some(Written::Number(number)) => packed = packed.packed(number),
                Some(Written::Fields(fields)) => whole = whole.raw(&fields),
                None => break,
            }
        }
        let packed = packed.finish();
        let whole = if packed.is_empty() { whole } else { whole.bytes(field.number, packed) };
        Ok(Some(Written::Fields(whole.finish())))
    }
}

/// Reads a single value.
#[derive(Clone, Copy)]
struct ItemSeed<'a> {
    kind: ProtoKind,
    depth: usize,
    failure: &'a Failure,
}

impl<'de> DeserializeSeed<'de> for ItemSeed<'_> {
    type Value = Written;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Written, D::Error> {
        let Self { kind, depth, failure } = self;
        if let ProtoKind::Message(name) = kind {
            let schema = ProtoTable::get().message(name).map_err(|error| failure.keep::<D::Error>(error))?;
            return MessageSeed { schema, depth: depth + 1, failure }.deserialize(deserializer).map(Written::Bytes);
        }
        value(kind, <&RawValue>::deserialize(deserializer)?, depth).map_err(|error| failure.keep(error))
    }
}

/// Fields of a JSON object, unparsed.
#[derive(Debug, Default)]
struct Object<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Object<'a> {
    fn parse(json: &'a str) -> Result<Self, ProtoError> {
        serde_json::from_str(json).map_err(|_| ProtoProblem::Value("an object").into())
    }

    /// Returns the last value with this name; `None` for `null` or a missing field.
    fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| *value).filter(|value| value.get() != "null")
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;
        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = Object<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(key) = map.next_key::<FieldName<'de>>()? {
                    fields.push((key.0, map.next_value()?));
                }
                Ok(Object(fields))
            }
        }
        deserializer.deserialize_map(ObjectVisitor)
    }
}

#[derive(Deserialize)]
#[serde(transparent)]
struct FieldName<'a>(#[serde(borrow)] Cow<'a, str>);

/// Adds a field if its rule requires it.
fn add(
    writer: ProtoWriter,
    field: &SchemaField,
    value: Option<Written>,
    depth: usize,
) -> Result<ProtoWriter, ProtoError> {
    let written = match value {
        Some(written) => written,
        None if field.presence == Presence::Always && !field.is_repeated => match absent(field.kind, depth)? {
            Some(written) => written,
            None => return Ok(writer),
        },
        None => return Ok(writer),
    };
    let is_kept = field.presence != Presence::Plain;
    Ok(match written {
        Written::Fields(fields) => writer.raw(&fields),
        Written::Number(0) if !is_kept => writer,
        Written::Number(number) => writer.number(field.number, number),
        Written::Bytes(bytes) if bytes.is_empty() && !is_kept && is_text(field.kind) => writer,
        Written::Bytes(bytes) => writer.bytes(field.number, bytes),
    })
}

/// Whether the type has an empty value that the bytes omit.
fn is_text(kind: ProtoKind) -> bool {
    matches!(kind, ProtoKind::Text | ProtoKind::Hex | ProtoKind::Json)
}

/// Returns the value of a required field that the JSON lacks.
fn absent(kind: ProtoKind, depth: usize) -> Result<Option<Written>, ProtoError> {
    Ok(match kind {
        ProtoKind::Integer => Some(Written::Bytes(b"0".to_vec())),
        ProtoKind::Time => values::time_of(values::NO_TIME).map(|clock| Written::Bytes(values::clock_bytes(clock))),
        ProtoKind::Duration => Some(Written::Bytes(Vec::new())),
        ProtoKind::Message(name) => {
            let schema = ProtoTable::get().message(name)?;
            Some(Written::Bytes(message(schema, &Object::default(), depth + 1)?))
        }
        _ => None,
    })
}

fn value(kind: ProtoKind, raw: &RawValue, depth: usize) -> Result<Written, ProtoError> {
    let clock = |clock: Option<(i64, i32)>, what| {
        clock.map(|clock| Written::Bytes(values::clock_bytes(clock))).ok_or(ProtoError::from(ProtoProblem::Value(what)))
    };
    Ok(match kind {
        ProtoKind::Text | ProtoKind::Integer => Written::Bytes(text_of(raw)?.into_owned().into_bytes()),
        ProtoKind::Bytes => Written::Bytes(bytes_of(raw)?),
        ProtoKind::Hex => {
            let bytes = alloy_primitives::hex::decode(text_of(raw)?.as_ref());
            Written::Bytes(bytes.map_err(|_| ProtoProblem::Value("hexadecimal"))?)
        }
        ProtoKind::Bool => match raw.get() {
            "true" => Written::Number(1),
            "false" => Written::Number(0),
            _ => return Err(ProtoProblem::Value("true or false").into()),
        },
        ProtoKind::Int32 => signed(i64::from(number::<i32>(raw)?)),
        ProtoKind::Int64 => signed(number::<i64>(raw)?),
        ProtoKind::Uint32 => Written::Number(u64::from(number::<u32>(raw)?)),
        ProtoKind::Uint64 => Written::Number(number::<u64>(raw)?),
        ProtoKind::Decimal => {
            let digits = values::decimal_digits(&text_of(raw)?);
            Written::Bytes(digits.ok_or(ProtoProblem::Value("a decimal"))?.into_bytes())
        }
        ProtoKind::Json => match raw.get() {
            "null" => Written::Bytes(Vec::new()),
            json => Written::Bytes(values::compact_json(json).into_bytes()),
        },
        ProtoKind::Time => clock(values::time_of(&text_of(raw)?), "a time")?,
        ProtoKind::Duration => clock(values::duration_of(&text_of(raw)?), "a duration")?,
        ProtoKind::Enum(name) => match text_of(raw) {
            Ok(text) => {
                let known = ProtoTable::get().number_of(name, &text);
                signed(i64::from(known.ok_or(ProtoProblem::Value("a value of this enum"))?))
            }
            Err(_) => signed(i64::from(number::<i32>(raw)?)),
        },
        ProtoKind::Any => Written::Bytes(any(raw, depth)?),
        ProtoKind::Message(name) => {
            Written::Bytes(message(ProtoTable::get().message(name)?, &Object::parse(raw.get())?, depth + 1)?)
        }
    })
}

fn any(raw: &RawValue, depth: usize) -> Result<Vec<u8>, ProtoError> {
    let object = Object::parse(raw.get())?;
    let url = object.get("@type").ok_or(ProtoProblem::Value("a message with @type"))?;
    let url = text_of(url)?;
    let name = url.rsplit('/').next().unwrap_or_default();
    let raw_value = object.get("@value");
    let is_raw = raw_value.is_some() || name.is_empty();
    let (value, unknown) = if is_raw {
        let bytes = |name: &str| {
            object.get(name).map_or(Ok(Vec::new()), |raw| bytes_of(raw).map_err(|error| error.within(name)))
        };
        (bytes("@value")?, bytes("@unknown")?)
    } else {
        match ProtoTable::get().message(name) {
            Ok(schema) => (message(schema, &object, depth + 1)?, Vec::new()),
            Err(_) if object.0.len() == 1 => (Vec::new(), Vec::new()),
            Err(error) => return Err(error),
        }
    };
    let mut writer = ProtoWriter::new();
    if !url.is_empty() {
        writer = writer.bytes(1, url.as_ref());
    }
    if !value.is_empty() {
        writer = writer.bytes(2, value);
    }
    Ok(writer.raw(&unknown).finish())
}

fn signed(number: i64) -> Written {
    Written::Number(number.cast_unsigned())
}

fn text_of(raw: &RawValue) -> Result<Cow<'_, str>, ProtoError> {
    let key: FieldName<'_> = serde_json::from_str(raw.get()).map_err(|_| ProtoProblem::Value("text"))?;
    Ok(key.0)
}

fn bytes_of(raw: &RawValue) -> Result<Vec<u8>, ProtoError> {
    let bytes = BASE64_STANDARD.decode(text_of(raw)?.as_bytes());
    bytes.map_err(|_| ProtoProblem::Value("base64").into())
}

/// Parses a number, or a text that contains a number.
fn number<T: std::str::FromStr>(raw: &RawValue) -> Result<T, ProtoError> {
    let digits = raw.get().trim_matches('"');
    digits.parse().map_err(|_| ProtoProblem::Value("a whole number within the field's bounds").into())
}
