use std::time::Duration;

use serde::Serialize;
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::{self, Instant},
};

use super::{
    PageEnd,
    answer::{NumberedAnswer, PostedUpdate, SigningPageEvent, WalletAnswer},
    offer::SigningOffer,
};
use crate::{
    domain::text::is_odd,
    signing::{OfferLine, OfferLineKind, OfferWords},
};

/// State of the page, and whether the page is still open.
#[derive(Debug)]
pub(super) struct PageState {
    now: watch::Sender<PageNow>,
    events: mpsc::Sender<SigningPageEvent>,
}

#[derive(Debug)]
struct PageNow {
    /// Number that increases with each visible change.
    version: u64,
    stage: PageStage,
    is_opened: bool,
    is_closed: bool,
    /// Hash that the wallet sent after the request expired.
    late: Option<[u8; 32]>,
    /// Whether the page has received its final text.
    is_end_heard: bool,
    /// Number of pending long polls.
    listening: usize,
    last_heard: Instant,
}

#[derive(Debug)]
enum PageStage {
    /// The wallet has no request now; the text describes the current step.
    Waiting(String),
    Offer(Box<OpenOffer>),
    Ended {
        words: String,
        is_good: bool,
    },
}

#[derive(Debug)]
struct OpenOffer {
    id: u64,
    offer: SigningOffer,
    words: OfferWords,
    expires: Instant,
    /// Time limit of the request; each event of the wallet restarts it.
    time: Duration,
    answer: Option<oneshot::Sender<WalletAnswer>>,
    /// Whether a wallet was asked and has not answered.
    is_with_wallet: bool,
}

/// State as JSON for the page.
#[derive(Serialize)]
pub(super) struct StateView<'a> {
    version: u64,
    stage: StageView<'a>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum StageView<'a> {
    Waiting { words: &'a str },
    Offer { id: u64, offer: &'a SigningOffer, words: WordsView<'a>, seconds_left: u64 },
    Ended { words: &'a str, is_good: bool },
}

/// Description of a request with marked characters.
#[derive(Serialize)]
struct WordsView<'a> {
    title: Vec<Run<'a>>,
    act: &'a str,
    lines: Vec<LineView<'a>>,
    note: Option<&'a str>,
    letters: Option<String>,
}

#[derive(Serialize)]
struct LineView<'a> {
    name: &'a str,
    kind: OfferLineKind,
    runs: Vec<Run<'a>>,
}

/// Part of a text, and whether the page marks its characters because they may imitate letters.
#[derive(Serialize)]
struct Run<'a>(&'a str, bool);

fn runs(text: &str) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_marked = is_odd(first);
        let end = rest.find(|character| is_odd(character) != is_marked).unwrap_or(rest.len());
        let (run, behind) = rest.split_at(end);
        runs.push(Run(run, is_marked));
        rest = behind;
    }
    runs
}

impl<'a> WordsView<'a> {
    fn of(words: &'a OfferWords) -> Self {
        let line = |line: &'a OfferLine| LineView { name: line.name, kind: line.kind, runs: runs(&line.text) };
        Self {
            title: runs(&words.title),
            act: &words.act,
            lines: words.lines.iter().map(line).collect(),
            note: words.note.as_deref(),
            letters: words.letters(),
        }
    }
}

impl PageState {
    pub(super) fn new(events: mpsc::Sender<SigningPageEvent>) -> Self {
        let now = PageNow {
            version: 1,
            stage: PageStage::Waiting("rollscope is preparing the transaction.".to_owned()),
            is_opened: false,
            is_closed: false,
            late: None,
            is_end_heard: false,
            listening: 0,
            last_heard: Instant::now(),
        };
        Self { now: watch::Sender::new(now), events }
    }

    pub(super) fn offer(
        &self,
        offer: SigningOffer,
        words: OfferWords,
        expires: Instant,
        answer: oneshot::Sender<WalletAnswer>,
    ) {
        let time = expires.saturating_duration_since(Instant::now());
        self.change(|now| {
            let id = now.version + 1;
            now.late = None;
            let (answer, is_with_wallet) = (Some(answer), false);
            let open = OpenOffer { id, offer, words, expires, time, answer, is_with_wallet };
            now.stage = PageStage::Offer(Box::new(open));
        });
    }

    /// Removes the current request; does nothing without a request.
    pub(super) fn withdraw(&self) {
        let is_shown = matches!(self.now.borrow().stage, PageStage::Offer(_));
        if is_shown {
            self.tell("rollscope is checking the wallet's answer.");
        }
    }

    pub(super) fn tell(&self, words: &str) {
        self.change(|now| now.stage = PageStage::Waiting(words.to_owned()));
    }

    pub(super) fn end(&self, words: &str, is_good: bool) {
        self.change(|now| now.stage = PageStage::Ended { words: words.to_owned(), is_good });
    }

    fn change(&self, change: impl FnOnce(&mut PageNow)) {
        self.now.send_modify(|now| {
            change(now);
            now.version += 1;
        });
    }

    /// Gives the page to the calling browser; `false` after the first call.
    pub(super) fn take(&self) -> bool {
        let is_first = self.now.send_if_modified(|now| {
            now.last_heard = Instant::now();
            !std::mem::replace(&mut now.is_opened, true)
        });
        if is_first {
            self.report(SigningPageEvent::Opened);
        }
        is_first
    }

    /// Continues on a page that was loaded again. What the wallet answers to the earlier page is lost: a document can
    /// be signed again, but a transaction that the wallet may have sent is not requested twice.
    pub(super) fn reload(&self) {
        self.now.send_modify(|now| {
            if let PageStage::Offer(open) = &mut now.stage
                && open.is_with_wallet
                && matches!(open.offer, SigningOffer::Ethereum(_))
                && let Some(answer) = open.answer.take()
            {
                // The receiver is gone if the request has just ended.
                drop(answer.send(WalletAnswer::Reloaded));
            }
        });
    }

