use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use crate::{
    client::{
        BaseUrlError, ClientOptions, IndexerClient, NodeAddresses, NodeClient, NodeError, NodeFindError, Observer,
        RouterClient, path_of,
    },
    msg::Request,
    wire::{ApiError, ErrorKind},
};

/// Maximum concurrent node requests; a page needs no more.
pub(super) const AT_ONCE: usize = 4;

/// Clients of a network: both APIs, which share an exchange log, and the rollup's node.
#[derive(Clone)]
pub(super) struct Clients {
    pub(super) indexer: IndexerClient,
    /// Client of the routing API; `None` if the network has no router.
    pub(super) router: Option<RouterClient>,
    /// Link to the rollup's node; `None` if the network has no known node.
    node: Option<Arc<NodeLink>>,
    pub(super) options: ClientOptions,
    observer: Option<Arc<dyn Observer>>,
}

/// Link to the rollup's node, which detects the node's interfaces on first use.
struct NodeLink {
    /// Client of the indexer, which must serve the node's chain.
    indexer: IndexerClient,
    addresses: NodeAddresses,
    options: ClientOptions,
    client: Mutex<Arc<OnceCell<NodeClient>>>,
}

impl Clients {
    pub(super) fn new(
        indexer: &str,
        router: Option<&str>,
        node: Option<NodeAddresses>,
        options: ClientOptions,
    ) -> Result<Self, BaseUrlError> {
        let indexer = IndexerClient::new(indexer, options.clone())?;
        let link = |addresses| {
            let (indexer, options) = (indexer.clone(), options.clone());
            Arc::new(NodeLink { indexer, addresses, options, client: Mutex::default() })
        };
        let node = node.map(link);
        let router = router.map(|url| indexer.beside(url)).transpose()?;
        Ok(Self { indexer, router, node, options, observer: None })
    }

    pub(super) fn observed(&self, observer: &Arc<impl Observer + 'static>) -> Self {
        let observer = || Arc::clone(observer) as Arc<dyn Observer>;
        Self {
            indexer: self.indexer.observed(observer()),
            router: self.router.as_ref().map(|router| router.observed(observer())),
            node: self.node.clone(),
            options: self.options.clone(),
            observer: Some(observer()),
        }
    }

    /// Returns the URL of a request as far as it is known before the request.
    pub(super) fn url(&self, request: &Request) -> Arc<str> {
        path_of(request).map(|path| self.indexer.base_url().join(&path)).unwrap_or_default().into()
    }

    /// Sends a request to the rollup's node; the first request detects the node's interfaces.
    pub(super) async fn ask_node<T, F>(&self, ask: impl FnOnce(NodeClient) -> F) -> Result<T, ApiError>
    where
        F: Future<Output = Result<T, NodeError>>,
    {
        let link = self.node.as_ref().ok_or_else(no_node)?;
        let url = link.addresses.node.as_str();
        let client = link.client().await.map_err(|error| error.into_api_error(url))?;
        let client = match &self.observer {
            Some(observer) => client.observed(Arc::clone(observer)),
            None => client,
        };
        ask(client).await.map_err(|error| error.into_api_error(url))
    }

    /// Returns the address of the rollup's node, as settings or registry name it.
    pub(super) fn node_address(&self) -> Option<&str> {
        self.node.as_ref().map(|link| link.addresses.node.as_str())
    }

    /// Forgets the node after a chain change: the next request detects its interfaces again.
    pub(super) fn forget_node(&self) {
        if let Some(link) = &self.node {
            *link.client.lock().unwrap_or_else(PoisonError::into_inner) = Arc::default();
        }
    }
}

impl NodeLink {
    async fn client(&self) -> Result<NodeClient, NodeFindError> {
        let cell = Arc::clone(&self.client.lock().unwrap_or_else(PoisonError::into_inner));
        let find = || NodeClient::find_beside(&self.indexer, &self.addresses, self.options.clone(), AT_ONCE);
        cell.get_or_try_init(find).await.cloned()
    }
}

fn no_node() -> ApiError {
    let kind = ErrorKind::Node("this network has no configured node".to_owned());
    ApiError { kind, url: "".into(), body: None }
}
