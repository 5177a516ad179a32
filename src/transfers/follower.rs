//! Follows one transfer, without a clock and without IO: says what is due to be asked, takes the answers, and says how
//! the transfer stands.

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
    Evidence, FollowerAnswer, HopPhase, IndexFindings, IndexedReturn, NextStep, Phase, PollPriority, Question,
    RouterAnswers, RouterHealth, TakenAnswer, TrackReason, TransferStatusView, merging::merge, status_view,
    transfer_line,
};
use crate::{
    domain::{ChainId, SourceTx, TimedText, Timestamp, Tracking, TransferRecord},
    story::{BegunWithdrawal, Names},
    wire::{
        ApiError, Verbatim,
        opinit::SettlementAnswers,
        router::{AssetRelease, Route, TrackRequest, TransferStatus},
    },
};

/// One transfer that is followed.
#[derive(Debug)]
pub struct Follower {
    pub record: TransferRecord,
    /// What of the record is decoded.
    answers: RouterAnswers,
    /// How it stands, as of the last answer.
    pub view: TransferStatusView,
    pub poll: Poll,
    /// Registration of its current transaction.
    pub registration: Registration,
    witnesses: Witnesses,
    /// Whether the record has changed since [`take_changed`](Self::take_changed).
    is_changed: bool,
    /// Counts the changes of everything that is shown.
    pub version: u64,
    /// Counts what was learnt of it.
    pub news: u64,
    /// What was last applied.
    noted: Option<Signature>,
}

/// Whom a follower's questions can reach, and who waits for the answers.
#[derive(Clone, Copy)]
pub struct FollowerContext<'a> {
    pub now: Timestamp,
    pub names: &'a dyn Names,
    /// Chain of the indexer.
    pub own_chain: Option<&'a ChainId>,
    pub has_router: bool,
    /// API of the executor of the indexer's rollup.
    pub executor: Option<&'a str>,
    pub l1s: &'a L1Addresses,
    /// Seconds between two blocks of the indexer's chain.
    pub block_seconds: Option<f64>,
    pub priority: PollPriority,
    /// Whether it is followed beyond its end, as far as witnesses can add to that.
    pub is_watched: bool,
}

/// Where the REST of chains is that host optimistic bridges.
#[derive(Clone, Debug, Default)]
pub struct L1Addresses {
    /// Whether the router is about to list them.
    pub is_awaited: bool,
    /// As the router lists them.
    pub listed: Vec<(ChainId, String)>,
    /// The L1 of a network that is known by name.
    pub known: Option<(ChainId, String)>,
}

impl L1Addresses {
    fn rest(&self, chain: &ChainId) -> Option<&str> {
        let mut all = self.listed.iter().chain(&self.known);
        all.find(|(l1, _)| l1 == chain).map(|(_, rest)| rest.as_str())
    }
}

/// What tells one state of knowledge from another: a clock that goes on is no news.
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

