//! The claim of an optimistic withdrawal: by the demo wallet where there is one, else it is somebody else's to send.

use super::{TransferCx, Transfers};
use crate::{
    domain::TransferId,
    msg::{Answer, Request, Slot},
    wire::{ApiError, router::TrackRequest},
};

impl Transfers {
    /// Has the demo wallet claim what this transfer withdrew.
    pub(super) fn claim(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        let slot = Slot::Claim(id.clone());
        if cx.directory.wallet().is_none() {
            return cx.inform("claim it on the L1 with any wallet; whoever claims, it goes to the recipient");
        }
        if cx.is_waiting(&slot) {
            return cx.refuse("the claim is with the demo wallet");
        }
        let Some(tx) = self.get(id).and_then(|transfer| transfer.current_tx()) else { return };
        let started = TrackRequest { tx_hash: tx.hash.to_string(), chain_id: tx.chain_id.clone() };
        cx.ask(slot, Request::DemoClaim(started));
        cx.inform("claiming it with the demo wallet");
    }

    /// What became of a claim.
    pub(in crate::app) fn take_claim(
        &mut self,
        id: &TransferId,
        result: &Result<Answer, ApiError>,
        cx: &mut TransferCx<'_>,
    ) {
        let now = cx.now;
        match result {
            Ok(Answer::Broadcast(claim)) => {
                let Some(transfer) = self.get_mut(id) else { return };
                transfer.note(&format!("Claimed by the demo wallet: {} on {}", claim.tx_hash, claim.chain_id), now);
                transfer.ask_now();
                self.version += 1;
                cx.done(format!("claimed by the demo wallet: {}", claim.tx_hash));
            }
            Ok(_) => cx.complain("the demo wallet gave another answer than the hash of its claim"),
            Err(error) => cx.complain(format!("it was not claimed: {}", error.brief())),
        }
    }
}
