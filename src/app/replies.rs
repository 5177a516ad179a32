//! What the worker brings, taken in where it was asked for.

use std::time::Duration;

use super::{App, EXCHANGES};
use crate::{
    app::page::TxName,
    domain::MsgType,
    msg::{Answer, Report, Slot, Ticket},
    wire::ApiError,
};

/// Message types remembered for the picker.
const SEEN_TYPES: usize = 300;
/// Until something that failed on screen is asked for again while the rest works.
const PATIENCE: Duration = Duration::from_secs(10);

impl App {
    pub(super) fn take_report(&mut self, report: Report) {
        match report {
            Report::Reply(ticket, result) => self.take_reply(ticket, result),
            Report::Retrying { ticket, attempt, wait, .. } => {
                self.effects.redraw |= self.requests.note_retry(&ticket, attempt, self.context.now.after(wait));
            }
            Report::Exchange(exchange) => {
                self.exchanges.push_front(exchange);
                self.exchanges.truncate(EXCHANGES);
                if let Some(super::modal::Modal::Inspector(inspector)) = &mut self.modal {
                    inspector.marked = (inspector.marked + usize::from(inspector.marked > 0)).min(EXCHANGES - 1);
                    self.effects.redraw = true;
                }
            }
            Report::Warning(text) => self.warnings.push_back(text),
        }
    }

    fn take_reply(&mut self, ticket: Ticket, result: Result<Answer, ApiError>) {
        if !self.requests.accept(&ticket) {
            tracing::debug!(?ticket, "nobody waits for this reply");
            return;
        }
        if result.as_ref().is_ok_and(|answer| self.is_of_another_chain(answer)) {
            return;
        }
        match ticket.slot {
            Slot::Anchor => self.take_anchor(&result),
            Slot::Identity => self.take_identified(result),
            Slot::Status => self.take_status(result),
            Slot::AvgBlockTime => {
                self.context.chain.take_average(
                    expect(
                        result,
                        |answer| if let Answer::AvgBlockTime(seconds) = answer { Some(seconds) } else { None },
                    ),
                    self.context.now,
                );
                self.effects.redraw = true;
            }
            Slot::OldestBlock => {
                self.context.chain.take_oldest(
                    expect(result, |answer| if let Answer::OldestBlock(block) = answer { Some(block) } else { None }),
                    self.context.now,
                );
                self.effects.redraw = true;
            }
            Slot::NewestBlock => {
                if let Ok(Answer::Block(block)) = result {
                    self.chain.saw_block(&block);
                    self.effects.redraw = true;
                }
            }
            Slot::List(id, request) => self.take_for_page(id, &request, result),
            Slot::Page(id, need) => {
                self.with_page(id, |page, cx| page.take(need, result, cx));
                self.effects.redraw = true;
            }
            Slot::Broadcast(id) => self.with_transfers(|transfers, cx| transfers.take_departed(id, &result, cx)),
            Slot::Suggestions => self.take_suggestions(result),
            Slot::GoTo(place) => self.take_go_to(place, result),
            Slot::Chains | Slot::Assets(_) | Slot::DemoInfo => self.take_directory(ticket.slot, result),
            Slot::Transfers | Slot::TrackLookUp | Slot::Track(_) | Slot::TransferStatus(_) | Slot::Witness(..) => {
                self.with_transfers(|transfers, cx| transfers.take_answer(ticket.slot, result, cx));
            }
            Slot::Recents => {
                if let Ok(Answer::Recents(recents)) = result {
                    self.recents = recents;
                }
            }
        }
    }

    fn take_status(&mut self, result: Result<Answer, ApiError>) {
        let was_failing = self.chain.failures > 0;
        let result = expect(result, |answer| if let Answer::Status(status) = answer { Some(status) } else { None });
        let is_here = result.is_ok();
        let grew = self.take_chain_status(result);
        if is_here {
            if was_failing {
                self.context.chain.make_due(self.context.now.after(Duration::from_secs(1)));
                self.navigation.current_mut().retry();
            }
            self.retry_lists(if was_failing { Duration::ZERO } else { PATIENCE });
        }
        if grew {
            let reached = self.chain.height();
            self.navigation.current_mut().grow(reached);
        }
        if grew && !self.frozen {
            self.poll_grown();
            self.date_height();
        }
        self.effects.redraw = true;
    }

    /// Remembers message types for the picker.
    pub(super) fn see_types(&mut self, types: &[MsgType]) {
        for kind in types {
            if self.seen_types.len() < SEEN_TYPES && !self.seen_types.contains(kind) {
                self.seen_types.insert(kind.clone());
            }
        }
    }
}

/// The answer a slot expects; the worker never sends another, so another is treated as no answer.
fn expect<T>(result: Result<Answer, ApiError>, pick: impl FnOnce(Answer) -> Option<T>) -> Result<T, ApiError> {
    result.and_then(|answer| pick(answer).ok_or_else(ApiError::of_another_kind))
}
