//! Follows one transfer, without clock or IO: returns the questions that are due, takes the answers, and computes the
//! status.

mod asking;
mod credit;
mod witnesses;

pub use asking::{Poll, Registration};
pub use credit::CreditRivals;

use std::sync::Arc;

use self::{
    asking::{REVIVAL, Recall},
    witnesses::Witnesses,
};
use super::{
    Evidence, FollowerAnswer, HopPhase, IndexFindings, IndexedReturn, NextStep, OutcomeDifference, Phase, PollPriority,
    Question, RouterAnswers, RouterHealth, SourceEvidence, SubstituteEstimate, TakenAnswer, TrackReason,
    TransferStatusView, UsualDuration, analysis::status_view_knowing, contradiction::other_tx, merging::merge,
    transfer_line,
};
use crate::{
    domain::{ChainId, SourceTx, TimedText, Timestamp, Tracking, TransferRecord},
    story::{BegunWithdrawal, Names},
    wire::{
        ApiError, Tx, Verbatim,
        opinit::SettlementAnswers,
        router::{AssetRelease, Route, TrackRequest, TransferStatus},
    },
};

#[derive(Debug)]
pub struct Follower {
    pub record: TransferRecord,
    answers: RouterAnswers,
    /// Status after the last answer.
    pub view: TransferStatusView,
    pub poll: Poll,
    pub registration: Registration,
    witnesses: Witnesses,
    /// Whether the record has changed since [`take_changed`](Self::take_changed).
    is_changed: bool,
    /// Incremented when the user can see a change.
    pub version: u64,
    /// Incremented when the status changes.
    pub news: u64,
    /// Status that [`apply`](Self::apply) received last.
    noted: Option<Signature>,
    /// How long earlier transfers over the same hops took.
    pub usual: Option<UsualDuration>,
}

/// Facts that a follower needs: time, names, reachable servers and poll priority.
#[derive(Clone, Copy)]
pub struct FollowerContext<'a> {
    pub now: Timestamp,
    pub names: &'a dyn Names,
    /// Chain that the indexer serves.
    pub own_chain: Option<&'a ChainId>,
    pub has_router: bool,
    /// URL of the bridge executor for the indexer's rollup.
    pub executor: Option<&'a str>,
    pub l1s: &'a L1Addresses,
    /// Block time of the indexer's chain, in seconds.
    pub block_seconds: Option<f64>,
    pub priority: PollPriority,
    /// Whether to follow the transfer beyond its end, while indexers can add evidence.
    pub is_watched: bool,
}

/// REST URLs of the chains that host OPinit bridges.
#[derive(Clone, Debug, Default)]
pub struct L1Addresses {
    /// Whether the router's list of chains is still pending.
    pub is_awaited: bool,
    /// L1s by settings and registry.
    pub known: Vec<(ChainId, String)>,
    /// L1s that the router lists.
    pub listed: Vec<(ChainId, String)>,
}

impl L1Addresses {
    fn rest(&self, chain: &ChainId) -> Option<&str> {
        let mut all = self.known.iter().chain(&self.listed);
        all.find(|(l1, _)| l1 == chain).map(|(_, rest)| rest.as_str())
    }

    /// Returns the REST URL of the most trusted L1.
    fn first(&self) -> Option<&str> {
        self.known.first().or(self.listed.first()).map(|(_, rest)| rest.as_str())
    }

    /// Whether settings or registry name an L1's server.
    fn has_trusted(&self) -> bool {
        !self.known.is_empty()
    }
}

/// Parts of a status whose changes count. The elapsed time does not.
#[derive(Debug, PartialEq, Eq)]
struct Signature {
    phase: Phase,
    hops: Vec<(HopPhase, String, usize, Option<String>)>,
    next: NextStep,
    release: Option<AssetRelease>,
    problem: Option<String>,
    evidence: Evidence,
    returned: Option<IndexedReturn>,
    is_dated: bool,
}

/// Event worth a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Milestone {
    Ended,
    /// The user must send the transaction with this index.
    ToSend(usize),
    Claimable,
}

impl Follower {
    pub fn new(record: TransferRecord, now: Timestamp) -> Self {
        let reason = record.txs.last().map_or(TrackReason::Later, |tx| TrackReason::of(tx, now));
        Self {
            answers: RouterAnswers::of(&record),
            record,
            view: TransferStatusView::default(),
            poll: Poll::default(),
            registration: Registration::new(reason),
            witnesses: Witnesses::default(),
            is_changed: false,
            version: 0,
            news: 0,
            noted: None,
            usual: None,
        }
    }

    pub fn due(&self, cx: &FollowerContext<'_>) -> Vec<Question> {
        let questions = self.questions(cx).into_iter();
        questions.filter(|(_, at)| *at <= cx.now).map(|(question, _)| question).collect()
    }

