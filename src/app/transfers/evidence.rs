//! The second witness: the indexer that is asked anyway, where a transfer starts or ends on its chain.

use std::{ops::RangeInclusive, sync::Arc, time::Duration};

use alloy_primitives::U256;

use super::{TransferCx, Transfers, WatchedTransfer};
use crate::{
    domain::{Address, Amount, ChainId, Denom, SourceTx, Timestamp, TransferId, TxHash, text},
    msg::{Answer, PageRequest, Request, SettlementQuestion, Slot, TxQuery, TxScope, WitnessOf},
    story::transfer::{
        ArrivalEvidence, IndexedCredit, PacketEnd, Phase, SourceEvidence, credit_of_arrival, evidence_of_arrival,
        evidence_of_source, is_bridge_arrival, packet_end, packets_sent,
    },
    story::{BegunWithdrawal, WithdrawalStage},
    wire::{ApiError, Tx, opinit::SettlementAnswers, router::HopSlot},
};

/// Between two questions at the least.
const PACE: Duration = Duration::from_secs(2);
/// The same where many transactions are looked through.
const SLOW_PACE: Duration = Duration::from_secs(15);
/// The same where days may pass.
const LONGEST_PACE: Duration = Duration::from_secs(600);
/// Questions in vain before only a person asks on.
const TRIES: u32 = 60;
/// The recipient's newest transactions that are looked through.
const LOOKED_THROUGH: u16 = 50;
/// Columns of a chain's reason at the most.
const REASON: usize = 240;

/// What one side's indexer says, and how asking it fares.
#[derive(Debug)]
pub(crate) struct EvidenceSearch<E> {
    pub(crate) evidence: Option<E>,
    /// Questions in vain.
    tries: u32,
    last: Option<Timestamp>,
    is_settled: bool,
}

impl<E> Default for EvidenceSearch<E> {
    fn default() -> Self {
        Self { evidence: None, tries: 0, last: None, is_settled: false }
    }
}

impl<E> EvidenceSearch<E> {
    /// Whether nobody was asked yet.
    pub(super) fn is_new(&self) -> bool {
        self.tries == 0 && !self.is_settled
    }

    /// Asks on, unless that can bring nothing new.
    fn again(&mut self, is_final: impl Fn(&E) -> bool) {
        (self.tries, self.is_settled) = (0, self.evidence.as_ref().is_some_and(is_final));
    }

    fn is_open(&self) -> bool {
        !self.is_settled && self.tries < TRIES
    }

    fn due(&self, pace: Duration, now: Timestamp) -> Option<Timestamp> {
        self.is_open().then(|| self.last.map_or(now, |last| last.after(pace).max(now)))
    }

    /// The transaction was there, and says this.
    pub(super) fn settle(&mut self, evidence: Option<E>, now: Timestamp) {
        (self.evidence, self.is_settled, self.last) = (evidence, true, Some(now));
    }

    /// It is asked for again; until then this is known, where anything is.
    pub(super) fn ask_on(&mut self, evidence: Option<E>, now: Timestamp) {
        self.evidence = evidence.or(self.evidence.take());
        (self.tries, self.last) = (self.tries + 1, Some(now));
    }
}

/// What is looked for on the destination.
#[derive(Clone, Debug)]
enum ArrivalQuestion {
    /// The transaction that the router calls the arrival.
    Tx(TxHash),
    /// Whatever credits this account.
    Credit(Address),
}

/// What a route is to bring, and to whom.
pub(super) struct Expected {
    pub(super) chain_id: ChainId,
    pub(super) denom: Denom,
    pub(super) recipient: String,
    at_most: Option<Amount>,
    /// Between these an amount is that of the route.
    pub(super) fitting: RangeInclusive<Amount>,
    /// All amounts of the route, of which an unconverted one must be one.
    amounts: Vec<Amount>,
}

impl Expected {
    /// Whether one credit could be either's.
    fn is_like(&self, other: &Self) -> bool {
        let overlaps = self.fitting.start() <= other.fitting.end() && other.fitting.start() <= self.fitting.end();
        let is_same_end = (&self.chain_id, &self.denom) == (&other.chain_id, &other.denom);
        let account = |text: &str| text.parse::<Address>().ok();
        overlaps && is_same_end && account(&self.recipient) == account(&other.recipient)
    }
}

