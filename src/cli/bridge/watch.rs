//! Following transfers to their end: one line of JSON for each change, or bars where somebody looks.

mod shown;

use std::{
    cell::RefCell,
    collections::hash_map::RandomState,
    hash::{BuildHasher as _, Hasher as _},
    rc::Rc,
    time::Duration,
};

use futures_util::{StreamExt as _, stream::FuturesUnordered};
use tokio::sync::{Mutex, Semaphore};

use super::{
    super::{CommandError, TransferArguments, arguments::TxArguments, output::CommandOutput},
    Router,
    bundle::{self, BundlePlace},
    outcome,
    register::{register, register_in_turn, request},
    router_names::RouterNames,
    source_check::SourceCheck,
    transfer::{FollowedTransfer, end},
    transfers::worst,
};
use crate::{
    domain::{ChainId, Timestamp},
    story::transfer::{Attention, LastPoll, Phase, TransferStatusView, next_poll},
    wire::ErrorKind,
};
use shown::{ChangeWriter, ChangesShown};

/// A router that takes up a transfer again needs a moment.
const RETRACK_PAUSE: Duration = Duration::from_secs(1);
/// Transfers followed at once at the most: routers count the questions of all callers together.
pub(super) const MOST: usize = 100;
/// Questions to the router at once, where several are followed.
const AT_ONCE: usize = 4;

/// Has a transfer watched by the router, follows it, and prints each change.
pub(super) async fn run(
    tx: &TxArguments,
    arguments: &TransferArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let group = WatchGroup::new(arguments, router, output, 1);
    group.follow(tx).await
}

/// The same of several at once, until the last has ended: each change names its transfer, and the worst end is theirs all.
pub(super) async fn run_all(
    txs: &[TxArguments],
    arguments: &TransferArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    if txs.len() > MOST {
        return Err(CommandError::Usage(format!(
            "--watch follows {MOST} transfers at the most, and {} are named",
            txs.len()
        )));
    }
    let group = WatchGroup::new(arguments, router, output, txs.len());
    let mut watches: FuturesUnordered<_> = txs.iter().map(async |tx| (tx, group.follow(tx).await)).collect();
    let mut ends = Vec::new();
    while let Some((tx, ended)) = watches.next().await {
        match &ended {
            Err(CommandError::BrokenPipe) => return ended,
            // How it ended is among the changes; that it could not be followed is not.
            Err(error @ (CommandError::Failed(_) | CommandError::NotFound(_) | CommandError::Usage(_))) => {
                group.shown.note(&format!("{} {}: {error}", tx.chain, tx.hash));
            }
            _ => {}
        }
        ends.push(ended);
    }
    worst(ends)
}

/// What the transfers of one command share.
struct WatchGroup<'a> {
    arguments: &'a TransferArguments,
    router: &'a Router,
    shown: ChangesShown<'a>,
    /// Turns to ask the router, where several are followed.
    turns: Option<Semaphore>,
    /// The program of `on_end` is run for one at a time.
    program_turn: Mutex<()>,
    /// Names by the chains that they were asked for.
    names: Mutex<Vec<(Vec<ChainId>, Rc<RouterNames>)>>,
}

impl<'a> WatchGroup<'a> {
    fn new(arguments: &'a TransferArguments, router: &'a Router, output: &'a mut CommandOutput, count: usize) -> Self {
        Self {
            arguments,
            router,
            shown: ChangesShown::new(RefCell::new(output), count > 1),
            turns: (count > 1).then(|| Semaphore::new(AT_ONCE)),
            program_turn: Mutex::default(),
            names: Mutex::default(),
        }
    }

    /// Follows one of them to its end.
    async fn follow(&self, tx: &TxArguments) -> Result<(), CommandError> {
        let router = self.router;
        let mut follow = FollowedTransfer::new(tx, self.arguments.route.as_deref())?;
        let mut show = ChangeWriter::new(&self.shown);
        let names = Rc::new(RouterNames::default());
        // The index is asked first: a router that does not answer must not keep back what it shows.
        let mut source_check = SourceCheck::new(router.indexer.clone());
        source_check.ask_once(&mut follow).await;
        if follow.is_indexed() {
            let view = follow.status_view(&names, Timestamp::now());
            show.change(&follow, &view, &names)?;
            if view.phase == Phase::FailedAtSource {
                return self.finish(&follow, &names, &view).await;
            }
        }
        let registered = match &self.turns {
            Some(turns) => register_in_turn(router, tx, turns).await,
            None => register(router, tx).await,
        };
        match registered {
            Ok(_) => follow.accept(),
            Err(error) if follow.refuse(&error, Timestamp::now()) => {}
            Err(error) => return Err(router.failure(error)),
        }
        let mut watch =
            TransferWatch { follow, names, named: Vec::new(), last: None, is_recalled: false, source_check };
        loop {
            watch.source_check.ask_once(&mut watch.follow).await;
            watch.learn_names(self).await;
            let now = Timestamp::now();
            let view = watch.follow.status_view(&watch.names, now);
            if watch.is_informed() {
                show.change(&watch.follow, &view, &watch.names)?;
            }
            let jitter = RandomState::new().build_hasher().finish().to_le_bytes()[0];
            let next = next_poll(&view, watch.follow.begun(&view), watch.last, Attention::Shown, now, jitter);
            // What is held after a failure may be released much later: a script is not kept waiting for that.
            let Some(next) = next.filter(|_| view.phase != Phase::FailedHeld) else {
                show.finish();
                return self.finish(&watch.follow, &watch.names, &view).await;
            };
            tokio::time::sleep(next.since(now)).await;
            watch.poll(self, tx, &mut show).await?;
        }
    }

