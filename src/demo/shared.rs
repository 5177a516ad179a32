//! State that runner, HTTP server and handle share.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc},
    time::Duration,
};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{
    ClockMode, RollupError, RollupOptions,
    chain::BlockProducer,
    faults::Fault,
    ledger::{External, ExternalError, Submitted},
    node::RenderedBlocks,
    router::{
        service::{RouterCall, RouterService},
        tracker::advance::RollupApi,
    },
    settlement::BridgeOutput,
};
use crate::{
    domain::{Height, Timestamp},
    indexer::{
        http::Api,
        index::{Index, IndexError},
    },
    wire::router::DemoWallet,
};

/// Delay of the next block from which the runner assumes that the computer was suspended.
const BEHIND: Duration = Duration::from_secs(30);

/// Function that reads the chain between two blocks.
pub(super) type Inspection = Box<dyn FnOnce(&dyn BlockProducer) + Send>;

pub(super) enum RunnerCommand {
    /// Makes `blocks` blocks, and replies once they are indexed.
    Step { blocks: u64, done: mpsc::SyncSender<Height> },
    /// Adds a transaction to the next block, and replies with its position.
    Submit(Box<Submission>),
    /// Calls the function with the chain, between two blocks.
    Inspect(Inspection),
    /// Checks the faults and the stop flag.
    Wake,
}

/// External transaction, and the channel for the reply.
#[derive(Debug)]
pub(super) struct Submission {
    pub(super) external: External,
    pub(super) reply: mpsc::SyncSender<Result<Submitted, ExternalError>>,
}

#[derive(Clone, Debug, Default)]
struct RunnerProgress {
    tip: Option<Height>,
    time: Option<Timestamp>,
    is_ready: bool,
    is_complete: bool,
    failure: Option<String>,
}

#[derive(Debug)]
pub(super) struct RollupShared {
    settings: RollupOptions,
    api: Arc<Api>,
    router: RouterService,
    rendered: RenderedBlocks,
    faults: Mutex<Vec<Fault>>,
    progress: Mutex<RunnerProgress>,
    changed: Condvar,
    ready: watch::Sender<bool>,
    /// Whether the history is indexed, or never will be because the index stalled or failed. Then no request waits.
    settled: watch::Sender<bool>,
    /// Number of steps. On a stepped chain, only steps make time pass.
    steps: watch::Sender<u64>,
    commands: mpsc::Sender<RunnerCommand>,
    stop: CancellationToken,
}

impl RollupShared {
    pub(super) fn new(
        settings: RollupOptions,
        index: Index,
        router: RouterService,
        commands: mpsc::Sender<RunnerCommand>,
    ) -> Self {
        Self {
            faults: Mutex::new(settings.faults.clone()),
            api: Arc::new(Api::new(index, settings.quirks, !settings.no_rich_list)),
            settings,
            router,
            rendered: RenderedBlocks::default(),
            progress: Mutex::default(),
            changed: Condvar::new(),
            ready: watch::Sender::new(false),
            settled: watch::Sender::new(false),
            steps: watch::Sender::new(0),
            commands,
            stop: CancellationToken::new(),
        }
    }

    pub(super) fn settings(&self) -> &RollupOptions {
        &self.settings
    }

    pub(super) fn index(&self) -> &Index {
        &self.api.index
    }

    /// Returns the cache of the blocks that the node served last.
    pub(super) fn rendered(&self) -> &RenderedBlocks {
        &self.rendered
    }

    pub(super) fn api(&self) -> &Arc<Api> {
        &self.api
    }

    /// Returns the router. Callers lock the router before they ask the runner, so the runner must never lock it.
    pub(super) fn router(&self) -> &RouterService {
        &self.router
    }

    /// Advances the router's transfers as far as they can go now.
    pub(super) fn move_transfers(&self) {
        if !self.router.is_idle() {
            self.calling(|call| self.router.advance(call));
        }
    }

    /// Calls `call` with the current time and the rollup.
    pub(super) fn calling<T>(&self, call: impl FnOnce(RouterCall<'_>) -> T) -> T {
        call(RouterCall { now: self.chain_now(), faults: &self.faults(), rollup: self })
    }

    /// Returns the demo wallet with its balances on all chains.
    pub(super) fn wallet(&self) -> Result<DemoWallet, IndexError> {
        let held = self.index().balances(&self.router.world().rollup().wallet)?;
        Ok(self.router.wallet(&held))
    }

    pub(super) fn stop(&self) -> &CancellationToken {
        &self.stop
    }

    /// Sends the runner a command, which is lost if the runner has ended.
    pub(super) fn tell(&self, command: RunnerCommand) {
        drop(self.commands.send(command));
    }

    pub(super) fn faults(&self) -> Vec<Fault> {
        lock(&self.faults).clone()
    }

    pub(super) fn set_faults(&self, faults: Vec<Fault>) {
        *lock(&self.faults) = faults;
        self.tell(RunnerCommand::Wake);
    }

    /// Returns the newest block of the chain, which the index may not have yet.
    pub(super) fn tip(&self) -> Option<Height> {
        lock(&self.progress).tip
    }

    /// Returns the time on the chain: the wall clock, or with a stepped clock the time of the newest block.
    pub(super) fn chain_now(&self) -> Timestamp {
        match self.settings.clock {
            ClockMode::Wall => Timestamp::now(),
            ClockMode::Stepped => lock(&self.progress).time.unwrap_or(self.settings.ledger.genesis_time),
        }
    }

    /// Adds an external transaction to the next block. Blocks until the runner replies, which it does once the chain
    /// has caught up with the clock. Never call it on an async thread.
    pub(super) fn submit(&self, external: External) -> Result<Submitted, ExternalError> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.tell(RunnerCommand::Submit(Box::new(Submission { external, reply })));
        answer.recv().unwrap_or(Err(ExternalError::Stopped))
    }