    /// Returns the next question of each kind, and when to ask it, not before now. Includes pending questions.
    pub fn questions(&self, cx: &FollowerContext<'_>) -> Vec<(Question, Timestamp)> {
        let mut questions = self.router_questions(cx);
        questions.extend(self.witness_questions(cx));
        questions.extend(self.expiry_question(cx));
        questions.extend(self.estimate_question(cx));
        questions
    }

    /// Takes an answer. `rivals` are claims of other transfers on the same credit.
    pub fn take(&mut self, answer: FollowerAnswer, rivals: &CreditRivals, now: Timestamp) -> TakenAnswer {
        if let FollowerAnswer::Source(Ok(tx)) | FollowerAnswer::Crossing(Ok(tx)) = &answer {
            self.compare_with_simulation(tx);
        }
        let has_learnt = match answer {
            FollowerAnswer::Track(result) => return self.take_track(result, now),
            FollowerAnswer::Status(result) => {
                self.take_status(result, now);
                true
            }
            FollowerAnswer::Estimate(result) => self.take_estimate(&result, now),
            FollowerAnswer::Source(result) => self.witnesses.take_source(&result, now),
            FollowerAnswer::Crossing(result) => self.take_crossing(&result, now),
            FollowerAnswer::Arrival(result) => self.take_arrival(&result, rivals, now),
            FollowerAnswer::Return(result) => self.witnesses.take_return(&result, now),
            FollowerAnswer::Settlement(result) => self.witnesses.take_settlement(&result, now),
            FollowerAnswer::Expiry(result) => self.take_expiry(&result, now),
        };
        self.version += u64::from(has_learnt);
        if has_learnt { TakenAnswer::News } else { TakenAnswer::Nothing }
    }

    /// Compares the current transaction in its block with what a node simulated before the signature.
    fn compare_with_simulation(&mut self, tx: &Tx) {
        let current = self.current_tx().filter(|current| current.hash.tx_hash() == Some(tx.txhash));
        if let Some(simulated) = current.and_then(|current| current.simulated.as_ref()) {
            self.witnesses.found.outcome = OutcomeDifference::of(tx, simulated);
        }
    }

    /// Returns the status at `now`, from all answers so far.
    pub fn view(&self, names: &dyn Names, now: Timestamp) -> TransferStatusView {
        let routed = || self.witnesses.routed.map(SubstituteEstimate::Route);
        let substitute = self.usual.map(SubstituteEstimate::Earlier).or_else(routed);
        status_view_knowing(&self.record, &self.answers, self.findings().clone(), names, now, substitute)
    }

    /// Applies a status and records its changes. Returns whether it differs from the last status.
    pub fn apply(&mut self, view: TransferStatusView, now: Timestamp) -> bool {
        let is_up_again = view.phase != Phase::Abandoned;
        if self.poll.revived.is_some_and(|since| is_up_again || now.since(since) >= REVIVAL) {
            self.poll.revived = None;
        }
        let is_over = view.phase.is_over() && self.poll.revived.is_none();
        let signature = Signature {
            phase: view.phase.clone(),
            hops: view
                .hops
                .iter()
                .map(|hop| (hop.phase, hop.state.clone(), hop.txs.len(), hop.problem.clone()))
                .collect(),
            next: view.next.clone(),
            release: view.release.clone(),
            problem: view.problem.clone(),
            evidence: self.findings().evidence,
            returned: self.findings().returned.clone(),
            is_dated: view.as_of.is_some(),
        };
        let is_known = self.noted.as_ref() == Some(&signature);
        // The earlier session recorded the status already. The first status of a session lacks answers, so it counts as
        // no change.
        let is_resumed = self.noted.is_none() && !self.record.changes.is_empty();
        if !is_known && !is_resumed && !self.knows_nothing(&view) {
            let changes = self.record.changes.len();
            self.record.note(now, view.headline.text.clone());
            self.is_changed |= self.record.changes.len() != changes;
        }
        // The record keeps an end that indexers showed, until a new answer contradicts it.
        if self.record.is_over != is_over && !(is_resumed && self.record.is_over) {
            self.record.is_over = is_over;
            self.is_changed = true;
        }
        self.noted = Some(signature);
        self.view = view;
        self.version += 1;
        self.news += u64::from(!is_known);
        !is_known
    }

    /// Takes the applied status again, in words with names that were unknown before.
    pub fn rename(&mut self, view: TransferStatusView) {
        self.view = view;
        self.version += 1;
    }

    /// Whether no server has answered about the transfer yet.
    fn knows_nothing(&self, view: &TransferStatusView) -> bool {
        let is_unasked = *self.health() == RouterHealth::Unasked;
        view.phase == Phase::NotKnown && is_unasked && self.findings().evidence == Evidence::default()
    }

