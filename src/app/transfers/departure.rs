//! What the demo wallet is given, or what was sent elsewhere, becomes a kept transfer.

use std::sync::Arc;

use super::Departure;
use crate::{
    app::App,
    domain::{BroadcastHash, TransferRecord},
    msg::{Answer, PageId, Request, Slot},
    wire::{
        ApiError, ErrorKind,
        router::{Broadcast, BroadcastRequest},
    },
};

impl App {
    /// Gives a transaction to the demo wallet; one at a time.
    pub(in crate::app) fn depart(&mut self, departure: Departure, request: Arc<BroadcastRequest>) {
        let page = departure.page;
        self.transfers.departing = Some(departure);
        self.fetch(Slot::Broadcast(page), Request::DemoBroadcast(request));
    }

    /// What became of the transaction that the demo wallet was given.
    pub(in crate::app) fn take_departed(&mut self, page: PageId, result: &Result<Answer, ApiError>) {
        if self.transfers.departing.as_ref().is_none_or(|departure| departure.page != page) {
            return;
        }
        let Some(departure) = self.transfers.departing.take() else { return };
        self.effects.redraw = true;
        match result {
            Ok(Answer::Broadcast(broadcast)) => self.take_broadcast(departure, broadcast),
            Ok(_) => self.complain("the demo wallet gave another answer than the hash of what it sent"),
            Err(error) => {
                let text = refusal(error);
                match self.navigation.page_mut(page) {
                    Some(page) => page.departed(&Err(text)),
                    None => self.complain(text),
                }
            }
        }
    }

    fn take_broadcast(&mut self, departure: Departure, broadcast: &Broadcast) {
        match broadcast.tx_hash.parse::<BroadcastHash>() {
            Ok(hash) => {
                let chain = broadcast.chain_id.clone();
                self.begin(Departure { chain, ..departure }, &hash, "Sent by the demo wallet");
            }
            Err(error) => self.complain(format!("it was sent, but {error}")),
        }
    }

    /// Keeps what was sent.
    pub(super) fn begin(&mut self, departure: Departure, hash: &BroadcastHash, how: &str) {
        let Departure { page, further, route, addresses, chain } = departure;
        let now = self.now;
        let fresh = TransferRecord::of_hash(chain, hash, now);
        let kept = further.and_then(|id| self.transfers.get(&id)).map(|kept| kept.record.clone());
        let mut record = match kept {
            Some(mut kept) => {
                kept.txs.extend(fresh.txs);
                kept.is_over = false;
                kept
            }
            None => TransferRecord { route: Some(route), addresses, ..fresh },
        };
        record.note(now, how);
        if let Some(page) = self.navigation.page_mut(page) {
            page.departed(&Ok(record.id.clone()));
        }
        self.begin_transfer(record);
    }
}

/// Why nothing was sent, or why nobody can say.
fn refusal(error: &ApiError) -> String {
    match &error.kind {
        ErrorKind::Timeout(_) | ErrorKind::Offline { .. } | ErrorKind::Server { .. } => format!(
            "It is not known whether it was sent: {}. Look at the account's transactions before you send again.",
            error.brief()
        ),
        _ => format!("It was not sent: {}", error.brief()),
    }
}
