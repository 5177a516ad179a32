//! Progress of transfers. Each event happens when it is due, by a transaction on its chain.

use std::time::Duration;

use alloy_primitives::U256;
use base64::{Engine as _, prelude::BASE64_STANDARD};

use super::transfer::{
    Funds, HopEvent, HopEventKind, HopFailure, HopRecord, HopStage, HopTxRole, SentTx, TrackedTransfer, TransferPhase,
};
use crate::{
    demo::{
        faults::{Fault, Refusing},
        ledger::{
            External, ExternalError, ExternalHook, PacketOutcome, RollupFacts, Submitted, TokenOrigin, abi::data,
        },
        posted::{PostedMessage, PostedTx},
        router::{
            light::{BalanceMovement, LightChains, LightTxRequest},
            plan::{PlanStep, StepKind},
        },
        settlement::{BridgeOutput, BridgeTerms},
    },
    domain::{Amount, Denom, Height, Timestamp},
};

/// Time from an arrival to the relayer's acknowledgement.
const ANSWER: Duration = Duration::from_secs(4);

/// Time from an order's timeout to its refund.
const REFUND: Duration = Duration::from_secs(10);

/// Time after which a transaction is retried that the rollup refused.
const AGAIN: Duration = Duration::from_secs(2);

/// Embedded rollup as the router sees it.
pub trait RollupApi {
    /// Submits a transaction for the next block.
    fn submit(&self, external: External) -> Result<Submitted, ExternalError>;

    /// Returns the newest block in the index.
    fn indexed(&self) -> Option<Height>;

    /// Returns the newest block of the chain, which the index may not have yet.
    fn tip(&self) -> Option<Height>;

    /// Returns the number of external transactions in the index file; `None` without a file.
    fn taken(&self) -> Option<u64>;

    /// Returns an output, if the L1 has it.
    fn output(&self, index: u64) -> Option<BridgeOutput>;

    /// Whether the chain has made all blocks that are due. Otherwise submitters must wait.
    fn is_current(&self) -> bool;
}

/// Data and chains with which transfers advance.
pub struct StepContext<'a> {
    pub now: Timestamp,
    pub faults: &'a [Fault],
    pub rollup: &'a dyn RollupApi,
    pub facts: &'a RollupFacts,
    /// Parameters of the bridge to the L1.
    pub bridge: BridgeTerms,
    pub packet_seconds: u32,
    pub light: &'a mut LightChains,
    /// External transactions that the rollup accepted, with their blocks. Advancing appends to them.
    pub accepted: &'a mut Vec<(Height, External)>,
}

