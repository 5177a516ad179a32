use std::sync::{Arc, Mutex, PoisonError};

use tokio::{
    runtime::Handle,
    sync::{Notify, mpsc},
};
use tokio_util::sync::CancellationToken;

use super::{
    super::{signing_page::PageTimes, store_handle::StoreHandle},
    session::{PageStop, SessionLink, SigningSession},
};
use crate::{
    client::ClientOptions,
    msg::{Report, SigningId},
    signing::SigningOrder,
};

/// Dispatcher of signing orders; at most one page is open in the browser.
pub(in crate::worker) struct SigningDesk {
    pub(in crate::worker) runtime: Handle,
    pub(in crate::worker) reports: mpsc::Sender<Report>,
    pub(in crate::worker) store: StoreHandle,
    pub(in crate::worker) options: ClientOptions,
    pub(in crate::worker) everything: CancellationToken,
    pub(in crate::worker) running: Arc<Mutex<Option<RunningSession>>>,
}

/// Handle of the open page.
pub(in crate::worker) struct RunningSession {
    id: SigningId,
    orders: mpsc::UnboundedSender<SigningOrder>,
    end: PageStop,
    yes: Arc<Notify>,
}

impl SigningDesk {
    /// Sends an order to the page with this id, or to a new page; closes any other page.
    pub(in crate::worker) fn sign(&self, id: SigningId, order: SigningOrder) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let order = match running.as_ref().filter(|session| session.id == id) {
            Some(session) => match session.orders.send(order) {
                Ok(()) => return,
                // The page ended before it read the order.
                Err(mpsc::error::SendError(order)) => order,
            },
            None => order,
        };
        if let Some(earlier) = running.take() {
            earlier.end.cancel("The terminal is signing another transaction.");
        }
        let (orders, receiver) = mpsc::unbounded_channel();
        let end = PageStop::of(self.everything.child_token());
        // This function still owns the receiver, so sending succeeds.
        drop(orders.send(order));
        let link = SessionLink { id, reports: self.reports.clone(), store: self.store.clone() };
        let yes: Arc<Notify> = Arc::default();
        let (options, own) = (self.options.clone(), Arc::clone(&yes));
        let session = SigningSession { link, options, end: end.clone(), yes: own };
        self.runtime.spawn(session.run(receiver, PageTimes::default()));
        *running = Some(RunningSession { id, orders, end, yes });
    }

    /// Passes the user's confirmation to the page with this id.
    pub(in crate::worker) fn allow(&self, id: SigningId) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = running.as_ref().filter(|session| session.id == id) {
            session.yes.notify_one();
        }
    }

    /// Closes the page with this id; the page shows the reason.
    pub(in crate::worker) fn stop(&self, id: SigningId, why: &'static str) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = running.take_if(|session| session.id == id) {
            session.end.cancel(why);
        }
    }
}
