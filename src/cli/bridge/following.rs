//! Driver of followers for commands: sends their questions to router, indexer, executor and L1, and returns the
//! answers.

use std::{
    cell::{Cell, Ref, RefCell, RefMut},
    path::Path,
    pin::Pin,
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use futures_util::{StreamExt as _, stream::FuturesUnordered};
use tokio::sync::{Mutex, Semaphore};

use super::{
    super::{CommandError, arguments::TxArguments, clock::CommandClock},
    Router, files,
    router_names::RouterNames,
};
use crate::{
    app::{Authority, OwnNetwork},
    client::{IndexerClient, RouterClient, endpoints},
    domain::{ChainId, SourceTx, Timestamp, Tracking, TransferId, TransferRecord, TxHash},
    msg::{L1Question, PageRequest, SettlementQuestion, TxQuery, TxScope},
    store::{Store, StoreScope},
    transfers::{
        CreditRivals, Follower, FollowerAnswer, FollowerContext, L1Addresses, Phase, PollPriority, Question,
        QuestionKind, Registration, RouterHealth, SoughtTxs, SourceEvidence, TakenAnswer, TransferStatusView,
        WitnessTxs,
    },
    wire::{ApiError, ErrorKind, Tx, router::Route},
    worker,
};

/// Time limit for an indexer's response, and for further responses of a round.
const PATIENCE: Duration = Duration::from_secs(3);
/// Maximum concurrent requests to the router for several transfers.
const AT_ONCE: usize = 4;
/// Maximum attempts to request the indexer's chain id.
const TRIES: u32 = 30;

/// Transfer that a command follows; not stored.
pub(super) struct FollowedTransfer {
    pub(super) follower: Follower,
    pub(super) names: Rc<RouterNames>,
    named: Vec<ChainId>,
    /// Received statuses with their times, without consecutive duplicates.
    pub(super) statuses: Vec<(Arc<str>, Timestamp)>,
}

impl FollowedTransfer {
    /// Creates the transfer from the arguments and its record in the state file.
    pub(super) fn new(tx: &TxArguments, route: Option<&Path>, router: &Router) -> Result<Self, CommandError> {
        let now = Timestamp::now();
        let named = TransferRecord::of_hash(tx.chain.clone(), &tx.hash, now);
        let mut record = kept(&named.id, router).unwrap_or(named);
        if let Some(path) = route {
            record.route = Some(files::answer::<Route>(path, "route")?.raw.get().into());
        }
        let mut followed = Self::of(record, now);
        followed.follower.registration = Registration::of_broadcast(tx.tries);
        Ok(followed)
    }

    pub(super) fn of(record: TransferRecord, now: Timestamp) -> Self {
        Self { follower: Follower::new(record, now), names: Rc::default(), named: Vec::new(), statuses: Vec::new() }
    }

    pub(super) fn id(&self) -> &TransferId {
        &self.follower.record.id
    }

    /// Whether an indexer has the source transaction.
    pub(super) fn is_indexed(&self) -> bool {
        let source = self.follower.findings().evidence.source;
        matches!(source, Some(SourceEvidence::Succeeded | SourceEvidence::Failed))
    }

    /// Whether a source other than the router has evidence of the transfer.
    pub(super) fn is_known(&self) -> bool {
        let found = self.follower.findings();
        let is_by_node = found.evidence.source == Some(SourceEvidence::Expired) || found.moved_account.is_some();
        self.is_indexed() || is_by_node || found.credit.is_some()
    }

    /// Whether the status contains more than a pending registration.
    pub(super) fn is_informed(&self) -> bool {
        let is_pending = self.follower.current_tx().is_some_and(|tx| tx.tracking == Tracking::Pending);
        let is_reported = !is_pending && *self.follower.health() != RouterHealth::Unasked;
        self.is_indexed() || is_reported || self.follower.view.phase != Phase::NotKnown
    }

    /// Computes the current status, and stores it in the transfer.
    pub(super) fn review(&mut self, now: Timestamp) -> TransferStatusView {
        let view = self.follower.view(&*self.names, now);
        self.follower.apply(view, now);
        self.follower.view.clone()
    }

    fn chains(&self) -> Vec<ChainId> {
        let view = &self.follower.view;
        let hops = view.hops.iter().flat_map(|hop| [hop.from.clone(), hop.to.clone()]).flatten();
        let release = view.release.iter().map(|release| release.chain_id.clone());
        hops.chain(release).chain([self.id().chain_id.clone()]).collect()
    }
}

/// Returns the stored record without the router's last status, which the command requests again; `None` if the transfer
/// is not stored.
fn kept(id: &TransferId, router: &Router) -> Option<TransferRecord> {
    let place = router.records.as_ref().filter(|place| place.file.exists())?;
    let store = Store::open(&place.file).ok()?;
    let all = store.transfers(&StoreScope::new(&place.network)).ok()?;
    let mut record = all.into_iter().find(|record| record.id == *id && record.gone_chain.is_none())?;
    let unasked = |tx: SourceTx| SourceTx { tracking: Tracking::Pending, status: None, ..tx };
    if let Some(last) = record.txs.pop() {
        record.txs.push(unasked(last));
    }
    Some(TransferRecord { changes: Vec::new(), is_over: false, ..record })
}

/// Transfers that one command follows, and the servers that it queries.
pub(super) struct FollowGroup<'a> {
    pub(super) router: &'a Router,
    client: &'a RouterClient,
    transfers: Vec<RefCell<FollowedTransfer>>,
    indexer: Option<IndexerClient>,
    executor: Option<String>,
    /// Whether the user's own server simulates chains.
    is_simulated: bool,
    own_chain: RefCell<Option<ChainId>>,
    chain_tries: Cell<u32>,
    /// Permits for requests to the router; `None` for a single transfer.
    turns: Option<Semaphore>,
    names: Mutex<Vec<(Vec<ChainId>, Rc<RouterNames>)>>,
    pub(super) clock: Rc<CommandClock>,
}

