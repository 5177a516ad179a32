//! The view that a session ends with, and the next one begins with.

use super::{
    navigation::Navigation,
    page::{Destination, Tab},
};
use crate::{
    domain::{KeptView, Target, classify},
    msg::{Answer, Instruction},
    wire::ApiError,
};

/// What is known of the view that the session before ended with.
#[derive(Debug, Default)]
pub(crate) struct LastView {
    /// Whether the store answered: before, what is on screen is nobody's choice.
    is_known: bool,
    /// What its page was of: opened once the chain proves to be the one that it was on.
    of: Option<Target>,
    /// Whether a person chose something by then.
    pub(super) is_overtaken: bool,
    /// What is kept of this session.
    kept: Option<KeptView>,
}

impl LastView {
    /// The store has the last view, or none. Its tab, unless a person went elsewhere already.
    pub(super) fn take(&mut self, result: Result<Answer, ApiError>) -> Option<Tab> {
        self.is_known = true;
        let Ok(Answer::View(Some(view))) = result else { return None };
        let tab = Tab::ALL.into_iter().find(|tab| tab.to_string() == view.tab).filter(|_| !self.is_overtaken)?;
        self.of = view.of.as_deref().and_then(|of| classify(of).ok()?.into_iter().next());
        self.kept = Some(view);
        Some(tab)
    }

    /// The chain is known: what was looked at last is of it and is to be opened, or is forgotten.
    pub(crate) fn resume(&mut self, is_same_chain: bool) -> Option<Target> {
        let is_wanted = is_same_chain && !self.is_overtaken;
        self.of.take().filter(|target| is_wanted && Destination::of(target).is_some())
    }

    /// Has the store keep what is on screen, where it is another than before.
    pub(super) fn keep(&mut self, navigation: &Navigation) -> Option<Instruction> {
        // While the last page waits for its chain it is still the view.
        if !self.is_known || self.of.is_some() && !self.is_overtaken {
            return None;
        }
        let page = navigation.current();
        let of = match navigation.shown_root() {
            Some(_) => page.shown_denom().map(Target::Denom),
            None => navigation.shown_target().cloned(),
        };
        let view = KeptView { tab: page.tab().to_string(), of: of.map(|target| target.tagged()) };
        if self.kept.as_ref() == Some(&view) {
            return None;
        }
        self.kept = Some(view.clone());
        Some(Instruction::KeepView(view))
    }
}
