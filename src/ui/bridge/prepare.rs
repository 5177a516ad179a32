//! The page where a route is made ready.

use crate::{
    app::{App, bridge::prepare::PreparePage, layout::Regions},
    config::Meaning,
    ui::{document, pane::Canvas},
};

/// Draws the page.
pub(in crate::ui) fn draw(canvas: &mut Canvas<'_>, _app: &App, page: &PreparePage, regions: &Regions) {
    canvas.frame(regions.body, regions.tier, true, vec![(Meaning::Heading, page.title())], Vec::new());
    document::draw(canvas, regions.inner(regions.body), &page.document, true, 0);
}
