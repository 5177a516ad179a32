//! A browser that opens the page, without one: its posts, from a test's own thread.

use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{access::Visitor, wallet::TestKey};

/// The page's side, posted.
pub(crate) struct Visit<'a> {
    runtime: &'a Runtime,
    visitor: Visitor,
    seen: u64,
}

/// Where the page is that a screen tells of.
pub(crate) fn address_on(screen: &str) -> String {
    let from = screen.find("http://127.0.0.1:").unwrap_or_else(|| panic!("no address:\n{screen}"));
    screen[from..].split_whitespace().next().unwrap_or_default().to_owned()
}

impl<'a> Visit<'a> {
    /// Opens the page at this address.
    pub(crate) fn opening(runtime: &'a Runtime, address: &str) -> Self {
        Self { runtime, visitor: runtime.block_on(Visitor::opening(address)), seen: 0 }
    }

    /// What the page shows next that is of this kind.
    pub(crate) fn stage(&mut self, kind: &str) -> Value {
        loop {
            let state = self.runtime.block_on(self.visitor.next(self.seen));
            self.seen = state["version"].as_u64().unwrap_or_default();
            if state["stage"]["kind"] == kind {
                return state["stage"].clone();
            }
        }
    }

    pub(crate) fn post(&self, path: &str, body: &Value) {
        let seen = self.runtime.block_on(self.visitor.post(path, body, &[]));
        assert!(seen.status.is_success(), "{}: {}", seen.status, seen.body);
    }

    pub(crate) fn answer(&self, offer: &Value, answer: &Value) {
        self.post("/sign/answer", &json!({"id": offer["id"], "answer": answer}));
    }

    /// What the wallet is shown is signed by this key.
    pub(crate) fn sign(&self, offer: &Value, key: &TestKey) {
        let text = offer["offer"]["text"].as_str().unwrap_or_default();
        let document = alloy_primitives::hex::encode_prefixed(text);
        let signature = key.personal_sign(&json!([document]));
        self.answer(offer, &json!({"kind": "personal_signature", "signature": signature}));
    }
}
