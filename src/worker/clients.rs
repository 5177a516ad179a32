use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::OnceCell;

use crate::{
    client::{
        BaseUrlError, ClientOptions, IndexerClient, NodeAddresses, NodeClient, NodeError, Observer, RouterClient,
        path_of,
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
    pub(super) observer: Option<Arc<dyn Observer>>,
}

/// Link to the rollup's node, which detects the node's interfaces on first use.
struct NodeLink {
    /// Nodes of the rollup, the first of which is in use.
    nodes: Mutex<VecDeque<NodeAddresses>>,
    options: ClientOptions,
    client: Mutex<Arc<OnceCell<NodeClient>>>,
}

impl Clients {
    pub(super) fn new(
        indexer: &str,
        router: Option<&str>,
        nodes: VecDeque<NodeAddresses>,
        options: ClientOptions,
    ) -> Result<Self, BaseUrlError> {
        let indexer = IndexerClient::new(indexer, options.clone())?;
        let has_node = !nodes.is_empty();
        let link = NodeLink { nodes: Mutex::new(nodes), options: options.clone(), client: Mutex::default() };
        let node = has_node.then(|| Arc::new(link));
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

    /// Sends a request to the rollup's node; the first request detects the node's interfaces. If the node does not
    /// answer, asks the next one, which must serve the indexer's chain too.
    pub(super) async fn ask_node<T, F>(&self, ask: impl Fn(NodeClient) -> F) -> Result<T, ApiError>
    where
        F: Future<Output = Result<T, NodeError>>,
    {
        let link = self.node.as_ref().ok_or_else(no_node)?;
        let mut left = lock(&link.nodes).len();
        loop {
            let (addresses, cell) = link.present();
            let url = addresses.node.as_str();
            let find = || NodeClient::find_beside(&self.indexer, &addresses, link.options.clone(), AT_ONCE);
            let answer = match cell.get_or_try_init(find).await.cloned() {
                Ok(client) => {
                    let client = match &self.observer {
                        Some(observer) => client.observed(Arc::clone(observer)),
                        None => client,
                    };
                    ask(client).await.map_err(|error| error.into_api_error(url))
                }
                Err(error) => Err(error.into_api_error(url)),
            };
            left = left.saturating_sub(1);
            match answer {
                Err(error) if left > 0 && is_away(&error) => link.replace(&addresses),
                answer => {
                    if let Some(observer) = self.observer.as_ref().filter(|_| answer.is_ok() && link.has_several()) {
                        observer.node_answered(url);
                    }
                    return answer;
                }
            }
        }
    }

    /// Returns the address of the rollup's node in use.
    pub(super) fn node_address(&self) -> Option<String> {
        self.node.as_ref().map(|link| link.present().0.node)
    }

    /// Forgets the node after a chain change: the next request detects its interfaces again.
    pub(super) fn forget_node(&self) {
        if let Some(link) = &self.node {
            *lock(&link.client) = Arc::default();
        }
    }
}

impl NodeLink {
    /// Returns the node in use, and its client once it is found.
    fn present(&self) -> (NodeAddresses, Arc<OnceCell<NodeClient>>) {
        let nodes = lock(&self.nodes);
        (nodes.front().cloned().unwrap_or_default(), Arc::clone(&lock(&self.client)))
    }

    fn has_several(&self) -> bool {
        lock(&self.nodes).len() > 1
    }

    /// Uses the next node, unless another request has replaced this one.
    fn replace(&self, failed: &NodeAddresses) {
        let mut nodes = lock(&self.nodes);
        if nodes.front() == Some(failed) {
            nodes.rotate_left(1);
            *lock(&self.client) = Arc::default();
        }
    }
}

/// Whether a node did not answer. It sends HTTP 500 also for what it refuses.
fn is_away(error: &ApiError) -> bool {
    matches!(
        error.kind,
        ErrorKind::Offline { .. } | ErrorKind::Timeout(_) | ErrorKind::Server { status: 502..=504, .. }
    )
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    // No code panics halfway through a change, so a poisoned lock holds valid data.
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

fn no_node() -> ApiError {
    let kind = ErrorKind::Node("this network has no configured node".to_owned());
    ApiError { kind, url: "".into(), body: None }
}