    /// Whether [`apply`](Self::apply) has received a status.
    pub fn has_view(&self) -> bool {
        self.noted.is_some()
    }

    pub fn milestone(&self) -> Option<Milestone> {
        match self.view.next {
            NextStep::SendNext(tx) => return Some(Milestone::ToSend(tx)),
            NextStep::Claim => return Some(Milestone::Claimable),
            _ => {}
        }
        let has_ended = self.view.phase.is_over() || self.view.phase.is_failure();
        (has_ended && !self.view.headline.text.is_empty()).then_some(Milestone::Ended)
    }

    /// Formats all facts as one line of JSON for scripts and the `on_end` program.
    pub fn line(&self, view: &TransferStatusView, now: Timestamp) -> String {
        transfer_line(&self.record, self.findings(), view, now)
    }

    pub fn route(&self) -> Option<&Arc<Route>> {
        self.answers.route()
    }

    pub fn findings(&self) -> &IndexFindings {
        &self.witnesses.found
    }

    /// Returns the withdrawals that the current transaction began, according to its indexer.
    pub fn begun_withdrawals(&self) -> &[BegunWithdrawal] {
        &self.witnesses.begun
    }

    /// Returns the latest answers of executor and L1 about the withdrawal.
    pub fn settlement_answers(&self) -> Option<&SettlementAnswers> {
        self.findings().settlement.as_deref()
    }

    /// Returns how the router has recently answered.
    pub fn health(&self) -> &RouterHealth {
        &self.answers.standing
    }

    /// Whether the transfer is still in progress.
    pub fn is_live(&self) -> bool {
        !self.record.is_over
    }

    /// Returns the index of the first sent transaction with an open hop, else of the last one sent.
    pub fn current(&self) -> usize {
        let last = self.record.txs.len().saturating_sub(1);
        let open = self.view.hops.iter().find(|hop| hop.phase != HopPhase::Done);
        open.map_or(last, |hop| hop.tx_index.min(last))
    }

    pub fn current_tx(&self) -> Option<&SourceTx> {
        self.record.txs.get(self.current())
    }

    fn current_tx_mut(&mut self) -> Option<&mut SourceTx> {
        let current = self.current();
        self.record.txs.get_mut(current)
    }

    /// Returns the request that makes the router track the current transaction.
    fn track_request(&self) -> Option<TrackRequest> {
        let tx = self.current_tx()?;
        Some(TrackRequest { tx_hash: tx.hash.to_string(), chain_id: tx.chain_id.clone() })
    }

    pub fn edit(&mut self, edit: impl FnOnce(&mut TransferRecord)) {
        edit(&mut self.record);
        self.answers.follow(&self.record);
        self.is_changed = true;
        self.version += 1;
    }

    /// Adds an action, of the user or a server, to the history.
    pub fn note(&mut self, text: impl Into<TimedText>, now: Timestamp) {
        self.edit(|record| record.note(now, text));
    }

    /// Marks the record for saving.
    pub fn keep(&mut self) {
        self.is_changed = true;
    }

