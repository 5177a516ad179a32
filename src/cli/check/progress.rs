use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::check::CheckStep;

/// Progress line of a check on standard error; hidden without a terminal.
pub(super) struct CheckProgress(ProgressBar);

impl CheckProgress {
    pub(super) fn new(blocks: usize) -> Self {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::new(blocks as u64)
        } else {
            ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())
        };
        if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {human_pos} of {human_len}, {eta} left") {
            bar.set_style(style);
        }
        Self(bar.with_message("blocks"))
    }

    pub(super) fn show(&self, step: CheckStep) {
        match step {
            CheckStep::Blocks(done) => {
                self.0.set_message("blocks");
                self.0.set_position(done as u64);
            }
            CheckStep::Accounts => self.0.set_message("accounts"),
            CheckStep::Nfts => self.0.set_message("NFTs"),
            CheckStep::Holders => self.0.set_message("holders"),
            CheckStep::Totals => self.0.set_message("totals"),
        }
    }

    /// Runs an action while the line is hidden, because both may write to one terminal.
    pub(super) fn hide<T>(&self, action: impl FnOnce() -> T) -> T {
        self.0.suspend(action)
    }

    pub(super) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
