//! Draws the form and its routes.

mod form;
mod table;

use super::{QuoteSide, layout::QuoteLayout, offers::REFRESH};
use crate::{
    app::{format::age, page::Drawing},
    config::{Command, Meaning},
    domain::text::wrap,
    panes::hints::{hints, steps},
    widgets::{
        canvas::{Canvas, Part, row},
        layout::Pane,
    },
};

/// Cells of the bar that shows the time until the next quote.
const BAR: usize = 10;

pub(crate) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, quote: &QuoteSide) {
    if !cx.context.has_router() {
        return draw_no_router(canvas, cx);
    }
    let regions = cx.regions;
    let layout = QuoteLayout::of(regions, quote.measures().len(), cx.context.transfers.all().len());
    let is_form = quote.focus == Pane::First;
    canvas.frame(layout.form, regions.tier, is_form, sides(), chains_note(cx));
    form::draw(canvas, cx, quote, layout.fields);
    canvas.frame(layout.routes, regions.tier, !is_form, title(quote), age_bar(cx, quote));
    if let Some((_, sentence)) = quote.form.lack() {
        let line = row(layout.table, u16::from(layout.table.height > 3));
        canvas.text(line, Meaning::Muted, &format!("{sentence}; {}", hints(cx, &[(Command::Open, "edits a field")])));
        return;
    }
    table::draw(canvas, cx, quote, &layout);
    draw_route_lines(canvas, cx, quote, &layout);
}

fn sides() -> Vec<Part> {
    vec![(Meaning::ActiveTab, "[Quote]".to_owned()), (Meaning::Text, " Transfers".to_owned())]
}

/// Returns a note if the router's chain list is missing.
fn chains_note(cx: &Drawing<'_>) -> Vec<Part> {
    let chains = &cx.context.directory.chains;
    let text = match (chains.error(), chains.value()) {
        (Some(error), None) if error.is_missing_part() => "the router has no chain list: type the chains",
        (Some(error), None) if error.has_answer() => "the router's chain list failed: type the chains",
        (Some(_), None) => "the router does not answer: type the chains",
        (None, Some(chains)) if chains.is_empty() => "the router lists no chains: type them",
        (None, None) if chains.is_loading() => "loading chains…",
        _ => return Vec::new(),
    };
    vec![(Meaning::Warning, text.to_owned())]
}

fn title(quote: &QuoteSide) -> Vec<Part> {
    let meaning = if quote.focus == Pane::Second { Meaning::Heading } else { Meaning::Text };
    vec![(meaning, "Routes".to_owned())]
}

/// Returns the age of the selected quote, and a bar of the time until the next.
fn age_bar(cx: &Drawing<'_>, quote: &QuoteSide) -> Vec<Part> {
    let state = &quote.offer().state;
    let Some(at) = state.at() else { return Vec::new() };
    if cx.context.frozen {
        return vec![(Meaning::Warning, format!("quoted at {}, frozen", at.clock()))];
    }
    let old = cx.context.now.since(at);
    if let Some(error) = state.error() {
        return vec![(Meaning::Warning, format!("stale {} ({})", age(old), error.step()))];
    }
    let tenths = old.as_millis().saturating_mul(10) / REFRESH.as_millis().max(1);
    let filled = usize::try_from(tenths).unwrap_or(BAR).min(BAR);
    vec![
        (Meaning::Muted, format!("quoted {} ago ", age(old))),
        (Meaning::Good, "▰".repeat(filled)),
        (Meaning::Muted, "▱".repeat(BAR - filled)),
    ]
}

/// Draws the hops of the selected route, or why there are none.
fn draw_route_lines(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, quote: &QuoteSide, layout: &QuoteLayout) {
    let is_focused = quote.focus == Pane::Second;
    if quote.offer().route().is_some() {
        let keys = hints(cx, &[(Command::PreviousTab, ""), (Command::NextTab, "other routes")]);
        let heading = vec![
            (Meaning::Heading, format!("{} hop by hop", quote.chosen)),
            (Meaning::Muted, format!("  {}", keys.replace(" · ", ""))),
        ];
        canvas.parts(layout.heading, heading);
        crate::widgets::document::draw::draw(canvas, layout.route_lines, &quote.route_lines, is_focused, 1);
        return;
    }
    let Some(error) = quote.failure() else { return };
    let width = usize::from(layout.route_lines.width.saturating_sub(4));
    let mut lines: Vec<Vec<Part>> =
        wrap(&error.to_string(), width, 3).into_iter().map(|line| vec![(Meaning::Bad, format!("  {line}"))]).collect();
    lines.push(vec![(Meaning::Text, format!("  {}", error.advice()))]);
    lines.push(std::iter::once((Meaning::Text, "  ".to_owned())).chain(steps(error.step(), &error.url)).collect());
    let keys = hints(cx, &[(Command::Refresh, "retry"), (Command::Inspector, "show the answer")]);
    lines.push(vec![(Meaning::Muted, format!("  retrying automatically · {keys}"))]);
    for (place, line) in (0..).zip(lines) {
        canvas.parts(row(layout.route_lines, place), line);
    }
}

/// Explains that the network has no router.
fn draw_no_router(canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
    let regions = cx.regions;
    canvas.frame(regions.body, regions.tier, true, sides(), Vec::new());
    let room = regions.list_names(regions.body);
    let width = usize::from(room.width);
    let sentence = format!("No router is configured for the network {}.", cx.context.network.name);
    let advice = "Start rollscope with --router URL, set ROLLSCOPE_ROUTER, or write router = \"URL\" into the \
     settings.";
    let lines = wrap(&sentence, width, 3).into_iter().map(|line| (Meaning::Warning, line));
    let advice = wrap(advice, width, 4).into_iter().map(|line| (Meaning::Text, line));
    for (place, (meaning, line)) in (1..).zip(lines.chain(advice)) {
        canvas.text(row(room, place), meaning, &line);
    }
}
