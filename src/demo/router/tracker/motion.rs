//! What takes transfers on: each event happens when it is due, with a transaction on the chain that it concerns.

use std::time::Duration;

use super::transfer::{Course, Event, EventKind, Failure, Holding, HopRecord, Landing, Slot, Stage, Transfer};
use crate::{
    demo::{
        faults::{Fault, Refusing},
        ledger::{Answer, External, ExternalError, ExternalHook, RollupFacts, Submitted, TokenOrigin},
        router::{
            light::{Draft, LightChains, Movement},
            plan::{Step, Way},
        },
    },
    domain::{Amount, Denom, Height, Timestamp},
};

/// How long a packet may take to arrive, in seconds: what routers ask for unless told otherwise (`wire/router.md` §3.1).
pub const PACKET_SECONDS: u32 = 300;

/// From an arrival to the relayer's answer.
const ANSWER: Duration = Duration::from_secs(4);

/// From the time-out of an order to its refund.
const REFUND: Duration = Duration::from_secs(10);

/// Before something that the rollup did not take is tried again.
const AGAIN: Duration = Duration::from_secs(2);

/// The embedded rollup as the router reaches it.
pub trait Home {
    /// Gives the rollup a transaction for its next block.
    fn submit(&self, external: External) -> Result<Submitted, ExternalError>;

    /// The newest block that its index has.
    fn indexed(&self) -> Option<Height>;

    /// The chain's newest block, which the index may not have yet.
    fn tip(&self) -> Option<Height>;

    /// How many transactions from outside its index's file keeps; `None` where it has no file.
    fn taken(&self) -> Option<u64>;

    /// Whether the chain is up to the clock. While it makes up for a computer's sleep it takes nothing, and whoever
    /// gives it something waits.
    fn is_current(&self) -> bool;
}

/// What transfers are moved with.
pub struct Hands<'a> {
    /// The time.
    pub now: Timestamp,
    /// What goes wrong.
    pub faults: &'a [Fault],
    /// The rollup.
    pub home: &'a dyn Home,
    /// What is fixed about it.
    pub facts: &'a RollupFacts,
    /// The other chains.
    pub light: &'a mut LightChains,
    /// What the rollup took, with the block; more is added.
    pub accepted: &'a mut Vec<(Height, External)>,
}

