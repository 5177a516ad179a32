//! Progress of long work on standard error: a line on a terminal, else a note now and then.

use std::{
    cell::Cell,
    io::{self, IsTerminal as _},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Interval between notes.
const PACE: Duration = Duration::from_secs(10);

/// Creates a line, hidden without a terminal; `None` for work of unknown length.
pub(super) fn line(length: Option<u64>, template: &str) -> ProgressBar {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let line = ProgressBar::with_draw_target(length, target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        line.set_style(style);
    }
    line
}

/// Line that is replaced by notes without a terminal.
pub(super) struct NotedProgress {
    pub(super) line: ProgressBar,
    noted: Cell<Instant>,
}

impl NotedProgress {
    pub(super) fn new(length: Option<u64>, template: &str) -> Self {
        Self { line: line(length, template), noted: Cell::new(Instant::now()) }
    }

    /// Writes a note if the line is hidden and none was written for a while.
    pub(super) fn note(&self, note: impl FnOnce() -> String) {
        if self.line.is_hidden() && self.noted.get().elapsed() >= PACE {
            self.noted.set(Instant::now());
            eprintln!("note: {}", note());
        }
    }
}
