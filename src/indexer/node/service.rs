//! Service that runs a node's index and its HTTP API on its own threads.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderValue, Method, Response, header},
};
use tokio::{runtime::Runtime, sync::watch};
use tokio_util::sync::CancellationToken;

use super::{FollowOptions, NodeFollower, feed::NodeFeed};
use crate::{
    domain::Timestamp,
    indexer::{
        http::{
            self, AnswerCache, Api, BoundListener, HttpMetrics, HttpRefusal, ListenAddress, ListenOptions,
            OperatorView, Reply, ResponseCache, Routes,
        },
        index::Index,
        progress::{NodeProgress, ReadyLimits},
    },
};

/// Time for a file to get the block of a page key.
const REACH: Duration = Duration::from_secs(2);

/// Time limit for a write during shutdown.
const GRACE: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, Default)]
pub struct ServiceOptions {
    /// Whether to imitate the real server where it differs from the specification.
    pub quirks: bool,
    pub follow: FollowOptions,
    /// Whether other machines may connect; web pages may then read, and the paths for operators exist.
    pub is_public: bool,
    pub ready: ReadyLimits,
    pub listen: ListenOptions,
}

/// Reason why a service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    #[error("cannot listen on {0}: {1}; choose another --listen; port 0 picks a free port")]
    Listen(ListenAddress, io::Error),
    #[error("cannot start the index: {0}")]
    Start(io::Error),
}

/// Running index of a node. Dropping it stops its threads, closes its connections and completes the file.
#[derive(Debug)]
pub struct NodeService {
    address: ListenAddress,
    shared: Arc<ServiceShared>,
    progress: watch::Receiver<NodeProgress>,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Debug)]
struct ServiceShared {
    api: Arc<Api>,
    metrics: HttpMetrics,
    progress: watch::Receiver<NodeProgress>,
    failure: Mutex<Option<String>>,
    is_public: bool,
    ready: ReadyLimits,
    /// Whether another process writes the index.
    is_reader: bool,
    stop: CancellationToken,
}

/// Service that does not accept connections yet.
struct BoundService {
    service: NodeService,
    listener: BoundListener,
    options: ServiceOptions,
}

impl BoundService {
    fn serve(self) -> Result<NodeService, ServiceError> {
        let Self { mut service, listener, options } = self;
        service.spawn("node-http", move |shared| serve(listener, shared, options))?;
        Ok(service)
    }
}

impl NodeService {
    /// Serves an index that another process writes.
    pub fn read(index: Index, listen: &ListenAddress, options: ServiceOptions) -> Result<Self, ServiceError> {
        let index = Arc::new(index);
        let progress = index.writers_progress().unwrap_or_else(|| watch::channel(NodeProgress::default()).1);
        Self::bind(&index, HttpMetrics::new(None), progress, listen, options)?.serve()
    }

    /// Starts following and serving. On return the address is bound; the API answers 503 until the index has blocks.
    ///
    /// Pass the runtime of earlier requests to the node: it owns their connections.
    pub fn start<F: NodeFeed>(
        runtime: Runtime,
        feed: Arc<F>,
        index: Index,
        listen: &ListenAddress,
        options: ServiceOptions,
    ) -> Result<Self, ServiceError> {
        let (index, metrics) = (Arc::new(index), HttpMetrics::new(feed.requests()));
        let follower = NodeFollower::new(feed, Arc::clone(&index), options.follow);
        let mut bound = Self::bind(&index, metrics, follower.progress(), listen, options)?;
        bound.service.spawn("node-index", move |shared| {
            let ended = runtime.block_on(follower.run(&shared.stop)).map_err(io::Error::other);
            // Waits for writes, but not for requests.
            runtime.shutdown_timeout(GRACE);
            ended
        })?;
        bound.serve()
    }

