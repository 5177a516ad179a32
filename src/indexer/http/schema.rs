//! JSON schemas of requests and responses. `assets/openapi/definitions.json` contains them as Swagger 2.0 schemas by
//! name, and `/swagger/doc.json` serves them. Developers maintain them by hand; tests validate every response against
//! them.

mod check;

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::{Value, json};

pub(crate) use self::check::check;

pub(crate) type SchemaName = &'static str;

/// Schema of arbitrary JSON.
pub(crate) const ANYTHING: SchemaName = "";

/// Pattern of a chain's amounts: integers as text.
const AMOUNT_PATTERN: &str = "^(0|[1-9][0-9]*)$";
/// Pattern of amounts that an account can send: positive, at most 38 digits.
const SENT_PATTERN: &str = "^[1-9][0-9]{0,37}$";

const PREFIX: &str = "#/definitions/";

static DEFINITIONS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let read = serde_json::from_str(include_str!("../../../assets/openapi/definitions.json"));
    read.unwrap_or_else(|error| {
        tracing::error!(%error, "cannot read the API's definitions");
        BTreeMap::new()
    })
});

/// Returns a schema that refers to this definition.
pub(super) fn reference(name: SchemaName) -> Value {
    if name == ANYTHING { json!({}) } else { json!({"$ref": format!("{PREFIX}{name}")}) }
}

/// Returns the named definitions and all definitions to which they refer.
pub(super) fn definitions(names: impl Iterator<Item = SchemaName>) -> BTreeMap<&'static str, &'static Value> {
    let (mut found, mut open) = (BTreeMap::new(), names.collect::<Vec<_>>());
    while let Some(name) = open.pop() {
        let Some((name, schema)) = DEFINITIONS.get_key_value(name) else { continue };
        if found.insert(name.as_str(), schema).is_none() {
            collect_references(schema, &mut open);
        }
    }
    found
}

fn collect_references(schema: &'static Value, names: &mut Vec<SchemaName>) {
    match schema {
        Value::Object(fields) => {
            names.extend(referred(schema));
            fields.values().for_each(|value| collect_references(value, names));
        }
        Value::Array(items) => items.iter().for_each(|value| collect_references(value, names)),
        _ => {}
    }
}

/// Returns the definition to which a schema refers; `None` without a reference.
fn referred(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix(PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_names_a_definition() {
        let mut names = Vec::new();
        DEFINITIONS.values().for_each(|schema| collect_references(schema, &mut names));
        assert!(names.len() > 100 && DEFINITIONS.len() > 100);
        assert!(names.iter().all(|name| DEFINITIONS.contains_key(*name)));
        assert!(definitions(["BlocksResponse"].into_iter()).contains_key("Proposer"), "those of those as well");
    }
}
