//! Sends the followers' questions to the worker, and gives them the answers.

use std::sync::Arc;

use super::{MOST, TransferCx, Transfers, WatchedTransfer, effect::slot_of};
use crate::{
    app::page::PageEffect,
    domain::{Timestamp, TransferId, TransferRecord},
    msg::{AccountQuestion, Ask, L1Question, PageRequest, SettlementQuestion, Slot, TxQuery, TxScope, WitnessOf, ask},
    transfers::{
        CreditRivals, FollowerAnswer, L1Addresses, Question, QuestionKind, SoughtTxs, TakenAnswer, WitnessTxs,
    },
    wire::{ApiError, opinit::SettlementAnswers},
};

/// Maximum concurrent questions to the router.
const ROUTER_AT_ONCE: usize = 8;
/// Maximum concurrent questions to other servers.
const WITNESSES_AT_ONCE: usize = 4;

fn txs(sought: SoughtTxs) -> Ask<WitnessTxs> {
    match sought {
        SoughtTxs::One(hash) => ask::tx(hash).map(WitnessTxs::One),
        SoughtTxs::NewestOf(address) => {
            let query = TxQuery { scope: TxScope::Account { address, signer_only: false }, msgs: Vec::new() };
            let page = PageRequest { count_total: false, ..PageRequest::newest(SoughtTxs::LOOKED_THROUGH) };
            ask::txs(query, page).map(|page| WitnessTxs::Newest(page.items))
        }
    }
}

/// Returns the request for a withdrawal's settlement; `None` for another question.
pub(super) fn settlement(question: Question) -> Option<Ask<Arc<SettlementAnswers>>> {
    let Question::Settlement { sequence, executor, l1_rest } = question else { return None };
    Some(ask::settlement(Arc::new(SettlementQuestion { sequence, executor, l1_rest })))
}

impl TransferCx<'_> {
    /// Sends a question about a transfer. Its follower takes the answer.
    fn ask_about(&mut self, id: &TransferId, question: Question) {
        let slot = slot_of(id, question.kind());
        match question {
            Question::Track(tx) => self.carry(id, slot, ask::track(tx).map(drop), FollowerAnswer::Track),
            Question::TrackAgain(tx) => self.carry(id, slot, ask::track_again(tx).map(drop), FollowerAnswer::Track),
            Question::Status(tx) => self.carry(id, slot, ask::transfer_status(tx), FollowerAnswer::Status),
            Question::Estimate(request) => self.carry(id, slot, ask::route(request), FollowerAnswer::Estimate),
            Question::Source(hash) => self.carry(id, slot, ask::tx(hash), FollowerAnswer::Source),
            Question::Crossing { rest, tx } => {
                let question = Arc::new(L1Question { rest, tx });
                self.carry(id, slot, ask::l1_tx(question), FollowerAnswer::Crossing);
            }
            Question::Arrival(sought) => self.carry(id, slot, txs(sought), FollowerAnswer::Arrival),
            Question::Return(sought) => self.carry(id, slot, txs(sought), FollowerAnswer::Return),
            Question::Expiry(chain_id, terms) => {
                let question = Arc::new(AccountQuestion { chain_id, terms });
                self.carry(id, slot, ask::account_at(question), FollowerAnswer::Expiry);
            }
            question @ Question::Settlement { .. } => {
                if let Some(ask) = settlement(question) {
                    self.carry(id, slot, ask, FollowerAnswer::Settlement);
                }
            }
        }
    }

    fn carry<T: 'static>(
        &mut self,
        id: &TransferId,
        slot: Slot,
        ask: Ask<T>,
        answer: fn(Result<T, ApiError>) -> FollowerAnswer,
    ) {
        let of = id.clone();
        self.request(slot, ask, move |transfers, result, cx| transfers.take_followed(&of, answer(result), cx));
    }
}

