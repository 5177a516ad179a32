//! The view that a session ends with, and the next one begins with.

use super::{
    App,
    page::{Destination, Tab},
};
use crate::{
    domain::{KeptView, Target, classify},
    msg::{Answer, Instruction},
    wire::ApiError,
};

/// What is known of the view that the session before ended with.
#[derive(Debug, Default)]
pub(super) struct LastView {
    /// Whether the store answered: before, what is on screen is nobody's choice.
    is_known: bool,
    /// What its page was of: opened once the chain proves to be the one that it was on.
    of: Option<Target>,
    /// Whether a person chose something by then.
    pub(super) is_overtaken: bool,
    /// What is kept of this session.
    kept: Option<KeptView>,
}

impl App {
    /// The store has the last view, or none: its tab is shown, unless a person went elsewhere already.
    pub(super) fn take_last_view(&mut self, result: Result<Answer, ApiError>) {
        self.last_view.is_known = true;
        let Ok(Answer::View(Some(view))) = result else { return };
        let tab = Tab::ALL.into_iter().find(|tab| tab.to_string() == view.tab);
        if let Some(tab) = tab.filter(|_| !self.last_view.is_overtaken) {
            self.navigation.begin_with(tab);
            self.last_view.of = view.of.as_deref().and_then(|of| classify(of).ok()?.into_iter().next());
            self.last_view.kept = Some(view);
            self.effects.redraw = true;
        }
    }

    /// The chain is known: what was looked at last is of it, or is forgotten.
    pub(crate) fn resume_view(&mut self, is_same_chain: bool) {
        let Some(target) = self.last_view.of.take() else { return };
        if is_same_chain && !self.last_view.is_overtaken && Destination::of(&target).is_some() {
            self.open_target(&target);
        }
    }

    /// Has the store keep what is on screen, where it is another than before.
    pub(super) fn keep_view(&mut self) {
        // While the last page waits for its chain it is still the view.
        if !self.last_view.is_known || self.last_view.of.is_some() && !self.last_view.is_overtaken {
            return;
        }
        let page = self.navigation.current();
        let of = match self.navigation.shown_root() {
            Some(_) => page.shown_denom().map(Target::Denom),
            None => self.navigation.shown_target().cloned(),
        };
        let view = KeptView { tab: page.tab().to_string(), of: of.map(|target| target.tagged()) };
        if self.last_view.kept.as_ref() != Some(&view) {
            self.requests.instruct(Instruction::KeepView(view.clone()));
            self.last_view.kept = Some(view);
        }
    }
}
