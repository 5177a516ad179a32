use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender},
    },
    time::Duration,
};

use tokio::sync::oneshot;

use super::pending::{PendingWrite, PendingWrites};
use crate::{
    domain::{
        AcceptedContract, ChainSighting, Denom, Height, KeptView, PersonalEntry, Timestamp, TransferId, TransferRecord,
        text,
    },
    msg::TransferOutcome,
    signing::NotedRecord,
    store::{Identified, IdentifiedChain, Store, StoreError, StoreScope, WaitingOutcome},
    wire::node::{DenomReport, DenomReports},
};

/// Interval between attempts to write a transfer.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// Job of the thread. Transfers wait outside of this queue, so a full queue never drops a transfer.
pub(super) enum StoreJob {
    Recents(oneshot::Sender<Vec<String>>),
    Remember(String, Timestamp),
    Personal(oneshot::Sender<Vec<PersonalEntry>>),
    KeepPersonal(Box<PersonalEntry>, Timestamp),
    Accepted(oneshot::Sender<Vec<AcceptedContract>>),
    Accept(Box<AcceptedContract>),
    View(oneshot::Sender<Option<KeptView>>),
    KeepView(KeptView, Timestamp),
    Transfers(oneshot::Sender<Vec<TransferRecord>>),
    QueueOutcome(Arc<TransferOutcome>, Timestamp),
    NextOutcome(Sender<Option<WaitingOutcome>>),
    SettleOutcome(WaitingOutcome, bool, Sender<()>),
    WaitingOutcomes(Sender<usize>),
    LostOutcomes(Sender<Vec<TransferId>>),
    Write,
    KeepNow(Box<NotedRecord>, oneshot::Sender<Result<(), String>>),
    Identify(ChainSighting, oneshot::Sender<(bool, Vec<Height>)>),
    DenomReports(String, Vec<Denom>, Timestamp, oneshot::Sender<Option<(IdentifiedChain, DenomReports)>>),
    KeepDenomReports(IdentifiedChain, String, Vec<DenomReport>),
    Part,
    Close,
}

/// Kinds of warnings that the thread has given; it gives each kind once.
#[derive(Default)]
struct GivenWarnings {
    /// Recents and transfers cannot be stored.
    of_state: bool,
    of_outcomes: bool,
}

/// Thread that owns the state file.
pub(super) struct StoreThread {
    path: Option<PathBuf>,
    scope: StoreScope,
    /// Scope of the previous chain, for its failed writes.
    former: Option<StoreScope>,
    /// Number of closed scopes.
    partings: u32,
    /// Last observed chain, to identify it again in another state file, which numbers chains differently.
    sighting: Option<ChainSighting>,
    pending: Arc<PendingWrites>,
    waiting: Arc<AtomicUsize>,
    warn: Box<dyn Fn(String) + Send>,
    store: Option<Store>,
    /// Whether the store is in memory although a path was given.
    is_in_memory: bool,
    warned: GivenWarnings,
    is_failing: bool,
}

impl StoreThread {
    pub(super) fn new(
        path: Option<PathBuf>,
        scope: StoreScope,
        pending: Arc<PendingWrites>,
        waiting: Arc<AtomicUsize>,
        warn: Box<dyn Fn(String) + Send>,
    ) -> Self {
        Self {
            path,
            scope,
            former: None,
            partings: 0,
            sighting: None,
            pending,
            waiting,
            warn,
            store: None,
            is_in_memory: false,
            warned: GivenWarnings::default(),
            is_failing: false,
        }
    }

    /// Runs jobs until closed, or until no sender is left.
    pub(super) fn run(&mut self, jobs: &Receiver<StoreJob>) {
        loop {
            let job = if self.is_failing { jobs.recv_timeout(RETRY_AFTER) } else { jobs.recv().map_err(Into::into) };
            match job {
                Ok(StoreJob::Close) | Err(RecvTimeoutError::Disconnected) => {
                    // Try a last time, even after failures.
                    self.save();
                    return;
                }
                Ok(job) => self.work(job),
                Err(RecvTimeoutError::Timeout) => self.save(),
            }
        }
    }

