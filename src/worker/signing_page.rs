//! Loopback page that passes transactions to the browser wallet and returns the wallet's answers.
//!
//! The page lives as long as its [`SigningPage`] and serves one browser: the first that opens its URL. Its posts are
//! untrusted: this module decodes the answers, and the caller verifies them.

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
    offer::{
        AccountsChain, AccountsOffer, ApprovalCall, DocumentOffer, DocumentPurpose, EthereumChain, EthereumOffer,
        NativeCurrency, SigningOffer,
    },
};

use crate::signing::OfferWords;

/// Maximum unread events; the page drops further events.
const EVENTS: usize = 64;

#[derive(Clone, Copy, Debug)]
pub struct PageTimes {
    /// Lifetime of a request, from the moment that the page shows it.
    pub offer: Duration,
    /// Silence after which each side considers the other disconnected.
    pub silence: Duration,
    /// Maximum duration of the page's long poll.
    pub beat: Duration,
}

impl Default for PageTimes {
    fn default() -> Self {
        Self { offer: Duration::from_secs(5 * 60), silence: Duration::from_secs(10), beat: Duration::from_secs(4) }
    }
}

/// Reason why a request on the page got no answer from the wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageEnd {
    /// The request expired before a browser opened the page.
    #[error("no browser opened the page in time")]
    NotOpened,
    #[error("the wallet did not answer in time")]
    Expired,
    #[error("you closed the page in the browser")]
    Closed,
    /// The page stopped polling: the browser ended, or the connection broke.
    #[error("the browser page no longer responds")]
    Silent,
}

/// Served page. Dropping it stops the listener; the page in the browser notices that.
#[derive(Debug)]
pub struct SigningPage {
    address: String,
    port: u16,
    state: Arc<PageState>,
    times: PageTimes,
    _listening: DropGuard,
}

impl SigningPage {
    /// Listens on a free port of 127.0.0.1; returns the page and its events.
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

    /// Returns the port; an SSH tunnel must use this port too.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Sends a request to the wallet and waits for the answer or the reason of its absence. The page shows the request
    /// at once, or when a browser opens the page. Only one request at a time.
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

    /// Waits for the hash of a transaction that the wallet broadcasts after its request expired. Waits at most the
    /// lifetime of a request, and only while the page is open.
    pub async fn late_hash(&self) -> Option<[u8; 32]> {
        self.state.late_hash(self.times.offer, self.times.silence).await
    }

    /// Waits until the page disconnects; waits forever if no browser opens it.
    pub async fn gone(&self) -> PageEnd {
        self.state.ended(self.times.silence).await
    }

    /// Waits until a browser opens the page, or until the page is closed.
    pub async fn opened(&self) {
        self.state.opened().await;
    }

    /// Shows the final text, lets the page fetch it, and closes.
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

/// Guard that withdraws the request when its caller is dropped.
struct OfferGuard<'a>(&'a PageState);

impl Drop for OfferGuard<'_> {
    fn drop(&mut self) {
        self.0.withdraw();
    }
}
