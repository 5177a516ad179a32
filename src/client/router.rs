//! The client of the routing API (`docs/apis/router.md`).

use std::sync::Arc;

use reqwest::{StatusCode, header::HeaderMap};
use serde::de::DeserializeOwned;

use super::{
    BaseUrl, BaseUrlError, ClientOptions, ExchangeLog, IndexerClient, Observer, decoding,
    endpoints::{self, Endpoint, RequestTarget},
    exchanges::ExchangeRecorder,
    failure::{content_type, is_web_page, reason_or_sentence, redirection, retry_after, sentence},
    transport::{ReceivedBody, Transport},
};
use crate::{
    domain::{ChainId, Timestamp},
    wire::{
        ApiError, ErrorKind, RawJson, Verbatim,
        router::{
            AssetsResponse, BalancesRequest, BalancesResponse, Broadcast, BroadcastRequest, ChainInfo, DemoInfo,
            MsgsRequest, MsgsResponse, OpHook, OpHookRequest, ReachRequest, ReachResponse, Refusal, Route,
            RouteRequest, SignedOpHook, TrackRequest, TrackResponse, TransferStatus,
        },
    },
};

/// A client of one routing API. Clones share connections and the exchange log.
///
/// As with the indexer's client, creating one does nothing yet, methods need a tokio runtime, and dropping their future
/// cancels the request. Everything but
/// [`RouterClient::demo_sign`] and [`RouterClient::demo_broadcast`] may be asked twice without harm and is repeated
/// after a failure that may pass, four times slower than an indexer's requests: routers count those of all callers
/// together (`docs/apis/router.md` §13, trap 36).
#[derive(Clone)]
pub struct RouterClient {
    transport: Arc<Transport>,
    /// For what is searched or built anew by each request: half as patient again.
    thorough: Arc<ClientOptions>,
    observer: Option<Arc<dyn Observer>>,
}

impl RouterClient {
    /// A client of the server at this address; see [`BaseUrl::parse`].
    pub fn new(base_url: &str, options: ClientOptions) -> Result<Self, BaseUrlError> {
        Self::with_recorder(base_url, options, Arc::default())
    }

    fn with_recorder(
        base_url: &str,
        options: ClientOptions,
        recorder: Arc<ExchangeRecorder>,
    ) -> Result<Self, BaseUrlError> {
        let base = BaseUrl::parse(base_url)?;
        let options = ClientOptions { first_wait: options.first_wait * 4, ..options };
        let longer = |time: std::time::Duration| time + time / 2;
        let thorough =
            ClientOptions { timeout: longer(options.timeout), budget: longer(options.budget), ..options.clone() };
        let transport = Transport::new(base, options).with_classifier(classify, recorder);
        Ok(Self { transport: Arc::new(transport), thorough: Arc::new(thorough), observer: None })
    }

    /// The same client, whose requests are told to this observer.
    #[must_use]
    pub fn observed(&self, observer: Arc<dyn Observer>) -> Self {
        Self { observer: Some(observer), ..self.clone() }
    }

    /// The server's address.
    pub fn base_url(&self) -> &BaseUrl {
        &self.transport.base
    }

    /// The last exchanges of this client, its clones, and the indexer's client that it was made beside.
    pub fn exchanges(&self) -> &ExchangeLog {
        &self.transport.recorder.log
    }

