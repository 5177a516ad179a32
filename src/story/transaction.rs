mod accounts;
pub(super) mod effects;
mod named_tokens;
pub(super) mod packet_trail;
pub(super) mod record;

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use super::{
    changes::{BalanceChange, Changes},
    decode::{Decoded, decode, decode_leading},
    limits::Work,
    movement::bridge::{BridgeMove, bridge_moves},
    names::glossary::{Glossary, NameSource, TokenUnit},
    words::{
        explanation::{Explanation, explanation},
        phrase::{Sentence, Style, text_of},
        sentence,
    },
};
use crate::{
    domain::{Address, Denom},
    story::{
        context::{changes, tx_context},
        partial_failure::PartialFailure,
        words::sentence::{is_complete, leading_phrases},
    },
    wire::Tx,
};

#[derive(Debug)]
pub struct Story {
    /// Decoded record; evidence refers to its events by index.
    pub decoded: Decoded,
    /// One sentence per message, up to [`super::MOST_SENTENCES`].
    pub sentences: Vec<Sentence>,
    pub changes: Changes,
    pub bridge: Vec<BridgeMove>,
    pub explanation: Option<Explanation>,
    /// What failed within a successful transaction.
    pub partial: BTreeSet<PartialFailure>,
    /// Tokens that the transaction names; the glossary has all other tokens.
    pub tokens: HashMap<Denom, Arc<TokenUnit>>,
    pub work: Work,
}

impl Story {
    /// Reads a transaction. Never fails, in bounded time: see [`super::MOST_EVENTS`].
    pub fn of(tx: &Tx, glossary: &Glossary) -> Self {
        let decoded = decode(tx);
        let work = Work::default();
        let mut changes = changes(tx, &decoded, glossary, &work);
        let context = tx_context(tx, &decoded, &changes, glossary, &work);
        let sentences = sentence::sentences(&context);
        let bridge = bridge_moves(&context);
        let explanation = explanation(&context);
        let partial = if tx.is_success() { PartialFailure::in_record(&decoded) } else { BTreeSet::new() };
        let tokens = context.tokens;
        changes.is_conserved &= !sentences.iter().any(|sentence| sentence.lacks_events);
        Self { decoded, sentences, changes, bridge, explanation, partial, tokens, work }
    }

    /// Returns symbol and decimals of a denom, by the glossary or by the transaction.
    pub fn token<'a>(&'a self, denom: &Denom, glossary: &'a Glossary) -> Option<&'a TokenUnit> {
        self.tokens.get(denom).or_else(|| glossary.token(denom)).map(AsRef::as_ref)
    }

    /// Returns the source of a denom's name; `None` for an unnamed denom.
    pub fn token_source(&self, denom: &Denom, glossary: &Glossary) -> Option<NameSource> {
        let told = self.tokens.contains_key(denom).then_some(NameSource::Transaction);
        told.or_else(|| glossary.token_source(denom))
    }
}

/// Returns the text of a list row: the short sentence of the leading message.
pub fn summary(tx: &Tx, glossary: &Glossary) -> String {
    summary_in(tx, glossary, Style::Short)
}

fn summary_in(tx: &Tx, glossary: &Glossary, style: Style<'_>) -> String {
    let (decoded, leading) = decode_leading(tx);
    let (work, changes) = (Work::default(), Changes::default());
    let mut text = text_of(&leading_phrases(&tx_context(tx, &decoded, &changes, glossary, &work), leading), style);
    if text.ends_with('.') {
        text.pop();
    }
    text
}

/// Returns the changes of one account's balances without fees, one per denom; `None` if the movements of the events do
/// not add up. The events need not be all that the messages emit.
pub(super) fn balance_changes(tx: &Tx, account: Address, glossary: &Glossary) -> Option<Vec<BalanceChange>> {
    let changes = changes(tx, &decode(tx), glossary, &Work::default());
    changes.is_conserved.then(|| changes.of_account(account).cloned().collect())
}

/// Returns the effect on one account without fees: one change per denom, ordered by denom, then delta.
pub fn net_effect(tx: &Tx, account: Address, glossary: &Glossary) -> Option<Vec<BalanceChange>> {
    let decoded = decode(tx);
    let work = Work::default();
    let changes = changes(tx, &decoded, glossary, &work);
    let is_whole = changes.is_conserved && is_complete(&tx_context(tx, &decoded, &changes, glossary, &work));
    is_whole.then(|| changes.of_account(account).cloned().collect())
}
