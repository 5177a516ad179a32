//! Turns transactions that the demo wallet or the user sent into kept transfers.

use std::sync::Arc;

use super::{PendingBroadcast, TransferCx, Transfers};
use crate::{
    app::page::PageEffect,
    domain::{BroadcastHash, TransferRecord},
    msg::{PageId, Slot, ask},
    signing::RecordDraft,
    wire::{
        ApiError, ErrorKind,
        router::{Broadcast, BroadcastRequest},
    },
};

impl Transfers {
    /// Gives a transaction to the demo wallet, one at a time.
    pub(in crate::app) fn depart(
        &mut self,
        departure: PendingBroadcast,
        request: Arc<BroadcastRequest>,
        cx: &mut TransferCx<'_>,
    ) {
        let page = departure.page;
        let draft = Arc::new(self.draft(&departure));
        cx.request(
            Slot::Broadcast(page),
            ask::demo_broadcast(request, draft, cx.facts.now),
            move |transfers, result, cx| {
                transfers.take_departed(page, result, cx);
            },
        );
        self.departing = Some(departure);
    }

    /// Takes the demo wallet's result.
    pub(super) fn take_departed(&mut self, page: PageId, result: Result<Broadcast, ApiError>, cx: &mut TransferCx<'_>) {
        let Some(departure) = self.departing.take_if(|departure| departure.page == page) else { return };
        match result {
            Ok(broadcast) => self.keep_broadcast(departure, &broadcast, cx),
            Err(error) => cx.emit(PageEffect::Departed(page, Err(refusal(&error)))),
        }
    }

    fn keep_broadcast(&mut self, departure: PendingBroadcast, broadcast: &Broadcast, cx: &mut TransferCx<'_>) {
        match broadcast.tx_hash.parse::<BroadcastHash>() {
            Ok(hash) => {
                let chain = broadcast.chain_id.clone();
                self.keep_sent(&PendingBroadcast { chain, ..departure }, &hash, "Sent by the demo wallet", cx);
            }
            Err(error) => cx.complain(format!("sent, but {error}")),
        }
    }

    pub(in crate::app) fn keep_sent(
        &mut self,
        departure: &PendingBroadcast,
        hash: &BroadcastHash,
        how: &str,
        cx: &mut TransferCx<'_>,
    ) {
        let now = cx.facts.now;
        let fresh = TransferRecord::of_hash(departure.chain.clone(), hash, now);
        let mut record = self.draft(departure).with_tx(fresh);
        record.note(now, how);
        cx.emit(PageEffect::Departed(departure.page, Ok(record.id.clone())));
        self.begin(record, cx);
    }

    fn draft(&self, departure: &PendingBroadcast) -> RecordDraft {
        let kept = departure.further.as_ref().and_then(|id| self.get(id)).map(|kept| kept.follower.record.clone());
        RecordDraft { route: Arc::clone(&departure.route), addresses: departure.addresses.clone(), kept }
    }
}

/// Explains why a transaction was not sent, or that its broadcast is unconfirmed.
fn refusal(error: &ApiError) -> String {
    match &error.kind {
        ErrorKind::Timeout(_) | ErrorKind::Offline { .. } | ErrorKind::Server { .. } => {
            format!("Broadcast unconfirmed: {}. Check the account's transactions before you send again.", error.brief())
        }
        _ => format!("Not sent: {}", error.brief()),
    }
}
