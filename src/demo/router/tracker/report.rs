//! What the status endpoint says of a transfer (`wire/router.md` §5).

use super::transfer::{Course, Failure, Holding, HopRecord, Landing, Slot, Stage, Transfer};
use crate::{
    demo::router::plan::{Step, Way},
    domain::Timestamp,
    wire::router::{
        AssetRelease, BlockingTransfer, ChainTx, Hop, HopError, HopKind, HopSlot, StatusError, TransferPart,
        TransferStatus,
    },
};

use std::time::Duration;

/// How long after it was accepted a transaction is only “submitted”.
const SUBMITTED: Duration = Duration::from_secs(2);

/// Which words the status endpoint has for the end of a transfer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum RouterStates {
    /// Those of the real routers: `STATE_COMPLETED_SUCCESS`, `STATE_COMPLETED_ERROR`.
    #[default]
    Real,
    /// Those of the specification: `STATE_COMPLETED`, `STATE_FAILED`.
    Spec,
}

/// What a status is written with.
#[derive(Clone, Copy, Debug)]
pub struct Reporter<'a> {
    /// The time.
    pub now: Timestamp,
    /// Which words.
    pub states: RouterStates,
    /// Where the transactions can be looked at: makes a link of chain and hash.
    pub link: &'a dyn LinkMaker,
}

/// Makes the address under which a transaction can be looked at.
pub trait LinkMaker: std::fmt::Debug {
    /// The address.
    fn link(&self, landing: &Landing) -> String;
}

impl Reporter<'_> {
    /// The answer for a transfer that is tracked.
    pub fn status(&self, transfer: &Transfer) -> TransferStatus {
        let is_new = transfer.tracked.is_some_and(|tracked| self.now < tracked.after(SUBMITTED));
        let (state, is_final) = self.state(transfer, is_new);
        let shows_hops = !is_new || transfer.is_abandoned;
        let transfer_sequence: Vec<Hop> = if shows_hops { self.hops(transfer) } else { Vec::new() };
        let blocking = transfer.blocking().and_then(|hop| u32::try_from(hop).ok()).filter(|_| shows_hops);
        let next_blocking_transfer = blocking.map(|hop| BlockingTransfer { transfer_sequence_index: Some(hop) });
        let transfer_asset_release = transfer.holding.as_ref().filter(|_| shows_hops).map(|holding| AssetRelease {
            chain_id: holding.chain_id.clone(),
            denom: holding.denom.clone(),
            amount: Some(holding.amount),
            released: transfer.course != Course::Failing,
        });
        let error = (shows_hops && transfer.course == Course::Failed).then(|| failure(transfer));
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

    /// The overall state, and whether it is the end.
    fn state(&self, transfer: &Transfer, is_new: bool) -> (&'static str, bool) {
        let is_real = self.states == RouterStates::Real;
        match transfer.course {
            _ if transfer.is_abandoned => ("STATE_ABANDONED", false),
            _ if is_new => ("STATE_SUBMITTED", false),
            Course::Moving => ("STATE_PENDING", false),
            Course::Failing => ("STATE_PENDING_ERROR", false),
            Course::Arrived => (if is_real { "STATE_COMPLETED_SUCCESS" } else { "STATE_COMPLETED" }, true),
            Course::Failed => (if is_real { "STATE_COMPLETED_ERROR" } else { "STATE_FAILED" }, true),
        }
    }

    fn hops(&self, transfer: &Transfer) -> Vec<Hop> {
        let hop = |record: &HopRecord| Some(self.hop(record, transfer.plan.steps.get(record.step)?));
        transfer.hops.iter().filter_map(hop).collect()
    }

    fn hop(&self, record: &HopRecord, step: &Step) -> Hop {
        let txs = record.txs.iter().map(|(slot, landing)| {
            let tx = ChainTx {
                chain_id: landing.chain_id.clone(),
                tx_hash: landing.tx_hash.clone(),
                explorer_link: self.link.link(landing),
                on_chain_at: landing.at.cut_to_seconds().to_string(),
            };
            (slot_of(*slot, &step.way), tx)
        });
        Hop {
            kind: match step.way {
                Way::Cctp => HopKind::CctpTransfer,
                Way::GoFast => HopKind::GoFastTransfer,
                Way::OpDeposit { .. } | Way::OpWithdraw { .. } => HopKind::OpInitTransfer,
                Way::Ibc { .. } | Way::Swap { .. } | Way::Send => HopKind::IbcTransfer,
            },
            from_chain_id: Some(step.from.clone()),
            to_chain_id: Some(step.to.clone()),
            state: state_of(record, &step.way).to_owned(),
            txs: txs.collect(),
            error: record.failure.map(|failure| hop_error(failure, &step.way)),
            raw: None,
        }
    }
}

