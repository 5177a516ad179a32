//! Files of rollscope, which are private to the user because they contain addresses, searches and transfers.
//!
//! New folders get mode 0700, new files 0600. rollscope closes the permissions of an open file when it uses the file
//! again. Folders of files that the user named stay unchanged.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

/// Permission bits of the group and of other users.
const OF_OTHERS: u32 = 0o077;

/// Creates the missing parent folders of a file.
pub fn make_folder_of(file: &Path) -> io::Result<()> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => DirBuilder::new().recursive(true).mode(0o700).create(folder),
        _ => Ok(()),
    }
}

/// Creates the parent folder of one of rollscope's own files, and makes the folder private.
pub fn make_own_folder_of(file: &Path) -> io::Result<()> {
    make_folder_of(file)?;
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or(Ok(()), close)
}

/// Opens a file; `options` decide whether the file is created.
pub fn open(file: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let opened = options.mode(0o600).open(file)?;
    close(file)?;
    Ok(opened)
}

/// Identity of a file, which a removed, renamed or replaced file loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileIdentity(u64, u64);

impl FileIdentity {
    /// Returns the identity of the file at this path; `None` without a file.
    pub fn of(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|found| Self(found.dev(), found.ino()))
    }
}

/// Writes a whole file, replacing an old file.
pub fn write(file: &Path, contents: &[u8]) -> io::Result<()> {
    open(file, OpenOptions::new().create(true).truncate(true).write(true))?.write_all(contents)
}

/// Creates an empty private file; makes an existing file private.
pub fn make(file: &Path) -> io::Result<()> {
    match OpenOptions::new().create_new(true).write(true).mode(0o600).open(file) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => close(file),
        made => made.map(drop),
    }
}

/// Makes an existing file private. A file of another owner stays unchanged.
pub fn close(path: &Path) -> io::Result<()> {
    let mode = match fs::metadata(path) {
        Ok(found) if found.is_file() || found.is_dir() => found.permissions().mode(),
        // Devices and pipes need no protection; a missing file has no mode.
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if mode & OF_OTHERS == 0 {
        return Ok(());
    }
    match fs::set_permissions(path, Permissions::from_mode(mode & 0o7777 & !OF_OTHERS)) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        done => done,
    }
}

#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("{file} is in use by another rollscope{}; stop it, or choose another file", process(*.pid))]
    Held {
        file: String,
        /// Process that holds the lock; `None` if unknown.
        pid: Option<u32>,
    },
    #[error("cannot lock {0}: {1}")]
    Refused(String, io::Error),
}

fn process(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
}

/// Exclusive lock on a file, through `FILE.lock` in its folder. The system releases it at the end of the program.
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    lock: File,
}

impl FileLock {
    /// Locks the file without a change to the file; fails with the process that holds the lock.
    pub fn take(file: &Path) -> Result<Self, LockError> {
        let refused = |error| LockError::Refused(file.display().to_string(), error);
        make_folder_of(file).map_err(refused)?;
        let path = beside(file, ".lock");
        loop {
            let options = &mut OpenOptions::new();
            let mut lock = open(&path, options.create(true).truncate(false).read(true).write(true)).map_err(refused)?;
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut text = String::new();
                    let pid = lock.read_to_string(&mut text).ok().and_then(|_| text.trim().parse().ok());
                    return Err(LockError::Held { file: file.display().to_string(), pid });
                }
                Err(TryLockError::Error(error)) => return Err(refused(error)),
            }
            // A former holder may have removed the lock file: then this is a lock on a file without a name.
            if is_same(&lock, &path) {
                lock.set_len(0).and_then(|()| writeln!(lock, "{}", std::process::id())).map_err(refused)?;
                return Ok(Self { path, lock });
            }
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Remove the file while it is locked, so that no new lock is lost.
        drop(fs::remove_file(&self.path));
        // Closing is not enough: a starting child process shares the open file until its exec.
        drop(self.lock.unlock());
    }
}

fn is_same(opened: &File, path: &Path) -> bool {
    let same = |one: &fs::Metadata, other: &fs::Metadata| (one.dev(), one.ino()) == (other.dev(), other.ino());
    opened.metadata().is_ok_and(|one| fs::metadata(path).is_ok_and(|other| same(&one, &other)))
}

