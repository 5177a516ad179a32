//! Client of the routing API (`docs/apis/router.md`).

use std::sync::Arc;

use reqwest::{StatusCode, header::HeaderMap};
use serde::{Serialize, de::DeserializeOwned};

use super::{
    base_url::{BaseUrl, BaseUrlError},
    decoding, endpoints,
    exchanges::{ExchangeLog, ExchangeRecorder},
    failure::{content_type, is_web_page, reason_or_sentence, redirection, retry_after, sentence},
    indexer::IndexerClient,
    options::{ClientOptions, Observer},
    target::{Endpoint, RequestTarget},
    transport::{ReceivedBody, Transport},
};
use crate::{
    domain::{ChainId, Timestamp},
    wire::{
        ApiError, ErrorKind, ServerInterface, Verbatim,
        router::{
            AssetsResponse, BalancesRequest, BalancesResponse, Broadcast, BroadcastRequest, ChainInfo, DemoInfo,
            MsgsRequest, MsgsResponse, OpHook, OpHookRequest, ReachRequest, ReachResponse, Refusal, Route, RouteMisfit,
            RouteRequest, SignedOpHook, TrackRequest, TrackResponse, TransferStatus,
        },
    },
};

/// Client of one routing API. Clones share connections and the exchange log.
///
/// Creating a client performs no I/O. Methods need a tokio runtime; dropping their future cancels the request. All
/// requests except [`RouterClient::demo_sign`] and [`RouterClient::demo_broadcast`] are idempotent, and the client
/// retries them after transient failures. Its waits are four times those of an indexer's client: routers share one rate
/// limit among all callers (`docs/apis/router.md` §13, trap 36).
#[derive(Clone)]
pub struct RouterClient {
    transport: Arc<Transport>,
    /// Options with longer timeouts, for endpoints that compute each response.
    thorough: Arc<ClientOptions>,
    observer: Option<Arc<dyn Observer>>,
}

impl RouterClient {
    /// Creates a client; see [`BaseUrl::with_keys`].
    pub fn new(base_url: &str, options: ClientOptions) -> Result<Self, BaseUrlError> {
        Self::with_recorder(base_url, options, Arc::default())
    }

    fn with_recorder(
        base_url: &str,
        options: ClientOptions,
        recorder: Arc<ExchangeRecorder>,
    ) -> Result<Self, BaseUrlError> {
        let base = BaseUrl::with_keys(base_url)?;
        let options = ClientOptions { first_wait: options.first_wait * 4, ..options };
        let longer = |time: std::time::Duration| time + time / 2;
        let thorough =
            ClientOptions { timeout: longer(options.timeout), budget: longer(options.budget), ..options.clone() };
        let transport =
            Transport::new(base, options).with_classifier(classify, recorder).named(ServerInterface::Router);
        Ok(Self { transport: Arc::new(transport), thorough: Arc::new(thorough), observer: None })
    }

    /// Returns a client that reports its requests to this observer.
    #[must_use]
    pub fn observed(&self, observer: Arc<dyn Observer>) -> Self {
        Self { observer: Some(observer), ..self.clone() }
    }

    pub fn base_url(&self) -> &BaseUrl {
        &self.transport.base
    }

    /// Returns the recent exchanges of this client, its clones, and the indexer's client that shares the log.
    pub fn exchanges(&self) -> &ExchangeLog {
        &self.transport.recorder.log
    }

