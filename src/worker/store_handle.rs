//! Thread of the state file: SQLite blocks, and neither the terminal nor the runtime may wait for it.

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

use tokio::sync::{oneshot, watch};

use crate::{
    domain::{
        AcceptedContract, ChainSighting, Denom, Height, KeptView, PersonalEntry, Timestamp, TransferId, TransferRecord,
    },
    msg::TransferOutcome,
    signing::NotedRecord,
    store::{IdentifiedChain, StoreScope, WaitingOutcome},
    wire::node::{DenomReport, DenomReports},
};
use pending::PendingWrites;
use thread::{StoreJob, StoreThread};

/// Maximum queued recents; the handle drops further recents.
const RECENTS: usize = 256;

/// Time limit for pending writes of recents on closing.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

/// Time limit for pending writes of transfers on closing: money depends on them.
const CLOSE_TIMEOUT_WITH_TRANSFERS: Duration = Duration::from_secs(10);

/// Transfers that the state file lacks; they are lost when the worker ends.
#[derive(Clone, Debug)]
pub struct UnkeptTransfers(Arc<PendingWrites>);

impl UnkeptTransfers {
    /// Returns the ids of the transfers, unordered.
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
    is_identified: Arc<watch::Sender<bool>>,
}

impl StoreHandle {
    /// Starts the thread; its first job opens the file. The thread reports each kind of failure to `warn` once, and
    /// then keeps data in memory.
    pub(super) fn open(path: Option<PathBuf>, network: String, warn: impl Fn(String) + Send + 'static) -> Self {
        let (jobs, receiver) = channel();
        let (ended, closed) = channel();
        let (waiting, pending) = (Arc::new(AtomicUsize::new(0)), Arc::new(PendingWrites::default()));
        let (scope, writes) = (StoreScope::new(network), Arc::clone(&pending));
        let mut thread = StoreThread::new(path, scope, writes, Arc::clone(&waiting), Box::new(warn));
        let work = move || {
            // Dropped when the thread ends in any way: `close` waits for the drop.
            let _ended = ended;
            thread.run(&receiver);
        };
        if let Err(error) = std::thread::Builder::new().name("state".to_owned()).spawn(work) {
            tracing::error!("rollscope saves nothing: cannot start a thread: {error}");
        }
        let is_identified = Arc::new(watch::Sender::new(false));
        Self { jobs, waiting, pending, closed: Arc::new(Mutex::new(closed)), is_identified }
    }

    pub(super) fn unkept(&self) -> UnkeptTransfers {
        UnkeptTransfers(Arc::clone(&self.pending))
    }

