//! The program's own files: what is kept of a person's addresses, searches and transfers is readable by nobody else.
//!
//! A folder that is made here has mode 0700, a file 0600; a file that was left open to others is closed to them when it
//! is used again. The folders of files that a person named themselves stay as they are.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

/// What others may do with a file or folder.
const OF_OTHERS: u32 = 0o077;

/// Makes the folder that a file lies in, and those above it, where they are missing.
pub fn make_folder_of(file: &Path) -> io::Result<()> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => DirBuilder::new().recursive(true).mode(0o700).create(folder),
        _ => Ok(()),
    }
}

/// The same for a file in a folder of the program's own: that one is closed to others if it was open to them.
pub fn make_own_folder_of(file: &Path) -> io::Result<()> {
    make_folder_of(file)?;
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or(Ok(()), close)
}

/// Opens a file with these options, which say whether it is made where it is missing.
pub fn open(file: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let opened = options.mode(0o600).open(file)?;
    close(file)?;
    Ok(opened)
}

/// Writes a whole file, over one of the same name.
pub fn write(file: &Path, contents: &[u8]) -> io::Result<()> {
    open(file, OpenOptions::new().create(true).truncate(true).write(true))?.write_all(contents)
}

/// Makes an empty file where nothing is, for whoever opens it otherwise; what is there is closed to others.
pub fn make(file: &Path) -> io::Result<()> {
    match OpenOptions::new().create_new(true).write(true).mode(0o600).open(file) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => close(file),
        made => made.map(drop),
    }
}

/// Takes away what others may do with a file, if it is there. Whose file it is not cannot do that: then it stays as its owner left it.
pub fn close(path: &Path) -> io::Result<()> {
    let mode = match fs::metadata(path) {
        Ok(found) if found.is_file() || found.is_dir() => found.permissions().mode(),
        // A device or a pipe is nobody's secret; what is not there has no mode.
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

/// Why a file cannot be taken for oneself.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another program has it.
    #[error("{file} is in use by another rollscope{}; stop that one, or choose another file", process(*.pid))]
    Held {
        /// Which file.
        file: String,
        /// The process that has it, where it could say so.
        pid: Option<u32>,
    },
    /// The system refuses.
    #[error("{0} cannot be locked: {1}")]
    Refused(String, io::Error),
}

fn process(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
}

/// A file that nobody else writes while this lives: a file beside it, `FILE.lock`, is locked, which ends with the
/// program however that ends.
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    lock: File,
}

impl FileLock {
    /// Takes the file, or says who has it. Nothing of the file itself is touched.
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
            // Whoever had it may have removed it meanwhile: then the lock is on a file that nobody finds.
            if is_same(&lock, &path) {
                lock.set_len(0).and_then(|()| writeln!(lock, "{}", std::process::id())).map_err(refused)?;
                return Ok(Self { path, lock });
            }
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Removed while it is locked, so that nobody loses a lock that was just taken.
        drop(fs::remove_file(&self.path));
        // Closing the file is not enough: a child that is being started shares it until it becomes another program.
        drop(self.lock.unlock());
    }
}

fn is_same(opened: &File, path: &Path) -> bool {
    let same = |one: &fs::Metadata, other: &fs::Metadata| (one.dev(), one.ino()) == (other.dev(), other.ino());
    opened.metadata().is_ok_and(|one| fs::metadata(path).is_ok_and(|other| same(&one, &other)))
}

/// The file's name with an ending more.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// A name beside a file, with this ending and where that is taken a number, that no file has.
pub fn free_name(path: &Path, ending: &str) -> PathBuf {
    let first = beside(path, ending);
    let numbered = (2_u32..).map(|number| beside(path, &format!("{ending}-{number}")));
    std::iter::once(first.clone()).chain(numbered).find(|name| !name.exists()).unwrap_or(first)
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
