//! Questions to the router: registration until it takes a transaction, then its status for as long as something is
//! awaited; and what is done with all answers about transfers.

use std::{sync::Arc, time::Duration};

use super::WatchedTransfer;
use crate::{
    app::{App, page::ShownTransfers},
    domain::{Timestamp, TransferRecord},
    msg::{Answer, Request, Slot, WitnessOf},
    story::transfer::{Attention, Phase},
    wire::{ApiError, router::TrackRequest},
};

/// Questions to one router under way at once.
const AT_ONCE: usize = 8;

impl App {
    /// Asks the router for whatever is due.
    pub(super) fn ask_routers(&mut self) {
        if !self.has_router() || !self.transfers.loaded_or_failed() {
            return;
        }
        let now = self.now;
        let mut asked = Vec::new();
        for transfer in &self.transfers.all {
            let (track, status) = (Slot::Track(transfer.number), Slot::TransferStatus(transfer.number));
            let Some(request) = request(transfer) else { continue };
            if transfer.track_at(now).is_some_and(|at| at <= now) && !self.is_waiting(&track) {
                let is_given_up = transfer.status_view.phase == Phase::Abandoned;
                let ask = if is_given_up { Request::TrackAgain } else { Request::Track };
                asked.push((track, ask(request.clone())));
            }
            if self.poll_at(transfer, now).is_some_and(|at| at <= now) && !self.is_waiting(&status) {
                asked.push((status, Request::TransferStatus(request)));
            }
        }
        let under_way = self.requests.slots().filter(|slot| matches!(slot, Slot::Track(_) | Slot::TransferStatus(_)));
        let room = AT_ONCE.saturating_sub(under_way.count());
        for (slot, request) in asked.into_iter().take(room) {
            self.fetch(slot, request);
        }
    }

    fn poll_at(&self, transfer: &WatchedTransfer, now: Timestamp) -> Option<Timestamp> {
        transfer.poll_at(self.attention(transfer), now)
    }

    /// When the router or an indexer is to be asked about a transfer next; `None` where an answer is awaited.
    pub(super) fn next_question(&self, transfer: &WatchedTransfer, now: Timestamp) -> Option<Timestamp> {
        let idle = |slot: Slot, at: Option<Timestamp>| at.filter(|_| !self.is_waiting(&slot));
        let number = transfer.number;
        let is_asked = self.has_router() && self.transfers.loaded_or_failed();
        let track = idle(Slot::Track(number), transfer.track_at(now)).filter(|_| is_asked);
        let status = idle(Slot::TransferStatus(number), self.poll_at(transfer, now)).filter(|_| is_asked);
        let evidence = self.next_evidence_question(transfer, now);
        [track, status, evidence].into_iter().flatten().min()
    }

    /// When the status of a transfer is asked for next, for its page.
    pub(crate) fn next_status(&self, transfer: &WatchedTransfer) -> Option<Timestamp> {
        if !self.has_router() {
            return None;
        }
        self.poll_at(transfer, self.now)
    }

    /// Whether the router is being asked for the status.
    pub(crate) fn is_asking_status(&self, transfer: &WatchedTransfer) -> bool {
        self.is_waiting(&Slot::TransferStatus(transfer.number))
    }

    /// Nobody waits any more for what was asked of a transfer.
    pub(super) fn cancel_questions(&mut self, number: u32) {
        for slot in [
            Slot::Track(number),
            Slot::TransferStatus(number),
            Slot::Witness(number, WitnessOf::Source),
            Slot::Witness(number, WitnessOf::Arrival),
        ] {
            self.cancel(&slot);
        }
    }

    /// Asks now for the transfer on the page, or for all that are shown.
    pub(in crate::app) fn refresh_transfers(&mut self) {
        let shown = self.navigation.current().shown_transfers();
        for transfer in &mut self.transfers.all {
            let is_meant = shown.has(&transfer.record.id) && (shown != ShownTransfers::All || transfer.is_live());
            if is_meant {
                transfer.poll.is_wanted = true;
                transfer.search_evidence_again();
            }
        }
        if shown == ShownTransfers::All && !self.is_waiting(&Slot::Transfers) {
            self.fetch(Slot::Transfers, Request::Transfers);
        }
    }

    /// Clocks on a transfer's page go on by the second, whatever form times have elsewhere.
    pub(super) fn next_clock_step(&self, now: Timestamp) -> Option<Timestamp> {
        let is_counting = match self.navigation.current().shown_transfers() {
            ShownTransfers::One(id) => self.transfers.get(&id).is_some_and(|transfer| {
                transfer.is_live()
                    || self.attention(transfer) == Attention::Shown && self.next_status(transfer).is_some()
            }),
            ShownTransfers::None | ShownTransfers::All => false,
        };
        (is_counting && !self.frozen).then(|| now.cut_to_seconds().after(Duration::from_secs(1)))
    }

    /// An answer about a transfer came.
    pub(in crate::app) fn take_transfer_answer(&mut self, slot: Slot, result: Result<Answer, ApiError>) {
        match (slot, result) {
            (Slot::Transfers, Ok(Answer::Transfers(records))) => self.take_kept(records),
            (Slot::Transfers, Err(error)) => {
                self.complain(format!("the kept transfers cannot be read: {}", error.brief()));
                let now = self.now;
                self.transfers.loaded.settle(Err(error), now);
            }
            (Slot::TrackLookUp, result) => self.take_looked_up(result),
            (Slot::Track(number), result) => self.take_tracked(number, result.map(|_| ())),
            (Slot::TransferStatus(number), result) => self.take_transfer_status(number, result),
            (Slot::Witness(number, side), result) => self.take_evidence(number, side, &result),
            _ => {}
        }
        self.effects.redraw = true;
    }

    /// The kept transfers came: new ones are added, known ones learn what other instances have learnt.
    fn take_kept(&mut self, records: Vec<TransferRecord>) {
        let now = self.now;
        self.transfers.loaded.settle(Ok(()), now);
        for record in records.into_iter().take(super::MOST) {
            // One that was begun since has the name of one of a chain that is gone.
            let known = self.transfers.get(&record.id).map(|known| &known.record);
            if record.gone_chain.is_some() && known.is_some_and(|known| known.created > record.created) {
                continue;
            }
            let number = self.adopt(record);
            self.review_transfer(number);
        }
        self.transfers.version += 1;
    }

    fn take_tracked(&mut self, number: u32, result: Result<(), ApiError>) {
        let now = self.now;
        let Some(transfer) = self.transfers.numbered(number) else { return };
        match result {
            Ok(()) => {
                transfer.accept();
                // What it watches from now on it can tell at once.
                transfer.poll.is_wanted = true;
            }
            Err(error) => {
                let why = error.brief();
                if transfer.refuse(error, now) {
                    transfer.poll.revived = None;
                    transfer.note(&format!("The router does not take it up to watch: {why}."), now);
                }
            }
        }
        self.review_transfer(number);
    }

    fn take_transfer_status(&mut self, number: u32, result: Result<Answer, ApiError>) {
        let now = self.now;
        let Some(transfer) = self.transfers.numbered(number) else { return };
        match result {
            Ok(Answer::TransferStatus(status)) => transfer.take_status(Arc::unwrap_or_clone(status), now),
            Err(error) if error.is_not_found() => transfer.answered(now),
            Err(error) => transfer.fail_poll(error, now),
            Ok(_) => return,
        }
        self.review_transfer(number);
    }
}

impl super::Transfers {
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
