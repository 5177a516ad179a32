//! Outcome of a followed transfer, for the user's program, unless another process has reported it.

use super::Router;
use crate::{
    domain::{Timestamp, TransferId},
    store::{Store, StoreScope, WaitingOutcome},
    transfers::{TransferStatusView, phase_word},
    worker::RunningProgram,
};

/// Runs the user's program for the outcome and waits for its end. A failure only prints a note.
pub(super) async fn tell(id: &TransferId, view: &TransferStatusView, facts: &str, router: &Router) {
    let Some(program) = router.on_end.clone().filter(|_| view.phase.is_over() || view.phase.is_failure()) else {
        return;
    };
    let (mut store, taken) = match take(id, view, facts, router) {
        Ok((store, Some(taken))) => (store, taken),
        Ok((_, None)) => return,
        Err(why) => return eprintln!("note: rollscope skips on_end, which may have run already: {why}"),
    };
    let run = move || {
        let started = program.start(&taken.facts);
        let is_told = started.is_ok();
        // If the result cannot be stored, the next session reports the delivery as uncertain.
        let settled = store.settle_outcome(&taken, is_told, Timestamp::now());
        (started.and_then(RunningProgram::wait), is_told, settled)
    };
    match tokio::task::spawn_blocking(run).await {
        Ok((ended, is_told, settled)) => {
            if let Err(error) = &ended {
                tracing::warn!("{error}");
                let kept = if is_told { "" } else { "; the next start of the explorer retries" };
                eprintln!("note: {error}{kept}");
            }
            if let Err(error) = settled {
                eprintln!("note: cannot record the result of on_end: {error}");
            }
        }
        Err(error) => eprintln!("note: on_end stopped: {error}"),
    }
}

/// Takes the outcome; `None` if another process reports it.
fn take(
    id: &TransferId,
    view: &TransferStatusView,
    facts: &str,
    router: &Router,
) -> Result<(Store, Option<WaitingOutcome>), String> {
    let now = Timestamp::now();
    let place = router.records.as_ref().ok_or("no home folder to save the result in: set HOME")?;
    let (mut store, _) = Store::open_or_renew(&place.file, now).map_err(|error| error.to_string())?;
    let scope = StoreScope::new(&place.network);
    let taken = store.take_outcome(&scope, id, phase_word(&view.phase), facts, now);
    let taken = taken.map_err(|error| error.to_string())?;
    Ok((store, taken))
}