impl StepContext<'_> {
    /// Advances a transfer as far as it can go now; returns whether it changed.
    pub fn advance(&mut self, transfer: &mut TrackedTransfer) -> bool {
        let is_waiting = transfer.is_over() || self.faults.contains(&Fault::StuckHop);
        if is_waiting || !self.is_there(&transfer.source) {
            return false;
        }
        let begins = transfer.phase == TransferPhase::Moving && transfer.hops.is_empty();
        if begins {
            let source = transfer.source.clone();
            self.begin_hop(transfer, 0, &source);
        }
        let mut has_moved = begins;
        while self.run_next_event(transfer) {
            has_moved = true;
        }
        has_moved
    }

    /// Whether clients can see a transaction.
    pub fn is_there(&self, sent: &SentTx) -> bool {
        sent.is_there(self.now, self.rollup.indexed())
    }

    pub fn submit(&mut self, external: External) -> Result<Submitted, ExternalError> {
        let submitted = self.rollup.submit(external.clone())?;
        self.accepted.push((submitted.height, external));
        Ok(submitted)
    }

    /// Begins the next hop at or after step `first`, with the transaction that delivered the funds.
    fn begin_hop(&mut self, transfer: &mut TrackedTransfer, first: usize, at: &SentTx) {
        let Some((index, step)) = transfer.hop_step_from(first) else {
            transfer.phase = TransferPhase::Arrived;
            transfer.funds = self.arrived(transfer);
            transfer.next = next_answer(transfer, transfer.hops.len(), at.at);
            return;
        };
        let hop = transfer.hops.len();
        let mut record = HopRecord {
            step: index,
            stage: HopStage::Sent,
            txs: vec![(HopTxRole::Send, at.clone())],
            failure: None,
            packet: None,
            expires: None,
        };
        let mut event = first_event(step, hop, at.at);
        if let (StepKind::OpWithdraw { .. }, Some(height)) = (&step.kind, at.height) {
            event.due = self.bridge.claimable(height);
        }
        transfer.next = Some(event);
        if let Some((packet, expires)) = transfer.source_packet.filter(|_| hop == 0) {
            (record.packet, record.expires) = (Some(packet), Some(expires));
        }
        transfer.hops.push(record);
    }

    fn arrived(&self, transfer: &TrackedTransfer) -> Option<Funds> {
        let last = transfer.plan.steps.last()?;
        let mut funds = Funds::after(last);
        if transfer.is_unwrapped {
            (funds.denom, funds.amount) = self.deposited(last);
        }
        Some(funds)
    }

    /// Runs the next event if it is due; false if none is due.
    fn run_next_event(&mut self, transfer: &mut TrackedTransfer) -> bool {
        let Some(mut event) = transfer.next.clone() else { return false };
        if let Some(tx) = event.tx.take() {
            let is_there = self.is_there(&tx);
            if is_there {
                self.settle(transfer, &event, &tx);
            }
            return is_there;
        }
        if event.due > self.now {
            return false;
        }
        let Some(step) = transfer.step_of(event.hop).cloned() else { return false };
        let is_claim = event.kind == HopEventKind::Arrive && matches!(step.kind, StepKind::OpWithdraw { .. });
        if is_claim && transfer.claimed.is_none() {
            return false;
        }
        if event.kind == HopEventKind::Arrive {
            self.apply_faults(transfer, &mut event, &step);
        }
        match event.kind {
            HopEventKind::Confirm | HopEventKind::Attest => attest(transfer, &event, &step),
            _ if event.due > self.now => transfer.next = Some(event),
            _ => match self.transact(transfer, &event, &step) {
                Ok(tx) => {
                    if event.kind == HopEventKind::Expire {
                        (transfer.phase, transfer.funds) = (TransferPhase::Failing, Some(Funds::given_back(&step)));
                    }
                    transfer.next = Some(HopEvent { tx: Some(tx), ..event });
                }
                Err(error) => self.reschedule(transfer, event, &step, &error),
            },
        }
        true
    }

    /// Changes an arrival according to the transfer and the active faults.
    fn apply_faults(&self, transfer: &mut TrackedTransfer, event: &mut HopEvent, step: &PlanStep) {
        let refusing = self.faults.iter().find_map(|fault| match fault {
            Fault::Refund(refusing) => Some(*refusing),
            _ => None,
        });
        let refusing = refusing.or(transfer.is_refused.then_some(Refusing::Refused));
        let Some(refusing) = refusing else { return };
        match (&step.kind, refusing) {
            (StepKind::Ibc { .. }, Refusing::Refused) => event.kind = HopEventKind::Refuse,
            (StepKind::Ibc { .. }, Refusing::Expired) => {
                (event.kind, event.due) = (HopEventKind::Expire, self.expiry(transfer, event.hop));
            }
            (StepKind::GoFast, _) => event.kind = HopEventKind::TimeOut,
            (StepKind::OpDeposit { hook: Some(_), .. }, _) => transfer.is_unwrapped = true,
            _ => {}
        }
    }

    /// Returns when an undelivered packet is refunded.
    fn expiry(&self, transfer: &TrackedTransfer, hop: usize) -> Timestamp {
        let record = transfer.hops.get(hop);
        let sent = record.and_then(|record| record.txs.first()).map_or(self.now, |(_, sent)| sent.at);
        let expires = record.and_then(|record| record.expires);
        expires.unwrap_or_else(|| sent.after(Duration::from_secs(u64::from(self.packet_seconds)))).after(AGAIN)
    }

    /// Postpones or replaces an event whose transaction the rollup refused.
    fn reschedule(&self, transfer: &mut TrackedTransfer, mut event: HopEvent, step: &PlanStep, error: &ExternalError) {
        tracing::warn!(%error, transfer = transfer.source.tx_hash, "the rollup rejected a step of a transfer");
        let is_packet = matches!(step.kind, StepKind::Ibc { .. });
        let is_passing = matches!(error, ExternalError::TooManyWaiting(_) | ExternalError::Stopped);
        match (event.kind, error) {
            // A packet that the rollup cannot credit is rejected. If it cannot reject it either, the packet times out.
            (HopEventKind::Arrive, _) if is_packet && !is_passing => event.kind = HopEventKind::Refuse,
            (HopEventKind::Refuse, _) if !is_passing => {
                (event.kind, event.due) = (HopEventKind::Expire, self.expiry(transfer, event.hop));
            }
            // The transfer has succeeded, so the acknowledgement is not needed.
            (HopEventKind::Answer, ExternalError::UnknownPacket { .. }) => {
                transfer.next = None;
                return;
            }
            _ => event.due = self.now.after(AGAIN),
        }
        transfer.next = Some(event);
    }

    fn transact(
        &mut self,
        transfer: &TrackedTransfer,
        event: &HopEvent,
        step: &PlanStep,
    ) -> Result<SentTx, ExternalError> {
        let arrives = matches!(event.kind, HopEventKind::Arrive | HopEventKind::Refuse);
        if self.is_on_rollup(step, arrives) {
            let external = self.external(transfer, event, step).ok_or(ExternalError::Closed)?;
            let submitted = self.submit(external)?;
            return Ok(SentTx {
                chain_id: if arrives { step.to.clone() } else { step.from.clone() },
                tx_hash: submitted.tx_hash.to_string(),
                at: submitted.time,
                height: Some(submitted.height),
            });
        }
        let chain_id = if arrives { &step.to } else { &step.from };
        let message = format!("{}/{}/{:?}", transfer.source.tx_hash, event.hop, event.kind);
        let request = LightTxRequest {
            what: words(event.kind, step),
            message: message.as_bytes(),
            success: true,
            events: gains(transfer, event, step)
                .map(|to| BalanceMovement::received(&to.account, &to.denom, to.amount))
                .into_iter()
                .collect(),
        };
        let tx = self.light.send(chain_id, request, self.now).ok_or(ExternalError::Closed)?;
        Ok(SentTx { chain_id: chain_id.clone(), tx_hash: tx.tx_hash, at: tx.at, height: None })
    }

    /// Whether a step arrives at, or leaves from, the embedded rollup.
    fn is_on_rollup(&self, step: &PlanStep, arrives: bool) -> bool {
        let chain = if arrives { &step.to } else { &step.from };
        chain.as_str() == self.facts.chain_id
    }

    /// Returns an event's transaction on the rollup; `None` if the rollup has none for the event.
    fn external(&self, transfer: &TrackedTransfer, event: &HopEvent, step: &PlanStep) -> Option<External> {
        match (event.kind, &step.kind) {
            (HopEventKind::Arrive | HopEventKind::Refuse, StepKind::Ibc { channel_there, memo, .. }) => {
                Some(External::Receive {
                    receiver: step.receiver.parse().ok()?,
                    sender: step.sender.clone(),
                    denom: step.denom_out.clone(),
                    amount: step.amount_out,
                    channel: channel_there.clone(),
                    memo: memo.clone(),
                    accepted: event.kind == HopEventKind::Arrive,
                })
            }
            (HopEventKind::Arrive, StepKind::OpDeposit { hook, .. }) => {
                let (denom, amount) = self.deposited(step);
                let (to, from) = (step.receiver.parse().ok()?, step.sender.clone());
                let hook = match hook {
                    None => ExternalHook::None,
                    Some(_) if transfer.is_unwrapped => ExternalHook::Stale,
                    Some(hook) => posted_hook(hook),
                };
                Some(External::Deposit { to, from, denom, amount, hook })
            }
            (kind, StepKind::Ibc { channel, .. }) => Some(External::Answer {
                channel: channel.clone(),
                sequence: transfer.hops.get(event.hop)?.packet?,
                answer: match kind {
                    HopEventKind::Answer => PacketOutcome::Accepted,
                    HopEventKind::Expire => PacketOutcome::Expired,
                    _ => PacketOutcome::Refused,
                },
            }),
            _ => None,
        }
    }

    /// Returns the coin that a deposit credits before its hook runs: the rollup's denom of the L1 token. The amount in
    /// smallest units is equal.
    fn deposited(&self, step: &PlanStep) -> (Denom, Amount) {
        let bridged = self.facts.tokens.iter().find(
            |token| matches!(token.origin, TokenOrigin::Bridged { l1_denom } if l1_denom == step.denom_in.as_str()),
        );
        bridged.map_or_else(|| (step.denom_out.clone(), step.amount_out), |token| (token.denom.clone(), step.amount_in))
    }

    /// Applies an event when its transaction is in a block.
    fn settle(&mut self, transfer: &mut TrackedTransfer, event: &HopEvent, tx: &SentTx) {
        let Some(step) = transfer.step_of(event.hop).cloned() else { return };
        let at = tx.at;
        let (slot, stage) = outcome(event.kind);
        let Some(record) = transfer.hops.get_mut(event.hop) else { return };
        record.stage = stage;
        record.txs.push((slot, tx.clone()));
        let next = |kind, hop, due| Some(HopEvent { kind, hop, due, tx: None });
        match event.kind {
            HopEventKind::Arrive => {
                let after = record.step + 1;
                self.begin_hop(transfer, after, tx);
            }
            HopEventKind::Answer => transfer.next = next_answer(transfer, event.hop, at),
            HopEventKind::Refuse => {
                record.failure = Some(HopFailure::Refused);
                transfer.phase = TransferPhase::Failing;
                transfer.funds = transfer.refund_place(event.hop).map(|(_, funds)| funds);
                transfer.next = next(HopEventKind::Return, event.hop, at.after(ANSWER));
            }
            HopEventKind::Return => {
                record.failure = Some(HopFailure::Refused);
                let last = transfer.refund_place(transfer.hops.len() - 1).map_or(0, |(last, _)| last);
                let further = event.hop.checked_sub(1).filter(|hop| *hop >= last);
                transfer.next = further.and_then(|hop| next(HopEventKind::Return, hop, at.after(ANSWER)));
                if further.is_none() {
                    transfer.phase = TransferPhase::Failed;
                    transfer.next = next_answer(transfer, event.hop, at);
                }
            }
            HopEventKind::Expire => {
                record.failure = Some(HopFailure::Expired);
                (transfer.phase, transfer.next) = (TransferPhase::Failed, next_answer(transfer, event.hop, at));
            }
            HopEventKind::TimeOut => {
                record.failure = Some(HopFailure::Expired);
                (transfer.phase, transfer.funds) = (TransferPhase::Failing, Some(Funds::before(&step)));
                transfer.next = next(HopEventKind::Refund, event.hop, at.after(REFUND));
            }
            HopEventKind::Refund => {
                (transfer.phase, transfer.next) = (TransferPhase::Failed, next_answer(transfer, event.hop, at));
            }
            HopEventKind::Confirm | HopEventKind::Attest => {}
        }
    }
}

