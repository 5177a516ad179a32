//! Holds a value against a schema: the part of Swagger 2.0 that our description uses, and nothing else.

use std::collections::BTreeMap;

use regex::Regex;
use rollscope::domain::Timestamp;
use serde_json::{Map, Value};

/// Words of a schema that say nothing of the value.
const SILENT: [&str; 2] = ["description", "x-nullable"];

/// The definitions of a document.
pub(in crate::server) struct Definitions {
    definitions: Map<String, Value>,
    patterns: BTreeMap<String, Regex>,
}

impl Definitions {
    pub(in crate::server) fn of(document: &Value) -> Self {
        let definitions = document["definitions"].as_object().expect("the document has definitions").clone();
        let mut found = Self { definitions, patterns: BTreeMap::new() };
        found.collect_patterns(document);
        found
    }

    fn collect_patterns(&mut self, value: &Value) {
        match value {
            Value::Object(fields) => {
                if let Some(pattern) = fields.get("pattern").and_then(Value::as_str) {
                    let read = Regex::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
                    self.patterns.insert(pattern.to_owned(), read);
                }
                fields.values().for_each(|value| self.collect_patterns(value));
            }
            Value::Array(items) => items.iter().for_each(|value| self.collect_patterns(value)),
            _ => {}
        }
    }

    /// What is wrong with a value, each with its place; nothing where it fits.
    pub(in crate::server) fn faults(&self, schema: &Value, value: &Value) -> Vec<String> {
        let mut faults = Vec::new();
        self.check(schema, value, "", &mut faults);
        faults
    }

    /// The schema that a reference leads to, where it is one.
    pub(super) fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let reference = schema.get("$ref").or_else(|| schema["allOf"][0].get("$ref")).and_then(Value::as_str);
        match reference {
            None => schema,
            Some(path) => {
                let name = path.strip_prefix("#/definitions/").expect("references lead to definitions");
                self.definitions.get(name).unwrap_or_else(|| panic!("{name} is not defined"))
            }
        }
    }

    fn check(&self, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
        if value.is_null() && schema["x-nullable"] == true {
            return;
        }
        let schema = self.resolve(schema);
        let words = schema.as_object().expect("a schema is an object");
        let mut fault = |what: String| faults.push(format!("{place}: {what}"));
        match schema["type"].as_str() {
            None => {
                let said: Vec<&String> = words.keys().filter(|word| !SILENT.contains(&word.as_str())).collect();
                assert!(said.is_empty(), "a schema without a type says {said:?}");
            }
            Some("string") => match value.as_str() {
                None => fault(format!("{value} is no text")),
                Some(text) => self.check_text(schema, text).into_iter().for_each(fault),
            },
            Some("integer") => match value.as_i64().filter(|_| value.is_i64() || value.is_u64()) {
                None => fault(format!("{value} is no whole number")),
                Some(number) => {
                    if schema["minimum"].as_i64().is_some_and(|least| number < least) {
                        fault(format!("{number} is too small"));
                    }
                }
            },
            Some("number") => {
                if !value.is_number() {
                    fault(format!("{value} is no number"));
                }
            }
            Some("boolean") => {
                if !value.is_boolean() {
                    fault(format!("{value} is no boolean"));
                }
            }
            Some("array") => match value.as_array() {
                None => fault(format!("{value} is no list")),
                Some(items) => {
                    for (index, item) in items.iter().enumerate() {
                        self.check(&schema["items"], item, &format!("{place}[{index}]"), faults);
                    }
                }
            },
            Some("object") => match value.as_object() {
                None => fault(format!("{value} is no object")),
                Some(fields) => self.check_object(schema, fields, place, faults),
            },
            Some(other) => panic!("{other} is no type of ours"),
        }
    }

    fn check_text(&self, schema: &Value, text: &str) -> Option<String> {
        let words = schema["enum"].as_array();
        if words.is_some_and(|words| !words.iter().any(|word| word == text)) {
            return Some(format!("{text:?} is not one of {words:?}"));
        }
        if let Some(pattern) = schema["pattern"].as_str()
            && !self.patterns[pattern].is_match(text)
        {
            return Some(format!("{text:?} does not match {pattern}"));
        }
        if schema["minLength"].as_u64().is_some_and(|least| (text.chars().count() as u64) < least) {
            return Some(format!("{text:?} is too short"));
        }
        match schema["format"].as_str() {
            None => None,
            Some("date-time") => text.parse::<Timestamp>().err().map(|_| format!("{text:?} is no time")),
            Some(other) => panic!("{other} is no format of ours"),
        }
    }

    fn check_object(&self, schema: &Value, fields: &Map<String, Value>, place: &str, faults: &mut Vec<String>) {
        let known = schema["properties"].as_object();
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !fields.contains_key(name) {
                faults.push(format!("{place}: {name} is missing"));
            }
        }
        let count = fields.len() as u64;
        if schema["minProperties"].as_u64().is_some_and(|least| count < least)
            || schema["maxProperties"].as_u64().is_some_and(|most| count > most)
        {
            faults.push(format!("{place}: {count} fields"));
        }
        for (name, value) in fields {
            let place = format!("{place}.{name}");
            match (known.and_then(|known| known.get(name)), &schema["additionalProperties"]) {
                (Some(schema), _) => self.check(schema, value, &place, faults),
                (None, Value::Bool(true)) => {}
                (None, Value::Bool(false)) => faults.push(format!("{place} is not described")),
                (None, others) => self.check(others, value, &place, faults),
            }
        }
    }
}
