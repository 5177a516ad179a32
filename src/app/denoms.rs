//! The denoms that are known: those of the network file, those seen in what is loaded, those that were typed.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use super::{App, navigation::Navigation, view::View};
use crate::{
    app::page::Tab,
    domain::{Denom, parse_coins},
    panes::rows::{BlockRow, TxRow},
    story,
};

/// Denoms that are known at the most.
const KNOWN: usize = 400;
/// Transactions that are looked through for denoms; decoding one takes about a tenth of a millisecond.
const LOOKED_THROUGH: usize = 100;
/// Blocks that are glanced at.
const GLANCED_AT: usize = 20;

/// How a denom came to be known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// In the fees of so many loaded blocks.
    pub(crate) blocks: usize,
    /// In the fees and events of so many of the newest loaded transactions.
    pub(crate) txs: usize,
    /// In the network file.
    pub(crate) is_listed: bool,
    /// Typed in this session.
    pub(crate) is_typed: bool,
}

/// A denom that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownDenom {
    /// As the chain writes it.
    pub(crate) denom: Denom,
    /// Its symbol, where the network file has one; hostile text.
    pub(crate) symbol: Option<String>,
    /// Decimals of its display unit, where the network file has them.
    pub(crate) decimals: Option<u8>,
    /// How it came to be known.
    pub(crate) seen: Seen,
}

/// How closely one looks for denoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// At the newest blocks, as for every key that is typed.
    Glance,
    /// At all blocks and at many transactions, as for a list to choose from.
    Search,
}

/// What was seen of each denom so far.
#[derive(Default)]
struct Sightings(BTreeMap<Denom, Seen>);

impl Sightings {
    fn see(&mut self, denom: Denom, note: impl FnOnce(&mut Seen)) {
        if Denom::is_fit(denom.as_str()) && (self.0.len() < KNOWN || self.0.contains_key(&denom)) {
            note(self.0.entry(denom).or_default());
        }
    }
}

/// Every denom in a transaction's fee, and in its events where they tell of coins.
fn denoms_of(row: &TxRow) -> BTreeSet<Denom> {
    let decoded = story::decode(&row.tx);
    let is_money = |key: &str| matches!(key, "amount" | "fee");
    let attributes = decoded.events.iter().flat_map(|event| &event.attributes);
    let moved = attributes.filter(|(key, _)| is_money(key)).filter_map(|(_, value)| parse_coins(value).ok()).flatten();
    // Relayers declare a fee of nothing in a denom that need not exist.
    decoded.fee.into_iter().chain(moved).filter(|coin| !coin.amount.is_zero()).map(|coin| coin.denom).collect()
}

impl KnownDenom {
    /// Its symbol, else the denom in short; hostile text.
    pub(crate) fn name(&self) -> String {
        self.symbol.clone().unwrap_or_else(|| self.denom.short())
    }
}

impl App {
    pub(super) fn loaded_blocks(&self) -> impl Iterator<Item = &BlockRow> {
        let rows = |tab| match self.navigation.view(Navigation::root(tab)) {
            Some(View::Overview(view)) => Some(view.blocks.rows().iter()),
            Some(View::Blocks(view)) => Some(view.list.rows().iter()),
            _ => None,
        };
        [Tab::Overview, Tab::Blocks].into_iter().filter_map(rows).flatten()
    }

    pub(super) fn loaded_txs(&self) -> impl Iterator<Item = &TxRow> {
        let rows = |tab| match self.navigation.view(Navigation::root(tab)) {
            Some(View::Overview(view)) => Some(view.txs.rows().iter()),
            Some(View::Txs(view)) => Some(view.list.rows().iter()),
            _ => None,
        };
        [Tab::Overview, Tab::Txs].into_iter().filter_map(rows).flatten()
    }

    /// All denoms that are known, the most seen first; then as the network file has them, then as they were typed.
    pub(super) fn known_denoms(&self, look: Look) -> Vec<KnownDenom> {
        let mut sightings = Sightings::default();
        let listed: Vec<Denom> = self.network.tokens.iter().map(|token| Denom::new(token.denom.as_str())).collect();
        for denom in &listed {
            sightings.see(denom.clone(), |seen| seen.is_listed = true);
        }
        let rich_list = match self.navigation.view(Navigation::root(Tab::RichList)) {
            Some(View::RichList(view)) => Some(view),
            _ => None,
        };
        let typed = rich_list.map_or(&[][..], |view| view.typed());
        for denom in typed {
            sightings.see(denom.clone(), |seen| seen.is_typed = true);
        }
        if let Some(shown) = rich_list.and_then(|view| view.denom.clone()) {
            sightings.see(shown, |_| {});
        }
        self.look_for_denoms_at(look, &mut sightings);
        let mut known: Vec<KnownDenom> = sightings.0.into_iter().map(|(denom, seen)| self.known(denom, seen)).collect();
        known.sort_by_cached_key(|known| {
            let place = listed.iter().chain(typed).position(|denom| *denom == known.denom);
            (Reverse((known.seen.blocks, known.seen.txs)), place.unwrap_or(usize::MAX))
        });
        known
    }

    fn look_for_denoms_at(&self, look: Look, sightings: &mut Sightings) {
        let (blocks, txs) = match look {
            Look::Glance => (GLANCED_AT, 0),
            Look::Search => (usize::MAX, LOOKED_THROUGH),
        };
        let mut heights = BTreeSet::new();
        for block in self.loaded_blocks().filter(|row| heights.insert(row.0.height)).take(blocks) {
            for coin in block.0.fees().into_iter().filter(|coin| !coin.amount.is_zero()) {
                sightings.see(coin.denom, |seen| seen.blocks += 1);
            }
        }
        let mut hashes = BTreeSet::new();
        for tx in self.loaded_txs().filter(|row| hashes.insert(row.tx.txhash)).take(txs) {
            for denom in denoms_of(tx) {
                sightings.see(denom, |seen| seen.txs += 1);
            }
        }
    }

    fn known(&self, denom: Denom, seen: Seen) -> KnownDenom {
        let token = self.token(&denom);
        let (symbol, decimals) = (token.map(|token| token.symbol.clone()), token.map(|token| token.decimals));
        KnownDenom { denom, symbol, decimals, seen }
    }
}
