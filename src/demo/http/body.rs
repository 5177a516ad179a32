//! Reads what is sent with a request, and says with the field's name what is wrong with it.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, error::Category};

use crate::{
    demo::router::error::RouterError,
    domain::text::clip,
    indexer::http::{HttpRequest, JsonForm},
};

/// Reads a body that must have the form that the description gives.
pub(super) fn read_as<T: DeserializeOwned>(request: &HttpRequest<'_>, form: &JsonForm) -> Result<T, RouterError> {
    let value: Value = read(request)?;
    form.check(&value).map_err(RouterError::invalid)?;
    // From the text, not from the value: a field that stands there twice is refused, and numbers stay as they are.
    read(request)
}

/// Reads a body; what is wrong is said with the field's name.
pub(super) fn read<'de, T: Deserialize<'de>>(request: &'de HttpRequest<'_>) -> Result<T, RouterError> {
    let body = request.body.as_deref();
    let body = body.ok_or_else(|| RouterError::invalid("body: more than 1 MiB, or it broke off"))?;
    let mut json = serde_json::Deserializer::from_slice(body);
    let read = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let field = error.path().to_string();
        let field = if matches!(field.as_str(), "." | "?") { "body".to_owned() } else { clip(&field, 80) };
        RouterError::invalid(format!("{field}: {}", words(error.inner())))
    })?;
    json.end().map_err(|_| RouterError::invalid("body: there is text after the JSON"))?;
    Ok(read)
}

/// What is wrong, without where in which line: a body is one line.
fn words(error: &serde_json::Error) -> String {
    match error.classify() {
        Category::Eof if error.column() == 0 => "there is none: JSON is needed".to_owned(),
        Category::Eof => "it breaks off: this is the beginning of JSON".to_owned(),
        Category::Syntax | Category::Io => format!("this is no JSON from character {} on", error.column()),
        Category::Data => {
            let text = error.to_string();
            clip(text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what), 200)
        }
    }
}
