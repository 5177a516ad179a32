//! Recorder of a client's HTTP exchanges, and the log of recent exchanges.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::Response;
use tokio::{sync::OwnedSemaphorePermit, time};

use super::{
    answer_meter::LARGE, failure::classify_transport, host_limit::HostPermit, options::Observer,
    transport::OutgoingRequest,
};
use crate::{
    domain::Timestamp,
    wire::{ErrorKind, Exchange, ExchangeOutcome, ServerInterface},
};

/// Recent exchanges, oldest first; bounded in number and in bytes of stored bodies.
#[derive(Debug, Default)]
pub struct ExchangeLog(Mutex<Ring>);

#[derive(Debug, Default)]
struct Ring {
    exchanges: VecDeque<Arc<Exchange>>,
    bytes: usize,
}

impl ExchangeLog {
    /// Maximum number of exchanges.
    pub const CAPACITY: usize = 500;

    /// Maximum bytes of all stored bodies.
    pub const BYTE_CAPACITY: usize = 8 << 20;

    /// Returns the stored exchanges, oldest first.
    pub fn snapshot(&self) -> Vec<Arc<Exchange>> {
        self.ring().exchanges.iter().cloned().collect()
    }

    /// Appends an exchange and drops the oldest exchanges beyond the limits.
    pub fn push(&self, exchange: Arc<Exchange>) {
        let mut ring = self.ring();
        ring.bytes += weight(&exchange);
        ring.exchanges.push_back(exchange);
        while ring.exchanges.len() > Self::CAPACITY || ring.bytes > Self::BYTE_CAPACITY {
            let Some(oldest) = ring.exchanges.pop_front() else { break };
            ring.bytes -= weight(&oldest);
        }
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        // No code here panics while the ring is inconsistent, so a poisoned lock holds an intact ring.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn weight(exchange: &Exchange) -> usize {
    exchange.body.len() + exchange.sent.len()
}

/// Numbers the exchanges of all clients that share this recorder, and keeps the recent exchanges.
pub(super) struct ExchangeRecorder {
    pub(super) log: ExchangeLog,
    ids: AtomicU64,
}

impl Default for ExchangeRecorder {
    fn default() -> Self {
        Self { log: ExchangeLog::default(), ids: AtomicU64::new(1) }
    }
}

/// Limits of reading a body.
#[derive(Clone, Copy)]
pub(super) struct ReadLimits<'a> {
    /// Maximum bytes of the body, after decompression.
    pub(super) cap: u64,
    /// Permit of the request at its host.
    pub(super) permit: Option<&'a HostPermit>,
    /// Time of the whole exchange, and its end without waits for turns.
    pub(super) timeout: Duration,
    pub(super) deadline: time::Instant,
}

/// Exchange in progress; dropping it records a cancelled exchange.
pub(super) struct PendingExchange<'a> {
    recorder: &'a ExchangeRecorder,
    observer: Option<&'a dyn Observer>,
    pub(super) server: Option<ServerInterface>,
    request: OutgoingRequest,
    at: Timestamp,
    started: Instant,
    pub(super) status: Option<u16>,
    /// Decompressed body as received until now.
    pub(super) body: Vec<u8>,
    /// URL of the last redirect that was followed.
    pub(super) redirected: Option<String>,
    /// Turn to read a large body.
    pub(super) turn: Option<OwnedSemaphorePermit>,
    is_written: bool,
}

impl<'a> PendingExchange<'a> {
    /// Starts an exchange at the current time.
    pub(super) fn begin(
        recorder: &'a ExchangeRecorder,
        request: &OutgoingRequest,
        observer: Option<&'a dyn Observer>,
    ) -> Self {
        Self {
            recorder,
            observer,
            server: None,
            request: request.clone(),
            at: Timestamp::now(),
            started: Instant::now(),
            status: None,
            body: Vec::new(),
            redirected: None,
            turn: None,
            is_written: false,
        }
    }

