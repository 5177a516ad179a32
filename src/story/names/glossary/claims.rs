//! Units of tokens by source. The highest source names a token; where sources differ in decimals, amounts are integers.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{Glossary, NameSource, TokenUnit};
use crate::{
    domain::{Denom, text::foreign},
    story::names::metadata::metadata_of,
};

#[derive(Clone, Debug)]
pub(super) struct NamedToken {
    claims: BTreeMap<NameSource, Arc<TokenUnit>>,
    /// Unit on screen.
    shown: Arc<TokenUnit>,
}

impl NamedToken {
    fn new(denom: &Denom, claims: BTreeMap<NameSource, Arc<TokenUnit>>) -> Option<Self> {
        let shown = match decimals_of(&claims).iter().map(u8::to_string).collect::<Vec<_>>().as_slice() {
            [] | [_] => Arc::clone(claims.values().next()?),
            several => {
                let symbol = format!("{} ({} decimals)", denom.short(), several.join(" or "));
                Arc::new(TokenUnit { symbol, decimals: 0 })
            }
        };
        Some(Self { claims, shown })
    }
}

fn decimals_of(claims: &BTreeMap<NameSource, Arc<TokenUnit>>) -> BTreeSet<u8> {
    claims.iter().filter(|(source, _)| source.tells_decimals()).map(|(_, unit)| unit.decimals).collect()
}

impl Glossary {
    /// Adds what a source says of a token, in place of what it said before. Returns whether the token's unit on screen
    /// changed.
    pub(super) fn claim(&mut self, denom: Denom, unit: TokenUnit, source: NameSource) -> bool {
        let known = self.tokens.get(&denom);
        let mut claims = known.map(|known| known.claims.clone()).unwrap_or_default();
        let TokenUnit { symbol, decimals } = unit;
        claims.insert(source, Arc::new(TokenUnit { symbol: foreign(&symbol).into_owned(), decimals }));
        let Some(named) = NamedToken::new(&denom, claims) else { return false };
        let is_news = known.is_none_or(|known| known.shown != named.shown);
        self.metadata.insert(metadata_of(&denom), denom.clone());
        self.tokens.insert(denom, named);
        is_news
    }

    /// Returns symbol and decimals of a denom to show; a known token on Move also matches by its metadata object,
    /// `move/<hex>`. Remembers a denom that the chain may name.
    pub fn token(&self, denom: &Denom) -> Option<&Arc<TokenUnit>> {
        if self.is_open(denom) {
            self.unnamed.see(denom);
        }
        self.known_token(denom)
    }

    /// Like [`Self::token`], for a denom that is not shown.
    pub fn known_token(&self, denom: &Denom) -> Option<&Arc<TokenUnit>> {
        self.named(denom).map(|named| &named.shown)
    }

    /// Returns the denoms that the chain may name and that were looked up for the first time since the last call.
    pub fn take_unnamed(&self) -> Vec<Denom> {
        self.unnamed.take()
    }

    pub fn has_unnamed(&self) -> bool {
        self.unnamed.has_fresh()
    }

    fn named(&self, denom: &Denom) -> Option<&NamedToken> {
        self.tokens.get(denom).or_else(|| {
            let object = denom.as_str().starts_with("move/").then(|| metadata_of(denom))?;
            self.tokens.get(self.metadata.get(&object)?)
        })
    }

    /// Returns the source of a denom's name; `None` for an unnamed denom.
    pub fn token_source(&self, denom: &Denom) -> Option<NameSource> {
        self.claims(denom).next().map(|(source, _)| source)
    }

    /// Returns the units of a denom by source, the highest source first.
    pub fn claims(&self, denom: &Denom) -> impl Iterator<Item = (NameSource, &TokenUnit)> {
        let claims = self.named(denom).into_iter().flat_map(|named| &named.claims);
        claims.map(|(source, unit)| (*source, unit.as_ref()))
    }

    /// Whether sources differ in the decimals of a denom.
    pub fn is_disputed(&self, denom: &Denom) -> bool {
        self.named(denom).is_some_and(|named| decimals_of(&named.claims).len() > 1)
    }

    /// Whether settings, registry or the denom itself prove which token this is. A router's list, and a name that the
    /// token's own contract or issuer chose, prove nothing.
    pub fn is_certain(&self, denom: &Denom) -> bool {
        self.token_source(denom).is_some_and(|source| source <= NameSource::Bridge)
    }

    /// Whether the chain may know a better name for a denom.
    fn is_open(&self, denom: &Denom) -> bool {
        self.token_source(denom).is_none_or(|source| source > NameSource::Contract)
    }

    /// Returns the denoms whose name is from one of these sources, sorted.
    pub fn named_by(&self, sources: &[NameSource]) -> impl Iterator<Item = &Denom> {
        let is_named = |denom: &&Denom| self.token_source(denom).is_some_and(|source| sources.contains(&source));
        self.tokens.keys().filter(is_named).collect::<BTreeSet<_>>().into_iter()
    }
}
