//! The denoms that can be chosen: those seen in what is loaded, those of the network file, those that were typed.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use super::RichListView;
use crate::{
    app::{
        App,
        navigation::Navigation,
        rows::{BlockRow, TxRow},
        view::{Tab, View},
    },
    domain::{Denom, parse_coins},
    story,
};

/// Denoms to choose from at the most.
const KNOWN: usize = 400;
/// Transactions that are looked through for denoms; decoding one takes about a tenth of a millisecond.
const LOOKED_THROUGH: usize = 100;

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

/// A denom that can be chosen.
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

impl App {
    fn loaded_blocks(&self) -> impl Iterator<Item = &BlockRow> {
        let rows = |tab| match self.navigation.view(Navigation::root(tab)) {
            Some(View::Overview(view)) => Some(view.blocks.rows().iter()),
            Some(View::Blocks(view)) => Some(view.list.rows().iter()),
            _ => None,
        };
        [Tab::Overview, Tab::Blocks].into_iter().filter_map(rows).flatten()
    }

    fn loaded_txs(&self) -> impl Iterator<Item = &TxRow> {
        let rows = |tab| match self.navigation.view(Navigation::root(tab)) {
            Some(View::Overview(view)) => Some(view.txs.rows().iter()),
            Some(View::Txs(view)) => Some(view.list.rows().iter()),
            _ => None,
        };
        [Tab::Overview, Tab::Txs].into_iter().filter_map(rows).flatten()
    }

    /// All denoms that are known, the most seen first; then as the network file has them, then as they were typed.
    pub(super) fn denoms_in_sight(&self, typed: &[Denom]) -> Vec<KnownDenom> {
        let mut sightings = Sightings::default();
        let listed: Vec<Denom> = self.network.tokens.iter().map(|token| Denom::new(token.denom.as_str())).collect();
        for denom in &listed {
            sightings.see(denom.clone(), |seen| seen.is_listed = true);
        }
        for denom in typed {
            sightings.see(denom.clone(), |seen| seen.is_typed = true);
        }
        let mut heights = BTreeSet::new();
        for block in self.loaded_blocks().filter(|row| heights.insert(row.0.height)) {
            for coin in block.0.fees().into_iter().filter(|coin| !coin.amount.is_zero()) {
                sightings.see(coin.denom, |seen| seen.blocks += 1);
            }
        }
        let mut hashes = BTreeSet::new();
        for tx in self.loaded_txs().filter(|row| hashes.insert(row.tx.txhash)).take(LOOKED_THROUGH) {
            for denom in denoms_of(tx) {
                sightings.see(denom, |seen| seen.txs += 1);
            }
        }
        let mut known: Vec<KnownDenom> = sightings.0.into_iter().map(|(denom, seen)| self.known(denom, seen)).collect();
        known.sort_by_cached_key(|known| {
            let place = listed.iter().chain(typed).position(|denom| *denom == known.denom);
            (Reverse((known.seen.blocks, known.seen.txs)), place.unwrap_or(usize::MAX))
        });
        known
    }

    fn known(&self, denom: Denom, seen: Seen) -> KnownDenom {
        let token = self.token(&denom);
        let (symbol, decimals) = (token.map(|token| token.symbol.clone()), token.map(|token| token.decimals));
        KnownDenom { denom, symbol, decimals, seen }
    }

    /// On the rich list's tab without a denom: takes the most seen one, which pays the fees. While the first blocks are
    /// on their way nothing is chosen; where none names a denom, the network's first token is.
    pub(in crate::app) fn choose_denom(&mut self) {
        let View::RichList(view) = self.navigation.current() else { return };
        let held = self.loaded_blocks().count() + self.loaded_txs().count();
        let is_awaiting = self.awaits_first_rows();
        if view.denom.is_some() || view.searched == Some((held, is_awaiting)) {
            return;
        }
        let known = self.denoms_in_sight(&view.typed);
        let is_seen = |known: &&KnownDenom| known.seen.blocks + known.seen.txs > 0;
        let best = known.iter().find(is_seen).or_else(|| known.first().filter(|_| !is_awaiting));
        let best = best.map(|known| known.denom.clone());
        if let View::RichList(view) = self.navigation.current_mut() {
            view.searched = Some((held, is_awaiting));
            view.known = known;
        }
        if let Some(denom) = best {
            self.show_rich_list(denom);
        }
    }

    /// Whether the first blocks or transactions are still on their way.
    pub(crate) fn awaits_first_rows(&self) -> bool {
        match self.navigation.view(Navigation::root(Tab::Overview)) {
            Some(View::Overview(view)) => view.blocks.state.is_loading() || view.txs.state.is_loading(),
            _ => false,
        }
    }

    /// Looks again which denoms are known.
    pub(super) fn look_for_denoms(&mut self) {
        let View::RichList(view) = self.navigation.current() else { return };
        let known = self.denoms_in_sight(&view.typed);
        if let View::RichList(view) = self.navigation.current_mut() {
            view.known = known;
        }
    }

    /// The next or the previous one of the known denoms, in the order of the picker.
    pub(in crate::app) fn step_denom(&mut self, step: isize) {
        if let View::RichList(view) = self.navigation.current()
            && view.known.len() < 2
        {
            self.look_for_denoms();
        }
        let View::RichList(view) = self.navigation.current() else { return };
        match view.neighbour(step) {
            Some(denom) => self.show_rich_list(denom),
            None => self.say("no further denom is known in this direction"),
        }
    }
}

impl RichListView {
    fn neighbour(&self, step: isize) -> Option<Denom> {
        let place = self.known.iter().position(|known| Some(&known.denom) == self.denom.as_ref());
        let next = match place {
            Some(place) => place.checked_add_signed(step)?,
            None => 0,
        };
        self.known.get(next).map(|known| known.denom.clone())
    }
}
