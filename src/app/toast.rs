//! Messages in the footer: what was done, what is told, what was refused, what failed.

use std::time::Duration;

use super::App;
use crate::{config::Meaning, domain::Timestamp};

/// How long a message stays.
const STAY: Duration = Duration::from_secs(4);

/// A message in the footer.
#[derive(Clone, Debug)]
pub(crate) struct Toast {
    pub(crate) kind: ToastKind,
    pub(crate) text: String,
    /// Until when it stays.
    pub(crate) until: Timestamp,
}

/// What a message is about. Each kind has a sign of its own, so that a refusal never looks like a success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumIter)]
pub(crate) enum ToastKind {
    /// What was asked for happened.
    Done,
    /// Something to know, of nothing that was asked for or of what is under way.
    Told,
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
            Self::Told => (Meaning::Text, "·"),
            Self::Refused => (Meaning::Warning, "!"),
            Self::Failed => (Meaning::Bad, "✗"),
        }
    }

    fn stay(self) -> Duration {
        if self == Self::Failed { STAY * 2 } else { STAY }
    }
}

impl App {
    /// Says that what was asked for happened.
    pub(super) fn done(&mut self, text: impl Into<String>) {
        self.say(ToastKind::Done, text);
    }

    /// Says something to know.
    pub(super) fn tell(&mut self, text: impl Into<String>) {
        self.say(ToastKind::Told, text);
    }

    /// Says why nothing happened.
    pub(super) fn refuse(&mut self, text: impl Into<String>) {
        self.say(ToastKind::Refused, text);
    }

    /// Says that something went wrong.
    pub(super) fn complain(&mut self, text: impl Into<String>) {
        self.say(ToastKind::Failed, text);
    }

    /// Says something of this kind.
    pub(super) fn say(&mut self, kind: ToastKind, text: impl Into<String>) {
        self.toast = Some(Toast { kind, text: text.into(), until: self.now.after(kind.stay()) });
        self.effects.redraw = true;
    }

    /// A warning waits until nothing else is said, and is never lost to a key that takes back what was said.
    pub(super) fn show_next_warning(&mut self) {
        if self.toast.is_none()
            && let Some(text) = self.warnings.pop_front()
        {
            self.complain(text);
        }
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