/// Returns the transaction with which a step leaves the rollup; `None` if it cannot leave. `packet_seconds` is the
/// packet's timeout.
pub fn outgoing_tx(step: &PlanStep, packet_seconds: u32) -> Option<External> {
    let sender = step.sender.parse().ok()?;
    let (denom, amount) = (step.denom_in.clone(), step.amount_in);
    match &step.kind {
        StepKind::OpWithdraw { .. } => Some(External::Withdraw { sender, to: step.receiver.clone(), denom, amount }),
        StepKind::Ibc { channel, memo, .. } => Some(External::Send {
            sender,
            receiver: step.receiver.clone(),
            denom,
            amount,
            channel: channel.clone(),
            memo: memo.clone(),
            seconds: packet_seconds,
        }),
        StepKind::Send => Some(External::BankSend { sender, to: step.receiver.parse().ok()?, denom, amount }),
        _ => None,
    }
}

fn first_event(step: &PlanStep, hop: usize, sent: Timestamp) -> HopEvent {
    let (kind, seconds) = match step.kind {
        StepKind::Cctp => (HopEventKind::Confirm, step.seconds / 4),
        _ => (HopEventKind::Arrive, step.seconds),
    };
    HopEvent { kind, hop, due: sent.after(Duration::from_secs(seconds)), tx: None }
}

