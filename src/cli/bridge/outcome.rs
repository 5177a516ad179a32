//! The person's program is given the outcome of a transfer that was followed, unless it was given it before.

use super::{
    Router,
    transfer::{FollowedTransfer, line},
};
use crate::{
    domain::Timestamp,
    store::{Store, StoreScope, WaitingOutcome},
    story::transfer::{TransferStatusView, phase_word},
    worker::RunningProgram,
};

/// Has it told, and waits until it has ended. What fails is a note: the transfer itself is as it is.
pub(super) async fn tell(follow: &FollowedTransfer, view: &TransferStatusView, router: &Router) {
    let Some(program) = router.on_end.clone().filter(|_| view.phase.is_over() || view.phase.is_failure()) else {
        return;
    };
    let facts = line(follow, view, Timestamp::now());
    let (mut store, taken) = match take(follow, view, &facts, router) {
        Ok((store, Some(taken))) => (store, taken),
        Ok((_, None)) => return,
        Err(why) => return eprintln!("note: on_end is not run, since nobody knows whether it was: {why}"),
    };
    let run = move || {
        let started = program.start(&taken.facts);
        let is_told = started.is_ok();
        // Of a start that cannot be noted the next session says that nobody knows.
        let settled = store.settle_outcome(&taken, is_told, Timestamp::now());
        (started.and_then(RunningProgram::wait), is_told, settled)
    };
    match tokio::task::spawn_blocking(run).await {
        Ok((ended, is_told, settled)) => {
            if let Err(error) = &ended {
                tracing::warn!("{error}");
                let kept = if is_told { "" } else { "; the outcome is kept for the next start of the explorer" };
                eprintln!("note: {error}{kept}");
            }
            if let Err(error) = settled {
                eprintln!("note: what became of on_end could not be noted: {error}");
            }
        }
        Err(error) => eprintln!("note: on_end broke off: {error}"),
    }
}

/// The outcome, where it is this command's to tell.
fn take(
    follow: &FollowedTransfer,
    view: &TransferStatusView,
    facts: &str,
    router: &Router,
) -> Result<(Store, Option<WaitingOutcome>), String> {
    let now = Timestamp::now();
    let place = router.records.as_ref().ok_or("there is no home folder to note it in")?;
    let (mut store, _) = Store::open_or_renew(&place.file, now).map_err(|error| error.to_string())?;
    let scope = StoreScope::of(&place.network);
    let taken = store.take_outcome(&scope, follow.id(), phase_word(&view.phase), facts, now);
    let taken = taken.map_err(|error| error.to_string())?;
    Ok((store, taken))
}
