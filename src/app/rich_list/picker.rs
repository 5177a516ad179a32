//! Choosing a denom.

use crate::{
    app::{
        App,
        denoms::{KnownDenom, Seen},
        modal::Modal,
        view::View,
    },
    domain::Denom,
    widgets::picker::{Pickable, Picker, Searched},
};

/// Typed denoms that are kept at the most.
const TYPED: usize = 50;

impl Pickable for KnownDenom {
    fn texts(&self) -> Vec<Searched<'_>> {
        let symbol = self.symbol.as_deref().map(|symbol| Searched::Name(symbol.into()));
        symbol.into_iter().chain([Searched::Id(self.denom.as_str().into())]).collect()
    }
}

/// What was typed as a denom, where it can be one and is not known as such.
pub(in crate::app) fn typed_denom(picker: &Picker<KnownDenom>) -> Option<KnownDenom> {
    let text = picker.text();
    let is_known = || picker.choices().iter().any(|known| known.denom.as_str() == text);
    let seen = Seen { is_typed: true, ..Seen::default() };
    let typed = || KnownDenom { denom: Denom::new(text), symbol: None, decimals: None, seen };
    (Denom::is_fit(text) && !is_known()).then(typed)
}

impl App {
    /// `f` on the rich list's tab.
    pub(in crate::app) fn pick_denom(&mut self) {
        self.look_for_denoms();
        if let View::RichList(view) = self.navigation.current() {
            let shown = view.denom.clone();
            let picker = Picker::new(view.known.clone()).marking(|known| Some(&known.denom) == shown.as_ref());
            self.open_modal(Modal::Denoms(picker));
        }
    }

    pub(in crate::app) fn apply_denom(&mut self) {
        let Some(Modal::Denoms(picker)) = &self.modal else { return };
        let Some(denom) = picker.selected().map(|known| known.denom.clone()) else { return };
        let is_typed = typed_denom(picker).is_some_and(|typed| typed.denom == denom);
        self.modal = None;
        if let View::RichList(view) = self.navigation.current_mut()
            && is_typed
        {
            view.typed.retain(|known| *known != denom);
            view.typed.insert(0, denom.clone());
            view.typed.truncate(TYPED);
        }
        self.open_rich_list(denom);
        self.look_for_denoms();
    }
}
