//! What the runner, the HTTP server and the handle share.

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

/// A chain whose next block is so late stood still, as a computer does that sleeps.
const BEHIND: Duration = Duration::from_secs(30);

/// A look at the chain.
pub(super) type Inspection = Box<dyn FnOnce(&dyn BlockProducer) + Send>;

/// What the runner is told.
pub(super) enum RunnerCommand {
    /// Make so many blocks, and say when they are indexed.
    Step { blocks: u64, done: mpsc::SyncSender<Height> },
    /// Take a transaction into the next block, and say what it will be.
    Submit(Box<Submission>),
    /// Look at the chain as it is between two blocks.
    Inspect(Inspection),
    /// Look again: faults changed, or it is time to stop.
    Wake,
}

/// A transaction from outside, with whom to answer.
#[derive(Debug)]
pub(super) struct Submission {
    pub(super) external: External,
    pub(super) reply: mpsc::SyncSender<Result<Submitted, ExternalError>>,
}

/// How far the runner is.
#[derive(Clone, Debug, Default)]
struct RunnerProgress {
    tip: Option<Height>,
    time: Option<Timestamp>,
    is_ready: bool,
    is_complete: bool,
    failure: Option<String>,
}

/// The shared side of one rollup.
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
    /// Whether nobody needs to wait for history any more: it is in, stands still, or will never come.
    settled: watch::Sender<bool>,
    /// Steps of the runner: time on a stepped chain may have passed.
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

    /// The blocks that the node was asked for last.
    pub(super) fn rendered(&self) -> &RenderedBlocks {
        &self.rendered
    }

    pub(super) fn api(&self) -> &Arc<Api> {
        &self.api
    }

    /// The router. Its lock is taken before the runner is asked for anything, so the runner must never ask for it.
    pub(super) fn router(&self) -> &RouterService {
        &self.router
    }

    /// Takes the router's transfers on as far as they can go now.
    pub(super) fn move_transfers(&self) {
        if !self.router.is_idle() {
            self.calling(|call| self.router.advance(call));
        }
    }

    /// Calls the router as things are now.
    pub(super) fn calling<T>(&self, call: impl FnOnce(RouterCall<'_>) -> T) -> T {
        call(RouterCall { now: self.chain_now(), faults: &self.faults(), rollup: self })
    }

    /// The demo wallet, with what it holds everywhere.
    pub(super) fn wallet(&self) -> Result<DemoWallet, IndexError> {
        let held = self.index().balances(&self.router.world().rollup().wallet)?;
        Ok(self.router.wallet(&held))
    }

    pub(super) fn stop(&self) -> &CancellationToken {
        &self.stop
    }

    /// Hands the runner a command; lost when it has ended.
    pub(super) fn tell(&self, command: RunnerCommand) {
        drop(self.commands.send(command));
    }

    pub(super) fn faults(&self) -> Vec<Fault> {
        lock(&self.faults).clone()
    }

    /// Replaces the faults.
    pub(super) fn set_faults(&self, faults: Vec<Fault>) {
        *lock(&self.faults) = faults;
        self.tell(RunnerCommand::Wake);
    }

    /// The chain's newest block, which the index may not have yet.
    pub(super) fn tip(&self) -> Option<Height> {
        lock(&self.progress).tip
    }

    /// The time on the chain: the wall clock, or with a stepped clock the time of the newest block.
    pub(super) fn chain_now(&self) -> Timestamp {
        match self.settings.clock {
            ClockMode::Wall => Timestamp::now(),
            ClockMode::Stepped => lock(&self.progress).time.unwrap_or(self.settings.ledger.genesis_time),
        }
    }

    /// Brings a transaction from outside into the next block. Blocks until the runner has answered, which is when the
    /// chain is up to the clock, at the start after its history: not for a thread that must go on.
    pub(super) fn submit(&self, external: External) -> Result<Submitted, ExternalError> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.tell(RunnerCommand::Submit(Box::new(Submission { external, reply })));
        answer.recv().unwrap_or(Err(ExternalError::Stopped))
    }

    /// Asks the chain itself, as it is between two blocks; `None` when it has ended. Blocks until the runner has a moment:
    /// not for a thread that must go on.
    pub(super) fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&dyn BlockProducer) -> T + Send + 'static,
    ) -> Option<T> {
        let (sender, answer) = mpsc::sync_channel(1);
        self.tell(RunnerCommand::Inspect(Box::new(move |chain| {
            // Whoever asked may have given up.
            let _ = sender.send(look(chain));
        })));
        answer.recv().ok()
    }

    /// An output of the bridge that the L1 has, as [`RollupShared::look`] sees the chain.
    pub(super) fn output(&self, index: u64) -> Option<BridgeOutput> {
        let (terms, api, now) = (*self.router.bridge(), Arc::clone(&self.api), self.chain_now());
        self.look(move |chain| terms.output(index, chain, |height| block_hash(&api.index, chain, height), now))?
    }

    /// The same for whoever looks at the chain already.
    pub(super) fn output_on(&self, chain: &dyn BlockProducer, index: u64) -> Option<BridgeOutput> {
        let hash = |height| block_hash(self.index(), chain, height);
        self.router.bridge().output(index, chain, hash, self.chain_now())
    }

    /// Says how far the chain is, by its newest block and the time of that, and whether the index has all that it
    /// should have.
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

    /// From now on requests are answered.
    pub(super) fn set_ready(&self) {
        if !self.ready.send_replace(true) {
            lock(&self.progress).is_ready = true;
            self.changed.notify_all();
        }
    }

    /// Waits until requests can be answered.
    pub(super) async fn ready(&self) {
        // An error would mean that the sender is gone, which `self` holds.
        drop(self.ready.subscribe().wait_for(|ready| *ready).await);
    }

    /// Waits until so much time has passed on the chain.
    pub(super) async fn passed(&self, time: Duration) {
        if self.settings.clock == ClockMode::Wall {
            return tokio::time::sleep(time).await;
        }
        let until = self.chain_now().after(time);
        // An error would mean that the sender is gone, which `self` holds.
        drop(self.steps.subscribe().wait_for(|_| self.chain_now() >= until).await);
    }

    /// Waits until the history is in, stands still on purpose, or will never come.
    pub(super) async fn settled(&self) {
        // An error would mean that the sender is gone, which `self` holds.
        drop(self.settled.subscribe().wait_for(|settled| *settled).await);
    }

    /// Why the rollup cannot go on.
    pub(super) fn failure(&self) -> Option<String> {
        lock(&self.progress).failure.clone()
    }

    /// Ends with a reason: every request is answered with 500 from now on.
    pub(super) fn fail(&self, error: &RollupError) {
        tracing::error!(%error, "the embedded rollup stopped");
        lock(&self.progress).failure = Some(error.to_string());
        self.changed.notify_all();
        self.settled.send_replace(true);
        self.set_ready();
    }

    /// Blocks until requests are answered, or the rollup failed.
    pub(super) fn wait_until_ready(&self) -> Result<(), RollupError> {
        self.wait_while(|progress| !progress.is_ready)
    }

    /// Blocks until the index has all that it should have, or the rollup failed.
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

/// The hash of a block: from the index, or from the chain where the index has not read it yet.
fn block_hash(index: &Index, chain: &dyn BlockProducer, height: Height) -> Option<[u8; 32]> {
    let indexed = index.block_hash(height).ok().flatten();
    indexed.or_else(|| chain.block(height).map(|block| block.hash)).map(|hash| *hash.bytes())
}

/// Every value here is whole at any time, so a lock whose holder panicked is still good.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
