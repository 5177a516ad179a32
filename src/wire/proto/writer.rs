use std::{borrow::Cow, fmt};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

use super::{
    MAX_DEPTH, ProtoError, ProtoProblem,
    table::{Presence, ProtoKind, ProtoSchema, ProtoTable, SchemaField},
    values,
};
use crate::wire::protobuf::ProtoWriter;

/// Encodes a message from JSON.
pub(super) fn write(name: &str, json: &str) -> Result<Vec<u8>, ProtoError> {
    let schema = ProtoTable::get().message(name)?;
    message(schema, &Object::parse(json)?, 0)
}

/// Fields of a JSON object, unparsed: inline JSON stays verbatim.
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
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Object<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(key) = map.next_key::<FieldName<'de>>()? {
                    fields.push((key.0, map.next_value()?));
                }
                Ok(Object(fields))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

#[derive(Deserialize)]
struct FieldName<'a>(#[serde(borrow)] Cow<'a, str>);

enum Written {
    Number(u64),
    Bytes(Vec<u8>),
}

fn message(schema: &ProtoSchema, object: &Object<'_>, depth: usize) -> Result<Vec<u8>, ProtoError> {
    if depth > MAX_DEPTH {
        return Err(ProtoProblem::Depth(MAX_DEPTH).into());
    }
    for (key, _) in &object.0 {
        if !key.starts_with('@') && !schema.fields.iter().any(|field| field.name == key) {
            return Err(ProtoError::from(ProtoProblem::Field).within(key));
        }
    }
    let mut writer = ProtoWriter::new();
    for field in schema.numbered() {
        writer = add(writer, field, object.get(field.name), depth).map_err(|error| error.within(field.name))?;
    }
    if let Some(unknown) = object.get("@unknown") {
        writer = writer.raw(&bytes_of(unknown).map_err(|error| error.within("@unknown"))?);
    }
    Ok(writer.finish())
}

/// Adds a field if its rule requires it.
fn add(
    writer: ProtoWriter,
    field: &SchemaField,
    raw: Option<&RawValue>,
    depth: usize,
) -> Result<ProtoWriter, ProtoError> {
    if field.is_repeated {
        return raw.map_or(Ok(ProtoWriter::default()), |raw| list(field, raw, depth)).map(|list| {
            let list = list.finish();
            writer.raw(&list)
        });
    }
    let written = match raw {
        Some(raw) => value(field.kind, raw, depth)?,
        None if field.presence == Presence::Always => match absent(field.kind, depth)? {
            Some(written) => written,
            None => return Ok(writer),
        },
        None => return Ok(writer),
    };
    let is_kept = field.presence != Presence::Plain;
    Ok(match written {
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

fn list(field: &SchemaField, raw: &RawValue, depth: usize) -> Result<ProtoWriter, ProtoError> {
    let items: Vec<&RawValue> = serde_json::from_str(raw.get()).map_err(|_| ProtoProblem::Value("a list"))?;
    let (mut whole, mut packed) = (ProtoWriter::new(), ProtoWriter::new());
    for (index, item) in items.iter().enumerate() {
        match value(field.kind, item, depth).map_err(|error| error.at(index))? {
            Written::Bytes(bytes) => whole = whole.bytes(field.number, bytes),
            Written::Number(number) => packed = packed.packed(number),
        }
    }
    let packed = packed.finish();
    Ok(if packed.is_empty() { whole } else { whole.bytes(field.number, packed) })
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
            let schema = ProtoTable::get().message(name)?;
            Written::Bytes(message(schema, &Object::parse(raw.get())?, depth + 1)?)
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
