//! A kept transfer, and how asking about it fares in this session.

use std::{sync::Arc, time::Duration};

use super::{claiming::SentClaim, evidence::EvidenceSearch, gone::Following, merging::merge};
use crate::{
    domain::{BroadcastHash, ChainId, SourceTx, Timestamp, Tracking, TransferRecord},
    msg::TransferOutcome,
    story::BegunWithdrawal,
    story::transfer::{
        ArrivalEvidence, Attention, Evidence, HopPhase, IndexFindings, IndexedReturn, LastPoll, Names, NextStep,
        Occasion, PacketEnd, Phase, RouterAnswers, RouterStanding, SentPacket, SourceEvidence, TransferHeadline,
        TransferStatusView, next_poll, next_try, phase_word, status_view, transfer_line,
    },
    wire::{
        ApiError, RawJson, Verbatim,
        router::{Route, TransferStatus},
    },
};

/// What is unfinished since so long is watched only once somebody opens it.
const WATCHED_FOR: Duration = Duration::from_secs(24 * 3600);
/// After it is tracked again the router has so long to say something else than that it gave up.
const REVIVAL: Duration = Duration::from_secs(120);
/// Between two questions in that time.
const REVIVAL_PACE: Duration = Duration::from_secs(5);
/// Between two questions, also where a person asks.
const FASTEST: Duration = Duration::from_secs(1);

/// A kept transfer, and how asking about it fares in this session.
#[derive(Debug)]
pub(crate) struct WatchedTransfer {
    pub(crate) record: TransferRecord,
    /// What of it is decoded.
    answers: RouterAnswers,
    /// How it stands, as of the last answer.
    pub(crate) status_view: TransferStatusView,
    /// Whether it is asked for on every screen.
    pub(super) is_watched: bool,
    /// Who can be asked about it.
    pub(super) following: Following,
    /// Whether something is to be saved.
    pub(super) is_changed: bool,
    pub(crate) poll: Poll,
    /// Registration of its current transaction.
    pub(crate) registration: Registration,
    /// What indexers say of its source.
    pub(crate) source: EvidenceSearch<SourceEvidence>,
    /// What the L1 says of the transaction from which the bridge to the destination begins.
    pub(super) crossing: EvidenceSearch<()>,
    /// What they say of its arrival.
    pub(crate) arrival: EvidenceSearch<ArrivalEvidence>,
    /// What they say of the end of what it sent.
    pub(super) ending: EvidenceSearch<PacketEnd>,
    /// What their records show, apart from the verdicts.
    pub(super) found: IndexFindings,
    /// The withdrawals that its current transaction began, as its indexer shows.
    pub(super) begun: Vec<BegunWithdrawal>,
    /// What the executor and the L1 say of one.
    pub(super) settlement: EvidenceSearch<()>,
    /// The claim of it that was sent from here.
    pub(crate) claim: Option<SentClaim>,
    /// The packets that its current transaction sent, as its indexer shows.
    pub(super) packets: Vec<SentPacket>,
    /// Counts what its page shows.
    pub(crate) version: u64,
    noted: Option<Signature>,
}

/// How asking for the status fares.
#[derive(Debug, Default)]
pub(crate) struct Poll {
    /// The last answer or failure.
    pub(crate) last: Option<LastPoll>,
    /// Why the last question failed.
    pub(crate) problem: Option<ApiError>,
    /// A person wants to know now.
    pub(super) is_wanted: bool,
    /// The router was asked to take up again what it gave up, at this time.
    pub(super) revived: Option<Timestamp>,
    /// Whether the router is asked by itself to watch again what it took up and forgot.
    pub(super) recall: Recall,
}

/// Whether the router is asked by itself to watch again what it took up and forgot: once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Recall {
    #[default]
    Unneeded,
    /// It is to be asked.
    Due,
    /// It was asked, whatever came of it.
    Done,
}

#[derive(Debug)]
pub(crate) struct Registration {
    occasion: Occasion,
    /// Tries that failed.
    pub(crate) tries: u32,
    last: Option<Timestamp>,
    retry_after: Option<Duration>,
    /// Why the last try failed.
    pub(crate) problem: Option<ApiError>,
}

impl Registration {
    fn new(occasion: Occasion) -> Self {
        Self { occasion, tries: 0, last: None, retry_after: None, problem: None }
    }

    /// Tries at the most.
    pub(crate) fn most(&self) -> u32 {
        self.occasion.tries()
    }
}

/// What tells one state of knowledge from another: a headline whose clock goes on is not news.
#[derive(Debug, PartialEq, Eq)]
struct Signature {
    phase: Phase,
    hops: Vec<(HopPhase, String)>,
    next: NextStep,
    problem: Option<String>,
    evidence: Evidence,
    returned: Option<IndexedReturn>,
}

