//! The form and the routes for it.

use crate::{
    app::{App, bridge::quote::QuoteSide, layout::Regions},
    config::Meaning,
    ui::pane::Canvas,
};

/// Draws the first side of the tab.
pub(super) fn draw(canvas: &mut Canvas<'_>, _app: &App, _quote: &QuoteSide, regions: &Regions) {
    canvas.frame(regions.body, regions.tier, true, vec![(Meaning::Heading, "Bridge".to_owned())], Vec::new());
}
