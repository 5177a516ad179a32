//! Answers about transfers: of the store, of the router, of the indexer.

use std::sync::Arc;

use crate::{
    app::App,
    domain::TransferRecord,
    msg::{Answer, Slot},
    wire::ApiError,
};

impl App {
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
            (Slot::Witness(number, side), result) => self.take_witness(number, side, &result),
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
            self.settle_transfer(number);
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
        self.settle_transfer(number);
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
        self.settle_transfer(number);
    }
}
