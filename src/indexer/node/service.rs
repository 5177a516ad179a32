//! Service that runs a node's index and its HTTP API on its own threads.

use std::{
    io,
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

use axum::{Router, extract::Request};
use tokio::{runtime::Runtime, sync::watch};
use tokio_util::sync::CancellationToken;

use super::{FollowOptions, NodeFollower, feed::NodeFeed, served::ServedIndex};
use crate::indexer::{
    http::{self, BoundListener, ChainMetrics, ListenAddress, ListenOptions},
    index::Index,
    progress::{NodeProgress, ReadyLimits},
};

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
    served: Arc<ServedIndex>,
    progress: watch::Receiver<NodeProgress>,
    stop: CancellationToken,
    threads: Vec<JoinHandle<()>>,
}

impl NodeService {
    /// Serves an index that another process writes.
    pub fn read(index: Index, listen: &ListenAddress, options: ServiceOptions) -> Result<Self, ServiceError> {
        let (address, listener) = bind(listen, options.listen)?;
        let index = Arc::new(index);
        let progress = index.writers_progress().unwrap_or_else(|| watch::channel(NodeProgress::default()).1);
        let metrics = ChainMetrics::of_server();
        let served = ServedIndex::new(&index, metrics.clone(), progress.clone(), options);
        Self::new(address, served, progress).serve(listener, metrics, options.listen)
    }

    /// Starts following and serving. On return the address is bound; the API answers 503 until the index has blocks.
    ///
    /// Pass the runtime of earlier requests to the node: it owns their connections. `metrics` are those of the feed.
    pub fn start<F: NodeFeed>(
        runtime: Runtime,
        feed: Arc<F>,
        index: Index,
        metrics: ChainMetrics,
        listen: &ListenAddress,
        options: ServiceOptions,
    ) -> Result<Self, ServiceError> {
        let (address, listener) = bind(listen, options.listen)?;
        let index = Arc::new(index);
        let follower = NodeFollower::new(feed, Arc::clone(&index), options.follow);
        let progress = follower.progress();
        let served = ServedIndex::new(&index, metrics.clone(), progress.clone(), options);
        let mut service = Self::new(address, served, progress);
        service.spawn("node-index", move |_, stop| follow(&follower, runtime, stop))?;
        service.serve(listener, metrics, options.listen)
    }

    fn new(address: ListenAddress, served: Arc<ServedIndex>, progress: watch::Receiver<NodeProgress>) -> Self {
        Self { address, served, progress, stop: CancellationToken::new(), threads: Vec::new() }
    }

    fn serve(
        mut self,
        listener: BoundListener,
        metrics: ChainMetrics,
        options: ListenOptions,
    ) -> Result<Self, ServiceError> {
        self.spawn("node-http", move |served, stop| {
            let app = async {
                let served = Arc::clone(served);
                Router::new().fallback(move |request: Request| Arc::clone(&served).answer(request))
            };
            http::serve(listener, app, options.into(), metrics.process().connections.clone(), stop)
        })?;
        Ok(self)
    }

    fn spawn(
        &mut self,
        name: &str,
        job: impl FnOnce(&Arc<ServedIndex>, &CancellationToken) -> io::Result<()> + Send + 'static,
    ) -> Result<(), ServiceError> {
        let (served, stop) = (Arc::clone(&self.served), self.stop.clone());
        let work = move || {
            if let Err(error) = job(&served, &stop) {
                served.fail(error.to_string());
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
        self.served.failure()
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
        self.stop.cancel();
        for thread in self.threads.drain(..) {
            // The panic hook has reported a panic.
            drop(thread.join());
        }
        self.served.index().close();
    }
}

/// Binds an address, and returns it with the port that the system chose.
pub(crate) fn bind(
    listen: &ListenAddress,
    options: ListenOptions,
) -> Result<(ListenAddress, BoundListener), ServiceError> {
    let bound =
        BoundListener::bind(listen, options.socket_mode).and_then(|listener| Ok((listener.address()?, listener)));
    bound.map_err(|error| ServiceError::Listen(listen.clone(), error))
}

/// Follows a node until stopped or failed, on the calling thread.
pub(super) fn follow<F: NodeFeed>(
    follower: &NodeFollower<F>,
    runtime: Runtime,
    stop: &CancellationToken,
) -> io::Result<()> {
    let ended = runtime.block_on(follower.run(stop)).map_err(io::Error::other);
    // Waits for writes, but not for requests.
    runtime.shutdown_timeout(GRACE);
    ended
}
