//! Parses request bodies. Errors name the field.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, error::Category};

use crate::{
    demo::router::error::RouterError,
    domain::text::clip,
    indexer::http::{HttpRequest, SchemaName, check},
};

pub(super) fn read_as<T: DeserializeOwned>(request: &HttpRequest<'_>, form: SchemaName) -> Result<T, RouterError> {
    let value: Value = read(request)?;
    check(form, &value).map_err(RouterError::invalid)?;
    // Parsing the text, not a JSON value, rejects duplicate fields and keeps numbers exact.
    read(request)
}

/// Parses a body; errors name the field.
pub(super) fn read<'de, T: Deserialize<'de>>(request: &'de HttpRequest<'_>) -> Result<T, RouterError> {
    let body = request.body.as_deref();
    let body = body.ok_or_else(|| RouterError::invalid("body: over 1 MiB, or incomplete"))?;
    let mut json = serde_json::Deserializer::from_slice(body);
    let read = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let field = error.path().to_string();
        let field = if matches!(field.as_str(), "." | "?") { "body".to_owned() } else { clip(&field, 80) };
        RouterError::invalid(format!("{field}: {}", words(error.inner())))
    })?;
    json.end().map_err(|_| RouterError::invalid("body: text after the JSON"))?;
    Ok(read)
}

/// Returns the error without line and column, since a body is one line.
fn words(error: &serde_json::Error) -> String {
    match error.classify() {
        Category::Eof if error.column() == 0 => "body is empty: send JSON".to_owned(),
        Category::Eof => "incomplete JSON".to_owned(),
        Category::Syntax | Category::Io => format!("not JSON from character {} on", error.column()),
        Category::Data => {
            let text = error.to_string();
            clip(text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what), 200)
        }
    }
}
