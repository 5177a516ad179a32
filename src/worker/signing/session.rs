//! Session of one page in the browser: receives orders and reports updates.

use std::{
    pin::pin,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

use super::{
    super::{
        signing_page::{PageTimes, SigningPage, SigningPageEvent},
        store_handle::StoreHandle,
    },
    SigningFailure, SigningTerminal,
    accounts::ask_accounts,
    ethereum, sign_and_send, sign_hook, tunnel,
};
use crate::{
    client::ClientOptions,
    domain::{AcceptedContract, BroadcastHash, ChainId, EvmTxHash, Timestamp},
    msg::{Report, SigningId, SigningUpdate},
    signing::{
        AccountsOrder, BroadcastTx, ClaimDraft, NotedRecord, OfferWords, ReadyForm, RecordDraft, SentStage,
        SigningOrder, SigningQuestion, WalletHook, WalletTx,
    },
};

/// Link of the page to the explorer.
#[derive(Clone)]
pub(super) struct SessionLink {
    pub(super) id: SigningId,
    pub(super) reports: mpsc::Sender<Report>,
    pub(super) store: StoreHandle,
}

/// Page that is open or opening.
pub(super) struct SigningSession {
    pub(super) link: SessionLink,
    pub(super) options: ClientOptions,
    pub(super) end: PageStop,
    /// Signal of the user's second confirmation.
    pub(super) yes: Arc<Notify>,
}

/// Cancellation of a page, with the reason that the page shows.
#[derive(Clone)]
pub(super) struct PageStop {
    token: CancellationToken,
    why: Arc<OnceLock<&'static str>>,
}

impl PageStop {
    pub(super) fn of(token: CancellationToken) -> Self {
        Self { token, why: Arc::default() }
    }

    /// Cancels with a reason; only the first reason counts.
    pub(super) fn cancel(&self, why: &'static str) {
        self.why.get_or_init(|| why);
        self.token.cancel();
    }

    async fn cancelled(&self) {
        self.token.cancelled().await;
    }

    /// Returns the text that the page shows. Without a reason, the explorer is ending.
    fn words(&self) -> &'static str {
        self.why.get().copied().unwrap_or("rollscope has ended.")
    }
}

/// Draft of the record to store.
enum SessionDraft {
    Transfer(Box<RecordDraft>),
    Claim(ClaimDraft),
}

impl SessionDraft {
    fn note(&mut self, sent: &BroadcastTx, now: Timestamp) -> Vec<NotedRecord> {
        match self {
            Self::Transfer(draft) => vec![draft.note(sent, now)],
            Self::Claim(draft) => draft.note(sent, now),
        }
    }

    /// Returns the update about a transaction that may be broadcast.
    fn news(
        &self,
        noted: Vec<NotedRecord>,
        (chain_id, hash): (ChainId, BroadcastHash),
        doubt: Option<String>,
    ) -> Option<SigningUpdate> {
        let mut records = noted.into_iter().map(|noted| Arc::new(noted.record));
        Some(match self {
            Self::Transfer(_) => SigningUpdate::Sent { record: records.next()?, doubt },
            Self::Claim(_) => SigningUpdate::ClaimSent { records: records.collect(), chain_id, hash, doubt },
        })
    }
}

/// Whether the page stays open for another transaction.
enum PageContinuation {
    Stays(SigningPage),
    Over,
}

impl SessionLink {
    async fn report(&self, news: SigningUpdate) {
        // A closed channel means that the explorer is ending.
        drop(self.reports.send(Report::Signing(self.id, news)).await);
    }
}

