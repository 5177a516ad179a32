use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::domain::{TransferId, TransferRecord};

/// Pending change of a transfer in the state file.
#[derive(Clone, Debug)]
pub(super) enum PendingWrite {
    Save(Arc<TransferRecord>),
    Forget,
}

/// Transfers to write, each with its newest write: bounded by the number of transfers, not of changes.
///
/// These writes are outside of the thread's queue, so each records how many chains were closed before it was queued.
#[derive(Debug, Default)]
pub(super) struct PendingWrites(Mutex<Writes>);

#[derive(Debug, Default)]
struct Writes {
    by_id: BTreeMap<TransferId, (u32, PendingWrite)>,
    partings: u32,
}

impl PendingWrites {
    pub(super) fn save(&self, record: Arc<TransferRecord>) {
        self.insert(record.id.clone(), PendingWrite::Save(record));
    }

    pub(super) fn forget(&self, id: TransferId) {
        self.insert(id, PendingWrite::Forget);
    }

    /// Counts a closed chain: later writes belong to the next chain.
    pub(super) fn part(&self) {
        self.lock().partings += 1;
    }

    /// Returns the next write that was queued when at most `partings` chains were closed, with that number. The write
    /// stays until [`PendingWrites::finish`].
    pub(super) fn first(&self, partings: u32) -> Option<(TransferId, u32, PendingWrite)> {
        let writes = self.lock();
        let (id, (before, write)) = writes.by_id.iter().find(|(_, (before, _))| *before <= partings)?;
        Some((id.clone(), *before, write.clone()))
    }

    /// Removes a finished write, unless a newer write replaced it.
    pub(super) fn finish(&self, id: &TransferId, done: &PendingWrite) {
        let all = &mut self.lock().by_id;
        let is_same = match (all.get(id), done) {
            (Some((_, PendingWrite::Save(now))), PendingWrite::Save(done)) => Arc::ptr_eq(now, done),
            (Some((_, PendingWrite::Forget)), PendingWrite::Forget) => true,
            _ => false,
        };
        if is_same {
            all.remove(id);
        }
    }

    /// Returns the transfers that are not yet written.
    pub(super) fn unwritten(&self) -> Vec<TransferId> {
        let writes = self.lock();
        let saves = writes.by_id.iter().filter(|(_, (_, write))| matches!(write, PendingWrite::Save(_)));
        saves.map(|(id, _)| id.clone()).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.lock().by_id.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn insert(&self, id: TransferId, write: PendingWrite) {
        let mut writes = self.lock();
        let partings = writes.partings;
        writes.by_id.insert(id, (partings, write));
    }

    fn lock(&self) -> MutexGuard<'_, Writes> {
        // No code panics halfway through a change, so a poisoned lock holds intact data.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
