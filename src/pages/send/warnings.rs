use super::SendPage;
use crate::panes::route_warnings::{RouteWarning, Severity, warning_of_messages, warning_of_slippage, warnings_of};

impl SendPage {
    /// Returns all current warnings, most severe first.
    pub(super) fn warnings(&self) -> Vec<RouteWarning> {
        let mut warnings = warnings_of(&self.route.value);
        warnings.extend(self.wait.warning());
        if self.route.value.does_swap {
            warnings.extend(warning_of_slippage(self.slippage));
        }
        let of_messages = self.messages.answer().and_then(|answer| answer.value.warning.as_ref());
        warnings.extend(of_messages.map(warning_of_messages));
        warnings.extend(self.unverified.clone());
        warnings.sort_by_key(|warning| warning.severity);
        warnings
    }

    /// Whether the user must still acknowledge the warning.
    pub(super) fn must_acknowledge(&self, warning: &RouteWarning) -> bool {
        // The user acknowledged warnings about the route before its first transaction.
        let was_accepted = self.sent.is_some() || (self.further.is_some() && warning.is_before_messages);
        warning.severity < Severity::Note && !was_accepted && !self.acknowledged.contains(&warning.key)
    }

    pub(super) fn has_unread_warnings(&self) -> bool {
        self.warnings().iter().any(|warning| self.must_acknowledge(warning))
    }

    pub(super) fn acknowledge(&mut self) {
        let unread = self.warnings().into_iter().filter(|warning| self.must_acknowledge(warning));
        let keys: Vec<String> = unread.map(|warning| warning.key).collect();
        self.acknowledged.extend(keys);
        self.notice = None;
    }
}
