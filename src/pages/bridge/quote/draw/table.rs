//! Draws the routes side by side.

use ratatui::layout::Rect;
use strum::IntoEnumIterator as _;
use unicode_width::UnicodeWidthStr as _;

use super::super::{
    QuoteSide,
    comparison::{RouteMeasure, arrival, difference, is_twin},
    layout::QuoteLayout,
    notices::{counts, notices},
    offers::{Offer, VARIANTS, is_refusal},
};
use crate::{
    app::page::Drawing,
    config::Meaning,
    domain::text::wrap,
    msg::{Remote, RouteVariant},
    panes::hints::spinner,
    widgets::canvas::{Canvas, Part, row},
    wire::{ApiError, ErrorKind, router::Route},
};

/// Draws the names of the rows, and a column for each route or only for the selected one.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, quote: &QuoteSide, layout: &QuoteLayout) {
    for (place, measure) in (1..).zip(quote.measures()) {
        let name = match measure {
            RouteMeasure::Takes => format!("takes · {}", cx.context.zone.name(cx.context.now)),
            measure => measure.to_string(),
        };
        canvas.text(row(layout.table, place), Meaning::Key, &name);
    }
    let shown = RouteVariant::iter().filter(|variant| !layout.is_single || *variant == quote.chosen);
    for (place, variant) in (0..).zip(shown) {
        draw_column(canvas, cx, quote, variant, layout, layout.column_at(place));
    }
}

fn draw_column(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    quote: &QuoteSide,
    variant: RouteVariant,
    layout: &QuoteLayout,
    area: Rect,
) {
    let offer = quote.offers.get(variant);
    let name = if variant == quote.chosen {
        (Meaning::ActiveTab, format!("▸ {variant}"))
    } else {
        (Meaning::Text, format!("  {variant}"))
    };
    let default = quote.offers.get(RouteVariant::Default).route().filter(|_| variant != RouteVariant::Default);
    let stale = offer.state.error().filter(|_| offer.route().is_some());
    let stale = stale.map(|error| (Meaning::Warning, format!("  stale ({})", error.step())));
    let place = format!(" {}/{}", variant as usize + 1, VARIANTS);
    let place = layout.is_single.then_some((Meaning::Muted, place));
    canvas.parts(row(area, 0), std::iter::once(name).chain(place).chain(stale));
    // Below the name, which stands right of the mark.
    let area = Rect { x: area.x + 2, width: area.width.saturating_sub(2), ..area };
    let Some(route) = offer.route() else { return draw_absence(canvas, cx, quote, variant, area) };
    if default.is_some_and(|default| is_twin(&route.value, &default.value)) {
        return canvas.text(row(area, 1), Meaning::Muted, "same as default");
    }
    for (place, measure) in (1..).zip(quote.measures()) {
        let width = usize::from(area.width);
        let parts = cell(cx, offer, &route.value, default.map(|default| &default.value), measure, width);
        canvas.parts(row(area, place), parts);
    }
}

fn cell(
    cx: &Drawing<'_>,
    offer: &Offer,
    route: &Route,
    default: Option<&Route>,
    measure: RouteMeasure,
    width: usize,
) -> Vec<Part> {
    let names = &cx.context.directory;
    let text = measure.of(route, names);
    let change = offer.before.as_ref().and_then(|before| measure.change(&before.value, route, names));
    let mut parts = match change {
        Some((before, _)) if before.width() + text.width() + 3 <= width => {
            vec![(Meaning::Muted, format!("{before} → ")), (Meaning::Warning, text)]
        }
        Some(_) => vec![(Meaning::Warning, format!("≠ {text}"))],
        None => vec![(meaning(measure), text)],
    };
    match measure {
        RouteMeasure::Difference => {
            let text = default.map_or_else(|| "—".to_owned(), |default| difference(route, default, names));
            parts = vec![(Meaning::Text, text)];
        }
        RouteMeasure::Takes => {
            let arrival = offer.state.at().and_then(|at| arrival(route, at, &cx.context.zone));
            parts.extend(arrival.map(|arrival| (Meaning::Muted, format!(" · {arrival}"))));
        }
        RouteMeasure::Warnings => parts = counts(&notices(route)),
        _ => {}
    }
    parts
}

fn meaning(measure: RouteMeasure) -> Meaning {
    match measure {
        RouteMeasure::Receive => Meaning::Number,
        RouteMeasure::Dollars => Meaning::Muted,
        _ => Meaning::Text,
    }
}

/// Draws, in a route's column, the router's reason for not offering the route.
fn draw_absence(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, quote: &QuoteSide, variant: RouteVariant, area: Rect) {
    let (meaning, head, words) = match &quote.offers.get(variant).state {
        Remote::Failed { error: ApiError { kind: ErrorKind::Notice(words), .. } } => {
            (Meaning::Text, "i unavailable".to_owned(), words.clipped(400))
        }
        Remote::Failed { error } if is_refusal(error) => {
            let words = match &error.kind {
                ErrorKind::NoRoute(words) => words.clipped(400),
                _ => error.brief(),
            };
            if variant == RouteVariant::Default {
                (Meaning::Warning, "✗ no route".to_owned(), words)
            } else {
                // It is normal that a variant has no route, so its reason appears only while it is selected.
                let words = if variant == quote.chosen { words } else { String::new() };
                (Meaning::Muted, "unavailable".to_owned(), words)
            }
        }
        Remote::Failed { error } => (Meaning::Bad, format!("✗ no answer ({})", error.step()), error.brief()),
        Remote::Loading { .. } => (Meaning::Muted, format!("{} requesting…", spinner(cx.context)), String::new()),
        _ => (Meaning::Muted, "waiting…".to_owned(), String::new()),
    };
    canvas.text(row(area, 1), meaning, &head);
    let rows = usize::from(area.height.saturating_sub(2));
    for (place, line) in (2..).zip(wrap(&words, usize::from(area.width), rows)) {
        canvas.text(row(area, place), Meaning::Muted, &line);
    }
}
