//! Metrics of a server in Prometheus' text format.

use std::{
    sync::atomic::AtomicU64,
    time::{Duration, SystemTime},
};

use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};

use super::operator::OperatorView;
use crate::{domain::Height, indexer::node::NodeRequests};

/// Upper bounds of the duration histogram, in seconds.
pub(crate) const DURATIONS: [f64; 9] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];

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

/// Registry of a server's metrics, with those of the process, the build and the requests to a node.
#[derive(Debug)]
pub(crate) struct MetricsRegistry {
    all: Registry,
    memory: Gauge<u64, AtomicU64>,
}

impl MetricsRegistry {
    /// Creates the registry; `node` counts the requests to the server's node.
    pub(crate) fn new(node: Option<&NodeRequests>) -> Self {
        let mut all = Registry::default();
        let memory = process(&mut all);
        let mut metrics = Self { all, memory };
        let build = Family::<BuildLabels, Gauge>::default();
        build.get_or_create(&BuildLabels { version: env!("CARGO_PKG_VERSION") }).set(1);
        let registry = metrics.own();
        registry.register("build_info", "Version of rollscope", build);
        if let Some(node) = node {
            node.register(registry);
        }
        metrics
    }

    /// Returns the registry of further metrics, whose names get the program's prefix.
    pub(crate) fn own(&mut self) -> &mut Registry {
        self.all.sub_registry_with_prefix("rollscope")
    }

    /// Formats all current metrics in the format of `OpenMetrics`.
    pub(crate) fn text(&self) -> String {
        self.memory.set(resident_bytes().unwrap_or(0));
        let mut text = String::new();
        // Writing to memory cannot fail.
        let _ = encode(&mut text, &self.all);
        text
    }
}

/// Registers a gauge of whole numbers.
pub(crate) fn gauge(registry: &mut Registry, name: &str, help: &str) -> Gauge<u64, AtomicU64> {
    let gauge = Gauge::default();
    registry.register(name, help, gauge.clone());
    gauge
}

#[derive(Debug)]
pub(crate) struct HttpMetrics {
    registry: MetricsRegistry,
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabels, Histogram>,
    pub(crate) queries: Counter,
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
    blocks: Gauge<u64, AtomicU64>,
    txs: Gauge<u64, AtomicU64>,
    file_bytes: Gauge<u64, AtomicU64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct BuildLabels {
    version: &'static str,
}

impl HttpMetrics {
    /// Creates the metrics of a server; `node` counts the requests to its node.
    pub(crate) fn new(node: Option<&NodeRequests>) -> Self {
        let mut all = MetricsRegistry::new(node);
        let registry = all.own();
        let requests = Family::default();
        let durations = Family::new_with_constructor((|| Histogram::new(DURATIONS)) as fn() -> Histogram);
        registry.register("http_requests", "Requests by route and status", requests.clone());
        registry.register_with_unit(
            "http_request_duration",
            "Time to produce a response",
            Unit::Seconds,
            durations.clone(),
        );
        let queries = Counter::default();
        let help = "Answers made from the index; for the other requests an answer was kept";
        registry.register("http_queries", help, queries.clone());
        let mut gauge = |name: &str, help: &str| gauge(registry, name, help);
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
            blocks: gauge("indexed_blocks", "Indexed blocks"),
            txs: gauge("indexed_txs", "Indexed transactions"),
            file_bytes: gauge("index_file_bytes", "Size of the index's files; 0 in memory"),
            registry: all,
            requests,
            durations,
            queries,
        }
    }
}

impl HttpMetrics {
    pub(crate) fn take(&self, route: &'static str, status: u16, duration: Duration) {
        self.requests.get_or_create(&RequestLabels { route, status }).inc();
        self.durations.get_or_create(&RouteLabels { route }).observe(duration.as_secs_f64());
    }

    /// Formats all current metrics in the format of `OpenMetrics`.
    pub(super) fn write(&self, view: &OperatorView<'_>) -> String {
        let OperatorView { index, progress, failure } = view;
        let held = index.bounds().ok().flatten();
        let tip = held.map_or(0, |held| held.tip.get());
        let node = progress.tip.map_or(0, Height::get);
        self.blocks.set(held.map_or(0, |held| held.blocks()));
        self.txs.set(held.map_or(0, |held| held.txs()));
        self.file_bytes.set(index.file_bytes());
        self.height.set(tip);
        self.oldest.set(held.map_or(0, |held| held.from.get()));
        self.node_height.set(node);
        self.lag.set(node.saturating_sub(tip));
        self.missing.set(progress.missing);
        self.traced_height.set(index.traced().ok().flatten().map_or(0, |traced| traced.tip.get()));
        self.rich_list_height.set(index.rich_list_height().ok().flatten().map_or(0, Height::get));
        self.undecoded.set(index.undecoded(0).map_or(0, |(count, _)| count));
        self.is_troubled.set(u64::from(progress.trouble.is_some()));
        self.has_failed.set(u64::from(failure.is_some()));
        self.registry.text()
    }
}

/// Registers the metrics of the process, and returns that of its memory.
fn process(registry: &mut Registry) -> Gauge<u64, AtomicU64> {
    let start = Gauge::<f64, AtomicU64>::default();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    start.set(now.as_secs_f64());
    let help = "Start of the process since the Unix epoch";
    registry.register_with_unit("process_start_time", help, Unit::Seconds, start);
    let memory = Gauge::default();
    let help = "Resident memory; 0 where the system does not tell";
    registry.register_with_unit("process_resident_memory", help, Unit::Bytes, memory.clone());
    memory
}

/// Returns the resident memory of this process; `None` on other systems than Linux.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}