/// What a person wants to be told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Milestone {
    /// Nothing more happens by itself, or it failed.
    Ended,
    /// The next transaction is to be sent.
    ToSend(usize),
    /// The withdrawal can be claimed.
    Claimable,
}

impl WatchedTransfer {
    pub(super) fn new(record: TransferRecord, now: Timestamp) -> Self {
        let newest = record.txs.last();
        let occasion = newest.map_or(Occasion::Later, |tx| Occasion::of(tx, now));
        let is_recent = newest.is_some_and(|tx| now.since(tx.at) < WATCHED_FOR);
        let status_view = TransferStatusView {
            phase: Phase::NotKnown,
            headline: TransferHeadline::default(),
            notes: Vec::new(),
            hops: Vec::new(),
            release: None,
            problem: None,
            next: NextStep::Wait,
            expected: None,
            clocks: Vec::new(),
            as_of: None,
        };
        Self {
            is_watched: !record.is_over && is_recent,
            answers: RouterAnswers::of(&record),
            following: Following::default(),
            record,
            status_view,
            is_changed: false,
            poll: Poll::default(),
            registration: Registration::new(occasion),
            source: EvidenceSearch::default(),
            crossing: EvidenceSearch::default(),
            arrival: EvidenceSearch::default(),
            ending: EvidenceSearch::default(),
            found: IndexFindings::default(),
            packets: Vec::new(),
            begun: Vec::new(),
            settlement: EvidenceSearch::default(),
            claim: None,
            version: 0,
            noted: None,
        }
    }

    pub(crate) fn route(&self) -> Option<&Arc<Route>> {
        self.answers.route()
    }

    /// The route with its JSON.
    pub(crate) fn verbatim_route(&self) -> Option<Arc<Verbatim<Route>>> {
        let raw = RawJson::parse(self.record.route.as_deref()?.to_owned()).ok()?;
        Some(Arc::new(Verbatim { value: Route::clone(self.route()?), raw }))
    }

    /// Whether something is still awaited.
    pub(crate) fn is_live(&self) -> bool {
        !self.record.is_over && !self.is_lost()
    }

    /// The withdrawals that its current transaction began, as its indexer shows.
    pub(crate) fn begun_withdrawals(&self) -> &[BegunWithdrawal] {
        &self.begun
    }

    pub(super) fn evidence(&self) -> Evidence {
        Evidence { source: self.source.evidence, arrival: self.arrival.evidence }
    }

    /// How it stands at a time, by everything that is known.
    pub(super) fn status_view_by_answers(&self, names: &dyn Names, now: Timestamp) -> TransferStatusView {
        status_view(&self.record, &self.answers, self.findings(), names, now)
    }

    /// All that indexers have shown.
    pub(crate) fn findings(&self) -> IndexFindings {
        IndexFindings { evidence: self.evidence(), ..self.found.clone() }
    }

    /// How the router answers lately.
    pub(super) fn standing(&self) -> &RouterStanding {
        &self.answers.standing
    }

    /// No router is known here.
    pub(super) fn miss_router(&mut self) {
        if self.answers.standing == RouterStanding::Unasked {
            self.answers.standing = RouterStanding::Absent;
        }
    }

    /// The transaction that everything waits for: the first one that has not done its part, of those that were sent.
    pub(crate) fn current(&self) -> usize {
        let last = self.record.txs.len().saturating_sub(1);
        let open = self.status_view.hops.iter().find(|hop| hop.phase != HopPhase::Done);
        open.map_or(last, |hop| hop.tx_index.min(last))
    }

    pub(crate) fn current_tx(&self) -> Option<&SourceTx> {
        self.record.txs.get(self.current())
    }

    pub(super) fn current_tx_mut(&mut self) -> Option<&mut SourceTx> {
        let current = self.current();
        self.record.txs.get_mut(current)
    }

    /// When the router is to be asked next to watch the transaction.
    pub(super) fn track_at(&self, now: Timestamp) -> Option<Timestamp> {
        self.current_tx().filter(|tx| tx.tracking == Tracking::Pending)?;
        let Registration { occasion, tries, last, retry_after, .. } = self.registration;
        let is_open = self.is_live() || self.poll.revived.is_some() && !self.is_lost();
        is_open.then(|| next_try(occasion, tries, last, retry_after, now)).flatten()
    }