impl<'a> FollowGroup<'a> {
    /// Creates the group. Detects a demo router, its indexer and executor only if `wants_demo`.
    pub(super) async fn open(
        router: &'a Router,
        transfers: Vec<FollowedTransfer>,
        wants_demo: bool,
    ) -> Result<Self, CommandError> {
        let demo = if wants_demo || router.indexer.is_some() { router.demo().await } else { None };
        let client = router.client()?;
        let base = client.base_url().join("");
        let of_demo = demo.as_ref().map(|demo| demo.executor.as_str()).filter(|executor| !executor.is_empty());
        let of_demo = of_demo.map(|executor| format!("{}{executor}", base.trim_end_matches('/')));
        let own = || demo.as_ref().and_then(|_| IndexerClient::new(&base, router.options.clone()).ok());
        Ok(Self {
            router,
            client,
            indexer: router.indexer.clone().or_else(own),
            executor: router.executor.clone().or(of_demo),
            is_simulated: demo.is_some(),
            own_chain: RefCell::default(),
            chain_tries: Cell::default(),
            turns: (transfers.len() > 1).then(|| Semaphore::new(AT_ONCE)),
            transfers: transfers.into_iter().map(RefCell::new).collect(),
            names: Mutex::default(),
            clock: Rc::default(),
        })
    }

    pub(super) fn is_several(&self) -> bool {
        self.turns.is_some()
    }

    pub(super) fn drive(&self, place: usize) -> Option<FollowDrive<'_, 'a>> {
        let transfer = self.transfers.get(place)?;
        Some(FollowDrive {
            group: self,
            transfer,
            under_way: FuturesUnordered::new(),
            pending: Vec::new(),
            asked: Vec::new(),
            is_status_outdated: false,
        })
    }

    pub(super) fn into_transfers(self) -> Vec<FollowedTransfer> {
        self.transfers.into_iter().map(RefCell::into_inner).collect()
    }

    /// Requests the indexer's chain id; gives up after a number of attempts.
    async fn learn_chain(&self) {
        let is_open = self.own_chain.borrow().is_none() && self.chain_tries.get() < TRIES;
        let Some(indexer) = self.indexer.as_ref().filter(|_| is_open) else { return };
        self.chain_tries.set(self.chain_tries.get() + 1);
        if let Ok(Ok(status)) = tokio::time::timeout(PATIENCE, indexer.status()).await {
            *self.own_chain.borrow_mut() = Some(ChainId::new(status.chain_id));
        }
    }

