//! What the worker brings, taken in where it was asked for.

use std::time::Duration;

use super::{App, EXCHANGES, copying::copied_body, go_to::GoTo};
use crate::{
    domain::MsgType,
    msg::{Answer, Report, Request, Slot, Ticket},
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
            Report::Warning(text) => self.toasts.warn(text),
            Report::Signing(id, news) => {
                self.with_transfers(|transfers, cx| transfers.take_signing_news(id, news, cx));
            }
        }
    }

    fn take_reply(&mut self, ticket: Ticket, result: Result<Answer, ApiError>) {
        if !self.requests.accept(&ticket) {
            tracing::debug!(?ticket, "nobody waits for this reply");
            return;
        }
        if let Ok(answer) = &result
            && let Some(difference) = self.context.chain.see_blocks(answer, self.context.now)
        {
            return self.start_over(&difference);
        }
        if let Ok(answer) = &result {
            self.context.learn_own_names(answer);
            self.context.want_contract_units(answer);
        }
        if let Ok(Answer::Block(block)) = &result {
            self.context.chain.extent.see_block(block.height);
        }
        match ticket.slot {
            Slot::Anchor => {
                self.context.chain.take_anchor(&result);
                if let Some(doubt) = self.context.chain.take_doubt() {
                    self.toasts.warn(doubt);
                }
            }
            Slot::Identity => self.take_identified(result),
            Slot::Status => self.take_status(result),
            Slot::AvgBlockTime => {
                let pick = |answer| if let Answer::AvgBlockTime(seconds) = answer { Some(seconds) } else { None };
                self.context.chain.take_average(expect(result, pick), self.context.now);
                self.effects.redraw = true;
            }
            Slot::OldestBlock => {
                let pick = |answer| if let Answer::OldestBlock(block) = answer { Some(block) } else { None };
                if self.context.chain.take_oldest(expect(result, pick), self.context.now) {
                    self.navigation.each_list(|list| list.recount());
                }
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
            Slot::Suggestions => {
                if let Some(super::modal::Modal::GoTo(go_to)) = &mut self.modal {
                    go_to.take_suggestions(result);
                    self.effects.redraw = true;
                }
            }
            Slot::GoTo(lane) => self.in_go_to(|go_to, names| go_to.take_probe(lane, result, names)),
            Slot::NodeNames => self.effects.redraw |= self.context.take_node_names(result),
            Slot::ContractUnits => self.effects.redraw |= self.context.take_contract_units(result),
            Slot::Chains | Slot::Assets(_) | Slot::DemoInfo => {
                let is_of_chains = ticket.slot == Slot::Chains;
                self.context.directory.take(ticket.slot, result, self.context.now);
                if is_of_chains {
                    self.in_go_to(GoTo::take_chains);
                }
                self.effects.redraw = true;
            }
            Slot::Transfers
            | Slot::TrackLookUp
            | Slot::ListedLookUp
            | Slot::Track(_)
            | Slot::TransferStatus(_)
            | Slot::Witness(..) => {
                self.with_transfers(|transfers, cx| transfers.take_answer(ticket.slot, result, cx));
            }
            Slot::Claim(id) => self.with_transfers(|transfers, cx| transfers.take_claim(&id, &result, cx)),
            Slot::ClaimProof(id) => self.with_transfers(|transfers, cx| transfers.take_proof(&id, &result, cx)),
            Slot::CopiedBody => self.effects.host.extend(copied_body(result, &mut self.toasts)),
            Slot::NameOf(_) => self.in_go_to(GoTo::name_recents),
            Slot::Labels => self.effects.redraw |= self.context.take_labels(result),
            Slot::View => {
                if let Some(tab) = self.last_view.take(result) {
                    self.navigation.begin_with(tab);
                    self.effects.redraw = true;
                }
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
        let result = expect(result, |answer| if let Answer::Status(status) = answer { Some(*status) } else { None });
        let is_here = result.is_ok();
        let grew = self.take_chain_status(result);
        if is_here {
            if was_failing {
                self.context.chain.make_due(self.context.now.after(Duration::from_secs(1)));
                self.navigation.current_mut().retry();
            }
            let (patience, now) = (if was_failing { Duration::ZERO } else { PATIENCE }, self.now);
            self.navigation.each_visible_list(|list| list.retry(patience, now));
        }
        if grew {
            let reached = self.chain.height();
            self.navigation.current_mut().grow(reached);
        }
        let now = self.now;
        if grew && !self.frozen {
            self.navigation.each_visible_list(|list| list.poll(now));
            // The height in the header needs its block's time, where no list on screen brings it.
            if let Some(height) = self.chain.height().filter(|_| !self.navigation.current().brings_blocks()) {
                self.requests.fetch(Slot::NewestBlock, Request::Block(height));
            }
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
