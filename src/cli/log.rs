use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use tracing_subscriber::{EnvFilter, fmt::MakeWriter};

use crate::files;

/// The log is begun anew when it is larger than this; the one before is kept beside it.
const LARGEST: u64 = 1 << 20;

/// Sends what is traced into this file and nowhere else. Nothing is opened before the first line.
///
/// `ROLLSCOPE_LOG` chooses what is kept, in the form `rollscope=debug`; without it, warnings and what is worse.
pub(super) fn start(path: PathBuf) {
    let filter = EnvFilter::try_from_env("ROLLSCOPE_LOG").unwrap_or_else(|_| EnvFilter::new("warn,rollscope=info"));
    let log = LogFileWriter(Arc::new(Mutex::new(RotatingFile { path, largest: LARGEST, open: None })));
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(log);
    // A second call would find the first subscriber in place, which serves as well.
    let _ = subscriber.try_init();
}

/// Hands out writers of the one file.
struct LogFileWriter(Arc<Mutex<RotatingFile>>);

impl<'a> MakeWriter<'a> for LogFileWriter {
    type Writer = LogLineWriter;

    fn make_writer(&'a self) -> LogLineWriter {
        LogLineWriter(Arc::clone(&self.0))
    }
}

/// Writes into the log. Errors are swallowed: a full disk must not disturb the explorer.
struct LogLineWriter(Arc<Mutex<RotatingFile>>);

impl Write for LogLineWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = log.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file that never grows much beyond a size.
struct RotatingFile {
    path: PathBuf,
    largest: u64,
    open: Option<(File, u64)>,
}

impl RotatingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.open.as_ref().is_some_and(|(_, size)| *size >= self.largest) {
            self.open = None;
        }
        if self.open.is_none() {
            self.open = Some(open(&self.path, self.largest)?);
        }
        if let Some((file, size)) = &mut self.open {
            file.write_all(bytes)?;
            *size += bytes.len() as u64;
        }
        Ok(())
    }
}

/// The file, to be written at its end, and its size; one that is too large is put aside first.
fn open(path: &Path, largest: u64) -> io::Result<(File, u64)> {
    files::make_own_folder_of(path)?;
    if fs::metadata(path).is_ok_and(|found| found.len() >= largest) {
        fs::rename(path, path.with_extension("log.old"))?;
    }
    let file = files::open(path, OpenOptions::new().create(true).append(true))?;
    let size = file.metadata()?.len();
    Ok((file, size))
}

#[cfg(test)]
mod tests {
    use super::RotatingFile;
    use std::{fs, os::unix::fs::PermissionsExt as _};

    #[test]
    fn keeps_the_newest_lines_and_one_older_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state").join("a.log");
        let mut log = RotatingFile { path: path.clone(), largest: 10, open: None };
        for line in ["first 1234\n", "second 123\n", "third\n"] {
            log.write(line.as_bytes()).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "third\n");
        assert_eq!(fs::read_to_string(path.with_extension("log.old")).unwrap(), "second 123\n");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 2);
        let modes =
            [path.as_path(), path.parent().unwrap()].map(|path| fs::metadata(path).unwrap().permissions().mode());
        assert_eq!(modes.map(|mode| mode & 0o777), [0o600, 0o700]);
    }
}
