//! The state file's own thread: SQLite blocks, and must hold up neither the terminal nor the runtime.

mod keeper;
mod unsaved;

use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};

use tokio::sync::oneshot;

use crate::domain::{Timestamp, TransferId, TransferRecord};
use keeper::{Job, Keeper};
use unsaved::Unsaved;

/// Recents that may wait; beyond them one is not worth keeping.
const RECENTS: usize = 256;

/// How long leaving waits for what is still being written: recents are not worth more.
const FAREWELL: Duration = Duration::from_millis(500);

/// The same where transfers are: money depends on them.
const LONG_FAREWELL: Duration = Duration::from_secs(10);

/// The way to the thread; clones lead to the same one.
#[derive(Clone)]
pub(super) struct Shelf {
    jobs: Sender<Job>,
    waiting: Arc<AtomicUsize>,
    unsaved: Arc<Unsaved>,
    closed: Arc<Mutex<Receiver<()>>>,
}

impl Shelf {
    /// Starts the thread. The file is opened by the first job; whatever fails is told to `warn`, once each, and what is
    /// to be kept then lasts as long as the thread.
    pub(super) fn open(path: Option<PathBuf>, network: String, warn: impl Fn(String) + Send + 'static) -> Self {
        let (jobs, receiver) = channel();
        let (farewell, closed) = channel();
        let (waiting, unsaved) = (Arc::new(AtomicUsize::new(0)), Arc::new(Unsaved::default()));
        let mut keeper = Keeper::new(path, network, Arc::clone(&unsaved), Arc::clone(&waiting), Box::new(warn));
        let work = move || {
            // Held until the thread ends, however it ends: its drop is what `close` waits for.
            let _farewell = farewell;
            keeper.run(&receiver);
        };
        if let Err(error) = thread::Builder::new().name("state".to_owned()).spawn(work) {
            tracing::error!("nothing is kept: no thread for it: {error}");
        }
        Self { jobs, waiting, unsaved, closed: Arc::new(Mutex::new(closed)) }
    }

    /// Keeps a text as the newest recent; never blocks.
    pub(super) fn remember(&self, text: String) {
        if self.waiting.load(Ordering::Relaxed) >= RECENTS {
            tracing::warn!("a recent is not kept: too many are waiting");
            return;
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // Without the thread nothing is kept, which was said when it could not be started.
        let _ = self.jobs.send(Job::Remember(text, Timestamp::now()));
    }

    /// The recents, newest first; empty when they cannot be had.
    pub(super) async fn recents(&self) -> Vec<String> {
        self.ask(Job::Recents).await
    }

    /// Keeps a transfer; never blocks, and never drops one: of several states of a transfer that wait the newest is
    /// written, and it is written again and again until that works.
    pub(super) fn keep(&self, record: Arc<TransferRecord>) {
        self.unsaved.keep(record);
        let _ = self.jobs.send(Job::Save);
    }

    /// Keeps a transfer no longer; likewise.
    pub(super) fn forget(&self, id: TransferId) {
        self.unsaved.forget(id);
        let _ = self.jobs.send(Job::Save);
    }

    /// The transfers, newest first; empty when they cannot be had.
    pub(super) async fn transfers(&self) -> Vec<TransferRecord> {
        self.ask(Job::Transfers).await
    }

    async fn ask<T: Default>(&self, job: impl FnOnce(oneshot::Sender<T>) -> Job) -> T {
        let (answer, answered) = oneshot::channel();
        match self.jobs.send(job(answer)) {
            Ok(()) => answered.await.unwrap_or_default(),
            Err(_) => T::default(),
        }
    }

    /// Lets the thread finish what waits and end; gives up waiting for it after a while.
    pub(super) fn close(&self) {
        let patience = if self.unsaved.is_empty() { FAREWELL } else { LONG_FAREWELL };
        if self.jobs.send(Job::Close).is_ok() {
            // Nothing is ever sent: the channel's end is the sign.
            let _ = self.closed.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(patience);
        }
        let left = self.unsaved.len();
        if left > 0 {
            tracing::error!("{left} changes of transfers could not be written in time");
        }
    }
}