    /// Returns the names of these chains, requested once.
    async fn names(&self, chains: &[ChainId]) -> Rc<RouterNames> {
        let mut wanted = chains.to_vec();
        wanted.sort();
        wanted.dedup();
        let mut known = self.names.lock().await;
        if let Some((_, names)) = known.iter().find(|(chains, _)| *chains == wanted) {
            return Rc::clone(names);
        }
        let names = Rc::new(RouterNames::fetch(self.router, &wanted).await);
        known.push((wanted, Rc::clone(&names)));
        names
    }

    fn l1_addresses(&self, transfer: &FollowedTransfer) -> L1Addresses {
        let own_chain = self.own_chain.borrow();
        let network = self.router.network.as_ref();
        let own = network.map(|network| OwnNetwork { network, chain: own_chain.as_ref() });
        let judge = Authority { networks: &self.router.networks, own, is_simulated: self.is_simulated };
        let listed = transfer.names.l1s();
        let l1 = own_chain.as_ref().and_then(|rollup| judge.settlement(rollup).0);
        let l1 = l1.or_else(|| network.and_then(|network| network.l1.as_deref()).map(ChainId::new));
        let all: Vec<ChainId> = l1.into_iter().chain(listed.iter().map(|(l1, _)| l1.clone())).collect();
        let known = all.into_iter().filter_map(|l1| {
            let rest = judge.trust(&l1, transfer.names.info(&l1)).rest?;
            Some((l1, rest))
        });
        L1Addresses { is_awaited: transfer.named.is_empty(), known: known.collect(), listed }
    }

    async fn answer(&self, question: Question) -> FollowerAnswer {
        let client = self.client;
        let _turn = match &self.turns {
            Some(turns) if question.kind().is_for_router() => turns.acquire().await.ok(),
            _ => None,
        };
        let options = &self.router.options;
        match question {
            Question::Track(tx) => FollowerAnswer::Track(client.track(&tx).await.map(drop)),
            Question::TrackAgain(tx) => FollowerAnswer::Track(client.track_again(&tx).await.map(drop)),
            Question::Status(tx) => FollowerAnswer::Status(client.status(&tx).await.map(Arc::new)),
            Question::Estimate(request) => FollowerAnswer::Estimate(client.route(&request).await.map(Arc::new)),
            Question::Source(hash) => FollowerAnswer::Source(self.tx(hash).await),
            Question::Crossing { rest, tx } => {
                let tx = worker::l1_tx(&L1Question { rest, tx }, options, None).await;
                FollowerAnswer::Crossing(tx.map(Arc::new))
            }
            Question::Arrival(sought) => FollowerAnswer::Arrival(self.txs(sought).await),
            Question::Return(sought) => FollowerAnswer::Return(self.txs(sought).await),
            Question::Expiry(chain_id, terms) => {
                FollowerAnswer::Expiry(worker::account_at(&chain_id, &terms, options).await)
            }
            Question::Settlement { sequence, executor, l1_rest } => {
                let question = SettlementQuestion { sequence, executor, l1_rest };
                FollowerAnswer::Settlement(worker::settlement(&question, options, None).await.map(Arc::new))
            }
        }
    }

    async fn txs(&self, sought: SoughtTxs) -> Result<WitnessTxs, ApiError> {
        match sought {
            SoughtTxs::One(hash) => self.tx(hash).await.map(WitnessTxs::One),
            SoughtTxs::NewestOf(address) => {
                let query = TxQuery { scope: TxScope::Account { address, signer_only: false }, msgs: Vec::new() };
                let page = PageRequest { count_total: false, ..PageRequest::newest(SoughtTxs::LOOKED_THROUGH) };
                in_time(self.indexer()?.list(&query, &page)).await.map(|page| WitnessTxs::Newest(page.items))
            }
        }
    }

    async fn tx(&self, hash: TxHash) -> Result<Arc<Tx>, ApiError> {
        in_time(self.indexer()?.one(endpoints::tx(hash))).await.map(Arc::new)
    }

    fn indexer(&self) -> Result<&IndexerClient, ApiError> {
        self.indexer.as_ref().ok_or_else(ApiError::of_another_kind)
    }
}

