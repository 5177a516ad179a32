use std::time::Duration;

use serde::Serialize;
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::{self, Instant},
};

use super::{
    PageEnd,
    answer::{NumberedAnswer, PageEvent, PostedNews, WalletAnswer},
    offer::SigningOffer,
};
use crate::signing::OfferWords;

/// What the page shows, and whether it is still there.
#[derive(Debug)]
pub(super) struct PageState {
    now: watch::Sender<PageNow>,
    events: mpsc::Sender<PageEvent>,
}

#[derive(Debug)]
struct PageNow {
    /// Grows with each change that the page shows.
    version: u64,
    stage: PageStage,
    is_opened: bool,
    is_closed: bool,
    /// What the wallet sent when nobody waited any more.
    late: Option<[u8; 32]>,
    /// The page knows the end.
    is_end_heard: bool,
    /// Requests of the page that wait for news.
    listening: usize,
    last_heard: Instant,
}

#[derive(Debug)]
enum PageStage {
    /// Nothing is to be signed now; in words, what goes on.
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
    /// How long it had at the beginning: something that the wallet does on the way gives it as much again.
    time: Duration,
    answer: Option<oneshot::Sender<WalletAnswer>>,
}

/// The page's view of it.
#[derive(Serialize)]
pub(super) struct StateView<'a> {
    version: u64,
    stage: StageView<'a>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum StageView<'a> {
    Waiting { words: &'a str },
    Offer { id: u64, offer: &'a SigningOffer, words: &'a OfferWords, seconds_left: u64 },
    Ended { words: &'a str, is_good: bool },
}

impl PageState {
    pub(super) fn new(events: mpsc::Sender<PageEvent>) -> Self {
        let now = PageNow {
            version: 1,
            stage: PageStage::Waiting("rollscope prepares what is to be signed.".to_owned()),
            is_opened: false,
            is_closed: false,
            late: None,
            is_end_heard: false,
            listening: 0,
            last_heard: Instant::now(),
        };
        Self { now: watch::Sender::new(now), events }
    }

    /// Shows a request.
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
            now.stage = PageStage::Offer(Box::new(OpenOffer { id, offer, words, expires, time, answer: Some(answer) }));
        });
    }

    /// Takes the request away, where one is still shown.
    pub(super) fn withdraw(&self) {
        let is_shown = matches!(self.now.borrow().stage, PageStage::Offer(_));
        if is_shown {
            self.tell("rollscope looks at what the wallet answered.");
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

    /// Gives the page to the first who asks; `false` for everybody after.
    pub(super) fn take(&self) -> bool {
        let is_first = self.now.send_if_modified(|now| {
            now.last_heard = Instant::now();
            !std::mem::replace(&mut now.is_opened, true)
        });
        if is_first {
            self.report(PageEvent::Opened);
        }
        is_first
    }

    pub(super) fn is_opened(&self) -> bool {
        self.now.borrow().is_opened
    }

    pub(super) async fn opened(&self) {
        self.until(|now| now.is_opened || now.is_closed).await;
    }

    /// Waits for something that the page has not seen yet, at most so long, and writes down what there is then.
    pub(super) async fn news(&self, seen: u64, longest: Duration) -> Result<Vec<u8>, serde_json::Error> {
        let _listening = Listening::begin(self);
        // Nothing new in that time is an answer too.
        let _ = time::timeout(longest, self.until(|now| now.version > seen)).await;
        let now = self.now.borrow();
        let stage = match &now.stage {
            PageStage::Waiting(words) => StageView::Waiting { words },
            PageStage::Offer(open) => StageView::Offer {
                id: open.id,
                offer: &open.offer,
                words: &open.words,
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

    /// Takes a wallet's answer; `false` where its request is over.
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
                self.report(PageEvent::LateHash(hash));
                false
            }
            (None, _) => false,
        }
    }

    /// Takes what the page tells beside answers.
    pub(super) fn event(&self, news: PostedNews) {
        match news {
            PostedNews::Closed => self.now.send_modify(|now| now.is_closed = true),
            PostedNews::Event(event) => {
                if matches!(event, PageEvent::ApprovalSent(_)) {
                    self.now.send_modify(|now| {
                        if let PageStage::Offer(open) = &mut now.stage {
                            open.expires = Instant::now() + open.time;
                        }
                    });
                }
                self.report(event);
            }
        }
    }

    /// Ends when the page is there no more.
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
            // The sender lives as long as this, so it is never found gone.
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

    /// Ends when the time of the request that is shown is over.
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

    /// Waits for a hash that comes when nobody waits any more; `None` where the page went or it took too long.
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
        // It fails where the sender is gone, which is this.
        drop(self.now.subscribe().wait_for(is_so).await);
    }

    /// A page that tells more than is read is not heard with the rest.
    fn report(&self, event: PageEvent) {
        if self.events.try_send(event).is_err() {
            tracing::warn!("an event of the signing page is lost");
        }
    }
}

/// Counts a request of the page that waits, also when its connection breaks.
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
