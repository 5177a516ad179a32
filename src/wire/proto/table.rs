use std::{collections::HashMap, sync::LazyLock};

use super::{ProtoError, ProtoProblem};

/// Table with one row per field: message, field, number, kind, rule, source. Rows are in declaration order, which is
/// the order of the JSON. Kind `value` declares a name of an enum; kind `empty` declares a message without fields.
const TABLE: &str = include_str!("../../../assets/proto.tsv");

/// Type of a field, which determines its bytes and its JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProtoKind {
    Text,
    /// Base64 in JSON; `null` if missing.
    Bytes,
    /// Upper-case hex in JSON.
    Hex,
    Bool,
    Int32,
    Int64,
    Uint32,
    Uint64,
    /// Cosmos integer: text in bytes and JSON, present even if zero.
    Integer,
    /// Cosmos decimal: its bytes are the digits of the number times 10^18.
    Decimal,
    /// Bytes of a JSON text, which the JSON contains inline.
    Json,
    Time,
    Duration,
    Any,
    Enum(&'static str),
    Message(&'static str),
}

/// Rule for writing a field to bytes and JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// In the bytes unless empty; always in the JSON.
    Plain,
    /// In bytes and JSON, even if empty.
    Always,
    /// In bytes and JSON only if present: oneof fields, and fields that older chains lack.
    Chosen,
}

#[derive(Debug)]
pub(super) struct SchemaField {
    pub(super) name: &'static str,
    pub(super) number: u64,
    pub(super) kind: ProtoKind,
    pub(super) is_repeated: bool,
    pub(super) presence: Presence,
}

/// Message: its fields in declaration order.
#[derive(Debug, Default)]
pub(super) struct ProtoSchema {
    pub(super) fields: Vec<SchemaField>,
    /// Indices into `fields`, ordered by field number, which is the order of the bytes.
    by_number: Vec<usize>,
}

impl ProtoSchema {
    /// Returns the index of the field with this number.
    pub(super) fn place(&self, number: u64) -> Option<usize> {
        let number_at = |place: &usize| self.fields.get(*place).map_or(0, |field| field.number);
        let found = self.by_number.binary_search_by_key(&number, number_at).ok()?;
        self.by_number.get(found).copied()
    }

    /// Iterates over the fields in order of number, with the index of each in `fields`.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (usize, &SchemaField)> {
        self.by_number.iter().filter_map(|place| Some((*place, self.fields.get(*place)?)))
    }
}

#[derive(Debug, Default)]
pub(super) struct ProtoTable {
    messages: HashMap<&'static str, ProtoSchema>,
    enums: HashMap<&'static str, Vec<(&'static str, i32)>>,
}

static PARSED: LazyLock<ProtoTable> = LazyLock::new(|| ProtoTable::parse(TABLE));

impl ProtoTable {
    pub(super) fn get() -> &'static Self {
        &PARSED
    }

    fn parse(text: &'static str) -> Self {
        let mut table = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut columns = line.split('\t');
            let mut next = || columns.next().unwrap_or_default();
            let (message, name, number, kind, rule) = (next(), next(), next(), next(), next());
            if kind == "value" {
                table.enums.entry(message).or_default().push((name, number.parse().unwrap_or_default()));
                continue;
            }
            let schema = table.messages.entry(message).or_default();
            if let Some(kind) = kind_of(kind) {
                schema.fields.push(SchemaField {
                    name,
                    number: number.parse().unwrap_or_default(),
                    kind,
                    is_repeated: rule.contains("repeated"),
                    presence: match rule {
                        _ if rule.contains("always") => Presence::Always,
                        _ if rule.contains("present") => Presence::Chosen,
                        _ => Presence::Plain,
                    },
                });
            }
        }
        for schema in table.messages.values_mut() {
            schema.by_number = (0..schema.fields.len()).collect();
            let ProtoSchema { fields, by_number } = schema;
            by_number.sort_by_key(|place| fields.get(*place).map_or(0, |field| field.number));
        }
        table
    }

    pub(super) fn message(&self, name: &str) -> Result<&ProtoSchema, ProtoError> {
        self.messages.get(name).ok_or_else(|| ProtoProblem::Type(name.to_owned()).into())
    }

    pub(super) fn name_of(&self, kind: &str, number: i32) -> Option<&'static str> {
        self.enums.get(kind)?.iter().find(|(_, value)| *value == number).map(|(name, _)| *name)
    }

    pub(super) fn number_of(&self, kind: &str, name: &str) -> Option<i32> {
        self.enums.get(kind)?.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    pub(super) fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = self.messages.keys().copied().collect();
        names.sort_unstable();
        names
    }
}

/// Returns a kind by its name in the table; `None` for `empty`.
fn kind_of(name: &'static str) -> Option<ProtoKind> {
    Some(match name {
        "empty" => return None,
        "string" => ProtoKind::Text,
        "bytes" => ProtoKind::Bytes,
        "hex" => ProtoKind::Hex,
        "bool" => ProtoKind::Bool,
        "int32" => ProtoKind::Int32,
        "int64" => ProtoKind::Int64,
        "uint32" => ProtoKind::Uint32,
        "uint64" => ProtoKind::Uint64,
        "int" => ProtoKind::Integer,
        "dec" => ProtoKind::Decimal,
        "json" => ProtoKind::Json,
        "time" => ProtoKind::Time,
        "duration" => ProtoKind::Duration,
        "any" => ProtoKind::Any,
        _ => name.strip_prefix("enum ").map_or(ProtoKind::Message(name), ProtoKind::Enum),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_row_is_whole_and_every_kind_is_there() {
        let table = ProtoTable::get();
        let mut seen = HashSet::new();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            let [message, name, number, kind, rule, source] = columns[..] else { panic!("{line}") };
            assert!(seen.insert((message, name)), "twice: {line}");
            assert!(number.parse::<i32>().is_ok() && source.contains('/'), "{line}");
            assert!(matches!(rule, "" | "repeated" | "always" | "present" | "repeated present"), "{line}");
            match kind_of(kind) {
                Some(ProtoKind::Message(name)) if kind != "value" => assert!(table.message(name).is_ok(), "{line}"),
                Some(ProtoKind::Enum(name)) => assert!(table.name_of(name, 0).is_some(), "{line}"),
                _ => {}
            }
        }
        assert!(seen.len() > 1_000, "{}", seen.len());
    }

    #[test]
    fn no_message_has_a_number_twice_and_all_are_found_by_it() {
        for name in ProtoTable::get().names() {
            let schema = ProtoTable::get().message(name).unwrap();
            for (place, field) in schema.fields.iter().enumerate() {
                assert_eq!(schema.place(field.number), Some(place), "{name}.{}", field.name);
            }
            assert_eq!(schema.place(0), None, "{name}");
        }
    }
}
