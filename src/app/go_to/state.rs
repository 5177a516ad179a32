use std::sync::Arc;

use tui_input::Input;

use super::known::Known;
use crate::{domain::Target, msg::Answer};

/// The go-to input.
#[derive(Debug, Default)]
pub(crate) struct GoTo {
    /// What was typed.
    pub(crate) input: Input,
    /// What that was understood as so far, in a sentence.
    pub(crate) understood: Option<String>,
    /// What matches or continues it, recents first.
    pub(crate) suggestions: Vec<Suggestion>,
    /// The marked suggestion.
    pub(crate) marked: Option<usize>,
    /// Why what was typed leads nowhere.
    pub(crate) problem: Option<String>,
    /// Its readings, where several are possible and are looked up.
    pub(crate) probes: Vec<Probe>,
    /// What is said of another chain that a web address names.
    pub(super) elsewhere: Option<String>,
    /// What was loaded when it was opened.
    pub(super) loaded: Option<Arc<[Known]>>,
}

/// Something to go to that matches what was typed.
#[derive(Clone, Debug)]
pub(crate) struct Suggestion {
    /// What it is; several where an old recent does not say.
    pub(crate) targets: Vec<Target>,
    /// Its name, cleaned.
    pub(crate) label: String,
    /// Where it is known from.
    pub(crate) source: Source,
    /// Whether it holds what was typed in one piece.
    pub(super) is_close: bool,
}

/// Where a suggestion is known from. Lists keep this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Source {
    /// Opened before.
    Recent,
    /// Loaded in this session.
    Loaded,
    /// The network's known tokens.
    Network,
    /// The server's answer.
    Server,
    /// What was typed, taken for what it may be.
    Typed,
    /// Looked up and found.
    Found,
}

/// One reading of what was typed, being looked up.
#[derive(Debug)]
pub(crate) struct Probe {
    /// The reading.
    pub(crate) target: Target,
    /// How it went.
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
        Self { input: Input::new(text), ..Self::default() }
    }

    /// Whether readings are being looked up.
    pub(crate) fn is_waiting(&self) -> bool {
        self.probes.iter().any(|probe| matches!(probe.outcome, Outcome::Awaited))
    }

    /// Whether several readings were found, to choose from.
    pub(crate) fn is_choice(&self) -> bool {
        self.suggestions.first().is_some_and(|suggestion| suggestion.source == Source::Found)
    }

    /// The suggestion under the mark.
    pub(super) fn chosen(&self) -> Option<&Suggestion> {
        self.marked.and_then(|place| self.suggestions.get(place))
    }

    /// Takes the answer for a reading that was found.
    pub(super) fn take_answer(&mut self, target: &Target) -> Option<Answer> {
        let probe = self.probes.iter_mut().find(|probe| probe.target == *target)?;
        match std::mem::replace(&mut probe.outcome, Outcome::Absent) {
            Outcome::Found(answer) => Some(answer),
            _ => None,
        }
    }

    /// Moves the mark over the suggestions; above the first one is the input itself.
    pub(super) fn mark(&mut self, step: isize) {
        let count = self.suggestions.len();
        self.marked = match (self.marked, step) {
            (_, _) if count == 0 => None,
            (None, 1..) => Some(0),
            (None, _) => Some(count - 1),
            (Some(0), ..0) => None,
            (Some(place), _) => Some(place.saturating_add_signed(step).min(count - 1)),
        };
    }

    /// Forgets what belongs to another text.
    pub(super) fn begin_anew(&mut self) {
        (self.marked, self.problem, self.elsewhere) = (None, None, None);
        self.probes.clear();
    }
}
