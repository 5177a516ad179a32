//! The board of transfers and the page of one.

use super::{document, pane::Canvas};
use crate::{
    app::{
        App,
        layout::Regions,
        transfers::{Board, TransferPage},
    },
    config::Meaning,
};

/// The second side of the Bridge tab.
pub(super) fn draw_board(canvas: &mut Canvas<'_>, _app: &App, _board: &Board, regions: &Regions) {
    canvas.frame(regions.body, regions.tier, true, vec![(Meaning::Heading, "Transfers".to_owned())], Vec::new());
}

/// The page of one transfer.
pub(super) fn draw_page(canvas: &mut Canvas<'_>, _app: &App, page: &TransferPage, regions: &Regions) {
    canvas.frame(regions.body, regions.tier, true, vec![(Meaning::Heading, page.title())], Vec::new());
    document::draw(canvas, regions.inner(regions.body), &page.document, true, 0);
}
