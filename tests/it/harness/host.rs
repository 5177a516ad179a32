use std::sync::Arc;

use rollscope::tui::{Host, Reporter};

use super::shared::Shared;

/// Writes down what it is asked to do, and says that it is done.
pub(super) struct RecordingHost(Arc<Shared>);

impl RecordingHost {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self(shared)
    }
}

/// The loop that would hear it may be over.
fn report(reporter: &Reporter, sentence: String) {
    let _ = reporter.send(Ok(sentence));
}

impl Host for RecordingHost {
    fn copy(&mut self, text: &str, reporter: &Reporter) {
        self.0.change(|state| state.copied.push(text.to_owned()));
        report(reporter, format!("copied {text}"));
    }

    fn open(&mut self, url: &str, reporter: &Reporter) {
        self.0.change(|state| state.opened.push(url.to_owned()));
        report(reporter, format!("opened {url}"));
    }

    fn write_files(&mut self, files: Vec<(String, String)>, reporter: &Reporter) {
        let names: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
        self.0.change(|state| state.written.extend(files));
        report(reporter, format!("saved {}", names.join(", ")));
    }

    fn bell(&mut self) {
        self.0.change(|state| state.bells += 1);
    }

    fn set_title(&mut self, title: &str) {
        self.0.change(|state| state.titles.push(title.to_owned()));
    }

    fn ask_to_suspend(&mut self, reporter: &Reporter) {
        let _ = reporter.send(Err("cannot suspend: the explorer has no parent shell".to_owned()));
    }

    fn stop(&mut self) {}
}
