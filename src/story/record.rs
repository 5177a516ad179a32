//! A story as JSON, for scripts: the fields and forms of `samples/txs/expected.json`, and the words beside them.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{BridgeMove, ChangesRecord, Story, Style, text_of};
use crate::wire::Tx;

/// A story as scripts read it.
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
    /// `proven` by events, `reported` by a contract, or `asked`: only the message itself says so.
    kind: &'static str,
    /// Places in the record's events, ascending.
    events: BTreeSet<usize>,
}

impl StoryRecord {
    /// The record of a transaction's story. Addresses and denoms are whole, texts as hostile as the transaction's.
    pub fn of(tx: &Tx, story: &Story) -> Self {
        let sentence = |sentence: &super::Sentence| SentenceRecord {
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
