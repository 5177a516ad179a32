use serde_json::{Map, Value};

/// Longer error bodies are not read as JSON: they are none of a routing API.
const LONGEST: usize = 256 << 10;

/// What the body of a failed request says (`docs/apis/router.md` §6), whichever of its four forms it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// The number of the error as gRPC counts: 3 invalid, 5 not found, 12 not possible.
    pub code: Option<u64>,
    /// What went wrong, hostile text; empty where no field says it.
    pub sentence: String,
    /// The word for machines in the details, such as `BAD_PRICE_ERROR`; empty without one.
    pub reason: String,
    /// A notice that is shown instead of the error; empty without one.
    pub info: String,
}

impl Refusal {
    /// Reads a body; `None` where it is no JSON object: text, a web page, nothing.
    pub fn read(body: &[u8]) -> Option<Self> {
        let body = Some(body).filter(|body| body.len() <= LONGEST)?;
        let fields: Map<String, Value> = serde_json::from_slice(body).ok()?;
        let text = |name: &str| fields.get(name).map(words).unwrap_or_default();
        let sentence = ["message", "error_message", "error"].into_iter().map(text).find(|text| !text.is_empty());
        let details = fields.get("details").and_then(Value::as_array).into_iter().flatten();
        let reason = details.filter_map(|detail| detail.get("reason")).map(words).find(|reason| !reason.is_empty());
        Some(Self {
            code: fields.get("code").and_then(Value::as_u64),
            sentence: sentence.unwrap_or_default(),
            reason: reason.unwrap_or_default(),
            info: text("info"),
        })
    }

    /// Whether it says that no way leads from the one asset to the other.
    pub fn is_no_route(&self) -> bool {
        self.code == Some(12) || self.sentence.to_lowercase().contains("no route")
    }

    /// Whether a route is kept back because its price is bad or unknown: `allow_unsafe` would show it with a warning.
    pub fn is_unsafe(&self) -> bool {
        matches!(self.reason.as_str(), "BAD_PRICE_ERROR" | "LOW_INFO_ERROR" | "HIGH_LOSS_ERROR")
    }
}

/// A string, the strings of a list, or the message of an object.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("; "),
        Value::Object(fields) => fields.get("message").and_then(Value::as_str).unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}