impl WatchedTransfer {
    /// What indexers say is to be asked for again.
    pub(super) fn search_evidence_again(&mut self) {
        self.source.again(|_| false);
        self.crossing.again(|()| true);
        self.arrival.again(|found| *found == ArrivalEvidence::Credited);
        self.ending.again(|_| true);
        self.settlement.again(|()| false);
    }

    pub(super) fn expected(&self) -> Option<Expected> {
        let route = self.route()?;
        let recipient = self.record.addresses.last()?.clone();
        let at_most = (!route.does_swap).then_some(route.amount_in);
        let (quoted, operations) = (route.amount_out, route.operations.iter());
        // A swap brings somewhat more or less than was quoted; without one it is what was quoted.
        let fitting = if route.does_swap { share(quoted, 90)..=share(quoted, 110) } else { quoted..=quoted };
        Some(Expected {
            chain_id: route.dest_asset_chain_id.clone(),
            denom: route.dest_asset_denom.clone(),
            recipient,
            // Decimals may change on the way, so that only an amount of the same denom compares.
            at_most: at_most.filter(|_| route.operations.len() == 1 && route.amount_out <= route.amount_in),
            fitting,
            amounts: operations.flat_map(|it| [it.amount_in, it.amount_out]).flatten().collect(),
        })
    }

    /// What is to be looked for on the destination, where that is the indexer's chain.
    fn arrival_question(&self, expected: &Expected) -> Option<ArrivalQuestion> {
        let is_arrival =
            |slot: &HopSlot| !matches!(slot, HopSlot::SendTx | HopSlot::AcknowledgeTx | HopSlot::TimeoutTx);
        let txs = self.status_view.hops.iter().rev().flat_map(|hop| hop.txs.iter().rev());
        let arrival = txs.filter(|(slot, tx)| is_arrival(slot) && tx.chain_id == expected.chain_id);
        let hash = arrival.into_iter().find_map(|(_, tx)| tx.tx_hash.parse::<TxHash>().ok());
        if let Some(hash) = hash {
            return Some(ArrivalQuestion::Tx(hash));
        }
        // The index is a witness of its own: it is asked whatever the router says, unless that is the end.
        let is_open = !self.status_view.phase.is_failure() && self.status_view.phase != Phase::Arrived;
        let account = expected.recipient.parse().ok().filter(|_| is_open)?;
        Some(ArrivalQuestion::Credit(account))
    }

    /// What is to be asked of the end of what was sent: the transaction that the router names as such, else whatever the
    /// sender was part of.
    fn return_question(&self, own: &ChainId) -> Option<Request> {
        let sender = self.packets.first()?.sender;
        if self.status_view.phase == Phase::Arrived {
            return None;
        }
        let ends = |slot: &HopSlot| matches!(slot, HopSlot::AcknowledgeTx | HopSlot::TimeoutTx);
        let mut txs = self.status_view.hops.iter().flat_map(|hop| &hop.txs);
        let named = txs.find(|(slot, tx)| ends(slot) && tx.chain_id == *own);
        let hash = named.and_then(|(_, tx)| tx.tx_hash.parse::<TxHash>().ok());
        Some(hash.map_or_else(|| newest_of(sender), Request::Tx))
    }

    /// Since when something may have come in.
    fn since(&self) -> Timestamp {
        let begun = self.status_view.clocks.first().and_then(|clock| clock.begun);
        begun.map_or(self.record.created, |begun| begun.min(self.record.created)).cut_to_seconds()
    }
}

/// So many percent of an amount, rounded down.
fn share(amount: Amount, percent: u64) -> Amount {
    Amount::new(amount.get() / U256::from(100) * U256::from(percent))
}

/// The newest transactions that an account was part of.
fn newest_of(address: Address) -> Request {
    let query = TxQuery { scope: TxScope::Account { address, signer_only: false }, msgs: Vec::new() };
    Request::Txs(query, PageRequest { count_total: false, ..PageRequest::newest(LOOKED_THROUGH) })
}

impl TransferCx<'_> {
    /// Between two questions to the indexer: nothing new comes faster than blocks do.
    fn evidence_pace(&self) -> Duration {
        let block = self.block_seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0);
        PACE.max(Duration::try_from_secs_f64(block.unwrap_or_default()).unwrap_or(PACE).min(SLOW_PACE))
    }
}

