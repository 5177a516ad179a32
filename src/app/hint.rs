use std::borrow::Cow;

use crate::config::Command;

/// A command that a screen or the session has, and whether it can be done now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hint {
    pub(crate) command: Command,
    /// What footers call it here, where the registry's label does not fit.
    label: Option<&'static str>,
    /// Why it cannot be done now; `None` where it can.
    pub(crate) refusal: Option<Cow<'static, str>>,
    /// Whether it is one of several ways, or known to everybody: help and palette have it, footers do not.
    pub(crate) is_spare: bool,
}

impl Hint {
    /// A command that can be done.
    pub(crate) fn of(command: Command) -> Self {
        Self { command, label: None, refusal: None, is_spare: false }
    }

    /// Under another label.
    #[must_use]
    pub(crate) fn called(mut self, label: &'static str) -> Self {
        self.label = Some(label);
        self
    }

    /// Left out of footers.
    #[must_use]
    pub(crate) fn spare(mut self) -> Self {
        self.is_spare = true;
        self
    }

    /// The pane before, where the next one is the only other.
    pub(crate) fn back(&self) -> Self {
        Self { command: Command::PreviousPane, is_spare: true, ..self.clone() }
    }

    /// Only where this holds; the first reason that is missed is the one that is told.
    #[must_use]
    pub(crate) fn needs(mut self, holds: bool, else_why: impl Into<Cow<'static, str>>) -> Self {
        if !holds && self.refusal.is_none() {
            self.refusal = Some(else_why.into());
        }
        self
    }

    pub(crate) fn is_available(&self) -> bool {
        self.refusal.is_none()
    }

    /// The word or two that footers show.
    pub(crate) fn label(&self) -> &'static str {
        self.label.unwrap_or_else(|| self.command.label())
    }
}
