use std::sync::{Arc, atomic::AtomicBool};

use serde::de::DeserializeOwned;

use super::{
    base_url::{BaseUrl, BaseUrlError},
    decoding, endpoints,
    exchanges::ExchangeLog,
    external::ExternalFetcher,
    lists::{BlocksQuery, ListEndpoint as _},
    options::{ClientOptions, Observer},
    target::{Endpoint, RequestTarget, RetryPolicy},
    transport::{ReceivedBody, Transport},
};
use crate::{
    msg::PageRequest,
    wire::{self, ApiError, ErrorKind, ServerInterface},
};

/// Client of one indexer. Clones share connections, the exchange log and knowledge about the server.
///
/// Creating a client performs no I/O: the first request builds the HTTP client. Methods need a tokio runtime; dropping
/// their future cancels the request.
#[derive(Clone)]
pub struct IndexerClient {
    pub(super) shared: Arc<SharedState>,
    pub(super) observer: Option<Arc<dyn Observer>>,
}

pub(super) struct SharedState {
    pub(super) transport: Transport,
    pub(super) external: ExternalFetcher,
    /// True after the server failed to filter an account's list (`docs/apis/indexer.md` §5.3).
    pub(super) cannot_filter_accounts: AtomicBool,
    /// True after the server failed to filter a block's list after a cursor.
    pub(super) cannot_filter_after_key: AtomicBool,
}

impl IndexerClient {
    /// Creates a client; see [`BaseUrl::with_keys`].
    pub fn new(base_url: &str, options: ClientOptions) -> Result<Self, BaseUrlError> {
        let base = BaseUrl::with_keys(base_url)?;
        let external = ExternalFetcher::new(&base, &options)?;
        let shared = SharedState {
            transport: Transport::new(base, options).named(ServerInterface::Indexer),
            external,
            cannot_filter_accounts: false.into(),
            cannot_filter_after_key: false.into(),
        };
        Ok(Self { shared: Arc::new(shared), observer: None })
    }

    /// Returns a client that reports its requests to this observer.
    #[must_use]
    pub fn observed(&self, observer: Arc<dyn Observer>) -> Self {
        Self { shared: Arc::clone(&self.shared), observer: Some(observer) }
    }

    pub fn base_url(&self) -> &BaseUrl {
        &self.shared.transport.base
    }

    /// Returns the recent exchanges of this client and its clones.
    pub fn exchanges(&self) -> &ExchangeLog {
        &self.shared.transport.recorder.log
    }

    pub async fn one<W: DeserializeOwned + Send + 'static, T>(&self, endpoint: Endpoint<W, T>) -> Result<T, ApiError> {
        let answer = decoding::decode(self.ask(&endpoint.target).await?).await?;
        Ok((endpoint.value)(answer))
    }

    /// Requests an endpoint; returns the value and the body exactly as received.
    pub async fn one_and_body<W: DeserializeOwned + Send + 'static, T>(
        &self,
        endpoint: Endpoint<W, T>,
    ) -> Result<(T, Vec<u8>), ApiError> {
        let received = self.ask(&endpoint.target).await?;
        let body = received.body.clone();
        Ok(((endpoint.value)(decoding::decode(received).await?), body))
    }

    /// `GET /status`. A 500 means an empty index.
    pub async fn status(&self) -> Result<wire::Status, ApiError> {
        self.one(endpoints::status()).await
    }

    /// Requests the first block of the index, which pruning moves up; `None` if the index is empty.
    pub async fn oldest_block(&self) -> Result<Option<Arc<wire::Block>>, ApiError> {
        let oldest = PageRequest::oldest();
        let target = RequestTarget { retry_policy: RetryPolicy::NotUnindexed, ..BlocksQuery.target(&oldest) };
        match self.page_at(&BlocksQuery, &target, &oldest).await {
            Ok(page) => Ok(page.items.into_iter().next()),
            // The error names the current start of the index.
            Err(ApiError { kind: ErrorKind::NotIndexedYet { oldest }, .. }) => {
                self.one(endpoints::block(oldest)).await.map(|block| Some(Arc::new(block)))
            }
            Err(error) => Err(error),
        }
    }

    pub(super) async fn ask(&self, target: &RequestTarget) -> Result<ReceivedBody, ApiError> {
        self.shared.transport.ask(target, None, self.observer.as_deref()).await
    }
}
