//! Paths for operators: probes, version and metrics. Not part of the indexer API.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use serde_json::json;

use super::{
    metrics::{ChainMetrics, HttpMetrics},
    reply::{HttpRefusal, Reply},
    sample::IndexSample,
};
use crate::{
    domain::{Timestamp, text},
    indexer::progress::{NodeProgress, ReadyLimits},
};

const HEALTH: &str = "/health";
pub(crate) const READY: &str = "/ready";
const VERSION: &str = "/version";
const METRICS: &str = "/metrics";

/// Time after which the writer of a file is taken for ended: it stores its progress three times as often.
const SILENCE: Duration = Duration::from_secs(30);

/// Age from which a sample shows that the store hangs.
const STORE_SILENCE: Duration = Duration::from_secs(5);

/// Media type of metrics in the format of `OpenMetrics`.
const OPEN_METRICS: &str = "application/openmetrics-text";

/// State of an index and its source.
#[derive(Debug)]
pub(crate) struct OperatorView {
    /// Latest answer of the store; `None` before the first.
    pub(crate) sample: Option<Arc<IndexSample>>,
    pub(crate) progress: NodeProgress,
    /// What keeps the store from being written for now, such as a full disk.
    pub(crate) store_trouble: Option<String>,
    /// Why the index is no longer written; `None` while it is.
    pub(crate) failure: Option<String>,
}

/// Chain of a server with its metrics.
#[derive(Debug)]
pub(crate) struct ChainView<'a> {
    pub(super) metrics: &'a ChainMetrics,
    limits: ReadyLimits,
    /// State of the index, or why there is none yet.
    pub(super) index: Result<OperatorView, String>,
}

impl<'a> ChainView<'a> {
    pub(crate) fn new(metrics: &'a ChainMetrics, limits: ReadyLimits, view: OperatorView) -> Self {
        Self { metrics, limits, index: Ok(view) }
    }

    pub(crate) fn without_index(metrics: &'a ChainMetrics, reason: String) -> Self {
        Self { metrics, limits: ReadyLimits::default(), index: Err(reason) }
    }

    /// Returns the reasons why readers should use another server.
    fn unready_reasons(&self) -> Vec<String> {
        match &self.index {
            Ok(view) => unready_reasons(view, self.limits, Instant::now()),
            Err(reason) => vec![reason.clone()],
        }
    }
}

/// Whether the path is one for operators.
pub(crate) fn is_operators(path: &str) -> bool {
    matches!(path, HEALTH | READY | VERSION | METRICS)
}

/// Whether the path is one whose answer depends on no index.
pub(crate) fn is_of_process(path: &str) -> bool {
    matches!(path, HEALTH | VERSION)
}

/// Refuses a method that no path for operators has; `None` for one that they have.
pub(crate) fn operator_refusal(method: &Method) -> Option<HttpRefusal> {
    (!matches!(*method, Method::GET | Method::HEAD)).then_some(HttpRefusal::Method("GET, HEAD"))
}

/// Answers a request to a path for operators.
pub(crate) fn answer(path: &str, headers: &HeaderMap, view: &ChainView<'_>) -> Reply {
    match path {
        READY => {
            let reasons = view.unready_reasons();
            if reasons.is_empty() {
                ready(true, &json!({ "ready": true }))
            } else {
                ready(false, &json!({ "ready": false, "reasons": reasons }))
            }
        }
        path => answer_of_process(path, headers, || view.metrics.process().write(std::slice::from_ref(view))),
    }
}