    /// What an endpoint answers.
    pub async fn one<W: DeserializeOwned + Send + 'static, T>(&self, endpoint: Endpoint<W, T>) -> Result<T, ApiError> {
        let answer = decoding::decode(self.ask(&endpoint.target).await?).await?;
        Ok((endpoint.value)(answer))
    }

    /// What an endpoint answers, with its JSON.
    pub async fn verbatim<W: DeserializeOwned>(&self, endpoint: Endpoint<W>) -> Result<Verbatim<W>, ApiError> {
        decoding::decode_verbatim(&self.ask(&endpoint.target).await?)
    }

    /// The body of a successful answer exactly as received; that it is JSON is checked.
    pub async fn raw(&self, target: impl Into<RequestTarget>) -> Result<Vec<u8>, ApiError> {
        decoding::body_of(self.ask(&target.into()).await?)
    }

    /// The chains that can be routed to.
    pub async fn chains(&self) -> Result<Vec<ChainInfo>, ApiError> {
        self.one(endpoints::chains()).await
    }

    /// The assets of these chains; of all chains where none is named, which is a large answer.
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

    /// The best route. [`ErrorKind::NoRoute`], [`ErrorKind::UnsafeRoute`] and [`ErrorKind::Notice`] are answers.
    pub async fn route(&self, request: &RouteRequest) -> Result<Verbatim<Route>, ApiError> {
        self.verbatim(endpoints::route(request)).await
    }

    /// What accounts hold.
    pub async fn balances(&self, request: &BalancesRequest) -> Result<BalancesResponse, ApiError> {
        self.one(endpoints::router_balances(request)).await
    }

    /// What an asset can become.
    pub async fn assets_from_source(&self, request: &ReachRequest) -> Result<ReachResponse, ApiError> {
        self.one(endpoints::assets_from_source(request)).await
    }

    /// What must be signed before the messages of a route that requires a hook.
    pub async fn op_hook(&self, request: &OpHookRequest) -> Result<Verbatim<OpHook>, ApiError> {
        self.verbatim(endpoints::op_hook(request)).await
    }

    /// What is to be signed and broadcast for a route.
    pub async fn msgs(&self, request: &MsgsRequest) -> Result<Verbatim<MsgsResponse>, ApiError> {
        self.verbatim(endpoints::msgs(request)).await
    }

    /// Has a transaction watched. [`ErrorKind::Untracked`] is normal in the first seconds after the broadcast.
    pub async fn track(&self, request: &TrackRequest) -> Result<TrackResponse, ApiError> {
        self.one(endpoints::track(request)).await
    }

    /// Has a transaction that the router gave up on watched again: in its own way where it has one, else as at first.
    pub async fn track_again(&self, request: &TrackRequest) -> Result<TrackResponse, ApiError> {
        match self.one(endpoints::retry_track(request)).await {
            Err(error) if error.is_not_found() || error.is_missing_part() => self.track(request).await,
            answered => answered,
        }
    }

    /// How a transaction's transfers stand. [`ErrorKind::Untracked`] until it is watched.
    pub async fn status(&self, request: &TrackRequest) -> Result<Verbatim<TransferStatus>, ApiError> {
        self.verbatim(endpoints::transfer_status(request)).await
    }

    /// What the embedded rollup says of itself; `None` from a server that has no demo wallet to speak of.
    pub async fn demo(&self) -> Result<Option<DemoInfo>, ApiError> {
        match self.one(endpoints::demo()).await {
            Err(ApiError {
                kind: ErrorKind::NotFound(_) | ErrorKind::Rejected { .. } | ErrorKind::NotJson { .. },
                ..
            }) => Ok(None),
            answered => answered.map(Some),
        }
    }

    /// Has the demo wallet sign an answer of [`RouterClient::op_hook`], given verbatim.
    pub async fn demo_sign(&self, hook: &RawJson) -> Result<SignedOpHook, ApiError> {
        self.one(endpoints::demo_sign(hook)).await
    }

    /// Has the demo wallet sign and broadcast a transaction of an answer of [`RouterClient::msgs`]. Never repeated by
    /// itself: after a timeout it may have been sent all the same.
    pub async fn demo_broadcast(&self, request: &BroadcastRequest) -> Result<Broadcast, ApiError> {
        self.one(endpoints::demo_broadcast(request)).await
    }

    /// Has the demo wallet claim the optimistic withdrawal that a transaction started: the claim on the L1.
    pub async fn demo_claim(&self, started: &TrackRequest) -> Result<Broadcast, ApiError> {
        self.one(endpoints::demo_claim(started)).await
    }

    async fn ask(&self, target: &RequestTarget) -> Result<ReceivedBody, ApiError> {
        self.transport.ask(target, Some(&self.thorough), self.observer.as_deref()).await
    }
}

impl IndexerClient {
    /// A client of the routing API at this address, as patient as this one, whose exchanges go into the same log.
    pub fn beside(&self, router_url: &str) -> Result<RouterClient, BaseUrlError> {
        let transport = &self.shared.transport;
        RouterClient::with_recorder(router_url, transport.options.clone(), Arc::clone(&transport.recorder))
    }
}

/// What a status other than success means, with the router's sentence from whichever field has it.
fn classify(status: StatusCode, headers: &HeaderMap, body: &[u8], now: Timestamp) -> ErrorKind {
    let code = status.as_u16();
    let refusal = Refusal::read(body).filter(|_| !is_web_page(headers, body)).unwrap_or_default();
    let said = || match refusal.sentence.as_str() {
        "" => reason_or_sentence(status, headers, body),
        text => sentence(status, text.as_bytes()),
    };
    match code {
        429 => ErrorKind::RateLimited(retry_after(headers, now)),
        _ if !refusal.info.is_empty() => ErrorKind::Notice(sentence(status, refusal.info.as_bytes())),
        _ if refusal.is_unsafe() => ErrorKind::UnsafeRoute(said()),
        _ if refusal.is_no_route() => ErrorKind::NoRoute(said()),
        404 if is_web_page(headers, body) => ErrorKind::NotJson { content_type: content_type(headers) },
        // Without a sentence in JSON it is the address that is not there, not what was asked for.
        404 if refusal.sentence.is_empty() || refusal.sentence.starts_with("Cannot ") => {
            ErrorKind::Rejected { status: code, sentence: said() }
        }
        404 => ErrorKind::NotFound(said()),
        500.. => ErrorKind::Server { status: code, sentence: said() },
        300..400 => ErrorKind::Rejected { status: code, sentence: redirection(headers) },
        _ => ErrorKind::Rejected { status: code, sentence: said() },
    }
}
