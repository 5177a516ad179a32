use std::{sync::Arc, time::Duration};

use tokio::sync::mpsc;

use crate::{
    client::Observer,
    msg::{Report, Ticket, Total},
    wire::{ApiError, Exchange},
};

/// Collector of the events of one request's attempts; the request's task reports them.
///
/// The queue is unbounded, because an observer must not wait; a request adds a handful of entries.
pub(super) struct Collector {
    ticket: Ticket,
    queue: mpsc::UnboundedSender<Report>,
}

impl Collector {
    /// Creates a collector and the queue that it fills.
    pub(super) fn new(ticket: Ticket) -> (Self, mpsc::UnboundedReceiver<Report>) {
        let (queue, receiver) = mpsc::unbounded_channel();
        (Self { ticket, queue }, receiver)
    }
}

impl Collector {
    /// Tells how many rows of a list were received.
    pub(super) fn progress(&self, rows: u64, total: Total) {
        let _ = self.queue.send(Report::Progress(self.ticket.clone(), rows, total));
    }
}

impl Observer for Collector {
    fn exchange(&self, exchange: &Arc<Exchange>) {
        // The reading task ends only with the whole worker.
        let _ = self.queue.send(Report::Exchange(Arc::clone(exchange)));
    }

    fn retrying(&self, attempt: u32, wait: Duration, error: &ApiError) {
        let _ = self.queue.send(Report::Retrying { ticket: self.ticket.clone(), attempt, wait, error: error.clone() });
    }

    fn node_answered(&self, url: &str) {
        let _ = self.queue.send(Report::NodeInUse(url.to_owned()));
    }
}
