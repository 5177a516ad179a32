//! The side that does things: runs the requests, keeps recents and transfers, and reports.
//!
//! One task runs per slot. A new request in a slot cancels the one before, so however fast commands come and however
//! slowly reports are read, no more than one request per slot is ever under way.

mod answer;
mod clients;
mod file;
mod metadata_cache;
mod observer;
mod outcome_program;
mod outcome_queue;
mod outcome_rest;
mod settlement;
mod signing;
mod signing_page;
mod store_handle;
mod task;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::{runtime::Handle, sync::mpsc};
use tokio_util::sync::CancellationToken;

use crate::{
    client::{BaseUrlError, ClientOptions, IndexerClient, NodeAddresses, RouterClient},
    msg::{Instruction, Report, Request, Slot, Ticket},
};
use clients::Clients;
use metadata_cache::MetadataCache;
pub use outcome_program::{OutcomeProgram, OutcomeProgramError, RunningProgram};
use outcome_queue::OutcomeQueue;
pub use outcome_queue::OutcomeTurn;
pub use outcome_rest::OutcomeRest;
pub use settlement::settle;
pub use signing::{SigningFailure, SigningTerminal, sign_and_send, sign_hook, tunnel};
pub use signing_page::{
    ApprovalCall, DocumentOffer, DocumentPurpose, EthereumChain, EthereumOffer, NativeCurrency, PageEnd, PageEvent,
    PageTimes, SigningOffer, SigningPage, WalletAnswer,
};
use store_handle::StoreHandle;
pub use store_handle::UnkeptTransfers;

/// Reports that may wait to be read before requests wait with theirs.
const REPORTS: usize = 256;

/// What a worker works with.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The indexer's address.
    pub indexer_url: String,
    /// The routing API's address; without one, requests that need it end with [`crate::wire::ErrorKind::NoRouter`].
    pub router_url: Option<String>,
    /// The rollup's own node, where it is known: it is asked for what no index has.
    pub node: Option<NodeAddresses>,
    /// How patient the clients are.
    pub client: ClientOptions,
    /// The state file; without one, recents and transfers last as long as the worker.
    pub store: Option<PathBuf>,
    /// The name under which recents and transfers are kept.
    pub network: String,
    /// What is given the outcomes of transfers.
    pub on_end: Option<OutcomeProgram>,
}

/// Starts workers.
#[derive(Debug)]
pub struct Worker;

/// The way to a running worker. Dropping it cancels every request and waits a while for what is still being
/// written.
pub struct WorkerHandle {
    clients: Clients,
    runtime: Handle,
    reports: mpsc::Sender<Report>,
    slots: Slots,
    everything: CancellationToken,
    store: StoreHandle,
    metadata: MetadataCache,
    outcomes: OutcomeQueue,
    desk: signing::SigningDesk,
}

impl Worker {
    /// Starts a worker on the runtime, and returns the way to it and its reports. It does nothing until a command
    /// comes; the HTTP machinery and the state file wait for the first that needs them.
    pub fn spawn(
        options: WorkerOptions,
        runtime: &Handle,
    ) -> Result<(WorkerHandle, mpsc::Receiver<Report>), BaseUrlError> {
        let patience = options.client.clone();
        let clients = Clients::new(&options.indexer_url, options.router_url.as_deref(), options.node, options.client)?;
        let (reports, receiver) = mpsc::channel(REPORTS);
        let everything = CancellationToken::new();
        let store = StoreHandle::open(options.store, options.network, warner(runtime, &reports, &everything));
        let (runtime, slots) = (runtime.clone(), Slots::default());
        let metadata = MetadataCache::new();
        let warn = warner(&runtime, &reports, &everything);
        let outcomes = OutcomeQueue::start(options.on_end, store.clone(), warn);
        let desk = signing::SigningDesk {
            runtime: runtime.clone(),
            reports: reports.clone(),
            store: store.clone(),
            options: patience,
            everything: everything.clone(),
            running: Arc::default(),
        };
        Ok((WorkerHandle { clients, runtime, reports, slots, everything, store, metadata, outcomes, desk }, receiver))
    }
}

