use std::{cell::OnceCell, collections::HashMap, sync::Arc};

use super::{
    BridgeMove, Changes, Decoded, Explanation, Glossary, NameSource, Phrase, Sentence, Style, TokenUnit, Work,
    bridge::bridge_moves,
    context::{MessageRef, TxContext},
    decode,
    decode::decode_leading,
    explanation::explanation,
    local_tokens::local_tokens,
    places::EventPlaces,
    proof::Claims,
    sentence, text_of,
};
use crate::{
    domain::{Address, ContractRole, Denom},
    wire::Tx,
};

/// What a transaction means.
#[derive(Debug)]
pub struct Story {
    /// The record taken apart; events are named by their places in it.
    pub decoded: Decoded,
    /// One sentence for each message, up to [`super::MOST_SENTENCES`].
    pub sentences: Vec<Sentence>,
    /// Who gained and lost what.
    pub changes: Changes,
    /// What it moved over bridges.
    pub bridge: Vec<BridgeMove>,
    /// Why it failed, or what of it did.
    pub explanation: Option<Explanation>,
    /// Tokens that the transaction itself tells the names of; the glossary knows the others.
    pub tokens: HashMap<Denom, Arc<TokenUnit>>,
    /// What reading it cost.
    pub work: Work,
}

impl Story {
    /// Reads a transaction. Never fails and never takes long: see [`super::MOST_EVENTS`].
    pub fn of(tx: &Tx, glossary: &Glossary) -> Self {
        let decoded = decode(tx);
        let work = Work::default();
        let mut changes = changes(tx, &decoded, glossary, &work);
        let context = tx_context(tx, &decoded, &changes, glossary, &work);
        let sentences = sentence::sentences(&context);
        let bridge = bridge_moves(&context);
        let explanation = explanation(&context);
        let tokens = context.tokens;
        changes.is_conserved &= !sentences.iter().any(|sentence| sentence.lacks_events);
        Self { decoded, sentences, changes, bridge, explanation, tokens, work }
    }

    /// Symbol and decimals of a denom, by the glossary or by what the transaction tells.
    pub fn token<'a>(&'a self, denom: &Denom, glossary: &'a Glossary) -> Option<&'a TokenUnit> {
        glossary.token(denom).or_else(|| self.tokens.get(denom)).map(AsRef::as_ref)
    }

    /// Who says what a denom is called; `None` where nobody does.
    pub fn token_source(&self, denom: &Denom, glossary: &Glossary) -> Option<NameSource> {
        let told = || self.tokens.contains_key(denom).then_some(NameSource::Transaction);
        glossary.token_source(denom).or_else(told)
    }
}

/// What a list row says of a transaction: the sentence of its leading message, short.
pub fn summary(tx: &Tx, glossary: &Glossary) -> String {
    summary_in(tx, glossary, Style::Short)
}

/// The same in another style.
fn summary_in(tx: &Tx, glossary: &Glossary, style: Style<'_>) -> String {
    let (decoded, leading) = decode_leading(tx);
    let (work, changes) = (Work::default(), Changes::default());
    let mut text = text_of(&leading_phrases(&tx_context(tx, &decoded, &changes, glossary, &work), leading), style);
    if text.ends_with('.') {
        text.pop();
    }
    text
}

/// The words of the sentence on the leading message, which stands at this place; none where it cannot be read.
pub(super) fn leading_phrases(context: &TxContext<'_>, leading: usize) -> Vec<Phrase> {
    let Some(message) = context.decoded.messages.get(leading) else { return Vec::new() };
    let message = MessageRef { place: leading, authz: None, depth: 0, kind: &message.kind, fields: &message.fields };
    sentence::sentence(context, message).phrases
}

/// What a transaction did to one account, fees apart: one change for each denom, in the order of the matrix.
pub fn net_effect(tx: &Tx, account: Address, glossary: &Glossary) -> Option<Vec<super::BalanceChange>> {
    let decoded = decode(tx);
    let work = Work::default();
    let changes = changes(tx, &decoded, glossary, &work);
    let is_whole = changes.is_conserved && is_complete(&tx_context(tx, &decoded, &changes, glossary, &work));
    is_whole.then(|| changes.of_account(account).cloned().collect())
}

/// Whether the record has the events that its messages always leave.
pub(super) fn is_complete(context: &TxContext<'_>) -> bool {
    !sentence::sentences(context).iter().any(|sentence| sentence.lacks_events)
}

/// Who gained and lost what; the network's own tokens are not only what their contracts say.
pub(super) fn changes(tx: &Tx, decoded: &Decoded, glossary: &Glossary, work: &Work) -> Changes {
    let wrappers: Vec<Address> = glossary.contracts(ContractRole::Wrapper).collect();
    let mut changes = Changes::knowing(tx, decoded, glossary.vm, &wrappers, work);
    changes.vouch(|denom| glossary.token(denom).is_some());
    changes
}

/// All that can be said of a transaction is said from here.
pub(super) fn tx_context<'a>(
    tx: &'a Tx,
    decoded: &'a Decoded,
    changes: &'a Changes,
    glossary: &'a Glossary,
    work: &'a Work,
) -> TxContext<'a> {
    let (tokens, places) = (local_tokens(decoded, glossary), EventPlaces::new(&decoded.events));
    let (claims, evm, named) = (Claims::default(), OnceCell::new(), OnceCell::new());
    TxContext { tx, decoded, changes, glossary, work, tokens, evm, claims, places, named }
}
