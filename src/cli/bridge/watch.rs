//! Following of transfers to their end: one line of JSON per change, or progress bars on a terminal.

mod shown;

use std::{cell::RefCell, rc::Rc};

use futures_util::{StreamExt as _, stream::FuturesUnordered};
use tokio::sync::Mutex;

use super::{
    super::{CommandError, TransferArguments, arguments::TxArguments, output::CommandOutput},
    Router,
    bundle::{self, BundlePlace},
    following::{FollowDrive, FollowGroup, FollowedTransfer, RoundNews},
    outcome,
    register::{RegistrationProgress, may_pass},
    transfer::end,
    transfers::worst,
};
use crate::{
    domain::Tracking,
    transfers::{Phase, RouterHealth},
};
use shown::{ChangeWriter, ChangesShown};

/// Maximum transfers to follow at once: a router limits the requests of all its callers together.
pub(super) const MOST: usize = 100;

/// Registers these transfers and follows them until the last ends. Prints each change; the worst outcome determines the
/// exit status.
pub(super) async fn run(
    txs: &[TxArguments],
    arguments: &TransferArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    if txs.len() > MOST {
        return Err(CommandError::Usage(format!(
            "--watch follows at most {MOST} transfers, but you named {}",
            txs.len()
        )));
    }
    let route = arguments.route.as_deref();
    let transfers = txs.iter().map(|tx| FollowedTransfer::new(tx, route, router)).collect::<Result<Vec<_>, _>>()?;
    let group = FollowGroup::open(router, transfers, false).await?;
    let shown = ChangesShown::new(RefCell::new(output), txs.len() > 1, Rc::clone(&group.clock));
    let group = WatchGroup { arguments, group, shown, program_turn: Mutex::default() };
    tokio::select! {
        ended = group.follow_all(txs) => ended,
        never = group.group.clock.watch(|sentence| group.shown.note(sentence)) => match never {},
    }
}

struct WatchGroup<'a> {
    arguments: &'a TransferArguments,
    group: FollowGroup<'a>,
    shown: ChangesShown<'a>,
    /// Lock that runs the `on_end` program for one transfer at a time.
    program_turn: Mutex<()>,
}

impl WatchGroup<'_> {
    /// Follows all transfers; the worst outcome counts.
    async fn follow_all(&self, txs: &[TxArguments]) -> Result<(), CommandError> {
        if let [only] = txs {
            return self.follow(0, only).await;
        }
        let all = txs.iter().enumerate();
        let mut watches: FuturesUnordered<_> =
            all.map(async |(place, tx)| (tx, self.follow(place, tx).await)).collect();
        let mut ends = Vec::new();
        while let Some((tx, ended)) = watches.next().await {
            match &ended {
                Err(CommandError::BrokenPipe) => return ended,
                // The last change already shows the end of the transfer; a failure to follow is not printed yet.
                Err(error @ (CommandError::Failed(_) | CommandError::NotFound(_) | CommandError::Usage(_))) => {
                    self.shown.note(&format!("{} {}: {error}", tx.chain, tx.hash));
                }
                _ => {}
            }
            ends.push(ended);
        }
        worst(ends)
    }

    async fn follow(&self, place: usize, tx: &TxArguments) -> Result<(), CommandError> {
        let Some(mut drive) = self.group.drive(place) else { return Ok(()) };
        let mut show = ChangeWriter::new(&self.shown);
        let mut progress = (!self.group.is_several()).then(RegistrationProgress::new);
        let (mut is_first, mut is_revived) = (true, false);
        while let Some(news) = drive.step(|_| true).await {
            let tracking = drive.transfer().follower.current_tx().map(|tx| tx.tracking).unwrap_or_default();
            let was_taken = progress.is_none() && !self.group.is_several();
            if tracking == Tracking::Accepted {
                progress = None;
            }
            self.judge(&news, &drive, (tracking, was_taken), (tx, &show, progress.as_ref()))?;
            let phase = drive.transfer().follower.view.phase.clone();
            is_revived &= !news.has_status && tracking != Tracking::Refused;
            if news.has_status && std::mem::take(&mut is_first) && phase == Phase::Abandoned {
                // The router abandoned the transfer before this command: ask it once to track again.
                drive.transfer_mut().follower.track_again(self.group.clock.now());
                is_revived = true;
            }
            // Funds held after a failure may be released much later: end the command, so that scripts need not wait.
            let is_over = phase.is_over() || phase == Phase::FailedHeld;
            if is_over && (is_revived || drive.has_open_witness()) {
                continue;
            }
            if drive.transfer().is_informed() {
                show.change(&drive.transfer())?;
            }
            if is_over {
                show.finish();
                break;
            }
        }
        self.finish(&drive).await
    }

    /// Prints transient failures, which are retried; returns other failures as the command's error.
    fn judge(
        &self,
        news: &RoundNews,
        drive: &FollowDrive<'_, '_>,
        (tracking, was_taken): (Tracking, bool),
        (tx, show, progress): (&TxArguments, &ChangeWriter<'_, '_>, Option<&RegistrationProgress>),
    ) -> Result<(), CommandError> {
        let followed = drive.transfer();
        if let Some((error, is_last)) =
            news.tracking_error.as_ref().filter(|_| tracking != Tracking::Accepted && !was_taken)
        {
            let is_invalid = matches!(followed.follower.health(), RouterHealth::Refusing { is_invalid: true, .. });
            if !is_invalid && (*is_last || !may_pass(error)) {
                return Err(self.group.router.failure(error.clone()));
            }
            if let Some(progress) = progress {
                progress.warn(followed.follower.registration.tries, tx.tries, error);
            }
        }
        match news.status_error.as_ref().filter(|_| tracking == Tracking::Accepted) {
            Some(error) if !may_pass(error) => Err(self.group.router.failure(error.clone())),
            Some(error) if error.is_transient() => {
                show.trouble(tx, error);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Prints the final status and runs the user's program.
    async fn finish(&self, drive: &FollowDrive<'_, '_>) -> Result<(), CommandError> {
        let place = if self.group.is_several() { BundlePlace::Folder } else { BundlePlace::File };
        bundle::write(self.arguments, place, &drive.transfer(), self.group.router)?;
        let (id, view) = (drive.transfer().id().clone(), drive.transfer().follower.view.clone());
        let facts = drive.transfer().follower.line(&view, self.group.clock.now());
        let _turn = self.program_turn.lock().await;
        outcome::tell(&id, &view, &facts, self.group.router).await;
        end(&view)
    }
}
