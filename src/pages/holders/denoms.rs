//! Which denom the rich list shows.

use super::RichListView;
use crate::{
    app::{
        App,
        denoms::{KnownDenom, Look},
        navigation::Navigation,
        page::Tab,
        view::View,
    },
    domain::Denom,
};

impl App {
    /// On the rich list's tab without a denom: takes the most seen one, which pays the fees. While the first blocks are
    /// on their way nothing is chosen; where none names a denom, the network's first token is.
    pub(in crate::app) fn choose_denom(&mut self) {
        let View::RichList(view) = self.navigation.current() else { return };
        let held = self.loaded_blocks().count() + self.loaded_txs().count();
        let is_awaiting = self.is_awaiting_first_rows();
        if view.denom.is_some() || view.searched == Some((held, is_awaiting)) {
            return;
        }
        let known = self.known_denoms(Look::Search);
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
    pub(in crate::app) fn is_awaiting_first_rows(&self) -> bool {
        match self.navigation.view(Navigation::root(Tab::Overview)) {
            Some(View::Overview(view)) => view.blocks.state.is_loading() || view.txs.state.is_loading(),
            _ => false,
        }
    }

    /// Looks again which denoms are known.
    pub(super) fn look_for_denoms(&mut self) {
        if !matches!(self.navigation.current(), View::RichList(_)) {
            return;
        }
        let known = self.known_denoms(Look::Search);
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
            None => self.refuse("no further denom is known in this direction"),
        }
    }
}

impl App {
    /// Whether a denom is known before the shown one, and one after it. Few known ones are looked for when they are asked
    /// for.
    pub(in crate::app) fn denom_siblings(&self) -> [bool; 2] {
        let View::RichList(view) = self.navigation.current() else { return [false; 2] };
        let here = view.denom.as_ref();
        if view.known.len() < 2 {
            // A glance tells of those in the network file and in the newest blocks.
            let known = self.known_denoms(Look::Glance);
            let place = known.iter().position(|known| Some(&known.denom) == here);
            return [
                place.is_some_and(|place| place > 0),
                place.map_or(!known.is_empty(), |place| place + 1 < known.len()),
            ];
        }
        [-1, 1].map(|step| view.neighbour(step).is_some())
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
