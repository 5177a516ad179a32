//! Metrics of a server in Prometheus' text format.

use std::{
    sync::{Arc, atomic::AtomicU64},
    time::{Duration, SystemTime},
};

use prometheus_client::{
    collector::Collector,
    encoding::{
        DescriptorEncoder, EncodeLabel, EncodeLabelSet, EncodeMetric, LabelSetEncoder,
        text::{encode_eof, encode_registry},
    },
    metrics::{
        counter::{ConstCounter, Counter},
        family::Family,
        gauge::{ConstGauge, Gauge},
        histogram::Histogram,
    },
    registry::{Registry, Unit},
};

use super::{
    operator::{ChainView, OperatorView},
    sample::IndexSample,
};
use crate::{domain::Height, indexer::index::Bounds};

/// Upper bounds of the duration histograms, in seconds.
const DURATIONS: [f64; 9] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];

const PREFIX: &str = "rollscope";

/// Labels with that of the chain, which a server of one chain does not have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct OfChain<L> {
    chain: Option<Arc<str>>,
    labels: L,
}

impl<L: EncodeLabelSet> EncodeLabelSet for OfChain<L> {
    fn encode(&self, encoder: &mut LabelSetEncoder<'_>) -> std::fmt::Result {
        if let Some(chain) = &self.chain {
            ("chain", chain.as_ref()).encode(encoder.encode_label())?;
        }
        self.labels.encode(encoder)
    }
}

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

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct NodeLabels {
    interface: &'static str,
    status: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct InterfaceLabels {
    interface: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct BuildLabels {
    version: &'static str,
}

type Durations<L> = Family<OfChain<L>, Histogram>;

/// Registry of a server's metrics, with those of the process and the build.
#[derive(Debug)]
pub(crate) struct MetricsRegistry {
    all: Registry,
    memory: Gauge<u64, AtomicU64>,
}

impl Default for MetricsRegistry {
    fn default() -> Self {
        let mut all = Registry::default();
        let memory = process(&mut all);
        let mut metrics = Self { all, memory };
        let build = Family::<BuildLabels, Gauge>::default();
        build.get_or_create(&BuildLabels { version: env!("CARGO_PKG_VERSION") }).set(1);
        metrics.own().register("build_info", "Version of rollscope", build);
        metrics
    }
}

impl MetricsRegistry {
    /// Returns the registry of further metrics, whose names get the program's prefix.
    pub(crate) fn own(&mut self) -> &mut Registry {
        self.all.sub_registry_with_prefix(PREFIX)
    }

    /// Formats all current metrics, and those of `scraped`, in the format of `OpenMetrics`.
    pub(crate) fn text(&self, scraped: Option<&Registry>) -> String {
        self.memory.set(resident_bytes().unwrap_or(0));
        let mut text = String::new();
        let mut registries = [Some(&self.all), scraped].into_iter().flatten();
        let written = registries.try_for_each(|registry| encode_registry(&mut text, registry));
        // Writing to memory cannot fail.
        let _ = written.and_then(|()| encode_eof(&mut text));
        text
    }
}

/// Registers a gauge of whole numbers.
pub(crate) fn gauge(registry: &mut Registry, name: &str, help: &str) -> Gauge<u64, AtomicU64> {
    let gauge = Gauge::default();
    registry.register(name, help, gauge.clone());
    gauge
}

/// Counts of the requests to nodes, and their durations.
#[derive(Clone, Debug)]
pub struct NodeMetrics {
    chain: Option<Arc<str>>,
    requests: Family<OfChain<NodeLabels>, Counter>,
    durations: Durations<InterfaceLabels>,
}

impl NodeMetrics {
    pub(crate) fn new(registry: &mut Registry) -> Self {
        let requests = Family::default();
        registry.register("node_requests", "Requests to the node by interface and status", requests.clone());
        let durations = register_durations(registry, "node_request_duration", "Time until the node's response");
        Self { chain: None, requests, durations }
    }

    /// Counts a request.
    pub(crate) fn take(&self, interface: &'static str, status: String, duration: Duration) {
        let labels = OfChain { chain: self.chain.clone(), labels: NodeLabels { interface, status } };
        self.requests.get_or_create(&labels).inc();
        let labels = OfChain { chain: self.chain.clone(), labels: InterfaceLabels { interface } };
        self.durations.get_or_create(&labels).observe(duration.as_secs_f64());
    }
}

/// Metrics of one process, whose server may serve several chains.
#[derive(Debug)]
pub(crate) struct HttpMetrics {
    registry: MetricsRegistry,
    /// Open connections of readers.
    pub(crate) connections: Gauge,
    requests: Family<OfChain<RequestLabels>, Counter>,
    durations: Durations<RouteLabels>,
    node: NodeMetrics,
}

/// Metrics of one chain; clones share them.
#[derive(Clone, Debug)]
pub struct ChainMetrics {
    process: Arc<HttpMetrics>,
    /// Value of the label `chain`; `None` for the only chain of a server.
    chain: Option<Arc<str>>,
    /// Counts the answers made from the index.
    pub(crate) queries: Counter,
    /// Counts the requests to the chain's node.
    pub(crate) node: NodeMetrics,
}

impl Default for HttpMetrics {
    fn default() -> Self {
        let mut all = MetricsRegistry::default();
        let registry = all.own();
        let (connections, requests) = (Gauge::default(), Family::default());
        registry.register("http_connections", "Open connections of readers", connections.clone());
        registry.register("http_requests", "Requests by route and status", requests.clone());
        let durations = register_durations(registry, "http_request_duration", "Time to produce a response");
        let node = NodeMetrics::new(registry);
        Self { registry: all, connections, requests, durations, node }
    }
}

fn register_durations<L>(registry: &mut Registry, name: &str, help: &str) -> Durations<L>
where
    L: Clone + Eq + std::hash::Hash + std::fmt::Debug + Send + Sync + EncodeLabelSet + 'static,
{
    let durations = Family::new_with_constructor((|| Histogram::new(DURATIONS)) as fn() -> Histogram);
    registry.register_with_unit(name, help, Unit::Seconds, durations.clone());
    durations
}

/// Chain of a scrape; without a view, its node was not found yet.
struct ScrapedChain<'a> {
    view: Option<&'a OperatorView>,
    sample: Option<&'a IndexSample>,
    held: Option<Bounds>,
}

impl ScrapedChain<'_> {
    fn tip(&self) -> u64 {
        self.held.map_or(0, |held| held.tip.get())
    }

    fn node_tip(&self) -> u64 {
        self.view.and_then(|view| view.progress.tip).map_or(0, Height::get)
    }

    fn sampled(&self, value: impl FnOnce(&IndexSample) -> u64) -> u64 {
        self.sample.map_or(0, value)
    }
}

