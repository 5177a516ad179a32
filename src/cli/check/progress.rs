use indicatif::ProgressBar;

use crate::{check::CheckStep, cli::progress};

/// Progress line of a check on standard error; hidden without a terminal.
pub(super) struct CheckProgress(ProgressBar);

impl CheckProgress {
    pub(super) fn new(blocks: usize) -> Self {
        let template = "{msg} {bar:30} {human_pos} of {human_len}, {eta} left";
        Self(progress::line(Some(blocks as u64), template)).tell("blocks")
    }

    /// Creates the line of a check without an end, which shows only messages.
    pub(super) fn endless() -> Self {
        Self(progress::line(None, "{msg}")).tell("reading both sides")
    }

    fn tell(self, message: &'static str) -> Self {
        self.0.set_message(message);
        self
    }

    pub(super) fn say(&self, message: String) {
        self.0.set_message(message);
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
