//! One attempt of a request: connects, streams the body under a cap and a timeout, records the exchange.

use std::{sync::Arc, time::Duration};

use reqwest::{
    Client, ClientBuilder, RequestBuilder, Response, StatusCode, Url,
    header::{CONTENT_TYPE, HeaderMap, LOCATION},
    redirect,
};
use tokio::{
    sync::{OnceCell, OwnedSemaphorePermit, Semaphore},
    time::{self, Instant},
};

use super::{
    answer_meter::AnswerMeter,
    base_url::{BaseUrl, ExposedRequest},
    exchanges::{ExchangeRecorder, PendingExchange, ReadLimits},
    failure::{FailedTry, classify_status, classify_transport, content_type, retry_after},
    host_limit::{HostLimit, HostPermit},
    options::{ClientOptions, Observer},
    tls::http_client,
};
use crate::{
    domain::{Height, Timestamp},
    wire::{ApiError, ErrorKind, Exchange, ServerInterface, Step},
};

const USER_AGENT: &str = concat!("rollscope/", env!("CARGO_PKG_VERSION"));

/// HTTP header with the height of a state query, in requests and, by the gateway, in answers.
const BLOCK_HEIGHT: &str = "x-cosmos-block-height";
const GATEWAY_HEIGHT: &str = "grpc-metadata-x-cosmos-block-height";

/// Mark before a text in UTF-8 that some servers send.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Maximum redirects; the next redirect becomes the response.
pub(super) const REDIRECTS: usize = 4;

/// HTTP client, recorder and limits that all attempts share.
pub(super) struct Transport {
    pub(super) base: BaseUrl,
    pub(super) options: ClientOptions,
    pub(super) recorder: Arc<ExchangeRecorder>,
    classify: Classify,
    /// Interface of the network that this server is, for the exchange log.
    server: Option<ServerInterface>,
    /// Limit of concurrent requests to the host; `None` for no limit.
    limit: Option<Arc<HostLimit>>,
    http: OnceCell<Client>,
}

pub(super) type Classify = fn(StatusCode, &HeaderMap, &[u8], Timestamp) -> ErrorKind;

/// Outgoing request: a URL, and JSON for a POST or a PUT.
#[derive(Clone)]
pub(super) struct OutgoingRequest {
    pub(super) url: Arc<str>,
    sent: Option<Arc<str>>,
    is_put: bool,
    at: Option<Height>,
    pub(super) meter: Option<Arc<AnswerMeter>>,
}

impl OutgoingRequest {
    pub(super) fn get(url: &Arc<str>) -> Self {
        Self { url: Arc::clone(url), sent: None, is_put: false, at: None, meter: None }
    }

    pub(super) fn post(url: Arc<str>, json: String) -> Self {
        Self { url, sent: Some(json.into()), is_put: false, at: None, meter: None }
    }

    pub(super) fn at(self, height: Option<Height>) -> Self {
        Self { at: height, ..self }
    }

    pub(super) fn replacing(self, is_put: bool) -> Self {
        Self { is_put, ..self }
    }

    pub(super) fn metered(self, meter: Option<Arc<AnswerMeter>>) -> Self {
        Self { meter, ..self }
    }

    pub(super) fn is_post(&self) -> bool {
        self.sent.is_some()
    }

    pub(super) fn method(&self) -> &'static str {
        match self.is_post() {
            true if self.is_put => "PUT",
            true => "POST",
            false => "GET",
        }
    }

    /// Whether the request follows this redirect. A POST stays, and a GET stays on its server, where it may become
    /// encrypted: another server must not learn what is asked, or answer for this one.
    fn follows(&self, from: &Url, to: &Url) -> bool {
        let is_encryption = from.scheme() == "http" && to.scheme() == "https" && from.port().is_none();
        let is_same_port = from.port_or_known_default() == to.port_or_known_default();
        !self.is_post() && from.host() == to.host() && (is_same_port || is_encryption && to.port().is_none())
    }

    /// Returns the request body for the exchange log; empty above [`Exchange::SENT_CAP`] bytes.
    pub(super) fn kept(&self) -> Arc<str> {
        self.sent.clone().filter(|sent| sent.len() <= Exchange::SENT_CAP).unwrap_or_default()
    }

    /// Builds the request for its own URL or for that of a redirect.
    fn builder(&self, http: &Client, base: &BaseUrl, url: &str) -> RequestBuilder {
        let exposed = base.expose(url);
        let url = exposed.as_ref().map_or(url, |exposed| &exposed.url);
        let builder = match &self.sent {
            None => http.get(url),
            Some(json) => if self.is_put { http.put(url) } else { http.post(url) }
                .header(CONTENT_TYPE, "application/json")
                .body(json.as_bytes().to_vec()),
        };
        let builder = exposed.into_iter().fold(builder, |builder, ExposedRequest { headers, user, .. }| {
            let builder = headers.into_iter().fold(builder, |builder, (name, value)| builder.header(name, value));
            user.into_iter().fold(builder, |builder, (user, password)| builder.basic_auth(user, Some(password)))
        });
        match self.at {
            None => builder,
            Some(height) => builder.header(BLOCK_HEIGHT, height.to_string()),
        }
    }
}

