//! Metrics of a check that goes on, and their server.

use std::{
    io,
    sync::{Arc, atomic::AtomicU64},
    thread::{self, JoinHandle},
};

use axum::{Router, extract::Request};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
};
use tokio_util::sync::CancellationToken;

use super::{CheckedPart, Findings};
use crate::{
    domain::{Height, text},
    indexer::{
        ListenAddress, ListenOptions, NodeMetrics,
        http::{self, HttpRefusal, MetricsRegistry, Reply, gauge},
        node::{ServiceError, bind},
    },
};

/// Maximum width of a field in a label, in terminal columns.
const FIELD: usize = 120;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CauseLabels {
    part: String,
    difference: &'static str,
    field: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PartLabels {
    part: String,
}

/// Metrics of a check: what was compared, and what differed.
#[derive(Debug)]
pub struct CheckMetrics {
    registry: MetricsRegistry,
    /// Counts the requests to the node.
    pub node: NodeMetrics,
    blocks: Counter,
    differences: Family<CauseLabels, Counter>,
    not_compared: Family<PartLabels, Counter>,
    height: Gauge<u64, AtomicU64>,
    node_height: Gauge<u64, AtomicU64>,
    lag: Gauge<u64, AtomicU64>,
    is_waiting: Gauge<u64, AtomicU64>,
}

impl Default for CheckMetrics {
    fn default() -> Self {
        let mut all = MetricsRegistry::default();
        let registry = all.own();
        let node = NodeMetrics::new(registry);
        let (blocks, differences, not_compared) = (Counter::default(), Family::default(), Family::default());
        registry.register("check_blocks", "Compared blocks", blocks.clone());
        registry.register("check_differences", "Differences by part, kind and field", differences.clone());
        registry.register("check_not_compared", "Records that could not be compared, by part", not_compared.clone());
        Self {
            node,
            blocks,
            differences,
            not_compared,
            height: gauge(registry, "check_height", "Newest compared block"),
            node_height: gauge(registry, "check_node_height", "Newest block of the node"),
            lag: gauge(registry, "check_lag_blocks", "Blocks of the node above the newest compared block"),
            is_waiting: gauge(registry, "check_waiting", "1 while the node or the indexer does not answer"),
            registry: all,
        }
    }
}

impl CheckMetrics {
    /// Adds the findings of some blocks.
    pub fn add(&self, blocks: usize, findings: &Findings) {
        self.blocks.inc_by(blocks as u64);
        for (cause, (count, _)) in &findings.causes {
            let field = text::clip(&cause.field, FIELD);
            let labels = CauseLabels { part: cause.part.to_string(), difference: cause.kind, field };
            self.differences.get_or_create(&labels).inc_by(*count);
        }
        let not_compared = |(part, count): (&CheckedPart, u64)| {
            self.not_compared.get_or_create(&PartLabels { part: part.to_string() }).inc_by(count);
        };
        let counts = findings.counts.iter().map(|(part, counts)| (part, counts.not_asked));
        counts.filter(|(_, count)| *count > 0).for_each(not_compared);
    }

    /// Sets the newest compared block, and the node's newest block.
    pub fn set_heights(&self, last: Option<Height>, node_tip: u64) {
        let last = last.map_or(0, Height::get);
        self.height.set(last);
        self.node_height.set(node_tip);
        self.lag.set(node_tip.saturating_sub(last));
    }

    pub fn set_waiting(&self, is_waiting: bool) {
        self.is_waiting.set(u64::from(is_waiting));
    }
}

/// Server of `/metrics`, `/version` and `/health` on its own thread. Dropping it stops it.
#[derive(Debug)]
pub struct MetricsServer {
    address: ListenAddress,
    stop: CancellationToken,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl MetricsServer {
    pub fn start(metrics: Arc<CheckMetrics>, listen: &ListenAddress) -> Result<Self, ServiceError> {
        let (address, listener) = bind(listen, ListenOptions::default())?;
        let stop = CancellationToken::new();
        let until = stop.clone();
        let serve = move || {
            let app = std::future::ready(Router::new().fallback(move |request: Request| {
                let metrics = Arc::clone(&metrics);
                async move {
                    let path = request.uri().path();
                    // A check has no answers to be ready for.
                    if http::is_operators(path) && path != http::READY {
                        let text = || metrics.registry.text(None);
                        http::answer_of_process(path, request.headers(), text).into_response()
                    } else {
                        let refusal = HttpRefusal::NotFound("the paths are /metrics, /version and /health".to_owned());
                        Reply::from(refusal).into_response()
                    }
                }
            }));
            http::serve(listener, app, ListenOptions::default().into(), Gauge::default(), &until)
        };
        let thread = thread::Builder::new().name("check-metrics".to_owned()).spawn(serve);
        Ok(Self { address, stop, thread: Some(thread.map_err(ServiceError::Start)?) })
    }

    /// Returns the listening URL without a trailing slash, or `unix:` with the socket's path.
    pub fn url(&self) -> String {
        self.address.to_string()
    }
}

impl Drop for MetricsServer {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            // The panic hook has reported a panic.
            drop(thread.join());
        }
    }
}