    /// When the status is to be asked for next.
    pub(crate) fn poll_at(&self, attention: Attention, now: Timestamp) -> Option<Timestamp> {
        if self.is_lost() {
            return None;
        }
        let clock = self.status_view.clocks.get(self.current());
        let begun = clock.and_then(|clock| clock.begun).or(self.current_tx().map(|tx| tx.at));
        let begun = begun.unwrap_or(self.record.created);
        let last = self.poll.last;
        let soon = |pace: Duration| {
            last.map_or(now, |last| last.at.after(pace.max(last.retry_after.unwrap_or_default())).max(now))
        };
        if self.poll.is_wanted {
            return Some(soon(FASTEST));
        }
        if self.poll.revived.is_some() {
            return Some(soon(REVIVAL_PACE));
        }
        if self.record.is_over {
            return None;
        }
        next_poll(&self.status_view, begun, last, attention, now, self.jitter())
    }

    /// A number that differs from transfer to transfer: tries of many must not meet.
    fn jitter(&self) -> u8 {
        self.record.id.hash.as_str().bytes().fold(0, |sum: u8, byte| sum.wrapping_mul(31).wrapping_add(byte))
    }

    /// The router watches the current transaction.
    pub(super) fn accept(&mut self) {
        self.registration.problem = None;
        if let Some(tx) = self.current_tx_mut().filter(|tx| tx.tracking != Tracking::Accepted) {
            tx.tracking = Tracking::Accepted;
            self.is_changed = true;
        }
        self.version += 1;
    }

    /// The router takes the current transaction up for the first time: that it did not know it before is over. Says
    /// whether no status has come yet, so that one that was asked for before is of no use.
    pub(super) fn take_up(&mut self) -> bool {
        if matches!(self.answers.standing, RouterStanding::Unknowing(_)) {
            self.answers.standing = RouterStanding::default();
        }
        self.current_tx().is_some_and(|tx| tx.status.is_none())
    }

    /// A try to register failed; after the last one only a person asks again. Gives whether that was the last one.
    pub(super) fn refuse(&mut self, error: ApiError, now: Timestamp) -> bool {
        let registration = &mut self.registration;
        registration.tries += 1;
        registration.last = Some(now);
        registration.retry_after = retry_after(&error);
        let is_refusal = self.answers.standing.refuse(&error, now);
        registration.problem = Some(error);
        let is_last = is_refusal || registration.tries >= registration.occasion.tries();
        if is_last && let Some(tx) = self.current_tx_mut() {
            tx.tracking = Tracking::Refused;
            self.is_changed = true;
        }
        self.version += 1;
        is_last
    }

    /// All that was asked of it in this session is asked anew.
    pub(super) fn ask_anew(&mut self, occasion: Occasion) {
        self.registration = Registration::new(occasion);
        self.poll = Poll::default();
        self.answers.standing = RouterStanding::default();
        (self.source, self.arrival) = (EvidenceSearch::default(), EvidenceSearch::default());
        self.crossing = EvidenceSearch::default();
        (self.ending, self.found, self.packets) = (EvidenceSearch::default(), IndexFindings::default(), Vec::new());
        self.version += 1;
    }

    /// The router is asked again to watch the current transaction, as a person wants.
    pub(super) fn track_again(&mut self, now: Timestamp) {
        self.registration = Registration::new(Occasion::Later);
        self.poll.revived = Some(now);
        self.answers.standing = RouterStanding::default();
        if let Some(tx) = self.current_tx_mut() {
            tx.tracking = Tracking::Pending;
        }
        self.is_changed = true;
        self.version += 1;
    }

    /// A person wants to know now how it stands.
    pub(super) fn ask_now(&mut self) {
        self.poll.is_wanted = true;
        self.search_evidence_again();
    }

    pub(super) fn take_status(&mut self, status: Verbatim<TransferStatus>, now: Timestamp) {
        self.answered(now);
        self.answers.standing.answer();
        self.poll.recall = Recall::Unneeded;
        let place = self.current();
        let Some(tx) = self.record.txs.get_mut(place) else { return };
        match &mut tx.status {
            Some((known, at)) if **known == *status.raw.get() => *at = now,
            known => {
                let text: Arc<str> = status.raw.get().into();
                self.answers.take_status(place, Arc::clone(&text), Arc::new(status.value));
                *known = Some((text, now));
                self.is_changed = true;
            }
        }
        self.accept();
    }

    /// The router answered that it does not know the transaction. What it once took up it is asked to watch again, once.
    pub(super) fn miss(&mut self, error: &ApiError, now: Timestamp) {
        self.answered(now);
        self.answers.standing.fail(error, now);
        let is_taken = self.current_tx().is_some_and(|tx| tx.tracking == Tracking::Accepted || tx.status.is_some());
        if is_taken && self.poll.recall == Recall::Unneeded {
            self.poll.recall = Recall::Due;
        }
    }

    /// The router answered.
    fn answered(&mut self, now: Timestamp) {
        self.poll.last = Some(LastPoll { at: now, failures: 0, retry_after: None });
        (self.poll.problem, self.poll.is_wanted) = (None, false);
        self.version += 1;
    }

