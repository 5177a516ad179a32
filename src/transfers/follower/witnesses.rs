//! Questions to indexers, L1 and executor, and the evidence in their answers.

use std::{sync::Arc, time::Duration};

use super::{Follower, FollowerContext, credit::Expected};
use crate::{
    domain::{AccountAt, ChainId, Coin, Timestamp, TxHash},
    story::{BegunWithdrawal, Names, WithdrawalStage},
    transfers::{
        ArrivalEvidence, IndexFindings, PacketEnd, Phase, Question, SentPacket, SoughtTxs, SourceEvidence, WitnessTxs,
        evidence_of_source, is_withdrawal, packet_end, packets_sent, usual::duration_over,
    },
    wire::{
        ApiError, Tx, Verbatim,
        opinit::SettlementAnswers,
        router::{HopSlot, Route, RouteRequest},
    },
};

/// Minimum interval between questions.
const PACE: Duration = Duration::from_secs(2);
/// Interval between questions that search many transactions.
pub(super) const SLOW_PACE: Duration = Duration::from_secs(15);
/// Maximum interval between questions, for waits of days.
const LONGEST_PACE: Duration = Duration::from_secs(600);
/// Maximum attempts without an answer. The user can then continue.
const TRIES: u32 = 60;
/// Maximum columns of a reason that a chain states.
const REASON: usize = 240;

/// Progress of the questions to one server.
#[derive(Debug, Default)]
pub(super) struct WitnessSearch {
    tries: u32,
    last: Option<Timestamp>,
    is_settled: bool,
}

impl WitnessSearch {
    /// Whether the follower has not asked yet.
    pub(super) fn is_new(&self) -> bool {
        self.tries == 0 && !self.is_settled
    }

    pub(super) fn due(&self, pace: Duration, now: Timestamp) -> Option<Timestamp> {
        let is_open = !self.is_settled && self.tries < TRIES;
        is_open.then(|| self.last.map_or(now, |last| last.after(pace).max(now)))
    }

    /// Ends the search: the answer is known.
    pub(super) fn settle(&mut self, now: Timestamp) {
        (self.is_settled, self.last) = (true, Some(now));
    }

    /// Counts an attempt and schedules the next.
    pub(super) fn ask_on(&mut self, now: Timestamp) {
        (self.tries, self.last) = (self.tries + 1, Some(now));
    }
}

/// Progress of the questions to all servers, and the evidence so far.
#[derive(Debug, Default)]
pub(super) struct Witnesses {
    source: WitnessSearch,
    pub(super) crossing: WitnessSearch,
    pub(super) arrival: WitnessSearch,
    ending: WitnessSearch,
    settlement: WitnessSearch,
    expiry: WitnessSearch,
    estimate: WitnessSearch,
    /// Duration of the router's present route for the same funds, over the same hops.
    pub(super) routed: Option<Duration>,
    pub(super) found: IndexFindings,
    /// Packets that the current transaction sent, according to its indexer.
    packets: Vec<SentPacket>,
    /// Withdrawals that the current transaction began, according to its indexer.
    pub(super) begun: Vec<BegunWithdrawal>,
}

impl Witnesses {
    /// Restarts the searches whose answer may have changed.
    pub(super) fn ask_again(&mut self) {
        let Self { source, crossing, arrival, ending, settlement, found, .. } = self;
        for search in [&mut *source, crossing, &mut *arrival, ending, &mut *settlement] {
            search.tries = 0;
        }
        (source.is_settled, settlement.is_settled) = (false, false);
        arrival.is_settled = found.evidence.arrival == Some(ArrivalEvidence::Credited);
    }