impl Hands<'_> {
    /// Takes a transfer on as far as it can go now; whether anything changed.
    pub fn move_on(&mut self, transfer: &mut Transfer) -> bool {
        let is_waiting = transfer.is_over() || transfer.is_abandoned || self.faults.contains(&Fault::StuckHop);
        if is_waiting || !self.is_there(&transfer.source) {
            return false;
        }
        let begins = transfer.course == Course::Moving && transfer.hops.is_empty();
        if begins {
            let source = transfer.source.clone();
            self.go_on(transfer, 0, &source);
        }
        let mut has_moved = begins;
        while self.happen(transfer) {
            has_moved = true;
        }
        has_moved
    }

    /// Whether a transaction can be seen by everybody.
    pub fn is_there(&self, landing: &Landing) -> bool {
        landing.is_there(self.now, self.home.indexed())
    }

    /// Sends a transaction to the rollup.
    pub fn submit(&mut self, external: External) -> Result<Submitted, ExternalError> {
        let submitted = self.home.submit(external.clone())?;
        self.accepted.push((submitted.height, external));
        Ok(submitted)
    }

    /// Begins the next hop, at this step or after it, with the transaction that brought the money there.
    fn go_on(&mut self, transfer: &mut Transfer, first: usize, at: &Landing) {
        let Some((index, step)) = transfer.hop_step_from(first) else {
            transfer.course = Course::Arrived;
            transfer.holding = self.arrived(transfer);
            transfer.next = next_answer(transfer, transfer.hops.len(), at.at);
            return;
        };
        let hop = transfer.hops.len();
        let mut record = HopRecord {
            step: index,
            stage: Stage::Sent,
            txs: vec![(Slot::Send, at.clone())],
            failure: None,
            packet: None,
            expires: None,
        };
        transfer.next = Some(first_event(step, hop, at.at));
        if let Some((packet, expires)) = transfer.source_packet.filter(|_| hop == 0) {
            (record.packet, record.expires) = (Some(packet), Some(expires));
        }
        transfer.hops.push(record);
    }

    /// What the recipient has at the end.
    fn arrived(&self, transfer: &Transfer) -> Option<Holding> {
        let last = transfer.plan.steps.last()?;
        let mut holding = Holding::after(last);
        if transfer.is_unwrapped {
            (holding.denom, holding.amount) = self.deposited(last);
        }
        Some(holding)
    }

    /// Lets the next event happen if it can; false when there is nothing to do now.
    fn happen(&mut self, transfer: &mut Transfer) -> bool {
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
        if event.kind == EventKind::Arrive {
            self.spoil(transfer, &mut event, &step);
        }
        match event.kind {
            EventKind::Confirm | EventKind::Attest => attest(transfer, &event, &step),
            _ if event.due > self.now => transfer.next = Some(event),
            _ => match self.transact(transfer, &event, &step) {
                Ok(tx) => {
                    if event.kind == EventKind::Expire {
                        (transfer.course, transfer.holding) = (Course::Failing, Some(Holding::before(&step)));
                    }
                    transfer.next = Some(Event { tx: Some(tx), ..event });
                }
                Err(error) => self.put_off(transfer, event, &step, &error),
            },
        }
        true
    }

    /// Turns an arrival into what the faults make of it.
    fn spoil(&self, transfer: &mut Transfer, event: &mut Event, step: &Step) {
        let refusing = self.faults.iter().find_map(|fault| match fault {
            Fault::Refund(refusing) => Some(*refusing),
            _ => None,
        });
        let Some(refusing) = refusing else { return };
        match (&step.way, refusing) {
            (Way::Ibc { .. }, Refusing::Refused) => event.kind = EventKind::Refuse,
            (Way::Ibc { .. }, Refusing::Expired) => {
                (event.kind, event.due) = (EventKind::Expire, expiry(transfer, event.hop, self.now));
            }
            (Way::GoFast, _) => event.kind = EventKind::TimeOut,
            (Way::OpDeposit { hook: Some(_), .. }, _) => transfer.is_unwrapped = true,
            _ => {}
        }
    }

    /// What happens when the rollup does not take a transaction.
    fn put_off(&self, transfer: &mut Transfer, mut event: Event, step: &Step, error: &ExternalError) {
        tracing::warn!(%error, transfer = transfer.source.tx_hash, "the rollup refused a step of a transfer");
        let is_packet = matches!(step.way, Way::Ibc { .. });
        let is_passing = matches!(error, ExternalError::TooManyWaiting(_) | ExternalError::Stopped);
        match (event.kind, error) {
            // A packet that cannot be credited is refused; one that cannot even be refused runs out.
            (EventKind::Arrive, _) if is_packet && !is_passing => event.kind = EventKind::Refuse,
            (EventKind::Refuse, _) if !is_passing => {
                (event.kind, event.due) = (EventKind::Expire, expiry(transfer, event.hop, self.now));
            }
            // Nobody waits for this answer any more: the transfer ended well all the same.
            (EventKind::Answer, ExternalError::UnknownPacket { .. }) => {
                transfer.next = None;
                return;
            }
            _ => event.due = self.now.after(AGAIN),
        }
        transfer.next = Some(event);
    }

    /// Sends the transaction of an event to its chain.
    fn transact(&mut self, transfer: &Transfer, event: &Event, step: &Step) -> Result<Landing, ExternalError> {
        let arrives = matches!(event.kind, EventKind::Arrive | EventKind::Refuse);
        if self.is_home(step, arrives) {
            let external = self.external(transfer, event, step).ok_or(ExternalError::Closed)?;
            let submitted = self.submit(external)?;
            return Ok(Landing {
                chain_id: if arrives { step.to.clone() } else { step.from.clone() },
                tx_hash: submitted.tx_hash.to_string(),
                at: submitted.time,
                height: Some(submitted.height),
            });
        }
        let chain_id = if arrives { &step.to } else { &step.from };
        let message = format!("{}/{}/{:?}", transfer.source.tx_hash, event.hop, event.kind);
        let draft = Draft {
            what: words(event.kind, step),
            message: message.as_bytes(),
            success: true,
            events: gains(transfer, event, step)
                .map(|to| Movement::received(&to.account, &to.denom, to.amount))
                .into_iter()
                .collect(),
        };
        let tx = self.light.send(chain_id, draft, self.now).ok_or(ExternalError::Closed)?;
        Ok(Landing { chain_id: chain_id.clone(), tx_hash: tx.tx_hash, at: tx.at, height: None })
    }

    /// Whether a step arrives at, or leaves, the embedded rollup.
    fn is_home(&self, step: &Step, arrives: bool) -> bool {
        let chain = if arrives { &step.to } else { &step.from };
        chain.as_str() == self.facts.chain_id
    }

    /// The transaction of an event on the rollup; `None` for what cannot happen there.
    fn external(&self, transfer: &Transfer, event: &Event, step: &Step) -> Option<External> {
        match (event.kind, &step.way) {
            (EventKind::Arrive | EventKind::Refuse, Way::Ibc { channel_there, memo, .. }) => Some(External::Receive {
                receiver: step.receiver.parse().ok()?,
                sender: step.sender.clone(),
                denom: step.denom_out.clone(),
                amount: step.amount_out,
                channel: channel_there.clone(),
                memo: memo.clone(),
                accepted: event.kind == EventKind::Arrive,
            }),
            (EventKind::Arrive, Way::OpDeposit { hook, .. }) => {
                let (denom, amount) = self.deposited(step);
                let (to, from) = (step.receiver.parse().ok()?, step.sender.clone());
                let hook = match hook {
                    None => ExternalHook::None,
                    Some(_) if transfer.is_unwrapped => ExternalHook::Stale,
                    Some(_) => ExternalHook::Run,
                };
                Some(External::Deposit { to, from, denom, amount, hook })
            }
            (kind, Way::Ibc { channel, .. }) => Some(External::Answer {
                channel: channel.clone(),
                sequence: transfer.hops.get(event.hop)?.packet?,
                answer: match kind {
                    EventKind::Answer => Answer::Accepted,
                    EventKind::Expire => Answer::Expired,
                    _ => Answer::Refused,
                },
            }),
            _ => None,
        }
    }

    /// As what a deposit arrives before any hook: the rollup's form of the L1's token, in the same smallest unit.
    fn deposited(&self, step: &Step) -> (Denom, Amount) {
        let bridged = self.facts.tokens.iter().find(
            |token| matches!(token.origin, TokenOrigin::Bridged { l1_denom } if l1_denom == step.denom_in.as_str()),
        );
        bridged.map_or_else(|| (step.denom_out.clone(), step.amount_out), |token| (token.denom.clone(), step.amount_in))
    }

    /// What is so once the transaction of an event is in a block.
    fn settle(&mut self, transfer: &mut Transfer, event: &Event, tx: &Landing) {
        let Some(step) = transfer.step_of(event.hop).cloned() else { return };
        let at = tx.at;
        let (slot, stage) = outcome(event.kind);
        let Some(record) = transfer.hops.get_mut(event.hop) else { return };
        record.stage = stage;
        record.txs.push((slot, tx.clone()));
        let next = |kind, hop, due| Some(Event { kind, hop, due, tx: None });
        match event.kind {
            EventKind::Arrive => {
                let after = record.step + 1;
                self.go_on(transfer, after, tx);
            }
            EventKind::Answer => transfer.next = next_answer(transfer, event.hop, at),
            EventKind::Refuse => {
                record.failure = Some(Failure::Refused);
                transfer.course = Course::Failing;
                transfer.holding = transfer.refuge(event.hop).map(|(_, holding)| holding);
                transfer.next = next(EventKind::Return, event.hop, at.after(ANSWER));
            }
            EventKind::Return => {
                record.failure = Some(Failure::Refused);
                let last = transfer.refuge(transfer.hops.len() - 1).map_or(0, |(last, _)| last);
                let further = event.hop.checked_sub(1).filter(|hop| *hop >= last);
                transfer.next = further.and_then(|hop| next(EventKind::Return, hop, at.after(ANSWER)));
                if further.is_none() {
                    transfer.course = Course::Failed;
                    transfer.next = next_answer(transfer, event.hop, at);
                }
            }
            EventKind::Expire => {
                record.failure = Some(Failure::Expired);
                (transfer.course, transfer.next) = (Course::Failed, next_answer(transfer, event.hop, at));
            }
            EventKind::TimeOut => {
                record.failure = Some(Failure::Expired);
                (transfer.course, transfer.holding) = (Course::Failing, Some(Holding::before(&step)));
                transfer.next = next(EventKind::Refund, event.hop, at.after(REFUND));
            }
            EventKind::Refund => {
                (transfer.course, transfer.next) = (Course::Failed, next_answer(transfer, event.hop, at));
            }
            EventKind::Confirm | EventKind::Attest => {}
        }
    }
}

