use std::sync::Arc;

use super::{known::KnownTarget, tracking::TrackOffer};
use crate::{
    app::page::FoundTarget,
    domain::Target,
    widgets::picker::{Pickable, Picker, SearchText},
};

#[derive(Debug)]
pub(crate) struct GoTo {
    /// Typed text with its matches and completions, recents first.
    pub(crate) picker: Picker<Suggestion>,
    /// Meaning of the text so far, in a sentence.
    pub(crate) understood: Option<String>,
    /// Why the text leads nowhere.
    pub(crate) problem: Option<String>,
    /// Possible readings of the text, if several are looked up.
    pub(crate) probes: Vec<Probe>,
    /// Note about another chain that a URL names.
    pub(super) elsewhere: Option<String>,
    /// Targets loaded before it was opened.
    pub(super) loaded: Option<Arc<[KnownTarget]>>,
}

/// Target that matches the text.
#[derive(Clone, Debug)]
pub(crate) struct Suggestion {
    /// Several if an old recent is ambiguous.
    pub(crate) targets: Vec<Target>,
    pub(crate) label: String,
    pub(crate) source: SuggestionSource,
    /// Whether the text matches as one contiguous part.
    pub(super) is_close: bool,
    /// Offer to track it instead of opening.
    pub(crate) track: Option<TrackOffer>,
}

impl Pickable for Suggestion {
    /// Returns the text of the target, for the picker's search.
    fn texts(&self) -> Vec<SearchText<'_>> {
        Vec::new()
    }
}

/// Source of a suggestion. Lists keep this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum SuggestionSource {
    /// Opened before.
    Recent,
    Loaded,
    /// Account with the user's own name.
    Yours,
    /// Known token of the network.
    Network,
    Server,
    Typed,
    Found,
    Router,
}

/// Reading of the text that is being looked up.
#[derive(Debug)]
pub(crate) struct Probe {
    pub(crate) target: Target,
    pub(super) outcome: Outcome,
}

/// Result of a lookup.
#[derive(Debug)]
pub(super) enum Outcome {
    Awaited,
    Found(FoundTarget),
    /// Target does not exist.
    Absent,
    /// Unknown, because the request failed.
    Failed,
}

impl GoTo {
    /// Creates the state with a text in the input.
    pub(crate) fn of(text: String) -> Self {
        let picker = Picker::default().beginning_at_input().with_text(text);
        let (understood, problem, elsewhere, loaded) = (None, None, None, None);
        Self { picker, understood, problem, probes: Vec::new(), elsewhere, loaded }
    }

    /// Whether lookups are pending.
    pub(crate) fn is_waiting(&self) -> bool {
        self.probes.iter().any(|probe| matches!(probe.outcome, Outcome::Awaited))
    }

    /// Whether several readings exist.
    pub(crate) fn is_choice(&self) -> bool {
        self.picker.choices().first().is_some_and(|suggestion| suggestion.source == SuggestionSource::Found)
    }

    /// Takes the record of a reading that was found.
    pub(super) fn take_found(&mut self, target: &Target) -> Option<FoundTarget> {
        let probe = self.probes.iter_mut().find(|probe| probe.target == *target)?;
        match std::mem::replace(&mut probe.outcome, Outcome::Absent) {
            Outcome::Found(found) => Some(found),
            _ => None,
        }
    }

    /// Clears the state of the previous text and shows the given suggestions.
    pub(super) fn begin_anew(&mut self, suggestions: Vec<Suggestion>) {
        (self.problem, self.elsewhere) = (None, None);
        self.picker.offer(suggestions, None);
        self.probes.clear();
    }
}