    /// Reads the chain between two blocks; `None` if the runner has ended. Blocks until the runner is free. Never call
    /// it on an async thread.
    pub(super) fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&dyn BlockProducer) -> T + Send + 'static,
    ) -> Option<T> {
        let (sender, answer) = mpsc::sync_channel(1);
        self.tell(RunnerCommand::Inspect(Box::new(move |chain| {
            // The caller may have given up.
            let _ = sender.send(look(chain));
        })));
        answer.recv().ok()
    }

    /// Returns an output that the L1 has; reads the chain with [`RollupShared::look`].
    pub(super) fn output(&self, index: u64) -> Option<BridgeOutput> {
        let (terms, api, now) = (*self.router.bridge(), Arc::clone(&self.api), self.chain_now());
        self.look(move |chain| terms.output(index, chain, |height| block_hash(&api.index, chain, height), now))?
    }

    /// Returns an output that the L1 has, for a caller that already reads the chain.
    pub(super) fn output_on(&self, chain: &dyn BlockProducer, index: u64) -> Option<BridgeOutput> {
        let hash = |height| block_hash(self.index(), chain, height);
        self.router.bridge().output(index, chain, hash, self.chain_now())
    }

    /// Reports the newest block with its time, and whether the index is complete.
    pub(super) fn report(&self, newest: Option<(Height, Timestamp)>, is_complete: bool) {
        let mut progress = lock(&self.progress);
        progress.tip = newest.map(|(tip, _)| tip);
        progress.time = newest.map(|(_, time)| time);
        progress.is_complete = is_complete;
        drop(progress);
        self.changed.notify_all();
        self.steps.send_modify(|steps| *steps = steps.wrapping_add(1));
        if is_complete {
            self.settled.send_replace(true);
        }
    }

    /// Lets the server answer requests.
    pub(super) fn set_ready(&self) {
        if !self.ready.send_replace(true) {
            lock(&self.progress).is_ready = true;
            self.changed.notify_all();
        }
    }

    /// Waits until the server answers requests.
    pub(super) async fn ready(&self) {
        // It fails only without a sender, and `self` holds the sender.
        drop(self.ready.subscribe().wait_for(|ready| *ready).await);
    }

    /// Waits until this much time has passed on the chain.
    pub(super) async fn passed(&self, time: Duration) {
        if self.settings.clock == ClockMode::Wall {
            return tokio::time::sleep(time).await;
        }
        let until = self.chain_now().after(time);
        // It fails only without a sender, and `self` holds the sender.
        drop(self.steps.subscribe().wait_for(|_| self.chain_now() >= until).await);
    }

    /// Waits until the history is indexed, or never will be.
    pub(super) async fn settled(&self) {
        // It fails only without a sender, and `self` holds the sender.
        drop(self.settled.subscribe().wait_for(|settled| *settled).await);
    }

    pub(super) fn failure(&self) -> Option<String> {
        lock(&self.progress).failure.clone()
    }

    /// Stops the rollup: from now on, every request gets a 500.
    pub(super) fn fail(&self, error: &RollupError) {
        tracing::error!(%error, "the embedded rollup stopped");
        lock(&self.progress).failure = Some(error.to_string());
        self.changed.notify_all();
        self.settled.send_replace(true);
        self.set_ready();
    }

    /// Blocks until the server answers requests, or the rollup fails.
    pub(super) fn wait_until_ready(&self) -> Result<(), RollupError> {
        self.wait_while(|progress| !progress.is_ready)
    }

    /// Blocks until the index is complete, or the rollup fails.
    pub(super) fn wait_until_complete(&self) -> Result<(), RollupError> {
        self.wait_while(|progress| !progress.is_complete)
    }

    fn wait_while(&self, is_waiting: impl Fn(&RunnerProgress) -> bool) -> Result<(), RollupError> {
        let progress = lock(&self.progress);
        let waiting = |progress: &mut RunnerProgress| is_waiting(progress) && progress.failure.is_none();
        let progress = self.changed.wait_while(progress, waiting).unwrap_or_else(PoisonError::into_inner);
        progress.failure.clone().map_or(Ok(()), |sentence| Err(RollupError::Failed(sentence)))
    }
}

impl RollupApi for RollupShared {
    fn submit(&self, external: External) -> Result<Submitted, ExternalError> {
        Self::submit(self, external)
    }

    fn indexed(&self) -> Option<Height> {
        self.index().bounds().ok().flatten().map(|held| held.tip)
    }

    fn tip(&self) -> Option<Height> {
        Self::tip(self)
    }

    fn taken(&self) -> Option<u64> {
        self.settings.data.as_ref()?;
        self.index().count_externals().ok()
    }

    fn output(&self, index: u64) -> Option<BridgeOutput> {
        Self::output(self, index)
    }

    fn is_current(&self) -> bool {
        let newest = lock(&self.progress).time;
        let lag = newest.map_or(Duration::ZERO, |newest| self.chain_now().since(newest));
        lag < self.settings.ledger.block_time.saturating_add(BEHIND) || self.failure().is_some()
    }
}

/// Returns the hash of a block, from the index or, if it is not indexed yet, from the chain.
fn block_hash(index: &Index, chain: &dyn BlockProducer, height: Height) -> Option<[u8; 32]> {
    let indexed = index.block_hash(height).ok().flatten();
    indexed.or_else(|| chain.block(height).map(|block| block.hash)).map(|hash| *hash.bytes())
}

/// Locks a mutex. The values stay consistent, so a poisoned lock is valid.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