async fn in_time<T>(asked: impl Future<Output = Result<T, ApiError>>) -> Result<T, ApiError> {
    let late = |_| Err(ApiError { kind: ErrorKind::Timeout(PATIENCE), url: "".into(), body: None });
    tokio::time::timeout(PATIENCE, asked).await.unwrap_or_else(late)
}

type PendingAnswer<'g> = Pin<Box<dyn Future<Output = FollowerAnswer> + 'g>>;

/// Errors and answers of the router in a round of questions.
#[derive(Debug, Default)]
pub(super) struct RoundNews {
    /// Error of the registration, and whether rollscope stops retrying.
    pub(super) tracking_error: Option<(ApiError, bool)>,
    pub(super) status_error: Option<ApiError>,
    /// Whether the router answered a status request, also with a 404.
    pub(super) has_status: bool,
}

/// Questions and pending answers of one transfer in a group.
pub(super) struct FollowDrive<'g, 'a> {
    group: &'g FollowGroup<'a>,
    transfer: &'g RefCell<FollowedTransfer>,
    under_way: FuturesUnordered<PendingAnswer<'g>>,
    /// Kinds of questions without an answer yet.
    pending: Vec<QuestionKind>,
    asked: Vec<QuestionKind>,
    is_status_outdated: bool,
}