/// The transaction with which a step leaves the rollup; `None` where it cannot.
pub fn departure(step: &Step) -> Option<External> {
    let sender = step.sender.parse().ok()?;
    let (denom, amount) = (step.denom_in.clone(), step.amount_in);
    match &step.way {
        Way::OpWithdraw { .. } => Some(External::Withdraw { sender, to: step.receiver.clone(), denom, amount }),
        Way::Ibc { channel, memo, .. } => Some(External::Send {
            sender,
            receiver: step.receiver.clone(),
            denom,
            amount,
            channel: channel.clone(),
            memo: memo.clone(),
            seconds: PACKET_SECONDS,
        }),
        Way::Send => Some(External::BankSend { sender, to: step.receiver.parse().ok()?, denom, amount }),
        _ => None,
    }
}

/// What happens first to a hop that left.
fn first_event(step: &Step, hop: usize, sent: Timestamp) -> Event {
    let (kind, seconds) = match step.way {
        Way::Cctp => (EventKind::Confirm, step.seconds / 4),
        _ => (EventKind::Arrive, step.seconds),
    };
    Event { kind, hop, due: sent.after(Duration::from_secs(seconds)), tx: None }
}

/// A burn on its way to its mint: seen, then attested.
fn attest(transfer: &mut Transfer, event: &Event, step: &Step) {
    let is_seen = event.kind == EventKind::Confirm;
    let (stage, kind) =
        if is_seen { (Stage::Confirming, EventKind::Attest) } else { (Stage::Attested, EventKind::Arrive) };
    if let Some(record) = transfer.hops.get_mut(event.hop) {
        record.stage = stage;
    }
    let quarters = if is_seen { step.seconds / 2 } else { step.seconds / 4 };
    let due = event.due.after(Duration::from_secs(quarters));
    transfer.next = Some(Event { kind, hop: event.hop, due, tx: None });
}

