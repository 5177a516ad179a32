//! Nothing to show yet: the server cannot be reached, or the tab is for a later version.

use unicode_width::UnicodeWidthStr as _;

use crate::{
    app::page::Drawing,
    config::{Command, Meaning},
    domain::text,
    panes::hints::{hints, spinner, steps},
    widgets::{
        canvas::{Canvas, Part, centered, row},
        layout::Regions,
    },
    wire::{ErrorKind, Step},
};

/// Whether the server never answered, so that no screen has anything to show.
pub(super) fn is_cut_off(cx: &Drawing<'_>) -> bool {
    cx.chain.status.value().is_none() && cx.chain.status.error().is_some()
}

/// What was tried, which step failed, what to do, and when it is tried again.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, regions: &Regions) {
    canvas.frame(regions.body, regions.tier, true, vec![(Meaning::Heading, "No connection".to_owned())], Vec::new());
    let Some(error) = cx.chain.status.error() else { return };
    let room = regions.inner(regions.body);
    let width = usize::from(room.width.min(96));
    let mut lines: Vec<Vec<Part>> = paragraph("✗ ", &error.to_string(), Meaning::Bad, width, 4);
    lines.extend(paragraph("  ", error.advice(), Meaning::Text, width, 3));
    lines.push(Vec::new());
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
    let wait = cx.chain.retry_in(cx.now).map(|wait| wait.as_secs_f64().ceil()).filter(|seconds| *seconds >= 1.0);
    let again = match wait {
        _ if cx.frozen => "  frozen: nothing is asked by itself".to_owned(),
        Some(seconds) => format!("  trying again in {seconds:.0} s (try {})", cx.chain.failures + 1),
        None => format!("{} trying again (try {})", spinner(cx), cx.chain.failures + 1),
    };
    lines.push(vec![(Meaning::Warning, again)]);
    let keys = [(Command::Refresh, "try now"), (Command::Inspector, "requests and answers"), (Command::Quit, "quit")];
    lines.push(vec![(Meaning::Muted, format!("  {}", hints(cx, &keys)))]);
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let area = centered(room, 96, height.max(14));
    for (place, line) in lines.into_iter().enumerate() {
        canvas.parts(row(area, u16::try_from(place).unwrap_or(u16::MAX)), line);
    }
}

/// A sentence over as many lines as it needs, the mark before the first one.
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