/// Schedules the stages of a burn: confirmation, then attestation.
fn attest(transfer: &mut TrackedTransfer, event: &HopEvent, step: &PlanStep) {
    let is_seen = event.kind == HopEventKind::Confirm;
    let (stage, kind) =
        if is_seen { (HopStage::Confirming, HopEventKind::Attest) } else { (HopStage::Attested, HopEventKind::Arrive) };
    if let Some(record) = transfer.hops.get_mut(event.hop) {
        record.stage = stage;
    }
    let quarters = if is_seen { step.seconds / 2 } else { step.seconds / 4 };
    let due = event.due.after(Duration::from_secs(quarters));
    transfer.next = Some(HopEvent { kind, hop: event.hop, due, tx: None });
}

/// Returns the acknowledgement that the packet before this hop still awaits. That packet succeeded, whatever happened
/// later.
fn next_answer(transfer: &TrackedTransfer, before: usize, at: Timestamp) -> Option<HopEvent> {
    let is_open = |hop: &usize| {
        let is_packet = transfer.step_of(*hop).is_some_and(|step| matches!(step.kind, StepKind::Ibc { .. }));
        is_packet && transfer.hops.get(*hop).is_some_and(|record| record.stage == HopStage::Received)
    };
    let hop = (0..before).rev().find(is_open)?;
    Some(HopEvent { kind: HopEventKind::Answer, hop, due: at.after(ANSWER), tx: None })
}

