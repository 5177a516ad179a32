//! View with which a session ends. The next session restores it.

use super::{
    navigation::Navigation,
    page::{Destination, Tab},
};
use crate::{
    domain::{KeptView, Target, classify},
    msg::Instruction,
};

/// View of the previous session, and the view to store next.
#[derive(Debug, Default)]
pub(crate) struct LastView {
    /// Whether the store has answered. Before that, the user has not chosen the view on screen.
    is_known: bool,
    /// Target of the stored view. It opens when the chain is confirmed.
    of: Option<Target>,
    /// Whether the user went elsewhere before that.
    pub(super) is_overtaken: bool,
    kept: Option<KeptView>,
}

impl LastView {
    /// Takes the stored view. Returns its tab, unless the user has opened another page.
    pub(super) fn take(&mut self, view: Option<KeptView>) -> Option<Tab> {
        self.is_known = true;
        let view = view?;
        let tab = Tab::ALL.into_iter().find(|tab| tab.to_string() == view.tab).filter(|_| !self.is_overtaken)?;
        self.of = view.of.as_deref().and_then(|of| classify(of).ok()?.into_iter().next());
        self.kept = Some(view);
        Some(tab)
    }

    /// Returns the target to open, if the chain is the view's; else drops it.
    pub(crate) fn resume(&mut self, is_same_chain: bool) -> Option<Target> {
        let is_wanted = is_same_chain && !self.is_overtaken;
        self.of.take().filter(|target| is_wanted && Destination::of(target).is_some())
    }

    /// Returns the instruction that stores the current view, if it changed.
    pub(super) fn keep(&mut self, navigation: &Navigation) -> Option<Instruction> {
        // A view that waits for its chain is still the stored view.
        if !self.is_known || self.of.is_some() && !self.is_overtaken {
            return None;
        }
        let page = navigation.current();
        let of = match navigation.shown_root() {
            Some(_) => page.place().denom.map(Target::Denom),
            None => navigation.shown_target().cloned(),
        };
        let view = KeptView { tab: page.place().tab.to_string(), of: of.map(|target| target.tagged()) };
        if self.kept.as_ref() == Some(&view) {
            return None;
        }
        self.kept = Some(view.clone());
        Some(Instruction::KeepView(view))
    }
}
