//! One try: connect, stream the body under a cap and a timeout, record the exchange.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::{Client, Response, redirect};
use tokio::sync::OnceCell;

use super::{
    BaseUrl, ClientOptions, ExchangeLog, Observer,
    failure::{Failure, classify_status, classify_transport, content_type, retry_after},
};
use crate::{
    domain::Timestamp,
    wire::{ApiError, ErrorKind, Exchange, ExchangeOutcome, Step},
};

const USER_AGENT: &str = concat!("rollscope/", env!("CARGO_PKG_VERSION"));

/// Redirects followed at the most; past them the redirect itself is the answer.
const REDIRECTS: usize = 4;

/// What a try needs and what all tries share.
pub(super) struct Transport {
    pub(super) base: BaseUrl,
    pub(super) options: ClientOptions,
    pub(super) log: ExchangeLog,
    http: OnceCell<Client>,
    ids: AtomicU64,
}

/// A successful answer.
pub(super) struct Received {
    pub(super) url: Arc<str>,
    pub(super) content_type: String,
    pub(super) body: Vec<u8>,
}

impl Transport {
    pub(super) fn new(base: BaseUrl, options: ClientOptions) -> Self {
        Self { base, options, log: ExchangeLog::default(), http: OnceCell::new(), ids: AtomicU64::new(1) }
    }

    /// Asks once. Dropping the future records the exchange as cancelled.
    pub(super) async fn attempt(
        &self,
        url: &Arc<str>,
        timeout: Duration,
        observer: Option<&dyn Observer>,
    ) -> Result<Received, Failure> {
        let mut record = Record::begin(self, url, observer);
        let result = match tokio::time::timeout(timeout, self.exchange(url, &mut record)).await {
            Ok(result) => result,
            Err(_) => Err((ErrorKind::Timeout(timeout), None)),
        };
        match result {
            Ok(content_type) => Ok(Received { url: Arc::clone(url), content_type, body: record.finish(None).0 }),
            Err((kind, retry_after)) => {
                let (_, shown) = record.finish(Some(&kind));
                let error = ApiError { kind, url: Arc::clone(url), body: (!shown.is_empty()).then_some(shown) };
                Err(Failure { error, retry_after })
            }
        }
    }

    /// The exchange itself; leaves status and body in the record and returns the media type of a success.
    async fn exchange(&self, url: &Arc<str>, record: &mut Record<'_>) -> Result<String, (ErrorKind, Option<Duration>)> {
        let broken = |error: reqwest::Error| (classify_transport(&error, url.starts_with("https:")), None);
        let http = self.http.get_or_try_init(|| build(&self.base, &self.options)).await.map_err(|kind| (kind, None))?;
        let mut response = http.get(url.as_ref()).send().await.map_err(broken)?;
        let status = response.status();
        record.status = Some(status.as_u16());
        self.read(&mut response, record).await?;
        let headers = response.headers();
        if status.is_success() {
            return Ok(content_type(headers));
        }
        let now = Timestamp::now();
        Err((classify_status(status, headers, &record.body, now), retry_after(headers, now)))
    }

    async fn read(
        &self,
        response: &mut Response,
        record: &mut Record<'_>,
    ) -> Result<(), (ErrorKind, Option<Duration>)> {
        let cap = self.options.body_cap;
        let too_large = || (ErrorKind::TooLarge(cap), None);
        if response.content_length().is_some_and(|length| length > cap) {
            return Err(too_large());
        }
        loop {
            let chunk = response.chunk().await.map_err(|error| (classify_transport(&error, false), None))?;
            let Some(chunk) = chunk else { return Ok(()) };
            record.body.extend_from_slice(&chunk);
            if record.body.len() as u64 > cap {
                return Err(too_large());
            }
        }
    }
}

/// Builds the HTTP client, off the runtime's threads because reading the system's root certificates takes a while.
async fn build(base: &BaseUrl, options: &ClientOptions) -> Result<Client, ErrorKind> {
    let unusable = |detail: String| ErrorKind::Offline { step: Step::Tls, detail };
    let uses_proxy = options.system_proxy && !base.is_loopback();
    // An open connection to this machine, such as the embedded rollup's, needs no certificates.
    let needs_roots = base.is_encrypted() || !base.is_loopback();
    let built = tokio::task::spawn_blocking(move || {
        let builder = Client::builder()
            .user_agent(USER_AGENT)
            .gzip(true)
            .tcp_nodelay(true)
            .redirect(redirect::Policy::custom(follow));
        let builder = if uses_proxy { builder } else { builder.no_proxy() };
        if needs_roots { builder.build() } else { builder.tls_certs_only([]).build() }
    });
    built.await.map_err(|error| unusable(error.to_string()))?.map_err(|error| unusable(error.to_string()))
}

/// Follows a few redirects, but never from an encrypted address to an open one.
fn follow(attempt: redirect::Attempt<'_>) -> redirect::Action {
    let was_encrypted = attempt.previous().last().is_some_and(|url| url.scheme() == "https");
    let downgrades = was_encrypted && attempt.url().scheme() != "https";
    if downgrades || attempt.previous().len() > REDIRECTS { attempt.stop() } else { attempt.follow() }
}

/// An exchange in the making; dropped unfinished, it becomes a cancelled one.
struct Record<'a> {
    transport: &'a Transport,
    observer: Option<&'a dyn Observer>,
    url: Arc<str>,
    at: Timestamp,
    started: Instant,
    status: Option<u16>,
    body: Vec<u8>,
    is_written: bool,
}

impl<'a> Record<'a> {
    fn begin(transport: &'a Transport, url: &Arc<str>, observer: Option<&'a dyn Observer>) -> Self {
        Self {
            transport,
            observer,
            url: Arc::clone(url),
            at: Timestamp::now(),
            started: Instant::now(),
            status: None,
            body: Vec::new(),
            is_written: false,
        }
    }

    /// Writes the exchange down; returns the whole body, and the capped text that was kept of it.
    fn finish(mut self, failure: Option<&ErrorKind>) -> (Vec<u8>, Arc<str>) {
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
        let body: Arc<str> = String::from_utf8_lossy(start).into();
        let exchange = Arc::new(Exchange {
            id: self.transport.ids.fetch_add(1, Ordering::Relaxed),
            method: "GET",
            url: Arc::clone(&self.url),
            at: self.at,
            elapsed: self.started.elapsed(),
            outcome,
            bytes: self.body.len() as u64,
            body: Arc::clone(&body),
        });
        self.transport.log.push(Arc::clone(&exchange));
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