    /// Takes the source transaction. Like every `take_` function, returns whether the server answered.
    pub(super) fn take_source(&mut self, result: &Result<Arc<Tx>, ApiError>, now: Timestamp) -> bool {
        match result {
            Ok(tx) => {
                self.source.settle(now);
                self.found.evidence.source = Some(evidence_of_source(tx));
                (self.packets, self.begun) = (packets_sent(tx), BegunWithdrawal::all_of(tx));
                self.found.begun = match &self.begun[..] {
                    [begun] => Some(Coin { denom: begun.l1_denom.clone(), amount: begun.amount }),
                    _ => None,
                };
                self.found.failure = (!tx.is_success()).then(|| tx.raw_log.clipped(REASON));
                self.found.included_at = Some(tx.timestamp);
            }
            Err(error) => {
                self.source.ask_on(now);
                if !error.is_not_found() {
                    return false;
                }
                // An index may lag; that no block can include it is proven.
                if self.found.evidence.source != Some(SourceEvidence::Expired) {
                    self.found.evidence.source = Some(SourceEvidence::Absent);
                }
            }
        }
        self.found.source_at = Some(now);
        true
    }

    pub(super) fn take_return(&mut self, result: &Result<WitnessTxs, ApiError>, now: Timestamp) -> bool {
        let end = |tx: &Arc<Tx>| self.packets.iter().find_map(|packet| packet_end(tx, packet));
        let found = result.as_ref().ok().and_then(|txs| txs.all().iter().find_map(end));
        let Some(end) = found else {
            self.ending.ask_on(now);
            return result.as_ref().err().is_none_or(ApiError::is_not_found);
        };
        if let PacketEnd::Returned(returned) = end {
            (self.found.returned, self.found.source_at) = (Some(returned), Some(now));
        }
        self.ending.settle(now);
        true
    }

    /// Takes the settlement of the withdrawal; ignores an answer about another withdrawal.
    pub(super) fn take_settlement(
        &mut self,
        result: &Result<Arc<SettlementAnswers>, ApiError>,
        now: Timestamp,
    ) -> bool {
        let is_ours = |answers: &&Arc<SettlementAnswers>| matches!(&self.begun[..], [begun] if begun.is_that_of(&answers.withdrawal));
        let Some(answers) = result.as_ref().ok().filter(is_ours) else {
            self.settlement.ask_on(now);
            return false;
        };
        // Times of all findings come from the follower's clock.
        self.found.settlement = Some(Arc::new(SettlementAnswers { at: now, ..SettlementAnswers::clone(answers) }));
        // The claim may be a week away, so an answer restarts the count of attempts.
        self.settlement = WitnessSearch::default();
        if answers.is_claimed == Some(true) {
            self.settlement.settle(now);
        } else {
            self.settlement.ask_on(now);
        }
        true
    }

    /// Returns the interval between settlement questions: the rest of the challenge period, within bounds.
    fn settlement_pace(&self, now: Timestamp) -> Duration {
        let stage = self.found.settlement.as_ref().map(|answers| WithdrawalStage::of(answers));
        let left = stage.and_then(|stage| stage.claimable()).map_or(Duration::ZERO, |at| at.since(now));
        left.clamp(SLOW_PACE, LONGEST_PACE)
    }
}

impl Follower {
    pub(super) fn witness_questions(&self, cx: &FollowerContext<'_>) -> Vec<(Question, Timestamp)> {
        let is_wanted = self.is_live() || cx.is_watched || self.view.phase == Phase::EndedUnstated;
        let Some(own) = cx.own_chain.filter(|_| is_wanted) else { return Vec::new() };
        let pace = pace(cx.block_seconds);
        let mut questions = Vec::new();
        let mut push = |question: Option<Question>, due: Option<Timestamp>| questions.extend(question.zip(due));
        push(self.source_question(own), self.witnesses.source.due(pace, cx.now));
        if let Some(expected) = self.expected().filter(|expected| expected.chain_id == *own) {
            let crossing = &self.witnesses.crossing;
            let crossing_pace = if crossing.is_new() { pace } else { SLOW_PACE };
            push(self.crossing_question(&expected, cx), crossing.due(crossing_pace, cx.now));
            let arrival = self.arrival_question(&expected, cx);
            let is_search = matches!(arrival, Some(Question::Arrival(SoughtTxs::NewestOf(_))));
            push(arrival, self.witnesses.arrival.due(if is_search { SLOW_PACE } else { pace }, cx.now));
        }
        let ending = self.return_question(own);
        let is_named = matches!(ending, Some(Question::Return(SoughtTxs::One(_))));
        push(ending, self.witnesses.ending.due(if is_named { pace } else { SLOW_PACE }, cx.now));
        push(
            self.settlement_question(cx),
            self.witnesses.settlement.due(self.witnesses.settlement_pace(cx.now), cx.now),
        );
        questions
    }

