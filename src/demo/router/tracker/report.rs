//! Status of a transfer as the status endpoint returns it (`docs/apis/router.md` §5).

use super::transfer::{Funds, HopFailure, HopRecord, HopStage, HopTxRole, SentTx, TrackedTransfer, TransferPhase};
use crate::{
    demo::router::{
        light::LightTxFailure,
        plan::{PlanStep, StepKind},
    },
    domain::{Timestamp, text::Foreign},
    wire::{
        RawJson,
        router::{
            AssetRelease, BlockingTransfer, ChainTx, Hop, HopError, HopKind, HopSlot, StatusError, TransferPart,
            TransferStatus,
        },
    },
};

use serde_json::json;
use std::time::Duration;

/// Time for which an accepted transaction is "submitted".
const SUBMITTED: Duration = Duration::from_secs(2);

/// Names of a transfer's final states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum RouterStates {
    /// As real routers name them: `STATE_COMPLETED_SUCCESS`, `STATE_COMPLETED_ERROR`.
    #[default]
    Real,
    /// As the specification names them: `STATE_COMPLETED`, `STATE_FAILED`.
    Spec,
}

#[derive(Clone, Copy, Debug)]
pub struct StatusReporter<'a> {
    pub now: Timestamp,
    pub states: RouterStates,
    /// Makes links to transactions from chain and hash.
    pub link: &'a dyn LinkMaker,
}

pub trait LinkMaker: std::fmt::Debug {
    fn link(&self, sent: &SentTx) -> String;
}

impl StatusReporter<'_> {
    pub fn status(&self, transfer: &TrackedTransfer) -> TransferStatus {
        let is_new = transfer.tracked.is_some_and(|tracked| self.now < tracked.after(SUBMITTED));
        let (state, is_final) = self.state(transfer, is_new);
        let last_seen = transfer.abandoned.as_ref();
        let (hops, funds) = last_seen.map_or((&transfer.hops, &transfer.funds), |seen| (&seen.hops, &seen.funds));
        let shows_hops = !is_new || last_seen.is_some();
        let transfer_sequence = if shows_hops { self.hops(transfer, hops) } else { Vec::new() };
        let shows_blocking = shows_hops && last_seen.is_none();
        let blocking = transfer.blocking().and_then(|hop| u32::try_from(hop).ok()).filter(|_| shows_blocking);
        let next_blocking_transfer = blocking.map(|hop| BlockingTransfer { transfer_sequence_index: Some(hop) });
        let transfer_asset_release = funds.as_ref().filter(|_| shows_hops).map(|funds| AssetRelease {
            chain_id: funds.chain_id.clone(),
            denom: funds.denom.clone(),
            amount: Some(funds.amount),
            released: last_seen.is_none() && transfer.phase != TransferPhase::Failing,
        });
        let has_failed = shows_blocking && transfer.phase == TransferPhase::Failed;
        let of_source = transfer.source_error.as_ref().map(source_failure);
        let error = of_source.or_else(|| has_failed.then(|| failure(transfer)));
        let status = if is_final { "STATE_COMPLETED" } else { state };
        let part = TransferPart {
            state: state.to_owned(),
            transfer_sequence,
            next_blocking_transfer,
            transfer_asset_release,
            error,
        };
        TransferStatus {
            state: part.state.clone(),
            transfer_sequence: part.transfer_sequence.clone(),
            next_blocking_transfer: part.next_blocking_transfer,
            transfer_asset_release: part.transfer_asset_release.clone(),
            error: part.error.clone(),
            status: status.to_owned(),
            transfers: vec![part],
        }
    }

    /// Returns the state of the transfer, and whether it is final.
    fn state(&self, transfer: &TrackedTransfer, is_new: bool) -> (&'static str, bool) {
        let is_real = self.states == RouterStates::Real;
        match transfer.phase {
            _ if transfer.source_error.is_some() => {
                (if is_real { "STATE_COMPLETED_ERROR" } else { "STATE_FAILED" }, true)
            }
            _ if transfer.abandoned.is_some() => ("STATE_ABANDONED", false),
            _ if is_new => ("STATE_SUBMITTED", false),
            TransferPhase::Moving => ("STATE_PENDING", false),
            TransferPhase::Failing => ("STATE_PENDING_ERROR", false),
            TransferPhase::Arrived => (if is_real { "STATE_COMPLETED_SUCCESS" } else { "STATE_COMPLETED" }, true),
            TransferPhase::Failed => (if is_real { "STATE_COMPLETED_ERROR" } else { "STATE_FAILED" }, true),
        }
    }

    fn hops(&self, transfer: &TrackedTransfer, records: &[HopRecord]) -> Vec<Hop> {
        let hop = |record: &HopRecord| Some(self.hop(record, transfer.plan.steps.get(record.step)?));
        records.iter().filter_map(hop).collect()
    }

    fn hop(&self, record: &HopRecord, step: &PlanStep) -> Hop {
        let txs = record.txs.iter().map(|(slot, sent)| {
            let tx = ChainTx {
                chain_id: sent.chain_id.clone(),
                tx_hash: sent.tx_hash.clone(),
                explorer_link: self.link.link(sent).into(),
                on_chain_at: sent.at.cut_to_seconds().to_string(),
            };
            (slot_of(*slot, &step.kind), tx)
        });
        Hop {
            kind: match step.kind {
                StepKind::Cctp => HopKind::CctpTransfer,
                StepKind::GoFast => HopKind::GoFastTransfer,
                StepKind::OpDeposit { .. } | StepKind::OpWithdraw { .. } => HopKind::OpInitTransfer,
                StepKind::Ibc { .. } | StepKind::Swap { .. } | StepKind::Send => HopKind::IbcTransfer,
            },
            from_chain_id: Some(step.from.clone()),
            to_chain_id: Some(step.to.clone()),
            state: Foreign::new(state_of(record, &step.kind)),
            txs: txs.collect(),
            error: record.failure.map(|failure| hop_error(failure, &step.kind)),
            raw: None,
        }
    }
}