    /// Whether the record must be saved. Resets the mark.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.is_changed)
    }

    /// Requests a status at once, for the user.
    pub fn ask_now(&mut self) {
        self.poll.is_wanted = true;
        self.witnesses.ask_again();
    }

    /// Restarts the questions to indexers, because the user opened the page.
    pub fn ask_witnesses_again(&mut self) {
        self.witnesses.ask_again();
    }

    /// Records that no router is configured, unless a router has answered.
    pub fn miss_router(&mut self) {
        if self.answers.standing == RouterHealth::Unasked {
            self.answers.standing = RouterHealth::Absent;
        }
    }

    /// Asks the router again to track the current transaction, for the user.
    pub fn track_again(&mut self, now: Timestamp) {
        self.registration = Registration::new(TrackReason::Later);
        self.poll.revived = Some(now);
        self.answers.standing = RouterHealth::default();
        if let Some(tx) = self.current_tx_mut() {
            tx.tracking = Tracking::Pending;
        }
        self.is_changed = true;
        self.version += 1;
    }

    /// Restarts the current transaction after a new broadcast, with all its questions.
    pub fn begin_again(&mut self, now: Timestamp) {
        self.record.is_over = false;
        if let Some(tx) = self.current_tx_mut() {
            (tx.at, tx.tracking, tx.status) = (now, Tracking::Pending, None);
        }
        self.ask_anew(now);
    }

    /// Merges another record of the transfer: a further transaction, or facts from another instance. Returns whether
    /// anything is new, and whether another transaction is now the current one.
    pub fn merge_record(&mut self, other: TransferRecord, now: Timestamp) -> (bool, bool) {
        let (count, before) = (self.record.txs.len(), self.record.clone());
        merge(&mut self.record, other);
        if self.record == before {
            return (false, false);
        }
        self.answers.follow(&self.record);
        self.version += 1;
        let has_more = self.record.txs.len() > count;
        if has_more {
            self.ask_anew(now);
            self.record.is_over = false;
        }
        (true, has_more)
    }

    /// Returns the transaction that left this transfer, if its chain included it after all and no other one has its
    /// place; and whether an indexer shows it.
    pub fn tx_back(&self, transfer: &TransferRecord) -> Option<(SourceTx, bool)> {
        let former = self.record.former_place.as_ref()?;
        let is_free = former.transfer == transfer.id && former.index == transfer.txs.len();
        let source = self.findings().evidence.source;
        let is_reported = matches!(
            self.view.phase,
            Phase::Moving | Phase::Failing | Phase::Finalizing | Phase::Arrived | Phase::FailedReleased
        );
        let (is_shown, is_failed) = (source == Some(SourceEvidence::Succeeded), source == Some(SourceEvidence::Failed));
        let is_back = is_free && !is_failed && (is_shown || is_reported);
        Some((self.record.txs.first().filter(|_| is_back)?.clone(), is_shown))
    }

    /// Resets registration, polls and indexer searches, so that the follower asks every question again.
    fn ask_anew(&mut self, now: Timestamp) {
        let reason = self.record.txs.last().map_or(TrackReason::Later, |tx| TrackReason::of(tx, now));
        self.registration = Registration::new(reason);
        self.poll = Poll::default();
        self.answers.standing = RouterHealth::default();
        self.witnesses = Witnesses::default();
        self.version += 1;
    }

    /// Records that the router tracks the current transaction.
    fn accept(&mut self) {
        self.registration.problem = None;
        if let Some(tx) = self.current_tx_mut().filter(|tx| tx.tracking != Tracking::Accepted) {
            tx.tracking = Tracking::Accepted;
            self.is_changed = true;
        }
        self.version += 1;
    }

    fn take_track(&mut self, result: Result<(), ApiError>, now: Timestamp) -> TakenAnswer {
        let is_recall = self.poll.recall == Recall::Due;
        if is_recall {
            self.poll.recall = Recall::Done;
        }
        let is_wanted = self.poll.revived.is_some();
        let error = match result {
            Ok(()) => {
                let current = self.current_tx();
                // Status answers from before the registration no longer count, even if they are still to come.
                let is_taken_now = current.is_some_and(|tx| tx.tracking != Tracking::Accepted);
                let outdates_status = is_taken_now && current.is_some_and(|tx| tx.status.is_none());
                if is_taken_now && matches!(self.answers.standing, RouterHealth::Unknowing(_)) {
                    self.answers.standing = RouterHealth::default();
                }
                self.accept();
                // The router can report on a tracked transaction at once.
                self.poll.is_wanted = true;
                return TakenAnswer::Tracked { outdates_status, is_wanted };
            }
            Err(error) => error,
        };
        if is_recall {
            self.registration.problem = Some(error);
            return TakenAnswer::News;
        }
        let why = error.brief();
        let is_refusal = self.answers.standing.refuse(&error, now);
        if self.registration.fail(error, now) || is_refusal {
            if let Some(tx) = self.current_tx_mut() {
                tx.tracking = Tracking::Refused;
            }
            self.poll.revived = None;
            self.note(format!("The router refused to track the transaction: {why}."), now);
        }
        self.version += 1;
        TakenAnswer::NotTracked { why, is_wanted }
    }

    fn take_status(&mut self, result: Result<Arc<Verbatim<TransferStatus>>, ApiError>, now: Timestamp) {
        self.version += 1;
        let status = match result {
            Ok(status) => status,
            Err(error) => {
                self.answers.standing.fail(&error, now);
                let is_taken =
                    self.current_tx().is_some_and(|tx| tx.tracking == Tracking::Accepted || tx.status.is_some());
                return self.poll.fail(error, is_taken, now);
            }
        };
        self.poll.answer(now);
        self.poll.recall = Recall::Unneeded;
        self.answers.standing.answer();
        let place = self.current();
        let Some(tx) = self.record.txs.get_mut(place) else { return };
        let is_of_tx = other_tx(&status.value, tx).is_none();
        match &mut tx.status {
            Some((known, at)) if **known == *status.raw.get() => *at = now,
            known => {
                let text: Arc<str> = status.raw.get().into();
                self.answers.take_status(place, Arc::clone(&text), Arc::new(status.value.clone()));
                *known = Some((text, now));
                self.is_changed = true;
            }
        }
        if is_of_tx {
            self.accept();
        }
    }
}
