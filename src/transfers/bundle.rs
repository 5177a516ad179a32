//! All facts about a transfer in one document, for a support ticket.

use serde_json::{Value, json};

use super::{IndexFindings, TransferStatusView, transfer_facts};
use crate::{
    domain::{Timestamp, TransferId, TransferRecord},
    wire::{Exchange, ExchangeOutcome},
};

/// Facts that a bundle tells beside what servers answered.
#[derive(Clone, Copy, Debug)]
pub struct BundleFacts<'a> {
    pub record: &'a TransferRecord,
    pub findings: &'a IndexFindings,
    pub view: &'a TransferStatusView,
    pub now: Timestamp,
}

impl BundleFacts<'_> {
    /// Returns the bundle: the facts, the route, the messages, each status with its time, and the exchanges with router
    /// and indexer, as received.
    pub fn bundle<'a, E: AsRef<Exchange> + 'a>(
        self,
        statuses: impl Iterator<Item = (&'a str, Timestamp)>,
        msgs: Option<&str>,
        router: impl Iterator<Item = &'a E>,
        indexer: impl Iterator<Item = &'a E>,
    ) -> Value {
        let Self { record, findings, view, now } = self;
        let statuses = statuses.map(|(text, at)| json!({"at": at.to_string(), "body": parsed(text)}));
        json!({
            "made_at": now.to_string(),
            "program": concat!("rollscope ", env!("CARGO_PKG_VERSION")),
            "facts": transfer_facts(record, findings, view, now),
            "route": record.route.as_deref().map(parsed),
            "msgs": msgs.map(parsed),
            "statuses": statuses.collect::<Vec<Value>>(),
            "router": router.map(|it| exchange(it.as_ref())).collect::<Vec<Value>>(),
            "indexer": indexer.map(|it| exchange(it.as_ref())).collect::<Vec<Value>>(),
        })
    }
}

/// Whether an exchange names this transfer's hash, or returned a list of chains or assets.
pub fn is_about(exchange: &Exchange, id: &TransferId) -> bool {
    let hash = id.hash.as_str().trim_start_matches("0x").to_lowercase();
    let has_hash = |text: &str| text.to_lowercase().contains(&hash);
    let is_list = ["/v2/info/", "/v2/fungible/assets"].iter().any(|list| exchange.url.contains(list));
    is_list || has_hash(&exchange.url) || has_hash(&exchange.sent) || has_hash(&exchange.body)
}

/// Parses JSON; returns text that is not JSON as a JSON string.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn exchange(exchange: &Exchange) -> Value {
    let (status, failure) = match &exchange.outcome {
        ExchangeOutcome::Status(status) => (Some(*status), None),
        ExchangeOutcome::Failed(words) => (None, Some(words.clone())),
        ExchangeOutcome::Cancelled => (None, Some("cancelled".to_owned())),
    };
    json!({
        "at": exchange.at.to_string(), "method": exchange.method, "url": &*exchange.url,
        "sent": parsed(&exchange.sent), "status": status, "failure": failure, "bytes": exchange.bytes,
        "body": parsed(&exchange.body),
    })
}
