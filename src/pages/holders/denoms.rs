//! Selection of the rich list's denom, and the denoms before and after it.

use super::{HoldersPage, state::DenomSearch};
use crate::{
    app::{
        known_denom::{DenomSearchDepth, KnownDenom},
        page::PageCx,
        prompt::Prompt,
    },
    domain::{Denom, text},
    widgets::picker::Picker,
};

/// Maximum typed denoms to remember.
const TYPED: usize = 50;
/// Number of known denoms from which no automatic search is needed.
const ENOUGH: usize = 2;

impl HoldersPage {
    /// Returns how deep to search for denoms now.
    pub(super) fn look(&self) -> Option<DenomSearchDepth> {
        if self.search.is_some() {
            Some(DenomSearchDepth::Search)
        } else if self.denom.is_none() {
            Some(DenomSearchDepth::SearchNews)
        } else {
            // The quick search covers the network file and the newest blocks.
            (self.known.len() < ENOUGH).then_some(DenomSearchDepth::Glance)
        }
    }

    pub(super) fn take_denoms(&mut self, known: Vec<KnownDenom>, cx: &mut PageCx<'_>) {
        if self.look() == Some(DenomSearchDepth::Glance) {
            self.glanced = self.beside(&known);
            return;
        }
        self.known = known;
        match self.search.take() {
            None if self.denom.is_none() => self.choose_by_itself(cx),
            None | Some(DenomSearch::Keep) => {}
            Some(DenomSearch::Choose) => self.pick(cx),
            Some(DenomSearch::Step(step)) => self.step(step, cx),
        }
        self.glanced = self.beside(&self.known);
    }

    /// Selects the most frequent denom, which pays the fees. Waits for the first blocks; if they name no denom, takes
    /// the network's first token.
    fn choose_by_itself(&mut self, cx: &mut PageCx<'_>) {
        let is_seen = |known: &&KnownDenom| known.seen.blocks + known.seen.txs > 0;
        let first = || self.known.first().filter(|_| !cx.context.awaits_first_rows);
        let best = self.known.iter().find(is_seen).or_else(first);
        if let Some(denom) = best.map(|known| known.denom.clone()) {
            self.show_named(denom, cx);
        }
    }

    /// Shows the holders of a denom, with its symbol from the network file.
    pub(super) fn show_named(&mut self, denom: Denom, cx: &mut PageCx<'_>) {
        let symbol = cx.context.token(&denom).map(|token| text::clip(&token.symbol, 16));
        self.show(denom, symbol);
        cx.redraw();
    }

    fn pick(&self, cx: &mut PageCx<'_>) {
        let shown = self.denom.as_ref();
        let picker = Picker::new(self.known.clone()).marking(|known| Some(&known.denom) == shown);
        cx.ask(Prompt::Denoms(picker));
    }

    /// Remembers a typed denom, unless it is already known.
    pub(super) fn remember_typed(&mut self, denom: &Denom) {
        if !self.known.iter().any(|known| known.denom == *denom) {
            self.typed.retain(|known| known != denom);
            self.typed.insert(0, denom.clone());
            self.typed.truncate(TYPED);
        }
    }

    /// Selects the next or previous known denom in the picker's order; searches first if few are known.
    pub(super) fn step_denom(&mut self, step: isize, cx: &mut PageCx<'_>) {
        if self.known.len() < ENOUGH {
            self.search = Some(DenomSearch::Step(step));
        } else {
            self.step(step, cx);
        }
    }

    fn step(&mut self, step: isize, cx: &mut PageCx<'_>) {
        match self.neighbour_of(step) {
            Some(denom) => self.show_named(denom, cx),
            None => cx.refuse("no further known denom"),
        }
    }

    /// Returns whether a denom lies before and after the current denom.
    pub(super) fn has_denoms_beside(&self) -> [bool; 2] {
        if self.known.len() < ENOUGH { self.glanced } else { [-1, 1].map(|step| self.neighbour_of(step).is_some()) }
    }

    fn beside(&self, known: &[KnownDenom]) -> [bool; 2] {
        match known.iter().position(|known| Some(&known.denom) == self.denom.as_ref()) {
            Some(place) => [place > 0, place + 1 < known.len()],
            None => [false, !known.is_empty()],
        }
    }

    fn neighbour_of(&self, step: isize) -> Option<Denom> {
        let place = self.known.iter().position(|known| Some(&known.denom) == self.denom.as_ref());
        let next = match place {
            Some(place) => place.checked_add_signed(step)?,
            None => 0,
        };
        self.known.get(next).map(|known| known.denom.clone())
    }
}
