//! The page where a route is made ready.

use crate::app::page::Drawing;
use crate::{
    app::{App, bridge::prepare::PreparePage},
    config::Meaning,
    widgets::{canvas::Canvas, layout::Regions},
};

/// Draws the page.
pub(in crate::ui) fn draw(canvas: &mut Canvas<'_>, _cx: &Drawing<'_>, page: &PreparePage, regions: &Regions) {
    let right = if page.is_raw() { vec![(Meaning::Muted, "the messages as JSON".to_owned())] } else { Vec::new() };
    canvas.frame(regions.body, regions.tier, true, vec![(Meaning::Heading, page.title())], right);
    crate::widgets::document::draw::draw(canvas, regions.inner(regions.body), &page.document, true, 0);
}
