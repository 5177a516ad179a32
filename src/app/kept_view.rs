//! View that the session ended with, restored at the next start.

use super::{
    navigation::Navigation,
    page::{Destination, Tab},
};
use crate::{
    domain::{KeptView, Target, classify},
    msg::Instruction,
};

/// View of the previous session.
#[derive(Debug, Default)]
pub(crate) struct LastView {
    /// Whether the store has answered: until then the screen does not show the user's choice.
    is_known: bool,
    /// Target of the stored view, reopened once the chain is confirmed.
    of: Option<Target>,
    /// Whether the user navigated before that.
    pub(super) is_overtaken: bool,
    /// Last view sent to the store.
    kept: Option<KeptView>,
}

impl LastView {
    /// Takes the stored view; returns its tab unless the user navigated already.
    pub(super) fn take(&mut self, view: Option<KeptView>) -> Option<Tab> {
        self.is_known = true;
        let view = view?;
        let tab = Tab::ALL.into_iter().find(|tab| tab.to_string() == view.tab).filter(|_| !self.is_overtaken)?;
        self.of = view.of.as_deref().and_then(|of| classify(of).ok()?.into_iter().next());
        self.kept = Some(view);
        Some(tab)
    }

    /// Returns the target to reopen if the chain is the same; drops the target otherwise.
    pub(crate) fn resume(&mut self, is_same_chain: bool) -> Option<Target> {
        let is_wanted = is_same_chain && !self.is_overtaken;
        self.of.take().filter(|target| is_wanted && Destination::of(target).is_some())
    }

    /// Returns the instruction that stores the current view if it changed.
    pub(super) fn keep(&mut self, navigation: &Navigation) -> Option<Instruction> {
        // A view that waits for its chain is still the stored one.
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
