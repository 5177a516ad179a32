//! Worker: runs requests, stores recents and transfers, and sends reports.
//!
//! Each slot has one task. A new request in a slot cancels the previous request, so at most one request per slot is in
//! progress, however fast commands arrive or slowly the session reads reports.

mod answer;
mod clients;
mod denom_reports;
mod export;
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
pub use settlement::{answer as settlement, l1_tx, open_withdrawals, settle};
pub use signing::{
    SigningFailure, SigningTerminal, account_at, contract_doubts, sign_and_send, sign_hook, simulate, tunnel,
};
pub use signing_page::{
    AccountsChain, AccountsOffer, ApprovalCall, DocumentOffer, DocumentPurpose, EthereumChain, EthereumOffer,
    NativeCurrency, PageEnd, PageTimes, SigningOffer, SigningPage, SigningPageEvent, WalletAnswer,
};
use store_handle::StoreHandle;
pub use store_handle::UnkeptTransfers;

/// Capacity of the report channel; requests wait while it is full.
const REPORTS: usize = 256;

#[derive(Clone, Debug)]
pub struct WorkerOptions {
    pub indexer_url: String,
    /// URL of the routing API. Without it, requests to a router fail with [`crate::wire::ErrorKind::NoRouter`].
    pub router_url: Option<String>,
    /// The rollup's own node, for data that no index has; `None` if unknown.
    pub node: Option<NodeAddresses>,
    /// URLs of other nodes of the rollup, which are asked when the first does not answer.
    pub other_nodes: Vec<String>,
    /// Timeouts and retries of the HTTP clients.
    pub client: ClientOptions,
    /// State file. Without it, the worker keeps recents and transfers in memory.
    pub store: Option<PathBuf>,
    /// Name of the network, under which the store keeps recents and transfers.
    pub network: String,
    /// Program that receives the outcomes of transfers.
    pub on_end: Option<OutcomeProgram>,
    /// Lock that is held while the program runs; workers of one process share it.
    pub turn: OutcomeTurn,
}

#[derive(Debug)]
pub struct Worker;

/// Handle of a running worker. Dropping it cancels all requests and waits a limited time for pending writes.
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
    /// Starts a worker on the runtime; returns its handle and its reports. It opens HTTP clients and the state file on
    /// first use.
    pub fn spawn(
        options: WorkerOptions,
        runtime: &Handle,
    ) -> Result<(WorkerHandle, mpsc::Receiver<Report>), BaseUrlError> {
        let patience = options.client.clone();
        let others = options.other_nodes.into_iter().map(|node| NodeAddresses { node, ..NodeAddresses::default() });
        let nodes = options.node.into_iter().chain(others).collect();
        let clients = Clients::new(&options.indexer_url, options.router_url.as_deref(), nodes, options.client)?;
        let (reports, receiver) = mpsc::channel(REPORTS);
        let everything = CancellationToken::new();
        let store = StoreHandle::open(options.store, options.network, warner(runtime, &reports, &everything));
        let (runtime, slots) = (runtime.clone(), Slots::default());
        let metadata = MetadataCache::new();
        let warn = warner(&runtime, &reports, &everything);
        let outcomes = OutcomeQueue::start(options.on_end, store.clone(), options.turn, warn);
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

/// Forwards warnings from the state file's thread, which must not wait for a reader.
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
    /// Sends a command; never blocks.
    pub fn send(&self, command: Instruction) {
        match command {
            Instruction::Fetch(ticket, request) => self.fetch(ticket, request),
            Instruction::Cancel(slot) => self.slots.cancel(&slot),
            Instruction::Remember(text) => self.store.remember(text),
            Instruction::KeepPersonal(entry) => self.store.keep_personal(entry),
            Instruction::KeepView(view) => self.store.keep_view(view),
            Instruction::Keep(record) => self.store.keep(record),
            Instruction::Forget(id) => self.store.forget(id),
            Instruction::TellOutcome(outcome) => self.outcomes.tell(outcome),
            Instruction::CloseChainScope => {
                self.clients.forget_node();
                self.store.part();
            }
            Instruction::Sign(id, order) => self.desk.sign(id, order),
            Instruction::StopSigning(id, why) => self.desk.stop(id, why),
            Instruction::AllowSigning(id) => self.desk.allow(id),
        }
    }

    /// Returns the worker's client; clones share the exchange log.
    pub fn client(&self) -> &IndexerClient {
        &self.clients.indexer
    }

    /// Returns the client of the routing API, which shares the exchange log; `None` without a router.
    pub fn router(&self) -> Option<&RouterClient> {
        self.clients.router.as_ref()
    }

    /// Returns the transfers that the state file lacks; usable after this handle is dropped.
    pub fn unkept_transfers(&self) -> UnkeptTransfers {
        self.store.unkept()
    }

    /// Returns the number of slots with a request in progress.
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

/// Requests in progress, by slot. Each entry ends with its task.
#[derive(Clone, Default)]
struct Slots(Arc<Mutex<Vec<(Ticket, CancellationToken)>>>);

impl Slots {
    fn lock(&self) -> MutexGuard<'_, Vec<(Ticket, CancellationToken)>> {
        // No code panics halfway through a change of the list, so a poisoned lock holds an intact list.
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

/// Cancels a slot's request. A linear search suffices for the few dozen requests in progress.
fn cancel_slot(slots: &mut Vec<(Ticket, CancellationToken)>, slot: &Slot) {
    slots.retain(|(waiting, cancel)| {
        let stays = waiting.slot != *slot;
        if !stays {
            cancel.cancel();
        }
        stays
    });
}