impl Transfers {
    /// Asks the indexer for what it can say of transfers that start or end on its chain.
    pub(super) fn ask_indexer(&self, cx: &mut TransferCx<'_>) {
        let under_way = cx.requests.slots().filter(|slot| matches!(slot, Slot::Witness(..))).count();
        let questions = self.all.iter().flat_map(|transfer| transfer.evidence_questions(cx));
        let due = questions.filter(|(.., at)| *at <= cx.now).map(|(slot, request, _)| (slot, request));
        let due: Vec<(Slot, Request)> = due.take(AT_ONCE.saturating_sub(under_way)).collect();
        for (slot, request) in due {
            cx.ask(slot, request);
        }
    }

    pub(super) fn take_evidence(
        &mut self,
        id: &TransferId,
        side: WitnessOf,
        result: &Result<Answer, ApiError>,
        cx: &mut TransferCx<'_>,
    ) {
        let now = cx.now;
        let others = self.all.iter().filter(|other| other.record.id != *id);
        let taken: Vec<TxHash> = others.filter_map(|other| other.found.credit.as_ref()).map(|it| it.tx).collect();
        let rivals = self.rivals_of(id);
        let Some(transfer) = self.get_mut(id) else { return };
        let has_answered = match side {
            WitnessOf::Source => transfer.take_source(result, now),
            WitnessOf::Crossing => transfer.take_crossing(result, now),
            WitnessOf::Arrival => transfer.take_arrival(result, (&taken, rivals), now),
            WitnessOf::Return => transfer.take_return(result, now),
            WitnessOf::Settlement => transfer.take_settlement(result, now),
        };
        if has_answered {
            self.review(id, cx);
        }
    }
}

impl Transfers {
    /// How many other transfers wait for a credit that could as well be this one's.
    fn rivals_of(&self, id: &TransferId) -> usize {
        let Some(mine) = self.get(id).and_then(WatchedTransfer::expected) else { return 0 };
        let is_rival = |other: &&WatchedTransfer| {
            let is_open = other.found.credit.is_none()
                && !other.status_view.phase.is_failure()
                && other.status_view.phase != Phase::Arrived;
            is_open && other.record.id != *id && other.expected().is_some_and(|its| its.is_like(&mine))
        };
        self.all.iter().filter(is_rival).count()
    }
}

/// Questions under way at once.
const AT_ONCE: usize = 4;

impl WatchedTransfer {
    /// Whether an indexer may still have something to say.
    fn wants_evidence(&self) -> bool {
        !self.is_gone()
            && (self.source.is_open()
                || self.crossing.is_open()
                || self.arrival.is_open()
                || self.ending.is_open()
                || self.settlement.is_open())
    }

    /// What the indexer is to be asked next, and when; without what is under way.
    pub(super) fn evidence_questions(&self, cx: &TransferCx<'_>) -> Vec<(Slot, Request, Timestamp)> {
        let Some(own) = cx.own_chain.as_ref().filter(|_| self.wants_evidence()) else { return Vec::new() };
        let is_wanted = self.is_live() || self.is_watched || self.status_view.phase == Phase::EndedUnstated;
        if !is_wanted {
            return Vec::new();
        }
        let (mut questions, now, pace) = (Vec::new(), cx.now, cx.evidence_pace());
        let slot = |of| Slot::Witness(self.record.id.clone(), of);
        if let Some((tx, due)) = source_of(self, own).zip(self.source.due(pace, now)) {
            questions.push((slot(WitnessOf::Source), Request::Tx(tx), due));
        }
        let expected = self.expected().filter(|expected| expected.chain_id == *own);
        let crossing = expected.as_ref().and_then(|expected| self.crossing_question(expected, cx));
        let crossing_pace = if self.crossing.is_new() { pace } else { SLOW_PACE };
        if let Some((request, due)) = crossing.zip(self.crossing.due(crossing_pace, now)) {
            questions.push((slot(WitnessOf::Crossing), request, due));
        }
        let awaits_number = expected.as_ref().is_some_and(|expected| self.awaits_number(expected, cx));
        let (request, pace) = match expected.and_then(|expected| self.arrival_question(&expected)) {
            Some(ArrivalQuestion::Tx(hash)) => (Some(Request::Tx(hash)), pace),
            Some(ArrivalQuestion::Credit(_)) if awaits_number => (None, pace),
            Some(ArrivalQuestion::Credit(address)) => (Some(newest_of(address)), SLOW_PACE),
            None => (None, pace),
        };
        if let Some((request, due)) = request.zip(self.arrival.due(pace, now)) {
            questions.push((slot(WitnessOf::Arrival), request, due));
        }
        let request = self.return_question(own);
        let pace = if matches!(request, Some(Request::Tx(_))) { cx.evidence_pace() } else { SLOW_PACE };
        if let Some((request, due)) = request.zip(self.ending.due(pace, now)) {
            questions.push((slot(WitnessOf::Return), request, due));
        }
        if let Some((request, due)) =
            self.settlement_question(cx).zip(self.settlement.due(self.settlement_pace(now), now))
        {
            questions.push((slot(WitnessOf::Settlement), request, due));
        }
        questions.retain(|(slot, ..)| !cx.is_waiting(slot));
        questions
    }