    /// It has ended: all that is known is written, and the person's program told.
    async fn finish(
        &self,
        follow: &FollowedTransfer,
        names: &RouterNames,
        view: &TransferStatusView,
    ) -> Result<(), CommandError> {
        bundle::write(self.arguments, self.place(), follow, names, self.router)?;
        let _turn = self.program_turn.lock().await;
        outcome::tell(follow, view, self.router).await;
        end(view)
    }

    fn place(&self) -> BundlePlace {
        if self.turns.is_some() { BundlePlace::Folder } else { BundlePlace::File }
    }

    /// The names of these chains, asked for once.
    async fn names(&self, chains: &[ChainId]) -> Rc<RouterNames> {
        let mut wanted = chains.to_vec();
        wanted.sort();
        wanted.dedup();
        let mut known = self.names.lock().await;
        if let Some((_, names)) = known.iter().find(|(chains, _)| *chains == wanted) {
            return Rc::clone(names);
        }
        let names = Rc::new(RouterNames::fetch(self.router, &wanted).await);
        known.push((wanted, Rc::clone(&names)));
        names
    }
}

/// A transfer that is being followed.
struct TransferWatch {
    follow: FollowedTransfer,
    names: Rc<RouterNames>,
    /// The chains whose names were asked for last.
    named: Vec<ChainId>,
    last: Option<LastPoll>,
    /// Whether the router was asked to watch again what it took up and forgot.
    is_recalled: bool,
    source_check: SourceCheck,
}

impl TransferWatch {
    /// Whether anybody was asked already, so that there is something to tell.
    fn is_informed(&self) -> bool {
        let view = self.follow.status_view(&self.names, Timestamp::now());
        self.last.is_some() || self.follow.findings.evidence.source.is_some() || view.phase != Phase::NotKnown
    }

    /// Asks for names where it is learnt that other chains are touched.
    async fn learn_names(&mut self, group: &WatchGroup<'_>) {
        let chains = self.follow.chains();
        if self.named != chains {
            self.names = group.names(&chains).await;
            self.named = chains;
        }
    }

    /// Asks once. What may pass is told and asked again later; the rest ends the command.
    async fn poll(
        &mut self,
        group: &WatchGroup<'_>,
        tx: &TxArguments,
        show: &mut ChangeWriter<'_, '_>,
    ) -> Result<(), CommandError> {
        let router = group.router;
        let _turn = match &group.turns {
            Some(turns) => turns.acquire().await.ok(),
            None => None,
        };
        let answered = router.client.status(&request(tx)).await;
        let at = Timestamp::now();
        let failures = self.last.map_or(0, |last| last.failures) + 1;
        let (failures, retry_after) = match answered {
            Ok(status) => {
                self.follow.take(&status, at);
                self.track_again(router, tx).await;
                (0, None)
            }
            // The router took the transaction: it is late, or has forgotten it and is asked once to watch it again.
            Err(error) if matches!(error.kind, ErrorKind::Untracked(_)) => {
                self.follow.miss(&error, at);
                if !std::mem::replace(&mut self.is_recalled, true) {
                    // A router that takes it up again can tell at once, and the next question shows what else came of it.
                    router.client.track(&request(tx)).await.ok();
                    tokio::time::sleep(RETRACK_PAUSE).await;
                    if let Ok(status) = router.client.status(&request(tx)).await {
                        self.follow.take(&status, Timestamp::now());
                    }
                }
                (0, None)
            }
            Err(error) if error.is_transient() => {
                self.follow.miss(&error, at);
                show.trouble(tx, &error);
                (failures, if let ErrorKind::RateLimited(wait) = error.kind { wait } else { None })
            }
            Err(error) => return Err(router.failure(error)),
        };
        self.last = Some(LastPoll { at, failures, retry_after });
        Ok(())
    }
}

impl TransferWatch {
    /// Has a transfer that was given up before this command watched again, once, and looks whether that helped.
    async fn track_again(&mut self, router: &Router, tx: &TxArguments) {
        let request = request(tx);
        let is_given_up = self.follow.status_view(&self.names, Timestamp::now()).phase == Phase::Abandoned;
        if self.last.is_some() || !is_given_up || router.client.track_again(&request).await.is_err() {
            return;
        }
        tokio::time::sleep(RETRACK_PAUSE).await;
        if let Ok(status) = router.client.status(&request).await {
            self.follow.take(&status, Timestamp::now());
        }
    }
}