    /// Reads and decompresses the body until its end or the cap; a large body waits for its turns.
    pub(super) async fn read(&mut self, response: &mut Response, limits: ReadLimits<'_>) -> Result<(), ErrorKind> {
        let ReadLimits { cap, permit, timeout, mut deadline } = limits;
        if response.content_length().is_some_and(|length| length > cap) {
            return Err(ErrorKind::TooLarge(cap));
        }
        while let Some(chunk) = time::timeout_at(deadline, response.chunk())
            .await
            .map_err(|_| ErrorKind::Timeout(timeout))?
            .map_err(|error| classify_transport(&error, false))?
        {
            self.body.extend_from_slice(&chunk);
            if self.body.len() as u64 > cap {
                return Err(ErrorKind::TooLarge(cap));
            }
            let begun = Instant::now();
            if self.await_turns(chunk.len(), permit).await? {
                // Nobody else is to blame for the wait.
                deadline += begun.elapsed();
                let rest = response.content_length().unwrap_or(0).saturating_sub(self.body.len() as u64);
                self.body.reserve_exact(usize::try_from(rest).unwrap_or(0));
            }
        }
        Ok(())
    }

    /// Waits for the turns that a body needs which these bytes made large; false if it needs none.
    async fn await_turns(&mut self, bytes: usize, permit: Option<&HostPermit>) -> Result<bool, ErrorKind> {
        let meter = self.request.meter.as_ref().filter(|meter| meter.add(bytes));
        if let Some(meter) = meter {
            let _lent = permit.map(HostPermit::lend);
            meter.enter().await?;
        }
        // In this order: a reader at the host waits for nothing but the host.
        let permit = permit.filter(|_| self.turn.is_none() && self.body.len() > LARGE);
        if let Some(permit) = permit {
            self.turn = permit.enter_large().await;
        }
        Ok(meter.is_some() || permit.is_some())
    }

    /// Records the exchange; returns the whole body and its stored, capped text.
    pub(super) fn finish(mut self, failure: Option<&ErrorKind>) -> (Vec<u8>, Arc<str>) {
        let outcome = match (failure, self.status) {
            (Some(ErrorKind::Offline { detail, .. }), _) => ExchangeOutcome::Failed(detail.clone()),
            (Some(ErrorKind::Timeout(after)), _) => {
                ExchangeOutcome::Failed(format!("no response within {} s", after.as_secs_f32()))
            }
            (_, Some(status)) => ExchangeOutcome::Status(status),
            (_, None) => ExchangeOutcome::Failed("no response".to_owned()),
        };
        let shown = self.write(outcome);
        if failure.is_some() {
            self.unmeter();
        }
        (std::mem::take(&mut self.body), shown)
    }

    /// Removes a dropped body from the meter.
    fn unmeter(&self) {
        if let Some(meter) = &self.request.meter {
            meter.remove(self.body.len());
        }
    }

    fn write(&mut self, outcome: ExchangeOutcome) -> Arc<str> {
        self.is_written = true;
        let start = self.body.get(..Exchange::BODY_CAP).unwrap_or(&self.body);
        // Do not store a picture as text.
        let start = if start.contains(&0) { b"" } else { start };
        let body: Arc<str> = String::from_utf8_lossy(start).into();
        let exchange = Arc::new(Exchange {
            id: self.recorder.ids.fetch_add(1, Ordering::Relaxed),
            server: self.server,
            method: self.request.method(),
            url: Arc::clone(&self.request.url),
            sent: self.request.kept(),
            at: self.at,
            elapsed: self.started.elapsed(),
            outcome,
            bytes: self.body.len() as u64,
            body: Arc::clone(&body),
        });
        self.recorder.log.push(Arc::clone(&exchange));
        if let Some(observer) = self.observer {
            observer.exchange(&exchange);
        }
        body
    }
}

impl Drop for PendingExchange<'_> {
    fn drop(&mut self) {
        if !self.is_written {
            self.write(ExchangeOutcome::Cancelled);
            self.unmeter();
        }
    }
}
