//! Export of a kept transfer.

use serde_json::{Value, json};

use crate::domain::{TransferId, TransferRecord};

/// Returns the newest status of each transaction as received: one status, or a list.
pub(crate) fn raw_status(record: &TransferRecord) -> Option<String> {
    let all: Vec<&str> = record.txs.iter().filter_map(|tx| tx.status.as_ref()).map(|(body, _)| &**body).collect();
    match all.as_slice() {
        [] => None,
        [only] => Some((*only).to_owned()),
        several => Some(format!("[{}]", several.join(","))),
    }
}

/// Returns the record, with its route and statuses as JSON.
pub(crate) fn exported(record: &TransferRecord) -> Value {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_else(|_| text.into());
    let txs = record.txs.iter().map(|tx| {
        json!({
            "chain_id": tx.chain_id.as_str(), "tx_hash": tx.hash.as_str(), "at": tx.at.to_string(),
            "tracking": tx.tracking.to_string(),
            "status": tx.status.as_ref().map(|(body, _)| parsed(body)),
            "status_at": tx.status.as_ref().map(|(_, at)| at.to_string()),
        })
    });
    let changes =
        record.changes.iter().map(|change| json!({"at": change.at.to_string(), "text": change.text.as_str()}));
    json!({
        "chain_id": record.id.chain_id.as_str(), "tx_hash": record.id.hash.as_str(),
        "label": record.label, "created": record.created.to_string(), "is_over": record.is_over,
        "addresses": record.addresses, "txs": txs.collect::<Vec<_>>(), "changes": changes.collect::<Vec<_>>(),
        "route": record.route.as_deref().map(parsed),
    })
}

/// Returns a file name from a chain and the start of a hash, valid on all file systems.
pub(crate) fn file_name(id: &TransferId) -> String {
    let is_plain = |sign: &char| sign.is_ascii_alphanumeric() || *sign == '-';
    let chain: String = id.chain_id.as_str().chars().filter(is_plain).take(40).collect();
    let hash: String = id.hash.as_str().chars().filter(is_plain).take(12).collect();
    format!("{chain}-{hash}")
}
