//! Questions to the router: registration until it takes a transaction, then its status for as long as something is
//! awaited; and what is done with all answers about transfers.

use std::sync::Arc;

use super::{TransferCx, TransferEffect, Transfers, WatchedTransfer, watched::Recall};
use crate::{
    domain::{Timestamp, Tracking, TransferId, TransferRecord},
    msg::{Answer, Request, Slot},
    story::transfer::Phase,
    wire::{ApiError, router::TrackRequest},
};

/// Questions to one router under way at once.
const AT_ONCE: usize = 8;

impl Transfers {
    /// Asks the router for whatever is due.
    pub(super) fn ask_routers(&self, cx: &mut TransferCx<'_>) {
        if !cx.has_router || !self.loaded_or_failed() {
            return;
        }
        let now = cx.now;
        let mut asked = Vec::new();
        for transfer in &self.all {
            let is_due = |at: Option<Timestamp>| at.is_some_and(|at| at <= now);
            let is_recalled = transfer.poll.recall == Recall::Due && !transfer.is_lost();
            let (tracks, polls) =
                (is_recalled || is_due(transfer.track_at(now)), is_due(transfer.poll_at(cx.attention(transfer), now)));
            let Some(request) = request(transfer).filter(|_| tracks || polls) else { continue };
            let id = &transfer.record.id;
            let (track, status) = (Slot::Track(id.clone()), Slot::TransferStatus(id.clone()));
            if tracks && !cx.is_waiting(&track) {
                let is_given_up = transfer.status_view.phase == Phase::Abandoned;
                let ask = if is_given_up { Request::TrackAgain } else { Request::Track };
                asked.push((track, ask(request.clone())));
            }
            if polls && !cx.is_waiting(&status) {
                asked.push((status, Request::TransferStatus(request)));
            }
        }
        let under_way = cx.requests.slots().filter(|slot| matches!(slot, Slot::Track(_) | Slot::TransferStatus(_)));
        let room = AT_ONCE.saturating_sub(under_way.count());
        for (slot, request) in asked.into_iter().take(room) {
            cx.ask(slot, request);
        }
    }

    /// When somebody is to be asked about a transfer next.
    pub(in crate::app) fn next_question(&self, cx: &TransferCx<'_>) -> Option<Timestamp> {
        let questions = self.all.iter().filter_map(|transfer| self.next_question_about(transfer, cx));
        // What was due at the last update was asked for then, or waits for an answer to another question.
        questions.chain(self.next_reading(cx)).filter(|at| *at > cx.now).min()
    }

    fn next_question_about(&self, transfer: &WatchedTransfer, cx: &TransferCx<'_>) -> Option<Timestamp> {
        let (id, now) = (&transfer.record.id, cx.now);
        let idle = |slot: fn(TransferId) -> Slot, at: Timestamp| (!cx.is_waiting(&slot(id.clone()))).then_some(at);
        let is_asked = cx.has_router && self.loaded_or_failed();
        let track = transfer.track_at(now).filter(|_| is_asked).and_then(|at| idle(Slot::Track, at));
        let status = transfer.poll_at(cx.attention(transfer), now).filter(|_| is_asked);
        let status = status.and_then(|at| idle(Slot::TransferStatus, at));
        let evidence = transfer.evidence_questions(cx).into_iter().map(|(.., at)| at).min();
        [track, status, evidence].into_iter().flatten().min()
    }

    pub(in crate::app) fn take_answer(
        &mut self,
        slot: Slot,
        result: Result<Answer, ApiError>,
        cx: &mut TransferCx<'_>,
    ) {
        match (slot, result) {
            (Slot::Transfers, Ok(Answer::Transfers(records))) => self.take_kept(records, cx),
            (Slot::Transfers, Err(error)) => {
                cx.complain(format!("the kept transfers cannot be read: {}", error.brief()));
                self.loaded.settle(Err(error), cx.now);
            }
            (Slot::TrackLookUp, result) => self.take_looked_up(&result, cx),
            (Slot::ListedLookUp, result) => self.take_listed(&result, cx),
            (Slot::Track(id), result) => self.take_tracked(&id, result.map(|_| ()), cx),
            (Slot::TransferStatus(id), result) => self.take_status(&id, result, cx),
            (Slot::Witness(id, side), result) => self.take_evidence(&id, side, &result, cx),
            _ => {}
        }
        cx.redraw();
    }

    /// The kept transfers came: new ones are added, known ones learn what other instances have learnt.
    fn take_kept(&mut self, records: Vec<TransferRecord>, cx: &mut TransferCx<'_>) {
        let is_first = self.loaded.value().is_none();
        self.loaded.settle(Ok(()), cx.now);
        for record in records.into_iter().take(super::MOST) {
            // One that was begun since has the name of one of a chain that is gone.
            let known = self.get(&record.id).map(|known| &known.record);
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

    fn take_tracked(&mut self, id: &TransferId, result: Result<(), ApiError>, cx: &mut TransferCx<'_>) {
        let now = cx.now;
        let Some(transfer) = self.get_mut(id) else { return };
        let is_recall = transfer.poll.recall == Recall::Due;
        if is_recall {
            transfer.poll.recall = Recall::Done;
        }
        let is_asked = transfer.poll.revived.is_some();
        match result {
            Ok(()) => {
                // What it answered before it took the transaction up, or still will, says nothing any more.
                let is_taken_now = transfer.current_tx().is_some_and(|tx| tx.tracking != Tracking::Accepted);
                if is_taken_now && transfer.take_up() {
                    cx.effect(TransferEffect::Cancel(Slot::TransferStatus(id.clone())));
                }
                transfer.accept();
                // What it watches from now on it can tell at once.
                transfer.poll.is_wanted = true;
                if is_asked {
                    cx.done("the router watches it again; asking how it stands");
                }
            }
            Err(error) if is_recall => transfer.registration.problem = Some(error),
            Err(error) => {
                let why = error.brief();
                if transfer.refuse(error, now) {
                    transfer.poll.revived = None;
                    transfer.note(&format!("The router does not take it up to watch: {why}."), now);
                }
                if is_asked {
                    cx.complain(format!("the router does not watch it again: {why}"));
                }
            }
        }
        self.review(id, cx);
    }

    fn take_status(&mut self, id: &TransferId, result: Result<Answer, ApiError>, cx: &mut TransferCx<'_>) {
        let now = cx.now;
        let Some(transfer) = self.get_mut(id) else { return };
        match result {
            Ok(Answer::TransferStatus(status)) => transfer.take_status(Arc::unwrap_or_clone(status), now),
            Err(error) if error.is_not_found() => transfer.miss(&error, now),
            Err(error) => transfer.fail_poll(error, now),
            Ok(_) => return,
        }
        self.review(id, cx);
    }

    /// What was kept is known, or cannot be.
    pub(crate) fn loaded_or_failed(&self) -> bool {
        self.loaded.value().is_some() || self.loaded.error().is_some() || !self.all.is_empty()
    }
}

/// How the router names the current transaction.
fn request(transfer: &WatchedTransfer) -> Option<TrackRequest> {
    let tx = transfer.current_tx()?;
    Some(TrackRequest { tx_hash: tx.hash.to_string(), chain_id: tx.chain_id.clone() })
}