impl<'g> FollowDrive<'g, '_> {
    pub(super) fn transfer(&self) -> Ref<'g, FollowedTransfer> {
        self.transfer.borrow()
    }

    pub(super) fn transfer_mut(&self) -> RefMut<'g, FollowedTransfer> {
        self.transfer.borrow_mut()
    }

    fn context<'c>(
        &'c self,
        transfer: &'c FollowedTransfer,
        own_chain: Option<&'c ChainId>,
        l1s: &'c L1Addresses,
    ) -> FollowerContext<'c> {
        FollowerContext {
            now: self.group.clock.now(),
            names: &*transfer.names,
            own_chain,
            has_router: true,
            executor: self.group.executor.as_deref(),
            l1s,
            block_seconds: None,
            priority: PollPriority::Shown,
            is_watched: true,
        }
    }

    /// Whether a server of the user's can still show the arrival.
    fn is_arrival_askable(&self) -> bool {
        let (transfer, l1s) = (self.transfer.borrow(), self.group.l1_addresses(&self.transfer.borrow()));
        let own_chain = self.group.own_chain.borrow();
        transfer.follower.is_arrival_askable(&self.context(&transfer, own_chain.as_ref(), &l1s))
    }

    /// Returns the questions of these kinds with their due times, without pending questions.
    fn questions(&self, is_wanted: impl Fn(QuestionKind) -> bool) -> Vec<(Question, Timestamp)> {
        let (transfer, l1s) = (self.transfer.borrow(), self.group.l1_addresses(&self.transfer.borrow()));
        let own_chain = self.group.own_chain.borrow();
        let context = self.context(&transfer, own_chain.as_ref(), &l1s);
        let mut questions = transfer.follower.questions(&context);
        questions.retain(|(question, _)| is_wanted(question.kind()) && !self.pending.contains(&question.kind()));
        questions
    }

    fn ask(&mut self, is_wanted: impl Fn(QuestionKind) -> bool) {
        for (question, at) in self.questions(is_wanted) {
            if at <= self.group.clock.now() {
                self.pending.push(question.kind());
                self.asked.push(question.kind());
                self.under_way.push(Box::pin(self.group.answer(question)));
            }
        }
    }

    /// Takes the answers of a round that arrive within `patience`.
    async fn take_round(&mut self, patience: Option<Duration>, news: &mut RoundNews) {
        let deadline = patience.map(|patience| tokio::time::Instant::now() + patience);
        loop {
            let answer = match deadline {
                Some(deadline) => tokio::time::timeout_at(deadline, self.under_way.next()).await.ok().flatten(),
                None => self.under_way.next().await,
            };
            let Some(answer) = answer else { break };
            self.take(answer, news);
        }
        self.review_with_names().await;
    }

    fn take(&mut self, answer: FollowerAnswer, news: &mut RoundNews) {
        let kind = answer.kind();
        self.pending.retain(|under_way| *under_way != kind);
        let is_outdated = kind == QuestionKind::Status && std::mem::take(&mut self.is_status_outdated);
        // The router received this poll before it accepted the transaction: an error is outdated.
        if is_outdated && matches!(answer, FollowerAnswer::Status(Err(_))) {
            return;
        }
        let (id, now) = (self.transfer.borrow().id().clone(), self.group.clock.now());
        let rivals = {
            let all: Vec<Ref<'_, FollowedTransfer>> = self.group.transfers.iter().map(RefCell::borrow).collect();
            CreditRivals::of(&answer, &id, all.iter().map(|transfer| &transfer.follower))
        };
        let mut transfer = self.transfer.borrow_mut();
        let refusal = match &answer {
            FollowerAnswer::Track(result) => result.as_ref().err().cloned(),
            FollowerAnswer::Status(result) => {
                news.has_status = true;
                match result {
                    Ok(status) if transfer.statuses.last().is_none_or(|(last, _)| **last != *status.raw.get()) => {
                        transfer.statuses.push((status.raw.get().into(), now));
                    }
                    Ok(_) => {}
                    Err(error) => news.status_error = Some(error.clone()),
                }
                None
            }
            _ => None,
        };
        if let TakenAnswer::Tracked { outdates_status: true, .. } = transfer.follower.take(answer, &rivals, now) {
            self.is_status_outdated = self.pending.contains(&QuestionKind::Status);
        }
        let is_refused = transfer.follower.current_tx().is_some_and(|tx| tx.tracking == Tracking::Refused);
        news.tracking_error = refusal.map(|error| (error, is_refused)).or(news.tracking_error.take());
    }

    /// Refreshes the status; requests names again if the transfer touches other chains now.
    async fn review_with_names(&self) {
        let is_askable = self.is_arrival_askable();
        self.transfer.borrow_mut().follower.know_servers(is_askable);
        self.transfer.borrow_mut().review(self.group.clock.now());
        let chains = self.transfer.borrow().chains();
        if self.transfer.borrow().named == chains {
            return;
        }
        let names = self.group.names(&chains).await;
        let mut transfer = self.transfer.borrow_mut();
        (transfer.names, transfer.named) = (names, chains);
        drop(transfer);
        let is_askable = self.is_arrival_askable();
        let mut transfer = self.transfer.borrow_mut();
        transfer.follower.know_servers(is_askable);
        transfer.review(self.group.clock.now());
    }

    /// Sends each possible question once, except the registration. Returns the error of the status request.
    pub(super) async fn look(&mut self) -> Option<ApiError> {
        let mut news = RoundNews::default();
        self.group.learn_chain().await;
        loop {
            let asked = self.asked.clone();
            self.ask(|kind| kind != QuestionKind::Track && !asked.contains(&kind));
            if self.under_way.is_empty() {
                return news.status_error;
            }
            self.take_round(None, &mut news).await;
        }
    }

    /// Waits for a due question or an answer, sends questions and takes the answers of the round; `None` if no question
    /// remains.
    pub(super) async fn step(&mut self, is_wanted: impl Fn(QuestionKind) -> bool) -> Option<RoundNews> {
        self.group.learn_chain().await;
        let now = self.group.clock.now();
        let next = self.questions(&is_wanted).into_iter().map(|(_, at)| at).min();
        let mut news = RoundNews::default();
        match (next, self.under_way.is_empty()) {
            (None, true) => return None,
            (Some(at), true) => tokio::time::sleep(at.since(now)).await,
            (next, false) => {
                let wait = next.map_or(Duration::MAX, |at| at.since(now));
                if let Ok(Some(answer)) = tokio::time::timeout(wait, self.under_way.next()).await {
                    self.take(answer, &mut news);
                }
            }
        }
        self.ask(&is_wanted);
        self.take_round(Some(PATIENCE), &mut news).await;
        Some(news)
    }

    /// Whether a question for evidence is pending, or due for the first time.
    pub(super) fn has_open_witness(&self) -> bool {
        let is_new = |kind: QuestionKind| !kind.is_for_router() && !self.asked.contains(&kind);
        let is_due = |(_, at): &(Question, Timestamp)| *at <= self.group.clock.now();
        self.pending.iter().any(|kind| !kind.is_for_router()) || self.questions(is_new).iter().any(is_due)
    }
}
