//! What a process needs of an index that another one writes: flags and progress lie in the file.

use std::{
    path::Path,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::indexer::index::dialect::Connection;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::{
    Index, IndexError, IndexFeed,
    codec::Codec,
    database::Database,
    meta,
    model::{FORMAT, FileReader, refuse_newer},
};
use crate::{
    domain::{Timestamp, Vm},
    indexer::progress::{NodeProgress, StoredProgress},
};

/// Name of the stored flags.
const FLAGS: &str = "flags";

/// Name of the stored progress.
const PROGRESS: &str = "progress";

/// Flags of the writer that answers depend on.
#[derive(Debug, Serialize, Deserialize)]
struct StoredFlags {
    floor: u64,
    has_state: bool,
    is_untraced: bool,
}

/// Returns the progress that the writer stored last.
pub(super) fn progress(connection: &Connection) -> Result<Option<NodeProgress>, IndexError> {
    let stored = meta::load(connection, PROGRESS)?;
    let stored: Option<StoredProgress> =
        stored.map(|json| serde_json::from_slice(&json)).transpose().map_err(|_| IndexError::Body)?;
    Ok(stored.map(StoredProgress::restore))
}

impl Index {
    /// Opens a file that another process may write. Fails for a file without an index of a node, or of another format.
    pub fn read_only(path: &Path) -> Result<Self, IndexError> {
        Ok(Self { path: Some(path.to_owned()), ..Self::over_written(Database::read_only(path)?)? })
    }

    /// Opens what another process writes.
    pub(super) fn over_written(database: Database) -> Result<Self, IndexError> {
        let (vm, feed) = database.read(|connection| {
            let found = meta::format_of(connection)?.ok_or(IndexError::NoIndex)?;
            refuse_newer(found)?;
            if found != FORMAT {
                return Err(IndexError::Unconverted(found));
            }
            let text = |name: &str| {
                Ok::<_, IndexError>(meta::load(connection, name)?.and_then(|bytes| String::from_utf8(bytes).ok()))
            };
            let vm = text("virtual machine")?.and_then(|name| name.parse::<Vm>().ok()).ok_or(IndexError::NoIndex)?;
            let is_of_node = text("source")?.is_some_and(|source| source == IndexFeed::Node.name());
            if is_of_node { Ok((vm, IndexFeed::Node)) } else { Err(IndexError::NoIndex) }
        })?;
        let progress = watch::channel(NodeProgress::default()).0;
        let reader = FileReader { seen: Mutex::default(), progress, is_current: AtomicBool::new(false) };
        let index = Self { reader: Some(reader), ..Self::over(database, vm, feed, None)? };
        index.refresh()?;
        Ok(index)
    }

    /// Returns the writer's progress, which [`Self::refresh`] updates; `None` for an index that this process writes.
    pub(crate) fn writers_progress(&self) -> Option<watch::Receiver<NodeProgress>> {
        self.reader.as_ref().map(|reader| reader.progress.subscribe())
    }

    /// Stores the flags, so that readers in other processes have them with what is written.
    pub(super) fn save_flags(&self, connection: &Connection) -> Result<(), IndexError> {
        let flags = StoredFlags {
            floor: self.floor.load(Ordering::Acquire),
            has_state: self.has_state(),
            is_untraced: self.is_untraced.load(Ordering::Acquire),
        };
        meta::save(connection, FLAGS, &serde_json::to_vec(&flags).map_err(|_| IndexError::Body)?)
    }

    /// Stores the progress and the flags for readers in other processes.
    pub(crate) fn share(&self, progress: &NodeProgress) -> Result<(), IndexError> {
        let stored = StoredProgress::new(progress, Timestamp::now());
        let json = serde_json::to_vec(&stored).map_err(|_| IndexError::Body)?;
        // This process answers from its own progress, so its answers do not change.
        self.database.write_alone(|connection| {
            self.save_flags(connection)?;
            meta::save(connection, PROGRESS, &json)
        })
    }

    /// Takes up what another process wrote since the last call. Waits for a server, unless another thread already does.
    pub(crate) fn refresh(&self) -> Result<(), IndexError> {
        let Some(reader) = &self.reader else { return Ok(()) };
        let seen = if self.is_on_server() {
            let Ok(seen) = reader.seen.try_lock() else { return Ok(()) };
            seen
        } else {
            // No code panics halfway through a change, so a poisoned lock holds valid data.
            reader.seen.lock().unwrap_or_else(PoisonError::into_inner)
        };
        let taken = self.take_up(reader, seen);
        reader.is_current.store(taken.is_ok(), Ordering::Release);
        taken
    }

    fn take_up(&self, reader: &FileReader, mut seen: MutexGuard<'_, Option<i64>>) -> Result<(), IndexError> {
        // Before the values: what is written after this is taken up by the next call.
        let version = self.database.version_of_others()?;
        if *seen == Some(version) {
            return Ok(());
        }
        let (flags, progress, chain_id, dictionary) = self.database.read(|connection| {
            let load = |name| meta::load(connection, name);
            Ok((load(FLAGS)?, progress(connection)?, load("chain id")?, load("dictionary")?))
        })?;
        let _change = self.database.changes.begin();
        if let Some(flags) = flags {
            let flags: StoredFlags = serde_json::from_slice(&flags).map_err(|_| IndexError::Body)?;
            self.floor.store(flags.floor, Ordering::Release);
            self.has_state.store(flags.has_state, Ordering::Release);
            self.is_untraced.store(flags.is_untraced, Ordering::Release);
        }
        *self.chain_id.lock().unwrap_or_else(PoisonError::into_inner) =
            chain_id.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        // A dictionary never changes.
        if let (None, Some(dictionary)) = (self.codec.get(), dictionary) {
            let codec = Codec::new(dictionary)?;
            self.codec.get_or_init(|| codec);
        }
        if let Some(progress) = progress {
            reader.progress.send_if_modified(|last| std::mem::replace(last, progress.clone()) != progress);
        }
        *seen = Some(version);
        Ok(())
    }
}
