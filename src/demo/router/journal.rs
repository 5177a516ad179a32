//! Journal of the router for restarts: one file, replaced atomically.

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

/// Format version; raised if an older file becomes unreadable.
const FORMAT: u32 = 3;

/// Identity of the chain and router that a journal belongs to.
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
    /// Returns a rollup's identity. It excludes genesis time and time scale, which do not affect the transfers.
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
    /// Chain time of the write.
    pub saved: Timestamp,
    /// Newest block at the write.
    pub tip: Option<Height>,
    /// Number of external transactions in the index file at the write; `None` without a file. Any further ones were
    /// added just before the program was killed.
    #[serde(default)]
    pub taken: Option<u64>,
    pub state: RouterState,
}

/// Open journal file; its lock excludes other programs.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// Locked file; the system releases the lock on any exit.
    lock: File,
}

impl Journal {
    /// Opens and locks the file; `None` if another program holds the lock.
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

    /// Reads the last record; `None` without a file. An error for another version or an invalid file.
    pub fn read(&self) -> io::Result<Option<JournalRecord>> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Renames the file, so that a new file can start and the old file is kept; returns its new path.
    pub fn put_aside(&self) -> io::Result<PathBuf> {
        let aside = files::free_name(&self.path, ".old");
        fs::rename(&self.path, &aside)?;
        Ok(aside)
    }

    /// Replaces the file atomically: a kill leaves either the old file or the new file.
    pub fn write(&self, record: &JournalRecord) -> io::Result<()> {
        let bytes = serde_json::to_vec(record).map_err(io::Error::other)?;
        let draft = files::beside(&self.path, ".new");
        files::write(&draft, &bytes)?;
        fs::rename(draft, &self.path)
    }

    /// Removes the outdated file.
    pub fn forget(&self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Closing is not enough: a child process shares the file until its exec.
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