/// Hands warnings over from the state file's thread, which must not wait for a reader.
fn warner(
    runtime: &Handle,
    reports: &mpsc::Sender<Report>,
    everything: &CancellationToken,
) -> impl Fn(String) + Send + 'static {
    let (runtime, reports, everything) = (runtime.clone(), reports.clone(), everything.clone());
    move |warning| {
        tracing::warn!("{warning}");
        let (reports, everything) = (reports.clone(), everything.clone());
        runtime.spawn(async move {
            everything.run_until_cancelled(reports.send(Report::Warning(warning))).await;
        });
    }
}

impl WorkerHandle {
    /// Hands a command over; never blocks.
    pub fn send(&self, command: Instruction) {
        match command {
            Instruction::Fetch(ticket, request) => self.fetch(ticket, request),
            Instruction::Cancel(slot) => self.slots.cancel(&slot),
            Instruction::Remember(text) => self.store.remember(text),
            Instruction::Label(account, label) => self.store.label(account, label),
            Instruction::KeepView(view) => self.store.keep_view(view),
            Instruction::Keep(record) => self.store.keep(record),
            Instruction::Forget(id) => self.store.forget(id),
            Instruction::TellOutcome(outcome) => self.outcomes.tell(outcome),
            Instruction::PartWithChain => {
                self.clients.forget_node();
                self.store.part();
            }
            Instruction::Sign(id, order) => self.desk.sign(id, order),
            Instruction::StopSigning(id, why) => self.desk.stop(id, why),
            Instruction::AllowSigning(id) => self.desk.allow(id),
        }
    }

    /// The client that the worker asks with; its clones share the exchange log.
    pub fn client(&self) -> &IndexerClient {
        &self.clients.indexer
    }

    /// The client of the routing API, where the network has one; it shares the log too.
    pub fn router(&self) -> Option<&RouterClient> {
        self.clients.router.as_ref()
    }

    /// What is not in the state file, also after this handle is dropped.
    pub fn unkept_transfers(&self) -> UnkeptTransfers {
        self.store.unkept()
    }

    /// Held while the person's program runs, also after this handle is dropped.
    pub fn outcome_turn(&self) -> OutcomeTurn {
        self.outcomes.turn()
    }

    /// Slots that have a request under way.
    pub fn busy_slots(&self) -> usize {
        self.slots.lock().len()
    }

    fn fetch(&self, ticket: Ticket, request: Request) {
        let cancel = self.everything.child_token();
        self.slots.begin(&ticket, cancel.clone());
        let task = task::Task {
            ticket: ticket.clone(),
            request,
            clients: self.clients.clone(),
            store: self.store.clone(),
            metadata: self.metadata.clone(),
            reports: self.reports.clone(),
            cancel,
        };
        let slots = self.slots.clone();
        self.runtime.spawn(async move {
            task.run().await;
            slots.end(&ticket);
        });
    }
}

impl Drop for WorkerHandle {
    fn drop(&mut self) {
        self.everything.cancel();
        self.outcomes.close();
        self.store.close();
    }
}

/// What each slot waits for. No entry outlives its task.
#[derive(Clone, Default)]
struct Slots(Arc<Mutex<Vec<(Ticket, CancellationToken)>>>);

impl Slots {
    fn lock(&self) -> MutexGuard<'_, Vec<(Ticket, CancellationToken)>> {
        // No entry is ever half changed, so a poisoned list is still whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, ticket: &Ticket, cancel: CancellationToken) {
        let mut slots = self.lock();
        cancel_slot(&mut slots, &ticket.slot);
        slots.push((ticket.clone(), cancel));
    }

    fn cancel(&self, slot: &Slot) {
        cancel_slot(&mut self.lock(), slot);
    }

    fn end(&self, ticket: &Ticket) {
        self.lock().retain(|(waiting, _)| waiting != ticket);
    }
}

/// A few dozen at the most are under way.
fn cancel_slot(slots: &mut Vec<(Ticket, CancellationToken)>, slot: &Slot) {
    slots.retain(|(waiting, cancel)| {
        let stays = waiting.slot != *slot;
        if !stays {
            cancel.cancel();
        }
        stays
    });
}
