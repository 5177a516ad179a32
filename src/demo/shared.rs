//! What the runner, the HTTP server and the handle share.

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc},
    time::Duration,
};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{
    Clock, RollupError, RollupOptions,
    faults::Fault,
    ledger::{External, ExternalError, Submitted},
    router::{
        service::{Call, Service},
        tracker::motion::Home,
    },
};
use crate::{
    domain::{Height, Timestamp},
    indexer::index::{Index, IndexError, SeenCollection},
    wire::router::DemoWallet,
};

/// A chain whose next block is so late stood still, as a computer does that sleeps.
const BEHIND: Duration = Duration::from_secs(30);

/// What the runner is told.
#[derive(Debug)]
pub(crate) enum Command {
    /// Make so many blocks, and say when they are indexed.
    Step { blocks: u64, done: mpsc::SyncSender<Height> },
    /// Take a transaction into the next block, and say what it will be.
    Submit(Box<Submission>),
    /// Look again: faults changed, or it is time to stop.
    Wake,
}

/// A transaction from outside, with whom to answer.
#[derive(Debug)]
pub(crate) struct Submission {
    pub(crate) external: External,
    pub(crate) reply: mpsc::SyncSender<Result<Submitted, ExternalError>>,
}

/// How far the runner is.
#[derive(Clone, Debug, Default)]
struct Progress {
    chain_id: String,
    tip: Option<Height>,
    time: Option<Timestamp>,
    is_ready: bool,
    is_complete: bool,
    failure: Option<String>,
}

/// The shared side of one rollup.
#[derive(Debug)]
pub(crate) struct Shared {
    settings: RollupOptions,
    index: Index,
    router: Service,
    seen: Mutex<Vec<SeenCollection>>,
    faults: Mutex<Vec<Fault>>,
    progress: Mutex<Progress>,
    changed: Condvar,
    ready: watch::Sender<bool>,
    commands: mpsc::Sender<Command>,
    stop: CancellationToken,
}

impl Shared {
    pub(crate) fn new(settings: RollupOptions, index: Index, router: Service, commands: mpsc::Sender<Command>) -> Self {
        Self {
            faults: Mutex::new(settings.faults.clone()),
            settings,
            index,
            router,
            seen: Mutex::default(),
            progress: Mutex::default(),
            changed: Condvar::new(),
            ready: watch::Sender::new(false),
            commands,
            stop: CancellationToken::new(),
        }
    }

    pub(crate) fn settings(&self) -> &RollupOptions {
        &self.settings
    }

    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// The router. Its lock is taken before the runner is asked for anything, so the runner must never ask for it.
    pub(crate) fn router(&self) -> &Service {
        &self.router
    }

    /// Takes the router's transfers on as far as they can go now.
    pub(crate) fn move_transfers(&self) {
        if !self.router.is_idle() {
            self.router.advance(Call { now: self.chain_now(), faults: &self.faults(), home: self });
        }
    }

    /// The demo wallet, with what it holds everywhere.
    pub(crate) fn wallet(&self) -> Result<DemoWallet, IndexError> {
        let held = self.index.balances(&self.router.world().rollup().wallet)?;
        Ok(self.router.wallet(&held))
    }

    /// The collections that searches by name have seen, as the real server keeps them.
    pub(crate) fn seen(&self) -> &Mutex<Vec<SeenCollection>> {
        &self.seen
    }

    pub(crate) fn stop(&self) -> &CancellationToken {
        &self.stop
    }

    /// Hands the runner a command; lost when it has ended.
    pub(crate) fn tell(&self, command: Command) {
        drop(self.commands.send(command));
    }

    pub(crate) fn faults(&self) -> Vec<Fault> {
        lock(&self.faults).clone()
    }

    /// Replaces the faults.
    pub(crate) fn set_faults(&self, faults: Vec<Fault>) {
        *lock(&self.faults) = faults;
        self.tell(Command::Wake);
    }

    pub(crate) fn chain_id(&self) -> String {
        lock(&self.progress).chain_id.clone()
    }