    fn work(&mut self, job: StoreJob) {
        match job {
            StoreJob::Recents(answer) => {
                let recents = self.open().and_then(|(store, scope)| store.recents(scope));
                // The caller may have stopped waiting.
                let _ = answer.send(self.or_nothing(recents));
            }
            StoreJob::Remember(text, at) => {
                self.waiting.fetch_sub(1, Ordering::Relaxed);
                let kept = self.open().and_then(|(store, scope)| store.remember(scope, &text, at));
                self.or_nothing(kept);
            }
            StoreJob::Personal(answer) => {
                let personal = self.open().and_then(|(store, scope)| store.personal(scope));
                let _ = answer.send(self.or_nothing(personal));
            }
            StoreJob::KeepPersonal(entry, at) => {
                let kept = self.open().and_then(|(store, scope)| store.keep_personal(scope, &[*entry.clone()], at));
                if let Err(error) = kept {
                    let (kind, subject) = (entry.kind.word(), text::clip(&entry.subject.key(), 60));
                    (self.warn)(format!("cannot save the {kind} of {subject}: {error}"));
                }
            }
            StoreJob::Accepted(answer) => {
                let accepted = self.open().and_then(|(store, scope)| store.accepted_contracts(scope));
                let _ = answer.send(self.or_nothing(accepted));
            }
            StoreJob::Accept(accepted) => {
                if let Err(error) = self.open().and_then(|(store, scope)| store.accept_contract(scope, &accepted)) {
                    let contract = accepted.address.short();
                    (self.warn)(format!("cannot save that you accept contract {contract}: {error}"));
                }
            }
            StoreJob::View(answer) => {
                let view = self.open().and_then(|(store, scope)| store.view(scope));
                let _ = answer.send(self.or_nothing(view));
            }
            StoreJob::KeepView(view, at) => {
                let kept = self.open().and_then(|(store, scope)| store.keep_view(scope, &view, at));
                self.or_nothing(kept);
            }
            StoreJob::Transfers(answer) => {
                self.save();
                let found = self.open().and_then(|(store, scope)| Ok((store.transfers(scope)?, store.unreadable())));
                let (transfers, unreadable) = self.or_nothing(found);
                if unreadable > 0 {
                    let rows = text::count(unreadable, "row");
                    (self.warn)(format!("skipped {rows} saved transfers: rollscope cannot read them"));
                }
                let _ = answer.send(transfers);
            }
            StoreJob::QueueOutcome(..)
            | StoreJob::NextOutcome(_)
            | StoreJob::SettleOutcome(..)
            | StoreJob::WaitingOutcomes(_)
            | StoreJob::LostOutcomes(_) => self.work_on_outcomes(job),
            StoreJob::KeepNow(noted, answer) => {
                let parted = noted.parted.as_deref();
                let kept = self.open_file().and_then(|(store, scope)| store.save_noted(scope, &noted.record, parted));
                let _ = answer.send(kept.map_err(|error| error.to_string()));
            }
            StoreJob::Identify(sighting, answer) => {
                // Write the pending data of the old chain first.
                self.save();
                let now = Timestamp::now();
                let found = self.open().and_then(|(store, scope)| store.identify(scope, &sighting, now));
                self.sighting = Some(sighting);
                let Identified { is_news, wanted } = self.or_nothing(found);
                let _ = answer.send((is_news, wanted));
            }
            StoreJob::DenomReports(node, denoms, since, answer) => {
                let kept = self.open().and_then(|(store, scope)| store.denom_reports(scope, &node, &denoms, since));
                let _ = answer.send(self.or_nothing(kept));
            }
            StoreJob::KeepDenomReports(chain, node, reports) => {
                let kept =
                    self.open().and_then(|(store, scope)| store.keep_denom_reports(scope, chain, &node, &reports));
                self.or_nothing(kept);
            }
            StoreJob::Part => {
                self.save();
                self.former = Some(self.scope.clone());
                self.scope.part();
                self.partings += 1;
                self.sighting = None;
            }
            // A failed write waits for its retry, even if other transfers change.
            StoreJob::Write if self.is_failing => {}
            StoreJob::Write | StoreJob::Close => self.save(),
        }
    }

