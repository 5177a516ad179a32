//! Denoms that rollscope knows: from the network file, from loaded records, and from the user.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use super::{
    context::Context,
    known_denom::{DenomLister, DenomSearchDepth, KnownDenom, Seen},
    navigation::Navigation,
};
use crate::{
    domain::{Denom, parse_coins},
    story::{self, NameSource},
    wire::Tx,
};

/// Maximum denoms to list.
const KNOWN: usize = 400;
/// Maximum transactions to search for denoms. Decoding a transaction takes about 0.1 ms.
const LOOKED_THROUGH: usize = 100;
/// Blocks that the quick search covers.
const GLANCED_AT: usize = 20;

#[derive(Default)]
struct SeenDenoms(BTreeMap<Denom, Seen>);

impl SeenDenoms {
    fn see(&mut self, denom: Denom, note: impl FnOnce(&mut Seen)) {
        if Denom::is_fit(denom.as_str()) && (self.0.len() < KNOWN || self.0.contains_key(&denom)) {
            note(self.0.entry(denom).or_default());
        }
    }

    fn look_at(&mut self, navigation: &Navigation, look: DenomSearchDepth) {
        let (blocks, txs) = match look {
            DenomSearchDepth::Glance => (GLANCED_AT, 0),
            DenomSearchDepth::Search | DenomSearchDepth::SearchNews => (usize::MAX, LOOKED_THROUGH),
        };
        let mut heights = BTreeSet::new();
        let loaded = navigation.roots().flat_map(|page| page.held().blocks);
        for block in loaded.filter(|block| heights.insert(block.height)).take(blocks) {
            for coin in block.fees().into_iter().filter(|coin| !coin.amount.is_zero()) {
                self.see(coin.denom, |seen| seen.blocks += 1);
            }
        }
        let mut hashes = BTreeSet::new();
        let loaded = navigation.roots().flat_map(|page| page.held().txs);
        for tx in loaded.filter(|tx| hashes.insert(tx.txhash)).take(txs) {
            for denom in denoms_of(tx) {
                self.see(denom, |seen| seen.txs += 1);
            }
        }
    }
}

/// Returns the denoms in a transaction's fee, and in the coins of its events.
fn denoms_of(tx: &Tx) -> BTreeSet<Denom> {
    let decoded = story::decode(tx);
    let is_money = |key: &str| matches!(key, "amount" | "fee");
    let attributes = decoded.events.iter().flat_map(|event| &event.attributes);
    let moved = attributes.filter(|(key, _)| is_money(key)).filter_map(|(_, value)| parse_coins(value).ok()).flatten();
    // Relayers declare a fee of zero, in a denom that may not exist.
    decoded.fee.into_iter().chain(moved).filter(|coin| !coin.amount.is_zero()).map(|coin| coin.denom).collect()
}

/// Returns all known denoms: the most frequent first, then those of the network file, then typed ones, then the others.
pub(super) fn known_denoms(context: &Context, navigation: &Navigation, look: DenomSearchDepth) -> Vec<KnownDenom> {
    let mut seen_denoms = SeenDenoms::default();
    let listed: Vec<Denom> = context.network.tokens.iter().map(|token| Denom::new(token.denom.as_str())).collect();
    for denom in &listed {
        seen_denoms.see(denom.clone(), |seen| seen.list(DenomLister::Network));
    }
    let typed: Vec<Denom> = navigation.roots().flat_map(|page| page.held().typed_denoms.to_vec()).collect();
    for denom in &typed {
        seen_denoms.see(denom.clone(), |seen| seen.is_typed = true);
    }
    for shown in navigation.roots().filter_map(|page| page.place().denom) {
        seen_denoms.see(shown, |_| {});
    }
    seen_denoms.look_at(navigation, look);
    for denom in context.supply() {
        seen_denoms.see(denom.clone(), |seen| seen.list(DenomLister::Supply));
    }
    for denom in context.glossary.named_by(&[NameSource::Bridge, NameSource::Bank, NameSource::Contract]) {
        seen_denoms.see(denom.clone(), |_| {});
    }
    // The router's long list comes last, so that it displaces no denom of a record.
    for denom in context.glossary.named_by(&[NameSource::Router]) {
        seen_denoms.see(denom.clone(), |seen| seen.list(DenomLister::Router));
    }
    let known = |(denom, seen)| {
        let token = context.glossary.known_token(&denom);
        let (symbol, decimals) = (token.map(|token| token.symbol.clone()), token.map(|token| token.decimals));
        KnownDenom { denom, symbol, decimals, seen }
    };
    let mut known: Vec<KnownDenom> = seen_denoms.0.into_iter().map(known).collect();
    known.sort_by_cached_key(|known| {
        let place = listed.iter().chain(&typed).position(|denom| *denom == known.denom);
        (Reverse((known.seen.blocks, known.seen.txs)), place.unwrap_or(usize::MAX))
    });
    known
}