    pub(crate) fn set_chain_id(&self, chain_id: &str) {
        chain_id.clone_into(&mut lock(&self.progress).chain_id);
    }

    /// The chain's newest block, which the index may not have yet.
    pub(crate) fn tip(&self) -> Option<Height> {
        lock(&self.progress).tip
    }

    /// The time on the chain: the wall clock, or with a stepped clock the time of the newest block.
    pub(crate) fn chain_now(&self) -> Timestamp {
        match self.settings.clock {
            Clock::Wall => Timestamp::now(),
            Clock::Stepped => lock(&self.progress).time.unwrap_or(self.settings.ledger.genesis_time),
        }
    }

    /// Brings a transaction from outside into the next block. Blocks until the runner has answered, which is when the
    /// chain is up to the clock, at the start after its history: not for a thread that must go on.
    pub(crate) fn submit(&self, external: External) -> Result<Submitted, ExternalError> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.tell(Command::Submit(Box::new(Submission { external, reply })));
        answer.recv().unwrap_or(Err(ExternalError::Stopped))
    }

    /// Says how far the chain is, by its newest block and the time of that, and whether the index has all that it
    /// should have.
    pub(crate) fn report(&self, newest: Option<(Height, Timestamp)>, is_complete: bool) {
        let mut progress = lock(&self.progress);
        progress.tip = newest.map(|(tip, _)| tip);
        progress.time = newest.map(|(_, time)| time);
        progress.is_complete = is_complete;
        self.changed.notify_all();
    }

    /// From now on requests are answered.
    pub(crate) fn set_ready(&self) {
        if !self.ready.send_replace(true) {
            lock(&self.progress).is_ready = true;
            self.changed.notify_all();
        }
    }

    /// Waits until requests can be answered.
    pub(crate) async fn ready(&self) {
        // An error would mean that the sender is gone, which `self` holds.
        drop(self.ready.subscribe().wait_for(|ready| *ready).await);
    }

    /// Why the rollup cannot go on.
    pub(crate) fn failure(&self) -> Option<String> {
        lock(&self.progress).failure.clone()
    }

    /// Ends with a reason: every request is answered with 500 from now on.
    pub(crate) fn fail(&self, error: &RollupError) {
        tracing::error!(%error, "the embedded rollup stopped");
        lock(&self.progress).failure = Some(error.to_string());
        self.changed.notify_all();
        self.set_ready();
    }

    /// Blocks until requests are answered, or the rollup failed.
    pub(crate) fn wait_until_ready(&self) -> Result<(), RollupError> {
        self.wait_while(|progress| !progress.is_ready)
    }

    /// Blocks until the index has all that it should have, or the rollup failed.
    pub(crate) fn wait_until_complete(&self) -> Result<(), RollupError> {
        self.wait_while(|progress| !progress.is_complete)
    }

    fn wait_while(&self, is_waiting: impl Fn(&Progress) -> bool) -> Result<(), RollupError> {
        let progress = lock(&self.progress);
        let waiting = |progress: &mut Progress| is_waiting(progress) && progress.failure.is_none();
        let progress = self.changed.wait_while(progress, waiting).unwrap_or_else(PoisonError::into_inner);
        progress.failure.clone().map_or(Ok(()), |sentence| Err(RollupError::Failed(sentence)))
    }
}

impl Home for Shared {
    fn submit(&self, external: External) -> Result<Submitted, ExternalError> {
        Self::submit(self, external)
    }

    fn indexed(&self) -> Option<Height> {
        self.index.bounds().ok().flatten().map(|held| held.tip)
    }

    fn tip(&self) -> Option<Height> {
        Self::tip(self)
    }

    fn taken(&self) -> Option<u64> {
        self.settings.data.as_ref()?;
        self.index.count_externals().ok()
    }

    fn is_current(&self) -> bool {
        let newest = lock(&self.progress).time;
        let lag = newest.map_or(Duration::ZERO, |newest| self.chain_now().since(newest));
        lag < self.settings.ledger.block_time.saturating_add(BEHIND) || self.failure().is_some()
    }
}

/// Every value here is whole at any time, so a lock whose holder panicked is still good.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
