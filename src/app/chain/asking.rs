//! Requests for the chain's state, its index and its identity.

use super::Chain;
use crate::{
    app::{App, SessionRequest},
    domain::Timestamp,
    msg::{Slot, ask},
};

impl Chain {
    pub(in crate::app) fn ask(
        &mut self,
        now: Timestamp,
        shows_oldest: bool,
        is_waiting: impl Fn(&Slot) -> bool,
    ) -> Vec<SessionRequest> {
        let is_due = |at: Option<Timestamp>, slot: &Slot| at.is_some_and(|at| at <= now) && !is_waiting(slot);
        let mut asked = Vec::new();
        if is_due(self.status_due, &Slot::Status) {
            self.status_due = None;
            self.status.ask(now);
            asked.push(SessionRequest::new(Slot::Status, ask::status(), App::take_status));
        }
        if is_due(self.average_due, &Slot::AvgBlockTime) {
            self.average_due = None;
            self.average.ask(now);
            asked.push(SessionRequest::new(Slot::AvgBlockTime, ask::avg_block_time(), |app, result| {
                app.context.chain.take_average(result, app.context.now);
                app.needs_redraw = true;
            }));
        }
        if self.wants_oldest(shows_oldest) && is_due(self.oldest_due, &Slot::OldestBlock) {
            self.oldest_due = None;
            self.oldest.ask(now);
            asked.push(SessionRequest::new(Slot::OldestBlock, ask::oldest_block(), |app, result| {
                if app.context.chain.take_oldest(result, app.context.now) {
                    app.navigation.each_list(|list| list.recount());
                }
                app.needs_redraw = true;
            }));
        }
        asked
    }

    /// Requests the block that decides which chain this is, and blocks that the store needs for that.
    pub(in crate::app) fn ask_identity(
        &mut self,
        now: Timestamp,
        is_waiting: impl Fn(&Slot) -> bool,
    ) -> Vec<SessionRequest> {
        let mut asked = Vec::new();
        if !is_waiting(&Slot::Anchor)
            && let Some(height) = self.identity.take_question()
        {
            self.asked_anchor = Some(height);
            asked.push(SessionRequest::new(Slot::Anchor, ask::block(height), |app, result| {
                app.context.chain.miss_anchor(result.err());
                if let Some(doubt) = app.context.chain.take_doubt() {
                    app.toasts.warn(doubt);
                }
            }));
        }
        if !is_waiting(&Slot::Identity)
            && let Some(sighting) = self.identity.take_news(now)
        {
            asked.push(SessionRequest::new(Slot::Identity, ask::identify(sighting), App::take_identified));
        }
        asked
    }
}
