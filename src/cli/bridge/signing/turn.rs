use std::sync::Arc;

use super::{
    super::{super::CommandError, Router, router_names::RouterNames},
    page::CommandPage,
    terminal::CommandTerminal,
};
use crate::{
    domain::{Timestamp, Tracking},
    story::transfer::{Attention, IndexFindings, LastPoll, NextStep, RouterAnswers, next_poll, status_view},
    wire::{ErrorKind, router::TrackRequest},
};

/// Waits until the transaction at this place is the person's to sign, as long as the page in the browser is there.
pub(super) async fn wait(
    place: usize,
    terminal: &CommandTerminal,
    router: &Router,
    page: &CommandPage,
) -> Result<(), CommandError> {
    tokio::select! {
        turn = turn_of(place, terminal, router) => turn,
        end = page.page.gone() => Err(CommandError::failed(end)),
    }
}

async fn turn_of(place: usize, terminal: &CommandTerminal, router: &Router) -> Result<(), CommandError> {
    let lost = || CommandError::Failed("nothing of the transfer is kept".to_owned());
    let mut record = terminal.draft.kept.clone().ok_or_else(lost)?;
    let current = place.checked_sub(1).ok_or_else(lost)?;
    let mut answers = RouterAnswers::of(&record);
    let names = RouterNames::default();
    let mut previous = None;
    loop {
        let now = Timestamp::now();
        let view = status_view(&record, &answers, IndexFindings::default(), &names, now);
        if view.next == NextStep::SendNext(place) {
            return Ok(());
        }
        super::super::transfer::end(&view)?;
        let tx = record.txs.get_mut(current).ok_or_else(lost)?;
        let Some(next) = next_poll(&view, tx.at, previous, Attention::Shown, now, 0) else {
            return Err(CommandError::Failed(view.headline.to_string()));
        };
        tokio::time::sleep(next.since(now)).await;
        let request = TrackRequest { tx_hash: tx.hash.to_string(), chain_id: tx.chain_id.clone() };
        let answered = router.client.status(&request).await;
        let at = Timestamp::now();
        let failures = match answered {
            Ok(status) => {
                tx.tracking = Tracking::Accepted;
                let text: Arc<str> = status.raw.get().into();
                answers.take_status(current, Arc::clone(&text), Arc::new(status.value));
                answers.standing.answer();
                tx.status = Some((text, at));
                0
            }
            // The router may see it some seconds late.
            Err(error) if matches!(error.kind, ErrorKind::Untracked(_)) || error.is_transient() => {
                answers.standing.fail(&error, at);
                previous.map_or(0, |previous: LastPoll| previous.failures) + 1
            }
            Err(error) => return Err(router.failure(error)),
        };
        previous = Some(LastPoll { at, failures, retry_after: None });
    }
}
