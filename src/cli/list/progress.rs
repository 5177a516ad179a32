use indicatif::{ProgressBar, ProgressStyle};

use super::super::{arguments::ListArguments, progress};
use crate::{
    columns::PagePosition,
    listing::{LARGEST_PAGE, ListWriter, OddRows, WalkedRow},
    msg::Total,
};

/// Progress bar on standard error while many pages load; hidden without a terminal.
pub(super) struct ListProgress(ProgressBar);

impl ListProgress {
    pub(super) fn new(arguments: &ListArguments, name: &'static str) -> Self {
        let many = arguments.all || arguments.limit > LARGEST_PAGE;
        if !many {
            return Self(ProgressBar::hidden());
        }
        Self(progress::line((!arguments.all).then_some(arguments.limit), "{msg}").with_message(name))
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

/// Writer whose output hides the progress bar.
pub(super) struct WithProgress<'a, W> {
    pub(super) writer: &'a mut W,
    pub(super) progress: &'a ListProgress,
}

impl<T, W: ListWriter<T>> ListWriter<T> for WithProgress<'_, W> {
    type Error = W::Error;

    async fn prepare(&mut self, rows: &[WalkedRow<T>], place: PagePosition) {
        self.writer.prepare(rows, place).await;
    }

    fn write(&mut self, rows: &[WalkedRow<T>], place: PagePosition) -> Result<(), W::Error> {
        self.progress.hide(|| self.writer.write(rows, place))
    }

    fn advance(&mut self, rows: usize, total: Total) {
        self.progress.advance(rows, total);
    }

    fn finish(&mut self, is_whole: bool) -> Result<(), W::Error> {
        self.writer.finish(is_whole)
    }

    fn odd_rows(&self) -> OddRows {
        self.writer.odd_rows()
    }

    fn has_height(&self) -> bool {
        self.writer.has_height()
    }
}
