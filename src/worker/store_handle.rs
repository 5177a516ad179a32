//! Thread of the state file: SQLite blocks, which must delay neither the terminal nor the runtime.

mod pending;
mod thread;

use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    time::Duration,
};

use tokio::sync::oneshot;

use crate::{
    domain::{Address, ChainSighting, Height, KeptView, Timestamp, TransferId, TransferRecord},
    msg::TransferOutcome,
    signing::NotedRecord,
    store::{StoreScope, WaitingOutcome},
};
use pending::PendingWrites;
use thread::{StoreJob, StoreThread};

/// Maximum queued recents; further ones are dropped.
const RECENTS: usize = 256;

/// Time limit on closing for pending writes of recents.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

/// Time limit on closing for pending writes of transfers, which money depends on.
const CLOSE_TIMEOUT_WITH_TRANSFERS: Duration = Duration::from_secs(10);

/// Transfers not in the state file: lost once the worker is gone.
#[derive(Clone, Debug)]
pub struct UnkeptTransfers(Arc<PendingWrites>);

impl UnkeptTransfers {
    /// Returns the transfers' ids, unordered.
    pub fn ids(&self) -> Vec<TransferId> {
        self.0.unwritten()
    }
}

/// Handle of the thread; clones share it.
#[derive(Clone)]
pub(super) struct StoreHandle {
    jobs: Sender<StoreJob>,
    waiting: Arc<AtomicUsize>,
    pending: Arc<PendingWrites>,
    closed: Arc<Mutex<Receiver<()>>>,
}

impl StoreHandle {
    /// Starts the thread. The first job opens the file. Each kind of failure is reported to `warn` once, and data then
    /// lasts as long as the thread.
    pub(super) fn open(path: Option<PathBuf>, network: String, warn: impl Fn(String) + Send + 'static) -> Self {
        let (jobs, receiver) = channel();
        let (ended, closed) = channel();
        let (waiting, pending) = (Arc::new(AtomicUsize::new(0)), Arc::new(PendingWrites::default()));
        let (scope, writes) = (StoreScope::new(network), Arc::clone(&pending));
        let mut thread = StoreThread::new(path, scope, writes, Arc::clone(&waiting), Box::new(warn));
        let work = move || {
            // Held until the thread ends in any way: `close` waits for its drop.
            let _ended = ended;
            thread.run(&receiver);
        };
        if let Err(error) = std::thread::Builder::new().name("state".to_owned()).spawn(work) {
            tracing::error!("rollscope saves nothing: cannot start a thread: {error}");
        }
        Self { jobs, waiting, pending, closed: Arc::new(Mutex::new(closed)) }
    }

    pub(super) fn unkept(&self) -> UnkeptTransfers {
        UnkeptTransfers(Arc::clone(&self.pending))
    }

