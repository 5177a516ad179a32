use std::sync::{Arc, atomic::AtomicBool};

use serde::de::DeserializeOwned;

use super::{
    BaseUrl, BaseUrlError, ClientOptions, ExchangeLog, Observer, decoding,
    endpoints::{self, Endpoint, RequestTarget},
    external::ExternalFetcher,
    lists::{BlocksQuery, ListEndpoint as _},
    retry::RetryPolicy,
    transport::{ReceivedBody, Transport},
};
use crate::{
    msg::PageRequest,
    wire::{self, ApiError, ErrorKind},
};

/// A client of one indexer. Clones share connections, the exchange log and what was learnt about the server.
///
/// Creating one does nothing yet: the HTTP machinery is built by the first request. Methods need a tokio runtime;
/// dropping their future cancels the request.
#[derive(Clone)]
pub struct IndexerClient {
    pub(super) shared: Arc<SharedState>,
    pub(super) observer: Option<Arc<dyn Observer>>,
}

/// What clones of a client share.
pub(super) struct SharedState {
    pub(super) transport: Transport,
    pub(super) external: ExternalFetcher,
    /// Set once this server failed to filter an account's list (`docs/apis/indexer.md` §5.3).
    pub(super) cannot_filter_accounts: AtomicBool,
    /// Set once it failed to filter a block's list after a cursor.
    pub(super) cannot_filter_after_key: AtomicBool,
}

impl IndexerClient {
    /// A client of the server at this address; see [`BaseUrl::parse`].
    pub fn new(base_url: &str, options: ClientOptions) -> Result<Self, BaseUrlError> {
        let base = BaseUrl::parse(base_url)?;
        let external = ExternalFetcher::new(&base, &options)?;
        let shared = SharedState {
            transport: Transport::new(base, options),
            external,
            cannot_filter_accounts: false.into(),
            cannot_filter_after_key: false.into(),
        };
        Ok(Self { shared: Arc::new(shared), observer: None })
    }

    /// The same client, whose requests are told to this observer.
    #[must_use]
    pub fn observed(&self, observer: Arc<dyn Observer>) -> Self {
        Self { shared: Arc::clone(&self.shared), observer: Some(observer) }
    }

    /// The server's address.
    pub fn base_url(&self) -> &BaseUrl {
        &self.shared.transport.base
    }

    /// The last exchanges of this client and its clones.
    pub fn exchanges(&self) -> &ExchangeLog {
        &self.shared.transport.recorder.log
    }

    /// What an endpoint of one thing answers.
    pub async fn one<W: DeserializeOwned + Send + 'static, T>(&self, endpoint: Endpoint<W, T>) -> Result<T, ApiError> {
        let answer = decoding::decode(self.ask(&endpoint.target).await?).await?;
        Ok((endpoint.value)(answer))
    }

    /// The same, with the body exactly as received.
    pub async fn one_and_body<W: DeserializeOwned + Send + 'static, T>(
        &self,
        endpoint: Endpoint<W, T>,
    ) -> Result<(T, Vec<u8>), ApiError> {
        let received = self.ask(&endpoint.target).await?;
        let body = received.body.clone();
        Ok(((endpoint.value)(decoding::decode(received).await?), body))
    }

    /// `GET /status`. A 500 means that nothing is indexed yet.
    pub async fn status(&self) -> Result<wire::Status, ApiError> {
        self.one(endpoints::status()).await
    }

    /// The block where the index begins, so far; `None` while it is empty.
    pub async fn oldest_block(&self) -> Result<Option<Arc<wire::Block>>, ApiError> {
        let oldest = PageRequest::oldest();
        let target = RequestTarget { retry_policy: RetryPolicy::NotUnindexed, ..BlocksQuery.target(&oldest) };
        match self.page_at(&BlocksQuery, &target, &oldest).await {
            Ok(page) => Ok(page.items.into_iter().next()),
            // The list's end is not known yet, but where it begins for now.
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
