//! Transfers from broadcast to end, and their status.

pub mod advance;
mod claim;
pub mod report;
pub mod transfer;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use self::{
    advance::StepContext,
    transfer::{TrackedTransfer, TransferKey, TransferPhase},
};
use super::{error::RouterError, plan::Plan};
use crate::{
    demo::faults::Fault,
    domain::{ChainId, Timestamp},
};

/// Maximum transfers; the tracker drops the oldest finished transfers first, then abandoned transfers.
const MOST: usize = 200;

/// Transfers, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tracker(VecDeque<TrackedTransfer>);

impl Tracker {
    /// Drops a finished or abandoned transfer if the tracker is full; false if it cannot drop any.
    pub fn has_room(&self) -> bool {
        self.0.len() < MOST || self.dispensable().is_some()
    }

    fn dispensable(&self) -> Option<usize> {
        let ended = self.0.iter().position(TrackedTransfer::is_over);
        ended.or_else(|| self.0.iter().position(|transfer| transfer.abandoned.is_some()))
    }

    pub fn add(&mut self, transfer: TrackedTransfer) {
        if self.0.len() >= MOST
            && let Some(dispensable) = self.dispensable()
        {
            self.0.remove(dispensable);
        }
        self.0.push_back(transfer);
    }

    /// Returns the transfer of a transaction, whether or not a client tracks it.
    pub fn find(&self, key: &TransferKey) -> Option<&TrackedTransfer> {
        self.0
            .iter()
            .find(|transfer| transfer.source.chain_id == key.chain_id && transfer.source.tx_hash == key.tx_hash)
    }

    /// Whether a transfer with this plan has arrived.
    pub fn has_brought(&self, plan: &Plan) -> bool {
        let end =
            |plan: &Plan| plan.steps.last().map(|step| (step.to.clone(), step.denom_out.clone(), step.amount_out));
        let is_like = |other: &Plan| {
            (other.tx_index, &other.chain_id, &other.signer) == (plan.tx_index, &plan.chain_id, &plan.signer)
                && end(other) == end(plan)
        };
        self.0.iter().any(|transfer| transfer.phase == TransferPhase::Arrived && is_like(&transfer.plan))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all transfers are finished.
    pub fn is_idle(&self) -> bool {
        self.0.iter().all(TrackedTransfer::is_over)
    }

    /// Returns how many transactions were sent from a chain.
    pub fn sent_from(&self, chain_id: &ChainId) -> u64 {
        self.0.iter().filter(|transfer| transfer.source.chain_id == *chain_id).count() as u64
    }

    /// Advances all transfers; returns whether any changed.
    pub fn advance(&mut self, context: &mut StepContext<'_>) -> bool {
        let gives_up = context.faults.contains(&Fault::Abandoned);
        let mut has_changed = false;
        for transfer in &mut self.0 {
            let is_under_way = matches!(transfer.phase, TransferPhase::Moving | TransferPhase::Failing);
            if gives_up && is_under_way && transfer.tracked.is_some() && transfer.abandoned.is_none() {
                transfer.give_up();
                has_changed = true;
            }
            has_changed |= context.advance(transfer);
        }
        has_changed
    }

    /// Follows a transfer from its broadcast, even before its block exists. Returns it.
    pub fn watch(&mut self, key: &TransferKey, now: Timestamp) -> Option<&TrackedTransfer> {
        let found = self.0.iter_mut().find(|transfer| transfer.key() == *key)?;
        found.tracked.get_or_insert(now);
        Some(found)
    }

    /// Begins to track a transaction, or resumes an abandoned one. Returns whether that changed anything.
    ///
    /// Fails with 404 before the transaction's block exists, and with 400 if the transaction failed; the status then
    /// reports the failure.
    pub fn track(&mut self, key: &TransferKey, context: &StepContext<'_>) -> Result<bool, RouterError> {
        let is_it = |transfer: &&mut TrackedTransfer| transfer.key() == *key;
        let found = self.0.iter_mut().find(is_it).filter(|transfer| context.is_there(&transfer.source));
        let transfer = found.ok_or_else(|| RouterError::not_found("tx not found"))?;
        let is_new = transfer.tracked.is_none();
        transfer.tracked.get_or_insert(context.now);
        if transfer.source_error.is_some() {
            return Err(RouterError::invalid("tx is invalid on chain"));
        }
        let is_taken_up = transfer.abandoned.is_some() && !context.faults.contains(&Fault::Abandoned);
        if is_taken_up {
            transfer.abandoned = None;
        }
        Ok(is_new || is_taken_up)
    }
}
