//! Errors of RPC methods.

use serde_json::{Value, json};

use crate::demo::node::raw::UnwritableTx;

#[derive(Debug)]
pub(in crate::demo::node) enum MethodRefusal {
    Method,
    /// A parameter is invalid.
    Params(String),
    /// The record does not exist.
    Failed(String),
}

impl From<UnwritableTx> for MethodRefusal {
    fn from(error: UnwritableTx) -> Self {
        Self::Failed(error.to_string())
    }
}

impl MethodRefusal {
    pub(in crate::demo::node) fn failed(why: impl Into<String>) -> Self {
        Self::Failed(why.into())
    }

    pub(super) fn json(&self) -> Value {
        let (code, message, data) = match self {
            Self::Method => (-32_601, "Method not found", ""),
            Self::Params(why) => (-32_602, "Invalid params", why.as_str()),
            Self::Failed(why) => (-32_603, "Internal error", why.as_str()),
        };
        let mut error = json!({ "code": code, "message": message });
        if let (false, Some(fields)) = (data.is_empty(), error.as_object_mut()) {
            fields.insert("data".to_owned(), data.into());
        }
        error
    }
}