    pub(super) fn is_opened(&self) -> bool {
        self.now.borrow().is_opened
    }

    pub(super) async fn opened(&self) {
        self.until(|now| now.is_opened || now.is_closed).await;
    }

    /// Waits at most `longest` for a state that the page has not seen, and encodes the state.
    pub(super) async fn news(&self, seen: u64, longest: Duration) -> Result<Vec<u8>, serde_json::Error> {
        let _listening = Listening::begin(self);
        // After a timeout, the page gets the unchanged state.
        let _ = time::timeout(longest, self.until(|now| now.version > seen)).await;
        let now = self.now.borrow();
        let stage = match &now.stage {
            PageStage::Waiting(words) => StageView::Waiting { words },
            PageStage::Offer(open) => StageView::Offer {
                id: open.id,
                offer: &open.offer,
                words: WordsView::of(&open.words),
                seconds_left: open.expires.saturating_duration_since(Instant::now()).as_secs(),
            },
            PageStage::Ended { words, is_good } => StageView::Ended { words, is_good: *is_good },
        };
        let is_end = matches!(now.stage, PageStage::Ended { .. });
        let view = serde_json::to_vec(&StateView { version: now.version, stage });
        drop(now);
        if is_end {
            self.now.send_modify(|now| now.is_end_heard = true);
        }
        view
    }

    /// Accepts a wallet's answer; `false` if its request has ended.
    pub(super) fn answer(&self, numbered: NumberedAnswer) -> bool {
        let NumberedAnswer { id, answer } = numbered;
        let mut sender = None;
        self.now.send_modify(|now| {
            if let PageStage::Offer(open) = &mut now.stage
                && id.is_none_or(|id| id == open.id)
            {
                sender = open.answer.take();
            }
        });
        match (sender, answer) {
            (Some(sender), answer) => sender.send(answer).is_ok(),
            (None, WalletAnswer::Hash(hash)) => {
                self.now.send_modify(|now| now.late = Some(hash));
                self.report(SigningPageEvent::LateHash(hash));
                false
            }
            (None, _) => false,
        }
    }

    /// Handles an event of the page.
    pub(super) fn event(&self, news: PostedUpdate) {
        match news {
            PostedUpdate::Closed => self.now.send_modify(|now| now.is_closed = true),
            PostedUpdate::Event(event) => {
                self.now.send_modify(|now| match (&mut now.stage, &event) {
                    (PageStage::Offer(open), SigningPageEvent::ApprovalSent(..)) => {
                        open.expires = Instant::now() + open.time;
                    }
                    (PageStage::Offer(open), SigningPageEvent::Connected { .. }) => open.is_with_wallet = true,
                    _ => {}
                });
                self.report(event);
            }
        }
    }

    /// Waits until the page stops polling.
    pub(super) async fn ended(&self, silence: Duration) -> PageEnd {
        let mut now = self.now.subscribe();
        loop {
            let quiet_at = {
                let now = now.borrow_and_update();
                if now.is_closed {
                    return PageEnd::Closed;
                }
                (now.is_opened && now.listening == 0).then_some(now.last_heard + silence)
            };
            // `self` owns the sender, so the channel stays open.
            match quiet_at {
                None => {
                    let _ = now.changed().await;
                }
                Some(at) if at <= Instant::now() => return PageEnd::Silent,
                Some(at) => {
                    let _ = time::timeout_at(at, now.changed()).await;
                }
            }
        }
    }

    /// Waits until the current request expires.
    pub(super) async fn expired(&self) -> PageEnd {
        loop {
            let expires = match &self.now.borrow().stage {
                PageStage::Offer(open) => open.expires,
                PageStage::Waiting(_) | PageStage::Ended { .. } => Instant::now(),
            };
            if expires <= Instant::now() {
                return if self.now.borrow().is_opened { PageEnd::Expired } else { PageEnd::NotOpened };
            }
            time::sleep_until(expires).await;
        }
    }

    /// Waits for a hash after the request expired; `None` if the page stops polling or the time limit passes.
    pub(super) async fn late_hash(&self, longest: Duration, silence: Duration) -> Option<[u8; 32]> {
        let come = self.until(|now| now.late.is_some());
        tokio::select! {
            biased;
            () = come => {}
            _ = self.ended(silence) => {}
            () = time::sleep(longest) => {}
        }
        self.now.borrow().late
    }

    pub(super) async fn heard_the_end(&self) {
        self.until(|now| now.is_end_heard).await;
    }

    async fn until(&self, is_so: impl FnMut(&PageNow) -> bool) {
        // Fails only without a sender, and `self` owns the sender.
        drop(self.now.subscribe().wait_for(is_so).await);
    }

    /// Sends an event to the reader; drops the event if the queue is full.
    fn report(&self, event: SigningPageEvent) {
        if self.events.try_send(event).is_err() {
            tracing::warn!("lost an event of the signing page");
        }
    }
}

/// Guard that counts a pending long poll, also if its connection breaks.
struct Listening<'a>(&'a PageState);

impl<'a> Listening<'a> {
    fn begin(state: &'a PageState) -> Self {
        state.now.send_modify(|now| now.listening += 1);
        Self(state)
    }
}

impl Drop for Listening<'_> {
    fn drop(&mut self) {
        self.0.now.send_modify(|now| {
            now.listening -= 1;
            now.last_heard = Instant::now();
        });
    }
}