/// Answers a request to a path for operators of a server of several chains. One is enough to be ready: a failing chain
/// must not take the others from their readers.
pub(crate) fn answer_fleet(path: &str, headers: &HeaderMap, process: &HttpMetrics, chains: &[ChainView<'_>]) -> Reply {
    match path {
        READY => {
            let states = chains.iter().filter_map(|chain| Some((chain.metrics.name()?, chain.unready_reasons())));
            let states: BTreeMap<&str, Vec<String>> = states.collect();
            let is_ready = states.values().any(Vec::is_empty);
            ready(is_ready, &json!({ "ready": is_ready, "reasons": states }))
        }
        path => answer_of_process(path, headers, || process.write(chains)),
    }
}

/// Answers a request to a path for operators of any server: its version, its metrics, else its health.
pub(crate) fn answer_of_process(path: &str, headers: &HeaderMap, metrics: impl FnOnce() -> String) -> Reply {
    match path {
        METRICS => {
            let text = metrics();
            let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
            if accepted.is_some_and(|accepted| accepted.contains(OPEN_METRICS)) {
                Reply::of("application/openmetrics-text; version=1.0.0; charset=utf-8", text.into_bytes())
            } else {
                Reply::of("text/plain; version=0.0.4; charset=utf-8", plain(&text).into_bytes())
            }
        }
        VERSION => of_json(&json!({ "name": "rollscope", "version": env!("CARGO_PKG_VERSION") })),
        _ => of_json(&json!({ "status": "ok" })),
    }
}

fn of_json(value: &serde_json::Value) -> Reply {
    Reply::raw(value.to_string().into_bytes())
}

fn ready(is_ready: bool, state: &serde_json::Value) -> Reply {
    let reply = of_json(state);
    if is_ready {
        return reply;
    }
    let headers = vec![(header::RETRY_AFTER, HeaderValue::from_static("1"))];
    Reply { status: StatusCode::SERVICE_UNAVAILABLE, headers, ..reply }
}

/// Returns the reasons why readers should use another server.
fn unready_reasons(view: &OperatorView, limits: ReadyLimits, now: Instant) -> Vec<String> {
    let mut reasons: Vec<String> = view.failure.clone().into_iter().collect();
    let progress = &view.progress;
    let sample = view.sample.as_deref();
    let silence = sample.map(IndexSample::age).filter(|age| *age > STORE_SILENCE);
    let store_trouble = match sample {
        None => Some("the store of the index has not answered yet".to_owned()),
        Some(IndexSample { held: Err(error), .. }) => Some(error.clone()),
        Some(_) => silence.map(|age| format!("the store of the index has not answered for {}", text::age(age))),
    };
    let held = sample.and_then(|sample| sample.held.as_ref().ok().copied().flatten());
    let is_readable = store_trouble.is_none();
    reasons.extend(store_trouble);
    match (held, progress.tip) {
        (_, None) if is_readable && progress.trouble.is_none() => {
            reasons.push("the node has not answered yet".to_owned());
        }
        (None, Some(_)) if is_readable => reasons.push("no block is indexed yet".to_owned()),
        (Some(held), Some(tip)) if held.tip < tip => {
            let time = sample.and_then(|sample| sample.tip_time);
            let lag = progress.tip_time.zip(time).map(|(newest, own)| newest.since(own));
            // Without times, a block less is no proof of a lag.
            if let Some(lag) = lag.filter(|lag| *lag > limits.lag) {
                let behind = text::age(lag);
                reasons
                    .push(format!("the newest indexed block, {}, is {behind} older than the node's, {tip}", held.tip));
            }
        }
        _ => {}
    }
    reasons.extend(view.store_trouble.clone());
    // What the store causes is no trouble of the node.
    let trouble = progress.trouble.as_ref().zip(progress.trouble_since).filter(|_| view.store_trouble.is_none());
    // A node that never answered as it should is no node of this chain.
    let is_new = held.is_none() || progress.tip.is_none();
    let is_long = |since: Instant| is_new || now.saturating_duration_since(since) >= limits.trouble;
    if let Some(silence) = progress.stored.map(|stored| Timestamp::now().since(stored)).filter(|age| *age > SILENCE) {
        reasons.push(format!("the process that writes the index stored nothing for {}", text::age(silence)));
    }
    reasons.extend(trouble.filter(|(_, since)| is_long(*since)).map(|(trouble, _)| trouble.clone()));
    reasons.extend(progress.contradiction.clone());
    reasons
}

/// Converts `OpenMetrics`' format to Prometheus' older text format, which names a counter like its samples, and has
/// neither units nor an end mark.
fn plain(open_metrics: &str) -> String {
    let described = |line: &str, kind: &str| line.strip_prefix(kind).map(str::to_owned);
    let counters: Vec<String> = open_metrics
        .lines()
        .filter_map(|line| described(line, "# TYPE ")?.strip_suffix(" counter").map(str::to_owned))
        .collect();
    let mut out = String::with_capacity(open_metrics.len());
    for line in open_metrics.lines().filter(|line| !line.starts_with("# UNIT ") && *line != "# EOF") {
        let named = ["# HELP ", "# TYPE "].iter().find_map(|kind| {
            let (name, rest) = line.strip_prefix(kind)?.split_once(' ')?;
            counters.iter().any(|counter| counter == name).then(|| format!("{kind}{name}_total {rest}"))
        });
        out.push_str(named.as_deref().unwrap_or(line));
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        domain::{Height, Timestamp, Vm},
        indexer::{
            index::{Index, IndexFeed, IndexIdentity},
            source::{BlockProposer, CommittedBlock},
        },
    };

    fn index(blocks: u64) -> Index {
        let identity = IndexIdentity { vm: Vm::Evm, feed: IndexFeed::Node, facts: Vec::new() };
        let index = Index::in_memory(&identity, 100).unwrap();
        let block = |at: u64| CommittedBlock {
            height: Height::new(at).unwrap(),
            hash: crate::domain::BlockHash::new([u8::try_from(at).unwrap(); 32]),
            previous_hash: None,
            time: Timestamp::EPOCH.after(Duration::from_secs(at)),
            proposer: BlockProposer { consensus_address: None, validator: None },
            first_sequence: None,
            txs: Vec::new(),
            missing_txs: 0,
            events: Vec::new(),
        };
        index.ingest((1..=blocks).map(block).collect(), None).unwrap();
        index
    }

    #[test]
    fn an_index_is_ready_until_it_lags_too_far_or_its_node_is_in_trouble_for_too_long() {
        let (limits, now) = (ReadyLimits::default(), Instant::now() + Duration::from_secs(100));
        let reasons = |index: &Index, progress: &NodeProgress, failure: Option<&str>| {
            let sample = Some(Arc::new(IndexSample::read(index)));
            let failure = failure.map(str::to_owned);
            let view = OperatorView { sample, progress: progress.clone(), store_trouble: None, failure };
            unready_reasons(&view, limits, now)
        };
        let at = |tip: u64| NodeProgress {
            tip: Height::new(tip),
            tip_time: Some(Timestamp::EPOCH.after(Duration::from_secs(tip))),
            ..NodeProgress::default()
        };
        let (none, ten) = (index(0), index(10));
        assert_eq!(reasons(&none, &NodeProgress::default(), None), ["the node has not answered yet"]);
        assert_eq!(reasons(&none, &at(10), None), ["no block is indexed yet"]);
        for tip in [9, 10, 40] {
            assert!(reasons(&ten, &at(tip), None).is_empty(), "{tip}");
        }
        let late = reasons(&ten, &at(41), None);
        assert_eq!(late, ["the newest indexed block, 10, is 31 s older than the node's, 41"]);
        assert_eq!(reasons(&ten, &at(10), Some("the disk is gone")), ["the disk is gone"]);
        for (seconds, is_ready) in [(29, true), (31, false)] {
            let stored = Some(Timestamp::now().before(Duration::from_secs(seconds)));
            let silent = NodeProgress { stored, ..at(10) };
            assert_eq!(reasons(&ten, &silent, None).is_empty(), is_ready, "{seconds}");
        }
        for (seconds, is_ready) in [(59, true), (60, false)] {
            let since = now.checked_sub(Duration::from_secs(seconds));
            let troubled = NodeProgress { trouble: Some("away".to_owned()), trouble_since: since, ..at(10) };
            assert_eq!(reasons(&ten, &troubled, None).is_empty(), is_ready, "{seconds}");
            assert!(reasons(&none, &troubled, None).contains(&"away".to_owned()), "nothing else to say");
            // As after a start at the node of another chain.
            let unknown = NodeProgress { tip: None, tip_time: None, ..troubled };
            assert_eq!(reasons(&ten, &unknown, None), ["away"]);
        }
    }

    #[test]
    fn counters_are_named_like_their_samples_in_the_older_format() {
        let open = "# HELP a_requests All.\n# TYPE a_requests counter\na_requests_total{x=\"1\"} 2\n\
                    # HELP b_seconds Time.\n# TYPE b_seconds histogram\n# UNIT b_seconds seconds\nb_seconds_sum 1.0\n\
                    # EOF\n";
        let expected = "# HELP a_requests_total All.\n# TYPE a_requests_total counter\na_requests_total{x=\"1\"} 2\n\
                        # HELP b_seconds Time.\n# TYPE b_seconds histogram\nb_seconds_sum 1.0\n";
        assert_eq!(plain(open), expected);
    }
}
