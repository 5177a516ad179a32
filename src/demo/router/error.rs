//! Router errors, with the response body of real routers (`docs/apis/router.md` §6).

use serde_json::json;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RouterError {
    /// HTTP status: 400, 404, 500 or 503.
    pub status: u16,
    pub message: String,
    /// Reason for programs, such as `BAD_PRICE_ERROR`; `None` if a client cannot act on it.
    pub reason: Option<&'static str>,
}

impl RouterError {
    /// Returns 400 with code 3: the request is invalid.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self { status: 400, message: message.into(), reason: None }
    }

    /// Returns 400 with code 3, and a reason for programs.
    pub fn unsafe_route(message: impl Into<String>, reason: &'static str) -> Self {
        Self { reason: Some(reason), ..Self::invalid(message) }
    }

    /// Returns 404 with code 5: there is no route, or the asset, chain or transaction is unknown.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self { status: 404, message: message.into(), reason: None }
    }

    /// Returns 503 with code 14: the router cannot answer now.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self { status: 503, message: message.into(), reason: None }
    }

    /// Returns the response body as JSON: gRPC code, message, details.
    pub fn body(&self) -> String {
        let code = match self.status {
            400 => 3,
            404 => 5,
            503 => 14,
            _ => 2,
        };
        let details: Vec<_> = self
            .reason
            .iter()
            .map(|reason| {
                json!({
                    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                    "reason": reason,
                    "domain": "rollscope",
                    "metadata": {},
                })
            })
            .collect();
        json!({ "code": code, "message": self.message, "details": details }).to_string()
    }
}
