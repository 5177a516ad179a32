//! Inspector of requests: the last exchanges, one in detail, or the latency of each endpoint.

use std::time::Duration;

use ratatui::layout::Rect;

use crate::{
    app::{
        App,
        latency::{EndpointLatency, LatencyOrder, latencies, latency_text, percentile},
        modal::Inspector,
    },
    config::Meaning,
    domain::text,
    widgets::{
        canvas::{Canvas, Part, row},
        document,
        layout::overlay,
        overlay::open,
    },
    wire::ExchangeOutcome,
};

const FIGURE: usize = 9;

pub(super) fn draw(canvas: &mut Canvas<'_>, app: &App, area: Rect, inspector: &Inspector) {
    if let Some(lines) = &inspector.detail {
        let inner = open(canvas, overlay(area), "Request", "y copy line · Esc back");
        return document::draw::draw(canvas, inner, lines, true, 0);
    }
    if let Some(order) = inspector.figures {
        return draw_endpoints(canvas, app, area, inspector, order);
    }
    let hint = "Tab by endpoint · Enter open · y copy as curl · Esc close";
    let inner = open(canvas, overlay(area), "Requests", hint);
    canvas.parts(row(inner, 0), all_latency(app));
    let rows = usize::from(inner.height.saturating_sub(1));
    let first = (inspector.marked + 1).saturating_sub(rows);
    for (index, exchange) in app.context.exchanges.iter().enumerate().skip(first).take(rows) {
        let line = row(inner, u16::try_from(index - first + 1).unwrap_or(u16::MAX));
        let outcome: Part = match &exchange.outcome {
            ExchangeOutcome::Status(status @ 200..300) => (Meaning::Good, format!(" {status}      ")),
            ExchangeOutcome::Status(status) => (Meaning::Bad, format!(" {status}      ")),
            ExchangeOutcome::Failed(_) => (Meaning::Bad, " failed   ".to_owned()),
            ExchangeOutcome::Cancelled => (Meaning::Muted, " cancelled".to_owned()),
        };
        let path = exchange.url.strip_prefix(app.context.network.indexer.as_str()).unwrap_or(&exchange.url);
        let size = format!("{:>9} {:>9} B  ", latency_text(exchange.elapsed), text::group(exchange.bytes));
        canvas.parts(
            line,
            [
                (Meaning::Muted, format!(" {}", exchange.at.clock())),
                outcome,
                (Meaning::Number, size),
                (Meaning::Text, text::clip(path, 160)),
            ],
        );
        if index == inspector.marked {
            canvas.mark_row(line, true);
        }
    }
}

/// Returns the latency of all answered requests: median, 95th percentile, slowest.
fn all_latency(app: &App) -> Vec<Part> {
    let is_answered = |outcome: &ExchangeOutcome| matches!(outcome, ExchangeOutcome::Status(_));
    let answered = app.context.exchanges.iter().filter(|exchange| is_answered(&exchange.outcome));
    let mut times: Vec<Duration> = answered.map(|exchange| exchange.elapsed).collect();
    times.sort_unstable();
    let Some(slowest) = times.last() else {
        return vec![(Meaning::Muted, " no answers yet".to_owned())];
    };
    let number = |time: Duration| (Meaning::Number, latency_text(time));
    vec![
        (Meaning::Muted, format!(" last {}: median ", text::count(times.len(), "answer"))),
        number(percentile(&times, 50)),
        (Meaning::Muted, ", p95 ".to_owned()),
        number(percentile(&times, 95)),
        (Meaning::Muted, ", slowest ".to_owned()),
        number(*slowest),
    ]
}

fn draw_endpoints(canvas: &mut Canvas<'_>, app: &App, area: Rect, inspector: &Inspector, order: LatencyOrder) {
    let inner = open(canvas, overlay(area), &format!("Endpoints by {order}"), "Tab next order · Esc close");
    let all = latencies(app.context.exchanges.iter().map(AsRef::as_ref), order);
    if all.is_empty() {
        canvas.text(row(inner, 0), Meaning::Muted, " no answers yet");
        return;
    }
    let heads = ["count", "failed", "median", "p95", "slowest"].map(|head| format!("{head:>FIGURE$}")).concat();
    canvas.text(row(inner, 0), Meaning::Muted, &format!("{heads}  endpoint, last requests"));
    let rows = usize::from(inner.height.saturating_sub(1));
    let first = inspector.marked.min(all.len().saturating_sub(rows));
    for (place, endpoint) in (1_u16..).zip(all.iter().skip(first).take(rows)) {
        canvas.parts(row(inner, place), figures(endpoint));
    }
}

fn figures(of: &EndpointLatency) -> Vec<Part> {
    // An endpoint without an answer has no latency.
    let time = |time| if of.count == 0 { "–".to_owned() } else { latency_text(time) };
    let times = [of.median, of.p95, of.slowest].map(|span| format!("{:>FIGURE$}", time(span))).concat();
    let failed = if of.failed == 0 { Meaning::Muted } else { Meaning::Bad };
    vec![
        (Meaning::Number, format!("{:>FIGURE$}", text::group(of.count as u64))),
        (failed, format!("{:>FIGURE$}", text::group(of.failed as u64))),
        (Meaning::Number, times),
        (Meaning::Text, format!("  {}", text::clip(&of.endpoint, 80))),
    ]
}
