//! Documents in overlays: help, and exchanges with servers.

use unicode_width::UnicodeWidthStr;

use super::{context::Context, hint::Hint, latency::latency_text};
use crate::{
    config::{Layer, Meaning},
    domain::text,
    widgets::document::{Line, json::json_lines},
    wire,
};

const KEYS: usize = 14;

/// Returns the help: the page's commands, the keys of those that are not available now, then the page's other keys by
/// layer. Keys are those that the user configured.
pub(super) fn help_lines(cx: &Context, here: &[Hint], layers: &[Layer]) -> Vec<Line> {
    let mut lines = vec![Line::at(0).with(Meaning::Heading, "Here")];
    let (possible, refused): (Vec<&Hint>, Vec<&Hint>) = here.iter().partition(|hint| hint.is_available());
    for hint in possible {
        let keys = cx.keymap.all_shown(layers, hint.command);
        let keys = if keys.is_empty() { format!(":{}", hint.command) } else { keys };
        lines.push(help_line(&keys, hint.command.help()));
    }
    let keys: Vec<String> = refused.iter().filter_map(|hint| cx.keymap.shown(layers, hint.command)).collect();
    if !keys.is_empty() {
        // Each says why when it is pressed.
        let line = Line::at(1).with(Meaning::Muted, padded("not now"));
        lines.push(line.with(Meaning::Muted, format!(" {}", keys.join("  "))));
    }
    let mut shown_layer = None;
    let is_new = |command| here.iter().all(|hint| hint.command != command);
    let bindings = cx.keymap.bindings().filter(|binding| !binding.keys.is_empty() && is_new(binding.command));
    for binding in bindings.filter(|binding| layers.contains(&binding.layer)) {
        if shown_layer != Some(binding.layer) {
            shown_layer = Some(binding.layer);
            lines.push(Line::at(0));
            lines.push(Line::at(0).with(Meaning::Heading, binding.layer.heading()));
        }
        lines.push(help_line(&binding.shown(), binding.command.help()));
    }
    lines.push(Line::at(0));
    lines.push(Line::at(0).with(Meaning::Heading, "Files and addresses"));
    let router = cx.network.router.as_deref();
    let funding = router.filter(|_| cx.directory.is_demo());
    let funding = funding.map(|router| format!("rollscope demo-fund ADDRESS --router {router}"));
    let places = [("indexer", Some(cx.network.indexer.as_str())), ("router", router), ("log", cx.log_file.as_deref())];
    let row = |name, shown: &str, whole: &str| {
        Line::at(1).with(Meaning::Key, format!("{name:<9}")).with(Meaning::Text, shown).copying(whole)
    };
    lines.extend(places.into_iter().filter_map(|(name, place)| Some(row(name, place?, place?))));
    // In two parts, which fit 80 columns.
    if let Some(whole) = &funding {
        let (command, option) = whole.split_at(whole.find("--").unwrap_or(whole.len()));
        lines.extend([row("faucet", command, whole), row("", option, whole)]);
    }
    lines
}

fn help_line(keys: &str, help: &str) -> Line {
    Line::at(1).with(Meaning::Shortcut, padded(keys)).with(Meaning::Text, format!(" {help}"))
}

fn padded(keys: &str) -> String {
    let missing = KEYS.saturating_sub(UnicodeWidthStr::width(keys));
    keys.to_owned() + &" ".repeat(missing)
}

pub(super) fn exchange_lines(exchange: &wire::Exchange) -> Vec<Line> {
    let outcome = match &exchange.outcome {
        wire::ExchangeOutcome::Status(status) => format!("{status}"),
        wire::ExchangeOutcome::Failed(reason) => reason.clone(),
        wire::ExchangeOutcome::Cancelled => "cancelled: the page no longer needs it".to_owned(),
    };
    let field = |name: &str, value: String| {
        Line::at(0).with(Meaning::Key, format!("{name:<9}")).with(Meaning::Text, &value).copying(value)
    };
    let mut lines = vec![
        field("request", format!("{} {}", exchange.method, exchange.url)),
        field("outcome", outcome),
        field("sent", format!("{} UTC", exchange.at.day_and_clock())),
        field("took", latency_text(exchange.elapsed)),
        field("bytes", text::group(exchange.bytes)),
        field("curl", exchange.curl()),
        Line::at(0),
    ];
    lines.extend(json_lines(&exchange.body));
    if exchange.bytes > wire::Exchange::BODY_CAP as u64 {
        lines.push(Line::at(0).with(
            Meaning::Warning,
            format!("rollscope keeps only the first {} bytes", text::group(wire::Exchange::BODY_CAP as u64)),
        ));
    }
    lines
}
