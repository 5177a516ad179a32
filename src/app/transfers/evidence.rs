//! The second witness: the indexer that is asked anyway, where a transfer starts or ends on its chain.

use std::time::Duration;

use super::{TransferCx, Transfers, WatchedTransfer};
use crate::{
    domain::{Address, Amount, ChainId, Denom, SourceTx, Timestamp, TransferId, TxHash},
    msg::{Answer, PageRequest, Request, Slot, TxQuery, TxScope, WitnessOf},
    story::transfer::{ArrivalEvidence, Phase, SourceEvidence, evidence_of_arrival, evidence_of_source},
    wire::{ApiError, Tx, router::HopSlot},
};

/// Between two questions at the least.
const PACE: Duration = Duration::from_secs(2);
/// The same where many transactions are looked through.
const SLOW_PACE: Duration = Duration::from_secs(15);
/// Questions in vain before only a person asks on.
const TRIES: u32 = 60;
/// The recipient's newest transactions that are looked through.
const LOOKED_THROUGH: u16 = 50;

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
    fn settle(&mut self, evidence: Option<E>, now: Timestamp) {
        (self.evidence, self.is_settled, self.last) = (evidence, true, Some(now));
    }

    /// It is asked for again; until then this is known, where anything is.
    fn ask_on(&mut self, evidence: Option<E>, now: Timestamp) {
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

struct Expected {
    chain_id: ChainId,
    denom: Denom,
    recipient: String,
    at_most: Option<Amount>,
}

impl WatchedTransfer {
    /// What indexers say is to be asked for again.
    pub(super) fn search_evidence_again(&mut self) {
        self.source.again(|_| false);
        self.arrival.again(|found| *found == ArrivalEvidence::Credited);
    }

    fn expected(&self) -> Option<Expected> {
        let route = self.route()?;
        let recipient = self.record.addresses.last()?.clone();
        let at_most = (!route.does_swap).then_some(route.amount_in);
        Some(Expected {
            chain_id: route.dest_asset_chain_id.clone(),
            denom: route.dest_asset_denom.clone(),
            recipient,
            // Decimals may change on the way, so that only an amount of the same denom compares.
            at_most: at_most.filter(|_| route.operations.len() == 1 && route.amount_out <= route.amount_in),
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
        let is_silent = matches!(self.status_view.phase, Phase::Abandoned | Phase::NotKnown | Phase::EndedUnstated);
        let account = expected.recipient.parse().ok().filter(|_| is_silent)?;
        Some(ArrivalQuestion::Credit(account))
    }
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
        let Some(transfer) = self.get_mut(id) else { return };
        let has_answered = match side {
            WitnessOf::Source => transfer.take_source(result, now),
            WitnessOf::Arrival => transfer.take_arrival(result, now),
        };
        if has_answered {
            self.review(id, cx);
        }
    }
}

/// Questions under way at once.
const AT_ONCE: usize = 4;

impl WatchedTransfer {
    /// Whether an indexer may still have something to say.
    fn wants_evidence(&self) -> bool {
        !self.is_gone() && (self.source.is_open() || self.arrival.is_open())
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
        let (request, pace) = match expected.and_then(|expected| self.arrival_question(&expected)) {
            Some(ArrivalQuestion::Tx(hash)) => (Some(Request::Tx(hash)), pace),
            Some(ArrivalQuestion::Credit(address)) => {
                let query = TxQuery { scope: TxScope::Account { address, signer_only: false }, msgs: Vec::new() };
                let newest = PageRequest { count_total: false, ..PageRequest::newest(LOOKED_THROUGH) };
                (Some(Request::Txs(query, newest)), SLOW_PACE)
            }
            None => (None, pace),
        };
        if let Some((request, due)) = request.zip(self.arrival.due(pace, now)) {
            questions.push((slot(WitnessOf::Arrival), request, due));
        }
        questions.retain(|(slot, ..)| !cx.is_waiting(slot));
        questions
    }

    /// Takes an answer about the source transaction. Says whether the indexer gave one.
    fn take_source(&mut self, result: &Result<Answer, ApiError>, now: Timestamp) -> bool {
        match result {
            Ok(Answer::Tx(tx)) => self.source.settle(Some(evidence_of_source(tx)), now),
            Err(error) if error.is_not_found() => self.source.ask_on(Some(SourceEvidence::Absent), now),
            _ => {
                self.source.ask_on(None, now);
                return false;
            }
        }
        true
    }

    /// Takes an answer about the destination. Says whether the indexer gave one.
    fn take_arrival(&mut self, result: &Result<Answer, ApiError>, now: Timestamp) -> bool {
        let expected = self.expected();
        let found = |tx: &Tx| {
            let expected = expected.as_ref()?;
            evidence_of_arrival(tx, &expected.recipient, &expected.denom, expected.at_most)
        };
        match result {
            Ok(Answer::Tx(tx)) => self.arrival.settle(found(tx), now),
            Ok(Answer::Txs(page)) => {
                let since = self.record.created.cut_to_seconds();
                let mut later = page.items.iter().filter(|tx| tx.timestamp >= since);
                if later.any(|tx| found(tx) == Some(ArrivalEvidence::Credited)) {
                    self.arrival.settle(Some(ArrivalEvidence::Credited), now);
                } else {
                    self.arrival.ask_on(None, now);
                }
            }
            Err(error) if error.is_not_found() => self.arrival.ask_on(Some(ArrivalEvidence::Absent), now),
            _ => {
                self.arrival.ask_on(None, now);
                return false;
            }
        }
        true
    }
}

/// The hash of the current transaction, where it was broadcast on the indexer's chain.
fn source_of(transfer: &WatchedTransfer, own: &ChainId) -> Option<TxHash> {
    let is_own = |tx: &&SourceTx| tx.chain_id == *own;
    transfer.current_tx().filter(is_own).and_then(|tx| tx.hash.tx_hash())
}