/// Returns the bytes that this process may still write to the file system of a path; `None` if unknown.
pub fn free_space(path: &Path) -> Option<u64> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let found = rustix::fs::statvfs(folder).ok()?;
    found.f_bavail.checked_mul(found.f_frsize)
}

/// Appends an extension to the file's name.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Returns an unused path beside a file, with this extension and a number if necessary.
pub fn free_name(path: &Path, ending: &str) -> PathBuf {
    let first = beside(path, ending);
    let numbered = (2_u32..).map(|number| beside(path, &format!("{ending}-{number}")));
    std::iter::once(first.clone()).chain(numbered).find(|name| !name.exists()).unwrap_or(first)
}

/// Maximum number in a new file's name.
const MOST_NUMBERS: u32 = 999;

/// Returns the path that a user's text means: `~/` is the home folder, and a relative path is in `folder`.
pub fn path_of(folder: &Path, text: &str) -> PathBuf {
    match (text.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => folder.join(text),
    }
}

/// Runs `make` with the path, then with `name-2.ext`, `name-3.ext` and so on, while the file exists. `make` fails with
/// [`io::ErrorKind::AlreadyExists`] rather than replace a file. Returns the path of the new file.
pub fn make_new(path: &Path, mut make: impl FnMut(&Path) -> io::Result<()>) -> io::Result<PathBuf> {
    let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name");
    let stem = path.file_stem().ok_or_else(no_name)?.to_string_lossy();
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy())).unwrap_or_default();
    for number in 1..=MOST_NUMBERS {
        let path = match number {
            1 => path.to_owned(),
            _ => path.with_file_name(format!("{stem}-{number}{extension}")),
        };
        match make(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            result => return result.map(|()| path),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many files have this name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_file_is_one_programs_at_a_time_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("chain.sqlite");
        for _ in 0..3 {
            let lock = FileLock::take(&file).unwrap();
            let refused = FileLock::take(&file).unwrap_err().to_string();
            let own = format!("in use by another rollscope (process {})", std::process::id());
            assert!(refused.contains(&own), "{refused}");
            let of_a_child = lock.lock.try_clone().unwrap();
            drop(lock);
            assert!(!file.exists() && fs::read_dir(folder.path()).unwrap().next().is_none());
            drop(FileLock::take(&file).unwrap());
            drop(of_a_child);
        }
        fs::write(beside(&file, ".lock"), "4711\n").unwrap();
        drop(FileLock::take(&file).expect("whoever was killed holds nothing"));
        assert_eq!(free_name(&file, ".old"), beside(&file, ".old"));
        fs::write(beside(&file, ".old"), "").unwrap();
        assert_eq!(free_name(&file, ".old"), beside(&file, ".old-2"));
    }

    #[test]
    fn what_is_made_is_closed_to_others_and_what_was_open_becomes_so() {
        let outer = tempfile::tempdir().unwrap();
        let file = outer.path().join("state/rollscope/a.log");
        make_own_folder_of(&file).unwrap();
        write(&file, b"one").unwrap();
        assert_eq!(
            (mode(file.parent().unwrap()), mode(&outer.path().join("state")), mode(&file)),
            (0o700, 0o700, 0o600)
        );
        fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        fs::set_permissions(file.parent().unwrap(), Permissions::from_mode(0o755)).unwrap();
        open(&file, OpenOptions::new().append(true)).unwrap().write_all(b" two").unwrap();
        assert_eq!((mode(&file), fs::read_to_string(&file).unwrap()), (0o600, "one two".to_owned()));
        make_folder_of(&file).unwrap();
        assert_eq!(mode(file.parent().unwrap()), 0o755, "a folder that a person named stays as it is");
        make_own_folder_of(&file).unwrap();
        make(&file.with_extension("new")).unwrap();
        assert_eq!((mode(file.parent().unwrap()), mode(&file.with_extension("new"))), (0o700, 0o600));
        assert_eq!(fs::read_to_string(&file).unwrap(), "one two", "nothing is lost");
    }
}
