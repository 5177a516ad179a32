//! Delivers the worker's replies.

use std::time::Duration;

use super::{
    App, EXCHANGES, exporting,
    page::{PageEvent, Shows},
};
use crate::{
    msg::{Answer, Report, Slot, Ticket, ask},
    wire::{ApiError, Status},
};

/// Time before a failed request on screen is repeated, while other requests succeed.
const PATIENCE: Duration = Duration::from_secs(10);

impl App {
    pub(super) fn take_report(&mut self, report: Report) {
        match report {
            Report::Reply(ticket, result) => self.take_reply(&ticket, result),
            Report::Retrying { ticket, attempt, wait, .. } => {
                self.needs_redraw |= self.requests.note_retry(&ticket, attempt, self.context.now.after(wait));
            }
            Report::Exchange(exchange) => {
                self.needs_redraw |= self.context.servers.take(&exchange, self.context.now);
                self.context.exchanges.push_front(exchange);
                self.context.exchanges.truncate(EXCHANGES);
                if let Some(super::modal::Modal::Inspector(inspector)) = &mut self.modal {
                    inspector.marked = (inspector.marked + usize::from(inspector.marked > 0)).min(EXCHANGES - 1);
                    self.needs_redraw = true;
                }
            }
            Report::Progress(ticket, rows, total) => exporting::take_progress(self, &ticket, rows, total),
            Report::NodeInUse(url) => {
                self.needs_redraw |= self.context.answering_node.as_ref() != Some(&url);
                self.context.answering_node = Some(url);
            }
            Report::Warning(text) => self.toasts.warn(text),
            Report::Signing(id, news) => {
                self.with_transfers(|transfers, cx| transfers.take_signing_news(id, news, cx));
            }
        }
    }

    fn take_reply(&mut self, ticket: &Ticket, result: Result<Answer, ApiError>) {
        let Some(take) = self.requests.accept(ticket) else {
            return tracing::debug!(?ticket, "dropped a late reply");
        };
        if let Ok(answer) = &result {
            if let Some(difference) = self.context.chain.see_blocks(answer, self.context.now) {
                return self.start_over(&difference);
            }
            self.context.learn_own_names(answer);
            self.needs_redraw |= self.context.learn_fee_denoms(answer);
        }
        take(self, result);
    }

    /// Requests the stored recents and transfers of the network.
    pub(super) fn fetch_kept(&mut self) {
        self.requests.fetch(Slot::Recents, ask::recents(), |app, result| {
            // If the store fails, the known recents stay.
            if let Ok(recents) = result {
                app.recents = recents;
            }
        });
        self.requests.fetch(Slot::Transfers, ask::transfers(), |app, result| {
            app.with_transfers(|transfers, cx| {
                transfers.take_stored(result, cx);
                cx.redraw();
            });
        });
    }

    /// Requests the user's names, notes and bookmarks, and the view of the previous session.
    pub(super) fn fetch_last_session(&mut self) {
        self.requests.fetch(Slot::Personal, ask::personal(), |app, result| {
            app.needs_redraw |= app.context.take_personal(result.unwrap_or_default());
        });
        self.requests.fetch(Slot::View, ask::view(), |app, result| {
            if let Some(tab) = app.last_view.take(result.ok().flatten()) {
                app.navigation.begin_with(tab);
                app.needs_redraw = true;
            }
        });
    }

    pub(super) fn take_status(&mut self, result: Result<Box<Status>, ApiError>) {
        let was_failing = self.context.chain.failures > 0;
        let is_here = result.is_ok();
        let grew = self.take_chain_status(result.map(|status| *status));
        if is_here {
            if was_failing {
                self.context.chain.make_due(self.context.now.after(Duration::from_secs(1)));
                self.notify_page(PageEvent::Retry);
            }
            let (patience, now) = (if was_failing { Duration::ZERO } else { PATIENCE }, self.context.now);
            self.navigation.each_visible_list(|list| list.retry(patience, now));
        }
        if grew {
            let reached = self.context.chain.height();
            self.notify_page(PageEvent::Grew(reached));
        }
        let now = self.context.now;
        if grew && !self.context.frozen {
            self.navigation.each_visible_list(|list| list.poll(now));
            // The header needs the time of this block, if no visible list has it.
            if let Some(height) =
                self.context.chain.height().filter(|_| !self.navigation.current().place().shows(Shows::NewBlocks))
            {
                self.requests.fetch(Slot::NewestBlock, ask::block(height), |app, result| {
                    // If the request fails, the next status repeats it.
                    if let Ok(block) = result {
                        app.context.chain.saw_block(&block);
                        app.needs_redraw = true;
                    }
                });
            }
        }
        self.needs_redraw = true;
    }
}
