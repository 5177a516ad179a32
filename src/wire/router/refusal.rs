use crate::domain::text::Foreign;
use serde_json::{Map, Value};

/// Maximum bytes of an error body that rollscope parses as JSON.
const LONGEST: usize = 256 << 10;

/// Error body of the routing API (`docs/apis/router.md` §6), in any of its four formats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// gRPC error code: 3 invalid argument, 5 not found, 12 unimplemented.
    pub code: Option<u64>,
    /// Error message, hostile text; empty if missing.
    pub sentence: Foreign,
    /// Machine-readable reason from the details, such as `BAD_PRICE_ERROR`; empty if missing.
    pub reason: String,
    /// Notice to show instead of the error; empty if missing.
    pub info: Foreign,
}

impl Refusal {
    /// Parses an error body; `None` if the body is not a JSON object.
    pub fn read(body: &[u8]) -> Option<Self> {
        let body = Some(body).filter(|body| body.len() <= LONGEST)?;
        let fields: Map<String, Value> = serde_json::from_slice(body).ok()?;
        let text = |name: &str| fields.get(name).map(words).unwrap_or_default();
        let sentence = ["message", "error_message", "error"].into_iter().map(text).find(|text| !text.is_empty());
        let details = fields.get("details").and_then(Value::as_array).into_iter().flatten();
        let reason = details.filter_map(|detail| detail.get("reason")).map(words).find(|reason| !reason.is_empty());
        Some(Self {
            code: fields.get("code").and_then(Value::as_u64),
            sentence: sentence.unwrap_or_default().into(),
            reason: reason.unwrap_or_default(),
            info: text("info").into(),
        })
    }

    /// Whether the router knows no route between the assets.
    pub fn is_no_route(&self) -> bool {
        self.code == Some(12) || self.sentence.as_received().to_lowercase().contains("no route")
    }

    /// Whether the router withholds a route with a bad or unknown price: with `allow_unsafe` it returns the route and a
    /// warning.
    pub fn is_unsafe(&self) -> bool {
        matches!(self.reason.as_str(), "BAD_PRICE_ERROR" | "LOW_INFO_ERROR" | "HIGH_LOSS_ERROR")
    }
}

/// Returns the text of a string, of the strings in a list, or of an object's message.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("; "),
        Value::Object(fields) => fields.get("message").and_then(Value::as_str).unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}
