use std::sync::Arc;

use crate::{
    client::{BaseUrlError, ClientOptions, IndexerClient, Observer, RouterClient, path_of},
    msg::Request,
};

/// Who is asked: the network's two APIs, which keep one exchange log.
#[derive(Clone)]
pub(super) struct Clients {
    pub(super) indexer: IndexerClient,
    /// `None` where the network has no routing API.
    pub(super) router: Option<RouterClient>,
}

impl Clients {
    /// Clients of the APIs at these addresses.
    pub(super) fn new(indexer: &str, router: Option<&str>, options: ClientOptions) -> Result<Self, BaseUrlError> {
        let indexer = IndexerClient::new(indexer, options)?;
        let router = router.map(|url| indexer.beside(url)).transpose()?;
        Ok(Self { indexer, router })
    }

    /// The same clients, whose requests are told to this observer.
    pub(super) fn observed(&self, observer: &Arc<impl Observer + 'static>) -> Self {
        let observer = || Arc::clone(observer) as Arc<dyn Observer>;
        Self {
            indexer: self.indexer.observed(observer()),
            router: self.router.as_ref().map(|router| router.observed(observer())),
        }
    }

    /// The address that a request asks, as far as it is known before it is made.
    pub(super) fn url(&self, request: &Request) -> Arc<str> {
        path_of(request).map(|path| self.indexer.base_url().join(&path)).unwrap_or_default().into()
    }
}
