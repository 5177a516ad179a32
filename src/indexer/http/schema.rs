//! What JSON an answer is made of, as `/swagger/doc.json` describes it: forms that stand beside the routes' table.

mod check;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// The form of a JSON value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum JsonForm {
    /// Any text.
    Text,
    /// Any text but the empty one.
    Name,
    /// Text that a regular expression matches.
    Pattern(&'static str),
    /// Text of a whole number without zeros before it, of any length.
    Digits,
    /// The same above zero, of no more than 38 digits: what can be sent.
    PositiveDigits,
    /// One of these texts.
    Word(&'static [&'static str]),
    /// RFC 3339.
    Time,
    /// A whole number from this one on.
    From(i64),
    /// A number.
    Number,
    Boolean,
    /// Whatever somebody else made of it.
    Anything,
    List(&'static Self),
    /// An object whose fields are names of things.
    Map(&'static Self),
    /// The form, or `null`.
    Nullable(&'static Self),
    Object(&'static ObjectForm),
}

/// The form of an object.
#[derive(Debug)]
pub(crate) struct ObjectForm {
    /// Under this it is described; no two have the same.
    pub(crate) name: &'static str,
    /// What it is.
    pub(crate) about: &'static str,
    pub(crate) fields: &'static [JsonField],
    /// Whether it may have other fields.
    pub(crate) is_open: bool,
    /// How many of its fields it has at a time, where they exclude one another.
    pub(crate) size: Option<u8>,
}

/// A field of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JsonField {
    name: &'static str,
    form: JsonForm,
    is_required: bool,
    about: &'static str,
}

impl ObjectForm {
    /// An object with these fields and no others.
    pub(crate) const fn new(name: &'static str, about: &'static str, fields: &'static [JsonField]) -> Self {
        Self { name, about, fields, is_open: false, size: None }
    }

    /// The same with other fields beside.
    pub(crate) const fn open(self) -> Self {
        Self { is_open: true, ..self }
    }

    /// The same with so many of its fields at a time.
    pub(crate) const fn of_size(self, size: u8) -> Self {
        Self { size: Some(size), ..self }
    }
}

impl JsonField {
    /// A field that is always there.
    pub(crate) const fn new(name: &'static str, form: JsonForm, about: &'static str) -> Self {
        Self { name, form, is_required: true, about }
    }

    /// A field that may be absent.
    pub(crate) const fn maybe(name: &'static str, form: JsonForm, about: &'static str) -> Self {
        Self { name, form, is_required: false, about }
    }
}

impl JsonForm {
    /// The form as Swagger 2.0 has it; objects are named.
    pub(super) fn schema(&self) -> Value {
        match self {
            Self::Text => json!({"type": "string"}),
            Self::Name => json!({"type": "string", "minLength": 1}),
            Self::Pattern(pattern) => json!({"type": "string", "pattern": pattern}),
            Self::Digits => json!({"type": "string", "pattern": "^(0|[1-9][0-9]*)$"}),
            Self::PositiveDigits => json!({"type": "string", "pattern": "^[1-9][0-9]{0,37}$"}),
            Self::Word(words) => json!({"type": "string", "enum": words}),
            Self::Time => json!({"type": "string", "format": "date-time"}),
            Self::From(least) => json!({"type": "integer", "format": "int64", "minimum": least}),
            Self::Number => json!({"type": "number", "format": "double"}),
            Self::Boolean => json!({"type": "boolean"}),
            Self::Anything => json!({}),
            Self::List(form) => json!({"type": "array", "items": form.schema()}),
            Self::Map(form) => json!({"type": "object", "additionalProperties": form.schema()}),
            // A reference takes nothing beside it.
            Self::Nullable(Self::Object(form)) => json!({"allOf": [reference(form)], "x-nullable": true}),
            Self::Nullable(form) => with(form.schema(), "x-nullable", json!(true)),
            Self::Object(form) => reference(form),
        }
    }

    /// Adds what it names, and what that names.
    fn collect(&self, found: &mut BTreeMap<&'static str, Value>) {
        match self {
            Self::List(form) | Self::Map(form) | Self::Nullable(form) => form.collect(found),
            Self::Object(form) if !found.contains_key(form.name) => {
                found.insert(form.name, form.definition());
                form.fields.iter().for_each(|field| field.form.collect(found));
            }
            _ => {}
        }
    }
}

impl ObjectForm {
    fn definition(&self) -> Value {
        let fields = self.fields.iter().map(|field| (field.name.to_owned(), field.schema()));
        let required: Vec<&str> =
            self.fields.iter().filter(|field| field.is_required).map(|field| field.name).collect();
        let mut definition = json!({
            "description": self.about,
            "type": "object",
            "properties": fields.collect::<Map<String, Value>>(),
            "additionalProperties": self.is_open,
        });
        if !required.is_empty() {
            definition = with(definition, "required", json!(required));
        }
        if let Some(size) = self.size {
            definition = with(with(definition, "minProperties", json!(size)), "maxProperties", json!(size));
        }
        definition
    }
}

impl JsonField {
    fn schema(&self) -> Value {
        let schema = self.form.schema();
        let is_reference = schema.get("$ref").is_some();
        if is_reference || self.about.is_empty() { schema } else { with(schema, "description", json!(self.about)) }
    }
}

/// Every object that these forms name, by name.
pub(super) fn definitions<'a>(forms: impl Iterator<Item = &'a JsonForm>) -> BTreeMap<&'static str, Value> {
    let mut found = BTreeMap::new();
    forms.for_each(|form| form.collect(&mut found));
    found
}

fn reference(form: &ObjectForm) -> Value {
    json!({"$ref": format!("#/definitions/{}", form.name)})
}

fn with(mut schema: Value, name: &str, value: Value) -> Value {
    if let Some(fields) = schema.as_object_mut() {
        fields.insert(name.to_owned(), value);
    }
    schema
}
