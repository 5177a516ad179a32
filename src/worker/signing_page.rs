//! Loopback page that hands transactions to the browser wallet and returns its answers.
//!
//! It lives as long as its [`SigningPage`], for one browser: the first that opens its URL. Its posts are untrusted;
//! answers are decoded here and verified by the caller.

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
    answer::{SigningPageEvent, WalletAnswer},
    offer::{ApprovalCall, DocumentOffer, DocumentPurpose, EthereumChain, EthereumOffer, NativeCurrency, SigningOffer},
};

use crate::signing::OfferWords;

/// Maximum unread events; further ones are dropped.
const EVENTS: usize = 64;

/// Time limits of page and requests.
#[derive(Clone, Copy, Debug)]
pub struct PageTimes {
    /// Lifetime of a request, from its display.
    pub offer: Duration,
    /// Timeout without messages after which either side considers the other disconnected.
    pub silence: Duration,
    /// Maximum duration of the page's long poll.
    pub beat: Duration,
}

impl Default for PageTimes {
    fn default() -> Self {
        Self { offer: Duration::from_secs(5 * 60), silence: Duration::from_secs(10), beat: Duration::from_secs(4) }
    }
}

/// Why a request on the page got no wallet answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageEnd {
    /// Expired before any browser opened the page.
    #[error("no browser opened the page in time")]
    NotOpened,
    #[error("the wallet did not answer in time")]
    Expired,
    #[error("you closed the page in the browser")]
    Closed,
    /// The page fell silent: the browser ended, or the connection broke.
    #[error("the browser page no longer responds")]
    Silent,
}

/// Served page. Dropping it stops the listener, which the page in the browser detects.
#[derive(Debug)]
pub struct SigningPage {
    address: String,
    port: u16,
    state: Arc<PageState>,
    times: PageTimes,
    _listening: DropGuard,
}

impl SigningPage {
    /// Listens on a free port of 127.0.0.1; also returns the page's events.
    pub async fn open(times: PageTimes) -> io::Result<(Self, mpsc::Receiver<SigningPageEvent>)> {
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

    /// Returns the page's single-use URL: the first browser that opens it owns the page.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the port, which an SSH tunnel must keep.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Offers a request to the wallet and waits for the answer, or the reason why there is none. The page shows it
    /// immediately, or once opened; only one request at a time.
    pub async fn ask(&self, offer: SigningOffer, words: OfferWords) -> Result<WalletAnswer, PageEnd> {
        let (answer, mut answered) = oneshot::channel();
        self.state.offer(offer, words, Instant::now() + self.times.offer, answer);
        let _over = OfferGuard(&self.state);
        tokio::select! {
            // In this order, so that an answer in the page's last post counts.
            biased;
            Ok(answer) = &mut answered => Ok(answer),
            end = self.state.ended(self.times.silence) => Err(end),
            end = self.state.expired() => Err(end),
        }
    }

    /// Shows a status text on the page between two requests.
    pub fn tell(&self, words: &str) {
        self.state.tell(words);
    }

    /// Waits for the hash of a transaction that the wallet broadcasts after its request expired, within a request's
    /// lifetime and while the page is open.
    pub async fn late_hash(&self) -> Option<[u8; 32]> {
        self.state.late_hash(self.times.offer, self.times.silence).await
    }

    /// Waits until the page disconnects; forever before it is opened.
    pub async fn gone(&self) -> PageEnd {
        self.state.ended(self.times.silence).await
    }

    /// Waits until a browser opens the page, or until it is closed.
    pub async fn opened(&self) {
        self.state.opened().await;
    }

    /// Shows the final text, gives the page a moment to fetch it, and closes.
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

/// Guard that withdraws the request once its caller is gone.
struct OfferGuard<'a>(&'a PageState);

impl Drop for OfferGuard<'_> {
    fn drop(&mut self) {
        self.0.withdraw();
    }
}