impl SigningSession {
    pub(super) async fn run(self, mut orders: mpsc::UnboundedReceiver<SigningOrder>, times: PageTimes) {
        let (mut page, events) = match SigningPage::open(times).await {
            Ok(opened) => opened,
            Err(error) => {
                let words = format!("Cannot serve a page to the browser: {error}.");
                return self.link.report(SigningUpdate::Failed { words, refused: Vec::new() }).await;
            }
        };
        let (address, tunnel) = (page.address().to_owned(), tunnel(page.port()));
        self.link.report(SigningUpdate::Served { address, tunnel }).await;
        tokio::spawn(tell(self.link.clone(), events));
        loop {
            let order = tokio::select! {
                biased;
                () = self.end.cancelled() => return page.close(self.end.words(), false).await,
                order = orders.recv() => order,
                _ = page.gone() => None,
            };
            let continuation = match order {
                Some(SigningOrder::Tx { planned, draft, is_last }) => {
                    self.send(page, &planned, SessionDraft::Transfer(draft), is_last).await
                }
                Some(SigningOrder::Claim { planned, draft }) => {
                    self.send(page, &planned, SessionDraft::Claim(*draft), true).await
                }
                Some(SigningOrder::Hook(order)) => self.hook(page, &order).await,
                Some(SigningOrder::Accounts(order)) => self.accounts(page, &order).await,
                None => return self.link.report(SigningUpdate::Gone).await,
            };
            let PageContinuation::Stays(still) = continuation else { return };
            page = still;
        }
    }

    async fn send(
        &self,
        page: SigningPage,
        planned: &WalletTx,
        draft: SessionDraft,
        is_last: bool,
    ) -> PageContinuation {
        let mut terminal = SessionTerminal::new(self.link.clone(), draft, Arc::clone(&self.yes));
        let is_sending = Arc::clone(&terminal.is_sending);
        let outcome = {
            let mut work = pin!(sign_and_send(&page, planned, self.options.clone(), &mut terminal));
            tokio::select! {
                biased;
                outcome = &mut work => Some(outcome),
                () = self.end.cancelled() => {
                    // A transaction may be broadcast: wait for the result.
                    if is_sending.load(Ordering::Acquire) { Some(work.await) } else { None }
                }
            }
        };
        let Some(outcome) = outcome else {
            if matches!(planned.tx.form, ReadyForm::Ethereum(_)) {
                self.wait_for_late(&page, planned, terminal).await;
            }
            page.close(self.end.words(), false).await;
            return PageContinuation::Over;
        };
        let (doubt, hash) = match outcome {
            Ok(sent) => (None, sent.hash),
            Err(failure @ SigningFailure::Unknown { .. }) => {
                let SigningFailure::Unknown { hash, .. } = &failure else { return PageContinuation::Over };
                (Some(failure.to_string()), hash.clone())
            }
            Err(failure) => {
                self.fail(page, &failure, terminal.noted).await;
                return PageContinuation::Over;
            }
        };
        let sent = (planned.tx.chain_id.clone(), hash.clone());
        if let Some(news) = terminal.draft.and_then(|draft| draft.news(terminal.noted, sent, doubt.clone())) {
            self.link.report(news).await;
        }
        if let Some(doubt) = doubt {
            page.close(&format!("{doubt}."), false).await;
            return PageContinuation::Over;
        }
        if is_last {
            page.close(&format!("Sent: {hash}. The terminal follows the transaction."), true).await;
            return PageContinuation::Over;
        }
        page.tell(&format!("Sent: {hash}. Keep this page open for the next transaction."));
        PageContinuation::Stays(page)
    }

    async fn hook(&self, page: SigningPage, order: &WalletHook) -> PageContinuation {
        let mut terminal = SessionTerminal::of_hook(self.link.clone(), Arc::clone(&self.yes));
        let work = sign_hook(&page, order, self.options.clone(), &mut terminal);
        let outcome = self.unless_cancelled(work).await;
        self.go_on(page, outcome, SigningUpdate::Hook).await
    }

    async fn accounts(&self, page: SigningPage, order: &AccountsOrder) -> PageContinuation {
        let mut terminal = SessionTerminal::of_hook(self.link.clone(), Arc::clone(&self.yes));
        let outcome = self.unless_cancelled(ask_accounts(&page, order, &mut terminal)).await;
        self.go_on(page, outcome, SigningUpdate::Accounts).await
    }

