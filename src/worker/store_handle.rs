//! The state file's own thread: SQLite blocks, and must hold up neither the terminal nor the runtime.

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

/// Recents that may wait; beyond them one is not worth keeping.
const RECENTS: usize = 256;

/// How long closing waits for what is still being written: recents are not worth more.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

/// The same where transfers are: money depends on them.
const CLOSE_TIMEOUT_WITH_TRANSFERS: Duration = Duration::from_secs(10);

/// The transfers that are not in the state file: once the worker is gone, those that will not be found again.
#[derive(Clone, Debug)]
pub struct UnkeptTransfers(Arc<PendingWrites>);

impl UnkeptTransfers {
    /// Their names, in no order of age.
    pub fn ids(&self) -> Vec<TransferId> {
        self.0.unwritten()
    }
}

/// The way to the thread; clones lead to the same one.
#[derive(Clone)]
pub(super) struct StoreHandle {
    jobs: Sender<StoreJob>,
    waiting: Arc<AtomicUsize>,
    pending: Arc<PendingWrites>,
    closed: Arc<Mutex<Receiver<()>>>,
}

impl StoreHandle {
    /// Starts the thread. The file is opened by the first job; whatever fails is told to `warn`, once each, and what is
    /// to be kept then lasts as long as the thread.
    pub(super) fn open(path: Option<PathBuf>, network: String, warn: impl Fn(String) + Send + 'static) -> Self {
        let (jobs, receiver) = channel();
        let (ended, closed) = channel();
        let (waiting, pending) = (Arc::new(AtomicUsize::new(0)), Arc::new(PendingWrites::default()));
        let (scope, writes) = (StoreScope::of(network), Arc::clone(&pending));
        let mut thread = StoreThread::new(path, scope, writes, Arc::clone(&waiting), Box::new(warn));
        let work = move || {
            // Held until the thread ends, however it ends: its drop is what `close` waits for.
            let _ended = ended;
            thread.run(&receiver);
        };
        if let Err(error) = std::thread::Builder::new().name("state".to_owned()).spawn(work) {
            tracing::error!("nothing is kept: no thread for it: {error}");
        }
        Self { jobs, waiting, pending, closed: Arc::new(Mutex::new(closed)) }
    }

    pub(super) fn unkept(&self) -> UnkeptTransfers {
        UnkeptTransfers(Arc::clone(&self.pending))
    }

    /// Keeps a text as the newest recent; never blocks.
    pub(super) fn remember(&self, text: String) {
        if self.waiting.load(Ordering::Relaxed) >= RECENTS {
            tracing::warn!("a recent is not kept: too many are waiting");
            return;
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // Without the thread nothing is kept, which was said when it could not be started.
        let _ = self.jobs.send(StoreJob::Remember(text, Timestamp::now()));
    }

    /// The recents, newest first; empty when they cannot be had.
    pub(super) async fn recents(&self) -> Vec<String> {
        self.ask(StoreJob::Recents).await
    }

    /// The person's own names of accounts; none when they cannot be had.
    pub(super) async fn labels(&self) -> Vec<(Address, String)> {
        self.ask(StoreJob::Labels).await
    }

    /// Keeps a person's own name of an account, or takes it away; never blocks.
    pub(super) fn label(&self, account: Address, label: String) {
        let _ = self.jobs.send(StoreJob::Label(account, label));
    }

    /// The view that the last session ended with; `None` when it cannot be had.
    pub(super) async fn view(&self) -> Option<KeptView> {
        self.ask(StoreJob::View).await
    }

    /// Keeps the view that is on screen; never blocks.
    pub(super) fn keep_view(&self, view: KeptView) {
        let _ = self.jobs.send(StoreJob::KeepView(view, Timestamp::now()));
    }

    /// Keeps a transfer; never blocks, and never drops one: of several states of a transfer that wait the newest is
    /// written, and it is written again and again until that works.
    pub(super) fn keep(&self, record: Arc<TransferRecord>) {
        self.pending.save(record);
        let _ = self.jobs.send(StoreJob::Write);
    }

    /// Keeps a transfer before anything else happens: comes back when it is in the state file, or says why it is not.
    /// Where there is no file it lasts as long as the thread.
    pub(super) async fn keep_now(&self, noted: NotedRecord) -> Result<(), String> {
        let (answer, answered) = oneshot::channel();
        let gone = || "the state file's thread has ended".to_owned();
        self.jobs.send(StoreJob::KeepNow(Box::new(noted), answer)).map_err(|_| gone())?;
        answered.await.unwrap_or_else(|_| Err(gone()))
    }

    /// Keeps a transfer no longer; likewise.
    pub(super) fn forget(&self, id: TransferId) {
        self.pending.forget(id);
        let _ = self.jobs.send(StoreJob::Write);
    }

    /// The transfers, newest first; empty when they cannot be had.
    pub(super) async fn transfers(&self) -> Vec<TransferRecord> {
        self.ask(StoreJob::Transfers).await
    }

    /// Has an outcome wait to be told, unless it is known already; never blocks.
    pub(super) fn queue_outcome(&self, outcome: Arc<TransferOutcome>) {
        let _ = self.jobs.send(StoreJob::QueueOutcome(outcome, Timestamp::now()));
    }

    /// Takes the oldest outcome that waits. Blocks.
    pub(super) fn next_outcome(&self) -> Option<WaitingOutcome> {
        self.ask_blocking(StoreJob::NextOutcome)
    }

    /// Whether a taken outcome was told; else it waits again. Blocks until it is written.
    pub(super) fn settle_outcome(&self, taken: WaitingOutcome, is_told: bool) {
        self.ask_blocking(|answer| StoreJob::SettleOutcome(taken, is_told, answer));
    }

    /// How many outcomes wait. Blocks.
    pub(super) fn waiting_outcomes(&self) -> usize {
        self.ask_blocking(StoreJob::WaitingOutcomes)
    }

    /// Outcomes of which nobody knows whether they were told, each once. Blocks.
    pub(super) fn lost_outcomes(&self) -> Vec<TransferId> {
        self.ask_blocking(StoreJob::LostOutcomes)
    }

    /// Settles which kept chain the network leads to: whether other recents and transfers are to be shown now, and
    /// which blocks would tell more.
    pub(super) async fn identify(&self, sighting: ChainSighting) -> (bool, Vec<Height>) {
        self.ask(|answer| StoreJob::Identify(sighting, answer)).await
    }

    /// Another chain is there from now on.
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

    /// Not for the runtime's threads.
    fn ask_blocking<T: Default>(&self, job: impl FnOnce(Sender<T>) -> StoreJob) -> T {
        let (answer, answered) = channel();
        match self.jobs.send(job(answer)) {
            Ok(()) => answered.recv().unwrap_or_default(),
            Err(_) => T::default(),
        }
    }

    /// Lets the thread finish what waits and end; gives up waiting for it after a while.
    pub(super) fn close(&self) {
        let patience = if self.pending.is_empty() { CLOSE_TIMEOUT } else { CLOSE_TIMEOUT_WITH_TRANSFERS };
        if self.jobs.send(StoreJob::Close).is_ok() {
            // Nothing is ever sent: the channel's end is the sign.
            let _ = self.closed.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(patience);
        }
        let left = self.pending.len();
        if left > 0 {
            tracing::error!("{left} changes of transfers could not be written in time");
        }
    }
}
