//! The recents' own thread: SQLite blocks, and must hold up neither the terminal nor the runtime.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, TrySendError, channel, sync_channel},
    },
    thread,
    time::Duration,
};

use tokio::sync::oneshot;

use crate::{
    domain::Timestamp,
    store::{Store, StoreError},
};

/// Jobs that may wait; beyond them a recent is not worth keeping.
const JOBS: usize = 256;

/// How long leaving waits for recents still being written.
const FAREWELL: Duration = Duration::from_millis(500);

enum Job {
    Recents(oneshot::Sender<Vec<String>>),
    Remember(String, Timestamp),
    Close,
}

/// The way to the thread; clones lead to the same one.
#[derive(Clone)]
pub(super) struct Shelf {
    jobs: SyncSender<Job>,
    closed: Arc<Mutex<Receiver<()>>>,
}

impl Shelf {
    /// Starts the thread. The file is opened by the first job; whatever fails is told to `warn`, once each, and the
    /// recents then last as long as the thread.
    pub(super) fn open(path: Option<PathBuf>, network: String, warn: impl Fn(String) + Send + 'static) -> Self {
        let (jobs, receiver) = sync_channel(JOBS);
        let (farewell, closed) = channel();
        let keeper = move || {
            // Held until the thread ends, however it ends: its drop is what `close` waits for.
            let _farewell = farewell;
            keep(&receiver, path.as_deref(), &network, &warn);
        };
        if let Err(error) = thread::Builder::new().name("recents".to_owned()).spawn(keeper) {
            tracing::warn!("recents are not kept: no thread for them: {error}");
        }
        Self { jobs, closed: Arc::new(Mutex::new(closed)) }
    }

    /// Keeps a text as the newest recent; never blocks.
    pub(super) fn remember(&self, text: String) {
        if let Err(TrySendError::Full(_)) = self.jobs.try_send(Job::Remember(text, Timestamp::now())) {
            tracing::warn!("a recent is not kept: too many are waiting");
        }
    }

    /// The recents, newest first; empty when they cannot be had.
    pub(super) async fn recents(&self) -> Vec<String> {
        let (answer, answered) = oneshot::channel();
        match self.jobs.try_send(Job::Recents(answer)) {
            Ok(()) => answered.await.unwrap_or_default(),
            Err(_) => Vec::new(),
        }
    }

    /// Lets the thread finish what waits and end; gives up waiting for it after a moment.
    pub(super) fn close(&self) {
        if self.jobs.try_send(Job::Close).is_ok() {
            // Nothing is ever sent: the channel's end is the sign.
            let _ = self.closed.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(FAREWELL);
        }
    }
}

fn keep(jobs: &Receiver<Job>, path: Option<&Path>, network: &str, warn: &dyn Fn(String)) {
    let mut store = None;
    let mut has_warned = false;
    let mut complain = |error: StoreError| {
        if !std::mem::replace(&mut has_warned, true) {
            warn(format!("recents are not kept: {error}"));
        }
    };
    while let Ok(job) = jobs.recv() {
        if let Job::Close = job {
            return;
        }
        let store = store.get_or_insert_with(|| open(path, &mut complain));
        match job {
            Job::Close => return,
            Job::Recents(answer) => {
                let recents = store.as_ref().map(|store| store.recents(network)).transpose();
                // Nobody may be waiting any more.
                let _ = answer.send(
                    recents
                        .unwrap_or_else(|error| {
                            complain(error);
                            None
                        })
                        .unwrap_or_default(),
                );
            }
            Job::Remember(text, at) => {
                if let Some(Err(error)) = store.as_mut().map(|store| store.remember(network, &text, at)) {
                    complain(error);
                }
            }
        }
    }
}

fn open(path: Option<&Path>, complain: &mut dyn FnMut(StoreError)) -> Option<Store> {
    let opened = path.map_or_else(Store::in_memory, Store::open);
    opened
        .or_else(|error| {
            complain(error);
            Store::in_memory()
        })
        .ok()
}
