//! Several chains behind one listener: each below its own path, and under host names that begin with its name.

use std::{
    sync::{Arc, Mutex, OnceLock, PoisonError},
    thread::{self, JoinHandle},
};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderMap, Response, Uri, header, request::Parts, uri::PathAndQuery},
};
use futures_util::future::join_all;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use super::{
    FollowOptions, NodeFollower, ServiceError, ServiceOptions,
    feed::NodeFeed,
    served::{ServedIndex, share},
    service::{bind, follow},
};
use crate::indexer::{
    http::{self, ChainMetrics, ChainView, HttpMetrics, HttpRefusal, ListenAddress, Reply},
    index::Index,
};

/// Server of several chains. Dropping it stops accepting connections, ends the following of each chain, and completes
/// the files.
#[derive(Debug)]
pub struct NodeFleet {
    address: ListenAddress,
    shared: Arc<FleetShared>,
    listener: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct FleetShared {
    chains: Vec<Arc<FleetChain>>,
    process: Arc<HttpMetrics>,
    failure: Mutex<Option<String>>,
    stop: CancellationToken,
}

/// One chain of a fleet.
#[derive(Debug)]
pub struct FleetChain {
    name: String,
    metrics: ChainMetrics,
    options: ServiceOptions,
    /// Index, once its node was found.
    served: OnceLock<Arc<ServedIndex>>,
    /// Why there is no index yet.
    trouble: Mutex<String>,
    stop: CancellationToken,
}

impl NodeFleet {
    /// Starts listening for chains with these names, which answer 503 until they have an index.
    pub fn start(
        names: impl IntoIterator<Item = String>,
        listen: &ListenAddress,
        options: ServiceOptions,
    ) -> Result<Self, ServiceError> {
        let (address, listener) = bind(listen, options.listen)?;
        let (process, stop) = (Arc::new(HttpMetrics::default()), CancellationToken::new());
        let chain = |name: String| {
            let (metrics, trouble) = (process.chain(Some(&name)), "its node is being looked for".to_owned());
            Arc::new(FleetChain::new(name, metrics, options, trouble, stop.child_token()))
        };
        let chains = names.into_iter().map(chain).collect();
        let shared = Arc::new(FleetShared { chains, process, failure: Mutex::default(), stop });
        let of_thread = Arc::clone(&shared);
        let serve = move || {
            let app = async {
                let shared = Arc::clone(&of_thread);
                Router::new().fallback(move |request: Request| Arc::clone(&shared).answer(request))
            };
            let open = of_thread.process.connections.clone();
            if let Err(error) = http::serve(listener, app, options.listen.into(), open, &of_thread.stop) {
                *lock(&of_thread.failure) = Some(error.to_string());
            }
        };
        let thread = thread::Builder::new().name("fleet-http".to_owned()).spawn(serve).map_err(ServiceError::Start)?;
        Ok(Self { address, shared, listener: Some(thread) })
    }

    /// Returns the listening URL without a trailing slash, or `unix:` with the socket's path.
    pub fn url(&self) -> String {
        self.address.to_string()
    }

    /// Returns the chains in the order of their names at the start.
    pub fn chains(&self) -> &[Arc<FleetChain>] {
        &self.shared.chains
    }

    /// Returns why the listener ended; `None` while it runs. A chain's failure is not the fleet's.
    pub fn failure(&self) -> Option<String> {
        lock(&self.shared.failure).clone()
    }