    /// Returns the question whether a block can still include the current transaction, while no server has seen it.
    pub(super) fn expiry_question(&self, cx: &FollowerContext<'_>) -> Option<(Question, Timestamp)> {
        let tx = self.current_tx().filter(|_| self.is_live() && self.view.phase == Phase::NotKnown)?;
        let is_seen = matches!(self.found_source(), Some(SourceEvidence::Succeeded | SourceEvidence::Failed));
        let terms = tx.terms.clone().filter(|_| !is_seen)?;
        let due = self.witnesses.expiry.due(SLOW_PACE, cx.now)?;
        Some((Question::Expiry(tx.chain_id.clone(), terms), due))
    }

    /// Asks for the route of a transfer whose only packet the source's indexer shows, if nothing else estimates it.
    pub(super) fn estimate_question(&self, cx: &FollowerContext<'_>) -> Option<(Question, Timestamp)> {
        let [clock] = self.view.clocks.as_slice() else { return None };
        let is_open = cx.has_router && self.is_live() && self.route().is_none() && clock.estimate.is_none();
        let [SentPacket { coins: Some([left, arrived]), .. }] = &self.witnesses.packets[..] else { return None };
        let [hop] = self.view.hops.as_slice() else { return None };
        let to = hop.to.clone().filter(|_| is_open)?;
        let due = self.witnesses.estimate.due(SLOW_PACE, cx.now)?;
        let request = RouteRequest {
            amount_in: left.amount,
            source_asset_chain_id: self.current_tx()?.chain_id.clone(),
            source_asset_denom: left.denom.clone(),
            dest_asset_chain_id: to,
            dest_asset_denom: arrived.denom.clone(),
            allow_unsafe: Some(true),
            go_fast: None,
            is_op_withdraw: None,
            allow_multi_tx: None,
        };
        Some((Question::Estimate(request), due))
    }

    /// Takes the duration of a route over the transfer's hops. Only a passing failure makes the follower ask again.
    pub(super) fn take_estimate(&mut self, result: &Result<Arc<Verbatim<Route>>, ApiError>, now: Timestamp) -> bool {
        if result.as_ref().is_err_and(ApiError::is_transient) {
            self.witnesses.estimate.ask_on(now);
        } else {
            self.witnesses.estimate.settle(now);
        }
        self.witnesses.routed = result.as_ref().ok().and_then(|route| duration_over(&self.view.hops, &route.value));
        self.witnesses.routed.is_some()
    }

    fn found_source(&self) -> Option<SourceEvidence> {
        self.witnesses.found.evidence.source
    }

    /// Takes a height and the account's sequence number. Above the transaction's last height, an unchanged number
    /// proves that nothing was spent.
    pub(super) fn take_expiry(&mut self, result: &Result<AccountAt, ApiError>, now: Timestamp) -> bool {
        let terms = self.current_tx().and_then(|tx| tx.terms.clone());
        let Some((found, terms)) = result.as_ref().ok().zip(terms) else {
            self.witnesses.expiry.ask_on(now);
            return false;
        };
        let moved = Some(*found).filter(|found| found.sequence > terms.sequence);
        let has_moved = moved.is_some() && self.witnesses.found.moved_account.is_none();
        self.witnesses.found.moved_account = moved;
        if found.height <= terms.timeout_height {
            // The wait takes as long as the chain does.
            self.witnesses.expiry = WitnessSearch::default();
            self.witnesses.expiry.ask_on(now);
            return has_moved;
        }
        self.witnesses.expiry.settle(now);
        let is_seen = matches!(self.found_source(), Some(SourceEvidence::Succeeded | SourceEvidence::Failed));
        let is_unspent = found.sequence == terms.sequence && !is_seen;
        if is_unspent {
            self.witnesses.found.evidence.source = Some(SourceEvidence::Expired);
            self.witnesses.found.source_at = Some(now);
        }
        is_unspent || has_moved
    }

