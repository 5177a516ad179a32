use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{super::arguments::ListArguments, LARGEST_PAGE};
use crate::msg::Total;

/// Progress bar on standard error while many pages load; hidden without a terminal.
pub(super) struct ListProgress(ProgressBar);

impl ListProgress {
    pub(super) fn new(arguments: &ListArguments, name: &'static str) -> Self {
        let many = arguments.all || arguments.limit > LARGEST_PAGE;
        if !many || !io::stderr().is_terminal() {
            return Self(ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()));
        }
        let bar = ProgressBar::new_spinner().with_message(name);
        if !arguments.all {
            bar.set_length(arguments.limit);
        }
        Self(bar)
    }

    pub(super) fn advance(&self, rows: usize, total: Total) {
        if let (None, Total::Exact(total) | Total::About(total)) = (self.0.length(), total) {
            self.0.set_length(total);
        }
        let template = match self.0.length() {
            Some(_) => "{msg} {bar:30} {human_pos} of {human_len}, {eta} left",
            None => "{spinner} {msg} {human_pos}, {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.0.set_style(style);
        }
        self.0.inc(rows as u64);
    }

    /// Runs an action while the bar is hidden, because both may write to one terminal.
    pub(super) fn hide<T>(&self, action: impl FnOnce() -> T) -> T {
        self.0.suspend(action)
    }

    pub(super) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