    pub async fn one<W: DeserializeOwned + Send + 'static, T>(&self, endpoint: Endpoint<W, T>) -> Result<T, ApiError> {
        let answer = decoding::decode(self.ask(&endpoint.target).await?).await?;
        Ok((endpoint.value)(answer))
    }

    /// Requests an endpoint; returns the value with its JSON.
    pub async fn verbatim<W: DeserializeOwned>(&self, endpoint: Endpoint<W>) -> Result<Verbatim<W>, ApiError> {
        decoding::decode_verbatim(&self.ask(&endpoint.target).await?)
    }

    /// Requests a body exactly as received; fails if it is not JSON.
    pub async fn raw(&self, target: impl Into<RequestTarget>) -> Result<Vec<u8>, ApiError> {
        decoding::body_of(self.ask(&target.into()).await?)
    }

    pub async fn chains(&self) -> Result<Vec<ChainInfo>, ApiError> {
        self.one(endpoints::chains()).await
    }

    /// Requests the assets of these chains; without chains, the assets of all chains, a large response.
    pub async fn assets(&self, chains: &[ChainId]) -> Result<AssetsResponse, ApiError> {
        if chains.is_empty() {
            return self.one(endpoints::assets(None)).await;
        }
        let mut all = AssetsResponse::default();
        for chain in chains {
            all.chain_to_assets_map.extend(self.one(endpoints::assets(Some(chain))).await?.chain_to_assets_map);
        }
        Ok(all)
    }

    /// Requests the best route. [`ErrorKind::NoRoute`], [`ErrorKind::UnsafeRoute`] and [`ErrorKind::Notice`] are
    /// answers. A route that does not fit the request is an error.
    pub async fn route(&self, request: &RouteRequest) -> Result<Verbatim<Route>, ApiError> {
        let received = self.ask(&endpoints::route(request).target).await?;
        let route: Verbatim<Route> = decoding::decode_verbatim(&received)?;
        let misfit = |misfit: RouteMisfit| ErrorKind::AnotherQuestion(misfit.to_string());
        route.value.check_answer(request).map_err(|found| decoding::error(&received, misfit(found)))?;
        Ok(route)
    }

    pub async fn balances(&self, request: &BalancesRequest) -> Result<BalancesResponse, ApiError> {
        self.one(endpoints::router_balances(request)).await
    }

    pub async fn assets_from_source(&self, request: &ReachRequest) -> Result<ReachResponse, ApiError> {
        self.one(endpoints::assets_from_source(request)).await
    }

    /// Requests the hook to sign before the messages of a route that requires a hook.
    pub async fn op_hook(&self, request: &OpHookRequest) -> Result<Verbatim<OpHook>, ApiError> {
        self.verbatim(endpoints::op_hook(request)).await
    }

    /// Requests the messages to sign and broadcast for a route.
    pub async fn msgs(&self, request: &MsgsRequest) -> Result<Verbatim<MsgsResponse>, ApiError> {
        self.verbatim(endpoints::msgs(request)).await
    }

    /// Registers a transaction for tracking. [`ErrorKind::Untracked`] is normal in the first seconds after the
    /// broadcast.
    pub async fn track(&self, request: &TrackRequest) -> Result<TrackResponse, ApiError> {
        self.one(endpoints::track(request)).await
    }

    /// Tracks an abandoned transaction again: through the router's retry endpoint, else as a new transaction.
    pub async fn track_again(&self, request: &TrackRequest) -> Result<TrackResponse, ApiError> {
        match self.one(endpoints::retry_track(request)).await {
            Err(error) if error.is_not_found() || error.is_missing_part() => self.track(request).await,
            answered => answered,
        }
    }

    /// Requests the status of a transaction's transfers; [`ErrorKind::Untracked`] if the router does not track it.
    pub async fn status(&self, request: &TrackRequest) -> Result<Verbatim<TransferStatus>, ApiError> {
        self.verbatim(endpoints::transfer_status(request)).await
    }

    /// Requests the embedded rollup's description; `None` if the server has no demo.
    pub async fn demo(&self) -> Result<Option<DemoInfo>, ApiError> {
        match self.one(endpoints::demo()).await {
            Err(ApiError {
                kind: ErrorKind::NotFound(_) | ErrorKind::Rejected { .. } | ErrorKind::NotJson { .. },
                ..
            }) => Ok(None),
            answered => answered.map(Some),
        }
    }

    /// Signs a hook with the demo wallet.
    pub async fn demo_sign(&self, hook: &(impl Serialize + Sync)) -> Result<SignedOpHook, ApiError> {
        self.one(endpoints::demo_sign(hook)).await
    }

    /// Signs and broadcasts a transaction from a response of [`RouterClient::msgs`] with the demo wallet. Never
    /// retried: after a timeout the wallet may have broadcast the transaction.
    pub async fn demo_broadcast(&self, request: &BroadcastRequest) -> Result<Broadcast, ApiError> {
        self.one(endpoints::demo_broadcast(request)).await
    }

    /// Claims on the L1, with the demo wallet, the OPinit withdrawal that the transaction started.
    pub async fn demo_claim(&self, started: &TrackRequest) -> Result<Broadcast, ApiError> {
        self.one(endpoints::demo_claim(started)).await
    }

    async fn ask(&self, target: &RequestTarget) -> Result<ReceivedBody, ApiError> {
        self.transport.ask(target, Some(&self.thorough), self.observer.as_deref()).await
    }
}

impl IndexerClient {
    /// Creates a client of another routing API with these options and this exchange log.
    pub fn beside(&self, router_url: &str) -> Result<RouterClient, BaseUrlError> {
        let transport = &self.shared.transport;
        RouterClient::with_recorder(router_url, transport.options.clone(), Arc::clone(&transport.recorder))
    }
}

/// Classifies an error status. Routers put their message into different fields.
fn classify(status: StatusCode, headers: &HeaderMap, body: &[u8], now: Timestamp) -> ErrorKind {
    let code = status.as_u16();
    let refusal = Refusal::read(body).filter(|_| !is_web_page(headers, body)).unwrap_or_default();
    let said = || match refusal.sentence.as_received() {
        "" => reason_or_sentence(status, headers, body),
        text => sentence(status, text.as_bytes()),
    };
    match code {
        429 => ErrorKind::RateLimited(retry_after(headers, now)),
        _ if !refusal.info.is_empty() => {
            ErrorKind::Notice(sentence(status, refusal.info.as_received().as_bytes()).into())
        }
        _ if refusal.is_unsafe() => ErrorKind::UnsafeRoute(said().into()),
        _ if refusal.is_no_route() => ErrorKind::NoRoute(said().into()),
        404 if is_web_page(headers, body) => ErrorKind::NotJson { content_type: content_type(headers).into() },
        // A response without a JSON message means a missing path, not a missing record.
        404 if refusal.sentence.is_empty() || refusal.sentence.as_received().starts_with("Cannot ") => {
            ErrorKind::Rejected { status: code, sentence: said().into() }
        }
        404 => ErrorKind::NotFound(said().into()),
        500.. => ErrorKind::Server { status: code, sentence: said().into() },
        300..400 => ErrorKind::Rejected { status: code, sentence: redirection(headers).into() },
        _ => ErrorKind::Rejected { status: code, sentence: said().into() },
    }
}
