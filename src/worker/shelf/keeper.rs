use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::Duration,
};

use tokio::sync::oneshot;

use super::unsaved::{Fate, Unsaved};
use crate::{
    domain::{Timestamp, TransferRecord},
    store::{Store, StoreError},
};

/// Between two tries to write a transfer.
const AGAIN: Duration = Duration::from_secs(5);

/// What the thread is asked to do. Transfers to be written lie beside the queue, so that no bound can drop one.
pub(super) enum Job {
    Recents(oneshot::Sender<Vec<String>>),
    Remember(String, Timestamp),
    Transfers(oneshot::Sender<Vec<TransferRecord>>),
    Save,
    Close,
}

/// The thread that owns the state file.
pub(super) struct Keeper {
    path: Option<PathBuf>,
    network: String,
    unsaved: Arc<Unsaved>,
    waiting: Arc<AtomicUsize>,
    warn: Box<dyn Fn(String) + Send>,
    store: Option<Store>,
    /// Whether the store is in memory though there is a path.
    is_stopgap: bool,
    has_warned: bool,
    is_failing: bool,
}

impl Keeper {
    /// One that has opened nothing yet.
    pub(super) fn new(
        path: Option<PathBuf>,
        network: String,
        unsaved: Arc<Unsaved>,
        waiting: Arc<AtomicUsize>,
        warn: Box<dyn Fn(String) + Send>,
    ) -> Self {
        Self {
            path,
            network,
            unsaved,
            waiting,
            warn,
            store: None,
            is_stopgap: false,
            has_warned: false,
            is_failing: false,
        }
    }

    /// Works until it is closed or nobody can ask any more.
    pub(super) fn run(&mut self, jobs: &Receiver<Job>) {
        loop {
            let job = if self.is_failing { jobs.recv_timeout(AGAIN) } else { jobs.recv().map_err(Into::into) };
            match job {
                Ok(Job::Close) | Err(RecvTimeoutError::Disconnected) => {
                    // A last time, also where it failed before.
                    self.save();
                    return;
                }
                Ok(job) => self.work(job),
                Err(RecvTimeoutError::Timeout) => self.save(),
            }
        }
    }

    fn work(&mut self, job: Job) {
        match job {
            Job::Recents(answer) => {
                let recents = self.open().and_then(|(store, network)| store.recents(network));
                // Nobody may be waiting any more.
                let _ = answer.send(self.or_nothing(recents));
            }
            Job::Remember(text, at) => {
                self.waiting.fetch_sub(1, Ordering::Relaxed);
                let kept = self.open().and_then(|(store, network)| store.remember(network, &text, at));
                self.or_nothing(kept);
            }
            Job::Transfers(answer) => {
                self.save();
                let transfers = self.open().and_then(|(store, network)| store.transfers(network));
                let _ = answer.send(self.or_nothing(transfers));
            }
            // A failed one waits for its next turn, whatever else is changed meanwhile.
            Job::Save if self.is_failing => {}
            Job::Save | Job::Close => self.save(),
        }
    }

    /// Writes what waits, until one fails.
    fn save(&mut self) {
        while let Some((id, fate)) = self.unsaved.first() {
            let saved = self.open_file().and_then(|(store, network)| match &fate {
                Fate::Kept(record) => store.save(network, record),
                Fate::Forgotten => store.forget(network, &id),
            });
            match saved {
                Ok(()) => self.unsaved.settle(&id, &fate),
                Err(error) => {
                    if !std::mem::replace(&mut self.is_failing, true) {
                        (self.warn)(format!("a transfer could not be written and will be tried again: {error}"));
                    }
                    return;
                }
            }
        }
        self.is_failing = false;
    }

    /// The store and the network's name; opened when it is first needed, in memory where the file cannot be used.
    fn open(&mut self) -> Result<(&mut Store, &str), StoreError> {
        let store = match (self.store.take(), &self.path) {
            (Some(store), _) => store,
            (None, None) => Store::in_memory()?,
            (None, Some(path)) => match Store::open(path) {
                Ok(store) => store,
                Err(error) => {
                    self.is_stopgap = true;
                    self.complain(&error);
                    Store::in_memory()?
                }
            },
        };
        Ok((self.store.insert(store), &self.network))
    }

    /// The same for transfers: never in memory instead of the file, which is tried again each time.
    fn open_file(&mut self) -> Result<(&mut Store, &str), StoreError> {
        let is_open = self.store.is_some() && !self.is_stopgap;
        if let Some(path) = self.path.as_deref().filter(|_| !is_open) {
            self.store = Some(Store::open(path)?);
            self.is_stopgap = false;
        }
        self.open()
    }

    fn or_nothing<T: Default>(&mut self, result: Result<T, StoreError>) -> T {
        result.unwrap_or_else(|error| {
            self.complain(&error);
            T::default()
        })
    }

    fn complain(&mut self, error: &StoreError) {
        if !std::mem::replace(&mut self.has_warned, true) {
            (self.warn)(format!("recents and transfers are not kept: {error}"));
        }
    }
}