impl Transfers {
    /// Sends the questions about all transfers that are due.
    pub(super) fn ask_due(&self, cx: &mut TransferCx<'_>) {
        let l1s = cx.l1_addresses();
        let is_of_router = |slot: &&Slot| {
            matches!(slot, Slot::Track(_) | Slot::TransferStatus(_) | Slot::Witness(_, WitnessOf::Estimate))
        };
        let is_of_witness = |slot: &&Slot| matches!(slot, Slot::Witness(..)) && !is_of_router(slot);
        let mut router_room = ROUTER_AT_ONCE.saturating_sub(cx.pending.iter().copied().filter(is_of_router).count());
        let mut witness_room =
            WITNESSES_AT_ONCE.saturating_sub(cx.pending.iter().copied().filter(is_of_witness).count());
        let mut due = Vec::new();
        for transfer in &self.all {
            for (question, _) in self.questions_about(transfer, &l1s, cx).filter(|(_, at)| *at <= cx.facts.now) {
                let room = if question.kind().is_for_router() { &mut router_room } else { &mut witness_room };
                if *room > 0 {
                    *room -= 1;
                    due.push((transfer.follower.record.id.clone(), question));
                }
            }
        }
        for (id, question) in due {
            cx.ask_about(&id, question);
        }
    }

    /// Returns the questions about a transfer and when they are due, without pending questions.
    fn questions_about(
        &self,
        transfer: &WatchedTransfer,
        l1s: &L1Addresses,
        cx: &TransferCx<'_>,
    ) -> impl Iterator<Item = (Question, Timestamp)> {
        let questions = transfer.follower.questions(&cx.follower_context(transfer, l1s));
        let is_open = |kind: QuestionKind| {
            transfer.allows(kind)
                && (!kind.is_for_router() || self.loaded_or_failed())
                && !cx.is_waiting(&slot_of(&transfer.follower.record.id, kind))
        };
        questions.into_iter().filter(move |(question, _)| is_open(question.kind()))
    }

    /// Returns when the next question about any transfer is due.
    pub(in crate::app) fn next_question(&self, cx: &TransferCx<'_>) -> Option<Timestamp> {
        let l1s = cx.l1_addresses();
        let questions = self.all.iter().flat_map(|transfer| self.questions_about(transfer, &l1s, cx));
        // Questions due by now were sent at the last update, or wait for another answer.
        questions
            .map(|(_, at)| at)
            .chain(self.next_reading(cx))
            .chain(self.next_open(cx))
            .filter(|at| *at > cx.facts.now)
            .min()
    }

    pub(super) fn take_followed(&mut self, id: &TransferId, answer: FollowerAnswer, cx: &mut TransferCx<'_>) {
        let rivals = CreditRivals::of(&answer, id, self.all.iter().map(|transfer| &transfer.follower));
        let Some(transfer) = self.get_mut(id) else { return };
        match transfer.follower.take(answer, &rivals, cx.facts.now) {
            TakenAnswer::Nothing => return,
            TakenAnswer::News => {}
            TakenAnswer::Tracked { outdates_status, is_wanted } => {
                if outdates_status {
                    cx.emit(PageEffect::Cancel(Slot::TransferStatus(id.clone())));
                }
                if is_wanted {
                    cx.done("the router tracks the transfer again; requesting its status");
                }
            }
            TakenAnswer::NotTracked { why, is_wanted } => {
                if is_wanted {
                    cx.complain(format!("the router did not resume tracking: {why}"));
                }
            }
        }
        self.review(id, cx);
    }

    /// Takes the transfers from the store, or the store's error.
    pub(in crate::app) fn take_stored(
        &mut self,
        result: Result<Vec<TransferRecord>, ApiError>,
        cx: &mut TransferCx<'_>,
    ) {
        match result {
            Ok(records) => self.take_kept(records, cx),
            Err(error) => {
                cx.complain(format!("cannot read the saved transfers: {}", error.brief()));
                self.loaded.settle(Err(error), cx.facts.now);
            }
        }
    }

    /// Adds transfers from the store, and merges the findings of other instances into known transfers.
    fn take_kept(&mut self, records: Vec<TransferRecord>, cx: &mut TransferCx<'_>) {
        let is_first = self.loaded.value().is_none();
        self.loaded.settle(Ok(()), cx.facts.now);
        for record in records.into_iter().take(MOST) {
            // A newer transfer may have the id of one of a replaced chain: the newer stays.
            let known = self.get(&record.id).map(|known| &known.follower.record);
            if record.gone_chain.is_some() && known.is_some_and(|known| known.created > record.created) {
                continue;
            }
            let id = record.id.clone();
            if self.adopt(record, cx) || is_first {
                self.review(&id, cx);
            }
        }
        self.version += u64::from(is_first);
    }
}
