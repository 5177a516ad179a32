//! Messages in the footer: successes, information, refusals and failures.

use std::{collections::VecDeque, time::Duration};

use crate::{
    config::Meaning,
    domain::{ClockShift, Timestamp},
};

/// How long a message stays.
const STAY: Duration = Duration::from_secs(4);

#[derive(Clone, Debug)]
pub(crate) struct Toast {
    pub(crate) kind: ToastKind,
    pub(crate) text: String,
    pub(crate) until: Timestamp,
}

/// Kind of a message. Each kind has its own sign, so that a refusal never looks like a success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumIter)]
pub(crate) enum ToastKind {
    /// The requested action succeeded.
    Done,
    /// Information that the user did not ask for.
    Info,
    /// The requested action is not possible, or needs a confirmation.
    Refused,
    Failed,
}

impl ToastKind {
    pub(crate) fn sign(self) -> (Meaning, &'static str) {
        match self {
            Self::Done => (Meaning::Good, "✓"),
            Self::Info => (Meaning::Text, "·"),
            Self::Refused => (Meaning::Warning, "!"),
            Self::Failed => (Meaning::Bad, "✗"),
        }
    }

    pub(crate) fn is_done(self) -> bool {
        self == Self::Done
    }

    fn stay(self) -> Duration {
        if self == Self::Failed { STAY * 2 } else { STAY }
    }
}

/// Message on screen, and messages that wait.
#[derive(Debug)]
pub(crate) struct Toasts {
    shown: Option<Toast>,
    /// Warnings, shown while there is no other message. Keys do not remove them.
    warnings: VecDeque<String>,
    now: Timestamp,
    has_changed: bool,
}

impl Toasts {
    pub(super) fn new(warnings: Vec<String>, now: Timestamp) -> Self {
        Self { shown: None, warnings: warnings.into(), now, has_changed: false }
    }

    /// Sets the current time.
    pub(super) fn pass(&mut self, now: Timestamp) {
        self.now = now;
    }

    /// Removes a message whose time is over.
    pub(super) fn expire(&mut self) {
        if self.shown.as_ref().is_some_and(|toast| toast.until <= self.now) {
            self.take_back();
        }
    }

    pub(crate) fn shown(&self) -> Option<&Toast> {
        self.shown.as_ref()
    }

    /// Shows a success.
    pub(super) fn done(&mut self, text: impl Into<String>) {
        self.say(ToastKind::Done, text);
    }

    pub(super) fn inform(&mut self, text: impl Into<String>) {
        self.say(ToastKind::Info, text);
    }

    /// Shows a refusal.
    pub(super) fn refuse(&mut self, text: impl Into<String>) {
        self.say(ToastKind::Refused, text);
    }

    /// Shows a failure.
    pub(super) fn complain(&mut self, text: impl Into<String>) {
        self.say(ToastKind::Failed, text);
    }

    /// Shows that the wall clock was set, or agrees with the elapsed time again. While it is wrong, no age and no
    /// estimate from it is on screen.
    pub(super) fn tell_clock(&mut self, shift: Option<ClockShift>) {
        match shift {
            Some(shift) => {
                self.complain(format!("the system clock was {shift}: ages and the estimated tip are hidden"));
            }
            None => self.inform("the system clock agrees with the elapsed time again"),
        }
    }

    pub(super) fn say(&mut self, kind: ToastKind, text: impl Into<String>) {
        self.shown = Some(Toast { kind, text: text.into(), until: self.now.after(kind.stay()) });
        self.has_changed = true;
    }

    /// Replaces the text of the message, if the message has this text.
    pub(super) fn reword(&mut self, said: &str, text: String) {
        if let Some(toast) = self.shown.as_mut().filter(|toast| toast.text == said) {
            toast.text = text;
            self.has_changed = true;
        }
    }

    pub(super) fn warn(&mut self, text: impl Into<String>) {
        self.warnings.push_back(text.into());
    }

    /// Removes the message.
    pub(super) fn take_back(&mut self) {
        self.has_changed |= self.shown.take().is_some();
    }

    /// Shows the next warning if there is no message. Returns whether the message changed since the last call.
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