    /// Takes an answer about the source transaction. Says whether the indexer gave one.
    fn take_source(&mut self, result: &Result<Answer, ApiError>, now: Timestamp) -> bool {
        match result {
            Ok(Answer::Tx(tx)) => {
                self.source.settle(Some(evidence_of_source(tx)), now);
                self.packets = packets_sent(tx);
                self.begun = BegunWithdrawal::all_of(tx);
                self.found.failure = (!tx.is_success()).then(|| text::clip(&tx.raw_log, REASON));
                (self.found.included_at, self.found.source_at) = (Some(tx.timestamp), Some(now));
            }
            Err(error) if error.is_not_found() => {
                self.source.ask_on(Some(SourceEvidence::Absent), now);
                self.found.source_at = Some(now);
            }
            _ => {
                self.source.ask_on(None, now);
                return false;
            }
        }
        self.version += 1;
        true
    }

    /// Takes an answer about the destination. Says whether the indexer gave one.
    /// A credit that could as well be one of so many rivals' is nobody's until there is one for each.
    fn take_arrival(
        &mut self,
        result: &Result<Answer, ApiError>,
        (taken, rivals): (&[TxHash], usize),
        now: Timestamp,
    ) -> bool {
        let expected = self.expected();
        let credit = |tx: &Tx| {
            let expected = expected.as_ref()?;
            credit_of_arrival(tx, &expected.recipient, &expected.denom, |amount| expected.fitting.contains(&amount))
        };
        match result {
            Ok(Answer::Tx(tx)) if !self.found.numbers.is_empty() => {
                self.take_numbered(std::slice::from_ref(tx), expected.as_ref(), now);
                if self.arrival.evidence != Some(ArrivalEvidence::Credited) {
                    self.arrival.settle(Some(ArrivalEvidence::NotCredited), now);
                }
            }
            Ok(Answer::Txs(page)) if !self.found.numbers.is_empty() => {
                self.take_numbered(&page.items, expected.as_ref(), now);
            }
            Ok(Answer::Tx(tx)) => {
                let found = expected.as_ref().and_then(|expected| {
                    evidence_of_arrival(tx, &expected.recipient, &expected.denom, expected.at_most)
                });
                self.found.credit = credit(tx);
                let is_credited = self.found.credit.is_some();
                self.arrival.settle(if is_credited { Some(ArrivalEvidence::Credited) } else { found }, now);
            }
            Ok(Answer::Txs(page)) => {
                let since = self.since();
                let is_new = |tx: &&Tx| tx.timestamp >= since && !taken.contains(&tx.txhash) && is_bridge_arrival(tx);
                let is_it = |credit: &IndexedCredit| match (&expected, &credit.hook_problem) {
                    (Some(expected), None) => expected.fitting.contains(&credit.amount),
                    (Some(expected), Some(_)) => expected.amounts.contains(&credit.amount),
                    (None, _) => false,
                };
                let later = page.items.iter().map(|tx| &**tx).filter(is_new);
                let mut credits: Vec<IndexedCredit> = later.filter_map(credit).filter(is_it).collect();
                let count = credits.len();
                self.found.rivals = Some((count, rivals + 1)).filter(|_| (1..=rivals).contains(&count));
                match credits.pop().filter(|_| self.found.rivals.is_none()) {
                    Some(oldest) => {
                        self.found.credit = Some(oldest);
                        self.arrival.settle(Some(ArrivalEvidence::Credited), now);
                    }
                    None => self.arrival.ask_on(None, now),
                }
            }
            Err(error) if error.is_not_found() => self.arrival.ask_on(Some(ArrivalEvidence::Absent), now),
            _ => {
                self.arrival.ask_on(None, now);
                return false;
            }
        }
        self.found.arrival_at = Some(now);
        self.version += 1;
        true
    }

