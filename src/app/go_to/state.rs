use std::sync::Arc;

use super::{known::KnownTarget, tracking::TrackOffer};
use crate::{
    domain::Target,
    msg::Answer,
    widgets::picker::{Pickable, Picker, SearchText},
};

#[derive(Debug)]
pub(crate) struct GoTo {
    /// What was typed, and what matches or continues it, recents first.
    pub(crate) picker: Picker<Suggestion>,
    /// What that was understood as so far, in a sentence.
    pub(crate) understood: Option<String>,
    /// Why what was typed leads nowhere.
    pub(crate) problem: Option<String>,
    /// Its readings, where several are possible and are looked up.
    pub(crate) probes: Vec<Probe>,
    /// What is said of another chain that a web address names.
    pub(super) elsewhere: Option<String>,
    /// What was loaded when it was opened.
    pub(super) loaded: Option<Arc<[KnownTarget]>>,
}

/// Something to go to that matches what was typed.
#[derive(Clone, Debug)]
pub(crate) struct Suggestion {
    /// What it is; several where an old recent does not say.
    pub(crate) targets: Vec<Target>,
    /// Its name, cleaned.
    pub(crate) label: String,
    pub(crate) source: SuggestionSource,
    /// Whether it holds what was typed in one piece.
    pub(super) is_close: bool,
    /// What it is where it is tracked and not opened.
    pub(crate) track: Option<TrackOffer>,
}

impl Pickable for Suggestion {
    /// None: suggestions are looked for by what they name.
    fn texts(&self) -> Vec<SearchText<'_>> {
        Vec::new()
    }
}

/// Where a suggestion is known from. Lists keep this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum SuggestionSource {
    /// Opened before.
    Recent,
    /// Loaded in this session.
    Loaded,
    /// A person's own name of an account.
    Yours,
    /// The network's known tokens.
    Network,
    /// The server's answer.
    Server,
    /// What was typed, taken for what it may be.
    Typed,
    /// Looked up and found.
    Found,
    /// The router may know it.
    Router,
}

/// One reading of what was typed, being looked up.
#[derive(Debug)]
pub(crate) struct Probe {
    pub(crate) target: Target,
    pub(super) outcome: Outcome,
}

/// How a look-up went.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Not known yet.
    Awaited,
    /// It exists.
    Found(Answer),
    /// It does not.
    Absent,
    /// That cannot be said.
    Failed,
}

impl GoTo {
    /// With a text in the input.
    pub(crate) fn of(text: String) -> Self {
        let picker = Picker::default().beginning_at_input().with_text(text);
        let (understood, problem, elsewhere, loaded) = (None, None, None, None);
        Self { picker, understood, problem, probes: Vec::new(), elsewhere, loaded }
    }

    /// Whether readings are being looked up.
    pub(crate) fn is_waiting(&self) -> bool {
        self.probes.iter().any(|probe| matches!(probe.outcome, Outcome::Awaited))
    }

    /// Whether several readings were found, to choose from.
    pub(crate) fn is_choice(&self) -> bool {
        self.picker.choices().first().is_some_and(|suggestion| suggestion.source == SuggestionSource::Found)
    }

    /// Takes the answer for a reading that was found.
    pub(super) fn take_answer(&mut self, target: &Target) -> Option<Answer> {
        let probe = self.probes.iter_mut().find(|probe| probe.target == *target)?;
        match std::mem::replace(&mut probe.outcome, Outcome::Absent) {
            Outcome::Found(answer) => Some(answer),
            _ => None,
        }
    }

    /// Forgets what belongs to another text, and offers these.
    pub(super) fn begin_anew(&mut self, suggestions: Vec<Suggestion>) {
        (self.problem, self.elsewhere) = (None, None);
        self.picker.offer(suggestions, None);
        self.probes.clear();
    }
}
