use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::value::RawValue;

use super::{
    MAX_DEPTH, MAX_JSON, ProtoError, ProtoProblem,
    table::{Presence, ProtoKind, ProtoSchema, ProtoTable, SchemaField},
    values,
};
use crate::wire::protobuf::ProtoFields;

pub(super) fn read(name: &str, bytes: &[u8]) -> Result<String, ProtoError> {
    let schema = ProtoTable::get().message(name)?;
    let mut writer = JsonWriter { text: String::with_capacity(bytes.len() * 2) };
    writer.message(schema, bytes, None, 0)?;
    Ok(writer.text)
}

#[derive(Clone, Copy, Debug)]
enum WireValue<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> WireValue<'a> {
    fn number(self) -> Result<u64, ProtoError> {
        match self {
            Self::Number(number) => Ok(number),
            Self::Bytes(_) => Err(ProtoProblem::Encoding("a number").into()),
        }
    }

    fn bytes(self) -> Result<&'a [u8], ProtoError> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Number(_) => Err(ProtoProblem::Encoding("bytes").into()),
        }
    }
}

/// Values of the schema's fields, in schema order, and the bytes of unknown fields.
type Sorted<'a> = (Vec<Vec<WireValue<'a>>>, Vec<u8>);

fn sort<'a>(schema: &ProtoSchema, bytes: &'a [u8]) -> Result<Sorted<'a>, ProtoError> {
    let mut values = vec![Vec::new(); schema.fields.len()];
    let mut unknown = Vec::new();
    for field in ProtoFields::new(bytes) {
        let field = field.ok_or(ProtoProblem::Broken)?;
        let slot = schema.place(field.number).and_then(|place| values.get_mut(place));
        match (slot, field.bytes, field.number_value) {
            (Some(slot), Some(bytes), _) => slot.push(WireValue::Bytes(bytes)),
            (Some(slot), None, Some(number)) => slot.push(WireValue::Number(number)),
            _ => unknown.extend_from_slice(field.raw),
        }
    }
    Ok((values, unknown))
}

struct JsonWriter {
    text: String,
}

impl JsonWriter {
    fn message(
        &mut self,
        schema: &ProtoSchema,
        bytes: &[u8],
        type_url: Option<&str>,
        depth: usize,
    ) -> Result<(), ProtoError> {
        if depth > MAX_DEPTH {
            return Err(ProtoProblem::Depth(MAX_DEPTH).into());
        }
        let (values, unknown) = sort(schema, bytes)?;
        self.text.push('{');
        if let Some(type_url) = type_url {
            self.key("@type");
            self.string(type_url);
        }
        for (field, values) in schema.fields.iter().zip(&values) {
            if field.presence == Presence::Chosen && values.is_empty() {
                continue;
            }
            self.key(field.name);
            self.field(field, values, depth).map_err(|error| error.within(field.name))?;
        }
        if !unknown.is_empty() {
            self.key("@unknown");
            self.base64(&unknown);
        }
        self.text.push('}');
        if self.text.len() > MAX_JSON { Err(ProtoProblem::Size(MAX_JSON).into()) } else { Ok(()) }
    }