    /// Returns the question about the current transaction, if the indexer serves its chain.
    fn source_question(&self, own: &ChainId) -> Option<Question> {
        let tx = self.current_tx().filter(|tx| tx.chain_id == *own)?;
        tx.hash.tx_hash().map(Question::Source)
    }

    /// Returns the question about the packet's end: for the transaction that the router names, else for the sender's
    /// newest transactions.
    fn return_question(&self, own: &ChainId) -> Option<Question> {
        let sender = self.witnesses.packets.first().filter(|_| self.view.phase != Phase::Arrived)?.sender;
        let ends = |slot: &HopSlot| matches!(slot, HopSlot::AcknowledgeTx | HopSlot::TimeoutTx);
        let mut txs = self.view.hops.iter().flat_map(|hop| &hop.txs);
        let named = txs.find(|(slot, tx)| ends(slot) && tx.chain_id == *own);
        let hash = named.and_then(|(_, tx)| tx.tx_hash.parse::<TxHash>().ok());
        Some(Question::Return(hash.map_or(SoughtTxs::NewestOf(sender), SoughtTxs::One)))
    }

    /// Returns the question about the transaction's withdrawal; `None` if it began several.
    pub fn settlement_question(&self, cx: &FollowerContext<'_>) -> Option<Question> {
        let [begun] = &self.witnesses.begun[..] else { return None };
        // Asks the executor alone only if no source names the L1, so it waits for a pending list of chains.
        if cx.has_router && cx.l1s.is_awaited {
            return None;
        }
        let executor = cx.executor.filter(|_| self.view.phase != Phase::Arrived)?.to_owned();
        let l1_rest = cx.l1s.first().map(str::to_owned);
        Some(Question::Settlement { sequence: begun.sequence, executor, l1_rest })
    }

    /// Takes an answer that another part of rollscope requested. Returns whether it is about this withdrawal.
    pub fn take_settlement(&mut self, result: &Result<Arc<SettlementAnswers>, ApiError>, now: Timestamp) -> bool {
        self.version += 1;
        self.witnesses.take_settlement(result, now)
    }
}

impl Follower {
    /// Whether a server of the user's can still show the arrival: the destination's indexer, or the L1 by the claim.
    pub fn is_arrival_askable(&self, cx: &FollowerContext<'_>) -> bool {
        let Some(own) = cx.own_chain else { return false };
        let is_own = |expected: Expected| expected.chain_id == *own && expected.has_account();
        let is_answered = self.witnesses.arrival.is_settled && self.witnesses.found.evidence.arrival.is_none();
        let by_indexer = self.expected().is_some_and(is_own) && !is_answered;
        let is_withdrawal = match &self.witnesses.begun[..] {
            [] => self.withdraws(cx.names) && self.source_question(own).is_some() && !self.witnesses.source.is_settled,
            begun => begun.len() == 1,
        };
        by_indexer || cx.executor.is_some() && cx.l1s.has_trusted() && is_withdrawal
    }

    /// Notes whether a server of the user's can still show the arrival.
    pub fn know_servers(&mut self, is_arrival_askable: bool) {
        self.witnesses.found.is_arrival_askable = is_arrival_askable;
    }

    /// Whether the route's last step is a withdrawal.
    fn withdraws(&self, names: &dyn Names) -> bool {
        let route = self.route().map(Arc::as_ref);
        route.and_then(|route| route.operations.last()).is_some_and(|last| is_withdrawal(last, route, names))
    }
}

/// Returns the interval between questions: the block time, within bounds.
fn pace(block_seconds: Option<f64>) -> Duration {
    let block = block_seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0);
    PACE.max(Duration::try_from_secs_f64(block.unwrap_or_default()).unwrap_or(PACE).min(SLOW_PACE))
}