    fn bind(
        index: &Arc<Index>,
        metrics: HttpMetrics,
        progress: watch::Receiver<NodeProgress>,
        listen: &ListenAddress,
        options: ServiceOptions,
    ) -> Result<BoundService, ServiceError> {
        let bound = BoundListener::bind(listen).and_then(|listener| Ok((listener.address()?, listener)));
        let (address, listener) = bound.map_err(|error| ServiceError::Listen(listen.clone(), error))?;
        let api = Api::new(Arc::clone(index), options.quirks, options.follow.has_rich_list);
        let api = api.with_progress(progress.clone());
        let shared = Arc::new(ServiceShared {
            api: Arc::new(api),
            metrics,
            progress: progress.clone(),
            failure: Mutex::default(),
            is_public: options.is_public,
            ready: options.ready,
            is_reader: index.writers_progress().is_some(),
            stop: CancellationToken::new(),
        });
        let service = Self { address, shared, progress, threads: Vec::new() };
        Ok(BoundService { service, listener, options })
    }

    fn spawn(
        &mut self,
        name: &str,
        job: impl FnOnce(&Arc<ServiceShared>) -> io::Result<()> + Send + 'static,
    ) -> Result<(), ServiceError> {
        let shared = Arc::clone(&self.shared);
        let work = move || {
            if let Err(error) = job(&shared) {
                tracing::error!(%error, "the node's index stopped");
                *lock(&shared.failure) = Some(error.to_string());
            }
        };
        self.threads.push(thread::Builder::new().name(name.to_owned()).spawn(work).map_err(ServiceError::Start)?);
        Ok(())
    }

    /// Returns the listening URL without a trailing slash, or `unix:` with the socket's path.
    pub fn url(&self) -> String {
        self.address.to_string()
    }

    /// Returns a receiver of the progress, which sees changes.
    pub fn progress(&self) -> watch::Receiver<NodeProgress> {
        self.progress.clone()
    }

    /// Returns the cause of the failure; `None` while the service runs.
    pub fn failure(&self) -> Option<String> {
        lock(&self.shared.failure).clone()
    }

    /// Waits until the newest blocks are stored; returns the node's problem or the failure otherwise.
    pub async fn first_blocks(&self) -> Result<(), String> {
        let mut progress = self.progress.clone();
        let told = progress.wait_for(|progress| progress.is_at_tip || progress.trouble.is_some()).await;
        match told {
            Ok(progress) => progress.trouble.clone().filter(|_| !progress.is_at_tip).map_or(Ok(()), Err),
            Err(_) => Err(self.failure().unwrap_or_else(|| "the index has stopped".to_owned())),
        }
    }
}

impl Drop for NodeService {
    fn drop(&mut self) {
        self.shared.stop.cancel();
        for thread in self.threads.drain(..) {
            // The panic hook has reported a panic.
            drop(thread.join());
        }
        self.shared.api.index.close();
    }
}

impl ServiceShared {
    /// Returns the refusal of all requests to the API while the index is empty: an answer would claim that the chain
    /// is. `None` once the index has blocks; the process's own requests wait for them.
    async fn refusal(self: &Arc<Self>) -> Option<HttpRefusal> {
        let trouble = {
            let progress = self.progress.borrow();
            if progress.is_at_tip {
                return None;
            }
            progress.trouble.clone()
        };
        let shared = Arc::clone(self);
        let bounds = tokio::task::spawn_blocking(move || shared.api.index.bounds()).await;
        if bounds.is_ok_and(|bounds| bounds.is_ok_and(|bounds| bounds.is_some())) {
            return None;
        }
        if !self.is_public {
            // The explorer of this process shows a start, not an error.
            drop(self.progress.clone().wait_for(|progress| progress.is_at_tip).await);
            return None;
        }
        if self.is_reader {
            return Some(HttpRefusal::Empty("the process that writes the file has written none".to_owned()));
        }
        let reason = lock(&self.failure).clone().or(trouble);
        Some(HttpRefusal::Empty(reason.unwrap_or_else(|| "the node's newest blocks are being read".to_owned())))
    }
}