pub(super) struct ReceivedBody {
    pub(super) url: Arc<str>,
    pub(super) content_type: String,
    pub(super) body: Vec<u8>,
    /// Height of the answered state, if the server tells it.
    pub(super) height: Option<Height>,
    /// Turn of a large body, until it is decoded.
    pub(super) _turn: Option<OwnedSemaphorePermit>,
}

impl Transport {
    pub(super) fn new(base: BaseUrl, options: ClientOptions) -> Self {
        let http = OnceCell::new();
        Self { base, options, recorder: Arc::default(), classify: classify_status, server: None, limit: None, http }
    }

    /// Uses the classifier of another API and the recorder of another client.
    pub(super) fn with_classifier(self, classify: Classify, recorder: Arc<ExchangeRecorder>) -> Self {
        Self { recorder, classify, ..self }
    }

    pub(super) fn named(self, server: ServerInterface) -> Self {
        Self { server: Some(server), ..self }
    }

    /// Returns the turns of records with large answers.
    pub(super) fn large_records(&self) -> Arc<Semaphore> {
        let shared = self.limit.as_ref().map(|limit| Arc::clone(&limit.large_records));
        shared.unwrap_or_else(|| Arc::new(Semaphore::new(1)))
    }

    /// Whether the server's host failed several times in a row.
    pub(super) fn is_away(&self) -> bool {
        self.limit.as_ref().is_some_and(|limit| limit.is_away())
    }

    /// Returns the rest of the pause that the host asked for.
    pub(super) fn pause(&self) -> Option<Duration> {
        self.limit.as_ref()?.pause()
    }

    pub(super) fn limited(self, limit: Arc<HostLimit>) -> Self {
        Self { limit: Some(limit), ..self }
    }

    /// Performs one attempt. Dropping the future records the exchange as cancelled.
    pub(super) async fn attempt(
        &self,
        request: &OutgoingRequest,
        timeout: Duration,
        observer: Option<&dyn Observer>,
    ) -> Result<ReceivedBody, FailedTry> {
        let permit = match &self.limit {
            Some(limit) => Some(limit.enter().await),
            None => None,
        };
        let url = &request.url;
        let mut pending = PendingExchange::begin(&self.recorder, request, observer);
        pending.server = self.server;
        let result = self.exchange(request, timeout, permit.as_ref(), &mut pending).await;
        let failed_at = pending.redirected.take().map(Arc::from);
        if let Some(permit) = permit {
            permit.heard(result.as_ref().err().map(|(kind, retry_after)| (kind, *retry_after)));
        }
        match result {
            Ok((content_type, height)) => {
                let turn = pending.turn.take();
                let mut body = pending.finish(None).0;
                if body.starts_with(BYTE_ORDER_MARK) {
                    body.drain(..BYTE_ORDER_MARK.len());
                }
                Ok(ReceivedBody { url: Arc::clone(url), content_type, body, height, _turn: turn })
            }
            Err((kind, retry_after)) => {
                let (_, shown) = pending.finish(Some(&kind));
                let url = failed_at.unwrap_or_else(|| Arc::clone(url));
                let error = ApiError { kind, url, body: (!shown.is_empty()).then_some(shown) };
                Err(FailedTry { error, retry_after })
            }
        }
    }