    fn field(&mut self, field: &SchemaField, values: &[WireValue<'_>], depth: usize) -> Result<(), ProtoError> {
        if field.is_repeated {
            return self.list(field, values, depth);
        }
        match (field.kind, values) {
            // Protobuf may split a message into several fields: concatenate their bytes.
            (ProtoKind::Message(_), [_, _, ..]) => {
                let mut whole = Vec::new();
                for part in values {
                    whole.extend_from_slice(part.bytes()?);
                }
                self.value(field, WireValue::Bytes(&whole), depth)
            }
            (_, [.., last]) => self.value(field, *last, depth),
            _ => self.absent(field, depth),
        }
    }

    fn list(&mut self, field: &SchemaField, values: &[WireValue<'_>], depth: usize) -> Result<(), ProtoError> {
        self.text.push('[');
        let mut index = 0;
        for value in values {
            match value {
                WireValue::Bytes(bytes) if is_number(field.kind) => {
                    let mut packed = ProtoFields::new(bytes);
                    while !packed.is_at_end() {
                        let number = packed.varint().ok_or(ProtoProblem::Broken)?;
                        self.item(field, WireValue::Number(number), index, depth)?;
                        index += 1;
                    }
                }
                _ => {
                    self.item(field, *value, index, depth)?;
                    index += 1;
                }
            }
        }
        self.text.push(']');
        Ok(())
    }

    fn item(
        &mut self,
        field: &SchemaField,
        value: WireValue<'_>,
        index: usize,
        depth: usize,
    ) -> Result<(), ProtoError> {
        if index > 0 {
            self.text.push(',');
        }
        self.value(field, value, depth).map_err(|error| error.at(index))
    }

    /// Writes the JSON of a field that the bytes lack.
    fn absent(&mut self, field: &SchemaField, depth: usize) -> Result<(), ProtoError> {
        let is_always = field.presence == Presence::Always;
        match field.kind {
            ProtoKind::Text | ProtoKind::Hex => self.text.push_str("\"\""),
            ProtoKind::Integer | ProtoKind::Int64 | ProtoKind::Uint64 => self.text.push_str("\"0\""),
            ProtoKind::Bool | ProtoKind::Int32 | ProtoKind::Uint32 | ProtoKind::Enum(_) => {
                return self.value(field, WireValue::Number(0), depth);
            }
            ProtoKind::Time if is_always => self.string(values::NO_TIME),
            ProtoKind::Duration | ProtoKind::Message(_) if is_always => {
                return self.value(field, WireValue::Bytes(&[]), depth);
            }
            _ => self.text.push_str("null"),
        }
        Ok(())
    }

    fn value(&mut self, field: &SchemaField, value: WireValue<'_>, depth: usize) -> Result<(), ProtoError> {
        match field.kind {
            ProtoKind::Text => self.string(&values::lossy_text(value.bytes()?)),
            ProtoKind::Bytes => self.base64(value.bytes()?),
            ProtoKind::Hex => self.string(&alloy_primitives::hex::encode_upper(value.bytes()?)),
            ProtoKind::Bool => self.text.push_str(if value.number()? == 0 { "false" } else { "true" }),
            ProtoKind::Int32 => self.text.push_str(&low_half(value.number()?).cast_signed().to_string()),
            ProtoKind::Uint32 => self.text.push_str(&low_half(value.number()?).to_string()),
            ProtoKind::Int64 => self.string(&value.number()?.cast_signed().to_string()),
            ProtoKind::Uint64 => self.string(&value.number()?.to_string()),
            ProtoKind::Integer => match value {
                WireValue::Bytes([]) => self.string("0"),
                WireValue::Bytes(digits) => self.string(&values::lossy_text(digits)),
                // Some fields were 64-bit numbers before they became Cosmos integers; both have equal JSON.
                WireValue::Number(number) => self.string(&number.to_string()),
            },
            ProtoKind::Decimal => {
                let digits = str::from_utf8(value.bytes()?).ok().and_then(values::decimal_text);
                self.string(&digits.ok_or(ProtoProblem::Value("a decimal"))?);
            }
            ProtoKind::Json => self.json(value.bytes()?)?,
            ProtoKind::Time => {
                let text = values::clock_of(value.bytes()?).and_then(values::time_text);
                self.string(&text.ok_or(ProtoProblem::Value("a time"))?);
            }
            ProtoKind::Duration => {
                let text = values::clock_of(value.bytes()?).and_then(values::duration_text);
                self.string(&text.ok_or(ProtoProblem::Value("a duration"))?);
            }
            ProtoKind::Enum(name) => {
                let number = low_half(value.number()?).cast_signed();
                match ProtoTable::get().name_of(name, number) {
                    Some(name) => self.string(name),
                    None => self.text.push_str(&number.to_string()),
                }
            }
            ProtoKind::Any => self.any(value.bytes()?, depth)?,
            ProtoKind::Message(name) => {
                self.message(ProtoTable::get().message(name)?, value.bytes()?, None, depth + 1)?;
            }
        }
        Ok(())
    }

    /// Writes a message with its type. Unknown types and invalid bytes stay base64, so that one bad message does not
    /// hide the others.
    fn any(&mut self, bytes: &[u8], depth: usize) -> Result<(), ProtoError> {
        let (mut url, mut value, mut unknown) = (String::new(), [].as_slice(), Vec::new());
        for field in ProtoFields::new(bytes) {
            let field = field.ok_or(ProtoProblem::Broken)?;
            match (field.number, field.bytes) {
                (1, Some(text)) => url = values::lossy_text(text),
                (2, Some(bytes)) => value = bytes,
                _ => unknown.extend_from_slice(field.raw),
            }
        }
        let from_here = self.text.len();
        let schema = ProtoTable::get().message(url.rsplit('/').next().unwrap_or_default());
        if let Ok(schema) = schema
            && unknown.is_empty()
        {
            match self.message(schema, value, Some(&url), depth + 1) {
                Err(error) if !matches!(error.problem(), ProtoProblem::Size(_)) => self.text.truncate(from_here),
                done => return done,
            }
        }
        self.text.push('{');
        self.key("@type");
        self.string(&url);
        if !value.is_empty() || !unknown.is_empty() || schema.is_ok() {
            self.key("@value");
            self.base64(value);
        }
        if !unknown.is_empty() {
            self.key("@unknown");
            self.base64(&unknown);
        }
        self.text.push('}');
        Ok(())
    }

    fn json(&mut self, bytes: &[u8]) -> Result<(), ProtoError> {
        if bytes.is_empty() {
            self.text.push_str("null");
            return Ok(());
        }
        let raw: &RawValue = serde_json::from_slice(bytes).map_err(|_| ProtoProblem::Value("JSON"))?;
        self.text.push_str(&values::compact_json(raw.get()));
        Ok(())
    }

    fn key(&mut self, name: &str) {
        if !self.text.ends_with('{') {
            self.text.push(',');
        }
        self.string(name);
        self.text.push(':');
    }

    fn string(&mut self, text: &str) {
        self.text.push_str(&serde_json::Value::from(text).to_string());
    }

    fn base64(&mut self, bytes: &[u8]) {
        self.text.push('"');
        BASE64_STANDARD.encode_string(bytes, &mut self.text);
        self.text.push('"');
    }
}

/// Whether protobuf may pack lists of this type.
fn is_number(kind: ProtoKind) -> bool {
    matches!(
        kind,
        ProtoKind::Bool
            | ProtoKind::Int32
            | ProtoKind::Int64
            | ProtoKind::Uint32
            | ProtoKind::Uint64
            | ProtoKind::Enum(_)
    )
}

/// Truncates a number to 32 bits, as protobuf does for 32-bit fields.
fn low_half(number: u64) -> u32 {
    u32::try_from(number & u64::from(u32::MAX)).unwrap_or(u32::MAX)
}
