//! Names of the tokens in a transaction, with their sources.

use std::collections::BTreeSet;

use super::Story;
use crate::{
    domain::Denom,
    story::{
        names::glossary::{Glossary, NameSource, TokenUnit},
        words::phrase::Word,
    },
};

impl Story {
    /// Returns the named tokens of the story, ordered by denom.
    pub fn named_tokens<'a>(&'a self, glossary: &'a Glossary) -> Vec<(&'a Denom, &'a TokenUnit, NameSource)> {
        let changes = &self.changes;
        let fee = changes.fee.declared.iter().chain(&changes.fee.net_paid).chain(&self.decoded.fee);
        let moved = changes.balances.iter().map(|change| &change.denom);
        let moved = moved.chain(changes.supply.iter().map(|change| &change.denom));
        let words = self.phrases().filter_map(|phrase| match &phrase.word {
            Word::Coin { coin, .. } => Some(&coin.denom),
            Word::Token { denom, .. } => Some(denom),
            _ => None,
        });
        let denoms: BTreeSet<&Denom> = fee.map(|coin| &coin.denom).chain(moved).chain(words).collect();
        let named = |denom| Some((denom, self.token(denom, glossary)?, self.token_source(denom, glossary)?));
        denoms.into_iter().filter_map(named).collect()
    }
}
