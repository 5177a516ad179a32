use super::{ComparePage, lines::columns};
use crate::{
    app::page::{Drawing, Page as _},
    config::Meaning,
    story::PartialFailure,
    widgets::{
        canvas::{Canvas, Part, row},
        layout::Pane,
    },
    wire::Tx,
};

/// Draws the header of both transactions, and the comparison below.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &ComparePage) {
    let regions = cx.regions;
    let right = match page.document.filter() {
        "" => Vec::new(),
        filter => vec![(Meaning::Match, format!("“{}”", crate::domain::text::clip(filter, 24)))],
    };
    canvas.frame(regions.body, regions.tier, true, vec![(Meaning::Heading, page.title())], right);
    let area = row(regions.inner(regions.body), 0);
    let (left, right) = (name(page, Pane::First), name(page, Pane::Second));
    match columns(usize::from(area.width)) {
        Some((first, second, _)) => {
            for (column, name) in [(first, left), (second, right)] {
                let column = u16::try_from(column).unwrap_or(u16::MAX).min(area.width);
                let place = ratatui::layout::Rect { x: area.x + column, width: area.width - column, ..area };
                canvas.parts(place, name);
            }
        }
        None => canvas.parts(area, left.into_iter().chain([(Meaning::Text, "  ".to_owned())]).chain(right)),
    }
    crate::widgets::document::draw::draw(canvas, regions.document_rows(regions.body), &page.document, true, 0);
}

/// Returns sign, result and hash of one side, in brackets if Enter opens it.
fn name(page: &ComparePage, side: Pane) -> Vec<Part> {
    let (tx, sign, note): (&Tx, _, _) = match side {
        Pane::First => (&page.left, "−", "marked"),
        Pane::Second => (&page.right, "+", "this one"),
    };
    let (meaning, mark) = match tx.is_success() {
        false => (Meaning::Bad, "✗ "),
        true if PartialFailure::all_of(tx).is_empty() => (Meaning::Good, "✓ "),
        true => (Meaning::Warning, "! "),
    };
    let result = (meaning, mark.to_owned());
    let hash = tx.txhash.short();
    let hash = if page.side == side {
        (Meaning::ActiveTab, format!("[{hash}]"))
    } else {
        (Meaning::Link, format!(" {hash} "))
    };
    vec![(Meaning::Heading, format!("{sign} ")), result, hash, (Meaning::Muted, format!(" {note}"))]
}
