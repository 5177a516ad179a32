//! Metrics of a server in Prometheus' text format.

use std::{sync::atomic::AtomicU64, time::Duration};

use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};

use crate::indexer::{index::Index, progress::NodeProgress};

/// Upper bounds of the duration histogram, in seconds.
const DURATIONS: [f64; 9] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];

/// Labels of a request. The path is the route's, with parameters in braces, to limit the number of labels.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: &'static str,
}

#[derive(Debug)]
pub(crate) struct HttpMetrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabels, Histogram>,
    height: Gauge<u64, AtomicU64>,
    oldest: Gauge<u64, AtomicU64>,
    node_height: Gauge<u64, AtomicU64>,
    lag: Gauge<u64, AtomicU64>,
    missing: Gauge<u64, AtomicU64>,
    traced_height: Gauge<u64, AtomicU64>,
    rich_list_height: Gauge<u64, AtomicU64>,
    undecoded: Gauge<u64, AtomicU64>,
    is_troubled: Gauge<u64, AtomicU64>,
    has_failed: Gauge<u64, AtomicU64>,
}

impl Default for HttpMetrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("rollscope");
        let requests = Family::default();
        let durations = Family::new_with_constructor((|| Histogram::new(DURATIONS)) as fn() -> Histogram);
        registry.register("http_requests", "Requests by route and status", requests.clone());
        registry.register_with_unit(
            "http_request_duration",
            "Time to produce a response",
            Unit::Seconds,
            durations.clone(),
        );
        let mut gauge = |name: &str, help: &str| {
            let gauge = Gauge::<u64, AtomicU64>::default();
            registry.register(name, help, gauge.clone());
            gauge
        };
        Self {
            height: gauge("height", "Newest indexed block"),
            oldest: gauge("oldest_height", "Oldest indexed block"),
            node_height: gauge("node_height", "Newest block of the node"),
            lag: gauge("lag_blocks", "Index lag behind the node, in blocks"),
            missing: gauge("missing_blocks", "Older blocks still to index"),
            traced_height: gauge("internal_tx_height", "Newest block with indexed call frames"),
            rich_list_height: gauge("rich_list_height", "Height of the rich list"),
            undecoded: gauge("undecoded_parts", "Parts of indexed blocks that could not be decoded"),
            is_troubled: gauge("node_trouble", "1 while the node has a problem"),
            has_failed: gauge("index_failed", "1 after the index became read-only"),
            registry,
            requests,
            durations,
        }
    }
}

impl HttpMetrics {
    pub(crate) fn take(&self, route: &'static str, status: u16, duration: Duration) {
        self.requests.get_or_create(&RequestLabels { route, status }).inc();
        self.durations.get_or_create(&RouteLabels { route }).observe(duration.as_secs_f64());
    }

    /// Formats all current metrics.
    pub(crate) fn write(&self, index: &Index, progress: &NodeProgress, has_failed: bool) -> String {
        let held = index.bounds().ok().flatten();
        let tip = held.map_or(0, |held| held.tip.get());
        let node = progress.tip.map_or(0, crate::domain::Height::get);
        self.height.set(tip);
        self.oldest.set(held.map_or(0, |held| held.from.get()));
        self.node_height.set(node);
        self.lag.set(node.saturating_sub(tip));
        self.missing.set(progress.missing);
        self.traced_height.set(index.traced().ok().flatten().map_or(0, |traced| traced.tip.get()));
        self.rich_list_height.set(index.rich_list_height().ok().flatten().map_or(0, crate::domain::Height::get));
        self.undecoded.set(index.undecoded(0).map_or(0, |(count, _)| count));
        self.is_troubled.set(u64::from(progress.trouble.is_some()));
        self.has_failed.set(u64::from(has_failed));
        let mut text = String::new();
        // Writing to memory cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