    pub(super) fn fail_poll(&mut self, error: ApiError, now: Timestamp) {
        let failures = self.poll.last.map_or(0, |last| last.failures).saturating_add(1);
        self.answers.standing.fail(&error, now);
        self.poll.last = Some(LastPoll { at: now, failures, retry_after: retry_after(&error) });
        (self.poll.problem, self.poll.is_wanted) = (Some(error), false);
        self.version += 1;
    }

    /// Takes over how it stands; notes in the record what is new. Says whether anything is.
    pub(super) fn apply(&mut self, status_view: TransferStatusView, now: Timestamp) -> bool {
        let is_revived = |phase: &Phase| *phase != Phase::Abandoned;
        if self.poll.revived.is_some_and(|since| is_revived(&status_view.phase) || now.since(since) >= REVIVAL) {
            self.poll.revived = None;
        }
        let is_over = status_view.phase.is_over() && self.poll.revived.is_none();
        let signature = Signature {
            phase: status_view.phase.clone(),
            hops: status_view.hops.iter().map(|hop| (hop.phase, hop.state.clone())).collect(),
            next: status_view.next.clone(),
            problem: status_view.problem.clone(),
            evidence: self.evidence(),
            returned: self.found.returned.clone(),
        };
        let is_known = self.noted.as_ref() == Some(&signature);
        // What an earlier session noted is not noted again only because nobody has asked yet.
        let is_resumed = self.noted.is_none() && !self.record.changes.is_empty();
        // Before anybody was asked nothing is learnt.
        let is_nothing = signature.phase == Phase::NotKnown
            && matches!(self.standing(), RouterStanding::Unasked)
            && self.evidence() == Evidence::default();
        if !is_known && !is_resumed && !is_nothing {
            let changes = self.record.changes.len();
            self.record.note(now, &status_view.headline.text);
            self.is_changed |= self.record.changes.len() != changes;
        }
        // An end that indexers have shown is not forgotten before they are asked again.
        if self.record.is_over != is_over && !(is_resumed && self.record.is_over) {
            self.record.is_over = is_over;
            self.is_changed = true;
        }
        self.noted = Some(signature);
        self.status_view = status_view;
        self.version += 1;
        !is_known
    }

    /// A transaction is none of it any more: its chain never took it.
    pub(super) fn drop_tx(&mut self, chain: &ChainId, hash: &BroadcastHash) {
        if self.record.txs.len() > 1 {
            self.record.txs.retain(|tx| tx.chain_id != *chain || tx.hash != *hash);
            self.answers.follow(&self.record);
            self.version += 1;
        }
    }

    /// Notes what a person did.
    pub(super) fn note(&mut self, text: &str, now: Timestamp) {
        self.record.note(now, text);
        self.is_changed = true;
        self.version += 1;
    }

    /// What a person wants to be told of.
    pub(super) fn milestone(&self) -> Option<Milestone> {
        match self.status_view.next {
            NextStep::SendNext(tx) => return Some(Milestone::ToSend(tx)),
            NextStep::Claim => return Some(Milestone::Claimable),
            _ => {}
        }
        let has_ended = self.status_view.phase.is_over() || self.status_view.phase.is_failure();
        (has_ended && !self.status_view.headline.text.is_empty()).then_some(Milestone::Ended)
    }

    /// How it ended, with all that is known of it.
    pub(super) fn outcome(&self, now: Timestamp) -> TransferOutcome {
        let facts = transfer_line(&self.record, &self.findings(), &self.status_view, now);
        TransferOutcome { id: self.record.id.clone(), outcome: phase_word(&self.status_view.phase), facts }
    }

    /// Whether something was made known of this transfer already.
    pub(super) fn has_status(&self) -> bool {
        self.noted.is_some()
    }

    /// Takes over what another record of the same transfer has: a further transaction, or what another instance learnt.
    /// Says whether another transaction is current now.
    pub(super) fn absorb(&mut self, other: TransferRecord, now: Timestamp) -> bool {
        let count = self.record.txs.len();
        let before = self.record.clone();
        merge(&mut self.record, other);
        if self.record == before {
            return false;
        }
        self.answers.follow(&self.record);
        self.version += 1;
        let has_more = self.record.txs.len() > count;
        if has_more {
            let occasion = self.record.txs.last().map_or(Occasion::Later, |tx| Occasion::of(tx, now));
            self.ask_anew(occasion);
            self.record.is_over = false;
        }
        has_more
    }
}

/// How long a server wants to be left alone.
fn retry_after(error: &ApiError) -> Option<Duration> {
    match error.kind {
        crate::wire::ErrorKind::RateLimited(wait) => wait,
        _ => None,
    }
}
