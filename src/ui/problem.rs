//! Nothing to show yet: the server cannot be reached, or the tab is for a later version.

use super::{
    chrome::spinner,
    pane::{Canvas, Part, centered, row},
};
use crate::{
    app::{App, layout::Regions, view::Tab},
    config::Meaning,
    domain::text,
    wire::{ErrorKind, Step},
};

/// Whether the server never answered, so that no screen has anything to show.
pub(super) fn is_cut_off(app: &App) -> bool {
    app.chain.status.value().is_none() && app.chain.status.error().is_some()
}

/// What was tried, which step failed, what to do, and when it is tried again.
pub(super) fn draw(canvas: &mut Canvas<'_>, app: &App, regions: &Regions) {
    canvas.frame(regions.body, regions.tier, true, vec![(Meaning::Heading, "No connection".to_owned())], Vec::new());
    let area = centered(regions.inner(regions.body), 96, 14);
    let Some(error) = app.chain.status.error() else { return };
    let mut lines: Vec<Vec<Part>> = vec![
        vec![(Meaning::Bad, format!("✗ {error}"))],
        vec![(Meaning::Text, format!("  {}", error.advice()))],
        Vec::new(),
        vec![(Meaning::Key, "tried   ".to_owned()), (Meaning::Text, text::clip(&error.url, 120))],
        steps(error.step(), &error.kind),
    ];
    if let Some(body) = error.body.as_ref().filter(|body| !body.is_empty()) {
        lines.push(vec![(Meaning::Key, "answer  ".to_owned()), (Meaning::Muted, text::clip(body, 80))]);
    }
    lines.push(Vec::new());
    let wait = app.chain.retry_in(app.now).map(|wait| wait.as_secs_f64().ceil()).filter(|seconds| *seconds >= 1.0);
    let again = match wait {
        Some(seconds) => format!("  trying again in {seconds:.0} s (try {})", app.chain.failures + 1),
        None => format!("{} trying again (try {})", spinner(app), app.chain.failures + 1),
    };
    lines.push(vec![(Meaning::Warning, again)]);
    lines.push(vec![
        (Meaning::Shortcut, "  r".to_owned()),
        (Meaning::Muted, " try now   ".to_owned()),
        (Meaning::Shortcut, "F12".to_owned()),
        (Meaning::Muted, " requests and answers   ".to_owned()),
        (Meaning::Shortcut, "q".to_owned()),
        (Meaning::Muted, " quit".to_owned()),
    ]);
    for (place, line) in lines.into_iter().enumerate() {
        canvas.parts(row(area, u16::try_from(place).unwrap_or(u16::MAX)), line);
    }
}

/// `name ✓  connect ✗  TLS ·  status ·  shape ·`
fn steps(failed: Step, kind: &ErrorKind) -> Vec<Part> {
    let all = [Step::Name, Step::Connect, Step::Tls, Step::Answer, Step::Status, Step::Shape];
    let place = all.iter().position(|step| *step == failed).unwrap_or(0);
    let mut parts = vec![(Meaning::Key, "step    ".to_owned())];
    for (index, step) in all.iter().enumerate() {
        let (meaning, mark) = match index.cmp(&place) {
            std::cmp::Ordering::Less => (Meaning::Good, "✓"),
            std::cmp::Ordering::Equal => (Meaning::Bad, "✗"),
            std::cmp::Ordering::Greater => (Meaning::Muted, "·"),
        };
        parts.push((meaning, format!("{step} {mark}  ")));
    }
    if let ErrorKind::Offline { detail, .. } = kind {
        parts.push((Meaning::Muted, text::clip(detail, 60)));
    }
    parts
}

/// What a tab will show once it is built.
pub(super) fn draw_later(canvas: &mut Canvas<'_>, tab: Tab, regions: &Regions) {
    canvas.frame(regions.body, regions.tier, true, vec![(Meaning::Heading, tab.to_string())], Vec::new());
    let sentence = match tab {
        Tab::Nfts => "NFT collections, their tokens, owners and history will be shown here.",
        Tab::RichList => "The holders of a denom, their shares and how concentrated they are will be shown here.",
        _ => "Routes between chains and the transfers you watch will be shown here.",
    };
    let area = centered(regions.inner(regions.body), 88, 3);
    canvas.text(row(area, 0), Meaning::Text, sentence);
    canvas.text(row(area, 1), Meaning::Muted, "This version explores blocks and transactions: 1 to 3.");
}
