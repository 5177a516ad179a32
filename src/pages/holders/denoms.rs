//! Which denom the rich list shows, and which ones lie beside it.

use super::{HoldersPage, state::DenomSearch};
use crate::{
    app::{
        known_denom::{DenomSearchDepth, KnownDenom},
        page::Cx,
        prompt::Prompt,
    },
    domain::{Denom, text},
    widgets::picker::Picker,
};

/// Typed denoms that are kept at the most.
const TYPED: usize = 50;
/// Known denoms from which on nobody looks for more by itself.
const ENOUGH: usize = 2;

impl HoldersPage {
    /// How closely one looks for denoms now.
    pub(super) fn look(&self) -> Option<DenomSearchDepth> {
        if self.search.is_some() {
            Some(DenomSearchDepth::Search)
        } else if self.denom.is_none() {
            Some(DenomSearchDepth::SearchNews)
        } else {
            // A glance tells of those in the network file and in the newest blocks.
            (self.known.len() < ENOUGH).then_some(DenomSearchDepth::Glance)
        }
    }

    /// What was looked for came.
    pub(super) fn take_denoms(&mut self, known: Vec<KnownDenom>, cx: &mut Cx<'_>) {
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

    /// Takes the most seen denom, which pays the fees. While the first blocks are on their way nothing else is chosen;
    /// where none names a denom, the network's first token is.
    fn choose_by_itself(&mut self, cx: &mut Cx<'_>) {
        let is_seen = |known: &&KnownDenom| known.seen.blocks + known.seen.txs > 0;
        let first = || self.known.first().filter(|_| !cx.awaits_first_rows);
        let best = self.known.iter().find(is_seen).or_else(first);
        if let Some(denom) = best.map(|known| known.denom.clone()) {
            self.show_named(denom, cx);
        }
    }

    /// Shows the holders of this denom under the name that the network file has for it.
    pub(super) fn show_named(&mut self, denom: Denom, cx: &mut Cx<'_>) {
        let symbol = cx.token(&denom).map(|token| text::clip(&token.symbol, 16));
        self.show(denom, symbol);
        cx.redraw();
    }

    fn pick(&self, cx: &mut Cx<'_>) {
        let shown = self.denom.as_ref();
        let picker = Picker::new(self.known.clone()).marking(|known| Some(&known.denom) == shown);
        cx.ask(Prompt::Denoms(picker));
    }

    /// A denom was picked; one that is not known was typed.
    pub(super) fn remember_typed(&mut self, denom: &Denom) {
        if !self.known.iter().any(|known| known.denom == *denom) {
            self.typed.retain(|known| known != denom);
            self.typed.insert(0, denom.clone());
            self.typed.truncate(TYPED);
        }
    }

    /// The next or the previous one of the known denoms, in the order of the picker. Few known ones are looked for first.
    pub(super) fn step_denom(&mut self, step: isize, cx: &mut Cx<'_>) {
        if self.known.len() < ENOUGH {
            self.search = Some(DenomSearch::Step(step));
        } else {
            self.step(step, cx);
        }
    }

    fn step(&mut self, step: isize, cx: &mut Cx<'_>) {
        match self.neighbour_of(step) {
            Some(denom) => self.show_named(denom, cx),
            None => cx.refuse("no further denom is known in this direction"),
        }
    }

    /// Whether a denom is known before the shown one, and one after it.
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
