use std::{sync::Arc, time::Duration};

use tokio::sync::mpsc;

use crate::{
    client::Observer,
    msg::{Report, Ticket},
    wire::{ApiError, Exchange},
};

/// Collects what the client tells of one request's tries, for the request's task to report.
///
/// The queue has no bound of its own, as an observer must not wait; a request makes a handful of entries.
pub(super) struct Collector {
    ticket: Ticket,
    queue: mpsc::UnboundedSender<Report>,
}

impl Collector {
    /// A collector and the queue it fills.
    pub(super) fn new(ticket: Ticket) -> (Self, mpsc::UnboundedReceiver<Report>) {
        let (queue, receiver) = mpsc::unbounded_channel();
        (Self { ticket, queue }, receiver)
    }
}

impl Observer for Collector {
    fn exchange(&self, exchange: &Arc<Exchange>) {
        // The task that reads is gone only when the whole worker is.
        let _ = self.queue.send(Report::Exchange(Arc::clone(exchange)));
    }

    fn retrying(&self, attempt: u32, wait: Duration, error: &ApiError) {
        let _ = self.queue.send(Report::Retrying { ticket: self.ticket.clone(), attempt, wait, error: error.clone() });
    }
}
