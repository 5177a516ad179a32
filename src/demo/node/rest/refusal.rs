//! Answers and errors of the gateway.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::demo::node::raw::UnwritableTx;

#[derive(Debug)]
pub(in crate::demo::node) struct RestRefusal {
    status: StatusCode,
    code: u8,
    message: String,
}

impl From<UnwritableTx> for RestRefusal {
    fn from(error: UnwritableTx) -> Self {
        Self::machine(error.to_string())
    }
}

impl RestRefusal {
    fn new(status: StatusCode, code: u8, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into() }
    }

    /// Returns the error for a request that cannot be parsed.
    pub(in crate::demo::node) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, 3, message)
    }

    /// Returns the error for a record that does not exist.
    pub(in crate::demo::node) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, 5, message)
    }

    /// Returns the error for a query that the simulation does not support.
    pub(in crate::demo::node) fn not_implemented() -> Self {
        Self::new(StatusCode::NOT_IMPLEMENTED, 12, "Not Implemented")
    }

    pub(super) fn internal(message: &str) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, 13, message)
    }

    /// Returns an error of the SDK's codespace with this code.
    pub(super) fn sdk(code: u8, name: &str, detail: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, 2, format!("codespace sdk code {code}: {name}: {detail}"))
    }

    /// Returns the error for a transaction whose simulation failed.
    pub(in crate::demo::node) fn tried(why: &dyn std::fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, 2, format!("{why} with gas used: '0': unknown request"))
    }

    /// Returns an error of the VM or of a contract.
    pub(in crate::demo::node) fn machine(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, 2, message)
    }
}

pub(in crate::demo::node) type RestAnswer = Result<Value, RestRefusal>;

pub(in crate::demo::node) fn written(answer: RestAnswer) -> (StatusCode, Value) {
    match answer {
        Ok(json) => (StatusCode::OK, json),
        Err(RestRefusal { status, code, message }) => {
            (status, json!({ "code": code, "message": message, "details": [] }))
        }
    }
}
