//! The exchanges of a client, written down as they end.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use reqwest::Response;

use super::{ExchangeLog, Observer, call::Call, failure::classify_transport};
use crate::{
    domain::Timestamp,
    wire::{ErrorKind, Exchange, ExchangeOutcome},
};

/// Where exchanges are written down.
pub(super) struct Book {
    pub(super) log: ExchangeLog,
    ids: AtomicU64,
}

impl Default for Book {
    fn default() -> Self {
        Self { log: ExchangeLog::default(), ids: AtomicU64::new(1) }
    }
}

/// An exchange in the making; dropped unfinished, it becomes a cancelled one.
pub(super) struct Record<'a> {
    book: &'a Book,
    observer: Option<&'a dyn Observer>,
    call: Call,
    at: Timestamp,
    started: Instant,
    /// The HTTP status, once it is known.
    pub(super) status: Option<u16>,
    /// What came of the body so far, decompressed.
    pub(super) body: Vec<u8>,
    is_written: bool,
}

impl<'a> Record<'a> {
    /// Begins one at this moment.
    pub(super) fn begin(book: &'a Book, call: &Call, observer: Option<&'a dyn Observer>) -> Self {
        Self {
            book,
            observer,
            call: call.clone(),
            at: Timestamp::now(),
            started: Instant::now(),
            status: None,
            body: Vec::new(),
            is_written: false,
        }
    }

    /// Takes in the body, decompressed, until it ends or is larger than the cap.
    pub(super) async fn read(&mut self, response: &mut Response, cap: u64) -> Result<(), ErrorKind> {
        if response.content_length().is_some_and(|length| length > cap) {
            return Err(ErrorKind::TooLarge(cap));
        }
        while let Some(chunk) = response.chunk().await.map_err(|error| classify_transport(&error, false))? {
            self.body.extend_from_slice(&chunk);
            if self.body.len() as u64 > cap {
                return Err(ErrorKind::TooLarge(cap));
            }
        }
        Ok(())
    }

    /// Writes the exchange down; returns the whole body, and the capped text that was kept of it.
    pub(super) fn finish(mut self, failure: Option<&ErrorKind>) -> (Vec<u8>, Arc<str>) {
        let outcome = match (failure, self.status) {
            (Some(ErrorKind::Offline { detail, .. }), _) => ExchangeOutcome::Failed(detail.clone()),
            (Some(ErrorKind::Timeout(after)), _) => {
                ExchangeOutcome::Failed(format!("no answer within {} s", after.as_secs_f32()))
            }
            (_, Some(status)) => ExchangeOutcome::Status(status),
            (_, None) => ExchangeOutcome::Failed("no answer".to_owned()),
        };
        let shown = self.write(outcome);
        (std::mem::take(&mut self.body), shown)
    }

    fn write(&mut self, outcome: ExchangeOutcome) -> Arc<str> {
        self.is_written = true;
        let start = &self.body[..self.body.len().min(Exchange::BODY_CAP)];
        // Of a picture nobody could read the text.
        let start = if start.contains(&0) { b"" } else { start };
        let body: Arc<str> = String::from_utf8_lossy(start).into();
        let exchange = Arc::new(Exchange {
            id: self.book.ids.fetch_add(1, Ordering::Relaxed),
            method: self.call.method(),
            url: Arc::clone(&self.call.url),
            sent: self.call.kept(),
            at: self.at,
            elapsed: self.started.elapsed(),
            outcome,
            bytes: self.body.len() as u64,
            body: Arc::clone(&body),
        });
        self.book.log.push(Arc::clone(&exchange));
        if let Some(observer) = self.observer {
            observer.exchange(&exchange);
        }
        body
    }
}

impl Drop for Record<'_> {
    fn drop(&mut self) {
        if !self.is_written {
            self.write(ExchangeOutcome::Cancelled);
        }
    }
}