impl ServiceShared {
    /// Waits until the file has the block of a page key, which another reader of the file may have had before; returns
    /// the refusal if that takes too long.
    async fn reach(self: &Arc<Self>, key: Option<u64>) -> Option<HttpRefusal> {
        let height = key.filter(|_| self.is_reader)?;
        let until = Instant::now() + REACH;
        loop {
            let shared = Arc::clone(self);
            let bounds = tokio::task::spawn_blocking(move || shared.api.index.bounds()).await;
            // Another error is that of the request.
            if bounds.is_ok_and(|bounds| bounds.is_ok_and(|bounds| bounds.is_none_or(|held| held.tip.get() >= height)))
            {
                return None;
            }
            if Instant::now() >= until {
                return Some(HttpRefusal::Behind(height));
            }
            tokio::time::sleep(REACH / 40).await;
        }
    }
}

fn serve(listener: BoundListener, shared: &Arc<ServiceShared>, options: ServiceOptions) -> io::Result<()> {
    let quirks = options.quirks;
    let app = async {
        let mut routes = http::routes(&shared.api);
        if quirks {
            routes = routes.kept_in(ResponseCache::new(Timestamp::now));
        }
        let (routes, shared) = (Arc::new(http::described(routes, &shared.api)), Arc::clone(shared));
        // The imitated server keeps its answers for a time, whatever happens.
        let keep = || {
            let (progress, queries) = (shared.progress.clone(), shared.metrics.queries.clone());
            AnswerCache::new(&shared.api.index, &routes, progress, queries, shared.is_public)
        };
        let answers = Arc::new((!quirks).then(keep));
        Router::new().fallback(move |request: Request| {
            let (routes, answers, shared) = (Arc::clone(&routes), Arc::clone(&answers), Arc::clone(&shared));
            async move { answer(&routes, answers.as_ref().as_ref(), shared, request).await }
        })
    };
    http::serve(listener, app, options.listen.into(), &shared.stop)
}

async fn answer(
    routes: &Arc<Routes>,
    answers: Option<&AnswerCache>,
    shared: Arc<ServiceShared>,
    request: Request,
) -> Response<Body> {
    let begun = Instant::now();
    let is_public = shared.is_public;
    if is_public && http::is_operators(request.uri().path()) {
        let (parts, _) = request.into_parts();
        let answer = move || {
            // An index that cannot be read is reported below.
            drop(shared.api.index.refresh());
            let (progress, failure) = (shared.progress.borrow().clone(), lock(&shared.failure).clone());
            let view = OperatorView { index: &shared.api.index, progress, failure };
            http::answer_operator(parts.uri.path(), &parts.headers, shared.ready, &shared.metrics, &view)
        };
        let answered = tokio::task::spawn_blocking(answer).await;
        return answered.unwrap_or_else(|_| HttpRefusal::Internal.into()).into_response();
    }
    let is_preflight = is_public
        && request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let key = request.uri().query().and_then(http::key_height);
    let refusal = async {
        match shared.refusal().await {
            Some(refusal) => Some(refusal),
            None => shared.reach(key).await,
        }
    };
    let (route, mut response) = if let Some(answers) = answers.filter(|_| is_read) {
        answers.answer(request, refusal).await
    } else {
        let route = routes.name_of(request.uri().path());
        drop(shared.api.index.refresh());
        let reply = match refusal.await {
            _ if is_preflight => Reply::no_content(),
            Some(refusal) => refusal.into(),
            None => routes.answer(request).await,
        };
        (route, reply.into_response())
    };
    shared.metrics.take(route, response.status().as_u16(), begun.elapsed());
    if is_public {
        for (name, value) in [
            (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
            (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, "*"),
            (header::ACCESS_CONTROL_EXPOSE_HEADERS, "ETag, Retry-After, X-Oldest-Height"),
        ] {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
    }
    response
}

/// Locks a mutex; no code panics halfway through a change, so a poisoned lock holds valid data.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
