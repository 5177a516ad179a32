//! What a real answer becomes where ours follows the specification: the table of quirks, from their side.

use serde_json::Value;

use super::compare::Places;
use crate::harness::recording::IndexerRecord;

/// What is expected of an answer.
pub(super) struct Expected {
    pub(super) status: u16,
    pub(super) answer: Value,
    /// Rows may be more than the real ones, if the account stands in their messages.
    account: Option<String>,
}

impl Expected {
    /// The real answer.
    pub(super) fn same(record: &IndexerRecord) -> Self {
        Self { status: record.status, answer: record.answer.clone(), account: None }
    }

    /// The real answer as it is specified; `None` for what only the real server's keys can ask.
    pub(super) fn specified(record: &IndexerRecord) -> Option<Self> {
        if record.path.contains("pagination.key=") {
            return None;
        }
        let mut answer = record.answer.clone();
        let rows = ["txs", "internal_txs", "collections", "tokens", "holders"]
            .into_iter()
            .find_map(|name| answer.get(name)?.as_array().map(Vec::len));
        if let Some(rows) = rows {
            let limit = record
                .path
                .split_once("pagination.limit=")
                .map_or("100", |(_, rest)| rest.split('&').next().unwrap_or_default());
            if limit.parse().is_ok_and(|limit: usize| rows < limit) {
                // No more: that is said, and counted.
                answer["pagination"]["next_key"] = Value::Null;
                answer["pagination"]["total"] = Value::String(rows.to_string());
            }
        }
        let account = record.path.split_once("/txs/by_account/").filter(|(before, _)| before.ends_with("/tx/v1"));
        let account = account.map(|(_, rest)| rest.split('?').next().unwrap_or_default().to_owned());
        // A denom of nothing is well formed.
        let is_unknown = record.status == 400 && record.path.starts_with("/indexer/richlist/");
        Some(Self { status: if is_unknown { 404 } else { record.status }, answer, account })
    }

    /// Our answer without the rows that only the specification has, each of which is proven.
    pub(super) fn reconciled(&mut self, mut ours: Value, whole: &Value, places: &mut Places) -> Value {
        if let Some(account) = &self.account {
            let real = self.answer["txs"].as_array().cloned().unwrap_or_default();
            let mut more = 0;
            for row in whole["txs"].as_array().into_iter().flatten() {
                if real.contains(&row["txhash"]) {
                    continue;
                }
                more += 1;
                if !stands_in(row, account) {
                    places.push((".txs[]".to_owned(), "nothing".to_owned(), row["txhash"].to_string()));
                }
            }
            if let Some(rows) = ours["txs"].as_array_mut() {
                rows.retain(|row| real.contains(row));
                // What a topic's number looks like has a list of nothing else by the real rules.
                if is_number(account) && rows.is_empty() {
                    rows.clone_from(&real);
                    ours["pagination"]["total"] = Value::String(real.len().to_string());
                }
            }
            if more > 0 {
                ours["pagination"]["total"] = Value::String(real.len().to_string());
            }
        }
        if ours["pagination"]["next_key"].is_string() && self.answer["pagination"]["next_key"].is_string() {
            // Keys are each server's own.
            ours["pagination"]["next_key"] = self.answer["pagination"]["next_key"].clone();
        }
        ours
    }
}

/// Whether an account is a number below 2^64, written as an address.
fn is_number(account: &str) -> bool {
    let address = account.parse::<rollscope::domain::Address>();
    address.is_ok_and(|address| address.word().iter().take(24).all(|byte| *byte == 0))
}

/// Whether messages or events of a transaction name an account, in either form. The real indexer does not read the JSON
/// that events quote.
fn stands_in(tx: &Value, account: &str) -> bool {
    let text = tx.to_string().to_lowercase();
    let hex = account.parse::<rollscope::domain::Address>().map(|address| address.hex());
    text.contains(account) || hex.is_ok_and(|hex| text.contains(hex.trim_start_matches("0x")))
}
