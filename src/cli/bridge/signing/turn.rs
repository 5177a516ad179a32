use super::{
    super::{
        super::CommandError,
        Router,
        following::{FollowGroup, FollowedTransfer},
        register::may_pass,
        transfer::end,
    },
    page::CommandPage,
    terminal::CommandTerminal,
};
use crate::{
    domain::Timestamp,
    transfers::{NextStep, QuestionKind},
};

/// Waits until the user can sign this transaction, while the page in the browser stays open.
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
    let lost = || CommandError::Failed("rollscope has no record of the transfer".to_owned());
    let followed = FollowedTransfer::of(terminal.draft.kept.clone().ok_or_else(lost)?, Timestamp::now());
    let group = FollowGroup::open(router, vec![followed], false).await?;
    let mut drive = group.drive(0).ok_or_else(lost)?;
    loop {
        let view = drive.transfer_mut().review(group.clock.now());
        if view.next == NextStep::SendNext(place) {
            return Ok(());
        }
        end(&view)?;
        // The command that sent the transaction has registered it.
        let Some(news) = drive.step(|kind| kind != QuestionKind::Track).await else {
            return Err(CommandError::Failed(view.headline.to_string()));
        };
        if let Some(error) = news.status_error.filter(|error| !may_pass(error)) {
            return Err(router.failure(error));
        }
    }
}