    /// Runs a job on outcomes. Requires the file: another session may have processed the outcome.
    fn work_on_outcomes(&mut self, job: StoreJob) {
        let now = Timestamp::now();
        match job {
            StoreJob::QueueOutcome(outcome, at) => {
                let TransferOutcome { id, outcome, facts } = &*outcome;
                let queued =
                    self.open_file().and_then(|(store, scope)| store.queue_outcome(scope, id, outcome, facts, at));
                self.or_untold(queued);
            }
            StoreJob::NextOutcome(answer) => {
                let next = self.open_file().and_then(|(store, _)| store.next_outcome(now));
                // The caller may have stopped waiting.
                let _ = answer.send(self.or_untold(next));
            }
            StoreJob::SettleOutcome(taken, is_told, answer) => {
                let settled = self.open_file().and_then(|(store, _)| store.settle_outcome(&taken, is_told, now));
                self.or_untold(settled);
                let _ = answer.send(());
            }
            StoreJob::WaitingOutcomes(answer) => {
                let count = self.open_file().and_then(|(store, _)| store.waiting_outcomes());
                let _ = answer.send(self.or_untold(count));
            }
            StoreJob::LostOutcomes(answer) => {
                let lost = self.open_file().and_then(|(store, _)| store.lost_outcomes(now));
                let _ = answer.send(self.or_untold(lost));
            }
            other => self.work(other),
        }
    }

    fn or_untold<T: Default>(&mut self, result: Result<T, StoreError>) -> T {
        result.unwrap_or_else(|error| {
            if let StoreError::Damaged { .. } = error {
                self.store = None;
            }
            if !std::mem::replace(&mut self.warned.of_outcomes, true) {
                (self.warn)(format!("on_end is off, since it may have run already: {error}"));
            }
            T::default()
        })
    }

    /// Writes pending transfers until a write fails.
    fn save(&mut self) {
        while let Some((id, partings, write)) = self.pending.first(self.partings) {
            let saved = self.open_file().map(drop).and_then(|()| {
                let former = self.former.clone().filter(|_| partings < self.partings);
                let (store, scope) = self.open()?;
                let scope = former.as_ref().unwrap_or(scope);
                match &write {
                    PendingWrite::Save(record) => store.save(scope, record),
                    PendingWrite::Forget => store.forget(scope, &id),
                }
            });
            match saved {
                Ok(()) => self.pending.finish(&id, &write),
                Err(error) => {
                    if let StoreError::Damaged { .. } = error {
                        self.store = None;
                    }
                    if !std::mem::replace(&mut self.is_failing, true) {
                        (self.warn)(format!("cannot save a transfer; rollscope retries: {error}"));
                    }
                    return;
                }
            }
        }
        self.is_failing = false;
    }

    /// Returns the store and the session's scope; opens the store on first use, in memory if the file is unusable.
    fn open(&mut self) -> Result<(&mut Store, &mut StoreScope), StoreError> {
        let store = match (self.store.take(), &self.path) {
            (Some(store), _) => store,
            (None, None) => Store::in_memory()?,
            (None, Some(path)) => match open_or_renew(path, &self.warn) {
                Ok(store) => store,
                Err(error) => {
                    self.is_in_memory = true;
                    self.complain(&error);
                    Store::in_memory()?
                }
            },
        };
        Ok((self.store.insert(store), &mut self.scope))
    }

    /// Opens the store for transfers from the file only, so every call tries the file again.
    fn open_file(&mut self) -> Result<(&mut Store, &mut StoreScope), StoreError> {
        let is_open = self.store.is_some() && !self.is_in_memory;
        if let Some(path) = self.path.as_deref().filter(|_| !is_open) {
            let mut store = open_or_renew(path, &self.warn)?;
            self.scope.change_store();
            self.former.iter_mut().for_each(StoreScope::change_store);
            if let Some(sighting) = &self.sighting {
                store.identify(&mut self.scope, sighting, Timestamp::now())?;
            }
            (self.store, self.is_in_memory) = (Some(store), false);
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
        // The next job opens the file again and replaces it if damaged.
        if let StoreError::Damaged { .. } = error {
            self.store = None;
        }
        if !std::mem::replace(&mut self.warned.of_state, true) {
            (self.warn)(format!("cannot save recents and transfers: {error}"));
        }
    }
}

/// Opens the file; replaces a damaged file and warns.
fn open_or_renew(path: &Path, warn: &dyn Fn(String)) -> Result<Store, StoreError> {
    let (store, aside) = Store::open_or_renew(path, Timestamp::now())?;
    if let Some(name) = aside.as_deref().and_then(Path::file_name) {
        let name = text::clean(&name.to_string_lossy()).into_owned();
        warn(format!("the state file was damaged: rollscope started a new file and kept the old file as {name}"));
    }
    Ok(store)
}
