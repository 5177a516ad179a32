//! The last step of an optimistic withdrawal, which nobody takes by himself: the claim on the L1.

use super::{
    Tracker,
    advance::StepContext,
    transfer::{HopEventKind, SentTx, TrackedTransfer, TransferKey},
};
use crate::demo::router::{error::RouterError, plan::StepKind};

impl Tracker {
    /// Claims the withdrawal of a transaction; its number on the rollup, and what the L1 was sent.
    ///
    /// 404 where the transaction is not there, 400 where it withdraws nothing, was claimed, or waits for its
    /// finalization.
    pub fn claim(
        &mut self,
        key: &TransferKey,
        context: &mut StepContext<'_>,
    ) -> Result<(Option<u64>, SentTx), RouterError> {
        let is_it = |transfer: &&mut TrackedTransfer| transfer.key() == *key;
        let found = self.0.iter_mut().find(is_it).filter(|transfer| context.is_there(&transfer.source));
        let transfer = found.ok_or_else(|| RouterError::not_found("tx not found"))?;
        let withdraws = |step: usize| {
            transfer.plan.steps.get(step).is_some_and(|step| matches!(step.kind, StepKind::OpWithdraw { .. }))
        };
        let Some(hop) = transfer.hops.iter().position(|record| withdraws(record.step)) else {
            return Err(RouterError::invalid(
                "this transaction starts no optimistic withdrawal: nothing is to be claimed",
            ));
        };
        if let Some(claim) = transfer.claim_of(hop) {
            return Err(RouterError::invalid(format!("this withdrawal was claimed already: {}", claim.tx_hash)));
        }
        let due = transfer.next.as_ref().filter(|event| event.hop == hop).map_or(context.now, |event| event.due);
        if due > context.now {
            return Err(RouterError::invalid(format!(
                "this withdrawal is not final yet: it can be claimed from {} on",
                due.cut_to_seconds()
            )));
        }
        transfer.claimed.get_or_insert(context.now);
        context.advance(transfer);
        let sent = transfer.claim_of(hop).map(|sent| (transfer.source_withdrawal, sent.clone()));
        sent.ok_or_else(|| RouterError::unavailable("the L1 takes no claim now: try again in a moment"))
    }

    /// Somebody claimed the withdrawal with this number on the L1, with this transaction: the transfer goes on from there.
    pub fn take_claim(&mut self, withdrawal: u64, claim: &SentTx) {
        let is_it = |transfer: &&mut TrackedTransfer| transfer.source_withdrawal == Some(withdrawal);
        let Some(transfer) = self.0.iter_mut().find(is_it) else { return };
        transfer.claimed.get_or_insert(claim.at);
        if let Some(event) = transfer.next.as_mut().filter(|event| event.kind == HopEventKind::Arrive) {
            event.tx.get_or_insert_with(|| claim.clone());
        }
    }
}

impl TrackedTransfer {
    /// The claim of a hop, where it was sent.
    fn claim_of(&self, hop: usize) -> Option<&SentTx> {
        let sent = self.next.as_ref().filter(|event| event.hop == hop && event.kind == HopEventKind::Arrive);
        let settled = || self.hops.get(hop)?.txs.get(1).map(|(_, tx)| tx);
        sent.and_then(|event| event.tx.as_ref()).or_else(settled)
    }
}
