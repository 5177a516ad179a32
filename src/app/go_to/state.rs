use std::sync::Arc;

use super::{
    known::KnownTarget,
    time::TimeSearch,
    tracking::{SuggestedStep, TrackProbe},
};
use crate::{
    app::page::FoundTarget,
    domain::Target,
    widgets::picker::{Pickable, Picker, SearchText},
};

#[derive(Debug)]
pub(crate) struct GoTo {
    /// Typed text with its matches. Recents come first.
    pub(crate) picker: Picker<Suggestion>,
    /// Sentence on the meaning of the text typed so far.
    pub(crate) understood: Option<String>,
    /// Why the text leads to no page.
    pub(crate) problem: Option<String>,
    /// Readings of the text while they are looked up.
    pub(crate) probes: Vec<Probe>,
    /// Chains about which the router is asked, for a hash that this chain does not have.
    pub(super) track_probes: Vec<TrackProbe>,
    /// Problem without what the router says.
    pub(super) unanswered: Option<String>,
    /// Note that a URL names another chain.
    pub(super) elsewhere: Option<String>,
    /// Search for the block of a time.
    pub(super) time: Option<TimeSearch>,
    /// Index of the records that were loaded when the input opened.
    pub(super) loaded: Option<Arc<[KnownTarget]>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Suggestion {
    /// One target, or several for an old recent that is ambiguous.
    pub(crate) targets: Vec<Target>,
    pub(crate) label: String,
    pub(crate) source: SuggestionSource,
    /// Whether the text matches without gaps.
    pub(super) is_close: bool,
    /// What Enter does, if it opens no target.
    pub(crate) offer: Option<SuggestedStep>,
}

impl Pickable for Suggestion {
    fn texts(&self) -> Vec<SearchText<'_>> {
        Vec::new()
    }
}

/// Where a suggestion comes from, in the order of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum SuggestionSource {
    /// The user keeps the page.
    Bookmark,
    /// The user opened the target before.
    Recent,
    Loaded,
    /// The user named the target.
    Yours,
    /// The network file lists the token.
    Network,
    Server,
    Typed,
    Found,
    Router,
}

/// Reading of the text, and its lookup.
#[derive(Debug)]
pub(crate) struct Probe {
    pub(crate) target: Target,
    pub(super) outcome: Outcome,
}

/// Result of a reading's lookup.
#[derive(Debug)]
pub(super) enum Outcome {
    Awaited,
    Found(FoundTarget),
    /// The target does not exist.
    Absent,
    /// The request failed, so whether the target exists is unknown.
    Failed,
}

impl GoTo {
    pub(crate) fn of(text: String) -> Self {
        let picker = Picker::default().beginning_at_input().with_text(text);
        let (understood, problem, unanswered, elsewhere, loaded) = (None, None, None, None, None);
        let (probes, track_probes, time) = (Vec::new(), Vec::new(), None);
        Self { picker, understood, problem, probes, track_probes, unanswered, elsewhere, time, loaded }
    }

    /// Whether a lookup is pending.
    pub(crate) fn is_waiting(&self) -> bool {
        self.time.is_some() || self.probes.iter().any(|probe| matches!(probe.outcome, Outcome::Awaited))
    }

    /// Whether more than one reading exists.
    pub(crate) fn is_choice(&self) -> bool {
        self.picker.choices().first().is_some_and(|suggestion| suggestion.source == SuggestionSource::Found)
    }

    /// Returns the target of the bookmark under the cursor.
    pub(crate) fn marked_bookmark(&self) -> Option<&Target> {
        self.picker.selected().filter(|chosen| chosen.source == SuggestionSource::Bookmark)?.targets.first()
    }

    pub(super) fn take_found(&mut self, target: &Target) -> Option<FoundTarget> {
        let probe = self.probes.iter_mut().find(|probe| probe.target == *target)?;
        match std::mem::replace(&mut probe.outcome, Outcome::Absent) {
            Outcome::Found(found) => Some(found),
            _ => None,
        }
    }

    /// Drops the previous text's lookups and shows these suggestions.
    pub(super) fn begin_anew(&mut self, suggestions: Vec<Suggestion>) {
        (self.problem, self.elsewhere, self.time) = (None, None, None);
        self.picker.offer(suggestions, None);
        self.probes.clear();
        self.track_probes.clear();
    }
}