/// Name, help and value of a metric.
type IndexGauge = (&'static str, &'static str, fn(&ScrapedChain<'_>) -> u64);

/// Metrics that are read from the index for each scrape.
const GAUGES: &[IndexGauge] = &[
    ("height", "Newest indexed block", |chain| chain.tip()),
    ("oldest_height", "Oldest indexed block", |chain| chain.sampled(|sample| sample.oldest)),
    ("node_height", "Newest block of the node", |chain| chain.node_tip()),
    ("lag_blocks", "Index lag behind the node, in blocks", |chain| chain.node_tip().saturating_sub(chain.tip())),
    ("missing_blocks", "Older blocks still to index", |chain| chain.view.map_or(0, |view| view.progress.missing)),
    ("internal_tx_height", "Newest block with indexed call frames", |chain| chain.sampled(|sample| sample.traced)),
    ("rich_list_height", "Height of the rich list", |chain| chain.sampled(|sample| sample.rich_list)),
    ("undecoded_parts", "Parts of indexed blocks that could not be decoded", |chain| {
        chain.sampled(|sample| sample.undecoded)
    }),
    ("node_trouble", "1 while the node has a problem, or was not found yet", |chain| {
        let is_troubled = |view: &OperatorView| view.progress.trouble.is_some() && view.store_trouble.is_none();
        u64::from(chain.view.is_none_or(is_troubled))
    }),
    ("store_trouble", "1 while the index's store cannot be written, such as on a full disk", |chain| {
        u64::from(chain.view.is_some_and(|view| view.store_trouble.is_some()))
    }),
    ("index_failed", "1 after the index ended; restart the server", |chain| {
        u64::from(chain.view.is_some_and(|view| view.failure.is_some()))
    }),
    ("gap_blocks", "Blocks between indexed ones that the node had pruned before they were read", |chain| {
        chain.held.map_or(0, |held| held.missing)
    }),
    ("indexed_blocks", "Indexed blocks", |chain| chain.held.map_or(0, |held| held.blocks())),
    ("indexed_txs", "Indexed transactions", |chain| chain.held.map_or(0, |held| held.txs())),
    ("index_file_bytes", "Size of the index's files; 0 in memory", |chain| chain.sampled(|sample| sample.file_bytes)),
];

/// Values of one scrape by metric and chain.
#[derive(Debug)]
struct Scrape {
    chains: Vec<ChainMetrics>,
    /// Values in the order of `GAUGES`, one for each chain.
    values: Vec<Vec<u64>>,
}

impl Scrape {
    fn new(views: &[ChainView<'_>]) -> Self {
        let (mut chains, mut values) = (Vec::new(), Vec::new());
        for ChainView { metrics, index, .. } in views {
            let view = index.as_ref().ok();
            let sample = view.and_then(|view| view.sample.as_deref());
            let held = sample.and_then(|sample| sample.held.as_ref().ok().copied().flatten());
            let chain = ScrapedChain { view, sample, held };
            values.push(GAUGES.iter().map(|(_, _, value)| value(&chain)).collect());
            chains.push((*metrics).clone());
        }
        Self { chains, values }
    }
}

impl Collector for Scrape {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> std::fmt::Result {
        let help = "Answers made from the index; for the other requests an answer was kept";
        let queries = self.chains.iter().map(|chain| (chain, ConstCounter::new(chain.queries.get())));
        encode_by_chain(&mut encoder, "http_queries", help, queries)?;
        for (place, (name, help, _)) in GAUGES.iter().enumerate() {
            let values = self.chains.iter().zip(&self.values);
            let values = values.filter_map(|(chain, values)| Some((chain, ConstGauge::new(*values.get(place)?))));
            encode_by_chain(&mut encoder, name, help, values)?;
        }
        Ok(())
    }
}

fn encode_by_chain<'a, M: EncodeMetric>(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    values: impl Iterator<Item = (&'a ChainMetrics, M)> + Clone,
) -> std::fmt::Result {
    let Some((_, first)) = values.clone().next() else { return Ok(()) };
    let mut encoder = encoder.encode_descriptor(name, help, None, first.metric_type())?;
    for (metrics, value) in values {
        match &metrics.chain {
            Some(chain) => value.encode(encoder.encode_family(&[("chain", chain.as_ref())])?)?,
            None => return value.encode(encoder),
        }
    }
    Ok(())
}

impl HttpMetrics {
    /// Returns the metrics of a chain; `None` is the only chain of the server.
    pub(crate) fn chain(self: &Arc<Self>, chain: Option<&str>) -> ChainMetrics {
        let chain: Option<Arc<str>> = chain.map(Into::into);
        let node = NodeMetrics { chain: chain.clone(), ..self.node.clone() };
        ChainMetrics { process: Arc::clone(self), chain, queries: Counter::default(), node }
    }

    /// Formats all current metrics in the format of `OpenMetrics`.
    pub(super) fn write(&self, chains: &[ChainView<'_>]) -> String {
        let mut scraped = Registry::with_prefix(PREFIX);
        scraped.register_collector(Box::new(Scrape::new(chains)));
        self.registry.text(Some(&scraped))
    }
}

impl ChainMetrics {
    /// Returns the metrics of the only chain of a server.
    pub fn of_server() -> Self {
        Arc::new(HttpMetrics::default()).chain(None)
    }

    pub(crate) fn process(&self) -> &Arc<HttpMetrics> {
        &self.process
    }

    /// Returns the value of the label `chain`.
    pub(super) fn name(&self) -> Option<&str> {
        self.chain.as_deref()
    }

    fn with<L>(&self, labels: L) -> OfChain<L> {
        OfChain { chain: self.chain.clone(), labels }
    }

    /// Counts an answered request.
    pub(crate) fn take(&self, route: &'static str, status: u16, duration: Duration) {
        self.process.requests.get_or_create(&self.with(RequestLabels { route, status })).inc();
        let durations = self.process.durations.get_or_create(&self.with(RouteLabels { route }));
        durations.observe(duration.as_secs_f64());
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
