use std::{any::Any, panic::AssertUnwindSafe, pin::pin, sync::Arc};

use futures_util::FutureExt as _;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{answer, clients::Clients, metadata_cache::MetadataCache, observer::Collector, store_handle::StoreHandle};
use crate::{
    msg::{Answer, Report, Request, Ticket},
    wire::{ApiError, ErrorKind},
};

/// Request in progress.
pub(super) struct Task {
    pub(super) ticket: Ticket,
    pub(super) request: Request,
    pub(super) clients: Clients,
    pub(super) store: StoreHandle,
    pub(super) metadata: MetadataCache,
    pub(super) reports: mpsc::Sender<Report>,
    pub(super) cancel: CancellationToken,
}

impl Task {
    /// Runs the request until its reply or its cancellation.
    pub(super) async fn run(self) {
        let (collector, mut news) = Collector::new(self.ticket.clone());
        let collector = Arc::new(collector);
        let clients = self.clients.observed(&collector);
        let is_cancelled = tokio::select! {
            // In this order: a cancelled request must not send a finished reply.
            biased;
            () = self.cancel.cancelled() => true,
            () = self.work(clients, &collector, &mut news) => false,
        };
        if is_cancelled {
            // The dropped request recorded its cancelled exchange. Do not wait for a slow reader: the client's log has
            // the exchange.
            while let Ok(report) = news.try_recv() {
                if matches!(report, Report::Exchange(_)) {
                    let _ = self.reports.try_send(report);
                }
            }
        }
    }

    async fn work(&self, clients: Clients, collector: &Collector, news: &mut mpsc::UnboundedReceiver<Report>) {
        let url = clients.url(&self.request);
        let result = {
            let tell = |rows, total| collector.progress(rows, total);
            let answer = answer::fetch(&clients, &self.store, &self.metadata, &self.request, tell);
            let mut request = pin!(guard(url, answer));
            loop {
                tokio::select! {
                    biased;
                    Some(report) = news.recv() => self.report(report).await,
                    result = &mut request => break result,
                }
            }
        };
        while let Ok(report) = news.try_recv() {
            self.report(report).await;
        }
        self.report(Report::Reply(self.ticket.clone(), result)).await;
    }

    async fn report(&self, report: Report) {
        // A closed channel means that the explorer is ending.
        let _ = self.reports.send(report).await;
    }
}

/// Turns a panic into an error, so that the waiting pane does not hang; the panic hook has reported it.
async fn guard(url: Arc<str>, request: impl Future<Output = Result<Answer, ApiError>>) -> Result<Answer, ApiError> {
    match AssertUnwindSafe(request).catch_unwind().await {
        Ok(result) => result,
        Err(panic) => {
            let detail = format!("rollscope failed while it read the response: {}", words(panic.as_ref()));
            let kind = ErrorKind::BadShape { path: "unknown location".to_owned(), detail };
            Err(ApiError { kind, url, body: None })
        }
    }
}

fn words(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no reason given")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_becomes_an_error_that_names_it() {
        let error = guard("http://host/x".into(), async { panic!("boom {}", 7) }).await.unwrap_err();
        assert!(error.to_string().contains("boom 7"), "{error}");
        assert!(!error.is_transient());
    }
}
