//! What the demo wallet is given, or what was sent elsewhere, becomes a kept transfer.

use std::sync::Arc;

use super::{Departure, TransferCx, TransferEffect, Transfers};
use crate::{
    domain::{BroadcastHash, TransferRecord},
    msg::{Answer, PageId, Request, Slot},
    wire::{
        ApiError, ErrorKind,
        router::{Broadcast, BroadcastRequest},
    },
};

impl Transfers {
    /// Gives a transaction to the demo wallet; one at a time.
    pub(in crate::app) fn depart(
        &mut self,
        departure: Departure,
        request: Arc<BroadcastRequest>,
        cx: &mut TransferCx<'_>,
    ) {
        cx.ask(Slot::Broadcast(departure.page), Request::DemoBroadcast(request));
        self.departing = Some(departure);
    }

    /// What became of the transaction that the demo wallet was given.
    pub(in crate::app) fn take_departed(
        &mut self,
        page: PageId,
        result: &Result<Answer, ApiError>,
        cx: &mut TransferCx<'_>,
    ) {
        let Some(departure) = self.departing.take_if(|departure| departure.page == page) else { return };
        cx.redraw();
        match result {
            Ok(Answer::Broadcast(broadcast)) => self.keep_broadcast(departure, broadcast, cx),
            Ok(_) => cx.complain("the demo wallet gave another answer than the hash of what it sent"),
            Err(error) => cx.effect(TransferEffect::Departed(page, Err(refusal(error)))),
        }
    }

    fn keep_broadcast(&mut self, departure: Departure, broadcast: &Broadcast, cx: &mut TransferCx<'_>) {
        match broadcast.tx_hash.parse::<BroadcastHash>() {
            Ok(hash) => {
                let chain = broadcast.chain_id.clone();
                self.keep_sent(Departure { chain, ..departure }, &hash, "Sent by the demo wallet", cx);
            }
            Err(error) => cx.complain(format!("it was sent, but {error}")),
        }
    }

    pub(super) fn keep_sent(&mut self, departure: Departure, hash: &BroadcastHash, how: &str, cx: &mut TransferCx<'_>) {
        let Departure { page, further, route, addresses, chain } = departure;
        let now = cx.now;
        let fresh = TransferRecord::of_hash(chain, hash, now);
        let kept = further.and_then(|id| self.get(&id)).map(|kept| kept.record.clone());
        let mut record = match kept {
            Some(mut kept) => {
                kept.txs.extend(fresh.txs);
                kept.is_over = false;
                kept
            }
            None => TransferRecord { route: Some(route), addresses, ..fresh },
        };
        record.note(now, how);
        cx.effect(TransferEffect::Departed(page, Ok(record.id.clone())));
        self.begin(record, cx);
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