    /// Stores a text as the newest recent; never blocks.
    pub(super) fn remember(&self, text: String) {
        if self.waiting.load(Ordering::Relaxed) >= RECENTS {
            tracing::warn!("cannot save a recent entry: too many entries are waiting");
            return;
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // Without the thread nothing is stored; the failed start was reported.
        let _ = self.jobs.send(StoreJob::Remember(text, Timestamp::now()));
    }

    /// Returns the recents, newest first; empty on a failure.
    pub(super) async fn recents(&self) -> Vec<String> {
        self.ask(StoreJob::Recents).await
    }

    /// Returns the user's names, notes and bookmarks; empty on a failure.
    pub(super) async fn personal(&self) -> Vec<PersonalEntry> {
        self.ask(StoreJob::Personal).await
    }

    /// Stores or deletes the user's entry; never blocks.
    pub(super) fn keep_personal(&self, entry: PersonalEntry) {
        let _ = self.jobs.send(StoreJob::KeepPersonal(Box::new(entry), Timestamp::now()));
    }

    /// Returns the unknown contracts that the user accepted; empty on a failure.
    pub(super) async fn accepted(&self) -> Vec<AcceptedContract> {
        self.ask(StoreJob::Accepted).await
    }

    /// Stores the user's yes to a contract; never blocks.
    pub(super) fn accept(&self, accepted: AcceptedContract) {
        let _ = self.jobs.send(StoreJob::Accept(Box::new(accepted)));
    }

    /// Returns the view of the last session; `None` on a failure.
    pub(super) async fn view(&self) -> Option<KeptView> {
        self.ask(StoreJob::View).await
    }

    /// Stores the current view; never blocks.
    pub(super) fn keep_view(&self, view: KeptView) {
        let _ = self.jobs.send(StoreJob::KeepView(view, Timestamp::now()));
    }

    /// Stores a transfer; never blocks, and never drops a transfer. The thread writes only the newest pending state of
    /// a transfer, and retries failed writes.
    pub(super) fn keep(&self, record: Arc<TransferRecord>) {
        self.pending.save(record);
        let _ = self.jobs.send(StoreJob::Write);
    }

    /// Stores a transfer and waits until the state file has it; fails with the reason. Without a state file, the
    /// transfer lives as long as the thread.
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

    /// Queues an outcome unless the queue already knows it; never blocks.
    pub(super) fn queue_outcome(&self, outcome: Arc<TransferOutcome>) {
        let _ = self.jobs.send(StoreJob::QueueOutcome(outcome, Timestamp::now()));
    }

    /// Takes the oldest waiting outcome. Blocks.
    pub(super) fn next_outcome(&self) -> Option<WaitingOutcome> {
        self.ask_blocking(StoreJob::NextOutcome)
    }

    /// Records whether the program got a taken outcome; if not, the outcome waits again. Blocks until written.
    pub(super) fn settle_outcome(&self, taken: WaitingOutcome, is_told: bool) {
        self.ask_blocking(|answer| StoreJob::SettleOutcome(taken, is_told, answer));
    }

    pub(super) fn waiting_outcomes(&self) -> usize {
        self.ask_blocking(StoreJob::WaitingOutcomes)
    }

    /// Returns transfers whose outcome the program may not have received, each once. Blocks.
    pub(super) fn lost_outcomes(&self) -> Vec<TransferId> {
        self.ask_blocking(StoreJob::LostOutcomes)
    }

    /// Determines the stored chain of the network. Returns whether recents and transfers change, and the heights of
    /// blocks that would identify the chain further.
    pub(super) async fn identify(&self, sighting: ChainSighting) -> (bool, Vec<Height>) {
        let identified = self.ask(|answer| StoreJob::Identify(sighting, answer)).await;
        self.is_identified.send_replace(true);
        identified
    }

    /// Waits until the store has determined the session's chain.
    pub(super) async fn wait_until_identified(&self) {
        // The handle itself holds the sender, so this never fails.
        let _ = self.is_identified.subscribe().wait_for(|is_identified| *is_identified).await;
    }

    /// Returns what this node said of these denoms since then; `None` before the chain is identified, or on a failure.
    pub(super) async fn denom_reports(
        &self,
        node: String,
        denoms: Vec<Denom>,
        since: Timestamp,
    ) -> Option<(IdentifiedChain, DenomReports)> {
        self.ask(|answer| StoreJob::DenomReports(node, denoms, since, answer)).await
    }

    /// Stores what a node said of denoms; never blocks.
    pub(super) fn keep_denom_reports(&self, chain: IdentifiedChain, node: String, reports: Vec<DenomReport>) {
        let _ = self.jobs.send(StoreJob::KeepDenomReports(chain, node, reports));
    }

    /// Closes the scope of the current chain.
    pub(super) fn part(&self) {
        self.pending.part();
        self.is_identified.send_replace(false);
        let _ = self.jobs.send(StoreJob::Part);
    }

    async fn ask<T: Default>(&self, job: impl FnOnce(oneshot::Sender<T>) -> StoreJob) -> T {
        let (answer, answered) = oneshot::channel();
        match self.jobs.send(job(answer)) {
            Ok(()) => answered.await.unwrap_or_default(),
            Err(_) => T::default(),
        }
    }

    /// Runs a job and waits for its end. Blocks: do not call it on the runtime's threads.
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
            // No message arrives: the closed channel is the signal.
            let _ = self.closed.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(patience);
        }
        let left = self.pending.len();
        if left > 0 {
            tracing::error!("cannot save {left} transfer changes within the time limit");
        }
    }
}
