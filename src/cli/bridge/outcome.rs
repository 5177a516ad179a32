//! The person's program is given the outcome of a transfer that was followed, unless it was given it before.

use super::{
    Router,
    transfer::{FollowedTransfer, line},
};
use crate::{
    domain::Timestamp,
    store::Store,
    story::transfer::{TransferStatusView, phase_word},
};

/// Has it told, and waits until it has ended. What fails is a note: the transfer itself is as it is.
pub(super) async fn tell(follow: &FollowedTransfer, view: &TransferStatusView, router: &Router) {
    let Some(program) = router.on_end.clone().filter(|_| view.phase.is_over() || view.phase.is_failure()) else {
        return;
    };
    match claim(follow, view, router) {
        Ok(true) => {}
        Ok(false) => return,
        Err(why) => return eprintln!("note: on_end is not run, since nobody knows whether it was: {why}"),
    }
    let facts = line(follow, view, Timestamp::now());
    match tokio::task::spawn_blocking(move || program.run(&facts)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!("{error}");
            eprintln!("note: {error}");
        }
        Err(error) => eprintln!("note: on_end broke off: {error}"),
    }
}

/// Whether the outcome is this command's to tell.
fn claim(follow: &FollowedTransfer, view: &TransferStatusView, router: &Router) -> Result<bool, String> {
    let now = Timestamp::now();
    let place = router.records.as_ref().ok_or("there is no home folder to note it in")?;
    let (mut store, _) = Store::open_or_renew(&place.file, now).map_err(|error| error.to_string())?;
    store.claim_outcome(follow.id(), phase_word(&view.phase), now).map_err(|error| error.to_string())
}