    /// Performs the exchange: stores status and body in it, and returns media type and height of a success.
    async fn exchange(
        &self,
        request: &OutgoingRequest,
        timeout: Duration,
        permit: Option<&HostPermit>,
        pending: &mut PendingExchange<'_>,
    ) -> Result<(String, Option<Height>), (ErrorKind, Option<Duration>)> {
        let deadline = Instant::now() + timeout;
        let base = &self.base;
        let sent = async { send(self.http.get_or_try_init(|| self.build()).await?, base, request, pending).await };
        let sent = time::timeout_at(deadline, sent).await.unwrap_or(Err(ErrorKind::Timeout(timeout)));
        let mut response = sent.map_err(|kind| (kind, None))?;
        let status = response.status();
        pending.status = Some(status.as_u16());
        let limits = ReadLimits { cap: self.options.body_cap, permit, timeout, deadline };
        pending.read(&mut response, limits).await.map_err(|kind| (kind, None))?;
        if base.has_secrets()
            && let Ok(text) = str::from_utf8(&pending.body)
        {
            pending.body = base.hide(text).into_bytes();
        }
        let headers = response.headers();
        if status.is_success() {
            let height = headers.get(GATEWAY_HEIGHT).or_else(|| headers.get(BLOCK_HEIGHT));
            let height = height.and_then(|height| height.to_str().ok()?.parse().ok()).and_then(Height::new);
            return Ok((content_type(headers), height));
        }
        let now = Timestamp::now();
        Err(((self.classify)(status, headers, &pending.body, now), retry_after(headers, now)))
    }

    async fn build(&self) -> Result<Client, ErrorKind> {
        let uses_proxy = self.options.system_proxy && !self.base.is_loopback();
        // An unencrypted connection to this machine, such as to the embedded rollup, needs no certificates.
        let needs_roots = self.base.is_encrypted() || !self.base.is_loopback();
        let connect_timeout = self.options.connect_timeout;
        build(move |builder| {
            let builder = builder.redirect(redirect::Policy::none());
            let builder = if uses_proxy { builder } else { builder.no_proxy() };
            let builder = if needs_roots { builder } else { builder.tls_certs_only([]) };
            match connect_timeout {
                Some(timeout) => builder.connect_timeout(timeout),
                None => builder,
            }
        })
        .await
    }
}

/// Builds an HTTP client on a blocking thread, because loading the system's root certificates is slow.
pub(super) async fn build(
    configure: impl FnOnce(ClientBuilder) -> ClientBuilder + Send + 'static,
) -> Result<Client, ErrorKind> {
    let unusable = |detail: String| ErrorKind::Offline { step: Step::Tls, detail };
    let work = || configure(http_client().user_agent(USER_AGENT).gzip(true).tcp_nodelay(true)).build();
    let made = tokio::task::spawn_blocking(work).await;
    made.map_err(|error| unusable(error.to_string()))?.map_err(|error| unusable(error.to_string()))
}

/// Sends the request and follows its redirects; the exchange names the URL that failed.
async fn send(
    http: &Client,
    base: &BaseUrl,
    request: &OutgoingRequest,
    pending: &mut PendingExchange<'_>,
) -> Result<Response, ErrorKind> {
    let mut redirects = 0;
    loop {
        let url = pending.redirected.as_deref().unwrap_or(&request.url);
        let sent = request.builder(http, base, url).send().await;
        let response = sent.map_err(|error| classify_transport(&error, url.starts_with("https:")))?;
        let next = redirect_target(&response);
        // Keys go to the address that they belong to.
        let may_follow = redirects < REDIRECTS && !base.has_secrets();
        let next = next.filter(|next| may_follow && request.follows(response.url(), next));
        let Some(next) = next else { return Ok(response) };
        pending.redirected = Some(next.into());
        redirects += 1;
    }
}

/// Returns the URL to which a response redirects; `None` also for a redirect from https to http.
pub(super) fn redirect_target(response: &Response) -> Option<Url> {
    let target = response.headers().get(LOCATION).filter(|_| response.status().is_redirection())?;
    let next = response.url().join(target.to_str().ok()?).ok()?;
    let is_web = next.scheme() == "https" || (next.scheme() == "http" && response.url().scheme() == "http");
    is_web.then_some(next)
}
