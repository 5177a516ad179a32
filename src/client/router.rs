//! The client of the routing API (`spec/routing-api.md`; reality in `wire/router.md`).

mod refusal;

use std::sync::Arc;

use reqwest::Url;
use serde::Serialize;

use super::{
    BaseUrl, BaseUrlError, ClientOptions, ExchangeLog, IndexerClient, Observer,
    call::Call,
    record::Book,
    retry::Repeat,
    shape,
    transport::{Received, Transport},
};
use crate::{
    domain::ChainId,
    wire::{
        ApiError, ErrorKind, RawJson, Verbatim,
        router::{
            AssetsResponse, Broadcast, BroadcastRequest, ChainInfo, ChainsResponse, DemoInfo, MsgsRequest,
            MsgsResponse, OpHook, OpHookRequest, Route, RouteRequest, SignedOpHook, TrackRequest, TrackResponse,
            TransferStatus,
        },
    },
};

const ROUTE: &str = "/v2/fungible/route";
/// Without a version, unlike the others.
const OP_HOOK: &str = "/op-hook";
const MSGS: &str = "/v2/fungible/msgs";
const TRACK: &str = "/v2/tx/track";
const RETRY_TRACK: &str = "/v2/tx/retry_track";
const STATUS: &str = "/v2/tx/status";
const CHAINS: &str = "/v2/info/chains";
const ASSETS: &str = "/v2/fungible/assets";
const DEMO: &str = "/demo/v1";
const DEMO_SIGN: &str = "/demo/v1/sign";
const DEMO_BROADCAST: &str = "/demo/v1/broadcast";