/// What a person wants to be told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Milestone {
    /// Nothing more happens by itself, or it failed.
    Ended,
    /// The next transaction is to be sent.
    ToSend(usize),
    /// The withdrawal can be claimed.
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
        }
    }

    /// The questions that are due.
    pub fn due(&self, cx: &FollowerContext<'_>) -> Vec<Question> {
        let questions = self.questions(cx).into_iter();
        questions.filter(|(_, at)| *at <= cx.now).map(|(question, _)| question).collect()
    }

    /// The next question of each kind, with its time, not before now; those that are under way are among them.
    pub fn questions(&self, cx: &FollowerContext<'_>) -> Vec<(Question, Timestamp)> {
        let mut questions = self.router_questions(cx);
        questions.extend(self.witness_questions(cx));
        questions
    }

    /// Takes an answer; `rivals` are the other transfers that are followed beside this one.
    pub fn take(&mut self, answer: FollowerAnswer, rivals: &CreditRivals, now: Timestamp) -> TakenAnswer {
        let has_learnt = match answer {
            FollowerAnswer::Track(result) => return self.take_track(result, now),
            FollowerAnswer::Status(result) => {
                self.take_status(result, now);
                true
            }
            FollowerAnswer::Source(result) => self.witnesses.take_source(&result, now),
            FollowerAnswer::Crossing(result) => self.take_crossing(&result, now),
            FollowerAnswer::Arrival(result) => self.take_arrival(&result, rivals, now),
            FollowerAnswer::Return(result) => self.witnesses.take_return(&result, now),
            FollowerAnswer::Settlement(result) => self.witnesses.take_settlement(&result, now),
        };
        self.version += u64::from(has_learnt);
        if has_learnt { TakenAnswer::News } else { TakenAnswer::Nothing }
    }

    /// How it stands at a time, by everything that is known.
    pub fn view(&self, names: &dyn Names, now: Timestamp) -> TransferStatusView {
        status_view(&self.record, &self.answers, self.findings().clone(), names, now)
    }

    /// Takes over how it stands, and notes in the record what is new. Says whether anything is.
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
        // What an earlier session noted is not noted again only because nobody has asked yet.
        let is_resumed = self.noted.is_none() && !self.record.changes.is_empty();
        if !is_known && !is_resumed && !self.knows_nothing(&view) {
            let changes = self.record.changes.len();
            self.record.note(now, view.headline.text.clone());
            self.is_changed |= self.record.changes.len() != changes;
        }
        // An end that indexers have shown is not forgotten before they are asked again.
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

    /// Whether nobody was asked yet, so that nothing was learnt.
    fn knows_nothing(&self, view: &TransferStatusView) -> bool {
        let is_unasked = *self.health() == RouterHealth::Unasked;
        view.phase == Phase::NotKnown && is_unasked && self.findings().evidence == Evidence::default()
    }

    /// Whether it was applied before.
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

    /// All that is known as one line of JSON, for scripts and the program of `on_end`.
    pub fn line(&self, view: &TransferStatusView, now: Timestamp) -> String {
        transfer_line(&self.record, self.findings(), view, now)
    }

    pub fn route(&self) -> Option<&Arc<Route>> {
        self.answers.route()
    }

    /// All that indexers have shown.
    pub fn findings(&self) -> &IndexFindings {
        &self.witnesses.found
    }

    /// The withdrawals that its current transaction began, as its indexer shows.
    pub fn begun_withdrawals(&self) -> &[BegunWithdrawal] {
        &self.witnesses.begun
    }

    /// What the executor and the L1 said last of what it withdrew.
    pub fn settlement_answers(&self) -> Option<&SettlementAnswers> {
        self.findings().settlement.as_deref()
    }

    /// How the router answers lately.
    pub fn health(&self) -> &RouterHealth {
        &self.answers.standing
    }

    /// Whether something is still awaited.
    pub fn is_live(&self) -> bool {
        !self.record.is_over
    }

    /// The transaction that everything waits for: the first one that has not done its part, of those that were sent.
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

    /// How the router names the current transaction.
    fn track_request(&self) -> Option<TrackRequest> {
        let tx = self.current_tx()?;
        Some(TrackRequest { tx_hash: tx.hash.to_string(), chain_id: tx.chain_id.clone() })
    }

    /// Changes the record, which is to be saved then.
    pub fn edit(&mut self, edit: impl FnOnce(&mut TransferRecord)) {
        edit(&mut self.record);
        self.answers.follow(&self.record);
        self.is_changed = true;
        self.version += 1;
    }

    /// Notes in the history what a person or a server did.
    pub fn note(&mut self, text: impl Into<TimedText>, now: Timestamp) {
        self.edit(|record| record.note(now, text));
    }

    /// The record is to be saved.
    pub fn keep(&mut self) {
        self.is_changed = true;
    }

    /// Whether the record is to be saved; it counts as saved then.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.is_changed)
    }

    /// A person wants to know now how it stands.
    pub fn ask_now(&mut self) {
        self.poll.is_wanted = true;
        self.witnesses.ask_again();
    }

    /// Its page was opened: witnesses are asked again.
    pub fn ask_witnesses_again(&mut self) {
        self.witnesses.ask_again();
    }

    /// No router is known here.
    pub fn miss_router(&mut self) {
        if self.answers.standing == RouterHealth::Unasked {
            self.answers.standing = RouterHealth::Absent;
        }
    }

    /// The router is asked again to watch the current transaction, as a person wants.
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

    /// Its transaction was broadcast again, as far as anybody knows: everything is asked anew.
    pub fn begin_again(&mut self, now: Timestamp) {
        self.record.is_over = false;
        if let Some(tx) = self.current_tx_mut() {
            (tx.at, tx.tracking, tx.status) = (now, Tracking::Pending, None);
        }
        self.ask_anew(now);
    }

    /// Takes over what another record of the same transfer has: a further transaction, or what another instance learnt.
    /// Says whether anything is new, and whether another transaction is current now.
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

    /// Forgets how asking went: all that was asked is asked anew.
    fn ask_anew(&mut self, now: Timestamp) {
        let reason = self.record.txs.last().map_or(TrackReason::Later, |tx| TrackReason::of(tx, now));
        self.registration = Registration::new(reason);
        self.poll = Poll::default();
        self.answers.standing = RouterHealth::default();
        self.witnesses = Witnesses::default();
        self.version += 1;
    }

    /// The router watches the current transaction.
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
                // What it answered before it took the transaction up, or still will, says nothing any more.
                let is_taken_now = current.is_some_and(|tx| tx.tracking != Tracking::Accepted);
                let outdates_status = is_taken_now && current.is_some_and(|tx| tx.status.is_none());
                if is_taken_now && matches!(self.answers.standing, RouterHealth::Unknowing(_)) {
                    self.answers.standing = RouterHealth::default();
                }
                self.accept();
                // What it watches from now on it can tell at once.
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
            self.note(format!("The router does not take it up to watch: {why}."), now);
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
        match &mut tx.status {
            Some((known, at)) if **known == *status.raw.get() => *at = now,
            known => {
                let text: Arc<str> = status.raw.get().into();
                self.answers.take_status(place, Arc::clone(&text), Arc::new(status.value.clone()));
                *known = Some((text, now));
                self.is_changed = true;
            }
        }
        self.accept();
    }
}
