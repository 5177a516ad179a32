//! Story as JSON for scripts: the fields and formats of `samples/txs/expected.json`, with the sentences.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Value, json};

use super::{
    Story,
    packet_trail::{PacketStepFound, PacketTrail},
};
use crate::{
    domain::{Denom, DenomName},
    story::{
        changes::ChangesRecord,
        movement::bridge::BridgeMove,
        names::glossary::{Glossary, NameSource, TokenUnit},
        words::phrase::{Style, text_of},
    },
    wire::Tx,
};

#[derive(Debug, Serialize)]
pub struct StoryRecord {
    #[serde(flatten)]
    changes: ChangesRecord,
    sentences: Vec<SentenceRecord>,
    bridge: Vec<Value>,
    failure: Option<String>,
    /// Named tokens of the transaction, ordered by denom.
    tokens: Vec<NamedTokenRecord>,
}

#[derive(Debug, Serialize)]
pub struct NamedTokenRecord {
    denom: String,
    /// Symbol without quotes, as hostile as its source.
    pub symbol: String,
    /// Power of ten between the smallest unit and the display unit; null if no source tells it, or sources differ.
    pub decimals: Option<u8>,
    pub named_by: &'static str,
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
    ///
    /// `trail` has the steps of the transaction's packets on the chain with this id.
    pub fn of(tx: &Tx, story: &Story, glossary: &Glossary, (chain_id, trail): (&str, &PacketTrail)) -> Self {
        let sentence = |sentence: &crate::story::words::phrase::Sentence| SentenceRecord {
            msg_index: sentence.message,
            text: text_of(&sentence.phrases, Style::Exact),
            kind: sentence.kind.name(),
            events: sentence.phrases.iter().flat_map(|phrase| &phrase.events).copied().collect(),
        };
        let outcome = |moved: &BridgeMove| {
            let found = moved.packet.as_ref().and_then(|packet| trail.outcome(packet));
            found.map(|PacketStepFound { way, txhash, height, .. }| {
                json!({"way": way, "chain_id": chain_id, "txhash": txhash.to_string(), "height": height.get()})
            })
        };
        let record = |moved: &BridgeMove| {
            let mut record = moved.record();
            record.as_object_mut().and_then(|fields| fields.insert("outcome".to_owned(), json!(outcome(moved))));
            record
        };
        Self {
            changes: ChangesRecord::of(tx, &story.changes),
            sentences: story.sentences.iter().map(sentence).collect(),
            bridge: story.bridge.iter().map(record).collect(),
            tokens: story
                .named_tokens(glossary)
                .into_iter()
                .map(|named| NamedTokenRecord::of(named, glossary))
                .collect(),
            failure: story.explanation.as_ref().map(|explanation| explanation.text.clone()),
        }
    }
}

impl From<NamedTokenRecord> for DenomName {
    fn from(named: NamedTokenRecord) -> Self {
        Self { symbol: named.symbol, decimals: named.decimals, named_by: named.named_by }
    }
}

impl NamedTokenRecord {
    /// Converts the glossary's name of a denom; `None` for an unnamed denom.
    pub fn named(denom: &Denom, glossary: &Glossary) -> Option<Self> {
        let (unit, source) = (glossary.token(denom)?, glossary.token_source(denom)?);
        Some(Self::of((denom, unit, source), glossary))
    }

    fn of((denom, unit, source): (&Denom, &TokenUnit, NameSource), glossary: &Glossary) -> Self {
        let (_, claimed) = glossary.claims(denom).next().unwrap_or((source, unit));
        let has_decimals = source.tells_decimals() && !glossary.is_disputed(denom);
        Self {
            denom: denom.to_string(),
            symbol: claimed.symbol.trim_matches(['“', '”']).to_owned(),
            decimals: has_decimals.then_some(unit.decimals),
            named_by: source.key(),
        }
    }
}
