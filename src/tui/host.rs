use std::{
    fs::OpenOptions,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::{sync::mpsc::UnboundedSender, task};

use super::{clipboard::Multiplexer, guard, signals};
use crate::domain::text;

/// How long a browser's launcher may take to fail before it counts as started.
const LAUNCH_TIME: Duration = Duration::from_secs(2);
/// After so many taken names a file is refused.
const MAX_NUMBER: u32 = 999;

/// Where a host tells how an effect went: a sentence for the user, or why it failed. Never blocks.
pub type Reporter = UnboundedSender<Result<String, String>>;

/// What the shell can do for the state machine, apart from ending. Must not block: slow work goes elsewhere and
/// reports when it is done. A sentence that cannot be delivered is dropped: the explorer has ended.
pub trait Host {
    /// Puts a text into the clipboard.
    fn copy(&mut self, text: &str, reporter: &Reporter);
    /// Opens an address in the browser.
    fn open(&mut self, url: &str, reporter: &Reporter);
    /// Writes a new file into the working directory.
    fn write_file(&mut self, name: &str, contents: String, reporter: &Reporter);
    /// Rings.
    fn bell(&mut self);
    /// Gives the terminal this title; an empty one gives back the one that it had.
    fn set_title(&mut self, title: &str);
    /// Asks the system to stop this process; the stop itself arrives as a signal.
    fn ask_to_suspend(&mut self, reporter: &Reporter);
    /// Stops this process, once the terminal was given back.
    fn stop(&mut self);
}

/// The host of the real terminal.
#[derive(Debug)]
pub struct TerminalHost {
    multiplexer: Multiplexer,
    folder: PathBuf,
}

impl TerminalHost {
    /// A host that writes files into this folder.
    pub fn new(folder: PathBuf) -> Self {
        Self { multiplexer: Multiplexer::from_environment(), folder }
    }
}

impl Host for TerminalHost {
    fn copy(&mut self, text: &str, reporter: &Reporter) {
        let outcome = self.multiplexer.copy_sequence(text).map_err(|error| error.to_string()).and_then(|sequence| {
            guard::write_if_ours(sequence.as_bytes())
                .map_err(|error| format!("the clipboard cannot be reached: {error}"))?;
            Ok(format!("copied {}", text::clip(text, 60)))
        });
        let _ = reporter.send(outcome);
    }

    fn open(&mut self, url: &str, reporter: &Reporter) {
        let (url, reporter) = (url.to_owned(), reporter.clone());
        task::spawn_blocking(move || reporter.send(open_in_browser(&url)));
    }

    fn write_file(&mut self, name: &str, contents: String, reporter: &Reporter) {
        let (folder, name, reporter) = (self.folder.clone(), name.to_owned(), reporter.clone());
        task::spawn_blocking(move || {
            let outcome = match write_new_file(&folder, &name, &contents) {
                Ok(path) => Ok(format!("saved {}", text::clean(&path.display().to_string()))),
                Err(error) => Err(format!("{} cannot be saved: {error}", text::clip(&name, 60))),
            };
            reporter.send(outcome)
        });
    }

    fn bell(&mut self) {
        if let Err(error) = guard::write_if_ours(b"\x07") {
            tracing::warn!(%error, "the bell cannot ring");
        }
    }

    fn set_title(&mut self, title: &str) {
        if let Err(error) = guard::set_title(title) {
            tracing::warn!(%error, "the title cannot be set");
        }
    }

    fn ask_to_suspend(&mut self, reporter: &Reporter) {
        if let Err(sentence) = signals::ask_to_suspend() {
            let _ = reporter.send(Err(sentence));
        }
    }

    fn stop(&mut self) {
        signals::stop();
    }
}

/// Starts the browser apart from our terminal. Only web addresses: anything else could start any program.
fn open_in_browser(url: &str) -> Result<String, String> {
    let shown = text::clean(url);
    if !(url.starts_with("https://") || url.starts_with("http://")) {
        return Err(format!("{shown} is no web address"));
    }
    match open::that_detached_with_timeout(url, LAUNCH_TIME) {
        Ok(()) => Ok(format!("opened {shown}")),
        Err(error) => {
            tracing::warn!(%error, url, "no browser");
            Err(format!("no browser can be started here; the address is {shown}"))
        }
    }
}

/// Writes under the name, or where it is taken under `name-2.ext`, `name-3.ext`…; returns the path that it became.
fn write_new_file(folder: &Path, name: &str, contents: &str) -> io::Result<PathBuf> {
    let invalid = || io::Error::new(io::ErrorKind::InvalidInput, "this is no file name");
    let name = Path::new(name);
    // A name that came from the chain must not lead out of the folder.
    if name.file_name() != Some(name.as_os_str()) {
        return Err(invalid());
    }
    let stem = name.file_stem().ok_or_else(invalid)?.to_string_lossy();
    let extension = name.extension().map(|extension| format!(".{}", extension.to_string_lossy())).unwrap_or_default();
    for number in 1..=MAX_NUMBER {
        let path = match number {
            1 => folder.join(name),
            _ => folder.join(format!("{stem}-{number}{extension}")),
        };
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
            Ok(mut file) => return file.write_all(contents.as_bytes()).map(|()| path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many files with this name"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let first = write_new_file(folder.path(), "txs.csv", "a").unwrap();
        let second = write_new_file(folder.path(), "txs.csv", "b").unwrap();
        assert_eq!(second, folder.path().join("txs-2.csv"));
        assert_eq!((fs::read_to_string(first).unwrap(), fs::read_to_string(second).unwrap()), ("a".into(), "b".into()));
    }

    #[test]
    fn a_name_cannot_lead_out_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["../txs.csv", "/txs.csv", "a/b.csv", "..", ""] {
            assert!(write_new_file(folder.path(), name, "x").is_err(), "{name}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn only_web_addresses_are_opened() {
        assert_eq!(open_in_browser("file:///etc/passwd"), Err("file:///etc/passwd is no web address".to_owned()));
        assert!(open_in_browser("--help").is_err());
    }
}
