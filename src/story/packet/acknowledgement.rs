use std::borrow::Cow;

use serde_json::{Map, Value};

use super::json_of;
use crate::events::ibc::app_acknowledgement;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Acknowledgement {
    Accepted,
    /// Rejected, for this reason.
    Refused(String),
    /// In an application-specific format.
    Unknown,
}

impl Acknowledgement {
    /// Reads the acknowledgement in the fields of a message; `None` without one.
    pub(crate) fn of_message(fields: &Map<String, Value>) -> Option<Self> {
        let field = fields.get("acknowledgement")?;
        let text = field.as_str().map(Cow::from).or_else(|| app_acknowledgement(field).map(Cow::from))?;
        Some(Self::of(&text))
    }

    /// Parses an acknowledgement: JSON in plain text, hex or base64, and with relayer fees (ICS-29) in an outer one.
    pub(crate) fn of(text: &str) -> Self {
        json_of(text).map_or(Self::Unknown, |value| Self::of_json(&value))
    }

    fn of_json(value: &Value) -> Self {
        let Some(inner) = value.get("app_acknowledgement") else { return Self::plain(value) };
        let read = match inner {
            Value::String(text) => json_of(text).map_or(Self::Unknown, |value| Self::plain(&value)),
            other => Self::plain(other),
        };
        match (read, value.get("underlying_app_success").and_then(Value::as_bool)) {
            (Self::Unknown, Some(true)) => Self::Accepted,
            (Self::Unknown, Some(false)) => Self::Refused(String::new()),
            (read, _) => read,
        }
    }

    fn plain(value: &Value) -> Self {
        match (value.get("error"), value.get("result")) {
            (Some(error), _) => Self::Refused(error.as_str().map_or_else(|| error.to_string(), ToOwned::to_owned)),
            (None, Some(_)) => Self::Accepted,
            (None, None) => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine, engine::general_purpose::STANDARD};

    use super::*;

    #[test]
    fn answers_are_read_in_every_form() {
        let error = r#"{"error":"ABCI code: 5: error handling packet: see events for details"}"#;
        let refused =
            Acknowledgement::Refused("ABCI code: 5: error handling packet: see events for details".to_owned());
        for (plain, told) in [(r#"{"result":"AQ=="}"#, Acknowledgement::Accepted), (error, refused)] {
            let success = told == Acknowledgement::Accepted;
            let wrapped = format!(
                r#"{{"app_acknowledgement":"{}","forward_relayer_address":"","underlying_app_success":{success}}}"#,
                STANDARD.encode(plain)
            );
            for text in [plain.to_owned(), wrapped] {
                assert_eq!(Acknowledgement::of(&text), told, "{text}");
                assert_eq!(Acknowledgement::of(&STANDARD.encode(&text)), told, "{text} in base64");
                assert_eq!(Acknowledgement::of(&alloy_primitives::hex::encode(&text)), told, "{text} in hex");
            }
        }
    }

    #[test]
    fn an_answer_in_other_words_is_said_to_be_unknown() {
        for text in ["", "{}", "AQ==", "[]", r#"{"app_acknowledgement":"AQ=="}"#] {
            assert_eq!(Acknowledgement::of(text), Acknowledgement::Unknown, "{text}");
        }
        let bare = r#"{"app_acknowledgement":"AQ==","underlying_app_success":false}"#;
        assert_eq!(Acknowledgement::of(bare), Acknowledgement::Refused(String::new()));
    }
}