    async fn unless_cancelled<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            outcome = work => Some(outcome),
            () = self.end.cancelled() => None,
        }
    }

    /// Reports the answer to a request without a broadcast; the page stays open for the next one.
    async fn go_on<T>(
        &self,
        page: SigningPage,
        outcome: Option<Result<T, SigningFailure>>,
        update: impl FnOnce(T) -> SigningUpdate,
    ) -> PageContinuation {
        match outcome {
            None => page.close(self.end.words(), false).await,
            Some(Err(failure)) => self.fail(page, &failure, Vec::new()).await,
            Some(Ok(answer)) => {
                self.link.report(update(answer)).await;
                return PageContinuation::Stays(page);
            }
        }
        PageContinuation::Over
    }

    async fn fail(&self, page: SigningPage, failure: &SigningFailure, refused: Vec<NotedRecord>) {
        let words = failure.to_string();
        self.link.report(SigningUpdate::Failed { words: words.clone(), refused }).await;
        page.close(&format!("Failed: {words}."), false).await;
    }

    /// Waits for a broadcast after a cancellation, because the wallet's window may still be open; stores and reports
    /// its hash.
    async fn wait_for_late(&self, page: &SigningPage, planned: &WalletTx, mut terminal: SessionTerminal) {
        if ethereum::late(page, &planned.tx.chain_id, &mut terminal).await.is_some()
            && let Some(noted) = terminal.noted.pop()
        {
            self.link.report(SigningUpdate::Late(Arc::new(noted.record))).await;
        }
    }
}

/// Reports the page's events until the page ends.
async fn tell(link: SessionLink, mut events: mpsc::Receiver<SigningPageEvent>) {
    while let Some(event) = events.recv().await {
        let news = match event {
            SigningPageEvent::Opened => SigningUpdate::Opened,
            SigningPageEvent::Connected { wallet, account } => SigningUpdate::Connected { wallet, account },
            SigningPageEvent::ApprovalSent(step, hash) => {
                SigningUpdate::ApprovalSent(step, BroadcastHash::from(EvmTxHash::new(hash)))
            }
            // The task that waits for the late hash stores and reports it.
            SigningPageEvent::LateHash(_) => continue,
        };
        link.report(news).await;
    }
}

/// Signing terminal of the explorer: shows requests in the explorer and stores records in the state file.
struct SessionTerminal {
    link: SessionLink,
    draft: Option<SessionDraft>,
    /// Records as last written.
    noted: Vec<NotedRecord>,
    /// Whether a broadcast may be in progress.
    is_sending: Arc<AtomicBool>,
    yes: Arc<Notify>,
}

impl SessionTerminal {
    fn new(link: SessionLink, draft: SessionDraft, yes: Arc<Notify>) -> Self {
        Self { link, draft: Some(draft), noted: Vec::new(), is_sending: Arc::default(), yes }
    }

    fn of_hook(link: SessionLink, yes: Arc<Notify>) -> Self {
        Self { link, draft: None, noted: Vec::new(), is_sending: Arc::default(), yes }
    }
}

impl SigningTerminal for SessionTerminal {
    async fn show(&mut self, words: &OfferWords) {
        self.link.report(SigningUpdate::Shown(words.clone())).await;
    }

    async fn allow(&mut self, question: &SigningQuestion) -> bool {
        self.link.report(SigningUpdate::Asked(question.why().to_owned())).await;
        // A refusal cancels this future.
        self.yes.notified().await;
        true
    }

    async fn accepted(&mut self) -> Vec<AcceptedContract> {
        self.link.store.accepted().await
    }

    async fn accept(&mut self, accepted: AcceptedContract) {
        self.link.store.accept(accepted);
    }

    async fn keep(&mut self, sent: &BroadcastTx) -> Result<(), String> {
        let Some(draft) = &mut self.draft else { return Err("the page has no transfer to continue".to_owned()) };
        self.is_sending.store(true, Ordering::Release);
        let noted = draft.note(sent, Timestamp::now());
        let mut kept = Ok(());
        for record in &noted {
            kept = kept.and(self.link.store.keep_now(record.clone()).await);
        }
        if kept.is_err() && sent.stage == SentStage::Signed {
            // After a failed write, the transaction is not broadcast.
            self.is_sending.store(false, Ordering::Release);
            return kept;
        }
        self.noted = noted;
        if matches!(sent.stage, SentStage::Refused { .. }) {
            self.is_sending.store(false, Ordering::Release);
        }
        if sent.stage == SentStage::Signed {
            self.link.report(SigningUpdate::Signed(sent.hash.clone())).await;
        }
        kept
    }
}