/// Returns the state name of a hop (`docs/apis/router.md` §5.4).
fn state_of(record: &HopRecord, kind: &StepKind) -> &'static str {
    match (kind, record.stage) {
        (StepKind::Cctp, HopStage::Sent) => "CCTP_TRANSFER_SENT",
        (StepKind::Cctp, HopStage::Confirming) => "CCTP_TRANSFER_PENDING_CONFIRMATION",
        (StepKind::Cctp, HopStage::Attested) => "CCTP_TRANSFER_CONFIRMED",
        (StepKind::Cctp, _) => "CCTP_TRANSFER_RECEIVED",
        (StepKind::GoFast, HopStage::Received) => "GO_FAST_TRANSFER_FILLED",
        (StepKind::GoFast, HopStage::TimedOut) => "GO_FAST_TRANSFER_TIMEOUT",
        (StepKind::GoFast, HopStage::Failed) => "GO_FAST_TRANSFER_REFUNDED",
        (StepKind::GoFast, _) => "GO_FAST_TRANSFER_SENT",
        (StepKind::OpDeposit { .. } | StepKind::OpWithdraw { .. }, HopStage::Sent) => "OPINIT_TRANSFER_SENT",
        (StepKind::OpDeposit { .. } | StepKind::OpWithdraw { .. }, _) => "OPINIT_TRANSFER_RECEIVED",
        (_, HopStage::Received) => "TRANSFER_RECEIVED",
        (_, HopStage::Answered) => "TRANSFER_SUCCESS",
        (_, HopStage::Failed | HopStage::TimedOut) => "TRANSFER_FAILURE",
        _ => "TRANSFER_PENDING",
    }
}

fn slot_of(slot: HopTxRole, kind: &StepKind) -> HopSlot {
    match (kind, slot) {
        (StepKind::GoFast, HopTxRole::Send) => HopSlot::OrderSubmittedTx,
        (StepKind::GoFast, HopTxRole::Receive) => HopSlot::OrderFilledTx,
        (StepKind::GoFast, HopTxRole::Timeout) => HopSlot::OrderTimeoutTx,
        (_, HopTxRole::Refund) => HopSlot::OrderRefundedTx,
        (_, HopTxRole::Send) => HopSlot::SendTx,
        (_, HopTxRole::Receive) => HopSlot::ReceiveTx,
        (_, HopTxRole::Answer) => HopSlot::AcknowledgeTx,
        (_, HopTxRole::Timeout) => HopSlot::TimeoutTx,
    }
}

fn hop_error(failure: HopFailure, kind: &StepKind) -> HopError {
    let (kind, message) = match (failure, kind) {
        (HopFailure::Expired, StepKind::GoFast) => ("", "no solver took the order in time"),
        (HopFailure::Expired, _) => ("PACKET_ERROR_TIMEOUT", "the packet did not arrive in time"),
        (HopFailure::Refused, _) => {
            ("PACKET_ERROR_ACKNOWLEDGEMENT", "ABCI code: 1: error handling packet: see events for details")
        }
    };
    HopError { kind: Foreign::new(kind), message: Foreign::new(message) }
}

/// Returns the error of a source transaction that failed, with the chain's log.
fn source_failure(LightTxFailure { code, message, .. }: &LightTxFailure) -> StatusError {
    StatusError {
        kind: Foreign::new("STATUS_ERROR_TRANSACTION_EXECUTION"),
        message: Foreign::new("transaction execution failed"),
        details: RawJson::parse(json!({ "code": code, "message": message }).to_string()).ok(),
    }
}

fn failure(transfer: &TrackedTransfer) -> StatusError {
    let place = |funds: &Funds| format!("transfer failed: the funds are on {}", funds.chain_id);
    let message = transfer.funds.as_ref().map_or_else(|| "transfer failed".to_owned(), place);
    StatusError { kind: Foreign::new("STATUS_ERROR_TRANSFER"), message: Foreign::new(message), details: None }
}