    /// Takes an answer about the end of what was sent. Says whether the indexer gave one.
    fn take_return(&mut self, result: &Result<Answer, ApiError>, now: Timestamp) -> bool {
        let end = |tx: &Tx| self.packets.iter().find_map(|packet| packet_end(tx, packet));
        let found = match result {
            Ok(Answer::Tx(tx)) => end(tx),
            Ok(Answer::Txs(page)) => page.items.iter().find_map(|tx| end(tx)),
            Err(error) if error.is_not_found() => None,
            _ => {
                self.ending.ask_on(None, now);
                return false;
            }
        };
        let Some(end) = found else {
            self.ending.ask_on(None, now);
            return true;
        };
        if let PacketEnd::Returned(returned) = &end {
            self.found.returned = Some(returned.clone());
            self.found.source_at = Some(now);
        }
        self.ending.settle(Some(end), now);
        self.version += 1;
        true
    }
}

impl WatchedTransfer {
    /// What is to be asked of the withdrawal that its transaction began; of several nobody knows which is meant.
    pub(super) fn settlement_question(&self, cx: &TransferCx<'_>) -> Option<Request> {
        let [begun] = &self.begun[..] else { return None };
        // The executor alone is heard where nobody says where the L1 is, not where that is about to be said.
        if cx.has_router && cx.directory.awaits_chains() {
            return None;
        }
        let executor = cx.executor.clone().filter(|_| self.status_view.phase != Phase::Arrived)?;
        let l1_rest = cx.directory.settlement_rest().map(str::to_owned);
        Some(Request::Settlement(Arc::new(SettlementQuestion { sequence: begun.sequence, executor, l1_rest })))
    }

    /// Nothing changes before an output's period is over, but that somebody challenges it.
    fn settlement_pace(&self, now: Timestamp) -> Duration {
        let stage = self.found.settlement.as_ref().map(|answers| WithdrawalStage::of(answers));
        let left = stage.and_then(|stage| stage.claimable()).map_or(Duration::ZERO, |at| at.since(now));
        left.clamp(SLOW_PACE, LONGEST_PACE)
    }

    /// Takes an answer about the withdrawal. Says whether it is of use; one of another withdrawal is none.
    pub(super) fn take_settlement(&mut self, result: &Result<Answer, ApiError>, now: Timestamp) -> bool {
        let found = match result {
            Ok(Answer::Settlement(answers)) => Some(answers),
            _ => None,
        };
        let is_ours = |answers: &&Arc<SettlementAnswers>| matches!(&self.begun[..], [begun] if begun.is_that_of(&answers.withdrawal));
        let Some(answers) = found.filter(is_ours) else {
            self.settlement.ask_on(None, now);
            return false;
        };
        let is_over = WithdrawalStage::of(answers) == WithdrawalStage::Claimed;
        // By the session's clock, as all that is said here.
        self.found.settlement = Some(Arc::new(SettlementAnswers { at: now, ..SettlementAnswers::clone(answers) }));
        // A week may pass until it is claimed: each answer is good news enough to ask on.
        self.settlement.again(|()| false);
        if is_over {
            self.settlement.settle(Some(()), now);
        } else {
            self.settlement.ask_on(Some(()), now);
        }
        self.version += 1;
        true
    }
}

/// The hash of the current transaction, where it was broadcast on the indexer's chain.
fn source_of(transfer: &WatchedTransfer, own: &ChainId) -> Option<TxHash> {
    let is_own = |tx: &&SourceTx| tx.chain_id == *own;
    transfer.current_tx().filter(is_own).and_then(|tx| tx.hash.tx_hash())
}
