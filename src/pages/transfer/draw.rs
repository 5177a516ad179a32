//! Draws a transfer's page: where the funds are, then the details.

use std::time::Duration;

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::{
    TransferPage,
    hops::bar,
    state::{TransferHead, rooms},
};
use crate::{
    app::page::{Drawing, Page as _},
    config::Meaning,
    domain::text,
    panes::hints::key_of,
    transfers::SubstituteEstimate,
    widgets::{
        canvas::{Canvas, Part, row},
        document,
        layout::Tier,
    },
};

/// Maximum columns of a bar.
const BAR: u16 = 120;
const BESIDE: u16 = 44;
/// Maximum rows of the headline.
const HEADLINE: usize = 2;

pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &TransferPage) {
    let regions = cx.regions;
    let kind = if page.raw.is_some() { " · raw status" } else { "" };
    let title = vec![(Meaning::Heading, format!("{}{kind}", page.title()))];
    let name = page.transfer(cx.context).map(|transfer| transfer.follower.record.label.clone()).unwrap_or_default();
    let name: Vec<Part> = (!name.is_empty()).then(|| (Meaning::Kind, text::clip(&name, 30))).into_iter().collect();
    canvas.frame(regions.body, regions.tier, true, title, name);
    let (above, below) = rooms(regions);
    let Some(head) = &page.head else {
        let words = if cx.context.transfers.loaded.value().is_some() {
            "rollscope no longer has this transfer"
        } else {
            "loading transfers…"
        };
        return canvas.text(row(above, 0), Meaning::Muted, &format!("  {words}"));
    };
    draw_head(canvas, cx, head, above, regions.tier);
    document::draw::draw(canvas, below, page.shown(), true, 0);
}

fn draw_head(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, head: &TransferHead, area: Rect, tier: Tier) {
    let (meaning, mark, word) = head.sign;
    let start = format!(" {mark} {word}  ");
    let indent = start.width();
    let room = usize::from(area.width).saturating_sub(indent + 1);
    for (place, line) in (0..).zip(text::wrap(&head.headline, room, HEADLINE)) {
        let beginning = if place == 0 { start.clone() } else { " ".repeat(indent) };
        canvas.parts(row(area, place), vec![(meaning, beginning), (Meaning::Heading, line)]);
    }
    if tier <= Tier::Compact {
        let parts = vec![(Meaning::Muted, format!(" {}  ", brief_time(head))), next_hint(cx, head)];
        return canvas.parts(row(area, 2), parts);
    }
    draw_bars(canvas, cx, head, area);
    let key = key_of(cx, head.next_by);
    let next = match &head.next {
        Some(next) => vec![(Meaning::Shortcut, format!(" {key} ")), (Meaning::Text, format!("next: {next}"))],
        None if head.is_over => vec![(Meaning::Muted, " no step left".to_owned())],
        None => vec![(Meaning::Muted, " wait; no step is due".to_owned())],
    };
    canvas.parts(row(area, 4), next);
    canvas.text(row(area, 5), Meaning::Frame, &"─".repeat(usize::from(area.width)));
}

/// Returns `0:40 of about 1:30`.
fn brief_time(head: &TransferHead) -> String {
    match (head.elapsed, head.planned) {
        (Some(elapsed), Some(planned)) => format!("{} of about {}", text::stopwatch(elapsed), text::stopwatch(planned)),
        (Some(elapsed), None) => text::stopwatch(elapsed),
        (None, _) => head.untimed.clone(),
    }
}

fn next_hint(cx: &Drawing<'_>, head: &TransferHead) -> Part {
    match &head.next {
        Some(next) => (Meaning::Shortcut, format!("{} {next}", key_of(cx, head.next_by))),
        None => (Meaning::Muted, String::new()),
    }
}

/// Draws two bars, each with its figure: the planned and the elapsed time.
fn draw_bars(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, head: &TransferHead, area: Rect) {
    let (name, by) = match head.substitute {
        None => (" planned ", String::new()),
        Some(SubstituteEstimate::Earlier(usual)) => {
            (" usual   ", format!("  by {}", text::count(usual.transfers, "earlier transfer")))
        }
        Some(SubstituteEstimate::Route(_)) => (" route   ", "  by the router's present route".to_owned()),
    };
    let width = usize::from(area.width.saturating_sub(BESIDE).clamp(8, BAR)).saturating_sub(by.len()).max(8);
    let Some((planned, elapsed)) = head.planned.zip(head.elapsed) else {
        let words = match head.elapsed {
            Some(elapsed) => format!(" elapsed {}  ·  no estimate", text::stopwatch(elapsed)),
            None => format!(" {}", head.untimed),
        };
        canvas.text(row(area, 2), Meaning::Muted, &words);
        return;
    };
    let whole = planned.max(elapsed);
    let about = match head.expected.filter(|_| !head.is_quiet) {
        None => String::new(),
        Some(at) if head.is_withdrawal => format!("  claimable about {}", cx.context.zone.minute(at)),
        Some(at) => format!("  about {}", cx.context.zone.clock(at)),
    };
    let is_late = elapsed > planned + Duration::from_secs(1);
    let late = if is_late && !head.is_quiet { "  overdue" } else { "" };
    canvas.parts(
        row(area, 2),
        vec![
            (Meaning::Key, name.to_owned()),
            (Meaning::Muted, bar(planned, whole, width)),
            (Meaning::Number, format!(" {}", text::stopwatch(planned))),
            (Meaning::Muted, about),
            (Meaning::Muted, by),
        ],
    );
    let meaning = if is_late && !head.is_quiet { Meaning::Warning } else { head.sign.0 };
    canvas.parts(
        row(area, 3),
        vec![
            (Meaning::Key, " elapsed ".to_owned()),
            (meaning, bar(elapsed, whole, width)),
            (Meaning::Number, format!(" {}", text::stopwatch(elapsed))),
            (Meaning::Warning, late.to_owned()),
        ],
    );
}
