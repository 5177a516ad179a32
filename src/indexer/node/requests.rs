//! Counts of the requests to a node.

use std::{sync::Arc, time::Duration};

use crate::{
    client::{NodeClient, NodeInterface, Observer},
    indexer::http::NodeMetrics,
    wire::{ApiError, Exchange, ExchangeOutcome},
};

/// Counter of the requests to a node by interface.
pub struct NodeRequests {
    /// URLs of the interfaces, with their names.
    urls: Vec<(String, &'static str)>,
    metrics: NodeMetrics,
}

impl NodeRequests {
    pub fn new(client: &NodeClient, metrics: NodeMetrics) -> Self {
        let names = [(NodeInterface::JsonRpc, "json_rpc"), (NodeInterface::Rest, "rest"), (NodeInterface::Rpc, "rpc")];
        let head = |url: &str| url.split(['?', '#']).next().unwrap_or_default().to_owned();
        let url = |(interface, name)| Some((head(client.url(interface)?), name));
        Self { urls: names.into_iter().filter_map(url).collect(), metrics }
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
        self.metrics.take(interface, status, exchange.elapsed);
    }

    fn retrying(&self, _attempt: u32, _wait: Duration, _error: &ApiError) {}
}
