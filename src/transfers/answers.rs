use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::RouterHealth;
use crate::{
    domain::TransferRecord,
    wire::router::{Route, TransferStatus},
};

/// Decoded router answers of a kept transfer: its route and the newest status of each transaction. The record itself
/// keeps the texts.
#[derive(Clone, Debug, Default)]
pub struct RouterAnswers {
    route: Option<DecodedText<Route>>,
    /// Statuses, by the transaction's index in the record.
    statuses: Vec<Option<DecodedText<TransferStatus>>>,
    /// How the router has recently answered about the newest transaction.
    pub standing: RouterHealth,
}

/// Text and its decoded value; `None` if it cannot be decoded.
#[derive(Debug)]
struct DecodedText<T> {
    text: Arc<str>,
    value: Option<Arc<T>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum StatusAnswer<'a> {
    None,
    Unreadable,
    Read(&'a TransferStatus),
}

impl RouterAnswers {
    pub fn of(record: &TransferRecord) -> Self {
        let mut answers = Self::default();
        answers.follow(record);
        answers
    }

    /// Updates the answers from a record. Decodes only new texts.
    pub fn follow(&mut self, record: &TransferRecord) {
        follow(&mut self.route, record.route.as_ref());
        self.statuses.resize(record.txs.len(), None);
        for (known, tx) in self.statuses.iter_mut().zip(&record.txs) {
            follow(known, tx.status.as_ref().map(|(text, _)| text));
        }
    }

    /// Stores a status that is already decoded, for transaction `place` of the record.
    pub fn take_status(&mut self, place: usize, text: Arc<str>, status: Arc<TransferStatus>) {
        if self.statuses.len() <= place {
            self.statuses.resize(place + 1, None);
        }
        if let Some(known) = self.statuses.get_mut(place) {
            *known = Some(DecodedText { text, value: Some(status) });
        }
    }

    /// Returns the route; `None` if the record has none or it cannot be decoded.
    pub fn route(&self) -> Option<&Arc<Route>> {
        self.route.as_ref()?.value.as_ref()
    }

    pub(super) fn has_unreadable_route(&self) -> bool {
        self.route.as_ref().is_some_and(|route| route.value.is_none())
    }

    pub(super) fn status(&self, place: usize) -> StatusAnswer<'_> {
        match self.statuses.get(place) {
            Some(Some(DecodedText { value: Some(status), .. })) => StatusAnswer::Read(status),
            Some(Some(_)) => StatusAnswer::Unreadable,
            _ => StatusAnswer::None,
        }
    }
}

impl<T> Clone for DecodedText<T> {
    fn clone(&self) -> Self {
        Self { text: Arc::clone(&self.text), value: self.value.clone() }
    }
}

fn follow<T: DeserializeOwned>(known: &mut Option<DecodedText<T>>, text: Option<&Arc<str>>) {
    if known.as_ref().map(|known| &known.text) != text {
        *known = text.map(|text| DecodedText { text: Arc::clone(text), value: decode(text) });
    }
}

/// Decodes a router answer. No other function decodes texts of transfers.
fn decode<T: DeserializeOwned>(text: &str) -> Option<Arc<T>> {
    #[cfg(test)]
    DECODED.set(DECODED.get() + 1);
    serde_json::from_str(text).ok().map(Arc::new)
}

#[cfg(test)]
thread_local! {
    /// Number of texts that this thread has decoded.
    pub(crate) static DECODED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ChainId, Timestamp};

    #[test]
    fn only_a_new_text_is_decoded() {
        let hash = "AB".repeat(32).parse().unwrap();
        let mut record = TransferRecord::of_hash(ChainId::new("a-1"), &hash, Timestamp::EPOCH);
        record.route = Some("{".into());
        record.txs[0].status = Some((r#"{"state":"STATE_PENDING"}"#.into(), Timestamp::EPOCH));
        let mut answers = RouterAnswers::of(&record);
        assert!(answers.route().is_none() && answers.has_unreadable_route());
        assert!(matches!(answers.status(0), StatusAnswer::Read(status) if status.state == "STATE_PENDING"));
        let decoded = DECODED.get();

        record.txs[0].status =
            Some((r#"{"state":"STATE_PENDING"}"#.into(), Timestamp::EPOCH.after(std::time::Duration::from_secs(9))));
        answers.follow(&record);
        assert_eq!(DECODED.get(), decoded, "the same text in another place says the same, unreadable ones too");

        let next = record.txs[0].clone();
        record.txs.push(next);
        record.txs[0].status = None;
        answers.follow(&record);
        assert_eq!(DECODED.get(), decoded + 1);
        assert!(matches!((answers.status(0), answers.status(1)), (StatusAnswer::None, StatusAnswer::Read(_))));

        let status = Arc::new(TransferStatus::default());
        answers.take_status(0, "{}".into(), Arc::clone(&status));
        record.txs[0].status = Some(("{}".into(), Timestamp::EPOCH));
        answers.follow(&record);
        assert_eq!(DECODED.get(), decoded + 1, "what came decoded is not decoded again");
        assert!(matches!(answers.status(0), StatusAnswer::Read(kept) if std::ptr::eq(kept, Arc::as_ptr(&status))));
    }
}