    /// Stores a text as the newest recent; never blocks.
    pub(super) fn remember(&self, text: String) {
        if self.waiting.load(Ordering::Relaxed) >= RECENTS {
            tracing::warn!("recent entry not saved: too many are waiting");
            return;
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // Without the thread nothing is stored, which was reported at its start.
        let _ = self.jobs.send(StoreJob::Remember(text, Timestamp::now()));
    }

    /// Returns the recents, newest first; empty on a failure.
    pub(super) async fn recents(&self) -> Vec<String> {
        self.ask(StoreJob::Recents).await
    }

    /// Returns the user's account labels; empty on a failure.
    pub(super) async fn labels(&self) -> Vec<(Address, String)> {
        self.ask(StoreJob::Labels).await
    }

    /// Stores or deletes the user's label of an account; never blocks.
    pub(super) fn label(&self, account: Address, label: String) {
        let _ = self.jobs.send(StoreJob::Label(account, label));
    }

    /// Returns the view of the last session; `None` on a failure.
    pub(super) async fn view(&self) -> Option<KeptView> {
        self.ask(StoreJob::View).await
    }

    /// Stores the current view; never blocks.
    pub(super) fn keep_view(&self, view: KeptView) {
        let _ = self.jobs.send(StoreJob::KeepView(view, Timestamp::now()));
    }

    /// Stores a transfer; never blocks, and never drops one. Only the newest pending state of a transfer is written,
    /// and failed writes are retried.
    pub(super) fn keep(&self, record: Arc<TransferRecord>) {
        self.pending.save(record);
        let _ = self.jobs.send(StoreJob::Write);
    }

    /// Stores a transfer immediately: returns once it is in the state file, or why it is not. Without a file it lasts
    /// as long as the thread.
    pub(super) async fn keep_now(&self, noted: NotedRecord) -> Result<(), String> {
        let (answer, answered) = oneshot::channel();
        let gone = || "the state file's thread has ended".to_owned();
        self.jobs.send(StoreJob::KeepNow(Box::new(noted), answer)).map_err(|_| gone())?;
        answered.await.unwrap_or_else(|_| Err(gone()))
    }

    /// Deletes a transfer, with the guarantees of [`Self::keep`].
    pub(super) fn forget(&self, id: TransferId) {
        self.pending.forget(id);
        let _ = self.jobs.send(StoreJob::Write);
    }

    /// Returns the transfers, newest first; empty on a failure.
    pub(super) async fn transfers(&self) -> Vec<TransferRecord> {
        self.ask(StoreJob::Transfers).await
    }

    /// Queues an outcome unless it is known; never blocks.
    pub(super) fn queue_outcome(&self, outcome: Arc<TransferOutcome>) {
        let _ = self.jobs.send(StoreJob::QueueOutcome(outcome, Timestamp::now()));
    }

    /// Takes the oldest waiting outcome. Blocks.
    pub(super) fn next_outcome(&self) -> Option<WaitingOutcome> {
        self.ask_blocking(StoreJob::NextOutcome)
    }

    /// Records whether a taken outcome was processed; otherwise it waits again. Blocks until written.
    pub(super) fn settle_outcome(&self, taken: WaitingOutcome, is_told: bool) {
        self.ask_blocking(|answer| StoreJob::SettleOutcome(taken, is_told, answer));
    }

    /// Returns the number of waiting outcomes. Blocks.
    pub(super) fn waiting_outcomes(&self) -> usize {
        self.ask_blocking(StoreJob::WaitingOutcomes)
    }

    /// Returns transfers whose outcome may not have been delivered, each once. Blocks.
    pub(super) fn lost_outcomes(&self) -> Vec<TransferId> {
        self.ask_blocking(StoreJob::LostOutcomes)
    }

    /// Determines the stored chain of the network: returns whether recents and transfers change, and which blocks would
    /// tell more.
    pub(super) async fn identify(&self, sighting: ChainSighting) -> (bool, Vec<Height>) {
        self.ask(|answer| StoreJob::Identify(sighting, answer)).await
    }

    /// Closes the scope of the current chain.
    pub(super) fn part(&self) {
        self.pending.part();
        let _ = self.jobs.send(StoreJob::Part);
    }

    async fn ask<T: Default>(&self, job: impl FnOnce(oneshot::Sender<T>) -> StoreJob) -> T {
        let (answer, answered) = oneshot::channel();
        match self.jobs.send(job(answer)) {
            Ok(()) => answered.await.unwrap_or_default(),
            Err(_) => T::default(),
        }
    }

    /// Runs a job and waits for it. Blocks, so it must not run on the runtime's threads.
    fn ask_blocking<T: Default>(&self, job: impl FnOnce(Sender<T>) -> StoreJob) -> T {
        let (answer, answered) = channel();
        match self.jobs.send(job(answer)) {
            Ok(()) => answered.recv().unwrap_or_default(),
            Err(_) => T::default(),
        }
    }

    /// Lets the thread finish pending jobs, within a time limit.
    pub(super) fn close(&self) {
        let patience = if self.pending.is_empty() { CLOSE_TIMEOUT } else { CLOSE_TIMEOUT_WITH_TRANSFERS };
        if self.jobs.send(StoreJob::Close).is_ok() {
            // Nothing is ever sent: the closed channel is the signal.
            let _ = self.closed.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(patience);
        }
        let left = self.pending.len();
        if left > 0 {
            tracing::error!("{left} transfer changes were not saved in time");
        }
    }
}