/// A client of one routing API. Clones share connections and the exchange log.
///
/// As with the indexer's client, creating one does nothing yet, methods need a tokio runtime, dropping their future
/// cancels the request, and the `*_raw` forms return a successful answer's body exactly as received. Everything but
/// [`RouterClient::demo_sign`] and [`RouterClient::demo_broadcast`] may be asked twice without harm and is repeated
/// after a failure that may pass, four times slower than an indexer's requests: routers count those of all callers
/// together (`wire/router.md` §13, trap 36).
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
        Self::with_book(base_url, options, Arc::default())
    }

    fn with_book(base_url: &str, options: ClientOptions, book: Arc<Book>) -> Result<Self, BaseUrlError> {
        let base = BaseUrl::parse(base_url)?;
        let options = ClientOptions { first_wait: options.first_wait * 4, ..options };
        let longer = |time: std::time::Duration| time + time / 2;
        let thorough =
            ClientOptions { timeout: longer(options.timeout), budget: longer(options.budget), ..options.clone() };
        let transport = Transport::new(base, options).speaking(refusal::classify, book);
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
        &self.transport.book.log
    }

    /// The chains that can be routed to.
    pub async fn chains(&self) -> Result<Vec<ChainInfo>, ApiError> {
        let answer: ChainsResponse = shape::decode(self.get(CHAINS, &[]).await?).await?;
        Ok(answer.chains)
    }

    /// The assets of these chains; of all chains where none is named, which is a large answer. Each chain is asked for
    /// alone: servers disagree on how several are written.
    pub async fn assets(&self, chains: &[ChainId]) -> Result<AssetsResponse, ApiError> {
        if chains.is_empty() {
            return shape::decode(self.get(ASSETS, &[]).await?).await;
        }
        let mut all = AssetsResponse::default();
        for chain in chains {
            let answer = self.get(ASSETS, &[("chain_ids", chain.as_str())]).await?;
            let answer: AssetsResponse = shape::decode(answer).await?;
            all.chain_to_assets_map.extend(answer.chain_to_assets_map);
        }
        Ok(all)
    }

    /// The best route. Whether unsafe ones count is always said: they do where the request leaves it open, as the
    /// specification has it. [`ErrorKind::NoRoute`], [`ErrorKind::UnsafeRoute`] and [`ErrorKind::Notice`] are answers.
    pub async fn route(&self, request: &RouteRequest) -> Result<Verbatim<Route>, ApiError> {
        shape::decode_verbatim(&self.ask_route(request).await?)
    }

    /// The body of the best route.
    pub async fn route_raw(&self, request: &RouteRequest) -> Result<Vec<u8>, ApiError> {
        body_of(self.ask_route(request).await?)
    }

    async fn ask_route(&self, request: &RouteRequest) -> Result<Received, ApiError> {
        let request = RouteRequest { allow_unsafe: request.allow_unsafe.or(Some(true)), ..request.clone() };
        let answered = self.post(ROUTE, &request, &self.thorough, Repeat::Passing).await;
        answered.map_err(|error| not_found_as(error, ErrorKind::NoRoute))
    }

    /// What must be signed before the messages of a route that requires a hook.
    pub async fn op_hook(&self, request: &OpHookRequest) -> Result<Verbatim<OpHook>, ApiError> {
        shape::decode_verbatim(&self.post(OP_HOOK, request, &self.thorough, Repeat::Passing).await?)
    }

    /// The body of what must be signed.
    pub async fn op_hook_raw(&self, request: &OpHookRequest) -> Result<Vec<u8>, ApiError> {
        body_of(self.post(OP_HOOK, request, &self.thorough, Repeat::Passing).await?)
    }

    /// What is to be signed and broadcast for a route.
    pub async fn msgs(&self, request: &MsgsRequest) -> Result<Verbatim<MsgsResponse>, ApiError> {
        shape::decode_verbatim(&self.post(MSGS, request, &self.thorough, Repeat::Passing).await?)
    }

    /// The body of what is to be signed.
    pub async fn msgs_raw(&self, request: &MsgsRequest) -> Result<Vec<u8>, ApiError> {
        body_of(self.post(MSGS, request, &self.thorough, Repeat::Passing).await?)
    }

    /// Has a transaction watched. [`ErrorKind::Untracked`] is normal in the first seconds after the broadcast.
    pub async fn track(&self, request: &TrackRequest) -> Result<TrackResponse, ApiError> {
        shape::decode(self.ask_track(TRACK, request).await?).await
    }

    /// The body of the answer to a registration.
    pub async fn track_raw(&self, request: &TrackRequest) -> Result<Vec<u8>, ApiError> {
        body_of(self.ask_track(TRACK, request).await?)
    }

    /// Has an abandoned transaction watched again; not in the specification, and not on every server.
    pub async fn retry_track(&self, request: &TrackRequest) -> Result<TrackResponse, ApiError> {
        shape::decode(self.ask_track(RETRY_TRACK, request).await?).await
    }

    /// Has a transaction that the router gave up on watched again: in its own way where it has one, else as at first.
    pub async fn track_again(&self, request: &TrackRequest) -> Result<TrackResponse, ApiError> {
        match self.retry_track(request).await {
            Err(error) if error.is_not_found() || error.is_missing_part() => self.track(request).await,
            answered => answered,
        }
    }

    async fn ask_track(&self, path: &str, request: &TrackRequest) -> Result<Received, ApiError> {
        let answered = self.post(path, request, &self.transport.options, Repeat::Passing).await;
        answered.map_err(|error| not_found_as(error, ErrorKind::Untracked))
    }

    /// How a transaction's transfers stand. [`ErrorKind::Untracked`] until it is watched.
    pub async fn status(&self, request: &TrackRequest) -> Result<Verbatim<TransferStatus>, ApiError> {
        shape::decode_verbatim(&self.ask_status(request).await?)
    }

    /// The body of how a transaction's transfers stand.
    pub async fn status_raw(&self, request: &TrackRequest) -> Result<Vec<u8>, ApiError> {
        body_of(self.ask_status(request).await?)
    }

    async fn ask_status(&self, request: &TrackRequest) -> Result<Received, ApiError> {
        let query = [("tx_hash", request.tx_hash.as_str()), ("chain_id", request.chain_id.as_str())];
        let answered = self.get(STATUS, &query).await;
        answered.map_err(|error| not_found_as(error, ErrorKind::Untracked))
    }

    /// What the embedded rollup says of itself; `None` from a server that has no demo wallet to speak of.
    pub async fn demo(&self) -> Result<Option<DemoInfo>, ApiError> {
        let answered = match self.get(DEMO, &[]).await {
            Ok(received) => shape::decode(received).await.map(Some),
            Err(error) => Err(error),
        };
        match answered {
            Err(ApiError {
                kind: ErrorKind::NotFound(_) | ErrorKind::Rejected { .. } | ErrorKind::NotJson { .. },
                ..
            }) => Ok(None),
            answered => answered,
        }
    }

    /// Has the demo wallet sign an answer of [`RouterClient::op_hook`], given verbatim.
    pub async fn demo_sign(&self, hook: &RawJson) -> Result<SignedOpHook, ApiError> {
        shape::decode(self.post(DEMO_SIGN, hook, &self.transport.options, Repeat::Never).await?).await
    }

    /// The body of a hook signed by the demo wallet.
    pub async fn demo_sign_raw(&self, hook: &RawJson) -> Result<Vec<u8>, ApiError> {
        body_of(self.post(DEMO_SIGN, hook, &self.transport.options, Repeat::Never).await?)
    }

    /// Has the demo wallet sign and broadcast a transaction of an answer of [`RouterClient::msgs`]. Never repeated by
    /// itself: after a timeout it may have been sent all the same.
    pub async fn demo_broadcast(&self, request: &BroadcastRequest) -> Result<Broadcast, ApiError> {
        shape::decode(self.post(DEMO_BROADCAST, request, &self.transport.options, Repeat::Never).await?).await
    }

    /// The body of the answer to a broadcast by the demo wallet.
    pub async fn demo_broadcast_raw(&self, request: &BroadcastRequest) -> Result<Vec<u8>, ApiError> {
        body_of(self.post(DEMO_BROADCAST, request, &self.transport.options, Repeat::Never).await?)
    }

    async fn get(&self, path: &str, query: &[(&str, &str)]) -> Result<Received, ApiError> {
        let url = self.base_url().join(path);
        let url = match Url::parse_with_params(&url, query) {
            Ok(with_query) if !query.is_empty() => with_query.into(),
            _ => url,
        };
        let call = Call::get(&url.into());
        self.transport.call(&call, &self.transport.options, Repeat::Passing, self.observer.as_deref()).await
    }

    async fn post(
        &self,
        path: &str,
        body: &(impl Serialize + Sync),
        options: &ClientOptions,
        repeat: Repeat,
    ) -> Result<Received, ApiError> {
        let url: Arc<str> = self.base_url().join(path).into();
        let json = serde_json::to_string(body).map_err(|error| {
            let kind = ErrorKind::Unusable(format!("the request cannot be written as JSON: {error}"));
            ApiError { kind, url: Arc::clone(&url), body: None }
        })?;
        self.transport.call(&Call::post(url, json), options, repeat, self.observer.as_deref()).await
    }
}

impl IndexerClient {
    /// A client of the routing API at this address, as patient as this one, whose exchanges go into the same log.
    pub fn beside(&self, router_url: &str) -> Result<RouterClient, BaseUrlError> {
        let transport = &self.shared.transport;
        RouterClient::with_book(router_url, transport.options.clone(), Arc::clone(&transport.book))
    }
}

/// What was not found is named by what was asked for.
fn not_found_as(error: ApiError, kind: fn(String) -> ErrorKind) -> ApiError {
    match error.kind {
        ErrorKind::NotFound(sentence) => ApiError { kind: kind(sentence), ..error },
        _ => error,
    }
}

/// A body that is JSON by its media type and first byte.
fn body_of(received: Received) -> Result<Vec<u8>, ApiError> {
    shape::check_media(&received)?;
    Ok(received.body)
}
