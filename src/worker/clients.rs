use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use crate::{
    client::{
        BaseUrlError, ClientOptions, IndexerClient, NodeAddresses, NodeClient, NodeFindError, Observer, RouterClient,
        path_of,
    },
    domain::{Address, Denom},
    msg::Request,
    wire::{
        ApiError, ErrorKind,
        node::{NodeBalances, NodeNames, NodeUnits},
    },
};

/// Requests that the node gets at once, at the most: a person waits for one page.
const AT_ONCE: usize = 4;

/// Who is asked: the network's two APIs, which keep one exchange log, and the rollup's own node.
#[derive(Clone)]
pub(super) struct Clients {
    pub(super) indexer: IndexerClient,
    /// `None` where the network has no routing API.
    pub(super) router: Option<RouterClient>,
    /// `None` where the network's node is not known.
    node: Option<Arc<NodeLink>>,
    /// How patient clients of other addresses are.
    pub(super) options: ClientOptions,
    observer: Option<Arc<dyn Observer>>,
}

/// The way to the rollup's node, whose interfaces are found when it is first asked.
struct NodeLink {
    addresses: NodeAddresses,
    options: ClientOptions,
    client: Mutex<Arc<OnceCell<NodeClient>>>,
}

impl Clients {
    /// Clients of the APIs at these addresses.
    pub(super) fn new(
        indexer: &str,
        router: Option<&str>,
        node: Option<NodeAddresses>,
        options: ClientOptions,
    ) -> Result<Self, BaseUrlError> {
        let link = |addresses| Arc::new(NodeLink { addresses, options: options.clone(), client: Mutex::default() });
        let node = node.map(link);
        let indexer = IndexerClient::new(indexer, options.clone())?;
        let router = router.map(|url| indexer.beside(url)).transpose()?;
        Ok(Self { indexer, router, node, options, observer: None })
    }

    /// The same clients, whose requests are told to this observer.
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

    /// The address that a request asks, as far as it is known before it is made.
    pub(super) fn url(&self, request: &Request) -> Arc<str> {
        path_of(request).map(|path| self.indexer.base_url().join(&path)).unwrap_or_default().into()
    }

    /// What an account holds by the rollup's own node, and of these tokens by their contracts.
    pub(super) async fn balances(&self, account: Address, tokens: &[Denom]) -> Result<NodeBalances, ApiError> {
        let (client, url) = self.node_client().await?;
        client.balances(account, tokens).await.map_err(|error| error.into_api_error(url))
    }

    /// What the rollup's own node tells of names.
    pub(super) async fn node_names(&self) -> Result<NodeNames, ApiError> {
        let (client, url) = self.node_client().await?;
        client.names().await.map_err(|error| error.into_api_error(url))
    }

    /// What the contracts behind these denoms call their tokens.
    pub(super) async fn contract_units(&self, denoms: &[Denom]) -> Result<NodeUnits, ApiError> {
        let (client, url) = self.node_client().await?;
        client.contract_units(denoms).await.map_err(|error| error.into_api_error(url))
    }

    /// The node, found by now, and the address that it was sought at.
    async fn node_client(&self) -> Result<(NodeClient, &str), ApiError> {
        let link = self.node.as_ref().ok_or_else(no_node)?;
        let url = link.addresses.node.as_str();
        let client = link.client().await.map_err(|error| error.into_api_error(url))?;
        let client = match &self.observer {
            Some(observer) => client.observed(Arc::clone(observer)),
            None => client,
        };
        Ok((client, url))
    }

    /// Another chain may be at the node's address: it is found anew before it is asked again.
    pub(super) fn forget_node(&self) {
        if let Some(link) = &self.node {
            *link.client.lock().unwrap_or_else(PoisonError::into_inner) = Arc::default();
        }
    }
}

impl NodeLink {
    async fn client(&self) -> Result<NodeClient, NodeFindError> {
        let cell = Arc::clone(&self.client.lock().unwrap_or_else(PoisonError::into_inner));
        let find = || NodeClient::find(&self.addresses, self.options.clone(), AT_ONCE);
        cell.get_or_try_init(find).await.cloned()
    }
}

fn no_node() -> ApiError {
    let kind = ErrorKind::Node("no node is known for this network".to_owned());
    ApiError { kind, url: "".into(), body: None }
}
