//! What the router must know again after a restart, in one file that is replaced as a whole.

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

/// Raised when an older file can no longer be read.
const FORMAT: u32 = 3;

/// Which chain and router a journal belongs to.
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
    /// The identity of a rollup. Its genesis time is no part of it, and neither is how fast its router's waits pass: the
    /// transfers are the same.
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

/// What a journal has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalRecord {
    /// Whose it is.
    pub identity: JournalIdentity,
    /// When that chain began.
    pub genesis_time: Timestamp,
    /// When it was written, by the chain's time.
    pub saved: Timestamp,
    /// The chain's newest block then.
    pub tip: Option<Height>,
    /// How many transactions from outside the index's file kept then; `None` where it has no file. Those that it has
    /// beyond were taken by the rollup just before the program was killed.
    #[serde(default)]
    pub taken: Option<u64>,
    /// What the router knew.
    pub state: RouterState,
}

/// The file, held for as long as this lives: no second program writes it meanwhile.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// Locked; the system frees the lock however the program ends.
    lock: File,
}

impl Journal {
    /// Takes the file; `None` where another program has it.
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

    /// What was written last; `None` without a file. An error where it is of another version or no journal.
    pub fn read(&self) -> io::Result<Option<JournalRecord>> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Renames the file, so that a new one can begin while nothing is lost; where it is now.
    pub fn put_aside(&self) -> io::Result<PathBuf> {
        let aside = files::free_name(&self.path, ".old");
        fs::rename(&self.path, &aside)?;
        Ok(aside)
    }

    /// Replaces the file. A program that is killed meanwhile leaves the old one or the new one, never a half.
    pub fn write(&self, record: &JournalRecord) -> io::Result<()> {
        let bytes = serde_json::to_vec(record).map_err(io::Error::other)?;
        let draft = files::beside(&self.path, ".new");
        files::write(&draft, &bytes)?;
        fs::rename(draft, &self.path)
    }

    /// Removes the file: what it says is not so any more.
    pub fn forget(&self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Closing the file is not enough: a child that is being started shares it until it becomes another program.
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
