//! Router errors in the response body of real routers (`docs/apis/router.md` §6).

use serde_json::json;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RouterError {
    /// HTTP status: 400, 404, 500 or 503.
    pub status: u16,
    pub message: String,
    /// Machine-readable reason such as `BAD_PRICE_ERROR`, if a client can act on it.
    pub reason: Option<&'static str>,
}

impl RouterError {
    /// Builds 400, code 3: the request is invalid.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self { status: 400, message: message.into(), reason: None }
    }

    /// Builds 400, code 3, with a machine-readable reason.
    pub fn unsafe_route(message: impl Into<String>, reason: &'static str) -> Self {
        Self { reason: Some(reason), ..Self::invalid(message) }
    }

    /// Builds 404, code 5: no route, an unknown asset or chain, an untracked transaction.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self { status: 404, message: message.into(), reason: None }
    }

    /// Builds 503, code 14: temporarily unavailable.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self { status: 503, message: message.into(), reason: None }
    }

    /// Returns the JSON body: gRPC code, message, details.
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
