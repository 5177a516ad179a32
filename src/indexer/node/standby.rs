//! Server of a process that waits until another process no longer writes the index.

use std::{
    sync::Arc,
    thread::{self, JoinHandle},
};

use axum::{Router, extract::Request};
use tokio_util::sync::CancellationToken;

use super::{ServiceError, ServiceOptions, fleet::FleetChain, service::bind};
use crate::indexer::http::{self, HttpMetrics, ListenAddress};

/// Server without an index: it is healthy but not ready, and its API answers 503 with the reason. Dropping it frees the
/// address.
#[derive(Debug)]
pub struct StandbyServer {
    address: ListenAddress,
    chain: Arc<FleetChain>,
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

impl StandbyServer {
    pub fn start(listen: &ListenAddress, options: ServiceOptions, reason: String) -> Result<Self, ServiceError> {
        let (address, listener) = bind(listen, options.listen)?;
        let (process, stop) = (Arc::new(HttpMetrics::default()), CancellationToken::new());
        let chain = FleetChain::new(String::new(), process.chain(None), options, reason, stop.child_token());
        let chain = Arc::new(chain);
        let (of_thread, stopped) = (Arc::clone(&chain), stop.clone());
        let serve = move || {
            let app = async { Router::new().fallback(move |request: Request| Arc::clone(&of_thread).answer(request)) };
            if let Err(error) = http::serve(listener, app, options.listen.into(), process.connections.clone(), &stopped)
            {
                tracing::warn!(%error, "no longer answers while it waits");
            }
        };
        let thread =
            thread::Builder::new().name("standby-http".to_owned()).spawn(serve).map_err(ServiceError::Start)?;
        Ok(Self { address, chain, stop, thread: Some(thread) })
    }

    /// Returns the address with the port that the system chose.
    pub fn address(&self) -> &ListenAddress {
        &self.address
    }

    /// Sets the reason for waiting; returns whether it is news.
    pub fn set_reason(&self, reason: String) -> bool {
        self.chain.set_trouble(reason)
    }
}

impl Drop for StandbyServer {
    fn drop(&mut self) {
        self.stop.cancel();
        // The panic hook has reported a panic.
        drop(self.thread.take().map(JoinHandle::join));
    }
}
