use std::borrow::Cow;

use crate::config::Command;

/// Command on a screen: its label, and whether it is available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hint {
    pub(crate) command: Command,
    /// Label in footers; `None` for the command's usual label.
    label: Option<&'static str>,
    /// Why the command is not available; `None` if it is.
    pub(crate) refusal: Option<Cow<'static, str>>,
    /// Whether footers omit the command, because its key is a duplicate or well known.
    pub(crate) is_hidden_in_footer: bool,
}

impl Hint {
    pub(crate) fn new(command: Command) -> Self {
        Self { command, label: None, refusal: None, is_hidden_in_footer: false }
    }

    #[must_use]
    pub(crate) fn label(mut self, label: &'static str) -> Self {
        self.label = Some(label);
        self
    }

    #[must_use]
    pub(crate) fn hidden_in_footer(mut self) -> Self {
        self.is_hidden_in_footer = true;
        self
    }

    /// Returns the hint with the label of the previous pane, on a page with two panes.
    pub(crate) fn back(&self) -> Self {
        Self { command: Command::PreviousPane, is_hidden_in_footer: true, ..self.clone() }
    }

    /// Disables the command unless the condition holds. The first failed condition gives the reason.
    #[must_use]
    pub(crate) fn enabled_if(mut self, holds: bool, else_why: impl Into<Cow<'static, str>>) -> Self {
        if !holds && self.refusal.is_none() {
            self.refusal = Some(else_why.into());
        }
        self
    }

    pub(crate) fn is_available(&self) -> bool {
        self.refusal.is_none()
    }

    pub(crate) fn shown_label(&self) -> &'static str {
        self.label.unwrap_or_else(|| self.command.label())
    }
}