/// Returns the account that an event's transaction credits on a light chain.
fn gains(transfer: &TrackedTransfer, event: &HopEvent, step: &PlanStep) -> Option<Funds> {
    let index = transfer.hops.get(event.hop)?.step;
    match event.kind {
        HopEventKind::Arrive if transfer.hop_step_from(index + 1).is_none() => {
            transfer.plan.steps.last().map(Funds::after)
        }
        HopEventKind::Return => transfer
            .refund_place(transfer.hops.len() - 1)
            .and_then(|(stop, funds)| (stop == event.hop).then_some(funds)),
        HopEventKind::Expire | HopEventKind::Refund => Some(Funds::given_back(step)),
        _ => None,
    }
}

/// Returns the role of an event's transaction, and the hop's stage after the event.
fn outcome(kind: HopEventKind) -> (HopTxRole, HopStage) {
    match kind {
        HopEventKind::Confirm => (HopTxRole::Send, HopStage::Confirming),
        HopEventKind::Attest => (HopTxRole::Send, HopStage::Attested),
        HopEventKind::Arrive => (HopTxRole::Receive, HopStage::Received),
        HopEventKind::Refuse => (HopTxRole::Receive, HopStage::Failed),
        HopEventKind::Answer => (HopTxRole::Answer, HopStage::Answered),
        HopEventKind::Return => (HopTxRole::Answer, HopStage::Failed),
        HopEventKind::Expire => (HopTxRole::Timeout, HopStage::Failed),
        HopEventKind::TimeOut => (HopTxRole::Timeout, HopStage::TimedOut),
        HopEventKind::Refund => (HopTxRole::Refund, HopStage::Failed),
    }
}

/// Reads the allowance of a signed hook, in base64: an exact one bounds what the hook converts.
fn posted_hook(signed: &str) -> ExternalHook {
    let tx = BASE64_STANDARD.decode(signed).ok().and_then(|raw| PostedTx::read(&raw).ok());
    let allowed = tx.iter().flat_map(PostedTx::messages).find_map(|message| {
        let PostedMessage::Call(call) = message else { return None };
        let (head, words) = call.input.split_first_chunk::<4>()?;
        let amount = words.get(32..64).filter(|_| data("approve(address,uint256)", &[]) == *head)?;
        Some(Amount::new(U256::from_be_slice(amount)))
    });
    allowed.filter(|allowed| allowed.get() != U256::MAX).map_or(ExternalHook::Run, ExternalHook::RunExact)
}

/// Describes an event's transaction, for the page of a light chain's transaction.
fn words(kind: HopEventKind, step: &PlanStep) -> String {
    let (from, to) = (&step.from, &step.to);
    match (kind, &step.kind) {
        (HopEventKind::Arrive, StepKind::OpWithdraw { .. }) => format!("claims a withdrawal from {from}"),
        (HopEventKind::Arrive, StepKind::OpDeposit { .. }) => format!("the executor relays a deposit from {from}"),
        (HopEventKind::Arrive, StepKind::Cctp) => format!("mints the amount burned on {from}"),
        (HopEventKind::Arrive, StepKind::GoFast) => format!("a solver pays an order from {from}"),
        (HopEventKind::Arrive, _) => format!("the relayer delivers a packet from {from}"),
        (HopEventKind::Refuse, _) => format!("the relayer delivers a packet from {from}, and the chain refuses it"),
        (HopEventKind::Answer, _) => format!("the relayer delivers the acknowledgement of {to}"),
        (HopEventKind::Return, _) => format!("the relayer delivers the refusal of {to}"),
        (HopEventKind::Expire, _) => format!("a packet to {to} timed out and is refunded"),
        (HopEventKind::TimeOut, _) => format!("no solver took an order to {to}"),
        (HopEventKind::Refund, _) => format!("an order to {to} is refunded"),
        (HopEventKind::Confirm | HopEventKind::Attest, _) => format!("leaves for {to}"),
    }
}