/// The packet before this hop whose answer is still out: it arrived, whatever became of the hops after it.
fn next_answer(transfer: &Transfer, before: usize, at: Timestamp) -> Option<Event> {
    let is_open = |hop: &usize| {
        let is_packet = transfer.step_of(*hop).is_some_and(|step| matches!(step.way, Way::Ibc { .. }));
        is_packet && transfer.hops.get(*hop).is_some_and(|record| record.stage == Stage::Received)
    };
    let hop = (0..before).rev().find(is_open)?;
    Some(Event { kind: EventKind::Answer, hop, due: at.after(ANSWER), tx: None })
}

/// When a packet that does not arrive is given back.
fn expiry(transfer: &Transfer, hop: usize, now: Timestamp) -> Timestamp {
    let record = transfer.hops.get(hop);
    let sent = record.and_then(|record| record.txs.first()).map_or(now, |(_, landing)| landing.at);
    let expires = record.and_then(|record| record.expires);
    expires.unwrap_or_else(|| sent.after(Duration::from_secs(u64::from(PACKET_SECONDS)))).after(AGAIN)
}

/// Who has more by the transaction of an event on a light chain.
fn gains(transfer: &Transfer, event: &Event, step: &Step) -> Option<Holding> {
    let index = transfer.hops.get(event.hop)?.step;
    match event.kind {
        EventKind::Arrive if transfer.hop_step_from(index + 1).is_none() => {
            transfer.plan.steps.last().map(Holding::after)
        }
        EventKind::Return => {
            transfer.refuge(transfer.hops.len() - 1).and_then(|(stop, holding)| (stop == event.hop).then_some(holding))
        }
        EventKind::Expire | EventKind::Refund => Some(Holding::before(step)),
        _ => None,
    }
}

/// The slot of the transaction of an event, and how far the hop is with it.
fn outcome(kind: EventKind) -> (Slot, Stage) {
    match kind {
        EventKind::Confirm => (Slot::Send, Stage::Confirming),
        EventKind::Attest => (Slot::Send, Stage::Attested),
        EventKind::Arrive => (Slot::Receive, Stage::Received),
        EventKind::Refuse => (Slot::Receive, Stage::Failed),
        EventKind::Answer => (Slot::Answer, Stage::Answered),
        EventKind::Return => (Slot::Answer, Stage::Failed),
        EventKind::Expire => (Slot::Timeout, Stage::Failed),
        EventKind::TimeOut => (Slot::Timeout, Stage::TimedOut),
        EventKind::Refund => (Slot::Refund, Stage::Failed),
    }
}

/// What the transaction of an event does, for whoever looks at the light chain.
fn words(kind: EventKind, step: &Step) -> String {
    let (from, to) = (&step.from, &step.to);
    match (kind, &step.way) {
        (EventKind::Arrive, Way::OpWithdraw { .. }) => format!("the executor claims a withdrawal from {from}"),
        (EventKind::Arrive, Way::OpDeposit { .. }) => format!("the executor brings a deposit from {from}"),
        (EventKind::Arrive, Way::Cctp) => format!("mints what was burned on {from}"),
        (EventKind::Arrive, Way::GoFast) => format!("a solver pays out an order from {from}"),
        (EventKind::Arrive, _) => format!("the relayer brings a packet from {from}"),
        (EventKind::Refuse, _) => format!("the relayer brings a packet from {from}, which is refused"),
        (EventKind::Answer, _) => format!("the relayer brings the answer of {to}"),
        (EventKind::Return, _) => format!("the relayer brings the refusal of {to}"),
        (EventKind::Expire, _) => format!("a packet to {to} was not there in time and is given back"),
        (EventKind::TimeOut, _) => format!("an order to {to} was taken by nobody"),
        (EventKind::Refund, _) => format!("an order to {to} is given back"),
        (EventKind::Confirm | EventKind::Attest, _) => format!("leaves for {to}"),
    }
}