    /// Ends the following of each chain; the threads that follow return.
    pub fn stop(&self) {
        self.shared.stop.cancel();
    }
}

impl Drop for NodeFleet {
    fn drop(&mut self) {
        self.stop();
        // The panic hook has reported a panic.
        drop(self.listener.take().map(JoinHandle::join));
        for served in self.shared.chains.iter().filter_map(|chain| chain.served.get()) {
            served.index().close();
        }
    }
}

impl FleetChain {
    pub(super) fn new(
        name: String,
        metrics: ChainMetrics,
        options: ServiceOptions,
        trouble: String,
        stop: CancellationToken,
    ) -> Self {
        Self { name, metrics, options, served: OnceLock::new(), trouble: Mutex::new(trouble), stop }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the metrics of the chain, for its feed.
    pub fn metrics(&self) -> &ChainMetrics {
        &self.metrics
    }

    /// Records why there is no index yet; returns whether that is news.
    pub fn set_trouble(&self, trouble: String) -> bool {
        let mut known = lock(&self.trouble);
        let is_news = *known != trouble;
        *known = trouble;
        is_news
    }

    /// Runs a job; `None` if the fleet ends first.
    pub async fn until_end<T>(&self, job: impl Future<Output = T>) -> Option<T> {
        self.stop.run_until_cancelled(job).await
    }

    /// Whether the fleet ends.
    pub fn is_ending(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Serves and follows a chain's index on the calling thread until the fleet ends or the index fails; what is held
    /// is served on. Dropping the fleet completes the file.
    pub fn follow<F: NodeFeed>(&self, runtime: Runtime, feed: Arc<F>, index: Index, options: FollowOptions) {
        let index = Arc::new(index);
        let follower = NodeFollower::new(feed, Arc::clone(&index), options);
        let served = ServedIndex::new(&index, self.metrics.clone(), follower.progress(), self.options);
        let served = self.served.get_or_init(|| served);
        if let Err(error) = follow(&follower, runtime, &self.stop) {
            served.fail(error.to_string());
        }
    }

    /// Records a failure of the index, if there is one, and stops following.
    pub fn fail(&self, failure: String) {
        if let Some(served) = self.served.get() {
            served.fail(failure);
        }
        self.stop.cancel();
    }

    async fn view(&self) -> ChainView<'_> {
        match self.served.get() {
            Some(served) => served.view().await,
            None => ChainView::without_index(&self.metrics, lock(&self.trouble).clone()),
        }
    }

    pub(super) async fn answer(self: Arc<Self>, request: Request) -> Response<Body> {
        if let Some(served) = self.served.get() {
            return Arc::clone(served).answer(request).await;
        }
        let (parts, _) = request.into_parts();
        let is_operators = http::is_operators(parts.uri.path());
        let reply = if let Some(refusal) = http::operator_refusal(&parts.method).filter(|_| is_operators) {
            refusal.into()
        } else if is_operators {
            http::answer_operator(parts.uri.path(), &parts.headers, &self.view().await)
        } else {
            HttpRefusal::Empty(lock(&self.trouble).clone()).into()
        };
        let mut response = reply.into_response();
        share(&mut response);
        response
    }
}

impl FleetShared {
    async fn answer(self: Arc<Self>, request: Request) -> Response<Body> {
        if let Some(chain) = self.by_host(request.headers()) {
            return Arc::clone(chain).answer(request).await;
        }
        match self.by_path(request.uri()) {
            Some((chain, uri)) => {
                let (mut parts, body) = request.into_parts();
                parts.uri = uri;
                chain.answer(Request::from_parts(parts, body)).await
            }
            None if http::is_operators(request.uri().path()) => self.answer_operator(request.into_parts().0).await,
            None => {
                let names: Vec<String> = self.chains.iter().map(|chain| format!("/{}/", chain.name)).collect();
                let sentence = format!("no such chain; this server has {}", names.join(", "));
                Reply::from(HttpRefusal::NotFound(sentence)).into_response()
            }
        }
    }

    /// Returns the chain whose name is the first part of the host's.
    fn by_host(&self, headers: &HeaderMap) -> Option<&Arc<FleetChain>> {
        let host = headers.get(header::HOST)?.to_str().ok()?;
        let (first, _) = host.split_once('.')?;
        self.chains.iter().find(|chain| chain.name.eq_ignore_ascii_case(first))
    }

    /// Returns the chain whose name is the first part of the path, with the rest of the path.
    fn by_path(&self, uri: &Uri) -> Option<(Arc<FleetChain>, Uri)> {
        let rest = uri.path().strip_prefix('/')?;
        let (name, rest) =
            rest.split_once('/').map_or((rest, "/".to_owned()), |(name, rest)| (name, format!("/{rest}")));
        let chain = self.chains.iter().find(|chain| chain.name.eq_ignore_ascii_case(name))?;
        let target = uri.query().map_or(rest.clone(), |query| format!("{rest}?{query}"));
        let mut parts = uri.clone().into_parts();
        parts.path_and_query = Some(PathAndQuery::try_from(target).ok()?);
        Some((Arc::clone(chain), Uri::from_parts(parts).ok()?))
    }

    /// Answers for all chains: one is enough to be ready, since a failing chain must not take the others from their
    /// readers.
    async fn answer_operator(&self, request: Parts) -> Response<Body> {
        let (path, headers) = (request.uri.path(), &request.headers);
        if let Some(refusal) = http::operator_refusal(&request.method) {
            return Reply::from(refusal).into_response();
        }
        if http::is_of_process(path) {
            return http::answer_of_process(path, headers, String::new).into_response();
        }
        let chains: Vec<ChainView<'_>> = join_all(self.chains.iter().map(|chain| chain.view())).await;
        http::answer_fleet(path, headers, &self.process, &chains).into_response()
    }
}

/// Locks a mutex; no code panics halfway through a change, so a poisoned lock holds valid data.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
