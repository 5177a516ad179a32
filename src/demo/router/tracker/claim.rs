//! Claim on the L1, which completes a withdrawal. Only a client's request starts it.

use super::{
    Tracker,
    advance::StepContext,
    transfer::{HopEventKind, SentTx, TrackedTransfer, TransferKey},
};
use crate::demo::router::{error::RouterError, plan::StepKind};

impl Tracker {
    /// Claims a transaction's withdrawal. Returns the withdrawal's sequence number and the L1 transaction.
    ///
    /// 404 if the transaction is unknown; 400 if it begins no withdrawal, or if the withdrawal is claimed or not final
    /// yet.
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
            return Err(RouterError::invalid("this transaction starts no optimistic withdrawal: no claim possible"));
        };
        if let Some(claim) = transfer.claim_of(hop) {
            return Err(RouterError::invalid(format!("already claimed: {}", claim.tx_hash)));
        }
        let due = transfer.next.as_ref().filter(|event| event.hop == hop).map_or(context.now, |event| event.due);
        if due > context.now {
            return Err(RouterError::invalid(format!("not final yet: claimable from {}", due.cut_to_seconds())));
        }
        transfer.claimed.get_or_insert(context.now);
        context.advance(transfer);
        let sent = transfer.claim_of(hop).map(|sent| (transfer.source_withdrawal, sent.clone()));
        sent.ok_or_else(|| RouterError::unavailable("the L1 accepts no claim now: try again in a moment"))
    }

    /// Records a withdrawal's claim on the L1. The transfer then continues.
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
    /// Returns the claim of a hop's withdrawal, once sent.
    fn claim_of(&self, hop: usize) -> Option<&SentTx> {
        let sent = self.next.as_ref().filter(|event| event.hop == hop && event.kind == HopEventKind::Arrive);
        let settled = || self.hops.get(hop)?.txs.get(1).map(|(_, tx)| tx);
        sent.and_then(|event| event.tx.as_ref()).or_else(settled)
    }
}
