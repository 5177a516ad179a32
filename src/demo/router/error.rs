//! Why the router refuses, in the body that real routers send (`docs/apis/router.md` §6).

use serde_json::json;

/// A refusal of the router.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RouterError {
    /// The HTTP status: 400, 404, 500 or 503.
    pub status: u16,
    /// For a person.
    pub message: String,
    /// `BAD_PRICE_ERROR` and the like, where a client can act on it.
    pub reason: Option<&'static str>,
}

impl RouterError {
    /// 400, code 3: the request cannot be right.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self { status: 400, message: message.into(), reason: None }
    }

    /// 400, code 3, with a reason that a client can act on.
    pub fn unsafe_route(message: impl Into<String>, reason: &'static str) -> Self {
        Self { reason: Some(reason), ..Self::invalid(message) }
    }

    /// 404, code 5: no route, an unknown asset or chain, a transaction that is not tracked.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self { status: 404, message: message.into(), reason: None }
    }

    /// 503, code 14: not now.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self { status: 503, message: message.into(), reason: None }
    }

    /// The JSON body: gRPC code, sentence, details.
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
