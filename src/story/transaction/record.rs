//! Story as JSON for scripts: the fields and formats of `samples/txs/expected.json`, with the sentences.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Story;
use crate::{
    story::{
        changes::ChangesRecord,
        movement::bridge::BridgeMove,
        words::phrase::{Style, text_of},
    },
    wire::Tx,
};

#[derive(Debug, Serialize)]
pub struct StoryRecord {
    #[serde(flatten)]
    changes: ChangesRecord,
    sentences: Vec<SentenceRecord>,
    bridge: Vec<serde_json::Value>,
    failure: Option<String>,
}

#[derive(Debug, Serialize)]
struct SentenceRecord {
    msg_index: usize,
    text: String,
    /// `proven` by events, `reported` by a contract, or `asked`, for a claim of the message alone.
    kind: &'static str,
    /// Indices of the record's events, ascending.
    events: BTreeSet<usize>,
}

impl StoryRecord {
    /// Converts a story. Addresses and denoms are complete; texts are as hostile as the transaction's.
    pub fn of(tx: &Tx, story: &Story) -> Self {
        let sentence = |sentence: &crate::story::words::phrase::Sentence| SentenceRecord {
            msg_index: sentence.message,
            text: text_of(&sentence.phrases, Style::Exact),
            kind: sentence.kind.name(),
            events: sentence.phrases.iter().flat_map(|phrase| &phrase.events).copied().collect(),
        };
        Self {
            changes: ChangesRecord::of(tx, &story.changes),
            sentences: story.sentences.iter().map(sentence).collect(),
            bridge: story.bridge.iter().map(BridgeMove::record).collect(),
            failure: story.explanation.as_ref().map(|explanation| explanation.text.clone()),
        }
    }
}
