//! Counts of the requests to a node.

use std::{
    fmt,
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::{Registry, Unit},
};

use crate::{
    client::{NodeClient, NodeInterface, Observer},
    indexer::http::DURATIONS,
    wire::{ApiError, Exchange, ExchangeOutcome},
};

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct NodeLabels {
    interface: &'static str,
    status: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct InterfaceLabels {
    interface: &'static str,
}

/// Requests to a node by interface and status, and their durations.
#[derive(Clone)]
pub struct NodeRequests {
    /// URLs of the interfaces, with their names.
    urls: Arc<[(String, &'static str)]>,
    requests: Family<NodeLabels, Counter<u64, AtomicU64>>,
    durations: Family<InterfaceLabels, Histogram>,
}

impl fmt::Debug for NodeRequests {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("NodeRequests").field("urls", &self.urls).finish_non_exhaustive()
    }
}

impl NodeRequests {
    pub fn new(client: &NodeClient) -> Self {
        let names = [(NodeInterface::JsonRpc, "json_rpc"), (NodeInterface::Rest, "rest"), (NodeInterface::Rpc, "rpc")];
        let url = |(interface, name)| Some((client.url(interface)?.to_owned(), name));
        let durations = Family::new_with_constructor((|| Histogram::new(DURATIONS)) as fn() -> Histogram);
        Self { urls: names.into_iter().filter_map(url).collect(), requests: Family::default(), durations }
    }

    pub(crate) fn register(&self, registry: &mut Registry) {
        registry.register("node_requests", "Requests to the node by interface and status", self.requests.clone());
        registry.register_with_unit(
            "node_request_duration",
            "Time until the node's response",
            Unit::Seconds,
            self.durations.clone(),
        );
    }
}

impl Observer for NodeRequests {
    fn exchange(&self, exchange: &Arc<Exchange>) {
        let of_url = |(url, _): &&(String, &'static str)| exchange.url.starts_with(url.as_str());
        let longest = self.urls.iter().filter(of_url).max_by_key(|(url, _)| url.len());
        let interface = longest.map_or("other", |(_, name)| name);
        let status = match &exchange.outcome {
            ExchangeOutcome::Status(status) => status.to_string(),
            ExchangeOutcome::Failed(_) => "failed".to_owned(),
            ExchangeOutcome::Cancelled => "cancelled".to_owned(),
        };
        self.requests.get_or_create(&NodeLabels { interface, status }).inc();
        self.durations.get_or_create(&InterfaceLabels { interface }).observe(exchange.elapsed.as_secs_f64());
    }

    fn retrying(&self, _attempt: u32, _wait: Duration, _error: &ApiError) {}
}
