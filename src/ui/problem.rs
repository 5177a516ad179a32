//! Screen without data: the server does not answer, fails, has no block, or serves another chain.

use unicode_width::UnicodeWidthStr as _;

use crate::{
    app::{chain::ChainMismatch, page::Drawing},
    config::{Command, Meaning},
    domain::text,
    panes::hints::{hints, spinner, steps},
    widgets::{
        canvas::{Canvas, Part, centered, row},
        layout::Regions,
    },
    wire::{ApiError, ErrorKind, Step},
};

/// Whether the client has no data of the expected chain, so that no page can show anything.
pub(super) fn is_cut_off(cx: &Drawing<'_>) -> bool {
    cx.context.chain.named_else.is_some()
        || cx.context.chain.status.value().is_none() && cx.context.chain.status.error().is_some()
}

/// Draws the failed request with its connection steps, the advice and the next retry; or the mismatch of chains.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, regions: &Regions) {
    if let Some(other) = &cx.context.chain.named_else {
        return draw_named_else(canvas, cx, regions, other);
    }
    let Some(error) = cx.context.chain.status.error() else { return };
    let title = match error {
        _ if cx.context.chain.extent.is_empty() => "No block yet",
        error if error.has_answer() => "No status",
        _ => "No connection",
    };
    canvas.frame(regions.body, regions.tier, true, vec![(Meaning::Heading, title.to_owned())], Vec::new());
    let width = usize::from(regions.inner(regions.body).width.min(96));
    let mut lines: Vec<Vec<Part>> = if cx.context.chain.extent.is_empty() {
        let mut lines = paragraph("  ", "The indexer answers but has no block yet.", Meaning::Text, width, 2);
        lines.extend(paragraph("  ", &format!("Its status: {error}."), Meaning::Muted, width, 3));
        lines
    } else {
        let mut lines = paragraph("✗ ", &error.to_string(), Meaning::Bad, width, 4);
        // The process's own indexer answers in the node's words.
        if !cx.context.network.is_indexed_here {
            lines.extend(paragraph("  ", error.advice(), Meaning::Text, width, 3));
        }
        if let Some(node) = cx.context.network.node.as_ref().filter(|_| !cx.context.network.is_indexed_here) {
            let offer = format!("To read the node instead: rollscope --node {}", node.node);
            lines.extend(paragraph("  ", &offer, Meaning::Text, width, 3));
        }
        lines
    };
    lines.extend(tried(cx, error, width));
    draw_lines(canvas, regions, lines);
}

/// Returns the URL, the connection steps and the time of the next retry.
fn tried(cx: &Drawing<'_>, error: &ApiError, width: usize) -> Vec<Vec<Part>> {
    let mut lines = vec![Vec::new()];
    lines.push(vec![
        (Meaning::Key, "tried   ".to_owned()),
        (Meaning::Text, text::clip(&error.url, width.saturating_sub(8))),
    ]);
    lines.push(steps(error.step(), &error.url));
    if let ErrorKind::Offline { step: Step::Name, detail } = &error.kind {
        lines.push(vec![
            (Meaning::Key, "reason  ".to_owned()),
            (Meaning::Muted, text::clip(detail, width.saturating_sub(8))),
        ]);
    }
    if let Some(body) = error.body.as_ref().filter(|body| !body.is_empty()) {
        lines.push(vec![
            (Meaning::Key, "answer  ".to_owned()),
            (Meaning::Muted, text::clip(body, width.saturating_sub(8))),
        ]);
    }
    lines.push(Vec::new());
    let wait = cx
        .context
        .chain
        .retry_in(cx.context.now)
        .map(|wait| wait.as_secs_f64().ceil())
        .filter(|seconds| *seconds >= 1.0);
    let again = match wait {
        _ if cx.context.frozen => "  frozen: no automatic retry".to_owned(),
        Some(seconds) => format!("  retrying in {seconds:.0} s (try {})", cx.context.chain.failures + 1),
        None => format!("{} retrying (try {})", spinner(cx.context), cx.context.chain.failures + 1),
    };
    lines.push(vec![(Meaning::Warning, again)]);
    let keys = [(Command::Refresh, "retry now"), (Command::Inspector, "requests and answers"), (Command::Quit, "quit")];
    lines.push(vec![(Meaning::Muted, format!("  {}", hints(cx, &keys)))]);
    lines
}

/// Draws the mismatch between the network's chain and the server's, with advice.
fn draw_named_else(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, regions: &Regions, other: &ChainMismatch) {
    canvas.frame(regions.body, regions.tier, true, vec![(Meaning::Bad, "Wrong chain".to_owned())], Vec::new());
    let width = usize::from(regions.inner(regions.body).width.min(96));
    let sentence = format!("{}.", other.sentence(&cx.context.network));
    let mut lines = paragraph("✗ ", &sentence, Meaning::Bad, width, 6);
    let advice = "rollscope shows no data of that chain. Correct chain_id or indexer of this network in \
     config.toml, or choose a network with -n. --indexer URL accepts any chain.";
    lines.extend(paragraph("  ", advice, Meaning::Text, width, 4));
    lines.push(Vec::new());
    let keys = [(Command::Inspector, "requests and answers"), (Command::Quit, "quit, with exit status 1")];
    lines.push(vec![(Meaning::Muted, format!("  {}", hints(cx, &keys)))]);
    draw_lines(canvas, regions, lines);
}

fn draw_lines(canvas: &mut Canvas<'_>, regions: &Regions, lines: Vec<Vec<Part>>) {
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let area = centered(regions.inner(regions.body), 96, height.max(14));
    for (place, line) in lines.into_iter().enumerate() {
        canvas.parts(row(area, u16::try_from(place).unwrap_or(u16::MAX)), line);
    }
}

/// Wraps a sentence over several lines, with the mark before the first.
fn paragraph(mark: &str, sentence: &str, meaning: Meaning, width: usize, rows: usize) -> Vec<Vec<Part>> {
    let indent = mark.width();
    text::wrap(sentence, width.saturating_sub(indent), rows)
        .into_iter()
        .enumerate()
        .map(|(place, line)| {
            let start = if place == 0 { mark.to_owned() } else { " ".repeat(indent) };
            vec![(meaning, format!("{start}{line}"))]
        })
        .collect()
}
