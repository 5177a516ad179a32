//! Messages in the footer: what was done, what is told, what was refused, what failed.

use std::{collections::VecDeque, time::Duration};

use crate::{config::Meaning, domain::Timestamp};

/// How long a message stays.
const STAY: Duration = Duration::from_secs(4);

/// A message in the footer.
#[derive(Clone, Debug)]
pub(crate) struct Toast {
    pub(crate) kind: ToastKind,
    pub(crate) text: String,
    pub(crate) until: Timestamp,
}

/// What a message is about. Each kind has a sign of its own, so that a refusal never looks like a success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumIter)]
pub(crate) enum ToastKind {
    /// What was asked for happened.
    Done,
    /// Something to know, of nothing that was asked for or of what is under way.
    Info,
    /// What was asked for cannot be done here or now, or waits for a confirmation; nothing happened.
    Refused,
    /// What was begun went wrong.
    Failed,
}

impl ToastKind {
    /// The sign before the text, and what it means.
    pub(crate) fn sign(self) -> (Meaning, &'static str) {
        match self {
            Self::Done => (Meaning::Good, "✓"),
            Self::Info => (Meaning::Text, "·"),
            Self::Refused => (Meaning::Warning, "!"),
            Self::Failed => (Meaning::Bad, "✗"),
        }
    }

    fn stay(self) -> Duration {
        if self == Self::Failed { STAY * 2 } else { STAY }
    }
}

/// What is said in the footer, and what waits to be said.
#[derive(Debug)]
pub(crate) struct Toasts {
    shown: Option<Toast>,
    /// Wait until nothing else is said, and are never lost to a key that takes back what was said.
    warnings: VecDeque<String>,
    now: Timestamp,
    has_changed: bool,
}

impl Toasts {
    /// With things to say at once.
    pub(super) fn new(warnings: Vec<String>, now: Timestamp) -> Self {
        Self { shown: None, warnings: warnings.into(), now, has_changed: false }
    }

    /// It is this late.
    pub(super) fn pass(&mut self, now: Timestamp) {
        self.now = now;
    }

    /// What has stayed long enough goes.
    pub(super) fn expire(&mut self) {
        if self.shown.as_ref().is_some_and(|toast| toast.until <= self.now) {
            self.take_back();
        }
    }

    pub(crate) fn shown(&self) -> Option<&Toast> {
        self.shown.as_ref()
    }

    /// Says that what was asked for happened.
    pub(super) fn done(&mut self, text: impl Into<String>) {
        self.say(ToastKind::Done, text);
    }

    /// Says something to know.
    pub(super) fn inform(&mut self, text: impl Into<String>) {
        self.say(ToastKind::Info, text);
    }

    /// Says why nothing happened.
    pub(super) fn refuse(&mut self, text: impl Into<String>) {
        self.say(ToastKind::Refused, text);
    }

    /// Says that something went wrong.
    pub(super) fn complain(&mut self, text: impl Into<String>) {
        self.say(ToastKind::Failed, text);
    }

    pub(super) fn say(&mut self, kind: ToastKind, text: impl Into<String>) {
        self.shown = Some(Toast { kind, text: text.into(), until: self.now.after(kind.stay()) });
        self.has_changed = true;
    }

    /// Says it when nothing else is said.
    pub(super) fn warn(&mut self, text: impl Into<String>) {
        self.warnings.push_back(text.into());
    }

    /// Nothing is said any more.
    pub(super) fn take_back(&mut self) {
        self.has_changed |= self.shown.take().is_some();
    }

    /// Says the next warning where nothing is said; whether what is said has changed since the last call.
    pub(super) fn settle(&mut self) -> bool {
        if self.shown.is_none()
            && let Some(text) = self.warnings.pop_front()
        {
            self.complain(text);
        }
        std::mem::take(&mut self.has_changed)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use strum::IntoEnumIterator as _;

    use super::*;

    #[test]
    fn each_kind_is_told_apart_without_colour() {
        let signs: BTreeSet<&str> = ToastKind::iter().map(|kind| kind.sign().1).collect();
        assert_eq!(signs.len(), ToastKind::iter().count());
    }
}