/// The word for how far a hop is (`wire/router.md` §5.4).
fn state_of(record: &HopRecord, way: &Way) -> &'static str {
    match (way, record.stage) {
        (Way::Cctp, Stage::Sent) => "CCTP_TRANSFER_SENT",
        (Way::Cctp, Stage::Confirming) => "CCTP_TRANSFER_PENDING_CONFIRMATION",
        (Way::Cctp, Stage::Attested) => "CCTP_TRANSFER_CONFIRMED",
        (Way::Cctp, _) => "CCTP_TRANSFER_RECEIVED",
        (Way::GoFast, Stage::Received) => "GO_FAST_TRANSFER_FILLED",
        (Way::GoFast, Stage::TimedOut) => "GO_FAST_TRANSFER_TIMEOUT",
        (Way::GoFast, Stage::Failed) => "GO_FAST_TRANSFER_REFUNDED",
        (Way::GoFast, _) => "GO_FAST_TRANSFER_SENT",
        (Way::OpDeposit { .. } | Way::OpWithdraw { .. }, Stage::Sent) => "OPINIT_TRANSFER_SENT",
        (Way::OpDeposit { .. } | Way::OpWithdraw { .. }, _) => "OPINIT_TRANSFER_RECEIVED",
        (_, Stage::Received) => "TRANSFER_RECEIVED",
        (_, Stage::Answered) => "TRANSFER_SUCCESS",
        (_, Stage::Failed | Stage::TimedOut) => "TRANSFER_FAILURE",
        _ => "TRANSFER_PENDING",
    }
}

fn slot_of(slot: Slot, way: &Way) -> HopSlot {
    match (way, slot) {
        (Way::GoFast, Slot::Send) => HopSlot::OrderSubmittedTx,
        (Way::GoFast, Slot::Receive) => HopSlot::OrderFilledTx,
        (Way::GoFast, Slot::Timeout) => HopSlot::OrderTimeoutTx,
        (_, Slot::Refund) => HopSlot::OrderRefundedTx,
        (_, Slot::Send) => HopSlot::SendTx,
        (_, Slot::Receive) => HopSlot::ReceiveTx,
        (_, Slot::Answer) => HopSlot::AcknowledgeTx,
        (_, Slot::Timeout) => HopSlot::TimeoutTx,
    }
}

fn hop_error(failure: Failure, way: &Way) -> HopError {
    let (kind, message) = match (failure, way) {
        (Failure::Expired, Way::GoFast) => ("", "no solver took the order in time"),
        (Failure::Expired, _) => ("PACKET_ERROR_TIMEOUT", "the packet was not received in time"),
        (Failure::Refused, _) => {
            ("PACKET_ERROR_ACKNOWLEDGEMENT", "ABCI code: 1: error handling packet: see events for details")
        }
    };
    HopError { kind: kind.to_owned(), message: message.to_owned() }
}

fn failure(transfer: &Transfer) -> StatusError {
    let place = |holding: &Holding| format!("transfer failed: the funds are on {}", holding.chain_id);
    let message = transfer.holding.as_ref().map_or_else(|| "transfer failed".to_owned(), place);
    StatusError { kind: "STATUS_ERROR_TRANSFER".to_owned(), message, details: None }
}
