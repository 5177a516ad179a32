use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::domain::{TransferId, TransferRecord};

/// What is to become of a transfer in the state file.
#[derive(Clone, Debug)]
pub(super) enum Fate {
    /// Written as it is now.
    Kept(Arc<TransferRecord>),
    /// Taken out.
    Forgotten,
}

/// The transfers that are not written yet, each with its newest fate: as many as there are transfers, not changes.
#[derive(Debug, Default)]
pub(super) struct Unsaved(Mutex<BTreeMap<TransferId, Fate>>);

impl Unsaved {
    /// A transfer is to be written.
    pub(super) fn keep(&self, record: Arc<TransferRecord>) {
        self.lock().insert(record.id.clone(), Fate::Kept(record));
    }

    /// A transfer is to be taken out.
    pub(super) fn forget(&self, id: TransferId) {
        self.lock().insert(id, Fate::Forgotten);
    }

    /// The next one to be dealt with. It stays until [`Unsaved::settle`].
    pub(super) fn first(&self) -> Option<(TransferId, Fate)> {
        self.lock().first_key_value().map(|(id, fate)| (id.clone(), fate.clone()))
    }

    /// This fate has come true. One that came meanwhile stays.
    pub(super) fn settle(&self, id: &TransferId, done: &Fate) {
        let mut all = self.lock();
        let is_same = match (all.get(id), done) {
            (Some(Fate::Kept(now)), Fate::Kept(done)) => Arc::ptr_eq(now, done),
            (Some(Fate::Forgotten), Fate::Forgotten) => true,
            _ => false,
        };
        if is_same {
            all.remove(id);
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether all is written.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<TransferId, Fate>> {
        // A map operation cannot be interrupted halfway, so a poisoned map is still whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
