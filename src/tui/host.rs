use std::{
    fs::OpenOptions,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::{sync::mpsc::UnboundedSender, task};

use super::{clipboard, clipboard::Multiplexer, guard, signals};
use crate::{domain::text, files};

/// Time for a browser launcher to fail; after it, the launcher counts as started.
const LAUNCH_TIME: Duration = Duration::from_secs(2);

/// Channel for the result of an effect: a sentence for the user, or an error. Sending never blocks.
pub type Reporter = UnboundedSender<Result<String, String>>;

/// Effects outside of the state machine. Methods must not block: slow work runs on other threads and reports later.
/// Reports after the explorer's end are dropped.
pub trait Host {
    fn copy(&mut self, text: &str, reporter: &Reporter);
    fn open(&mut self, url: &str, reporter: &Reporter);
    /// Writes a new file. A relative path is in the working directory.
    fn write_files(&mut self, files: Vec<(String, String)>, reporter: &Reporter);
    fn bell(&mut self);
    /// Sets the terminal's title; an empty title restores the previous title.
    fn set_title(&mut self, title: &str);
    /// Asks the system to stop this process; the stop arrives as a signal.
    fn ask_to_suspend(&mut self, reporter: &Reporter);
    /// Stops this process after the terminal was released.
    fn stop(&mut self);
}

#[derive(Debug)]
pub struct TerminalHost {
    multiplexer: Multiplexer,
    folder: PathBuf,
}

impl TerminalHost {
    pub fn new(folder: PathBuf) -> Self {
        Self { multiplexer: Multiplexer::from_environment(), folder }
    }
}

impl Host for TerminalHost {
    fn copy(&mut self, text: &str, reporter: &Reporter) {
        let (multiplexer, text, reporter) = (self.multiplexer, text.to_owned(), reporter.clone());
        let copy = move || reporter.send(clipboard::copy(multiplexer, &text));
        // tmux is asked by its own program.
        if multiplexer == Multiplexer::Tmux { drop(task::spawn_blocking(copy)) } else { drop(copy()) }
    }

    fn open(&mut self, url: &str, reporter: &Reporter) {
        let (url, reporter) = (url.to_owned(), reporter.clone());
        task::spawn_blocking(move || reporter.send(open_in_browser(&url)));
    }

    fn write_files(&mut self, files: Vec<(String, String)>, reporter: &Reporter) {
        let (folder, reporter) = (self.folder.clone(), reporter.clone());
        task::spawn_blocking(move || reporter.send(write_all(&folder, &files)));
    }

    fn bell(&mut self) {
        if let Err(error) = guard::write_if_ours(b"\x07") {
            tracing::warn!(%error, "cannot ring the bell");
        }
    }

    fn set_title(&mut self, title: &str) {
        if let Err(error) = guard::set_title(title) {
            tracing::warn!(%error, "cannot set the title");
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

/// Writes new files and names all of them.
fn write_all(folder: &Path, files: &[(String, String)]) -> Result<String, String> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for (name, contents) in files {
        match write_new_file(&files::path_of(folder, name), contents) {
            Ok(path) => paths.push(path),
            Err(error) => {
                let kept = if paths.is_empty() { String::new() } else { format!("; {}", saved(&paths)) };
                return Err(format!("cannot save {}: {error}{kept}", text::clip(name, 60)));
            }
        }
    }
    Ok(saved(&paths))
}

/// Returns `saved /a/b.csv`, or `saved 2 files in /a: b.csv, c.ics`.
fn saved(paths: &[PathBuf]) -> String {
    let shown = |path: &Path| text::clean(&path.display().to_string()).into_owned();
    let folder = paths.first().and_then(|path| path.parent());
    match (paths, folder) {
        ([only], _) => format!("saved {}", shown(only)),
        (several, Some(folder)) if several.iter().all(|path| path.parent() == Some(folder)) => {
            let names: Vec<String> =
                several.iter().map(|path| shown(Path::new(path.file_name().unwrap_or_default()))).collect();
            format!("saved {} files in {}: {}", several.len(), shown(folder), names.join(", "))
        }
        (several, _) => {
            format!("saved {}", several.iter().map(|path| shown(path)).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Starts the browser detached from the terminal. Accepts only URLs: other text could start any program.
fn open_in_browser(url: &str) -> Result<String, String> {
    let shown = text::clean(url);
    if !(url.starts_with("https://") || url.starts_with("http://")) {
        return Err(format!("cannot open {shown}: it is not a web address"));
    }
    match open::that_detached_with_timeout(url, LAUNCH_TIME) {
        Ok(()) => Ok(format!("opened {shown}")),
        Err(error) => {
            tracing::warn!(%error, url, "no browser");
            Err(format!("cannot start a browser; open {shown} yourself"))
        }
    }
}

/// Writes a new file; an existing file stays, and a number is added to the name.
fn write_new_file(path: &Path, contents: &str) -> io::Result<PathBuf> {
    files::make_new(path, |path| {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        file.write_all(contents.as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let first = write_new_file(&folder.path().join("txs.csv"), "a").unwrap();
        let second = write_new_file(&folder.path().join("txs.csv"), "b").unwrap();
        assert_eq!(second, folder.path().join("txs-2.csv"));
        assert_eq!((fs::read_to_string(first).unwrap(), fs::read_to_string(second).unwrap()), ("a".into(), "b".into()));
    }

    #[test]
    fn all_files_that_were_written_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| (name.to_owned(), "x".to_owned());
        let shown = folder.path().display().to_string();
        assert_eq!(write_all(folder.path(), &[file("a.csv")]), Ok(format!("saved {shown}/a.csv")));
        let several = write_all(folder.path(), &[file("b.ics"), file("a.csv"), file("c.json")]);
        assert_eq!(several, Ok(format!("saved 3 files in {shown}: b.ics, a-2.csv, c.json")));
        let broken = write_all(folder.path(), &[file("d.ics"), file("nowhere/e.json")]).unwrap_err();
        assert!(broken.starts_with("cannot save nowhere/e.json: "), "{broken}");
        assert!(broken.ends_with(&format!("; saved {shown}/d.ics")), "{broken}");
    }

    #[test]
    fn only_web_addresses_are_opened() {
        assert_eq!(
            open_in_browser("file:///etc/passwd"),
            Err("cannot open file:///etc/passwd: it is not a web address".to_owned())
        );
        assert!(open_in_browser("--help").is_err());
    }
}
