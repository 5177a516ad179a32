//! The page on loopback that hands transactions to the wallet in the person's browser and brings back what it answers.
//!
//! It lives as long as its [`SigningPage`], for one browser: the first who opens its address has it. Nothing that the
//! page posts is believed; what comes back is decoded here and proven by whoever asked.

mod access;
mod answer;
mod files;
mod listen;
mod offer;
mod state;

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use tokio::{
    net::TcpListener,
    sync::{mpsc, oneshot},
    time::Instant,
};
use tokio_util::sync::{CancellationToken, DropGuard};

use self::{access::PageAccess, listen::PageListener, state::PageState};
pub use self::{
    answer::{PageEvent, WalletAnswer},
    offer::{ApprovalCall, DocumentOffer, DocumentPurpose, EthereumChain, EthereumOffer, NativeCurrency, SigningOffer},
};

use crate::signing::OfferWords;

/// Events that may wait to be read; a page that makes more is not heard with the rest.
const EVENTS: usize = 64;

/// How long the page and its requests live.
#[derive(Clone, Copy, Debug)]
pub struct PageTimes {
    /// Each request, from the moment at which it can be seen.
    pub offer: Duration,
    /// After this much silence either side takes the other for gone.
    pub silence: Duration,
    /// The page asks what is new, and is answered after this long at the latest.
    pub beat: Duration,
}

impl Default for PageTimes {
    fn default() -> Self {
        Self { offer: Duration::from_secs(5 * 60), silence: Duration::from_secs(10), beat: Duration::from_secs(4) }
    }
}

/// Why a request on the page has no answer of a wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageEnd {
    /// Its time went by before any browser came.
    #[error("no browser opened the page in time")]
    NotOpened,
    /// Its time went by.
    #[error("the wallet did not answer in time")]
    Expired,
    /// The person closed it, or went elsewhere in the browser.
    #[error("the page was closed in the browser")]
    Closed,
    /// It is not heard any more: the browser ended, or the line to it.
    #[error("the page in the browser is not heard any more")]
    Silent,
}

/// A page that is served. Dropping it ends the listener, which the page in the browser notices.
#[derive(Debug)]
pub struct SigningPage {
    address: String,
    port: u16,
    state: Arc<PageState>,
    times: PageTimes,
    _listening: DropGuard,
}

impl SigningPage {
    /// Listens on a free port of 127.0.0.1, and returns what the page tells of itself too.
    pub async fn open(times: PageTimes) -> io::Result<(Self, mpsc::Receiver<PageEvent>)> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
        let port = listener.local_addr()?.port();
        let access = PageAccess::new(port)?;
        let address = access.address();
        let (events, receiver) = mpsc::channel(EVENTS);
        let state = Arc::new(PageState::new(events));
        let stop = CancellationToken::new();
        let page = PageListener::new(access, Arc::clone(&state), times, stop.clone());
        tokio::spawn(listen::serve(listener, Arc::new(page), stop.clone()));
        Ok((Self { address, port, state, times, _listening: stop.drop_guard() }, receiver))
    }

    /// Where a browser finds it, once: whoever opens it first has the page.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The port, which a line of `ssh -L` must keep.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Offers this to the wallet, and waits for the answer or the reason why there is none. The page shows it at once,
    /// or when it is opened; only one request is offered at a time.
    pub async fn ask(&self, offer: SigningOffer, words: OfferWords) -> Result<WalletAnswer, PageEnd> {
        let (answer, mut answered) = oneshot::channel();
        self.state.offer(offer, words, Instant::now() + self.times.offer, answer);
        let _over = OfferGuard(&self.state);
        tokio::select! {
            // In this order: an answer that came with the page's last breath counts.
            biased;
            Ok(answer) = &mut answered => Ok(answer),
            end = self.state.ended(self.times.silence) => Err(end),
            end = self.state.expired() => Err(end),
        }
    }

    /// Says on the page what is going on between two requests.
    pub fn tell(&self, words: &str) {
        self.state.tell(words);
    }

    /// Waits for the hash of a transaction that the wallet sends though its request is over, as long as a request has time
    /// and the page is there.
    pub async fn late_hash(&self) -> Option<[u8; 32]> {
        self.state.late_hash(self.times.offer, self.times.silence).await
    }

    /// Waits until the page is there no more; for ever before it was opened.
    pub async fn gone(&self) -> PageEnd {
        self.state.ended(self.times.silence).await
    }

    /// Waits until a browser has the page, or until there will be none any more.
    pub async fn opened(&self) {
        self.state.opened().await;
    }

    /// Says how it ended, gives the page a moment to hear it, and ends.
    pub async fn close(self, words: &str, is_good: bool) {
        self.state.end(words, is_good);
        if !self.state.is_opened() {
            return;
        }
        tokio::select! {
            () = self.state.heard_the_end() => {}
            _ = self.state.ended(self.times.silence) => {}
            () = tokio::time::sleep(self.times.silence) => {}
        }
    }
}

/// Takes the request off the page when nobody waits for its answer any more.
struct OfferGuard<'a>(&'a PageState);

impl Drop for OfferGuard<'_> {
    fn drop(&mut self) {
        self.0.withdraw();
    }
}
