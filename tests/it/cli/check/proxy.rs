//! A server between the program and an indexer, which alters its answers.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use serde_json::Value;

use super::lies::Lie;
use crate::{
    cli::chain::Chain,
    harness::replay::{Answer, forward},
};

/// Stands before an indexer.
pub(super) struct LyingProxy {
    chain: Chain,
    told: Arc<Mutex<BTreeSet<&'static str>>>,
}

impl LyingProxy {
    /// Tells these lies.
    pub(super) fn start(indexer: &str, lies: impl IntoIterator<Item = &'static Lie>) -> Self {
        let lies: Vec<&Lie> = lies.into_iter().collect();
        let (indexer, told) = (indexer.to_owned(), Arc::<Mutex<BTreeSet<_>>>::default());
        let kept = Arc::clone(&told);
        let chain = Chain::scripted(move |seen| {
            let (status, kind, body) = forward(&indexer, seen);
            let Ok(mut json) = serde_json::from_slice::<Value>(&body) else {
                return Answer::Full(status, vec![("content-type", kind)], body);
            };
            for lie in lies.iter().filter(|lie| status == 200 && (lie.is_about)(&seen.target)) {
                if lie.tell(&mut json) {
                    kept.lock().expect("no test panics with it").insert(lie.name);
                }
            }
            if status == 200 && json.is_null() {
                return Answer::text(404, "not found");
            }
            Answer::json(json.to_string())
        });
        Self { chain, told }
    }

    /// Fails over every address that has this in it, and tells no lie.
    pub(super) fn refusing(indexer: &str, part: &'static str) -> Self {
        Self::answering(indexer, part, 400)
    }

    /// As [`Self::refusing`], as if the server had failed.
    pub(super) fn failing(indexer: &str, part: &'static str) -> Self {
        Self::answering(indexer, part, 500)
    }

    fn answering(indexer: &str, part: &'static str, status: u16) -> Self {
        let indexer = indexer.to_owned();
        let chain = Chain::scripted(move |seen| {
            if seen.target.contains(part) {
                return Answer::text(status, "not that one");
            }
            let (status, kind, body) = forward(&indexer, seen);
            Answer::Full(status, vec![("content-type", kind)], body)
        });
        Self { chain, told: Arc::default() }
    }

    pub(super) fn url(&self) -> &str {
        self.chain.url()
    }

    pub(super) fn has_told(&self, name: &str) -> bool {
        self.told.lock().expect("no test panics with it").contains(name)
    }
}
