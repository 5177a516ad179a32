//! Journal for restarts of the router: one file, replaced atomically.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::service::RouterState;
use crate::{
    demo::ledger::LedgerOptions,
    domain::{Height, Timestamp, Vm},
    files,
    wire::scalar,
};

/// Version of the format. Raise it when older files become unreadable.
const FORMAT: u32 = 3;

/// Identity of the chain and router whose journal this is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalIdentity {
    format: u32,
    #[serde(with = "scalar::text")]
    vm: Vm,
    seed: u64,
    accounts: u32,
    block_nanos: u64,
}

impl JournalIdentity {
    /// Returns the identity of a rollup. Genesis time and time scale do not count, since they do not affect the
    /// transfers.
    pub fn new(ledger: &LedgerOptions) -> Self {
        Self {
            format: FORMAT,
            vm: ledger.vm,
            seed: ledger.seed,
            accounts: ledger.accounts,
            block_nanos: u64::try_from(ledger.block_time.as_nanos()).unwrap_or(u64::MAX),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalRecord {
    pub identity: JournalIdentity,
    pub genesis_time: Timestamp,
    /// Time on the chain when the journal was written.
    pub saved: Timestamp,
    /// Newest block when the journal was written.
    pub tip: Option<Height>,
    /// Number of external transactions in the index file when the journal was written; `None` without a file. If the
    /// file has more, the program ended between the two writes.
    #[serde(default)]
    pub taken: Option<u64>,
    pub state: RouterState,
}

/// Open journal file. Its lock keeps other programs out.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// File that holds the lock. The system releases it when the program ends.
    lock: File,
}

impl Journal {
    /// Opens and locks the file; `None` if another program has locked it.
    pub fn open(path: &Path) -> io::Result<Option<Self>> {
        files::make_folder_of(path)?;
        let options = &mut File::options();
        let lock = files::open(&files::beside(path, ".lock"), options.create(true).truncate(false).write(true))?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Self { path: path.to_owned(), lock })),
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(error)) => Err(error),
        }
    }

    /// Reads the record in the file; `None` if the file does not exist. Fails for another format version or an invalid
    /// file.
    pub fn read(&self) -> io::Result<Option<JournalRecord>> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Renames the file, so that a new one can begin while the old one stays. Returns its new path.
    pub fn put_aside(&self) -> io::Result<PathBuf> {
        let aside = files::free_name(&self.path, ".old");
        fs::rename(&self.path, &aside)?;
        Ok(aside)
    }

    /// Replaces the file atomically, so that an interruption leaves the old or the new file.
    pub fn write(&self, record: &JournalRecord) -> io::Result<()> {
        let bytes = serde_json::to_vec(record).map_err(io::Error::other)?;
        let draft = files::beside(&self.path, ".new");
        files::write(&draft, &bytes)?;
        fs::rename(draft, &self.path)
    }

    /// Removes the file when it is outdated.
    pub fn forget(&self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Closing is not enough: a child process holds the file until its exec.
        drop(self.lock.unlock());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_can_be_opened_again_although_a_child_still_shares_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("demo.json");
        let journal = Journal::open(&path).unwrap().unwrap();
        let of_a_child = journal.lock.try_clone().unwrap();
        assert!(Journal::open(&path).unwrap().is_none(), "one program at a time");
        drop(journal);
        assert!(Journal::open(&path).unwrap().is_some());
        drop(of_a_child);
    }
}
