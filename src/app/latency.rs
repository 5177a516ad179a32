//! Latency of each endpoint, over the exchanges that the inspector keeps.

use std::{collections::BTreeMap, time::Duration};

use crate::wire::{Exchange, ExchangeOutcome};

/// Figure by which endpoints are sorted, greatest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum LatencyOrder {
    /// 95th percentile of the latency.
    #[default]
    P95,
    Median,
    Slowest,
    /// Number of responses.
    Count,
}

impl LatencyOrder {
    /// Returns the next figure; `None` after the last.
    pub(crate) fn next(self) -> Option<Self> {
        match self {
            Self::P95 => Some(Self::Median),
            Self::Median => Some(Self::Slowest),
            Self::Slowest => Some(Self::Count),
            Self::Count => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EndpointLatency {
    pub(crate) endpoint: String,
    /// Number of responses, including errors of the server.
    pub(crate) count: usize,
    /// Number of responses with status 400 or above, and of requests without a response.
    pub(crate) failed: usize,
    /// Median latency of the responses; zero without any.
    pub(crate) median: Duration,
    pub(crate) p95: Duration,
    pub(crate) slowest: Duration,
}

/// Returns the latency of each endpoint, without cancelled requests.
pub(crate) fn latencies<'a>(
    exchanges: impl Iterator<Item = &'a Exchange>,
    order: LatencyOrder,
) -> Vec<EndpointLatency> {
    let mut times: BTreeMap<String, (Vec<Duration>, usize)> = BTreeMap::new();
    for exchange in exchanges {
        let (answered, failed) = match exchange.outcome {
            ExchangeOutcome::Status(status) => (true, status >= 400),
            ExchangeOutcome::Failed(_) => (false, true),
            ExchangeOutcome::Cancelled => continue,
        };
        let (times, failures) = times.entry(exchange.endpoint()).or_default();
        times.extend(answered.then_some(exchange.elapsed));
        *failures += usize::from(failed);
    }
    let mut all: Vec<EndpointLatency> =
        times.into_iter().map(|(endpoint, (times, failed))| figures(endpoint, times, failed)).collect();
    all.sort_by(|a, b| {
        let (a_key, b_key) = (key(a, order), key(b, order));
        b_key.cmp(&a_key).then_with(|| a.endpoint.cmp(&b.endpoint))
    });
    all
}

fn key(of: &EndpointLatency, order: LatencyOrder) -> (Duration, usize) {
    match order {
        LatencyOrder::P95 => (of.p95, of.count),
        LatencyOrder::Median => (of.median, of.count),
        LatencyOrder::Slowest => (of.slowest, of.count),
        LatencyOrder::Count => (Duration::ZERO, of.count),
    }
}

fn figures(endpoint: String, mut times: Vec<Duration>, failed: usize) -> EndpointLatency {
    times.sort_unstable();
    EndpointLatency {
        endpoint,
        count: times.len(),
        failed,
        median: percentile(&times, 50),
        p95: percentile(&times, 95),
        slowest: times.last().copied().unwrap_or_default(),
    }
}

/// Returns the latency that `percent` % of the responses do not exceed.
pub(crate) fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let place = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(place).copied().unwrap_or_default()
}

/// Formats a latency, as in `412 µs`, `3.4 ms`, `120 ms`, `12.3 s`.
pub(crate) fn latency_text(time: Duration) -> String {
    let tenths = |number: u128, unit: &str| format!("{}.{} {unit}", number / 10, number % 10);
    match time.as_micros() {
        micros @ ..1000 => format!("{micros} µs"),
        micros @ ..10_000 => tenths(micros / 100, "ms"),
        micros @ ..10_000_000 => format!("{} ms", micros / 1000),
        micros => tenths(micros / 100_000, "s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;

    fn exchange(path: &str, micros: u64, outcome: ExchangeOutcome) -> Exchange {
        Exchange {
            id: 0,
            server: None,
            method: "GET",
            url: format!("http://127.0.0.1{path}").into(),
            sent: "".into(),
            at: Timestamp::EPOCH,
            elapsed: Duration::from_micros(micros),
            outcome,
            bytes: 0,
            body: "".into(),
        }
    }

    #[test]
    fn the_slowest_at_p95_is_first_though_another_was_once_slower() {
        let ok = || ExchangeOutcome::Status(200);
        let mut all: Vec<Exchange> = (0..100).map(|_| exchange("/status", 400, ok())).collect();
        all.push(exchange("/status", 90_000, ok()));
        all.extend((1..=20).map(|number| exchange(&format!("/indexer/block/v1/blocks/{number}"), number * 1000, ok())));
        let by_p95 = latencies(all.iter(), LatencyOrder::P95);
        let of = |of: &EndpointLatency| {
            (of.endpoint.clone(), of.count, [of.median, of.p95, of.slowest].map(|time| time.as_micros()))
        };
        let expected = [
            ("/indexer/block/v1/blocks/{height}".to_owned(), 20, [10_000, 19_000, 20_000]),
            ("/status".to_owned(), 101, [400, 400, 90_000]),
        ];
        assert_eq!(by_p95.iter().map(of).collect::<Vec<_>>(), expected);
        for order in [LatencyOrder::Slowest, LatencyOrder::Count] {
            assert_eq!(latencies(all.iter(), order)[0].endpoint, "/status", "{order}");
        }
    }

    #[test]
    fn failures_are_counted_and_what_was_cancelled_is_not() {
        let all = [
            exchange("/status", 100, ExchangeOutcome::Status(200)),
            exchange("/status", 300, ExchangeOutcome::Status(500)),
            exchange("/status", 9_000_000, ExchangeOutcome::Failed("no answer".to_owned())),
            exchange("/status", 9_000_000, ExchangeOutcome::Cancelled),
        ];
        let [status] = latencies(all.iter(), LatencyOrder::default()).try_into().expect("one endpoint");
        assert_eq!((status.count, status.failed, status.slowest), (2, 2, Duration::from_micros(300)));
        assert_eq!(latencies(all[3..].iter(), LatencyOrder::default()), []);
    }

    #[test]
    fn short_times_are_not_zero() {
        let said = |micros| latency_text(Duration::from_micros(micros));
        assert_eq!([said(0), said(412), said(3_450)], ["0 µs", "412 µs", "3.4 ms"]);
        assert_eq!([said(120_900), said(9_999_999), said(12_340_000)], ["120 ms", "9999 ms", "12.3 s"]);
    }

    #[test]
    fn each_order_leads_to_the_next() {
        let all: Vec<LatencyOrder> =
            std::iter::successors(Some(LatencyOrder::default()), |order| order.next()).collect();
        assert_eq!(all.len(), 4);
    }
}
